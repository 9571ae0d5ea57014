//! Roberson 2007: `sched_yield()` in a loop, 1 to 5000 processes, on one CPU and on eight.
//!
//! The source does not give the number of switches, which the processes of a run share. Times scale with it, so every
//! value here is a time per switch, or a ratio.
//!
//! The published times contain fork and wait, so a parent forks the processes and waits for each. The time of this
//! relative to the switches depends on their number, which is assumed to be ten million. Fewer switches are run, with
//! the parent's times smaller in proportion.

use super::{Effort, Experiment, Measure, Page, Results};
use crate::experiment::claims::WhatIf;
use crate::experiment::collect::{Last, Values, json, what_if};
use crate::experiment::figure::{Figure, Frame, Kind, Range, Scale, Series, TimeOfX};
use crate::experiment::numbers::{self, largest, smallest};
use crate::experiment::published::rows;
use crate::experiment::run::Run;
use crate::experiment::stats::Estimate;
use crate::property::Set;

/// The experiment.
pub(super) const S1: Experiment = Experiment {
    id: "S1",
    pages: &[Page {
        id: "s1",
        more: |_| Vec::new(),
        figures,
        what_ifs,
    }],
    measures: &[
        Measure::at("ratio", "one CPU, time of ULE / 4BSD", "# processes"),
        Measure::at("smpRatio", "eight CPUs, time of 4BSD / ULE", "# processes"),
        Measure::new(
            "peak",
            "that ratio at 100 processes / the largest elsewhere",
        ),
        Measure::new("fall", "time with 1 / with 100 processes"),
        Measure::new("rise", "time with 5000 / with 100 processes"),
        Measure::new("flat", "largest / smallest time of 10 to 1000 processes"),
        Measure::at("busy", "busy CPUs", "# processes"),
        Measure::at(
            "curve",
            "one CPU, time for a switch / with one process",
            "# processes",
        ),
        Measure::at(
            "before",
            "one CPU, time of ULE before the patch / 4BSD",
            "# processes",
        ),
        Measure::at(
            "locking",
            "one CPU of the kernel for several, time of ULE / 4BSD",
            "# processes",
        ),
    ],
    runs,
    values,
};

/// Number of switches of a run, shared by its processes: large compared with the time in which the processes start one
/// after the other.
fn switches(processes: u32) -> u32 {
    if processes < 1_000 {
        200_000
    } else {
        1_000_000
    }
}

/// Assumed number of switches in each run of the source.
const SUPPOSED_SWITCHES: u64 = 10_000_000;
/// CPU time of a fork in ns. This is an assumption: the time of all machines without a published one. Half and twice of
/// it are the ends of its band.
const FORK_NS: u64 = 100_000;
/// CPU time in ns for each child that the waiting parent checks. This is an assumption with a band of the same relative
/// width. The parent locks the child and reads its state: one to four lines of cache, from memory if there are many
/// children.
const WAIT_NS: u64 = 200;

/// The published table.
struct Published {
    /// Number of processes; times of 4BSD and ULE on one CPU, of 4BSD and ULE on eight.
    rows: Vec<Vec<f64>>,
}

fn published() -> Published {
    Published {
        rows: rows("s1-yield", "/rows"),
    }
}

impl Published {
    /// Real, user and system time in seconds; NaN if not published.
    fn times(&self, machine: Machine, lane: Lane, n: u32) -> [f64; 3] {
        let from = match (machine, lane) {
            (Machine::One { .. }, Lane::Bsd) => 1,
            (Machine::One { .. }, Lane::Ule) => 4,
            (Machine::Eight { .. }, Lane::Bsd) => 7,
            (Machine::Eight { .. }, Lane::Ule) => 10,
            (Machine::OneOfEight, _) => return [f64::NAN; 3],
        };
        for row in &self.rows {
            if row[0].to_bits() == f64::from(n).to_bits() {
                return [row[from], row[from + 1], row[from + 2]];
            }
        }
        [f64::NAN; 3]
    }

    fn real(&self, machine: Machine, lane: Lane, n: u32) -> f64 {
        self.times(machine, lane, n)[0]
    }

