//! CPU use of about the last ten seconds (`sched_pctcpu_update`), in two forms.
//!
//! `ticks` counts ticks of hz that were run, scaled by 2^10, in the window from `first` to `last`.

use crate::freebsd::clocks::TICK_SHIFT;
use serde::{Deserialize, Serialize};

/// A thread's window (`ts_ticks`, `ts_ftick`, `ts_ltick`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// Ticks run, scaled by 2^10.
    pub ticks: u64,
    /// Where the window begins, in ticks of hz.
    pub first: i64,
    /// The time at which it was last brought up to date.
    pub last: i64,
}

impl Window {
    /// A window in which the thread has not run.
    #[must_use]
    pub fn new(now: i64) -> Self {
        Self {
            ticks: 0,
            first: now,
            last: now,
        }
    }

    /// Length of the window by which the use is divided; at least a second (`SCHED_TICK_TOTAL`).
    #[must_use]
    pub fn total(&self, hz: i64) -> u64 {
        (self.last - self.first).max(hz).unsigned_abs()
    }

    /// From 2012 on: brings the window up to date. `run`: the thread ran since `last`.
    pub fn update(&mut self, now: i64, run: bool, hz: i64) {
        let target = 10 * hz;
        if now - self.last >= target {
            self.ticks = 0;
            self.first = now - target;
        } else if now - self.first >= 11 * hz {
            let old = (self.last - self.first).unsigned_abs().max(1);
            self.ticks = self.ticks / old * (self.last - (now - target)).unsigned_abs();
            self.first = now - target;
        }
        if run {
            self.ticks += (now - self.last).unsigned_abs() << TICK_SHIFT;
        }
        self.last = now;
    }

    /// Until 2012: brings the window up to date if it is old or long; history is stretched to ten seconds.
    pub fn stretch(&mut self, now: i64, hz: i64) {
        let fresh = now - hz / 10 < self.last;
        if self.ticks == 0 || (fresh && self.last - self.first < 11 * hz) {
            return;
        }
        self.rescale(now, hz);
    }

    fn rescale(&mut self, now: i64, hz: i64) {
        let target = 10 * hz;
        self.ticks = if self.last > now - target {
            let age = (now - self.first).unsigned_abs().max(1);
            self.ticks / age * target.unsigned_abs()
        } else {
            0
        };
        self.last = now;
        self.first = now - target;
    }

    /// Until 2012: the thread runs through the ticks in `(from, to]` (`sched_tick`).
    pub fn run_ticks(&mut self, from: i64, to: i64, hz: i64) {
        let mut at = from;
        while at < to {
            let overlong = (self.first + 11 * hz + 1).max(at + 1);
            let next = overlong.min(to);
            self.ticks += (next - at).unsigned_abs() << TICK_SHIFT;
            self.last = next;
            at = next;
            if next == overlong {
                self.rescale(next, hz);
            }
        }
    }

    /// Share of the last ten seconds in thousandths, for display.
    #[must_use]
    pub fn milli(&self, hz: i64) -> u64 {
        let whole = hz.unsigned_abs();
        (self.ticks >> TICK_SHIFT).div_euclid(10).min(whole) * 1_000 / whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_at_once_are_ticks_one_by_one() {
        let mut fast = Window::new(0);
        let mut slow = fast;
        for (from, to) in [
            (0, 7_000),
            (9_000, 9_400),
            (9_400, 40_000),
            (61_000, 61_003),
        ] {
            fast.run_ticks(from, to, 1_000);
            for at in from..to {
                slow.ticks += 1 << TICK_SHIFT;
                slow.last = at + 1;
                if slow.first + 11_000 < slow.last {
                    slow.rescale(at + 1, 1_000);
                }
            }
            assert_eq!(fast, slow);
        }
    }
}
