//! One core: a web server and its load generator (S2b), and the largest gap between the two schedulers (S2h).

use super::lanes::{
    Lane, MS, Places, Requests, SECOND, every, line, over_time, published, run, runs_of,
};
use crate::experiment::claims::WhatIf;
use crate::experiment::claims::{Results, Value};
use crate::experiment::collect::{self, Last, Setting, Values, what_if};
use crate::experiment::figure::{Figure, Frame, Kind, Range, RowLabel, Scale, Series, TimeOfX};
use crate::experiment::numbers::{count, key};
use crate::experiment::results::Seen;
use crate::experiment::run::Run;
use crate::experiment::stats::Estimate;
use crate::metrics::real;
use crate::property::Set;

/// Number of requests of a run; the source had a million, the product of its times and rates.
const REQUESTS: u64 = 20_000;
/// The source's number of requests.
const MILLION: f64 = 1e6;
/// The time at which the injector begins: the server exists before its client.
const INJECTOR_NS: u64 = 100 * MS;
/// Working set of each thread: an assumption, in the middle of the band.
const SET_KIB: u64 = 192;
const BAND_KIB: [u64; 2] = [160, 256];
/// CPU work of a request, calibrated on ULE; its division is an assumption.
const INJECT_US: u64 = 31;
const SERVE_US: u64 = 93;

const LANES: [(Lane, &str); 2] = [(Lane::Cfs, "CFS"), (Lane::Port, "ULE")];

/// The part of the key that distinguishes runs with such sets.
fn what(kib: u64) -> String {
    format!("b/{kib}")
}

fn lane_key(lane: Lane, kib: u64) -> String {
    key(&runs_of(&what(kib), lane), 1)
}

pub(super) fn runs() -> Vec<Run> {
    let mut all = Vec::new();
    for &kib in &[SET_KIB, BAND_KIB[0], BAND_KIB[1]] {
        for &(lane, _) in &LANES {
            let mut run = run(&what(kib), "s2b-request-server", lane, "preemptions", 1);
            run.at = every(500 * MS, 500 * MS, 6 * SECOND);
            run.set("groups.ab.behaviour.requests", REQUESTS);
            run.set("groups.ab.behaviour.injectUs", INJECT_US);
            run.set("groups.httpd.behaviour.serveUs", SERVE_US);
            for &group in &["ab", "httpd"] {
                run.set(format!("groups.{group}.workingSetBytes"), kib << 10);
            }
            for &group in &["ab", "httpd"] {
                run.set(format!("groups.{group}.process"), "web");
            }
            run.set("groups.ab.startNs", INJECTOR_NS);
            all.push(run);
        }
    }
    all
}

/// Time per request in µs; NaN if the run did not end.
fn time_us(seen: &Seen) -> f64 {
    let ended = seen.column("ab/lastExitNs");
    if ended > 0.0 {
        (ended - real(INJECTOR_NS)) / real(REQUESTS) / 1e3
    } else {
        f64::NAN
    }
}

/// Preemptions of the injector per request.
fn preempted(seen: &Seen) -> f64 {
    seen.column("ab/preempted") / real(REQUESTS)
}

/// ULE's rate relative to that of CFS.
fn rate(results: &Results, kib: u64) -> f64 {
    let time = |lane| time_us(results.get(&lane_key(lane, kib)));
    time(Lane::Cfs) / time(Lane::Port)
}

/// Adds a number with the assumed working sets, and at the ends of their band.
fn banded<'a>(values: &'a mut Values, measure: &'static str, of: impl Fn(u64) -> f64) -> Last<'a> {
    let mut value = values.exact(measure, of(SET_KIB));
    for &kib in &BAND_KIB {
        value = value.under(format!("sets of {kib} KiB"), of(kib));
    }
    value
}

/// The difference between the two, in percent of CFS' rate.
pub(super) fn gap(results: &Results) -> Vec<Value> {
    let mut values = Values::new();
    let [cfs, ule] = published().requests.requests_per_second;
    let there = 100.0 * (ule / cfs - 1.0);
    let percent = |kib| 100.0 * (rate(results, kib) - 1.0).abs();
    banded(&mut values, "gap", percent).published(there);
    values.all()
}

pub(super) fn values(results: &Results) -> Vec<Value> {
    let (there, mut values) = (published().requests, Values::new());
    for &(lane, name) in &LANES {
        let of = |kib| preempted(results.get(&lane_key(lane, kib)));
        let value = banded(&mut values, "preempted", of).of(name);
        if lane == Lane::Port {
            value.published(0.0);
        }
    }
    let [cfs, ule] = there.requests_per_second;
    banded(&mut values, "rate", |kib| rate(results, kib)).published(ule / cfs);
    for (i, (lane, name)) in LANES.iter().enumerate() {
        let of = |kib| time_us(results.get(&lane_key(*lane, kib)));
        let value = banded(&mut values, "requestTime", of).of(name);
        value.published(there.seconds[i] * 1e6 / MILLION);
    }
    values.all()
}

/// The rows of the source's table.
const ROWS: [(&str, &str); 3] = [
    ("preemptions of the injector for a request", ""),
    ("time for a request", "µs"),
    ("requests in a second", ""),
];

/// The cells of a column.
type Cells = [f64; 3];

fn cells(results: &Results, lane: Lane, kib: u64) -> Option<Cells> {
    let seen = results.find(&lane_key(lane, kib))?;
    let us = time_us(seen);
    Some([preempted(seen), us, 1e6 / us])
}

