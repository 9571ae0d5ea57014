//! Per-entity load tracking (4.9): geometric averages of runnable and running time.
//!
//! | item | kernel @ 4.9 |
//! |---|---|
//! | [`Avg::advance`], [`Avg::go_through`], [`Ticks`] | `__update_load_avg` |
//! | [`decay`] | `decay_load` |
//! | [`contribution`] | `__compute_runnable_contrib` |
//!
//! A period is 1024 µs of 1024 ns units. A contribution halves after 32 periods. One quirk is kept: the remainder below
//! 1024 ns is lost at each update.

use serde::{Deserialize, Serialize};

/// The limit of the sum of contributions (`LOAD_AVG_MAX`).
pub(crate) const MAX: u64 = 47_742;
/// Periods after which the sum is saturated (`LOAD_AVG_MAX_N`).
const MAX_N: u64 = 345;
/// Periods of a half-life (`LOAD_AVG_PERIOD`).
const HALF_LIFE: u64 = 32;

/// `(2^32 - 1) × 2^(-n/32)`, rounded down (`runnable_avg_yN_inv`).
const INVERSE: [u64; 32] = [
    0xffff_ffff,
    0xfa83_b2da,
    0xf525_7d14,
    0xefe4_b99a,
    0xeac0_c6e6,
    0xe5b9_06e6,
    0xe0cc_deeb,
    0xdbfb_b796,
    0xd744_fcc9,
    0xd2a8_1d91,
    0xce24_8c14,
    0xc9b9_bd85,
    0xc567_2a10,
    0xc12c_4cc9,
    0xbd08_a39e,
    0xb8fb_af46,
    0xb504_f333,
    0xb123_f581,
    0xad58_3ee9,
    0xa9a1_5ab4,
    0xa5fe_d6a9,
    0xa270_4302,
    0x9ef5_325f,
    0x9b8d_39b9,
    0x9837_f050,
    0x94f4_efa8,
    0x91c3_d373,
    0x8ea4_398a,
    0x8b95_c1e3,
    0x8898_0e80,
    0x85aa_c367,
    0x82cd_8698,
];

/// The part of a contribution that is left after a period, times 2^32.
pub(crate) const Y: u64 = INVERSE[1];

/// Sum of the contributions of n whole periods, n ≤ 32 (`runnable_avg_yN_sum`).
const SUMS: [u64; 33] = {
    let mut sums = [0; 33];
    let mut n = 1;
    while n < sums.len() {
        sums[n] = ((sums[n - 1] + 1_024) * INVERSE[1]) >> 32;
        n += 1;
    }
    sums
};

/// `value × y^n` (`decay_load`).
pub(crate) fn decay(value: u64, n: u64) -> u64 {
    if n == 0 {
        return value;
    }
    if n > HALF_LIFE * 63 {
        return 0;
    }
    let value = value >> (n / HALF_LIFE);
    let inverse = INVERSE[usize::try_from(n % HALF_LIFE).unwrap_or(0)];
    // Usually both numbers have at most 32 bits.
    if value >> 32 == 0 {
        return (value * inverse) >> 32;
    }
    let decayed = (u128::from(value) * u128::from(inverse)) >> 32;
    u64::try_from(decayed).unwrap_or(0)
}

/// The same for n = 1.
#[inline]
pub(crate) fn decay_once(value: u64) -> u64 {
    if value >> 32 == 0 {
        (value * INVERSE[1]) >> 32
    } else {
        decay(value, 1)
    }
}

/// The contribution of n whole periods in a row.
fn contribution(n: u64) -> u64 {
    if n <= HALF_LIFE {
        return SUMS[usize::try_from(n).unwrap_or(0)];
    }
    if n > MAX_N {
        return MAX;
    }
    // Sums of whole half-lives: each is half the one before, plus a half-life.
    let mut sum = 0;
    for _ in 0..n / HALF_LIFE {
        sum = sum / 2 + SUMS[32];
    }
    let rest = n % HALF_LIFE;
    decay(sum, rest) + SUMS[usize::try_from(rest).unwrap_or(0)]
}

