//! Whether the values that a scheduler shows of threads and CPUs fit the columns that it declares.

use super::judge::Failure;
use super::message;
use sim_run::engine::UpToDate;
use sim_run::ids::TaskId;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// For each of the two hooks the first row that does not fit.
pub(super) fn failures(sim: UpToDate<'_>) -> Vec<Failure> {
    let info = sim.plan().lanes[sim.lane()].info;
    let (of_tasks, of_cpus) = (info.task_columns.len(), info.cpu_columns.len());
    let started = |t: &TaskId| sim.task_view(*t).started_at_ns.is_some();
    let mut tasks = (0..sim.task_count()).map(TaskId::new).filter(started);
    let task = tasks.find_map(|task| {
        let what = format!("observe_task of {}", sim.task_name(task));
        misfit(&what, of_tasks, |row| {
            sim.scheduler().observe_task(task, row);
        })
    });
    let cpu = sim.plan().machine.cpu_ids().find_map(|cpu| {
        let what = format!("observe_cpu of CPU {}", cpu.0);
        misfit(&what, of_cpus, |row| {
            sim.scheduler().observe_cpu(cpu, row);
        })
    });
    task.into_iter().chain(cpu).collect()
}

/// Fills a row of the declared size.
fn misfit(what: &str, columns: usize, fill: impl FnOnce(&mut [f64])) -> Option<Failure> {
    let mut row = vec![f64::NAN; columns];
    let attempt = catch_unwind(AssertUnwindSafe(|| fill(&mut row)));
    attempt.err().map(|cause| {
        let cause = message(&cause);
        Failure {
            kind: "columns",
            text: format!(
                "{what} fills another row, and the scheduler declares {columns} columns: {cause}"
            ),
        }
    })
}
