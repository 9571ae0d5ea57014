//! Measures of a run: functions of the engine's totals, never of its state.
//!
//! One file per family; [`registry`] lists the measures. Floating point is allowed from here on.

mod causes;
pub mod efficiency;
mod fairness;
mod finished;
mod jobs;
mod latency;
mod memory;
mod migrations;
mod utilisation;

pub mod registry;
#[cfg(test)]
mod testing;

use sim_ground::info::MetricEntry;
use sim_trace::accounts::{CpuAccount, Histogram, JobsAccount, TaskAccount};

/// The totals from which measures are computed.
#[derive(Debug)]
pub struct Totals<'a> {
    /// Simulated time that is measured, in ns.
    pub elapsed_ns: u64,
    /// Totals of the workload's threads (without background).
    pub tasks: Vec<&'a TaskAccount>,
    /// Totals of the background's threads.
    pub background: Vec<&'a TaskAccount>,
    /// Totals of the CPUs.
    pub cpus: Vec<&'a CpuAccount>,
    /// Waits of workload threads.
    pub run_delay: &'a Histogram,
    /// Waits that began with a wake-up.
    pub wakeup_latency: &'a Histogram,
    /// CPU time that was idle while a thread waited.
    pub idle_while_waiting_ns: u64,
    /// Time integral of the number of cores with at least one workload thread.
    pub workload_core_ns: u64,
    /// Jobs that arrive by themselves.
    pub jobs: JobsAccount,
}

/// A measure: its name and its computation. NaN where it is not defined yet.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// Name, unit, definition.
    pub entry: MetricEntry,
    /// The value.
    pub value: fn(&Totals<'_>) -> f64,
}

impl Totals<'_> {
    /// Elapsed time in ns.
    #[must_use]
    pub fn elapsed(&self) -> f64 {
        real(self.elapsed_ns)
    }

    /// Sum over workload threads.
    pub fn sum(&self, value: impl Fn(&TaskAccount) -> u64) -> f64 {
        // Summed as integers: without threads a sum of floats would be minus zero.
        real(self.tasks.iter().map(|t| value(t)).sum())
    }
}

/// An integer as a float (exact up to 2^53, which every bound here respects).
#[allow(clippy::cast_precision_loss)]
pub fn real(x: u64) -> f64 {
    x as f64
}

/// Work of a thread in ns at full speed.
#[must_use]
pub fn work_ns(task: &TaskAccount) -> f64 {
    real(task.work >> 10) / 1024.0
}
