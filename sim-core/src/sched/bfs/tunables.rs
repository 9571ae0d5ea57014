//! Constants and tunables of BFS by era, with their sources.

use crate::params::ParamSpec;

/// `ratio[0]`, from which each nice level is 11/10 of the one before (0.31x; 128 from 0.36x on).
pub(super) const RATIO_BASE: u32 = 100;

/// Number of static priorities: queues 0..=102.
pub(super) const PRIO_LIMIT: usize = 103;
/// Priorities of queues (`sched.h` part of the 0.318 patch). Real-time tasks use 0..=99.
pub(super) const ISO_PRIO: u8 = 100;
/// `NORMAL` and `BATCH` share a list, whatever the nice value.
pub(super) const NORMAL_PRIO: u8 = 101;
/// `IDLEPRIO`.
pub(super) const IDLE_PRIO: u8 = 102;
/// What an idle CPU scores.
pub(super) const PRIO_IDLE_CPU: u8 = 103;

/// Tunables of the era of Linux 2.6.33 and 2.6.34.
pub(super) const V0318: &[ParamSpec] = &[
    ParamSpec::int("rrIntervalMs", 0, 5_000, 0)
        .label("rr_interval")
        .unit("ms")
        .summary("Slice of every task, and the scale of deadlines; 0 takes the kernel's own value for the number of CPUs (6 ms on one, 20 ms on eight).")
        .source("sched_init_smp, 0.318; range 1 to 5000"),
    ParamSpec::int("isoCpu", 0, 100, 70)
        .label("iso_cpu")
        .unit("%")
        .summary("How much of all CPU time isochronous tasks may use as if real time.")
        .source("sched_bfs.c, 0.318"),
    ParamSpec::int("hz", 50, 10_000, 100)
        .label("HZ")
        .unit("Hz")
        .summary("Timer ticks per second; slices end only on ticks.")
        .source("kernel configuration; 100 for the packager's server kernel of 2006, the value in 2010 is not known")
        .fixed(),
];
