//! The published claims in the page: which runs they need, what they make of the results, and what the page draws. It holds
//! no simulation, and is loaded only by those who look at the claims; the runs are carried out by the other package.

use serde::Serialize;
use sim_core::error::ConfigError;
use sim_core::experiment::claims::{self, Effort, Results, Seen};
use sim_core::experiment::shelf;
use sim_core::experiment::stats::Estimate;
use std::io;
use wasm_bindgen::prelude::*;

/// The allocator that Rust takes in a browser has four times the code.
#[cfg(target_family = "wasm")]
#[global_allocator]
static MEMORY: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// Takes the data of the claims: a JSON object of the files below `scenarios/` by their paths. Without them there are no
/// claims. Once; later calls change nothing.
///
/// # Errors
/// If the text is no such object.
#[wasm_bindgen(js_name = provideClaims)]
pub fn provide_claims(text: &str) -> Result<(), JsError> {
    shelf::provide(text).map_err(refuse)
}

/// Claims and what runs gave.
#[wasm_bindgen]
pub struct Judge {
    results: Results,
}

/// A run for whoever carries it out.
#[derive(Serialize)]
struct Job<'a> {
    /// What distinguishes it from all other runs.
    key: &'a str,
    /// JSON of the whole scenario.
    scenario: String,
    /// Id of the shipped scenario.
    base: &'a str,
    /// Id of the probe.
    columns: &'a str,
    /// Times in ns at which it looks.
    at: &'a [u64],
}

#[wasm_bindgen]
impl Judge {
    /// A judge of runs with so many seeds; runs without an end of their own take so many simulated seconds.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(seeds: u32, seconds: u32) -> Self {
        let effort = Effort {
            seeds: u64::from(seeds.max(1)),
            seconds: u64::from(seconds.max(1)),
        };
        Self {
            results: Results::new(effort),
        }
    }

    /// The pages, in the order of the gallery, as JSON `{ id, experiment }[]`.
    #[must_use]
    pub fn pages(&self) -> String {
        json(&claims::pages())
    }

    /// What can be tried on a page, as JSON `{ id, label }[]`.
    ///
    /// # Errors
    /// If there is no such page.
    #[wasm_bindgen(js_name = whatIfs)]
    pub fn what_ifs(&self, page: &str) -> Result<String, JsError> {
        claims::what_ifs(page).map(|w| json(&w)).map_err(refuse)
    }

    /// The runs of a page, each once, as JSON `{ key, scenario, base, columns, at }[]`; with what is tried, unless
    /// that is empty.
    ///
    /// # Errors
    /// If there is no such page or no such trial.
    pub fn runs(&self, page: &str, what_if: &str) -> Result<String, JsError> {
        let runs = claims::page_runs(page, what_if, self.results.effort()).map_err(refuse)?;
        let mut jobs = Vec::new();
        for run in &runs {
            jobs.push(Job {
                key: &run.key,
                scenario: json(&run.value().map_err(refuse)?),
                base: run.scenario,
                columns: run.columns,
                at: &run.at,
            });
        }
        Ok(json(&jobs))
    }

    /// Takes what a run gave; the names of columns are lines.
    ///
    /// # Errors
    /// If there is not a value for each column in each row.
    pub fn add(&mut self, key: &str, columns: &str, values: Vec<f64>) -> Result<(), JsError> {
        let mut names = Vec::new();
        for name in columns.split('\n') {
            if !name.is_empty() {
                names.push(name.to_owned());
            }
        }
        let seen = Seen {
            columns: names,
            values,
        };
        if !seen.is_whole() {
            let (n, m) = (seen.values.len(), seen.columns.len());
            let message = format!("{key}: {n} values do not fill rows of {m} columns");
            return Err(JsError::new(&message));
        }
        self.results.add(key, seen);
        Ok(())
    }

    /// What a page draws, as far as there are results, as JSON `Figure[]`.
    ///
    /// # Errors
    /// If there is no such page.
    pub fn figures(&self, page: &str) -> Result<String, JsError> {
        let figures = claims::figures(page, &self.results);
        figures.map(|f| json(&f)).map_err(refuse)
    }

    /// The claims of a page of which all runs are there, judged, as JSON `Evaluation[]`.
    ///
    /// # Errors
    /// If there is no such page.
    pub fn evaluate(&self, page: &str) -> Result<String, JsError> {
        let judged = claims::evaluate_page(page, &self.results);
        judged.map(|e| json(&e)).map_err(refuse)
    }

    /// The published numbers of all claims that can be judged, as JSON `{ numbers, meanErrors }`.
    ///
    /// # Errors
    /// If a bound does not fit its value.
    pub fn numbers(&self) -> Result<String, JsError> {
        let mut judged = Vec::new();
        for page in claims::pages() {
            let mut of_page = claims::evaluate_page(page.id, &self.results).map_err(refuse)?;
            judged.append(&mut of_page);
        }
        Ok(json(&claims::numbers(&judged)))
    }
}

#[wasm_bindgen]
extern "C" {
    /// JavaScript's own words for a number.
    #[wasm_bindgen(js_name = String)]
    fn number(x: f64) -> String;
}

/// JSON with JavaScript's numbers: no formatter of them need be loaded.
struct Numbers;

impl serde_json::ser::Formatter for Numbers {
    fn write_f64<W: io::Write + ?Sized>(&mut self, to: &mut W, x: f64) -> io::Result<()> {
        to.write_all(number(x).as_bytes())
    }
}

fn json<T: Serialize + ?Sized>(value: &T) -> String {
    let mut text = Vec::new();
    let mut writer = serde_json::Serializer::with_formatter(&mut text, Numbers);
    if value.serialize(&mut writer).is_err() {
        unreachable!("invariant: plain data is serialisable");
    }
    String::from_utf8(text).unwrap_or_default()
}

#[allow(clippy::needless_pass_by_value)] // the form that map_err asks for
fn refuse(error: ConfigError) -> JsError {
    JsError::new(&error.to_string())
}

/// Mean and 95 % confidence interval of what several seeds gave, as JSON `Estimate`: for sweeps that no claim is about.
#[wasm_bindgen]
#[must_use]
pub fn estimate(values: &[f64]) -> String {
    json(&Estimate::mean(values))
}
