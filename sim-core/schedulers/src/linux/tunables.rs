//! Tunables and features that all releases have. Each release adds where it publishes them, and its own name for them.

use sim_contract::TickTurns;
use sim_ground::params::{ParamSpec, Params};

pub(crate) const HZ: ParamSpec = ParamSpec::int("hz", 50, 10_000, 250)
    .label("HZ")
    .unit("Hz")
    .summary("Timer ticks per second; a CPU hog is preempted only on ticks.")
    .fixed();

pub(crate) const SCALING: ParamSpec =
    ParamSpec::choice("tunableScaling", &["none", "log", "linear"], "log")
        .published("get_update_sysctl_factor; 1 + log2(CPUs) by default");

pub(crate) const MIGRATION_COST: ParamSpec = ParamSpec::int(
    "migrationCostNs",
    -1,
    1_000_000_000,
    500_000,
)
.unit("ns")
.summary(
    "A thread that ran so recently counts as cache-hot and is not moved; -1: all are, 0: none.",
)
.published("sysctl_sched_migration_cost");

pub(crate) const NR_MIGRATE: ParamSpec = ParamSpec::int("nrMigrate", 1, 1_024, 32)
    .unit("threads")
    .summary("How many threads a balancer looks at in one go.");

pub(crate) const fn groups(default: bool) -> ParamSpec {
    ParamSpec::flag("groupPerApplication", default)
        .label("sched_autogroup_enabled")
        .summary("Each application gets the same share, however many threads it has.")
        .fixed()
}

pub(crate) const GROUP_SHARES: ParamSpec = ParamSpec::int("groupShares", 2, 262_144, 1_024)
    .label("cpu.shares")
    .unit("shares")
    .summary("Weight of each application's group.")
    .published("ROOT_TASK_GROUP_LOAD, MIN_SHARES, MAX_SHARES")
    .fixed();

pub(crate) const PREEMPT: ParamSpec = ParamSpec::flag("preempt", false)
    .label("CONFIG_PREEMPT")
    .published("kernel configuration; servers are built without")
    .fixed();

pub(crate) const SMT: ParamSpec = ParamSpec::flag("schedSmt", true)
    .label("CONFIG_SCHED_SMT")
    .summary("Off: the kernel takes the threads of a core for CPUs like all others.")
    .published("kernel configuration; distributions build with it")
    .fixed();

pub(crate) const TICK_ORDER: ParamSpec = ParamSpec::int("tickOrderSeed", 0, 1_000_000, 0)
    .label("order of ticks")
    .unit("seed")
    .summary("CPUs that tick at one instant take turns: 0 in ascending order, else in one drawn anew for each instant.")
    .assumed("on hardware the order is not determined; the range is chosen")
    .fixed();

/// A feature of the scheduler; the release adds the file that lists it.
pub(crate) const fn feature(
    id: &'static str,
    default: bool,
    label: &'static str,
    summary: &'static str,
) -> ParamSpec {
    ParamSpec::flag(id, default).label(label).summary(summary)
}

pub(crate) const WAKEUP_PREEMPTION: ParamSpec = feature(
    "wakeupPreemption",
    true,
    "WAKEUP_PREEMPTION",
    "Woken threads may preempt.",
);
pub(crate) const CACHE_HOT_BUDDY: ParamSpec = feature(
    "cacheHotBuddy",
    true,
    "CACHE_HOT_BUDDY",
    "Buddies count as cache-hot.",
);
pub(crate) const LB_MIN: ParamSpec = feature(
    "lbMin",
    false,
    "LB_MIN",
    "Threads of hardly any load are not moved.",
);

/// Time between two ticks in ns (`TICK_NSEC`).
pub(crate) fn jiffy_ns(hz: u64) -> u64 {
    sim_ground::time::nearest_period(u32::try_from(hz).unwrap_or(u32::MAX).max(1))
}

/// How CPUs that tick at one instant take turns.
pub(crate) fn turns(params: &Params) -> TickTurns {
    TickTurns {
        seed: params.get_u64("tickOrderSeed"),
    }
}

/// By how much times grow with the number of CPUs (`get_update_sysctl_factor`).
pub(crate) fn scaling(params: &Params, cpus: usize) -> u64 {
    let few = cpus.clamp(1, 8) as u64;
    match params.get("tunableScaling") {
        0 => 1,
        2 => few,
        _ => 1 + u64::from(few.ilog2()),
    }
}

/// The value of a flag, or the given one where the release does not have it.
pub(crate) fn flag_or(params: &Params, id: &str, absent: bool) -> bool {
    if params.specs().iter().any(|s| s.id == id) {
        params.flag(id)
    } else {
        absent
    }
}
