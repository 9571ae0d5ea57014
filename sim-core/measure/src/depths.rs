//! Lengths of the queue of a CPU at equal distances, read from a run in progress.

use crate::facts::{Ask, Fact, loads};
use crate::watch::Changes;
use sim_run::engine::Sim;

/// Time between two readings, in ns.
const EVERY_NS: u64 = 1_000_000;

/// The lengths of one queue in a window.
pub(crate) struct Depths {
    cpu: u16,
    from: u64,
    to: u64,
    changes: Changes,
    /// The length since the last change.
    length: u64,
    /// Lengths at `from` and each millisecond later, as far as they are known.
    lengths: Vec<u64>,
}

impl Depths {
    pub(crate) fn new(cpu: u16, from: u64, to: u64) -> Self {
        Self {
            cpu,
            from,
            to,
            changes: Changes::default(),
            length: 0,
            lengths: Vec::new(),
        }
    }

    /// The time of the next reading, in ns.
    fn next(&self) -> u64 {
        self.from + self.lengths.len() as u64 * EVERY_NS
    }

    /// Whether later events cannot change the answer.
    pub(crate) fn is_done(&self) -> bool {
        self.next() > self.to
    }

    /// Receives the state of the queues after an event.
    pub(crate) fn look(&mut self, sim: &Sim) {
        if !self.changes.are_new(sim) {
            return;
        }
        let now = sim.now().0;
        // Until just before this event the length was the last one.
        while self.next() < now && !self.is_done() {
            self.lengths.push(self.length);
        }
        self.length = loads(sim).get(usize::from(self.cpu)).map_or(0, |n| *n);
    }

    /// The question and its answer so far: the readings up to now.
    pub(crate) fn result(&self, now: u64) -> (Ask, Fact) {
        let mut lengths = self.lengths.clone();
        let end = self.to.min(now);
        if self.next() <= end {
            let more = (end - self.next()) / EVERY_NS + 1;
            let all = lengths.len() + usize::try_from(more).unwrap_or(0);
            lengths.resize(all, self.length);
        }
        let Self { cpu, from, to, .. } = *self;
        (Ask::Depths { cpu, from, to }, Fact::Lengths(lengths))
    }
}
