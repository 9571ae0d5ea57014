//! A recording beside the model: the same threads under the release of Linux that is nearest, with what the machine said of
//! itself. Each repeat has a run of the model with a seed of its own, so both sides have an interval.

use crate::about::{DISTURBED, nearest};
use crate::record::{About, Recording, Repeat, Thread, Turn};
use serde::Serialize;
use sim_measure::Measures;
use sim_measure::quantity::Quantity;
use sim_measure::student::quantiles;
use sim_run::config::{Scenario, SchedulerChoice};
use sim_run::params::{ParamMap, ParamValue};
use sim_run::sched::{SchedulerInfo, registry};
use std::collections::BTreeMap;

/// Differences of shares up to this are those of a model that fits (measured: 0.001 to 0.002 in 4 s).
pub const NEAR: f64 = 0.005;

/// Time between two of the own turns that nobody else can have used: switches, and interrupts.
const BETWEEN_NS: u64 = 50_000;

/// Lengths are told in whole ms.
const STEP_NS: u64 = 1_000_000;
/// How many lengths are told, and what part of all a length must have to be told.
const TOLD: usize = 3;
const RARE: f64 = 0.05;

/// A mean, and how far the true one may be from it (95 %); nothing is known of one repeat alone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Half the interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<f64>,
}

impl Estimate {
    /// The mean of repeats; `None` if there is none.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // few repeats
    pub fn of(repeats: &[f64]) -> Option<Self> {
        let n = repeats.len();
        if n == 0 {
            return None;
        }
        let mean = repeats.iter().sum::<f64>() / n as f64;
        let within = (n > 1).then(|| {
            let squares = repeats.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>();
            quantiles(n - 1)[0] * (squares / (n - 1) as f64 / n as f64).sqrt()
        });
        Some(Self { mean, within })
    }
}

/// Lengths of one kind over all repeats.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Lengths {
    /// How many.
    pub count: usize,
    /// Their median in ns, by repeat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub median: Option<Estimate>,
    /// The most frequent lengths in whole ms, with their part of all.
    pub typical: Vec<(u64, f64)>,
}

impl Lengths {
    /// Of the lengths of each repeat, in ns.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // lengths of seconds, and numbers of lists in memory
    fn of(repeats: &[Vec<u64>]) -> Self {
        let medians: Vec<f64> = repeats
            .iter()
            .filter_map(|l| median(l))
            .map(|ns| ns as f64)
            .collect();
        let mut whole = BTreeMap::new();
        let all = || repeats.iter().flatten();
        for ns in all() {
            *whole.entry((ns + STEP_NS / 2) / STEP_NS).or_insert(0_usize) += 1;
        }
        let count = all().count();
        let mut typical: Vec<(u64, f64)> = whole
            .into_iter()
            .map(|(ms, n)| (ms, n as f64 / count as f64))
            .collect();
        typical.sort_by(|a, b| b.1.total_cmp(&a.1));
        typical.retain(|(_, part)| *part >= RARE);
        typical.truncate(TOLD);
        Self {
            count,
            median: Estimate::of(&medians),
            typical,
        }
    }
}

fn median(lengths: &[u64]) -> Option<u64> {
    let mut sorted = lengths.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied()
}

/// A measure on both sides.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pair<T> {
    /// On this machine.
    pub here: T,
    /// In the model.
    pub model: T,
}

/// Lengths on both sides.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Both {
    /// On this machine.
    pub here: Lengths,
    /// Of these, those that only own threads began and ended.
    pub uncut: Lengths,
    /// In the model.
    pub model: Lengths,
}

/// A thread on both sides.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// Its part of the CPU time of all threads.
    pub share: Pair<Option<Estimate>>,
    /// Its turns.
    pub turns: Both,
    /// Its waits for a CPU, after it lost one.
    pub waits: Both,
    /// How late it woke; here without the floor.
    pub latencies: Pair<Lengths>,
    /// Moves a second; the model counts each, a thread here only those that it sees at the start of a turn.
    pub moves: Pair<Option<Estimate>>,
}

