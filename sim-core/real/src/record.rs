//! What was seen, as it is kept in a file.

use crate::MAX_CPU;
use crate::about::nearest;
use crate::jobs::jobs;
use crate::perform::MAX_KEPT;
use serde::{Deserialize, Serialize};
use serde_path_to_error::deserialize;
use sim_run::config::{Scenario, validate};
use sim_run::error::{ConfigError, Problems};
use std::fmt::Display;
use std::ops::RangeInclusive;

/// Version of the file.
pub const VERSION: u32 = 1;

/// A scenario that was run on a machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Recording {
    /// Version of this format.
    pub real_version: u32,
    /// The scenario.
    pub scenario: Scenario,
    /// The machine.
    pub about: About,
    /// CPUs of the machine that were used.
    pub cpus: Vec<usize>,
    /// How long each repeat took, in ns.
    pub ns: u64,
    /// The repeats.
    pub repeats: Vec<Repeat>,
}

impl Recording {
    /// Reads a file of a run.
    ///
    /// # Errors
    /// All that is wrong with it, with its place.
    pub fn read(text: &str) -> Result<Self, Vec<ConfigError>> {
        let mut json = serde_json::Deserializer::from_str(text);
        let recording: Self =
            deserialize(&mut json).map_err(|e| vec![misread(&e.path().to_string(), e.inner())])?;
        json.end().map_err(|e| vec![misread("", &e)])?;
        let mut wrong = Problems::default();
        recording.check(&mut wrong);
        if wrong.is_empty() {
            recording.check_threads(&mut wrong);
        }
        if wrong.is_empty() {
            Ok(recording)
        } else {
            Err(wrong.into_errors())
        }
    }

    fn check(&self, wrong: &mut Problems) {
        within(wrong, "realVersion", self.real_version, VERSION..=VERSION);
        within(wrong, "ns", self.ns, SHORTEST_NS..=LONGEST_NS);
        within(wrong, "cpus", self.cpus.len(), 1..=MAX_CPU + 1);
        for (i, cpu) in self.cpus.iter().enumerate() {
            within(wrong, &format!("cpus[{i}]"), *cpu, 0..=MAX_CPU);
            if self.cpus[..i].contains(cpu) {
                wrong.add(format!("cpus[{i}]"), format!("CPU {cpu} is there twice"));
            }
        }
        if nearest(&self.about.release).is_none() {
            let got = sim_run::text::visible(&self.about.release);
            let got: String = got.chars().take(40).collect();
            wrong.add(
                "about.release",
                format!("must be a release of Linux such as 6.18.44, got \"{got}\""),
            );
        }
        within(wrong, "repeats", self.repeats.len(), 1..=MOST_REPEATS);
        for (i, repeat) in self.repeats.iter().enumerate().take(MOST_REPEATS) {
            let path = format!("repeats[{i}]");
            for (name, part) in [("foreign", repeat.foreign), ("stolen", repeat.stolen)] {
                within(wrong, &format!("{path}.{name}"), part, 0.0..=1.0);
            }
            for (k, thread) in repeat.threads.iter().enumerate() {
                thread.check(wrong, &format!("{path}.threads[{k}]"));
            }
        }
    }

    /// Each repeat has the threads of the scenario.
    fn check_threads(&self, wrong: &mut Problems) {
        let mut of_scenario = |errors: Vec<ConfigError>| {
            for ConfigError { path, message } in errors {
                wrong.add(format!("scenario.{path}"), message);
            }
        };
        let plan = match validate::plan(&self.scenario) {
            Ok(plan) => plan,
            Err(errors) => return of_scenario(errors),
        };
        match jobs(&plan, &self.cpus) {
            Ok(jobs) => {
                let names: Vec<&str> = jobs.iter().map(|job| job.name.as_str()).collect();
                self.has_threads(&names, wrong);
            }
            Err(errors) => of_scenario(errors),
        }
    }

