//! A recording beside the model: the same threads under the release of Linux that is nearest, with what the machine said of
//! itself. Each repeat has a run of the model with a seed of its own, so both sides have an interval.

mod lengths;
mod model;

use crate::about::{DISTURBED, nearest};
use crate::record::{About, Recording, Repeat, Thread};
pub use lengths::Lengths;
use lengths::{Among, estimate};
use model::{Modelled, lengths_of_model, model};
use serde::Serialize;
pub use sim_core::experiment::stats::Estimate;
use sim_run::config::Scenario;

/// Differences of shares up to this are those of a model that fits (measured: 0.001 to 0.002 in 4 s).
pub const NEAR: f64 = 0.005;

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
    /// Its waits for a CPU, after it lost one or woke; here without the floor of a wake-up.
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
        estimate(&parts).map_or(0.0, |e| e.mean)
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

/// The scenario as the nearest release of the model runs it: what [`compare`] lays a recording beside.
///
/// # Errors
/// A sentence, if the recording does not say its release.
pub fn modelled(recording: &Recording) -> Result<Scenario, String> {
    let (id, era) =
        nearest(&recording.about.release).ok_or("the recording does not say its release")?;
    model(recording, &recording.scenario, id, era)
}

/// The share here less that of the model.
#[must_use]
pub fn difference(row: &Row) -> Option<f64> {
    Some(row.share.here?.mean - row.share.model?.mean)
}

/// Lengths of a thread's turns or waits, all and uncut, beside the model's.
fn both(
    recording: &Recording,
    i: usize,
    of: fn(&Among<'_>, bool, u64) -> Vec<u64>,
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
    let floor = recording.about.floor_ns.unwrap_or(0);
    let lengths = |own| Lengths::of(&among.iter().map(|a| of(a, own, floor)).collect::<Vec<_>>());
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
            here: estimate(&shares),
            model: estimate(&model_shares),
        },
        turns: both(recording, i, |t, own, _| t.turns(own), there(|t| &t.turns)),
        waits: both(
            recording,
            i,
            |t, own, floor| t.waits(own, floor),
            there(|t| &t.waits),
        ),
        latencies: Pair {
            here: Lengths::of(&late),
            model: there(|t| &t.latencies),
        },
        moves: Pair {
            here: estimate(&moves),
            model: estimate(&of_model.iter().map(|t| t.moves).collect::<Vec<_>>()),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::model::tunables;
    use super::*;
    use crate::record::{End, Seen, Turn, VERSION};
    use sim_run::config::validate;
    use sim_run::params::ParamValue;
    use sim_run::sched::registry;

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
                turns: vec![Turn {
                    at: 0,
                    ns: 12_000_000,
                    cpu: 1,
                    by: End::Taken,
                }],
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
                    traced: false,
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