/// A recording beside the model.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// The machine.
    pub about: About,
    /// CPUs that were used.
    pub cpus: Vec<usize>,
    /// How long each repeat took, in ns.
    pub ns: u64,
    /// How many repeats.
    pub repeats: usize,
    /// Foreign time, as a part of all time of these CPUs.
    pub foreign: f64,
    /// Of it, what the host of a virtual machine took.
    pub stolen: f64,
    /// Whether that disturbs turns and waits.
    pub is_disturbed: bool,
    /// The model's scheduler and era.
    pub scheduler: String,
    /// Its era.
    pub era: String,
    /// The threads.
    pub rows: Vec<Row>,
    /// The largest difference of a share.
    pub farthest: f64,
}

/// Lays a recording beside the model of a scenario. `choice` names a scheduler and an era instead of the nearest.
///
/// # Errors
/// A sentence, if the recording has other threads than the scenario, or the model does not run.
pub fn compare(
    recording: &Recording,
    scenario: &Scenario,
    choice: Option<(&str, &str)>,
) -> Result<Comparison, String> {
    let about = &recording.about;
    let (id, era) = match choice {
        Some(choice) => choice,
        None => nearest(&about.release).ok_or("the recording does not say its release")?,
    };
    let model = model(recording, scenario, id, era)?;
    let first = recording
        .repeats
        .first()
        .ok_or("the recording has no repeats")?;
    let names: Vec<String> = first.threads.iter().map(|t| t.name.clone()).collect();
    let modelled = (0..recording.repeats.len() as u64)
        .map(|i| lengths_of_model(&model, i, &names))
        .collect::<Result<Vec<Vec<Modelled>>, String>>()?;
    let rows = names
        .iter()
        .enumerate()
        .map(|(i, name)| row(recording, &modelled, i, name))
        .collect::<Result<Vec<Row>, String>>()?;
    let differences = rows.iter().filter_map(difference).map(f64::abs);
    let over = |part: fn(&Repeat) -> f64| {
        let parts: Vec<f64> = recording.repeats.iter().map(part).collect();
        Estimate::of(&parts).map_or(0.0, |e| e.mean)
    };
    let foreign = over(|r| r.foreign);
    Ok(Comparison {
        about: about.clone(),
        cpus: recording.cpus.clone(),
        ns: recording.ns,
        repeats: recording.repeats.len(),
        foreign,
        stolen: over(|r| r.stolen),
        is_disturbed: foreign > DISTURBED,
        scheduler: id.to_owned(),
        era: era.to_owned(),
        farthest: differences.fold(0.0, f64::max),
        rows,
    })
}

/// The share here less that of the model.
#[must_use]
pub fn difference(row: &Row) -> Option<f64> {
    Some(row.share.here?.mean - row.share.model?.mean)
}

/// The scenario as the model runs it: one lane, on as many CPUs, in one group, as long.
fn model(
    recording: &Recording,
    scenario: &Scenario,
    id: &str,
    era: &str,
) -> Result<Scenario, String> {
    let info = registry::ALL.find(id).ok_or_else(|| {
        let known = registry::ALL.ids();
        format!("the scheduler must be one of {known}, got \"{id}\"")
    })?;
    let known = info.era(Some(era)).ok_or_else(|| {
        let eras: Vec<&str> = info.eras.iter().map(|e| e.id).collect();
        format!(
            "the era of {id} must be one of {}, got \"{era}\"",
            eras.join(", ")
        )
    })?;
    let mut model = scenario.clone();
    model.drop_guide();
    model.end.at_ns = recording.ns;
    model.schedulers = vec![SchedulerChoice {
        id: id.to_owned(),
        era: Some(era.to_owned()),
        tunables: tunables(info, known.id, &recording.about),
        program: None,
    }];
    let cpus = u16::try_from(recording.cpus.len()).map_err(|e| e.to_string())?;
    for group in &mut model.groups {
        group.allowed.get_or_insert_with(|| (0..cpus).collect());
    }
    Ok(model)
}

