//! Tunables (`kernel.sched_*`, features) with their sources, and their resolved values.

use super::era::Era;
use crate::linux::machine::tunables as machine;
use crate::linux::numa;
use crate::linux::reserve::{RT_PERIOD, RT_RUNTIME};
use crate::linux::tunables::{self, GROUP_SHARES, SMT, TICK_ORDER};
use serde::{Deserialize, Serialize};
use sim_contract::lending::INHERITANCE;
use sim_ground::params::{ParamSpec, Params};

const HZ: ParamSpec = tunables::HZ
    .published("kernel configuration: default 250; desktops often 1000, servers 100 or 250");

const SCALING: ParamSpec = tunables::SCALING
    .label("sched_tunable_scaling")
    .summary("How latency and granularities grow with the number of CPUs (at most 8 count).");

const fn latency(default: i64) -> ParamSpec {
    ParamSpec::int("latencyNs", 100_000, 1_000_000_000, default)
        .label("sched_latency_ns")
        .unit("ns")
        .summary("Period in which every thread shall run once, while they are few; before scaling by CPUs.")
        .published("sysctl_sched_latency; range of the sysctl")
        .log()
}

const fn min_granularity(default: i64) -> ParamSpec {
    ParamSpec::int("minGranularityNs", 100_000, 1_000_000_000, default)
        .label("sched_min_granularity_ns")
        .unit("ns")
        .summary("Shortest slice at nice 0: with many threads the period is stretched; before scaling by CPUs.")
        .published("sysctl_sched_min_granularity; range of the sysctl")
        .log()
}

const WAKEUP_GRANULARITY: ParamSpec =
    ParamSpec::int("wakeupGranularityNs", 0, 1_000_000_000, 1_000_000)
        .label("sched_wakeup_granularity_ns")
        .unit("ns")
        .summary(
            "How much vruntime a woken thread must be behind to preempt; before scaling by CPUs.",
        )
        .published("sysctl_sched_wakeup_granularity");

const MIGRATION_COST: ParamSpec = tunables::MIGRATION_COST.label("sched_migration_cost_ns");

const NR_MIGRATE: ParamSpec = tunables::NR_MIGRATE
    .label("sched_nr_migrate")
    .published("sysctl_sched_nr_migrate");

const CHILD_RUNS_FIRST: ParamSpec = ParamSpec::flag("childRunsFirst", false)
    .label("sched_child_runs_first")
    .summary("A forked child runs before its parent.")
    .published("sysctl_sched_child_runs_first");

const fn groups(default: bool) -> ParamSpec {
    tunables::groups(default).published("auto_group.c @ 4.9 (one group per session, on where it is built in); 2.6.34 has control groups only")
}

const PREEMPT: ParamSpec = tunables::PREEMPT
    .summary("A preemptible kernel: a CPU that becomes idle pulls one thread only.");

/// Where the features are listed.
const FEATURES: &str = "sched_features.h, features.h";

const fn feature(
    id: &'static str,
    default: bool,
    label: &'static str,
    summary: &'static str,
) -> ParamSpec {
    tunables::feature(id, default, label, summary).published(FEATURES)
}

const GENTLE: ParamSpec = feature(
    "gentleFairSleepers",
    true,
    "GENTLE_FAIR_SLEEPERS",
    "Sleepers are credited half a latency, not a whole one.",
);
const START_DEBIT: ParamSpec = feature(
    "startDebit",
    true,
    "START_DEBIT",
    "A new thread starts a slice behind.",
);
const WAKEUP_PREEMPTION: ParamSpec = tunables::WAKEUP_PREEMPTION.published(FEATURES);
const NEXT_BUDDY: ParamSpec = feature(
    "nextBuddy",
    false,
    "NEXT_BUDDY",
    "The thread woken last is preferred, even if it did not preempt.",
);
const LAST_BUDDY: ParamSpec = feature(
    "lastBuddy",
    true,
    "LAST_BUDDY",
    "A preempted thread is preferred when its preemptor sleeps.",
);
const CACHE_HOT_BUDDY: ParamSpec = tunables::CACHE_HOT_BUDDY.published(FEATURES);
const LB_BIAS: ParamSpec = feature(
    "lbBias",
    true,
    "LB_BIAS",
    "Balancing compares averages of the load, to the disadvantage of moving.",
);

