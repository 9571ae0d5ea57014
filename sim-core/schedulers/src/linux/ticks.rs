//! Ticks in a row at which nothing happens but arithmetic: schedulers go through them at once where they can.

use sim_ground::time::{SimTime, TickGrid};

/// Ticks of a CPU, one after the other, each as long after the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EvenTicks {
    /// How many; not 0.
    pub(crate) n: u64,
    /// Between two of them, in ns.
    pub(crate) period: u64,
    /// When the last of them comes, in ns.
    pub(crate) last: u64,
}

impl EvenTicks {
    /// `n` ticks of a CPU, the last of them at a time; nothing if its ticks are not evenly spaced.
    #[inline]
    pub(crate) fn new(grid: &TickGrid, n: u64, last: SimTime) -> Option<Self> {
        let fits = grid.is_even() && n > 0 && last.0 >= n * grid.period;
        fits.then_some(Self {
            n,
            period: grid.period,
            last: last.0,
        })
    }

    /// When the first of them comes.
    #[inline]
    pub(crate) fn first(&self) -> u64 {
        self.last - (self.n - 1) * self.period
    }
}
