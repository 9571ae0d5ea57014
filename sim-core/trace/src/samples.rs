//! States of a run at regular times, for lines over time.
//!
//! Rows hold totals, not rates: dropping every second row only loses detail.

use sim_ground::time::{SimSpan, SimTime};

/// Number of values kept. Beyond it every second row is dropped, and the interval doubles.
const KEPT: usize = 1 << 20;
/// The first interval, about 16 ms. It is long because a row has the state of every thread. A closer look runs that
/// part of the run again.
const FIRST: SimSpan = SimSpan(1 << 24);

/// Rows of numbers, each with its time.
#[derive(Clone, Debug)]
pub struct Samples {
    every: SimSpan,
    rows: Vec<(SimTime, Vec<f64>)>,
    kept: usize,
}

impl Default for Samples {
    fn default() -> Self {
        Self::every(FIRST)
    }
}

impl Samples {
    /// Samples with a first interval.
    #[must_use]
    pub fn every(every: SimSpan) -> Self {
        Self {
            every,
            rows: Vec::new(),
            kept: 0,
        }
    }

    /// The time at which the next row is due.
    #[must_use]
    pub fn next_at(&self) -> SimTime {
        self.rows.last().map_or(SimTime::ZERO, |r| r.0 + self.every)
    }

    /// Adds a row that is later than all others.
    pub fn push(&mut self, at: SimTime, row: Vec<f64>) {
        self.kept += row.len();
        self.rows.push((at, row));
        while self.kept > KEPT && self.rows.len() > 2 {
            let mut keep = false;
            self.rows.retain(|_| {
                keep = !keep;
                keep
            });
            self.kept = self.rows.iter().map(|r| r.1.len()).sum();
            self.every = SimSpan(self.every.0 * 2);
        }
    }

    /// Drops all later rows, because another future begins.
    pub fn forget_after(&mut self, at: SimTime) {
        self.rows.retain(|r| r.0 <= at);
        self.kept = self.rows.iter().map(|r| r.1.len()).sum();
    }

    /// At most about `most` rows of a window, plus one row on either side.
    pub fn read(
        &self,
        from: SimTime,
        to: SimTime,
        most: usize,
    ) -> impl Iterator<Item = &(SimTime, Vec<f64>)> {
        let first = self.rows.partition_point(|r| r.0 < from).saturating_sub(1);
        let last = (self.rows.partition_point(|r| r.0 <= to) + 1).min(self.rows.len());
        // A window that begins after its end has no rows.
        let last = last.max(first);
        let step = (last - first).div_ceil(most.max(1)).max(1);
        self.rows[first..last].iter().step_by(step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_has_fewer_rows_but_all_of_it() {
        let mut s = Samples::every(SimSpan(10));
        for _ in 0..3000 {
            let at = s.next_at();
            s.push(at, vec![0.0; 1000]);
        }
        let all: Vec<_> = s
            .read(SimTime::ZERO, SimTime(u64::MAX), usize::MAX)
            .map(|r| r.0)
            .collect();
        assert!(all.len() * 1000 <= KEPT && all.len() > 500);
        assert_eq!(all[0], SimTime::ZERO);
        assert!(all.windows(2).all(|w| w[0] < w[1]));
        s.forget_after(all[10]);
        assert_eq!(s.next_at(), all[10] + s.every);
    }

    #[test]
    fn a_window_that_ends_before_it_begins_panicked() {
        let mut samples = Samples::every(SimSpan(10));
        for at in 0..5 {
            samples.push(SimTime(10 * at), vec![0.0]);
        }
        assert_eq!(samples.read(SimTime(40), SimTime(5), 9).count(), 0);
    }
}
