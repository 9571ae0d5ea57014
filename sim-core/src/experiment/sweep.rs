//! Sweeps: one scenario, varied along axes, and what to measure. A sweep is expanded here and run by whoever has threads
//! (the command line) or workers (the page).
//!
//! The file names a base scenario and axes; every combination of their values is a point. The first axis varies slowest.
//! An axis either names what it varies or gives a JSON pointer into the scenario.

use crate::config::plan::Plan;
use crate::config::{Scenario, validate};
use crate::engine::{Options, Sim};
use crate::error::ConfigError;
use crate::metrics::real;
use crate::metrics::registry::METRICS;
use crate::report::{self, RunReport};
use crate::sched::SchedulerInfo;
use crate::sched::registry::ALL;
use crate::text::{quoted, visible};
use crate::time::SimTime;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Most points of a sweep.
pub const MAX_POINTS: usize = 20_000;
/// What can be measured beside the metrics of the registry: times in ns over the threads of the workload.
pub const TIMES: &[&str] = &["elapsedNs", "cpuPerThreadNs", "firstExitNs", "lastExitNs"];
/// Before the id of a reason: how often the scheduler gave it, e.g. `reason:idle_steal`.
pub const REASON: &str = "reason:";

/// A sweep as written.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Sweep {
    /// Name for people.
    pub name: String,
    /// The scenario that is varied.
    pub base: Base,
    /// What is varied; without an axis there is one point.
    #[serde(default)]
    pub axes: Vec<Axis>,
    /// Ids of metrics, of [`TIMES`], or `reason:` with the id of a reason; all metrics and times if left out.
    #[serde(default)]
    pub metrics: Vec<String>,
}

/// The scenario that is varied.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Base {
    /// Id of a shipped scenario, or the path of a file.
    Named(String),
    /// Written out.
    Inline(Box<Scenario>),
}

/// An axis: what is varied, and its values.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Axis {
    /// Heading of its column; the word of `vary` if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What is varied.
    pub vary: Vary,
    /// Name of the group, for what a group has; the first group if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Id of the tunable or parameter, or the JSON pointer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The values, as the scenario would write them.
    pub values: Vec<Value>,
}

/// What an axis varies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Vary {
    /// Number of threads of a group.
    Count,
    /// Nice value of a group.
    Nice,
    /// Bytes that each thread of a group sweeps.
    WorkingSet,
    /// A parameter (`id`) of a group's behaviour.
    Param,
    /// The machine: id of a preset, or one written out.
    Machine,
    /// The only scheduler: an id, or one with era and tunables.
    Scheduler,
    /// Era of all schedulers.
    Era,
    /// A tunable (`id`) of all schedulers.
    Tunable,
    /// The seed.
    Seed,
    /// Any place of the scenario, by JSON pointer (`id`), e.g. `/end/atNs`.
    Path,
}

/// A combination of values.
#[derive(Debug)]
pub struct Point {
    /// Values by heading, in the order of the axes.
    pub at: Vec<(String, Value)>,
    /// The varied scenario, checked.
    pub plan: Arc<Plan>,
}

/// What one lane of a point gives.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// Values by heading.
    pub at: BTreeMap<String, Value>,
    /// Id of the scheduler.
    pub scheduler: String,
    /// Id of its era.
    pub era: String,
    /// Measures by id; `null` where one is not defined.
    pub values: BTreeMap<String, Option<f64>>,
    /// Digest of the run.
    pub digest: String,
}

/// Reads a sweep.
///
/// # Errors
/// Where the text is no sweep.
pub fn parse(text: &str) -> Result<Sweep, Vec<ConfigError>> {
    serde_json::from_str(text).map_err(|e| {
        let path = format!("line {}, column {}", e.line(), e.column());
        vec![ConfigError::new(path, visible(&e.to_string()))]
    })
}

impl Axis {
    fn heading(&self) -> String {
        let word = serde_json::to_value(self.vary).unwrap_or_default();
        let word = word.as_str().unwrap_or_default();
        match (&self.name, &self.id) {
            (Some(name), _) => name.clone(),
            (None, Some(id)) => id.clone(),
            (None, None) => word.to_owned(),
        }
    }