/// Tunables of 2.6.34.
pub(super) const V2_6_34: &[ParamSpec] = &[
    latency(5_000_000),
    min_granularity(1_000_000),
    WAKEUP_GRANULARITY,
    SCALING,
    CHILD_RUNS_FIRST,
    MIGRATION_COST,
    NR_MIGRATE,
    INHERITANCE,
    RT_RUNTIME,
    RT_PERIOD,
    ParamSpec::flag("compatYield", false)
        .label("sched_compat_yield")
        .summary("A thread that yields goes behind all others.")
        .published("sysctl_sched_compat_yield"),
    ParamSpec::int("sharesRatelimitNs", 0, 1_000_000_000, 250_000)
        .label("sched_shares_ratelimit")
        .unit("ns")
        .summary(
            "Shortest time between two distributions of a group's shares; before scaling by CPUs.",
        )
        .published("sysctl_sched_shares_ratelimit"),
    ParamSpec::int("sharesThresh", 0, 1_024, 4)
        .label("sched_shares_thresh")
        .unit("shares")
        .summary("Changes of a CPU's part of the shares up to this are not carried out.")
        .published("sysctl_sched_shares_thresh"),
    feature(
        "fairSleepers",
        true,
        "FAIR_SLEEPERS",
        "Sleepers are credited at all.",
    ),
    feature(
        "normalizedSleeper",
        false,
        "NORMALIZED_SLEEPER",
        "The credit of a sleeper depends on its weight.",
    ),
    GENTLE,
    START_DEBIT,
    WAKEUP_PREEMPTION,
    feature(
        "adaptiveGran",
        true,
        "ADAPTIVE_GRAN",
        "The granularity of a wake-up follows how long threads run between their wake-ups of others.",
    ),
    feature(
        "asymGran",
        true,
        "ASYM_GRAN",
        "The granularity of a wake-up is scaled by the weight of the woken.",
    ),
    feature(
        "affineWakeups",
        true,
        "AFFINE_WAKEUPS",
        "Woken threads may be pulled to their waker.",
    ),
    feature(
        "syncLess",
        true,
        "SYNC_LESS",
        "Threads that overlap with their waker are not pulled as if it slept at once.",
    ),
    NEXT_BUDDY,
    LAST_BUDDY,
    CACHE_HOT_BUDDY,
    LB_BIAS,
    feature(
        "tick64BitQuirk",
        true,
        "delta compared as unsigned",
        "Keeps the mistake of 64-bit kernels before 2.6.38. A thread that is behind is rescheduled at each tick, which restarts its slice.",
    ),
    HZ,
    ParamSpec::flag("tickSkew", true)
        .label("skewed ticks")
        .summary("CPU c ticks c times half a period over the number of CPUs later. That is 250 us each at 250 Hz on 8. This holds where the scenario leaves the ticks as the kernel starts them. Off: all CPUs tick at one instant.")
        .published("tick_setup_sched_timer @ 2.6.34, with high-resolution timers")
        .fixed(),
    TICK_ORDER,
    groups(false),
    GROUP_SHARES,
    PREEMPT,
    SMT,
];

/// Tunables of 4.9.
pub(super) const V4_9: &[ParamSpec] = &[
    latency(6_000_000),
    min_granularity(750_000),
    WAKEUP_GRANULARITY,
    SCALING,
    CHILD_RUNS_FIRST,
    MIGRATION_COST,
    NR_MIGRATE,
    INHERITANCE,
    RT_RUNTIME,
    RT_PERIOD,
    GENTLE,
    START_DEBIT,
    WAKEUP_PREEMPTION,
    NEXT_BUDDY,
    LAST_BUDDY,
    CACHE_HOT_BUDDY,
    LB_BIAS,
    tunables::LB_MIN.published(FEATURES),
    HZ,
    TICK_ORDER,
    groups(true),
    GROUP_SHARES,
    PREEMPT,
    numa::BALANCING,
    numa::SCAN_DELAY,
    numa::PERIOD_MIN,
    numa::PERIOD_MAX,
    numa::SCAN_SIZE,
    numa::HUGE,
];

const FEATURES_6_1: &str = "features.h @ 6.1";

