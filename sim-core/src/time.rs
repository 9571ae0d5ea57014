//! Simulated time: integer nanoseconds, nothing else.

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
    /// Later than anything that happens.
    pub const NEVER: Self = Self(u64::MAX);

    /// Time since `earlier`; zero if that is not earlier.
    #[must_use]
    pub fn since(self, earlier: Self) -> SimSpan {
        SimSpan(self.0.saturating_sub(earlier.0))
    }
}

impl Add<SimSpan> for SimTime {
    type Output = Self;
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

/// The ticks of one clock on one CPU: instants `phase + k × period`, k = 1, 2, … (k = 0 too if the phase
/// is not 0: nothing ticks at time 0).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TickGrid {
    /// Offset of the grid, less than the period.
    pub phase: u64,
    /// Distance of ticks in ns.
    pub period: u64,
}

impl TickGrid {
    /// The first tick after `t`.
    #[must_use]
    pub fn after(&self, t: SimTime) -> SimTime {
        if t.0 < self.phase {
            return SimTime(self.phase);
        }
        SimTime(self.phase + ((t.0 - self.phase) / self.period + 1) * self.period)
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
                (t.0 - self.phase) / self.period + 1
            }
        };
        index(to).saturating_sub(index(from))
    }

    /// How many ticks lie in `(from, to]`, and the last of them; `None` if there are none.
    #[must_use]
    #[inline]
    pub fn passed(&self, from: SimTime, to: SimTime) -> Option<(u64, SimTime)> {
        let last = self.last(to).filter(|last| *last > from)?;
        // Mostly one: that costs no more divisions.
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
        (t.0 >= self.phase)
            .then(|| SimTime(self.phase + (t.0 - self.phase) / self.period * self.period))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_counted_in_half_open_intervals() {
        let grid = TickGrid {
            phase: 3,
            period: 10,
        };
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
            let grid = TickGrid { phase, period: 10 };
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
    fn nothing_ticks_at_time_zero() {
        let grid = TickGrid {
            phase: 0,
            period: 10,
        };
        assert_eq!(grid.at_or_after(SimTime(0)), SimTime(10));
        assert_eq!(grid.count(SimTime(0), SimTime(10)), 1);
    }
}
