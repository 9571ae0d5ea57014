//! One core: interactive threads beside a batch thread (S2a).

use super::lanes::{
    Lane, MS, Places, Published, SECOND, every, line, over_time, published, run, runs_of,
};
use crate::experiment::claims::WhatIf;
use crate::experiment::claims::{Effort, Results, Value};
use crate::experiment::collect::{self, Setting, Values};
use crate::experiment::figure::{Figure, Frame, Kind, Scale, Series, TimeOfX};
use crate::experiment::numbers::{all_seeds, samples};
use crate::experiment::results::Seen;
use crate::experiment::run::Run;
use crate::experiment::stats::Estimate;

/// Number of interactive threads.
const INTERACTIVE: f64 = 80.0;
const LANES: [(Lane, &str); 3] = [
    (Lane::Cfs, "CFS, a group for each application"),
    (Lane::CfsPlain, "CFS, no groups"),
    (Lane::Port, "ULE"),
];
/// Interval at which the probe `groups` reads, until all lanes have ended.
const LOOK: u64 = 50 * MS;
const ALL_ENDED: u64 = 45 * SECOND;

pub(super) fn runs(effort: Effort) -> Vec<Run> {
    let mut all = Vec::new();
    for &(lane, _) in &LANES {
        for seed in all_seeds(effort.seeds) {
            let mut run = run("a", "s2a-interactive-batch", lane, "groups", seed);
            run.at = every(LOOK, LOOK, ALL_ENDED);
            all.push(run);
        }
    }
    all
}

/// The result of a run; times in s.
#[derive(Clone, Copy, Debug)]
struct Batch {
    /// Share of the batch thread while all threads of both applications are alive.
    shared: f64,
    /// Its share from the end of the interactive application to its own end.
    alone: f64,
    /// Time at which the interactive application ends, and at which both have ended.
    interactive_s: f64,
    both_s: f64,
    /// Longest wait of an interactive thread.
    longest_wait_s: f64,
}

/// `None` if not both applications have ended.
fn batch(seen: &Seen) -> Option<Batch> {
    let now = seen.looks("elapsedNs");
    let (typists, hog) = (seen.looks("interactive/cpuNs"), seen.looks("batch/cpuNs"));
    let (typed, done) = (seen.looks("interactive/ended"), seen.looks("batch/ended"));
    let (mut shared, mut first_alone) = (None, None);
    for (i, ended) in typed.iter().enumerate() {
        if ended + done[i] < 0.5 {
            shared = Some(i);
        }
        if *ended > INTERACTIVE - 0.5 && first_alone.is_none() {
            first_alone = Some(i);
        }
    }
    let (shared, first_alone) = (shared?, first_alone?);
    if seen.column("batch/ended") < 0.5 {
        return None;
    }
    let typists_end = seen.column("interactive/lastExitNs");
    let hog_end = seen.column("batch/lastExitNs");
    let left = hog_end - now[first_alone];
    Some(Batch {
        shared: hog[shared] / (typists[shared] + hog[shared]),
        alone: if left > 0.0 {
            (seen.column("batch/cpuNs") - hog[first_alone]) / left
        } else {
            1.0
        },
        interactive_s: typists_end / 1e9,
        both_s: typists_end.max(hog_end) / 1e9,
        longest_wait_s: seen.column("interactive/longestWaitNs") / 1e9,
    })
}

/// A value of each run of a lane; NaN if the run did not end.
fn batches(results: &Results, lane: Lane, value: fn(&Batch) -> f64) -> Vec<f64> {
    let of_run = |seen: &Seen| match batch(seen) {
        Some(batch) => value(&batch),
        None => f64::NAN,
    };
    samples(results, &runs_of("a", lane), results.effort().seeds, of_run)
}

/// The share of the batch thread that the source gives while the others run.
fn stated(there: &Published, lane: Lane) -> Option<f64> {
    match lane {
        Lane::Cfs => Some(there.sharing.batch_share_under_cfs),
        Lane::Port => Some(there.sharing.batch_share_under_ule_while_the_others_run),
        _ => None,
    }
}

