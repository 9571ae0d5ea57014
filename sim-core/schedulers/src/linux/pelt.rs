//! Per-entity load tracking (4.9): geometric averages of runnable and running time.
//!
//! | item | kernel @ 4.9 |
//! |---|---|
//! | [`Avg::advance`]; [`together`] for several ticks | `__update_load_avg` |
//! | [`decay`] | `decay_load` |
//! | [`contribution`] | `__compute_runnable_contrib` |
//!
//! A period is 1024 µs of 1024 ns units. A contribution halves after 32 periods. One quirk is kept: the remainder below
//! 1024 ns is lost at each update.

mod together;

use serde::{Deserialize, Serialize};
pub(crate) use together::{Follower, QueueSums, Sum, Ticks};

/// The limit of the sum of contributions (`LOAD_AVG_MAX`).
pub(crate) const MAX: u64 = 47_742;
/// Periods after which the sum is saturated (`LOAD_AVG_MAX_N`).
const MAX_N: usize = 345;
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

/// What is left of a contribution after some periods: `y^n`, as a shift and a factor of 32 bits.
#[derive(Clone, Copy)]
struct Decay {
    shift: u64,
    factor: u64,
}

impl Decay {
    /// After n periods, n > 0.
    #[inline]
    fn after(n: u64) -> Self {
        // After so long nothing is left but of numbers larger than any sum.
        Self {
            shift: (n / HALF_LIFE).min(63),
            factor: INVERSE[usize::try_from(n % HALF_LIFE).unwrap_or(0)],
        }
    }

    #[inline]
    fn of(self, value: u64) -> u64 {
        let value = value >> self.shift;
        // Usually both numbers have at most 32 bits.
        if value >> 32 == 0 {
            return (value * self.factor) >> 32;
        }
        let decayed = (u128::from(value) * u128::from(self.factor)) >> 32;
        u64::try_from(decayed).unwrap_or(0)
    }
}

/// `value × y^n` (`decay_load`).
pub(crate) fn decay(value: u64, n: u64) -> u64 {
    if n == 0 {
        value
    } else {
        Decay::after(n).of(value)
    }
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

/// The contribution of n whole periods in a row, n ≤ [`MAX_N`].
static CONTRIBUTIONS: [u64; MAX_N + 1] = {
    let mut all = [0; MAX_N + 1];
    // Of the whole half-lives before: each sum is half the one before, plus a half-life.
    let (mut whole, mut n) = (0, 0);
    while n <= MAX_N {
        let rest = n % INVERSE.len();
        if rest == 0 && n > 0 {
            whole = whole / 2 + SUMS[32];
        }
        let decayed = if rest == 0 {
            whole
        } else {
            (whole * INVERSE[rest]) >> 32
        };
        all[n] = decayed + SUMS[rest];
        n += 1;
    }
    all
};

/// The contribution of n whole periods in a row.
#[inline]
fn contribution(n: u64) -> u64 {
    let known = usize::try_from(n).ok().and_then(|n| CONTRIBUTIONS.get(n));
    known.copied().unwrap_or(MAX)
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
    #[inline]
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
        // An earlier time is far behind, too.
        now.wrapping_sub(self.last_update) >= 1 << 10
    }

    // Compiled twice: for entities, and for queues, which keep a second sum.
    #[inline(always)]
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
            let decay = Decay::after(periods + 1);
            let add = |sum, first, rest| decay.of(sum + first) + rest;
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

#[cfg(test)]
mod tests {
    use super::*;

    const PERIOD: u64 = 1 << 20;

    #[test]
    fn the_tables_are_those_of_the_constants() {
        assert_eq!(SUMS[1], 1_002);
        assert_eq!(SUMS[32], 23_371);
        assert_eq!(contribution(346), MAX);
        assert!(contribution(345) <= MAX);
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
