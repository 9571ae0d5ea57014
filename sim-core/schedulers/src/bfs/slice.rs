//! Slices and priorities: what a task is charged, when it is refilled, and to which list it belongs.

use super::era::PickRule;
use super::tunables::{IDLE_PRIO, ISO_PRIO, NORMAL_PRIO};
use super::{BfsState, reasons};
use sim_contract::cx::Cx;
use sim_contract::flags::Policy;
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::time::{SimTime, TickGrid};

impl BfsState {
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
        let own = self.effective_prio(info.policy, info.rt_priority);
        // Only a priority of real time outlasts the correction of `enqueue_task`.
        let before = self.tasks[task.index()].prio;
        let prio = if before < own && before < ISO_PRIO {
            before
        } else {
            own
        };
        self.tasks[task.index()].prio = prio;
        let deadline = self.tasks[task.index()].deadline;
        if self.math.era.pick == PickRule::Sorted && prio >= NORMAL_PRIO {
            self.grq.push_sorted(task, prio, deadline);
        } else {
            self.grq.push_back(task, prio, deadline);
            if self.grq.order(prio).is_some() {
                let from = self.tasks[task.index()].cpu;
                let class = (cx.machine.place(from).llc, info.nice);
                self.grq.enter_order(task, prio, class, from);
            }
        }
        if self.grq.nr == 1 {
            // Q2: the next tick of each of these CPUs may now hand the CPU over.
            for cpu in self.exhausted.iter() {
                cx.requery(cpu);
            }
        }
    }

    /// `update_cpu_clock`: charges the running task's slice.
    pub(super) fn account(&mut self, cpu: CpuId, now: u64) {
        let c = &mut self.cpus[cpu.index()];
        if c.curr.is_none() || c.rq_policy == Policy::Fifo {
            return;
        }
        c.rq_time_slice -= self.math.charge(now.saturating_sub(c.rq_last_ran));
        c.rq_last_ran = now;
    }

    /// `time_slice_expired`: a full slice and a new deadline. `now` is what the counter of deadlines reads.
    pub(super) fn refill(&mut self, task: TaskId, nice: i8, now: u64) {
        let deadline = now + self.math.offset(nice);
        let bias = self.prio_bias(task, nice);
        let t = &mut self.tasks[task.index()];
        t.time_slice = self.math.full_slice();
        t.deadline = deadline;
        t.first_time_slice = false;
        t.smt_bias = if t.smt_bias > 1 { t.smt_bias - 1 } else { bias };
        if self.grq.contains(task) {
            self.grq.set_deadline(task, deadline);
        }
    }

    /// `n` refills in a row, the last when the counter reads `now`.
    pub(super) fn refill_times(&mut self, task: TaskId, nice: i8, n: u64, now: u64) {
        let bias = self.prio_bias(task, nice);
        let before = i64::try_from(n - 1).unwrap_or(i64::MAX);
        let at = &mut self.tasks[task.index()].smt_bias;
        if before < *at {
            *at -= before;
        } else if bias > 0 {
            // The bias began again after 1, and then after every further round.
            *at = bias - (before - *at) % bias;
        }
        self.refill(task, nice, now);
    }

    /// A slice shorter than this ends at a tick of a CPU.
    pub(super) fn ends_below(&self, cpu: CpuId) -> i64 {
        if self.cpus[cpu.index()].dither {
            self.math.half_jiffy() + 1
        } else {
            self.math.era.used_up_below
        }
    }

    /// `task_running_tick`: whether the slice ends at this tick.
    pub(super) fn slice_ends(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> bool {
        let limit = self.ends_below(cpu);
        let c = &mut self.cpus[cpu.index()];
        let left = c.rq_time_slice;
        if left >= limit {
            return false;
        }
        if c.dither {
            c.rq_time_slice = 0;
        }
        if left >= self.math.era.used_up_below {
            let half = self.math.slice_ns(self.math.half_jiffy());
            let operands = [self.math.slice_ns(left), half, 0, 0];
            cx.explain(Some(cpu), c.curr, reasons::DITHERED, operands);
        }
        true
    }

    /// `schedule()`: records whether the next task is switched in during the first half of a tick.
    pub(super) fn note_dither(&mut self, cpu: CpuId, now: u64) {
        let c = &mut self.cpus[cpu.index()];
        c.dither = self.math.era.dither && now - c.last_tick <= self.math.period_ns / 2;
    }

    /// Accounts for `n` ticks that did nothing else, the last of them at `last`.
    pub(super) fn skip(&mut self, cpu: CpuId, n: u64, last: SimTime, grid: &TickGrid) {
        let period = self.math.period_ns;
        let first = grid.before(last, n - 1);
        let least = self.math.charge(period);
        let more = if grid.is_even() || least == self.math.charge(period + 1) {
            least * i64::try_from(n - 1).unwrap_or(i64::MAX)
        } else {
            // Ticks are a period apart, or 1 ns more; here the difference matters.
            let distance = |k: u64| grid.before(last, k).0 - grid.before(last, k + 1).0;
            (0..n - 1).map(|k| self.math.charge(distance(k))).sum()
        };
        let last = last.0;
        let c = &mut self.cpus[cpu.index()];
        c.last_tick = last;
        c.rq_time_slice -= self.math.charge(first.0.saturating_sub(c.rq_last_ran)) + more;
        c.rq_last_ran = last;
        if c.exhausted && self.math.era.dither {
            // Each of these ticks ended the slice and rescheduled.
            if c.dither || n > 1 {
                c.rq_time_slice = 0;
            }
            c.dither = true;
        }
    }
}
