//! How far the model's run of a recorded workload may be believed: both lanes run, and their numbers are compared.

use crate::config::edit::TimedEdit;
use crate::config::{Scenario, validate};
use crate::engine::{Options, Sim};
use crate::report::report;
use crate::time::SimTime;
use sim_import::trust::{Measured, Verdict, verdict};
use sim_measure::Measures;
use sim_measure::quantity::Quantity;
use std::sync::Arc;

/// The verdict on one lane of a scenario, by its recorded one. `None` if there is no recorded lane, or it is this one.
///
/// # Errors
/// What is wrong with the scenario.
pub fn of_lane(scenario: &Scenario, lane: usize) -> Result<Option<Verdict>, String> {
    let recorded = scenario.schedulers.iter().position(|s| s.id == "recorded");
    let Some(recorded) = recorded.filter(|r| *r != lane && lane < scenario.schedulers.len()) else {
        return Ok(None);
    };
    let [real, model] = [measured(scenario, recorded)?, measured(scenario, lane)?];
    Ok(Some(verdict(&real, &model)))
}

/// What is measured of a lane that runs to its end.
///
/// # Errors
/// What is wrong with the scenario.
pub fn measured(scenario: &Scenario, lane: usize) -> Result<Measured, String> {
    let mut scenario = scenario.clone();
    let choice = scenario.schedulers.swap_remove(lane);
    scenario.drop_guide();
    scenario.schedulers = vec![choice];
    let concerns = |edit: &TimedEdit| edit.lane.is_none_or(|l| usize::try_from(l) == Ok(lane));
    scenario.edits.retain(concerns);
    scenario.edits.iter_mut().for_each(|edit| edit.lane = None);
    let plan = validate::plan(&scenario)
        .map_err(|errors| errors.first().map_or_else(String::new, ToString::to_string))?;
    let mut sim = Sim::new(&Arc::new(plan), 0, Options::default());
    sim.run_until(SimTime(scenario.end.at_ns));
    let mut told = report(&mut sim);
    // Their time is given, and so nothing that a model could get right.
    told.threads.retain(|thread| !thread.background);
    let waits: Vec<String> = told
        .threads
        .iter()
        .map(|thread| format!("waits(1, \"{}\")", thread.name))
        .collect();
    let waits = Measures::new(scenario, 0).values(&waits)?;
    Ok(Measured {
        cpu: told.threads.iter().map(|t| t.cpu_ns).collect(),
        delays: waits.iter().flat_map(lengths).collect(),
        switches: told.threads.iter().map(|t| t.switches).sum(),
        moves: told.threads.iter().map(|t| t.migrations).sum(),
    })
}

/// The lengths of a list, in ns.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // times of a run are whole and not negative
fn lengths(quantity: &Quantity) -> Vec<u64> {
    let number = |item: &Quantity| match item {
        Quantity::Number(x, _) => *x as u64,
        _ => 0,
    };
    match quantity {
        Quantity::List(items) => items.iter().map(number).collect(),
        _ => Vec::new(),
    }
}
