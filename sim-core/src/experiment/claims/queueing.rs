//! Queueing theory: jobs that arrive at random on CPUs without costs, where formulas give exact waits.
//!
//! This verifies the simulator: clock, arrivals, queues, wake-ups and accounts. Real-time threads under BFS 0.512 form
//! one queue in order of arrival. Results of theory take the place of published numbers. Runs begin empty; the time
//! before the first reading is left out.

use super::{Effort, Experiment, Measure, Page, Results, Seen};
use crate::experiment::claims::WhatIf;
use crate::experiment::collect::{Values, json, what_if};
use crate::experiment::figure::{Figure, Frame, Kind, Scale, Series};
use crate::experiment::numbers::{all_seeds, key, keys, mean_of, samples};
use crate::experiment::run::Run;
use crate::experiment::stats::Estimate;
use crate::property::Set;

/// The experiment.
pub(super) const QUEUEING: Experiment = Experiment {
    id: "Q",
    pages: &[Page {
        id: "queueing",
        more: |_| Vec::new(),
        figures,
        what_ifs,
    }],
    measures: &[
        Measure::at("wait", "mean wait, ms", "load #"),
        Measure::at(
            "little",
            "jobs in the system / (arrivals in a second × mean response)",
            "load #",
        ),
        Measure::at(
            "waste",
            "part of the CPU time that is idle while a job waits",
            "load #",
        ),
        Measure::at("jobs", "jobs in the system", "load #"),
    ],
    runs,
    values,
};

/// Mean work of a job in µs: a multiple of all loads times servers, so that times between arrivals are integers.
const WORK_US: u32 = 1_520;
/// Work of short and long jobs in µs, and the number of long jobs in a hundred; the mean is the same.
const TWO: [u32; 3] = [760, 8_360, 10];

/// A load: the factor by which the time between arrivals is shorter than a server's time times servers.
#[derive(Clone, Copy, Debug)]
struct Load {
    percent: u32,
    /// Number of jobs that are left out at the start, and number that are measured. Near load 1 a queue forgets its
    /// start slowly.
    before: u64,
    measured: u64,
}

const LOADS: [Load; 3] = [
    Load {
        percent: 50,
        before: 500,
        measured: 5_000,
    },
    EIGHTY,
    Load {
        percent: 95,
        before: 12_000,
        measured: 45_000,
    },
];
const EIGHTY: Load = Load {
    percent: 80,
    before: 2_000,
    measured: 15_000,
};

impl Load {
    fn part(self) -> f64 {
        f64::from(self.percent) / 100.0
    }
}

/// Distribution of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Work {
    Exponential,
    Fixed,
    TwoValued,
}

impl Work {
    fn id(self) -> &'static str {
        match self {
            Self::Exponential => "exponential",
            Self::Fixed => "fixed",
            Self::TwoValued => "twoValued",
        }
    }

    /// Variance divided by the square of the mean.
    fn variation(self) -> f64 {
        match self {
            Self::Exponential => 1.0,
            Self::Fixed => 0.0,
            Self::TwoValued => {
                let [short, long, percent] = TWO;
                let p = f64::from(percent) / 100.0;
                let apart = f64::from(long - short) / f64::from(WORK_US);
                p * (1.0 - p) * apart * apart
            }
        }
    }
}

/// A system with Poisson arrivals, one queue, and the following properties.
#[derive(Clone, Copy, Debug)]
struct System {
    /// Name for people.
    name: &'static str,
    servers: u16,
    work: Work,
}

const fn mm(name: &'static str, servers: u16) -> System {
    System {
        name,
        servers,
        work: Work::Exponential,
    }
}

const MM1: System = mm("M/M/1", 1);
const MM2: System = mm("M/M/2", 2);
const MM4: System = mm("M/M/4", 4);
const MD1: System = System {
    name: "M/D/1",
    servers: 1,
    work: Work::Fixed,
};
const MG1: System = System {
    name: "M/G/1, two lengths",
    servers: 1,
    work: Work::TwoValued,
};
const SYSTEMS: [System; 5] = [MM1, MM2, MM4, MD1, MG1];

impl System {
    /// Mean wait divided by mean work, at a load below 1.
    fn wait(self, load: f64) -> f64 {
        if self.servers == 1 {
            pollaczek_khinchine(load, self.work.variation())
        } else {
            erlang_c(self.servers, load) / (f64::from(self.servers) * (1.0 - load))
        }
    }

    /// The common part of the keys of its runs at a load.
    fn runs(self, load: Load) -> String {
        let servers = key(&format!("Q/{}", self.work.id()), self.servers.into());
        key(&servers, load.percent.into())
    }
}