    /// Writes a value into a scenario.
    fn write(&self, scenario: &mut Value, value: &Value) -> Result<(), String> {
        let id = || self.id.as_deref().ok_or("needs an id");
        match self.vary {
            Vary::Count => self.group(scenario)?["count"] = value.clone(),
            Vary::Nice => self.group(scenario)?["nice"] = value.clone(),
            Vary::WorkingSet => self.group(scenario)?["workingSetBytes"] = value.clone(),
            Vary::Param => {
                let group = self.group(scenario)?;
                group["behaviour"]["params"][id()?] = value.clone();
            }
            Vary::Machine => scenario["machine"] = value.clone(),
            Vary::Scheduler => {
                let lane = match value {
                    Value::String(id) => json!({ "id": id }),
                    other => other.clone(),
                };
                scenario["schedulers"] = json!([lane]);
            }
            Vary::Era | Vary::Tunable => {
                let lanes = scenario["schedulers"].as_array_mut();
                for lane in lanes.ok_or("the base names no schedulers")? {
                    if self.vary == Vary::Era {
                        lane["era"] = value.clone();
                    } else {
                        lane["tunables"][id()?] = value.clone();
                    }
                }
            }
            Vary::Seed => scenario["seed"] = value.clone(),
            Vary::Path => {
                let pointer = id()?;
                let (parent, key) = pointer
                    .rsplit_once('/')
                    .ok_or("a JSON pointer begins with /")?;
                let place = scenario.pointer_mut(parent);
                match place.ok_or(nowhere(pointer))? {
                    Value::Object(map) => {
                        map.insert(key.to_owned(), value.clone());
                    }
                    Value::Array(list) => {
                        let i = key.parse::<usize>().ok();
                        let item = i.and_then(|i| list.get_mut(i));
                        *item.ok_or(nowhere(pointer))? = value.clone();
                    }
                    _ => return Err(nowhere(pointer)),
                }
            }
        }
        Ok(())
    }

    fn group<'a>(&self, scenario: &'a mut Value) -> Result<&'a mut Value, String> {
        let groups = scenario["groups"].as_array_mut();
        let groups = groups.ok_or("the base has no groups")?;
        let names: Vec<String> = groups
            .iter()
            .filter_map(|g| g["name"].as_str().map(str::to_owned))
            .collect();
        let wanted = self.group.as_ref();
        groups
            .iter_mut()
            .find(|g| wanted.is_none_or(|name| g["name"] == name.as_str()))
            .ok_or(format!("the group must be one of {}", names.join(", ")))
    }
}

fn nowhere(pointer: &str) -> String {
    format!("\"{}\" leads nowhere", quoted(pointer))
}

