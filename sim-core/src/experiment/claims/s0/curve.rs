//! A scheduler on a machine with a working set: its runs, their results, and the means of these.

use super::super::{Results, Seen, Value, choice};
use crate::experiment::numbers::{largest, of_means, smallest};
use crate::experiment::run::Run;
use crate::experiment::stats::Estimate;
use crate::property;

/// The two machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Machine {
    V890,
    Xeon,
}

/// The two schedulers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lane {
    Bsd,
    Ule,
}

/// The three working sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Set {
    K1,
    M4,
    M32,
}

/// Numbers of processes that were measured on the V890.
const V890: &[u32] = &[
    1, 2, 4, 6, 8, 10, 12, 14, 15, 16, 17, 18, 20, 24, 28, 31, 32, 33, 36, 40, 48, 56, 64,
];
const XEON: &[u32] = &[
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 22, 24, 26, 28, 30, 32,
];

impl Machine {
    pub(super) fn counts(self) -> &'static [u32] {
        match self {
            Self::V890 => V890,
            Self::Xeon => XEON,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::V890 => "V890",
            Self::Xeon => "Xeon",
        }
    }

    pub(super) fn cores(self) -> u32 {
        match self {
            Self::V890 => 16,
            Self::Xeon => 4,
        }
    }

    pub(super) fn cpus(self) -> u32 {
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

    /// Run time of one process alone with 1 KiB in ms. On the V890 it is 1.6e9 increments of 15.3 cycles at 1350 MHz,
    /// as in its preset. For the Xeon it is not known; this is a choice.
    fn alone_ms(self) -> u64 {
        match self {
            Self::V890 => 18_133,
            Self::Xeon => 10_000,
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
    pub(super) const ALL: [Self; 2] = [Self::Bsd, Self::Ule];

    pub(super) fn id(self) -> &'static str {
        match self {
            Self::Bsd => "4bsd",
            Self::Ule => "ule",
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Bsd => "4BSD",
            Self::Ule => "ULE",
        }
    }
}

impl Set {
    pub(super) const ALL: [Self; 3] = [Self::K1, Self::M4, Self::M32];

    pub(super) fn bytes(self) -> u64 {
        match self {
            Self::K1 => 1 << 10,
            Self::M4 => 4 << 20,
            Self::M32 => 32 << 20,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::K1 => "1 KiB",
            Self::M4 => "4 MiB",
            Self::M32 => "32 MiB",
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
        machine.alone_ms() * self.increments(machine) / Self::K1.increments(machine)
    }
}

/// The bandwidth of the V890's memory if its system bus were the limit: `memory.peakMbPerS` of the preset.
pub(super) fn whole_bus() -> property::Set {
    property::Set::new("machine.memory.bandwidthMbPerS", 9_600)
}

/// A value that is read off a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// Time until the last exit in ns.
    Elapsed,
    /// CPU time of a process in ns.
    Cpu,
    /// T × min(N, CPUs) / total CPU time.
    Efficiency,
    /// Last exit / first exit.
    Finish,
}

impl What {
    fn of(self, seen: &Seen) -> f64 {
        match self {
            Self::Elapsed => seen.column("lastExitNs"),
            Self::Cpu => seen.column("cpuPerThreadNs"),
            Self::Efficiency => seen.column("efficiency"),
            Self::Finish => seen.column("lastExitNs") / seen.column("firstExitNs"),
        }
    }
}

/// One scheduler on one machine with one working set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curve {
    pub(super) machine: Machine,
    pub(super) lane: Lane,
    pub(super) set: Set,
}

impl Curve {
    pub(super) fn new(machine: Machine, lane: Lane, set: Set) -> Self {
        Self { machine, lane, set }
    }

    /// The scheduler and the set. Numbers of the source for several sets must not be mistaken for one number.
    pub(super) fn name(self) -> String {
        format!("{}, {}", self.lane.name(), self.set.name())
    }

    pub(super) fn key(self, n: u32, seed: u64) -> String {
        let (lane, machine, bytes) = (self.lane.id(), self.machine.id(), self.set.bytes());
        format!("S0/{machine}/{lane}/{bytes}/{n}/{seed}")
    }

    /// The run of N processes with a seed.
    pub(super) fn run(self, n: u32, seed: u64) -> Run {
        let scheduler = choice(self.lane.id(), self.machine.era());
        let (key, scenario) = (self.key(n, seed), self.machine.scenario());
        Run::new(key, scenario, scheduler, "exits")
            .with("seed", seed)
            .with("groups.loop.count", n)
            .with("groups.loop.workingSetBytes", self.set.bytes())
            .with(
                "groups.loop.behaviour.workMs",
                self.set.work_ms(self.machine),
            )
            .with("end.atNs", 3_600_000_000_000_u64)
    }

    /// The same with memory as fast as the system bus allows: which part of the bus this workload gets is an
    /// assumption.
    pub(super) fn run_with_bus(self, n: u32, seed: u64) -> Run {
        let mut run = self.run(n, seed);
        run.key = self.key_with_bus(n, seed);
        run.changes.push(whole_bus());
        run
    }

    pub(super) fn key_with_bus(self, n: u32, seed: u64) -> String {
        self.key(n, seed) + "/bus"
    }

    /// The numbers of processes from one to another.
    pub(super) fn counts(self, from: u32, to: u32) -> Vec<u32> {
        let all = self.machine.counts().iter().copied();
        all.filter(|n| (from..=to).contains(n)).collect()
    }

