//! 32 cores: 512 threads pinned to one core are set free (S2c).

use super::lanes::{Lane, MS, SECOND, drawn, every, key, over_time, published, run};
use super::queues::{FAIR, Look, map, same};
use crate::experiment::change::{Change, WhatIf};
use crate::experiment::claims::{Effort, Results, Value};
use crate::experiment::figure::{Axis, Figure, Kind, Mark, Moment, Point, RowLabel, Series};
use crate::experiment::results::Seen;
use crate::experiment::run::Run;
use crate::experiment::stats::Estimate;
use crate::metrics::real;

/// A tick of CFS, and of the port.
const TICK: u64 = 4 * MS;
/// CFS is watched for as long as the claim says, with some time to spare.
const AFTER_S: f64 = 10.0;
/// Runs of ULE's balancer: 481 threads are left on core 0 when the idle cores have taken one each, 16 stay.
const RUNS: f64 = 465.0;

/// Distance of the forks in ns with seed 1, twice that with seed 2, and so on; not published. Threads that were forked at
/// one instant would have equal averages for ever, which those of the source had not.
const FORK_NS: u64 = 10_000;

/// How the cores lie; the source does not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// Two packages of two nodes of eight cores: what is judged.
    FourNodes,
    /// Four packages of two nodes of four cores.
    EightNodes,
}

impl Layout {
    fn id(self) -> &'static str {
        match self {
            Self::FourNodes => "2x2x8",
            Self::EightNodes => "4x2x4",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::FourNodes => "2 packages × 2 nodes × 8 cores",
            Self::EightNodes => "4 packages × 2 nodes × 4 cores",
        }
    }

    fn machine(self) -> &'static str {
        match self {
            Self::FourNodes => "op32",
            Self::EightNodes => "mc32",
        }
    }
}

/// When the threads of a run are set free: where in their intervals the balancers of the cores then are decides under
/// CFS, so it differs with the seed.
fn released(seed: u64) -> u64 {
    5 * SECOND + seed * 137 * MS
}

fn lane_key(layout: Layout, lane: Lane, seed: u64) -> String {
    key(&format!("c/{}", layout.id()), lane, seed)
}

/// CFS without groups and ULE's two clocks, as they are judged.
const CFS: Lane = Lane::CfsPlain;
const LANES: [(Lane, &str); 3] = [
    (CFS, "CFS"),
    (Lane::Port, "ULE, in Linux"),
    (Lane::Native, "ULE, at home"),
];

/// The longest first.
pub(super) fn runs(effort: Effort) -> Vec<Run> {
    // 465 intervals of ULE's balancer, each at random, average by themselves.
    let ule = [Lane::Native, Lane::Port].map(|lane| one(Layout::FourNodes, lane, 1));
    let cfs = (1..=effort.seeds).map(|seed| one(Layout::FourNodes, CFS, seed));
    ule.into_iter().chain(cfs).collect()
}

/// The other layouts of the machine, and a group for the application, which are shown beside.
pub(super) fn other_layouts(effort: Effort) -> Vec<Run> {
    let others = [
        (Layout::FourNodes, Lane::Cfs),
        (Layout::EightNodes, CFS),
        (Layout::EightNodes, Lane::Cfs),
    ];
    let seeds = |(layout, lane)| (1..=effort.seeds).map(move |seed| one(layout, lane, seed));
    others.into_iter().flat_map(seeds).collect()
}

