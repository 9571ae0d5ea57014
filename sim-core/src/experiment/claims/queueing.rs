//! The theory of queues: jobs that arrive at random on CPUs that cost nothing, where formulas give waits exactly.
//!
//! What is verified is the simulator: clock, arrivals, queues, wake-ups and accounts. One queue in order of arrival is that
//! of real-time threads under BFS 0.512. Theory stands where published numbers do elsewhere. Runs begin empty; what comes
//! before their first look is left out.

use super::{Effort, Experiment, Measure, Page, Results, Seen, Value};
use crate::experiment::change::{Change, WhatIf};
use crate::experiment::figure::{Axis, Figure, Kind, Point, Series};
use crate::experiment::run::Run;
use crate::experiment::stats::Estimate;
use serde_json::json;

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

/// Mean work of a job in µs: a multiple of all loads times servers, so that times between arrivals are whole.
const WORK_US: u32 = 1_520;
/// Work of short and long jobs in µs, and how many of a hundred are long: the mean is the same.
const TWO: [u32; 3] = [760, 8_360, 10];

/// A load: by what part of a server's time times servers the time between arrivals is shorter.
#[derive(Clone, Copy, Debug)]
struct Load {
    percent: u32,
    /// Jobs that are left out at the start, and jobs that are measured. Near 1 a queue forgets slowly.
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

/// How work is distributed.
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

    /// Variance over the square of the mean.
    fn variation(self) -> f64 {
        match self {
            Self::Exponential => 1.0,
            Self::Fixed => 0.0,
            Self::TwoValued => {
                let [short, long, percent] = TWO.map(f64::from);
                let p = percent / 100.0;
                let apart = (long - short) / f64::from(WORK_US);
                p * (1.0 - p) * apart * apart
            }
        }
    }
}

/// Poisson arrivals, one queue, and this.
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
    /// Mean wait over mean work at a load below 1.
    fn wait(self, load: f64) -> f64 {
        if self.servers == 1 {
            pollaczek_khinchine(load, self.work.variation())
        } else {
            erlang_c(self.servers, load) / (f64::from(self.servers) * (1.0 - load))
        }
    }
}

/// Mean wait over mean work with one server: load × (1 + variation) / (2 × (1 - load)).
fn pollaczek_khinchine(load: f64, variation: f64) -> f64 {
    load * (1.0 + variation) / (2.0 * (1.0 - load))
}

/// Part of the jobs that wait (Erlang's C), by the recursion of the part that is lost where nobody can wait (his B).
fn erlang_c(servers: u16, load: f64) -> f64 {
    let offered = f64::from(servers) * load;
    let next = |lost: f64, n: u16| offered * lost / (f64::from(n) + offered * lost);
    let lost = (1..=servers).fold(1.0, next);
    lost / (1.0 - load * (1.0 - lost))
}

/// The schedulers of which none may lose time on one CPU, by the era of a year in which all were maintained.
const SCHEDULERS: [(&str, &str, &str); 4] = [
    ("CFS", "cfs", "4.9"),
    ("ULE", "ule", "11.1"),
    ("4BSD", "4bsd", "2017"),
    ("BFS", "bfs", "0.512"),
];

/// Twenty with the usual five.
fn seeds(effort: Effort) -> u64 {
    4 * effort.seeds
}

fn key(system: System, load: Load, seed: u64) -> String {
    let (work, servers) = (system.work.id(), system.servers);
    format!("Q/{work}/{servers}/{}/{seed}", load.percent)
}

/// The run of a system under some scheduler.
fn base(key: String, lane: (&'static str, &'static str), system: System, load: Load) -> Run {
    let interarrival_us = WORK_US * 100 / (u32::from(system.servers) * load.percent);
    let after = |jobs: u64| jobs * u64::from(interarrival_us) * 1_000;
    let [short, long, percent] = TWO;
    let cpus: Vec<u16> = (0..system.servers).collect();
    let mut run = Run::new(key, "queueing", super::choice(lane.0, lane.1), "jobs")
        .group("job", "allowed", json!(cpus))
        .param("job", "interarrivalUs", interarrival_us)
        .param("job", "serviceUs", WORK_US)
        .param("job", "serviceShape", system.work.id())
        .param("job", "shortUs", short)
        .param("job", "longUs", long)
        .param("job", "longPercent", percent)
        .end(after(load.before + load.measured));
    run.at = vec![after(load.before)];
    run
}

fn one(system: System, load: Load, seed: u64) -> Run {
    base(key(system, load, seed), ("bfs", "0.512"), system, load).seed(seed)
}

/// The runs of a system at each load, the longest first.
fn all_loads(system: System, effort: Effort) -> Vec<Run> {
    let loads = LOADS.into_iter().rev();
    let each = loads.flat_map(|load| (1..=seeds(effort)).map(move |seed| one(system, load, seed)));
    each.collect()
}

fn lane_key(lane: &str, seed: u64) -> String {
    format!("Q/{lane}/{}/{seed}", EIGHTY.percent)
}

/// Ordinary threads of each scheduler, which take turns as it wants.
fn any_scheduler(effort: Effort) -> Vec<Run> {
    let lanes = SCHEDULERS.into_iter();
    let each = lanes.flat_map(|(_, id, era)| {
        (1..=seeds(effort)).map(move |seed| {
            base(lane_key(id, seed), (id, era), MM1, EIGHTY)
                .group("job", "policy", "normal")
                .group("job", "rtPriority", json!(null))
                .seed(seed)
        })
    });
    each.collect()
}

