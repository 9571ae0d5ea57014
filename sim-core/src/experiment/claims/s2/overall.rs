//! 32 cores: one thread for each (S2e), and what ULE gains over these programs (S2g).

use super::lanes::{Lane, SECOND, key, published, run, seeded};
use crate::experiment::change::{Change, WhatIf};
use crate::experiment::claims::{Effort, Results, Value};
use crate::experiment::figure::{Figure, Kind, Moment, Point, RowLabel, Series};
use crate::experiment::results::Seen;
use crate::experiment::run::Run;
use crate::experiment::stats::Estimate;
use crate::metrics::real;

/// A program of one thread for each core that never sleeps: name, behaviour, working set in bytes.
type Program = (&'static str, &'static str, u64);

const PROGRAMS: [Program; 7] = [
    ("ordinary program", "compute", 65_536),
    ("Dhrystone", "dhrystone", 1),
    ("array loop, 16 KiB", "loop", 16 << 10),
    ("array loop, 1 MiB", "loop", 1 << 20),
    ("array loop, 16 MiB", "loop", 16 << 20),
    ("pointer chase, 256 KiB", "chase", 256 << 10),
    ("pointer chase, 8 MiB", "chase", 8 << 20),
];
/// Work of each thread in ms.
const WORK_MS: u64 = 10_000;
const LANES: [(Lane, &str); 2] = [(Lane::Cfs, "CFS"), (Lane::Port, "ULE")];
/// "The same": no visible difference would be 1 %; three for what a program does by chance.
const SAME: f64 = 0.03;

fn lane_key(lane: Lane, (_, kind, bytes): Program, seed: u64) -> String {
    key(&format!("e/{kind}-{bytes}"), lane, seed)
}

/// The longest first: large sets wait for memory.
pub(super) fn runs(effort: Effort) -> Vec<Run> {
    let seeds = |program| {
        let all = seeded(LANES.map(|(lane, _)| lane), effort.seeds);
        all.map(move |(lane, seed)| (lane, program, seed))
    };
    let all = PROGRAMS.into_iter().rev().flat_map(seeds);
    all.map(|(lane, program, seed)| {
        let key = lane_key(lane, program, seed);
        let (_, kind, bytes) = program;
        let behaviour = Change::Behaviour {
            group: "work".to_owned(),
            kind: kind.to_owned(),
            params: [("workMs".to_owned(), WORK_MS.into())]
                .into_iter()
                .collect(),
        };
        run(key, "s2e-one-thread-per-core", lane, "exits", seed)
            .with(behaviour)
            .group("work", "workingSetBytes", bytes)
            .end(3_600 * SECOND)
    })
    .collect()
}

fn time_s(seen: &Seen) -> f64 {
    seen.column("lastExitNs") / 1e9
}

/// Times of a program over the seeds, in s.
fn times(results: &Results, lane: Lane, program: Program) -> Vec<f64> {
    results.samples(|seed| lane_key(lane, program, seed), time_s)
}

fn ratio(results: &Results, program: Program) -> Estimate {
    let [cfs, ule] = LANES.map(|(lane, _)| times(results, lane, program));
    Estimate::ratio(&ule, &cfs)
}

pub(super) fn ratios(results: &Results) -> Vec<Value> {
    let all = PROGRAMS.map(|p| (p, ratio(results, p)));
    let same = all.iter().filter(|(_, r)| (r.mean - 1.0).abs() <= SAME);
    let same = Value::exact("same", real(same.count() as u64));
    let mut values: Vec<Value> = all
        .iter()
        .map(|((name, ..), r)| Value::new("ratio", *r).of(*name))
        .collect();
    values.push(same);
    values
}

pub(super) fn gain(results: &Results) -> Vec<Value> {
    let samples: Vec<Vec<f64>> = PROGRAMS
        .iter()
        .flat_map(|p| LANES.map(|(lane, _)| times(results, lane, *p)))
        .collect();
    let samples: Vec<&[f64]> = samples.iter().map(Vec::as_slice).collect();
    let gain = Estimate::of_means(&samples, |means| {
        let gains = means.chunks(LANES.len()).map(|m| m[0] / m[1] - 1.0);
        100.0 * gains.sum::<f64>() / real(PROGRAMS.len() as u64)
    });
    let there = published().overall.ule_ahead_percent;
    vec![Value::new("gain", gain).published(there)]
}

pub(super) fn figures(results: &Results) -> Vec<Figure> {
    let cell = |row: usize, samples: &[Vec<f64>], estimate: Estimate, lanes: &[Lane]| {
        let program = PROGRAMS[row];
        let keys = lanes.iter().flat_map(|lane| {
            let all = results.seeds().map(|seed| lane_key(*lane, program, seed));
            results.known(all)
        });
        let is_there = samples.iter().all(|s| !s.is_empty());
        is_there.then(|| Point {
            x: real(row as u64),
            estimate,
            keys: keys.collect(),
        })
    };
    let column = |(lane, name): (Lane, &str)| {
        let of = |row: usize| {
            let seconds = times(results, lane, PROGRAMS[row]);
            let mean = Estimate::mean(&seconds);
            cell(row, &[seconds], mean, &[lane])
        };
        Series {
            id: lane.id().to_owned(),
            label: name.to_owned(),
            scheduler: lane.scheduler().to_owned(),
            unit: "s".to_owned(),
            points: (0..PROGRAMS.len()).filter_map(of).collect(),
            ..Series::default()
        }
    };
    let ratios = (0..PROGRAMS.len()).filter_map(|row| {
        let lanes = LANES.map(|(lane, _)| lane);
        let samples = lanes.map(|lane| times(results, lane, PROGRAMS[row]));
        cell(row, &samples, ratio(results, PROGRAMS[row]), &lanes)
    });
    let ratios = Series {
        id: "ratio".to_owned(),
        label: "ULE ÷ CFS".to_owned(),
        points: ratios.collect(),
        ..Series::default()
    };
    let mut series: Vec<Series> = LANES.map(column).into();
    series.push(ratios);
    vec![Figure {
        id: "times".to_owned(),
        title: "Time of seven programs".to_owned(),
        definition: format!(
            "From the start of the first thread to the end of the last, in seconds. The source gives one number: over all its \
             programs, which it does not list, ULE is ahead by {} % on average.",
            published().overall.ule_ahead_percent
        ),
        kind: Kind::Table,
        row_labels: PROGRAMS
            .iter()
            .map(|(name, ..)| RowLabel::new(name, "s"))
            .collect(),
        series,
        moment: Some(Moment {
            origin_ns: 1e9,
            per_x_ns: 0.0,
        }),
        ..Figure::default()
    }]
}

pub(super) fn what_ifs() -> Vec<WhatIf> {
    vec![
        WhatIf {
            id: "no-groups",
            label: "CFS without groups",
            changes: vec![Change::tunable("cfs", "groupPerApplication", false)],
        },
        WhatIf {
            id: "no-balancer",
            label: "ULE’s balancer off",
            changes: vec![Change::tunable("ule", "balance", false)],
        },
    ]
}
