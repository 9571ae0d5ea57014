//! Threads that have ended: how long they took, and how much of that was CPU time.

use super::{Metric, Totals, real};
use sim_ground::info::MetricEntry;
use sim_trace::accounts::TaskAccount;

pub(super) const ELAPSED: Metric = Metric {
    entry: MetricEntry {
        id: "finishedElapsed",
        name: "elapsed, finished threads",
        unit: "ns",
        summary: "Time from start to end of the workload's threads that have ended, on average.",
        better: "lower",
    },
    value: |t| {
        mean(t, |a| {
            a.exited_at_ns.unwrap_or(0) - a.started_at_ns.unwrap_or(0)
        })
    },
};

pub(super) const CPU: Metric = Metric {
    entry: MetricEntry {
        id: "finishedCpu",
        name: "CPU time, finished threads",
        unit: "ns",
        summary: "CPU time of the workload's threads that have ended, on average.",
        better: "lower",
    },
    value: |t| mean(t, |a| a.run_ns),
};

fn mean(t: &Totals<'_>, of: impl Fn(&TaskAccount) -> u64) -> f64 {
    let ended = || {
        t.tasks
            .iter()
            .filter(|a| a.exited_at_ns.is_some() && a.started_at_ns.is_some())
    };
    ended().map(|a| real(of(a))).sum::<f64>() / real(ended().count() as u64)
}