fn one(layout: Layout, lane: Lane, seed: u64) -> Run {
    let from = released(seed);
    let key = lane_key(layout, lane, seed);
    let mut run = run(key, "s2c-512-threads", lane, "queues", seed);
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
    let run = run.machine(layout.machine());
    let run = run.group("cray", "startSpacingNs", FORK_NS * seed);
    run.with(free).end(from + until)
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

impl Spreading {
    const NOTHING: Self = Self {
        moves: f64::NAN,
        least: f64::NAN,
        even: f64::NAN,
    };
}

fn spreading(seen: &Seen) -> Spreading {
    let looks = Look::all(seen);
    let first = looks.iter().position(|l| l.moves > 0.5);
    let begun = first.and_then(|i| i.checked_sub(1)).map(|i| looks[i].at);
    let then = begun.and_then(|begun| looks.iter().find(|l| l.at >= begun + 0.2e9));
    let Some(then) = then else {
        return Spreading::NOTHING;
    };
    let is_after = |l: &&Look| l.at > then.at && l.at <= then.at + AFTER_S * 1e9;
    let after = looks.iter().filter(is_after);
    let spreads = after.clone().map(Look::spread);
    Spreading {
        moves: then.moves,
        least: spreads.fold(f64::INFINITY, f64::min),
        even: real(after.filter(|l| l.is_even()).count() as u64),
    }
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

/// NaN if it did not come to an end.
fn evening(seen: &Seen) -> Evening {
    let looks = Look::all(seen);
    let begun = looks.iter().position(|l| l.loads.iter().all(|n| *n > 0.5));
    let done = looks.iter().position(Look::is_even);
    let later = looks.last().map_or(f64::NAN, Look::spread);
    let (Some(begun), Some(done)) = (begun, done) else {
        return Evening {
            seconds: f64::NAN,
            balances: f64::NAN,
            by_one: f64::NAN,
            later,
        };
    };
    let balances = looks[done].balances - looks[begun].balances;
    let took_one = |two: &[Look]| {
        let (before, now) = (&two[0], &two[1]);
        same(now.balances - before.balances, 1.0) && same(before.loads[0] - now.loads[0], 1.0)
    };
    let by_one = looks[begun..=done].windows(2).filter(|w| took_one(w));
    Evening {
        seconds: (looks[done].at - looks[0].at) / 1e9,
        balances,
        by_one: real(by_one.count() as u64) / balances,
        later,
    }
}

pub(super) fn values(results: &Results) -> Vec<Value> {
    let there = published().release;
    let cfs = |seed| spreading(results.get(&lane_key(Layout::FourNodes, CFS, seed)));
    let each: Vec<(u64, Spreading)> = results.seeds().map(|seed| (seed, cfs(seed))).collect();
    let moves = each.iter().map(|(seed, s)| {
        Value::exact("moves", s.moves)
            .of("CFS")
            .at(real(*seed))
            .published(there.cfs_migrations)
    });
    let mut values: Vec<Value> = moves.collect();
    // f64::min and max pass over NaN, which must not be lost here.
    let of_all = |value: fn(&Spreading) -> f64, pick: fn(f64, f64) -> f64| {
        let all = each.iter().map(|(_, s)| value(s));
        all.reduce(|a, b| {
            if a.is_nan() || b.is_nan() {
                f64::NAN
            } else {
                pick(a, b)
            }
        })
        .unwrap_or(f64::NAN)
    };
    values.push(Value::exact("least", of_all(|s| s.least, f64::min)).of("CFS"));
    values.push(Value::exact("even", of_all(|s| s.even, f64::max)).of("CFS"));
    for (lane, name) in &LANES[1..] {
        let e = evening(results.get(&lane_key(Layout::FourNodes, *lane, 1)));
        let seconds = Value::exact("seconds", e.seconds).of(*name);
        values.push(match lane {
            Lane::Port => seconds.published(there.ule_seconds),
            _ => seconds,
        });
        values.push(Value::exact("balances", e.balances).of(*name));
        values.push(Value::exact("byOne", e.by_one).of(*name));
        values.push(Value::exact("later", e.later).of(*name));
    }
    values
}

const SINCE: &str = "time since the release";

pub(super) fn figures(results: &Results) -> Vec<Figure> {
    let there = published().release;
    let own = there.ule_seconds_with_its_own_clock;
    let mark = |x, label: &str| {
        let label = label.to_owned();
        Some(Mark { x, label })
    };
    let marks = [
        mark(there.cfs_seconds, "about 400 moves before 0.2 s"),
        mark(there.ule_seconds, "four minutes"),
        mark(own, "465 runs of 0.992 s (inferred)"),
    ];
    let lanes = LANES.iter().zip(marks);
    let lanes: Vec<_> = lanes
        .map(|((lane, name), mark)| (*lane, *name, lane_key(Layout::FourNodes, *lane, 1), mark))
        .collect();
    let map = map(
        results,
        (
            "A row for each core, darker where more threads are runnable; time counts from the moment at which the threads \
             are set free.",
            SINCE,
        ),
        real(released(1)),
        &lanes,
    );
    // One thread in each run of the balancer, from 481 on core 0 to 16.
    let slope = |end: f64| -> Vec<(f64, f64)> {
        let parts = [0.02, 0.1, 0.3, 0.5, 0.7, 0.85, 1.0];
        parts
            .map(|part| (end * part, FAIR + RUNS - RUNS * part))
            .into()
    };
    let nothing = |_| (Vec::new(), "");
    vec![
        Figure {
            title: "Run queues after the release".to_owned(),
            ..map
        },
        lines(
            results,
            ("difference", "Difference of the queues"),
            "The longest run queue minus the shortest, in threads; 0 is perfect.",
            Axis::new("longest − shortest queue", "threads"),
            Look::spread,
            nothing,
        ),
        lines(
            results,
            ("core0", "Threads on core 0"),
            "Runnable threads of the core on which all were pinned. Idle cores take one each; then ULE’s balancer takes one \
             in each run.",
            Axis::new("threads on core 0", ""),
            |l| l.loads[0],
            |lane| match lane {
                Lane::Port => (slope(there.ule_seconds), "inferred"),
                Lane::Native => (slope(own), "inferred"),
                _ => (Vec::new(), ""),
            },
        ),
        lines(
            results,
            ("moves", "Threads moved"),
            "Threads that the scheduler moved to another queue since the release.",
            Axis::new("moves", ""),
            |l| l.moves,
            |lane| match lane {
                CFS => (vec![(there.cfs_seconds, there.cfs_migrations)], "stated"),
                _ => (Vec::new(), ""),
            },
        ),
        layouts(results),
    ]
}

fn lines(
    results: &Results,
    (id, title): (&str, &str),
    definition: &str,
    y: Axis,
    of: fn(&Look) -> f64,
    stated: impl Fn(Lane) -> (Vec<(f64, f64)>, &'static str),
) -> Figure {
    let look = |seen: &Seen| {
        let looks = Look::all(seen);
        let from = looks.first().map_or(0.0, |l| l.at);
        let times: Vec<f64> = looks.iter().map(|l| (l.at - from) / 1e9).collect();
        // The axis is logarithmic: it has no zero.
        let kept = drawn(&times).into_iter().filter(|i| times[*i] > 0.0);
        kept.map(|i| (times[i], of(&looks[i]))).collect()
    };
    let series = LANES.map(|(lane, name)| {
        let line = (lane.id(), name, lane);
        let key = |seed| lane_key(Layout::FourNodes, lane, seed);
        let mut series = over_time(results, line, key, look);
        (series.published, series.provenance) = stated(lane);
        series
    });
    Figure {
        id: id.to_owned(),
        title: title.to_owned(),
        definition: definition.to_owned(),
        kind: Kind::OverTime,
        x: Axis::log(SINCE, "s"),
        y,
        series: series.into(),
        moment: Some(Moment {
            origin_ns: real(released(1)),
            per_x_ns: 1e9,
        }),
        ..Figure::default()
    }
}

/// What the layout and the group make of CFS' first moves.
fn layouts(results: &Results) -> Figure {
    let rows = [Layout::FourNodes, Layout::EightNodes];
    let column = |(lane, label): (Lane, &str)| {
        let cell = |(row, layout): (usize, Layout)| {
            let key = |seed| lane_key(layout, lane, seed);
            let moves = results.samples(key, |seen| spreading(seen).moves);
            (!moves.is_empty()).then(|| Point {
                x: real(row as u64),
                estimate: Estimate::mean(&moves),
                keys: results.known(results.seeds().map(key)),
            })
        };
        Series {
            id: lane.id().to_owned(),
            label: label.to_owned(),
            scheduler: "cfs".to_owned(),
            points: rows.into_iter().enumerate().filter_map(cell).collect(),
            ..Series::default()
        }
    };
    let columns = [
        (CFS, "no groups"),
        (Lane::Cfs, "a group for the application"),
    ];
    Figure {
        id: "layouts".to_owned(),
        title: "CFS: moves in the first 0.2 s".to_owned(),
        definition: "Around 400 are published. How the nodes of the source’s machine lie, and whether each application was a \
                     group, is not; that interactive threads and a batch thread got half of a core each (S2a) needs groups, \
                     and around 400 moves need none."
            .to_owned(),
        kind: Kind::Table,
        row_labels: rows.map(|layout| RowLabel::new(layout.name(), "")).into(),
        series: columns.map(column).into(),
        moment: Some(Moment {
            origin_ns: real(released(1)),
            per_x_ns: 0.0,
        }),
        ..Figure::default()
    }
}

pub(super) fn what_ifs() -> Vec<WhatIf> {
    vec![
        WhatIf {
            id: "balance-faster",
            label: "ULE balances ten times as often",
            changes: vec![Change::tunable("ule", "balanceInterval", 13)],
        },
        WhatIf {
            id: "no-balancer",
            label: "ULE’s balancer off",
            changes: vec![Change::tunable("ule", "balance", false)],
        },
        WhatIf {
            id: "no-steal",
            label: "ULE’s idle cores do not steal",
            changes: vec![Change::tunable("ule", "stealIdle", false)],
        },
    ]
}
