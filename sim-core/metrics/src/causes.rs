//! Where CPU time goes: what keeps threads from making progress while they run.

use super::{Metric, Totals, real};
use sim_ground::info::MetricEntry;
use sim_machine::rate::Cause;
use sim_trace::accounts::TaskAccount;

pub(super) const SIBLING: Metric = Metric {
    entry: entry(
        "lostSibling",
        "lost to a busy sibling",
        "Share of the threads' CPU time lost because the other context of the core was busy.",
    ),
    value: |t| share(t, &[Cause::Sibling]),
};

pub(super) const MEMORY: Metric = Metric {
    entry: entry(
        "lostMemory",
        "lost to caches and memory",
        "Share of the threads' CPU time spent waiting for data from outer caches and memory, remote memory included.",
    ),
    value: |t| share(t, &[Cause::L2, Cause::L3, Cause::Memory, Cause::Remote]),
};

pub(super) const SATURATION: Metric = Metric {
    entry: entry(
        "lostSaturation",
        "lost to memory bandwidth",
        "Share of the threads' CPU time lost because all of them together want more than memory delivers.",
    ),
    value: |t| share(t, &[Cause::Saturation]),
};

pub(super) const WARM_UP: Metric = Metric {
    entry: entry(
        "lostWarmUp",
        "lost to warm-up",
        "Share of the threads' CPU time spent filling caches again after migrations and after others ran.",
    ),
    value: |t| share(t, &[Cause::WarmUp]),
};

pub(super) const LOCK_WAIT: Metric = Metric {
    entry: entry(
        "lostLockWait",
        "lost to scheduler locks",
        "Share of the threads' CPU time spent waiting for locks of the scheduler.",
    ),
    value: |t| share(t, &[Cause::LockWait]),
};

const fn entry(id: &'static str, name: &'static str, summary: &'static str) -> MetricEntry {
    MetricEntry {
        id,
        name,
        unit: "share",
        summary,
        better: "lower",
    }
}

fn share(t: &Totals<'_>, causes: &[Cause]) -> f64 {
    let cpu: f64 = t.tasks.iter().map(|a| real(a.run_ns)).sum();
    let lost = |a: &TaskAccount| -> f64 {
        causes
            .iter()
            .map(|c| real(a.by_cause[*c as usize] >> 10) / 1024.0)
            .sum()
    };
    let total: f64 = t.tasks.iter().map(|a| lost(a)).sum();
    total / cpu
}
