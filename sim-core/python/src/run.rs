//! Runs to their end.

use crate::errors::{invalid, released};
use crate::report::Report;
use pyo3::prelude::*;
use sim_core::config::plan::Plan;
use sim_core::config::validate;
use sim_core::engine::{Options, Sim};
use sim_core::error::ConfigError;
use sim_core::experiment::sweep::{SLICE, before_end};
use sim_core::report;
use sim_core::time::SimTime;
use std::sync::Arc;

/// The plan of a scenario.
pub(crate) fn plan(py: Python<'_>, text: &str) -> PyResult<Arc<Plan>> {
    let plan = validate::parse(text).and_then(|scenario| validate::plan(&scenario));
    plan.map(Arc::new).map_err(|errors| invalid(py, errors))
}

/// Every lane of a scenario, to its end or a time in ns; measured from `from_ns` on.
#[pyfunction]
#[pyo3(signature = (text, until_ns=None, from_ns=0))]
pub(crate) fn run(
    py: Python<'_>,
    text: &str,
    until_ns: Option<u64>,
    from_ns: u64,
) -> PyResult<Vec<Report>> {
    let plan = plan(py, text)?;
    let end = until_ns.map_or(plan.end_ns, |ns| ns.min(plan.end_ns));
    if from_ns > 0 && from_ns >= end {
        return Err(invalid(
            py,
            vec![ConfigError::new("from_ns", before_end(end))],
        ));
    }
    let options = Options {
        check_every: 0,
        ..Options::default()
    };
    let mut reports = Vec::new();
    for lane in 0..plan.lanes.len() {
        let mut sim = released(py, || Sim::new(&plan, lane, options))?;
        if from_ns > 0 {
            advance(py, &mut sim, SimTime(from_ns))?;
            released(py, || sim.measure_from_now())?;
        }
        advance(py, &mut sim, SimTime(end))?;
        let events = sim.handled();
        let report = released(py, || report::report(&mut sim))?;
        reports.push(Report::new(report, events));
    }
    Ok(reports)
}

/// Runs a lane to a time, and asks the interrupt key meanwhile.
fn advance(py: Python<'_>, sim: &mut Sim, until: SimTime) -> PyResult<()> {
    loop {
        let is_there = released(py, || {
            let before = sim.handled();
            sim.advance(until, SLICE);
            sim.handled() - before < SLICE
        })?;
        py.check_signals()?;
        if is_there {
            return Ok(());
        }
    }
}

/// Breaks down as the core would: for tests.
#[pyfunction]
pub(crate) fn fail(py: Python<'_>) -> PyResult<()> {
    released(py, || panic!("invariant: this is for tests"))
}
