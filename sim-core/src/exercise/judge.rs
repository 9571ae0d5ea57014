//! Whether a program does what an exercise asks. The same answer on every machine, byte for byte.

use super::format::{Case, Check, Exercise, Over, Set};
use super::picks;
use crate::config::plan::Plan;
use crate::config::{Scenario, validate};
use crate::error::ConfigError;
use crate::experiment::registry::scenario as shipped;
use crate::lesson::words::words;
use crate::text::quoted;
use serde::Serialize;
use serde_json::{Value, json};
use sim_measure::Measures;
use sim_measure::quantity::{Format, Quantity, sum};
use std::cmp::Ordering;
use std::sync::Arc;

/// What a check of a program gave.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct CheckResult {
    /// What is measured, for people.
    pub say: String,
    /// Whether it holds.
    pub passed: bool,
    /// What came.
    pub came: String,
    /// The turns that were wanted; else nothing.
    pub wanted: Option<String>,
    /// The least that was wanted, if there is one.
    pub at_least: Option<String>,
    /// The most that was wanted, if there is one.
    pub at_most: Option<String>,
    /// The seed of the run that it is about: the first that fails, else the first.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub seed: u64,
}

/// A case with a program.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Tried {
    /// Its id.
    pub id: String,
    /// The situation.
    pub text: String,
    /// Who sees it when.
    pub set: Set,
    /// What it is worth.
    pub points: u32,
    /// Whether everything holds.
    pub passed: bool,
    /// The sentence with which the program's lane stopped, if it did; then nothing was measured.
    pub stopped: Option<String>,
    /// The seed of the run to look at: the first that fails, else the first.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub seed: u64,
    /// Each check.
    pub checks: Vec<CheckResult>,
}

/// Where errors of the program that is tried stand.
const PROGRAM: &str = "program";

/// Whether only the program is wrong, which is the same in each case.
#[must_use]
pub fn is_of_program(errors: &[ConfigError]) -> bool {
    errors.iter().all(|e| e.path == PROGRAM)
}

/// Tries a case. `seeds` is a number of seeds to try instead of those of the case, from its first one on.
///
/// # Errors
/// What is wrong with the program (`program`), or with the case.
pub fn case(
    exercise: &Exercise,
    index: usize,
    program: &str,
    seeds: Option<u64>,
    language: &str,
) -> Result<Tried, Vec<ConfigError>> {
    let case = known(exercise, index)?;
    let first = scenario(exercise, index, program, None)?;
    let seeds = match seeds {
        Some(n) => (0..n).map(|i| first.seed.saturating_add(i)).collect(),
        None if case.seeds.is_empty() => vec![first.seed],
        None => case.seeds.clone(),
    };
    let mut tried = Tried {
        id: case.id.clone(),
        text: case.text.clone(),
        set: case.set,
        points: case.points,
        passed: false,
        stopped: None,
        seed: first.seed,
        checks: Vec::new(),
    };
    let mut seen = Vec::new();
    for seed in seeds {
        let mut of_seed = first.clone();
        of_seed.seed = seed;
        let found = readings(case, index, of_seed)?;
        if found.stopped.is_some() {
            tried.seed = seed;
            tried.stopped = found.stopped;
            return Ok(tried);
        }
        seen.push((seed, found.values));
    }
    for (j, check) in case.checks.iter().enumerate() {
        let values = seen.iter().map(|(seed, values)| (*seed, &values[j]));
        let measured = judged(check, &values.collect::<Vec<_>>(), language)
            .map_err(|message| at(index, &format!("checks[{j}]"), message))?;
        tried.checks.push(measured);
    }
    let failed = tried.checks.iter().find(|c| !c.passed);
    tried.passed = failed.is_none();
    tried.seed = failed
        .or(tried.checks.first())
        .map_or(first.seed, |c| c.seed);
    Ok(tried)
}

