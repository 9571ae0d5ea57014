//! Real-time tasks, as far as CFS needs them: they come before fair ones.
//!
//! Reduced model of `sched_rt.c`: lists by priority on each CPU, placement where the lowest priority runs,
//! round-robin turns of 100 ms. Left out: pushing and pulling after placement, the limit of 95 % of the time
//! (`sched_rt_runtime_us`), and the isochronous policy of BFS, which Linux never had (counts as normal).

use super::{Cfs, reasons};
use serde::{Deserialize, Serialize};
use sim_contract::Answer;
use sim_contract::cx::{Cx, TaskInfo};
use sim_contract::decision::DecisionId;
use sim_contract::flags::Policy;
use sim_ground::ids::{CpuId, TaskId};

/// Real-time tasks of a CPU that wait, the best priority first, first come first within one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct RtQueue {
    waiting: Vec<(u8, TaskId)>,
}

/// Turn of `SCHED_RR` in ms (`DEF_TIMESLICE`).
const RR_MS: u64 = 100;

pub(super) fn is_real_time(policy: Policy) -> bool {
    matches!(policy, Policy::Fifo | Policy::RoundRobin)
}

/// The smaller the better.
fn rank(info: &TaskInfo) -> u8 {
    99 - info.rt_priority.clamp(1, 99)
}

impl RtQueue {
    fn push(&mut self, rank: u8, task: TaskId, front: bool) {
        let at = if front {
            self.waiting.partition_point(|(r, _)| *r < rank)
        } else {
            self.waiting.partition_point(|(r, _)| *r <= rank)
        };
        self.waiting.insert(at, (rank, task));
    }

    pub(super) fn remove(&mut self, task: TaskId) {
        self.waiting.retain(|(_, t)| *t != task);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = TaskId> + '_ {
        self.waiting.iter().map(|(_, t)| *t)
    }
}

impl Cfs {
    /// Ticks of a turn.
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
        let rt = &mut self.st.rq_mut(cpu).rt;
        (!rt.waiting.is_empty()).then(|| rt.waiting.remove(0).1)
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
            false => 100,
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

    /// `find_lowest_rq`: where the lowest priority runs, the previous CPU first.
    pub(super) fn rt_select(&self, cx: &mut Cx<'_>, task: TaskId) -> (CpuId, DecisionId) {
        let info = cx.task(task);
        let prev = self.st.task(task).cpu;
        let runs = |cpu: CpuId| match self.st.rq(cpu).curr {
            None => 101,
            Some(t) if self.st.task(t).real_time => i64::from(rank(cx.task(t))),
            Some(_) => 100,
        };
        let waits = |cpu: CpuId| i64::from(!self.st.rq(cpu).rt.is_empty());
        let best = cx
            .machine
            .cpu_ids()
            .filter(|c| info.allowed.contains(*c))
            .min_by_key(|c| (waits(*c), -runs(*c), *c != prev, c.0))
            .unwrap_or(prev);
        let operands = [runs(best), 0, 0, 0];
        let why = cx.explain(Some(best), Some(task), reasons::LOWEST_PRIORITY, operands);
        (best, why)
    }

    /// A tick of a real-time task: the end of a turn.
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
        let turn = self.st.rq(cpu).rt.waiting.first().map(|(r, _)| *r) == Some(rank);
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
