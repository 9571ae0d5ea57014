//! Times apart: a trace in µs has switches at one time, and whoever ran between two of them seems not to have run. A
//! recording that is followed needs an order, so each switch is at least a ns after whatever came before it.

use crate::event::{Event, Kind};

/// Moves events apart.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spread {
    last: Option<u64>,
}

impl Spread {
    /// The event at a time that is no earlier than that of the one before, and later if it is a switch.
    pub fn apart(&mut self, event: &Event) -> Event {
        let is_switch = matches!(event.kind, Kind::Switch { .. });
        let earliest = self.last.map_or(0, |last| last + u64::from(is_switch));
        let at = event.at.max(earliest);
        self.last = Some(at);
        Event { at, ..*event }
    }
}
