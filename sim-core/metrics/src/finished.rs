//! Threads that have ended: how long they took, and how much of that time was CPU time.

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

pub(super) const LAST_EXIT: Metric = Metric {
    entry: MetricEntry {
        id: "lastExit",
        name: "last exit",
        unit: "ns",
        summary: "When the last thread of the workload ended; known once all of them have.",
        better: "lower",
    },
    value: last_exit,
};

/// NaN while any of them still runs or has not begun.
fn last_exit(t: &Totals<'_>) -> f64 {
    let exits: Option<Vec<u64>> = t.tasks.iter().map(|a| a.exited_at_ns).collect();
    let last = exits.and_then(|all| all.into_iter().max());
    last.map_or(f64::NAN, real)
}

fn mean(t: &Totals<'_>, of: impl Fn(&TaskAccount) -> u64) -> f64 {
    let ended = || {
        t.tasks
            .iter()
            .filter(|a| a.exited_at_ns.is_some() && a.started_at_ns.is_some())
    };
    ended().map(|a| real(of(a))).sum::<f64>() / real(ended().count() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{account, of};

    #[test]
    fn the_last_exit_is_known_once_all_have_ended() {
        let ended = |at| TaskAccount {
            exited_at_ns: Some(at),
            ..account(10)
        };
        let value = |tasks: &[TaskAccount]| of(tasks, &[], LAST_EXIT);
        assert!(value(&[]).is_nan());
        assert!(value(&[ended(70), account(10)]).is_nan());
        assert!(value(&[ended(70), TaskAccount::default()]).is_nan());
        assert_eq!(
            value(&[ended(70), ended(90), ended(80)]).to_bits(),
            90.0_f64.to_bits()
        );
    }
}
