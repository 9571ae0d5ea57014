//! A run as data: a shipped scenario, its changes, and a probe. Threads (command line) or workers (page) carry it out;
//! the result is a table of numbers with names.

use super::results::Seen;
use super::{probe, shipped, sweep};
use crate::config::{Scenario, validate};
use crate::engine::{Options, Sim};
use crate::error::ConfigError;
use crate::metrics::real;
use crate::property::{self, Set};
use crate::text::quoted;
use crate::time::SimTime;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sim_measure::Measures;
use std::sync::Arc;

/// One scheduler on one variation of a shipped scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The key that distinguishes it from all other runs: words separated by `/`, the experiment first, the seed last.
    pub key: String,
    /// Id of the shipped scenario.
    pub scenario: String,
    /// The only scheduler.
    pub scheduler: RunScheduler,
    /// The changes of the scenario, applied in this order.
    pub changes: Vec<Set>,
    /// Id of the [probe], which gives the names of the result's columns. Or the columns themselves, one a line: a name,
    /// a colon, and an expression of the measure language.
    pub columns: &'static str,
    /// Times in ns, ascending, at which the probe reads; it also reads at the end of the run. Expressions are about the
    /// time from the first of these on.
    pub at: Vec<u64>,
}

/// The scheduler of a run, as a scenario writes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunScheduler {
    /// Id of the scheduler.
    pub id: String,
    /// Its era.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub era: Option<String>,
    /// Tunables that differ from the era's.
    #[serde(default)]
    pub tunables: Map<String, Value>,
}

impl Run {
    /// A scheduler on a shipped scenario without changes.
    #[must_use]
    pub fn new(
        key: String,
        scenario: impl Into<String>,
        scheduler: RunScheduler,
        columns: &'static str,
    ) -> Self {
        Self {
            key,
            scenario: scenario.into(),
            scheduler,
            changes: Vec::new(),
            columns,
            at: Vec::new(),
        }
    }

    /// Sets a property of its scenario.
    pub fn set(&mut self, path: impl Into<String>, value: impl Into<Value>) {
        self.changes.push(Set::new(path, value));
    }

    /// The same run with a property set.
    #[must_use]
    pub fn with(mut self, path: &str, value: impl Into<Value>) -> Self {
        self.set(path, value);
        self
    }

    /// The JSON of the complete scenario, without the fields that only guide people.
    ///
    /// # Errors
    /// If the run names something that does not exist.
    pub fn value(&self) -> Result<Value, ConfigError> {
        let named = |message: String| ConfigError::new(self.key.as_str(), message);
        let Some(base) = shipped::file(&format!("experiments/{}", self.scenario)) else {
            let known = shipped::names("experiments");
            let (known, got) = (known.join(", "), quoted(&self.scenario));
            return Err(named(format!(
                "the scenario must be one of {known}; got \"{got}\""
            )));
        };
        let mut value = base.clone();
        property::drop_guide(&mut value);
        let lane = serde_json::to_value(&self.scheduler).expect("invariant: plain data");
        let only = Set::new("lanes", vec![lane]);
        for set in [&only].into_iter().chain(&self.changes) {
            let set = set.apply_where_it_is(&mut value);
            set.map_err(|e| named(e.to_string()))?;
        }
        Ok(value)
    }

    /// [`Self::value`] as text.
    ///
    /// # Errors
    /// As [`Self::value`].
    pub fn scenario_json(&self) -> Result<String, ConfigError> {
        let value = self.value()?;
        Ok(serde_json::to_string(&value).expect("invariant: JSON"))
    }
}

/// The scenario of a run.
///
/// # Errors
/// The errors of the scenario: the run names something that does not exist, or a value does not fit.
pub fn scenario(run: &Run) -> Result<Scenario, Vec<ConfigError>> {
    let text = run.scenario_json().map_err(|e| vec![e])?;
    let in_run = |e: ConfigError| ConfigError::new(format!("{}: {}", run.key, e.path), e.message);
    validate::parse(&text).map_err(|errors| errors.into_iter().map(in_run).collect())
}

/// The names and expressions of columns; `None` if they are the id of a probe.
fn expressions(columns: &str) -> Option<(Vec<String>, Vec<String>)> {
    let split = |line: &str| {
        let (name, text) = line.split_once(':')?;
        Some((name.trim().to_owned(), text.trim().to_owned()))
    };
    columns.lines().map(split).collect()
}