/// What the machine said of itself, as far as the scheduler has a tunable for it. All threads are of one session, and so of
/// one group.
fn tunables(info: &'static SchedulerInfo, era: &str, about: &About) -> ParamMap {
    let specs = info.era(Some(era)).map_or(&[][..], |e| e.tunables);
    let mut map = ParamMap::new();
    let mut set = |id: &str, value: Option<ParamValue>| {
        let known = specs.iter().find(|s| s.id == id);
        if let (Some(spec), Some(value)) = (known, value)
            && spec.check(&value).is_ok()
        {
            map.insert(id.to_owned(), value);
        }
    };
    set("hz", about.hz.map(|hz| ParamValue::Int(hz.into())));
    set("groupPerApplication", Some(ParamValue::Flag(false)));
    set(
        "preempt",
        Some(ParamValue::Flag(about.preemption.starts_with("full"))),
    );
    if let Some(slice) = about.base_slice_ns.and_then(|ns| i64::try_from(ns).ok()) {
        set("baseSliceNs", Some(ParamValue::Int(slice)));
        // The machine's slice is after scaling.
        set(
            "tunableScaling",
            Some(ParamValue::Choice("none".to_owned())),
        );
    }
    map
}

/// A thread in a run of the model.
struct Modelled {
    cpu: f64,
    turns: Vec<u64>,
    waits: Vec<u64>,
    latencies: Vec<u64>,
    moves: f64,
}

/// All threads in a run of the model with the seed of a repeat.
fn lengths_of_model(
    model: &Scenario,
    repeat: u64,
    names: &[String],
) -> Result<Vec<Modelled>, String> {
    let mut model = model.clone();
    model.seed += repeat;
    let ns = model.end.at_ns;
    let mut asked = Vec::new();
    for name in names {
        for function in ["cputime", "turns", "waits", "latencies"] {
            asked.push(format!("{function}(1, \"{name}\")"));
        }
    }
    let values = Measures::new(model.clone(), 0).values(&asked)?;
    let moves = moves_of_model(&model, ns, names)?;
    Ok(values
        .chunks(4)
        .zip(moves)
        .map(|(v, moves)| Modelled {
            cpu: number(&v[0]),
            turns: list(&v[1]),
            waits: list(&v[2]),
            latencies: list(&v[3]),
            moves,
        })
        .collect())
}

/// Moves of each thread a second.
#[allow(clippy::cast_precision_loss)] // ns of hours
fn moves_of_model(model: &Scenario, ns: u64, names: &[String]) -> Result<Vec<f64>, String> {
    let plan = sim_run::config::validate::plan(model)
        .map_err(|errors| errors.first().map_or_else(String::new, ToString::to_string))?;
    let mut sim = sim_run::engine::Sim::new(
        &std::sync::Arc::new(plan),
        0,
        sim_run::engine::Options::default(),
    );
    sim.run_until(sim_run::time::SimTime(ns));
    let report = sim_run::report::report(&mut sim);
    let of = |name: &String| {
        let thread = report.threads.iter().find(|t| t.name == *name);
        thread.map_or(0.0, |t| t.migrations as f64 * 1e9 / ns as f64)
    };
    Ok(names.iter().map(of).collect())
}

fn number(quantity: &Quantity) -> f64 {
    match quantity {
        Quantity::Number(x, _) => *x,
        _ => 0.0,
    }
}

/// The lengths of a list, in ns.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // times of a run are whole and not negative
fn list(quantity: &Quantity) -> Vec<u64> {
    match quantity {
        Quantity::List(items) => items.iter().map(|item| number(item) as u64).collect(),
        _ => Vec::new(),
    }
}

/// A thread among all of its repeat.
struct Among<'a> {
    thread: &'a Thread,
    /// All other turns of the repeat, by CPU, in order. On a CPU none begins before the one before it ends.
    others: BTreeMap<usize, Vec<Turn>>,
}

