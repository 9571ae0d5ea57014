//! Decisions as a trace of Chrome's JSON format, which Perfetto and `chrome://tracing` draw: a row for each CPU with the
//! threads that had it, and on it a mark for each decision, with its reason, its numbers and the kernel's function.

use crate::output::json_line;
use serde_json::{Value, json};
use sim_core::engine::Sim;
use sim_core::export::rows::Fields;
use sim_core::export::{Exporter, Format};
use sim_host::decision_text::Told;

/// Turns a run into such a trace, part by part.
pub(crate) struct Chrome {
    exporter: Exporter,
    /// Who has each CPU, and since when, in ns.
    on: Vec<Option<(String, u64)>>,
    /// Nothing before this time is written, in ns.
    from: u64,
}

impl Chrome {
    /// A trace of a run that has not begun, and the text that stands first.
    pub(crate) fn new(sim: &Sim, from: u64) -> (Self, String) {
        let plan = sim.plan();
        let cpus = plan.machine.cpu_count();
        let lane = &plan.lanes[sim.lane()];
        let name = format!(
            "{}, {} {}",
            plan.scenario.name, lane.info.name, lane.era.name
        );
        let mut head = format!("[\n{}", named("process_name", 0, &name));
        for cpu in 0..cpus {
            head += &format!(",\n{}", named("thread_name", cpu, &format!("cpu {cpu}")));
        }
        head += &format!(",\n{}", named("thread_name", cpus, "no CPU"));
        let made = Self {
            exporter: Exporter::new(Format::JsonLines),
            on: vec![None; cpus],
            from,
        };
        (made, head)
    }

    /// What CPUs did since the last call.
    pub(crate) fn turns(&mut self, sim: &Sim) -> String {
        let (on, from, mut text) = (&mut self.on, self.from, String::new());
        self.exporter.each(sim, |record| {
            if record.kind == "switch" {
                text += &switched(on, from, record);
            }
        });
        text
    }

    /// A mark for a decision.
    pub(crate) fn mark(&self, told: &Told) -> String {
        let row = told.cpu.map_or(self.on.len(), usize::from);
        let mark = json!({
            "name": told.reason, "cat": told.kind, "ph": "i", "s": "t",
            "ts": micros(told.at_ns), "pid": 1, "tid": row, "args": told,
        });
        after(&mark)
    }

    /// The turns that go on at the end, and the text that stands last.
    pub(crate) fn end(&mut self, now: u64) -> String {
        let mut text = String::new();
        for (cpu, on) in self.on.iter_mut().enumerate() {
            text += &turn(cpu, on.take(), self.from, now);
        }
        text + "\n]\n"
    }
}

/// A thread takes a CPU, or leaves it idle.
fn switched(on: &mut [Option<(String, u64)>], from: u64, record: &Fields<'_>) -> String {
    let Some(cpu) = record.cpu.and_then(|cpu| usize::try_from(cpu).ok()) else {
        return String::new();
    };
    let next = record.task.map(|task| (task.to_owned(), record.at_ns));
    turn(
        cpu,
        std::mem::replace(&mut on[cpu], next),
        from,
        record.at_ns,
    )
}

fn turn(cpu: usize, on: Option<(String, u64)>, from: u64, until: u64) -> String {
    let Some((task, since)) = on else {
        return String::new();
    };
    let since = since.max(from);
    if until <= since {
        return String::new();
    }
    after(&json!({
        "name": task, "ph": "X", "ts": micros(since), "dur": micros(until - since), "pid": 1, "tid": cpu,
    }))
}

fn named(what: &str, row: usize, name: &str) -> String {
    json_line(&json!({
        "name": what, "ph": "M", "pid": 1, "tid": row, "args": { "name": name },
    }))
}

/// An entry that is not the first.
fn after(entry: &Value) -> String {
    format!(",\n{}", json_line(entry))
}

/// The format counts microseconds, with decimals.
#[allow(clippy::cast_precision_loss)] // exact for 100 days
fn micros(ns: u64) -> f64 {
    ns as f64 / 1_000.0
}
