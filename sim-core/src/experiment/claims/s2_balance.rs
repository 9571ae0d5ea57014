//! 32 cores: 512 threads set free (S2c), created (S2d), and one for each core (S2e).

use super::old::{Old as Measure, raw};
use super::s2_runs::{Lane, MS, SECOND, every, key, mean, run};
use super::{Effort, Results};
use crate::experiment::change::Change;
use crate::experiment::run::Run;
use crate::metrics::real;

/// Threads for each core in the end.
const FAIR: f64 = 16.0;
const THREADS: f64 = 512.0;
/// When S2c sets its threads free.
const RELEASE: u64 = 5 * SECOND;
/// A tick of CFS, and of the port.
const TICK: u64 = 4 * MS;

/// What the probe `queues` saw at one moment.
#[derive(Clone, Copy, Debug)]
struct Look<'a> {
    at: f64,
    moves: f64,
    balances: f64,
    loads: &'a [f64],
}

impl<'a> Look<'a> {
    const VALUES: usize = 3 + 32;

    fn read(v: &'a [f64]) -> Self {
        Self {
            at: v[0],
            moves: v[1],
            balances: v[2],
            loads: &v[3..],
        }
    }

    fn all(values: &'a [f64]) -> Vec<Self> {
        values.chunks_exact(Self::VALUES).map(Self::read).collect()
    }

    /// Difference of the longest and the shortest queue.
    fn spread(&self) -> f64 {
        let most = self.loads.iter().copied().fold(0.0, f64::max);
        most - self.loads.iter().copied().fold(f64::INFINITY, f64::min)
    }

    fn is_even(&self) -> bool {
        self.loads.iter().all(|n| same(*n, FAIR))
    }
}

/// Whether two counts are the same.
fn same(a: f64, b: f64) -> bool {
    (a - b).abs() < 0.5
}

/// When the threads of a run are released: for CFS, where in their intervals the balancers of the cores are then
/// decides, so it differs with the seed.
fn released(lane: Lane, seed: u64) -> u64 {
    match lane {
        Lane::Cfs => RELEASE + seed * 137 * MS,
        _ => RELEASE,
    }
}

/// Seeds of a lane of S2c: 465 intervals of ULE's balancer, each at random, average by themselves.
fn release_seeds(lane: Lane, effort: Effort) -> u64 {
    if lane == Lane::Cfs { effort.seeds } else { 1 }
}

const RELEASE_LANES: [Lane; 3] = [Lane::Native, Lane::Port, Lane::Cfs];

/// The longest first.
pub(super) fn release_runs(effort: Effort) -> Vec<Run> {
    let seeds = |lane| (1..=release_seeds(lane, effort)).map(move |seed| (lane, seed));
    let all = RELEASE_LANES.into_iter().flat_map(seeds);
    all.map(|(lane, seed)| {
        let from = released(lane, seed);
        let mut run = run(
            key('c', lane, "", seed),
            "s2c-512-threads",
            lane,
            "queues",
            seed,
        );
        // Each tick while the first threads move; then, for ULE, as often as its balancer runs at most.
        let (soon, later, until) = match lane {
            Lane::Native => (100 * MS, 500 * MS, 600 * SECOND),
            Lane::Port => (100 * MS, 250 * MS, 340 * SECOND),
            _ => (2 * SECOND, 50 * MS, 13 * SECOND),
        };
        let first = every(TICK, from, from + soon);
        run.at = first
            .chain(every(later, from + soon + later, from + until))
            .collect();
        let free = Change::EditTime {
            edit: 0,
            at_ns: from,
        };
        run.with(free).end(from + until)
    })
    .collect()
}

/// What CFS made of the release.
#[derive(Clone, Copy, Debug)]
struct Spreading {
    /// Threads moved in 0.2 s, counted from the first that moved.
    moves: f64,
    /// In the ten seconds after: the least difference of the queues, and looks at which all had 16.
    least: f64,
    even: f64,
}

fn spreading(values: &[f64]) -> Option<Spreading> {
    let looks = Look::all(values);
    let first = looks.iter().position(|l| l.moves > 0.5)?;
    let begun = looks[first.checked_sub(1)?].at;
    let then = looks.iter().find(|l| l.at >= begun + 0.2e9)?;
    let after = looks
        .iter()
        .filter(|l| l.at > then.at && l.at <= then.at + 10e9);
    Some(Spreading {
        moves: then.moves,
        least: after
            .clone()
            .map(Look::spread)
            .fold(f64::INFINITY, f64::min),
        even: real(after.filter(|l| l.is_even()).count() as u64),
    })
}

