//! Roberson 2007: `sched_yield()` in a loop, 1 to 5000 processes, on one CPU and on eight.
//!
//! Not known from the source: the number of switches, shared by the processes of a run. Times scale with it, so
//! everything here is a time for a switch, or a ratio. Fork and wait, which the published times contain, are not run.

use super::{Effort, Experiment, Measure, Page, Results, Value};
use crate::experiment::change::{Change, WhatIf};
use crate::experiment::figure::{Axis, Figure, Kind, Moment, Point, Range, Series};
use crate::experiment::published::rows;
use crate::experiment::run::Run;
use crate::experiment::stats::Estimate;
use serde_json::json;

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

/// Switches of a run, shared by its processes: many against the time in which the processes start one after the other.
fn switches(processes: u32) -> u32 {
    if processes < 1_000 {
        200_000
    } else {
        1_000_000
    }
}

/// Real, user and system time in seconds.
type Times = [f64; 3];

/// The published table.
struct Published {
    /// Processes; times of 4BSD and ULE on one CPU, of 4BSD and ULE on eight.
    rows: Vec<Vec<f64>>,
}

fn published() -> Published {
    Published {
        rows: rows("s1-yield", "/rows"),
    }
}

impl Published {
    fn times(&self, machine: Machine, lane: Lane, n: u32) -> Times {
        let from = match (machine, lane) {
            (Machine::One { .. }, Lane::Bsd) => 1,
            (Machine::One { .. }, Lane::Ule) => 4,
            (Machine::Eight, Lane::Bsd) => 7,
            (Machine::Eight, Lane::Ule) => 10,
            (Machine::OneOfEight, _) => return [f64::NAN; 3],
        };
        let count = f64::from(n).to_bits();
        let row = self.rows.iter().find(|row| row[0].to_bits() == count);
        row.map_or([f64::NAN; 3], |row| {
            [row[from], row[from + 1], row[from + 2]]
        })
    }

    fn real(&self, machine: Machine, lane: Lane, n: u32) -> f64 {
        self.times(machine, lane, n)[0]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Machine {
    /// The single CPU, of which neither model nor memory is published.
    One {
        /// How long it waits for its memory in ns.
        latency_ns: u32,
    },
    /// The Opteron.
    Eight,
    /// One CPU of it, with the kernel for several.
    OneOfEight,
}

/// The single CPU's memory: a supposition, between the ends of the band.
const UP: Machine = Machine::One { latency_ns: 100 };
const UP_BAND: [u32; 2] = [80, 120];

#[derive(Clone, Copy, Debug)]
enum Lane {
    Bsd,
    Ule,
}

impl Machine {
    /// Word in the key.
    fn id(self) -> String {
        match self {
            Self::One { latency_ns } => format!("up2007-{latency_ns}"),
            Self::Eight => "k8x4".to_owned(),
            Self::OneOfEight => "k8x4-one".to_owned(),
        }
    }

    fn of(self, run: Run) -> Run {
        let field = |field: &str, value| Change::MachineField {
            field: field.to_owned(),
            value,
        };
        match self {
            Self::One { latency_ns } => run
                .machine("up2007")
                .with(field("memory.localLatencyNs", json!(latency_ns))),
            Self::Eight => run.machine("k8x4"),
            Self::OneOfEight => {
                let llc = json!({ "count": 1, "cores": [{ "count": 1, "smt": 1 }] });
                let package = json!({ "count": 1, "nodes": [{ "count": 1, "llcs": [llc] }] });
                run.machine("k8x4")
                    .with(field("topology.packages", json!([package])))
                    .with(field("memory.distances", json!([])))
                    .with(field("memory.remote", json!([])))
            }
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

    fn name(self) -> &'static str {
        match self {
            Self::Bsd => "4BSD",
            Self::Ule => "ULE",
        }
    }
}

const LANES: [Lane; 2] = [Lane::Bsd, Lane::Ule];
const PROCESSES: [u32; 5] = [1, 10, 100, 1000, 5000];

/// What a run gave.
#[derive(Clone, Copy, Debug)]
struct Cell {
    /// Time for a switch in ns.
    real: f64,
    /// CPUs that were busy.
    busy: f64,
}

/// What a run gave, if it was made.
fn cell(results: &Results, machine: Machine, lane: Lane, n: u32) -> Option<Cell> {
    let seen = results.find(&key(machine, lane, n))?;
    let elapsed = seen.column("elapsedNs");
    let switches = f64::from(yields(n)) * f64::from(n);
    Some(Cell {
        real: elapsed / switches,
        busy: seen.column("cpuNs") / elapsed,
    })
}

/// What the runs of a claim gave.
struct Runs<'a> {
    results: &'a Results,
    published: Published,
}

fn values(id: &str, results: &Results) -> Vec<Value> {
    let published = published();
    let runs = Runs { results, published };
    match id {
        "S1a" => runs.one_cpu_ratios(),
        "S1b" => runs.eight_cpu_ratios(),
        "S1c" => runs.eight_cpu_shape(),
        "S1d" => runs.busy(),
        "S1e" => runs.alone(),
        "S1f" => runs.one_cpu_curve(),
        "S1g" => runs.before_the_patch(),
        "S1h" => runs.locking(),
        _ => Vec::new(),
    }
}

fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, f64::max)
}

