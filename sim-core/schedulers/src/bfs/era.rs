//! The differences between the releases, as data and named strategies.

use sim_contract::EraInfo;
use sim_contract::idle::IdleGovernor;
use sim_ground::params::ParamSpec;

use super::tunables;

/// A release.
#[derive(Debug)]
pub(super) struct Era {
    /// Its id in scenarios.
    pub(super) id: &'static str,
    /// The counter that deadlines use.
    pub(super) clock: Clock,
    /// `prio_ratios`, from nice -20 on.
    pub(super) ratios: [u64; 40],
    /// Length in ns of the unit that the code calls a microsecond of a slice: the code divides by 1000, or shifts by
    /// ten bits.
    pub(super) slice_unit_ns: u64,
    /// A slice below this counts as used up, in those units (`RESCHED_US`).
    pub(super) used_up_below: i64,
    /// Whether a task that was switched in during the first half of a tick ends its slice in the first half of one
    /// (`rq->dither`).
    pub(super) dither: bool,
    /// What the first accounting after a switch charges.
    pub(super) charge: Charge,
    /// When a task that is picked again gets fresh copies on its CPU (quirk Q2).
    pub(super) reload: Reload,
    /// Order of the queue, and the task that a CPU takes from it.
    pub(super) pick: PickRule,
    /// The idle CPU that a task is offered.
    pub(super) idle: IdleRule,
    /// The CPU on which a task preempts.
    pub(super) preempt: PreemptRule,
    /// Whether a CPU signals an idle one for the task that it puts back.
    pub(super) displaced: DisplacedRule,
    /// The part of its parent's slice that a child gets.
    pub(super) fork: ForkRule,
    /// Limits of isochronous tasks.
    pub(super) iso: IsoRule,
    /// Whether `BATCH` tasks get a new slice, and so a later deadline, whenever they are put back.
    pub(super) batch_refills: bool,
    /// Who chooses the state of an idle CPU. That of 3.14 was not read; it is taken to be that of 4.9.
    pub(super) idle_governor: IdleGovernor,
}

/// Counters of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clock {
    /// Ticks.
    Jiffies,
    /// One counter of ns for all CPUs (`grq.niffies`).
    Niffies,
}

/// The time that an accounting charges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Charge {
    /// The time since the task last ran, at most a jiffy (quirk Q1).
    SinceLastRan,
    /// The time since this CPU's last accounting; almost nothing if that is more than two jiffies.
    SinceAccounting,
}

/// When the CPU's copies are renewed for a task that is picked again on the same CPU (quirk Q2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reload {
    /// Never.
    Never,
    /// If no task waits.
    Alone,
}

/// `earliest_deadline_task`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PickRule {
    /// By deadline plus a distance; tasks whose deadlines have passed are served first come, first served.
    Distance,
    /// By deadline; sticky tasks of other CPUs come last, or not at all.
    Sticky,
    /// The queue is in order of deadlines. From its head, a CPU takes only tasks that may run beside those of its SMT
    /// siblings.
    Sorted,
}

/// `resched_best_idle`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IdleRule {
    /// From the last CPU upward, until a core is idle.
    Scan,
    /// The last CPU if it is idle; otherwise the best of all CPUs.
    LastFirst {
        /// Whether a busy cache counts for CPUs of other cores too.
        cache_of_others: bool,
    },
}

/// `try_preempt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PreemptRule {
    /// The CPU whose task has the worst priority and then the latest deadline, less the distance.
    LatestLessDistance,
    /// The same without distances.
    Latest,
    /// The first CPU that can be preempted, the closest ones first.
    Closest,
}

/// Which CPU `schedule` signals for the outgoing task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DisplacedRule {
    /// No CPU is signalled.
    Silent,
    /// The best idle CPU is signalled for it, even if it blocks.
    Told,
    /// The best idle CPU is signalled if it is still runnable.
    ToldIfRunnable,
}

/// `sched_fork`, `wake_up_new_task`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ForkRule {
    /// Half of the parent's slice; the part left at the child's exit goes back to the parent.
    GiveBack,
    /// Half if it is long enough for two; otherwise the child gets a fresh slice, and the parent's slice ends.
    Fresh,
    /// The same once the half is too short, and then an idle CPU is signalled for the child.
    FreshAndTold,
}

/// When isochronous tasks become refractory, and when they cease to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IsoRule {
    /// Refractory if the average, rounded down, is above the limit; until it is below nine tenths of the limit.
    Rounded,
    /// Refractory above the limit; until the average is below 115/128 of it.
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

/// Each nice level has 11/10 of the ratio of the level before, rounded down.
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
    displaced: DisplacedRule::Silent,
    fork: ForkRule::GiveBack,
    iso: IsoRule::Rounded,
    batch_refills: false,
    idle_governor: IdleGovernor::Menu26,
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
    displaced: DisplacedRule::Told,
    fork: ForkRule::Fresh,
    iso: IsoRule::Exact,
    batch_refills: true,
    idle_governor: IdleGovernor::Menu49,
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
    displaced: DisplacedRule::ToldIfRunnable,
    fork: ForkRule::FreshAndTold,
    iso: IsoRule::Exact,
    batch_refills: true,
    idle_governor: IdleGovernor::Menu49,
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
        "Deadlines in ns. Sticky tasks stay with their CPU; a woken task returns to its last CPU if that is idle.",
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

/// The era of an id; the first era if there is none with that id.
pub(super) fn find(id: &str) -> &'static Era {
    [&V0447, &V0512]
        .into_iter()
        .find(|e| e.id == id)
        .unwrap_or(&V0318)
}

/// A placeholder for states that are read back: their scheduler then sets the era.
pub(super) fn first() -> &'static Era {
    &V0318
}
