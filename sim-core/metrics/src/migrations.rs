//! How often threads are switched and migrated.

use super::{Metric, Totals, real};
use sim_ground::info::MetricEntry;

pub(super) const MIGRATIONS: Metric = Metric {
    entry: MetricEntry {
        id: "migrations",
        name: "migrations",
        unit: "count",
        summary: "Times that a thread of the workload ran on another CPU than before.",
        better: "lower",
    },
    value: |t| t.sum(|a| a.migrations),
};

pub(super) const MIGRATION_RATE: Metric = Metric {
    entry: MetricEntry {
        id: "migrationRate",
        name: "migrations per second",
        unit: "perSecond",
        summary: "Migrations of workload threads per second of simulated time.",
        better: "lower",
    },
    value: |t: &Totals<'_>| t.sum(|a| a.migrations) / t.elapsed() * 1e9,
};

pub(super) const DAEMON_MIGRATIONS: Metric = Metric {
    entry: MetricEntry {
        id: "daemonMigrations",
        name: "migrations of daemons",
        unit: "count",
        summary: "Times that a thread of the background ran on another CPU than before.",
        better: "none",
    },
    value: |t| real(t.background.iter().map(|a| a.migrations).sum()),
};

pub(super) const PLACEMENTS: Metric = Metric {
    entry: MetricEntry {
        id: "forkPlacements",
        name: "placements at fork",
        unit: "count",
        summary: "Threads of the workload that were placed on another CPU than their forker's when they were forked. No migrations: they had never run.",
        better: "none",
    },
    value: |t| t.sum(|a| a.placements),
};

pub(super) const SWITCHES: Metric = Metric {
    entry: MetricEntry {
        id: "switches",
        name: "context switches",
        unit: "count",
        summary: "Times that a thread of the workload was switched in.",
        better: "none",
    },
    value: |t| t.sum(|a| a.switches),
};

pub(super) const INVOLUNTARY: Metric = Metric {
    entry: MetricEntry {
        id: "involuntary",
        name: "involuntary switches",
        unit: "count",
        summary: "Times that a thread of the workload left its CPU against its will (slice end or preemption).",
        better: "none",
    },
    value: |t| t.sum(|a| a.involuntary),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{account, of};
    use sim_trace::accounts::TaskAccount;

    #[test]
    fn threads_of_the_background_are_counted_apart() {
        let moved = |migrations| TaskAccount {
            migrations,
            ..account(1)
        };
        let (workload, background) = ([moved(3)], [moved(5), moved(6)]);
        let value = |metric| of(&workload, &background, metric).to_bits();
        assert_eq!(value(MIGRATIONS), 3.0_f64.to_bits());
        assert_eq!(value(DAEMON_MIGRATIONS), 11.0_f64.to_bits());
    }
}
