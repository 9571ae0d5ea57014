//! Benchmarks that the caller times.

use sim_core::experiment::bench;
use wasm_bindgen::prelude::*;

/// Names of the benchmarks, as a JSON list.
#[wasm_bindgen]
#[must_use]
pub fn bench_names() -> String {
    super::json(&bench::NAMES)
}

/// Runs a benchmark for so many simulated seconds; JSON `{name, simulatedSeconds, events, digest}`.
///
/// # Errors
/// If there is no such benchmark.
#[wasm_bindgen]
pub fn bench(name: &str, simulated_seconds: f64) -> Result<String, JsError> {
    bench::run(name, simulated_seconds as u64)
        .map(|r| super::json(&r))
        .ok_or_else(|| JsError::new("no such benchmark"))
}
