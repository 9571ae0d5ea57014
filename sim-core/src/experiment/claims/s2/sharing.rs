//! One core: interactive threads beside a batch thread (S2a).

use super::lanes::{Lane, MS, SECOND, every, key, over_time, published, run, seeded};
use crate::experiment::change::{Change, WhatIf};
use crate::experiment::claims::{Effort, Results, Value};
use crate::experiment::figure::{Axis, Figure, Kind, Moment};
use crate::experiment::results::Seen;
use crate::experiment::run::Run;
use crate::experiment::stats::Estimate;

/// Interactive threads.
const INTERACTIVE: f64 = 80.0;
const LANES: [(Lane, &str); 3] = [
    (Lane::Cfs, "CFS, a group for each application"),
    (Lane::CfsPlain, "CFS, no groups"),
    (Lane::Port, "ULE"),
];
/// The probe `groups` looks this often, until all lanes are through.
const LOOK: u64 = 50 * MS;
const ALL_ENDED: u64 = 45 * SECOND;

fn lane_key(lane: Lane, seed: u64) -> String {
    key("a", lane, seed)
}

pub(super) fn runs(effort: Effort) -> Vec<Run> {
    let all = seeded(LANES.map(|(lane, _)| lane), effort.seeds);
    all.map(|(lane, seed)| {
        let key = lane_key(lane, seed);
        let mut run = run(key, "s2a-interactive-batch", lane, "groups", seed);
        run.at = every(LOOK, LOOK, ALL_ENDED).collect();
        run
    })
    .collect()
}

/// What a run gave; times in s.
#[derive(Clone, Copy, Debug)]
struct Batch {
    /// Share of the batch thread while all threads of both applications live.
    shared: f64,
    /// Its share from when the interactive application has ended until it ends.
    alone: f64,
    /// When the interactive application has ended, and both.
    interactive_s: f64,
    both_s: f64,
    /// Longest wait of an interactive thread.
    longest_wait_s: f64,
}