/// The scenario of a case with a program as its first lane.
///
/// # Errors
/// As for [`case`].
pub fn scenario(
    exercise: &Exercise,
    index: usize,
    program: &str,
    seed: Option<u64>,
) -> Result<Scenario, Vec<ConfigError>> {
    let case = known(exercise, index)?;
    let own = json!({ "id": "own", "program": program });
    let base = match &case.scenario {
        Value::String(id) => match shipped(id) {
            Some(found) => serde_json::to_value(found).unwrap_or_default(),
            None => {
                let message = format!("there is no shipped scenario {}", quoted(id));
                return Err(at(index, "scenario", message));
            }
        },
        written => written.clone(),
    };
    let Value::Object(mut fields) = base else {
        return Err(at(
            index,
            "scenario",
            "must be a scenario or the id of one".to_owned(),
        ));
    };
    let others = match fields.remove("schedulers") {
        Some(Value::Array(others)) => others,
        _ => Vec::new(),
    };
    let lanes: Vec<Value> = std::iter::once(own).chain(others).collect();
    fields.insert("schedulers".to_owned(), Value::Array(lanes));
    let text = Value::Object(fields).to_string();
    let mut scenario = validate::parse(&text).map_err(|errors| of_case(index, errors))?;
    if let Some(seed) = seed {
        scenario.seed = seed;
    }
    scenario.drop_guide();
    Ok(scenario)
}

fn known(exercise: &Exercise, index: usize) -> Result<&Case, Vec<ConfigError>> {
    exercise.cases.get(index).ok_or_else(|| {
        let message = format!("must be from 1 to {}", exercise.cases.len());
        vec![ConfigError::new("case", message)]
    })
}

/// A plan of a case. What is wrong with the program is told as `program`.
fn plan(index: usize, scenario: &Scenario) -> Result<Arc<Plan>, Vec<ConfigError>> {
    validate::plan(scenario)
        .map(Arc::new)
        .map_err(|errors| of_case(index, errors))
}

fn of_case(index: usize, errors: Vec<ConfigError>) -> Vec<ConfigError> {
    let told = |e: ConfigError| match e.path.as_str() {
        "schedulers[0].program" => ConfigError::new(PROGRAM, e.message),
        "schedulers[0].id" => ConfigError::new("", OTHER_BUILD),
        path => ConfigError::new(format!("cases[{index}].scenario.{path}"), e.message),
    };
    errors.into_iter().map(told).collect()
}

/// What a build says that has no own policies.
const OTHER_BUILD: &str = "this build has no own policies; `cargo build -p timeslice --features policy` makes one that has";

fn at(index: usize, field: &str, message: String) -> Vec<ConfigError> {
    vec![ConfigError::new(format!("cases[{index}].{field}"), message)]
}

/// What a check read off a run.
enum Reading {
    Turns(Vec<String>),
    Value {
        value: Quantity,
        at_least: Option<Quantity>,
        at_most: Option<Quantity>,
    },
}

struct Readings {
    stopped: Option<String>,
    values: Vec<Reading>,
}

/// What all checks of a case read off the run of one seed.
fn readings(case: &Case, index: usize, scenario: Scenario) -> Result<Readings, Vec<ConfigError>> {
    let plan = plan(index, &scenario)?;
    let of = |c: &'_ Check| -> Vec<String> {
        let all = [&c.value, &c.at_least, &c.at_most];
        all.into_iter().flatten().cloned().collect()
    };
    let mut measures = Measures::new(scenario, 0);
    for (j, check) in case.checks.iter().enumerate() {
        let written = [
            ("value", &check.value),
            ("atLeast", &check.at_least),
            ("atMost", &check.at_most),
        ];
        for (field, text) in written {
            let found = text.as_ref().map_or(Ok(()), |text| measures.check(text));
            found.map_err(|e| at(index, &format!("checks[{j}].{field}"), e.to_string()))?;
        }
    }
    let texts: Vec<String> = case.checks.iter().flat_map(of).collect();
    let values = measures.values(&texts);
    let mut values = values
        .map_err(|message| at(index, "checks", message))?
        .into_iter();
    let stopped = measures.fault(0);
    let mut found = Vec::new();
    for check in &case.checks {
        found.push(match &check.picks {
            Some(wanted) => {
                let n = wanted.split_whitespace().count();
                Reading::Turns(picks::first(&plan, n).0)
            }
            None => {
                let value = values.next().unwrap_or(Quantity::Missing);
                let mut next = |bound: &Option<String>| bound.as_ref().and_then(|_| values.next());
                Reading::Value {
                    value,
                    at_least: next(&check.at_least),
                    at_most: next(&check.at_most),
                }
            }
        });
    }
    Ok(Readings {
        stopped,
        values: found,
    })
}

