//! Values of expressions over a run.

use crate::errors::{invalid, released, wrong};
use pyo3::prelude::*;
use serde_json::Value;
use sim_core::config::validate;
use sim_measure::Measures;
use sim_measure::student;

/// The values of expressions over a scenario, as JSON: a list. `lane` is what the word `lane` means in them, from 0;
/// windows whose start is left out begin at `from_ns`.
#[pyfunction]
#[pyo3(signature = (text, expressions, from_ns=0, until_ns=None, lane=None))]
pub(crate) fn measure(
    py: Python<'_>,
    text: &str,
    expressions: Vec<String>,
    from_ns: u64,
    until_ns: Option<u64>,
    lane: Option<usize>,
) -> PyResult<String> {
    let mut scenario = validate::parse(text).map_err(|errors| invalid(py, errors))?;
    validate::plan(&scenario).map_err(|errors| invalid(py, errors))?;
    if let Some(until) = until_ns {
        scenario.end.at_ns = scenario.end.at_ns.min(until);
    }
    let values = released(py, || {
        let measures = Measures::new(scenario, from_ns);
        let mut measures = match lane {
            Some(lane) => measures.of_lane(lane),
            None => measures,
        };
        measures.values(&expressions)
    })?;
    let values = values.map_err(|message| wrong(py, "measure", message))?;
    let values: Value = values.iter().map(|value| value.json()).collect();
    Ok(values.to_string())
}

/// The mean of values, and half of its 95 % interval by Student's t, as if the values did not depend on each other; nothing
/// with fewer than two values.
#[pyfunction]
pub(crate) fn interval(values: Vec<f64>) -> Option<(f64, f64)> {
    student::interval(&values)
}
