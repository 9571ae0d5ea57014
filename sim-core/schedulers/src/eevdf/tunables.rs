//! Tunables (`/sys/kernel/debug/sched`), features and switches of point releases, with their sources and their resolved
//! values.

use crate::linux::machine::tunables as machine;
use crate::linux::numa;
use crate::linux::tunables::{self, GROUP_SHARES, SMT, TICK_ORDER};
use serde::{Deserialize, Serialize};
use sim_ground::params::{ParamSpec, Params};

const HZ: ParamSpec =
    tunables::HZ.published("kernel configuration: default 250; choices 100, 250, 300, 1000");

const SCALING: ParamSpec = tunables::SCALING
    .label("tunable_scaling")
    .summary("How the base slice grows with the number of CPUs (at most 8 count).");

const fn base_slice(default: i64, source: &'static str) -> ParamSpec {
    ParamSpec::int("baseSliceNs", 100_000, 1_000_000_000, default)
        .label("base_slice_ns")
        .unit("ns")
        .summary("Request of a thread without a slice of its own: CPU time until its deadline; before scaling by CPUs.")
        .published(source)
        .log()
}

const MIGRATION_COST: ParamSpec = tunables::MIGRATION_COST.label("migration_cost_ns");

const NR_MIGRATE: ParamSpec = tunables::NR_MIGRATE
    .label("nr_migrate")
    .published("sysctl_sched_nr_migrate, SCHED_NR_MIGRATE_BREAK");

const GROUPS: ParamSpec = tunables::groups(true)
    .published("autogroup.c (one group per session, on where it is built in)");

const PREEMPT: ParamSpec = tunables::PREEMPT
    .summary("A fully preemptible kernel: a CPU that becomes idle pulls one thread only.");

/// Where the features are listed.
const FEATURES: &str = "features.h";

const fn feature(
    id: &'static str,
    default: bool,
    label: &'static str,
    summary: &'static str,
) -> ParamSpec {
    tunables::feature(id, default, label, summary).published(FEATURES)
}

/// A rule that changed in a point release.
const fn rule(
    id: &'static str,
    default: bool,
    label: &'static str,
    summary: &'static str,
    source: &'static str,
) -> ParamSpec {
    ParamSpec::flag(id, default)
        .label(label)
        .summary(summary)
        .published(source)
}

const PLACE_LAG: ParamSpec = feature(
    "placeLag",
    true,
    "PLACE_LAG",
    "A thread that joins a queue has the lag with which it left; off: it begins at V.",
);
const PLACE_DEADLINE_INITIAL: ParamSpec = feature(
    "placeDeadlineInitial",
    true,
    "PLACE_DEADLINE_INITIAL",
    "The first request of a new thread is half a slice.",
);
const PLACE_REL_DEADLINE: ParamSpec = feature(
    "placeRelDeadline",
    true,
    "PLACE_REL_DEADLINE",
    "A thread that changes its queue, nice value or slice keeps the rest of its request.",
);
const RUN_TO_PARITY: ParamSpec = feature(
    "runToParity",
    true,
    "RUN_TO_PARITY",
    "A thread that was put on a CPU runs until its request or its lag is used up.",
);
const PREEMPT_SHORT: ParamSpec = feature(
    "preemptShort",
    true,
    "PREEMPT_SHORT",
    "A woken thread with a shorter slice may end the protection of what runs. An unprotected thread ahead of V leaves at the next tick.",
);
const DELAY_DEQUEUE: ParamSpec = feature(
    "delayDequeue",
    true,
    "DELAY_DEQUEUE",
    "A thread that goes to sleep ahead of V stays in its queue until V has caught up.",
);
const DELAY_ZERO: ParamSpec = feature(
    "delayZero",
    true,
    "DELAY_ZERO",
    "A thread that stayed gets no credit for it: its lag is at most 0.",
);
const WAKEUP_PREEMPTION: ParamSpec = tunables::WAKEUP_PREEMPTION.published(FEATURES);
const NEXT_BUDDY: ParamSpec = feature(
    "nextBuddy",
    false,
    "NEXT_BUDDY",
    "The thread woken last is preferred, if it is eligible.",
);
const PICK_BUDDY: ParamSpec = feature(
    "pickBuddy",
    true,
    "PICK_BUDDY",
    "Buddies are preferred, if they are eligible: a group whose thread went to sleep goes on.",
);
const CACHE_HOT_BUDDY: ParamSpec = tunables::CACHE_HOT_BUDDY.published(FEATURES);
const SIS_UTIL: ParamSpec = machine::SIS_UTIL.published(FEATURES);
const UTIL_EST: ParamSpec = machine::UTIL_EST.published(FEATURES);
const WA_IDLE: ParamSpec = machine::WA_IDLE.published(FEATURES);
const WA_WEIGHT: ParamSpec = machine::WA_WEIGHT.published(FEATURES);
const WA_BIAS: ParamSpec = machine::WA_BIAS.published(FEATURES);
const LB_MIN: ParamSpec = tunables::LB_MIN.published(FEATURES);

