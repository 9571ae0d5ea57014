//! The common part of all runs, their names, and the lines of their figures.

use crate::experiment::claims::{Results, choice};
use crate::experiment::collect;
use crate::experiment::figure::Series;
use crate::experiment::numbers::{key, keys};
use crate::experiment::published::number;
use crate::experiment::results::Seen;
use crate::experiment::run::{Run, RunScheduler};
use crate::experiment::stats::Estimate;

/// A millisecond in ns.
pub(super) const MS: u64 = 1_000_000;
/// A second in ns.
pub(super) const SECOND: u64 = 1_000 * MS;

/// The lanes that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lane {
    /// CFS of Linux 4.9, with a group for each application.
    Cfs,
    /// The same without groups.
    CfsPlain,
    /// The first lane, but memory stays where it was allocated.
    CfsStill,
    /// ULE of FreeBSD 11.1, moved into Linux: it counts 4 ms ticks.
    Port,
    /// ULE of FreeBSD 11.1 on FreeBSD.
    Native,
}

impl Lane {
    /// Word in the key.
    pub(super) fn id(self) -> &'static str {
        match self {
            Self::Cfs => "cfs",
            Self::CfsPlain => "cfs-plain",
            Self::CfsStill => "cfs-still",
            Self::Port => "ule",
            Self::Native => "ule-native",
        }
    }

    /// Id of its scheduler.
    pub(super) fn scheduler(self) -> &'static str {
        match self {
            Self::Cfs | Self::CfsPlain | Self::CfsStill => "cfs",
            Self::Port | Self::Native => "ule",
        }
    }

    fn choice(self) -> RunScheduler {
        match self {
            Self::Cfs => choice("cfs", "4.9"),
            Self::CfsPlain => without("groupPerApplication"),
            Self::CfsStill => without("numaBalancing"),
            Self::Port => choice("ule", "11.1-linux"),
            Self::Native => choice("ule", "11.1"),
        }
    }
}

/// CFS with a tunable off.
fn without(tunable: &str) -> RunScheduler {
    let mut cfs = choice("cfs", "4.9");
    cfs.tunables.insert(tunable.to_owned(), false.into());
    cfs
}

/// The numbers in the slides.
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

/// The common part of the keys of a lane's runs: words for the claim and its variant, and the lane.
pub(super) fn runs_of(what: &str, lane: Lane) -> String {
    format!("S2/{what}/{}", lane.id())
}

/// A lane of a shipped scenario.
pub(super) fn run(
    what: &str,
    scenario: &'static str,
    lane: Lane,
    probe: &'static str,
    seed: u64,
) -> Run {
    let key = key(&runs_of(what, lane), seed);
    collect::run(key, scenario, lane.choice(), probe, seed)
}

/// Times from `from` to `to` at equal intervals, both included.
pub(super) fn every(step: u64, from: u64, to: u64) -> Vec<u64> {
    (0..)
        .map(|i| from + i * step)
        .take_while(|at| *at <= to)
        .collect()
}

/// x and y at several readings.
pub(super) type Places = Vec<(f64, f64)>;

/// A line of a lane: word, name for people.
pub(super) fn line(lane: Lane, label: &str, unit: &str) -> Series {
    Series::new(lane.id(), label, lane.scheduler(), unit)
}

/// Draws a line over time: the mean over the seeds at each time that all of them have.
pub(super) fn over_time(
    results: &Results,
    runs: &str,
    series: &mut Series,
    look: impl Fn(&Seen) -> Places,
) {
    let mut keys = keys(results, runs, results.effort().seeds);
    let seen: Vec<Places> = keys.iter().map(|key| look(results.get(key))).collect();
    let n = seen.iter().map(Vec::len).min().unwrap_or(0);
    for i in 0..n {
        let values: Vec<f64> = seen.iter().map(|places| places[i].1).collect();
        let keys = std::mem::take(&mut keys);
        series.add(seen[0][i].0, Estimate::mean(&values), keys);
    }
}

/// The readings to draw, among those at ascending times: where they are dense, only as many as a chart shows.
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