/// Looks for what is wrong with the columns of a run without running it.
///
/// # Errors
/// That there is no such probe, or the first expression that does not fit the scenario.
pub fn check(scenario: &Scenario, columns: &str) -> Result<(), Vec<ConfigError>> {
    let Some((names, texts)) = expressions(columns) else {
        return probe::find(columns).map(|_| ());
    };
    let mut measures = Measures::new(scenario.clone(), 0).of_lane(0);
    for (name, text) in names.iter().zip(&texts) {
        let wrong = |e| {
            vec![ConfigError::new(
                format!("read.{name}"),
                format!("{text}: {e}"),
            )]
        };
        measures.check(text).map_err(wrong)?;
    }
    Ok(())
}

/// The value of each expression at the end of a run, as a row.
fn measured(
    scenario: &Scenario,
    (columns, texts): (Vec<String>, &[String]),
    from_ns: u64,
) -> Result<Seen, Vec<ConfigError>> {
    let all = sweep::expressions(texts, scenario, 0, from_ns);
    let all = all.map_err(|message| vec![ConfigError::new("read", message)])?;
    let values = all.into_iter().map(|(_, value)| value.unwrap_or(f64::NAN));
    let values = values.collect();
    Ok(Seen { columns, values })
}

/// Runs the first scheduler of a scenario to its end, and returns the values of the probe.
///
/// # Errors
/// The errors of the scenario, or that there is no such probe.
///
/// # Panics
/// Never: nothing stops the run.
pub fn execute(scenario: &Scenario, probe: &str, at: &[u64]) -> Result<Seen, Vec<ConfigError>> {
    let seen = execute_while(scenario, probe, at, &|| true)?;
    Ok(seen.expect("invariant: it goes on"))
}

/// As [`execute`], but asks at intervals whether to go on; `None` if not.
///
/// # Errors
/// As [`execute`].
pub fn execute_while(
    scenario: &Scenario,
    probe: &str,
    at: &[u64],
    goes_on: &dyn Fn() -> bool,
) -> Result<Option<Seen>, Vec<ConfigError>> {
    if let Some((names, texts)) = expressions(probe) {
        let from = at.first().copied().unwrap_or(0);
        return measured(scenario, (names, &texts), from).map(Some);
    }
    let probe = probe::find(probe)?;
    let plan = Arc::new(validate::plan(scenario)?);
    let options = Options {
        check_every: 0,
        trace_limit: probe.records,
        ..Options::default()
    };
    let mut sim = Sim::new(&plan, 0, options);
    let mut values = Vec::new();
    let end = sim.end();
    for t in at.iter().map(|t| SimTime(*t)).chain([end]) {
        let ran = match probe.watch {
            None => run_plainly(&mut sim, t, goes_on),
            Some(watch) => {
                let watched = run_watched(&mut sim, t, watch, goes_on);
                watched.map(|seen| values.extend(seen))
            }
        };
        if ran.is_none() {
            return Ok(None);
        }
        (probe.look)(sim.refresh(), &mut values);
    }
    let columns = probe.names(sim.refresh());
    debug_assert_eq!(
        values.len(),
        columns.len() * (at.len() + 1),
        "{}: a value for each column",
        probe.id
    );
    Ok(Some(Seen { columns, values }))
}

/// Number of events between two questions whether to go on.
const SLICE: u64 = 100_000;

/// Runs up to and including `until`; `None` if it was stopped.
fn run_plainly(sim: &mut Sim, until: SimTime, goes_on: &dyn Fn() -> bool) -> Option<()> {
    loop {
        let before = sim.handled();
        sim.advance(until, SLICE);
        if sim.handled() - before < SLICE {
            return Some(());
        }
        if !goes_on() {
            return None;
        }
    }
}

