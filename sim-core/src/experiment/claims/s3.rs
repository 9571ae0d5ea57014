//! Certner 2024: the share of a CPU that a process of nice -20 to 20 gets beside one of nice 20, under ULE before and
//! after its three arrays of 64 queues became one of 256.

use super::{Effort, Executor, Measure};
use crate::config::validate;
use crate::engine::{Options, Sim};
use crate::experiment::registry;
use crate::ids::TaskId;
use crate::metrics::real;
use serde::Deserialize;
use std::sync::Arc;

/// Simulated seconds of a run: the published ones took ten minutes.
const SECONDS: u64 = 600;
/// Nice values at which the change is clearly up or down in the table.
const SIGNS: [i8; 6] = [-11, -9, -8, -6, -5, 0];

/// The published table.
#[derive(Deserialize)]
struct Table {
    /// Nice value, then percent before and after on the Ryzen 9 3900X, before and after in a virtual machine.
    rows: Vec<(i8, f64, f64, f64, f64)>,
}

fn table() -> Table {
    serde_json::from_str(include_str!("../../../../scenarios/published/s3-nice.json"))
        .expect("invariant: shipped data are valid")
}

/// Runs that have been made: shares of the first process in percent, before and after, by row of the table.
pub(super) struct Runs {
    shares: [Vec<f64>; 2],
}

impl Runs {
    pub(super) fn new(_: Effort) -> Self {
        Self {
            shares: [Vec::new(), Vec::new()],
        }
    }

    pub(super) fn evaluate(
        &mut self,
        id: &str,
        executor: &dyn Executor,
        progress: &mut dyn FnMut(&str),
    ) -> Vec<Measure> {
        let rows = table().rows;
        if self.shares[0].is_empty() {
            progress(&format!("S3: {} runs", 2 * rows.len()));
            let results = executor.map(2 * rows.len(), &|i| vec![share(i % 2, rows[i / 2].0)]);
            for (i, result) in results.into_iter().enumerate() {
                self.shares[i % 2].push(result[0]);
            }
        }
        match id {
            "S3-before" => self.measures(0, 0.20, 0.8),
            _ => {
                let mut measures = self.measures(1, 0.25, 1.0);
                let kept = rows.iter().enumerate().filter(|(i, row)| {
                    let here = self.shares[1][*i] - self.shares[0][*i];
                    SIGNS.contains(&row.0) && here.signum() == (row.2 - row.1).signum()
                });
                measures.push(Measure::about(
                    "of 6 nice values: changed in the direction of the table",
                    real(kept.count() as u64),
                    6.0,
                    0.0,
                ));
                measures
            }
        }
    }

    fn measures(&self, era: usize, mean_bound: f64, bound: f64) -> Vec<Measure> {
        let rows = table().rows;
        let here = &self.shares[era];
        let there = |i: usize| if era == 0 { rows[i].1 } else { rows[i].2 };
        let errors: Vec<f64> = here
            .iter()
            .enumerate()
            .map(|(i, share)| (share - there(i)).abs())
            .collect();
        let mean = errors.iter().sum::<f64>() / real(errors.len() as u64);
        let largest = errors.iter().copied().fold(0.0, f64::max);
        let rise = here
            .windows(2)
            .map(|pair| pair[1] - pair[0])
            .fold(f64::NEG_INFINITY, f64::max);
        let range = |wanted: &dyn Fn(i8) -> bool| {
            let of = rows.iter().zip(here).filter(|(row, _)| wanted(row.0));
            of.fold((f64::INFINITY, 0.0_f64), |(low, high), (_, s)| {
                (low.min(*s), high.max(*s))
            })
        };
        let (top, end) = (range(&|n| n <= -13), range(&|n| n >= 4));
        vec![
            Measure::within("mean absolute error, points", mean, 0.05, 0.0, mean_bound),
            Measure::within("largest error, points", largest, 0.5, 0.0, bound),
            Measure::within("smallest share up to nice -13, %", top.0, 66.67, 66.4, 66.9),
            Measure::within("largest share up to nice -13, %", top.1, 66.71, 66.4, 66.9),
            Measure::within("smallest share from nice 4 on, %", end.0, 50.0, 49.9, 50.1),
            Measure::within("largest share from nice 4 on, %", end.1, 50.01, 49.9, 50.1),
            Measure::within(
                "largest rise for growing nice, points",
                rise,
                0.0,
                f64::NEG_INFINITY,
                0.1,
            ),
        ]
    }
}

pub(super) fn note(_: &str, measures: &[Measure]) -> String {
    super::suspected("the order of events within a statclock tick", measures)
}

/// Share of the first process in percent, in one of the two lanes of the shipped scenario.
fn share(lane: usize, nice: i8) -> f64 {
    let mut scenario = registry::scenario("s3-nice").expect("invariant: shipped");
    scenario.groups[0].nice = nice;
    scenario.schedulers = vec![scenario.schedulers[lane].clone()];
    scenario.end.at_ns = SECONDS * 1_000_000_000;
    let plan = Arc::new(validate::plan(&scenario).expect("invariant: shipped"));
    let mut sim = Sim::new(&plan, 0, Options::default());
    sim.run_until(sim.end());
    sim.refresh();
    let cpu = |task| real(sim.task_view(TaskId(task)).account.run_ns);
    100.0 * cpu(0) / (cpu(0) + cpu(1))
}
