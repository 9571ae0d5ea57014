//! Published claims: what a source says, what the simulator gives, and whether it holds.
//!
//! Statements, acceptance bounds and sources are data (`scenarios/claims.json`); each experiment is one file here and one
//! line of the registry: the runs that a claim needs, as data, and a judge of what they gave. Who carries the runs out,
//! threads or workers, does not matter to either. Nothing in the schedulers knows of any claim.

mod s0;
mod s0_checks;
mod s0_runs;
mod s1;
mod s2;
mod s2_balance;
mod s2_runs;
mod s2_sharing;
mod s3;
mod s4;

use super::run::{self, Run};
use crate::config::{Scenario, SchedulerChoice, validate};
use crate::error::ConfigError;
use crate::params::ParamMap;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A claim as published.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Id, e.g. `W5`.
    pub id: String,
    /// Experiment that it belongs to.
    pub experiment: String,
    /// What the source says.
    pub statement: String,
    /// What counts as holding.
    pub acceptance: String,
    /// The source.
    pub source: String,
    /// What has to be built before it can be evaluated; empty if nothing.
    pub needs: String,
    /// The release that evaluated it first; empty if none did.
    #[serde(default)]
    pub since: String,
    /// It is known to fail; a test fails when it begins to hold.
    #[serde(default, rename = "knownFailure", skip_serializing_if = "is_false")]
    pub known_failure: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // the form that serde asks for
fn is_false(b: &bool) -> bool {
    !*b
}

/// Whether a claim holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    /// Every part of it.
    Holds,
    /// Some part of it does not.
    Fails,
    /// It cannot be evaluated yet.
    Unavailable,
}

/// A number that a claim is about.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Measure {
    /// What it is.
    pub name: String,
    /// What the simulator gives, the mean over the seeds; `null` if it cannot be evaluated yet.
    pub value: Option<f64>,
    /// What is expected.
    pub expected: f64,
    /// Smallest value that holds.
    pub low: f64,
    /// Largest value that holds.
    pub high: f64,
    /// Whether it does.
    pub verdict: Verdict,
}

/// A claim, evaluated.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Evaluation {
    /// The claim.
    #[serde(flatten)]
    pub claim: Claim,
    /// Verdict over all measures that can be evaluated; `unavailable` if there is none.
    pub verdict: Verdict,
    /// The measures.
    pub measures: Vec<Measure>,
    /// What is missing, or which mechanism is suspected where it fails.
    pub note: String,
}

impl Measure {
    fn within(name: impl Into<String>, value: f64, expected: f64, low: f64, high: f64) -> Self {
        let holds = (low..=high).contains(&value);
        Self {
            name: name.into(),
            value: Some(value),
            expected,
            low,
            high,
            verdict: if holds {
                Verdict::Holds
            } else {
                Verdict::Fails
            },
        }
    }

    fn about(name: impl Into<String>, value: f64, expected: f64, tolerance: f64) -> Self {
        Self::within(
            name,
            value,
            expected,
            expected - tolerance,
            expected + tolerance,
        )
    }

    #[cfg(test)]
    fn unavailable(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            value: None,
            expected: f64::NAN,
            low: f64::NAN,
            high: f64::NAN,
            verdict: Verdict::Unavailable,
        }
    }
}

/// An experiment: the runs behind its claims, and the judge.
struct Experiment {
    /// What its claims call it.
    id: &'static str,
    /// The runs that a claim needs.
    runs: fn(claim: &str, effort: Effort) -> Vec<Run>,
    /// The measures of a claim, from what its runs gave.
    judge: fn(claim: &str, results: &Results) -> Vec<Measure>,
    /// Which mechanism is suspected where the claim fails; empty if none is.
    suspect: fn(claim: &str) -> &'static str,
}

/// The experiments that are built; claims of others are unavailable.
const EXPERIMENTS: &[Experiment] = &[s0::S0, s1::S1, s2::S2, s3::S3, s4::S4];

/// What runs gave, by their keys.
#[derive(Clone, Debug)]
pub struct Results {
    effort: Effort,
    values: BTreeMap<String, Vec<f64>>,
}

impl Results {
    /// Nothing yet.
    #[must_use]
    pub fn new(effort: Effort) -> Self {
        let values = BTreeMap::new();
        Self { effort, values }
    }

    /// Takes what a run gave.
    pub fn add(&mut self, key: impl Into<String>, values: Vec<f64>) {
        self.values.insert(key.into(), values);
    }

    /// How the runs were made.
    #[must_use]
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// What the run of a key gave; empty if it was not made, which [`evaluation`] rules out.
    #[must_use]
    pub fn get(&self, key: &str) -> &[f64] {
        self.values.get(key).map_or(&[], Vec::as_slice)
    }
}

/// How the runs behind claims are made.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Seeds 1 to this.
    pub seeds: u64,
    /// Simulated seconds that are measured in each run.
    pub seconds: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            seeds: 5,
            seconds: 60,
        }
    }
}

/// All claims, in the order of the experiments.
///
/// # Panics
/// If the shipped file does not parse; a test reads it.
#[must_use]
pub fn claims() -> Vec<Claim> {
    serde_json::from_str(include_str!("../../../../scenarios/claims.json"))
        .expect("invariant: shipped claims are valid")
}

/// A scheduler with the defaults of an era.
fn choice(id: &str, era: impl Into<Option<&'static str>>) -> SchedulerChoice {
    SchedulerChoice {
        id: id.to_owned(),
        era: era.into().map(str::to_owned),
        tunables: ParamMap::new(),
    }
}

