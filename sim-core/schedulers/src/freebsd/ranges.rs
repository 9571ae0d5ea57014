//! The ranges of priorities (`sys/priority.h`), which moved three times.
//!
//! | | 7.x, 8.x | 2011 to 2022 | 15-CURRENT 2024 | 256 queues, 2025 |
//! |---|---|---|---|---|
//! | interrupt threads | 0–63 | 0–47 | 0–15 | 0–7 |
//! | real-time class | 128–159 | 48–79 | 16–47 | 8–39 |
//! | kernel | 64–127 | 80–119 | 48–87 | 40–55 |
//! | time sharing | 160–223 | 120–223 | 88–223 | 56–223 |
//! | idle class | 224–255 | 224–255 | 224–255 | 224–255 |
//!
//! In the first column interactive threads of ULE use the real-time range.

use serde::{Deserialize, Serialize};
use sim_contract::flags::Policy;

/// Nice values reach from -20 to 20 (`PRIO_MIN`, `PRIO_MAX`).
pub const NICE_MAX: i8 = 20;
/// Best priority of the idle class (`PRI_MIN_IDLE`), in all eras.
pub const PRI_MIN_IDLE: u8 = 224;
/// Priority of the idle thread itself (`PRI_MAX_IDLE`), in all eras.
pub const PRI_MAX_IDLE: u8 = 255;
/// Worst priority of time sharing (`PRI_MAX_TIMESHARE`), in all eras.
pub const PRI_MAX_TIMESHARE: u8 = 223;

/// A layout of the 256 priorities. Bounds are inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranges {
    /// Worst priority of interrupt threads (`PRI_MAX_ITHD`); the best is 0.
    pub max_ithd: u8,
    /// Best priority of the real-time class (`PRI_MIN_REALTIME`).
    pub min_realtime: u8,
    /// Worst priority of the real-time class (`PRI_MAX_REALTIME`).
    pub max_realtime: u8,
    /// Best priority of sleeping in the kernel (`PRI_MIN_KERN`).
    pub min_kern: u8,
    /// Best priority of time sharing (`PRI_MIN_TIMESHARE`).
    pub min_timeshare: u8,
    /// Priority of a thread in a timed sleep (`PWAIT`).
    pub pwait: u8,
}

impl Ranges {
    /// `priority.h` @ 7.3 and 8.0.
    pub const V7: Self = Self {
        max_ithd: 63,
        min_realtime: 128,
        max_realtime: 159,
        min_kern: 64,
        min_timeshare: 160,
        pwait: 92,
    };

    /// `priority.h` @ 9.3 and 10.4: the layout of 14 January 2011.
    pub const V9: Self = Self {
        max_ithd: 47,
        min_realtime: 48,
        max_realtime: 79,
        min_kern: 80,
        min_timeshare: 120,
        pwait: 108,
    };

    /// `priority.h` @ 15-CURRENT, late 2024.
    pub const V15: Self = Self {
        max_ithd: 15,
        min_realtime: 16,
        max_realtime: 47,
        min_kern: 48,
        min_timeshare: 88,
        pwait: 76,
    };

    /// The layout of the 256-queue series (review D45391). The place of `PWAIT` among the 16 levels of the
    /// kernel is inferred: offsets run from 0 to 9 in the old order.
    pub const V16: Self = Self {
        max_ithd: 7,
        min_realtime: 8,
        max_realtime: 39,
        min_kern: 40,
        min_timeshare: 56,
        pwait: 47,
    };

    /// Number of priorities of time sharing.
    #[must_use]
    pub const fn timeshare_size(&self) -> u8 {
        PRI_MAX_TIMESHARE - self.min_timeshare + 1
    }

    /// Priority of a real-time thread. Scenarios give 1 to 99, larger is better, as POSIX does; FreeBSD has
    /// 32 levels, so that 32 and more are all the best (`rtp_to_pri`, `kern_resource.c`).
    #[must_use]
    pub fn realtime(&self, rt_priority: u8) -> u8 {
        self.max_realtime - rt_priority.clamp(1, 32) + 1
    }
}

/// Scheduling class of a thread (`PRI_TIMESHARE`, `PRI_REALTIME`, `PRI_FIFO`, `PRI_IDLE`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Class {
    /// Time sharing.
    Timeshare,
    /// Real time with slices.
    Realtime,
    /// Real time without slices.
    Fifo,
    /// Runs only when no other thread wants the CPU.
    Idle,
}

impl From<Policy> for Class {
    /// FreeBSD has neither batch nor isochronous threads: both are time sharing.
    fn from(policy: Policy) -> Self {
        match policy {
            Policy::Normal | Policy::Batch | Policy::Iso => Self::Timeshare,
            Policy::RoundRobin => Self::Realtime,
            Policy::Fifo => Self::Fifo,
            Policy::Idle => Self::Idle,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ranges_follow_each_other_without_a_gap() {
        for r in [Ranges::V9, Ranges::V15, Ranges::V16] {
            assert_eq!(r.min_realtime, r.max_ithd + 1);
            assert_eq!(r.min_kern, r.max_realtime + 1);
            assert!(r.min_kern < r.pwait && r.pwait < r.min_timeshare);
            assert_eq!(r.max_realtime - r.min_realtime + 1, 32);
        }
        let v7 = Ranges::V7;
        assert_eq!(v7.min_kern, v7.max_ithd + 1);
        assert_eq!(v7.min_timeshare, v7.max_realtime + 1);
        let sizes = [Ranges::V7, Ranges::V9, Ranges::V15, Ranges::V16].map(|r| r.timeshare_size());
        assert_eq!(sizes, [64, 104, 136, 168]);
    }

    #[test]
    fn a_larger_posix_priority_is_a_smaller_number() {
        assert_eq!(Ranges::V9.realtime(1), 79);
        assert_eq!(Ranges::V9.realtime(32), 48);
        assert_eq!(Ranges::V9.realtime(99), 48);
    }
}
