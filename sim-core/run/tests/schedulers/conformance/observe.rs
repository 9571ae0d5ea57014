//! Observations of a run from outside.

use sim_run::engine::{Sim, TaskState, UpToDate};
use sim_run::ids::{CpuId, TaskId};
use sim_run::time::SimTime;
use sim_run::trace::{TraceKind, TraceRecord};
use std::collections::BTreeMap;

/// The threads that a name means: a thread, or all threads of a group.
pub(crate) fn threads(sim: &Sim, name: &str) -> Vec<TaskId> {
    let all = || (0..sim.task_count()).map(TaskId::new);
    let exact: Vec<TaskId> = all().filter(|t| sim.task_name(*t) == name).collect();
    if !exact.is_empty() {
        return exact;
    }
    let groups = &sim.plan().groups;
    let of_group: Vec<TaskId> = all()
        .filter(|t| groups[sim.task_view(*t).info.group.index()].name == name)
        .collect();
    assert!(!of_group.is_empty(), "no thread or group is called {name}");
    of_group
}

/// The one thread with a name.
pub(super) fn thread(sim: &Sim, name: &str) -> TaskId {
    let found = threads(sim, name);
    assert!(
        found.len() == 1,
        "{name} stands for {} threads",
        found.len()
    );
    found[0]
}

/// CPU time so far.
pub(super) fn cpu_ns(sim: &mut Sim, task: TaskId) -> u64 {
    sim.refresh().account(task).run_ns
}

/// A thread's virtual deadline in jiffies.
pub(super) fn deadline(sim: UpToDate<'_>, task: TaskId, hz: u64) -> u64 {
    let columns = sim.plan().lanes[sim.lane()].info.task_columns;
    let mut values = vec![f64::NAN; columns.len()];
    sim.scheduler().observe_task(task, &mut values);
    jiffies(
        columns.iter().position(|c| c.id == "deadlineNs"),
        &values,
        hz,
    )
}

/// A column that the scheduler shows of a thread; NaN if there is none.
pub(super) fn column(sim: UpToDate<'_>, task: TaskId, id: &str) -> f64 {
    let columns = sim.plan().lanes[sim.lane()].info.task_columns;
    let mut values = vec![f64::NAN; columns.len()];
    sim.scheduler().observe_task(task, &mut values);
    let position = columns.iter().position(|c| c.id == id);
    position.map_or(f64::NAN, |i| values[i])
}

/// A column that the scheduler shows of a CPU; NaN if there is none.
pub(super) fn cpu_column(sim: UpToDate<'_>, cpu: CpuId, id: &str) -> f64 {
    let columns = sim.plan().lanes[sim.lane()].info.cpu_columns;
    let mut values = vec![f64::NAN; columns.len()];
    sim.scheduler().observe_cpu(cpu, &mut values);
    let position = columns.iter().position(|c| c.id == id);
    position.map_or(f64::NAN, |i| values[i])
}

/// A CPU's copy of the deadline of its running task, in jiffies.
pub(super) fn cpu_deadline(sim: UpToDate<'_>, cpu: CpuId, hz: u64) -> u64 {
    let columns = sim.plan().lanes[sim.lane()].info.cpu_columns;
    let mut values = vec![f64::NAN; columns.len()];
    sim.scheduler().observe_cpu(cpu, &mut values);
    jiffies(
        columns.iter().position(|c| c.id == "rqDeadlineNs"),
        &values,
        hz,
    )
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // whole jiffies
#[allow(clippy::cast_precision_loss)] // far below 2^53
fn jiffies(column: Option<usize>, values: &[f64], hz: u64) -> u64 {
    let value = column.map_or(f64::NAN, |i| values[i]);
    (value / (1_000_000_000 / hz) as f64).round() as u64
}

/// The rest of a thread's slice in us; for a running thread, the CPU's copy.
pub(super) fn slice_us(sim: UpToDate<'_>, task: TaskId) -> i64 {
    let view = sim.task_view(task);
    let on = (view.state == TaskState::Running).then_some(view.info.last_cpu);
    sim.scheduler().slice(task, on).left_ns / 1_000
}

/// Counters of the scheduler, and switches and migrations.
pub(super) fn counters(sim: &Sim) -> BTreeMap<String, u64> {
    let mut all: BTreeMap<String, u64> = sim
        .counters()
        .into_iter()
        .map(|(name, n)| (name.to_owned(), n))
        .collect();
    let kinds = [
        ("switches", TraceKind::Switch),
        ("migrations", TraceKind::Migrate),
    ];
    for (name, kind) in kinds {
        all.insert(name.to_owned(), sim.trace().count(kind));
    }
    all
}

/// Number of cores with a running thread.
pub(super) fn cores_busy(sim: &Sim) -> usize {
    let machine = &sim.plan().machine;
    let mut cores: Vec<_> = machine
        .cpu_ids()
        .filter(|c| sim.curr(*c).is_some())
        .map(|c| machine.place(c).core)
        .collect();
    cores.sort_unstable();
    cores.dedup();
    cores.len()
}

/// Number of threads that run or wait on each CPU.
pub(super) fn per_cpu(sim: &Sim) -> Vec<usize> {
    let machine = &sim.plan().machine;
    let mut count: Vec<usize> = machine
        .cpu_ids()
        .map(|c| usize::from(sim.curr(c).is_some()))
        .collect();
    let mut rows = Vec::new();
    sim.queue_rows(&mut rows);
    for cpu in rows.iter().filter_map(|r| r.queue) {
        count[cpu.index()] += 1;
    }
    count
}

/// Number of threads that run or wait on the CPUs of each node.
pub(super) fn per_node(sim: &Sim) -> Vec<usize> {
    let machine = &sim.plan().machine;
    let mut count = vec![0; machine.node_count()];
    for (cpu, n) in machine.cpu_ids().zip(per_cpu(sim)) {
        count[machine.place(cpu).node.index()] += n;
    }
    count
}

/// Waits of each thread that ended at or after `from`, in ns, from becoming runnable to running: all of them, or only
/// those that began with a start or a wake-up.
pub(super) fn waits(sim: &Sim, from: SimTime, wakeups: bool) -> BTreeMap<TaskId, Vec<u64>> {
    let mut since: BTreeMap<i64, SimTime> = BTreeMap::new();
    let mut waits: BTreeMap<TaskId, Vec<u64>> = BTreeMap::new();
    // A thread that leaves its CPU goes on waiting, unless it has just gone to sleep or ended.
    for r in sim.trace().from_seq(0) {
        match r.kind {
            TraceKind::Wakeup | TraceKind::Fork => {
                since.insert(r.task, r.at);
            }
            TraceKind::Switch => {
                if let Some(queued) = since.remove(&r.task)
                    && let Some(task) = task(r.task)
                    && r.at >= from
                {
                    waits.entry(task).or_default().push(r.at.since(queued).0);
                }
                let blocks = r.reason == -3 || r.reason == -5;
                if r.other >= 0 && !blocks && !wakeups {
                    since.insert(r.other, r.at);
                }
            }
            _ => {}
        }
    }
    waits
}

/// Switches on a CPU from a time on.
pub(super) fn switches_on(sim: &Sim, cpu: i32, from: SimTime) -> Vec<TraceRecord> {
    sim.trace()
        .from_seq(0)
        .filter(|r| r.kind == TraceKind::Switch && r.cpu == cpu && r.at >= from)
        .copied()
        .collect()
}

/// A thread by its number in records.
pub(super) fn task(number: i64) -> Option<TaskId> {
    u32::try_from(number).ok().map(TaskId)
}
