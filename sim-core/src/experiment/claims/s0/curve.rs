//! A scheduler on a machine with a working set: its runs, what they gave, and means of that.

use super::super::{Results, Seen, choice};
use crate::experiment::run::Run;
use crate::experiment::stats::Estimate;

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

/// Numbers of processes that were measured.
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

    /// Run time of one process alone with 1 KiB in ms: on the V890 1.6e9 increments of 15.3 cycles at 1350 MHz, as its
    /// preset has it. Not known of the Xeon; a choice.
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

/// What is read off a run.
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

/// One scheduler on one machine with one set.
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

    /// Whose it is and with which set: what the source gives of several sets must not be taken for one number.
    pub(super) fn name(self) -> String {
        format!("{}, {}", self.lane.name(), self.set.name())
    }

    pub(super) fn key(self, n: u32, seed: u64) -> String {
        let (lane, machine, bytes) = (self.lane.id(), self.machine.id(), self.set.bytes());
        format!("S0/{machine}/{lane}/{bytes}/{n}/{seed}")
    }

    /// N processes with a seed.
    pub(super) fn run(self, n: u32, seed: u64) -> Run {
        let scheduler = choice(self.lane.id(), self.machine.era());
        let (key, scenario) = (self.key(n, seed), self.machine.scenario());
        Run::new(key, scenario, scheduler, "exits")
            .seed(seed)
            .group("loop", "count", n)
            .group("loop", "workingSetBytes", self.set.bytes())
            .param("loop", "workMs", self.set.work_ms(self.machine))
            .end(3_600_000_000_000)
    }

    /// The numbers of processes from one to another.
    pub(super) fn counts(self, from: u32, to: u32) -> Vec<u32> {
        let all = self.machine.counts().iter().copied();
        all.filter(|n| (from..=to).contains(n)).collect()
    }

    /// What each seed gave with N processes.
    pub(super) fn samples(self, results: &Results, what: What, n: u32) -> Vec<f64> {
        results.samples(|seed| self.key(n, seed), |seen| what.of(seen))
    }

    /// The mean with N processes.
    pub(super) fn mean(self, results: &Results, what: What, n: u32) -> Estimate {
        Estimate::mean(&self.samples(results, what, n))
    }

    /// N processes / one process.
    pub(super) fn growth(self, results: &Results, what: What, n: u32) -> Estimate {
        let at = |n| self.samples(results, what, n);
        Estimate::ratio(&at(n), &at(1))
    }

    /// A function of the means with several numbers of processes, in that order.
    pub(super) fn over(
        self,
        results: &Results,
        what: What,
        counts: &[u32],
        f: impl Fn(&[f64]) -> f64,
    ) -> Estimate {
        let all = counts.iter().map(|n| self.samples(results, what, *n));
        of_means(&all.collect::<Vec<_>>(), f)
    }
}

/// ULE and 4BSD on the same machine with the same set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'a> {
    pub(super) results: &'a Results,
    pub(super) bsd: Curve,
    pub(super) ule: Curve,
}

impl<'a> Pair<'a> {
    pub(super) fn new(results: &'a Results, machine: Machine, set: Set) -> Self {
        let curve = |lane| Curve::new(machine, lane, set);
        Self {
            results,
            bsd: curve(Lane::Bsd),
            ule: curve(Lane::Ule),
        }
    }

    pub(super) fn both(self) -> [Curve; 2] {
        [self.bsd, self.ule]
    }

    /// ULE / 4BSD with N processes.
    pub(super) fn ratio(self, what: What, n: u32) -> Estimate {
        let of = |curve: Curve| curve.samples(self.results, what, n);
        Estimate::ratio(&of(self.ule), &of(self.bsd))
    }

    /// A function of ULE / 4BSD with several numbers of processes, in that order.
    pub(super) fn ratios(self, what: What, counts: &[u32], f: impl Fn(&[f64]) -> f64) -> Estimate {
        let of = |curve: Curve| {
            let each = counts.iter();
            each.map(move |n| curve.samples(self.results, what, *n))
        };
        let all: Vec<Vec<f64>> = of(self.ule).chain(of(self.bsd)).collect();
        of_means(&all, |means| {
            let (ule, bsd) = means.split_at(counts.len());
            let ratios: Vec<f64> = ule.iter().zip(bsd).map(|(u, b)| u / b).collect();
            f(&ratios)
        })
    }
}

/// A function of the means of several samples.
pub(super) fn of_means(samples: &[Vec<f64>], f: impl Fn(&[f64]) -> f64) -> Estimate {
    let samples: Vec<&[f64]> = samples.iter().map(Vec::as_slice).collect();
    Estimate::of_means(&samples, f)
}

pub(super) fn largest(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

pub(super) fn smallest(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

pub(super) fn mean(values: &[f64]) -> f64 {
    let n = u32::try_from(values.len()).unwrap_or(u32::MAX);
    values.iter().sum::<f64>() / f64::from(n)
}

/// The number of processes with the largest value, the first of several.
pub(super) fn peak(counts: &[u32], values: &[f64]) -> f64 {
    let most = largest(values);
    let at = values.iter().position(|v| *v >= most);
    at.map_or(f64::NAN, |i| f64::from(counts[i]))
}