/// Mean wait divided by mean work with one server: load × (1 + variation) / (2 × (1 - load)).
fn pollaczek_khinchine(load: f64, variation: f64) -> f64 {
    load * (1.0 + variation) / (2.0 * (1.0 - load))
}

/// Part of the jobs that wait (Erlang's C), by the recursion of the part that is lost in a system without waiting room
/// (Erlang's B).
fn erlang_c(servers: u16, load: f64) -> f64 {
    let offered = f64::from(servers) * load;
    let mut lost = 1.0;
    for n in 1..=servers {
        lost = offered * lost / (f64::from(n) + offered * lost);
    }
    lost / (1.0 - load * (1.0 - lost))
}

/// The schedulers, none of which may lose time on one CPU; by the era of a year in which all were maintained.
const SCHEDULERS: [(&str, &str, &str); 4] = [
    ("CFS", "cfs", "4.9"),
    ("ULE", "ule", "11.1"),
    ("4BSD", "4bsd", "2017"),
    ("BFS", "bfs", "0.512"),
];

/// Number of seeds: twenty where the usual effort has five.
fn seeds(effort: Effort) -> u64 {
    4 * effort.seeds
}

/// The run of a system under a scheduler, without its seed.
fn base(key: String, lane: (&'static str, &'static str), system: System, load: Load) -> Run {
    let interarrival_us = WORK_US * 100 / (u32::from(system.servers) * load.percent);
    let after = |jobs: u64| jobs * u64::from(interarrival_us) * 1_000;
    let mut run = Run::new(key, "queueing", super::choice(lane.0, lane.1), "jobs");
    let mut cpus: Vec<serde_json::Value> = Vec::new();
    for cpu in 0..system.servers {
        cpus.push(cpu.into());
    }
    run.set("groups.job.allowed", cpus);
    let [short, long, percent] = TWO;
    let number = |run: &mut Run, param: &str, number: u32| {
        run.set(format!("groups.job.behaviour.{param}"), number);
    };
    number(&mut run, "interarrivalUs", interarrival_us);
    number(&mut run, "serviceUs", WORK_US);
    run.set("groups.job.behaviour.serviceShape", system.work.id());
    number(&mut run, "shortUs", short);
    number(&mut run, "longUs", long);
    number(&mut run, "longPercent", percent);
    run.set("end.atNs", after(load.before + load.measured));
    run.at = vec![after(load.before)];
    run
}

/// Adds the runs of a system at each load, the longest first.
fn all_loads(all: &mut Vec<Run>, system: System, effort: Effort) {
    for load in LOADS.iter().rev() {
        for seed in all_seeds(seeds(effort)) {
            let key = key(&system.runs(*load), seed);
            let mut run = base(key, ("bfs", "0.512"), system, *load);
            run.set("seed", seed);
            all.push(run);
        }
    }
}

fn lane_runs(lane: &str) -> String {
    key(&format!("Q/{lane}"), EIGHTY.percent.into())
}

/// Adds runs of ordinary threads under each scheduler, which take turns as the scheduler decides.
fn any_scheduler(all: &mut Vec<Run>, effort: Effort) {
    for &(_, id, era) in &SCHEDULERS {
        for seed in all_seeds(seeds(effort)) {
            let mut run = base(key(&lane_runs(id), seed), (id, era), MM1, EIGHTY);
            run.set("groups.job.policy", "normal");
            run.set("groups.job.rtPriority", serde_json::Value::Null);
            run.set("seed", seed);
            all.push(run);
        }
    }
}

fn runs(claim: &str, effort: Effort) -> Vec<Run> {
    let mut all = Vec::new();
    let (systems, _) = about(claim);
    for system in systems {
        all_loads(&mut all, *system, effort);
    }
    if systems.is_empty() {
        any_scheduler(&mut all, effort);
    }
    all
}

/// The systems that a claim is about, and its measure; no system if it is about schedulers.
fn about(claim: &str) -> (&'static [System], &'static str) {
    match claim {
        "Q-MM1" => (&[MM1], "wait"),
        "Q-MM2" => (&[MM2], "wait"),
        "Q-MM4" => (&[MM4], "wait"),
        "Q-MD1" => (&[MD1], "wait"),
        "Q-MG1" => (&[MG1], "wait"),
        "Q-little" => (&[MM1, MM4], "little"),
        "Q-idle" => (&[MM4], "waste"),
        _ => (&[], "jobs"),
    }
}

/// The mean over the seeds, with the results so far.
fn mean(results: &Results, runs: &str, value: fn(&Seen) -> f64) -> Estimate {
    mean_of(results, runs, seeds(results.effort()), value)
}

/// Mean wait in ms, if there are runs.
fn wait_ms(results: &Results, system: System, load: Load) -> Option<Estimate> {
    let (runs, seeds) = (system.runs(load), seeds(results.effort()));
    let of = |column: &str| samples(results, &runs, seeds, |seen| seen.grown(column));
    let (waits, started) = (of("waitNs"), of("started"));
    (!waits.is_empty()).then(|| Estimate::ratio(&waits, &started).times(1e-6))
}