/// ULE's cells relative to those of CFS.
fn ratios(results: &Results, kib: u64) -> Option<Cells> {
    let cfs = cells(results, Lane::Cfs, kib)?;
    let ule = cells(results, Lane::Port, kib)?;
    Some([ule[0] / cfs[0], ule[1] / cfs[1], ule[2] / cfs[2]])
}

const TABLE: Frame = Frame {
    id: "table",
    title: "The table of the source",
    definition: "",
    kind: Kind::Table,
    x: Scale::NONE,
    y: Scale::NONE,
    moment: Some(TimeOfX {
        origin_ns: (INJECTOR_NS + 2 * MS) as f64,
        per_x_ns: 0.0,
    }),
};
const PREEMPTIONS: Frame = Frame {
    id: "preemptions",
    title: "Preemptions of the injector over time",
    definition: "How often the load injector had to leave the core at an instant at which a worker was woken, so far.",
    kind: Kind::OverTime,
    x: Scale::new("time", "s"),
    y: Scale::new("preemptions", ""),
    moment: Some(TimeOfX {
        origin_ns: 0.0,
        per_x_ns: 1e9,
    }),
};

pub(super) fn figures(results: &Results) -> Vec<Figure> {
    let there = published().requests;
    let (mut table, mut preemptions) = (Figure::new(&TABLE), Figure::new(&PREEMPTIONS));
    let (thousand, [low, high]) = (REQUESTS / 1000, BAND_KIB);
    table.definition = format!(
        "Preemptions of the load injector by threads of the server (more than 2 published under CFS), and the time of a run, \
         for each request; {thousand} thousand requests here, a million in the source. Band: working sets of {low} to {high} \
         KiB, which the source does not give."
    );
    for &(label, unit) in &ROWS {
        table.row_labels.push(RowLabel::new(label, unit));
    }
    for &(lane, name) in &LANES {
        table.series.push(column(results, &there, lane, name));
        let mut line = line(lane, name, "");
        over_time(results, &runs_of(&what(SET_KIB), lane), &mut line, counted);
        for point in &mut line.points {
            point.estimate.half = None;
        }
        preemptions.series.push(line);
    }
    table.series.push(ratio(results, &there));
    vec![table, preemptions]
}

fn column(results: &Results, there: &Requests, lane: Lane, name: &str) -> Series {
    let mut series = line(lane, name, "");
    let which = usize::from(lane == Lane::Port);
    let stated = &mut series.published;
    stated.push((1.0, there.seconds[which] * 1e6 / MILLION));
    stated.push((2.0, there.requests_per_second[which]));
    if lane == Lane::Port {
        stated.push((0.0, 0.0));
    }
    let keys = [lane_key(lane, SET_KIB)];
    fill(&mut series, 0, &keys, |kib| cells(results, lane, kib));
    series
}

/// ULE's time and rate relative to those of CFS.
fn ratio(results: &Results, there: &Requests) -> Series {
    let mut series = Series::new("ratio", "ULE ÷ CFS", "", "");
    for (x, [cfs, ule]) in [(1.0, there.seconds), (2.0, there.requests_per_second)] {
        series.published.push((x, ule / cfs));
    }
    let keys = [lane_key(Lane::Cfs, SET_KIB), lane_key(Lane::Port, SET_KIB)];
    fill(&mut series, 1, &keys, |kib| ratios(results, kib));
    series
}

/// Fills a column from a row on, and its band: the cells at the two ends of the assumed sets.
fn fill(series: &mut Series, from: usize, keys: &[String], of: impl Fn(u64) -> Option<Cells>) {
    if let Some(cells) = of(SET_KIB) {
        for (row, cell) in cells.iter().enumerate().skip(from) {
            series.add(count(row), Estimate::exact(*cell), keys.to_vec());
        }
    }
    series.provenance = "measured";
    let [low, high] = BAND_KIB;
    if let (Some(a), Some(b)) = (of(low), of(high)) {
        let mut points = Vec::new();
        for (row, a) in a.iter().enumerate() {
            points.push((count(row), a.min(b[row]), a.max(b[row])));
        }
        series.band = Some(Range {
            label: format!("working sets of {low} to {high} KiB (supposition)"),
            points,
        });
    }
}

/// Number of preemptions of the injector so far, until it ends.
fn counted(seen: &Seen) -> Places {
    let n = seen.looks("ab/preempted");
    let ended = seen.looks("ab/lastExitNs");
    let mut places = Vec::new();
    for (i, now) in seen.looks("elapsedNs").iter().enumerate() {
        places.push((now / 1e9, n[i]));
        if ended[i] >= 0.5 {
            break;
        }
    }
    places
}

pub(super) fn what_ifs() -> Vec<WhatIf> {
    let kept = |group| Set::new(format!("groups.{group}.behaviour.connect"), false);
    let apart = Set::new("groups.ab.process", "ab");
    let mut all = vec![
        what_if("no-connect", "connections are kept", kept("ab")),
        what_if(
            "two-applications",
            "server and injector are two applications",
            apart,
        ),
    ];
    all[0].changes.push(kept("httpd"));
    collect::tunables(
        &mut all,
        &[(
            "no-wakeup-preemption",
            "CFS does not preempt on wake-up",
            "cfs",
            "wakeupPreemption",
            Setting::Off,
        )],
    );
    all
}
