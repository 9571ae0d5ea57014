//! What balancing keeps: of each CPU, of the machine.

use serde::{Deserialize, Serialize};
use sim_contract::decision::DecisionId;
use sim_ground::ids::{CpuId, TaskId};

/// What the stopper of a CPU shall do when that next enters the scheduler.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) enum StopWork {
    /// This task may no longer be here.
    Evict(TaskId),
    /// This task runs a new program and shall do so there.
    Exec(TaskId, CpuId, DecisionId),
}

/// What a CPU keeps for placing and balancing (`struct rq`).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct CpuSide {
    /// When it became idle; 0 if that does not count.
    pub(crate) idle_stamp: u64,
    pub(crate) stop: Vec<StopWork>,
}

/// What the machine keeps.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct MachineSide {
    pub(crate) counters: Counters,
}

/// Counts that the kernel keeps in `/proc/schedstat`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Counters {
    pub(crate) balances: u64,
    /// Tasks that a balancer moved.
    pub(crate) pulled: u64,
    /// Tasks that a stopper pushed.
    pub(crate) pushed: u64,
    /// Tasks that woke or began on another CPU than before.
    pub(crate) placed: u64,
    /// Refusals of cache-hot tasks.
    pub(crate) failed_hot: u64,
}

impl CpuSide {
    /// A CPU whose idleness before the run counts, as all CPUs' does.
    pub(crate) fn new(_migration_cost: u64) -> Self {
        Self {
            idle_stamp: 1,
            stop: Vec::new(),
        }
    }

    /// How long it was idle, when something wakes there (`ttwu_do_activate`).
    pub(crate) fn end_idleness(&mut self, _now: u64) {
        self.idle_stamp = 0;
    }
}

impl MachineSide {
    /// Before the domains are known.
    pub(crate) fn new(_cpus: usize) -> Self {
        Self::default()
    }
}
