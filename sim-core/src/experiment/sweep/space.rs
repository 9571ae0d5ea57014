//! All points of a sweep, by number. A point is made only when it is needed.

use super::measure::{self, check, groups};
use super::row::before_end;
use super::{Axis, MAX_POINTS, Sweep};
use crate::catalog;
use crate::config::plan::Plan;
use crate::config::{Scenario, validate};
use crate::error::ConfigError;
use crate::property::Set;
use crate::text::quoted;
use serde_json::{Value, json};
use std::sync::Arc;

/// Columns that every row has, besides those of its axes (which follow `key`) and its measures (which come last).
pub const COLUMNS: &[&str] = &[
    "point",
    "lane",
    "key",
    "machine",
    "scheduler",
    "era",
    "run_seed",
    "status",
    "message",
    "events",
    "digest",
];

/// The points of a sweep that was checked.
#[derive(Debug)]
pub struct Space {
    sweep: Sweep,
    base: Value,
    /// The path that each axis varies.
    paths: Vec<String>,
    headings: Vec<String>,
    measures: Vec<String>,
    points: usize,
}

/// A combination of values.
#[derive(Debug)]
pub struct Point {
    /// Its number, from 0.
    pub number: usize,
    /// Values by heading, in the order of the axes.
    pub at: Vec<(String, Value)>,
    /// The end of the warm-up, in ns.
    from_ns: u64,
    /// The varied scenario as written.
    pub(super) written: Value,
    /// The varied scenario, checked, or its errors.
    pub plan: Result<Arc<Plan>, Vec<ConfigError>>,
}

