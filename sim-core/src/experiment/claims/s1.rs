//! Roberson 2007: `sched_yield()` in a loop, 1 to 5000 processes, on one CPU and on eight.
//!
//! Not known from the source: the number of switches, shared by the processes of a run. Times scale with it, so
//! everything here is a time for a switch, or a ratio. Fork and wait, which the published times contain, are not run.

use super::{Effort, Experiment, Measure, Page, Results, Value};
use crate::experiment::change::{Change, WhatIf};
use crate::experiment::figure::{Axis, Figure, Kind, Moment, Point, Series};
use crate::experiment::run::Run;
use crate::experiment::stats::Estimate;
use serde::Deserialize;

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
        Measure::new("moves", "moves for a yield"),
        Measure::at(
            "curve",
            "one CPU, time for a switch / with one process",
            "# processes",
        ),
    ],
    runs,
    values,
    old: None,
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
#[derive(Deserialize)]
struct Published {
    /// Processes; times of 4BSD and ULE on one CPU, of 4BSD and ULE on eight.
    rows: Vec<(u32, Times, Times, Times, Times)>,
}

fn published() -> Published {
    serde_json::from_str(include_str!(
        "../../../../scenarios/published/s1-yield.json"
    ))
    .expect("invariant: shipped data are valid")
}

impl Published {
    fn times(&self, machine: Machine, lane: Lane, n: u32) -> Times {
        let row = self.rows.iter().find(|row| row.0 == n);
        row.map_or([f64::NAN; 3], |row| match (machine, lane) {
            (Machine::One, Lane::Bsd) => row.1,
            (Machine::One, Lane::Ule) => row.2,
            (Machine::Eight, Lane::Bsd) => row.3,
            (Machine::Eight, Lane::Ule) => row.4,
        })
    }

    fn real(&self, machine: Machine, lane: Lane, n: u32) -> f64 {
        self.times(machine, lane, n)[0]
    }
}

#[derive(Clone, Copy, Debug)]
enum Machine {
    One,
    Eight,
}

#[derive(Clone, Copy, Debug)]
enum Lane {
    Bsd,
    Ule,
}

