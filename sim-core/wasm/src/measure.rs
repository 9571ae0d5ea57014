//! Measures of somebody's own: expressions over the part of a run that is over.

use crate::{json, refuse, time};
use sim_core::config::validate;
use sim_core::own_measure;
use sim_measure::follow::Following;
use wasm_bindgen::prelude::*;

/// The runs of a scenario, followed for expressions of the measure language.
#[wasm_bindgen]
pub struct MeasureRun(Following);

#[wasm_bindgen]
impl MeasureRun {
    /// Begins to follow a scenario with its edits. Nothing is run yet.
    ///
    /// # Errors
    /// All errors of the scenario.
    #[wasm_bindgen(constructor)]
    pub fn new(scenario: &str) -> Result<MeasureRun, JsError> {
        let scenario = validate::parse(scenario).map_err(refuse)?;
        validate::plan(&scenario).map_err(refuse)?;
        Ok(MeasureRun(Following::new(scenario)))
    }

    /// The values of an expression up to a time, with numbers as a language (`en`, `de`) writes them, as JSON
    /// `OwnMeasure`. The run goes on from the time before, if it is earlier and the questions are the same.
    pub fn now(&mut self, text: &str, until_ns: f64, language: &str) -> String {
        json(&own_measure::now(
            &mut self.0,
            text,
            time(until_ns).0,
            language,
        ))
    }
}
