//! Simulated time, in integer nanoseconds.

use serde::{Deserialize, Serialize};
use std::ops::{Add, AddAssign, Sub};

/// A point in simulated time, in ns since the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SimTime(pub u64);

/// A length of simulated time in ns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SimSpan(pub u64);

impl SimTime {
    /// The start of every run.
    pub const ZERO: Self = Self(0);
    /// A time after every event.
    pub const NEVER: Self = Self(u64::MAX);

    /// Time since `earlier`; zero if `earlier` is later.
    #[must_use]
    #[inline]
    pub fn since(self, earlier: Self) -> SimSpan {
        SimSpan(self.0.saturating_sub(earlier.0))
    }
}

impl Add<SimSpan> for SimTime {
    type Output = Self;
    #[inline]
    fn add(self, span: SimSpan) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}

impl AddAssign<SimSpan> for SimSpan {
    fn add_assign(&mut self, other: SimSpan) {
        self.0 += other.0;
    }
}

impl Sub<SimSpan> for SimSpan {
    type Output = Self;
    fn sub(self, other: SimSpan) -> Self {
        Self(self.0 - other.0)
    }
}

/// Nanoseconds of a second.
const SECOND: u64 = 1_000_000_000;

/// The ticks of one clock on one CPU: tick k lies k / hz seconds after the phase, for k = 1, 2, … (also for k = 0 if
/// the phase is not 0: there is no tick at time 0).
///
/// Each tick is the exact fraction of a second, rounded down once to whole ns. Clocks of different rates therefore meet
/// where their fractions are equal, however long the run. A clock that is set anew by a whole number of ns at each tick
/// has ticks that far apart instead. A clock without its own timer ticks at the first interrupt of
/// the shared timer at or after the fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TickGrid {
    /// Offset of the grid in ns, less than the period.
    pub phase: u64,
    /// No two ticks are closer than this, in ns.
    pub period: u64,
    /// Ticks per second.
    hz: u32,
    /// Interrupts per second of the timer that drives the clock, if it drives others too; else 0.
    timer_hz: u32,
    /// Whether the period is a whole number of ns, so that tick k needs no division.
    even: bool,
}

/// Position of the last instant k / hz at or before a time, in ns since k = 0.
#[inline]
fn position(hz: u32, since: u64) -> u64 {
    // Beyond the length of any run; the result is still later than every event.
    since
        .saturating_add(1)
        .saturating_mul(u64::from(hz))
        .saturating_sub(1)
        / SECOND
}

/// The instant k / hz, in ns since k = 0.
#[inline]
fn instant(hz: u32, k: u64) -> u64 {
    k.saturating_mul(SECOND) / u64::from(hz)
}

/// The whole number of ns nearest to the time between two ticks of `hz` a second (`TICK_NSEC` of Linux).
#[must_use]
pub const fn nearest_period(hz: u32) -> u64 {
    (SECOND + hz as u64 / 2) / hz as u64
}

impl TickGrid {
    /// A clock of `hz` ticks per second.
    #[must_use]
    pub const fn new(phase: u64, hz: u32) -> Self {
        Self {
            phase,
            period: SECOND / hz as u64,
            hz,
            timer_hz: 0,
            even: SECOND.is_multiple_of(hz as u64),
        }
    }

    /// A clock whose ticks are a whole number of ns apart, the nearest to `hz` ticks per second.
    #[must_use]
    pub const fn whole(phase: u64, hz: u32) -> Self {
        Self {
            phase,
            period: nearest_period(hz),
            hz,
            timer_hz: 0,
            even: true,
        }
    }

    /// A clock of `hz` ticks per second that counts the interrupts of a timer, `timer_hz` per second.
    #[must_use]
    pub const fn counted(phase: u64, hz: u32, timer_hz: u32) -> Self {
        let interrupts = (timer_hz / hz) as u64;
        Self {
            phase,
            period: interrupts * SECOND / timer_hz as u64,
            hz,
            timer_hz,
            even: false,
        }
    }

    /// Number of the last tick at or before a time, `since` ns after the phase.
    #[inline]
    fn number(&self, since: u64) -> u64 {
        if self.even {
            return since / self.period;
        }
        if self.timer_hz == 0 {
            return position(self.hz, since);
        }
        position(self.timer_hz, since) * u64::from(self.hz) / u64::from(self.timer_hz)
    }

