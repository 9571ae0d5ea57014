//! What the pages draw: each measure with each working set, and with all of them, as the source does; and what can be tried.

use super::super::Results;
use super::curve::{Curve, Lane, Machine, Set, What};
use crate::experiment::change::{Change, WhatIf};
use crate::experiment::figure::{Axis, Figure, Kind, Moment, Point, Series};
use crate::experiment::published::rows;

/// A measure of the source.
struct Drawn {
    id: &'static str,
    title: &'static str,
    definition: &'static str,
    label: &'static str,
    unit: &'static str,
    what: What,
    /// In how many of its own units one is.
    by: f64,
}

const DRAWN: [Drawn; 3] = [
    Drawn {
        id: "efficiency",
        title: "Efficiency",
        definition: "Elapsed time × busy CPUs ÷ total CPU time. A perfect scheduler has 1; more is worse.",
        label: "elapsed × CPUs ÷ CPU time",
        unit: "",
        what: What::Efficiency,
        by: 1.0,
    },
    Drawn {
        id: "elapsed",
        title: "Elapsed time",
        definition: "From the common start to the last exit.",
        label: "elapsed time",
        unit: "s",
        what: What::Elapsed,
        by: 1e9,
    },
    Drawn {
        id: "cpu",
        title: "CPU time",
        definition: "CPU time of a process, mean over the processes.",
        label: "CPU time per process",
        unit: "s",
        what: What::Cpu,
        by: 1e9,
    },
];

pub(super) fn v890_figures(results: &Results) -> Vec<Figure> {
    figures(results, Machine::V890)
}

pub(super) fn xeon_figures(results: &Results) -> Vec<Figure> {
    figures(results, Machine::Xeon)
}

fn figures(results: &Results, machine: Machine) -> Vec<Figure> {
    let of = |drawn: &'static Drawn| {
        let single = Set::ALL.map(|set| of_set(results, machine, set, drawn));
        single.into_iter().chain([of_all(results, machine, drawn)])
    };
    DRAWN.iter().flat_map(of).collect()
}

/// One set by itself.
fn of_set(results: &Results, machine: Machine, set: Set, drawn: &Drawn) -> Figure {
    let curves = Lane::ALL.map(|lane| Curve::new(machine, lane, set));
    let mut series: Vec<Series> = curves
        .map(|c| Series {
            id: c.lane.id().to_owned(),
            label: c.lane.name().to_owned(),
            ..line(results, c, drawn)
        })
        .into();
    if drawn.what == What::Efficiency && machine == Machine::V890 && set == Set::K1 {
        series.extend(closed_forms());
    }
    // A process alone ends then; with more processes than CPUs the round of those that wait is still to come.
    let alone = curves[0].samples(results, What::Elapsed, 1);
    let alone = alone
        .first()
        .map(|_| curves[0].mean(results, What::Elapsed, 1));
    Figure {
        id: format!("{}-{}", drawn.id, set.bytes()),
        title: format!("{}, {}", drawn.title, set.name()),
        series,
        moment: alone.map(|alone| Moment {
            origin_ns: (alone.mean * 1.02).round(),
            per_x_ns: 0.0,
        }),
        ..frame(drawn)
    }
}

/// All sets in one chart.
fn of_all(results: &Results, machine: Machine, drawn: &Drawn) -> Figure {
    let curve = |set| Lane::ALL.map(|lane| Curve::new(machine, lane, set));
    let series = Set::ALL.into_iter().flat_map(curve).map(|c| Series {
        id: format!("{}-{}", c.lane.id(), c.set.bytes()),
        label: format!("{} {}", c.lane.name(), c.set.name()),
        ..line(results, c, drawn)
    });
    Figure {
        id: drawn.id.to_owned(),
        title: format!("{}, all working sets", drawn.title),
        series: series.collect(),
        ..frame(drawn)
    }
}

fn frame(drawn: &Drawn) -> Figure {
    Figure {
        definition: drawn.definition.to_owned(),
        kind: Kind::Curves,
        x: Axis::new("processes", ""),
        y: Axis::new(drawn.label, drawn.unit),
        ..Figure::default()
    }
}

/// A scheduler's points, as far as there are any.
fn line(results: &Results, curve: Curve, drawn: &Drawn) -> Series {
    let point = |n: u32| {
        let keys = results.known(results.seeds().map(|seed| curve.key(n, seed)));
        (!keys.is_empty()).then(|| Point {
            x: f64::from(n),
            estimate: curve.mean(results, drawn.what, n).times(1.0 / drawn.by),
            keys,
        })
    };
    let counts = curve.machine.counts().iter().copied();
    Series {
        scheduler: curve.lane.id().to_owned(),
        unit: drawn.unit.to_owned(),
        points: counts.filter_map(point).collect(),
        ..Series::default()
    }
}

/// Curves that follow from ULE's rules: processes; surplus that never moves; surplus that wanders.
fn closed_forms() -> [Series; 2] {
    let table = rows("s0-v890", "/rows");
    let series = |id: &str, label: &str, column: usize| Series {
        id: id.to_owned(),
        label: label.to_owned(),
        published: table.iter().map(|r| (r[0], r[column])).collect(),
        provenance: "inferred",
        ..Series::default()
    };
    [
        series("never-moves", "surplus never moves", 1),
        series("wanders", "surplus wanders", 2),
    ]
}

fn ule(id: &'static str, label: &'static str, tunable: &str, value: i64) -> WhatIf {
    WhatIf {
        id,
        label,
        changes: vec![Change::tunable("ule", tunable, value)],
    }
}

pub(super) fn v890_what_ifs() -> Vec<WhatIf> {
    let of_2013 = Change::Era {
        scheduler: "ule".to_owned(),
        era: "2013-06".to_owned(),
    };
    vec![
        ule("no-balancer", "ULE’s balancer off", "balance", 0),
        ule(
            "steal-from-two",
            "ULE steals from two threads on",
            "stealThresh",
            2,
        ),
        ule(
            "balance-often",
            "ULE balances ten times as often",
            "balanceInterval",
            13,
        ),
        WhatIf {
            id: "ule-2013",
            label: "ULE of 2013",
            changes: vec![of_2013],
        },
    ]
}

pub(super) fn xeon_what_ifs() -> Vec<WhatIf> {
    vec![
        ule("no-smt", "ULE knows nothing of SMT", "topology", 1),
        ule("no-balancer", "ULE’s balancer off", "balance", 0),
        ule(
            "no-stealing",
            "ULE’s idle CPUs do not steal",
            "stealIdle",
            0,
        ),
    ]
}
