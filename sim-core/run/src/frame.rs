//! The frame: the present state as one array of numbers: header, CPU columns, task columns, queue rows.

use crate::engine::{Sim, TaskState, UpToDate};
use crate::ids::{CpuId, TaskId};
use crate::info::FrameLayout;
use crate::machine::rate::{CAUSE_ENTRIES, CAUSES, ONE};
use crate::metrics::{real, work_ns};
use crate::sched::SchedulerInfo;
use crate::trace;

const HEADER: &[&str] = &[
    "layoutRevision",
    "nowNs",
    "cpus",
    "tasks",
    "queueRows",
    "cpuColumns",
    "taskColumns",
    "queueColumns",
    "finished",
    "traceSeq",
    "decisionSeq",
    "clockHz",
    "events",
];

const CPU: &[&str] = &[
    "curr",
    "state",
    "sliceLeftNs",
    "sliceFullNs",
    "needResched",
    "queued",
    "busyNs",
    "idleNs",
    "overheadNs",
    "temperature",
    "speed",
    "saturation",
];

const TASK: &[&str] = &[
    "state",
    "cpu",
    "group",
    "nice",
    "workingSetBytes",
    "allowedCount",
    "rate",
    "workNs",
    "runNs",
    "waitNs",
    "sleepNs",
    "switches",
    "preemptions",
    "migrations",
    "wakeAtNs",
    "sliceLeftNs",
    "lastMigrateReason",
    "warm",
    "servedBy",
    "longestWaitNs",
];

const QUEUE: &[&str] = &["queue", "task", "key", "position", "part", "place"];

/// The layout that the catalog publishes.
#[must_use]
pub fn layout() -> FrameLayout {
    FrameLayout {
        header: HEADER.to_vec(),
        cpu: CPU.to_vec(),
        task: TASK.to_vec(),
        queue: QUEUE.to_vec(),
        trace: trace::ROW.to_vec(),
    }
}

/// A share in units of 2^-20 as a float.
fn share(q20: u64) -> f64 {
    real(q20) / real(ONE)
}

/// Fills `out` with the present frame.
pub fn fill(sim: &mut Sim, out: &mut Vec<f64>) {
    let sim = sim.refresh();
    let info: &SchedulerInfo = sim.plan().lanes[sim.lane()].info;
    let (cpus, tasks) = (sim.plan().machine.cpu_count(), sim.task_count());
    let cpu_columns = CPU.len() + info.cpu_columns.len();
    let task_columns = TASK.len() + 2 * CAUSES + info.task_columns.len();
    let mut rows = Vec::new();
    sim.queue_rows(&mut rows);
    let hz = sim.scheduler().clocks().first().map_or(0, |c| c.hz);
    out.clear();
    out.extend([
        f64::from(sim.layout_revision()),
        real(sim.now().0),
        real(cpus as u64),
        real(tasks as u64),
        real(rows.len() as u64),
        real(cpu_columns as u64),
        real(task_columns as u64),
        real(QUEUE.len() as u64),
        f64::from(u8::from(sim.is_finished())),
        real(sim.trace().next_seq()),
        real(sim.decisions().next_id()),
        f64::from(hz),
        real(sim.handled()),
    ]);
    let mut queued = vec![0_u32; cpus];
    for row in &rows {
        if let Some(cpu) = row.queue {
            queued[cpu.index()] += 1;
        }
    }
    let base = out.len();
    out.resize(base + cpu_columns * cpus + task_columns * tasks, f64::NAN);
    let (of_cpus, of_tasks) = out[base..].split_at_mut(cpu_columns * cpus);
    let mut own = vec![f64::NAN; info.cpu_columns.len()];
    for (i, queued) in queued.into_iter().enumerate() {
        let mut row = Row::new(of_cpus, cpus, i);
        row.put(&cpu_values(sim, CpuId::new(i), queued));
        sim.scheduler().observe_cpu(CpuId::new(i), &mut own);
        row.put(&own);
    }
    let mut own = vec![f64::NAN; info.task_columns.len()];
    for i in 0..tasks {
        let mut row = Row::new(of_tasks, tasks, i);
        let started = put_task_values(sim, TaskId::new(i), &mut row);
        own.fill(f64::NAN);
        // The scheduler knows neither a thread that was killed before its start nor one that has not started.
        if started {
            sim.scheduler().observe_task(TaskId::new(i), &mut own);
        }
        row.put(&own);
    }
    let mut positions = vec![0_u32; cpus + 1];
    for row in &rows {
        let slot = row.queue.map_or(cpus, CpuId::index);
        out.extend([
            row.queue.map_or(-1.0, |c| f64::from(c.0)),
            f64::from(row.task.0),
            row.key,
            f64::from(positions[slot]),
            f64::from(row.part),
            f64::from(row.place),
        ]);
        positions[slot] += 1;
    }
}