    /// The value of each seed with N processes.
    pub(super) fn samples(self, results: &Results, what: What, n: u32) -> Vec<f64> {
        results.samples(|seed| self.key(n, seed), |seen| what.of(seen))
    }

    /// The mean with N processes.
    pub(super) fn mean(self, results: &Results, what: What, n: u32) -> Estimate {
        Estimate::mean(&self.samples(results, what, n))
    }

    /// N processes / one process.
    pub(super) fn growth(self, results: &Results, what: What, n: u32) -> Estimate {
        let (all, one) = (
            self.samples(results, what, n),
            self.samples(results, what, 1),
        );
        Estimate::ratio(&all, &one)
    }

    /// A function of the means for several numbers of processes, in that order.
    pub(super) fn over(
        self,
        results: &Results,
        what: What,
        counts: &[u32],
        f: impl Fn(&[f64]) -> f64,
    ) -> Estimate {
        of_means(&self.samples_of(results, what, counts), f)
    }

    /// The value of each seed, for each number of processes.
    pub(super) fn samples_of(self, results: &Results, what: What, counts: &[u32]) -> Vec<Vec<f64>> {
        let counts = counts.iter();
        counts.map(|n| self.samples(results, what, *n)).collect()
    }
}

/// ULE and 4BSD on the same machine with the same working set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'a> {
    pub(super) results: &'a Results,
    pub(super) bsd: Curve,
    pub(super) ule: Curve,
}

impl<'a> Pair<'a> {
    pub(super) fn new(results: &'a Results, machine: Machine, set: Set) -> Self {
        Self {
            results,
            bsd: Curve::new(machine, Lane::Bsd, set),
            ule: Curve::new(machine, Lane::Ule, set),
        }
    }

    pub(super) fn both(self) -> [Curve; 2] {
        [self.bsd, self.ule]
    }

    /// ULE / 4BSD with N processes.
    pub(super) fn ratio(self, what: What, n: u32) -> Estimate {
        let (ule, bsd) = (
            self.ule.samples(self.results, what, n),
            self.bsd.samples(self.results, what, n),
        );
        Estimate::ratio(&ule, &bsd)
    }

    /// A function of ULE / 4BSD for several numbers of processes, in that order.
    pub(super) fn ratios(self, what: What, counts: &[u32], f: impl Fn(&[f64]) -> f64) -> Estimate {
        let of = |curve: Curve| curve.samples_of(self.results, what, counts);
        of_ratios(&[of(self.ule), of(self.bsd)].concat(), f)
    }
}

/// A function of ratios of means: those of the first half of the samples divided by those of the second half.
pub(super) fn of_ratios(samples: &[Vec<f64>], f: impl Fn(&[f64]) -> f64) -> Estimate {
    of_means(samples, |means| {
        let (above, below) = means.split_at(means.len() / 2);
        let ratios: Vec<f64> = above.iter().zip(below).map(|(a, b)| a / b).collect();
        f(&ratios)
    })
}

/// Largest - smallest.
pub(super) fn spread(values: &[f64]) -> f64 {
    largest(values) - smallest(values)
}

/// The largest of the values whose number of processes qualifies.
pub(super) fn largest_of(counts: &[u32], values: &[f64], is_meant: fn(u32) -> bool) -> f64 {
    let all = counts.iter().zip(values);
    let meant: Vec<f64> = all
        .filter(|(n, _)| is_meant(**n))
        .map(|(_, v)| *v)
        .collect();
    largest(&meant)
}

/// Position of a number of processes in a list; its length if it is not there.
pub(super) fn place(counts: &[u32], n: u32) -> usize {
    counts.iter().position(|c| *c == n).unwrap_or(counts.len())
}

/// The number of processes with the largest value; the first one if there are several.
pub(super) fn peak(counts: &[u32], values: &[f64]) -> f64 {
    let most = largest(values);
    let first = values.iter().position(|value| *value >= most);
    first.map_or(f64::NAN, |i| f64::from(counts[i]))
}

/// The values of a claim, one after the other.
#[derive(Default)]
pub(super) struct Values {
    pub(super) all: Vec<Value>,
}

impl Values {
    /// Adds a value; `of` names the scheduler, machine, … that it is about.
    pub(super) fn add(&mut self, measure: &'static str, of: &str, estimate: Estimate) {
        let value = Value::new(measure, estimate);
        self.all.push(value.of(of));
    }

    /// Adds a value with N processes.
    pub(super) fn add_at(&mut self, measure: &'static str, of: &str, n: u32, estimate: Estimate) {
        let value = Value::new(measure, estimate);
        self.all.push(value.of(of).at(n));
    }

    /// Adds ULE / 4BSD for each of several numbers of processes.
    pub(super) fn add_ratios(
        &mut self,
        measure: &'static str,
        of: &str,
        pair: Pair<'_>,
        what: What,
        counts: &[u32],
    ) {
        for n in counts {
            self.add_at(measure, of, *n, pair.ratio(what, *n));
        }
    }

    /// Adds a curve for each of several numbers of processes, divided by its value for one process.
    pub(super) fn add_growth(
        &mut self,
        measure: &'static str,
        results: &Results,
        curve: Curve,
        what: What,
        counts: &[u32],
    ) {
        for n in counts {
            let growth = curve.growth(results, what, *n);
            self.add_at(measure, curve.lane.name(), *n, growth);
        }
    }
}
