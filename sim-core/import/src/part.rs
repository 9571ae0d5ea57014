//! A part of a trace: what lies outside is read and passed over, so that a long trace needs no more memory than its part.
//!
//! A part is like a trace that was recorded then: who had a CPU before it, or slept, is unknown until a line tells.

use crate::error::ImportError;
use crate::event::{Event, Kind};
use crate::names::Names;
use crate::read::Sink;

/// From when to when, in ns from the first event of the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Where it begins.
    pub from: u64,
    /// Where it ends; what happens then is outside.
    pub to: u64,
}

impl Part {
    /// All of a trace.
    pub const ALL: Self = Self {
        from: 0,
        to: u64::MAX,
    };
}

impl Default for Part {
    fn default() -> Self {
        Self::ALL
    }
}

/// Hands on the events of a part.
#[derive(Clone, Debug, Default)]
pub struct OfPart<S> {
    part: Part,
    begin: Option<u64>,
    last: u64,
    switches: u64,
    /// Who takes them.
    pub sink: S,
}

impl<S: Sink> OfPart<S> {
    /// Whoever takes the events of a part.
    pub fn new(part: Part, sink: S) -> Self {
        Self {
            part,
            begin: None,
            last: 0,
            switches: 0,
            sink,
        }
    }

    /// From the first event of the trace to the last one that was read, in ns.
    #[must_use]
    pub fn span(&self) -> u64 {
        self.last - self.begin.unwrap_or(self.last)
    }

    /// Whether the part has been read to its end: nothing that comes belongs to it.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.begin.is_some() && self.span() >= self.part.to
    }

    /// Refuses a part in which no thread came to a CPU.
    ///
    /// # Errors
    /// A sentence with the length of what was read.
    pub fn check(&self) -> Result<(), ImportError> {
        if self.switches > 0 {
            return Ok(());
        }
        let ms = |ns: u64| format!("{}.{:03}", ns / 1_000_000, ns % 1_000_000 / 1_000);
        Err(ImportError::new(format!(
            "the part has no sched_switch: it begins at {} ms, and the trace has {} ms",
            ms(self.part.from),
            ms(self.span())
        )))
    }
}

impl<S: Sink> Sink for OfPart<S> {
    fn event(&mut self, event: &Event, names: &Names) {
        self.begin.get_or_insert(event.at);
        self.last = event.at;
        if (self.part.from..self.part.to).contains(&self.span()) {
            self.switches += u64::from(matches!(event.kind, Kind::Switch { .. }));
            self.sink.event(event, names);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Context, State};

    fn switch(at: u64) -> Event {
        Event {
            at,
            cpu: 0,
            context: Context { pid: 1, irq: None },
            kind: Kind::Switch {
                prev: 1,
                prev_prio: 120,
                prev_state: State::Sleeping,
                next: 2,
                next_prio: 120,
            },
        }
    }

    #[test]
    fn a_part_has_its_events_and_knows_when_it_is_over() {
        let read = |from, to| {
            let mut part = OfPart::new(Part { from, to }, Vec::new());
            let over: Vec<bool> = [100, 110, 120, 130]
                .map(|at| {
                    part.event(&switch(at), &Names::default());
                    part.is_over()
                })
                .to_vec();
            (part, over)
        };
        let (part, over) = read(10, 30);
        let times: Vec<u64> = part.sink.iter().map(|e| e.at).collect();
        assert_eq!(times, [110, 120]);
        assert_eq!(over, [false, false, false, true]);
        assert_eq!((part.span(), part.check()), (30, Ok(())));
        let (part, over) = read(0, u64::MAX);
        assert_eq!((part.sink.len(), over[3]), (4, false));
        let told = read(40_000, u64::MAX).0.check().unwrap_err().to_string();
        assert_eq!(
            told,
            "the part has no sched_switch: it begins at 0.040 ms, and the trace has 0.000 ms"
        );
    }
}
