//! CSV and JSON Lines: the records with names for numbers. A record of kind `queue` has the fields `from`, `to` and
//! `cause` as a JSON object; in CSV these are in the columns `other`, `cpu` and `reason`. `decision` is the number of
//! the decision that led to the record. A second decision is in the column of its meaning: where the thread was put
//! (`placement`), that it runs now (`pick`), or whether it preempts (`preemption`). [`TraceKind`] gives the meaning for
//! each kind.

use super::{Exporter, csv, index, switch_word};
use crate::trace::{KINDS, TraceKind, TraceRecord};
use std::fmt::Write;

/// Names of the columns.
pub const COLUMNS: &[&str] = &[
    "seq", "atNs", "kind", "cpu", "task", "other", "reason", "decision", SECOND[0], SECOND[1],
    SECOND[2],
];

/// The possible meanings of the second decision of a record.
pub const SECOND: [&str; 3] = ["placement", "pick", "preemption"];

fn second(kind: TraceKind) -> &'static str {
    match kind {
        TraceKind::Switch => SECOND[0],
        TraceKind::Migrate => SECOND[1],
        _ => SECOND[2],
    }
}

pub(super) fn csv_header() -> String {
    COLUMNS.join(",") + "\r\n"
}

/// The value of `other`: a task by name, or a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Other<'a> {
    /// A thread.
    Name(&'a str),
    /// A CPU, a nice value, the number of an edit.
    Number(i64),
}

/// A record with names for numbers. [`TraceKind`] gives the meaning of the fields for each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fields<'a> {
    /// Number, from 0.
    pub seq: u64,
    /// Time in ns of simulated time.
    pub at_ns: u64,
    /// Kind.
    pub kind: &'static str,
    /// CPU.
    pub cpu: Option<i32>,
    /// Thread.
    pub task: Option<&'a str>,
    /// See the kind.
    pub other: Option<Other<'a>>,
    /// The kernel's word, or how a thread left its CPU; empty if there is none.
    pub reason: &'static str,
    /// Number of the decision behind it.
    pub decision: Option<i64>,
    /// The meaning of the second decision: one of [`SECOND`].
    pub second: &'static str,
    /// Its number.
    pub also: Option<i64>,
}

pub(super) fn fields<'a>(x: &'a Exporter, r: &TraceRecord) -> Fields<'a> {
    let known = |n: i64| Some(n).filter(|n| *n >= 0);
    let other = match r.kind {
        TraceKind::Switch | TraceKind::Fork => x.task(r.other).map(|t| Other::Name(&t.name)),
        TraceKind::Nice => Some(Other::Number(r.other)),
        _ => known(r.other).map(Other::Number),
    };
    let reason = match r.kind {
        TraceKind::Switch => switch_word(r.reason),
        _ => index(r.reason.into()).map_or("", |i| x.reasons[i].id),
    };
    Fields {
        seq: r.seq,
        at_ns: r.at.0,
        kind: KINDS[r.kind as usize],
        cpu: Some(r.cpu).filter(|cpu| *cpu >= 0),
        task: x.task(r.task).map(|t| t.name.as_str()),
        other,
        reason,
        decision: known(r.decision),
        second: second(r.kind),
        also: known(r.also),
    }
}

pub(super) fn csv_row(x: &Exporter, r: &TraceRecord, out: &mut String) {
    let f = fields(x, r);
    let _ = write!(out, "{},{},{},", f.seq, f.at_ns, f.kind);
    number(f.cpu.map(i64::from), out);
    out.push(',');
    csv::text(f.task.unwrap_or(""), out);
    out.push(',');
    match f.other {
        Some(Other::Name(name)) => csv::text(name, out),
        Some(Other::Number(n)) => number(Some(n), out),
        None => {}
    }
    let _ = write!(out, ",{},", f.reason);
    number(f.decision, out);
    for column in SECOND {
        out.push(',');
        if column == f.second {
            number(f.also, out);
        }
    }
    out.push_str("\r\n");
}

fn number(n: Option<i64>, out: &mut String) {
    if let Some(n) = n {
        let _ = write!(out, "{n}");
    }
}

pub(super) fn json(x: &Exporter, r: &TraceRecord, out: &mut String) {
    let f = fields(x, r);
    let _ = write!(
        out,
        "{{\"seq\":{},\"atNs\":{},\"kind\":\"{}\"",
        f.seq, f.at_ns, f.kind
    );
    // A waiting thread is on no CPU: it moves from one queue to another.
    let [to, from, cause] = if r.kind == TraceKind::Queue {
        ["to", "from", "cause"]
    } else {
        ["cpu", "other", "reason"]
    };
    if let Some(cpu) = f.cpu {
        let _ = write!(out, ",\"{to}\":{cpu}");
    }
    if let Some(task) = f.task {
        let _ = write!(out, ",\"task\":{}", text(task));
    }
    match f.other {
        Some(Other::Name(name)) => {
            let _ = write!(out, ",\"{from}\":{}", text(name));
        }
        Some(Other::Number(n)) => {
            let _ = write!(out, ",\"{from}\":{n}");
        }
        None => {}
    }
    if !f.reason.is_empty() {
        let _ = write!(out, ",\"{cause}\":\"{}\"", f.reason);
    }
    for (name, decision) in [("decision", f.decision), (f.second, f.also)] {
        if let Some(decision) = decision {
            let _ = write!(out, ",\"{name}\":{decision}");
        }
    }
    out.push_str("}\n");
}

fn text(s: &str) -> String {
    serde_json::to_string(s).expect("invariant: text is JSON")
}