/// Averages of an entity or of a queue (`struct sched_avg`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Avg {
    /// Time of the last update, in ns of the averages' clock; 0 after a migration.
    pub(crate) last_update: u64,
    /// Weighted runnable time.
    pub(crate) load_sum: u64,
    /// Running time, times 1024.
    pub(crate) util_sum: u64,
    /// Units of the present period that are included.
    pub(crate) period_contrib: u64,
    /// `load_sum` over [`MAX`].
    pub(crate) load_avg: u64,
    /// `util_sum` over [`MAX`]: 0 to 1024.
    pub(crate) util_avg: u64,
}

impl Avg {
    /// Brings the averages up to `now` for an entity or queue that was runnable with `weight` (unscaled; 0 if it was
    /// not), and running or not. `runnable` is the second sum that queues keep. Returns whether a period ended.
    #[cfg_attr(not(target_arch = "wasm32"), inline)]
    pub(crate) fn advance(
        &mut self,
        now: u64,
        weight: u64,
        running: bool,
        runnable: Option<&mut u64>,
    ) -> bool {
        self.is_behind(now) && self.go_on(now, weight, running, runnable)
    }

    /// Whether [`Avg::advance`] would change anything. Several hooks at the same instant call it.
    #[inline]
    pub(crate) fn is_behind(&self, now: u64) -> bool {
        now < self.last_update || now - self.last_update >= 1 << 10
    }

    // Compiled twice where code may be large: for entities, and for queues, which keep a second sum.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn go_on(&mut self, now: u64, weight: u64, running: bool, runnable: Option<&mut u64>) -> bool {
        let Some(delta) = now.checked_sub(self.last_update) else {
            self.last_update = now;
            return false;
        };
        self.last_update = now;
        let units = delta >> 10;
        let load = |units| weight * units;
        let util = |units| if running { units << 10 } else { 0 };
        let first = 1_024 - self.period_contrib;
        if units < first {
            self.load_sum += load(units);
            self.util_sum += util(units);
            if let Some(sum) = runnable {
                *sum += load(units);
            }
            self.period_contrib += units;
            return false;
        }
        let rest = units - first;
        if rest < 1_024 {
            // One period has ended: the usual case at a tick of 1 ms.
            let add = |sum, first, rest| decay_once(sum + first) + rest;
            self.load_sum = add(self.load_sum, load(first), load(rest));
            self.util_sum = add(self.util_sum, util(first), util(rest));
            if let Some(sum) = runnable {
                *sum = add(*sum, load(first), load(rest));
            }
            self.period_contrib = rest;
        } else {
            let (periods, rest) = (rest / 1_024, rest % 1_024);
            let between = contribution(periods) + rest;
            let add = |sum, first, rest| decay(sum + first, periods + 1) + rest;
            self.load_sum = add(self.load_sum, load(first), load(between));
            self.util_sum = add(self.util_sum, util(first), util(between));
            if let Some(sum) = runnable {
                *sum = add(*sum, load(first), load(between));
            }
            self.period_contrib = rest;
        }
        self.load_avg = self.load_sum / MAX;
        self.util_avg = self.util_sum / MAX;
        true
    }
}

/// Ticks in a row, each `units` after the one before, with no other event between them. The result is that of
/// [`Avg::advance`] at each tick, without the tests between ticks.
///
/// In brief: a tick that ends no period only adds. A sum is therefore kept as its value at the end of the present
/// period, which changes only with periods.
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

    /// A period ends.
    #[inline]
    fn end_period<const NARROW: bool>(&mut self) {
        let decayed = if NARROW {
            (self.at_end * INVERSE[1]) >> 32
        } else {
            decay(self.at_end, 1)
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
}

/// Contribution of a unit of running time.
#[inline]
fn util_weight(running: bool) -> u64 {
    if running { 1 << 10 } else { 0 }
}

/// The sums of a queue at each of several ticks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueueSums {
    /// The sum of all its entities.
    pub(crate) load: Sum,
    /// The sum of the entities that can run.
    pub(crate) runnable: Sum,
    util: Sum,
}

