//! The measures of a sweep: of the whole run, of a group, of a thread, how often a reason was given, or an expression of
//! the measure language.

use crate::config::Scenario;
use crate::experiment::parts::{Column, OF_GROUP, OF_THREAD};
use crate::metrics::real;
use crate::metrics::registry::METRICS;
use crate::report::RunReport;
use crate::sched::SchedulerInfo;
use crate::sched::registry::ALL;
use crate::text::quoted;
use sim_measure::Measures;
use sim_measure::quantity::Quantity;

/// Measures besides the metrics of the registry: times in ns over the threads of the workload.
pub const TIMES: &[&str] = &["elapsedNs", "cpuPerThreadNs", "firstExitNs", "lastExitNs"];
/// Prefix of a reason's id, for how often the scheduler gave it, e.g. `reason:idle_steal`.
pub const REASON: &str = "reason:";
/// Prefix of a thread's number or name and one of its columns, e.g. `thread/3/cpuNs` or `thread/hog-4/cpuNs`.
pub const THREAD: &str = "thread/";

/// Ids of all measures of a whole run, in their order.
pub(super) fn whole() -> impl Iterator<Item = &'static str> {
    let times = TIMES.iter().copied();
    times.chain(METRICS.iter().map(|m| m.entry.id))
}

fn ids<T>(columns: &[Column<T>]) -> String {
    let ids: Vec<&str> = columns.iter().map(|c| c.0).collect();
    ids.join(", ")
}

fn column<T>(columns: &'static [Column<T>], id: &str) -> Option<fn(&T) -> f64> {
    columns.iter().find(|c| c.0 == id).map(|c| c.1)
}

/// Whether a name belongs to a thread of a group: the group's name, a hyphen and a number from 1.
fn is_of(thread: &str, group: &str) -> bool {
    let number = thread
        .strip_prefix(group)
        .and_then(|rest| rest.strip_prefix('-'));
    number.is_some_and(|n| !n.starts_with(['0', '+']) && n.parse::<u32>().is_ok())
}

/// Whether a measure is an expression: only these have brackets.
fn is_expression(id: &str) -> bool {
    id.contains('(')
}

/// Checks an expression over the base, as far as it shows without a run.
fn check_expression(text: &str, base: &Scenario) -> Result<(), String> {
    let mut measures = Measures::new(base.clone(), 0).of_lane(0);
    measures.check(text).map_err(|e| e.to_string())
}

/// The values of the measures that are expressions, by position; in them `lane` means this lane, from 0, and windows
/// whose start is left out begin at `from_ns`. The lane is run once more for all of them.
///
/// # Errors
/// An expression that gives no number in this run.
pub(in crate::experiment) fn expressions(
    ids: &[String],
    scenario: &Scenario,
    lane: usize,
    from_ns: u64,
) -> Result<Vec<(usize, Option<f64>)>, String> {
    let asked = ids.iter().enumerate().filter(|(_, id)| is_expression(id));
    let asked: Vec<(usize, &String)> = asked.collect();
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let texts: Vec<&String> = asked.iter().map(|(_, text)| *text).collect();
    let values = Measures::new(scenario.clone(), from_ns)
        .of_lane(lane)
        .values(&texts)?;
    let numbers = asked.iter().zip(values).map(|((i, text), value)| {
        let number = match value {
            Quantity::Missing => None,
            Quantity::Number(x, _) => Some(x),
            Quantity::Flag(is) => Some(f64::from(u8::from(is))),
            other => {
                return Err(format!(
                    "{text}: must give a number, gives {}",
                    other.name()
                ));
            }
        };
        Ok((*i, number))
    });
    numbers.collect()
}

/// The value of an expression in the first lane of a scenario; `None` if the run has no such value.
///
/// # Errors
/// What is wrong with it, or that it gives no number.
pub fn expression(text: &str, scenario: &Scenario) -> Result<Option<f64>, String> {
    let values = expressions(&[text.to_owned()], scenario, 0, 0)?;
    match values.first() {
        Some((_, value)) => Ok(*value),
        None => Err("must be an expression such as p(latencies(lane, GROUP), 99)".to_owned()),
    }
}

