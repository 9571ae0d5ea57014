//! Jeremy 2013: one point of a curve as a run, and what its runs gave.

use super::Results;
use super::old::raw;
use crate::experiment::run::Run;
use crate::metrics::real;
use std::collections::BTreeMap;

/// The two machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Machine {
    V890,
    Xeon,
}

/// The two schedulers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Lane {
    Bsd,
    Ule,
}

/// The three working sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Set {
    K1,
    M4,
    M32,
}

/// Numbers of processes that were measured.
const V890: &[u32] = &[
    1, 2, 4, 6, 8, 10, 12, 14, 15, 16, 17, 18, 20, 24, 28, 31, 32, 33, 36, 40, 48, 56, 64,
];
const XEON: &[u32] = &[
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 22, 24, 26, 28, 30, 32,
];
/// Run time of one process alone with 1 KiB.
const ALONE_MS: u64 = 10_000;

impl Machine {
    pub(super) fn counts(self) -> &'static [u32] {
        match self {
            Self::V890 => V890,
            Self::Xeon => XEON,
        }
    }

    /// Era of both schedulers: r227746 and r251496.
    fn era(self) -> &'static str {
        match self {
            Self::V890 => "2011-11",
            Self::Xeon => "2013-06",
        }
    }

    fn id(self) -> &'static str {
        match self {
            Self::V890 => "v890",
            Self::Xeon => "e3",
        }
    }

    fn scenario(self) -> &'static str {
        match self {
            Self::V890 => "s0-v890",
            Self::Xeon => "s0-xeon",
        }
    }
}

impl Lane {
    fn id(self) -> &'static str {
        match self {
            Self::Bsd => "4bsd",
            Self::Ule => "ule",
        }
    }
}

impl Set {
    fn bytes(self) -> u64 {
        match self {
            Self::K1 => 1 << 10,
            Self::M4 => 4 << 20,
            Self::M32 => 32 << 20,
        }
    }

    /// Increments of a process in 10^7 (Jeremy 2013).
    fn increments(self, machine: Machine) -> u64 {
        match (self, machine) {
            (Self::K1, Machine::V890) => 160,
            (Self::K1, Machine::Xeon) => 500,
            (Self::M4, _) => 120,
            (Self::M32, _) => 50,
        }
    }

    fn work_ms(self, machine: Machine) -> u64 {
        ALONE_MS * self.increments(machine) / Self::K1.increments(machine)
    }
}

/// What the runs of one number of processes gave.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// Time until the last exit in ns, mean over the seeds.
    pub(super) elapsed: f64,
    /// CPU time per process in ns, mean over the seeds.
    pub(super) cpu: f64,
    /// T × min(N, CPUs) / total CPU time, mean over the seeds.
    pub(super) efficiency: f64,
    /// Last exit / first exit, mean over the seeds.
    pub(super) spread: f64,
    /// (max − min) / mean of the CPU time per process over the seeds.
    pub(super) scatter: f64,
}

/// A point of a curve: who runs how many of what where.
pub(super) type Key = (Machine, Lane, Set, u32);

fn name((machine, lane, set, n): Key, seed: u64) -> String {
    let (lane, machine, bytes) = (lane.id(), machine.id(), set.bytes());
    format!("S0/{machine}/{lane}/{bytes}/{n}/{seed}")
}

/// The run of a point with a seed.
pub(super) fn run(key: Key, seed: u64) -> Run {
    let (machine, lane, set, n) = key;
    let scheduler = super::choice(lane.id(), machine.era());
    Run::new(name(key, seed), machine.scenario(), scheduler, "exits")
        .seed(seed)
        .group("loop", "count", n)
        .group("loop", "workingSetBytes", set.bytes())
        .param("loop", "workMs", set.work_ms(machine))
        .end(3_600_000_000_000)
}

/// What the runs gave, by number of processes.
pub(super) struct Runs {
    cells: BTreeMap<Key, Cell>,
}

impl Runs {
    pub(super) fn new(needed: &[(Machine, Set)], results: &Results) -> Self {
        let mut cells = BTreeMap::new();
        for (machine, set) in needed {
            for lane in [Lane::Bsd, Lane::Ule] {
                for n in machine.counts() {
                    let key = (*machine, lane, *set, *n);
                    cells.insert(key, cell(key, results));
                }
            }
        }
        Self { cells }
    }

    pub(super) fn cell(&self, machine: Machine, lane: Lane, set: Set, n: u32) -> &Cell {
        &self.cells[&(machine, lane, set, n)]
    }
}

fn mean(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let n = values.clone().count() as u64;
    values.sum::<f64>() / real(n)
}

fn cell(key: Key, results: &Results) -> Cell {
    let runs: Vec<&[f64]> = (1..=results.effort().seeds)
        .map(|seed| raw(results, &name(key, seed)))
        .collect();
    let cpu = runs.iter().map(|r| r[2]);
    let mean_cpu = mean(cpu.clone());
    let (least, most) = (
        cpu.clone().fold(f64::INFINITY, f64::min),
        cpu.clone().fold(0.0, f64::max),
    );
    Cell {
        elapsed: mean(runs.iter().map(|r| r[1])),
        cpu: mean_cpu,
        efficiency: mean(runs.iter().map(|r| r[3])),
        spread: mean(runs.iter().map(|r| r[1] / r[0])),
        scatter: (most - least) / mean_cpu,
    }
}