impl QueueSums {
    /// Ends a period. Returns whether anything has changed; sums that stay the same once never change again.
    #[inline]
    fn end_period<const NARROW: bool>(&mut self) -> bool {
        let ends = |s: &Self| (s.load.at_end, s.runnable.at_end, s.util.at_end);
        let before = ends(self);
        self.load.end_period::<NARROW>();
        self.runnable.end_period::<NARROW>();
        self.util.end_period::<NARROW>();
        ends(self) != before
    }
}

impl Avg {
    /// Applies [`Avg::advance`] at each of the ticks. The first comes `units` after the last update.
    pub(crate) fn go_through(&mut self, ticks: Ticks, weight: u64, running: bool) {
        let mut load = Sum::new(self.load_sum, weight, self.period_contrib);
        let mut util = Sum::new(self.util_sum, util_weight(running), self.period_contrib);
        let units = self.period_contrib + ticks.n * ticks.units;
        let (periods, contrib) = (units / 1_024, units % 1_024);
        if load.is_narrow() && util.is_narrow() {
            for _ in 0..periods {
                load.end_period::<true>();
                util.end_period::<true>();
            }
        } else {
            for _ in 0..periods {
                load.end_period::<false>();
                util.end_period::<false>();
            }
        }
        if periods > 0 {
            // Averages are those at the last tick that ended a period.
            let mut then = contrib;
            while then >= ticks.units {
                then -= ticks.units;
            }
            self.load_avg = load.average(then);
            self.util_avg = util.average(then);
        }
        self.load_sum = load.at(contrib);
        self.util_sum = util.at(contrib);
        self.period_contrib = contrib;
        self.last_update = ticks.last;
    }

    /// The same for a queue, which keeps a second sum and its average. `at_tick` is called at each tick with whether a
    /// period has ended, the sums, and the units of the period that are included.
    #[inline]
    pub(crate) fn go_through_with(
        &mut self,
        ticks: Ticks,
        weight: u64,
        running: bool,
        runnable: (&mut u64, &mut u64),
        at_tick: impl FnMut(bool, &QueueSums, u64),
    ) {
        let contrib = self.period_contrib;
        let sums = QueueSums {
            load: Sum::new(self.load_sum, weight, contrib),
            runnable: Sum::new(*runnable.0, weight, contrib),
            util: Sum::new(self.util_sum, util_weight(running), contrib),
        };
        if sums.load.is_narrow() && sums.runnable.is_narrow() && sums.util.is_narrow() {
            self.queue_goes_through::<true>(ticks, sums, runnable, at_tick);
        } else {
            self.queue_goes_through::<false>(ticks, sums, runnable, at_tick);
        }
    }

