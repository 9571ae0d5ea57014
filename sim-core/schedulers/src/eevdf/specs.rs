//! Tunables (`/sys/kernel/debug/sched`), features and switches of point releases, with their sources.

use crate::linux::machine::caches as machine_caches;
use crate::linux::machine::tunables as machine;
use crate::linux::numa;
use crate::linux::reserve::{RT_PERIOD, RT_RUNTIME, SERVER_PERIOD, SERVER_RUNTIME};
use crate::linux::tunables::{self, GROUP_SHARES, SMT, TICK_ORDER};
use sim_contract::lending::INHERITANCE;
use sim_ground::params::ParamSpec;

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

pub(super) const YIELD_FORFEITS_ID: &str = "yieldForfeits";
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
    "reweight_entity @ 6.18.0",
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

const BALANCE_COUNTS_RUNNABLE: ParamSpec = rule(
    "balanceCountsRunnable",
    true,
    "balancing counts no sleepers",
    "What balancing counts of a CPU's threads leaves out those that sleep in its queue.",
    "h_nr_runnable @ 6.14",
);

/// What point releases of 6.18 did otherwise; later ones have no switch for it.
const PROTECT_OWN_FIELD: ParamSpec = rule(
    "protectOwnField",
    true,
    "protection has a field of its own",
    "Protection outlasts that its thread leaves the queue for a moment. Off: the lag that is stored then overwrites it.",
    "se.vprot @ 6.18.45",
);
const REWEIGHT_BY_PLACEMENT: ParamSpec = rule(
    "reweightByPlacement",
    false,
    "a new weight places again",
    "A group with a new weight is placed again with its lag, so the others' V stays. Off: V of the whole queue stays.",
    "reweight_entity @ 6.18.44 and before",
);
const REWEIGHT_SCALES_PROTECTION: ParamSpec = rule(
    "reweightScalesProtection",
    true,
    "a new weight rescales protection",
    "A group that runs under a new weight stays protected for the same CPU time. Off: up to the same virtual runtime.",
    "reweight_entity @ 6.18.38",
);

const REQUEST_TIMER: ParamSpec = rule(
    "requestTimer",
    true,
    "timer at the end of a request",
    "A timer ends a turn where its request ends (HRTICK); off: the next tick does.",
    "hrtick_start_fair, task_tick_fair @ 7.2",
);
const TIMERS_ARE_LATE: &str =
    "a choice: the timers of a machine are some microseconds late, how many is not known";
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
.assumed(TIMERS_ARE_LATE)
.log();
const REQUEST_TIMER_SPREAD: ParamSpec = ParamSpec::int("requestTimerSpreadNs", 0, 1_000_000, 4_000)
    .label("spread of its lateness")
    .unit("ns")
    .summary("How much more than that a timer may be late: each by another amount.")
    .assumed(TIMERS_ARE_LATE);
