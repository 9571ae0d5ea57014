//! Hogs that are forked at one instant and share a machine: their time by their number.

use super::case::ns;
use serde::Deserialize;
use serde_json::json;
use sim_run::config::validate;
use sim_run::engine::{Options, Sim};
use std::sync::Arc;

/// Time until the last hog ends, relative to an even use of all CPUs: wall time x CPUs / (N x work).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    scheduler: String,
    era: String,
    tunables: toml::Table,
    cpus: u32,
    /// CPU time of each hog.
    work: String,
    seeds: u64,
    /// Triples (number of hogs, mean over the seeds, tolerance).
    rows: Vec<(u32, f64, f64)>,
}

/// The differences.
pub(super) fn differences(table: &Table) -> Vec<String> {
    let mut wrong = Vec::new();
    for (hogs, expected, tolerance) in &table.rows {
        let sum: f64 = (1..=table.seeds)
            .map(|seed| ratio(table, *hogs, seed))
            .sum();
        #[allow(clippy::cast_precision_loss)] // small
        let mean = sum / table.seeds as f64;
        let agrees = (mean - expected).abs() <= *tolerance;
        if !agrees {
            wrong.push(format!(
                "{hogs} hogs: expected {expected} +- {tolerance}, saw {mean:.3}"
            ));
        }
    }
    wrong
}

#[allow(clippy::cast_precision_loss)] // far below 2^53
fn ratio(table: &Table, hogs: u32, seed: u64) -> f64 {
    let work = ns(&table.work);
    let machine = super::setup::machine(&format!("1x{}x1", table.cpus));
    let forks = "fork; ".repeat(hogs as usize);
    let scenario = json!({
        "version": 1,
        "name": "sawtooth",
        "seed": seed,
        "machine": machine,
        "schedulers": [{ "id": table.scheduler, "era": table.era, "tunables": table.tunables }],
        "groups": [{
            "name": "hog",
            "count": 1,
            "behaviour": { "kind": "script", "params": { "program": forks, "child": format!("run {}", table.work) } },
        }],
        "timing": { "kickNs": 0, "idleExitNs": 0, "idleExitDeepNs": 0, "tickPhase": "aligned", "idleTicks": "tickless" },
        "end": { "atNs": 3_600_000_000_000_u64, "whenAllExited": true },
    });
    let scenario = validate::parse(&scenario.to_string()).expect("a valid scenario");
    let plan = Arc::new(validate::plan(&scenario).expect("a valid scenario"));
    let options = Options {
        check_every: 0,
        ..Options::default()
    };
    let mut sim = Sim::new(&plan, 0, options);
    sim.run_until(sim.end());
    sim.now().0 as f64 * f64::from(table.cpus) / (f64::from(hogs) * work as f64)
}