impl<'a> Among<'a> {
    fn new(thread: &'a Thread, others: impl Iterator<Item = Turn>) -> Self {
        let mut by_cpu: BTreeMap<usize, Vec<Turn>> = BTreeMap::new();
        for turn in others {
            by_cpu.entry(turn.cpu).or_default().push(turn);
        }
        for turns in by_cpu.values_mut() {
            turns.sort_unstable_by_key(|t| t.at);
        }
        Self {
            thread,
            others: by_cpu,
        }
    }

    /// The other turns on a CPU that touch a stretch of time.
    fn touching(&self, cpu: usize, from: u64, to: u64) -> &[Turn] {
        let turns = self.others.get(&cpu).map_or(&[][..], Vec::as_slice);
        let first = turns.partition_point(|t| t.end() < from);
        let end = turns.partition_point(|t| t.at <= to);
        &turns[first.min(end)..end]
    }

    /// Own threads have its CPU right before (or after) a time, so that nobody else ended a wait or a turn there.
    fn is_own(&self, cpu: usize, at: u64, begins: bool) -> bool {
        let near = self.touching(cpu, at.saturating_sub(BETWEEN_NS), at + BETWEEN_NS);
        near.iter().any(|t| {
            let border = if begins { t.at } else { t.end() };
            border.abs_diff(at) < BETWEEN_NS
        })
    }

    /// Lengths of its turns: all, or those that only own threads cut.
    fn turns(&self, only_own: bool) -> Vec<u64> {
        let turns = &self.thread.seen.turns;
        let mut before: Option<&Turn> = None;
        let mut lengths = Vec::new();
        for turn in turns {
            let waited = before.replace(turn).is_some_and(|b| b.taken);
            let began = !waited || self.is_own(turn.cpu, turn.at, false);
            let ended = !turn.taken || self.is_own(turn.cpu, turn.end(), true);
            if !only_own || (began && ended) {
                lengths.push(turn.ns);
            }
        }
        lengths
    }

    /// Lengths of its waits after the CPU was taken away: all, or those in which only own threads had the CPU.
    fn waits(&self, only_own: bool) -> Vec<u64> {
        let mut lengths = Vec::new();
        for pair in self.thread.seen.turns.windows(2).filter(|p| p[0].taken) {
            let (from, to) = (pair[0].end(), pair[1].at);
            let own: u64 = self
                .touching(pair[0].cpu, from, to)
                .iter()
                .map(|t| t.end().min(to).saturating_sub(t.at.max(from)))
                .sum();
            let wait = to.saturating_sub(from);
            if !only_own || (own > 0 && wait.saturating_sub(own) < 2 * BETWEEN_NS) {
                lengths.push(wait);
            }
        }
        lengths
    }
}