fn smallest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(f64::INFINITY, f64::min)
}

impl Runs<'_> {
    fn cell(&self, machine: Machine, lane: Lane, n: u32) -> Cell {
        cell(self.results, machine, lane, n).expect("invariant: all runs are there")
    }

    fn real(&self, machine: Machine, lane: Lane, n: u32) -> f64 {
        self.cell(machine, lane, n).real
    }

    /// ULE's time on a single CPU relative to that of 4BSD.
    fn up_ratio(&self, machine: Machine, n: u32) -> f64 {
        self.real(machine, Lane::Ule, n) / self.real(machine, Lane::Bsd, n)
    }

    fn one_cpu_ratios(&self) -> Vec<Value> {
        let there = |lane, n| self.published.real(UP, lane, n);
        let value = |n: &u32| {
            let value = banded("ratio", &|machine| self.up_ratio(machine, *n));
            let ratio = there(Lane::Ule, *n) / there(Lane::Bsd, *n);
            value.at(*n).published(ratio)
        };
        PROCESSES.iter().map(value).collect()
    }

    /// 4BSD's time on eight CPUs relative to that of ULE, here and there.
    fn smp_ratio(&self, n: u32) -> (f64, f64) {
        let here = |lane| self.real(Machine::Eight, lane, n);
        let there = |lane| self.published.real(Machine::Eight, lane, n);
        (
            here(Lane::Bsd) / here(Lane::Ule),
            there(Lane::Bsd) / there(Lane::Ule),
        )
    }

    fn eight_cpu_ratios(&self) -> Vec<Value> {
        let (here, there) = (|n| self.smp_ratio(n).0, |n| self.smp_ratio(n).1);
        let peak =
            |ratio: &dyn Fn(u32) -> f64| ratio(100) / largest([1, 10, 1000, 5000].map(ratio));
        let value = |n: &u32| {
            Value::exact("smpRatio", here(*n))
                .at(*n)
                .published(there(*n))
        };
        let mut values: Vec<Value> = PROCESSES.iter().map(value).collect();
        values.push(Value::exact("peak", peak(&here)).published(peak(&there)));
        values
    }

    fn eight_cpu_shape(&self) -> Vec<Value> {
        let here = |lane, n| self.real(Machine::Eight, lane, n);
        let there = |lane, n| self.published.real(Machine::Eight, lane, n);
        let of = |measure, lane, f: fn([f64; PROCESSES.len()]) -> f64| {
            let (here, there) = (
                f(PROCESSES.map(|n| here(lane, n))),
                f(PROCESSES.map(|n| there(lane, n))),
            );
            Value::exact(measure, here).of(lane.name()).published(there)
        };
        vec![
            of("fall", Lane::Ule, |[one, _, hundred, ..]| one / hundred),
            of("rise", Lane::Ule, |[_, _, hundred, _, most]| most / hundred),
            of("flat", Lane::Bsd, |[_, ten, hundred, thousand, _]| {
                let all = [ten, hundred, thousand];
                largest(all) / smallest(all)
            }),
        ]
    }

    fn busy_of(&self, lane: Lane, n: u32) -> Value {
        let [real, user, system] = self.published.times(Machine::Eight, lane, n);
        Value::exact("busy", self.cell(Machine::Eight, lane, n).busy)
            .of(lane.name())
            .at(n)
            .published((user + system) / real)
    }

    fn busy(&self) -> Vec<Value> {
        let lanes = [Lane::Ule, Lane::Bsd].into_iter();
        let all = lanes.flat_map(|lane| [100, 1000, 5000].map(|n| self.busy_of(lane, n)));
        all.collect()
    }

    fn alone(&self) -> Vec<Value> {
        let (here, there) = self.smp_ratio(1);
        let ratio = Value::exact("smpRatio", here).at(1).published(there);
        vec![
            self.busy_of(Lane::Bsd, 1),
            self.busy_of(Lane::Ule, 1),
            ratio,
        ]
    }

    fn one_cpu_curve(&self) -> Vec<Value> {
        let value = |lane: Lane, n: u32| {
            let there = |n| self.published.real(UP, lane, n);
            banded("curve", &|machine| {
                self.real(machine, lane, n) / self.real(machine, lane, 1)
            })
            .of(lane.name())
            .at(n)
            .published(there(n) / there(1))
        };
        let lanes = [Lane::Bsd, Lane::Ule].into_iter();
        let all = lanes.flat_map(|lane| PROCESSES[1..].iter().map(move |n| (lane, *n)));
        all.map(|(lane, n)| value(lane, n)).collect()
    }

    fn before_the_patch(&self) -> Vec<Value> {
        let value = |(n, there): &(u32, f64)| {
            let here = self.up_ratio(UP, *n);
            Value::exact("before", here).at(*n).published(*there)
        };
        BEFORE.iter().map(value).collect()
    }

    fn locking(&self) -> Vec<Value> {
        let value = |n: &u32| {
            let here = self.up_ratio(Machine::OneOfEight, *n);
            Value::exact("locking", here).at(*n).published(LOCKING)
        };
        FEW.iter().map(value).collect()
    }
}