/// `None` if not both applications have ended.
fn batch(seen: &Seen) -> Option<Batch> {
    let now = seen.looks("elapsedNs");
    let [typists, hog] = ["interactive/cpuNs", "batch/cpuNs"].map(|c| seen.looks(c));
    let [typed, done] = ["interactive/ended", "batch/ended"].map(|c| seen.looks(c));
    let shared = (0..now.len()).rfind(|i| typed[*i] + done[*i] < 0.5)?;
    let first_alone = typed.iter().position(|n| *n > INTERACTIVE - 0.5)?;
    let [typists_end, hog_end] =
        ["interactive/lastExitNs", "batch/lastExitNs"].map(|c| seen.column(c));
    if seen.column("batch/ended") < 0.5 {
        return None;
    }
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

pub(super) fn values(results: &Results) -> Vec<Value> {
    let samples = |lane, value: fn(&Batch) -> f64| {
        results.samples(
            |seed| lane_key(lane, seed),
            |seen| batch(seen).as_ref().map_or(f64::NAN, value),
        )
    };
    let mean = |lane, value: fn(&Batch) -> f64| Estimate::mean(&samples(lane, value));
    let ratio = |value: fn(&Batch) -> f64| {
        Estimate::ratio(&samples(Lane::Port, value), &samples(Lane::Cfs, value))
    };
    let [(cfs, grouped), (plain, ungrouped), (ule, port)] = LANES;
    let there = published().sharing;
    let share = |lane, name| Value::new("batchShare", mean(lane, |b| b.shared)).of(name);
    let wait = |lane, name| Value::new("longestWait", mean(lane, |b| b.longest_wait_s)).of(name);
    vec![
        share(cfs, grouped).published(there.batch_share_under_cfs),
        share(plain, ungrouped),
        share(ule, port).published(there.batch_share_under_ule_while_the_others_run),
        Value::new("aloneShare", mean(ule, |b| b.alone)).of(port),
        Value::new("interactiveTime", ratio(|b| b.interactive_s)),
        Value::new("bothTime", ratio(|b| b.both_s)),
        wait(ule, port),
        wait(cfs, grouped),
    ]
}

/// Both applications had the core for this long under CFS; when the source's curves are looked at.
const WITHIN: [f64; 3] = [5.0, 10.0, 15.0];

pub(super) fn figures(results: &Results) -> Vec<Figure> {
    let x = Axis::new("time", "s");
    let moment = Some(Moment {
        origin_ns: 0.0,
        per_x_ns: 1e9,
    });
    let there = published().sharing;
    let share = LANES.map(|(lane, label)| {
        let mut series = over_time(
            results,
            (lane.id(), label, lane),
            |seed| lane_key(lane, seed),
            shares,
        );
        let stated = match lane {
            Lane::Cfs => Some(there.batch_share_under_cfs),
            Lane::Port => Some(there.batch_share_under_ule_while_the_others_run),
            _ => None,
        };
        if let Some(stated) = stated {
            series.published = WITHIN.map(|x| (x, 100.0 * stated)).into();
            series.provenance = "stated";
        }
        series
    });
    let groups = ["interactive", "batch"];
    let cumulative = LANES.into_iter().flat_map(|(lane, label)| {
        groups.map(|group| {
            let (id, label) = (
                format!("{}-{group}", lane.id()),
                format!("{label}: {group}"),
            );
            let line = (id.as_str(), label.as_str(), lane);
            over_time(
                results,
                line,
                |seed| lane_key(lane, seed),
                |seen| cpu(seen, group),
            )
        })
    });
    vec![
        Figure {
            id: "share".to_owned(),
            title: "Share of the batch application".to_owned(),
            definition: "Part of the CPU time of each second that the batch thread had. Under ULE it stands still until the \
                         interactive threads have ended, and then has the core to itself."
                .to_owned(),
            kind: Kind::OverTime,
            x: x.clone(),
            y: Axis::new("share of the batch thread", "%"),
            series: share.into(),
            moment,
            ..Figure::default()
        },
        Figure {
            id: "cpu".to_owned(),
            title: "CPU time of each application".to_owned(),
            definition: "CPU time that all threads of an application have had so far.".to_owned(),
            kind: Kind::OverTime,
            x,
            y: Axis::new("CPU time", "s"),
            series: cumulative.collect(),
            moment,
            ..Figure::default()
        },
    ]
}

/// Looks in a second.
const A_SECOND: usize = (SECOND / LOOK) as usize;

/// The batch thread's share of each second, in percent.
fn shares(seen: &Seen) -> Vec<(f64, f64)> {
    let (now, hog) = (seen.looks("elapsedNs"), seen.looks("batch/cpuNs"));
    // The run may be over before the last looks, which then say the same as its end.
    let running = now.windows(2).take_while(|w| w[1] > w[0]).count() + 1;
    let seconds = (A_SECOND - 1..running).step_by(A_SECOND);
    let share = |i: usize| {
        let had = i.checked_sub(A_SECOND).map_or(0.0, |before| hog[before]);
        (now[i] / 1e9, (hog[i] - had) / 1e7)
    };
    seconds.map(share).collect()
}

/// CPU time of a group so far in s, each half second.
fn cpu(seen: &Seen, group: &str) -> Vec<(f64, f64)> {
    let (now, cpu) = (
        seen.looks("elapsedNs"),
        seen.looks(&format!("{group}/cpuNs")),
    );
    let running = now.windows(2).take_while(|w| w[1] > w[0]).count() + 1;
    let looks = (A_SECOND / 2 - 1..running).step_by(A_SECOND / 2);
    looks.map(|i| (now[i] / 1e9, cpu[i] / 1e9)).collect()
}

pub(super) fn what_ifs() -> Vec<WhatIf> {
    vec![
        WhatIf {
            id: "no-groups",
            label: "CFS without groups",
            changes: vec![Change::tunable("cfs", "groupPerApplication", false)],
        },
        WhatIf {
            id: "none-interactive",
            label: "no thread counts as interactive under ULE",
            changes: vec![Change::tunable("ule", "interact", 0)],
        },
    ]
}
