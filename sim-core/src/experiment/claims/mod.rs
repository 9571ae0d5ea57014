//! Published claims: the statement of a source, the result of the simulator, and whether the statement holds.
//!
//! A source is one file of `scenarios/claims/` and one line of the registry: statements and bounds, the runs that a
//! claim needs, the values that they give, and the figures of its pages. [`data`] reads it. It does not matter whether
//! threads or workers carry out the runs. The schedulers contain nothing about any claim.

mod claim;
pub mod data;
mod evaluation;
mod value;

pub use super::bound::Verdict;
pub use super::results::{Effort, Results, Seen};
pub use super::words::short;
pub use claim::{Claim, Control, Demand, Kind, When, claims};
pub use evaluation::{Band, Evaluation, Judged, evaluation as judge};
pub use value::{Measure, Value};

use super::figure::Figure;
use super::run::{self, Run};
use super::shipped;
use super::stats::Estimate;
use crate::config::{Scenario, validate};
use crate::error::ConfigError;
use crate::hash;
use crate::machine::registry::PRESETS;
use crate::property::Set;
use crate::text::quoted;
use data::Data;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// The experiments by the names of their files, one line each.
const EXPERIMENTS: &[&str] = &["s0", "s1", "s2", "s3", "s4", "eevdf", "queueing"];

/// The files, in this order; read only once.
///
/// # Panics
/// If a shipped file is not valid; a test reads all.
fn experiments() -> &'static [Data] {
    static ALL: OnceLock<Vec<Data>> = OnceLock::new();
    let read = |name: &&str| {
        let file = shipped::file(&format!("claims/{name}"));
        let read = Data::read(name, file.expect("invariant: the file is there"));
        read.unwrap_or_else(|e| panic!("invariant: shipped claims are valid: {e}"))
    };
    ALL.get_or_init(|| EXPERIMENTS.iter().map(read).collect())
}

/// What a shipped file gives without results: tests ask for all of it.
fn shipped<T>(told: Result<T, String>) -> T {
    told.unwrap_or_else(|e| panic!("invariant: shipped claims are valid: {e}"))
}

/// A page and its experiment.
#[derive(Clone, Debug, Serialize)]
pub struct PageId {
    /// Word in the link.
    pub id: &'static str,
    /// The experiment.
    pub experiment: &'static str,
}

/// All pages, in the order of the gallery.
pub fn pages() -> Vec<PageId> {
    let of = |e: &'static Data| {
        let experiment = e.file.experiment.as_str();
        let pages = e.file.pages.iter();
        pages.map(move |page| PageId {
            id: &page.id,
            experiment,
        })
    };
    experiments().iter().flat_map(of).collect()
}

/// The experiment of a page.
fn page(id: &str) -> Result<&'static Data, ConfigError> {
    let mut all = experiments().iter();
    all.find(|e| e.page(id).is_some()).ok_or_else(|| {
        let known: Vec<&str> = pages().iter().map(|page| page.id).collect();
        unknown("page", &known, id)
    })
}

fn unknown(what: &str, known: &[&str], got: &str) -> ConfigError {
    let (known, got) = (known.join(", "), quoted(got));
    ConfigError::new(what, format!("must be one of {known}; got \"{got}\""))
}

/// The trials of a page.
///
/// # Errors
/// If there is no such page.
pub fn what_ifs(page_id: &str) -> Result<Vec<WhatIf>, ConfigError> {
    Ok(page(page_id)?.what_ifs(page_id))
}

/// The runs of a page, each once, with a trial; no trial if `what_if` is empty.
///
/// # Errors
/// If there is no such page or no such trial.
pub fn page_runs(page_id: &str, what_if: &str, effort: Effort) -> Result<Vec<Run>, ConfigError> {
    let more = shipped(page(page_id)?.more(page_id, effort));
    let of_page = claim::all().iter().filter(|claim| claim.page == page_id);
    let all = of_page.flat_map(|claim| runs(&claim.id, effort));
    let mut all = once(all.chain(more).collect());
    if what_if.is_empty() {
        return Ok(all);
    }
    let what_ifs = what_ifs(page_id)?;
    let Some(what) = what_ifs.iter().find(|what| what.id == what_if) else {
        let known: Vec<&str> = what_ifs.iter().map(|what| what.id).collect();
        return Err(unknown("what-if", &known, what_if));
    };
    change(&mut all, &what.changes)?;
    Ok(all)
}

/// The figures of a page with the results so far.
///
/// # Errors
/// If there is no such page.
pub fn figures(page_id: &str, results: &Results) -> Result<Vec<Figure>, ConfigError> {
    let figures = page(page_id)?.figures(page_id, results);
    figures.map_err(|e| ConfigError::new("claims", e))
}

/// The claims of a page whose runs are all done, evaluated.
///
/// # Errors
/// If there is no such page, or a bound does not fit its value.
pub fn evaluate_page(page_id: &str, results: &Results) -> Result<Vec<Evaluation>, ConfigError> {
    page(page_id)?;
    let mut all = Vec::new();
    for claim in claim::all() {
        if claim.page == page_id
            && let Some(judged) = evaluation(claim, results)?
        {
            all.push(judged);
        }
    }
    Ok(all)
}