/// Tunables of 6.1.192.
pub(super) const V6_1: &[ParamSpec] = &[
    latency(6_000_000),
    min_granularity(750_000),
    ParamSpec::int("idleMinGranularityNs", 100_000, 1_000_000_000, 750_000)
        .label("idle_min_granularity_ns")
        .unit("ns")
        .summary(
            "Shortest slice of a SCHED_IDLE thread that competes with others; not scaled by CPUs.",
        )
        .published("sysctl_sched_idle_min_granularity @ 6.1; range of the other granularities")
        .log(),
    WAKEUP_GRANULARITY,
    SCALING,
    CHILD_RUNS_FIRST,
    MIGRATION_COST,
    NR_MIGRATE,
    INHERITANCE,
    RT_RUNTIME,
    RT_PERIOD,
    GENTLE,
    START_DEBIT,
    tunables::feature(
        "altPeriod",
        true,
        "ALT_PERIOD",
        "The period depends on all threads of the CPU. Off: on those of the thread's own queue.",
    )
    .published(FEATURES_6_1),
    tunables::feature(
        "baseSlice",
        true,
        "BASE_SLICE",
        "No slice is shorter than the minimal granularity.",
    )
    .published(FEATURES_6_1),
    WAKEUP_PREEMPTION,
    NEXT_BUDDY,
    LAST_BUDDY,
    CACHE_HOT_BUDDY,
    machine::SIS_UTIL.published(FEATURES_6_1),
    machine::UTIL_EST.published(FEATURES_6_1),
    machine::WA_IDLE.published(FEATURES_6_1),
    machine::WA_WEIGHT.published(FEATURES_6_1),
    machine::WA_BIAS.published(FEATURES_6_1),
    machine::NI_RANDOM.published("newidle_balance @ 6.1.160"),
    tunables::LB_MIN.published(FEATURES),
    HZ,
    TICK_ORDER,
    groups(true),
    GROUP_SHARES,
    PREEMPT,
    SMT,
    numa::BALANCING,
    numa::SCAN_DELAY,
    numa::PERIOD_MIN,
    numa::PERIOD_MAX,
    numa::SCAN_SIZE,
    numa::HUGE,
];

/// Resolved values that only 6.1 has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools)] // one for each feature of the kernel
pub(super) struct Since61 {
    pub(super) alt_period: bool,
    pub(super) base_slice: bool,
    pub(super) idle_min_granularity: u64,
    pub(super) sis_util: bool,
    pub(super) util_est: bool,
    pub(super) wa_idle: bool,
    pub(super) wa_weight: bool,
    pub(super) wa_bias: bool,
    pub(super) ni_random: bool,
    pub(super) sched_smt: bool,
}

impl Since61 {
    /// Resolves the parameters; `None` of other releases.
    pub(super) fn new(params: &Params) -> Option<Self> {
        let has = params.specs().iter().any(|s| s.id == "altPeriod");
        has.then(|| Self {
            alt_period: params.flag("altPeriod"),
            base_slice: params.flag("baseSlice"),
            idle_min_granularity: params.get_u64("idleMinGranularityNs"),
            sis_util: params.flag("sisUtil"),
            util_est: params.flag("utilEst"),
            wa_idle: params.flag("waIdle"),
            wa_weight: params.flag("waWeight"),
            wa_bias: params.flag("waBias"),
            ni_random: params.flag("niRandom"),
            sched_smt: params.flag("schedSmt"),
        })
    }
}

/// Resolved values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools)] // one for each feature of the kernel
pub(super) struct Tunables {
    pub(super) hz: u64,
    /// A jiffy in ns.
    pub(super) jiffy_ns: u64,
    /// Latency in ns, scaled by CPUs.
    pub(super) latency: u64,
    pub(super) min_granularity: u64,
    pub(super) wakeup_granularity: u64,
    /// Number of threads up to which the period is the latency.
    pub(super) nr_latency: u64,
    pub(super) child_runs_first: bool,
    /// In ns; -1 and 0 as the sysctl.
    pub(super) migration_cost: i64,
    pub(super) nr_migrate: u64,
    pub(super) group_per_application: bool,
    pub(super) group_shares: u64,
    pub(super) preempt: bool,
    /// Read only when the machine starts, so it is not part of snapshots.
    #[serde(skip)]
    pub(super) sched_smt: bool,
    pub(super) compat_yield: bool,
    pub(super) shares_ratelimit: u64,
    pub(super) shares_thresh: u64,
    pub(super) fair_sleepers: bool,
    pub(super) normalized_sleeper: bool,
    pub(super) gentle_fair_sleepers: bool,
    pub(super) start_debit: bool,
    pub(super) wakeup_preemption: bool,
    pub(super) adaptive_gran: bool,
    pub(super) asym_gran: bool,
    pub(super) affine_wakeups: bool,
    pub(super) sync_less: bool,
    pub(super) next_buddy: bool,
    pub(super) last_buddy: bool,
    pub(super) cache_hot_buddy: bool,
    pub(super) lb_bias: bool,
    pub(super) lb_min: bool,
    pub(super) tick_quirk: bool,
    /// Read only when the machine starts, so it is not part of snapshots.
    #[serde(skip)]
    pub(super) tick_skew: bool,
}

