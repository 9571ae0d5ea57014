//! A parent that always computes, beside a child that would compute half of the time (Zijlstra 2023).

use super::{SCENARIO, SECOND, TABLE};
use crate::experiment::claims::{Results, Value};
use crate::experiment::collect::Values;
use crate::experiment::figure::{Figure, Frame, Kind, Scale, Series, TimeOfX};
use crate::experiment::numbers::key;
use crate::experiment::published;
use crate::experiment::run::{Run, RunScheduler};
use crate::experiment::stats::Estimate;
use crate::metrics::real;

/// The schedulers. The proposal of March 2023 is what 6.6 contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lane {
    Cfs,
    First,
    Now,
}

const LANES: [Lane; 3] = [Lane::Cfs, Lane::First, Lane::Now];
/// The schedulers about which the source makes a statement.
const CLAIMED: [Lane; 2] = [Lane::Cfs, Lane::First];

impl Lane {
    fn id(self) -> &'static str {
        match self {
            Self::Cfs => "cfs",
            Self::First => "6.6",
            Self::Now => "6.12",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Cfs => "CFS",
            Self::First => "EEVDF 6.6",
            Self::Now => "EEVDF 6.12",
        }
    }

    /// Stated share of the hog, in percent.
    fn stated(self) -> Option<f64> {
        let path = match self {
            Self::Cfs => "/half/cfs",
            Self::First => "/half/eevdf",
            Self::Now => return None,
        };
        Some(published::number(TABLE, path))
    }

    fn chosen(self) -> RunScheduler {
        match self {
            Self::Cfs => super::without_groups("cfs", "4.9"),
            Self::First => super::without_groups("eevdf", "6.6"),
            Self::Now => super::now(),
        }
    }
}

/// Lengths of bursts and sleeps in µs.
const BURSTS: [u64; 6] = [300, 1_000, 5_000, 10_000, 20_000, 50_000];
/// Number of these lengths, from the first, that a stress program may have. CFS credits a sleeper with 12 ms on eight
/// CPUs and more, and these are shorter. The others are only in the figure.
const JUDGED: usize = 4;

fn runs_of(lane: Lane) -> String {
    format!("EEVDF/half/{}", lane.id())
}

fn run(lane: Lane, burst: u64) -> Run {
    let key = key(&runs_of(lane), burst);
    let mut run = Run::new(key, SCENARIO, lane.chosen(), "threads");
    for &param in &["computeUs", "sleepUs"] {
        run.set(format!("groups.half.behaviour.{param}"), burst);
    }
    // The first turns are those of new threads.
    run.at = vec![SECOND];
    run.set("end.atNs", 21 * SECOND);
    run
}

/// The runs of the claim.
pub(super) fn runs() -> Vec<Run> {
    let mut all = Vec::new();
    for &lane in &CLAIMED {
        for &burst in &BURSTS[..JUDGED] {
            all.push(run(lane, burst));
        }
    }
    all
}

/// Also the release of today, and bursts that the credit does not cover.
pub(super) fn of_the_figure() -> Vec<Run> {
    let mut all = Vec::new();
    for &lane in &LANES {
        for &burst in &BURSTS {
            all.push(run(lane, burst));
        }
    }
    all
}

/// Share of the hog in percent, if the run was made.
fn share(results: &Results, lane: Lane, burst: u64) -> Option<f64> {
    let seen = results.find(&key(&runs_of(lane), burst))?;
    let (hog, half) = (seen.grown("thread/0/cpuNs"), seen.grown("thread/1/cpuNs"));
    Some(100.0 * hog / (hog + half))
}

pub(super) fn values(results: &Results) -> Vec<Value> {
    let mut values = Values::new();
    for &lane in &CLAIMED {
        let there = lane.stated().unwrap_or(f64::NAN);
        for &burst in &BURSTS[..JUDGED] {
            let here = share(results, lane, burst);
            let value = values.exact("share", here.unwrap_or(f64::NAN));
            let value = value.of(lane.name()).at(real(burst) / 1e3);
            value.published(there);
        }
    }
    values.all()
}

const SHARE: Frame = Frame {
    id: "share",
    title: "A thread that always computes beside one that sleeps half the time",
    definition: "CPU time of the first ÷ CPU time of both, over 20 simulated seconds on one CPU. The other computes as long as it \
                 sleeps.",
    kind: Kind::Curves,
    x: Scale::log("burst and sleep", "ms"),
    y: Scale::new("share of the first", "%"),
    moment: Some(TimeOfX {
        origin_ns: 1e9,
        per_x_ns: 0.0,
    }),
};

pub(super) fn figure(results: &Results) -> Figure {
    let mut shares = Figure::new(&SHARE);
    for &lane in &LANES {
        let mut line = Series::new(lane.id(), lane.name(), lane.chosen().id, "%");
        for &burst in &BURSTS {
            let x = real(burst) / 1e3;
            if let Some(here) = share(results, lane, burst) {
                let keys = vec![key(&runs_of(lane), burst)];
                line.add(x, Estimate::exact(here), keys);
            }
            if let Some(there) = lane.stated() {
                line.published.push((x, there));
            }
        }
        line.provenance = "stated";
        shares.series.push(line);
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_credit_of_twelve_ms_covers_the_bursts_that_are_judged() {
        let credit_us = 6_000 * 4 / 2;
        let (judged, long) = BURSTS.split_at(JUDGED);
        assert!(judged.iter().all(|burst| *burst < credit_us));
        assert!(long.iter().all(|burst| *burst > credit_us));
    }
}