/// What ULE made of the release.
#[derive(Clone, Copy, Debug)]
struct Evening {
    /// Seconds from the release until all cores have 16.
    seconds: f64,
    /// Runs of the balancer since the idle cores have taken one thread each.
    balances: f64,
    /// Part of these that took exactly one thread from core 0.
    by_one: f64,
    /// Difference of the queues at the end.
    later: f64,
}

fn evening(values: &[f64]) -> Option<Evening> {
    let looks = Look::all(values);
    let begun = looks
        .iter()
        .position(|l| l.loads.iter().all(|n| *n > 0.5))?;
    let done = looks.iter().position(Look::is_even)?;
    let balances = looks[done].balances - looks[begun].balances;
    let took_one = |two: &[Look<'_>]| {
        let (before, now) = (&two[0], &two[1]);
        same(now.balances - before.balances, 1.0) && same(before.loads[0] - now.loads[0], 1.0)
    };
    let by_one = looks[begun..=done].windows(2).filter(|w| took_one(w));
    Some(Evening {
        seconds: (looks[done].at - looks[0].at) / 1e9,
        balances,
        by_one: real(by_one.count() as u64) / balances,
        later: looks.last()?.spread(),
    })
}

pub(super) fn release(results: &Results) -> Vec<Measure> {
    let get = |lane, seed| raw(results, &key('c', lane, "", seed));
    let cfs = |value: fn(&Spreading) -> f64| {
        let seeds = 1..=results.effort().seeds;
        let seen = seeds.map(|seed| spreading(get(Lane::Cfs, seed)));
        mean(seen.map(|s| s.as_ref().map_or(f64::NAN, value)))
    };
    let mut measures = vec![
        Measure::within(
            "CFS: moves in the first 0.2 s",
            cfs(|s| s.moves),
            400.0,
            350.0,
            480.0,
        ),
        Measure::within(
            "CFS: least difference of the queues in the 10 s after",
            cfs(|s| s.least),
            7.0,
            2.0,
            f64::INFINITY,
        ),
        Measure::about(
            "CFS: looks with 16 on every core",
            cfs(|s| s.even),
            0.0,
            0.0,
        ),
    ];
    for (lane, name, time) in [
        (Lane::Port, "port to Linux", 240.0),
        (Lane::Native, "11.1", 465.0),
    ] {
        let seen = evening(get(lane, 1));
        let ule = |value: fn(&Evening) -> f64| seen.as_ref().map_or(f64::NAN, value);
        measures.extend([
            Measure::about(
                format!("ULE, {name}: time until 16 on every core, s"),
                ule(|e| e.seconds),
                time,
                time * 0.15,
            ),
            Measure::about(
                format!("ULE, {name}: runs of the balancer"),
                ule(|e| e.balances),
                465.0,
                1.0,
            ),
            Measure::about(
                format!("ULE, {name}: runs that take exactly one thread from core 0"),
                ule(|e| e.by_one),
                1.0,
                0.005,
            ),
            Measure::about(
                format!("ULE, {name}: difference of the queues at the end"),
                ule(|e| e.later),
                0.0,
                0.0,
            ),
        ]);
    }
    measures
}

/// When S2d's parent has slept enough and begins to create threads; until all are there under ULE, and to spare.
const CREATION: u64 = SECOND;
const CREATED: u64 = 8 * SECOND;
const CREATION_LANES: [Lane; 2] = [Lane::Port, Lane::Cfs];

/// Seeds of a lane of S2d: nothing is left to chance under CFS.
fn creation_seeds(lane: Lane, effort: Effort) -> u64 {
    if lane == Lane::Cfs { 1 } else { effort.seeds }
}

