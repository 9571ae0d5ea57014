//! Events in the order of their times. Recorders write a buffer for each CPU, and what joins them is exact only to a
//! fraction of a millisecond.

use crate::event::Event;
use std::collections::VecDeque;

/// How far an event may come behind a later one, in ns.
pub(crate) const WINDOW: u64 = 1_000_000;
/// Most events that wait for earlier ones.
const MOST: usize = 1 << 16;

/// Holds events back until nothing earlier can come. Equal times keep the order of the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Order {
    waiting: VecDeque<Event>,
    /// Time of the last event that left.
    left: u64,
    latest: u64,
}

impl Order {
    /// Takes an event. Gives back by how much it is too late, if its place has gone.
    pub(crate) fn take(&mut self, event: Event) -> Result<(), u64> {
        if event.at < self.left || event.at.saturating_add(WINDOW) < self.latest {
            return Err(self.latest.max(self.left) - event.at);
        }
        self.latest = self.latest.max(event.at);
        let mut place = self.waiting.len();
        while place > 0 && self.waiting[place - 1].at > event.at {
            place -= 1;
        }
        if place == self.waiting.len() {
            self.waiting.push_back(event);
        } else {
            self.waiting.insert(place, event);
        }
        Ok(())
    }

    /// The latest time so far.
    pub(crate) fn latest(&self) -> u64 {
        self.latest
    }

    /// The next event to which nothing earlier can come.
    pub(crate) fn next(&mut self) -> Option<Event> {
        let first = self.waiting.front()?;
        if first.at.saturating_add(WINDOW) > self.latest && self.waiting.len() <= MOST {
            return None;
        }
        self.rest()
    }

    /// The next event, when nothing more will come.
    pub(crate) fn rest(&mut self) -> Option<Event> {
        let event = self.waiting.pop_front()?;
        self.left = event.at;
        Some(event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Context, Kind};

    fn at(at: u64, pid: u32) -> Event {
        Event {
            at,
            cpu: 0,
            context: Context { pid, irq: None },
            kind: Kind::Exec { pid },
        }
    }

    #[test]
    fn what_is_late_by_less_than_a_millisecond_finds_its_place() {
        let mut order = Order::default();
        let mut out = Vec::new();
        for (time, pid) in [(5, 1), (3, 2), (5, 3), (900_000, 4), (4, 5), (1_500_000, 6)] {
            order.take(at(time, pid)).unwrap();
            out.extend(std::iter::from_fn(|| order.next()));
        }
        assert_eq!(out.len(), 4);
        out.extend(std::iter::from_fn(|| order.rest()));
        let pids: Vec<u32> = out.iter().map(|e| e.context.pid).collect();
        assert_eq!(pids, [2, 5, 1, 3, 4, 6]);
        assert_eq!(order.take(at(499_999, 7)), Err(1_000_001));
    }
}
