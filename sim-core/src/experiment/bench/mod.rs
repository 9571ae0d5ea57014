//! Fixed workloads whose speed is measured, natively and in WebAssembly: bare runs, runs as the page makes them, frames
//! of one moment, and the published experiments.

mod scenarios;

use super::claims::{self, Effort, Executor, InTurn};
use super::results::Seen;
use super::run::{Run, execute};
use crate::config::plan::Plan;
use crate::config::validate;
use crate::engine::replay::Replay;
use crate::engine::{Options, Sim};
use crate::time::SimTime;
use crate::{frame, hash, report};
use serde::Serialize;
use std::sync::Arc;

/// The work of a benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Kind {
    /// A run from start to end without any history, as in sweeps.
    Run,
    /// The same without skipping quiet ticks.
    Full,
    /// A run with history, as in the page.
    Page,
    /// Frames of the moment after one simulated second: sixty for each requested second.
    Frame,
}

/// A benchmark.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Name.
    pub name: &'static str,
    /// Its work.
    pub kind: Kind,
    /// Number of simulated seconds, unless the caller gives another number.
    pub seconds: u64,
}

const fn row(name: &'static str, kind: Kind, seconds: u64) -> Row {
    Row {
        name,
        kind,
        seconds,
    }
}

/// The benchmarks. CPUs × threads are hogs under BFS 0.318 at 1000 Hz on a large i7-860.
/// - `cfs`: under CFS of Linux 4.9 at 1000 Hz; 16x64 of them on a Sun Fire V890. `eevdf`: the same under EEVDF of 6.12. With
///   the release of Linux behind it: under that one.
/// - `full`: ticks are not skipped.
/// - `sets`: the threads sweep working sets of many sizes on an EPYC 9654.
/// - `yield` with a scheduler of 2007: that many processes that only yield, on eight CPUs; a simulated second there
///   stands for a hundredth.
/// - `page`: as the page runs it. Its first seconds are the slowest, so their number belongs to the row.
pub const ROWS: &[Row] = &[
    row("8x8", Kind::Run, 200),
    row("16x64", Kind::Run, 200),
    row("32x512", Kind::Run, 200),
    row("16x64-full", Kind::Full, 200),
    row("desktop", Kind::Run, 200),
    row("192x2000-sets", Kind::Run, 60),
    row("16x64-cfs", Kind::Run, 200),
    row("16x64-eevdf", Kind::Run, 200),
    row("16x64-cfs-6.1", Kind::Run, 200),
    row("16x64-eevdf-6.18", Kind::Run, 200),
    row("16x64-eevdf-7.3", Kind::Run, 200),
    row("32x255-cfs", Kind::Run, 100),
    row("32x512-cfs", Kind::Run, 100),
    row("yield-100-ule", Kind::Run, 50),
    row("yield-5000-ule", Kind::Run, 50),
    row("yield-5000-4bsd", Kind::Run, 50),
    row("16x64-page", Kind::Page, 100),
    row("16x64-cfs-page", Kind::Page, 100),
    row("desktop-page-10s", Kind::Page, 10),
    row("desktop-page-100s", Kind::Page, 100),
    row("frame-500", Kind::Frame, 20),
];

/// The allowed range of simulated seconds.
const SECONDS: std::ops::RangeInclusive<u64> = 1..=14_400;

/// The result of a benchmark; the caller measures the time.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BenchResult {
    /// Simulated time in s; 0 if no time passes.
    pub simulated_seconds: u64,
    /// Number of things counted.
    pub count: u64,
    /// The thing that was counted: `events`, `frames` or `runs`.
    pub counted: &'static str,
    /// Digest, to check that both sides did the same work.
    pub digest: String,
}

/// A benchmark, ready to begin.
pub struct Bench {
    kind: Kind,
    seconds: u64,
    /// Its scenario as JSON.
    scenario: String,
    plan: Arc<Plan>,
    /// The moment of which frames are made.
    pictured: Option<Sim>,
}

impl Bench {
    /// A benchmark over `seconds` simulated seconds, or over those of its row; `None` if there is none of this name.
    ///
    /// Besides the rows there are bare runs of any size, for curves over sizes: `size-64x256` or `size-64x256-cfs`.
    /// They take an even number of CPUs from 2 to 1024, 1 to 10,000 threads, and any scheduler.
    ///
    /// # Panics
    /// If a benchmark's scenario is invalid; a test runs them all.
    #[must_use]
    pub fn new(name: &str, seconds: Option<u64>) -> Option<Self> {
        let listed = ROWS.iter().find(|row| row.name == name);
        let row = match listed {
            Some(row) => *row,
            None if name.starts_with(scenarios::SIZE) => Row {
                name: "",
                kind: Kind::Run,
                seconds: 10,
            },
            None => return None,
        };
        let seconds = seconds.unwrap_or(row.seconds);
        let seconds = seconds.clamp(*SECONDS.start(), *SECONDS.end());
        let scenario = scenarios::json(name, seconds)?;
        let read = validate::parse(&scenario).expect("invariant: valid");
        let plan = Arc::new(validate::plan(&read).expect("invariant: valid"));
        let pictured = (row.kind == Kind::Frame).then(|| {
            let mut sim = Sim::new(&plan, 0, options(row.kind));
            sim.run_until(SimTime(PICTURED_NS));
            sim
        });
        Some(Self {
            kind: row.kind,
            seconds,
            scenario,
            plan,
            pictured,
        })
    }