    #[inline]
    fn queue_goes_through<const NARROW: bool>(
        &mut self,
        ticks: Ticks,
        mut sums: QueueSums,
        runnable: (&mut u64, &mut u64),
        mut at_tick: impl FnMut(bool, &QueueSums, u64),
    ) {
        let mut contrib = self.period_contrib;
        let (mut last_end, mut changes) = (None, true);
        for _ in 0..ticks.n {
            contrib += ticks.units;
            let ends = contrib >= 1_024;
            if ends {
                contrib -= 1_024;
                last_end = Some(contrib);
                changes = changes && sums.end_period::<NARROW>();
            }
            at_tick(ends, &sums, contrib);
        }
        if let Some(then) = last_end {
            self.load_avg = sums.load.average(then);
            self.util_avg = sums.util.average(then);
            *runnable.1 = sums.runnable.average(then);
        }
        self.load_sum = sums.load.at(contrib);
        self.util_sum = sums.util.at(contrib);
        *runnable.0 = sums.runnable.at(contrib);
        self.period_contrib = contrib;
        self.last_update = ticks.last;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_ground::rng::Rng;

    /// Compares both ways of applying several ticks with one tick after the other.
    #[test]
    fn ticks_in_a_row_are_ticks_one_by_one() {
        let mut rng = Rng::stream(4, "pelt", 0);
        for round in 0..4_000 {
            // 1000 Hz, a tick for each period, 2000 and 10,000 Hz.
            let period = [1_000_000, 1_048_576, 500_000, 100_000][round % 4];
            let n = 1 + rng.below_u64(40);
            let from = (1 << 30) + rng.below_u64(1 << 40);
            let start = Avg {
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

            let (mut fast, mut slow) = (start, start);
            let second = rng.below_u64(MAX << 11);
            let (mut fast_second, mut slow_second) = ((second, 5), (second, 5));
            let (mut told, mut expected) = (Vec::new(), Vec::new());
            let (sum, avg) = (&mut fast_second.0, &mut fast_second.1);
            fast.go_through_with(ticks, weight, running, (sum, avg), |ends, sums, contrib| {
                let averages = (sums.load.average(contrib), sums.runnable.average(contrib));
                told.push(ends.then_some(averages));
            });
            for i in 1..=n {
                let ended = slow.advance(later(i), weight, running, Some(&mut slow_second.0));
                if ended {
                    slow_second.1 = slow_second.0 / MAX;
                }
                expected.push(ended.then_some((slow.load_avg, slow_second.1)));
            }
            assert_eq!((fast, fast_second), (slow, slow_second));
            assert_eq!(told, expected);
        }
        assert!(Ticks::new(1, 4_000_000, 0).is_none(), "250 Hz");
    }

    const PERIOD: u64 = 1 << 20;

    #[test]
    fn the_tables_are_those_of_the_constants() {
        assert_eq!(SUMS[1], 1_002);
        assert_eq!(SUMS[32], 23_371);
        assert_eq!(contribution(MAX_N + 1), MAX);
        assert!(contribution(MAX_N) <= MAX);
        // y^32 = 1/2.
        assert!(decay(1 << 30, 32).abs_diff(1 << 29) <= 1);
        let step = (1 << 30, 0);
        let (by_one, _) = (0..32).fold(step, |(x, n), _| (decay(x, 1), n));
        assert!(by_one.abs_diff(1 << 29) < 64, "{by_one}");
    }

    #[test]
    fn a_hog_from_zero_and_a_sleeper_from_the_limit() {
        let expected = [
            (1, 21),
            (2, 42),
            (4, 83),
            (8, 159),
            (16, 293),
            (32, 501),
            (64, 752),
        ];
        for (periods, load) in expected {
            let mut avg = Avg {
                last_update: PERIOD,
                ..Avg::default()
            };
            for i in 1..=periods {
                avg.advance((1 + i) * PERIOD, 1_024, true, None);
            }
            assert_eq!(
                (avg.load_avg, avg.util_avg),
                (load, load),
                "{periods} periods"
            );
        }
        let expected = [(1, 981), (8, 843), (32, 501), (64, 250), (400, 0)];
        for (periods, load) in expected {
            let mut avg = Avg {
                last_update: PERIOD,
                ..Avg::default()
            };
            for i in 1..=400 {
                avg.advance((1 + i) * PERIOD, 1_024, true, None);
            }
            assert_eq!(avg.load_avg, 1_002, "at the limit");
            avg.advance((401 + periods) * PERIOD, 0, false, None);
            assert_eq!(avg.load_avg, load, "asleep for {periods} periods");
        }
    }

    #[test]
    fn many_periods_at_once_are_nearly_the_same_as_one_by_one() {
        let mut once = Avg::default();
        let mut often = Avg::default();
        for i in 1..=100 {
            often.advance(i * PERIOD, 1_024, true, None);
        }
        once.advance(100 * PERIOD, 1_024, true, None);
        assert!(once.load_avg.abs_diff(often.load_avg) <= 2);
    }
}
