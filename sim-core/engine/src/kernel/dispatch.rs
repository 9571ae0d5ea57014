//! The kernel's sequences: wake-up, reschedule, phase end, signalling.

use super::TaskState;
use super::ticks::Settled;
use crate::clockwork::Event;
use crate::hardware::{Charged, ENDLESS, UnpaidTime};
use crate::{Context, Cx, Sim, cx};
use sim_contract::Occasion;
use sim_contract::flags::{
    DequeueFlags, EnqueueFlags, Placement, SwitchReason, TimerId, timer_cpu,
};
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::time::SimTime;
use sim_machine::rate::RATE_BITS;
use sim_trace::{TraceKind, TraceRecord};
use sim_workload::{Phase, WorkCx};

/// A behaviour counts as broken after this many phases in a row that take no time.
const IDLE_PHASES: u32 = 10_000;

impl Sim {
    /// A task's start or the end of its sleep is due.
    pub(crate) fn on_wake_event(&mut self, task: TaskId) {
        match self.task(task).state {
            TaskState::NotStarted => self.start_task(task, None),
            TaskState::Sleeping => {
                let (cpu, by_timer) = (self.task(task).wake_cpu, self.task(task).wake_by_timer);
                if let Some(awake_at) = self.leave_idleness(cpu, by_timer) {
                    self.clock.schedule(Event::Wake(task), awake_at);
                    if by_timer {
                        self.hardware.note_timer(&self.clock, cpu, task, awake_at);
                    }
                    return;
                }
                self.wake(Context::interrupt_on(cpu), task, EnqueueFlags::Wakeup);
                self.rest_again(cpu);
            }
            // Killed or woken by someone else in the meantime.
            TaskState::Running | TaskState::Queued | TaskState::Exited => {}
        }
    }

    /// Wakes a sleeping task from the context of a CPU.
    pub(crate) fn wake(&mut self, context: Context, task: TaskId, flags: EnqueueFlags) {
        if self.clock.due(Event::Wake(task)).is_some() {
            self.clock.cancel(Event::Wake(task));
            self.timer_cancelled(self.task(task).wake_cpu);
        }
        if self.holds(task) {
            return;
        }
        self.look_around(Occasion::Placing);
        self.account_task(task);
        let now = self.clock.now();
        self.task_mut(task).woken_at = Some(now);
        let record = TraceRecord::new(now, TraceKind::Wakeup)
            .cpu(context.cpu)
            .task(Some(task));
        self.sched.waking(&mut cx!(self, context), task);
        self.make_runnable(context, task, flags, record);
    }

    /// The task waits from now on. `record` writes this, with the decisions that are made here.
    pub(crate) fn make_runnable(
        &mut self,
        context: Context,
        task: TaskId,
        flags: EnqueueFlags,
        mut record: TraceRecord,
    ) {
        let placed = self.sched.select_cpu(&mut cx!(self, context), task, flags);
        let place = placed.value;
        if !self.accepts_place(task, place) {
            return;
        }
        let queue = match place {
            Placement::Cpu(cpu) => Some(cpu),
            Placement::Shared => None,
        };
        let t = self.task_mut(task);
        (t.queue, t.placed) = (queue, placed.why);
        match (place, context.cpu) {
            (Placement::Cpu(queue), _) | (Placement::Shared, Some(queue)) => {
                self.take_lock(context, queue);
            }
            (Placement::Shared, None) => {}
        }
        self.note_placement(task, place, flags);
        let counted = self.count_waste();
        let now = self.clock.now();
        self.task_mut(task).wait_from(now);
        self.joins_waiting(counted, task);
        self.sched
            .enqueue(&mut cx!(self, context), place, task, flags);
        let target = self
            .sched
            .check_preempt(&mut cx!(self, context), place, task, flags);
        if record.kind == TraceKind::Wakeup {
            record = record.other(queue.map_or(-1, |c| i64::from(c.0)));
            record.interrupt = context.interrupt;
        } else {
            let counted = self.kernel.infos[task.index()].last_cpu;
            record.target = i32::from(queue.unwrap_or(counted).0);
        }
        self.ledger.record(record.because(placed.why, target.why));
        self.carry_out_requests(context);
        if let Some(cpu) = target.value
            && self.accepts_cpu("check_preempt", Some(task), cpu)
        {
            self.kick(context, cpu, target.why);
        }
    }

    pub(crate) fn on_timer(&mut self, timer: TimerId) {
        self.settle_all();
        let context = timer_cpu(timer).map_or(Context::OUTSIDE, Context::interrupt_on);
        self.sched.timer(&mut cx!(self, context), timer);
        self.carry_out_requests(context);
    }

    pub(crate) fn on_resched(&mut self, cpu: CpuId) {
        self.reschedule(cpu, SwitchReason::Resched);
    }

