//! The ticks of one clock of a CPU.

use serde::{Deserialize, Serialize};
use sim_ground::time::{SimTime, TickGrid};

/// A clock of a CPU.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Clock {
    pub(super) grid: TickGrid,
    /// Ticks up to this time have been applied.
    pub(super) settled: SimTime,
    /// The first tick after `settled`, and its number. Stored because most requests ask for an earlier time and then
    /// need no division.
    pub(super) next: SimTime,
    pub(super) next_number: u64,
    /// The last requested time and the first tick from it on: between ticks the same time is requested again and again.
    #[serde(skip)]
    aim: (SimTime, SimTime),
    /// Whether it ticks now (an idle CPU may be tickless).
    pub(super) ticking: bool,
}

impl Clock {
    /// A clock that starts with the run.
    pub(super) fn new(grid: TickGrid, ticking: bool) -> Self {
        let next_number = grid.number_after(SimTime::ZERO);
        Self {
            grid,
            settled: SimTime::ZERO,
            next: grid.tick(next_number),
            next_number,
            aim: (SimTime::ZERO, grid.at_or_after(SimTime::ZERO)),
            ticking,
        }
    }

    /// The first tick at or after a time.
    #[inline]
    pub(super) fn at_or_after(&mut self, at: SimTime) -> SimTime {
        // After a snapshot the field is blank, which would look like an answer for time 0.
        if self.aim.0 != at || at == SimTime::ZERO {
            self.aim = (at, self.grid.at_or_after(at));
        }
        self.aim.1
    }

    /// Goes on to a time. Returns the number of ticks passed and the last of them.
    #[inline]
    pub(super) fn pass(&mut self, to: SimTime) -> Option<(u64, SimTime)> {
        self.settled = to;
        if to < self.next {
            return None;
        }
        let first = self.next_number;
        self.next_number = self.grid.number_after(to);
        self.next = self.grid.tick(self.next_number);
        Some((
            self.next_number - first,
            self.grid.tick(self.next_number - 1),
        ))
    }

    /// Goes on to a time without counting the ticks in between.
    #[inline]
    pub(super) fn skip_to(&mut self, to: SimTime) {
        self.settled = to;
        if self.next <= to {
            self.next_number = if self.next == to {
                self.next_number + 1
            } else {
                self.grid.number_after(to)
            };
            self.next = self.grid.tick(self.next_number);
        }
    }

    /// Whether `next` is the first tick after `settled`.
    pub(super) fn is_whole(&self) -> bool {
        self.next_number == self.grid.number_after(self.settled)
            && self.next == self.grid.tick(self.next_number)
    }
}
