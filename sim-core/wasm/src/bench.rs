//! Benchmarks that the caller times. The benchmarks of the page, its pictures and the gallery do not use this: they
//! call what the page calls.

use sim_core::experiment::bench;
use wasm_bindgen::prelude::*;

/// A benchmark, ready to begin.
#[wasm_bindgen]
pub struct Bench(bench::Bench);

#[wasm_bindgen]
impl Bench {
    /// A benchmark over `seconds` simulated seconds.
    ///
    /// # Errors
    /// If there is no such benchmark.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, seconds: u32) -> Result<Bench, JsError> {
        bench::Bench::new(name, Some(u64::from(seconds)))
            .map(Bench)
            .ok_or_else(|| JsError::new("no such benchmark"))
    }

    /// Runs it once. Returns JSON `{ simulatedSeconds, count, counted, digest }`.
    pub fn run(&mut self) -> String {
        super::json(&self.0.run())
    }
}
