//! Updates several averages at the same ticks. The averages of the running entities and of their queues have all been
//! updated at the same ticks before. What these ticks contribute is therefore equal for all of them, and is computed
//! once.

use super::pelt::{Avg, Counts, MIN_DIVIDER, ONE_PERIOD, fade, quotient};
use crate::linux::ticks::EvenTicks;

/// The largest number of ends of periods that are applied at once.
const MOST: usize = 4;

/// An end of a period.
#[derive(Clone, Copy, Debug, Default)]
struct End {
    /// What a unit of factor adds to a sum, after the sum has faded.
    contrib: u64,
    /// The divider of averages after the tick.
    divider: u64,
}

/// Consecutive ticks in the averages' clock, as they change averages. First come ticks that end no period, then ticks
/// that each end one, then again ticks that end none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steps {
    /// The time of the last update before them, and units of the period then.
    from: (u64, u64),
    ticks: EvenTicks,
    /// The ticks that were left when these were taken.
    of: EvenTicks,
    /// Whether the rest is known. Otherwise the ticks are applied one by one.
    known: bool,
    before: u64,
    /// Whether the first tick ends a period.
    ends_first: bool,
    ends: [End; MOST],
    n: usize,
    after: u64,
    /// The same after the ticks.
    to: (u64, u64),
}

/// What a running entity or the queue in which it runs counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Running {
    pub(crate) load: u64,
    pub(crate) runnable: u64,
}

impl Running {
    fn counts(self) -> Counts {
        Counts {
            load: self.load,
            runnable: self.runnable,
            running: true,
        }
    }

    /// Whether it counts, and sums stay within 32 bits: those of at most 31 bits grow towards less than 2^16 times the
    /// factor.
    #[inline]
    fn is_narrow(self, avg: &Avg) -> bool {
        let sums = avg.load_sum | avg.runnable_sum | avg.util_sum;
        (sums | self.load << 16 | self.runnable << 26) >> 31 == 0 && self.load > 0
    }

    /// Adds units of time to the sums.
    #[inline]
    fn add(self, sums: &mut [u64; 3], units: u64) {
        sums[0] += self.load * units;
        sums[1] += (self.runnable << 10) * units;
        sums[2] += units << 10;
    }
}

impl Steps {
    /// No ticks.
    pub(crate) const NONE: Self = {
        let none = EvenTicks {
            n: 0,
            period: 0,
            last: 0,
        };
        Self {
            from: (0, 0),
            ticks: none,
            of: none,
            known: false,
            before: 0,
            ends_first: false,
            ends: [End {
                contrib: 0,
                divider: 0,
            }; MOST],
            n: 0,
            after: 0,
            to: (0, 0),
        }
    };

    /// Takes the next of the ticks that are `left`, for averages that were last updated as this one. CPUs tick at the
    /// same instants, so these are often the ticks that were taken before.
    #[inline]
    pub(crate) fn take(&mut self, from: &Avg, left: &mut EvenTicks) {
        let from = (from.last_update, from.period_contrib);
        if self.from != from || self.of != *left {
            *self = Self::next(from, *left);
        }
        left.n -= self.ticks.n;
    }

    #[inline(never)]
    fn next(from: (u64, u64), left: EvenTicks) -> Self {
        let mut all = Self {
            from,
            ticks: left,
            of: left,
            known: true,
            to: from,
            ..Self::NONE
        };
        let mut at = left.first();
        for taken in 0..left.n {
            let units = (at - all.to.0) >> 10;
            let reached = all.to.1 + units;
            let (periods, rest) = (reached >> 10, reached & 1_023);
            if periods == 1 && all.after == 0 && all.n < MOST {
                let contrib = fade(1_024 - all.to.1) + ONE_PERIOD + rest;
                let divider = MIN_DIVIDER + rest;
                all.ends[all.n] = End { contrib, divider };
                all.n += 1;
                all.ends_first |= taken == 0;
            } else if periods == 0 && all.n == 0 {
                all.before += units;
            } else if periods == 0 {
                all.after += units;
            } else {
                all.known = taken > 0;
                if all.known {
                    all.ticks.n = taken;
                    all.ticks.last = at - left.period;
                }
                return all;
            }
            all.to = (all.to.0 + (units << 10), rest);
            at += left.period;
        }
        all
    }

