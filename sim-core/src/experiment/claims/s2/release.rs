//! 32 cores: 512 threads pinned to one core are set free (S2c).

use super::lanes::{
    Lane, MS, Places, Release, SECOND, drawn, every, line, over_time, published, run, runs_of,
};
use super::queues::{FAIR, Look, first, map};
use crate::experiment::claims::WhatIf;
use crate::experiment::claims::{Effort, Results, Value};
use crate::experiment::collect::{self, Setting, Values};
use crate::experiment::figure::{Figure, Frame, Kind, Mark, RowLabel, Scale, TimeOfX};
use crate::experiment::numbers::{all_seeds, count, key, keys, mean_of, same, worst};
use crate::experiment::results::Seen;
use crate::experiment::run::Run;
use crate::metrics::real;

/// A tick of CFS and of the port.
const TICK: u64 = 4 * MS;
/// CFS is observed for as long as the claim says, with a margin.
const AFTER_S: f64 = 10.0;
/// Runs of ULE's balancer: 481 threads are left on core 0 when the idle cores have taken one each, and 16 stay.
const RUNS: f64 = 465.0;

/// Time between the forks in ns with seed 1, twice that with seed 2, and so on; not published. Threads that were forked
/// at one instant would have equal averages for ever, unlike those of the source.
const FORK_NS: u64 = 10_000;

/// The arrangement of the cores; the source does not give it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// Two packages of two nodes of eight cores: the layout that is evaluated.
    FourNodes,
    /// Four packages of two nodes of four cores.
    EightNodes,
}