fn runs(claim: &str, effort: Effort) -> Vec<Run> {
    match system_of(claim) {
        Some(system) => all_loads(system, effort),
        None if claim == "Q-little" => [MM1, MM4]
            .into_iter()
            .flat_map(|system| all_loads(system, effort))
            .collect(),
        None if claim == "Q-idle" => all_loads(MM4, effort),
        None => any_scheduler(effort),
    }
}

/// The system whose waits a claim is about.
fn system_of(claim: &str) -> Option<System> {
    match claim {
        "Q-MM1" => Some(MM1),
        "Q-MM2" => Some(MM2),
        "Q-MM4" => Some(MM4),
        "Q-MD1" => Some(MD1),
        "Q-MG1" => Some(MG1),
        _ => None,
    }
}

/// What each seed gave, as far as there are results.
fn samples(
    results: &Results,
    key: impl Fn(u64) -> String,
    value: impl Fn(&Seen) -> f64,
) -> Vec<f64> {
    let seeds = 1..=seeds(results.effort());
    let found = seeds.filter_map(|seed| results.find(&key(seed)));
    found.map(value).collect()
}

/// Mean wait in ms, if there are runs.
fn wait_ms(results: &Results, system: System, load: Load) -> Option<Estimate> {
    let of = |column: &str| {
        samples(
            results,
            |seed| key(system, load, seed),
            |seen| seen.grown(column),
        )
    };
    let (waits, started) = (of("waitNs"), of("started"));
    (!waits.is_empty()).then(|| Estimate::ratio(&waits, &started).times(1e-6))
}

/// Mean work in ms.
fn work_ms() -> f64 {
    f64::from(WORK_US) / 1e3
}

fn values(claim: &str, results: &Results) -> Vec<Value> {
    let of_system = |measure: &'static str, system: System, value: fn(&Seen) -> f64| {
        LOADS.map(|load| {
            let all = samples(results, |seed| key(system, load, seed), value);
            Value::new(measure, Estimate::mean(&all))
                .of(system.name)
                .at(load.part())
        })
    };
    match system_of(claim) {
        Some(system) => waits(results, system),
        None if claim == "Q-little" => [MM1, MM4]
            .into_iter()
            .flat_map(|system| of_system("little", system, little))
            .collect(),
        None if claim == "Q-idle" => of_system("waste", MM4, waste).into(),
        None => SCHEDULERS
            .map(|(name, id, _)| {
                let all = samples(results, |seed| lane_key(id, seed), in_system);
                let load = EIGHTY.part();
                Value::new("jobs", Estimate::mean(&all))
                    .of(name)
                    .at(load)
                    .published(load / (1.0 - load))
            })
            .into(),
    }
}

fn waits(results: &Results, system: System) -> Vec<Value> {
    let value = |load: Load| {
        let found = wait_ms(results, system, load);
        let theory = system.wait(load.part()) * work_ms();
        Value::new("wait", found.unwrap_or(Estimate::exact(f64::NAN)))
            .of(system.name)
            .at(load.part())
            .published(theory)
    };
    LOADS.map(value).into()
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

fn figures(results: &Results) -> Vec<Figure> {
    vec![Figure {
        id: "wait".to_owned(),
        title: "Wait and load".to_owned(),
        definition: "Mean time from the arrival of a job to its start, in times of the mean work of a job; lines are the \
                     formulas of Erlang, and of Pollaczek and Khinchine."
            .to_owned(),
        kind: Kind::Curves,
        x: Axis::new("load", ""),
        y: Axis::log("mean wait / mean work", "×"),
        series: SYSTEMS.map(|system| series(results, system)).into(),
        ..Figure::default()
    }]
}

fn series(results: &Results, system: System) -> Series {
    let point = |load: Load| {
        let found = wait_ms(results, system, load)?;
        let seeds = 1..=seeds(results.effort());
        Some(Point {
            x: load.part(),
            estimate: found.times(1.0 / work_ms()),
            keys: results.known(seeds.map(|seed| key(system, load, seed))),
        })
    };
    let curve = (2..=38).map(|i| {
        let load = f64::from(i) / 40.0;
        (load, system.wait(load))
    });
    Series {
        id: format!("{}-{}", system.work.id(), system.servers),
        label: system.name.to_owned(),
        unit: "×".to_owned(),
        points: LOADS.into_iter().filter_map(point).collect(),
        published: curve.collect(),
        provenance: "theory",
        ..Series::default()
    }
}

/// A queue for each CPU, and threads that stay where they are.
fn own_queues(slice_ms: u32) -> Change {
    Change::Lane {
        scheduler: "bfs".to_owned(),
        instead: json!({ "id": "manual", "tunables": { "sliceMs": slice_ms } }),
    }
}

fn what_ifs() -> Vec<WhatIf> {
    vec![
        WhatIf {
            id: "own-queues",
            label: "with a queue for each CPU",
            changes: vec![own_queues(1_000)],
        },
        WhatIf {
            id: "turns",
            label: "with turns of 1 ms",
            changes: vec![own_queues(1)],
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a / b - 1.0).abs() < 1e-4, "{a}, not {b}");
    }

    /// Tables of Erlang's C: two servers at 0.5, four at 0.8, and with one server the load itself.
    #[test]
    fn the_formulas_give_what_textbooks_do() {
        close(erlang_c(1, 0.8), 0.8);
        close(erlang_c(2, 0.5), 1.0 / 3.0);
        close(erlang_c(4, 0.8), 0.59643);
        close(MM4.wait(0.8), 0.74554);
        close(MM1.wait(0.95), 19.0);
        close(MD1.wait(0.8), 2.0);
        // Second moment over the square of the mean: 3.25.
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
