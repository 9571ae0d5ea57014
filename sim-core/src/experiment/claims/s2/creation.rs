//! 32 cores: a program creates 512 threads, one after the other (S2d).

use super::lanes::{Lane, MS, Places, SECOND, every, line, over_time, run, runs_of};
use super::queues::{Look, THREADS, first, map};
use crate::experiment::claims::WhatIf;
use crate::experiment::claims::{Effort, Results, Value};
use crate::experiment::collect::{self, Setting, Values, what_if};
use crate::experiment::figure::{Figure, Frame, Kind, Scale, TimeOfX};
use crate::experiment::numbers::{all_seeds, key, largest, of_means, samples, sum, worst};
use crate::experiment::probe::{ABOVE, WATCHED};
use crate::experiment::results::Seen;
use crate::experiment::run::Run;
use crate::experiment::stats::Estimate;
use crate::metrics::real;
use crate::property::Set;

/// The time at which the parent begins to create threads, after its sleep; and the time until all exist under ULE, with
/// a margin.
const CREATION: u64 = SECOND;
const CREATED: u64 = 8 * SECOND;
const LANES: [(Lane, &str); 2] = [(Lane::Port, "ULE"), (Lane::Cfs, "CFS")];

pub(super) fn runs(effort: Effort) -> Vec<Run> {
    let mut all = Vec::new();
    for &(lane, _) in &LANES {
        for seed in all_seeds(effort.seeds) {
            let mut run = run("d", "s2d-thread-creation", lane, "queuesWatched", seed);
            run.at = every(10 * MS, CREATION, CREATED);
            run.set("end.atNs", CREATED);
            all.push(run);
        }
    }
    all
}

/// The result of creating the threads.
#[derive(Clone, Copy, Debug)]
struct Creation {
    /// Seconds from the first creation until all threads are runnable.
    seconds: f64,
    /// Largest difference of the queues until then, part of the time with a difference of at most 1, and the difference
    /// at the end.
    largest: f64,
    even: f64,
    last: f64,
}

/// NaN if not all threads came to run.
fn creation(seen: &Seen) -> Creation {
    let looks = Look::all(seen);
    let (most, above) = (seen.looks(WATCHED), seen.looks(ABOVE));
    let Some(done) = first(&looks, |l| l.threads() > THREADS - 0.5) else {
        return Creation {
            seconds: f64::NAN,
            largest: f64::NAN,
            even: f64::NAN,
            last: f64::NAN,
        };
    };
    // The first reading is at the first creation, so earlier ones are not part of it.
    let took = looks[done].at - real(CREATION);
    Creation {
        seconds: took / 1e9,
        largest: largest(&most[1..=done]),
        even: 1.0 - sum(&above[1..=done]) / took,
        last: looks[done].spread(),
    }
}

/// A value of the creations under a lane, for each seed.
fn creations(results: &Results, lane: Lane, value: fn(&Creation) -> f64) -> Vec<f64> {
    let of_run = |seen: &Seen| value(&creation(seen));
    samples(results, &runs_of("d", lane), results.effort().seeds, of_run)
}

pub(super) fn values(results: &Results) -> Vec<Value> {
    let samples = |lane, value| creations(results, lane, value);
    let [(ule, ule_name), (cfs, cfs_name)] = LANES;
    let mut values = Values::new();
    // "Always" and "never" are about each run: the worst of all seeds counts.
    let most = worst(&samples(ule, |c| c.largest), f64::max);
    values.exact("largest", most).of(ule_name);
    let even = Estimate::mean(&samples(ule, |c| c.even));
    values.add("evenTime", even).of(ule_name);
    let most = worst(&samples(cfs, |c| c.largest), f64::min);
    values.exact("largest", most).of(cfs_name);
    let last = [samples(cfs, |c| c.last), samples(ule, |c| c.last)];
    values.add("last", of_means(&last, |m| m[0] - m[1]));
    let slower = [samples(ule, |c| c.seconds), samples(cfs, |c| c.seconds)];
    values.add("slower", Estimate::ratio(&slower[0], &slower[1]));
    values.all()
}

const MOMENT: TimeOfX = TimeOfX {
    origin_ns: CREATION as f64,
    per_x_ns: 1e9,
};
const SINCE: Scale = Scale::new("time since the first creation", "s");

const QUEUES: Frame = Frame {
    id: "queues",
    title: "Run queues while threads are created",
    definition: "A row for each core, darker where more threads are runnable; time counts from the first creation.",
    kind: Kind::Heat,
    x: SINCE,
    y: Scale::new("core", ""),
    moment: Some(MOMENT),
};
const DIFFERENCE: Frame = Frame {
    id: "difference",
    title: "Difference of the queues",
    definition: "The longest run queue minus the shortest, in threads: the largest difference at any moment since the point \
                 before.",
    kind: Kind::OverTime,
    x: SINCE,
    y: Scale::new("longest − shortest queue", "threads"),
    moment: Some(MOMENT),
};
const STARTED: Frame = Frame {
    id: "threads",
    title: "Threads that have started",
    definition: "Runnable threads of the program. Each waits until the one before has woken it.",
    kind: Kind::OverTime,
    x: SINCE,
    y: Scale::new("runnable threads", ""),
    moment: Some(MOMENT),
};

pub(super) fn figures(results: &Results) -> Vec<Figure> {
    let mut queues = Figure::new(&QUEUES);
    let mut difference = Figure::new(&DIFFERENCE);
    let mut started = Figure::new(&STARTED);
    for &(lane, label) in &[LANES[1], LANES[0]] {
        let runs = runs_of("d", lane);
        let one = (key(&runs, 1), real(CREATION));
        map(results, &mut queues, (lane, label), one, None);
        let draw = |figure: &mut Figure, of: fn(&Seen) -> Vec<f64>| {
            let mut series = line(lane, label, "");
            over_time(results, &runs, &mut series, |seen| thinned(seen, &of(seen)));
            figure.series.push(series);
        };
        draw(&mut difference, |seen| seen.looks(WATCHED));
        draw(&mut started, |seen| {
            let mut threads = Vec::new();
            for look in Look::all(seen) {
                threads.push(look.threads());
            }
            threads
        });
    }
    vec![queues, difference, started]
}

/// Number of readings for each point of a line.
const EACH: usize = 4;

/// x, and the largest value of several readings; the first one is left out.
fn thinned(seen: &Seen, values: &[f64]) -> Places {
    let now = seen.looks("elapsedNs");
    let mut places = Vec::new();
    let mut from = 1;
    while from < now.len() {
        let end = (from + EACH).min(now.len());
        let x = (now[end - 1] - real(CREATION)) / 1e9;
        places.push((x, largest(&values[from..end])));
        from = end;
    }
    places
}

pub(super) fn what_ifs() -> Vec<WhatIf> {
    let at_once = Set::new("groups.cray.behaviour.start", "atOnce");
    let label = "threads do not wait for each other";
    let mut all = vec![what_if("at-once", label, at_once)];
    collect::tunables(
        &mut all,
        &[
            (
                "no-groups",
                "CFS without groups",
                "cfs",
                "groupPerApplication",
                Setting::Off,
            ),
            (
                "no-balancer",
                "ULE’s balancer off",
                "ule",
                "balance",
                Setting::Off,
            ),
        ],
    );
    all
}
