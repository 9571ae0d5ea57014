//! Published claims.

use crate::errors::{fault, invalid, released, wrong};
use crate::pool;
use pyo3::prelude::*;
use serde::Serialize;
use sim_core::experiment::claims::{self as published, Claim, Effort, Results};
use sim_core::experiment::run;
use sim_core::property::{Set, written};
use sim_host::caught::caught;

/// Evaluates claims (all, if none is named) and gives verdicts, and published beside simulated numbers, as JSON. `changes`
/// are made to all runs: scheduler, tunable and a value as JSON.
#[pyfunction]
#[pyo3(signature = (ids, seeds, seconds, changes, jobs=None, progress=None))]
pub(crate) fn claims(
    py: Python<'_>,
    ids: Vec<String>,
    seeds: u64,
    seconds: u64,
    changes: Vec<(String, String, String)>,
    jobs: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(String, String)> {
    let invalid = |errors| invalid(py, errors);
    for (name, value, most) in [("seeds", seeds, 1_000), ("seconds", seconds, 3_600)] {
        if !(1..=most).contains(&value) {
            let message = format!("must be from 1 to {most}, got {value}");
            return Err(wrong(py, name, message));
        }
    }
    let chosen: Vec<Claim> = if ids.is_empty() {
        published::claims()
    } else {
        let found = ids.iter().map(|id| published::find(id));
        let found: Result<_, _> = found.collect();
        found.map_err(|e| invalid(vec![e]))?
    };
    let mut altered = Vec::new();
    for (scheduler, tunable, value) in &changes {
        let value: serde_json::Value = serde_json::from_str(value)
            .map_err(|e| wrong(py, "changes", format!("a value is no JSON: {e}")))?;
        altered.push(Set::new(written(&["lanes", scheduler, tunable]), value));
    }
    let effort = Effort { seeds, seconds };
    let runs = released(py, || published::all_runs(&chosen, effort, &altered))?.map_err(invalid)?;
    let jobs = pool::jobs(jobs);
    let seen = pool::map(py, 0..runs.len(), jobs, progress.as_ref(), |i, goes_on| {
        let run = &runs[i];
        caught(|| {
            let scenario = run::scenario(run)?;
            run::execute_while(&scenario, run.columns, &run.at, goes_on)
        })
    })?;
    let mut results = Results::new(effort);
    for (run, seen) in runs.into_iter().zip(seen) {
        let seen = seen.map_err(|message| fault(py, message))?;
        if let Some(seen) = seen.map_err(invalid)? {
            results.add(run.key, seen);
        }
    }
    let mut judged = Vec::new();
    for claim in &chosen {
        let one = released(py, || published::evaluation(claim, &results))?;
        judged.extend(one.map_err(|e| invalid(vec![e]))?);
    }
    let numbers = published::numbers(&judged);
    Ok((json(&judged), json(&numbers)))
}

fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("invariant: claims are plain data")
}
