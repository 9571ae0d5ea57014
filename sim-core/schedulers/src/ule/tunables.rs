//! Tunables (`kern.sched.*`) by era, with their sources, and the values in force.

use super::eras::{Era, StealThresh};
use super::{interact, slice};
use crate::freebsd::clocks::{self, Rates};
use crate::freebsd::sleep::{self, SleepChoice};
use serde::{Deserialize, Serialize};
use sim_contract::lending::INHERITANCE;
use sim_ground::params::{ParamSpec, Params};

const fn hz(default: i64) -> ParamSpec {
    ParamSpec::int("hz", 50, 10_000, default)
        .label("hz")
        .unit("Hz")
        .summary("How often ticks is counted up a second; 100 is the default of virtual machines.")
        .published("subr_param.c")
        .fixed()
}

const fn stathz(default: i64) -> ParamSpec {
    ParamSpec::int("stathz", 10, 10_000, default)
        .label("stathz")
        .unit("Hz")
        .summary("Ticks of the statistics clock, in which slices end and the calendar turns.")
        .published("local_apic.c @ 8.0: 133; kern_clocksource.c: 127 with one-shot timers; the port to Linux: inferred from its balancing time")
        .fixed()
}

const fn slice_ticks(default: i64) -> ParamSpec {
    ParamSpec::int("slice", 0, 1_000, default)
        .label("slice")
        .unit("ticks")
        .summary("Length of a slice in ticks of the statistics clock; 0 takes a tenth of a second.")
        .published("sched_initticks; kern.sched.slice")
}

const INTERACT: ParamSpec = ParamSpec::int("interact", 0, 100, 30)
    .label("interact")
    .unit("points of score")
    .summary("A thread with a lower score is interactive. At 30 it sleeps more than 1.67 times as long as it runs.")
    .published("kern.sched.interact");

const fn preempt_thresh(default: i64) -> ParamSpec {
    ParamSpec::int("preemptThresh", 0, 255, default)
        .label("preempt_thresh")
        .unit("priority")
        .summary("Threads of this priority or a better one preempt even inside the kernel and on other CPUs. At 0 none does, at 255 all do.")
        .published("kern.sched.preempt_thresh; PRI_MIN_KERN with option PREEMPTION")
}

const fn ast_preempt(default: bool) -> ParamSpec {
    ParamSpec::flag("astPreempt", default)
        .label("reschedule flag for local wake-ups")
        .summary("A better thread woken on this CPU makes what runs there leave when it returns to user mode.")
        .assumed("sched_setpreempt, sched_add; not a sysctl. Off in the port to Linux: inferred from its preemption counts")
}

const fn static_boost(default: i64) -> ParamSpec {
    ParamSpec::int("staticBoost", 0, 223, default)
        .label("static_boost")
        .unit("priority")
        .summary("What a thread of time sharing gets at least when it sleeps; 0 nothing, 1 the priority of the sleep.")
        .published("kern.sched.static_boost")
}

const AFFINITY: ParamSpec = ParamSpec::int("affinity", 0, 1_000, 0)
    .label("affinity")
    .unit("ticks")
    .summary("How many ticks of hz a thread counts as warm, for each level of cache. At 0 it is the kernel's value for hz.")
    .published("sched_initticks; kern.sched.affinity");

const BALANCE: ParamSpec = ParamSpec::flag("balance", true)
    .label("balance")
    .summary("Whether the long-term balancer runs.")
    .published("kern.sched.balance");

const BALANCE_INTERVAL: ParamSpec = ParamSpec::int("balanceInterval", 1, 100_000, 127)
    .label("balance_interval")
    .unit("ticks")
    .summary("Mean distance of the balancer's runs in ticks of the statistics clock; half of it to one and a half.")
    .published("sched_initticks: stathz; kern.sched.balance_interval");

const STEAL_IDLE: ParamSpec = ParamSpec::flag("stealIdle", true)
    .label("steal_idle")
    .summary("Whether idle CPUs take threads from others.")
    .published("kern.sched.steal_idle");

const fn steal_thresh(default: i64) -> ParamSpec {
    ParamSpec::int("stealThresh", 0, 1_000, default)
        .label("steal_thresh")
        .unit("threads")
        .summary("Least load of a CPU that an idle one may take a thread from. In the era of 2011, 0 takes the kernel's value for the number of CPUs (3 for 8 and more).")
        .published("kern.sched.steal_thresh; in 2007 it counts waiting threads only")
}