/// Each run once, by its key, in the order of first occurrence.
#[must_use]
pub fn once(runs: Vec<Run>) -> Vec<Run> {
    let mut known = BTreeMap::new();
    let mut kept: Vec<Run> = Vec::new();
    for run in runs {
        match known.get(&run.key) {
            None => {
                known.insert(run.key.clone(), kept.len());
                kept.push(run);
            }
            Some(first) => debug_assert!(kept[*first] == run, "two runs with the key {}", run.key),
        }
    }
    kept
}

/// A what-if: changes with a name.
#[derive(Clone, Debug, Serialize)]
pub struct WhatIf {
    /// Word in the link.
    pub id: &'static str,
    /// Name for people.
    pub label: &'static str,
    /// The changes.
    #[serde(skip)]
    pub changes: Vec<Set>,
}

/// Changes all runs.
///
/// # Errors
/// If a change is about a scheduler that none of the runs has.
pub fn change(runs: &mut [Run], changes: &[Set]) -> Result<(), ConfigError> {
    let mut schedulers: Vec<&str> = Vec::new();
    for run in runs.iter() {
        if !schedulers.contains(&run.scheduler.id.as_str()) {
            schedulers.push(&run.scheduler.id);
        }
    }
    for named in changes.iter().filter_map(Set::scheduler) {
        if !schedulers.contains(&named.as_str()) {
            return Err(unknown("scheduler", &schedulers, &named));
        }
    }
    for run in runs {
        run.changes.extend_from_slice(changes);
    }
    Ok(())
}

/// The experiment of a claim.
fn experiment(claim: &Claim) -> Option<&'static Data> {
    let mut all = experiments().iter();
    all.find(|e| e.file.experiment == claim.experiment)
}

/// A claim by its id, in small or capital letters.
///
/// # Errors
/// If there is none; the message lists all.
pub fn find(id: &str) -> Result<Claim, ConfigError> {
    let all = claim::all();
    let found = all.iter().find(|c| c.id.eq_ignore_ascii_case(id)).cloned();
    found.ok_or_else(|| {
        let known: Vec<&str> = all.iter().map(|c| c.id.as_str()).collect();
        unknown("claims", &known, id)
    })
}

/// Carries out runs that do not depend on each other. The core itself uses no threads; an executor may.
pub trait Executor {
    /// The results of `run` for 0 to `n` - 1, in that order.
    fn map(&self, n: usize, run: &(dyn Fn(usize) -> Seen + Sync)) -> Vec<Seen>;
}

/// One run after the other.
#[derive(Clone, Copy, Debug)]
pub struct InTurn;

impl Executor for InTurn {
    fn map(&self, n: usize, run: &(dyn Fn(usize) -> Seen + Sync)) -> Vec<Seen> {
        (0..n).map(run).collect()
    }
}

/// The runs that a claim needs; none if there is no such claim.
#[must_use]
pub fn runs(claim: &str, effort: Effort) -> Vec<Run> {
    let known = claim::all().iter().find(|known| known.id == claim);
    let Some(known) = known else {
        return Vec::new();
    };
    experiment(known).map_or(Vec::new(), |of| shipped(of.runs(known, effort)))
}

/// The evaluation of a claim from the results of runs; `None` if some of its runs are missing.
///
/// # Errors
/// If a bound does not fit its value.
pub fn evaluation(claim: &Claim, results: &Results) -> Result<Option<Evaluation>, ConfigError> {
    let Some(of) = experiment(claim) else {
        let known = experiments().iter().map(|e| e.file.experiment.as_str());
        let known: Vec<&str> = known.collect();
        return Err(unknown("experiment", &known, &claim.experiment));
    };
    let keys = shipped(of.keys_of(claim, results.effort()));
    if keys.iter().any(|key| results.find(key).is_none()) {
        return Ok(None);
    }
    let values = of.values(claim, results);
    let judged = values.and_then(|values| judge(claim, &values, &of.measures()));
    judged.map(Some).map_err(|e| ConfigError::new("claims", e))
}

/// Evaluates claims; a run that several of them need is made once. `changes` are first made to all runs: a what-if, or
/// a control that must make a claim fail. `progress` receives the name of the current run.
///
/// # Errors
/// The errors of a changed run.
pub fn evaluate(
    claims: &[Claim],
    effort: Effort,
    executor: &dyn Executor,
    changes: &[Set],
    progress: &mut dyn FnMut(&str),
) -> Result<Vec<Evaluation>, Vec<ConfigError>> {
    let results = carry_out(claims, effort, executor, changes, progress)?;
    let judged = claims.iter().map(|c| evaluation(c, &results));
    let judged: Result<Vec<_>, _> = judged.collect();
    let judged = judged.map_err(|e| vec![e])?;
    Ok(judged.into_iter().flatten().collect())
}