const YIELD_FORFEITS_ID: &str = "yieldForfeits";
const YIELD_FORFEITS: ParamSpec = rule(
    YIELD_FORFEITS_ID,
    true,
    "yield forfeits",
    "A thread that yields gives up the rest of its request, if it is eligible. Off: its deadline moves on by one request.",
    "yield_task_fair @ 6.12.63",
);
const FORK_CLEARS: ParamSpec = rule(
    "forkClearsRelDeadline",
    true,
    "rel_deadline cleared in a child",
    "A forked child does not inherit that its parent's deadline is a distance.",
    "__sched_fork @ 6.12.91",
);
const GROUP_SLICE: ParamSpec = rule(
    "groupSliceAlways",
    true,
    "group slice propagated",
    "A group asks for the smallest slice below it at every change there; off: only when it is queued.",
    "enqueue_task_fair, dequeue_entities @ 6.12.23",
);
const NI_RANDOM: ParamSpec = machine::NI_RANDOM.published("sched_balance_newidle @ 6.12.65");

const PROTECT_BY_VRUNTIME: ParamSpec = rule(
    "protectByVruntime",
    true,
    "protection by vruntime",
    "Protection ends at a virtual runtime; off: when the deadline changes.",
    "set_protect_slice @ 6.17",
);
const PROTECT_SHORTEST: ParamSpec = rule(
    "protectShortest",
    true,
    "protection for the shortest slice",
    "A thread is protected for the shortest slice of its queue; off: for its own.",
    "set_protect_slice, cfs_rq_min_slice @ 6.17",
);
const RESCHED_UNPROTECTED: ParamSpec = rule(
    "reschedUnprotected",
    true,
    "unprotected threads are looked at",
    "An unprotected thread makes its CPU pick again at each tick; off: only if it is ahead of V.",
    "update_curr @ 6.17",
);
const SHORT_NEEDS_PICK: ParamSpec = rule(
    "shortNeedsPick",
    true,
    "a wake-up asks the pick",
    "A woken thread preempts if the pick chooses it. If not, the protection of what runs is shortened.",
    "check_preempt_wakeup_fair @ 6.17",
);
const PROTECT_AT_PICK_ONLY: ParamSpec = rule(
    "protectAtPickOnly",
    true,
    "protection only from a pick",
    "A new nice value, slice or set of CPUs does not renew protection.",
    "set_next_task_fair @ 6.18.38",
);
const REWEIGHT_SCALES_DEADLINE: ParamSpec = rule(
    "reweightScalesDeadline",
    true,
    "nice rescales the request",
    "With a new nice value the rest of a request stays the same CPU time; off: the same virtual time.",
    "reweight_entity @ 6.18.38",
);
const LAG_LIMIT_LARGEST: ParamSpec = rule(
    "lagLimitLargest",
    true,
    "lag limit from the largest slice",
    "Lag is limited to the largest slice of the queue and a tick; off: to two own slices.",
    "update_entity_lag @ 6.18.38",
);
const WAKEUP_WITHOUT_FORKS: ParamSpec = rule(
    "wakeupWithoutForks",
    true,
    "new threads wait",
    "A new thread does not interrupt its parent, unless its slice is shorter.",
    "wakeup_preempt_fair @ 6.18.38",
);
const WAKEUP_DEQUEUES_DELAYED: ParamSpec = rule(
    "wakeupDequeuesDelayed",
    true,
    "a wake-up lets sleepers leave",
    "A sleeper that the pick of a wake-up meets leaves the queue, and the pick goes on.",
    "wakeup_preempt_fair @ 6.18.38",
);
const BALANCE_SKIPS_DELAYED: ParamSpec = rule(
    "balanceSkipsDelayed",
    true,
    "balancing skips sleepers",
    "A thread that sleeps in its queue moves only where load is moved.",
    "can_migrate_task @ 6.14",
);
const BALANCE_SKIPS_INELIGIBLE: ParamSpec = rule(
    "balanceSkipsIneligible",
    true,
    "balancing prefers eligible threads",
    "A thread that is ahead of V moves to a busy CPU only after balancing has failed once.",
    "can_migrate_task @ 6.14",
);