    /// 4BSD's time on eight CPUs relative to that of ULE.
    fn smp_ratio(&self, n: u32) -> f64 {
        self.real(EIGHT, Lane::Bsd, n) / self.real(EIGHT, Lane::Ule, n)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Machine {
    /// The single CPU; neither its model nor its memory is published.
    One {
        /// Latency of its memory in ns.
        latency_ns: u64,
        /// Time of fork and wait, in percent of the assumed time.
        forks: u64,
    },
    /// The Opteron.
    Eight {
        /// The same as for the single CPU.
        forks: u64,
    },
    /// One CPU of the Opteron, with the kernel for several.
    OneOfEight,
}

/// The single CPU with the assumed memory, in the middle of the band.
const UP: Machine = one(100, 100);
const EIGHT: Machine = Machine::Eight { forks: 100 };
/// The same under other assumptions: the ends of their bands.
const UP_OTHERS: [(Machine, &str); 4] = [
    (one(80, 100), "memory of 80 ns"),
    (one(120, 100), "memory of 120 ns"),
    (one(100, 50), HALF),
    (one(100, 200), TWICE),
];
const EIGHT_OTHERS: [(Machine, &str); 2] = [
    (Machine::Eight { forks: 50 }, HALF),
    (Machine::Eight { forks: 200 }, TWICE),
];
const HALF: &str = "fork and wait half as long";
const TWICE: &str = "fork and wait twice as long";

const fn one(latency_ns: u64, forks: u64) -> Machine {
    Machine::One { latency_ns, forks }
}

#[derive(Clone, Copy, Debug)]
enum Lane {
    Bsd,
    Ule,
}

/// One package with one node, one cache and one core.
const ONE_CORE: &str =
    r#"[{"count":1,"nodes":[{"count":1,"llcs":[{"count":1,"cores":[{"count":1,"smt":1}]}]}]}]"#;

impl Machine {
    /// Word in the key.
    fn id(self) -> String {
        let (name, forks) = match self {
            Self::One { latency_ns, forks } => (format!("up2007-{latency_ns}"), forks),
            Self::Eight { forks } => ("k8x4".to_owned(), forks),
            Self::OneOfEight => return "k8x4-one".to_owned(),
        };
        if forks == 100 {
            return name;
        }
        name + "-forks-" + &forks.to_string()
    }

    /// The same under other assumptions.
    fn others(self) -> &'static [(Self, &'static str)] {
        match self {
            Self::One { .. } => &UP_OTHERS,
            Self::Eight { .. } => &EIGHT_OTHERS,
            Self::OneOfEight => &[],
        }
    }

    fn set(self, run: &mut Run, n: u32) {
        let mut field = |field: &str, value: &str| {
            run.set(format!("machine.{field}"), json(value));
        };
        let percent = match self {
            Self::One { latency_ns, forks } => {
                field("memory.localLatencyNs", &latency_ns.to_string());
                forks
            }
            Self::Eight { forks } => forks,
            Self::OneOfEight => {
                field("topology.packages", ONE_CORE);
                field("memory.distances", "[]");
                field("memory.remote", "[]");
                100
            }
        };
        let scaled = |ns: u64| {
            let of_run = ns * percent * u64::from(switches(n));
            (of_run / 100 / SUPPOSED_SWITCHES).to_string()
        };
        let (fork, wait) = (scaled(FORK_NS), scaled(WAIT_NS));
        let parent = format!(r#"{{"forkCostNs":{fork},"waitCostNs":{wait}}}"#);
        run.set("groups.yield.parent", json(&parent));
    }
}

impl Lane {
    fn id(self) -> &'static str {
        match self {
            Self::Bsd => "4bsd",
            Self::Ule => "ule",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Bsd => "4BSD",
            Self::Ule => "ULE",
        }
    }
}

const LANES: [Lane; 2] = [Lane::Bsd, Lane::Ule];
const PROCESSES: [u32; 5] = [1, 10, 100, 1000, 5000];

/// The result of a run.
#[derive(Clone, Copy, Debug)]
struct SwitchTiming {
    /// Time per switch in ns.
    real: f64,
    /// Number of CPUs that were busy.
    busy: f64,
}

