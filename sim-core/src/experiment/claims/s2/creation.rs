//! 32 cores: a program creates 512 threads, one after the other (S2d).

use super::lanes::{Lane, MS, SECOND, every, key, over_time, run, seeded};
use super::queues::{Look, THREADS, map};
use crate::experiment::change::{Change, WhatIf};
use crate::experiment::claims::{Effort, Results, Value};
use crate::experiment::figure::{Axis, Figure, Kind, Moment};
use crate::experiment::probe::{ABOVE, WATCHED};
use crate::experiment::results::Seen;
use crate::experiment::run::Run;
use crate::experiment::stats::Estimate;
use crate::metrics::real;

/// When the parent has slept enough and begins to create threads; until all are there under ULE, and to spare.
const CREATION: u64 = SECOND;
const CREATED: u64 = 8 * SECOND;
const LANES: [(Lane, &str); 2] = [(Lane::Port, "ULE"), (Lane::Cfs, "CFS")];

fn lane_key(lane: Lane, seed: u64) -> String {
    key("d", lane, seed)
}

pub(super) fn runs(effort: Effort) -> Vec<Run> {
    let all = seeded(LANES.map(|(lane, _)| lane), effort.seeds);
    all.map(|(lane, seed)| {
        let key = lane_key(lane, seed);
        let mut run = run(key, "s2d-thread-creation", lane, "queuesWatched", seed);
        run.at = every(10 * MS, CREATION, CREATED).collect();
        run.end(CREATED)
    })
    .collect()
}

/// What became of the creation of threads.
#[derive(Clone, Copy, Debug)]
struct Creation {
    /// Seconds from the first creation until all threads are runnable.
    seconds: f64,
    /// Largest difference of the queues at any moment until then, part of the time with at most 1, and the difference then.
    largest: f64,
    even: f64,
    last: f64,
}

/// NaN if not all threads came to run.
fn creation(seen: &Seen) -> Creation {
    let looks = Look::all(seen);
    let (largest, above) = (seen.looks(WATCHED), seen.looks(ABOVE));
    let Some(done) = looks.iter().position(|l| l.threads() > THREADS - 0.5) else {
        return Creation {
            seconds: f64::NAN,
            largest: f64::NAN,
            even: f64::NAN,
            last: f64::NAN,
        };
    };
    // The first look is at the first creation; what was before is not part of it.
    let took = looks[done].at - real(CREATION);
    Creation {
        seconds: took / 1e9,
        largest: largest[1..=done].iter().copied().fold(0.0, f64::max),
        even: 1.0 - above[1..=done].iter().sum::<f64>() / took,
        last: looks[done].spread(),
    }
}

pub(super) fn values(results: &Results) -> Vec<Value> {
    let samples = |lane, value: fn(&Creation) -> f64| {
        results.samples(|seed| lane_key(lane, seed), |seen| value(&creation(seen)))
    };
    let [(ule, ule_name), (cfs, cfs_name)] = LANES;
    // "Always" and "never" are about each run: the worst of all seeds.
    let worst = |lane, pick: fn(f64, f64) -> f64| {
        let all = samples(lane, |c| c.largest).into_iter();
        all.reduce(|a, b| {
            if a.is_nan() || b.is_nan() {
                f64::NAN
            } else {
                pick(a, b)
            }
        })
        .unwrap_or(f64::NAN)
    };
    let last = [samples(cfs, |c| c.last), samples(ule, |c| c.last)];
    let last = Estimate::of_means(&[&last[0], &last[1]], |m| m[0] - m[1]);
    let slower = Estimate::ratio(&samples(ule, |c| c.seconds), &samples(cfs, |c| c.seconds));
    vec![
        Value::exact("largest", worst(ule, f64::max)).of(ule_name),
        Value::new("evenTime", Estimate::mean(&samples(ule, |c| c.even))).of(ule_name),
        Value::exact("largest", worst(cfs, f64::min)).of(cfs_name),
        Value::new("last", last),
        Value::new("slower", slower),
    ]
}

const SINCE: &str = "time since the first creation";

pub(super) fn figures(results: &Results) -> Vec<Figure> {
    let lanes = [LANES[1], LANES[0]];
    let maps = lanes.map(|(lane, name)| (lane, name, lane_key(lane, 1), None));
    let map = map(
        results,
        (
            "A row for each core, darker where more threads are runnable; time counts from the first creation.",
            SINCE,
        ),
        real(CREATION),
        &maps,
    );
    let line = |id: &str, title: &str, definition: &str, y: Axis, of: fn(&Seen) -> Vec<f64>| {
        let series = lanes.map(|(lane, name)| {
            let line = (lane.id(), name, lane);
            over_time(
                results,
                line,
                |seed| lane_key(lane, seed),
                |seen| thinned(seen, of),
            )
        });
        Figure {
            id: id.to_owned(),
            title: title.to_owned(),
            definition: definition.to_owned(),
            kind: Kind::OverTime,
            x: Axis::new(SINCE, "s"),
            y,
            series: series.into(),
            moment: Some(Moment {
                origin_ns: real(CREATION),
                per_x_ns: 1e9,
            }),
            ..Figure::default()
        }
    };
    vec![
        Figure {
            title: "Run queues while threads are created".to_owned(),
            ..map
        },
        line(
            "difference",
            "Difference of the queues",
            "The longest run queue minus the shortest, in threads: the largest difference at any moment since the point \
             before.",
            Axis::new("longest − shortest queue", "threads"),
            |seen| seen.looks(WATCHED),
        ),
        line(
            "threads",
            "Threads that have started",
            "Runnable threads of the program. Each waits until the one before has woken it.",
            Axis::new("runnable threads", ""),
            |seen| Look::all(seen).iter().map(Look::threads).collect(),
        ),
    ]
}

/// Looks for each point of a line.
const EACH: usize = 4;

/// x, and the largest of the values of some looks.
fn thinned(seen: &Seen, of: fn(&Seen) -> Vec<f64>) -> Vec<(f64, f64)> {
    let now = seen.looks("elapsedNs");
    let pairs: Vec<(f64, f64)> = now.into_iter().zip(of(seen)).skip(1).collect();
    let point = |chunk: &[(f64, f64)]| {
        let last = chunk.last().map_or(f64::NAN, |(t, _)| *t);
        let most = chunk.iter().map(|(_, v)| *v).fold(0.0, f64::max);
        ((last - real(CREATION)) / 1e9, most)
    };
    pairs.chunks(EACH).map(point).collect()
}

pub(super) fn what_ifs() -> Vec<WhatIf> {
    vec![
        WhatIf {
            id: "at-once",
            label: "threads do not wait for each other",
            changes: vec![Change::param("cray", "start", "atOnce")],
        },
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
