//! Hooks that do the same in all releases: each begins, calls a method of the scheduler, and ends.
//!
//! They are a macro because `Scheduler` belongs to the contract, so that one implementation cannot serve two types. Hooks
//! in which the releases differ stand in `mod.rs` of each scheduler: `start`, `timer`, `task_exit`, `waking`, `select_cpu`,
//! `check_preempt`, `idle`, `tick`, `set_nice`, `set_slice`, `set_params`.
//!
//! `begin` starts a sequence of hooks, `done` ends one hook. `enqueue` and `pick_next` go on with a sequence. Before the rules
//! of a hook, the ticks that were left out are taken ([`clock`](super::clock)).

/// The hooks, inside of an implementation of `Scheduler`.
macro_rules! hooks {
    () => {
        fn task_new(&mut self, cx: &mut Cx<'_>, task: TaskId, parent: Option<TaskId>) {
            self.begin(cx);
            self.update_rq_clock(cx.task(task).last_cpu, cx.now.0);
            self.fork(cx, task, parent);
            self.memory_begins(cx, task);
            self.done(cx);
        }

        fn enqueue(
            &mut self,
            cx: &mut Cx<'_>,
            place: Placement,
            task: TaskId,
            flags: EnqueueFlags,
        ) {
            self.ticks.begin(cx.turn);
            let cpu = match place {
                Placement::Cpu(cpu) => cpu,
                Placement::Shared => self.st.task(task).cpu,
            };
            self.update_rq_clock(cpu, cx.now.0);
            if let Some(from) = self.left_by(task, cpu, flags) {
                self.update_rq_clock(from, cx.now.0);
            }
            self.activate(cx, cpu, task, flags);
            cx.requery(cpu);
            self.done(cx);
        }

        fn dequeue(
            &mut self,
            cx: &mut Cx<'_>,
            task: TaskId,
            flags: sim_contract::flags::DequeueFlags,
        ) {
            self.begin(cx);
            let cpu = self.st.task(task).cpu;
            self.update_rq_clock(cpu, cx.now.0);
            cx.requery(cpu);
            self.deactivate(cx, task, flags);
            self.done(cx);
        }

        fn put_prev(
            &mut self,
            cx: &mut Cx<'_>,
            cpu: CpuId,
            prev: Option<TaskId>,
            why: sim_contract::flags::SwitchReason,
        ) {
            self.begin(cx);
            self.update_rq_clock_at_switch(cpu, cx.now.0);
            self.put(cx, cpu, prev, why);
            self.done(cx);
        }

        fn pick_next(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> Answer<Option<sim_contract::Pick>> {
            self.ticks.begin(cx.turn);
            let picked = self.pick(cx, cpu);
            self.done(cx);
            let Some((task, why)) = picked else {
                return Answer::undecided(None);
            };
            let cause = Some(self.st.task(task).why_here);
            Answer::new(Some(sim_contract::Pick { task, cause }), why)
        }

        fn yield_task(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId) {
            self.begin(cx);
            self.update_rq_clock(cpu, cx.now.0);
            self.gives_up(cx, cpu, task);
            self.done(cx);
        }

        fn exec(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId) {
            self.begin(cx);
            self.choose_at_exec(cx, cpu, task);
            self.memory_is_new(cx, task);
            self.done(cx);
        }

        fn hinting_fault(
            &mut self,
            cx: &mut Cx<'_>,
            cpu: CpuId,
            task: TaskId,
            touched: &sim_contract::memory::Touched,
        ) -> sim_contract::memory::PageFate {
            self.begin(cx);
            let fate = self.touches_marked(cx, cpu, task, touched);
            self.done(cx);
            fate
        }

        fn lend(
            &mut self,
            cx: &mut Cx<'_>,
            task: TaskId,
            loan: Option<sim_contract::lending::Loan>,
        ) {
            self.begin(cx);
            self.lend_prio(cx, task, loan);
            self.done(cx);
        }

        fn set_cgroup(
            &mut self,
            cx: &mut Cx<'_>,
            group: u32,
            change: sim_contract::cgroup::CgroupChange,
        ) {
            self.begin(cx);
            self.update_all_clocks(cx);
            self.change_cgroup(cx, group, change);
            self.done(cx);
        }

        fn set_allowed(&mut self, cx: &mut Cx<'_>, task: TaskId, queued: bool) {
            self.begin(cx);
            self.new_affinity(cx, task, queued);
            self.done(cx);
        }
    };
}

pub(crate) use hooks;
