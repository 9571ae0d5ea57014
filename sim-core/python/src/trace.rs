//! Records and decisions of a run: rows that are computed while they are read.

use crate::errors::{released, wrong};
use crate::run::plan;
use crate::stream::{Batches, Records};
use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::prelude::*;
use serde_json::{Value, json};
use sim_core::engine::{Options, Sim};
use sim_core::export::rows::{COLUMNS, Fields, Other, SECOND};
use sim_core::export::{CHUNK, Exporter, Format};
use sim_core::time::SimTime;
use sim_host::columns::{self, Column, Kind};
use sim_host::decision_text::{Teller, Wanted};

/// Number of decisions that are kept until they are read, and number of events until then.
const KEPT: usize = 1 << 17;
const EVENTS: u64 = 256;
/// Approximate number of rows in a batch of decisions.
const ROWS: usize = 4_096;

fn column(heading: &str, kind: Kind) -> Column {
    Column {
        heading: heading.to_owned(),
        kind,
        in_table: true,
    }
}

/// A run of one lane, up to a time.
fn start(
    py: Python<'_>,
    text: &str,
    lane: usize,
    until_ns: Option<u64>,
    options: Options,
) -> PyResult<(Sim, SimTime)> {
    let plan = plan(py, text)?;
    let lanes = plan.lanes.len();
    if lane >= lanes {
        let message = format!("must be from 0 to {}, got {lane}", lanes - 1);
        return Err(wrong(py, "lane", message));
    }
    let sim = released(py, || Sim::new(&plan, lane, options))?;
    let until = until_ns.map_or(sim.end(), |ns| SimTime(ns).min(sim.end()));
    Ok((sim, until))
}

struct Trace {
    sim: Sim,
    until: SimTime,
    exporter: Exporter,
    columns: Vec<Column>,
    is_over: bool,
}

fn cells(fields: &Fields<'_>) -> Vec<Value> {
    let text = |text: &str| match text {
        "" => Value::Null,
        text => text.into(),
    };
    let other = match fields.other {
        Some(Other::Name(name)) => name.into(),
        Some(Other::Number(n)) => Value::String(n.to_string()),
        None => Value::Null,
    };
    let mut cells = vec![
        fields.seq.into(),
        fields.at_ns.into(),
        fields.kind.into(),
        fields.cpu.into(),
        fields.task.into(),
        other,
        text(fields.reason),
        fields.decision.into(),
    ];
    cells.extend(SECOND.map(|second| match second == fields.second {
        true => fields.also.into(),
        false => Value::Null,
    }));
    cells
}

impl Batches for Trace {
    fn schema(&self) -> SchemaRef {
        columns::schema(&self.columns)
    }

    fn more(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        if self.is_over {
            return None;
        }
        let mut rows = Vec::new();
        let (before, most) = (self.sim.handled(), self.exporter.events());
        self.sim.advance(self.until, most);
        self.exporter
            .each(&self.sim, |fields| rows.push(cells(fields)));
        self.is_over = self.sim.handled() - before < most;
        Some(columns::batch(&self.columns, &rows))
    }
}

/// What happened in a lane: a row for each record, in the order of time.
#[pyfunction]
#[pyo3(signature = (text, lane, until_ns=None))]
pub(crate) fn trace(
    py: Python<'_>,
    text: &str,
    lane: usize,
    until_ns: Option<u64>,
) -> PyResult<Records> {
    let options = Options {
        check_every: 0,
        trace_limit: CHUNK,
        ..Options::default()
    };
    let (sim, until) = start(py, text, lane, until_ns, options)?;
    let kind = |heading: &str| match heading {
        "seq" | "atNs" => Kind::Whole,
        "kind" | "task" | "other" | "reason" => Kind::Text,
        _ => Kind::Signed,
    };
    let columns = COLUMNS.iter().map(|h| column(h, kind(h))).collect();
    Ok(Records::new(Box::new(Trace {
        sim,
        until,
        exporter: Exporter::new(Format::Csv),
        columns,
        is_over: false,
    })))
}

struct Decisions {
    sim: Sim,
    from: u64,
    until: SimTime,
    teller: Teller,
    full: bool,
    next: u64,
    columns: Vec<Column>,
    is_over: bool,
}

impl Batches for Decisions {
    fn schema(&self) -> SchemaRef {
        columns::schema(&self.columns)
    }

    fn more(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        if self.is_over {
            return None;
        }
        let mut rows = Vec::new();
        for _ in 0..ROWS {
            let before = self.sim.handled();
            self.sim.advance(self.until, EVENTS);
            let log = self.sim.decisions();
            let first = log.iter().next().map_or(self.next, |d| d.id);
            assert!(first <= self.next, "invariant: no decision is lost");
            for d in log.since(self.next) {
                if d.at.0 >= self.from && self.teller.wants(&self.sim, d) {
                    let told = self.teller.tell(&self.sim, d, self.full);
                    rows.push(vec![
                        told.id.into(),
                        told.at_ns.into(),
                        told.cpu.into(),
                        told.task.clone().into(),
                        told.kind.into(),
                        told.reason.into(),
                        told.words.clone().into(),
                        json!(told.operands),
                        told.considered().into(),
                        told.function.clone().into(),
                        told.release.clone().into(),
                    ]);
                }
            }
            self.next = log.next_id();
            self.is_over = self.sim.handled() - before < EVENTS;
            if self.is_over || rows.len() >= ROWS {
                break;
            }
        }
        Some(columns::batch(&self.columns, &rows))
    }
}

/// Why it happened: a row for each decision of a lane's scheduler, in the order of time.
#[pyfunction]
#[pyo3(signature = (text, lane, from_ns=0, until_ns=None, thread=None, cpu=None, reason=None, full=false))]
#[allow(clippy::too_many_arguments)] // they have names in Python
pub(crate) fn decisions(
    py: Python<'_>,
    text: &str,
    lane: usize,
    from_ns: u64,
    until_ns: Option<u64>,
    thread: Option<String>,
    cpu: Option<u16>,
    reason: Option<String>,
    full: bool,
) -> PyResult<Records> {
    let options = Options {
        check_every: 0,
        decision_limit: KEPT,
        ..Options::default()
    };
    let (mut sim, until) = start(py, text, lane, until_ns, options)?;
    if let Some(name) = &reason {
        let known = sim.reasons();
        if !known.iter().any(|r| r.id == name || r.kind == name) {
            let ids: Vec<&str> = known.iter().map(|r| r.id).collect();
            let message = format!("must be one of {}; got \"{name}\"", ids.join(", "));
            return Err(wrong(py, "reason", message));
        }
    }
    if full {
        sim.keep_candidates();
    }
    let teller = Teller::new(
        &sim,
        Wanted {
            reason,
            thread,
            cpu,
        },
    );
    let columns = [
        ("id", Kind::Whole),
        ("atNs", Kind::Whole),
        ("cpu", Kind::Signed),
        ("task", Kind::Text),
        ("kind", Kind::Text),
        ("reason", Kind::Text),
        ("words", Kind::Text),
        ("operands", Kind::Text),
        ("considered", Kind::Text),
        ("function", Kind::Text),
        ("release", Kind::Text),
    ];
    let columns = columns.map(|(heading, kind)| column(heading, kind)).into();
    Ok(Records::new(Box::new(Decisions {
        sim,
        from: from_ns,
        until,
        teller,
        full,
        next: 0,
        columns,
        is_over: false,
    })))
}
