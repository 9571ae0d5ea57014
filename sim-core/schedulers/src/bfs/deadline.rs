//! Nice ratios, slices and virtual deadlines: integers in the kernel's units.
//!
//! All tasks get the same slice; nice acts only through the deadline.

use super::era::{self, Charge, Clock, Era};
use serde::{Deserialize, Serialize};
use sim_ground::time::{SimTime, ticks_until};

/// The arithmetic of one kernel configuration. Deadlines are in jiffies or ns, slices in the era's own microseconds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct DeadlineMath {
    /// The release; not part of the state.
    #[serde(skip, default = "era::first")]
    pub(super) era: &'static Era,
    /// Ticks per second.
    pub(super) hz: u64,
    /// A jiffy in ns, rounded down as the kernel's constant is; ticks are exact.
    pub(super) period_ns: u64,
    /// Round-robin interval in ms.
    pub(super) rr_interval: u64,
}

impl DeadlineMath {
    /// `rr_interval` 0 means the kernel's own choice (0.318).
    pub(super) fn new(era: &'static Era, hz: u64, rr_interval: u64, cpus: usize) -> Self {
        Self {
            era,
            hz,
            period_ns: 1_000_000_000 / hz,
            rr_interval: if rr_interval == 0 {
                default_rr_interval(cpus).unsigned_abs()
            } else {
                rr_interval
            },
        }
    }

    /// The counter with which deadlines are compared, at a time.
    pub(super) fn clock(&self, now_ns: u64) -> u64 {
        match self.era.clock {
            Clock::Jiffies => ticks_until(self.rate(), SimTime(now_ns)),
            Clock::Niffies => now_ns,
        }
    }

    /// A value of that counter, or a difference of two values, in ns.
    pub(super) fn clock_ns(&self, reading: i64) -> i64 {
        match self.era.clock {
            Clock::Jiffies => {
                let signed = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
                if self.period_ns * self.hz == 1_000_000_000 {
                    // Every decision needs this, so it does without a division.
                    reading.saturating_mul(signed(self.period_ns))
                } else {
                    reading.saturating_mul(1_000_000_000) / signed(self.hz)
                }
            }
            Clock::Niffies => reading,
        }
    }

    fn rate(&self) -> u32 {
        u32::try_from(self.hz).unwrap_or(u32::MAX)
    }

    /// A full slice (`timeslice()`), in the era's microseconds.
    pub(super) fn full_slice(&self) -> i64 {
        i64::try_from(self.rr_interval * self.era.slice_unit_ns).unwrap_or(i64::MAX)
    }

    /// A length in ns, in the unit of slices.
    pub(super) fn slice_part(&self, ns: u64) -> i64 {
        i64::try_from(ns / self.era.slice_unit_ns).unwrap_or(i64::MAX)
    }

    /// A length in the unit of slices, in ns.
    pub(super) fn slice_ns(&self, part: i64) -> i64 {
        part.saturating_mul(i64::try_from(self.era.slice_unit_ns).unwrap_or(1))
    }

    /// Half a jiffy as the code compares it with slices (`HALF_JIFFY_US`).
    pub(super) fn half_jiffy(&self) -> i64 {
        i64::try_from(1_000_000 / self.hz / 2).unwrap_or(i64::MAX)
    }

    /// The charge of an accounting that comes `dt` ns after the one before.
    pub(super) fn charge(&self, dt: u64) -> i64 {
        let ns = match self.era.charge {
            Charge::SinceLastRan => dt.min(self.period_ns),
            Charge::SinceAccounting if dt > 2 * self.period_ns => 1,
            Charge::SinceAccounting => dt,
        };
        self.slice_part(ns)
    }

    /// How far ahead a refill puts the deadline (`prio_deadline_diff`).
    pub(super) fn offset(&self, nice: i8) -> u64 {
        let weighed = self.ratio(nice) * self.rr_interval;
        match self.era.clock {
            Clock::Jiffies => (weighed * self.hz / (1_000 * self.era.ratios[0])).max(1),
            // The code counts 2^20 ns to the ms.
            Clock::Niffies => weighed * ((1 << 20) / self.era.ratios[0]),
        }
    }

    /// What one step of CPU distance adds to a task's deadline: ms that are added to jiffies, as the code does
    /// (`cache_distance`, 0.318; right only at HZ 1000).
    pub(super) fn distance_step(&self, nice: i8) -> u64 {
        self.rr_interval * self.ratio(nice) / self.era.ratios[0]
    }

    /// `prio_ratios[nice + 20]` (`sched_init`).
    fn ratio(&self, nice: i8) -> u64 {
        self.era.ratios[usize::from((nice.clamp(-20, 19) + 20).unsigned_abs())]
    }
}

/// The default of `rr_interval` in ms for a number of CPUs (`sched_init_smp`, 0.318).
pub(super) fn default_rr_interval(cpus: usize) -> i64 {
    (0..cpus.max(1).ilog2()).fold(600, |x, _| x * 3 / 2) / 100
}
