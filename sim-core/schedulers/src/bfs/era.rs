//! What distinguishes the releases, as data and named strategies.

use sim_contract::EraInfo;
use sim_ground::params::ParamSpec;

use super::tunables;

/// A release.
#[derive(Debug)]
pub(super) struct Era {
    /// Its id in scenarios.
    pub(super) id: &'static str,
    /// What deadlines are read from.
    pub(super) clock: Clock,
    /// `prio_ratios`, from nice -20 on.
    pub(super) ratios: [u64; 40],
    /// Length of what the code calls a microsecond of a slice, in ns: divided by 1000, or shifted by ten bits.
    pub(super) slice_unit_ns: u64,
    /// A slice below this counts as used up, in those units (`RESCHED_US`).
    pub(super) used_up_below: i64,
    /// Who was switched in during the first half of a tick ends in the first half of one (`rq->dither`).
    pub(super) dither: bool,
    /// What the first accounting after a switch charges.
    pub(super) charge: Charge,
    /// When a task that is picked again gets fresh copies on its CPU.
    pub(super) reload: Reload,
    /// Order of the queue, and what a CPU takes from it.
    pub(super) pick: PickRule,
    /// Which idle CPU a task is offered.
    pub(super) idle: IdleRule,
    /// Whom a task preempts.
    pub(super) preempt: PreemptRule,
    /// Whether a CPU tells an idle one of the task that it puts back.
    pub(super) displaced: Displaced,
    /// What a child gets of its parent's slice.
    pub(super) fork: ForkRule,
    /// Limits of isochronous tasks.
    pub(super) iso: IsoRule,
    /// `BATCH` tasks get a new slice, and so a later deadline, whenever they are put back.
    pub(super) batch_refills: bool,
}

/// Counters of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clock {
    /// Ticks.
    Jiffies,
    /// One counter of ns for all CPUs (`grq.niffies`).
    Niffies,
}

/// What is charged when a task is accounted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Charge {
    /// Time since it last ran, at most a jiffy (quirk Q1).
    SinceLastRan,
    /// Time since this CPU last did it; next to nothing if that is more than two jiffies.
    SinceAccounting,
}

/// When the copies on the CPU are renewed for the task that ran there anyway (quirk Q2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reload {
    /// Never.
    Never,
    /// If nobody waits.
    Alone,
}

/// `earliest_deadline_task`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PickRule {
    /// Deadlines plus a distance; passed deadlines first come, first served.
    Distance,
    /// Deadlines; sticky tasks of other CPUs last, or not at all.
    Sticky,
    /// A queue in order of deadlines, from whose head SMT siblings of better tasks take only what they may.
    Sorted,
}

/// `resched_best_idle`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IdleRule {
    /// From the last CPU upwards, until a core is idle.
    Scan,
    /// The last CPU if it is idle; else the best of all.
    LastFirst {
        /// Whether a busy cache counts for CPUs of other cores too.
        cache_of_others: bool,
    },
}

/// `try_preempt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PreemptRule {
    /// What has the worst priority and then the latest deadline, less the distance.
    LatestLessDistance,
    /// The same without distances.
    Latest,
    /// The first CPU that can be preempted, the closest ones first.
    Closest,
}

/// `schedule`, on the outgoing task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Displaced {
    /// Nobody is told.
    Silent,
    /// The best idle CPU is signalled for it, even if it blocks.
    Told,
    /// The best idle CPU is signalled if it is still runnable.
    ToldIfRunnable,
}

/// `sched_fork`, `wake_up_new_task`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ForkRule {
    /// Half of the parent's slice; what is left of it at the child's exit goes back.
    GiveBack,
    /// Half if there is enough for two; else a fresh slice, and the parent's ends.
    Fresh,
    /// The same once the half is too short, and then an idle CPU is signalled for the child.
    FreshAndTold,
}

/// When isochronous tasks become refractory and when not any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IsoRule {
    /// Average, rounded down, above the limit; below nine tenths of it.
    Rounded,
    /// Above the limit; below 115/128 of it.
    Exact,
}

const fn info(
    id: &'static str,
    name: &'static str,
    summary: &'static str,
    year: u16,
    tunables: &'static [ParamSpec],
) -> EraInfo {
    EraInfo {
        id,
        name,
        summary,
        year,
        tunables,
    }
}

/// Each level is 11/10 of the one before, rounded down.
const fn ratios(base: u64) -> [u64; 40] {
    let mut ratios = [base; 40];
    let mut i = 1;
    while i < ratios.len() {
        ratios[i] = ratios[i - 1] * 11 / 10;
        i += 1;
    }
    ratios
}

/// 0.318.
pub(super) static V0318: Era = Era {
    id: "0.318",
    clock: Clock::Jiffies,
    ratios: ratios(100),
    slice_unit_ns: 1_000,
    used_up_below: 1,
    dither: false,
    charge: Charge::SinceLastRan,
    reload: Reload::Never,
    pick: PickRule::Distance,
    idle: IdleRule::Scan,
    preempt: PreemptRule::LatestLessDistance,
    displaced: Displaced::Silent,
    fork: ForkRule::GiveBack,
    iso: IsoRule::Rounded,
    batch_refills: false,
};

/// 0.447.
static V0447: Era = Era {
    id: "0.447",
    clock: Clock::Niffies,
    ratios: ratios(128),
    slice_unit_ns: 1_024,
    used_up_below: 100,
    dither: true,
    charge: Charge::SinceAccounting,
    reload: Reload::Alone,
    pick: PickRule::Sticky,
    idle: IdleRule::LastFirst {
        cache_of_others: true,
    },
    preempt: PreemptRule::Latest,
    displaced: Displaced::Told,
    fork: ForkRule::Fresh,
    iso: IsoRule::Exact,
    batch_refills: true,
};

/// 0.512.
static V0512: Era = Era {
    id: "0.512",
    clock: Clock::Niffies,
    ratios: ratios(128),
    slice_unit_ns: 1_024,
    used_up_below: 100,
    dither: true,
    charge: Charge::SinceAccounting,
    reload: Reload::Never,
    pick: PickRule::Sorted,
    idle: IdleRule::LastFirst {
        cache_of_others: false,
    },
    preempt: PreemptRule::Closest,
    displaced: Displaced::ToldIfRunnable,
    fork: ForkRule::FreshAndTold,
    iso: IsoRule::Exact,
    batch_refills: true,
};

/// The eras as the registry shows them.
pub(super) const INFOS: &[EraInfo] = &[
    info(
        "0.318",
        "0.318 · Linux 2.6.34",
        "Deadlines in jiffies; SMT-aware choice of idle CPUs; no balancing.",
        2010,
        tunables::V0318,
    ),
    info(
        "0.447",
        "0.447 · Linux 3.14",
        "Deadlines in ns; sticky tasks stay with their CPU; a woken task returns to its last CPU if that is idle.",
        2014,
        tunables::V0447,
    ),
    info(
        "0.512",
        "0.512 · Linux 4.8",
        "A queue in order of deadlines; the closest CPU is preempted; SMT siblings of better tasks stay idle.",
        2016,
        tunables::V0512,
    ),
];

/// The era of an id; the first if there is none of that id.
pub(super) fn find(id: &str) -> &'static Era {
    [&V0447, &V0512]
        .into_iter()
        .find(|e| e.id == id)
        .unwrap_or(&V0318)
}

/// For states that are read back, until their scheduler tells them.
pub(super) fn first() -> &'static Era {
    &V0318
}
