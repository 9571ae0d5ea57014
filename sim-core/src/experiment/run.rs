//! A run as data: a shipped scenario, what is different in it, and what is read off. Whoever has threads (the command
//! line) or workers (the page) carries it out; the result is a list of numbers and nothing else.

use super::{probe, registry};
use crate::config::{Scenario, SchedulerChoice, validate};
use crate::engine::{Options, Sim};
use crate::error::ConfigError;
use crate::params::ParamValue;
use crate::text::quoted;
use crate::time::SimTime;
use serde::Serialize;
use serde_json::{Map, Value};
use std::sync::Arc;

/// One scheduler on one variation of a shipped scenario.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    /// What distinguishes it from all other runs: words separated by `/`, the experiment first.
    pub key: String,
    /// Id of the shipped scenario.
    pub scenario: String,
    /// The only scheduler.
    pub scheduler: SchedulerChoice,
    /// What is different in the scenario: JSON pointers and values.
    pub set: Vec<(String, Value)>,
    /// Id of the [probe].
    pub probe: &'static str,
    /// Times in ns, ascending, at which the probe looks; it looks at the end of the run as well.
    pub at: Vec<u64>,
}

impl Run {
    /// Puts a value at a JSON pointer.
    #[must_use]
    pub fn with(mut self, pointer: &str, value: impl Into<Value>) -> Self {
        self.set.push((pointer.to_owned(), value.into()));
        self
    }

    /// Gives a scheduler another value of a tunable, where the run has that scheduler.
    pub fn tune(&mut self, scheduler: &str, tunable: &str, value: ParamValue) {
        if self.scheduler.id == scheduler {
            let tunables = &mut self.scheduler.tunables;
            tunables.insert(tunable.to_owned(), value);
        }
    }
}

/// The scenario of a run.
///
/// # Errors
/// What is wrong with it, if it is not one that is shipped or a value does not fit.
pub fn scenario(run: &Run) -> Result<Scenario, Vec<ConfigError>> {
    let named = |message: String| vec![ConfigError::new(run.key.as_str(), message)];
    let base = registry::text(&run.scenario);
    let base = base.ok_or_else(|| named(format!("no scenario \"{}\"", quoted(&run.scenario))))?;
    let mut value: Value = serde_json::from_str(base).map_err(|e| named(e.to_string()))?;
    value["schedulers"] = serde_json::json!([run.scheduler]);
    for (pointer, new) in &run.set {
        *place(&mut value, pointer)
            .ok_or_else(|| named(format!("no place {}", quoted(pointer))))? = new.clone();
    }
    let mut scenario = validate::parse(&value.to_string())?;
    scenario.drop_guide();
    Ok(scenario)
}

/// Where a JSON pointer leads; objects that are missing on the way are made.
fn place<'a>(value: &'a mut Value, pointer: &str) -> Option<&'a mut Value> {
    pointer.split('/').skip(1).try_fold(value, |at, key| {
        if at.is_null() {
            *at = Value::Object(Map::new());
        }
        match at {
            Value::Object(map) => Some(map.entry(key).or_insert(Value::Null)),
            Value::Array(list) => list.get_mut(key.parse::<usize>().ok()?),
            _ => None,
        }
    })
}

/// Runs the first scheduler of a scenario to its end, and says what the probe saw.
///
/// # Errors
/// What is wrong with the scenario, or that there is no such probe.
pub fn execute(scenario: &Scenario, probe: &str, at: &[u64]) -> Result<Vec<f64>, Vec<ConfigError>> {
    let probe = probe::find(probe)?;
    let plan = Arc::new(validate::plan(scenario)?);
    let options = Options {
        check: false,
        trace_limit: probe.records,
        ..Options::default()
    };
    let mut sim = Sim::new(&plan, 0, options);
    let mut seen = Vec::new();
    let end = sim.end();
    for t in at.iter().map(|t| SimTime(*t)).chain([end]) {
        match probe.watch {
            None => sim.run_until(t),
            Some(watch) => seen.push(run_watched(&mut sim, t, watch)),
        }
        sim.refresh();
        (probe.look)(&mut sim, &mut seen);
    }
    Ok(seen)
}

/// Runs up to and including `until`; the largest value that something had for any time at all.
fn run_watched(sim: &mut Sim, until: SimTime, watch: fn(&Sim) -> f64) -> f64 {
    let mut most = 0.0_f64;
    loop {
        let (now, value) = (sim.now(), watch(sim));
        // Time goes on by itself only where nothing more is due.
        sim.advance(until, 0);
        let due = sim.next_event_time().filter(|at| *at <= until);
        if due.unwrap_or(until) > now {
            most = most.max(value);
        }
        if due.is_none() || !sim.step_event() {
            return most;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::claims;

    fn yields() -> Run {
        let mut all = claims::runs("S1e", claims::Effort::default());
        all.remove(0)
    }

    #[test]
    fn values_arrive_where_the_pointer_leads() {
        let run = yields()
            .with("/seed", 7)
            .with("/schedulers/0/tunables/hz", 250)
            .with("/background", Value::Null);
        let scenario = scenario(&run).expect("valid");
        assert_eq!(scenario.seed, 7);
        assert_eq!(scenario.schedulers.len(), 1);
        assert!(scenario.schedulers[0].tunables.contains_key("hz"));
    }

    #[test]
    fn a_pointer_that_leads_nowhere_is_named() {
        let errors = scenario(&yields().with("/groups/7/count", 1)).expect_err("wrong");
        assert!(errors[0].to_string().contains("no place /groups/7/count"));
    }

    #[test]
    fn a_probe_looks_at_each_time_and_at_the_end() {
        let short = scenario(&yields().with("/end/atNs", 3_000_000)).expect("valid");
        let one = execute(&short, "totals", &[]).expect("valid").len();
        let seen = execute(&short, "totals", &[1_000_000, 2_000_000]).expect("valid");
        assert_eq!(seen.len(), 3 * one);
        assert!((seen[0] - 1e6).abs() < 0.5, "{seen:?}");
        assert!(execute(&short, "crystalBall", &[]).is_err());
    }

    #[test]
    fn what_is_watched_counts_between_looks_as_well() {
        let runs = claims::runs("S2d", claims::Effort::default());
        // CFS, whose queues differ.
        let run = runs.into_iter().find(|r| r.scheduler.id == "cfs");
        let mut run = run.expect("one of them");
        run.set.push(("/end/atNs".to_owned(), 1_100_000_000.into()));
        let scenario = scenario(&run).expect("valid");
        let cores = 32;
        // The difference at each of many moments, and the largest at any moment.
        let at: Vec<u64> = (1..1_100).map(|ms| ms * 1_000_000).collect();
        let looks = execute(&scenario, "queues", &at).expect("valid");
        let spread = |look: &[f64]| {
            let loads = &look[3..];
            let most = loads.iter().copied().fold(0.0, f64::max);
            most - loads.iter().copied().fold(f64::INFINITY, f64::min)
        };
        let seen = looks.chunks(3 + cores).map(spread).fold(0.0, f64::max);
        let watched = execute(&scenario, "queuesWatched", &[]).expect("valid");
        assert_eq!(watched.len(), 4 + cores);
        assert!(seen > 3.0 && watched[0] >= seen, "{} {seen}", watched[0]);
        assert_eq!(watched[1..], looks[looks.len() - 3 - cores..]);
    }
}
