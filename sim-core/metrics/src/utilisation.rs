//! How busy the CPUs are.

use super::{Metric, Totals, real};
use sim_ground::info::MetricEntry;

pub(super) const UTILISATION: Metric = Metric {
    entry: MetricEntry {
        id: "utilisation",
        name: "busy CPUs",
        unit: "cpus",
        summary: "CPU time used by all threads, background included, divided by elapsed time.",
        better: "none",
    },
    value: |t: &Totals<'_>| t.cpus.iter().map(|c| real(c.busy_ns)).sum::<f64>() / t.elapsed(),
};

pub(super) const CORES: Metric = Metric {
    entry: MetricEntry {
        id: "coresInUse",
        name: "cores in use",
        unit: "cores",
        summary: "Physical cores with at least one thread of the workload, on average over the run.",
        better: "higher",
    },
    value: |t: &Totals<'_>| real(t.workload_core_ns) / t.elapsed(),
};

pub(super) const IDLE_WHILE_WAITING: Metric = Metric {
    entry: MetricEntry {
        id: "idleWhileWaiting",
        name: "idle while others wait",
        unit: "cpus",
        summary: "CPUs that were idle while a thread waited that may run there, on average over the run.",
        better: "lower",
    },
    value: |t: &Totals<'_>| real(t.idle_while_waiting_ns) / t.elapsed(),
};

pub(super) const SWITCH_SHARE: Metric = Metric {
    entry: MetricEntry {
        id: "switchShare",
        name: "time spent switching",
        unit: "share",
        summary: "Share of busy CPU time that goes into switching threads.",
        better: "lower",
    },
    value: |t: &Totals<'_>| {
        let busy: f64 = t.cpus.iter().map(|c| real(c.busy_ns)).sum();
        t.cpus.iter().map(|c| real(c.switch_ns)).sum::<f64>() / busy
    },
};
