//! Totals for the tests of measures.

use super::{Metric, Totals};
use sim_trace::accounts::{Histogram, JobsAccount, TaskAccount};

/// A thread that began with the run and has had this much CPU time.
pub(crate) fn account(run_ns: u64) -> TaskAccount {
    TaskAccount {
        run_ns,
        started_at_ns: Some(0),
        ..TaskAccount::default()
    }
}

/// The value of a measure for threads of the workload and of the background.
pub(crate) fn of(tasks: &[TaskAccount], background: &[TaskAccount], metric: Metric) -> f64 {
    let empty = Histogram::default();
    (metric.value)(&Totals {
        elapsed_ns: 8,
        tasks: tasks.iter().collect(),
        background: background.iter().collect(),
        cpus: Vec::new(),
        run_delay: &empty,
        wakeup_latency: &empty,
        idle_while_waiting_ns: 0,
        workload_core_ns: 0,
        jobs: JobsAccount::default(),
    })
}
