//! KTR text of FreeBSD: states of threads as `KTR_STATE1` of `sys/ktr.h` writes them, in the columns of
//! `ktrdump -ct`, as `tools/sched/schedgraph.py` reads them. ktrdump prints the newest record first.
//!
//! | row | as |
//! |---|---|
//! | state `runq add`, `running`, `sleep`, `yielding`, `idle` | `sched_add`, `mi_switch` @ FreeBSD 8.0 and later. A kernel says `yielding` of whoever leaves its CPU and could go on; here who was preempted is in the queue again (`runq add`) |
//! | state `thread exit` | `sched_exit_thread` of ULE; that of 4BSD says `exit`, which schedgraph has no colour for |
//! | point `wokeup` of the waker, linked to the woken thread | `sched_add` |
//! | point `statclock` on CPU 0 with `stathz` | `statclock` of `kern_clock.c`; from these rows schedgraph computes how many time stamps make a second |
//!
//! The priority is the thread's own at the end of the event, if the scheduler has priorities like FreeBSD's; otherwise
//! it is 120 + nice.

use super::{Exporter, index, pid};
use crate::engine::UpToDate;
use crate::ids::TaskId;
use crate::time::SimTime;
use crate::trace::{SwitchCode, TraceKind, TraceRecord};
use std::fmt::Write;

/// First thread id that FreeBSD gives to a thread of a program.
const FIRST_TID: i64 = 100_000;
/// `PRI_MIN_TIMESHARE` of a thread at nice 0, where a scheduler has no priority of its own.
const PRIORITY: i64 = 120;
/// `PRI_MAX_IDLE`: the priority of the idle threads.
const IDLE: i64 = 255;
/// Columns in which schedulers of FreeBSD show a thread's priority.
const COLUMNS: [&str; 2] = ["pri", "priority"];

/// Data that the rows need besides the records.
#[derive(Debug, Default)]
pub(super) struct Clock {
    /// Rows written so far.
    rows: u64,
    /// Ticks per second of the statistics clock, and number of ticks written.
    hz: u64,
    ticks: u64,
    /// Buffer for the scheduler's columns of a task, and the position of the priority among them.
    columns: Vec<f64>,
    priority: Option<usize>,
}

pub(super) fn header() -> String {
    "index  cpu timestamp        trace\n------ --- ---------------- -----\n".to_owned()
}

/// Reads from the run what its latest records do not contain: the priorities of their threads, and the clock.
pub(super) fn observe(x: &mut Exporter, sim: UpToDate<'_>, records: &[TraceRecord]) {
    if x.clock.hz == 0 {
        let info = sim.plan().lanes[sim.lane()].info;
        let own = info.task_columns.iter();
        let place = own.clone().position(|c| COLUMNS.contains(&c.id));
        let clocks = sim.scheduler().clocks();
        let clock = clocks.iter().find(|c| c.name == "statclock");
        x.clock.hz = clock
            .or(clocks.first())
            .map_or(1, |c| u64::from(c.hz.max(1)));
        x.clock.priority = place.filter(|_| info.family == "freebsd");
        x.clock.columns = vec![f64::NAN; own.len()];
    }
    let Some(column) = x.clock.priority else {
        return;
    };
    for task in records.iter().flat_map(|r| match r.kind {
        TraceKind::Switch => [r.task, r.other],
        _ => [r.task, -1],
    }) {
        let Some(i) = index(task).filter(|i| *i < x.tasks.len()) else {
            continue;
        };
        let task = TaskId::new(i);
        if sim.task_view(task).started_at_ns.is_none() {
            continue;
        }
        x.clock.columns.fill(f64::NAN);
        sim.scheduler().observe_task(task, &mut x.clock.columns);
        x.tasks[i].priority = whole(x.clock.columns[column]);
    }
}

/// A priority; priorities are integers up to 255.
#[allow(clippy::cast_possible_truncation)]
fn whole(x: f64) -> Option<i64> {
    (x.is_finite() && x.abs() < 1e6).then(|| x.round() as i64)
}

/// Writes the ticks of CPU 0's statistics clock up to and including a time: ticks come first.
pub(super) fn ticks(x: &mut Exporter, until: SimTime, out: &mut String) {
    loop {
        let hz = x.clock.hz.max(1);
        let at = u128::from(x.clock.ticks + 1) * 1_000_000_000 / u128::from(hz);
        let at = u64::try_from(at).unwrap_or(u64::MAX);
        if at > until.0 {
            return;
        }
        x.clock.ticks += 1;
        let on = x.on(0);
        let who = id(x, on, 0);
        let text = format!(
            "point:\"statclock\", attributes: prio:{}, stathz:{hz}",
            prio(x, on)
        );
        row(x, 0, at, &who, &text, out);
    }
}

fn id(x: &Exporter, task: i64, cpu: i32) -> String {
    match x.task(task) {
        // A quote would end the name for schedgraph.
        Some(t) => format!(
            "{} tid {}",
            t.name.replace(['"', '\n', '\r'], "_"),
            FIRST_TID + pid(task)
        ),
        None => format!("idle: cpu{cpu} tid {}", 10 + cpu),
    }
}

fn prio(x: &Exporter, task: i64) -> i64 {
    x.task(task)
        .map_or(IDLE, |t| t.priority.unwrap_or(PRIORITY + i64::from(t.nice)))
}

fn row(x: &mut Exporter, cpu: i32, at: u64, who: &str, what: &str, out: &mut String) {
    let _ = writeln!(
        out,
        "{:6} {cpu:3} {at:16} KTRGRAPH group:\"thread\", id:\"{who}\", {what}",
        x.clock.rows,
    );
    x.clock.rows += 1;
}

fn state(x: &mut Exporter, r: &TraceRecord, task: i64, word: &str, out: &mut String) {
    let cpu = r.cpu.max(0);
    let who = id(x, task, cpu);
    let what = format!("state:\"{word}\", attributes: prio:{}", prio(x, task));
    row(x, cpu, r.at.0, &who, &what, out);
}

/// A thread is queued by the thread that runs where this happens.
fn woken(x: &mut Exporter, r: &TraceRecord, out: &mut String) {
    if r.cpu < 0 {
        state(x, r, r.task, "runq add", out);
        return;
    }
    let (thread, waker) = (id(x, r.task, r.cpu), id(x, x.on(r.cpu), r.cpu));
    let prio = prio(x, r.task);
    let added = format!("state:\"runq add\", attributes: prio:{prio}, linkedto:\"{waker}\"");
    row(x, r.cpu, r.at.0, &thread, &added, out);
    let point = format!("point:\"wokeup\", attributes: linkedto:\"{thread}\"");
    row(x, r.cpu, r.at.0, &waker, &point, out);
}

pub(super) fn line(x: &mut Exporter, r: &TraceRecord, out: &mut String) {
    match r.kind {
        TraceKind::Wakeup | TraceKind::Fork => woken(x, r, out),
        TraceKind::Switch => {
            let left = if r.reason == SwitchCode::Block as i32 {
                "sleep"
            } else if r.reason == SwitchCode::Yield as i32 {
                "yielding"
            } else if r.reason == SwitchCode::Exit as i32 {
                "thread exit"
            } else {
                "runq add"
            };
            let left = if r.other < 0 { "idle" } else { left };
            state(x, r, r.other, left, out);
            state(x, r, r.task, "running", out);
        }
        TraceKind::Queue => state(x, r, r.task, "runq add", out),
        _ => {}
    }
}
