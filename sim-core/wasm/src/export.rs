//! Traces for other programs, in pieces.

use super::{read, refuse, time};
use sim_core::engine::{Options, Sim};
use sim_core::error::ConfigError;
use sim_core::export::{CHUNK, Exporter, Format};
use sim_core::time::SimTime;
use wasm_bindgen::prelude::*;

/// Approximate length of a piece, in bytes.
const PIECE: usize = 1 << 16;

/// A lane that runs again from the start and writes down its records.
#[wasm_bindgen]
pub struct Export {
    sim: Sim,
    exporter: Exporter,
    until: SimTime,
    done: bool,
}

#[wasm_bindgen]
impl Export {
    /// A lane of a scenario up to a time, as `csv`, `jsonl`, `ftrace`, `ktr` or `perfetto`.
    ///
    /// # Errors
    /// All errors of the scenario, or an unknown format or lane.
    #[wasm_bindgen(constructor)]
    pub fn new(
        scenario: &str,
        lane: usize,
        format: &str,
        until_ns: f64,
    ) -> Result<Export, JsError> {
        let plan = read(scenario).map_err(refuse)?;
        let format = Format::parse(format)
            .filter(|_| lane < plan.lanes.len())
            .ok_or_else(|| refuse(vec![ConfigError::new("export", "no such format or lane")]))?;
        let options = Options {
            trace_limit: CHUNK,
            ..Options::default()
        };
        let sim = Sim::new(&plan, lane, options);
        Ok(Self {
            until: time(until_ns).min(sim.end()),
            sim,
            exporter: Exporter::new(format),
            done: false,
        })
    }

    /// What stands first; right after the last piece.
    pub fn header(&self) -> String {
        self.exporter.header(&self.sim)
    }

    /// The next piece of a text; empty at the end. The lines of `ktr` must be reversed by the caller.
    pub fn more(&mut self) -> String {
        let mut out = String::new();
        while out.len() < PIECE && self.advance() {
            self.exporter.more(self.sim.refresh(), &mut out);
        }
        out
    }

    /// The next piece of `perfetto`; empty at the end.
    pub fn packets(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        while out.len() < PIECE && self.advance() {
            self.exporter.packets(&self.sim, &mut out);
        }
        out
    }

    /// Goes on by a part of the run; whether there was one.
    fn advance(&mut self) -> bool {
        if self.done {
            return false;
        }
        let (before, most) = (self.sim.handled(), self.exporter.events());
        self.sim.advance(self.until, most);
        // Fewer events than allowed were handled: nothing more is due until then.
        self.done = self.sim.handled() - before < most;
        true
    }
}
