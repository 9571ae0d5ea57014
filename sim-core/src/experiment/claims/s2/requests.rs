//! One core: a web server and its load generator (S2b), the largest gap between the two schedulers (S2h).

use super::lanes::{Lane, MS, SECOND, every, key, over_time, published, run};
use crate::experiment::change::{Change, WhatIf};
use crate::experiment::claims::{Results, Value};
use crate::experiment::figure::{Axis, Figure, Kind, Moment, Point, RowLabel, Series};
use crate::experiment::results::Seen;
use crate::experiment::run::Run;
use crate::experiment::stats::Estimate;
use crate::metrics::real;

/// Requests of a run: the source had a million, the product of its times and rates.
const REQUESTS: u64 = 20_000;
/// The source's.
const MILLION: f64 = 1e6;
/// When the injector begins: the server is there before its client.
const INJECTOR_NS: u64 = 100 * MS;
/// What each thread touches: a supposition, between the ends of the band.
const SET_KIB: u64 = 192;
const BAND_KIB: [u64; 2] = [160, 256];
/// CPU work of a request, calibrated on ULE; its division is a supposition.
const INJECT_US: u64 = 31;
const SERVE_US: u64 = 93;

const LANES: [(Lane, &str); 2] = [(Lane::Cfs, "CFS"), (Lane::Port, "ULE")];

fn lane_key(lane: Lane, kib: u64) -> String {
    key(&format!("b/{kib}"), lane, 1)
}

pub(super) fn runs() -> Vec<Run> {
    let sets = [SET_KIB].into_iter().chain(BAND_KIB);
    let all = sets.flat_map(|kib| LANES.map(|(lane, _)| (lane, kib)));
    all.map(|(lane, kib)| {
        let key = lane_key(lane, kib);
        let mut run = run(key, "s2b-request-server", lane, "preemptions", 1);
        run.at = every(500 * MS, 500 * MS, 6 * SECOND).collect();
        run.param("ab", "requests", REQUESTS)
            .param("ab", "injectUs", INJECT_US)
            .param("httpd", "serveUs", SERVE_US)
            .group("ab", "workingSetBytes", kib << 10)
            .group("httpd", "workingSetBytes", kib << 10)
            .group("ab", "process", "web")
            .group("httpd", "process", "web")
            .group("ab", "startNs", INJECTOR_NS)
    })
    .collect()
}

/// Time for a request in µs; NaN if the run came to no end.
fn time_us(seen: &Seen) -> f64 {
    let ended = seen.column("ab/lastExitNs");
    if ended > 0.0 {
        (ended - real(INJECTOR_NS)) / real(REQUESTS) / 1e3
    } else {
        f64::NAN
    }
}

/// Preemptions of the injector for a request.
fn preempted(seen: &Seen) -> f64 {
    seen.column("ab/preempted") / real(REQUESTS)
}

/// ULE's rate relative to that of CFS.
fn rate(results: &Results, kib: u64) -> f64 {
    let time = |lane| time_us(results.get(&lane_key(lane, kib)));
    time(Lane::Cfs) / time(Lane::Port)
}

/// A number with the working sets that are supposed, and at the ends of their band.
fn banded(measure: &'static str, of: &dyn Fn(u64) -> f64) -> Value {
    let value = Value::exact(measure, of(SET_KIB));
    BAND_KIB.into_iter().fold(value, |value, kib| {
        value.under(format!("sets of {kib} KiB"), Estimate::exact(of(kib)))
    })
}

/// How far apart the two are, in percent of CFS' rate.
pub(super) fn gap(results: &Results) -> Vec<Value> {
    let percent = |kib| 100.0 * (rate(results, kib) - 1.0).abs();
    let [cfs, ule] = published().requests.requests_per_second;
    let there = 100.0 * (ule / cfs - 1.0);
    vec![banded("gap", &percent).published(there)]
}

pub(super) fn values(results: &Results) -> Vec<Value> {
    let there = published().requests;
    let seen = |lane, kib| results.get(&lane_key(lane, kib));
    let preemptions = |lane, name| banded("preempted", &|kib| preempted(seen(lane, kib))).of(name);
    let times = |lane, name| banded("requestTime", &|kib| time_us(seen(lane, kib))).of(name);
    let [(cfs, cfs_name), (ule, ule_name)] = LANES;
    let [cfs_s, ule_s] = there.seconds;
    let [cfs_rate, ule_rate] = there.requests_per_second;
    vec![
        preemptions(cfs, cfs_name),
        preemptions(ule, ule_name).published(0.0),
        banded("rate", &|kib| rate(results, kib)).published(ule_rate / cfs_rate),
        times(cfs, cfs_name).published(cfs_s * 1e6 / MILLION),
        times(ule, ule_name).published(ule_s * 1e6 / MILLION),
    ]
}

/// The rows of the source's table.
const ROWS: [(&str, &str); 3] = [
    ("preemptions of the injector for a request", ""),
    ("time for a request", "µs"),
    ("requests in a second", ""),
];

fn cells(seen: &Seen) -> [f64; 3] {
    let us = time_us(seen);
    [preempted(seen), us, 1e6 / us]
}