    /// The time of tick k.
    #[must_use]
    #[inline]
    pub fn tick(&self, k: u64) -> SimTime {
        let after = if self.even {
            k.saturating_mul(self.period)
        } else if self.timer_hz == 0 {
            instant(self.hz, k)
        } else {
            let interrupt = (k * u64::from(self.timer_hz)).div_ceil(u64::from(self.hz));
            instant(self.timer_hz, interrupt)
        };
        SimTime(self.phase.saturating_add(after))
    }

    /// Whether all ticks are the same whole number of ns apart.
    #[must_use]
    #[inline]
    pub fn is_even(&self) -> bool {
        self.even
    }

    /// Number of the first tick after `t`; the one at the phase has number 0.
    #[must_use]
    #[inline]
    pub fn number_after(&self, t: SimTime) -> u64 {
        if t.0 < self.phase {
            return 0;
        }
        self.number(t.0 - self.phase) + 1
    }

    /// The first tick after `t`.
    #[must_use]
    pub fn after(&self, t: SimTime) -> SimTime {
        self.tick(self.number_after(t))
    }

    /// The first tick at or after `t`.
    #[must_use]
    pub fn at_or_after(&self, t: SimTime) -> SimTime {
        if t.0 == 0 {
            self.after(t)
        } else {
            self.after(SimTime(t.0 - 1))
        }
    }

    /// How many ticks lie in `(from, to]`.
    #[must_use]
    #[inline]
    pub fn count(&self, from: SimTime, to: SimTime) -> u64 {
        let index = |t: SimTime| {
            if t.0 < self.phase {
                0
            } else {
                self.number(t.0 - self.phase) + 1
            }
        };
        index(to).saturating_sub(index(from))
    }

    /// How many ticks lie in `(from, to]`, and the last of them; `None` if there are none.
    #[must_use]
    #[inline]
    pub fn passed(&self, from: SimTime, to: SimTime) -> Option<(u64, SimTime)> {
        let last = self.last(to).filter(|last| *last > from)?;
        // Usually one tick: this case needs no further division.
        let n = if last.0 - from.0 <= self.period {
            1
        } else {
            self.count(from, last)
        };
        Some((n, last))
    }

    /// The last tick at or before `t`, if there is one.
    #[must_use]
    pub fn last(&self, t: SimTime) -> Option<SimTime> {
        (t.0 >= self.phase).then(|| self.tick(self.number(t.0 - self.phase)))
    }

    /// The tick `n` before a tick.
    #[must_use]
    #[inline]
    pub fn before(&self, tick: SimTime, n: u64) -> SimTime {
        if n == 0 {
            return tick;
        }
        if self.even {
            return SimTime(tick.0.saturating_sub(n * self.period).max(self.phase));
        }
        let number = self.number(tick.0.saturating_sub(self.phase));
        self.tick(number.saturating_sub(n))
    }

    /// The tick `n` after a tick: without a division, where ticks are evenly spaced.
    #[must_use]
    #[inline]
    pub fn later(&self, tick: SimTime, n: u64) -> SimTime {
        if self.even {
            return SimTime(tick.0.saturating_add(n.saturating_mul(self.period)));
        }
        self.tick(self.number(tick.0.saturating_sub(self.phase)) + n)
    }
}

/// Number of the last tick at or before a time, for a counter of `hz` ticks per second that starts with the run.
#[must_use]
#[inline]
pub fn ticks_until(hz: u32, t: SimTime) -> u64 {
    position(hz, t.0)
}

