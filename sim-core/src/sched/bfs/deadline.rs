//! Nice ratios, slices and virtual deadlines: integers in the kernel's units.
//!
//! All tasks get the same slice; nice acts only through the deadline.

use super::tunables::RATIO_BASE;
use serde::{Deserialize, Serialize};

/// The arithmetic of one kernel configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct DeadlineMath {
    /// Ticks per second.
    pub(super) hz: u64,
    /// A jiffy in ns.
    pub(super) period_ns: u64,
    /// Round-robin interval in ms.
    pub(super) rr_interval: u64,
}

impl DeadlineMath {
    /// `rr_interval` 0 stands for the kernel's own choice.
    pub(super) fn new(hz: u64, rr_interval: u64, cpus: usize) -> Self {
        Self {
            hz,
            period_ns: 1_000_000_000 / hz,
            rr_interval: if rr_interval == 0 {
                default_rr_interval(cpus)
            } else {
                rr_interval
            },
        }
    }

    /// The jiffies counter at a time.
    pub(super) fn jiffies(&self, now_ns: u64) -> u64 {
        now_ns / self.period_ns
    }

    /// A full slice in µs (`timeslice()`, 0.318: us exact).
    pub(super) fn slice_us(&self) -> i64 {
        i64::try_from(self.rr_interval * 1_000).unwrap_or(i64::MAX)
    }

    /// How far ahead a refill puts the deadline, in jiffies (`prio_deadline_diff`, 0.318).
    pub(super) fn offset(&self, nice: i8) -> u64 {
        (ratio(nice) * self.rr_interval * self.hz / (1_000 * u64::from(RATIO_BASE))).max(1)
    }

    /// What one step of CPU distance adds to a task's deadline: ms, added to jiffies as the code does
    /// (`cache_distance`, 0.318; right only at HZ 1000).
    pub(super) fn distance_step(&self, nice: i8) -> u64 {
        self.rr_interval * ratio(nice) / u64::from(RATIO_BASE)
    }
}

/// `prio_ratios[nice + 20]` (`sched_init`, 0.318).
pub(super) fn ratio(nice: i8) -> u64 {
    RATIOS[usize::from((nice.clamp(-20, 19) + 20).unsigned_abs())]
}

/// Each level is 11/10 of the one before, rounded down.
const RATIOS: [u64; 40] = {
    let mut ratios = [RATIO_BASE as u64; 40];
    let mut i = 1;
    while i < ratios.len() {
        ratios[i] = ratios[i - 1] * 11 / 10;
        i += 1;
    }
    ratios
};

/// The default of `rr_interval` in ms for a number of CPUs (`sched_init_smp`, 0.318).
pub(super) fn default_rr_interval(cpus: usize) -> u64 {
    (0..cpus.max(1).ilog2()).fold(600, |x, _| x * 3 / 2) / 100
}