pub(super) fn figures(results: &Results) -> Vec<Figure> {
    let mut columns: Vec<Series> = LANES
        .iter()
        .map(|(lane, name)| column(results, *lane, name))
        .collect();
    columns.push(ratio(results));
    let lines = LANES.map(|(lane, label)| {
        let line = (lane.id(), label, lane);
        let mut line = over_time(
            results,
            line,
            |seed| key(&format!("b/{SET_KIB}"), lane, seed),
            counted,
        );
        line.points.iter_mut().for_each(|p| p.estimate.half = None);
        line
    });
    vec![
        Figure {
            id: "table".to_owned(),
            title: "The table of the source".to_owned(),
            definition: format!(
                "Preemptions of the load injector by threads of the server (more than 2 published under CFS), and the time of \
                 a run, for each request; {} thousand requests here, a million in the source. Band: working sets of {} to {} \
                 KiB, which the source does not give.",
                REQUESTS / 1000,
                BAND_KIB[0],
                BAND_KIB[1]
            ),
            kind: Kind::Table,
            row_labels: ROWS.iter().map(|(label, unit)| RowLabel::new(label, unit)).collect(),
            series: columns,
            moment: Some(Moment {
                origin_ns: real(INJECTOR_NS + 2 * MS),
                per_x_ns: 0.0,
            }),
            ..Figure::default()
        },
        Figure {
            id: "preemptions".to_owned(),
            title: "Preemptions of the injector over time".to_owned(),
            definition: "How often the load injector had to leave the core at an instant at which a worker was woken, so far."
                .to_owned(),
            kind: Kind::OverTime,
            x: Axis::new("time", "s"),
            y: Axis::new("preemptions", ""),
            series: lines.into(),
            moment: Some(Moment {
                origin_ns: 0.0,
                per_x_ns: 1e9,
            }),
            ..Figure::default()
        },
    ]
}

fn row(i: usize) -> f64 {
    real(i as u64)
}

fn column(results: &Results, lane: Lane, name: &str) -> Series {
    let there = published().requests;
    let which = usize::from(lane == Lane::Port);
    let key = lane_key(lane, SET_KIB);
    let cells_of = |kib| results.find(&lane_key(lane, kib)).map(cells);
    let points = cells_of(SET_KIB).into_iter().flatten().enumerate();
    let ends: Vec<[f64; 3]> = BAND_KIB.iter().filter_map(|kib| cells_of(*kib)).collect();
    let mut stated = vec![
        (1.0, there.seconds[which] * 1e6 / MILLION),
        (2.0, there.requests_per_second[which]),
    ];
    if lane == Lane::Port {
        stated.push((0.0, 0.0));
    }
    Series {
        id: lane.id().to_owned(),
        label: name.to_owned(),
        scheduler: lane.scheduler().to_owned(),
        points: points
            .map(|(i, value)| Point {
                x: row(i),
                estimate: Estimate::exact(value),
                keys: vec![key.clone()],
            })
            .collect(),
        published: stated,
        provenance: "measured",
        band: band(&ends),
        ..Series::default()
    }
}

/// The cells at the two ends of the supposed sets.
fn band(ends: &[[f64; 3]]) -> Option<crate::experiment::figure::Range> {
    let [a, b] = ends else { return None };
    let points = (0..ROWS.len()).map(|i| (row(i), a[i].min(b[i]), a[i].max(b[i])));
    Some(crate::experiment::figure::Range {
        label: format!(
            "working sets of {} to {} KiB (supposition)",
            BAND_KIB[0], BAND_KIB[1]
        ),
        points: points.collect(),
    })
}

/// ULE's time and rate relative to those of CFS.
fn ratio(results: &Results) -> Series {
    let there = published().requests;
    let seen = |kib| {
        let cells_of = |lane| results.find(&lane_key(lane, kib)).map(cells);
        let (cfs, ule) = (cells_of(Lane::Cfs)?, cells_of(Lane::Port)?);
        Some([ule[0] / cfs[0], ule[1] / cfs[1], ule[2] / cfs[2]])
    };
    let points = seen(SET_KIB).into_iter().flatten().enumerate().skip(1);
    let ends: Vec<[f64; 3]> = BAND_KIB.iter().filter_map(|kib| seen(*kib)).collect();
    let of = |pair: [f64; 2]| pair[1] / pair[0];
    Series {
        id: "ratio".to_owned(),
        label: "ULE ÷ CFS".to_owned(),
        points: points
            .map(|(i, value)| Point {
                x: row(i),
                estimate: Estimate::exact(value),
                keys: LANES.map(|(lane, _)| lane_key(lane, SET_KIB)).into(),
            })
            .collect(),
        published: vec![
            (1.0, of(there.seconds)),
            (2.0, of(there.requests_per_second)),
        ],
        provenance: "measured",
        band: band(&ends),
        ..Series::default()
    }
}

/// Preemptions of the injector so far, until it has ended.
fn counted(seen: &Seen) -> Vec<(f64, f64)> {
    let (now, n) = (seen.looks("elapsedNs"), seen.looks("ab/preempted"));
    let ended = seen.looks("ab/lastExitNs");
    let shown = ended.iter().take_while(|e| **e < 0.5).count() + 1;
    let all = now.iter().zip(&n).take(shown);
    all.map(|(t, n)| (t / 1e9, *n)).collect()
}

pub(super) fn what_ifs() -> Vec<WhatIf> {
    let both = |param: &str, value: bool| {
        ["ab", "httpd"]
            .map(|g| Change::param(g, param, value))
            .into()
    };
    vec![
        WhatIf {
            id: "no-connect",
            label: "connections are kept",
            changes: both("connect", false),
        },
        WhatIf {
            id: "two-applications",
            label: "server and injector are two applications",
            changes: vec![Change::group("ab", "process", "ab")],
        },
        WhatIf {
            id: "no-wakeup-preemption",
            label: "CFS does not preempt on wake-up",
            changes: vec![Change::tunable("cfs", "wakeupPreemption", false)],
        },
    ]
}