/// All points of a sweep over a base that has been read.
///
/// # Errors
/// Everything that is wrong with the axes, and what is wrong with the first point that no run could be made of.
pub fn expand(sweep: &Sweep, base: &Scenario) -> Result<Vec<Point>, Vec<ConfigError>> {
    let mut errors = Vec::new();
    for metric in &sweep.metrics {
        let known = METRICS.iter().map(|m| m.entry.id);
        if let Some(reason) = metric.strip_prefix(REASON) {
            let gives = |s: &&'static SchedulerInfo| s.reason(reason).is_some();
            if !ALL.schedulers.iter().any(gives) {
                let message = format!("no scheduler gives the reason \"{}\"", quoted(reason));
                errors.push(ConfigError::new("metrics", message));
            }
        } else if !known.chain(TIMES.iter().copied()).any(|id| id == metric) {
            let ids: Vec<&str> = METRICS.iter().map(|m| m.entry.id).collect();
            let message = format!(
                "must be one of {}, {}, or {REASON} and the id of a reason; got \"{}\"",
                TIMES.join(", "),
                ids.join(", "),
                quoted(metric)
            );
            errors.push(ConfigError::new("metrics", message));
        }
    }
    let mut points = 1_usize;
    let mut headings = Vec::new();
    for (i, axis) in sweep.axes.iter().enumerate() {
        points = points.saturating_mul(axis.values.len());
        let heading = axis.heading();
        if headings.contains(&heading) {
            let called = quoted(&heading);
            let message = format!("two axes are called \"{called}\": give one a name");
            errors.push(ConfigError::new(format!("axes[{i}].name"), message));
        }
        headings.push(heading);
    }
    if points == 0 || points > MAX_POINTS {
        let message = format!("the values make {points} points; there may be 1 to {MAX_POINTS}");
        errors.push(ConfigError::new("axes", message));
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let base = serde_json::to_value(base).expect("invariant: scenarios are plain data");
    (0..points)
        .map(|number| point(sweep, &base, number))
        .collect()
}

fn point(sweep: &Sweep, base: &Value, number: usize) -> Result<Point, Vec<ConfigError>> {
    let mut scenario = base.clone();
    let mut at = Vec::new();
    let mut left = number;
    let mut stride: usize = sweep.axes.iter().map(|a| a.values.len()).product();
    for (i, axis) in sweep.axes.iter().enumerate() {
        stride /= axis.values.len();
        let value = &axis.values[left / stride];
        left %= stride;
        axis.write(&mut scenario, value)
            .map_err(|message| vec![ConfigError::new(format!("axes[{i}]"), message)])?;
        at.push((axis.heading(), value.clone()));
    }
    let named = |errors: Vec<ConfigError>| {
        let values: Vec<String> = at.iter().map(|(k, v)| format!("{k} = {v}")).collect();
        let where_ = values.join(", ");
        errors
            .into_iter()
            .map(|e| ConfigError::new(format!("with {where_}: {}", e.path), e.message))
            .collect::<Vec<_>>()
    };
    let mut parsed = validate::parse(&scenario.to_string()).map_err(&named)?;
    parsed.drop_guide();
    let plan = validate::plan(&parsed).map_err(&named)?;
    Ok(Point {
        at,
        plan: Arc::new(plan),
    })
}

/// Runs all lanes of a point.
#[must_use]
pub fn run(sweep: &Sweep, point: &Point) -> Vec<Row> {
    (0..point.plan.lanes.len())
        .map(|lane| {
            let options = Options {
                check: false,
                ..Options::default()
            };
            let mut sim = Sim::new(&point.plan, lane, options);
            sim.run_until(SimTime(point.plan.end_ns));
            row(sweep, point, &report::report(&mut sim))
        })
        .collect()
}

fn row(sweep: &Sweep, point: &Point, report: &RunReport) -> Row {
    let ids: Vec<&str> = if sweep.metrics.is_empty() {
        let all = TIMES.iter().copied();
        all.chain(METRICS.iter().map(|m| m.entry.id)).collect()
    } else {
        sweep.metrics.iter().map(String::as_str).collect()
    };
    let values = ids
        .into_iter()
        .map(|id| (id.to_owned(), value(id, report).filter(|v| v.is_finite())))
        .collect();
    Row {
        at: point.at.iter().cloned().collect(),
        scheduler: report.scheduler.clone(),
        era: report.era.clone(),
        values,
        digest: report.digest.clone(),
    }
}

/// A measure of a report; `None` where it is not defined.
fn value(id: &str, report: &RunReport) -> Option<f64> {
    let threads = || report.threads.iter().filter(|t| !t.background);
    let exits: Option<Vec<u64>> = threads().map(|t| t.exited_at_ns).collect();
    match id {
        "elapsedNs" => Some(real(report.elapsed_ns)),
        "cpuPerThreadNs" => {
            let n = u32::try_from(threads().count()).ok().filter(|n| *n > 0)?;
            Some(real(threads().map(|t| t.cpu_ns).sum()) / f64::from(n))
        }
        "firstExitNs" => exits?.into_iter().min().map(real),
        "lastExitNs" => exits?.into_iter().max().map(real),
        id => match id.strip_prefix(REASON) {
            Some(reason) => {
                let given = report.reasons.iter().find(|r| r.reason == reason);
                let known = || ALL.find(&report.scheduler)?.reason(reason);
                given
                    .map(|r| r.count)
                    .or_else(|| known().map(|_| 0))
                    .map(real)
            }
            None => report.metrics.get(id).copied(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::registry;

    fn sweep(axes: &Value) -> Sweep {
        let text =
            json!({ "name": "t", "base": "bfs-smt", "axes": axes, "metrics": ["throughput"] });
        parse(&text.to_string()).expect("valid")
    }

    fn expanded(axes: &Value) -> Result<Vec<Point>, Vec<ConfigError>> {
        expand(
            &sweep(axes),
            &registry::scenario("bfs-smt").expect("shipped"),
        )
    }

    #[test]
    fn the_first_axis_varies_slowest() {
        let points = expanded(&json!([
            { "vary": "count", "group": "dhry", "values": [1, 2] },
            { "vary": "seed", "values": [5, 6, 7] },
        ]))
        .expect("valid");
        let at: Vec<(u32, u64)> = points
            .iter()
            .map(|p| (p.plan.groups[0].count, p.plan.seed))
            .collect();
        assert_eq!(at, [(1, 5), (1, 6), (1, 7), (2, 5), (2, 6), (2, 7)]);
        assert_eq!(
            points[4].at,
            [
                ("count".to_owned(), json!(2)),
                ("seed".to_owned(), json!(6))
            ]
        );
    }

    #[test]
    fn everything_that_is_named_can_be_varied() {
        let points = expanded(&json!([
            { "vary": "nice", "values": [7] },
            { "vary": "workingSet", "values": [4096] },
            { "vary": "param", "id": "workMs", "values": [9] },
            { "vary": "machine", "values": ["v890"] },
            { "vary": "scheduler", "values": ["4bsd"] },
            { "vary": "era", "values": ["2013-06"] },
            { "vary": "tunable", "id": "slice", "values": [3] },
            { "vary": "path", "id": "/end/atNs", "values": [1_000_000] },
            { "vary": "path", "name": "first", "id": "/groups/0/name", "values": ["loop"] },
        ]))
        .expect("valid");
        let plan = &points[0].plan;
        let group = &plan.groups[0];
        assert_eq!((group.nice, group.working_set_bytes), (7, 4096));
        assert_eq!(group.params.get("workMs"), 9);
        assert_eq!(group.name, "loop");
        assert_eq!(plan.machine.cpu_count(), 16);
        let lane = &plan.lanes[0];
        assert_eq!((lane.info.id, lane.era.id), ("4bsd", "2013-06"));
        assert_eq!(lane.params.get("slice"), 3);
        assert_eq!(plan.end_ns, 1_000_000);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let message = |axes: &Value| expanded(axes).expect_err("wrong")[0].to_string();
        let text = message(&json!([{ "vary": "count", "group": "x", "values": [1] }]));
        assert_eq!(text, "axes[0]: the group must be one of dhry");
        let text = message(&json!([{ "vary": "nice", "values": [3, 33] }]));
        assert!(
            text.contains("with nice = 33: groups[0].nice: must be from -20 to 20"),
            "{text}"
        );
        let text = message(&json!([{ "vary": "path", "id": "/a/b", "values": [1] }]));
        assert_eq!(text, "axes[0]: \"/a/b\" leads nowhere");
        let text = message(&json!([{ "vary": "seed", "values": [] }]));
        assert!(text.contains("make 0 points"), "{text}");
        let twice = json!([{ "vary": "seed", "values": [1] }, { "vary": "seed", "values": [2] }]);
        assert!(message(&twice).contains("two axes"));
        let mut unknown = sweep(&json!([]));
        unknown.metrics = vec!["speedOfLight".to_owned()];
        let base = registry::scenario("bfs-smt").expect("shipped");
        assert!(expand(&unknown, &base).is_err());
    }

    #[test]
    fn how_often_a_reason_was_given_is_a_measure() {
        let mut sweep =
            sweep(&json!([{ "vary": "path", "id": "/end/atNs", "values": [50_000_000] }]));
        sweep.metrics = [
            "reason:earliest_deadline",
            "reason:idle_steal",
            "reason:dithered",
        ]
        .map(str::to_owned)
        .to_vec();
        let base = registry::scenario("bfs-smt").expect("shipped");
        let points = expand(&sweep, &base).expect("valid");
        let values = &run(&sweep, &points[0])[0].values;
        assert!(values["reason:earliest_deadline"] > Some(0.0), "{values:?}");
        assert_eq!(
            values["reason:dithered"],
            Some(0.0),
            "BFS 0.318 never dithers"
        );
        assert_eq!(values["reason:idle_steal"], None, "BFS does not steal");
        sweep.metrics = vec!["reason:good_luck".to_owned()];
        let errors = expand(&sweep, &base).expect_err("no such reason");
        assert!(errors[0].message.contains("good_luck"), "{errors:?}");
    }

    #[test]
    fn a_row_has_what_was_asked_for() {
        let sweep = sweep(&json!([{ "vary": "path", "id": "/end/atNs", "values": [5_000_000] }]));
        let base = registry::scenario("bfs-smt").expect("shipped");
        let points = expand(&sweep, &base).expect("valid");
        let rows = run(&sweep, &points[0]);
        let schedulers: Vec<&str> = rows.iter().map(|r| r.scheduler.as_str()).collect();
        assert_eq!(schedulers, ["bfs", "manual", "random"]);
        let values: Vec<&String> = rows[0].values.keys().collect();
        assert_eq!(values, ["throughput"]);
        assert!(rows[1].values["throughput"].is_some_and(|v| v > 0.0));
    }
}
