//! Averages at several ticks in a row, with no other event between them. Results are those of [`Avg::advance`] at each
//! tick.
//!
//! In brief: a tick that ends no period only adds. A sum is therefore kept as its value at the end of the present
//! period, which changes only with periods. If something has run or waited for long, that value does not even change
//! then: decay and contribution balance each other. Such a sum is called steady. What depends on it ([`Follower`])
//! usually has nothing to do either.

use super::{Avg, INVERSE, MAX, decay_once};

/// Ticks in a row, each `units` after the one before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ticks {
    /// Number of ticks.
    n: u64,
    /// Units between two ticks: at most a period's.
    units: u64,
    /// Time of the last tick, in ns of the averages' clock.
    last: u64,
}

impl Ticks {
    /// `n` ticks, `period` ns apart, the last of them at `last`; `None` if more than one period may end between two
    /// ticks.
    pub(crate) fn new(n: u64, period: u64, last: u64) -> Option<Self> {
        let units = period >> 10;
        let fits = (1..=1_024).contains(&units);
        fits.then_some(Self { n, units, last })
    }

    /// Time of the last tick, in ns of the averages' clock.
    #[inline]
    pub(crate) fn last(self) -> u64 {
        self.last
    }

    /// These ticks and those that follow them.
    #[inline]
    pub(crate) fn and(self, later: Self) -> Self {
        let n = self.n + later.n;
        Self { n, ..later }
    }
}

/// A sum of contributions within a period: its value at the end of the period if nothing changes until then.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sum {
    at_end: u64,
    /// Contribution of a unit.
    weight: u64,
}

impl Sum {
    #[inline]
    fn new(sum: u64, weight: u64, contrib: u64) -> Self {
        let at_end = sum + weight * (1_024 - contrib);
        Self { at_end, weight }
    }

    /// Whether it has at most 32 bits however many periods end: it grows towards less than 2^16 times its weight.
    #[inline]
    fn is_narrow(self) -> bool {
        (self.at_end | (self.weight << 16)) >> 32 == 0
    }

    /// Whether it stays the same however many periods end.
    #[inline]
    fn is_steady(self) -> bool {
        let mut later = self;
        later.end_period::<false>();
        later.at_end == self.at_end
    }

    /// A period ends.
    #[inline]
    fn end_period<const NARROW: bool>(&mut self) {
        let decayed = if NARROW {
            (self.at_end * INVERSE[1]) >> 32
        } else {
            decay_once(self.at_end)
        };
        self.at_end = decayed + self.weight * 1_024;
    }

    /// Its value when `contrib` units of the period are included.
    #[inline]
    fn at(self, contrib: u64) -> u64 {
        self.at_end - self.weight * (1_024 - contrib)
    }

    /// Its average at that time.
    #[inline]
    pub(crate) fn average(self, contrib: u64) -> u64 {
        self.at(contrib) / MAX
    }

    /// How often in a row `less` units fewer can be included without another average.
    #[inline]
    fn same_average(self, contrib: u64, less: u64) -> u64 {
        let spare = self.at(contrib) % MAX;
        spare.checked_div(self.weight * less).unwrap_or(u64::MAX)
    }
}

/// Contribution of a unit of running time.
#[inline]
fn util_weight(running: bool) -> u64 {
    if running { 1 << 10 } else { 0 }
}

/// The sums of a queue at each of several ticks.
#[derive(Clone, Debug)]
pub(crate) struct QueueSums {
    /// The sum of all its entities.
    pub(crate) load: Sum,
    /// The sum of the entities that can run.
    pub(crate) runnable: Sum,
    util: Sum,
}

impl QueueSums {
    /// Whether none of them changes however many periods end.
    #[inline]
    fn are_steady(&self) -> bool {
        // Usually all entities of a queue can run.
        let runnable = self.runnable.at_end == self.load.at_end || self.runnable.is_steady();
        runnable && self.load.is_steady() && self.util.is_steady()
    }

    /// Ends a period. Returns whether anything has changed; sums that stay the same once never change again.
    #[inline]
    fn end_period(&mut self) -> bool {
        let ends = |s: &Self| (s.load.at_end, s.runnable.at_end, s.util.at_end);
        let before = ends(self);
        self.load.end_period::<false>();
        self.runnable.end_period::<false>();
        self.util.end_period::<false>();
        ends(self) != before
    }
}

/// What depends on an average of a queue, tick by tick.
pub(crate) trait Follower {
    /// The sum of that average.
    fn follows(sums: &QueueSums) -> Sum;

    /// Applies n ticks. If each of them ends a period, with the average, which is the same at all of them.
    fn ticks(&mut self, average: Option<u64>, n: u64);

