//! Updates several averages together at each tick. The averages of the running entities and their queues have all been
//! updated at the same ticks. The factors of a tick are therefore equal for all of them, and are computed once.

use super::pelt::{Avg, Counts, MIN_DIVIDER, ONE_PERIOD, fade, quotient, segments};
use crate::linux::pelt::decay;
use crate::linux::ticks::EvenTicks;

/// The largest number of averages: entity and queue of two levels.
const MOST: usize = 4;
/// All sums: load, runnable and running time of each.
type Sums = [u64; 3 * MOST];

/// The sums of several averages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Together {
    /// Time of the last update, in ns of the averages' clock.
    last_update: u64,
    period_contrib: u64,
    sums: Sums,
    /// The amount that a unit of time adds to each sum.
    factors: Sums,
    n: usize,
    /// Sums and units at the last tick that ended a period, if others came after it.
    ended: Option<(Sums, u64)>,
    /// Whether the last tick ended a period.
    ends: bool,
}

impl Together {
    /// Contains no averages yet. Those that are added must be in step with this one.
    pub(super) fn in_step_with(avg: &Avg) -> Self {
        Self {
            last_update: avg.last_update,
            period_contrib: avg.period_contrib,
            sums: [0; 3 * MOST],
            factors: [0; 3 * MOST],
            n: 0,
            ended: None,
            ends: false,
        }
    }

    /// Adds an average; returns `None` if it is not in step with the others, or there are too many.
    #[inline]
    pub(super) fn add(&mut self, avg: &Avg, counts: Counts) -> Option<()> {
        let at = 3 * self.n;
        let in_step =
            (avg.last_update, avg.period_contrib) == (self.last_update, self.period_contrib);
        if !in_step || self.n == MOST {
            return None;
        }
        self.sums[at..at + 3].copy_from_slice(&[avg.load_sum, avg.runnable_sum, avg.util_sum]);
        self.factors[at..at + 3].copy_from_slice(&counts.factors());
        self.n += 1;
        Some(())
    }

    /// Does what [`Avg::advance`] does, for each average at each of the ticks. No tick may be before the last update.
    /// `at_tick` is called at each tick.
    #[inline]
    pub(super) fn go_through(&mut self, ticks: EvenTicks, mut at_tick: impl FnMut(&Self, u64)) {
        // Sums of at most 31 bits stay within 32 bits: they grow towards less than 2^16 times the factor.
        let bits = |all: u64, more: &u64| all | more;
        let largest = self.sums.iter().fold(0, bits) | self.factors.iter().fold(0, bits) << 16;
        let narrow = largest >> 31 == 0;
        let mut at = ticks.first();
        for _ in 0..ticks.n {
            let units = (at - self.last_update) >> 10;
            let reached = self.period_contrib + units;
            let (periods, rest) = (reached >> 10, reached & 1_023);
            self.last_update += units << 10;
            if narrow && periods == 1 {
                // By far the most frequent case.
                let contrib = fade(1_024 - self.period_contrib) + ONE_PERIOD + rest;
                for (sum, factor) in self.sums.iter_mut().zip(&self.factors) {
                    *sum = fade(*sum & LOW) + (*factor & LOW) * (contrib & LOW);
                }
                self.ends = true;
            } else {
                self.pass(periods, units, rest);
            }
            self.period_contrib = rest;
            at_tick(self, at);
            at += ticks.period;
        }
    }

    /// A tick after any number of periods, for sums of any size.
    #[inline(never)]
    fn pass(&mut self, periods: u64, units: u64, rest: u64) {
        let mut contrib = units;
        if periods > 0 {
            contrib = segments(periods, 1_024 - self.period_contrib, rest);
        } else if self.ends {
            self.ended = Some((self.sums, self.period_contrib));
        }
        for (sum, factor) in self.sums.iter_mut().zip(&self.factors) {
            *sum = decay(*sum, periods) + factor * contrib;
        }
        self.ends = periods > 0;
    }

    /// The load of an average as sum and divider, if a period has just ended.
    #[inline]
    pub(super) fn load(&self, i: usize) -> Option<(u64, u64)> {
        let divider = MIN_DIVIDER + self.period_contrib;
        self.ends.then_some((self.sums[3 * i], divider))
    }