    /// Its work.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Its simulated time in s.
    #[must_use]
    pub fn seconds(&self) -> u64 {
        self.seconds
    }

    /// Its scenario as JSON.
    #[must_use]
    pub fn scenario(&self) -> &str {
        &self.scenario
    }

    /// Runs it once. Each call does the same work.
    pub fn run(&mut self) -> BenchResult {
        if let Some(sim) = &mut self.pictured {
            return pictures(sim, self.seconds);
        }
        if self.kind == Kind::Page {
            let mut replay = Replay::new(&self.plan, 0, options(self.kind));
            let end = replay.sim().end();
            replay.advance(end, u64::MAX);
            return self.of_run(replay.sim_mut());
        }
        let mut sim = Sim::new(&self.plan, 0, options(self.kind));
        sim.run_until(sim.end());
        self.of_run(&mut sim)
    }

    fn of_run(&self, sim: &mut Sim) -> BenchResult {
        BenchResult {
            simulated_seconds: self.seconds,
            count: sim.handled(),
            counted: "events",
            digest: report::digest_text(sim),
        }
    }
}

/// The moment of `Kind::Frame`.
const PICTURED_NS: u64 = 1_000_000_000;

fn options(kind: Kind) -> Options {
    if matches!(kind, Kind::Page | Kind::Frame) {
        return Options::interactive();
    }
    Options {
        fast_forward: kind != Kind::Full,
        check_every: 0,
        ..Options::default()
    }
}

/// Makes sixty frames of a moment for each second.
fn pictures(sim: &mut Sim, seconds: u64) -> BenchResult {
    let (count, mut picture) = (60 * seconds, Vec::new());
    for _ in 0..count {
        frame::fill(sim, &mut picture);
    }
    BenchResult {
        simulated_seconds: 0,
        count,
        counted: "frames",
        digest: digest_of(hash::START, &picture),
    }
}

/// A hash of numbers; all values that are not numbers count as the same.
fn hashed(start: u64, values: &[f64]) -> u64 {
    let bits = |x: &f64| if x.is_nan() { u64::MAX } else { x.to_bits() };
    values.iter().map(bits).fold(start, hash::word)
}

fn digest_of(start: u64, values: &[f64]) -> String {
    format!("{:016x}", hashed(start, values))
}

/// The experiments of the gallery, in the gallery's order.
#[must_use]
pub fn experiments() -> Vec<&'static str> {
    let mut all: Vec<_> = claims::pages().iter().map(|page| page.experiment).collect();
    all.dedup();
    all
}

/// All runs of an experiment's pages with one seed. `None` if there is no experiment of this name.
fn gallery_runs(experiment: &str) -> Option<Vec<Run>> {
    let effort = Effort {
        seeds: 1,
        ..Effort::default()
    };
    let pages = claims::pages().into_iter();
    let pages: Vec<_> = pages.filter(|p| p.experiment == experiment).collect();
    let runs = |page: &claims::PageId| {
        claims::page_runs(page.id, "", effort).expect("invariant: a page that is there")
    };
    (!pages.is_empty()).then(|| pages.iter().flat_map(runs).collect())
}

/// Carries them out, one after the other, as the gallery does. `None` if there is no experiment of this name.
///
/// # Panics
/// If a run's scenario is invalid; a test of the claims runs them all.
#[must_use]
pub fn gallery(experiment: &str) -> Option<BenchResult> {
    let runs = gallery_runs(experiment)?;
    let mut seen_by_all = hash::START;
    for seen in InTurn.map(runs.len(), &|i| carried_out(&runs[i])) {
        seen_by_all = hashed(seen_by_all, &seen.values);
    }
    Some(BenchResult {
        simulated_seconds: 0,
        count: runs.len() as u64,
        counted: "runs",
        digest: format!("{seen_by_all:016x}"),
    })
}

fn carried_out(run: &super::run::Run) -> Seen {
    let scenario = super::run::scenario(run).expect("invariant: shipped claims are valid");
    execute(&scenario, run.columns, &run.at).expect("invariant: shipped claims are valid")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_benchmark_runs() {
        for row in ROWS {
            let mut bench = Bench::new(row.name, Some(1)).expect("listed");
            let first = bench.run();
            assert!(first.count > 0, "{}", row.name);
            assert_eq!(bench.run().digest, first.digest, "{} again", row.name);
        }
    }

    /// Keeping history does not change the run.
    #[test]
    fn a_run_of_the_page_is_the_bare_run() {
        for (page, bare) in [("16x64-page", "16x64"), ("16x64-cfs-page", "16x64-cfs")] {
            let digest = |name| Bench::new(name, Some(2)).expect("listed").run().digest;
            assert_eq!(digest(page), digest(bare), "{page}");
        }
    }

    #[test]
    fn a_bare_run_may_have_any_size() {
        for name in ["size-8x32", "size-192x10000-cfs", "size-2x1-ule"] {
            assert!(Bench::new(name, Some(1)).is_some(), "{name}");
        }
        for name in ["size-7x32", "size-8x10001", "size-8", "size-axb", "8x9"] {
            assert!(Bench::new(name, Some(1)).is_none(), "{name}");
        }
    }

    #[test]
    fn there_is_a_benchmark_of_each_experiment_and_of_no_other() {
        let all = experiments();
        assert!(all.contains(&"S0") && all.contains(&"Q"), "{all:?}");
        assert!(gallery_runs("S1").is_some_and(|runs| !runs.is_empty()));
        assert!(gallery_runs("s1").is_none());
    }
}