    /// Tells of each repeat whose threads are not those of a list.
    fn has_threads(&self, names: &[&str], wrong: &mut Problems) {
        for (i, repeat) in self.repeats.iter().enumerate() {
            let here = repeat.threads.iter().map(|t| t.name.as_str());
            if !here.eq(names.iter().copied()) {
                let list = names.join(", ");
                wrong.add(
                    format!("repeats[{i}].threads"),
                    format!("must be those of the scenario: {list}"),
                );
            }
        }
    }
}

/// Why a text was not read, at a path. A field that is missing is named itself; where a text is no JSON, it is in no field.
fn misread(path: &str, e: &serde_json::Error) -> ConfigError {
    let reason = e.to_string();
    let what = reason
        .rsplit_once(" at ")
        .map_or(&*reason, |(what, _)| what);
    let what: String = sim_run::text::visible(what).chars().take(100).collect();
    let missing = what.strip_prefix("missing field `");
    let place = if !e.is_data() {
        format!("line {}, column {}", e.line(), e.column())
    } else if let Some(field) = missing {
        let field = field.trim_end_matches('`');
        let parent = path.trim_start_matches('.');
        if parent.is_empty() {
            field.to_owned()
        } else {
            format!("{parent}.{field}")
        }
    } else {
        path.to_owned()
    };
    let what = if missing.is_some() {
        "is missing"
    } else {
        &*what
    };
    ConfigError::new(
        place,
        format!("{what}; this is no file of `timeslice real`"),
    )
}

/// Tells of a value that is out of its range.
fn within<T: PartialOrd + Display>(
    wrong: &mut Problems,
    path: &str,
    value: T,
    range: RangeInclusive<T>,
) {
    if range.contains(&value) {
        return;
    }
    let (from, to) = range.into_inner();
    wrong.add_with(|| {
        let message = if from == to {
            format!("must be {from}, got {value}")
        } else {
            format!("must be from {from} to {to}, got {value}")
        };
        ConfigError::new(path, message)
    });
}

/// Shortest and longest repeat.
pub const SHORTEST_NS: u64 = 100_000_000;
/// See [`SHORTEST_NS`].
pub const LONGEST_NS: u64 = 600_000_000_000;
/// Most repeats.
pub const MOST_REPEATS: usize = 100;
/// No time of a run is longer: its own, and some for a host that takes the machine away.
const ANY_NS: u64 = 4 * LONGEST_NS;

/// What is known of a machine. What cannot be read is left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct About {
    /// The kernel's release, such as 6.18.44.
    pub release: String,
    /// Name of the processor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processor: Option<String>,
    /// CPUs that are in use.
    pub online: usize,
    /// Ticks a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hz: Option<u32>,
    /// Preemption inside the kernel, in words.
    pub preemption: String,
    /// Slice of a thread that asks for none, in ns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_slice_ns: Option<u64>,
    /// Whether each session is a group of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub autogroup: Option<bool>,
    /// Whether it is a virtual machine.
    #[serde(rename = "virtual")]
    pub is_virtual: bool,
    /// How late a sleeper wakes that nobody holds up, in ns: the lower quartile of many short sleeps before the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor_ns: Option<u64>,
}

/// All threads, run once.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Repeat {
    /// Time of others on the CPUs that were used, as a part of all their time: what `/proc/stat` counts as busy, without
    /// the own threads.
    pub foreign: f64,
    /// Of it, the time that the host of a virtual machine took.
    pub stolen: f64,
    /// Whether turns are those of the kernel's trace. Otherwise they are what threads saw themselves.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub traced: bool,
    /// The threads.
    pub threads: Vec<Thread>,
}

/// A thread, run once.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Thread {
    /// Its name in the scenario.
    pub name: String,
    /// CPU time by the kernel's account, in ns.
    pub cpu_ns: u64,
    /// Time in the queue, by the kernel's account (`schedstat`), in ns. It counts waits for everybody's threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queued_ns: Option<u64>,
    /// How often it got a CPU (`schedstat`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dispatches: Option<u64>,
    /// How often it gave its CPU up.
    pub voluntary: u64,
    /// How often the CPU was taken away.
    pub involuntary: u64,
    /// What it saw itself.
    pub seen: Seen,
}

