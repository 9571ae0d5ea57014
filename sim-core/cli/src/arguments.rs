//! Arguments that several commands read: scenarios, lanes, times.

use crate::output::Failure;
use sim_core::config::plan::Plan;
use sim_core::config::{Scenario, SchedulerChoice, validate};
use sim_core::engine::Sim;
use sim_core::ids::TaskId;
use sim_core::params::ParamMap;
use sim_core::property::{self, Set};
use sim_core::sched::registry::ALL;
pub(crate) use sim_core::units::time;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A scenario, and what is changed of it.
#[derive(clap::Args)]
pub(crate) struct Input {
    /// Scenario file, workload of a trace (`.tsw`), `-` for standard input, or the id of a shipped scenario.
    pub(crate) file: String,
    /// Set a property of the scenario, such as groups.hog.nice=5, lanes.2.slice=3ms or, during the run,
    /// threads.hog-1.paused=true@2s. May be given several times; `timeslice catalog` lists all.
    #[arg(long, value_name = "PATH=VALUE[@TIME]", value_parser = Set::parse)]
    pub(crate) set: Vec<Set>,
}

impl Input {
    /// The scenario, changed.
    pub(crate) fn read(&self) -> Result<Scenario, Failure> {
        changed(&self.file, read_scenario(&self.file)?, &self.set)
    }

    /// The plan of this scenario, which may be changed further.
    pub(crate) fn plan(&self, scenario: &Scenario) -> Result<Arc<Plan>, Failure> {
        plan(&self.file, scenario)
    }
}

/// A scenario that came from `source`, with properties set.
pub(crate) fn changed(source: &str, base: Scenario, sets: &[Set]) -> Result<Scenario, Failure> {
    if sets.is_empty() {
        return Ok(base);
    }
    property::changed(&base, sets).map_err(|errors| Failure {
        source: source.to_owned(),
        errors,
    })
}

/// The scenario of a workload file (`.tsw`), if it is one.
fn workload(source: &str) -> Result<Option<Scenario>, Failure> {
    use sim_import::workload::{MAGIC, Workload};
    let mut head = vec![0; MAGIC.len()];
    let file = std::fs::File::open(source);
    let is_workload = file.and_then(|mut file| file.read_exact(&mut head)).is_ok() && head == MAGIC;
    if !is_workload {
        return Ok(None);
    }
    let told = |message: String| Failure::new(source, message);
    let bytes = std::fs::read(source).map_err(|e| told(format!("cannot be read: {e}")))?;
    let workload = Workload::read(&bytes).map_err(|e| told(e.to_string()))?;
    let scenario = sim_core::recorded::of_workload(&workload);
    scenario.map(Some).map_err(|e| told(e.to_string()))
}

/// Reads a scenario: a file, `-` for standard input, or the id of a shipped one.
pub(crate) fn read_scenario(source: &str) -> Result<Scenario, Failure> {
    if let Some(shipped) = sim_core::experiment::registry::scenario(source) {
        return Ok(shipped);
    }
    if is_word(source) {
        let known: Vec<_> = sim_core::experiment::registry::SCENARIOS
            .iter()
            .map(|(id, _)| *id)
            .collect();
        let message = format!(
            "there is no such file, and the id of a shipped scenario must be one of {}, got \"{source}\"",
            known.join(", ")
        );
        return Err(Failure::new(source, message));
    }
    if let Some(workload) = workload(source)? {
        return Ok(workload);
    }
    let text = read_text(source)?;
    validate::parse(&text).map_err(|errors| Failure {
        source: source.to_owned(),
        errors,
    })
}

/// Whether it can only be meant as an id: no file has this name, and it looks like none.
fn is_word(source: &str) -> bool {
    source != "-" && !source.contains(['/', '.']) && !Path::new(source).exists()
}

/// Reads a file, or standard input for `-`.
pub(crate) fn read_text(source: &str) -> Result<String, Failure> {
    let fail = |e: std::io::Error| {
        let why = match e.kind() {
            std::io::ErrorKind::InvalidData => "it is no text (UTF-8)".to_owned(),
            _ => e.to_string(),
        };
        Failure::new(source, format!("cannot be read: {why}"))
    };
    if source == "-" {
        let mut text = String::new();
        std::io::stdin()
            .take(validate::MAX_TEXT as u64 + 1)
            .read_to_string(&mut text)
            .map_err(fail)?;
        Ok(text)
    } else {
        std::fs::read_to_string(source).map_err(fail)
    }
}

