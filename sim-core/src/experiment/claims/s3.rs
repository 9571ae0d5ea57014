//! Certner 2024: the share of a CPU that a process of nice -20 to 20 gets beside one of nice 20, under ULE before and
//! after its three arrays of 64 queues became one of 256.

use super::old::{Old as Measure, raw};
use super::{Effort, Experiment, Page, Results};
use crate::experiment::run::Run;
use crate::metrics::real;
use serde::Deserialize;

/// The experiment.
pub(super) const S3: Experiment = Experiment {
    id: "S3",
    runs,
    pages: &[Page {
        id: "s3",
        more: |_| Vec::new(),
        figures: |_| Vec::new(),
        what_ifs: Vec::new,
    }],
    measures: &[],
    values: |_, _| Vec::new(),
    old: Some(judge),
};

/// Eras before and after.
const ERAS: [&str; 2] = ["15-2024", "16-2025"];

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

/// Shares of the first process in percent, before and after, by row of the table.
struct Runs {
    shares: [Vec<f64>; 2],
}

fn key(era: &str, nice: i8) -> String {
    format!("S3/{era}/{nice}")
}

fn runs(_: &str, _: Effort) -> Vec<Run> {
    let rows = table().rows;
    let pairs = rows.iter().flat_map(|row| ERAS.map(|era| (era, row.0)));
    pairs
        .map(|(era, nice)| {
            let lane = super::choice("ule", era);
            Run::new(key(era, nice), "s3-nice", lane, "threads")
                .group("first", "nice", nice)
                .end(SECONDS * 1_000_000_000)
        })
        .collect()
}

fn judge(id: &str, results: &Results) -> Vec<Measure> {
    let rows = table().rows;
    let share = |era: &str, nice: i8| {
        let cpu = raw(results, &key(era, nice));
        100.0 * cpu[0] / (cpu[0] + cpu[1])
    };
    let shares = ERAS.map(|era| rows.iter().map(|row| share(era, row.0)).collect());
    let runs = Runs { shares };
    if id == "S3-before" {
        return runs.measures(0, 0.20, 0.8);
    }
    let mut measures = runs.measures(1, 0.25, 1.0);
    let kept = rows.iter().enumerate().filter(|(i, row)| {
        let here = runs.shares[1][*i] - runs.shares[0][*i];
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

impl Runs {
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
