//! Automatic NUMA balancing: memory that follows its thread, and threads that follow their memory.
//!
//! CFS 4.9 and EEVDF 6.12 share this module; differences between the releases are switches of [`Rules`]. The module
//! reads their queues through its `Host`. On machines with one node it does not exist.
//!
//! | file | kernel function @ Linux 4.9, 6.12 |
//! |---|---|
//! | `scan` | `task_tick_numa`, `task_numa_work`, `init_numa_balancing` |
//! | `fault` | `should_numa_migrate_memory`, `numamigrate_update_ratelimit` @ 4.9, `task_numa_fault` |
//! | `placement` | `task_numa_placement`, `numa_migrate_preferred` |
//! | `period` | `update_task_scan_period` |
//! | `migrate` | `task_numa_migrate`, `task_numa_find_cpu`, `task_numa_compare`, `load_too_imbalanced` |
//! | `balancer` | `migrate_degrades_locality`, `fbq_classify_rq`, `fbq_classify_group` |
//! | `host` | `migrate_task_to`, `migrate_swap`, and the rest of the interface to the scheduler |
//! | `tunables` | `kernel.numa_balancing*` |
//!
//! Omitted, assumed, or done in another way:
//!
//! | what | here |
//! |---|---|
//! | groups of threads that share pages (`numa_group`) | left out: no two threads share a working set, so every fault is private |
//! | scores that count nearby nodes (`score_nearby_nodes`) | left out: nodes are compared one by one |
//! | skipping of parts of memory that a thread never touches (`vma_is_accessed` @ 6.12) | left out: a thread sweeps all of its set |
//! | memory tiers, `numa_balancing_mode` | left out |
//! | which pages a scan marks | the same share of pages of each kind, not the next pages by address |
//! | 6.12: small imbalance that is allowed on lightly used nodes (`adjust_numa_imbalance`) | left out: an idle CPU of a node with room is taken |
//! | counts of faults after a failed placement | start again, as after any other placement |
//! | the two CPUs of a swap | change one after the other, a signal apart; neither searches for other work meanwhile |
//! | all faults of a marked set | come as soon as the thread runs, first one alone, then 256 at a time |

mod balancer;
mod fault;
mod host;
mod migrate;
mod period;
mod placement;
mod scan;
mod tunables;

#[cfg(test)]
mod tests;

pub use fault::{LastFaulter, should_move};
pub use period::{Counted, next_period};
pub use placement::decay;
pub use tunables::Settings;

pub(crate) use balancer::QueueKind;
pub(crate) use host::{Host, save, take};
pub(crate) use migrate::Move;
pub(crate) use tunables::{BALANCING, HUGE, PERIOD_MAX, PERIOD_MIN, SCAN_DELAY, SCAN_SIZE};

use crate::linux::reasons::Reasons;
use crate::linux::signed;
use serde::{Deserialize, Serialize};
use sim_contract::cx::Cx;
use sim_ground::ids::{CpuId, NodeId, TaskId};
use sim_ground::params::Params;

/// The rules in which releases differ.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a difference between releases
pub struct Rules {
    /// Whether at most 128 MiB may move to a node in 100 ms (`numamigrate_update_ratelimit`).
    pub limits_rate: bool,
    /// Whether private pages of a young thread move at their first fault, wherever the last fault was.
    pub moves_early: bool,
    /// Whether statistics are evaluated only after the time to retry has passed.
    pub placement_waits: bool,
    /// Whether a thread goes at once to a newly preferred node.
    pub goes_at_once: bool,
    /// Whether a share of private faults of 7 in 10 makes scans rarer, wherever the pages are.
    pub private_is_settled: bool,
    /// Whether a thread moves only to a node with less load, and an idle CPU must also have a score.
    pub needs_lighter_node: bool,
    /// Smallest score of a swap.
    pub least_swap: i64,
    /// By how much a swap must be better than the best one so far.
    pub better_by: i64,
    /// Whether an idle CPU takes threads from a node where they have more memory.
    pub idle_takes: bool,
    /// Whether the balancer takes from queues with misplaced threads first.
    pub prefers_misplaced: bool,
    /// Whether private faults that were all remote count as no faults (`local + shared == 0`).
    pub remote_is_nothing: bool,
    /// Whether counts are kept after an evaluation that found nothing to learn from.
    pub keeps_counts: bool,
}

/// Linux 4.9.
pub const V4_9: Rules = Rules {
    limits_rate: true,
    moves_early: false,
    placement_waits: false,
    goes_at_once: true,
    private_is_settled: false,
    needs_lighter_node: true,
    least_swap: 1,
    better_by: 1,
    idle_takes: false,
    prefers_misplaced: true,
    remote_is_nothing: false,
    keeps_counts: false,
};

/// Linux 6.12.
pub const V6_12: Rules = Rules {
    limits_rate: false,
    moves_early: true,
    placement_waits: true,
    goes_at_once: false,
    private_is_settled: true,
    needs_lighter_node: false,
    least_swap: 30,
    better_by: 16,
    idle_takes: true,
    prefers_misplaced: false,
    remote_is_nothing: false,
    keeps_counts: false,
};

/// Linux 6.1.
pub const V6_1: Rules = Rules {
    keeps_counts: true,
    ..V6_12
};

