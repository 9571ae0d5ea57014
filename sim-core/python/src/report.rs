//! The result of a run.

use crate::columns::{Table, arrow};
use pyo3::prelude::*;
use serde::Serialize;
use serde_json::Value;
use sim_core::report::RunReport;
use sim_host::columns::{self, Column, Kind};

/// The result of a run of one lane.
#[pyclass(frozen, module = "timeslice._core")]
pub(crate) struct Report {
    report: RunReport,
    events: u64,
}

impl Report {
    pub(crate) fn new(report: RunReport, events: u64) -> Self {
        Self { report, events }
    }
}

#[pymethods]
impl Report {
    /// Name of the scenario.
    #[getter]
    fn scenario(&self) -> &str {
        &self.report.scenario
    }

    /// Id of the machine.
    #[getter]
    fn machine(&self) -> &str {
        &self.report.machine
    }

    /// Id of the scheduler.
    #[getter]
    fn scheduler(&self) -> &str {
        &self.report.scheduler
    }

    /// Id of its era.
    #[getter]
    fn era(&self) -> &str {
        &self.report.era
    }

    /// Seed of the run.
    #[getter]
    fn seed(&self) -> u64 {
        self.report.seed
    }

    /// Simulated time, in ns.
    #[getter]
    fn elapsed_ns(&self) -> u64 {
        self.report.elapsed_ns
    }

    /// Events that the simulator handled.
    #[getter]
    fn events(&self) -> u64 {
        self.events
    }

    /// Digest of the run, 16 hexadecimal digits.
    #[getter]
    fn digest(&self) -> &str {
        &self.report.digest
    }

    /// What the scheduler did wrong, if that ended the run.
    #[getter]
    fn fault(&self) -> Option<&str> {
        self.report.fault.as_ref().map(|f| f.message.as_str())
    }

    /// All of it as JSON, as `timeslice run --json` prints it.
    fn json(&self) -> String {
        serde_json::to_string(&self.report).expect("invariant: reports are plain data")
    }

    /// A row for each thread.
    fn threads(&self) -> PyResult<Table> {
        table(&self.report.threads)
    }

    /// A row for each group of threads.
    fn groups(&self) -> PyResult<Table> {
        table(&self.report.groups)
    }

    /// A row for each CPU.
    fn cpus(&self) -> PyResult<Table> {
        table(&self.report.cpus)
    }
}

/// Type of a field of a report; a field that is not listed is a count or a time in ns.
fn kind(field: &str) -> Kind {
    match field {
        "name" | "group" => Kind::Text,
        "background" => Kind::Switch,
        "nice" => Kind::Signed,
        "share" | "workNs" => Kind::Real,
        field if field.contains('/') => Kind::Real,
        _ => Kind::Whole,
    }
}

/// Fields of a part of a report; those of an object within it as `byCauseNs/smt`.
fn fields<T: Serialize>(part: &T) -> Vec<(String, Value)> {
    let Ok(Value::Object(map)) = serde_json::to_value(part) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for (name, value) in map {
        match value {
            Value::Object(inner) => {
                let inner = inner.into_iter();
                all.extend(inner.map(|(key, value)| (format!("{name}/{key}"), value)));
            }
            value => all.push((name, value)),
        }
    }
    // The name comes first, then the other fields in alphabetical order.
    all.sort_by_key(|(name, _)| !["name", "cpu"].contains(&name.as_str()));
    all
}

/// Parts of a report as columns. All parts of a list have the same fields.
fn table<T: Serialize>(parts: &[T]) -> PyResult<Table> {
    let all: Vec<Vec<(String, Value)>> = parts.iter().map(fields).collect();
    let names = all.first().map_or(&[][..], |first| first.as_slice());
    let heads: Vec<Column> = names
        .iter()
        .map(|(name, _)| Column {
            heading: name.clone(),
            kind: kind(name),
            in_table: true,
        })
        .collect();
    let rows: Vec<Vec<Value>> = all
        .into_iter()
        .map(|row| row.into_iter().map(|(_, value)| value).collect())
        .collect();
    let batch = columns::batch(&heads, &rows).map_err(arrow)?;
    Ok(Table::new(columns::schema(&heads), vec![batch]))
}
