//! How much work gets done.

use super::{Metric, Totals, real, work_ns};
use crate::info::MetricEntry;

pub(super) const THROUGHPUT: Metric = Metric {
    entry: MetricEntry {
        id: "throughput",
        name: "throughput",
        unit: "instances",
        summary: "Work done by all threads of the workload, divided by elapsed time: 1 is what one thread does alone on an idle machine.",
        better: "higher",
    },
    value: throughput,
};

pub(super) const EFFICIENCY: Metric = Metric {
    entry: MetricEntry {
        id: "speed",
        name: "speed on CPU",
        unit: "ratio",
        summary: "Work done divided by CPU time used: 1 when nothing slows the threads down while they run.",
        better: "higher",
    },
    value: speed,
};

fn throughput(t: &Totals<'_>) -> f64 {
    t.tasks.iter().map(|a| work_ns(a)).sum::<f64>() / t.elapsed()
}

fn speed(t: &Totals<'_>) -> f64 {
    let cpu: f64 = t.tasks.iter().map(|a| real(a.run_ns)).sum();
    t.tasks.iter().map(|a| work_ns(a)).sum::<f64>() / cpu
}