/// The tunables since 6.12, with the base slice of a release and the switches that it adds.
macro_rules! since_6_12 {
    ($base_slice:expr; $($added:ident),*) => {
        &[
            $base_slice,
            SCALING,
            MIGRATION_COST,
            NR_MIGRATE,
            RUN_TO_PARITY,
            PLACE_LAG,
            PLACE_DEADLINE_INITIAL,
            PLACE_REL_DEADLINE,
            PREEMPT_SHORT,
            DELAY_DEQUEUE,
            DELAY_ZERO,
            WAKEUP_PREEMPTION,
            NEXT_BUDDY,
            PICK_BUDDY,
            CACHE_HOT_BUDDY,
            SIS_UTIL,
            UTIL_EST,
            WA_IDLE,
            WA_WEIGHT,
            WA_BIAS,
            LB_MIN,
            NI_RANDOM,
            YIELD_FORFEITS,
            FORK_CLEARS,
            GROUP_SLICE,
            $($added,)*
            HZ,
            TICK_ORDER,
            GROUPS,
            GROUP_SHARES,
            PREEMPT,
            SMT,
            numa::BALANCING,
            numa::SCAN_DELAY,
            numa::PERIOD_MIN,
            numa::PERIOD_MAX,
            numa::SCAN_SIZE,
            numa::HUGE,
        ]
    };
}

/// Tunables of 6.12.117.
pub(super) const V6_12: &[ParamSpec] = since_6_12![
    base_slice(
        700_000,
        "sysctl_sched_base_slice @ 6.12.31 (before: 750000); range of debugfs",
    );
];

/// Tunables of 6.18.45: a switch for each rule that is new.
pub(super) const V6_18: &[ParamSpec] = since_6_12![
    base_slice(700_000, "sysctl_sched_base_slice @ 6.18; range of debugfs");
    PROTECT_BY_VRUNTIME,
    PROTECT_SHORTEST,
    RESCHED_UNPROTECTED,
    SHORT_NEEDS_PICK,
    PROTECT_AT_PICK_ONLY,
    REWEIGHT_SCALES_DEADLINE,
    LAG_LIMIT_LARGEST,
    WAKEUP_WITHOUT_FORKS,
    WAKEUP_DEQUEUES_DELAYED,
    BALANCE_SKIPS_DELAYED,
    BALANCE_SKIPS_INELIGIBLE
];