impl Thread {
    fn check(&self, wrong: &mut Problems, path: &str) {
        within(wrong, &format!("{path}.cpuNs"), self.cpu_ns, 0..=ANY_NS);
        let seen = &self.seen;
        for (name, count) in [
            ("turns", seen.turns.len()),
            ("latencies", seen.latencies.len()),
        ] {
            within(wrong, &format!("{path}.seen.{name}"), count, 0..=MAX_KEPT);
        }
        let mut before = 0;
        for (i, turn) in seen.turns.iter().enumerate() {
            let is_right =
                (before..=ANY_NS).contains(&turn.at) && turn.ns <= ANY_NS && turn.cpu <= MAX_CPU;
            if !is_right {
                wrong.add_with(|| {
                    let message = format!(
                        "must be a begin from {before}, a length, both up to {ANY_NS} ns, a CPU up to {MAX_CPU} and an end; got {}, {} and {}",
                        turn.at, turn.ns, turn.cpu
                    );
                    ConfigError::new(format!("{path}.seen.turns[{i}]"), message)
                });
                break;
            }
            before = turn.end();
        }
        let late = seen.latencies.iter().position(|ns| *ns > ANY_NS);
        if let Some(i) = late {
            let path = format!("{path}.seen.latencies[{i}]");
            within(wrong, &path, seen.latencies[i], 0..=ANY_NS);
        }
    }
}

/// What a thread saw itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Seen {
    /// Time in which it computed, in ns.
    pub work_ns: u64,
    /// Its turns, in order. Files of older programs lack the last one, which the end of the run or of the thread cut off.
    pub turns: Vec<Turn>,
    /// How late it woke, each time, in ns.
    pub latencies: Vec<u64>,
    /// How often it found itself on another CPU.
    pub moves: u64,
    /// How often it yielded.
    pub yields: u64,
    /// How often it stood still for more than 5 µs without a switch: interrupts, or the host of a virtual machine.
    pub interruptions: u64,
    /// For how long altogether, in ns.
    pub interrupted_ns: u64,
    /// Whether its program came to its end.
    pub exited: bool,
}

/// How a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The thread slept.
    Slept,
    /// The CPU was taken away.
    Taken,
    /// The thread let others go first.
    Yielded,
    /// The thread waited for another one's token.
    Waited,
    /// The run was over, or the thread.
    Over,
}

impl End {
    /// Whether the thread wanted nothing more for now.
    #[must_use]
    pub fn is_own_wish(self) -> bool {
        matches!(self, Self::Slept | Self::Waited)
    }

    const ALL: [Self; 5] = [
        Self::Slept,
        Self::Taken,
        Self::Yielded,
        Self::Waited,
        Self::Over,
    ];
}

/// A turn: from getting a CPU to losing it or giving it up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Turn {
    /// Its begin, in ns after the common start.
    pub at: u64,
    /// Its length, in ns.
    pub ns: u64,
    /// The CPU.
    pub cpu: usize,
    /// How it ended; in a file 0 to 4 in the order of [`End`].
    pub by: End,
}

impl Turn {
    /// Its end, in ns after the common start.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.at + self.ns
    }
}

/// A turn as it stands in a file.
type Written = (u64, u64, usize, u8);

impl TryFrom<Written> for Turn {
    type Error = String;

    fn try_from((at, ns, cpu, by): Written) -> Result<Self, String> {
        let ends = End::ALL.get(usize::from(by));
        let by = *ends.ok_or_else(|| format!("the end of a turn must be from 0 to 4, got {by}"))?;
        Ok(Self { at, ns, cpu, by })
    }
}

