//! Real-time tasks, as far as fair schedulers need them: they run before fair tasks.
//!
//! A reduced model of `sched_rt.c`, `rt.c`: lists by priority on each CPU, placement on the CPU with the lowest
//! priority, round-robin turns of 100 ms. Omitted: pushing and pulling after placement, the limit of 95 % of the time
//! (`sched_rt_runtime_us`), and the isochronous policy of BFS, which Linux never had (counts as normal).

use serde::{Deserialize, Serialize};
use sim_contract::cx::{Cx, TaskInfo};
use sim_contract::flags::Policy;
use sim_ground::ids::{CpuId, TaskId};

/// Waiting real-time tasks of a CPU: the best priority first, and first come, first served within one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct RtQueue {
    waiting: Vec<(u8, TaskId)>,
}

/// Turn of `SCHED_RR` in ms (`DEF_TIMESLICE`, `RR_TIMESLICE`).
pub(crate) const RR_MS: u64 = 100;
/// Rank of a fair task; real-time tasks have a smaller one.
pub(crate) const FAIR_RANK: i64 = 100;
/// Rank of an idle CPU.
const IDLE_RANK: i64 = 101;

pub(crate) fn is_real_time(policy: Policy) -> bool {
    matches!(policy, Policy::Fifo | Policy::RoundRobin)
}

/// Rank of a real-time task; smaller is better.
pub(crate) fn rank(info: &TaskInfo) -> u8 {
    99 - info.rt_priority.clamp(1, 99)
}

impl RtQueue {
    /// Adds a task, before or after the tasks of its rank.
    pub(crate) fn push(&mut self, rank: u8, task: TaskId, front: bool) {
        let at = if front {
            self.waiting.partition_point(|(r, _)| *r < rank)
        } else {
            self.waiting.partition_point(|(r, _)| *r <= rank)
        };
        self.waiting.insert(at, (rank, task));
    }

    pub(crate) fn remove(&mut self, task: TaskId) {
        self.waiting.retain(|(_, t)| *t != task);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Takes the first task.
    pub(crate) fn pop(&mut self) -> Option<TaskId> {
        (!self.waiting.is_empty()).then(|| self.waiting.remove(0).1)
    }

    /// Rank of the first task.
    pub(crate) fn best(&self) -> Option<u8> {
        self.waiting.first().map(|(r, _)| *r)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = TaskId> + '_ {
        self.waiting.iter().map(|(_, t)| *t)
    }
}

/// Rank of the running task of a CPU.
pub(crate) fn rank_of_current(cx: &Cx<'_>, curr: Option<TaskId>) -> i64 {
    match curr {
        None => IDLE_RANK,
        Some(t) if is_real_time(cx.task(t).policy) => i64::from(rank(cx.task(t))),
        Some(_) => FAIR_RANK,
    }
}

/// `find_lowest_rq`: the CPU with the lowest priority, the previous CPU first. `waits` tells whether a real-time task
/// waits on a CPU, `runs` the rank of its running task.
pub(crate) fn lowest(
    cx: &Cx<'_>,
    task: TaskId,
    prev: CpuId,
    waits: impl Fn(CpuId) -> bool,
    runs: impl Fn(CpuId) -> i64,
) -> CpuId {
    let info = cx.task(task);
    cx.machine
        .cpu_ids()
        .filter(|c| info.allowed.contains(*c))
        .min_by_key(|c| (waits(*c), -runs(*c), *c != prev, c.0))
        .unwrap_or(prev)
}
