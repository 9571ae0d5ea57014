//! The queues of 32 cores, as the probes `queues` and `queuesWatched` read them.

use super::lanes::{Lane, drawn, line};
use crate::experiment::claims::Results;
use crate::experiment::figure::{Figure, Mark};
use crate::experiment::numbers::{largest, same, smallest, sum};
use crate::experiment::results::Seen;
use crate::experiment::stats::Estimate;

/// Number of cores, of threads, and of threads per core in the end.
pub(super) const CORES: u64 = 32;
pub(super) const THREADS: f64 = 512.0;
pub(super) const FAIR: f64 = 16.0;

/// A reading at one time.
#[derive(Clone, Debug)]
pub(super) struct Look {
    /// Time in ns.
    pub(super) at: f64,
    /// Number of threads that the scheduler has moved to another queue, and number of runs of its balancer.
    pub(super) moves: f64,
    pub(super) balances: f64,
    /// Runnable threads of each core.
    pub(super) loads: Vec<f64>,
}

impl Look {
    pub(super) fn all(seen: &Seen) -> Vec<Self> {
        let moves = seen.looks("schedulerMoves");
        let balances = seen.looks("balances");
        let mut all = Vec::new();
        for (i, at) in seen.looks("elapsedNs").iter().enumerate() {
            all.push(Self {
                at: *at,
                moves: moves[i],
                balances: balances[i],
                loads: Vec::new(),
            });
        }
        for core in 0..CORES {
            let of_core = seen.looks(&format!("cpu/{core}/runnable"));
            for (i, look) in all.iter_mut().enumerate() {
                look.loads.push(of_core[i]);
            }
        }
        all
    }

    /// Difference between the longest and the shortest queue.
    pub(super) fn spread(&self) -> f64 {
        largest(&self.loads) - smallest(&self.loads)
    }

    pub(super) fn threads(&self) -> f64 {
        sum(&self.loads)
    }

    /// Whether no core is idle.
    pub(super) fn all_busy(&self) -> bool {
        smallest(&self.loads) > 0.5
    }

    pub(super) fn is_even(&self) -> bool {
        let loads = &self.loads;
        same(largest(loads), FAIR) && same(smallest(loads), FAIR)
    }
}

/// The first reading for which a condition is true.
pub(super) fn first(looks: &[Look], is: fn(&Look) -> bool) -> Option<usize> {
    looks.iter().position(is)
}

/// Adds a map of the queues in a run of a lane; time counts from `origin` ns.
pub(super) fn map(
    results: &Results,
    figure: &mut Figure,
    (lane, label): (Lane, &str),
    (key, origin): (String, f64),
    mark: Option<Mark>,
) {
    let mut series = line(lane, label, "");
    let mut looks = results.find(&key).map_or(Vec::new(), Look::all);
    let times: Vec<f64> = looks.iter().map(|l| (l.at - origin) / 1e9).collect();
    let mut keys = vec![key];
    for i in drawn(&times) {
        let spread = Estimate::exact(looks[i].spread());
        series.add(times[i], spread, std::mem::take(&mut keys));
        series.rows.push(std::mem::take(&mut looks[i].loads));
    }
    series.mark = mark;
    figure.fair = Some(FAIR);
    figure.series.push(series);
}
