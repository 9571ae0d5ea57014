//! Digests of the shipped scenarios: the same natively, under Node and in every browser.

use super::registry;
use crate::config::plan::Plan;
use crate::config::validate;
use crate::engine::{Options, Sim};
use crate::report;
use serde::Serialize;
use std::sync::Arc;

/// The digest of a lane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LaneDigest {
    /// Id of the scenario.
    pub scenario: String,
    /// Lane, from 0.
    pub lane: usize,
    /// Id of the scheduler.
    pub scheduler: String,
    /// 16 hexadecimal digits.
    pub digest: String,
}

/// Runs every lane of a plan to its end.
#[must_use]
pub fn of_plan(id: &str, plan: &Arc<Plan>, options: Options) -> Vec<LaneDigest> {
    (0..plan.lanes.len())
        .map(|lane| {
            let mut sim = Sim::new(plan, lane, options);
            sim.run_until(sim.end());
            LaneDigest {
                scenario: id.to_owned(),
                lane,
                scheduler: plan.lanes[lane].info.id.to_owned(),
                digest: report::digest_text(&mut sim),
            }
        })
        .collect()
}

/// Runs every lane of every shipped scenario to its end.
///
/// # Panics
/// If a shipped scenario is invalid; a test checks them all.
#[must_use]
pub fn all() -> Vec<LaneDigest> {
    registry::SCENARIOS
        .iter()
        .flat_map(|(id, _)| {
            let scenario = registry::scenario(id).expect("invariant: listed");
            let plan = validate::plan(&scenario).expect("invariant: shipped scenarios are valid");
            let options = Options {
                check_every: 0,
                ..Options::default()
            };
            of_plan(id, &Arc::new(plan), options)
        })
        .collect()
}