/// Lengths of a thread's turns or waits, all and uncut, beside the model's.
fn both(
    recording: &Recording,
    i: usize,
    of: fn(&Among<'_>, bool) -> Vec<u64>,
    model: Lengths,
) -> Both {
    let among: Vec<Among<'_>> = recording
        .repeats
        .iter()
        .map(|repeat| {
            let others = repeat.threads.iter().enumerate().filter(|(k, _)| *k != i);
            let turns = others.flat_map(|(_, t)| t.seen.turns.iter().copied());
            Among::new(&repeat.threads[i], turns)
        })
        .collect();
    let lengths = |own| Lengths::of(&among.iter().map(|a| of(a, own)).collect::<Vec<_>>());
    Both {
        here: lengths(false),
        uncut: lengths(true),
        model,
    }
}

#[allow(clippy::cast_precision_loss)] // ns of hours
fn row(
    recording: &Recording,
    modelled: &[Vec<Modelled>],
    i: usize,
    name: &str,
) -> Result<Row, String> {
    let threads = recording
        .repeats
        .iter()
        .map(|r| r.threads.get(i).filter(|t| t.name == *name))
        .collect::<Option<Vec<&Thread>>>()
        .ok_or_else(|| format!("the repeats do not have the same threads: {name}"))?;
    let floor = recording.about.floor_ns.unwrap_or(0);
    let shares: Vec<f64> = recording
        .repeats
        .iter()
        .zip(&threads)
        .map(|(r, t)| {
            t.cpu_ns as f64 / r.threads.iter().map(|t| t.cpu_ns).sum::<u64>().max(1) as f64
        })
        .collect();
    let of_model: Vec<&Modelled> = modelled.iter().map(|run| &run[i]).collect();
    let model_shares: Vec<f64> = modelled
        .iter()
        .map(|run| run[i].cpu / run.iter().map(|t| t.cpu).sum::<f64>().max(1.0))
        .collect();
    let there = |of: fn(&Modelled) -> &Vec<u64>| {
        Lengths::of(&of_model.iter().map(|t| of(t).clone()).collect::<Vec<_>>())
    };
    let seconds = recording.ns as f64 / 1e9;
    let moves: Vec<f64> = threads
        .iter()
        .map(|t| t.seen.moves as f64 / seconds)
        .collect();
    let late: Vec<Vec<u64>> = threads
        .iter()
        .map(|t| {
            t.seen
                .latencies
                .iter()
                .map(|ns| ns.saturating_sub(floor))
                .collect()
        })
        .collect();
    Ok(Row {
        name: name.to_owned(),
        share: Pair {
            here: Estimate::of(&shares),
            model: Estimate::of(&model_shares),
        },
        turns: both(recording, i, |t, own| t.turns(own), there(|t| &t.turns)),
        waits: both(recording, i, |t, own| t.waits(own), there(|t| &t.waits)),
        latencies: Pair {
            here: Lengths::of(&late),
            model: there(|t| &t.latencies),
        },
        moves: Pair {
            here: Estimate::of(&moves),
            model: Estimate::of(&of_model.iter().map(|t| t.moves).collect::<Vec<_>>()),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Seen, VERSION};
    use sim_run::config::validate;

    #[test]
    fn a_mean_has_the_interval_of_its_repeats() {
        assert_eq!(Estimate::of(&[]), None);
        assert_eq!(
            Estimate::of(&[2.0]),
            Some(Estimate {
                mean: 2.0,
                within: None
            })
        );
        let e = Estimate::of(&[1.0, 2.0, 3.0]).expect("of three");
        // t = 4.3027 for two degrees of freedom; s = 1.
        assert!(
            (e.mean - 2.0).abs() < 1e-12
                && (e.within.expect("known") - 4.3027 / 3.0_f64.sqrt()).abs() < 1e-9
        );
    }

    #[test]
    fn lengths_are_told_by_the_ms() {
        let lengths = Lengths::of(&[vec![12_100_000, 11_900_000, 16_000_000], vec![12_000_000]]);
        assert_eq!(
            (lengths.count, &lengths.typical[..]),
            (4, &[(12, 0.75), (16, 0.25)][..])
        );
        assert_eq!(lengths.median.map(|e| e.mean), Some(12_050_000.0));
        assert_eq!(Lengths::of(&[Vec::new()]), Lengths::default());
    }

    /// A turn on CPU 1, in ms.
    fn turn(at: u64, ms: u64, taken: bool) -> Turn {
        Turn {
            at: at * 1_000_000,
            ns: ms * 1_000_000,
            cpu: 1,
            taken,
        }
    }

    #[test]
    fn turns_that_others_cut_are_told_apart() {
        let of = |turns: &[Turn], others: &[Turn]| {
            let thread = Thread {
                seen: Seen {
                    turns: turns.to_vec(),
                    ..Seen::default()
                },
                ..Thread::default()
            };
            let among = Among::new(&thread, others.iter().copied());
            let ms = |ns: Vec<u64>| ns.iter().map(|ns| ns / 1_000_000).collect::<Vec<_>>();
            [
                among.turns(false),
                among.turns(true),
                among.waits(false),
                among.waits(true),
            ]
            .map(ms)
        };
        // Somebody else has the CPU from 20 to 23; the other own thread from 12 to 16 and from 31 to 35.
        let turns = [
            turn(0, 12, true),
            turn(16, 4, true),
            turn(23, 8, true),
            turn(35, 12, false),
            turn(60, 1, true),
        ];
        let others = [turn(12, 4, true), turn(31, 4, true)];
        let [all, uncut, waits, own] = of(&turns, &others);
        assert_eq!((all, uncut), (vec![12, 4, 8, 12, 1], vec![12, 12]));
        assert_eq!((waits, own), (vec![4, 3, 4], vec![4, 4]));
        // Where nobody of the run had the CPU, it was somebody else, however short.
        let short = Turn {
            at: 12_020_000,
            ..turn(12, 4, true)
        };
        assert_eq!(of(&[turn(0, 12, true), short], &[])[3], Vec::<u64>::new());
        // On another CPU they are no neighbours.
        let elsewhere = others.map(|t| Turn { cpu: 0, ..t });
        assert_eq!(of(&turns, &elsewhere)[1], Vec::<u64>::new());
    }

    fn recording(release: &str) -> Recording {
        let text = r#"{ "version": 2, "name": "x", "machine": "r3900x", "schedulers": [{ "id": "ule" }],
            "groups": [
                { "name": "a b", "count": 1, "allowed": [0], "behaviour": { "kind": "compute" } },
                { "name": "b", "count": 1, "nice": 5, "behaviour": { "kind": "compute" } }
            ], "end": { "atNs": 60000000000 } }"#;
        let thread = |name: &str, cpu_ns: u64| Thread {
            name: name.to_owned(),
            cpu_ns,
            seen: Seen {
                turns: vec![turn(0, 12, true)],
                latencies: vec![90_000],
                ..Seen::default()
            },
            ..Thread::default()
        };
        Recording {
            real_version: VERSION,
            scenario: validate::parse(text).expect("a scenario"),
            about: About {
                release: release.to_owned(),
                hz: Some(250),
                base_slice_ns: Some(2_800_000),
                floor_ns: Some(50_000),
                ..About::default()
            },
            cpus: vec![1],
            ns: 2_000_000_000,
            repeats: vec![
                Repeat {
                    foreign: 0.3,
                    stolen: 0.0,
                    threads: vec![thread("a b-1", 750), thread("b-1", 250)],
                };
                2
            ],
        }
    }

    #[test]
    fn the_model_has_the_machines_release_and_cpus() {
        let recording = recording("6.12.3");
        let compared = compare(&recording, &recording.scenario, None).expect("comparable");
        assert_eq!(
            (compared.scheduler.as_str(), compared.era.as_str()),
            ("eevdf", "6.12")
        );
        assert!(compared.is_disturbed);
        let first = &compared.rows[0];
        // Both have one CPU, so the weights of nice 0 and 5 decide.
        let model = first.share.model.expect("ran").mean;
        assert!((model - 0.7537).abs() < 0.005, "{model}");
        assert_eq!(first.share.here.map(|e| e.mean), Some(0.75));
        assert!(
            compared.farthest > 0.0 && compared.farthest < NEAR,
            "{compared:?}"
        );
        // 12 ms at 250 Hz with a slice of 2.8 ms.
        assert_eq!(first.turns.model.typical[0].0, 12, "{:?}", first.turns);
        assert_eq!(first.latencies.here.median.map(|e| e.mean), Some(40_000.0));
        let tunables =
            |about: &About| tunables(registry::ALL.find("eevdf").expect("there"), "6.12", about);
        assert_eq!(
            tunables(&recording.about)["baseSliceNs"],
            ParamValue::Int(2_800_000)
        );
        assert!(
            !tunables(&About::default()).contains_key("baseSliceNs"),
            "not read, not set"
        );
    }

    #[test]
    fn another_scheduler_can_be_asked_for() {
        let recording = recording("6.12.3");
        let of = |choice| compare(&recording, &recording.scenario, Some(choice));
        assert_eq!(of(("cfs", "4.9")).expect("comparable").era, "4.9");
        let told = of(("fair", "1")).expect_err("unknown");
        assert!(told.starts_with("the scheduler must be one of "), "{told}");
        let told = of(("eevdf", "5.0")).expect_err("unknown");
        assert!(
            told.starts_with("the era of eevdf must be one of 6.12, "),
            "{told}"
        );
    }
}
