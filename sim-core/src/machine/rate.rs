//! How fast a thread progresses: a fluid model.
//!
//! Between two events every running thread progresses at a constant rate; rates are recomputed at
//! events only. A rate is the work done per ns of CPU time in units of 2^-20: `ONE` is the speed of the
//! thread alone on its core, warm, at nominal clock. What it loses is split by cause, and the shares of
//! all causes add up to `ONE` exactly, so nothing is lost between them.
//!
//! Modelled so far: compute and SMT by workload class, frequency under a thermal cap, timer ticks,
//! switches (a debt that the engine pays before work goes on). Cache levels, warm-up, memory and lock
//! waits add their own causes to [`Cause`].

use crate::info::CauseEntry;
use serde::{Deserialize, Serialize};

/// Bits behind the point of a rate.
pub const RATE_BITS: u32 = 20;
/// Full speed; also the sum of all shares.
pub const ONE: u64 = 1 << RATE_BITS;

/// What a thread's CPU time goes into. The order is that of columns and snapshots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Useful work at nominal speed.
    Compute,
    /// The sibling context was busy.
    Sibling,
    /// The core ran below its nominal clock.
    Frequency,
    /// Timer interrupts.
    Tick,
    /// Switching to the thread, yields.
    Switch,
}

/// Number of causes.
pub const CAUSES: usize = 5;

/// Names of the causes, in the order of [`Cause`].
pub const CAUSE_ENTRIES: [CauseEntry; CAUSES] = [
    CauseEntry {
        id: "compute",
        name: "useful work",
        summary: "Time in which the thread progresses as if it were alone on its core.",
    },
    CauseEntry {
        id: "sibling",
        name: "busy sibling",
        summary: "Time lost because the other context of the core was running a thread too.",
    },
    CauseEntry {
        id: "frequency",
        name: "frequency",
        summary: "Time lost because the core ran below its nominal clock (heat).",
    },
    CauseEntry {
        id: "tick",
        name: "timer ticks",
        summary: "Time spent in timer interrupts.",
    },
    CauseEntry {
        id: "switch",
        name: "switching",
        summary: "Time spent in the scheduler switching to the thread, or yielding.",
    },
];

/// How a kind of work behaves on a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkClass {
    /// Throughput of two siblings of this class relative to one alone, in thousandths (`s2`).
    pub smt_pair_milli: u16,
    /// How much of a core's shared parts it occupies, in thousandths (`g`: 1000 compute bound, 500
    /// memory bound).
    pub pressure_milli: u16,
}

/// Where a running thread's CPU time goes now; the shares add up to [`ONE`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Speed {
    /// Share of each cause, indexed by [`Cause`]. The share of `Compute` is the rate.
    pub share: [u64; CAUSES],
}

impl Speed {
    /// Work per ns in units of 2^-20.
    #[must_use]
    pub fn rate(&self) -> u64 {
        self.share[Cause::Compute as usize]
    }

    /// Whether it is one that [`speed`] gives, or none.
    pub(crate) fn is_whole(&self) -> bool {
        let sum = self.share.iter().try_fold(0_u64, |n, s| n.checked_add(*s));
        sum == Some(ONE) || sum == Some(0)
    }
}

/// What a running thread's speed depends on.
#[derive(Clone, Copy, Debug)]
pub struct Conditions {
    /// Its class.
    pub class: WorkClass,
    /// Sum of the pressures of the threads on sibling contexts, in thousandths.
    pub sibling_pressure_milli: u64,
    /// Clock relative to nominal, in units of 2^-20.
    pub frequency: u64,
    /// Share of time spent in timer ticks, in units of 2^-20.
    pub tick_share: u64,
}

/// The speed under given conditions.
///
/// Time per unit of work relative to nominal: `(1 + g_sib × (2/s2 − 1)) / frequency`. For two equal
/// compute-bound threads that is 2/s2, so a core with both does s2 times the work of one.
#[must_use]
pub fn speed(c: &Conditions) -> Speed {
    let user = ONE - c.tick_share.min(ONE);
    let s2 = u64::from(c.class.smt_pair_milli).max(1);
    // Extra time in 2^-20: g × (2/s2 − 1); never a gain from a busy sibling.
    let extra = (2 * ONE * 1000 / s2)
        .saturating_sub(ONE)
        .saturating_mul(c.sibling_pressure_milli)
        / 1000;
    let at_clock = user * c.frequency.min(ONE) / ONE;
    let compute = at_clock * ONE / (ONE + extra);
    let mut share = [0; CAUSES];
    share[Cause::Compute as usize] = compute;
    share[Cause::Sibling as usize] = at_clock - compute;
    share[Cause::Frequency as usize] = user - at_clock;
    share[Cause::Tick as usize] = ONE - user;
    Speed { share }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DHRYSTONE: WorkClass = WorkClass {
        smt_pair_milli: 960,
        pressure_milli: 1000,
    };

    fn at(sibling_pressure_milli: u64, frequency: u64) -> Speed {
        speed(&Conditions {
            class: DHRYSTONE,
            sibling_pressure_milli,
            frequency,
            tick_share: 0,
        })
    }

    #[test]
    fn two_dhrystones_on_a_core_do_four_percent_less_than_one() {
        // Wong 2011: pair effect -4 %.
        let pair = 2 * at(1000, ONE).rate();
        assert!((960 * ONE / 1000).abs_diff(pair) <= 2, "{pair}");
    }

    #[test]
    fn alone_at_nominal_clock_is_full_speed() {
        assert_eq!(at(0, ONE).rate(), ONE);
    }

    #[test]
    fn shares_add_up_exactly_whatever_the_conditions() {
        for pressure in [0, 1, 333, 1000, 7000] {
            for frequency in [1, ONE / 3, ONE] {
                for tick_share in [0, 17, ONE / 2, ONE] {
                    let s = speed(&Conditions {
                        class: DHRYSTONE,
                        sibling_pressure_milli: pressure,
                        frequency,
                        tick_share,
                    });
                    assert_eq!(s.share.iter().sum::<u64>(), ONE);
                }
            }
        }
    }

    #[test]
    fn a_busier_sibling_never_speeds_a_thread_up() {
        let mut last = u64::MAX;
        for pressure in 0..3000 {
            let now = at(pressure, ONE).rate();
            assert!(now <= last);
            last = now;
        }
    }
}