/// Tunables of 6.6.0.
pub(super) const V6_6: &[ParamSpec] = &[
    base_slice(750_000, "sysctl_sched_base_slice @ 6.6; range of debugfs"),
    SCALING,
    MIGRATION_COST,
    NR_MIGRATE,
    RUN_TO_PARITY,
    PLACE_LAG,
    PLACE_DEADLINE_INITIAL,
    WAKEUP_PREEMPTION,
    NEXT_BUDDY,
    CACHE_HOT_BUDDY,
    SIS_UTIL,
    UTIL_EST,
    WA_IDLE,
    WA_WEIGHT,
    WA_BIAS,
    LB_MIN,
    HZ,
    TICK_ORDER,
    GROUPS,
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

/// Resolved values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools)] // one for each feature of the kernel
pub(super) struct Tunables {
    pub(super) hz: u64,
    /// A jiffy in ns.
    pub(super) jiffy_ns: u64,
    /// Base slice in ns, scaled by CPUs.
    pub(super) base_slice: u64,
    /// In ns; -1 and 0 as the sysctl.
    pub(super) migration_cost: i64,
    pub(super) nr_migrate: u64,
    pub(super) group_per_application: bool,
    pub(super) group_shares: u64,
    pub(super) preempt: bool,
    pub(super) sched_smt: bool,
    pub(super) run_to_parity: bool,
    pub(super) place_lag: bool,
    pub(super) place_deadline_initial: bool,
    pub(super) place_rel_deadline: bool,
    pub(super) preempt_short: bool,
    pub(super) delay_dequeue: bool,
    pub(super) delay_zero: bool,
    pub(super) wakeup_preemption: bool,
    pub(super) next_buddy: bool,
    pub(super) pick_buddy: bool,
    pub(super) cache_hot_buddy: bool,
    pub(super) sis_util: bool,
    pub(super) util_est: bool,
    pub(super) wa_idle: bool,
    pub(super) wa_weight: bool,
    pub(super) wa_bias: bool,
    pub(super) lb_min: bool,
    pub(super) ni_random: bool,
    pub(super) yield_forfeits: bool,
    pub(super) fork_clears_rel_deadline: bool,
    pub(super) group_slice_always: bool,
    /// The rules that later releases added.
    pub(super) release: Release,
}

/// What releases added. Their states contain only their own switches, so that those of older ones stay as they were.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Release {
    /// 6.6.
    First,
    /// 6.12: threads and groups may have slices of their own.
    Slices,
    /// 6.18.
    Later(Later),
}

/// The switches of 6.18; all off before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools)] // one for each rule
pub(super) struct Later {
    /// Base slice in ns, before scaling by CPUs.
    pub(super) unscaled_slice: u64,
    pub(super) protect_by_vruntime: bool,
    pub(super) protect_shortest: bool,
    pub(super) resched_unprotected: bool,
    pub(super) short_needs_pick: bool,
    pub(super) protect_at_pick_only: bool,
    pub(super) reweight_scales_deadline: bool,
    pub(super) lag_limit_largest: bool,
    pub(super) wakeup_without_forks: bool,
    pub(super) wakeup_dequeues_delayed: bool,
    pub(super) balance_skips_delayed: bool,
    pub(super) balance_skips_ineligible: bool,
}

impl Release {
    fn new(params: &Params) -> Self {
        let has = |id: &str| params.specs().iter().any(|s| s.id == id);
        if !has("preemptShort") {
            return Self::First;
        }
        if !has("protectByVruntime") {
            return Self::Slices;
        }
        Self::Later(Later {
            unscaled_slice: params.get_u64("baseSliceNs"),
            protect_by_vruntime: params.flag("protectByVruntime"),
            protect_shortest: params.flag("protectShortest"),
            resched_unprotected: params.flag("reschedUnprotected"),
            short_needs_pick: params.flag("shortNeedsPick"),
            protect_at_pick_only: params.flag("protectAtPickOnly"),
            reweight_scales_deadline: params.flag("reweightScalesDeadline"),
            lag_limit_largest: params.flag("lagLimitLargest"),
            wakeup_without_forks: params.flag("wakeupWithoutForks"),
            wakeup_dequeues_delayed: params.flag("wakeupDequeuesDelayed"),
            balance_skips_delayed: params.flag("balanceSkipsDelayed"),
            balance_skips_ineligible: params.flag("balanceSkipsIneligible"),
        })
    }
}

