//! Load tracking of an entity or a queue: three geometric averages, of load, of runnable and of running time.
//!
//! | item | kernel @ 6.12 |
//! |---|---|
//! | [`Avg::advance`], in `together` for several | `___update_load_sum` |
//! | [`Avg::weigh`] | `___update_load_avg` |
//! | [`Avg::divider`] | `get_pelt_divider` |
//! | [`segments`] | `__accumulate_pelt_segments` |
//!
//! A period is 1024 µs of 1024 ns units; a contribution halves after 32 periods. The remainder below 1024 ns is kept
//! for the next update. Averages are divided by the value that the sums can have reached so far, so that they are
//! exact. The sum of an entity's load counts time; that of a queue's load counts weighted time.

use crate::linux::pelt::{MAX, Y, decay, decay_once};
use serde::{Deserialize, Serialize};

/// Periods of a half-life (`LOAD_AVG_PERIOD`).
const HALF_LIFE: u64 = 32;
/// The smallest divider of averages (`PELT_MIN_DIVIDER`).
pub(crate) const MIN_DIVIDER: u64 = MAX - 1_024;

/// `struct sched_avg`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Avg {
    /// Time of the last update, in ns of the averages' clock; 0 if it counts nowhere yet.
    pub(crate) last_update: u64,
    pub(crate) load_sum: u64,
    /// Sum of runnable time, times 1024.
    pub(crate) runnable_sum: u64,
    /// Sum of running time, times 1024.
    pub(crate) util_sum: u64,
    /// Units of the present period that are included.
    pub(crate) period_contrib: u64,
    pub(crate) load_avg: u64,
    pub(crate) runnable_avg: u64,
    pub(crate) util_avg: u64,
}

/// Load of entities that left a queue while they slept (`cfs_rq->removed`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Removed {
    /// Number of entities.
    pub(crate) nr: u32,
    pub(crate) load: u64,
    pub(crate) runnable: u64,
    pub(crate) util: u64,
}

impl Removed {
    /// Nothing.
    pub(crate) const NONE: Self = Self {
        nr: 0,
        load: 0,
        runnable: 0,
        util: 0,
    };
}

/// The amounts that an entity or a queue counts since its last update.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts {
    pub(crate) load: u64,
    pub(crate) runnable: u64,
    pub(crate) running: bool,
}

impl Counts {
    pub(crate) const NONE: Self = Self {
        load: 0,
        runnable: 0,
        running: false,
    };

    /// The amount that a unit of time adds to each sum.
    #[inline]
    pub(crate) fn factors(self) -> [u64; 3] {
        match self.load {
            0 => [0; 3],
            load => [load, self.runnable << 10, u64::from(self.running) << 10],
        }
    }
}

/// The amount that [`segments`] adds besides its first and last part when a single period has ended.
pub(crate) const ONE_PERIOD: u64 = MAX - fade(MAX) - 1_024;

/// [`decay_once`] of 32 bits.
#[inline]
pub(crate) const fn fade(value: u64) -> u64 {
    (value * Y) >> 32
}

/// `sum / divider`, without a division if the quotient is still `last`.
#[inline]
pub(crate) fn quotient(sum: u64, divider: u64, last: u64) -> u64 {
    match sum.checked_sub(last * divider) {
        Some(rest) if rest < divider => last,
        _ => sum / divider,
    }
}

/// The contribution of `periods` ended periods and of the present one: `first` units of the oldest, `last` of the
/// newest.
#[inline]
pub(crate) fn segments(periods: u64, first: u64, last: u64) -> u64 {
    decay(first, periods) + (MAX - decay(MAX, periods) - 1_024) + last
}

/// Time that an entity waited, as it changes its averages. Entities that were last updated at the same instant share
/// it, also on different CPUs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wait {
    /// The time of the last update before it, and units of the period then.
    from: (u64, u64),
    now: u64,
    /// The part of a sum that is left after it, times 2^32; `None` if [`Avg::advance`] must be used.
    fades: Option<u64>,
    contrib: u64,
    /// The same after it.
    to: (u64, u64),
}

impl Wait {
    /// No time.
    pub(crate) const NONE: Self = Self {
        from: (0, 0),
        now: 0,
        fades: None,
        contrib: 0,
        to: (0, 0),
    };

