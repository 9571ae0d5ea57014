//! Texts that pass through: scenarios and catalogs.

use crate::errors::{invalid, problems, wrong};
use pyo3::prelude::*;
use serde_json::Value;
use sim_core::config::validate;
use sim_core::experiment::{registry, shipped};
use sim_core::property::{self, Set};
use sim_core::text::quoted;

/// Paths and messages of what is wrong with a scenario, and the scenario with every default filled in, as JSON; `None` if
/// it has not the shape of one.
#[pyfunction]
pub(crate) fn check(text: &str) -> (Vec<(String, String)>, Option<String>) {
    let checked = validate::check(text);
    let whole = checked
        .scenario
        .and_then(|scenario| serde_json::to_string(&scenario).ok());
    (problems(checked.errors), whole)
}

/// Everything that this build can do, as JSON.
#[pyfunction]
pub(crate) fn catalog() -> String {
    let catalog = sim_core::catalog::catalog();
    serde_json::to_string(&catalog).expect("invariant: the catalog is plain data")
}

/// A shipped scenario as its file has it; without `guide`, what only guides the page's visitors is left out.
#[pyfunction]
pub(crate) fn scenario(py: Python<'_>, id: &str, guide: bool) -> PyResult<String> {
    let Some(file) = shipped::file(&format!("experiments/{id}")) else {
        let known: Vec<&str> = registry::SCENARIOS.iter().map(|(id, _)| *id).collect();
        let (known, got) = (known.join(", "), quoted(id));
        let message = format!("must be a file, or one of {known}; got \"{got}\"");
        return Err(wrong(py, "scenario", message));
    };
    let mut scenario = file.clone();
    if !guide {
        property::drop_guide(&mut scenario);
    }
    Ok(scenario.to_string())
}

/// A scenario with properties set, as JSON: paths, values as JSON, and the time of each; before the run if there is none.
#[pyfunction]
pub(crate) fn changed(
    py: Python<'_>,
    text: &str,
    sets: Vec<(String, String, Option<u64>)>,
) -> PyResult<String> {
    let base = validate::parse(text).map_err(|errors| invalid(py, errors))?;
    let mut all = Vec::new();
    for (path, value, at_ns) in sets {
        let value: Value = serde_json::from_str(&value)
            .map_err(|e| wrong(py, &path, format!("the value is no JSON: {e}")))?;
        all.push(Set { path, value, at_ns });
    }
    let changed = property::changed(&base, &all).map_err(|errors| invalid(py, errors))?;
    Ok(serde_json::to_string(&changed).expect("invariant: scenarios are plain data"))
}

/// The value of a property of a scenario, as JSON.
#[pyfunction]
pub(crate) fn value_at(py: Python<'_>, text: &str, path: &str) -> PyResult<String> {
    let scenario = validate::parse(text).map_err(|errors| invalid(py, errors))?;
    let value = property::value_at(&scenario, path).map_err(|e| invalid(py, vec![e]))?;
    Ok(value.to_string())
}

/// The numbers of a published source, as JSON.
#[pyfunction]
pub(crate) fn published(py: Python<'_>, id: &str) -> PyResult<String> {
    let file = shipped::file(&format!("published/{id}"));
    file.map(ToString::to_string).ok_or_else(|| {
        let (known, got) = (shipped::names("published").join(", "), quoted(id));
        wrong(
            py,
            "published",
            format!("must be one of {known}; got \"{got}\""),
        )
    })
}