impl From<Turn> for Written {
    fn from(t: Turn) -> Self {
        (t.at, t.ns, t.cpu, t.by as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn whole() -> Value {
        let thread = json!({
            "name": "hog-1", "cpuNs": 900_000_000, "voluntary": 0, "involuntary": 2,
            "seen": {
                "workNs": 900_000_000, "turns": [[0, 4_000_000, 1, 1], [6_000_000, 4_000_000, 1, 4]],
                "latencies": [5], "moves": 0, "yields": 0, "interruptions": 0, "interruptedNs": 0, "exited": false,
            },
        });
        json!({
            "realVersion": 1,
            "scenario": {
                "version": 2, "name": "x", "machine": "r3900x", "schedulers": [{ "id": "eevdf" }],
                "groups": [{ "name": "hog", "count": 1, "behaviour": { "kind": "compute" } }],
                "end": { "atNs": 1_000_000_000 },
            },
            "about": { "release": "6.18.44" },
            "cpus": [1],
            "ns": 1_000_000_000,
            "repeats": [{ "foreign": 0.1, "stolen": 0.0, "threads": [thread] }],
        })
    }

    #[test]
    fn a_damaged_file_is_refused_with_the_name_of_the_field() {
        assert!(Recording::read(&whole().to_string()).is_ok());
        let hog = "/repeats/0/threads/0";
        for (place, value, wanted) in [
            ("/realVersion", json!(9), "realVersion: must be 1, got 9"),
            ("/ns", json!(5), "ns: must be from 100000000 to"),
            ("/cpus", json!([]), "cpus: must be from 1 to"),
            ("/cpus", json!([1, 1]), "cpus[1]: CPU 1 is there twice"),
            (
                "/about/release",
                json!("?"),
                "about.release: must be a release",
            ),
            (
                "/repeats",
                json!([]),
                "repeats: must be from 1 to 100, got 0",
            ),
            (
                "/repeats/0/foreign",
                json!(3.5),
                "repeats[0].foreign: must be",
            ),
            (
                "/repeats/0/threads",
                json!([]),
                "repeats[0].threads: must be those of the scenario: hog-1",
            ),
            (
                &format!("{hog}/cpuNs"),
                json!(-1),
                "repeats[0].threads[0].cpuNs: invalid value",
            ),
            (
                &format!("{hog}/cpuNs"),
                json!(u64::MAX),
                "repeats[0].threads[0].cpuNs: must be from 0",
            ),
            (
                &format!("{hog}/seen/turns/1"),
                json!([5, 5, 1, 1]),
                "repeats[0].threads[0].seen.turns[1]: must be a begin from 4000000",
            ),
            (
                &format!("{hog}/seen/turns/1"),
                json!([5_000_000, u64::MAX, 1, 1]),
                "repeats[0].threads[0].seen.turns[1]: must",
            ),
            (
                &format!("{hog}/seen/turns/0"),
                json!([5, 5, 1, 9]),
                "repeats[0].threads[0].seen.turns[0]: the end of a turn",
            ),
            (
                &format!("{hog}/seen"),
                json!({}),
                "repeats[0].threads[0].seen.workNs: is missing",
            ),
            ("/scenario/machine", json!("abacus"), "scenario.machine: "),
            (
                "/scenario/groups/0/behaviour/kind",
                json!("pipeline"),
                "scenario.groups[0].behaviour.kind: \"pipeline\" cannot",
            ),
        ] {
            let mut file = whole();
            *file.pointer_mut(place).expect("a field") = value;
            let errors = Recording::read(&file.to_string()).expect_err(wanted);
            assert!(
                errors[0].to_string().starts_with(wanted),
                "{wanted}: {errors:?}"
            );
        }
        for (text, wanted) in [
            (
                "{}",
                "realVersion: is missing; this is no file of `timeslice real`",
            ),
            ("{\n 7", "line 2, column 2: "),
        ] {
            let errors = Recording::read(text).expect_err(wanted);
            assert!(errors[0].to_string().starts_with(wanted), "{errors:?}");
        }
    }
}
