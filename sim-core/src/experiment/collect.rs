//! Lists of values, changes of runs and what-ifs, as the experiments build them.

use super::claims::{Value, WhatIf};
use super::run::{Run, RunScheduler};
use super::stats::Estimate;
use crate::property::Set;
use serde_json::Value as Json;

/// The values of a claim.
pub(super) struct Values(Vec<Value>);

/// The last value, to which more is added.
pub(super) struct Last<'a>(&'a mut Value);

impl Values {
    /// An empty list.
    pub(super) fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds a value.
    pub(super) fn add(&mut self, measure: &'static str, estimate: Estimate) -> Last<'_> {
        self.0.push(Value::new(measure, estimate));
        let last = self.0.len() - 1;
        Last(&mut self.0[last])
    }

    /// Adds a value that does not depend on the seed.
    pub(super) fn exact(&mut self, measure: &'static str, value: f64) -> Last<'_> {
        self.add(measure, Estimate::exact(value))
    }

    /// All values.
    pub(super) fn all(self) -> Vec<Value> {
        self.0
    }
}

impl Last<'_> {
    /// Sets the scheduler, machine, … that the value is about.
    pub(super) fn of(self, of: &str) -> Self {
        self.0.of = of.to_owned();
        self
    }

    /// Sets the place.
    pub(super) fn at(self, at: f64) -> Self {
        self.0.at = Some(at);
        self
    }

    /// Sets the number of the source.
    pub(super) fn published(self, value: f64) -> Self {
        self.0.published = Some(value);
        self
    }

    /// Adds the result under another value of an assumption.
    pub(super) fn under(self, what: String, value: f64) -> Self {
        self.0.band.push((what, Estimate::exact(value)));
        self
    }
}

/// A run of a scheduler on a shipped scenario with a seed.
pub(super) fn run(
    key: String,
    scenario: &'static str,
    scheduler: RunScheduler,
    columns: &'static str,
    seed: u64,
) -> Run {
    let mut run = Run::new(key, scenario, scheduler, columns);
    run.set("seed", seed);
    run
}

/// The value of a JSON text.
///
/// # Panics
/// If the text is not JSON.
pub(super) fn json(text: &str) -> Json {
    serde_json::from_str(text).expect("invariant: this is JSON")
}

/// The value to which a tunable is set.
#[derive(Clone, Copy)]
pub(super) enum Setting {
    Off,
    Int(i64),
}

/// A trial of a tunable: word in the link, name for people, scheduler, tunable.
pub(super) type Trial = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    Setting,
);

/// Adds a trial for each tunable.
pub(super) fn tunables(all: &mut Vec<WhatIf>, trials: &[Trial]) {
    for (id, label, scheduler, tunable, setting) in trials {
        let value = match setting {
            Setting::Off => Json::Bool(false),
            Setting::Int(n) => Json::from(*n),
        };
        all.push(what_if(
            id,
            label,
            Set::new(format!("lanes.{scheduler}.{tunable}"), value),
        ));
    }
}

/// A trial with one change.
pub(super) fn what_if(id: &'static str, label: &'static str, change: Set) -> WhatIf {
    WhatIf {
        id,
        label,
        changes: vec![change],
    }
}
