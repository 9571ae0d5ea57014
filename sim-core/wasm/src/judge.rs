//! The published claims: the runs they need, their evaluation, and the figures that the page draws. The caller carries
//! out the runs.

use crate::json;
use serde::Serialize;
use sim_core::error::ConfigError;
use sim_core::experiment::claims::{self, Effort, Results, Seen};
use sim_core::experiment::stats::Estimate;
use wasm_bindgen::prelude::*;

/// The claims, and the results of runs.
#[wasm_bindgen]
pub struct Judge {
    results: Results,
}

/// A run that the caller must carry out.
#[derive(Serialize)]
struct Job<'a> {
    /// The key that distinguishes it from all other runs.
    key: &'a str,
    /// JSON of the whole scenario.
    scenario: String,
    /// Id of the shipped scenario.
    base: &'a str,
    /// What it reads: the id of a probe, or expressions of the measure language.
    columns: &'a str,
    /// Times in ns at which the probe reads.
    at: &'a [u64],
}

#[wasm_bindgen]
impl Judge {
    /// A judge of runs with `seeds` seeds. Runs without an end of their own take `seconds` simulated seconds.
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

    /// The trials of a page, as JSON `{ id, label }[]`.
    ///
    /// # Errors
    /// If there is no such page.
    #[wasm_bindgen(js_name = whatIfs)]
    pub fn what_ifs(&self, page: &str) -> Result<String, JsError> {
        claims::what_ifs(page).map(|w| json(&w)).map_err(refuse)
    }

    /// The runs of a page, each once, as JSON `{ key, scenario, base, columns, at }[]`. `what_if` is a trial, or empty.
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
                base: &run.scenario,
                columns: run.columns,
                at: &run.at,
            });
        }
        Ok(json(&jobs))
    }

    /// Adds the result of a run; `columns` has one name per line.
    ///
    /// # Errors
    /// If a row does not have a value for each column.
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

    /// The figures of a page with the results so far, as JSON `Figure[]`.
    ///
    /// # Errors
    /// If there is no such page.
    pub fn figures(&self, page: &str) -> Result<String, JsError> {
        let figures = claims::figures(page, &self.results);
        figures.map(|f| json(&f)).map_err(refuse)
    }

    /// The claims of a page whose runs are all done, with their verdicts, as JSON `Evaluation[]`.
    ///
    /// # Errors
    /// If there is no such page.
    pub fn evaluate(&self, page: &str) -> Result<String, JsError> {
        let judged = claims::evaluate_page(page, &self.results);
        judged.map(|e| json(&e)).map_err(refuse)
    }

    /// The published numbers of all claims that can be evaluated, as JSON `{ numbers, meanErrors }`.
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

#[allow(clippy::needless_pass_by_value)] // the form that map_err asks for
fn refuse(error: ConfigError) -> JsError {
    JsError::new(&error.to_string())
}

/// Mean and 95 % confidence interval of the values of several seeds, as JSON `Estimate`; for sweeps without a claim.
#[wasm_bindgen]
#[must_use]
pub fn estimate(values: &[f64]) -> String {
    json(&Estimate::mean(values))
}
