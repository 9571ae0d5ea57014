//! Bouron et al. 2018, The Battle of the Schedulers: FreeBSD 11.1's ULE moved into Linux 4.9, beside that kernel's CFS.
//!
//! Not known from the source: the exact machine, its nodes and caches, HZ, the kernel's options (above all whether each
//! application was a group), the CPU work of a request and how it is divided, and every length of time in the workloads.
//! One number is calibrated, on ULE alone: the CPU work of a request (S2b). Nothing else is.

use super::{Effort, Experiment, Measure, Results, s2_balance, s2_sharing};
use crate::config::SchedulerChoice;
use crate::experiment::run::Run;
use crate::metrics::real;
use crate::params::ParamValue;

/// The experiment.
pub(super) const S2: Experiment = Experiment {
    id: "S2",
    runs,
    judge,
    suspect,
};

pub(super) const MS: u64 = 1_000_000;
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
    fn id(self) -> &'static str {
        match self {
            Self::Cfs => "cfs",
            Self::CfsPlain => "cfs-plain",
            Self::Port => "ule",
            Self::Native => "ule-native",
        }
    }

    fn choice(self) -> SchedulerChoice {
        match self {
            Self::Cfs => super::choice("cfs", "4.9"),
            Self::CfsPlain => {
                let mut plain = super::choice("cfs", "4.9");
                let off = ParamValue::Flag(false);
                let tunables = &mut plain.tunables;
                tunables.insert("groupPerApplication".to_owned(), off);
                plain
            }
            Self::Port => super::choice("ule", "11.1-linux"),
            Self::Native => super::choice("ule", "11.1"),
        }
    }
}

/// The key of a run: a letter for the claim, the lane, what else distinguishes it, the seed.
pub(super) fn key(claim: char, lane: Lane, what: &str, seed: u64) -> String {
    format!("S2/{claim}/{}/{what}/{seed}", lane.id())
}

/// A lane of a shipped scenario.
pub(super) fn run(key: String, scenario: &str, lane: Lane, probe: &'static str, seed: u64) -> Run {
    Run {
        key,
        scenario: scenario.to_owned(),
        scheduler: lane.choice(),
        set: Vec::new(),
        probe,
        at: Vec::new(),
    }
    .with("/seed", seed)
}

/// Times from `from` to `to` at equal distances, both included.
pub(super) fn every(step: u64, from: u64, to: u64) -> impl Iterator<Item = u64> {
    (0..=(to - from) / step).map(move |i| from + i * step)
}

/// The mean over some runs.
pub(super) fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, n) = values.fold((0.0, 0_u64), |(sum, n), v| (sum + v, n + 1));
    sum / real(n)
}

fn runs(claim: &str, effort: Effort) -> Vec<Run> {
    match claim {
        "S2a" => s2_sharing::batch_runs(effort),
        "S2b" => s2_sharing::request_runs(),
        "S2c" => s2_balance::release_runs(effort),
        "S2d" => s2_balance::creation_runs(effort),
        _ => s2_balance::one_each_runs(),
    }
}

fn judge(claim: &str, results: &Results) -> Vec<Measure> {
    match claim {
        "S2a" => s2_sharing::batch(results),
        "S2b" => s2_sharing::requests(results),
        "S2c" => s2_balance::release(results),
        "S2d" => s2_balance::creation(results),
        _ => s2_balance::one_each(results),
    }
}

/// Which mechanism is suspected where a claim fails.
fn suspect(claim: &str) -> &'static str {
    match claim {
        "S2b" => {
            "how much a preemption costs in caches: the working sets of ab and httpd are not published and are 64 KiB \
             here, so that ab still finds its own in the L2 after one worker. With sets of 256 KiB a request takes \
             79 µs longer under CFS, published are 72; that ab and httpd are one application and that each request has a \
             connection of its own are suppositions as well"
        }
        "S2c" => {
            "the application is a group here, as S2a demands. All moves are pulls of idle cores, up to 32 threads at a \
             time. 4.9 does not pass on to a group's entity the load of threads that move: on each core it follows with a \
             half-life of 32 ms, so that core 0 goes on looking loaded until 8 to 23 threads are left (without groups \
             about 85), and the first cores, which took 32 each, give some away in turn; rounding a thread's load from 1.9 \
             to 1 adds to that. 490 to 505 moves leave core 0, the others are second moves; without groups 330 to 430 \
             leave it, of 480 to 550. Whether the source counts second moves is not known"
        }
        "S2d" => {
            "sched_pickcpu takes the least loaded of those cores on which the thread would run at once, which need not be \
             the least loaded of all: about one wake-up in a hundred makes a difference of 2. The source says \"more or \
             less uniform\"; the bound of 1 is inferred"
        }
        "S2e" => {
            "under CFS 14 of 32 threads leave the node where they first ran, since its overlapping groups of eight \
             nodes place some of them badly at first; their memory stays behind, for automatic NUMA balancing, which \
             would bring the pages after them, is not built"
        }
        _ => "",
    }
}
