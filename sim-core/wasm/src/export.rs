//! Traces for other programs, in pieces.

use super::{read, refuse, time};
use sim_core::engine::{Options, Sim};
use sim_core::error::ConfigError;
use sim_core::export::{CHUNK, Exporter, Format};
use sim_core::time::SimTime;
use wasm_bindgen::prelude::*;

/// A lane that runs once more from the start and writes down what happens.
#[wasm_bindgen]
pub struct Export {
    sim: Sim,
    exporter: Exporter,
    until: SimTime,
    begun: bool,
}

#[wasm_bindgen]
impl Export {
    /// A lane of a scenario up to a time, as `csv`, `jsonl`, `ftrace` or `ktr`.
    ///
    /// # Errors
    /// Everything that is wrong with the scenario, or an unknown format or lane.
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
            begun: false,
        })
    }

    /// The next piece; empty at the end. Of `ktr` the lines have to be turned around, all but the first.
    pub fn more(&mut self) -> String {
        let mut out = String::new();
        if !self.begun {
            self.begun = true;
            out = self.exporter.header(&self.sim);
        }
        while out.is_empty() && !self.is_done() {
            self.sim.advance(self.until, CHUNK as u64 / 64);
            self.exporter.more(&self.sim, &mut out);
        }
        out
    }

    fn is_done(&self) -> bool {
        self.sim.is_finished() || self.sim.now() >= self.until
    }
}
