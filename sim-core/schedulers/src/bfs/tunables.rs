//! Constants and tunables of BFS by era, with their sources.

use super::deadline::default_rr_interval;
use sim_contract::lending::INHERITANCE;
use sim_ground::params::ParamSpec;

/// Number of static priorities: queues 0..=102.
pub(super) const PRIO_LIMIT: usize = 103;
/// Priorities of queues (`sched.h` part of the 0.318 patch). Real-time tasks use 0..=99.
pub(super) const ISO_PRIO: u8 = 100;
/// `NORMAL` and `BATCH` share a list, whatever the nice value.
pub(super) const NORMAL_PRIO: u8 = 101;
/// `IDLEPRIO`.
pub(super) const IDLE_PRIO: u8 = 102;
/// The priority that an idle CPU counts as.
pub(super) const PRIO_IDLE_CPU: u8 = 103;

const ISO_CPU: ParamSpec = ParamSpec::int("isoCpu", 0, 100, 70)
    .label("iso_cpu")
    .unit("%")
    .summary("How much of all CPU time isochronous tasks may use as if real time.")
    .published("sched_bfs.c, 0.318; the same in 0.447 and 0.512");

/// `rr_interval` in releases where it does not depend on the number of CPUs.
const RR_INTERVAL: ParamSpec = ParamSpec::int("rrIntervalMs", 1, 1_000, 6)
    .label("rr_interval")
    .unit("ms")
    .summary("Slice of every thread, and the scale of deadlines.")
    .published("sched_init, 0.447 and 0.512; range of sched-BFS.txt, 0.512");

const HZ: ParamSpec = ParamSpec::int("hz", 50, 10_000, 250)
    .label("HZ")
    .unit("Hz")
    .summary("Timer ticks per second; slices end only on ticks.")
    .published("kernel configuration; 250 is the default of Linux")
    .fixed();

/// Tunables of the era of Linux 2.6.33 and 2.6.34.
pub(super) const V0318: &[ParamSpec] = &[
    ParamSpec::int("rrIntervalMs", 0, 5_000, 0)
        .label("rr_interval")
        .unit("ms")
        .summary("Slice of every thread, and the scale of deadlines. At 0 it is the kernel's value for the number of CPUs (6 ms on one, 20 ms on eight).")
        .automatic(default_rr_interval)
        .published("sched_init_smp, 0.318; range 1 to 5000"),
    ISO_CPU,
    INHERITANCE,
    ParamSpec::int("hz", 50, 10_000, 100)
        .label("HZ")
        .unit("Hz")
        .summary("Timer ticks per second; slices end only on ticks.")
        .assumed("kernel configuration; 100 for the packager's server kernel of 2006, the value in 2010 is not known")
        .fixed(),
];

/// Tunables of the era of Linux 3.14.
pub(super) const V0447: &[ParamSpec] = &[
    RR_INTERVAL,
    ISO_CPU,
    INHERITANCE,
    ParamSpec::flag("scaling", false)
        .label("frequency scaling")
        .summary("The CPUs run below full speed under a frequency governor: then sticky tasks are left to their own CPU altogether.")
        .published("cpu_scaling, cpu_nonscaling, called by the governors; 0.447"),
    ParamSpec::flag("topologyQuirk", true)
        .label("domains one level off")
        .summary("The code expects the domain levels of SMT and cache to be 1 and 2. Linux 3.x numbers them 0 and 1. So all CPUs of a cache count as threads of one core. The choice of idle CPUs then knows nothing of SMT. Repaired in 0.449.")
        .published("sched_init_smp, 0.447; confirmed by running the real code both ways")
        .fixed(),
    HZ,
];

/// Tunables of the era of Linux 4.8.
pub(super) const V0512: &[ParamSpec] = &[
    RR_INTERVAL,
    ISO_CPU,
    INHERITANCE,
    ParamSpec::flag("interactive", true)
        .label("interactive")
        .summary("Deadlines alone decide. Off: tasks that last ran elsewhere come after those of the own CPU.")
        .published("sched_interactive, 0.512"),
    ParamSpec::flag("smtNice", true)
        .label("SMT_NICE")
        .summary("Three times in four, a CPU stays idle rather than run a task of worse nice value than its sibling's.")
        .published("kernel configuration (SMT_NICE), 0.512")
        .fixed(),
    HZ,
];