/// The result of a run, if the run was made.
fn cell(results: &Results, machine: Machine, lane: Lane, n: u32) -> Option<SwitchTiming> {
    let seen = results.find(&key(machine, lane, n))?;
    let elapsed = seen.column("elapsedNs");
    let switches = f64::from(yields(n)) * f64::from(n);
    Some(SwitchTiming {
        real: elapsed / switches,
        busy: (seen.column("cpuNs") + seen.column("parentsNs")) / elapsed,
    })
}

/// The results of a claim's runs, and the values that are computed from them.
struct Runs<'a> {
    results: &'a Results,
    published: Published,
    values: Values,
}

/// A number computed from the runs on a machine.
type Of<'a> = &'a dyn Fn(&Runs<'_>, Machine) -> f64;

fn values(id: &str, results: &Results) -> Vec<super::Value> {
    let mut runs = Runs {
        results,
        published: published(),
        values: Values::new(),
    };
    match id {
        "S1a" => runs.one_cpu_ratios(),
        "S1b" => runs.eight_cpu_ratios(),
        "S1c" => runs.eight_cpu_shape(),
        "S1d" => {
            for &lane in &[Lane::Ule, Lane::Bsd] {
                for &n in &[100, 1000, 5000] {
                    runs.busy(lane, n);
                }
            }
        }
        "S1e" => {
            runs.busy(Lane::Bsd, 1);
            runs.busy(Lane::Ule, 1);
            runs.smp_ratio(1);
        }
        "S1f" => runs.one_cpu_curve(),
        "S1g" => runs.before_the_patch(),
        "S1h" => runs.locking(),
        _ => {}
    }
    runs.values.all()
}

impl Runs<'_> {
    fn cell(&self, machine: Machine, lane: Lane, n: u32) -> SwitchTiming {
        cell(self.results, machine, lane, n).expect("invariant: all runs are there")
    }

    fn real(&self, machine: Machine, lane: Lane, n: u32) -> f64 {
        self.cell(machine, lane, n).real
    }

    /// ULE's time on a single CPU relative to that of 4BSD.
    fn up_ratio(&self, machine: Machine, n: u32) -> f64 {
        self.real(machine, Lane::Ule, n) / self.real(machine, Lane::Bsd, n)
    }

    /// Adds a value with its values under the other assumptions.
    fn banded(&mut self, measure: &'static str, machine: Machine, of: Of<'_>) -> Last<'_> {
        let here = of(self, machine);
        let mut others = Vec::new();
        for (other, what) in machine.others() {
            others.push(((*what).to_owned(), of(self, *other)));
        }
        let mut value = self.values.exact(measure, here);
        for (what, there) in others {
            value = value.under(what, there);
        }
        value
    }

    fn one_cpu_ratios(&mut self) {
        for &n in &PROCESSES {
            let there = self.published.real(UP, Lane::Ule, n);
            let ratio = there / self.published.real(UP, Lane::Bsd, n);
            let value = self.banded("ratio", UP, &|runs, machine| runs.up_ratio(machine, n));
            value.at(f64::from(n)).published(ratio);
        }
    }

    /// 4BSD's time on eight CPUs relative to that of ULE.
    fn smp_ratio(&mut self, n: u32) {
        let there = self.published.smp_ratio(n);
        let value = self.banded("smpRatio", EIGHT, &|runs, machine| {
            runs.real(machine, Lane::Bsd, n) / runs.real(machine, Lane::Ule, n)
        });
        value.at(f64::from(n)).published(there);
    }

    fn eight_cpu_ratios(&mut self) {
        let mut there = [0.0; PROCESSES.len()];
        for (i, n) in PROCESSES.iter().enumerate() {
            self.smp_ratio(*n);
            there[i] = self.published.smp_ratio(*n);
        }
        let peak = |[one, ten, hundred, thousand, most]: [f64; PROCESSES.len()]| {
            hundred / largest(&[one, ten, thousand, most])
        };
        let value = self.banded("peak", EIGHT, &|runs, machine| {
            let (bsd, ule) = (
                runs.times(machine, Lane::Bsd),
                runs.times(machine, Lane::Ule),
            );
            let mut ratios = bsd;
            for (i, time) in ule.iter().enumerate() {
                ratios[i] /= time;
            }
            peak(ratios)
        });
        value.published(peak(there));
    }

    /// Times for all numbers of processes.
    fn times(&self, machine: Machine, lane: Lane) -> [f64; PROCESSES.len()] {
        let mut times = [0.0; PROCESSES.len()];
        for (i, n) in PROCESSES.iter().enumerate() {
            times[i] = self.real(machine, lane, *n);
        }
        times
    }

    /// Adds a function of the times under a scheduler on eight CPUs.
    fn shape(&mut self, measure: &'static str, lane: Lane, of: fn(&[f64; PROCESSES.len()]) -> f64) {
        let mut there = [0.0; PROCESSES.len()];
        for (i, n) in PROCESSES.iter().enumerate() {
            there[i] = self.published.real(EIGHT, lane, *n);
        }
        let value = self.banded(measure, EIGHT, &|runs, machine| {
            of(&runs.times(machine, lane))
        });
        value.of(lane.name()).published(of(&there));
    }

    fn eight_cpu_shape(&mut self) {
        self.shape("fall", Lane::Ule, |[one, _, hundred, ..]| one / hundred);
        self.shape("rise", Lane::Ule, |[_, _, hundred, _, most]| most / hundred);
        self.shape("flat", Lane::Bsd, |times| {
            largest(&times[1..4]) / smallest(&times[1..4])
        });
    }

    fn busy(&mut self, lane: Lane, n: u32) {
        let [real, user, system] = self.published.times(EIGHT, lane, n);
        let value = self.banded("busy", EIGHT, &|runs, machine| {
            runs.cell(machine, lane, n).busy
        });
        let value = value.of(lane.name()).at(f64::from(n));
        value.published((user + system) / real);
    }

    fn one_cpu_curve(&mut self) {
        for &lane in &LANES {
            let one = self.published.real(UP, lane, 1);
            for &n in &PROCESSES[1..] {
                let there = self.published.real(UP, lane, n) / one;
                let value = self.banded("curve", UP, &|runs, machine| {
                    runs.real(machine, lane, n) / runs.real(machine, lane, 1)
                });
                value.of(lane.name()).at(f64::from(n)).published(there);
            }
        }
    }

    fn before_the_patch(&mut self) {
        for &(n, there) in &BEFORE {
            let here = self.up_ratio(UP, n);
            let value = self.values.exact("before", here);
            value.at(f64::from(n)).published(there);
        }
    }

    fn locking(&mut self) {
        for &n in &FEW {
            let here = self.up_ratio(Machine::OneOfEight, n);
            let value = self.values.exact("locking", here);
            value.at(f64::from(n)).published(LOCKING);
        }
    }
}

