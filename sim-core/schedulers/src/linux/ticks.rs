//! Consecutive ticks at which nothing happens but arithmetic. Schedulers apply them at once where they can.

use sim_ground::time::{SimTime, TickGrid};

/// Consecutive, evenly spaced ticks of a CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EvenTicks {
    /// Their number; not 0.
    pub(crate) n: u64,
    /// Time between two ticks, in ns.
    pub(crate) period: u64,
    /// Time of the last tick, in ns.
    pub(crate) last: u64,
}

impl EvenTicks {
    /// `n` ticks of a CPU that end with the one at `last`; `None` if its ticks are not evenly spaced.
    #[inline]
    pub(crate) fn new(grid: &TickGrid, n: u64, last: SimTime) -> Option<Self> {
        let fits = grid.is_even() && n > 0 && last.0 >= n * grid.period;
        fits.then_some(Self {
            n,
            period: grid.period,
            last: last.0,
        })
    }

    /// All ticks of a CPU after a time, up to and including a given tick. `None` if its ticks are not evenly spaced, or if
    /// the time lies before the first tick of all. Needs a single division, because the given tick lies on the grid.
    #[inline]
    pub(crate) fn up_to(grid: &TickGrid, from: u64, tick: u64) -> Option<Self> {
        if !grid.is_even() || from < grid.phase || tick <= from {
            return None;
        }
        let n = (tick - from).div_ceil(grid.period);
        Some(Self {
            n,
            period: grid.period,
            last: tick,
        })
    }

    /// The ticks before the last: how many, and the time of the latest of them.
    #[inline]
    pub(crate) fn earlier(&self) -> Option<(u64, SimTime)> {
        (self.n > 1).then(|| (self.n - 1, SimTime(self.last - self.period)))
    }

    /// Time of the first tick, in ns.
    #[inline]
    pub(crate) fn first(&self) -> u64 {
        self.last - (self.n - 1) * self.period
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn up_to_a_tick_are_those_that_the_grid_has_passed() {
        for (phase, hz) in [(0, 1_000), (250_000, 1_000), (3_000_000, 250), (0, 100)] {
            let grid = TickGrid::new(phase, hz);
            for k in 0..9 {
                let tick = grid.tick(k);
                for from in (0..tick.0).step_by(125_000) {
                    let found = EvenTicks::up_to(&grid, from, tick.0);
                    if from < phase {
                        assert_eq!(found, None, "before the first tick");
                        continue;
                    }
                    let found = found.and_then(|t| t.earlier());
                    let expected = grid.passed(SimTime(from), SimTime(tick.0 - 1));
                    assert_eq!(
                        found, expected,
                        "{hz} Hz from {phase}: {from} to {}",
                        tick.0
                    );
                }
            }
        }
        let uneven = TickGrid::new(0, 300);
        assert_eq!(EvenTicks::up_to(&uneven, 0, uneven.tick(3).0), None);
    }
}
