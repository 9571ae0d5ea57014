//! Arguments that several commands read: scenarios, lanes, times.

use crate::output::Failure;
use sim_core::config::plan::Plan;
use sim_core::config::{Scenario, SchedulerChoice, validate};
use sim_core::engine::Sim;
use sim_core::ids::TaskId;
use sim_core::params::ParamMap;
use std::io::Read;
use std::sync::Arc;

/// Units of time, in ns.
const UNITS: [(&str, u64); 7] = [
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("min", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

/// The form of times, for messages.
const TIMES: &str =
    "must be a number with one of the units ns, us, ms, s, min, h, such as 250ms or 1.5s";

/// Reads a scenario: a file, `-` for standard input, or the id of a shipped one.
pub(crate) fn read_scenario(source: &str) -> Result<Scenario, Failure> {
    if let Some(shipped) = sim_core::experiment::registry::scenario(source) {
        return Ok(shipped);
    }
    let text = read_text(source)?;
    validate::parse(&text).map_err(|errors| Failure {
        source: source.to_owned(),
        errors,
    })
}

/// Reads a file, or standard input for `-`.
pub(crate) fn read_text(source: &str) -> Result<String, Failure> {
    let fail = |e: std::io::Error| Failure::new(source, format!("cannot be read: {e}"));
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

/// Keeps the lanes of a scheduler; if there are none, adds one.
pub(crate) fn choose_scheduler(
    scenario: &mut Scenario,
    id: &str,
    argument: &str,
) -> Result<(), Failure> {
    let all = sim_core::sched::registry::ALL;
    if all.find(id).is_none() {
        let message = format!("must be one of {}", all.ids());
        return Err(Failure::new(argument, message));
    }
    scenario.schedulers.retain(|s| s.id == id);
    scenario.drop_guide();
    if scenario.schedulers.is_empty() {
        scenario.schedulers.push(SchedulerChoice {
            id: id.to_owned(),
            era: None,
            tunables: ParamMap::new(),
        });
    }
    Ok(())
}

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

/// A simulated time with its unit, in ns: exact, 0 included.
pub(crate) fn time(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.');
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    let unit = unit.trim_start();
    let factor = UNITS.iter().find(|u| u.0 == unit).ok_or(TIMES)?.1;
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(part) {
        return Err(TIMES.to_owned());
    }
    let too_long = "is longer than any run";
    let whole: u64 = whole.parse().map_err(|_| too_long)?;
    // The fraction of a unit is computed with integers, so nothing is rounded.
    let part = part.trim_end_matches('0');
    let fraction = || {
        let length = u32::try_from(part.len()).ok().filter(|n| *n <= 20)?;
        let parts = format!("0{part}").parse::<u128>().ok()? * u128::from(factor);
        let of = 10_u128.pow(length);
        (parts % of == 0).then(|| parts / of)
    };
    let fraction = fraction().ok_or("must be a whole number of ns")?;
    u64::try_from(u128::from(whole) * u128::from(factor) + fraction)
        .ok()
        .filter(|ns| *ns < u64::MAX)
        .ok_or_else(|| too_long.to_owned())
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
    fn times_are_exact_to_the_nanosecond() {
        for (text, ns) in [
            ("0s", 0),
            ("1ns", 1),
            ("1.5s", 1_500_000_000),
            ("2min", 120_000_000_000),
            ("0.5min", 30_000_000_000),
            ("1.25h", 4_500_000_000_000),
            ("0.000000001s", 1),
            ("3.141592653s", 3_141_592_653),
            ("1.50ms", 1_500_000),
            ("7µs", 7_000),
            ("0.3us", 300),
            ("9007199254740993ns", 9_007_199_254_740_993),
            ("12 ms", 12_000_000),
        ] {
            assert_eq!(time(text), Ok(ns), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in [
            "",
            "1",
            "s",
            ".5s",
            "1.s",
            "1.5.5s",
            "-1s",
            "1e3s",
            "1.5ns",
            "0.0000000001s",
            "5 parsecs",
            "99999999999999999999s",
            "1,5s",
        ] {
            assert!(time(text).is_err(), "{text}");
        }
        assert!(duration("0s").is_err());
        assert!(time("1.5ns").is_err_and(|e| e.contains("whole number of ns")));
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