    /// The CPU enters the scheduler.
    pub(crate) fn reschedule(&mut self, cpu: CpuId, why: SwitchReason) {
        self.kernel.flagged.remove(cpu);
        let settled = self.settle(cpu);
        self.reschedule_settled(settled, why);
    }

    /// The same for a CPU that is not flagged any more.
    #[inline(never)]
    fn reschedule_settled(&mut self, settled: Settled, why: SwitchReason) {
        let cpu = settled.cpu();
        let context = Context::task_on(cpu);
        self.clock.cancel(Event::Resched(cpu));
        let charged = self.charge(cpu);
        let prev = self.kernel.curr[cpu.index()];
        if prev.is_none() {
            self.stop_rest(cpu);
        }
        if let Some(task) = prev
            && matches!(why, SwitchReason::Yield | SwitchReason::Block)
        {
            let now = self.clock.now();
            self.task_mut(task).gives_up(charged, now);
        }
        let why = prev.map_or(why, |task| self.leaves_as(cpu, task, why));
        if let Some(task) = prev {
            match why {
                SwitchReason::Block => {
                    let flags = self.blocks_as(task);
                    self.sched.dequeue(&mut cx!(self, context), task, flags);
                }
                SwitchReason::Exit => {
                    self.sched
                        .dequeue(&mut cx!(self, context), task, DequeueFlags::Exit);
                    self.tell_of_exit(context, task);
                }
                SwitchReason::Resched | SwitchReason::Yield => {}
            }
        }
        self.look_around(Occasion::PutPrev(cpu));
        let mut cx = cx!(self, context);
        self.sched.put_prev(&mut cx, cpu, prev, why);
        let mut pick = self.sched.pick_next(&mut cx, cpu);
        if pick.value.is_none() {
            self.look_around(Occasion::Idle(cpu));
            let found = self.sched.idle(&mut cx!(self, context), cpu);
            if found.value {
                pick = self.sched.pick_next(&mut cx!(self, context), cpu);
            } else {
                pick.why = found.why.or(pick.why);
            }
        }
        let still_runs = matches!(why, SwitchReason::Resched | SwitchReason::Yield);
        let goes_on = prev.filter(|_| still_runs);
        if let Some(p) = pick.value
            && !self.accepts_pick(cpu, p.task, goes_on)
        {
            return;
        }
        let same = goes_on.is_some() && pick.value.map(|p| p.task) == goes_on;
        self.note_queue_moves();
        if !same {
            self.switch(charged, prev, pick, why);
        }
        if prev.is_none() && pick.value.is_none() && self.sched.idles_without_lock() {
            self.look_past_lock(cpu);
        } else if (!same || why == SwitchReason::Yield)
            && let Some(payer) = self.owe_lock(context, cpu)
            && payer.cpu() != cpu
        {
            self.predict(payer);
        }
        // The code below arms its own ticks.
        self.forget_requery(cpu);
        if !same {
            let cost = self.hardware.debt(charged).cost();
            self.ledger.note_cost(cpu, cost);
        }
        self.carry_out_requests(context);
        if why == SwitchReason::Yield
            && let Some(task) = prev.filter(|_| same)
        {
            self.pay_for_yield(charged, task);
        }
        // It is another task, or the yield has its price, or another CPU has signalled this one between two phases.
        self.predict(charged);
        if prev.is_none() {
            self.review_idle_tick(cpu);
        }
        if self.kernel.curr[cpu.index()].is_none() {
            self.rest(cpu, prev.is_some());
        }
        self.arm_settled_ticks(settled);
        self.stop_after_switch(charged);
    }

    /// A yield that returns to the same thread costs the CPU the system call.
    fn pay_for_yield(&mut self, charged: Charged, task: TaskId) {
        let cost = u64::from(self.plan.machine.spec().costs.yield_ns);
        let least = self.task(task).least_switch_ns(self.clock.now());
        self.hardware.owe_switch(charged, cost.max(least));
    }

    /// Records the choice of a CPU for a task that was just forked. The CPU of its forker counts as its last CPU.
    fn note_placement(&mut self, task: TaskId, place: Placement, flags: EnqueueFlags) {
        let from = self.kernel.infos[task.index()].last_cpu;
        if flags == EnqueueFlags::New
            && let Placement::Cpu(cpu) = place
            && cpu != from
        {
            self.task_mut(task).account.placements += 1;
        }
    }

