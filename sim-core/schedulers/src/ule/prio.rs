//! Priorities of threads: when they are computed, and when they take effect.

use super::priority::{self, UserPriority};
use super::runqs::Insert;
use super::{Ule, clamp, reasons};
use crate::freebsd::ranges::{Class, PRI_MIN_IDLE};
use sim_contract::cx::Cx;
use sim_contract::flags::Policy;
use sim_ground::ids::{CpuId, TaskId};

impl Ule {
    /// The user priority that a thread would have now.
    pub(super) fn compute(&self, cx: &Cx<'_>, task: TaskId) -> UserPriority {
        let t = &self.st.threads[task.index()];
        let nice = cx.task(task).nice;
        let tune = &self.st.tune;
        priority::user_priority(self.era, t.history, &t.window, nice, tune.interact, tune.hz)
    }

    /// `sched_priority`: sets the user priority.
    pub(super) fn sched_priority(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        if self.st.threads[task.index()].class != Class::Timeshare {
            return;
        }
        let found = self.compute(cx, task);
        self.set_user_pri(task, found.pri);
        let t = &mut self.st.threads[task.index()];
        t.points = u8::try_from(found.points).unwrap_or(u8::MAX);
        t.score = u8::try_from(found.score).unwrap_or(u8::MAX);
        t.interactive = found.interactive;
    }

    /// Priority of a thread outside time sharing.
    pub(super) fn fixed_priority(&self, policy: Policy, rt_priority: u8, kernel: bool) -> u8 {
        if kernel {
            return self.era.ranges.max_ithd;
        }
        match Class::from(policy) {
            Class::Realtime | Class::Fifo => self.era.ranges.realtime(rt_priority),
            Class::Idle => PRI_MIN_IDLE,
            Class::Timeshare => 0,
        }
    }

    /// Gives a thread that returns from the kernel its user priority (`sched_userret`).
    pub(super) fn return_to_user(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        task: TaskId,
        silent: bool,
    ) {
        let t = &mut self.st.threads[task.index()];
        if t.pri == t.user_pri {
            return;
        }
        let [before, pri, score] = [t.pri, t.user_pri, t.score].map(i64::from);
        t.pri = t.user_pri;
        t.base_pri = t.user_pri;
        self.set_lowpri(cpu);
        if !silent {
            let operands = [pri, before, score, clamp(self.st.tune.interact)];
            cx.explain(
                Some(cpu),
                Some(task),
                reasons::BACK_TO_USER_PRIORITY,
                operands,
            );
        }
    }

    /// Sets the priority of the running thread of a CPU (`sched_thread_priority`).
    pub(super) fn set_running_pri(&mut self, cpu: CpuId, task: TaskId, pri: u8) {
        let t = &mut self.st.threads[task.index()];
        let old = t.pri;
        t.pri = pri;
        t.base_pri = pri;
        let lowpri = self.st.tdqs[cpu.index()].lowpri;
        if pri < lowpri {
            self.st.tdqs[cpu.index()].lowpri = pri;
        } else if lowpri == old {
            self.set_lowpri(cpu);
        }
    }

    /// `sched_sleep`: a time-sharing thread that sleeps gets a better priority until it is back in user mode. `given` is
    /// the priority with which it sleeps; a thread that is stopped has none (`thread_suspend_switch`).
    pub(super) fn sleep_priority(&mut self, cx: &mut Cx<'_>, task: TaskId, given: Option<u8>) {
        let boost = self.st.tune.static_boost;
        let callers = self.era.callers_sleep_priority;
        let t = &mut self.st.threads[task.index()];
        let before = t.pri;
        let new = match given {
            _ if !callers && t.class != Class::Timeshare => None,
            Some(given) if callers => (given < before).then_some(given),
            None if callers => None,
            Some(given) if boost == 1 => Some(given),
            // With 1 this is the priority of who sleeps without one.
            _ => (boost != 0 && before > boost).then_some(boost),
        };
        if let Some(new) = new {
            (t.pri, t.base_pri) = (new, new);
        }
        if t.pri != before {
            let reason = if callers {
                reasons::SLEEP_PRIORITY
            } else {
                reasons::STATIC_BOOST
            };
            let operands = [i64::from(t.pri), i64::from(before), 0, 0];
            cx.explain(Some(t.cpu), Some(task), reason, operands);
        }
    }

    /// Records that a thread has become interactive or batch, when that takes effect.
    pub(super) fn tell_class(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        let threshold = clamp(self.st.tune.interact);
        let t = &mut self.st.threads[task.index()];
        if t.interactive == t.told_interactive || t.class != Class::Timeshare {
            return;
        }
        t.told_interactive = t.interactive;
        let reason = if t.interactive {
            reasons::INTERACTIVE
        } else {
            reasons::BATCH
        };
        let (score, pri, before) = (t.score, t.user_pri, t.pri);
        let operands = [
            i64::from(score),
            threshold,
            i64::from(pri),
            i64::from(before),
        ];
        cx.explain(Some(t.cpu), Some(task), reason, operands);
    }

    /// `sched_nice`: sets the user priority, and with it the effective one.
    pub(super) fn renice(&mut self, cx: &mut Cx<'_>, task: TaskId, queued: bool) {
        if self.st.threads[task.index()].class != Class::Timeshare {
            return;
        }
        self.sched_priority(cx, task);
        let (cpu, old, pri) = {
            let t = &self.st.threads[task.index()];
            (t.cpu, t.pri, self.base_user_pri(task))
        };
        let operands = [
            i64::from(cx.task(task).nice),
            i64::from(pri),
            i64::from(old),
            0,
        ];
        cx.explain(Some(cpu), Some(task), reasons::RENICED, operands);
        if self.st.tdqs[cpu.index()].curr == Some(task) {
            self.set_running_pri(cpu, task, pri);
            return;
        }
        if queued && pri < old {
            self.sched_rem(cx, task);
            let t = &mut self.st.threads[task.index()];
            t.pri = pri;
            t.base_pri = pri;
            self.sched_add(cx, task, Insert::Borrowing);
        } else if !queued {
            let t = &mut self.st.threads[task.index()];
            t.pri = pri;
            t.base_pri = pri;
        } else {
            self.keep_place_with(task, pri);
        }
    }

    /// Gives a waiting thread a worse priority without moving it in its queue.
    fn keep_place_with(&mut self, task: TaskId, pri: u8) {
        let t = &mut self.st.threads[task.index()];
        t.pri = pri;
        t.base_pri = pri;
    }
}