/// Checks a measure over a base; `groups` are the names that groups can have. If a group has the name of a thread, the name means
/// the group.
///
/// # Errors
/// The allowed measures.
pub(super) fn check(id: &str, base: &Scenario, groups: &[String]) -> Result<(), String> {
    if is_expression(id) {
        return check_expression(id, base);
    }
    if let Some(reason) = id.strip_prefix(REASON) {
        let gives = |s: &&'static SchedulerInfo| s.reason(reason).is_some();
        if ALL.schedulers.iter().any(gives) {
            return Ok(());
        }
        return Err(format!(
            "no scheduler gives the reason \"{}\"",
            quoted(reason)
        ));
    }
    let got = quoted(id);
    let Some((of, name)) = id.rsplit_once('/') else {
        if whole().any(|known| known == id) {
            return Ok(());
        }
        let known: Vec<&str> = whole().collect();
        return Err(format!(
            "must be one of {}, {REASON} and the id of a reason, GROUP/ and a heading of groups ({}), {THREAD}NUMBER/ and \
             a heading of threads ({}), or an expression such as p(latencies(lane, GROUP), 99); got \"{got}\"",
            known.join(", "),
            ids(OF_GROUP),
            ids(OF_THREAD)
        ));
    };
    if groups.iter().any(|g| g == of) {
        return match column(OF_GROUP, name) {
            Some(_) => Ok(()),
            None => Err(format!(
                "after the group must come one of {}; got \"{got}\"",
                ids(OF_GROUP)
            )),
        };
    }
    let Some(thread) = of.strip_prefix(THREAD) else {
        return Err(format!(
            "before the / must stand one of the groups {}, or {THREAD} and the number of a thread; got \"{got}\"",
            groups.join(", ")
        ));
    };
    if column(OF_THREAD, name).is_none() {
        return Err(format!(
            "after the thread must come one of {}; got \"{got}\"",
            ids(OF_THREAD)
        ));
    }
    let is_known = thread.parse::<u32>().is_ok() || groups.iter().any(|g| is_of(thread, g));
    is_known.then_some(()).ok_or_else(|| {
        format!(
            "the thread must be a number from 0, or the name of one of a group ({}) such as {}-1; got \"{got}\"",
            groups.join(", "),
            groups.first().map_or("GROUP", String::as_str)
        )
    })
}

/// Names of the groups of a scenario, including those of the background if the scenario can be run.
pub(super) fn groups(scenario: &Scenario) -> Vec<String> {
    match crate::config::validate::plan(scenario) {
        Ok(plan) => plan.groups.iter().map(|g| g.name.clone()).collect(),
        Err(_) => scenario.groups.iter().map(|g| g.name.clone()).collect(),
    }
}

/// A measure of a report; `None` where it is not defined.
pub(super) fn value(id: &str, report: &RunReport) -> Option<f64> {
    let threads = || report.threads.iter().filter(|t| !t.background);
    let exits: Option<Vec<u64>> = threads().map(|t| t.exited_at_ns).collect();
    let value = match id {
        "elapsedNs" => Some(real(report.elapsed_ns)),
        "cpuPerThreadNs" => {
            let n = u32::try_from(threads().count()).ok().filter(|n| *n > 0)?;
            Some(real(threads().map(|t| t.cpu_ns).sum()) / f64::from(n))
        }
        "firstExitNs" => exits?.into_iter().min().map(real),
        "lastExitNs" => exits?.into_iter().max().map(real),
        id => match (id.strip_prefix(REASON), id.rsplit_once('/')) {
            (Some(reason), _) => of_reason(reason, report),
            (None, Some((of, name))) => of_part(of, name, report),
            (None, None) => report.metrics.get(id).copied(),
        },
    };
    value.filter(|v| v.is_finite())
}

fn of_reason(reason: &str, report: &RunReport) -> Option<f64> {
    let given = report.reasons.iter().find(|r| r.reason == reason);
    let known = || ALL.find(&report.scheduler)?.reason(reason);
    let count = given.map(|r| r.count).or_else(|| known().map(|_| 0));
    count.map(real)
}

fn of_part(of: &str, name: &str, report: &RunReport) -> Option<f64> {
    if let Some(group) = report.groups.iter().find(|g| g.name == of) {
        return column(OF_GROUP, name).map(|value| value(group));
    }
    let thread = of.strip_prefix(THREAD)?;
    let thread = match thread.parse::<usize>() {
        Ok(number) => report.threads.get(number),
        Err(_) => report.threads.iter().find(|t| t.name == thread),
    };
    column(OF_THREAD, name)
        .zip(thread)
        .map(|(value, t)| value(t))
}