impl Tunables {
    /// Resolves the parameters for a number of CPUs. The release's constant number of threads of a period holds until
    /// latency or granularity is set; in 6.1 until the scaling is set.
    pub(super) fn new(params: &Params, cpus: usize, era: &Era) -> Self {
        let has = |id: &str| params.specs().iter().any(|s| s.id == id);
        let flag = |id: &str, absent: bool| tunables::flag_or(params, id, absent);
        let number = |id: &str| if has(id) { params.get_u64(id) } else { 0 };
        let factor = tunables::scaling(params, cpus);
        let hz = params.get_u64("hz").max(1);
        let (latency, granularity) = (
            params.get_u64("latencyNs"),
            params.get_u64("minGranularityNs"),
        );
        let default = |id: &str| {
            let spec = params.specs().iter().find(|s| s.id == id);
            spec.map_or(0, ParamSpec::default_value).unsigned_abs()
        };
        let scaled = params.get("tunableScaling") == SCALING.default_value();
        let untouched =
            latency == default("latencyNs") && granularity == default("minGranularityNs");
        Self {
            hz,
            jiffy_ns: crate::linux::tunables::jiffy_ns(hz),
            latency: latency * factor,
            min_granularity: granularity * factor,
            wakeup_granularity: params.get_u64("wakeupGranularityNs") * factor,
            nr_latency: if untouched || (era.nr_latency_stays && scaled) {
                era.nr_latency
            } else {
                latency.div_ceil(granularity.max(1))
            },
            child_runs_first: params.flag("childRunsFirst"),
            migration_cost: params.get("migrationCostNs"),
            nr_migrate: params.get_u64("nrMigrate"),
            group_per_application: params.flag("groupPerApplication"),
            group_shares: params.get_u64("groupShares"),
            preempt: params.flag("preempt"),
            sched_smt: flag("schedSmt", true),
            compat_yield: flag("compatYield", false),
            shares_ratelimit: number("sharesRatelimitNs") * factor,
            shares_thresh: number("sharesThresh"),
            fair_sleepers: flag("fairSleepers", true),
            normalized_sleeper: flag("normalizedSleeper", false),
            gentle_fair_sleepers: params.flag("gentleFairSleepers"),
            start_debit: params.flag("startDebit"),
            wakeup_preemption: params.flag("wakeupPreemption"),
            adaptive_gran: flag("adaptiveGran", false),
            asym_gran: flag("asymGran", true),
            affine_wakeups: flag("affineWakeups", true),
            sync_less: flag("syncLess", false),
            next_buddy: params.flag("nextBuddy"),
            last_buddy: params.flag("lastBuddy"),
            cache_hot_buddy: params.flag("cacheHotBuddy"),
            lb_bias: flag("lbBias", false),
            lb_min: flag("lbMin", false),
            tick_quirk: flag("tick64BitQuirk", false),
            tick_skew: flag("tickSkew", false),
        }
    }

    /// The jiffies counter at a time in ns.
    pub(super) fn jiffies(&self, now: u64) -> u64 {
        now / self.jiffy_ns
    }

    /// Whether a jiffy has begun at a time in ns. Called at every tick, so it does without a division.
    pub(super) fn has_come(&self, jiffy: u64, now: u64) -> bool {
        now >= jiffy.saturating_mul(self.jiffy_ns)
    }

    /// ms as jiffies, rounded up (`msecs_to_jiffies`).
    pub(super) fn ms_to_jiffies(&self, ms: u64) -> u64 {
        (ms * self.hz).div_ceil(1_000)
    }

    /// Twice the migration cost: the cap of `avg_idle`.
    pub(super) fn avg_idle_cap(&self) -> u64 {
        2 * self.migration_cost.max(0).unsigned_abs()
    }
}