/// Whether a check holds for the readings of all seeds.
fn judged(check: &Check, seen: &[(u64, &Reading)], language: &str) -> Result<CheckResult, String> {
    let words = &words(language).values;
    let print = |q: &Quantity| Format::default().print(q, words);
    let mut each: Vec<CheckResult> = Vec::new();
    for (seed, reading) in seen {
        let mut measured = CheckResult {
            say: check.say.clone(),
            passed: false,
            came: String::new(),
            wanted: None,
            at_least: None,
            at_most: None,
            seed: *seed,
        };
        match reading {
            Reading::Turns(names) => {
                let wanted: Vec<&str> = check
                    .picks
                    .as_deref()
                    .unwrap_or("")
                    .split_whitespace()
                    .collect();
                measured.passed = names.iter().map(String::as_str).eq(wanted.iter().copied());
                measured.came = names.join(" ");
                measured.wanted = Some(wanted.join(" "));
            }
            Reading::Value {
                value,
                at_least,
                at_most,
            } => {
                let value = &over(check.over, value, seen)?;
                let low = bound(value, at_least.as_ref())?;
                let high = bound(value, at_most.as_ref())?;
                let low = low.is_none_or(|o| o != Ordering::Less);
                let high = high.is_none_or(|o| o != Ordering::Greater);
                measured.passed = *value != Quantity::Missing && low && high;
                measured.came = print(value)?;
                measured.at_least = at_least.as_ref().map(print).transpose()?;
                measured.at_most = at_most.as_ref().map(print).transpose()?;
            }
        }
        each.push(measured);
    }
    let failed = each.iter().position(|c| !c.passed);
    let chosen = (!each.is_empty()).then(|| each.swap_remove(failed.unwrap_or(0)));
    chosen.ok_or_else(|| "there is no seed".to_owned())
}

/// The value that is compared: of a seed, or of all.
fn over(over: Over, own: &Quantity, seen: &[(u64, &Reading)]) -> Result<Quantity, String> {
    if over == Over::Each {
        return Ok(own.clone());
    }
    let mut numbers = Vec::new();
    let mut unit = None;
    for (_, reading) in seen {
        match reading {
            Reading::Value {
                value: Quantity::Number(x, kind),
                ..
            } => {
                numbers.push(*x);
                unit = Some(*kind);
            }
            _ => return Ok(Quantity::Missing),
        }
    }
    let Some(kind) = unit else {
        return Ok(Quantity::Missing);
    };
    let (least, most) = numbers
        .iter()
        .fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(*x), b.max(*x)));
    let n = crate::metrics::real(numbers.len() as u64);
    Ok(Quantity::Number(
        match over {
            Over::Mean => numbers.iter().sum::<f64>() / n,
            Over::Spread | Over::Each => most - least,
        },
        kind,
    ))
}

/// How a value compares with a bound; `None` without a bound.
fn bound(value: &Quantity, bound: Option<&Quantity>) -> Result<Option<Ordering>, String> {
    let Some(bound) = bound else { return Ok(None) };
    if *value == Quantity::Missing {
        return Ok(None);
    }
    match sum(value, bound, -1.0)? {
        Quantity::Number(difference, _) => Ok(difference.partial_cmp(&0.0)),
        Quantity::Missing => Err("the bound has no value in this run".to_owned()),
        other => Err(format!("must be a number, got {}", other.name())),
    }
}