/// Statements about ULE before the patch on one CPU: 10, 10 and 5 % slower than 4BSD, equal, 22 % faster.
const BEFORE: [(u32, f64); 5] = [
    (1, 1.10),
    (10, 1.10),
    (100, 1.05),
    (1000, 1.0),
    (5000, 0.78),
];
/// Statement about a kernel for several CPUs on one CPU: locks cost ULE about 5 %. The number of processes is not
/// given.
const LOCKING: f64 = 1.05;
const FEW: [u32; 3] = [1, 10, 100];

/// The number of switches is not published, so all values are relative to one process under ULE on the same machine.
const DEFINITION: &str = "Time for a switch, relative to one process under ULE on the same machine; the source does not give \
                          the number of switches.";

/// Longest time of a fork, after scaling.
const FORKS_NS: f64 = 1e4;

const fn frame(id: &'static str, title: &'static str) -> Frame {
    Frame {
        id,
        title,
        definition: DEFINITION,
        kind: Kind::Curves,
        x: Scale::log("processes", ""),
        y: Scale::log("time for a switch, relative", "×"),
        // The time at which all processes run.
        moment: Some(TimeOfX {
            origin_ns: 1e6,
            per_x_ns: FORKS_NS,
        }),
    }
}

const SMP: Frame = frame("smp", "Eight CPUs");
const ONE: Frame = frame("up", "One CPU");

