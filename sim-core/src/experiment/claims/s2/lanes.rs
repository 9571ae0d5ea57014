//! What all runs have in common, how they are named, and the lines of their figures.

use crate::config::SchedulerChoice;
use crate::experiment::claims::{Results, choice};
use crate::experiment::figure::{Point, Series};
use crate::experiment::published::number;
use crate::experiment::results::Seen;
use crate::experiment::run::Run;
use crate::experiment::stats::Estimate;
use crate::params::ParamValue;

/// A millisecond in ns.
pub(super) const MS: u64 = 1_000_000;
/// A second in ns.
pub(super) const SECOND: u64 = 1_000 * MS;

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lane {
    /// CFS of Linux 4.9, a group for each application.
    Cfs,
    /// The same without groups.
    CfsPlain,
    /// FreeBSD 11.1's ULE, moved into Linux: it counts 4 ms ticks.
    Port,
    /// FreeBSD 11.1's ULE at home.
    Native,
}

impl Lane {
    /// Word in the key.
    pub(super) fn id(self) -> &'static str {
        match self {
            Self::Cfs => "cfs",
            Self::CfsPlain => "cfs-plain",
            Self::Port => "ule",
            Self::Native => "ule-native",
        }
    }

    /// Id of its scheduler.
    pub(super) fn scheduler(self) -> &'static str {
        match self {
            Self::Cfs | Self::CfsPlain => "cfs",
            Self::Port | Self::Native => "ule",
        }
    }

    fn choice(self) -> SchedulerChoice {
        match self {
            Self::Cfs => choice("cfs", "4.9"),
            Self::CfsPlain => {
                let mut plain = choice("cfs", "4.9");
                let off = ParamValue::Flag(false);
                let tunables = &mut plain.tunables;
                tunables.insert("groupPerApplication".to_owned(), off);
                plain
            }
            Self::Port => choice("ule", "11.1-linux"),
            Self::Native => choice("ule", "11.1"),
        }
    }
}

/// What the slides give as numbers.
#[derive(Debug)]
pub(super) struct Published {
    pub(super) sharing: Sharing,
    pub(super) requests: Requests,
    pub(super) release: Release,
    pub(super) overall: Overall,
}

#[derive(Debug)]
pub(super) struct Sharing {
    pub(super) batch_share_under_cfs: f64,
    pub(super) batch_share_under_ule_while_the_others_run: f64,
}

/// Under CFS, then under ULE.
#[derive(Debug)]
pub(super) struct Requests {
    pub(super) seconds: [f64; 2],
    pub(super) requests_per_second: [f64; 2],
}

#[derive(Debug)]
pub(super) struct Release {
    pub(super) cfs_migrations: f64,
    pub(super) cfs_seconds: f64,
    pub(super) ule_seconds: f64,
    pub(super) ule_seconds_with_its_own_clock: f64,
}

#[derive(Debug)]
pub(super) struct Overall {
    pub(super) ule_ahead_percent: f64,
}

pub(super) fn published() -> Published {
    let at = |path: &str| number("s2-battle", path);
    Published {
        sharing: Sharing {
            batch_share_under_cfs: at("/sharing/batchShareUnderCfs"),
            batch_share_under_ule_while_the_others_run: at(
                "/sharing/batchShareUnderUleWhileTheOthersRun",
            ),
        },
        requests: Requests {
            seconds: [at("/requests/seconds/0"), at("/requests/seconds/1")],
            requests_per_second: [
                at("/requests/requestsPerSecond/0"),
                at("/requests/requestsPerSecond/1"),
            ],
        },
        release: Release {
            cfs_migrations: at("/release/cfsMigrations"),
            cfs_seconds: at("/release/cfsSeconds"),
            ule_seconds: at("/release/uleSeconds"),
            ule_seconds_with_its_own_clock: at("/release/uleSecondsWithItsOwnClock/value"),
        },
        overall: Overall {
            ule_ahead_percent: at("/overall/uleAheadPercent"),
        },
    }
}

/// The key of a run: words for the claim and what distinguishes it, the seed last.
pub(super) fn key(what: &str, lane: Lane, seed: u64) -> String {
    format!("S2/{what}/{}/{seed}", lane.id())
}

/// A lane of a shipped scenario.
pub(super) fn run(
    key: String,
    scenario: &'static str,
    lane: Lane,
    probe: &'static str,
    seed: u64,
) -> Run {
    Run::new(key, scenario, lane.choice(), probe).seed(seed)
}

/// Lanes with the seeds 1 to `seeds` each.
pub(super) fn seeded(
    lanes: impl IntoIterator<Item = Lane>,
    seeds: u64,
) -> impl Iterator<Item = (Lane, u64)> {
    let each = move |lane: Lane| (1..=seeds).map(move |seed| (lane, seed));
    lanes.into_iter().flat_map(each)
}

/// Times from `from` to `to` at equal distances, both included.
pub(super) fn every(step: u64, from: u64, to: u64) -> impl Iterator<Item = u64> {
    (0..=(to - from) / step).map(move |i| from + i * step)
}

/// A line over time: the mean over the seeds at each of the times that all of them have. `look` gives x and y at each look.
pub(super) fn over_time(
    results: &Results,
    (id, label, lane): (&str, &str, Lane),
    key: impl Fn(u64) -> String,
    look: impl Fn(&Seen) -> Vec<(f64, f64)>,
) -> Series {
    let keys = results.known(results.seeds().map(key));
    let seen: Vec<Vec<(f64, f64)>> = keys.iter().map(|k| look(results.get(k))).collect();
    let n = seen.iter().map(Vec::len).min().unwrap_or(0);
    let point = |i: usize| {
        let values: Vec<f64> = seen.iter().map(|s| s[i].1).collect();
        Point {
            x: seen[0][i].0,
            estimate: Estimate::mean(&values),
            keys: if i == 0 { keys.clone() } else { Vec::new() },
        }
    };
    Series {
        id: id.to_owned(),
        label: label.to_owned(),
        scheduler: lane.scheduler().to_owned(),
        points: (0..n).map(point).collect(),
        ..Series::default()
    }
}

/// Every how many-th of the looks at ascending times is drawn: where they are dense, only as many as a chart shows.
pub(super) fn drawn(times: &[f64]) -> Vec<usize> {
    const COLUMNS: f64 = 300.0;
    const STEP: f64 = 0.03;
    let end = times.last().copied().unwrap_or(0.0);
    let mut kept: Vec<usize> = Vec::new();
    for (i, t) in times.iter().enumerate() {
        let from = kept.last().map(|k| times[*k]);
        let is_due = from.is_none_or(|from| t - from >= (STEP * t).min(end / COLUMNS));
        if is_due || i + 1 == times.len() {
            kept.push(i);
        }
    }
    kept
}
