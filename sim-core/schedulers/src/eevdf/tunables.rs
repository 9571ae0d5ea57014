//! Tunables (`/sys/kernel/debug/sched`), features and switches of point releases, with their sources and their resolved
//! values.

use crate::linux::numa;
use crate::linux::tunables::{self, GROUP_SHARES, SMT, TICK_ORDER};
use serde::{Deserialize, Serialize};
use sim_ground::ids::CpuId;
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
const SIS_UTIL: ParamSpec = feature(
    "sisUtil",
    true,
    "SIS_UTIL",
    "The busier the CPUs, the fewer of them a search for an idle CPU looks at. From about 85 % on it looks at none.",
);
const UTIL_EST: ParamSpec = feature(
    "utilEst",
    true,
    "UTIL_EST",
    "What a thread used before it slept counts when it wakes.",
);
const WA_IDLE: ParamSpec = feature(
    "waIdle",
    true,
    "WA_IDLE",
    "A woken thread goes to its waker's CPU or its own if one of them is idle.",
);
const WA_WEIGHT: ParamSpec = feature(
    "waWeight",
    true,
    "WA_WEIGHT",
    "A woken thread goes where the load is smaller, of its waker's CPU and its own.",
);
const WA_BIAS: ParamSpec = feature(
    "waBias",
    true,
    "WA_BIAS",
    "That comparison favours the waker's CPU.",
);
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
const NI_RANDOM: ParamSpec = rule(
    "niRandom",
    true,
    "NI_RANDOM",
    "A CPU that becomes idle looks around the more seldom the more seldom that helped.",
    "sched_balance_newidle @ 6.12.65",
);

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

const REQUEST_TIMER: ParamSpec = rule(
    "requestTimer",
    true,
    "timer at the end of a request",
    "A timer ends a turn where its request ends (HRTICK); off: the next tick does.",
    "hrtick_start_fair, task_tick_fair @ 7.2",
);
const REQUEST_TIMER_LATENESS: ParamSpec = ParamSpec::int(
    "requestTimerLatenessNs",
    1,
    1_000_000,
    1_000,
)
.label("lateness of that timer")
.unit("ns")
.summary(
    "A timer of a real machine is never early: it comes at least so much later than asked for.",
)
.log();
const REQUEST_TIMER_SPREAD: ParamSpec = ParamSpec::int("requestTimerSpreadNs", 0, 1_000_000, 4_000)
    .label("spread of its lateness")
    .unit("ns")
    .summary("How much more than that a timer may be late: each by another amount.");
const EXACT_DIVISION: ParamSpec = rule(
    "exactDivision",
    true,
    "exact division by weights",
    "Virtual time is the exact quotient, rounded down; off: a product with a rounded inverse.",
    "__calc_delta @ 7.2",
);
const ACCOUNT_BEFORE_REQUEUE: ParamSpec = rule(
    "accountBeforeRequeue",
    true,
    "a sleeper's return charges what runs",
    "Before a delayed thread counts again, what runs is charged, so V is that of now.",
    "requeue_delayed_entity @ 7.2",
);
const DELAYED_LAG_NEVER_WORSE: ParamSpec = rule(
    "delayedLagNeverWorse",
    true,
    "delay never costs lag",
    "The lag of a delayed thread is never worse than when it went to sleep.",
    "update_entity_lag @ 7.2",
);
const CHECK_WHILE_PENDING: ParamSpec = rule(
    "checkWhilePending",
    true,
    "lazy requests stop no check",
    "A wake-up is checked although accounting has already asked for a reschedule.",
    "wakeup_preempt_fair @ 7.2 (PREEMPT_LAZY)",
);
const PROTECT_TO_PARITY: ParamSpec = rule(
    "protectToParity",
    true,
    "protection up to parity",
    "Beside shorter slices a thread is protected until its lag is used up; off: for the shortest slice.",
    "set_protect_slice @ 7.3 (PREEMPT_SHORT)",
);
const SHORTEN_FROM_V: ParamSpec = rule(
    "shortenFromV",
    true,
    "shortened protection counts from V",
    "A wake-up leaves the shortest slice of protection after V, where V is less than the vruntime of what runs.",
    "update_protect_slice @ 7.3",
);
const SHORT_ALWAYS_PREEMPTS: ParamSpec = rule(
    "shortAlwaysPreempts",
    true,
    "shorter slices always preempt",
    "A woken or new thread with a shorter slice preempts if it is eligible, even if another deadline is earlier.",
    "wakeup_preempt_fair @ 7.3",
);
const SHORT_IS_BUDDY: ParamSpec = rule(
    "shortIsBuddy",
    true,
    "shorter slices are buddies",
    "Who preempts by its shorter slice is the next buddy: the pick takes it.",
    "wakeup_preempt_fair @ 7.3",
);
const IDLE_BY_POLICY_ONLY: ParamSpec = rule(
    "idleByPolicyOnly",
    true,
    "only the policy is idle",
    "For a wake-up a thread is idle by its own policy; off: by that of what competes on its level.",
    "wakeup_preempt_fair @ 7.3",
);