    /// Applies ticks that each end a period, while the average goes in one direction from its first value to its last,
    /// if they change nothing. Returns whether it did so.
    fn stays(&mut self, first: u64, last: u64) -> bool;
}

impl Avg {
    /// Applies [`Avg::advance`] at each of the ticks. The first comes `units` after the last update.
    pub(crate) fn go_through(&mut self, ticks: Ticks, weight: u64, running: bool) {
        let mut load = Sum::new(self.load_sum, weight, self.period_contrib);
        let mut util = Sum::new(self.util_sum, util_weight(running), self.period_contrib);
        let units = self.period_contrib + ticks.n * ticks.units;
        let (periods, contrib) = (units / 1_024, units % 1_024);
        if load.is_narrow() && util.is_narrow() {
            if !load.is_steady() || !util.is_steady() {
                for _ in 0..periods {
                    load.end_period::<true>();
                    util.end_period::<true>();
                }
            }
        } else {
            for _ in 0..periods {
                load.end_period::<false>();
                util.end_period::<false>();
            }
        }
        self.load_sum = load.at(contrib);
        self.util_sum = util.at(contrib);
        if periods > 0 {
            // Averages are those at the last tick that ended a period: usually the last of all.
            if contrib >= ticks.units {
                let then = contrib % ticks.units;
                self.load_avg = load.average(then);
                self.util_avg = util.average(then);
            } else {
                self.load_avg = self.load_sum / MAX;
                self.util_avg = self.util_sum / MAX;
            }
        }
        self.period_contrib = contrib;
        self.last_update = ticks.last;
    }

    /// The same for a queue, which keeps a second sum and its average. Tells the follower each tick.
    #[inline]
    pub(crate) fn go_through_with<F: Follower>(
        &mut self,
        ticks: Ticks,
        weight: u64,
        running: bool,
        runnable: (&mut u64, &mut u64),
        follower: F,
    ) {
        let contrib = self.period_contrib;
        let sums = QueueSums {
            load: Sum::new(self.load_sum, weight, contrib),
            runnable: Sum::new(*runnable.0, weight, contrib),
            util: Sum::new(self.util_sum, util_weight(running), contrib),
        };
        if sums.are_steady() {
            self.steady_queue_goes_through(ticks, &sums, runnable, follower);
        } else {
            self.queue_goes_through(ticks, sums, runnable, follower);
        }
    }

    /// The usual case: sums that stay the same at the end of each period.
    #[inline]
    fn steady_queue_goes_through<F: Follower>(
        &mut self,
        ticks: Ticks,
        sums: &QueueSums,
        runnable: (&mut u64, &mut u64),
        mut follower: F,
    ) {
        let sum = F::follows(sums);
        // At a tick that ends a period, so many units fewer are included than before.
        let loss = 1_024 - ticks.units;
        let (mut left, mut contrib, mut last_end) = (ticks.n, self.period_contrib, None);
        loop {
            let all = left * loss <= contrib;
            let ends = if all { left } else { contrib / loss };
            if ends > 0 {
                let last = contrib - ends * loss;
                // Between these ticks the average goes in one direction.
                if !follower.stays(sum.average(contrib - loss), sum.average(last)) {
                    let mut more = ends;
                    while more > 0 {
                        contrib -= loss;
                        let others = sum.same_average(contrib, loss).min(more - 1);
                        follower.ticks(Some(sum.average(contrib)), others + 1);
                        contrib -= others * loss;
                        more -= others + 1;
                    }
                }
                (contrib, last_end) = (last, Some(last));
            }
            if all {
                break;
            }
            // This tick ends no period.
            follower.ticks(None, 1);
            contrib += ticks.units;
            left -= ends + 1;
        }
        self.take(ticks, sums, runnable, contrib, last_end);
    }

    #[inline(never)]
    fn queue_goes_through<F: Follower>(
        &mut self,
        ticks: Ticks,
        mut sums: QueueSums,
        runnable: (&mut u64, &mut u64),
        mut follower: F,
    ) {
        let mut contrib = self.period_contrib;
        let (mut last_end, mut changes) = (None, true);
        for _ in 0..ticks.n {
            contrib += ticks.units;
            if contrib < 1_024 {
                follower.ticks(None, 1);
                continue;
            }
            contrib -= 1_024;
            last_end = Some(contrib);
            changes = changes && sums.end_period();
            follower.ticks(Some(F::follows(&sums).average(contrib)), 1);
        }
        self.take(ticks, &sums, runnable, contrib, last_end);
    }

