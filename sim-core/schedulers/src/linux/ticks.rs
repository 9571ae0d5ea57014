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

    /// Time of the first tick, in ns.
    #[inline]
    pub(crate) fn first(&self) -> u64 {
        self.last - (self.n - 1) * self.period
    }
}
