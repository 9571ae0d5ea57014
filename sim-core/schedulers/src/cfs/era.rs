//! The releases: constants, and the rules for steps that differ.

use crate::linux::reserve::limit;
use crate::linux::weight::Division;
use crate::linux::{cgroups, numa};
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
    /// When buddies are forgotten.
    pub(super) forgets: ForgetBuddies,
    /// Whom a new nice value reschedules.
    pub(super) renices: ReniceRule,
    /// Whether `min_vruntime` follows when a task sleeps. (The condition of 4.9.0 is inverted.)
    pub(super) sleep_moves_min: bool,
    /// Whether tasks of the policy `SCHED_IDLE` have rules of their own for slices and sleep.
    pub(super) idle_entities: bool,
    /// Whether the vruntime of a task that slept for longer than this many ns is ignored.
    pub(super) long_sleeper: Option<u64>,
    /// Whether the constant number of threads of a period holds although latency or granularity is set.
    pub(super) nr_latency_stays: bool,
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
    /// The rules of control groups, if they are modelled.
    pub(super) cgroups: Option<cgroups::Rules>,
    /// The rules of the limit of real time.
    pub(super) rt_limit: limit::Rules,
}

/// How the load of a CPU is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoadMetric {
    /// Sum of the weights of what is queued at present.
    Instant,
    /// Per-entity load tracking.
    Pelt,
    /// That of the shared machine: nobody asks here.
    Shared,
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
    /// That of the shared machine: nobody asks here.
    Shared,
}

/// Which CPU of the idlest group a new thread gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Idlest {
    /// The CPU with the smallest load.
    LeastLoaded,
    /// The CPU that became idle last, else the least loaded.
    LatestIdle,
    /// That of the shared machine: nobody asks here.
    Shared,
}

/// How domains are balanced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Balancing {
    /// Capacities in tasks; passes until the imbalance is gone.
    Capacity,
    /// Types of groups by utilisation; a bounded number of tasks.
    GroupTypes,
    /// That of the shared machine: nobody asks here.
    Shared,
}

/// Which CPU balances for idle CPUs without ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NohzRule {
    /// One of them keeps its tick.
    Owner,
    /// A busy CPU kicks the first of them.
    Kick,
    /// That of the shared machine: nobody asks here.
    Shared,
}

/// When buddies are forgotten that were named for the entity which is picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ForgetBuddies {
    /// At the pick.
    AtPick,
    /// When it is put on the CPU: if it ran already, they stay.
    AtSwitch,
}

/// Whom a new nice value reschedules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReniceRule {
    /// The CPU of a task that runs or gets more weight.
    Stronger,
    /// The CPU of a task that runs and gets less weight; one that waits may preempt as if it woke.
    Weaker,
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
    forgets: ForgetBuddies::AtPick,
    renices: ReniceRule::Stronger,
    sleep_moves_min: true,
    idle_entities: false,
    long_sleeper: None,
    nr_latency_stays: false,
    wakes: WakeCpuRule::DomainWalk,
    idlest: Idlest::LeastLoaded,
    balancing: Balancing::Capacity,
    nohz: NohzRule::Owner,
    idle_governor: IdleGovernor::Menu26,
    numa: None,
    cgroups: None,
    rt_limit: limit::Rules::V2_6_34,
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
    forgets: ForgetBuddies::AtPick,
    renices: ReniceRule::Stronger,
    sleep_moves_min: false,
    idle_entities: false,
    long_sleeper: None,
    nr_latency_stays: false,
    wakes: WakeCpuRule::CacheSearch,
    idlest: Idlest::LatestIdle,
    balancing: Balancing::GroupTypes,
    nohz: NohzRule::Kick,
    idle_governor: IdleGovernor::Menu49,
    numa: Some(&numa::V4_9),
    cgroups: Some(cgroups::Rules::V4_9),
    rt_limit: limit::Rules::V4_9,
};

/// 6.1.
pub(super) const V6_1: Era = Era {
    id: "6.1",
    domains: Release::V6_12,
    load: LoadMetric::Shared,
    forgets: ForgetBuddies::AtSwitch,
    renices: ReniceRule::Weaker,
    sleep_moves_min: true,
    idle_entities: true,
    long_sleeper: Some((1 << 63) / 1_024),
    nr_latency_stays: true,
    wakes: WakeCpuRule::Shared,
    idlest: Idlest::Shared,
    balancing: Balancing::Shared,
    nohz: NohzRule::Shared,
    idle_governor: IdleGovernor::Menu61,
    numa: Some(&numa::V6_1),
    cgroups: Some(cgroups::Rules::V6_1),
    rt_limit: limit::Rules::V6_1,
    ..V4_9
};

/// The era of an id; the first if there is none.
pub(super) fn of(id: &str) -> &'static Era {
    let later = [&V4_9, &V6_1].into_iter().find(|era| era.id == id);
    later.unwrap_or(&V2_6_34)
}
