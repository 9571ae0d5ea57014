//! CSV and JSON Lines: the records as they are, with names for numbers. A record of kind `queue` has the fields `from`,
//! `to` and `cause` as a JSON object; in CSV these stand in the columns `other`, `cpu` and `reason`. `decision`
//! is the number of the decision that led to the record; a second one stands under what it is: where the thread was put
//! (`placement`), that it runs now (`pick`), or whether it preempts (`preemption`). [`TraceKind`] says of each kind which.

use super::{Exporter, csv, index, switch_word};
use crate::trace::{KINDS, TraceKind, TraceRecord};
use std::fmt::Write;

/// Names of the columns.
const COLUMNS: &[&str] = &[
    "seq", "atNs", "kind", "cpu", "task", "other", "reason", "decision", SECOND[0], SECOND[1],
    SECOND[2],
];

/// What the second decision behind a record can be.
const SECOND: [&str; 3] = ["placement", "pick", "preemption"];

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

/// What `other` of a record means: a task by name, or a number.
enum Other<'a> {
    Name(&'a str),
    Number(i64),
    None,
}

fn other<'a>(x: &'a Exporter, r: &TraceRecord) -> Other<'a> {
    match r.kind {
        TraceKind::Switch | TraceKind::Fork => x
            .task(r.other)
            .map_or(Other::None, |t| Other::Name(&t.name)),
        TraceKind::Nice => Other::Number(r.other),
        _ if r.other < 0 => Other::None,
        _ => Other::Number(r.other),
    }
}

fn reason(x: &Exporter, r: &TraceRecord) -> &'static str {
    match r.kind {
        TraceKind::Switch => switch_word(r.reason),
        _ => index(r.reason.into()).map_or("", |i| x.reasons[i].id),
    }
}

pub(super) fn csv_row(x: &Exporter, r: &TraceRecord, out: &mut String) {
    let _ = write!(out, "{},{},{},", r.seq, r.at.0, KINDS[r.kind as usize]);
    number(i64::from(r.cpu), out);
    out.push(',');
    csv::text(x.task(r.task).map_or("", |t| &t.name), out);
    out.push(',');
    match other(x, r) {
        Other::Name(name) => csv::text(name, out),
        Other::Number(n) => {
            let _ = write!(out, "{n}");
        }
        Other::None => {}
    }
    let _ = write!(out, ",{},", reason(x, r));
    number(r.decision, out);
    for column in SECOND {
        out.push(',');
        if column == second(r.kind) {
            number(r.also, out);
        }
    }
    out.push_str("\r\n");
}

fn number(n: i64, out: &mut String) {
    if n >= 0 {
        let _ = write!(out, "{n}");
    }
}

pub(super) fn json(x: &Exporter, r: &TraceRecord, out: &mut String) {
    let kind = KINDS[r.kind as usize];
    let _ = write!(
        out,
        "{{\"seq\":{},\"atNs\":{},\"kind\":\"{kind}\"",
        r.seq, r.at.0
    );
    // A thread that waits is on no CPU: it comes from one queue to another.
    let [to, from, cause] = if r.kind == TraceKind::Queue {
        ["to", "from", "cause"]
    } else {
        ["cpu", "other", "reason"]
    };
    if r.cpu >= 0 {
        let _ = write!(out, ",\"{to}\":{}", r.cpu);
    }
    if let Some(task) = x.task(r.task) {
        let _ = write!(out, ",\"task\":{}", text(&task.name));
    }
    match other(x, r) {
        Other::Name(name) => {
            let _ = write!(out, ",\"{from}\":{}", text(name));
        }
        Other::Number(n) => {
            let _ = write!(out, ",\"{from}\":{n}");
        }
        Other::None => {}
    }
    let reason = reason(x, r);
    if !reason.is_empty() {
        let _ = write!(out, ",\"{cause}\":\"{reason}\"");
    }
    for (name, decision) in [("decision", r.decision), (second(r.kind), r.also)] {
        if decision >= 0 {
            let _ = write!(out, ",\"{name}\":{decision}");
        }
    }
    out.push_str("}\n");
}

fn text(s: &str) -> String {
    serde_json::to_string(s).expect("invariant: text is JSON")
}
