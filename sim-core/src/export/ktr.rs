//! KTR text of FreeBSD: states of threads as `KTR_STATE1` of `sys/ktr.h` writes them, in the columns of
//! `ktrdump -ct`, as `tools/sched/schedgraph.py` reads them. ktrdump prints the newest record first.

use super::{Exporter, pid};
use crate::trace::{SwitchCode, TraceKind, TraceRecord};
use std::fmt::Write;

/// First thread id that FreeBSD gives to a thread of a program.
const FIRST_TID: i64 = 100_000;
/// `PRI_MIN_TIMESHARE` of a thread at nice 0, where a scheduler's own priority is not in the record.
const PRIORITY: i32 = 120;

pub(super) fn header() -> String {
    "index  cpu timestamp        trace\n".to_owned()
}

fn id(x: &Exporter, task: i64, cpu: i32) -> String {
    match x.task(task) {
        // Quotes end a name for schedgraph.
        Some(t) => format!(
            "{} tid {}",
            t.name.replace(['"', '\n', '\r'], "_"),
            FIRST_TID + pid(task)
        ),
        None => format!("idle: cpu{cpu} tid {}", 10 + cpu),
    }
}

fn state(x: &Exporter, r: &TraceRecord, task: i64, word: &str, out: &mut String) {
    let prio = x.task(task).map_or(255, |t| PRIORITY + i32::from(t.nice));
    let _ = writeln!(
        out,
        "{:6} {:3} {:16} KTRGRAPH group:\"thread\", id:\"{}\", state:\"{word}\", attributes: prio:{prio}",
        r.seq,
        r.cpu.max(0),
        r.at.0,
        id(x, task, r.cpu),
    );
}

pub(super) fn line(x: &Exporter, r: &TraceRecord, out: &mut String) {
    match r.kind {
        TraceKind::Wakeup | TraceKind::Fork => state(x, r, r.task, "runq add", out),
        TraceKind::Switch => {
            let left = if r.reason == SwitchCode::Block as i32 {
                "sleep"
            } else if r.reason == SwitchCode::Yield as i32 {
                "yielding"
            } else if r.reason == SwitchCode::Exit as i32 {
                "exit"
            } else {
                "runq add"
            };
            let left = if r.other < 0 { "idle" } else { left };
            state(x, r, r.other, left, out);
            state(x, r, r.task, "running", out);
        }
        _ => {}
    }
}
