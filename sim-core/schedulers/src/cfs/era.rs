//! The two releases: constants, and the rules for steps that differ.

use crate::linux::numa;
use crate::linux::weight::Division;
use sim_contract::idle::IdleGovernor;
use sim_machine::views::linux::Release;

/// The rules and constants of a release.
#[derive(Debug)]
pub(super) struct Era {
    pub(super) id: &'static str,
    /// The release whose scheduling domains are built.
    pub(super) domains: Release,
    /// How products of time and weight are computed.
    pub(super) division: Division,
    /// Number of threads up to which the period is the latency (`sched_nr_latency`).
    pub(super) nr_latency: u64,
    /// How the load of a CPU is measured.
    pub(super) load: LoadMetric,
    /// When vruntimes are made relative to a queue.
    pub(super) relative: RelativeVruntime,
    /// When the outgoing task goes back to the tree.
    pub(super) put: PutPrevOrder,
    /// Which buddy wins.
    pub(super) buddies: Buddies,
    /// The effect of a yield.
    pub(super) yields: Yields,
    /// How the CPU of a woken thread is chosen.
    pub(super) wakes: WakeCpuRule,
    /// Which idle CPU a new thread gets.
    pub(super) idlest: Idlest,
    /// How domains are balanced.
    pub(super) balancing: Balancing,
    /// Which CPU balances for idle CPUs without ticks.
    pub(super) nohz: NohzRule,
    /// Who chooses the state of an idle CPU.
    pub(super) idle_governor: IdleGovernor,
    /// The rules of NUMA balancing, if the release has it.
    pub(super) numa: Option<&'static numa::Rules>,
}

/// How the load of a CPU is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoadMetric {
    /// Sum of the weights of what is queued at present.
    Instant,
    /// Per-entity load tracking.
    Pelt,
}

/// When a vruntime is made relative to its queue's `min_vruntime`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RelativeVruntime {
    /// At each wake-up (`task_waking_fair`); made absolute before the queue's time is updated.
    AtWakeup,
    /// When the CPU changes (`migrate_task_rq_fair`); made absolute after.
    AtMigration,
}

/// When the outgoing task goes back to the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PutPrevOrder {
    /// Before the next task is picked: a task that is picked again begins a new slice.
    BeforePick,
    /// After the pick, and only where the paths of the two tasks differ: a task that is picked again continues its
    /// slice (`pick_next_task_fair` @ 4.9).
    AfterPick,
}

/// Which buddy wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Buddies {
    /// `last` over `next`; a wake-up preemption names no `next`.
    LastWins,
    /// `next` over `last`, and both over others except `skip`; a wake-up preemption names `next`.
    NextWins,
}

/// The effect of a yield.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Yields {
    /// Charges and reschedules; with `sched_compat_yield`, and for batch tasks, goes to the right end.
    Charge,
    /// Marks the yielding task as the one to skip.
    Skip,
}

/// How the CPU of a woken thread is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WakeCpuRule {
    /// The waker's domains from the innermost: the first idle CPU that shares a cache.
    DomainWalk,
    /// The waker's or the previous CPU first, then a search of its cache group.
    CacheSearch,
}

/// Which CPU of the idlest group a new thread gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Idlest {
    /// The CPU with the smallest load.
    LeastLoaded,
    /// The CPU that became idle last, else the least loaded.
    LatestIdle,
}

/// How domains are balanced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Balancing {
    /// Capacities in tasks; passes until the imbalance is gone.
    Capacity,
    /// Types of groups by utilisation; a bounded number of tasks.
    GroupTypes,
}

/// Which CPU balances for idle CPUs without ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NohzRule {
    /// One of them keeps its tick.
    Owner,
    /// A busy CPU kicks the first of them.
    Kick,
}

/// 2.6.34.
pub(super) const V2_6_34: Era = Era {
    id: "2.6.34",
    domains: Release::V2_6_34,
    division: Division::Rounded,
    nr_latency: 5,
    load: LoadMetric::Instant,
    relative: RelativeVruntime::AtWakeup,
    put: PutPrevOrder::BeforePick,
    buddies: Buddies::LastWins,
    yields: Yields::Charge,
    wakes: WakeCpuRule::DomainWalk,
    idlest: Idlest::LeastLoaded,
    balancing: Balancing::Capacity,
    nohz: NohzRule::Owner,
    idle_governor: IdleGovernor::Menu26,
    numa: None,
};

/// 4.9.
pub(super) const V4_9: Era = Era {
    id: "4.9",
    domains: Release::V4_9,
    division: Division::Shifted,
    nr_latency: 8,
    load: LoadMetric::Pelt,
    relative: RelativeVruntime::AtMigration,
    put: PutPrevOrder::AfterPick,
    buddies: Buddies::NextWins,
    yields: Yields::Skip,
    wakes: WakeCpuRule::CacheSearch,
    idlest: Idlest::LatestIdle,
    balancing: Balancing::GroupTypes,
    nohz: NohzRule::Kick,
    idle_governor: IdleGovernor::Menu49,
    numa: Some(&numa::V4_9),
};

/// The era of an id; the first if there is none.
pub(super) fn of(id: &str) -> &'static Era {
    if id == V4_9.id { &V4_9 } else { &V2_6_34 }
}
