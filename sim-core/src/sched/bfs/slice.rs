//! Slices and priorities: what a task is charged, when it is refilled, on which list it belongs.

use super::tunables::{IDLE_PRIO, ISO_PRIO, NORMAL_PRIO};
use super::{State, us};
use crate::ids::{CpuId, TaskId};
use crate::sched::cx::Cx;
use crate::sched::flags::Policy;

impl State {
    /// `effective_prio`, and the correction that `enqueue_task` makes for `ISO`.
    pub(super) fn effective_prio(&self, policy: Policy, rt_priority: u8) -> u8 {
        match policy {
            Policy::Fifo | Policy::RoundRobin => 99 - rt_priority.clamp(1, 99),
            Policy::Iso if !self.iso.refractory => ISO_PRIO,
            Policy::Idle => IDLE_PRIO,
            Policy::Normal | Policy::Batch | Policy::Iso => NORMAL_PRIO,
        }
    }

    /// Appends a task to its list.
    pub(super) fn queue_task(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        let info = cx.task(task);
        let prio = self.effective_prio(info.policy, info.rt_priority);
        self.tasks[task.index()].prio = prio;
        self.grq.push_back(task, prio);
        if self.grq.nr == 1 {
            // Q2: from now on the next tick of each of these CPUs may hand it over.
            for cpu in self.exhausted.iter() {
                cx.requery(cpu);
            }
        }
    }

    /// `update_cpu_clock`: charges the running task's slice.
    pub(super) fn account(&mut self, cpu: CpuId, now: u64) {
        let period = self.math.period_ns;
        let c = &mut self.cpus[cpu.index()];
        if c.curr.is_none() || c.rq_policy == Policy::Fifo {
            return;
        }
        let dt = now.saturating_sub(c.rq_last_ran).min(period);
        c.rq_time_slice -= us(dt);
        c.rq_last_ran = now;
    }

    /// `time_slice_expired`: a full slice and a new deadline.
    pub(super) fn refill(&mut self, task: TaskId, nice: i8, now: u64) {
        let deadline = self.math.jiffies(now) + self.math.offset(nice);
        let slice_us = self.math.slice_us();
        let t = &mut self.tasks[task.index()];
        t.slice_us = slice_us;
        t.deadline = deadline;
        t.first_time_slice = false;
    }
}