    /// Takes over the sums of a queue after all ticks. `last_end`: the units of the period at the last tick that ended
    /// one.
    #[inline]
    fn take(
        &mut self,
        ticks: Ticks,
        sums: &QueueSums,
        runnable: (&mut u64, &mut u64),
        contrib: u64,
        last_end: Option<u64>,
    ) {
        self.load_sum = sums.load.at(contrib);
        self.util_sum = sums.util.at(contrib);
        *runnable.0 = sums.runnable.at(contrib);
        match last_end {
            // Usually the last tick ended a period.
            Some(then) if then == contrib => {
                self.load_avg = self.load_sum / MAX;
                self.util_avg = self.util_sum / MAX;
                *runnable.1 = *runnable.0 / MAX;
            }
            Some(then) => {
                self.load_avg = sums.load.average(then);
                self.util_avg = sums.util.average(then);
                *runnable.1 = sums.runnable.average(then);
            }
            None => {}
        }
        self.period_contrib = contrib;
        self.last_update = ticks.last;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_ground::rng::Rng;

    const PERIOD: u64 = 1 << 20;

    /// Hears of a queue's average as long as it differs by more than a 64th from the last that it heard.
    struct Listener {
        heard: u64,
        news: Vec<u64>,
        skipped: bool,
    }

    impl Listener {
        fn is_news(&self, average: u64) -> bool {
            average.abs_diff(self.heard) > self.heard / 64
        }
    }

    impl Follower for &mut Listener {
        fn follows(sums: &QueueSums) -> Sum {
            sums.runnable
        }

        fn ticks(&mut self, average: Option<u64>, _: u64) {
            if let Some(average) = average.filter(|a| self.is_news(*a)) {
                self.heard = average;
                self.news.push(average);
            }
        }

        fn stays(&mut self, first: u64, last: u64) -> bool {
            let stays = !self.is_news(first) && !self.is_news(last);
            self.skipped |= stays;
            stays
        }
    }

    /// Compares both ways of applying several ticks with one tick after the other.
    #[test]
    fn ticks_in_a_row_are_ticks_one_by_one() {
        let mut rng = Rng::stream(4, "pelt", 0);
        let mut skipped = 0;
        for round in 0..4_000 {
            // 1000 Hz, a tick for each period, 2000 and 10,000 Hz.
            let period = [1_000_000, 1_048_576, 500_000, 100_000][round % 4];
            let n = 1 + rng.below_u64(40);
            let from = (1 << 30) + rng.below_u64(1 << 40);
            let mut start = Avg {
                last_update: from,
                load_sum: rng.below_u64(MAX << [10, 22, 30][round % 3]),
                util_sum: rng.below_u64(MAX << 10),
                period_contrib: rng.below_u64(1_024),
                load_avg: 7,
                util_avg: 9,
            };
            let weight = rng.below_u64(1 << [11, 17][round % 2]);
            let running = rng.below(2) == 0;
            let later = |i: u64| from + i * period;
            let ticks = Ticks::new(n, period, later(n)).expect("short ticks");

            let (mut fast, mut slow) = (start, start);
            fast.go_through(ticks, weight, running);
            for i in 1..=n {
                slow.advance(later(i), weight, running, None);
            }
            assert_eq!(fast, slow, "{n} ticks of {period} ns");

            let mut second = rng.below_u64(MAX << 11);
            if round % 3 == 0 {
                // Until the sums stay the same.
                for _ in 0..2_000 {
                    let next = start.last_update + PERIOD;
                    start.advance(next, weight, running, Some(&mut second));
                }
                start.last_update = from;
            }
            let (mut fast, mut slow) = (start, start);
            let (mut fast_second, mut slow_second) = ((second, 5), (second, 5));
            let heard = second / MAX;
            let listener = || Listener {
                heard,
                news: Vec::new(),
                skipped: false,
            };
            let (mut told, mut expected) = (listener(), listener());
            let (sum, avg) = (&mut fast_second.0, &mut fast_second.1);
            fast.go_through_with(ticks, weight, running, (sum, avg), &mut told);
            for i in 1..=n {
                let ended = slow.advance(later(i), weight, running, Some(&mut slow_second.0));
                if ended {
                    slow_second.1 = slow_second.0 / MAX;
                }
                (&mut expected).ticks(ended.then_some(slow_second.1), 1);
            }
            assert_eq!((fast, fast_second), (slow, slow_second));
            assert_eq!(told.news, expected.news);
            skipped += u32::from(told.skipped);
        }
        assert!(skipped > 1_000, "{skipped} rounds of 4000");
        assert!(Ticks::new(1, 4_000_000, 0).is_none(), "250 Hz");
    }
}
