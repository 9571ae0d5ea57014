//! Real-time tasks beside CFS.

use super::{Cfs, reasons};
use crate::linux::rt::{FAIR_RANK, RR_MS, lowest, rank, rank_of_current};
use sim_contract::Answer;
use sim_contract::cx::Cx;
use sim_contract::decision::DecisionId;
use sim_contract::flags::Policy;
use sim_ground::ids::{CpuId, TaskId};

impl Cfs {
    /// Number of ticks in a turn.
    pub(super) fn rr_ticks(&self) -> u32 {
        u32::try_from(self.st.tun.ms_to_jiffies(RR_MS)).unwrap_or(1)
    }

    /// Puts a real-time task into the list of its CPU.
    pub(super) fn rt_enqueue(&mut self, cx: &Cx<'_>, task: TaskId, front: bool) {
        let cpu = self.st.task(task).cpu;
        let rank = rank(cx.task(task));
        self.st.rq_mut(cpu).rt.push(rank, task, front);
    }

    /// The next real-time task of a CPU.
    pub(super) fn rt_pick(&mut self, cpu: CpuId) -> Option<TaskId> {
        self.st.rq_mut(cpu).rt.pop()
    }

    /// `check_preempt_curr_rt`.
    pub(super) fn rt_preempts(
        &self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        task: TaskId,
        curr: TaskId,
    ) -> Answer<bool> {
        let rank_of = |t: TaskId| match self.st.task(t).real_time {
            true => i64::from(rank(cx.task(t))),
            false => FAIR_RANK,
        };
        let (own, other) = (rank_of(task), rank_of(curr));
        let reason = if own < other {
            reasons::REAL_TIME
        } else {
            reasons::REAL_TIME_RUNS
        };
        let why = cx.explain(Some(cpu), Some(task), reason, [own, other, 0, 0]);
        Answer::new(own < other, why)
    }

    /// `find_lowest_rq`: the CPU with the lowest priority, the previous CPU first.
    pub(super) fn rt_select(&self, cx: &mut Cx<'_>, task: TaskId) -> (CpuId, DecisionId) {
        let prev = self.st.task(task).cpu;
        let runs = |cpu: CpuId| rank_of_current(cx, self.st.rq(cpu).curr);
        let waits = |cpu: CpuId| !self.st.rq(cpu).rt.is_empty();
        let best = lowest(cx, task, prev, waits, runs);
        let operands = [runs(best), 0, 0, 0];
        let why = cx.explain(Some(best), Some(task), reasons::LOWEST_PRIORITY, operands);
        (best, why)
    }

    /// A tick of a real-time task: may end its turn.
    pub(super) fn rt_tick(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId) -> bool {
        if cx.task(task).policy != Policy::RoundRobin {
            return false;
        }
        let full = self.rr_ticks();
        let t = self.st.task_mut(task);
        t.rr_left = t.rr_left.saturating_sub(1);
        if t.rr_left > 0 {
            return false;
        }
        t.rr_left = full;
        let rank = rank(cx.task(task));
        let turn = self.st.rq(cpu).rt.best() == Some(rank);
        if turn {
            cx.explain(
                Some(cpu),
                Some(task),
                reasons::ROUND_ROBIN,
                [i64::from(full), 0, 0, 0],
            );
            self.st.rq_mut(cpu).rr_turn = true;
        }
        turn
    }
}
