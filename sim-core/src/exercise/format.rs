//! The format of exercises: `scenarios/exercises/<id>.json`, with translations of its texts beside it (`<id>.de.json`).

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Version of the format that this core reads.
pub const EXERCISE_FORMAT: u32 = 1;

/// Largest number of cases of an exercise.
pub const MOST_CASES: usize = 32;
/// Largest number of checks of a case.
pub const MOST_CHECKS: usize = 16;
/// Largest number of seeds of a case.
pub const MOST_SEEDS: usize = 100;
/// Largest number of turns in order.
pub const MOST_PICKS: usize = 256;
/// Most points of a case.
pub const MOST_POINTS: u32 = 100;

/// An exercise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Exercise {
    /// Format version; 1.
    pub format: u32,
    /// Id, which is the name of its file.
    pub id: String,
    /// Name for people.
    pub title: String,
    /// What is asked.
    pub text: String,
    /// The policy of the textbook to begin with: a release of the scheduler `own`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
    /// The program to begin with, instead of a template.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// What is tried.
    pub cases: Vec<Case>,
}

/// A small scenario, and what must hold in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Case {
    /// Its id in this exercise.
    pub id: String,
    /// The situation, in a sentence.
    pub text: String,
    /// Who sees it when.
    #[serde(default)]
    pub set: Set,
    /// What it is worth.
    #[serde(default = "one")]
    pub points: u32,
    /// A scenario, or the id of a shipped one. The program becomes its first lane; its own lanes, which may be left out,
    /// follow.
    pub scenario: Value,
    /// Seeds of its runs; that of the scenario if left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seeds: Vec<u64>,
    /// What must hold.
    pub checks: Vec<Check>,
}

const fn one() -> u32 {
    1
}

/// Who sees a case when.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export, rename = "CaseSet")
)]
#[serde(rename_all = "camelCase")]
pub enum Set {
    /// Everybody, from the beginning.
    #[default]
    Shown,
    /// Nobody before the first check.
    Hidden,
    /// Everybody; it gives points, and is not needed to pass.
    Bonus,
}

/// What must hold: `picks`, or `value` with one bound or two.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Check {
    /// What is measured, for people.
    pub say: String,
    /// The threads that get a CPU, in order from the start, with spaces between: `hog-1 hog-2`. Daemons and kernel
    /// threads do not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picks: Option<String>,
    /// An expression of the measure language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The value is not below this: an expression, often only a number with its unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_least: Option<String>,
    /// The value is not above this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<String>,
    /// What is compared where there are several seeds.
    #[serde(default)]
    pub over: Over,
}

/// What is compared where there are several seeds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Over {
    /// The value of each seed.
    #[default]
    Each,
    /// The mean of the values.
    Mean,
    /// The largest less the smallest.
    Spread,
}
