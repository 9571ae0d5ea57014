//! How evenly CPU time is shared.

use super::{Metric, Totals, real};
use sim_ground::info::MetricEntry;

pub(super) const JAIN: Metric = Metric {
    entry: MetricEntry {
        id: "fairness",
        name: "fairness (Jain)",
        unit: "ratio",
        summary: "Square of the sum of all threads' CPU times over n times the sum of squares: 1 if all have the same, 1/n if one has everything.",
        better: "higher",
    },
    value: jain,
};

fn jain(t: &Totals<'_>) -> f64 {
    let times: Vec<f64> = t
        .tasks
        .iter()
        .filter(|a| a.started_at_ns.is_some())
        .map(|a| real(a.run_ns))
        .collect();
    let sum: f64 = times.iter().sum();
    let squares: f64 = times.iter().map(|x| x * x).sum();
    sum * sum / (real(times.len() as u64) * squares)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_trace::accounts::{Histogram, TaskAccount};

    #[test]
    fn one_of_four_having_everything_is_a_quarter() {
        let account = |run_ns| TaskAccount {
            run_ns,
            started_at_ns: Some(0),
            ..TaskAccount::default()
        };
        let accounts = [account(8), account(0), account(0), account(0)];
        let empty = Histogram::default();
        let totals = Totals {
            elapsed_ns: 8,
            tasks: accounts.iter().collect(),
            background: Vec::new(),
            cpus: Vec::new(),
            run_delay: &empty,
            wakeup_latency: &empty,
            idle_while_waiting_ns: 0,
            workload_core_ns: 0,
        };
        assert!((jain(&totals) - 0.25).abs() < 1e-12);
    }
}