/// Carries out runs that do not depend on each other. The core has no threads; who has some uses them.
pub trait Executor {
    /// The results of `run` for 0 to `n` - 1, in that order.
    fn map(&self, n: usize, run: &(dyn Fn(usize) -> Vec<f64> + Sync)) -> Vec<Vec<f64>>;
}

/// One run after the other.
#[derive(Clone, Copy, Debug)]
pub struct InTurn;

impl Executor for InTurn {
    fn map(&self, n: usize, run: &(dyn Fn(usize) -> Vec<f64> + Sync)) -> Vec<Vec<f64>> {
        (0..n).map(run).collect()
    }
}

/// The experiment of a claim.
fn experiment(claim: &str) -> Option<&'static Experiment> {
    let claims = claims();
    let id = claims.iter().find(|c| c.id == claim)?.experiment.as_str();
    EXPERIMENTS.iter().find(|e| e.id == id)
}

/// The runs that a claim needs; none if it cannot be evaluated yet.
#[must_use]
pub fn runs(claim: &str, effort: Effort) -> Vec<Run> {
    experiment(claim).map_or(Vec::new(), |e| (e.runs)(claim, effort))
}

/// A claim, judged by what runs gave; `None` if some of its runs are missing.
#[must_use]
pub fn evaluation(claim: &Claim, results: &Results) -> Option<Evaluation> {
    let of = EXPERIMENTS.iter().find(|e| e.id == claim.experiment);
    let (measures, note) = match of {
        None => (Vec::new(), format!("not yet: {}", claim.needs)),
        Some(of) => {
            let needed = (of.runs)(&claim.id, results.effort);
            if !needed.iter().all(|r| results.values.contains_key(&r.key)) {
                return None;
            }
            let measures = (of.judge)(&claim.id, results);
            let note = suspected((of.suspect)(&claim.id), &measures);
            (measures, note)
        }
    };
    Some(Evaluation {
        claim: claim.clone(),
        verdict: overall(&measures),
        measures,
        note,
    })
}

/// Evaluates claims; runs that several of them need are made once. `change` may alter the runs first: what if, or a
/// control that must make a claim fail. `progress` is told what is running.
///
/// # Errors
/// What is wrong with a run that was altered.
pub fn evaluate(
    claims: &[Claim],
    effort: Effort,
    executor: &dyn Executor,
    change: &dyn Fn(&mut Run),
    progress: &mut dyn FnMut(&str),
) -> Result<Vec<Evaluation>, Vec<ConfigError>> {
    let mut known = BTreeSet::new();
    let mut all: Vec<Run> = claims.iter().flat_map(|c| runs(&c.id, effort)).collect();
    all.retain(|run| known.insert(run.key.clone()));
    all.iter_mut().for_each(change);
    let scenarios = all.iter().map(run::scenario);
    let scenarios: Vec<Scenario> = scenarios.collect::<Result<_, _>>()?;
    for scenario in &scenarios {
        validate::plan(scenario)?;
    }
    progress(&format!("{} runs", all.len()));
    let given = executor.map(all.len(), &|i| {
        run::execute(&scenarios[i], all[i].probe, &all[i].at).expect("invariant: just checked")
    });
    let mut results = Results::new(effort);
    for (run, values) in all.into_iter().zip(given) {
        results.add(run.key, values);
    }
    let judged = claims.iter().filter_map(|c| evaluation(c, &results));
    Ok(judged.collect())
}

/// Which measures fail, and the mechanism that is suspected.
fn suspected(why: &str, measures: &[Measure]) -> String {
    let failing: Vec<&str> = measures
        .iter()
        .filter(|m| m.verdict == Verdict::Fails)
        .map(|m| m.name.as_str())
        .collect();
    match (failing.is_empty(), why) {
        (true, _) => String::new(),
        (false, "") => format!("fails in {}", failing.join("; ")),
        (false, why) => format!("fails in {}; suspected: {why}", failing.join("; ")),
    }
}

/// Unavailable parts do not decide, unless there is nothing else.
fn overall(measures: &[Measure]) -> Verdict {
    let any = |v: Verdict| measures.iter().any(|m| m.verdict == v);
    if any(Verdict::Fails) {
        Verdict::Fails
    } else if any(Verdict::Holds) {
        Verdict::Holds
    } else {
        Verdict::Unavailable
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_of_the_evidence_is_listed_once() {
        let mut expected: Vec<String> = (1..=27).map(|i| format!("J{i}")).collect();
        expected.extend("abcdef".chars().map(|c| format!("S1{c}")));
        expected.extend("abcde".chars().map(|c| format!("S2{c}")));
        expected.extend(["S3-before".to_owned(), "S3-after".to_owned()]);
        expected.extend((1..=6).map(|i| format!("W{i}")));
        let ids: Vec<String> = claims().into_iter().map(|c| c.id).collect();
        assert_eq!(ids, expected);
    }

    #[test]
    fn a_part_that_fails_decides() {
        let good = Measure::about("a", 1.0, 1.0, 0.1);
        let bad = Measure::about("b", 2.0, 1.0, 0.1);
        let missing = Measure::unavailable("c");
        assert_eq!(overall(&[good.clone(), missing.clone()]), Verdict::Holds);
        assert_eq!(overall(&[good, bad]), Verdict::Fails);
        assert_eq!(overall(&[missing]), Verdict::Unavailable);
    }
}