pub(super) fn values(results: &Results) -> Vec<Value> {
    let mean = |lane, value| Estimate::mean(&batches(results, lane, value));
    let (there, mut values) = (published(), Values::new());
    for &(lane, name) in &LANES {
        let share = values.add("batchShare", mean(lane, |b| b.shared));
        let share = share.of(name);
        if let Some(stated) = stated(&there, lane) {
            share.published(stated);
        }
    }
    let [(cfs, grouped), _, (ule, port)] = LANES;
    let alone = values.add("aloneShare", mean(ule, |b| b.alone));
    alone.of(port);
    let mut ratio = |measure, value| {
        let above = batches(results, ule, value);
        values.add(
            measure,
            Estimate::ratio(&above, &batches(results, cfs, value)),
        );
    };
    ratio("interactiveTime", |b| b.interactive_s);
    ratio("bothTime", |b| b.both_s);
    for &(lane, name) in &[(ule, port), (cfs, grouped)] {
        let wait = values.add("longestWait", mean(lane, |b| b.longest_wait_s));
        wait.of(name);
    }
    values.all()
}

/// Times in s: both applications had the core for this long under CFS; and the times at which the source's curves are
/// read.
const WITHIN: [f64; 3] = [5.0, 10.0, 15.0];

const TIME: Scale = Scale::new("time", "s");
const MOMENT: TimeOfX = TimeOfX {
    origin_ns: 0.0,
    per_x_ns: 1e9,
};
const SHARE: Frame = Frame {
    id: "share",
    title: "Share of the batch application",
    definition: "Part of the CPU time of each second that the batch thread had. Under ULE it stands still until the interactive \
                 threads have ended, and then has the core to itself.",
    kind: Kind::OverTime,
    x: TIME,
    y: Scale::new("share of the batch thread", "%"),
    moment: Some(MOMENT),
};
const CPU: Frame = Frame {
    id: "cpu",
    title: "CPU time of each application",
    definition: "CPU time that all threads of an application have had so far.",
    kind: Kind::OverTime,
    x: TIME,
    y: Scale::new("CPU time", "s"),
    moment: Some(MOMENT),
};

pub(super) fn figures(results: &Results) -> Vec<Figure> {
    let there = published();
    let (mut share, mut cpu) = (Figure::new(&SHARE), Figure::new(&CPU));
    for &(lane, label) in &LANES {
        let runs = runs_of("a", lane);
        let mut series = line(lane, label, "");
        over_time(results, &runs, &mut series, shares);
        if let Some(stated) = stated(&there, lane) {
            for &x in &WITHIN {
                series.published.push((x, 100.0 * stated));
            }
            series.provenance = "stated";
        }
        share.series.push(series);
        for &group in &["interactive", "batch"] {
            let id = format!("{}-{group}", lane.id());
            let label = format!("{label}: {group}");
            let mut series = Series::new(&id, &label, lane.scheduler(), "");
            over_time(results, &runs, &mut series, |seen| cpu_s(seen, group));
            cpu.series.push(series);
        }
    }
    vec![share, cpu]
}

/// Number of readings per second.
const A_SECOND: usize = (SECOND / LOOK) as usize;

/// Every `step`th reading until the run ends. The run may end before the last readings, which then repeat the values of
/// its end.
fn each(now: &[f64], step: usize) -> Vec<usize> {
    let mut looks = Vec::new();
    for i in 0..now.len() {
        if i > 0 && now[i] <= now[i - 1] {
            break;
        }
        if (i + 1) % step == 0 {
            looks.push(i);
        }
    }
    looks
}

/// The batch thread's share of each second, in percent.
fn shares(seen: &Seen) -> Places {
    let (now, hog) = (seen.looks("elapsedNs"), seen.looks("batch/cpuNs"));
    let (mut places, mut had) = (Vec::new(), 0.0);
    for i in each(&now, A_SECOND) {
        places.push((now[i] / 1e9, (hog[i] - had) / 1e7));
        had = hog[i];
    }
    places
}

/// CPU time of a group so far in s, each half second.
fn cpu_s(seen: &Seen, group: &str) -> Places {
    let now = seen.looks("elapsedNs");
    let cpu = seen.looks(&format!("{group}/cpuNs"));
    let mut places = Vec::new();
    for i in each(&now, A_SECOND / 2) {
        places.push((now[i] / 1e9, cpu[i] / 1e9));
    }
    places
}

pub(super) fn what_ifs() -> Vec<WhatIf> {
    let mut all = Vec::new();
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
                "none-interactive",
                "no thread counts as interactive under ULE",
                "ule",
                "interact",
                Setting::Int(0),
            ),
        ],
    );
    all
}
