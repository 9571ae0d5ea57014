//! Priorities of threads: how they are computed from estcpu and nice, when they apply, and what a move to another list
//! causes.

use super::add::End;
use super::{FourBsd, Kind, ThreadActivity, n, reasons};
use crate::freebsd::ranges::{PRI_MAX_TIMESHARE, PRI_MIN_IDLE};
use sim_contract::cx::Cx;
use sim_contract::flags::Policy;
use sim_ground::ids::{CpuId, TaskId};

impl FourBsd {
    /// The class of a thread, and its first priority.
    pub(super) fn kind_and_priority(&self, cx: &Cx<'_>, task: TaskId) -> (Kind, u8) {
        let info = cx.task(task);
        if info.kernel_thread {
            return (Kind::Interrupt, 0);
        }
        match info.policy {
            Policy::Normal | Policy::Batch | Policy::Iso => {
                (Kind::Timeshare, self.scale.user_priority(0, info.nice))
            }
            // The clock ends quanta of both real-time classes.
            Policy::Fifo | Policy::RoundRobin => {
                (Kind::Realtime, self.era.ranges.realtime(info.rt_priority))
            }
            Policy::Idle => (Kind::IdleClass, PRI_MIN_IDLE),
        }
    }

    /// `resetpriority`: the user priority from estcpu and nice, for time sharing only. Returns the old one.
    pub(super) fn resetpriority(&mut self, cx: &Cx<'_>, task: TaskId) -> u8 {
        let nice = cx.task(task).nice;
        let t = self.thread(task);
        let (old, estcpu) = (t.user_priority, t.estcpu);
        if t.kind == Kind::Timeshare {
            self.set_user_priority(task, self.scale.user_priority(estcpu, nice));
        }
        old
    }

    /// `resetpriority_thread`: gives the thread its user priority, unless it has a kernel priority. Returns whether it
    /// waits in another list now.
    ///
    /// The code asks for a reschedule with the old priority, therefore in vain. A waiting thread that changes its list
    /// is queued again, and that has effects. `here` is the CPU where the code runs; `quietly` if the thread that runs
    /// there is better than any time-sharing thread.
    pub(super) fn resetpriority_thread(
        &mut self,
        cx: &mut Cx<'_>,
        task: TaskId,
        here: CpuId,
        quietly: bool,
    ) -> bool {
        let range = self.era.ranges.min_timeshare..=PRI_MAX_TIMESHARE;
        let t = self.thread(task);
        let (old, new) = (t.priority, t.user_priority);
        if !range.contains(&old) || new == old {
            return false;
        }
        self.relist(cx, task, new, here, quietly)
    }

    /// `sched_priority`: sets the priority; a waiting thread goes to the list that belongs to it. Returns whether that is
    /// another one.
    pub(super) fn relist(
        &mut self,
        cx: &mut Cx<'_>,
        task: TaskId,
        new: u8,
        here: CpuId,
        quietly: bool,
    ) -> bool {
        let old = self.thread(task).priority;
        let (old_list, new_list) = (self.era.list(old), self.era.list(new));
        self.thread_mut(task).priority = new;
        if self.thread(task).doing != ThreadActivity::Queued || old_list == new_list {
            return false;
        }
        self.st.queues.remove(task);
        let operands = [n(old_list), n(new_list), i64::from(new), 0];
        cx.explain(None, Some(task), reasons::RELISTED, operands);
        let home = self.home(cx, task);
        if let Some((cpu, why)) = home {
            cx.moved(task, Some(cpu), why);
        }
        let home = home.map(|(cpu, _)| cpu);
        self.queue(cx, task, home, End::Tail);
        let occupied = quietly || !self.st.idle.contains(here);
        match home {
            Some(cpu) if cpu != here => {
                self.kick_other_cpu(cx, task, cpu);
            }
            Some(_) if quietly => {}
            Some(_) => {
                self.preempt_here(cx, task, here);
            }
            None => {
                let forwarded = occupied && self.forward_wakeup(cx, task, here).value;
                if !forwarded && !quietly {
                    self.preempt_here(cx, task, here);
                }
            }
        }
        true
    }

    /// The same for a running thread: only the number changes.
    pub(super) fn apply_to_running(&mut self, task: TaskId) {
        let range = self.era.ranges.min_timeshare..=PRI_MAX_TIMESHARE;
        let t = self.thread_mut(task);
        if range.contains(&t.priority) {
            t.priority = t.user_priority;
        }
    }

    /// `sched_nice`.
    pub(super) fn sched_nice(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        let old = self.resetpriority(cx, task);
        let t = self.thread(task);
        let operands = [
            i64::from(t.estcpu),
            i64::from(old),
            i64::from(t.user_priority),
            i64::from(cx.task(task).nice),
        ];
        cx.explain(None, Some(task), reasons::SCHED_NICE, operands);
        let here = Self::here(cx, task);
        self.resetpriority_thread(cx, task, here, false);
    }
}
