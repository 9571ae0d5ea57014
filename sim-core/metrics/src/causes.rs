//! How CPU time is divided: what slows threads down while they run.

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

pub(super) const PAGES: Metric = Metric {
    entry: entry(
        "lostPages",
        "lost to moving pages",
        "Share of the threads' CPU time for faults on marked memory, and for moving and marking its pages.",
    ),
    value: |t| share(t, &[Cause::Pages]),
};

pub(super) const SWITCH_COST: Metric = Metric {
    entry: MetricEntry {
        id: "switchCost",
        name: "cost of a switch",
        unit: "ns",
        summary: "CPU time for switching, yielding and waiting for locks of the scheduler. It is divided by the times that a thread was switched in. What caches lose is left out.",
        better: "lower",
    },
    value: |t| spent(t, &[Cause::Switch, Cause::LockWait]) / t.sum(|a| a.switches),
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
    spent(t, causes) / cpu
}

/// CPU time of the workload that certain causes take, in ns.
fn spent(t: &Totals<'_>, causes: &[Cause]) -> f64 {
    let of = |a: &TaskAccount| -> f64 {
        causes
            .iter()
            .map(|c| real(a.by_cause[*c as usize] >> 10) / 1024.0)
            .sum()
    };
    t.tasks.iter().map(|a| of(a)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{account, of};

    #[test]
    fn a_switch_costs_what_switching_and_locks_take() {
        let thread = |switch_ns: u64, lock_ns: u64, switches| {
            let mut a = account(1_000);
            a.by_cause[Cause::Switch as usize] = switch_ns << 20;
            a.by_cause[Cause::LockWait as usize] = lock_ns << 20;
            a.by_cause[Cause::WarmUp as usize] = 500 << 20;
            TaskAccount { switches, ..a }
        };
        let value = |tasks: &[TaskAccount]| of(tasks, &[], SWITCH_COST);
        assert!(value(&[]).is_nan());
        let two = [thread(20, 40, 2), thread(30, 0, 1)];
        assert!((value(&two) - 30.0).abs() < 1e-9);
    }
}