impl Layout {
    /// The part of the key that distinguishes its runs.
    fn what(self) -> &'static str {
        match self {
            Self::FourNodes => "c/2x2x8",
            Self::EightNodes => "c/4x2x4",
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

/// The time at which the threads of a run are released. Under CFS the result depends on where the balancers of the
/// cores are in their intervals then, so this time differs with the seed.
const fn released(seed: u64) -> u64 {
    5 * SECOND + seed * 137 * MS
}

/// The common part of the keys of a lane's runs on the evaluated layout.
fn judged(lane: Lane) -> String {
    runs_of(Layout::FourNodes.what(), lane)
}

/// CFS without groups and ULE's two clocks, as they are evaluated.
const CFS: Lane = Lane::CfsPlain;
const LANES: [(Lane, &str); 3] = [
    (CFS, "CFS"),
    (Lane::Port, "ULE, in Linux"),
    (Lane::Native, "ULE, at home"),
];

/// The longest runs come first.
pub(super) fn runs(effort: Effort) -> Vec<Run> {
    // 465 intervals of ULE's balancer, each random, average out within one run.
    let mut all = vec![
        one(Layout::FourNodes, Lane::Native, 1),
        one(Layout::FourNodes, Lane::Port, 1),
    ];
    for seed in all_seeds(effort.seeds) {
        all.push(one(Layout::FourNodes, CFS, seed));
    }
    all
}

/// The other layouts of the machine, and a group for the application; these are only shown.
pub(super) fn other_layouts(effort: Effort) -> Vec<Run> {
    let mut all = Vec::new();
    for (layout, lane) in [
        (Layout::FourNodes, Lane::Cfs),
        (Layout::EightNodes, CFS),
        (Layout::EightNodes, Lane::Cfs),
    ] {
        for seed in all_seeds(effort.seeds) {
            all.push(one(layout, lane, seed));
        }
    }
    all
}

fn one(layout: Layout, lane: Lane, seed: u64) -> Run {
    let from = released(seed);
    let mut run = run(layout.what(), "s2c-512-threads", lane, "queues", seed);
    // Each tick while the first threads move; then, for ULE, as often as its balancer can run.
    let (soon, later, until) = match lane {
        Lane::Native => (100 * MS, 500 * MS, 600 * SECOND),
        Lane::Port => (100 * MS, 250 * MS, 340 * SECOND),
        _ => (2 * SECOND, 50 * MS, 13 * SECOND),
    };
    run.at = every(TICK, from, from + soon);
    run.at
        .extend_from_slice(&every(later, from + soon + later, from + until));
    run.set("machine", layout.machine());
    run.set("groups.cray.startSpacingNs", FORK_NS * seed);
    run.set("edits.1.atNs", from);
    run.set("end.atNs", from + until);
    run
}

/// The result of the release under CFS.
#[derive(Clone, Copy, Debug)]
struct Spreading {
    /// Number of threads moved in 0.2 s, counted from the first move.
    moves: f64,
    /// In the ten seconds after that: the smallest difference of the queues, and the number of readings at which all
    /// had 16.
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
    let mut found = Spreading::NOTHING;
    let Some(moved) = first(&looks, |l| l.moves > 0.5) else {
        return found;
    };
    let Some(begun) = moved.checked_sub(1).map(|i| looks[i].at) else {
        return found;
    };
    // The first reading after 0.2 s, and those of the ten seconds after it.
    let mut until = f64::NAN;
    for look in &looks {
        if until.is_nan() {
            if look.at >= begun + 0.2e9 {
                until = look.at + AFTER_S * 1e9;
                found = Spreading {
                    moves: look.moves,
                    least: f64::INFINITY,
                    even: 0.0,
                };
            }
        } else if look.at <= until {
            found.least = found.least.min(look.spread());
            if look.is_even() {
                found.even += 1.0;
            }
        }
    }
    found
}

/// The result of the release under ULE.
#[derive(Clone, Copy, Debug)]
struct Equalisation {
    /// Seconds from the release until all cores have 16.
    seconds: f64,
    /// Runs of the balancer since the idle cores have taken one thread each.
    balances: f64,
    /// Part of these that took exactly one thread from core 0.
    by_one: f64,
    /// Difference of the queues at the end.
    later: f64,
}

/// NaN if the queues did not become even.
fn equalisation(seen: &Seen) -> Equalisation {
    let looks = Look::all(seen);
    let mut found = Equalisation {
        seconds: f64::NAN,
        balances: f64::NAN,
        by_one: f64::NAN,
        later: looks.last().map_or(f64::NAN, Look::spread),
    };
    let begun = first(&looks, Look::all_busy);
    let (Some(begun), Some(done)) = (begun, first(&looks, Look::is_even)) else {
        return found;
    };
    let mut by_one = 0;
    for i in begun + 1..=done {
        let (before, now) = (&looks[i - 1], &looks[i]);
        let took = before.loads[0] - now.loads[0];
        if same(now.balances - before.balances, 1.0) && same(took, 1.0) {
            by_one += 1;
        }
    }
    found.seconds = (looks[done].at - looks[0].at) / 1e9;
    found.balances = looks[done].balances - looks[begun].balances;
    found.by_one = count(by_one) / found.balances;
    found
}

pub(super) fn values(results: &Results) -> Vec<Value> {
    let there = published().release;
    let (cfs, mut values) = (judged(CFS), Values::new());
    let (mut least, mut even) = (Vec::new(), Vec::new());
    for seed in all_seeds(results.effort().seeds) {
        let found = spreading(results.get(&key(&cfs, seed)));
        let value = values.exact("moves", found.moves).of("CFS");
        value.at(real(seed)).published(there.cfs_migrations);
        least.push(found.least);
        even.push(found.even);
    }
    values.exact("least", worst(&least, f64::min)).of("CFS");
    values.exact("even", worst(&even, f64::max)).of("CFS");
    for (lane, name) in &LANES[1..] {
        let found = equalisation(results.get(&key(&judged(*lane), 1)));
        let seconds = values.exact("seconds", found.seconds).of(name);
        if *lane == Lane::Port {
            seconds.published(there.ule_seconds);
        }
        for (measure, value) in [
            ("balances", found.balances),
            ("byOne", found.by_one),
            ("later", found.later),
        ] {
            values.exact(measure, value).of(name);
        }
    }
    values.all()
}

const SINCE: &str = "time since the release";

const fn moment(per_x_ns: f64) -> TimeOfX {
    TimeOfX {
        origin_ns: released(1) as f64,
        per_x_ns,
    }
}

const QUEUES: Frame = Frame {
    id: "queues",
    title: "Run queues after the release",
    definition: "A row for each core, darker where more threads are runnable; time counts from the moment at which the threads \
                 are set free.",
    kind: Kind::Heat,
    x: Scale::new(SINCE, "s"),
    y: Scale::new("core", ""),
    moment: Some(moment(1e9)),
};

/// A figure of a value of each reading.
struct Drawn {
    frame: Frame,
    of: fn(&Look) -> f64,
    /// The published points of a lane, and their origin.
    published: fn(&Release, Lane) -> (Places, &'static str),
}

const fn drawn_over_time(
    id: &'static str,
    title: &'static str,
    definition: &'static str,
    y: Scale,
) -> Frame {
    Frame {
        id,
        title,
        definition,
        kind: Kind::OverTime,
        x: Scale::log(SINCE, "s"),
        y,
        moment: Some(moment(1e9)),
    }
}

static OVER_TIME: [Drawn; 3] = [
    Drawn {
        frame: drawn_over_time(
            "difference",
            "Difference of the queues",
            "The longest run queue minus the shortest, in threads; 0 is perfect.",
            Scale::new("longest − shortest queue", "threads"),
        ),
        of: Look::spread,
        published: |_, _| (Vec::new(), ""),
    },
    Drawn {
        frame: drawn_over_time(
            "core0",
            "Threads on core 0",
            "Runnable threads of the core on which all were pinned. Idle cores take one each; then ULE’s balancer takes one in \
             each run.",
            Scale::new("threads on core 0", ""),
        ),
        of: |look| look.loads[0],
        published: |there, lane| match lane {
            Lane::Port => (slope(there.ule_seconds), "inferred"),
            Lane::Native => (slope(there.ule_seconds_with_its_own_clock), "inferred"),
            _ => (Vec::new(), ""),
        },
    },
    Drawn {
        frame: drawn_over_time(
            "moves",
            "Threads moved",
            "Threads that the scheduler moved to another queue since the release.",
            Scale::new("moves", ""),
        ),
        of: |look| look.moves,
        published: |there, lane| match lane {
            CFS => (vec![(there.cfs_seconds, there.cfs_migrations)], "stated"),
            _ => (Vec::new(), ""),
        },
    },
];

/// One thread in each run of the balancer, from 481 on core 0 to 16.
fn slope(end: f64) -> Places {
    let parts = [0.02, 0.1, 0.3, 0.5, 0.7, 0.85, 1.0];
    parts
        .map(|part| (end * part, FAIR + RUNS - RUNS * part))
        .to_vec()
}

pub(super) fn figures(results: &Results) -> Vec<Figure> {
    let there = published().release;
    let marks = [
        (there.cfs_seconds, "about 400 moves before 0.2 s"),
        (there.ule_seconds, "four minutes"),
        (
            there.ule_seconds_with_its_own_clock,
            "465 runs of 0.992 s (inferred)",
        ),
    ];
    let mut queues = Figure::new(&QUEUES);
    for (i, lane) in LANES.iter().enumerate() {
        let one = (key(&judged(lane.0), 1), real(released(1)));
        let (x, label) = marks[i];
        let label = label.to_owned();
        map(results, &mut queues, *lane, one, Some(Mark { x, label }));
    }
    let mut all = vec![queues];
    for drawn in &OVER_TIME {
        let mut figure = Figure::new(&drawn.frame);
        for &(lane, name) in &LANES {
            let mut series = line(lane, name, "");
            let look = |seen: &Seen| places(seen, drawn.of);
            over_time(results, &judged(lane), &mut series, look);
            (series.published, series.provenance) = (drawn.published)(&there, lane);
            figure.series.push(series);
        }
        all.push(figure);
    }
    all.push(layouts(results));
    all
}

/// A value of readings, by the time since the release.
fn places(seen: &Seen, of: fn(&Look) -> f64) -> Places {
    let looks = Look::all(seen);
    let times: Vec<f64> = looks.iter().map(|l| (l.at - looks[0].at) / 1e9).collect();
    // The axis is logarithmic and has no zero.
    let shown = drawn(&times).into_iter().filter(|i| times[*i] > 0.0);
    shown.map(|i| (times[i], of(&looks[i]))).collect()
}

const MOVES: Frame = Frame {
    id: "layouts",
    title: "CFS: moves in the first 0.2 s",
    definition: "Around 400 are published. How the nodes of the source’s machine lie, and whether each application was a group, \
                 is not; that interactive threads and a batch thread got half of a core each (S2a) needs groups, and around \
                 400 moves need none.",
    kind: Kind::Table,
    x: Scale::NONE,
    y: Scale::NONE,
    moment: Some(moment(0.0)),
};

/// The effect of the layout and the group on the first moves of CFS.
fn layouts(results: &Results) -> Figure {
    let mut figure = Figure::new(&MOVES);
    let rows = [Layout::FourNodes, Layout::EightNodes];
    for layout in rows {
        let label = RowLabel::new(layout.name(), "");
        figure.row_labels.push(label);
    }
    for (lane, label) in [
        (CFS, "no groups"),
        (Lane::Cfs, "a group for the application"),
    ] {
        let mut series = line(lane, label, "");
        for (row, layout) in rows.iter().enumerate() {
            let (runs, seeds) = (runs_of(layout.what(), lane), results.effort().seeds);
            let moves = mean_of(results, &runs, seeds, |seen| spreading(seen).moves);
            if moves.n > 0 {
                series.add(count(row), moves, keys(results, &runs, seeds));
            }
        }
        figure.series.push(series);
    }
    figure
}

pub(super) fn what_ifs() -> Vec<WhatIf> {
    let mut all = Vec::new();
    collect::tunables(
        &mut all,
        &[
            (
                "balance-faster",
                "ULE balances ten times as often",
                "ule",
                "balanceInterval",
                Setting::Int(13),
            ),
            (
                "no-balancer",
                "ULE’s balancer off",
                "ule",
                "balance",
                Setting::Off,
            ),
            (
                "no-steal",
                "ULE’s idle cores do not steal",
                "ule",
                "stealIdle",
                Setting::Off,
            ),
        ],
    );
    all
}