    /// The load of a queue after the first tick.
    #[inline]
    pub(crate) fn first_load(&self, avg: &Avg, counts: Running) -> u64 {
        if !self.known || !counts.is_narrow(avg) {
            return self.first_of_any(*avg, counts);
        }
        if !self.ends_first {
            return avg.load_avg;
        }
        let sum = fade(avg.load_sum) + counts.load * self.ends[0].contrib;
        quotient(sum, self.ends[0].divider, avg.load_avg)
    }

    #[cold]
    fn first_of_any(&self, mut avg: Avg, counts: Running) -> u64 {
        if avg.advance(self.ticks.first(), counts.counts()) {
            avg.weigh(1);
        }
        avg.load_avg
    }

    /// Whether all loads of a queue at the ends of periods are in a range, from its first up to below its second.
    #[inline]
    pub(crate) fn stays_in(&self, avg: &Avg, counts: Running, range: (u64, u64)) -> bool {
        let mut sum = avg.load_sum + counts.load * self.before;
        self.known
            && counts.is_narrow(avg)
            && self.ends().iter().all(|end| {
                sum = fade(sum) + counts.load * end.contrib;
                sum >= range.0 * end.divider && sum < range.1 * end.divider
            })
    }

    #[inline]
    fn ends(&self) -> &[End] {
        &self.ends[..self.n]
    }

    /// Does what [`Avg::advance`] and [`Avg::weigh`] do at each of the ticks. Returns whether a period ended.
    #[inline(always)]
    pub(crate) fn apply(&self, avg: &mut Avg, counts: Running, weight: u64) -> bool {
        if !self.known || !counts.is_narrow(avg) {
            return self.apply_one_by_one(avg, counts, weight, |_, _| {});
        }
        let mut sums = [avg.load_sum, avg.runnable_sum, avg.util_sum];
        if self.before > 0 {
            counts.add(&mut sums, self.before);
        }
        for end in self.ends() {
            sums = sums.map(fade);
            counts.add(&mut sums, end.contrib);
        }
        (avg.last_update, avg.period_contrib) = self.to;
        let ended = self.ends().last();
        if let Some(&End { divider, .. }) = ended {
            avg.load_avg = quotient(weight * sums[0], divider, avg.load_avg);
            avg.runnable_avg = quotient(sums[1], divider, avg.runnable_avg);
            avg.util_avg = quotient(sums[2], divider, avg.util_avg);
        }
        if self.after > 0 {
            counts.add(&mut sums, self.after);
        }
        [avg.load_sum, avg.runnable_sum, avg.util_sum] = sums;
        ended.is_some()
    }

    /// The same for an average that may count as much as another, which is already updated: `from` has the sums of its
    /// runnable and running time before. If those are equal, only the load differs.
    #[inline(always)]
    pub(crate) fn apply_like(
        &self,
        avg: &mut Avg,
        counts: Running,
        weight: u64,
        (from, other, same): ([u64; 2], &Avg, Running),
    ) -> bool {
        let equal = [avg.runnable_sum, avg.util_sum] == from && counts.runnable == same.runnable;
        if !equal || !self.known || !counts.is_narrow(avg) {
            return self.apply(avg, counts, weight);
        }
        let mut sum = avg.load_sum + counts.load * self.before;
        for end in self.ends() {
            sum = fade(sum) + counts.load * end.contrib;
        }
        let ended = self.ends().last();
        if let Some(&End { divider, .. }) = ended {
            avg.load_avg = quotient(weight * sum, divider, avg.load_avg);
            (avg.runnable_avg, avg.util_avg) = (other.runnable_avg, other.util_avg);
        }
        avg.load_sum = sum + counts.load * self.after;
        (avg.runnable_sum, avg.util_sum) = (other.runnable_sum, other.util_sum);
        (avg.last_update, avg.period_contrib) = self.to;
        ended.is_some()
    }

    /// The same tick by tick. `at_end` is called at each tick that ends a period, with its time.
    #[inline(never)]
    pub(crate) fn apply_one_by_one(
        &self,
        avg: &mut Avg,
        counts: Running,
        weight: u64,
        mut at_end: impl FnMut(&Avg, u64),
    ) -> bool {
        let mut ended = false;
        let mut at = self.ticks.first();
        for _ in 0..self.ticks.n {
            if avg.advance(at, counts.counts()) {
                avg.weigh(weight);
                at_end(avg, at);
                ended = true;
            }
            at += self.ticks.period;
        }
        ended
    }
}

