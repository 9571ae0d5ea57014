//! A thread's life as bursts: it runs for so long, then it sleeps, waits for another thread, yields or ends.
//!
//! Kept as varints, about ten bytes each: a trace of 100 MB has some hundred thousand.

use crate::event::Pid;
use serde::{Deserialize, Serialize};

/// A place in the life of a thread that wakes others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    /// Whose life.
    pub pid: Pid,
    /// In which of its bursts, from 0.
    pub burst: u64,
    /// After how much of that burst, in ns.
    pub after: u64,
}

/// What comes after a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Then {
    /// It sleeps for so many ns: a timer or a device woke it.
    Sleep(u64),
    /// It waits for a device or a lock for so many ns (`D`). Another scheduler would not change it here.
    Device(u64),
    /// It waits until another thread gets there. With the time that this took, for an open loop.
    Wait(Point, u64),
    /// It gives way.
    Yield,
    /// It ends.
    Exit,
}

/// A run and what comes after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Burst {
    /// Time with a CPU, in ns, however often it was preempted.
    pub run: u64,
    /// What comes after it.
    pub then: Then,
}

/// Wake-ups that have to be on a grid before it is called a period.
pub const PERIOD_WAKES: usize = 8;
/// How far wake-ups may lie from the grid, as a part of the period: one in fifty.
const PERIOD_WITHIN: u64 = 50;
/// Wake-ups that are looked at for a period.
const WAKES: usize = 256;

/// The bursts of one thread, packed, and the one that is going on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bursts {
    packed: Vec<u8>,
    count: u64,
    run: u64,
    is_device: bool,
    /// Times of wake-ups by timers.
    wakes: Vec<u64>,
    by_threads: u64,
    born: Option<Point>,
}

impl Bursts {
    /// Number of bursts that are over.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Run of the burst that was not over when the trace ended.
    #[must_use]
    pub fn open_run(&self) -> u64 {
        self.run
    }

    /// Where in its parent's life the thread began, if the trace tells.
    #[must_use]
    pub fn begun_by(&self) -> Option<Point> {
        self.born
    }

    /// The bursts that are over.
    pub fn iter(&self) -> impl Iterator<Item = Burst> + '_ {
        let mut rest = &self.packed[..];
        std::iter::from_fn(move || unpack(&mut rest))
    }

    /// The period of its wake-ups in ns, if there is one: eight or more, all on a grid but for 2 %.
    #[must_use]
    pub fn period(&self) -> Option<u64> {
        let wakes = &self.wakes;
        if wakes.len() < PERIOD_WAKES {
            return None;
        }
        let mut steps: Vec<u64> = wakes
            .windows(2)
            .map(|w| w[1].saturating_sub(w[0]))
            .collect();
        steps.sort_unstable();
        let step = steps[steps.len() / 2];
        if step == 0 {
            return None;
        }
        // A period that was missed is a step of two.
        let mut count = 0;
        let counts = wakes
            .windows(2)
            .map(|w| (w[1].saturating_sub(w[0]) + step / 2) / step);
        let counts: Vec<u64> = counts
            .map(|n| {
                count += n;
                count
            })
            .collect();
        let first = wakes[0];
        let last = wakes[wakes.len() - 1];
        let period = last.saturating_sub(first).checked_div(count)?;
        let is_on_grid = wakes[1..].iter().zip(&counts).all(|(at, n)| {
            let expected = first.saturating_add(n.saturating_mul(period));
            at.abs_diff(expected) < period / PERIOD_WITHIN
        });
        (is_on_grid && period > 0).then_some(period)
    }

    pub(crate) fn ran(&mut self, ns: u64) {
        self.run = self.run.saturating_add(ns);
    }

    pub(crate) fn born(&mut self, by: Option<Point>) {
        self.born = by;
    }

    /// The run is over, and the thread does something that needs no other.
    pub(crate) fn end(&mut self, then: Then) {
        let run = std::mem::take(&mut self.run);
        pack(Burst { run, then }, &mut self.packed);
        self.count += 1;
    }

    /// The run is over. What the thread waited for is known when it wakes.
    pub(crate) fn blocks(&mut self, is_device: bool) {
        self.is_device = is_device;
    }

    /// It woke after so long, by a thread at a place of its life, or by a timer or device.
    pub(crate) fn woken_after(&mut self, ns: u64, by: Option<Point>) {
        let then = match by {
            _ if self.is_device => Then::Device(ns),
            Some(point) => Then::Wait(point, ns),
            None => Then::Sleep(ns),
        };
        self.is_device = false;
        self.end(then);
    }

    /// A wake-up, for its period.
    pub(crate) fn wakes(&mut self, at: u64, by_thread: bool) {
        self.by_threads += u64::from(by_thread);
        if !by_thread && self.wakes.len() < WAKES {
            self.wakes.push(at);
        }
    }

    /// The place in this life that is reached when the current run has gone on for so long.
    pub(crate) fn point(&self, pid: Pid, running: u64) -> Point {
        Point {
            pid,
            burst: self.count,
            after: self.run.saturating_add(running),
        }
    }
}

/// Writes a burst.
pub fn pack(burst: Burst, to: &mut Vec<u8>) {
    // Nothing here can fail: all of it is numbers, and a vector grows.
    if let Ok(all) = postcard::to_extend(&burst, std::mem::take(to)) {
        *to = all;
    }
}

/// Reads the next burst, if a whole one is there.
pub fn unpack(from: &mut &[u8]) -> Option<Burst> {
    let (burst, rest) = postcard::take_from_bytes(from).ok()?;
    *from = rest;
    Some(burst)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_life_comes_back_from_its_bytes() {
        let mut bursts = Bursts::default();
        let point = Point {
            pid: 7,
            burst: 3,
            after: 1_000_000,
        };
        bursts.ran(5);
        bursts.ran(6);
        bursts.blocks(false);
        bursts.woken_after(9, None);
        bursts.blocks(true);
        bursts.woken_after(u64::MAX, Some(point));
        bursts.blocks(false);
        bursts.woken_after(300, Some(point));
        bursts.ran(1);
        bursts.end(Then::Yield);
        bursts.end(Then::Exit);
        let all: Vec<(u64, Then)> = bursts.iter().map(|b| (b.run, b.then)).collect();
        let expected = [
            (11, Then::Sleep(9)),
            (0, Then::Device(u64::MAX)),
            (0, Then::Wait(point, 300)),
            (1, Then::Yield),
            (0, Then::Exit),
        ];
        assert_eq!(all, expected);
        assert_eq!(bursts.count(), 5);
    }

    fn with_wakes(wakes: &[u64]) -> Option<u64> {
        let mut bursts = Bursts::default();
        wakes.iter().for_each(|at| bursts.wakes(*at, false));
        bursts.period()
    }

    #[test]
    fn a_period_is_a_grid() {
        let grid: Vec<u64> = (0..10).map(|i| 5_000 + i * 10_000 + i % 3 * 90).collect();
        let period = with_wakes(&grid).unwrap();
        assert!(period.abs_diff(10_000) < 50, "{period}");
        // One was missed.
        let mut missed = grid.clone();
        missed.remove(4);
        assert!(with_wakes(&missed).unwrap().abs_diff(10_000) < 50);
        assert_eq!(with_wakes(&grid[..7]), None);
        // Times that are slept after each run drift.
        let drift: Vec<u64> = (0..10).map(|i| i * 10_000 + i * i * 300).collect();
        assert_eq!(with_wakes(&drift), None);
    }
}