impl Machine {
    fn id(self) -> &'static str {
        match self {
            Self::One => "up2007",
            Self::Eight => "k8x4",
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

const LANES: [(Machine, Lane); 4] = [
    (Machine::One, Lane::Bsd),
    (Machine::One, Lane::Ule),
    (Machine::Eight, Lane::Bsd),
    (Machine::Eight, Lane::Ule),
];
const PROCESSES: [u32; 5] = [1, 10, 100, 1000, 5000];

/// What a run gave.
#[derive(Clone, Copy, Debug)]
struct Cell {
    /// Time for a switch in ns.
    real: f64,
    /// CPUs that were busy.
    busy: f64,
    /// Moves for a yield.
    moves: f64,
}

/// What a run gave, if it was made.
fn cell(results: &Results, machine: Machine, lane: Lane, n: u32) -> Option<Cell> {
    let seen = results.find(&key(machine, lane, n))?;
    let elapsed = seen.column("elapsedNs");
    let switches = f64::from(yields(n)) * f64::from(n);
    Some(Cell {
        real: elapsed / switches,
        busy: seen.column("cpuNs") / elapsed,
        moves: seen.column("moves") / switches,
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
        "S1e" => runs.moves(),
        "S1f" => runs.one_cpu_curve(),
        _ => Vec::new(),
    }
}

/// A time for each number of processes.
type Curve<'a> = dyn Fn(u32) -> f64 + 'a;

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

    fn one_cpu_ratios(&self) -> Vec<Value> {
        let ratio =
            |n: u32, real: &dyn Fn(Lane, u32) -> f64| real(Lane::Ule, n) / real(Lane::Bsd, n);
        let value = |n: &u32| {
            let here = ratio(*n, &|lane, n| self.real(Machine::One, lane, n));
            let there = ratio(*n, &|lane, n| self.published.real(Machine::One, lane, n));
            Value::exact("ratio", here).at(*n).published(there)
        };
        PROCESSES.iter().map(value).collect()
    }

    fn eight_cpu_ratios(&self) -> Vec<Value> {
        let here = |n: u32| {
            self.real(Machine::Eight, Lane::Bsd, n) / self.real(Machine::Eight, Lane::Ule, n)
        };
        let there = |n: u32| {
            let real = |lane| self.published.real(Machine::Eight, lane, n);
            real(Lane::Bsd) / real(Lane::Ule)
        };
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
        let of = |measure, lane, f: &dyn Fn(&Curve<'_>) -> f64| {
            let (here, there) = (f(&|n| here(lane, n)), f(&|n| there(lane, n)));
            Value::exact(measure, here).of(lane.name()).published(there)
        };
        vec![
            of("fall", Lane::Ule, &|real| real(1) / real(100)),
            of("rise", Lane::Ule, &|real| real(5000) / real(100)),
            of("flat", Lane::Bsd, &|real| {
                let all = [10, 100, 1000].map(real);
                largest(all) / smallest(all)
            }),
        ]
    }

    fn busy(&self) -> Vec<Value> {
        let value = |lane: Lane, n: u32| {
            let [real, user, system] = self.published.times(Machine::Eight, lane, n);
            Value::exact("busy", self.cell(Machine::Eight, lane, n).busy)
                .of(lane.name())
                .at(n)
                .published((user + system) / real)
        };
        let lanes = [Lane::Ule, Lane::Bsd].into_iter();
        let all = lanes.flat_map(|lane| [100, 1000, 5000].map(|n| value(lane, n)));
        all.collect()
    }

    fn moves(&self) -> Vec<Value> {
        let value = |lane: Lane| {
            let moves = self.cell(Machine::Eight, lane, 1).moves;
            Value::exact("moves", moves).of(lane.name())
        };
        vec![value(Lane::Bsd), value(Lane::Ule)]
    }

    fn one_cpu_curve(&self) -> Vec<Value> {
        let value = |lane: Lane, n: u32| {
            let here = self.real(Machine::One, lane, n) / self.real(Machine::One, lane, 1);
            let there = |n| self.published.real(Machine::One, lane, n);
            Value::exact("curve", here)
                .of(lane.name())
                .at(n)
                .published(there(n) / there(1))
        };
        let lanes = [Lane::Bsd, Lane::Ule].into_iter();
        let all = lanes.flat_map(|lane| PROCESSES[1..].iter().map(move |n| (lane, *n)));
        all.map(|(lane, n)| value(lane, n)).collect()
    }
}

/// The number of switches is not published, so all is relative to one process under ULE on the same machine.
fn figures(results: &Results) -> Vec<Figure> {
    vec![
        figure(results, "smp", Machine::Eight, "Eight CPUs"),
        figure(results, "up", Machine::One, "One CPU"),
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
        series: [Lane::Bsd, Lane::Ule]
            .map(|lane| series(results, machine, lane))
            .into(),
        // The processes start one after the other, 10 µs apart.
        moment: Some(Moment {
            origin_ns: 1e6,
            per_x_ns: 1e4,
        }),
        ..Figure::default()
    }
}

fn series(results: &Results, machine: Machine, lane: Lane) -> Series {
    let table = published();
    let one = cell(results, machine, Lane::Ule, 1);
    let point = |n: u32| {
        let (here, one) = (cell(results, machine, lane, n)?, one?);
        Some(Point {
            x: f64::from(n),
            estimate: Estimate::exact(here.real / one.real),
            keys: vec![key(machine, lane, n)],
        })
    };
    let there = |n: u32| table.real(machine, lane, n) / table.real(machine, Lane::Ule, 1);
    Series {
        id: lane.id().to_owned(),
        label: lane.name().to_owned(),
        scheduler: lane.id().to_owned(),
        unit: "×".to_owned(),
        points: PROCESSES.into_iter().filter_map(point).collect(),
        published: PROCESSES.map(|n| (f64::from(n), there(n))).into(),
        provenance: "measured",
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

/// All runs, the longest first.
fn runs(_: &str, _: Effort) -> Vec<Run> {
    let mut all = Vec::new();
    for n in PROCESSES.iter().rev() {
        all.extend(LANES.iter().map(|(machine, lane)| run(*machine, *lane, *n)));
    }
    all
}

fn run(machine: Machine, lane: Lane, n: u32) -> Run {
    let scheduler = super::choice(lane.id(), "2007-10");
    Run::new(key(machine, lane, n), "s1-yield-storm", scheduler, "totals")
        .machine(machine.id())
        .group("yield", "count", n)
        .param("yield", "yields", yields(n))
        .end(3_600_000_000_000)
}