/// Of a release before 6.17.
static NOTHING_LATER: Later = Later {
    unscaled_slice: 0,
    protect_by_vruntime: false,
    protect_shortest: false,
    resched_unprotected: false,
    short_needs_pick: false,
    protect_at_pick_only: false,
    reweight_scales_deadline: false,
    lag_limit_largest: false,
    wakeup_without_forks: false,
    wakeup_dequeues_delayed: false,
    balance_skips_delayed: false,
    balance_skips_ineligible: false,
};

impl Tunables {
    /// Resolves the parameters for a number of CPUs. Switches that a release does not have are off.
    pub(super) fn new(params: &Params, cpus: usize) -> Self {
        let flag = |id: &str, absent: bool| tunables::flag_or(params, id, absent);
        let factor = tunables::scaling(params, cpus);
        let hz = params.get_u64("hz").max(1);
        Self {
            hz,
            jiffy_ns: crate::linux::tunables::jiffy_ns(hz),
            base_slice: params.get_u64("baseSliceNs") * factor,
            migration_cost: params.get("migrationCostNs"),
            nr_migrate: params.get_u64("nrMigrate"),
            group_per_application: params.flag("groupPerApplication"),
            group_shares: params.get_u64("groupShares"),
            preempt: params.flag("preempt"),
            sched_smt: params.flag("schedSmt"),
            run_to_parity: params.flag("runToParity"),
            place_lag: params.flag("placeLag"),
            place_deadline_initial: params.flag("placeDeadlineInitial"),
            place_rel_deadline: flag("placeRelDeadline", false),
            preempt_short: flag("preemptShort", false),
            delay_dequeue: flag("delayDequeue", false),
            delay_zero: flag("delayZero", false),
            wakeup_preemption: params.flag("wakeupPreemption"),
            next_buddy: params.flag("nextBuddy"),
            // Before the feature had this name, buddies counted whenever they were set.
            pick_buddy: flag("pickBuddy", params.flag("nextBuddy")),
            cache_hot_buddy: params.flag("cacheHotBuddy"),
            sis_util: params.flag("sisUtil"),
            util_est: params.flag("utilEst"),
            wa_idle: params.flag("waIdle"),
            wa_weight: params.flag("waWeight"),
            wa_bias: params.flag("waBias"),
            lb_min: params.flag("lbMin"),
            ni_random: flag("niRandom", false),
            yield_forfeits: flag(YIELD_FORFEITS_ID, false),
            fork_clears_rel_deadline: flag("forkClearsRelDeadline", true),
            group_slice_always: flag("groupSliceAlways", false),
            release: Release::new(params),
        }
    }

    /// Whether threads and groups may have slices of their own.
    pub(super) fn custom_slices(&self) -> bool {
        self.release != Release::First
    }

    /// Whether the release is 6.17 or later. Then queues of CPUs know the requests of their entities, too, not only those
    /// of groups.
    #[inline]
    pub(super) fn since_6_17(&self) -> bool {
        matches!(self.release, Release::Later(_))
    }

    /// The switches of 6.18.
    #[inline]
    pub(super) fn later(&self) -> &Later {
        match &self.release {
            Release::Later(later) => later,
            Release::First | Release::Slices => &NOTHING_LATER,
        }
    }

    /// The jiffies counter at a time in ns.
    pub(super) fn jiffies(&self, now: u64) -> u64 {
        now / self.jiffy_ns
    }

    /// ms as jiffies, rounded up (`msecs_to_jiffies`).
    pub(super) fn ms_to_jiffies(&self, ms: u64) -> u64 {
        (ms * self.hz).div_ceil(1_000)
    }
}