    /// The time from the last update of averages until now. Usually it is the one that was asked for before.
    #[inline]
    pub(crate) fn until(&mut self, now: u64, avg: &Avg) -> &Self {
        let from = (avg.last_update, avg.period_contrib);
        if (self.from, self.now) != (from, now) {
            *self = Self::new(from, now);
        }
        self
    }

    #[inline(never)]
    fn new(from: (u64, u64), now: u64) -> Self {
        let units = now.saturating_sub(from.0) >> 10;
        let reached = from.1 + units;
        let (periods, rest) = (reached >> 10, reached & 1_023);
        let none = Self {
            from,
            now,
            ..Self::NONE
        };
        if !(1..HALF_LIFE).contains(&periods) {
            return none;
        }
        Self {
            fades: Some(decay(1 << 32, periods)),
            contrib: segments(periods, 1_024 - from.1, rest),
            to: (from.0 + (units << 10), rest),
            ..none
        }
    }
}

impl Avg {
    /// It counts nowhere yet.
    pub(crate) const NEW: Self = Self {
        last_update: 0,
        load_sum: 0,
        runnable_sum: 0,
        util_sum: 0,
        period_contrib: 0,
        load_avg: 0,
        runnable_avg: 0,
        util_avg: 0,
    };

    /// [`Avg::advance`] and [`Avg::weigh`] of an entity that waited. Returns whether a period ended.
    #[inline]
    pub(crate) fn wait(&mut self, wait: &Wait, counts: Counts, weight: u64) -> bool {
        let narrow = (self.load_sum | self.runnable_sum | self.util_sum) >> 32 == 0;
        let Some(fades) = wait.fades.filter(|_| narrow) else {
            let ended = self.advance(wait.now, counts);
            if ended {
                self.weigh(weight);
            }
            return ended;
        };
        let [load, runnable, running] = counts.factors();
        let pass = |sum: u64, factor: u64| ((sum * fades) >> 32) + factor * wait.contrib;
        self.load_sum = pass(self.load_sum, load);
        self.runnable_sum = pass(self.runnable_sum, runnable);
        self.util_sum = pass(self.util_sum, running);
        (self.last_update, self.period_contrib) = wait.to;
        self.weigh(weight);
        true
    }

    /// The number by which a sum is divided to get an average.
    pub(crate) fn divider(&self) -> u64 {
        MIN_DIVIDER + self.period_contrib
    }

    /// Whether [`Avg::advance`] would change anything. Several hooks at the same instant call it.
    #[inline]
    pub(crate) fn is_behind(&self, now: u64) -> bool {
        now < self.last_update || now - self.last_update >= 1 << 10
    }

    /// Brings the sums up to `now` for an entity that counted this since the last update (no load if it was not
    /// queued). Returns whether a period ended: then the averages must be computed again.
    #[inline]
    pub(crate) fn advance(&mut self, now: u64, counts: Counts) -> bool {
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
            // By far the most frequent case, at ticks.
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

    /// Computes the averages from the sums; the load's with this weight.
    #[inline]
    pub(crate) fn weigh(&mut self, weight: u64) {
        let divider = self.divider();
        self.load_avg = quotient(weight * self.load_sum, divider, self.load_avg);
        self.runnable_avg = quotient(self.runnable_sum, divider, self.runnable_avg);
        self.util_avg = quotient(self.util_sum, divider, self.util_avg);
    }

    /// Keeps the sums from falling below the averages (`sub_positive` and similar functions round).
    pub(crate) fn mend(&mut self) {
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
    fn a_wait_is_an_update() {
        let mut wait = Wait::NONE;
        for value in [0, 1, 1_023, 47_742 << 10, 1 << 31, (1 << 32) - 1, 1 << 40] {
            for ms in 0..40 {
                let start = Avg {
                    last_update: PERIOD,
                    period_contrib: 37 * ms % 1_024,
                    load_sum: value / 1_024,
                    runnable_sum: value,
                    util_sum: value / 2,
                    ..Avg::default()
                };
                for counts in [Counts::NONE, RUNS] {
                    let now = PERIOD + ms * 1_000_000;
                    let (mut one, mut two) = (start, start);
                    let ended = one.advance(now, counts);
                    if ended {
                        one.weigh(9);
                    }
                    let wait = wait.until(now, &two);
                    assert_eq!((two.wait(wait, counts, 9), two), (ended, one));
                }
            }
        }
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