const EXACT_DIVISION: ParamSpec = rule(
    "exactDivision",
    true,
    "exact division by weights",
    "Virtual time is the exact quotient, rounded down. Off, with a queue for each group: a product with a rounded inverse.",
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

const FLAT_GROUPS: ParamSpec = rule(
    "flatGroups",
    true,
    "one queue for all groups",
    "All threads of a CPU stand in one queue, with the weights that their groups leave them. Off: a queue for each group.",
    "enqueue_task_fair, reweight_eevdf @ 7.3",
)
.fixed();
const GROUP_WEIGHT_MODE: ParamSpec = ParamSpec::choice(
    "groupWeightMode",
    &["up", "smp", "concur", "max", "tasks"],
    "concur",
)
.label("cgroup_mode")
.summary("What a group weighs: its shares on each CPU (up) or over all CPUs (smp). Or its shares for each CPU (max), or for each thread that it runs (tasks). Or for each thread, at most one for each CPU (concur).")
.published("cgroup_mode, calc_group_shares @ 7.3");
const GROUP_SLEEP_SETS_BUDDY: ParamSpec = rule(
    "groupSleepSetsBuddy",
    false,
    "a sleep prefers its group",
    "A group whose thread goes to sleep is the next buddy, so another of its threads goes on; without flatGroups.",
    "dequeue_entities @ 7.2; gone in 7.3",
);

const NEWIDLE_RATE: ParamSpec = feature(
    "newidleRate",
    true,
    "NI_RATE",
    "A CPU that seldom becomes idle looks around, whatever the dice say: the longer 512 attempts took, the likelier.",
);
/// All kernels of x86 can be preempted since then.
const PREEMPTIBLE: ParamSpec = ParamSpec::flag("preempt", true)
    .label("CONFIG_PREEMPTION")
    .published("Kconfig.preempt @ 7.2: lazy or full preemption on x86")
    .summary("A CPU that becomes idle pulls one thread only.")
    .fixed();
const IDLE_WAKEE_SPREADS: ParamSpec = rule(
    "idleWakeeSpreads",
    true,
    "idle policy takes idle CPUs only",
    "A woken SCHED_IDLE thread does not take a CPU that runs only such threads for an idle one.",
    "choose_sched_idle_rq @ 7.2",
);
const IDLE_UNTIL_SWITCH: ParamSpec = rule(
    "idleUntilSwitch",
    true,
    "idleness ends at a switch",
    "The average of idle times takes each time that a CPU was idle. Off: only those that a wake-up ended.",
    "update_rq_avg_idle @ 7.2",
);
const CACHE_AWARE: ParamSpec =
    machine_caches::CACHE_AWARE.published("llc_balancing/enabled, SCHED_CACHE @ 7.2");
const AGGR_TOLERANCE: ParamSpec =
    machine_caches::AGGR_TOLERANCE.published("llc_balancing/aggr_tolerance @ 7.2");

const KICK_IDLE_CORE: ParamSpec = rule(
    "kickIdleCore",
    true,
    "idle cores are kicked first",
    "For balancing, a busy CPU kicks the first CPU of a completely idle core; off: the first idle CPU.",
    "find_new_ilb @ 7.3",
);

/// The tunables since 6.12, with the base slice of a release and the switches that it adds.
macro_rules! since_6_12 {
    ($base_slice:expr; $groups:expr, $preempt:expr; $($added:ident),*) => {
        &[
            $base_slice,
            SCALING,
            MIGRATION_COST,
            NR_MIGRATE,
            INHERITANCE,
            SERVER_RUNTIME,
            SERVER_PERIOD,
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
            $preempt,
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
    GROUPS, PREEMPT;
];

/// The tunables since 6.18, with its base slice and the switches that a release adds.
macro_rules! since_6_18 {
    ($source:expr; $groups:expr, $preempt:expr; $($added:ident),*) => {
        since_6_12![
            base_slice(700_000, $source);
            $groups, $preempt;
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
            BALANCE_COUNTS_RUNNABLE
            $(, $added)*
        ]
    };
}

/// Tunables of 6.18.45: a switch for each rule that is new, and for each that earlier ones of 6.18 had otherwise.
pub(super) const V6_18: &[ParamSpec] = since_6_18![
    "sysctl_sched_base_slice @ 6.18; range of debugfs"; GROUPS, PREEMPT;
    PROTECT_OWN_FIELD,
    REWEIGHT_BY_PLACEMENT,
    REWEIGHT_SCALES_PROTECTION
];

/// The tunables since 7.2, with the switches that a release adds.
macro_rules! since_7_2 {
    ($source:expr; $groups:expr; $($added:ident),*) => {
        since_6_18![
            $source;
            $groups, PREEMPTIBLE;
            REQUEST_TIMER,
            REQUEST_TIMER_LATENESS,
            REQUEST_TIMER_SPREAD,
            EXACT_DIVISION,
            ACCOUNT_BEFORE_REQUEUE,
            DELAYED_LAG_NEVER_WORSE,
            CHECK_WHILE_PENDING,
            NEWIDLE_RATE,
            IDLE_WAKEE_SPREADS,
            IDLE_UNTIL_SWITCH,
            CACHE_AWARE,
            AGGR_TOLERANCE
            $(, $added)*
        ]
    };
}

/// Tunables of 7.2.12: a switch for each rule that is new.
pub(super) const V7_2: &[ParamSpec] =
    since_7_2!["sysctl_sched_base_slice @ 7.2; range of debugfs"; GROUPS;];

/// Tunables of 7.3.4: a switch for each rule that is new.
pub(super) const V7_3: &[ParamSpec] = since_7_2![
    "sysctl_sched_base_slice @ 7.3; range of debugfs"; GROUPS;
    PROTECT_TO_PARITY,
    SHORTEN_FROM_V,
    SHORT_ALWAYS_PREEMPTS,
    SHORT_IS_BUDDY,
    IDLE_BY_POLICY_ONLY,
    FLAT_GROUPS,
    GROUP_WEIGHT_MODE,
    GROUP_SLEEP_SETS_BUDDY,
    KICK_IDLE_CORE
];

/// Tunables of 6.6.0.
pub(super) const V6_6: &[ParamSpec] = &[
    base_slice(750_000, "sysctl_sched_base_slice @ 6.6; range of debugfs"),
    SCALING,
    MIGRATION_COST,
    NR_MIGRATE,
    INHERITANCE,
    RT_RUNTIME,
    RT_PERIOD,
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
