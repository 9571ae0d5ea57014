//! The queues of 32 cores, as the probes `queues` and `queuesWatched` see them.

use super::lanes::{Lane, drawn};
use crate::experiment::claims::Results;
use crate::experiment::figure::{Axis, Figure, Kind, Mark, Moment, Point, Series};
use crate::experiment::results::Seen;
use crate::experiment::stats::Estimate;

/// Cores, threads, and threads for each core in the end.
pub(super) const CORES: usize = 32;
pub(super) const THREADS: f64 = 512.0;
pub(super) const FAIR: f64 = 16.0;

/// What was seen at one moment.
#[derive(Clone, Debug)]
pub(super) struct Look {
    /// Time in ns.
    pub(super) at: f64,
    /// Threads that the scheduler moved to another queue, and runs of its balancer, so far.
    pub(super) moves: f64,
    pub(super) balances: f64,
    /// Runnable threads of each core.
    pub(super) loads: Vec<f64>,
}

impl Look {
    pub(super) fn all(seen: &Seen) -> Vec<Self> {
        let loads: Vec<Vec<f64>> = (0..CORES)
            .map(|c| seen.looks(&format!("cpu/{c}/runnable")))
            .collect();
        let [now, moves, balances] =
            ["elapsedNs", "schedulerMoves", "balances"].map(|c| seen.looks(c));
        let look = |i: usize| Self {
            at: now[i],
            moves: moves[i],
            balances: balances[i],
            loads: loads.iter().map(|of_core| of_core[i]).collect(),
        };
        (0..now.len()).map(look).collect()
    }

    /// Difference of the longest and the shortest queue.
    pub(super) fn spread(&self) -> f64 {
        let most = self.loads.iter().copied().fold(0.0, f64::max);
        most - self.loads.iter().copied().fold(f64::INFINITY, f64::min)
    }

    pub(super) fn threads(&self) -> f64 {
        self.loads.iter().sum()
    }

    pub(super) fn is_even(&self) -> bool {
        self.loads.iter().all(|n| same(*n, FAIR))
    }
}

/// Whether two counts are the same.
pub(super) fn same(a: f64, b: f64) -> bool {
    (a - b).abs() < 0.5
}

/// A map of the queues of each lane's first run; time counts from `origin` ns.
pub(super) fn map(
    results: &Results,
    (definition, x): (&str, &str),
    origin: f64,
    lanes: &[(Lane, &str, String, Option<Mark>)],
) -> Figure {
    let series = lanes.iter().map(|(lane, label, key, mark)| {
        let looks = results.find(key).map_or(Vec::new(), Look::all);
        let times: Vec<f64> = looks.iter().map(|l| (l.at - origin) / 1e9).collect();
        let kept = drawn(&times);
        let point = |(n, i): (usize, &usize)| Point {
            x: times[*i],
            estimate: Estimate::exact(looks[*i].spread()),
            keys: if n == 0 {
                vec![key.clone()]
            } else {
                Vec::new()
            },
        };
        Series {
            id: lane.id().to_owned(),
            label: (*label).to_owned(),
            scheduler: lane.scheduler().to_owned(),
            points: kept.iter().enumerate().map(point).collect(),
            rows: kept.iter().map(|i| looks[*i].loads.clone()).collect(),
            mark: mark.clone(),
            ..Series::default()
        }
    });
    Figure {
        id: "queues".to_owned(),
        title: "Run queues".to_owned(),
        definition: definition.to_owned(),
        kind: Kind::Heat,
        x: Axis::new(x, "s"),
        y: Axis::new("core", ""),
        series: series.collect(),
        moment: Some(Moment {
            origin_ns: origin,
            per_x_ns: 1e9,
        }),
        fair: Some(FAIR),
        ..Figure::default()
    }
}
