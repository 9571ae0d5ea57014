//! Jeremy 2013: N copies of an array loop under 4BSD and ULE, on a Sun Fire V890 and a Xeon E3, with three working sets.
//!
//! Not known from the source: how long one copy runs alone. It is 10 s here with 1 KiB; the other sets have the published
//! ratio of increments (1.6 : 1.2 : 0.5 on the V890, 5 : 1.2 : 0.5 on the Xeon). [`s0_checks`](super::s0_checks) has the
//! statements.

use super::{Effort, Executor};
use crate::config::validate;
use crate::engine::{Options, Sim};
use crate::experiment::registry;
use crate::ids::TaskId;
use crate::metrics::real;
use crate::params::ParamValue;
use std::collections::BTreeMap;
use std::sync::Arc;

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

    fn cpus(self) -> u32 {
        match self {
            Self::V890 => 16,
            Self::Xeon => 8,
        }
    }

    /// Era of both schedulers: r227746 and r251496.
    fn era(self) -> &'static str {
        match self {
            Self::V890 => "2011-11",
            Self::Xeon => "2013-06",
        }
    }

    fn scenario(self) -> &'static str {
        match self {
            Self::V890 => "s0-v890",
            Self::Xeon => "s0-xeon",
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

    fn work_ms(self, machine: Machine) -> i64 {
        let ms = ALONE_MS * self.increments(machine) / Self::K1.increments(machine);
        i64::try_from(ms).unwrap_or(i64::MAX)
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

type Key = (Machine, Lane, Set, u32);

/// Runs that have been made.
pub(super) struct Runs {
    effort: Effort,
    cells: BTreeMap<Key, Cell>,
}

impl Runs {
    pub(super) fn new(effort: Effort) -> Self {
        Self {
            effort,
            cells: BTreeMap::new(),
        }
    }

    /// Makes all runs of a machine and a set, unless they have been made.
    pub(super) fn make(
        &mut self,
        machine: Machine,
        set: Set,
        executor: &dyn Executor,
        progress: &mut dyn FnMut(&str),
    ) {
        if self.cells.contains_key(&(machine, Lane::Bsd, set, 1)) {
            return;
        }
        let seeds = self.effort.seeds.max(1);
        let mut all: Vec<(Key, u64)> = Vec::new();
        for lane in [Lane::Bsd, Lane::Ule] {
            for n in machine.counts() {
                all.extend((1..=seeds).map(|seed| ((machine, lane, set, *n), seed)));
            }
        }
        // The longest runs first, so that the end is not a wait for one of them.
        all.reverse();
        progress(&format!("S0: {machine:?}, {set:?}, {} runs", all.len()));
        let results = executor.map(all.len(), &|i| run(all[i].0, all[i].1));
        let mut by_key: BTreeMap<Key, Vec<Vec<f64>>> = BTreeMap::new();
        for ((key, _), result) in all.into_iter().zip(results) {
            by_key.entry(key).or_default().push(result);
        }
        for (key, runs) in by_key {
            self.cells.insert(key, cell(key, &runs));
        }
    }

    pub(super) fn cell(&self, machine: Machine, lane: Lane, set: Set, n: u32) -> &Cell {
        &self.cells[&(machine, lane, set, n)]
    }
}

fn mean(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let n = values.clone().count() as u64;
    values.sum::<f64>() / real(n)
}

fn cell(key: Key, runs: &[Vec<f64>]) -> Cell {
    let (machine, _, _, n) = key;
    let busy = f64::from(n.min(machine.cpus()));
    let elapsed = runs.iter().map(|r| r[1]);
    let cpu = runs.iter().map(|r| r[2]);
    let mean_cpu = mean(cpu.clone());
    let (least, most) = (
        cpu.clone().fold(f64::INFINITY, f64::min),
        cpu.clone().fold(0.0, f64::max),
    );
    Cell {
        elapsed: mean(elapsed),
        cpu: mean_cpu,
        efficiency: mean(runs.iter().map(|r| r[1] * busy / (r[2] * f64::from(n)))),
        spread: mean(runs.iter().map(|r| r[1] / r[0])),
        scatter: (most - least) / mean_cpu,
    }
}

/// First exit, last exit, CPU time per process.
fn run(key: Key, seed: u64) -> Vec<f64> {
    let (machine, lane, set, n) = key;
    let mut s = registry::scenario(machine.scenario()).expect("invariant: shipped");
    s.seed = seed;
    let id = if lane == Lane::Bsd { "4bsd" } else { "ule" };
    s.schedulers = super::lane(id, machine.era());
    let group = &mut s.groups[0];
    group.count = n;
    group.working_set_bytes = Some(set.bytes());
    let params = &mut group.behaviour.params;
    params.insert("workMs".to_owned(), ParamValue::Int(set.work_ms(machine)));
    s.end.at_ns = 3_600_000_000_000;
    let plan = Arc::new(validate::plan(&s).expect("invariant: shipped"));
    let options = Options {
        check: false,
        ..Options::default()
    };
    let mut sim = Sim::new(&plan, 0, options);
    sim.run_until(sim.end());
    sim.refresh();
    let accounts = (0..sim.task_count()).map(|i| sim.task_view(TaskId::new(i)).account.clone());
    let accounts: Vec<_> = accounts.collect();
    let exits = accounts.iter().filter_map(|a| a.exited_at_ns).map(real);
    let cpu = accounts.iter().map(|a| real(a.run_ns));
    vec![
        exits.clone().fold(f64::INFINITY, f64::min),
        exits.fold(0.0, f64::max),
        mean(cpu),
    ]
}
