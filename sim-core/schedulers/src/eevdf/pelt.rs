//! Load tracking of an entity or a queue: three geometric averages, of load, of runnable and of running time.
//!
//! | item | kernel @ 6.12 |
//! |---|---|
//! | [`Avg::advance`], in `together` for several | `___update_load_sum` |
//! | [`Avg::weigh`] | `___update_load_avg` |
//! | [`Avg::divider`] | `get_pelt_divider` |
//! | [`segments`] | `__accumulate_pelt_segments` |
//!
//! A period is 1024 µs of 1024 ns units; a contribution halves after 32 periods. The remainder below 1024 ns is kept for
//! the next update, and averages are taken over what the sums can have reached by now, so that they are exact. The sum of
//! an entity's load counts time, that of a queue's counts weighted time.

use crate::linux::pelt::{MAX, Y, decay, decay_once};
use serde::{Deserialize, Serialize};

/// The least that averages are taken over (`PELT_MIN_DIVIDER`).
pub(super) const MIN_DIVIDER: u64 = MAX - 1_024;

/// `struct sched_avg`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Avg {
    /// Up to when, in ns of the averages' clock; 0 where it counts nowhere yet.
    pub(super) last_update: u64,
    pub(super) load_sum: u64,
    /// Times 1024.
    pub(super) runnable_sum: u64,
    /// Times 1024.
    pub(super) util_sum: u64,
    /// Units of the present period that are in.
    pub(super) period_contrib: u64,
    pub(super) load_avg: u64,
    pub(super) runnable_avg: u64,
    pub(super) util_avg: u64,
}

/// What left a queue while it slept (`cfs_rq->removed`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Removed {
    /// How many.
    pub(super) nr: u32,
    pub(super) load: u64,
    pub(super) runnable: u64,
    pub(super) util: u64,
}

/// What an entity or a queue counts since its last update.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    pub(super) load: u64,
    pub(super) runnable: u64,
    pub(super) running: bool,
}

impl Counts {
    /// Nothing.
    pub(super) const NONE: Self = Self {
        load: 0,
        runnable: 0,
        running: false,
    };

    /// What a unit of time adds to each sum.
    #[inline]
    pub(super) fn factors(self) -> [u64; 3] {
        match self.load {
            0 => [0; 3],
            load => [load, self.runnable << 10, u64::from(self.running) << 10],
        }
    }
}

/// What [`segments`] adds where a single period has ended, beside its first and its last part.
pub(super) const ONE_PERIOD: u64 = MAX - fade(MAX) - 1_024;

/// [`decay_once`] of 32 bits.
#[inline]
pub(super) const fn fade(value: u64) -> u64 {
    (value * Y) >> 32
}

/// `sum / divider`, without a division if it still is what it was.
#[inline]
pub(super) fn quotient(sum: u64, divider: u64, last: u64) -> u64 {
    match sum.checked_sub(last * divider) {
        Some(rest) if rest < divider => last,
        _ => sum / divider,
    }
}

/// What `periods` ended periods and the one that goes on contribute: `first` units of the oldest, `last` of the newest.
#[inline]
pub(super) fn segments(periods: u64, first: u64, last: u64) -> u64 {
    decay(first, periods) + (MAX - decay(MAX, periods) - 1_024) + last
}

impl Avg {
    /// What a sum is divided by to become an average.
    pub(super) fn divider(&self) -> u64 {
        MIN_DIVIDER + self.period_contrib
    }

    /// Whether [`Avg::advance`] would change anything: hooks at the same instant ask often.
    #[inline]
    pub(super) fn is_behind(&self, now: u64) -> bool {
        now < self.last_update || now - self.last_update >= 1 << 10
    }

    /// Brings the sums up to `now` for who counted so much since the last update (no load if it was not queued). Whether
    /// a period ended: then the averages have to be taken anew.
    #[inline]
    pub(super) fn advance(&mut self, now: u64, counts: Counts) -> bool {
        let Some(delta) = now.checked_sub(self.last_update) else {
            self.last_update = now;
            return false;
        };
        let units = delta >> 10;
        if units == 0 {
            return false;
        }
        self.last_update += units << 10;
        let [load, runnable, running] = counts.factors();
        let reached = self.period_contrib + units;
        let mut contrib = units;
        let (periods, rest) = (reached >> 10, reached & 1_023);
        if periods == 1 {
            // At most ticks, by far.
            self.load_sum = decay_once(self.load_sum);
            self.runnable_sum = decay_once(self.runnable_sum);
            self.util_sum = decay_once(self.util_sum);
            contrib = decay_once(1_024 - self.period_contrib) + ONE_PERIOD + rest;
        } else if periods > 0 {
            self.load_sum = decay(self.load_sum, periods);
            self.runnable_sum = decay(self.runnable_sum, periods);
            self.util_sum = decay(self.util_sum, periods);
            contrib = segments(periods, 1_024 - self.period_contrib, rest);
        }
        self.period_contrib = rest;
        self.load_sum += load * contrib;
        self.runnable_sum += runnable * contrib;
        self.util_sum += running * contrib;
        periods > 0
    }

    /// Takes the averages of the sums; the load's with this weight.
    #[inline]
    pub(super) fn weigh(&mut self, weight: u64) {
        let divider = self.divider();
        self.load_avg = quotient(weight * self.load_sum, divider, self.load_avg);
        self.runnable_avg = quotient(self.runnable_sum, divider, self.runnable_avg);
        self.util_avg = quotient(self.util_sum, divider, self.util_avg);
    }

    /// The sums are not below what the averages are (`sub_positive` and its like round).
    pub(super) fn mend(&mut self) {
        self.load_sum = self.load_sum.max(self.load_avg * MIN_DIVIDER);
        self.runnable_sum = self.runnable_sum.max(self.runnable_avg * MIN_DIVIDER);
        self.util_sum = self.util_sum.max(self.util_avg * MIN_DIVIDER);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERIOD: u64 = 1 << 20;

    const RUNS: Counts = Counts {
        load: 1,
        runnable: 1,
        running: true,
    };

    #[test]
    fn a_hog_that_counts_in_full_goes_on_doing_so() {
        let mut avg = Avg {
            last_update: PERIOD,
            load_sum: MIN_DIVIDER,
            load_avg: 1_024,
            ..Avg::default()
        };
        for ms in 1..400 {
            if avg.advance(PERIOD + ms * 1_000_000, RUNS) {
                avg.weigh(1_024);
            }
            assert!((1_023..=1_024).contains(&avg.load_avg), "{}", avg.load_avg);
        }
    }

    #[test]
    fn a_single_period_fades_as_the_rule_for_any_number_says() {
        for value in [0, 1, 1_023, 1_024, 47_742, 1 << 31, (1 << 32) - 1, 1 << 40] {
            assert_eq!(decay_once(value), decay(value, 1));
        }
        let mut avg = Avg {
            period_contrib: 300,
            util_sum: 5_000_000,
            ..Avg::default()
        };
        avg.advance(PERIOD, RUNS);
        let expected = decay(5_000_000, 1) + (segments(1, 724, 300) << 10);
        assert_eq!((avg.util_sum, avg.period_contrib), (expected, 300));
    }

    #[test]
    fn many_periods_at_once_are_nearly_the_same_as_one_by_one() {
        let mut once = Avg::default();
        let mut often = Avg::default();
        for i in 1..=100 {
            often.advance(i * PERIOD, RUNS);
        }
        once.advance(100 * PERIOD, RUNS);
        once.weigh(1_024);
        often.weigh(1_024);
        assert!(once.util_avg.abs_diff(often.util_avg) <= 1);
    }
}
