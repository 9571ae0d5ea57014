//! How evenly CPU time is shared.

use super::{Metric, Totals, real};
use sim_ground::info::MetricEntry;

pub(super) const JAIN: Metric = Metric {
    entry: MetricEntry {
        id: "fairness",
        name: "fairness (Jain)",
        unit: "ratio",
        summary: "Square of the sum of all threads' CPU times over n times the sum of squares. It is 1 if all have the same, 1/n if one has everything.",
        better: "higher",
    },
    value: jain,
};

pub(super) const LEAST_SHARE: Metric = Metric {
    entry: MetricEntry {
        id: "leastShare",
        name: "share of the unluckiest",
        unit: "share",
        summary: "Smallest share of a CPU that a thread of the workload has had since it began. That is its CPU time divided by the time that it ran, waited or slept.",
        better: "higher",
    },
    value: least_share,
};

fn least_share(t: &Totals<'_>) -> f64 {
    let ages = t.tasks.iter().map(|a| {
        let age = a.run_ns + a.wait_ns + a.sleep_ns;
        (real(a.run_ns), real(age))
    });
    let shares = ages
        .filter(|(_, age)| *age > 0.0)
        .map(|(run, age)| run / age);
    // The minimum of a number and NaN is the number.
    shares.fold(f64::NAN, f64::min)
}

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
    use crate::testing::{account, of};
    use sim_trace::accounts::TaskAccount;

    #[test]
    fn one_of_four_having_everything_is_a_quarter() {
        let accounts = [account(8), account(0), account(0), account(0)];
        assert!((of(&accounts, &[], JAIN) - 0.25).abs() < 1e-12);
    }

    #[test]
    fn the_least_share_is_that_of_one_thread_since_it_began() {
        let thread = |run_ns, wait_ns, sleep_ns| TaskAccount {
            wait_ns,
            sleep_ns,
            ..account(run_ns)
        };
        let value = |tasks: &[TaskAccount]| of(tasks, &[], LEAST_SHARE);
        assert!(value(&[]).is_nan());
        assert!(value(&[TaskAccount::default()]).is_nan());
        let three = [thread(50, 50, 0), thread(2, 1, 1), thread(10, 10, 20)];
        assert!((value(&three) - 0.25).abs() < 1e-12);
        assert!(value(&[thread(9, 0, 0), thread(0, 9, 0)]).abs() < 1e-12);
    }
}
