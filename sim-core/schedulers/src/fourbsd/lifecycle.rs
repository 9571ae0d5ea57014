//! Fork, exit, sleep, wake-up, and a change of the CPUs allowed.

use super::add::End;
use super::era::{ForkEstcpu, Quantum};
use super::{FourBsd, GLOBAL, Kind, Thread, ThreadActivity, arithmetic, queue_of, reasons};
use sim_contract::cx::Cx;
use sim_contract::flags::DequeueFlags;
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::time::{SimSpan, SimTime};

impl FourBsd {
    /// `sched_fork`, and what `fork1` does to a new process.
    pub(super) fn sched_fork(&mut self, cx: &mut Cx<'_>, task: TaskId, parent: Option<TaskId>) {
        let (kind, priority) = self.kind_and_priority(cx, task);
        self.st.any_limited |= self.is_limited(cx, task);
        let first_slice = match self.era.quantum {
            Quantum::OfThread => 1,
            Quantum::SinceSwitch => 0,
        };
        let mut new = Thread {
            kind,
            doing: ThreadActivity::Nothing,
            priority,
            user_priority: priority,
            estcpu: 0,
            pctcpu: 0,
            cpticks: 0,
            slptime: 0,
            slice: first_slice,
            did_run: false,
            timed: None,
            last_cpu: self.era.new_on_cpu_0.then_some(CpuId(0)),
        };
        if let Some(parent) = parent {
            let same_process = cx.task(parent).process == cx.task(task).process;
            let p = self.thread(parent);
            let cleared = self.era.fork == ForkEstcpu::Cleared && !same_process;
            new.estcpu = if cleared { 0 } else { p.estcpu };
            new.user_priority = self
                .loans
                .get(&parent)
                .map_or(p.user_priority, |lent| lent.base);
            new.priority = p.priority;
            let operands = [
                i64::from(new.estcpu),
                i64::from(p.estcpu),
                i64::from(new.priority),
                0,
            ];
            cx.explain(cx.cpu, Some(task), reasons::SCHED_FORK, operands);
        }
        if self.st.threads.len() <= task.index() {
            // Threads start in any order: lower numbers may start later.
            self.st.threads.resize(task.index() + 1, new.clone());
        }
        self.st.threads[task.index()] = new;
        self.st.living.push(task);
    }

    /// `sched_exit`: the estcpu goes to the parent, whose priority is not computed again at once.
    pub(super) fn sched_exit(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        self.thread_mut(task).doing = ThreadActivity::Gone;
        let parent = cx.task(task).parent;
        let Some(parent) = parent.filter(|p| self.thread(*p).doing != ThreadActivity::Gone) else {
            return;
        };
        let estcpu = self.thread(task).estcpu;
        let before = self.thread(parent).estcpu;
        let after = self.scale.inherited(before, estcpu);
        self.thread_mut(parent).estcpu = after;
        let operands = [i64::from(estcpu), i64::from(after), i64::from(before), 0];
        cx.explain(cx.cpu, Some(task), reasons::SCHED_EXIT, operands);
        cx.requery(cx.task(parent).last_cpu);
    }

    /// The time and CPU at which a callout ends a sleep that begins now.
    pub(super) fn sleep_ends(
        &mut self,
        now: SimTime,
        cpu: CpuId,
        task: TaskId,
        ns: u64,
    ) -> (SimTime, CpuId) {
        // Interrupt threads wait for an interrupt, not for a callout.
        if self.thread(task).kind == Kind::Interrupt {
            return (now + SimSpan(ns), cpu);
        }
        self.thread_mut(task).timed = Some(now);
        let rule = self.era.sleep;
        let on = rule.cpu(cpu);
        let (choice, clocks) = (self.st.settings.sleep_end, self.ticking[on.index()]);
        (rule.end(choice, self.rates, clocks, now, ns), on)
    }

    /// A thread sleeps or is stopped (`sched_sleep`), or ends. A thread that is killed may be waiting in a queue.
    pub(super) fn leave(&mut self, cx: &mut Cx<'_>, task: TaskId, flags: DequeueFlags) {
        self.st.queues.remove(task);
        self.st.load -= 1;
        let pwait = self.era.ranges.pwait;
        let any_class = self.era.any_class_sleeps_better;
        let t = self.thread_mut(task);
        if flags == DequeueFlags::Exit {
            t.doing = ThreadActivity::Gone;
            return;
        }
        t.doing = ThreadActivity::Sleeping;
        t.slptime = 0;
        if flags == DequeueFlags::Stop {
            // `thread_suspend_switch` calls `sched_sleep` without a priority.
            return;
        }
        let class = match t.kind {
            Kind::Timeshare => true,
            Kind::Realtime | Kind::IdleClass => any_class,
            Kind::Interrupt => false,
        };
        if class && t.priority != pwait {
            let operands = [pwait, t.priority, t.user_priority, 0].map(i64::from);
            t.priority = pwait;
            let cpu = cx.task(task).last_cpu;
            cx.explain(Some(cpu), Some(task), reasons::SLEEP_PRIORITY, operands);
        }
    }

