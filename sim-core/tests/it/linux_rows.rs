//! The experiments of `ledgers/linux-runs.toml`: one test makes the runs, another writes the table of docs/linux.md.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    row: Vec<Row>,
}

/// An experiment; the file says what its fields mean.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)] // the table needs no groups, the runs no words
pub(crate) struct Row {
    pub(crate) what: String,
    pub(crate) hz: u32,
    pub(crate) cpus: u32,
    #[serde(default = "one")]
    pub(crate) packages: u32,
    #[serde(default = "one")]
    pub(crate) smt: u32,
    #[serde(default)]
    pub(crate) kernel_threads: bool,
    #[serde(default = "usual_seconds")]
    pub(crate) seconds: u64,
    #[serde(default)]
    pub(crate) grouped: bool,
    pub(crate) groups: Vec<Value>,
    #[serde(default)]
    pub(crate) edits: Vec<Value>,
    pub(crate) value: String,
    #[serde(default)]
    pub(crate) unit: String,
    pub(crate) within: f64,
    /// By era.
    #[serde(default)]
    pub(crate) expected: BTreeMap<String, f64>,
    #[serde(default)]
    pub(crate) between: BTreeMap<String, [f64; 2]>,
    #[serde(default)]
    pub(crate) differs: BTreeMap<String, f64>,
    #[serde(default)]
    pub(crate) why: String,
}

fn one() -> u32 {
    1
}

fn usual_seconds() -> u64 {
    20
}

/// All of them.
pub(crate) fn rows() -> Vec<Row> {
    let table: Table = toml::from_str(include_str!("../ledgers/linux-runs.toml")).expect("a table");
    table.row
}