/// Checks a scenario that came from `source`.
pub(crate) fn plan(source: &str, scenario: &Scenario) -> Result<Arc<Plan>, Failure> {
    let plan = validate::plan(scenario).map_err(|errors| Failure {
        source: source.to_owned(),
        errors,
    })?;
    Ok(Arc::new(plan))
}

/// Keeps the lanes of a scheduler, or of one of its eras; if there are none, adds one.
pub(crate) fn choose_scheduler(
    scenario: &mut Scenario,
    said: &str,
    argument: &str,
) -> Result<(), Failure> {
    let named = ALL.said(said);
    let (info, era) = named.map_err(|message| Failure::new(argument, message))?;
    let is_era = |lane: &SchedulerChoice| match era {
        None => true,
        Some(era) => info.era(lane.era.as_deref()).map(|e| e.id) == Some(era.id),
    };
    scenario
        .schedulers
        .retain(|lane| lane.id == info.id && is_era(lane));
    scenario.drop_guide();
    if scenario.schedulers.is_empty() {
        scenario.schedulers.push(SchedulerChoice {
            id: info.id.to_owned(),
            era: era.map(|era| era.id.to_owned()),
            tunables: ParamMap::new(),
            program: None,
        });
    }
    Ok(())
}

/// Largest number of files of a class.
const MOST_FILES: usize = 1_000;

/// The files of a folder whose names have an ending, in the order of their names; or the single file. `what` they are,
/// for the message.
pub(crate) fn files(source: &str, ending: &str, what: &str) -> Result<Vec<PathBuf>, Failure> {
    let path = Path::new(source);
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let fail = |e: std::io::Error| Failure::new(source, format!("cannot be read: {e}"));
    let mut all = Vec::new();
    for entry in std::fs::read_dir(path).map_err(fail)? {
        let file = entry.map_err(fail)?.path();
        if file.to_string_lossy().to_lowercase().ends_with(ending) {
            all.push(file);
        }
    }
    if all.is_empty() || all.len() > MOST_FILES {
        let n = all.len();
        let message = format!("must hold 1 to {MOST_FILES} {what} (*{ending}), holds {n}");
        return Err(Failure::new(source, message));
    }
    all.sort();
    Ok(all)
}

/// A scheduler and its era.
pub(crate) fn release(text: &str) -> Result<(String, String), String> {
    match ALL.said(text)? {
        (info, Some(era)) => Ok((info.id.to_owned(), era.id.to_owned())),
        (_, None) => Err(format!("\"{text}\" is not ID:ERA, such as eevdf:6.18")),
    }
}

/// The file of an own policy.
#[derive(clap::Args)]
pub(crate) struct OwnPolicy {
    /// A lane with this program (an own policy), after those of the scenario. With `--scheduler own` it is the only one.
    #[cfg(feature = "policy")]
    #[arg(long, value_name = "FILE")]
    policy: Option<String>,
}

impl OwnPolicy {
    /// Adds the lane, or gives the program to the lanes of own policies that are there.
    #[cfg(feature = "policy")]
    pub(crate) fn add_to(&self, scenario: &mut Scenario) -> Result<(), Failure> {
        let Some(file) = &self.policy else {
            return Ok(());
        };
        let program = read_text(file)?;
        let first = scenario.schedulers.iter().position(|s| s.id == OWN);
        if first.is_none() {
            scenario.schedulers.push(SchedulerChoice {
                id: OWN.to_owned(),
                era: None,
                tunables: ParamMap::new(),
                program: None,
            });
            scenario.drop_guide();
        }
        let own = scenario.schedulers.iter_mut().filter(|s| s.id == OWN);
        for lane in own {
            lane.era = None;
            lane.program = Some(program.clone());
        }
        // What is wrong with the program is told with the name of its file.
        sim_core::sched::check_own_policy(&program).map_err(|e| Failure::new(file, e.to_string()))
    }