    /// `sched_wakeup` up to `sched_add`: applies the passes of `schedcpu` that the thread missed in its sleep.
    pub(super) fn sched_wakeup(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        let slept = self.thread(task).slptime;
        if slept > 1 {
            self.updatepri(cx, task);
        }
        let full = self.st.settings.slice;
        let t = self.thread_mut(task);
        t.slptime = 0;
        t.slice = full;
        if t.kind == Kind::Interrupt && t.priority > 0 {
            let operands = [i64::from(t.priority), 0, 0, 0];
            t.priority = 0;
            let reason = reasons::INTERRUPT_THREAD_RESTORED;
            cx.explain(None, Some(task), reason, operands);
        }
    }

    /// `updatepri`: only the user priority changes, because the thread still has the priority of its sleep.
    pub(super) fn updatepri(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        let load = self.st.load_averages[0];
        let t = self.thread_mut(task);
        let (before, slept) = (t.estcpu, t.slptime);
        t.estcpu = arithmetic::after_sleep(before, slept, load);
        self.resetpriority(cx, task);
        let t = self.thread(task);
        let operands = [
            i64::from(t.estcpu),
            i64::from(before),
            i64::from(slept),
            i64::from(t.user_priority),
        ];
        cx.explain(None, Some(task), reasons::UPDATEPRI, operands);
    }

    /// `sched_affinity`: the allowed CPUs have changed.
    pub(super) fn sched_affinity(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        if !self.is_limited(cx, task) {
            // A thread queued to a CPU stays there until it is queued again.
            return;
        }
        self.st.any_limited = true;
        cx.requery(cx.task(task).last_cpu);
        let allowed = cx.task(task).allowed;
        match self.thread(task).doing {
            ThreadActivity::Queued => {
                let place = self.st.queues.place(task);
                let fits = place.is_some_and(|p| {
                    p.queue != GLOBAL && allowed.iter().any(|c| queue_of(c) == p.queue)
                });
                if fits {
                    let operands = [i64::from(self.thread(task).priority), 0, 0, 0];
                    cx.explain(None, Some(task), reasons::STAYS_QUEUED, operands);
                    return;
                }
                self.st.queues.remove(task);
                let home = self.home(cx, task);
                if let Some((cpu, why)) = home {
                    cx.moved(task, Some(cpu), why);
                }
                let home = home.map(|(cpu, _)| cpu);
                self.queue(cx, task, home, End::Tail);
                let here = Self::here(cx, task);
                match home {
                    Some(cpu) if cpu != here => self.kick_other_cpu(cx, task, cpu),
                    _ => self.preempt_here(cx, task, here),
                };
            }
            ThreadActivity::Running => self.leave_forbidden(cx, task),
            ThreadActivity::Nothing | ThreadActivity::Sleeping | ThreadActivity::Gone => {}
        }
    }

    /// A running thread may no longer use its CPU. The code signals the lowest forbidden CPU, whichever CPU the thread
    /// is on; the thread's own CPU notices at its next interrupt.
    fn leave_forbidden(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        let info = cx.task(task);
        let (cpu, allowed) = (info.last_cpu, info.allowed);
        if allowed.contains(cpu) {
            return;
        }
        let all = sim_ground::ids::CpuMask::first(self.st.cpus.len());
        let lowest = all.without(&allowed).lowest();
        let next = self.next_look(cx.now);
        let at_once = lowest == Some(cpu);
        let wait = if at_once { 0 } else { next.0 - cx.now.0 };
        let operands = [
            lowest.map_or(-1, |c| i64::from(c.0)),
            i64::try_from(wait).unwrap_or(i64::MAX),
            0,
            0,
        ];
        let why = cx.explain(Some(cpu), Some(task), reasons::FORBIDDEN_CPU, operands);
        if at_once {
            cx.kick(cpu, why);
        } else {
            self.notice_at_clock(cx, sim_ground::ids::CpuMask::only(cpu));
        }
    }
}
