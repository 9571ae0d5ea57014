//! Jobs that arrive by themselves: how long they wait and take, and how many are in the system.

use super::{Metric, Totals, real};
use sim_ground::info::MetricEntry;

pub(super) const WAIT: Metric = Metric {
    entry: MetricEntry {
        id: "jobWait",
        name: "wait of a job, mean",
        unit: "ns",
        summary: "Time from the arrival of a job to its start on a CPU, as the mean of the started jobs.",
        better: "lower",
    },
    value: |t: &Totals<'_>| real(t.jobs.wait_ns) / real(t.jobs.started),
};

pub(super) const RESPONSE: Metric = Metric {
    entry: MetricEntry {
        id: "jobResponse",
        name: "response of a job, mean",
        unit: "ns",
        summary: "Time from the arrival of a job to its end, mean over the jobs that are done.",
        better: "lower",
    },
    value: |t| real(t.jobs.response_ns) / real(t.jobs.finished),
};

pub(super) const IN_SYSTEM: Metric = Metric {
    entry: MetricEntry {
        id: "jobsInSystem",
        name: "jobs in the system, mean",
        unit: "jobs",
        summary: "Number of jobs that have arrived and are not done, mean over time.",
        better: "lower",
    },
    value: |t| {
        if t.jobs.arrived == 0 {
            return f64::NAN;
        }
        real(t.jobs.in_system_ns) / t.elapsed()
    },
};

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    #[test]
    fn without_jobs_nothing_is_said_of_them() {
        for metric in [WAIT, RESPONSE, IN_SYSTEM] {
            assert!(
                testing::of(&[], &[], metric).is_nan(),
                "{}",
                metric.entry.id
            );
        }
    }
}
