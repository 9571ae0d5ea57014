//! How much work is done.

use super::{Metric, Totals, real, work_ns};
use sim_ground::info::MetricEntry;
use sim_trace::accounts::TaskAccount;

pub(super) const THROUGHPUT: Metric = Metric {
    entry: MetricEntry {
        id: "throughput",
        name: "throughput",
        unit: "instances",
        summary: "Work done by all threads of the workload, divided by elapsed time. The value 1 is what one thread does alone on an idle machine.",
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

pub(super) const WORK_LOST: Metric = Metric {
    entry: MetricEntry {
        id: "workLost",
        name: "work lost",
        unit: "share",
        summary: "Share of the threads' CPU time that became no work: 1 less their speed on CPU. Below zero where cores run above their nominal clock.",
        better: "lower",
    },
    value: |t| 1.0 - speed(t),
};

/// Plotted over the number of processes in the published comparison of 4BSD and ULE.
pub(super) const ELAPSED_TO_CPU: Metric = Metric {
    entry: MetricEntry {
        id: "efficiency",
        name: "elapsed to CPU time",
        unit: "ratio",
        summary: "Scheduler efficiency of the comparison of 4BSD and ULE. Elapsed time, times the threads or the CPUs, whichever are fewer, divided by the CPU time of all threads. If all threads have ended, time counts until the last exit. It is 1 where no CPU idles while there is work; more is worse. It says something where threads do not sleep.",
        better: "lower",
    },
    value: |t| elapsed_to_cpu(t.tasks.iter().copied(), t.cpus.len(), t.elapsed_ns),
};

/// Elapsed time times the number of CPUs that can be busy, divided by the CPU time of all threads that have started.
/// The time ends with the last exit if all have ended. NaN while the CPU time is zero.
pub fn elapsed_to_cpu<'a>(
    tasks: impl Iterator<Item = &'a TaskAccount>,
    cpus: usize,
    now_ns: u64,
) -> f64 {
    let (mut threads, mut used, mut last) = (0, 0, Some(0));
    for a in tasks.filter(|a| a.started_at_ns.is_some()) {
        threads += 1;
        used += a.run_ns;
        last = last.zip(a.exited_at_ns).map(|(x, y)| x.max(y));
    }
    if used == 0 {
        return f64::NAN;
    }
    real(last.unwrap_or(now_ns)) * real(cpus.min(threads) as u64) / real(used)
}

fn throughput(t: &Totals<'_>) -> f64 {
    t.tasks.iter().map(|a| work_ns(a)).sum::<f64>() / t.elapsed()
}

fn speed(t: &Totals<'_>) -> f64 {
    let cpu: f64 = t.tasks.iter().map(|a| real(a.run_ns)).sum();
    t.tasks.iter().map(|a| work_ns(a)).sum::<f64>() / cpu
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{account, of};

    #[test]
    fn what_became_no_work_is_lost() {
        let thread = |run_ns, work_ns: u64| TaskAccount {
            work: work_ns << 20,
            ..account(run_ns)
        };
        let value = |tasks: &[TaskAccount]| of(tasks, &[], WORK_LOST);
        assert!(value(&[account(0)]).is_nan());
        assert!((value(&[thread(100, 50), thread(100, 100)]) - 0.25).abs() < 1e-12);
        assert!((value(&[thread(100, 110)]) + 0.1).abs() < 1e-12);
    }

    #[test]
    fn elapsed_to_cpu_is_one_without_idle_cpus_and_stops_at_the_last_exit() {
        let account = |run_ns, exited_at_ns| TaskAccount {
            exited_at_ns,
            ..account(run_ns)
        };
        let of = |tasks: &[TaskAccount], cpus| elapsed_to_cpu(tasks.iter(), cpus, 100);
        let one = |x: f64, y: f64| assert!((x - y).abs() < 1e-12, "{x} is not {y}");
        let never = TaskAccount::default();
        one(of(&[account(100, None), never.clone()], 2), 1.0);
        one(of(&[account(50, None), account(50, None)], 1), 1.0);
        one(
            of(&[account(60, Some(60)), account(100, None)], 2),
            200.0 / 160.0,
        );
        one(of(&[account(20, Some(40)), account(20, Some(20))], 1), 1.0);
        assert!(of(&[never], 2).is_nan());
    }
}