    /// Stores one of the averages. Returns whether quotients were computed again (that of the load with a weight).
    #[inline]
    pub(super) fn store(&self, i: usize, avg: &mut Avg, weight: u64) -> bool {
        (avg.last_update, avg.period_contrib) = (self.last_update, self.period_contrib);
        let of = |sums: &Sums| [sums[3 * i], sums[3 * i + 1], sums[3 * i + 2]];
        [avg.load_sum, avg.runnable_sum, avg.util_sum] = of(&self.sums);
        let (sums, contrib) = match self.ended {
            _ if self.ends => (&self.sums, self.period_contrib),
            Some((ref sums, contrib)) => (sums, contrib),
            None => return false,
        };
        let ([load, runnable, util], divider) = (of(sums), MIN_DIVIDER + contrib);
        avg.load_avg = quotient(weight * load, divider, avg.load_avg);
        avg.runnable_avg = quotient(runnable, divider, avg.runnable_avg);
        avg.util_avg = quotient(util, divider, avg.util_avg);
        true
    }
}

/// A mask that shows the compiler that a number has at most 32 bits.
const LOW: u64 = 0xffff_ffff;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linux::pelt::MAX;
    use sim_ground::rng::Rng;

    /// At 1000 Hz, at one tick for each period, and at 250, 2000 and 10,000 Hz.
    #[test]
    fn ticks_in_a_row_are_ticks_one_by_one() {
        let mut rng = Rng::stream(4, "pelt 6.12", 0);
        for round in 0..6_000 {
            let period = [1_000_000, 1 << 20, 4_000_000, 500_000, 100_000][round % 5];
            let last_update = (1 << 30) + rng.below_u64(1 << 40);
            let period_contrib = rng.below_u64(1_024);
            let bits = [0, 12, 14, 37][round % 4];
            let mut start = || Avg {
                last_update,
                load_sum: rng.below_u64(MAX << bits),
                runnable_sum: rng.below_u64(MAX << 14),
                util_sum: rng.below_u64(MAX << 10),
                period_contrib,
                load_avg: 7,
                runnable_avg: 8,
                util_avg: 9,
            };
            let starts = [start(), start(), start(), start()];
            let counts = [(); MOST].map(|()| Counts {
                load: rng.below_u64(1 << [1, 12, 20][round % 3]),
                runnable: rng.below_u64(30),
                running: rng.below(2) == 0,
            });
            let n = 1 + rng.below_u64(40);
            let first = last_update + rng.below_u64(3 * period);
            let last = first + (n - 1) * period;

            let mut fast = Together::in_step_with(&starts[0]);
            for (avg, counts) in starts.iter().zip(counts) {
                fast.add(avg, counts).expect("they are in step");
            }
            let mut told = Vec::new();
            fast.go_through(EvenTicks { n, period, last }, |fast, at| {
                told.push((at, fast.load(1).map(|(sum, divider)| sum / divider)));
            });
            let mut expected = Vec::new();
            for (i, (start, counts)) in starts.into_iter().zip(counts).enumerate() {
                let (mut slow, weight) = (start, 1 + rng.below_u64(2_000));
                let mut ended = false;
                for k in 0..n {
                    let at = first + k * period;
                    let ends = slow.advance(at, counts);
                    if ends {
                        slow.weigh(weight);
                    }
                    ended |= ends;
                    if i == 1 {
                        let load = slow.load_sum / slow.divider();
                        expected.push((at, ends.then_some(load)));
                    }
                }
                let mut stored = start;
                assert_eq!(fast.store(i, &mut stored, weight), ended);
                assert_eq!(stored, slow, "{n} ticks of {period} ns");
            }
            assert_eq!(told, expected);
        }
    }

    #[test]
    fn averages_that_are_not_in_step_go_their_own_way() {
        let avg = Avg::default();
        let mut all = Together::in_step_with(&avg);
        let other = Avg {
            period_contrib: 1,
            ..avg
        };
        assert!(all.add(&other, Counts::NONE).is_none());
        for _ in 0..MOST {
            assert!(all.add(&avg, Counts::NONE).is_some());
        }
        assert!(
            all.add(&avg, Counts::NONE).is_none(),
            "that is one too many"
        );
    }
}