/// Mean work in ms.
fn work_ms() -> f64 {
    f64::from(WORK_US) / 1e3
}

fn values(claim: &str, results: &Results) -> Vec<super::Value> {
    let mut values = Values::new();
    let (systems, measure) = about(claim);
    for system in systems {
        for &load in &LOADS {
            let estimate = match measure {
                "little" => mean(results, &system.runs(load), little),
                "waste" => mean(results, &system.runs(load), waste),
                _ => wait_ms(results, *system, load).unwrap_or(Estimate::exact(f64::NAN)),
            };
            let value = values.add(measure, estimate);
            let value = value.of(system.name).at(load.part());
            if measure == "wait" {
                value.published(system.wait(load.part()) * work_ms());
            }
        }
    }
    if systems.is_empty() {
        let load = EIGHTY.part();
        for &(name, id, _) in &SCHEDULERS {
            let value = values.add(measure, mean(results, &lane_runs(id), in_system));
            value.of(name).at(load).published(load / (1.0 - load));
        }
    }
    values.all()
}

/// Mean number of jobs in the system.
fn in_system(seen: &Seen) -> f64 {
    seen.grown("inSystemNs") / seen.grown("elapsedNs")
}

fn little(seen: &Seen) -> f64 {
    let rate = seen.grown("arrived") / seen.grown("elapsedNs");
    let response = seen.grown("responseNs") / seen.grown("finished");
    in_system(seen) / (rate * response)
}

fn waste(seen: &Seen) -> f64 {
    seen.grown("idleWhileWaitingNs") / (seen.grown("elapsedNs") * f64::from(MM4.servers))
}

const WAIT: Frame = Frame {
    id: "wait",
    title: "Wait and load",
    definition: "Mean time from the arrival of a job to its start, in times of the mean work of a job; lines are the formulas \
                 of Erlang, and of Pollaczek and Khinchine.",
    kind: Kind::Curves,
    x: Scale::new("load", ""),
    y: Scale::log("mean wait / mean work", "×"),
    moment: None,
};

fn figures(results: &Results) -> Vec<Figure> {
    let mut figure = Figure::new(&WAIT);
    for &system in &SYSTEMS {
        figure.series.push(series(results, system));
    }
    vec![figure]
}

fn series(results: &Results, system: System) -> Series {
    let id = format!("{}-{}", system.work.id(), u64::from(system.servers));
    let mut series = Series::new(&id, system.name, "", "×");
    for &load in &LOADS {
        if let Some(found) = wait_ms(results, system, load) {
            let keys = keys(results, &system.runs(load), seeds(results.effort()));
            series.add(load.part(), found.times(1.0 / work_ms()), keys);
        }
    }
    for i in 2..=38 {
        let load = f64::from(i) / 40.0;
        series.published.push((load, system.wait(load)));
    }
    series.provenance = "theory";
    series
}

/// Gives each CPU its own queue, and threads that do not move.
fn own_queues(manual: &str) -> Set {
    Set::new("lanes.bfs", json(manual))
}

fn what_ifs() -> Vec<WhatIf> {
    let whole = own_queues(r#"{"id":"manual","tunables":{"sliceMs":1000}}"#);
    let turns = own_queues(r#"{"id":"manual","tunables":{"sliceMs":1}}"#);
    vec![
        what_if("own-queues", "with a queue for each CPU", whole),
        what_if("turns", "with turns of 1 ms", turns),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a / b - 1.0).abs() < 1e-4, "{a}, not {b}");
    }

    /// Tables of Erlang's C: two servers at 0.5, four at 0.8; with one server it equals the load.
    #[test]
    fn the_formulas_give_what_textbooks_do() {
        close(erlang_c(1, 0.8), 0.8);
        close(erlang_c(2, 0.5), 1.0 / 3.0);
        close(erlang_c(4, 0.8), 0.59643);
        close(MM4.wait(0.8), 0.74554);
        close(MM1.wait(0.95), 19.0);
        close(MD1.wait(0.8), 2.0);
        // Second moment divided by the square of the mean: 3.25.
        close(MG1.wait(0.5), 3.25 / 2.0);
    }

    #[test]
    fn times_between_arrivals_are_whole() {
        for system in SYSTEMS {
            for load in LOADS {
                let divisor = u32::from(system.servers) * load.percent;
                assert_eq!(WORK_US * 100 % divisor, 0, "{} {load:?}", system.name);
            }
        }
        let [short, long, percent] = TWO;
        assert_eq!(short * (100 - percent) + long * percent, WORK_US * 100);
    }
}