/// What a number is on the single CPU, and with memory of other latencies.
fn banded(measure: &'static str, of: &dyn Fn(Machine) -> f64) -> Value {
    let value = Value::exact(measure, of(UP));
    UP_BAND.into_iter().fold(value, |value, latency_ns| {
        let other = Estimate::exact(of(Machine::One { latency_ns }));
        value.under(format!("memory of {latency_ns} ns"), other)
    })
}

/// Stated of ULE before the patch on one CPU: 10, 10 and 5 % slower than 4BSD, even, 22 % faster.
const BEFORE: [(u32, f64); 5] = [
    (1, 1.10),
    (10, 1.10),
    (100, 1.05),
    (1000, 1.0),
    (5000, 0.78),
];
/// Stated of a kernel for several CPUs that uses one: locks cost ULE about 5 %. Not said with how many processes.
const LOCKING: f64 = 1.05;
const FEW: [u32; 3] = [1, 10, 100];

/// The number of switches is not published, so all is relative to one process under ULE on the same machine.
fn figures(results: &Results) -> Vec<Figure> {
    vec![
        figure(results, "smp", Machine::Eight, "Eight CPUs"),
        figure(results, "up", UP, "One CPU"),
    ]
}

fn figure(results: &Results, id: &str, machine: Machine, title: &str) -> Figure {
    Figure {
        id: id.to_owned(),
        title: title.to_owned(),
        definition: "Time for a switch, relative to one process under ULE on the same machine; the source does not give \
                     the number of switches."
            .to_owned(),
        kind: Kind::Curves,
        x: Axis::log("processes", ""),
        y: Axis::log("time for a switch, relative", "×"),
        series: LANES.map(|lane| series(results, machine, lane)).into(),
        // When all processes run.
        moment: Some(Moment {
            origin_ns: 1e6,
            per_x_ns: 1e4,
        }),
        ..Figure::default()
    }
}