/// Carries out the runs of claims, each once.
///
/// # Errors
/// The errors of a run.
pub fn carry_out(
    claims: &[Claim],
    effort: Effort,
    executor: &dyn Executor,
    changes: &[Set],
    progress: &mut dyn FnMut(&str),
) -> Result<Results, Vec<ConfigError>> {
    let all = all_runs(claims, effort, changes)?;
    let scenarios: Vec<Scenario> = all.iter().map(run::scenario).collect::<Result<_, _>>()?;
    for (scenario, run) in scenarios.iter().zip(&all) {
        validate::plan(scenario)?;
        run::check(scenario, run.columns)?;
    }
    progress(&format!("{} runs", all.len()));
    let given = executor.map(all.len(), &|i| {
        run::execute(&scenarios[i], all[i].columns, &all[i].at).expect("invariant: just checked")
    });
    let mut results = Results::new(effort);
    for (run, seen) in all.into_iter().zip(given) {
        results.add(run.key, seen);
    }
    Ok(results)
}

/// The runs of claims, each once. `changes` are made to all of them.
///
/// # Errors
/// If a change is about a scheduler that none of the runs has.
pub fn all_runs(
    claims: &[Claim],
    effort: Effort,
    changes: &[Set],
) -> Result<Vec<Run>, Vec<ConfigError>> {
    let mut all = once(claims.iter().flat_map(|c| runs(&c.id, effort)).collect());
    change(&mut all, changes).map_err(|e| vec![e])?;
    Ok(all)
}

/// The inputs of a claim's verdict, without the code.
#[derive(Clone, Debug, Serialize)]
pub struct Inputs {
    /// Id of the claim.
    pub id: String,
    /// Hash of the claim and of its runs: their complete scenarios with their machines, the probes and the times.
    pub hash: String,
    /// Ids of the schedulers that run.
    pub schedulers: BTreeSet<String>,
    /// Number of runs.
    pub runs: usize,
}

/// The inputs of a claim's verdict.
///
/// # Errors
/// The errors of a run that names something that does not exist.
pub fn inputs(claim: &Claim, effort: Effort) -> Result<Inputs, ConfigError> {
    let runs = runs(&claim.id, effort);
    let mut sum = hash::bytes(0, format!("{claim:?}").as_bytes());
    if let Some(of) = experiment(claim) {
        sum = of.hash(sum);
    }
    for run in &runs {
        let scenario = run.value()?;
        let preset = scenario["machine"].as_str().and_then(|id| {
            let preset = PRESETS.iter().find(|(known, _)| *known == id)?;
            Some(preset.1)
        });
        let parts = [
            &run.key,
            run.columns,
            &scenario.to_string(),
            preset.unwrap_or(""),
        ];
        for part in parts {
            sum = hash::bytes(sum, part.as_bytes());
        }
        sum = run.at.iter().fold(sum, |sum, at| hash::word(sum, *at));
    }
    Ok(Inputs {
        id: claim.id.clone(),
        hash: format!("{sum:016x}"),
        schedulers: runs.iter().map(|r| r.scheduler.id.clone()).collect(),
        runs: runs.len(),
    })
}

/// A published number and the result of the runs.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Number {
    /// The experiment.
    pub source: String,
    /// Id of the claim.
    pub claim: String,
    /// What the number is.
    pub name: String,
    /// The published number.
    pub published: f64,
    /// The result of the runs; `null` if it is not a number.
    pub simulated: f64,
    /// (simulated - published) / published; `null` if the published number is zero.
    pub relative_error: f64,
}

/// All published numbers, and the mean error of the runs.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Numbers {
    /// The numbers.
    pub numbers: Vec<Number>,
    /// Mean absolute relative error by experiment, over the numbers that have one.
    pub mean_errors: BTreeMap<String, f64>,
}

/// The published numbers of evaluated claims. A number that several claims have counts once.
#[must_use]
pub fn numbers(evaluations: &[Evaluation]) -> Numbers {
    let mut numbers: Vec<Number> = Vec::new();
    for e in evaluations {
        for m in &e.measures {
            let Some(published) = m.published else {
                continue;
            };
            // Results of theory are not published numbers.
            if m.bound.is_some_and(|b| b.covers.is_some()) {
                continue;
            }
            let same = |n: &Number| n.source == e.claim.experiment && n.name == m.name;
            if numbers.iter().any(same) {
                continue;
            }
            numbers.push(Number {
                source: e.claim.experiment.clone(),
                claim: e.claim.id.clone(),
                name: m.name.clone(),
                published,
                simulated: m.value,
                relative_error: if published == 0.0 {
                    f64::NAN
                } else {
                    (m.value - published) / published
                },
            });
        }
    }
    let mut mean_errors = BTreeMap::new();
    for of in experiments() {
        let id = &of.file.experiment;
        let of_source = numbers.iter().filter(|n| n.source == *id);
        let errors = of_source.map(|n| n.relative_error.abs());
        let errors: Vec<f64> = errors.filter(|error| error.is_finite()).collect();
        if !errors.is_empty() {
            mean_errors.insert(id.clone(), Estimate::mean(&errors).mean);
        }
    }
    Numbers {
        numbers,
        mean_errors,
    }
}