/// The tunables since 6.12, with the base slice of a release and the switches that it adds.
macro_rules! since_6_12 {
    ($base_slice:expr; $groups:expr; $($added:ident),*) => {
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
            $groups,
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
    GROUPS;
];

/// Tunables of 6.18.45: a switch for each rule that is new.
pub(super) const V6_18: &[ParamSpec] = since_6_12![
    base_slice(700_000, "sysctl_sched_base_slice @ 6.18; range of debugfs");
    GROUPS;
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

/// The tunables since 7.2, with the switches that a release adds.
macro_rules! since_7_2 {
    ($source:expr; $groups:expr; $($added:ident),*) => {
        since_6_12![
            base_slice(700_000, $source);
            $groups;
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
            BALANCE_SKIPS_INELIGIBLE,
            REQUEST_TIMER,
            REQUEST_TIMER_LATENESS,
            REQUEST_TIMER_SPREAD,
            EXACT_DIVISION,
            ACCOUNT_BEFORE_REQUEUE,
            DELAYED_LAG_NEVER_WORSE,
            CHECK_WHILE_PENDING
            $(, $added)*
        ]
    };
}

/// Tunables of 7.2.12: a switch for each rule that is new.
pub(super) const V7_2: &[ParamSpec] =
    since_7_2!["sysctl_sched_base_slice @ 7.2; range of debugfs"; GROUPS;];

/// Groups of 7.3 have no queues of their own any more, which is not modelled: by default there are none.
const NO_GROUPS: ParamSpec = tunables::groups(false)
    .published("autogroup.c (on where it is built in; off here: the one queue of 7.3 for all groups is not modelled)");

/// Tunables of 7.3.4: a switch for each rule that is new.
pub(super) const V7_3: &[ParamSpec] = since_7_2![
    "sysctl_sched_base_slice @ 7.3; range of debugfs"; NO_GROUPS;
    PROTECT_TO_PARITY,
    SHORTEN_FROM_V,
    SHORT_ALWAYS_PREEMPTS,
    SHORT_IS_BUDDY,
    IDLE_BY_POLICY_ONLY
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
    /// 7.2 and 7.3.
    Timed(Box<Timed>),
}

/// The switches of 7.2 and 7.3, all off before, and the timers that came with them: both only in states of these
/// releases.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools)] // one for each rule
pub(super) struct Timed {
    /// The switches of 6.18.
    pub(super) later: Later,
    pub(super) request_timer: bool,
    /// Smallest lateness of that timer in ns, and how much more it may be.
    pub(super) lateness: u64,
    pub(super) spread: u64,
    pub(super) exact_division: bool,
    pub(super) account_before_requeue: bool,
    pub(super) delayed_lag_never_worse: bool,
    pub(super) check_while_pending: bool,
    pub(super) protect_to_parity: bool,
    pub(super) shorten_from_v: bool,
    pub(super) short_always_preempts: bool,
    pub(super) short_is_buddy: bool,
    pub(super) idle_by_policy_only: bool,
    /// For each CPU the time in ns for which its timer stands; 0 if it does not.
    pub(super) timers: Vec<u64>,
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
    fn new(params: &Params, cpus: usize) -> Self {
        let has = |id: &str| params.specs().iter().any(|s| s.id == id);
        if !has("preemptShort") {
            return Self::First;
        }
        if !has("protectByVruntime") {
            return Self::Slices;
        }
        let later = Later {
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
        };
        if !has("requestTimer") {
            return Self::Later(later);
        }
        let flag = |id: &str| tunables::flag_or(params, id, false);
        Self::Timed(Box::new(Timed {
            later,
            request_timer: params.flag("requestTimer"),
            lateness: params.get_u64("requestTimerLatenessNs"),
            spread: params.get_u64("requestTimerSpreadNs"),
            exact_division: params.flag("exactDivision"),
            account_before_requeue: params.flag("accountBeforeRequeue"),
            delayed_lag_never_worse: params.flag("delayedLagNeverWorse"),
            check_while_pending: params.flag("checkWhilePending"),
            protect_to_parity: flag("protectToParity"),
            shorten_from_v: flag("shortenFromV"),
            short_always_preempts: flag("shortAlwaysPreempts"),
            short_is_buddy: flag("shortIsBuddy"),
            idle_by_policy_only: flag("idleByPolicyOnly"),
            timers: vec![0; cpus],
        }))
    }
}

/// Of a release before 6.17.
const NOTHING_LATER: Later = Later {
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

/// Of a release before 7.2.
static NOTHING_TIMED: Timed = Timed {
    later: NOTHING_LATER,
    request_timer: false,
    lateness: 0,
    spread: 0,
    exact_division: false,
    account_before_requeue: false,
    delayed_lag_never_worse: false,
    check_while_pending: false,
    protect_to_parity: false,
    shorten_from_v: false,
    short_always_preempts: false,
    short_is_buddy: false,
    idle_by_policy_only: false,
    timers: Vec::new(),
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
            release: Release::new(params, cpus),
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
        matches!(self.release, Release::Later(_) | Release::Timed(_))
    }

    /// The switches of 6.18.
    #[inline]
    pub(super) fn later(&self) -> &Later {
        match &self.release {
            Release::Later(later) => later,
            Release::Timed(timed) => &timed.later,
            Release::First | Release::Slices => &NOTHING_TIMED.later,
        }
    }

    /// The switches of 7.2 and 7.3.
    #[inline]
    pub(super) fn timed(&self) -> &Timed {
        match &self.release {
            Release::Timed(timed) => timed,
            _ => &NOTHING_TIMED,
        }
    }

    /// The timer of a CPU, if the release has one ([`Timed::timers`]).
    pub(super) fn timer_mut(&mut self, cpu: CpuId) -> Option<&mut u64> {
        match &mut self.release {
            Release::Timed(timed) => timed.timers.get_mut(cpu.index()),
            _ => None,
        }
    }

    /// The same tunables with other values; timers stand on.
    pub(super) fn renew(&mut self, params: &Params, cpus: usize) {
        let mut new = Self::new(params, cpus);
        if let (Release::Timed(old), Release::Timed(new)) = (&mut self.release, &mut new.release) {
            std::mem::swap(&mut old.timers, &mut new.timers);
        }
        *self = new;
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
