//! A moment of a run: the state of each CPU and thread, the lengths of the queues, and the scheduler's columns.

use crate::output;
use serde::Serialize;
use sim_core::engine::{Sim, TaskState, TaskView, UpToDate};
use sim_core::ids::{CpuId, TaskId};
use sim_core::info::ColumnEntry;
use sim_host::decision_text::clock;
use std::collections::BTreeMap;

/// A moment of a run.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MachineView {
    at_ns: u64,
    /// Threads that wait in a queue of all CPUs.
    pub(crate) queued_for_all: u32,
    pub(crate) cpus: Vec<Cpu>,
    pub(crate) threads: Vec<Thread>,
    /// Numbers that the scheduler keeps of the whole lane, by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    numbers: Vec<(String, f64)>,
    #[serde(skip)]
    headings: [Vec<ColumnEntry>; 2],
}

/// A CPU.
#[derive(Serialize)]
pub(crate) struct Cpu {
    cpu: u16,
    /// The running thread; `null` if the CPU is idle.
    thread: Option<String>,
    /// Threads that wait in its own queue.
    queued: u32,
    /// Whether it has been told to reschedule.
    signalled: bool,
    /// The scheduler's columns that are defined.
    columns: BTreeMap<&'static str, f64>,
}

/// A thread.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Thread {
    pub(crate) name: String,
    background: bool,
    state: &'static str,
    /// The CPU on which it runs or last ran; `null` if it never ran.
    cpu: Option<u16>,
    nice: i8,
    /// CPU time since the start of the run.
    cpu_ns: u64,
    columns: BTreeMap<&'static str, f64>,
}

const ENDED: &str = "ended";

fn state(view: &TaskView<'_>) -> &'static str {
    match view.state {
        TaskState::Sleeping if view.stopped => "stopped",
        TaskState::NotStarted => "not started",
        TaskState::Running => "running",
        TaskState::Queued => "waiting",
        TaskState::Sleeping => "asleep",
        TaskState::Exited => ENDED,
    }
}

/// Values by column, without those that are not defined.
fn by_id(columns: &[ColumnEntry], values: &[f64]) -> BTreeMap<&'static str, f64> {
    let all = columns.iter().zip(values);
    all.filter(|(_, v)| v.is_finite())
        .map(|(c, v)| (c.id, *v))
        .collect()
}

impl MachineView {
    /// The present moment of a run.
    pub(crate) fn of(sim: &mut Sim) -> Self {
        let sim = sim.refresh();
        let info = sim.plan().lanes[sim.lane()].info;
        let mut rows = Vec::new();
        sim.queue_rows(&mut rows);
        let waiting = |cpu: Option<CpuId>| {
            let n = rows.iter().filter(|r| r.queue == cpu).count();
            u32::try_from(n).unwrap_or(u32::MAX)
        };
        let cpu = |cpu: CpuId| {
            let mut own = vec![f64::NAN; info.cpu_columns.len()];
            sim.scheduler().observe_cpu(cpu, &mut own);
            Cpu {
                cpu: cpu.0,
                thread: sim.curr(cpu).map(|t| sim.task_name(t)),
                queued: waiting(Some(cpu)),
                signalled: sim.is_flagged(cpu),
                columns: by_id(info.cpu_columns, &own),
            }
        };
        Self {
            at_ns: sim.now().0,
            queued_for_all: waiting(None),
            cpus: sim.plan().machine.cpu_ids().map(cpu).collect(),
            threads: (0..sim.task_count())
                .map(|i| Thread::of(sim, TaskId::new(i)))
                .collect(),
            numbers: sim.scheduler().numbers(),
            headings: [info.cpu_columns.to_vec(), info.task_columns.to_vec()],
        }
    }

    /// Prints tables: the CPUs, and the living threads of the workload.
    pub(crate) fn print(&self) {
        output::line(&format!("  at {}", clock(self.at_ns)));
        self.print_cpus();
        self.print_threads(|t| !t.background && t.state != ENDED);
    }

    /// Prints the queues and CPUs as a table.
    pub(crate) fn print_cpus(&self) {
        if self.queued_for_all > 0 {
            let n = self.queued_for_all;
            output::line(&format!("  waiting in the queue of all CPUs: {n}"));
        }
        for (name, value) in &self.numbers {
            output::line(&format!("  {name}: {}", output::number(*value, 3)));
        }
        let columns = &self.headings[0];
        let mut rows = vec![headings(&["CPU", "runs", "waiting", "signalled"], columns)];
        for c in &self.cpus {
            let own = [
                format!("cpu {}", c.cpu),
                c.thread.clone().unwrap_or_else(|| NONE.to_owned()),
                c.queued.to_string(),
                if c.signalled { "yes" } else { NONE }.to_owned(),
            ];
            rows.push(cells(own, columns, &c.columns));
        }
        table(&rows);
    }

    /// Prints threads as a table.
    pub(crate) fn print_threads(&self, wanted: impl Fn(&Thread) -> bool) {
        let columns = &self.headings[1];
        let mut rows = vec![headings(
            &["thread", "state", "cpu", "nice", "CPU ms"],
            columns,
        )];
        for t in self.threads.iter().filter(|t| wanted(t)) {
            let own = [
                t.name.clone(),
                t.state.to_owned(),
                t.cpu.map_or_else(|| NONE.to_owned(), |cpu| cpu.to_string()),
                t.nice.to_string(),
                output::ms(t.cpu_ns),
            ];
            rows.push(cells(own, columns, &t.columns));
        }
        table(&rows);
    }
}

impl Thread {
    fn of(sim: UpToDate<'_>, task: TaskId) -> Self {
        let view = sim.task_view(task);
        let columns = sim.plan().lanes[sim.lane()].info.task_columns;
        let mut own = vec![f64::NAN; columns.len()];
        // The scheduler does not know a thread that never started.
        if view.started_at_ns.is_some() {
            sim.scheduler().observe_task(task, &mut own);
        }
        Self {
            name: sim.task_name(task),
            background: view.info.background,
            state: state(&view),
            cpu: view.ran.then_some(view.info.last_cpu.0),
            nice: view.info.nice,
            cpu_ns: sim.account(task).run_ns,
            columns: by_id(columns, &own),
        }
    }
}

/// Shown where there is no value.
const NONE: &str = "-";

fn headings(own: &[&str], columns: &[ColumnEntry]) -> Vec<String> {
    let own = own.iter().map(|h| (*h).to_owned());
    own.chain(columns.iter().map(|c| c.id.to_owned())).collect()
}

fn cells<const N: usize>(
    own: [String; N],
    columns: &[ColumnEntry],
    values: &BTreeMap<&'static str, f64>,
) -> Vec<String> {
    let cell = |c: &ColumnEntry| {
        let value = values.get(c.id);
        value.map_or_else(|| NONE.to_owned(), |v| output::number(*v, 3))
    };
    own.into_iter().chain(columns.iter().map(cell)).collect()
}

/// Prints rows with columns of the necessary width: the first is aligned to the left, the others to the right.
fn table(rows: &[Vec<String>]) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |i: usize| {
        rows.iter()
            .filter_map(|r| r.get(i))
            .map(|c| c.chars().count())
            .max()
    };
    let widths: Vec<usize> = (0..columns).map(|i| width(i).unwrap_or(0)).collect();
    for row in rows {
        let mut line = String::from(" ");
        for (i, (cell, width)) in row.iter().zip(&widths).enumerate() {
            line.push_str(&if i == 0 {
                format!(" {cell:<width$}")
            } else {
                format!("  {cell:>width$}")
            });
        }
        output::line(line.trim_end());
    }
}