impl Avg {
    /// Whether this and others were last updated at the same time, not after `at`, and in the same part of a period.
    #[inline]
    pub(crate) fn is_in_step<const N: usize>(&self, others: [&Self; N], at: u64) -> bool {
        let apart = others.iter().fold(0, |apart, other| {
            let time = other.last_update ^ self.last_update;
            apart | time | (other.period_contrib ^ self.period_contrib)
        });
        apart == 0 && self.last_update != 0 && self.last_update <= at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linux::pelt::MAX;
    use sim_ground::rng::Rng;

    /// At 1000 Hz, at one tick for each period, and at 250, 2000 and 10,000 Hz.
    #[test]
    fn ticks_in_a_row_are_ticks_one_by_one() {
        let mut rng = Rng::stream(4, "pelt 6.12", 0);
        for round in 0..20_000 {
            let period = [1_000_000, 1 << 20, 4_000_000, 500_000, 100_000][round % 5];
            let last_update = (1 << 30) + rng.below_u64(1 << 40);
            let bits = [0, 12, 14, 37][round % 4];
            let start = Avg {
                last_update,
                load_sum: rng.below_u64(MAX << bits),
                runnable_sum: rng.below_u64(MAX << 14),
                util_sum: rng.below_u64(MAX << 10),
                period_contrib: rng.below_u64(1_024),
                load_avg: rng.below_u64(1 << bits),
                runnable_avg: 8,
                util_avg: 9,
            };
            let counts = Running {
                load: rng.below_u64(1 << [1, 12, 20][round % 3]),
                runnable: rng.below_u64(30),
            };
            let (n, weight) = (1 + rng.below_u64(40), 1 + rng.below_u64(2_000));
            let first = last_update + rng.below_u64(3 * period);
            let last = first + (n - 1) * period;

            let mut left = EvenTicks { n, period, last };
            let (mut fast, mut slow) = (start, start);
            let mut at = first;
            let mut steps = Steps::NONE;
            while left.n > 0 {
                let before = left.n;
                steps.take(&fast, &mut left);
                let first_load = steps.first_load(&fast, counts);
                let load = slow.load_sum / slow.divider();
                let range = (load - load / 64, load + load / 64 + 1);
                let stays = steps.stays_in(&fast, counts, range);
                let mut like = Avg {
                    load_sum: fast.load_sum / 2,
                    ..fast
                };
                let (mut alone, from) = (like, [like.runnable_sum, like.util_sum]);
                let ended = steps.apply(&mut fast, counts, weight);
                steps.apply(&mut alone, counts, 3);
                steps.apply_like(&mut like, counts, 3, (from, &fast, counts));
                assert_eq!(like, alone);
                let (mut also_ended, mut outside) = (false, false);
                for k in 0..before - left.n {
                    let ends = slow.advance(at, counts.counts());
                    if ends {
                        slow.weigh(weight);
                        let load = slow.load_sum / slow.divider();
                        outside |= load < range.0 || load >= range.1;
                    }
                    if k == 0 && ends {
                        assert_eq!(first_load, slow.load_sum / slow.divider());
                    }
                    also_ended |= ends;
                    at += period;
                }
                assert_eq!(
                    (fast, ended),
                    (slow, also_ended),
                    "{n} ticks of {period} ns"
                );
                assert!(!(stays && outside), "a report would be lost");
            }
        }
    }

    #[test]
    fn averages_that_are_not_in_step_go_their_own_way() {
        let avg = Avg {
            last_update: 1 << 30,
            ..Avg::default()
        };
        let contrib = Avg {
            period_contrib: 1,
            ..avg
        };
        let later = Avg {
            last_update: (1 << 30) + 1_024,
            ..avg
        };
        assert!(avg.is_in_step([&avg, &avg], 1 << 30));
        assert!(!avg.is_in_step([&avg, &contrib], 1 << 30));
        assert!(!avg.is_in_step([&later, &avg], 1 << 31));
        assert!(
            !avg.is_in_step([&avg], (1 << 30) - 1),
            "the tick was before"
        );
        assert!(
            !Avg::default().is_in_step([&Avg::default()], 1),
            "counts nowhere"
        );
    }
}