/// One row of a table that is stored column by column. Its loop is as plain as it is because it writes 30,000 numbers in
/// each picture of 500 threads, and this crate is built for size: iterators would stay calls.
struct Row<'a> {
    table: &'a mut [f64],
    rows: usize,
    at: usize,
}

impl<'a> Row<'a> {
    /// The row of this number in a table with so many rows.
    fn new(table: &'a mut [f64], rows: usize, row: usize) -> Self {
        Self {
            table,
            rows,
            at: row,
        }
    }

    /// Writes the next values of the row.
    fn put(&mut self, values: &[f64]) {
        for value in values {
            self.table[self.at] = *value;
            self.at += self.rows;
        }
    }

    /// Writes the next values, which are shares in units of 2^-20.
    fn put_shares(&mut self, values: &[u64]) {
        for value in values {
            self.table[self.at] = share(*value);
            self.at += self.rows;
        }
    }
}

fn cpu_values(sim: UpToDate<'_>, cpu: CpuId, queued: u32) -> [f64; CPU.len()] {
    let curr = sim.curr(cpu);
    let a = sim.cpu_account(cpu);
    let slice = curr.map(|t| sim.scheduler().slice(t, Some(cpu)));
    let state = match curr {
        None if sim.is_flagged(cpu) => 3.0,
        None => 0.0,
        Some(_) if sim.cpu_debt_ns(cpu) > 0 => 2.0,
        Some(_) => 1.0,
    };
    [
        curr.map_or(-1.0, |t| f64::from(t.0)),
        state,
        slice.map_or(f64::NAN, |s| ns(s.left_ns)),
        slice.map_or(f64::NAN, |s| ns(s.full_ns)),
        f64::from(u8::from(sim.is_flagged(cpu))),
        f64::from(queued),
        real(a.busy_ns - a.switch_ns),
        real(a.idle_ns),
        real(a.switch_ns),
        sim.package_temperature().unwrap_or(f64::NAN),
        share(sim.frequency()),
        sim.saturation(cpu),
    ]
}

/// Writes what the engine knows of a task. Returns whether the task has started.
fn put_task_values(sim: UpToDate<'_>, task: TaskId, row: &mut Row<'_>) -> bool {
    let view = sim.task_view(task);
    let a = sim.account(task);
    let running = view.state == TaskState::Running;
    let on = running.then_some(view.info.last_cpu);
    let speed = on.map(|cpu| sim.cpu_speed(cpu)).unwrap_or_default();
    let started = a.started_at_ns.is_some();
    let slice = started.then(|| sim.scheduler().slice(task, on));
    let state = match view.state {
        TaskState::NotStarted => 0.0,
        TaskState::Running => 1.0,
        TaskState::Queued => 2.0,
        TaskState::Sleeping if view.stopped => 5.0,
        TaskState::Sleeping => 3.0,
        TaskState::Exited => 4.0,
    };
    // No CPU may take a thread whose control group has used its time up.
    let waits = view.state == TaskState::Queued;
    let places = if waits && sim.scheduler().is_throttled(task) {
        0
    } else {
        view.info.allowed.count()
    };
    let values: [f64; TASK.len()] = [
        state,
        if view.ran {
            f64::from(view.info.last_cpu.0)
        } else {
            -1.0
        },
        f64::from(view.info.group.0),
        f64::from(view.info.nice),
        real(view.working_set_bytes),
        f64::from(places),
        share(speed.rate()),
        work_ns(a),
        real(a.run_ns),
        real(a.wait_ns),
        real(a.sleep_ns),
        real(a.switches),
        real(a.involuntary),
        real(a.migrations),
        view.wake_at.map_or(f64::NAN, |t| real(t.0)),
        slice.map_or(f64::NAN, |s| ns(s.left_ns)),
        f64::from(view.last_migrate_reason),
        sim.warmth(task).unwrap_or(f64::NAN),
        on.map_or(f64::NAN, |cpu| f64::from(sim.served_by(cpu))),
        real(sim.longest_wait_ns(task)),
    ];
    debug_assert_eq!(CAUSE_ENTRIES.len(), CAUSES);
    row.put(&values);
    row.put_shares(&speed.share);
    row.put(&a.by_cause.map(|q20| real(q20 >> 10) / 1024.0));
    started
}

#[allow(clippy::cast_precision_loss)] // slices are far below 2^53 ns
fn ns(x: i64) -> f64 {
    x as f64
}