const CALENDAR: ParamSpec = ParamSpec::flag("calendarTurns", true)
    .label("the calendar turns")
    .summary("Off: batch threads are queued by priority alone, and the best always runs first.")
    .assumed("not in the kernel: a switch of this model, to show what the calendar is for")
    .fixed();

const TOPOLOGY: ParamSpec = ParamSpec::int("topology", 0, 7, 0)
    .label("kern.smp.topology")
    .unit("kind of tree")
    .summary("0: what the kernel finds; 1 to 7: a made-up tree of CPU groups.")
    .published("smp_topo, subr_smp.c")
    .fixed();

/// October 2007.
pub const V2007: &[ParamSpec] = &[
    hz(1_000),
    stathz(133),
    sleep::param(),
    slice_ticks(0),
    INTERACT,
    INHERITANCE,
    preempt_thresh(64),
    ast_preempt(true),
    AFFINITY,
    BALANCE,
    STEAL_IDLE,
    ParamSpec::flag("stealHtt", false)
        .label("steal_htt")
        .summary("Whether an idle CPU looks at the other threads of its core first.")
        .published("kern.sched.steal_htt @ 2007"),
    steal_thresh(2),
    ParamSpec::flag("pickPri", true)
        .label("pick_pri")
        .summary(
            "Of busy CPUs the one that runs the worst priority is chosen, not the one with the least load.",
        )
        .published("kern.sched.pick_pri @ 2007"),
    ParamSpec::flag("tryself", true)
        .label("tryself")
        .summary("Whether a thread goes to the waker's CPU if it is better than what runs there.")
        .published("kern.sched.tryself @ 2007"),
    CALENDAR,
];

/// November 2011.
pub const V2011: &[ParamSpec] = &[
    hz(1_000),
    stathz(127),
    sleep::param(),
    slice_ticks(0),
    INTERACT,
    INHERITANCE,
    preempt_thresh(80),
    ast_preempt(true),
    static_boost(152),
    AFFINITY,
    BALANCE,
    BALANCE_INTERVAL,
    STEAL_IDLE,
    steal_thresh(0).automatic(|cpus| i64::from(steal_thresh_of(cpus))),
    TOPOLOGY,
    CALENDAR,
];

/// June 2013 and July 2017.
pub const V2013: &[ParamSpec] = &[
    hz(1_000),
    stathz(127),
    sleep::param(),
    slice_ticks(0),
    INTERACT,
    INHERITANCE,
    preempt_thresh(80),
    ast_preempt(true),
    static_boost(152),
    AFFINITY,
    BALANCE,
    BALANCE_INTERVAL,
    STEAL_IDLE,
    steal_thresh(2),
    TOPOLOGY,
    CALENDAR,
];

/// July 2017 inside Linux 4.9: called at each of 250 ticks a second, with the constants for 127.
pub const LINUX: &[ParamSpec] = &[
    hz(250),
    stathz(250),
    slice_ticks(12),
    INTERACT,
    INHERITANCE,
    preempt_thresh(80),
    ast_preempt(false),
    static_boost(152),
    AFFINITY,
    BALANCE,
    BALANCE_INTERVAL,
    STEAL_IDLE,
    steal_thresh(2),
    TOPOLOGY,
    CALENDAR,
];

const fn modern(thresh: i64, boost: i64) -> [ParamSpec; 18] {
    [
        hz(1_000),
        stathz(127),
        sleep::param(),
        slice_ticks(0),
        INTERACT,
    INHERITANCE,
        preempt_thresh(thresh),
        ast_preempt(true),
        static_boost(boost),
        AFFINITY,
        BALANCE,
        BALANCE_INTERVAL,
        STEAL_IDLE,
        steal_thresh(2),
        ParamSpec::int("tryStealLimit", 0, 10, 2)
            .label("trysteal_limit")
            .unit("levels")
            .summary("How many levels of the tree of CPU groups are searched before the idle thread is chosen.")
            .published("kern.sched.trysteal_limit"),
        ParamSpec::flag("alwaysSteal", false)
            .label("always_steal")
            .summary("Whether every pass of the idle loop looks for threads.")
            .published("kern.sched.always_steal"),
        TOPOLOGY,
        CALENDAR,
    ]
}

/// Late 2024.
pub const V2024: &[ParamSpec] = &modern(48, 136);

/// With the 256 queues.
pub const V2025: &[ParamSpec] = &modern(40, 115);