/// The state of a thread.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Task {
    /// Its process (`mm`).
    process: u32,
    /// Run time up to which its periods have been counted, in ns (`node_stamp`).
    stamp: u64,
    /// Whether a period has passed.
    started: bool,
    /// Scan period in ms (`numa_scan_period`).
    period_ms: u64,
    /// The number of its process's scans whose results it has evaluated.
    seq: u32,
    /// Jiffy after which it tries again to reach its preferred node.
    retry: u64,
    preferred: Option<NodeId>,
    /// Whether it has faulted (`numa_faults` exists).
    faulted: bool,
    /// Faults on pages of each node: a decaying sum, and those since the last placement.
    faults: Vec<u64>,
    buffer: Vec<u64>,
    counted: Counted,
    sweep: Sweep,
}

/// What happened to the pages that were marked last; recorded when all have been touched.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Sweep {
    pages: u64,
    moved: u64,
    refused: u64,
    /// The node of the last refused pages, and the node from which they were faulted on before.
    refused_on: u16,
    refused_last: u16,
    failed: u64,
}

/// An address space (`mm_struct`).
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Process {
    key: u32,
    tasks: Vec<TaskId>,
    /// Jiffy of the next scan.
    next_scan: u64,
    /// Number of times that all of its memory has been marked.
    seq: u32,
    /// Number of its pages that have been marked in this scan.
    offset: u64,
}

/// Pages that moved to a node in the present 100 ms.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Window {
    ends: u64,
    pages: u64,
}

/// Counters of `/proc/vmstat`.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Counters {
    pte_updates: u64,
    hint_faults: u64,
    hint_faults_local: u64,
    pages_migrated: u64,
    migrations: u64,
    swaps: u64,
}

/// Everything that changes during a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct NumaState {
    settings: Settings,
    tasks: Vec<Option<Task>>,
    /// By key.
    processes: Vec<Process>,
    /// One for each node.
    windows: Vec<Window>,
    /// Threads on their way to other nodes, with the CPUs where they arrive.
    expected: Vec<(CpuId, TaskId)>,
    counters: Counters,
}

/// NUMA balancing of a machine with several nodes.
#[derive(Debug)]
pub(crate) struct Numa {
    rules: &'static Rules,
    reasons: &'static Reasons,
    hz: u64,
    jiffy_ns: u64,
    nodes: usize,
    pub(crate) st: NumaState,
}

fn number(node: Option<NodeId>) -> i64 {
    node.map_or(-1, |n| i64::from(n.0))
}

impl Numa {
    /// NUMA balancing, if the machine has several nodes.
    pub(crate) fn new(
        rules: &'static Rules,
        reasons: &'static Reasons,
        params: &Params,
        hz: u64,
        nodes: usize,
    ) -> Option<Self> {
        (nodes > 1).then(|| Self {
            rules,
            reasons,
            hz,
            jiffy_ns: crate::linux::tunables::jiffy_ns(hz),
            nodes,
            st: NumaState {
                settings: Settings::new(params),
                tasks: Vec::new(),
                processes: Vec::new(),
                windows: vec![Window::default(); nodes],
                expected: Vec::new(),
                counters: Counters::default(),
            },
        })
    }

    /// A tunable has changed.
    pub(crate) fn set(&mut self, params: &Params) {
        self.st.settings = Settings::new(params);
    }

    fn jiffies(&self, now: u64) -> u64 {
        now / self.jiffy_ns
    }

    fn ms_to_jiffies(&self, ms: u64) -> u64 {
        (ms * self.hz).div_ceil(1_000)
    }

    fn task(&self, task: TaskId) -> Option<&Task> {
        self.st.tasks.get(task.index())?.as_ref()
    }

    fn process(&self, key: u32) -> Option<&Process> {
        let at = self.st.processes.binary_search_by_key(&key, |p| p.key);
        at.ok().map(|at| &self.st.processes[at])
    }

    /// Number of pages of a process.
    fn pages_of(&self, cx: &Cx<'_>, key: u32) -> u64 {
        self.process(key).map_or(0, |p| {
            let pages = p.tasks.iter().map(|t| cx.memory[t.index()].pages());
            pages.sum()
        })
    }

    /// The counters that the kernel would show.
    pub(crate) fn counters(&self) -> [(&'static str, u64); 6] {
        let c = &self.st.counters;
        [
            ("numaPteUpdates", c.pte_updates),
            ("numaHintFaults", c.hint_faults),
            ("numaHintFaultsLocal", c.hint_faults_local),
            ("numaPagesMigrated", c.pages_migrated),
            ("numaThreadsMigrated", c.migrations),
            ("numaThreadsSwapped", c.swaps),
        ]
    }

    /// The preferred node of a thread, and its period in ms.
    pub(crate) fn shown(&self, task: TaskId) -> Option<(Option<NodeId>, u64)> {
        self.task(task).map(|t| (t.preferred, t.period_ms))
    }

    /// Whether a restored state may belong to this machine.
    pub(crate) fn fits(&self, st: &NumaState) -> bool {
        let node = |n: &Option<NodeId>| n.is_none_or(|n| n.index() < self.nodes);
        st.windows.len() == self.nodes
            && st.tasks.iter().flatten().all(|t| {
                node(&t.preferred)
                    && t.faults.len() == self.nodes
                    && t.buffer.len() == self.nodes
                    && st
                        .processes
                        .binary_search_by_key(&t.process, |p| p.key)
                        .is_ok()
            })
    }
}