pub(super) fn creation_runs(effort: Effort) -> Vec<Run> {
    let seeds = |lane| (1..=creation_seeds(lane, effort)).map(move |seed| (lane, seed));
    let all = CREATION_LANES.into_iter().flat_map(seeds);
    all.map(|(lane, seed)| {
        let key = key('d', lane, "", seed);
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
    /// Largest difference of the queues at any moment until then, and the difference then.
    largest: f64,
    last: f64,
}

fn created(values: &[f64]) -> Option<Creation> {
    // Before each look the largest difference since the one before.
    let looks: Vec<(f64, Look<'_>)> = values
        .chunks_exact(1 + Look::VALUES)
        .map(|v| (v[0], Look::read(&v[1..])))
        .collect();
    let there = |l: &(f64, Look<'_>)| l.1.loads.iter().sum::<f64>();
    let done = looks.iter().position(|l| there(l) > THREADS - 0.5)?;
    let (_, last) = &looks[done];
    Some(Creation {
        seconds: last.at / 1e9 - real(CREATION) / 1e9,
        largest: looks[..=done].iter().map(|l| l.0).fold(0.0, f64::max),
        last: last.spread(),
    })
}

pub(super) fn creation(results: &Results) -> Vec<Measure> {
    let seen = |lane, value: fn(&Creation) -> f64| {
        let seeds = 1..=creation_seeds(lane, results.effort());
        let seen = seeds.map(|seed| created(raw(results, &key('d', lane, "", seed))));
        mean(seen.map(|c| c.as_ref().map_or(f64::NAN, value)))
    };
    let (cfs, ule) = (Lane::Cfs, Lane::Port);
    vec![
        Measure::within(
            "ULE: largest difference of the queues",
            seen(ule, |c| c.largest),
            1.0,
            0.0,
            1.0,
        ),
        Measure::within(
            "CFS: largest difference of the queues",
            seen(cfs, |c| c.largest),
            10.0,
            3.0,
            f64::INFINITY,
        ),
        Measure::within(
            "difference when all threads run, CFS - ULE",
            seen(cfs, |c| c.last) - seen(ule, |c| c.last),
            10.0,
            f64::MIN_POSITIVE,
            f64::INFINITY,
        ),
        Measure::within(
            "time until all threads run, ULE / CFS",
            seen(ule, |c| c.seconds) / seen(cfs, |c| c.seconds),
            2.0,
            1.0 + f64::EPSILON,
            f64::INFINITY,
        ),
    ]
}

/// Workloads of one thread for each core that never sleep: name, behaviour, working set in bytes.
const WORKLOADS: [(&str, &str, u64); 7] = [
    ("ordinary program", "compute", 65_536),
    ("Dhrystone", "dhrystone", 1),
    ("array loop, 16 KiB", "loop", 16 << 10),
    ("array loop, 1 MiB", "loop", 1 << 20),
    ("array loop, 16 MiB", "loop", 16 << 20),
    ("pointer chase, 256 KiB", "chase", 256 << 10),
    ("pointer chase, 8 MiB", "chase", 8 << 20),
];
/// Work of each thread of S2e in ms.
const WORK_MS: u64 = 10_000;

fn one_each_key(lane: Lane, (_, kind, bytes): (&str, &str, u64)) -> String {
    key('e', lane, &format!("{kind}-{bytes}"), 1)
}

/// The longest first: large sets wait for memory.
pub(super) fn one_each_runs() -> Vec<Run> {
    let lanes = |workload| [Lane::Cfs, Lane::Port].map(|lane| (lane, workload));
    let all = WORKLOADS.into_iter().rev().flat_map(lanes);
    all.map(|(lane, workload)| {
        let key = one_each_key(lane, workload);
        let (_, kind, bytes) = workload;
        let behaviour = Change::Behaviour {
            group: "work".to_owned(),
            kind: kind.to_owned(),
            params: [("workMs".to_owned(), WORK_MS.into())]
                .into_iter()
                .collect(),
        };
        run(key, "s2e-one-thread-per-core", lane, "exits", 1)
            .with(behaviour)
            .group("work", "workingSetBytes", bytes)
            .end(3_600 * SECOND)
    })
    .collect()
}

pub(super) fn one_each(results: &Results) -> Vec<Measure> {
    let measure = |workload: (&str, &str, u64)| {
        let last_exit = |lane| raw(results, &one_each_key(lane, workload))[1];
        let ratio = last_exit(Lane::Port) / last_exit(Lane::Cfs);
        let name = format!("{}: time of ULE / CFS", workload.0);
        Measure::about(name, ratio, 1.0, 0.03)
    };
    WORKLOADS.map(measure).into()
}
