//! A recording beside the model: the same threads under the release of Linux that is nearest, with what the machine said of
//! itself. Each repeat has a run of the model with a seed of its own, so both sides have an interval.

use crate::about::{DISTURBED, nearest};
use crate::record::{About, Recording, Repeat, Thread};
use serde::Serialize;
use sim_measure::Measures;
use sim_measure::quantity::Quantity;
use sim_measure::student::quantiles;
use sim_run::config::{Scenario, SchedulerChoice};
use sim_run::params::{ParamMap, ParamValue};
use sim_run::sched::{SchedulerInfo, registry};

/// Differences of shares up to this are those of a model that fits (measured: 0.001 to 0.002 in 4 s).
pub const NEAR: f64 = 0.005;

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
        let mut whole = std::collections::BTreeMap::new();
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

/// A thread on both sides.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// Its part of the CPU time of all threads.
    pub share: Pair<Option<Estimate>>,
    /// Its turns.
    pub turns: Pair<Lengths>,
    /// Its waits for a CPU, after it lost one.
    pub waits: Pair<Lengths>,
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
    let here = |of: fn(&Thread) -> Vec<u64>| {
        Lengths::of(&threads.iter().map(|t| of(t)).collect::<Vec<_>>())
    };
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
        turns: Pair {
            here: here(|t| t.seen.turns.clone()),
            model: there(|t| &t.turns),
        },
        waits: Pair {
            here: here(|t| t.seen.waits.clone()),
            model: there(|t| &t.waits),
        },
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
                turns: vec![12_000_000],
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