    /// The running task may have finished the work of its phase.
    pub(crate) fn on_phase_end(&mut self, cpu: CpuId) {
        let charged = self.charge(cpu);
        let Some(task) = self.kernel.curr[cpu.index()] else {
            return;
        };
        if self.hardware.warm_up_ended(charged) {
            self.hardware.mark_stale(cpu);
        }
        let owes = self.hardware.debt(charged) != UnpaidTime::default();
        let t = self.task(task);
        if self.hardware.faults(task) && !owes {
            self.touch_marked(charged, task);
            self.predict(charged);
            return;
        }
        if t.remaining > 0 || owes {
            self.predict(charged);
            return;
        }
        if t.wait.is_some() && !self.go_on(cpu, task) {
            return;
        }
        self.begin_job(task);
        for _ in 0..IDLE_PHASES {
            let phase = self.next_phase(task);
            // On its way back to user mode the CPU enters the scheduler first.
            if !self.begin_phase(charged, task, phase) || self.signalled_now(cpu) {
                return;
            }
        }
        panic!("invariant: behaviours take time; task {} does not", task.0);
    }

    /// Begins a phase of the running task. Returns whether the next one follows at once.
    // Not inlined: the caller would prepare for every kind of phase.
    #[inline(never)]
    fn begin_phase(&mut self, charged: Charged, task: TaskId, phase: Phase) -> bool {
        let cpu = charged.cpu();
        let context = Context::task_on(cpu);
        if !matches!(phase, Phase::Run(_) | Phase::RunForever) {
            // A system call takes no time of its own. The first instruction of work is told as soon as it has taken some.
            self.runs_program(task, self.clock.now());
        }
        match phase {
            Phase::Run(0) => {}
            Phase::Run(ns) => {
                let work = ns.saturating_mul(1 << RATE_BITS).min(ENDLESS - 1);
                self.work(charged, task, work);
                return false;
            }
            Phase::RunForever => {
                self.work(charged, task, ENDLESS);
                return false;
            }
            Phase::Sleep { ns, via } => {
                self.sleep(cpu, task, ns, via);
                return false;
            }
            Phase::Yield => {
                let settled = self.settle(cpu);
                self.sched.yield_task(&mut cx!(self, context), cpu, task);
                self.carry_out_requests(context);
                self.kernel.flagged.remove(cpu);
                self.reschedule_settled(settled, SwitchReason::Yield);
                return false;
            }
            Phase::WakePeer => {
                if let Some(peer) = self.sleeping_peer(task) {
                    self.wake(context, peer, EnqueueFlags::Wakeup);
                }
            }
            Phase::Post {
                channel,
                tokens,
                sync,
            } => self.post(cpu, task, channel, tokens, sync),
            Phase::Take { channel, most } => return self.take(cpu, task, channel, most),
            Phase::Meet => return self.meet(cpu, task),
            Phase::Until { at_ns } => return self.sleep_until(cpu, task, at_ns),
            Phase::Await(channel) => {
                self.await_signal(cpu, task, channel);
                return false;
            }
            Phase::Wake { channel, most } => self.signal_condition(cpu, task, channel, most),
            Phase::MeetAt { channel, threads } => return self.meet_at(cpu, task, channel, threads),
            Phase::Lock { channel, lends } => return self.lock(cpu, task, channel, lends),
            Phase::Unlock(channel) => self.unlock(cpu, task, channel),
            Phase::Io { device, ns } => {
                self.request_io(cpu, task, device, ns);
                return false;
            }
            Phase::WaitChildren => return self.wait_for_children(cpu, task),
            Phase::NextJob => return self.next_job(cpu, task),
            Phase::Fork(child) => self.fork(cpu, task, child),
            Phase::ForkMember => self.fork_member(cpu, task),
            Phase::Exec => {
                self.settle(cpu);
                self.hardware.catch_up_rests(&self.clock);
                self.sched.exec(&mut cx!(self, context), cpu, task);
                self.carry_out_requests(context);
            }
            Phase::Exit => {
                self.exit(cpu, task);
                return false;
            }
        }
        true
    }

    /// The running task works from now on.
    fn work(&mut self, charged: Charged, task: TaskId, work: u64) {
        self.task_mut(task).remaining = work;
        self.predict(charged);
    }

    /// Whether the CPU enters the scheduler at this instant.
    fn signalled_now(&self, cpu: CpuId) -> bool {
        self.clock.due(Event::Resched(cpu)) == Some(self.clock.now())
    }

    fn next_phase(&mut self, task: TaskId) -> Phase {
        let cpus = u16::try_from(self.cpu_count()).unwrap_or(u16::MAX);
        let now_ns = self.clock.now().0;
        let t = &mut self.kernel.tasks[task.index()];
        let mut cx = WorkCx {
            cpus,
            number: t.number,
            taken: t.taken,
            started_ns: t.account.started_at_ns.unwrap_or(0),
            now_ns,
            job_ns: t.job.as_ref().map_or(0, |job| job.work_ns),
            rng: &mut t.rng,
        };
        self.behaviours[task.index()].next(&mut cx)
    }

    /// When the next event after now is due.
    #[must_use]
    pub fn next_event_time(&self) -> Option<SimTime> {
        self.clock.next_time()
    }
}
