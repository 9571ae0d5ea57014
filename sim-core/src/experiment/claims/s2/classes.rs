//! One core: threads of one class only (S2f).

use super::lanes::{Lane, SECOND, key, run, seeded};
use crate::experiment::change::Change;
use crate::experiment::claims::{Effort, Results, Value};
use crate::experiment::figure::{Axis, Figure, Kind, Moment, Point, Series};
use crate::experiment::run::Run;
use crate::experiment::stats::Estimate;
use crate::metrics::real;
use serde_json::json;

const THREADS: usize = 80;
/// Compute of a sleeper between two sleeps in µs, as in S2a.
const COMPUTE_US: u64 = 2_000;
/// What is not measured: CFS and ULE have settled.
const WARM_UP: u64 = 10 * SECOND;
const LANES: [Lane; 2] = [Lane::CfsPlain, Lane::Port];

/// What all threads do.
#[derive(Clone, Copy, Debug)]
enum Class {
    /// They only compute.
    Hogs,
    /// They sleep mostly, and the core is idle for a fifth of the time.
    Sleepers,
    /// They sleep mostly, and would need four cores.
    ManySleepers,
}

const CLASSES: [Class; 3] = [Class::Hogs, Class::Sleepers, Class::ManySleepers];

impl Class {
    fn id(self) -> &'static str {
        match self {
            Self::Hogs => "hogs",
            Self::Sleepers => "sleepers",
            Self::ManySleepers => "many-sleepers",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Hogs => "80 batch threads",
            Self::Sleepers => "80 sleepers that need 0.8 cores",
            Self::ManySleepers => "80 sleepers that need 4 cores",
        }
    }

    /// What its threads do; lengths of time are constant, so that all want the same.
    fn behaviour(self) -> serde_json::Value {
        let sleep_us = match self {
            Self::Hogs => return json!({ "kind": "compute" }),
            Self::Sleepers => 198_000,
            Self::ManySleepers => 38_000,
        };
        let params =
            json!({ "computeUs": COMPUTE_US, "sleepUs": sleep_us, "sleepShape": "constant" });
        json!({ "kind": "interactive", "params": params })
    }
}

fn lane_key(class: Class, lane: Lane, seed: u64) -> String {
    key(&format!("f/{}", class.id()), lane, seed)
}

pub(super) fn runs(effort: Effort) -> Vec<Run> {
    let seeds = |class| seeded(LANES, effort.seeds).map(move |(lane, seed)| (class, lane, seed));
    let all = CLASSES.into_iter().flat_map(seeds);
    all.map(|(class, lane, seed)| {
        let key = lane_key(class, lane, seed);
        let mut run = run(key, "s2a-interactive-batch", lane, "threads", seed);
        run.at = vec![WARM_UP];
        let group = json!({ "name": "alike", "count": THREADS, "behaviour": class.behaviour(), "process": "alike" });
        let less = |group: &str| Change::RemoveGroup {
            group: group.to_owned(),
        };
        run.with(less("interactive"))
            .with(less("batch"))
            .with(Change::AddGroup { added: group })
            .end(WARM_UP + effort.seconds * SECOND)
    })
    .collect()
}

/// CPU time of each thread in a run in s, after the warm-up, in each seed.
fn times(results: &Results, class: Class, lane: Lane, thread: usize) -> Vec<f64> {
    let column = format!("thread/{thread}/cpuNs");
    results.samples(
        |seed| lane_key(class, lane, seed),
        |seen| seen.grown(&column) / 1e9,
    )
}

/// Share of each thread of all CPU time over the seeds.
fn shares(results: &Results, class: Class, lane: Lane) -> Vec<f64> {
    let sum = |thread| times(results, class, lane, thread).iter().sum::<f64>();
    let each: Vec<f64> = (0..THREADS).map(sum).collect();
    let all: f64 = each.iter().sum();
    each.iter().map(|s| s / all).collect()
}

pub(super) fn values(results: &Results) -> Vec<Value> {
    let of = |class: Class| {
        let [cfs, ule] = LANES.map(|lane| shares(results, class, lane));
        let ratios = ule.iter().zip(&cfs).map(|(ule, cfs)| ule / cfs);
        let pick = |f: fn(f64, f64) -> f64| ratios.clone().reduce(f).unwrap_or(f64::NAN);
        [
            ("leastShare", pick(f64::min)),
            ("mostShare", pick(f64::max)),
        ]
        .map(|(measure, value)| Value::exact(measure, value).of(class.name()))
    };
    CLASSES.into_iter().flat_map(of).collect()
}

/// The threads of each class in the order of their shares.
pub(super) fn figures(results: &Results) -> Vec<Figure> {
    let line = |class: Class, (lane, name): (Lane, &str)| {
        let keys = results.known(results.seeds().map(|seed| lane_key(class, lane, seed)));
        let mut of_fair: Vec<f64> = if keys.is_empty() {
            Vec::new()
        } else {
            let all = shares(results, class, lane).into_iter();
            all.map(|s| s * real(THREADS as u64)).collect()
        };
        of_fair.sort_by(f64::total_cmp);
        let point = |(i, value): (usize, &f64)| Point {
            x: real(i as u64 + 1),
            estimate: Estimate::exact(*value),
            keys: if i == 0 { keys.clone() } else { Vec::new() },
        };
        Series {
            id: format!("{}-{}", class.id(), lane.id()),
            label: format!("{name}: {}", class.name()),
            scheduler: lane.scheduler().to_owned(),
            points: of_fair.iter().enumerate().map(point).collect(),
            ..Series::default()
        }
    };
    let lanes = [(Lane::CfsPlain, "CFS"), (Lane::Port, "ULE")];
    let series = CLASSES
        .into_iter()
        .flat_map(|class| lanes.map(|lane| line(class, lane)));
    vec![Figure {
        id: "alike".to_owned(),
        title: "Threads of one class only".to_owned(),
        definition: "CPU time of each of 80 threads that do the same, relative to their mean, smallest first; the source says \
                     that both schedulers then operate the same way."
            .to_owned(),
        kind: Kind::Curves,
        x: Axis::new("thread, by its share", ""),
        y: Axis::new("share, relative to the mean", "×"),
        series: series.collect(),
        moment: Some(Moment {
            origin_ns: real(WARM_UP),
            per_x_ns: 0.0,
        }),
        ..Figure::default()
    }]
}