/// Runs up to and including `until`. Returns the largest value that the watched function had for more than an instant,
/// and for how many ns it was above [`probe::LEVEL`].
fn run_watched(
    sim: &mut Sim,
    until: SimTime,
    watch: fn(&Sim) -> f64,
    goes_on: &dyn Fn() -> bool,
) -> Option<[f64; 2]> {
    let (mut most, mut above) = (0.0_f64, 0_u64);
    loop {
        let now = sim.now();
        // Time goes on without events only if nothing more is due.
        sim.advance(until, 0);
        let due = sim.next_event_time().filter(|at| *at <= until);
        let next = due.unwrap_or(until);
        // Most events share their instant with others: a value between them lasts no time.
        if next > now {
            let value = watch(sim);
            most = most.max(value);
            if value > probe::LEVEL {
                above += next.since(now).0;
            }
        }
        let handled = sim.handled();
        if due.is_some() {
            sim.advance(next, u64::MAX);
        }
        if sim.handled() == handled {
            return Some([most, real(above)]);
        }
        if sim.handled() / SLICE > handled / SLICE && !goes_on() {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::claims;
    use crate::experiment::results::Effort;

    fn yields() -> Run {
        let mut all = claims::runs("S1e", Effort::default());
        all.remove(0)
    }

    #[test]
    fn a_run_is_a_whole_scenario() {
        let run = yields()
            .with("seed", 7)
            .with("lanes.4bsd.hz", 250)
            .with("background", Value::Null);
        let scenario = scenario(&run).expect("valid");
        assert_eq!(scenario.seed, 7);
        assert_eq!(scenario.schedulers.len(), 1);
        let is_4bsd = run.scheduler.id == "4bsd";
        assert_eq!(scenario.schedulers[0].tunables.contains_key("hz"), is_4bsd);
        assert!(scenario.opening.is_none());
    }

    #[test]
    fn what_is_not_there_is_named() {
        let errors = scenario(&yields().with("groups.hog.count", 1)).expect_err("wrong");
        let text = errors[0].to_string();
        assert!(
            text.contains("groups.hog.count: must be one of yield"),
            "{text}"
        );
        let run = Run {
            scenario: "s9".to_owned(),
            ..yields()
        };
        let text = run.scenario_json().expect_err("wrong").to_string();
        assert!(
            text.contains("the scenario must be one of bfs-smt,"),
            "{text}"
        );
        let errors = scenario(&yields().with("groups.yield.count", -1)).expect_err("wrong");
        assert!(errors[0].path.starts_with("S1/"), "{}", errors[0]);
    }

    #[test]
    fn a_probe_looks_at_each_time_and_at_the_end() {
        let short = scenario(&yields().with("end.atNs", 3_000_000)).expect("valid");
        let one = execute(&short, "totals", &[]).expect("valid");
        let seen = execute(&short, "totals", &[1_000_000, 2_000_000]).expect("valid");
        assert_eq!(seen.looks("elapsedNs"), [1e6, 2e6, one.column("elapsedNs")]);
        assert_eq!(seen.columns, one.columns);
        assert_eq!(seen.column("cpuNs"), one.column("cpuNs"));
        assert!(execute(&short, "crystalBall", &[]).is_err());
    }

    #[test]
    fn every_probe_gives_a_value_for_each_column() {
        let short = scenario(&yields().with("end.atNs", 3_000_000)).expect("valid");
        for probe in probe::PROBES {
            let seen = execute(&short, probe.id, &[1_000_000]).expect(probe.id);
            assert_eq!(seen.values.len(), 2 * seen.columns.len(), "{}", probe.id);
            let mut names = seen.columns.clone();
            names.sort();
            names.dedup();
            assert_eq!(names.len(), seen.columns.len(), "{}", probe.id);
        }
    }

    #[test]
    fn what_is_watched_counts_between_looks_as_well() {
        let runs = claims::runs("S2d", Effort::default());
        // CFS, whose queues differ.
        let run = runs.into_iter().find(|r| r.scheduler.id == "cfs");
        let run = run.expect("one of them").with("end.atNs", 1_100_000_000);
        let scenario = scenario(&run).expect("valid");
        let cores = 32;
        // The difference at each of many times, and the largest at any time.
        let at: Vec<u64> = (1..1_100).map(|ms| ms * 1_000_000).collect();
        let looks = execute(&scenario, "queues", &at).expect("valid");
        let spread = |look: &[f64]| {
            let loads = &look[3..];
            let most = loads.iter().copied().fold(0.0, f64::max);
            most - loads.iter().copied().fold(f64::INFINITY, f64::min)
        };
        let rows = looks.values.chunks(3 + cores);
        let seen = rows.map(spread).fold(0.0, f64::max);
        let watched = execute(&scenario, "queuesWatched", &[]).expect("valid");
        let most = watched.column(probe::WATCHED);
        assert!(seen > 3.0 && most >= seen, "{most} {seen}");
        let above = watched.column(probe::ABOVE);
        assert!(above > 0.0 && above < 1.1e9, "{above}");
        assert_eq!(
            watched.values[2..],
            looks.values[looks.values.len() - 3 - cores..]
        );
    }
}
