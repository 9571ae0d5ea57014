//! The figures of the pages: each measure with each working set, and with all of them, as in the source; and the
//! trials.

use super::super::Results;
use super::curve::{Curve, Lane, Machine, Set, What, whole_bus};
use crate::experiment::claims::WhatIf;
use crate::experiment::figure::{Axis, Figure, Kind, Point, Series, TimeOfX};
use crate::experiment::published::rows;
use crate::property;

/// A measure of the source.
struct Drawn {
    id: &'static str,
    title: &'static str,
    definition: &'static str,
    label: &'static str,
    unit: &'static str,
    what: What,
    /// Factor from one to the measure's own units.
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
    let mut figures = Vec::new();
    for drawn in &DRAWN {
        for set in Set::ALL {
            figures.push(of_set(results, machine, set, drawn));
        }
        figures.push(of_all(results, machine, drawn));
    }
    figures
}

/// The figure of one set.
fn of_set(results: &Results, machine: Machine, set: Set, drawn: &Drawn) -> Figure {
    let mut figure = frame(drawn);
    figure.id = format!("{}-{}", drawn.id, set.bytes());
    figure.title = format!("{}, {}", drawn.title, set.name());
    for lane in Lane::ALL {
        let mut series = line(results, Curve::new(machine, lane, set), drawn);
        lane.id().clone_into(&mut series.id);
        lane.name().clone_into(&mut series.label);
        figure.series.push(series);
    }
    if drawn.what == What::Efficiency && machine == Machine::V890 && set == Set::K1 {
        closed_forms(&mut figure.series);
    }
    // A process alone ends at this time. With more processes than CPUs the turn of the waiting processes is still to
    // come.
    let alone = Curve::new(machine, Lane::Bsd, set).mean(results, What::Elapsed, 1);
    if alone.n > 0 {
        figure.moment = Some(TimeOfX {
            origin_ns: (alone.mean * 1.02).round(),
            per_x_ns: 0.0,
        });
    }
    figure
}

/// All sets in one chart.
fn of_all(results: &Results, machine: Machine, drawn: &Drawn) -> Figure {
    let mut figure = frame(drawn);
    drawn.id.clone_into(&mut figure.id);
    figure.title = format!("{}, all working sets", drawn.title);
    for set in Set::ALL {
        for lane in Lane::ALL {
            let mut series = line(results, Curve::new(machine, lane, set), drawn);
            series.id = format!("{}-{}", lane.id(), set.bytes());
            series.label = lane.name().to_owned() + " " + set.name();
            figure.series.push(series);
        }
    }
    figure
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

/// The points of a scheduler, with the results so far.
fn line(results: &Results, curve: Curve, drawn: &Drawn) -> Series {
    let mut series = Series {
        scheduler: curve.lane.id().to_owned(),
        unit: drawn.unit.to_owned(),
        ..Series::default()
    };
    for n in curve.machine.counts() {
        let keys = results.known(results.seeds().map(|seed| curve.key(*n, seed)));
        if !keys.is_empty() {
            let mean = curve.mean(results, drawn.what, *n);
            series.points.push(Point {
                x: f64::from(*n),
                estimate: mean.times(1.0 / drawn.by),
                keys,
            });
        }
    }
    series
}

/// Curves that follow from ULE's rules: processes, surplus that never moves, and surplus that wanders.
fn closed_forms(all: &mut Vec<Series>) {
    let table = rows("s0-v890", "/rows");
    for (id, label, column) in [
        ("never-moves", "surplus never moves", 1),
        ("wanders", "surplus wanders", 2),
    ] {
        let mut series = Series {
            id: id.to_owned(),
            label: label.to_owned(),
            provenance: "inferred",
            ..Series::default()
        };
        for row in &table {
            series.published.push((row[0], row[column]));
        }
        all.push(series);
    }
}

fn ule(id: &'static str, label: &'static str, tunable: &str, value: i64) -> WhatIf {
    WhatIf {
        id,
        label,
        changes: vec![property::Set::new(format!("lanes.ule.{tunable}"), value)],
    }
}

pub(super) fn v890_what_ifs() -> Vec<WhatIf> {
    let of_2013 = property::Set::new("lanes.ule.era", "2013-06");
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
            id: "whole-bus",
            label: "memory as fast as the whole bus",
            changes: vec![whole_bus()],
        },
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
