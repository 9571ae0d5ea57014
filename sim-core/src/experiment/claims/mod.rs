//! Published claims: what a source says, what the simulator gives, and whether it holds.
//!
//! Statements, acceptance bounds and sources are data (`scenarios/claims.json`); a claim that can be
//! evaluated has a function here, one file per experiment. Nothing in the schedulers knows of any claim.

mod s0;
mod s0_checks;
mod s1;
mod s3;
mod s4;

use crate::config::SchedulerChoice;
use crate::params::ParamMap;
use serde::{Deserialize, Serialize};

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

/// A lane with the defaults of an era.
fn lane(id: &str, era: &str) -> Vec<SchedulerChoice> {
    vec![SchedulerChoice {
        id: id.to_owned(),
        era: Some(era.to_owned()),
        tunables: ParamMap::new(),
    }]
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

/// Evaluates claims; runs that several of them need are made once. `progress` is told what is running.
pub fn evaluate(
    claims: &[Claim],
    effort: Effort,
    executor: &dyn Executor,
    progress: &mut dyn FnMut(&str),
) -> Vec<Evaluation> {
    let mut s0 = s0::Runs::new(effort);
    let mut s1 = s1::Runs::new(effort);
    let mut s3 = s3::Runs::new(effort);
    let mut s4 = s4::Runs::new(effort);
    claims
        .iter()
        .map(|claim| {
            let measures = match claim.id.as_str() {
                id if id.starts_with('J') => s0.evaluate(id, executor, progress),
                id if id.starts_with("S1") => s1.evaluate(id, executor, progress),
                id if id.starts_with("S3") => s3.evaluate(id, executor, progress),
                id if id.starts_with('W') => s4.evaluate(id, progress),
                _ => Vec::new(),
            };
            let (measures, note) = match measures.is_empty() {
                true => (measures, format!("not yet: {}", claim.needs)),
                false => {
                    let note = match claim.experiment.as_str() {
                        "S0" => s0_checks::note(&claim.id, &measures),
                        "S1" => s1::note(&claim.id, &measures),
                        "S3" => s3::note(&claim.id, &measures),
                        _ => s4::note(&claim.id, &measures),
                    };
                    (measures, note)
                }
            };
            let verdict = overall(&measures);
            Evaluation {
                claim: claim.clone(),
                verdict,
                measures,
                note,
            }
        })
        .collect()
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