impl Space {
    /// The points of a sweep over a base that has been read.
    ///
    /// # Errors
    /// All errors of axes and measures that do not depend on the points.
    pub fn new(sweep: Sweep, base: &Scenario) -> Result<Self, Vec<ConfigError>> {
        let mut errors = Vec::new();
        let written = serde_json::to_value(base).expect("invariant: scenarios are plain data");
        let measures: Vec<String> = if sweep.metrics.is_empty() {
            measure::whole().map(str::to_owned).collect()
        } else {
            sweep.metrics.clone()
        };
        let mut paths = Vec::new();
        for (i, axis) in sweep.axes.iter().enumerate() {
            let at = |e: ConfigError| ConfigError::new(format!("axes[{i}]{}", e.path), e.message);
            let path = axis.path(&written).map_err(at);
            paths.push(path.unwrap_or_else(|e| {
                errors.push(e);
                String::new()
            }));
        }
        let mut named = groups(base);
        for (axis, path) in sweep.axes.iter().zip(&paths) {
            let is_name = path.starts_with("groups.") && path.ends_with(".name");
            let names = axis.values.iter().filter(|_| is_name);
            named.extend(names.filter_map(|v| v.as_str().map(str::to_owned)));
        }
        for (i, id) in sweep.metrics.iter().enumerate() {
            let at = format!("metrics[{i}]");
            if let Err(message) = check(id, base, &named) {
                errors.push(ConfigError::new(at, message));
            } else if sweep.metrics[..i].contains(id) {
                errors.push(ConfigError::new(
                    at,
                    format!("\"{}\" is there twice", quoted(id)),
                ));
            }
        }
        let mut points = 1_usize;
        let mut headings: Vec<String> = Vec::new();
        for (i, axis) in sweep.axes.iter().enumerate() {
            points = points.saturating_mul(axis.values.len());
            if !paths[i].is_empty()
                && let Some(message) = nowhere(i, &sweep.axes, &paths, &written)
            {
                let field = if axis.set.is_some() { ".set" } else { "" };
                errors.push(ConfigError::new(format!("axes[{i}]{field}"), message));
            }
            let heading = axis.heading();
            let called = quoted(&heading);
            let message = if headings.contains(&heading) {
                format!("two axes are called \"{called}\": give one a name")
            } else if COLUMNS.contains(&heading.as_str()) || measures.contains(&heading) {
                format!("every row has a column \"{called}\": give the axis another name")
            } else {
                String::new()
            };
            if !message.is_empty() {
                errors.push(ConfigError::new(format!("axes[{i}].name"), message));
            }
            headings.push(heading);
        }
        // Axes may move the end, so each point is asked as well.
        if sweep.axes.is_empty()
            && let Ok(plan) = validate::plan(base)
            && sweep.from_ns >= plan.end_ns
        {
            errors.push(ConfigError::new("from", before_end(plan.end_ns)));
        }
        if points == 0 || points > MAX_POINTS {
            let message =
                format!("the values make {points} points; there may be 1 to {MAX_POINTS}");
            errors.push(ConfigError::new("axes", message));
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        Ok(Self {
            sweep,
            base: written,
            paths,
            headings,
            measures,
            points,
        })
    }

    /// Number of points.
    #[must_use]
    pub fn points(&self) -> usize {
        self.points
    }

    /// The end of the warm-up, in ns.
    #[must_use]
    pub fn from_ns(&self) -> u64 {
        self.sweep.from_ns
    }

    /// Headings of the axes, in their order.
    #[must_use]
    pub fn headings(&self) -> &[String] {
        &self.headings
    }

    /// All values of an axis, by its position.
    #[must_use]
    pub fn values(&self, axis: usize) -> &[Value] {
        &self.sweep.axes[axis].values
    }

    /// Ids of the measures, in their order.
    #[must_use]
    pub fn measures(&self) -> &[String] {
        &self.measures
    }

    /// The point of a number.
    ///
    /// # Panics
    /// If there is no such point.
    #[must_use]
    pub fn point(&self, number: usize) -> Point {
        assert!(number < self.points, "invariant: a point of the space");
        let mut left = number;
        let mut stride = self.points;
        let mut at = Vec::new();
        let mut errors = Vec::new();
        let mut sets = Vec::new();
        for ((i, axis), heading) in self.sweep.axes.iter().enumerate().zip(&self.headings) {
            stride /= axis.values.len();
            let value = &axis.values[left / stride];
            left %= stride;
            at.push((heading.clone(), value.clone()));
            sets.push((i, axis.set(&self.paths[i], value)));
        }
        sets.sort_by_key(|(_, set)| set.turn());
        let mut written = self.base.clone();
        for (i, set) in sets {
            if let Err(e) = set.apply_where_it_is(&mut written) {
                errors.push(ConfigError::new(format!("axes[{i}]"), e.message));
            }
        }
        let plan = if errors.is_empty() {
            plan(&written).map(Arc::new)
        } else {
            Err(errors)
        };
        Point {
            number,
            at,
            from_ns: self.sweep.from_ns,
            written,
            plan,
        }
    }
}

/// Most scenarios in which the place of an axis is looked for.
const TRIED: usize = 256;

/// Why no value of an axis can be set, whatever the axes give that are set before it; `None` if one can.
fn nowhere(i: usize, axes: &[Axis], paths: &[String], base: &Value) -> Option<String> {
    let set = |i: usize, value: &Value| axes[i].set(&paths[i], value);
    let turn = |i: usize| Set::new(paths[i].as_str(), Value::Null).turn();
    let mut before: Vec<usize> = (0..axes.len()).filter(|j| turn(*j) < turn(i)).collect();
    before.sort_by_key(|j| turn(*j));
    let mut tried = vec![base.clone()];
    for j in before {
        let with = |scenario: &Value, value: &Value| {
            let mut scenario = scenario.clone();
            let is_set = set(j, value).apply_where_it_is(&mut scenario);
            is_set.is_ok().then_some(scenario)
        };
        let all = tried
            .iter()
            .flat_map(|s| axes[j].values.iter().filter_map(|v| with(s, v)));
        tried = all.take(TRIED).collect();
    }
    let mut why = None;
    for mut scenario in tried {
        for value in &axes[i].values {
            match set(i, value).apply(&mut scenario) {
                Ok(()) => return None,
                Err(e) => why = why.or(Some(e.message)),
            }
        }
    }
    why
}

fn plan(written: &Value) -> Result<Plan, Vec<ConfigError>> {
    let mut scenario = validate::parse(&written.to_string())?;
    scenario.drop_guide();
    validate::plan(&scenario)
}

impl Point {
    /// Number of its lanes. A scenario that cannot be read counts as one lane, so that it has a row.
    #[must_use]
    pub fn lanes(&self) -> usize {
        let lanes = self.written["schedulers"].as_array();
        lanes.map_or(0, Vec::len).max(1)
    }

    /// The inputs that determine the run of a lane, as text that is equal for equal runs. These are the version of the
    /// core, the numbering of CPUs (that of the *first* lane's system), and the scenario with only this lane, without
    /// name and notes, with every default written out; and the warm-up that its measures leave out. `None` if the point
    /// cannot be run.
    #[must_use]
    pub fn identity(&self, lane: usize) -> Option<String> {
        let plan = self.plan.as_ref().ok()?;
        let mut scenario = plan.scenario.clone();
        let lane = &plan.lanes[lane];
        let mut choice = scenario.schedulers[0].clone();
        choice.id = lane.info.id.to_owned();
        choice.era = Some(lane.era.id.to_owned());
        choice.tunables = lane.params.to_map();
        scenario.schedulers = vec![choice];
        for (group, planned) in scenario.groups.iter_mut().zip(&plan.groups) {
            group.behaviour.params = planned.params.to_map();
        }
        scenario.name.clear();
        scenario.notes.clear();
        let mut whole = json!([catalog::VERSION, plan.machine.numbering(), scenario]);
        if self.from_ns > 0
            && let Some(all) = whole.as_array_mut()
        {
            all.push(json!({ "fromNs": self.from_ns }));
        }
        Some(whole.to_string())
    }
}