/// The time at which such a counter reaches k.
#[must_use]
#[inline]
pub fn time_of_tick(hz: u32, k: u64) -> SimTime {
    SimTime(instant(hz, k))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_counted_in_half_open_intervals() {
        let grid = TickGrid::new(3, 100_000_000);
        assert_eq!(grid.after(SimTime(0)), SimTime(3));
        assert_eq!(grid.after(SimTime(3)), SimTime(13));
        assert_eq!(grid.at_or_after(SimTime(13)), SimTime(13));
        assert_eq!(grid.count(SimTime(3), SimTime(33)), 3);
        assert_eq!(grid.count(SimTime(0), SimTime(2)), 0);
        assert_eq!(grid.last(SimTime(29)), Some(SimTime(23)));
    }

    #[test]
    fn ticks_that_passed_are_those_that_are_counted() {
        for phase in [0, 3, 9] {
            let grid = TickGrid::new(phase, 100_000_000);
            for from in 0..45 {
                for to in from..45 {
                    let (from, to) = (SimTime(from), SimTime(to));
                    let n = grid.count(from, to);
                    let expected = (n > 0).then(|| (n, grid.last(to).expect("one at least")));
                    assert_eq!(grid.passed(from, to), expected, "{from:?} {to:?}");
                }
            }
        }
    }

    #[test]
    fn ticks_a_whole_number_of_ns_apart_are_a_little_early() {
        let grid = TickGrid::whole(7, 300);
        let second = grid.tick(300);
        assert_eq!(second, SimTime(7 + 999_999_900));
        assert_eq!(grid.number_after(second), 301);
        assert_eq!(grid.at_or_after(second), second);
        assert_eq!(grid.count(SimTime(7), second), 300);
        assert_eq!(TickGrid::whole(0, 250), TickGrid::new(0, 250));
    }

    #[test]
    fn nothing_ticks_at_time_zero() {
        let grid = TickGrid::new(0, 100_000_000);
        assert_eq!(grid.at_or_after(SimTime(0)), SimTime(10));
        assert_eq!(grid.count(SimTime(0), SimTime(10)), 1);
    }

    /// Checks single ticks against the formula, for grids whose periods are not whole ns.
    #[test]
    fn every_tick_is_an_exact_fraction_of_a_second() {
        let grids = [
            TickGrid::new(0, 127),
            TickGrid::new(7_001, 127),
            TickGrid::new(0, 300),
            TickGrid::counted(0, 133, 2_000),
            TickGrid::counted(469_924, 133, 2_000),
            TickGrid::counted(0, 1_000, 2_000),
        ];
        for grid in grids {
            let exact = |k: u64| match grid.timer_hz {
                0 => grid.phase + k * SECOND / u64::from(grid.hz),
                timer => {
                    let (timer, hz) = (u64::from(timer), u64::from(grid.hz));
                    grid.phase + (k * timer).div_ceil(hz) * SECOND / timer
                }
            };
            for k in 1..3_000 {
                let (at, next) = (SimTime(exact(k)), SimTime(exact(k + 1)));
                assert!(next.0 - at.0 >= grid.period, "{grid:?} {k}");
                assert_eq!(grid.after(at), next, "{grid:?} {k}");
                assert_eq!(grid.at_or_after(at), at);
                assert_eq!(grid.last(at), Some(at));
                assert_eq!(grid.last(SimTime(next.0 - 1)), Some(at));
                assert_eq!(grid.passed(at, next), Some((1, next)));
                assert_eq!(grid.before(next, 1), at);
                assert_eq!(grid.later(SimTime(exact(1)), k), next);
                assert_eq!(grid.before(next, k), SimTime(exact(1)));
                assert_eq!(grid.count(SimTime(exact(1)), at), k - 1);
            }
        }
    }

    #[test]
    fn clocks_of_127_and_1000_hz_meet_at_every_whole_second_of_four_hours() {
        let (hz, stat) = (TickGrid::new(0, 1_000), TickGrid::new(0, 127));
        for s in [1, 2, 3, 60, 3_600, 14_400] {
            let second = SimTime(s * SECOND);
            assert_eq!(stat.last(second), Some(second));
            assert_eq!(hz.last(second), Some(second));
            assert_eq!(stat.count(SimTime::ZERO, second), 127 * s);
            assert_eq!(ticks_until(1_000, second), 1_000 * s);
            assert_eq!(ticks_until(1_000, SimTime(second.0 - 1)), 1_000 * s - 1);
            assert_eq!(time_of_tick(1_000, 1_000 * s), second);
        }
    }

    #[test]
    fn a_time_beyond_every_run_has_a_tick_that_is_beyond_every_run() {
        let four_hours = 14_400 * SECOND;
        for grid in [TickGrid::new(0, 10_000), TickGrid::counted(0, 133, 2_000)] {
            for far in [four_hours, 1 << 50, 1 << 60, u64::MAX - 1] {
                assert!(grid.after(SimTime(far)).0 >= four_hours);
            }
        }
    }
}