    /// This build has none.
    #[cfg(not(feature = "policy"))]
    #[allow(clippy::unnecessary_wraps, clippy::unused_self)] // as with the feature
    pub(crate) fn add_to(&self, _: &mut Scenario) -> Result<(), Failure> {
        Ok(())
    }
}

/// The scheduler that runs own policies.
#[cfg(feature = "policy")]
const OWN: &str = "own";

/// Position of a lane whose number counts from 1.
pub(crate) fn lane(plan: &Plan, number: usize, argument: &str) -> Result<usize, Failure> {
    let lanes = plan.lanes.len();
    if (1..=lanes).contains(&number) {
        return Ok(number - 1);
    }
    let message = format!("must be from 1 to {lanes}, got {number}");
    Err(Failure::new(argument, message))
}

/// Checks that the machine has a CPU.
pub(crate) fn check_cpu(plan: &Plan, cpu: Option<u16>, argument: &str) -> Result<(), Failure> {
    let last = plan.machine.cpu_count().saturating_sub(1);
    match cpu {
        Some(cpu) if usize::from(cpu) > last => {
            let message = format!("must be from 0 to {last}, got {cpu}");
            Err(Failure::new(argument, message))
        }
        _ => Ok(()),
    }
}

/// Checks that a lane has a reason, or a kind of reasons.
pub(crate) fn check_reason(
    plan: &Plan,
    lane: usize,
    reason: Option<&str>,
    argument: &str,
) -> Result<(), Failure> {
    let Some(reason) = reason else { return Ok(()) };
    let mut all = plan.lanes[lane].info.reasons.iter();
    if all.clone().any(|r| r.id == reason || r.kind == reason) {
        return Ok(());
    }
    let known: Vec<&str> = all.by_ref().map(|r| r.id).collect();
    let message = format!("must be one of {}, got \"{reason}\"", known.join(", "));
    Err(Failure::new(argument, message))
}

/// Checks that a thread of this name has existed in a run.
pub(crate) fn check_thread(sim: &Sim, name: Option<&str>, argument: &str) -> Result<(), Failure> {
    let Some(name) = name else { return Ok(()) };
    let mut all = (0..sim.task_count()).map(|i| sim.task_name(TaskId::new(i)));
    if all.any(|t| t == name) {
        return Ok(());
    }
    let groups: Vec<&str> = sim.plan().groups.iter().map(|g| g.name.as_str()).collect();
    let message = format!(
        "no thread was called \"{name}\" up to {} ns; threads are called after their groups ({}) and numbered from 1",
        sim.now().0,
        groups.join(", ")
    );
    Err(Failure::new(argument, message))
}

/// A length of simulated time with its unit, in ns: more than 0.
pub(crate) fn duration(text: &str) -> Result<u64, String> {
    time(text).and_then(|ns| {
        if ns > 0 {
            Ok(ns)
        } else {
            Err("must be more than 0".to_owned())
        }
    })
}

/// Whole seconds of simulated time, from one to `most`: with a unit or as a plain number.
pub(crate) fn seconds(text: &str, most: u64) -> Result<u64, String> {
    let plain = text.parse::<u64>().ok();
    let ns = match plain {
        Some(seconds) => u128::from(seconds) * 1_000_000_000,
        None => u128::from(duration(text)?),
    };
    let seconds = ns / 1_000_000_000;
    let seconds = u64::try_from(seconds).unwrap_or(u64::MAX);
    if ns % 1_000_000_000 != 0 || !(1..=most).contains(&seconds) {
        return Err(format!("must be whole seconds, from 1s to {most}s"));
    }
    Ok(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_is_more_than_nothing() {
        assert_eq!(duration("1.5ms"), Ok(1_500_000));
        assert!(duration("0s").is_err());
    }

    #[test]
    fn seconds_may_have_a_unit() {
        for (text, s) in [("60", 60), ("90s", 90), ("1.5min", 90), ("1h", 3_600)] {
            assert_eq!(seconds(text, 3_600), Ok(s), "{text}");
        }
        for text in ["0", "1.5s", "3601", "2h", "10ms", "ten"] {
            assert!(seconds(text, 3_600).is_err(), "{text}");
        }
    }
}
