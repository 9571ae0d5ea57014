//! The experiments of `ledgers/linux-runs.toml` as a table of `docs/linux.md`. `it/linux_runs.rs` makes the runs.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;

const TABLE: &str = include_str!("../ledgers/linux-runs.toml");

const HEAD: &str = "
## The same workloads, run

Each number is what a run of this build gives, and what running functions of the kernel (4.9, 6.1) or a model of its rules gave
before; a test compares them (`sim-core/tests/ledgers/linux-runs.toml`). All threads are on one CPU, turns are medians from the
first second on, and the machine has 8 CPUs and no costs, unless the row says something else. In brackets is what the model gave
where the run differs.

";

#[derive(Deserialize)]
struct Table {
    row: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    what: String,
    hz: u32,
    #[serde(default)]
    unit: String,
    expected: BTreeMap<String, f64>,
    #[serde(default)]
    differs: BTreeMap<String, f64>,
    #[serde(default)]
    why: String,
}

/// The section, with a column for each of these releases.
pub(super) fn section(releases: &[&str]) -> String {
    let table: Table = toml::from_str(TABLE).expect("a table");
    let columns = releases.join(" | ");
    let mut out = format!("{HEAD}| Experiment | HZ | {columns} |\n");
    let _ = writeln!(out, "|{}", " --- |".repeat(releases.len() + 2));
    let mut notes = Vec::new();
    for row in &table.row {
        let unit = if row.unit.is_empty() {
            String::new()
        } else {
            format!(", {}", row.unit)
        };
        let _ = write!(out, "| {}{unit} | {} |", row.what, row.hz);
        for release in releases {
            let cell = match (row.expected.get(*release), row.differs.get(*release)) {
                (Some(model), Some(run)) => format!("{run} ({model})"),
                (Some(model), None) => model.to_string(),
                (None, _) => "–".to_owned(),
            };
            let _ = write!(out, " {cell} |");
        }
        out.push('\n');
        if !row.why.is_empty() && !notes.contains(&row.why) {
            notes.push(row.why.clone());
        }
    }
    for why in notes {
        let _ = write!(out, "\nIn brackets: {why}.\n");
    }
    out
}