fn series(results: &Results, machine: Machine, lane: Lane) -> Series {
    let table = published();
    let relative = |machine, n: u32| {
        let (here, one) = (
            cell(results, machine, lane, n)?,
            cell(results, machine, Lane::Ule, 1)?,
        );
        Some(here.real / one.real)
    };
    let point = |n: u32| {
        Some(Point {
            x: f64::from(n),
            estimate: Estimate::exact(relative(machine, n)?),
            keys: vec![key(machine, lane, n)],
        })
    };
    let range = |n: u32| {
        let [a, b] = UP_BAND.map(|latency_ns| relative(Machine::One { latency_ns }, n));
        let (a, b) = (a?, b?);
        Some((f64::from(n), a.min(b), a.max(b)))
    };
    let band = (machine == UP).then(|| Range {
        label: format!(
            "memory latency of {} to {} ns (supposition)",
            UP_BAND[0], UP_BAND[1]
        ),
        points: PROCESSES.into_iter().filter_map(range).collect(),
    });
    let there = |n: u32| table.real(machine, lane, n) / table.real(machine, Lane::Ule, 1);
    Series {
        id: lane.id().to_owned(),
        label: lane.name().to_owned(),
        scheduler: lane.id().to_owned(),
        unit: "×".to_owned(),
        points: PROCESSES.into_iter().filter_map(point).collect(),
        published: PROCESSES.map(|n| (f64::from(n), there(n))).into(),
        provenance: "measured",
        band,
        ..Series::default()
    }
}

fn what_ifs() -> Vec<WhatIf> {
    vec![WhatIf {
        id: "v890",
        label: "on 16 UltraSPARC cores",
        changes: vec![Change::machine("v890")],
    }]
}

fn key(machine: Machine, lane: Lane, n: u32) -> String {
    format!("S1/{}/{}/{n}", machine.id(), lane.id())
}

/// Yields of each process.
fn yields(n: u32) -> u32 {
    switches(n) / n
}

/// The runs of a claim, the longest first.
fn runs(claim: &str, _: Effort) -> Vec<Run> {
    let band = UP_BAND.map(|latency_ns| Machine::One { latency_ns });
    match claim {
        "S1a" | "S1f" => on(&[UP, band[0], band[1]], &PROCESSES),
        "S1g" => on(&[UP], &PROCESSES),
        "S1h" => on(&[Machine::OneOfEight], &FEW),
        "S1e" => on(&[Machine::Eight], &[1]),
        _ => on(&[Machine::Eight], &PROCESSES),
    }
}

fn on(machines: &[Machine], counts: &[u32]) -> Vec<Run> {
    let mut all = Vec::new();
    for n in counts.iter().rev() {
        for machine in machines {
            all.extend(LANES.map(|lane| run(*machine, lane, *n)));
        }
    }
    all
}

fn run(machine: Machine, lane: Lane, n: u32) -> Run {
    let scheduler = super::choice(lane.id(), "2007-10");
    let run = Run::new(key(machine, lane, n), "s1-yield-storm", scheduler, "totals");
    machine
        .of(run)
        .group("yield", "count", n)
        .param("yield", "yields", yields(n))
        .end(3_600_000_000_000)
}
