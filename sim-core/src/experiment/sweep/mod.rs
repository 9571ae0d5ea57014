//! Sweeps: one scenario, varied along axes, and the measures. Here a sweep becomes a [`Space`] of points; a program
//! with threads (the command line) runs it.
//!
//! The file names a base scenario and axes; every combination of their values is a point. The first axis varies
//! slowest. An axis names a property by its path. An error in the sweep is returned; an error in a point becomes a row
//! that describes it.

mod axis;
mod measure;
mod row;
mod space;
#[cfg(test)]
mod tests;

pub(super) use measure::expressions;
pub use measure::{REASON, THREAD, TIMES, expression};
pub use row::{FinishedRun, Row, SLICE, Status, Unfinished, before_end, run, run_while};
pub use space::{COLUMNS, Point, Space};

use crate::config::Scenario;
use crate::config::validate::misread;
use crate::error::ConfigError;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Largest number of points of a sweep; it can be run in parts.
pub const MAX_POINTS: usize = 1_000_000_000;

/// A sweep as written.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Sweep {
    /// Name for people.
    pub name: String,
    /// The scenario that is varied.
    pub base: Base,
    /// The axes; without an axis there is one point.
    #[serde(default)]
    pub axes: Vec<Axis>,
    /// Ids of metrics, of [`TIMES`], `reason:` with the id of a reason, a group and a heading of groups (`hog/cpuNs`), or
    /// a thread and a heading of threads (`thread/3/cpuNs`), or an expression of the measure language with `lane` for the
    /// row's lane (`p(latencies(lane, hog), 99)`); all metrics and times if left out.
    #[serde(default)]
    pub metrics: Vec<String>,
    /// The end of the warm-up, in ns or with a unit: measures begin there.
    #[serde(
        rename = "from",
        default,
        deserialize_with = "time_or_ns",
        skip_serializing_if = "is_start"
    )]
    pub from_ns: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // the form that serde asks for
fn is_start(ns: &u64) -> bool {
    *ns == 0
}

/// A time as a number of ns, or as text with a unit.
fn time_or_ns<'de, D: serde::Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    use serde::de::Error;
    let told = || {
        D::Error::custom(
            "from must be a time in ns such as 2000000000, or with a unit such as \"2s\"",
        )
    };
    match Value::deserialize(from)? {
        Value::Number(ns) => ns.as_u64().ok_or_else(told),
        Value::String(text) => crate::units::time(&text).map_err(|_| told()),
        _ => Err(told()),
    }
}

/// The scenario that is varied.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Base {
    /// Id of a shipped scenario, or the path of a file.
    Named(String),
    /// Written out.
    Inline(Box<Scenario>),
}

/// An axis: what is varied, and its values.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Axis {
    /// Heading of its column. If left out, it is the last name of the path (or the id or word of `vary`), with the prefix
    /// `varied_` if every row already has a column of that name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The path of the property that is varied, e.g. `groups.hog.nice` ([`crate::property`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<String>,
    /// What is varied, in the words of older files: instead of `set`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vary: Option<Vary>,
    /// Name of the group, for the properties of groups; the first group if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Id of the scheduler whose lanes an era or a tunable applies to; if left out, all lanes (that have the tunable).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scheduler: Option<String>,
    /// Id of the tunable or parameter, or the JSON pointer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The values, as the scenario would write them, or with units.
    pub values: Vec<Value>,
}

/// What an axis varies, in the words of older files. Each stands for a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Vary {
    /// Number of threads of a group.
    Count,
    /// Nice value of a group.
    Nice,
    /// Bytes that each thread of a group sweeps.
    WorkingSet,
    /// A parameter (`id`) of a group's behaviour.
    Param,
    /// The machine: id of a preset, or one written out.
    Machine,
    /// The only scheduler: an id, or one with era and tunables.
    Scheduler,
    /// Era of all schedulers, or of one (`scheduler`).
    Era,
    /// A tunable (`id`) of the lanes that have it, or of those with one scheduler (`scheduler`).
    Tunable,
    /// The seed.
    Seed,
    /// A field of the scenario, by JSON pointer (`id`), e.g. `/end/atNs`.
    Path,
}

impl Sweep {
    /// A shipped scenario without axes.
    #[must_use]
    pub fn of(id: &str) -> Self {
        Self {
            name: id.to_owned(),
            base: Base::Named(id.to_owned()),
            axes: Vec::new(),
            metrics: Vec::new(),
            from_ns: 0,
        }
    }
}

/// Reads a sweep.
///
/// # Errors
/// Where the text is not a sweep.
pub fn parse(text: &str) -> Result<Sweep, Vec<ConfigError>> {
    serde_json::from_str(text).map_err(|e| vec![misread(&e)])
}
