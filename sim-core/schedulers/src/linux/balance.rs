//! What balancing means in all releases: on whose behalf a domain is balanced, what came of moving tasks, and when the
//! domain is due again. Which group is the busiest, and how much has to move, differs: each scheduler has its own rules.

use super::class::FairClass;
use super::signed;
use super::tables::Tables;
use sim_contract::cx::Cx;
use sim_ground::ids::CpuId;

/// How idle the CPU is for which a domain is balanced (`enum cpu_idle_type`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Idleness {
    /// `CPU_NOT_IDLE`, `__CPU_NOT_IDLE` @ 6.12.
    Busy,
    /// `CPU_IDLE`.
    Idle,
    /// `CPU_NEWLY_IDLE`.
    New,
}

/// The result of moving tasks.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Moved {
    pub(crate) count: u32,
    /// Whether none of the examined tasks may run on the target CPU.
    pub(crate) all_pinned: bool,
    pub(crate) some_pinned: bool,
    /// Whether some of them stay in the cache that they prefer (`LBF_LLC_PINNED`).
    pub(crate) keeps_cache: bool,
    /// Another CPU of the group on which some of them may run.
    pub(crate) other: Option<CpuId>,
}

/// Number of tasks after which the kernel releases the lock (`sched_nr_migrate_break`, `SCHED_NR_MIGRATE_BREAK`).
pub(crate) const BREAK: u64 = 32;

/// The interval of a domain whose tasks are all pinned doubles up to this many ms (`MAX_PINNED_INTERVAL`).
const MAX_PINNED_INTERVAL: u64 = 512;

/// The interval in ms of a domain that was balanced, or cannot be: the next balancing comes later.
pub(crate) fn stretched(interval: u64, most: u64, pinned: bool) -> u64 {
    if (pinned && interval < MAX_PINNED_INTERVAL) || interval < most {
        interval * 2
    } else {
        interval
    }
}

/// Whether a task that last ran `since` ns ago counts as cache-hot, with the tunable `migration_cost` (`task_hot`).
pub(crate) fn ran_lately(since: u64, migration_cost: i64) -> bool {
    match migration_cost {
        -1 => true,
        0 => false,
        cost => signed(since) < cost,
    }
}

/// A scheduler that balances.
pub(crate) trait Balancer: FairClass {
    /// Ticks of busy CPUs may have to kick an idle CPU at another time now.
    fn requery_busy(&self, cx: &mut Cx<'_>) {
        for cpu in cx.machine.cpu_ids() {
            if self.state().current(cpu).is_some() {
                cx.requery(cpu);
            }
        }
    }
}

impl<S: FairClass> Balancer for S {}