fn figures(results: &Results) -> Vec<Figure> {
    let table = published();
    let (mut smp, mut up) = (Figure::new(&SMP), Figure::new(&ONE));
    for &lane in &LANES {
        for (figure, machine) in [(&mut smp, EIGHT), (&mut up, UP)] {
            let mut line = series(results, &table, machine, lane);
            line.band = Some(band(results, machine, lane));
            figure.series.push(line);
        }
    }
    vec![smp, up]
}

/// A time relative to that of one process under ULE, if both exist.
fn relative(results: &Results, machine: Machine, lane: Lane, n: u32) -> Option<f64> {
    let here = cell(results, machine, lane, n)?;
    let one = cell(results, machine, Lane::Ule, 1)?;
    Some(here.real / one.real)
}

fn series(results: &Results, table: &Published, machine: Machine, lane: Lane) -> Series {
    let mut line = Series::new(lane.id(), lane.name(), lane.id(), "×");
    let one = table.real(machine, Lane::Ule, 1);
    for &n in &PROCESSES {
        let x = f64::from(n);
        if let Some(here) = relative(results, machine, lane, n) {
            line.add(x, Estimate::exact(here), vec![key(machine, lane, n)]);
        }
        let there = table.real(machine, lane, n);
        line.published.push((x, there / one));
    }
    line.provenance = "measured";
    line
}

/// A line with its band under the other assumptions.
fn band(results: &Results, machine: Machine, lane: Lane) -> Range {
    let mut points = Vec::new();
    for &n in &PROCESSES {
        let mut ends = [f64::INFINITY, f64::NEG_INFINITY];
        for (other, _) in machine.others() {
            if let Some(y) = relative(results, *other, lane, n) {
                ends = [ends[0].min(y), ends[1].max(y)];
            }
        }
        if ends[0].is_finite() {
            points.push((f64::from(n), ends[0], ends[1]));
        }
    }
    let memory = match machine {
        Machine::One { .. } => "memory latency of 80 to 120 ns, ",
        _ => "",
    };
    Range {
        label: memory.to_owned() + "fork and wait half to twice as long (supposition)",
        points,
    }
}

fn what_ifs() -> Vec<WhatIf> {
    let sparc = Set::new("machine", "v890");
    vec![what_if("v890", "on 16 UltraSPARC cores", sparc)]
}

fn key(machine: Machine, lane: Lane, n: u32) -> String {
    let runs = format!("S1/{}/{}", machine.id(), lane.id());
    numbers::key(&runs, u64::from(n))
}

/// Number of yields of each process.
fn yields(n: u32) -> u32 {
    switches(n) / n
}

/// The runs of a claim, the longest first.
fn runs(claim: &str, _: Effort) -> Vec<Run> {
    let (machine, counts): (Machine, &[u32]) = match claim {
        "S1a" | "S1f" | "S1g" => (UP, &PROCESSES),
        "S1h" => (Machine::OneOfEight, &FEW),
        "S1e" => (EIGHT, &[1]),
        _ => (EIGHT, &PROCESSES),
    };
    let mut machines = vec![machine];
    for (other, _) in machine.others() {
        machines.push(*other);
    }
    let mut all = Vec::new();
    for n in counts.iter().rev() {
        for machine in &machines {
            for &lane in &LANES {
                all.push(run(*machine, lane, *n));
            }
        }
    }
    all
}

fn run(machine: Machine, lane: Lane, n: u32) -> Run {
    let scheduler = super::choice(lane.id(), "2007-10");
    let mut run = Run::new(key(machine, lane, n), "s1-yield-storm", scheduler, "totals");
    let preset = match machine {
        Machine::One { .. } => "up2007",
        _ => "k8x4",
    };
    run.set("machine", preset);
    machine.set(&mut run, n);
    run.set("groups.yield.count", n);
    run.set("groups.yield.behaviour.yields", yields(n));
    run.set("end.atNs", 3_600_000_000_000_u64);
    run
}
