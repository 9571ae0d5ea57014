//! How long threads wait.

use super::{Metric, Totals, real};
use sim_ground::info::MetricEntry;
use sim_trace::accounts::{Histogram, TaskAccount};

const fn ns(id: &'static str, name: &'static str, summary: &'static str) -> MetricEntry {
    MetricEntry {
        id,
        name,
        unit: "ns",
        summary,
        better: "lower",
    }
}

pub(super) const RUN_DELAY_MEAN: Metric = Metric {
    entry: ns(
        "runDelayMean",
        "run delay, mean",
        "Time from becoming runnable to running, mean over all waits of workload threads.",
    ),
    value: |t: &Totals<'_>| real(t.run_delay.sum_ns) / real(t.run_delay.count),
};

pub(super) const RUN_DELAY_P99: Metric = Metric {
    entry: ns(
        "runDelayP99",
        "run delay, 99 %",
        "Time from becoming runnable to running that 99 % of waits do not exceed (exact to 0.8 %).",
    ),
    value: |t| percentile(t.run_delay, 99),
};

pub(super) const RUN_DELAY_MAX: Metric = Metric {
    entry: ns(
        "runDelayMax",
        "run delay, longest",
        "Longest time from becoming runnable to running.",
    ),
    value: |t| percentile(t.run_delay, 100),
};

pub(super) const LONGEST_WAIT: Metric = Metric {
    entry: ns(
        "longestWait",
        "longest wait",
        "Longest time from becoming runnable to running of a workload thread that has run before. One that is still open counts in full.",
    ),
    value: |t| longest(t, |a| a.longest_wait_ns),
};

pub(super) const LONGEST_FIRST_WAIT: Metric = Metric {
    entry: ns(
        "longestFirstWait",
        "longest wait before the first run",
        "Longest time from the fork of a workload thread to its first run. One that is still open counts in full.",
    ),
    value: |t| longest(t, |a| a.longest_first_wait_ns),
};

pub(super) const MISSED_DEADLINES: Metric = Metric {
    entry: MetricEntry {
        id: "missedDeadlines",
        name: "deadlines missed",
        unit: "share",
        summary: "Deadlines for which workload threads came too late, as a part of all deadlines.",
        better: "lower",
    },
    value: |t| t.sum(|a| a.deadlines_missed) / t.sum(|a| a.deadlines),
};

pub(super) const WAKEUP_P50: Metric = Metric {
    entry: ns(
        "wakeupLatencyP50",
        "wake-up latency, median",
        "Time from a wake-up to the thread's first instruction that half of the wake-ups do not exceed (exact to 0.8 %).",
    ),
    value: |t| percentile(t.wakeup_latency, 50),
};

pub(super) const WAKEUP_P99: Metric = Metric {
    entry: ns(
        "wakeupLatencyP99",
        "wake-up latency, 99 %",
        "Time from a wake-up to the thread's first instruction that 99 % of the wake-ups do not exceed (exact to 0.8 %).",
    ),
    value: |t| percentile(t.wakeup_latency, 99),
};

fn longest(t: &Totals<'_>, of: impl Fn(&TaskAccount) -> u64) -> f64 {
    t.tasks.iter().map(|a| of(a)).max().map_or(f64::NAN, real)
}

fn percentile(h: &Histogram, percent: u64) -> f64 {
    h.percentile_ns(percent).map_or(f64::NAN, real)
}