/// The values in force.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tune {
    /// Ticks of hz per second.
    pub hz: u32,
    /// Ticks of the statistics clock per second.
    pub stathz: u32,
    /// When timed sleeps end.
    pub sleep_end: SleepChoice,
    /// Length of a slice in ticks.
    pub slice: u32,
    /// Threshold of the score.
    pub interact: u64,
    /// Threshold of preemption.
    pub preempt_thresh: u8,
    /// Whether local wake-ups of better threads set the reschedule flag.
    pub ast_preempt: bool,
    /// Priority of a thread that sleeps.
    pub static_boost: u8,
    /// Ticks of hz for each level of cache during which data count as warm.
    pub affinity: i64,
    /// Whether the balancer runs.
    pub balance: bool,
    /// Mean time between its runs, in ticks.
    pub balance_interval: u32,
    /// Whether idle CPUs steal.
    pub steal_idle: bool,
    /// Whether they steal within a core first (2007).
    pub steal_htt: bool,
    /// Smallest load of a CPU from which they steal.
    pub steal_thresh: u32,
    /// Whether CPUs are chosen by priority (2007).
    pub pick_pri: bool,
    /// Whether the waker's CPU is tried (2007).
    pub tryself: bool,
    /// Number of levels that the switch path searches for a thread.
    pub trysteal_limit: u32,
    /// Whether each pass of the idle loop searches for a thread.
    pub always_steal: bool,
    /// Number of a made-up topology; 0 for the machine's own.
    pub topology: u8,
    /// Whether the calendar turns. The kernel has no such switch, so it is not part of snapshots.
    #[serde(skip)]
    pub calendar_turns: bool,
    /// Run time charged for a tick.
    pub tickincr: u64,
    /// `SCHED_SLP_RUN_MAX`.
    pub history_cap: u64,
    /// `SCHED_SLP_RUN_FORK`.
    pub fork_cap: u64,
}

impl Tune {
    /// The values that the parameters mean on a machine with `cpus` CPUs (`sched_initticks`).
    #[must_use]
    pub fn new(era: &Era, params: &Params, cpus: usize) -> Self {
        let has = |id: &str| params.specs().iter().any(|s| s.id == id);
        let get = |id: &str, or: i64| if has(id) { params.get(id) } else { or };
        let small = |id: &str, or: i64| u32::try_from(get(id, or)).unwrap_or(0);
        let byte = |id: &str, or: i64| u8::try_from(get(id, or)).unwrap_or(u8::MAX);
        let (hz, stathz) = (small("hz", 1_000), small("stathz", 127));
        let own = |value: u32, auto: u32| if value == 0 { auto } else { value };
        let levels = if era.callers_sleep_priority {
            300
        } else {
            1_000
        };
        let thresh = match era.steal_thresh {
            StealThresh::Fixed(_) => small("stealThresh", 2),
            StealThresh::Log => own(small("stealThresh", 0), steal_thresh_of(cpus)),
        };
        Self {
            hz,
            stathz,
            sleep_end: SleepChoice::from(get("sleepEnd", 0)),
            slice: own(small("slice", 0), slice::default_slice(stathz)),
            interact: u64::from(small("interact", 30)),
            preempt_thresh: byte("preemptThresh", 80),
            ast_preempt: get("astPreempt", 1) != 0,
            static_boost: byte("staticBoost", 0),
            affinity: i64::from(own(small("affinity", 0), (hz / levels).max(1))),
            balance: get("balance", 1) != 0,
            balance_interval: small("balanceInterval", 127).max(1),
            steal_idle: get("stealIdle", 1) != 0,
            steal_htt: get("stealHtt", 0) != 0,
            steal_thresh: thresh,
            pick_pri: get("pickPri", 1) != 0,
            tryself: get("tryself", 1) != 0,
            trysteal_limit: small("tryStealLimit", 0),
            always_steal: get("alwaysSteal", 0) != 0,
            topology: byte("topology", 0),
            calendar_turns: get("calendarTurns", 1) != 0,
            tickincr: clocks::tickincr(hz, stathz),
            history_cap: interact::cap(hz),
            fork_cap: interact::fork_cap(hz),
        }
    }

    /// The rates of the two clocks.
    #[must_use]
    pub fn rates(&self) -> Rates {
        Rates {
            hz: self.hz,
            stathz: self.stathz,
        }
    }
}

/// `min(fls(CPUs) - 1, 3)` (`sched_initticks` @ 8.0).
#[must_use]
pub fn steal_thresh_of(cpus: usize) -> u32 {
    let fls = usize::BITS - cpus.leading_zeros();
    fls.saturating_sub(1).min(3)
}
