//! Changes of a scenario as data: the differences of a run, a what-if or a control. A change names what it changes; if
//! the scenario lacks it, that is an error. Changes work on the JSON of a scenario, so that a user who needs only them
//! (the judge in the page) links no parser of scenarios.

use crate::error::ConfigError;
use crate::experiment::shelf;
use crate::text::quoted;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A change of a scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "change",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
pub enum Change {
    /// Another machine: the id of a preset, or a machine written out.
    Machine {
        /// The machine.
        machine: Value,
    },
    /// A number of the machine by its path, e.g. `memory.localLatencyNs` or `caches.1.bytes`.
    MachineField {
        /// The path.
        field: String,
        /// Its value.
        value: Value,
    },
    /// The seed.
    Seed {
        /// The seed.
        seed: u64,
    },
    /// The latest time at which the run ends.
    End {
        /// Time in ns.
        at_ns: u64,
    },
    /// Another background, or `null` for none.
    Background {
        /// The background, as a scenario writes it.
        background: Value,
    },
    /// A field of `timing`.
    Timing {
        /// The field.
        field: String,
        /// Its value.
        value: Value,
    },
    /// A field of a group.
    Group {
        /// Name of the group.
        group: String,
        /// One of [`GROUP_FIELDS`].
        field: String,
        /// Its value.
        value: Value,
    },
    /// A parameter of a group's behaviour.
    Param {
        /// Name of the group.
        group: String,
        /// Id of the parameter.
        param: String,
        /// Its value.
        value: Value,
    },
    /// Another behaviour for the threads of a group.
    Behaviour {
        /// Name of the group.
        group: String,
        /// Id of the behaviour.
        kind: String,
        /// Parameters that differ from its defaults.
        #[serde(default)]
        params: Map<String, Value>,
    },
    /// An additional group, as a scenario writes it, at the end of the list.
    AddGroup {
        /// The group.
        added: Value,
    },
    /// Removes a group.
    RemoveGroup {
        /// Name of the group.
        group: String,
    },
    /// A tunable of a scheduler; lanes with other schedulers stay as they are.
    Tunable {
        /// Id of the scheduler.
        scheduler: String,
        /// Id of the tunable.
        tunable: String,
        /// Its value.
        value: Value,
    },
    /// The era of a scheduler; lanes with other schedulers stay as they are.
    Era {
        /// Id of the scheduler.
        scheduler: String,
        /// Id of the era.
        era: String,
    },
    /// Another lane in place of each lane with a scheduler.
    Lane {
        /// Id of the scheduler.
        scheduler: String,
        /// The lane, as a scenario writes it.
        instead: Value,
    },
    /// Another time for an edit.
    EditTime {
        /// Position of the edit in the list.
        edit: usize,
        /// Time in ns.
        at_ns: u64,
    },
}

/// A what-if: changes with a name.
#[derive(Clone, Debug, Serialize)]
pub struct WhatIf {
    /// Word in the link.
    pub id: &'static str,
    /// Name for people.
    pub label: &'static str,
    /// The changes.
    #[serde(skip)]
    pub changes: Vec<Change>,
}

/// Fields of a group. Its behaviour has separate changes.
pub const GROUP_FIELDS: &[&str] = &[
    "name",
    "count",
    "nice",
    "sliceNs",
    "policy",
    "rtPriority",
    "workingSetBytes",
    "allowed",
    "startNs",
    "startSpacingNs",
    "parent",
    "process",
];
const TIMING_FIELDS: &[&str] = &[
    "kickNs",
    "idleExitNs",
    "idleExitDeepNs",
    "tickPhase",
    "idleTicks",
    "idleExitDelays",
];
/// Fields of a scenario that only guide people; they may not fit after a change.
const GUIDE: &[&str] = &[
    "ask", "opening", "answer", "controls", "moments", "thumb", "try",
];

impl Change {
    /// Sets a field of a group.
    pub fn group(group: &str, field: &str, value: impl Into<Value>) -> Self {
        Self::Group {
            group: group.to_owned(),
            field: field.to_owned(),
            value: value.into(),
        }
    }

    /// Sets a parameter of a group's behaviour.
    pub fn param(group: &str, param: &str, value: impl Into<Value>) -> Self {
        Self::Param {
            group: group.to_owned(),
            param: param.to_owned(),
            value: value.into(),
        }
    }

    /// Sets a tunable of a scheduler.
    pub fn tunable(scheduler: &str, tunable: &str, value: impl Into<Value>) -> Self {
        Self::Tunable {
            scheduler: scheduler.to_owned(),
            tunable: tunable.to_owned(),
            value: value.into(),
        }
    }

    /// Replaces the machine.
    pub fn machine(machine: impl Into<Value>) -> Self {
        Self::Machine {
            machine: machine.into(),
        }
    }

    /// Removes the background.
    #[must_use]
    pub fn no_background() -> Self {
        Self::Background {
            background: Value::Null,
        }
    }

    /// The scheduler that the change concerns, if it concerns one.
    #[must_use]
    pub fn scheduler(&self) -> Option<&str> {
        match self {
            Self::Tunable { scheduler, .. }
            | Self::Era { scheduler, .. }
            | Self::Lane { scheduler, .. } => Some(scheduler),
            _ => None,
        }
    }

    /// Changes the JSON of a scenario.
    ///
    /// # Errors
    /// If the scenario has nothing of that name; the message lists what it has.
    pub fn apply(&self, scenario: &mut Value) -> Result<(), ConfigError> {
        match self {
            Self::Machine { machine } => set(scenario, "machine", machine.clone()),
            Self::MachineField { field, value } => {
                *machine_field(place(scenario, "machine"), field)? = value.clone();
            }
            Self::Seed { seed } => set(scenario, "seed", Value::from(*seed)),
            Self::End { at_ns } => set(place(scenario, "end"), "atNs", Value::from(*at_ns)),
            Self::Background { background } => set(scenario, "background", background.clone()),
            Self::Timing { field, value } => {
                known("timing", field, TIMING_FIELDS)?;
                set(place(scenario, "timing"), field, value.clone());
            }
            Self::Group {
                group: name,
                field,
                value,
            } => {
                known("field of a group", field, GROUP_FIELDS)?;
                set(group(scenario, name)?, field, value.clone());
            }
            Self::Param {
                group: name,
                param,
                value,
            } => {
                let behaviour = place(group(scenario, name)?, "behaviour");
                set(place(behaviour, "params"), param, value.clone());
            }
            Self::Behaviour {
                group: name,
                kind,
                params,
            } => {
                let behaviour = place(group(scenario, name)?, "behaviour");
                *behaviour = Value::Null;
                set(behaviour, "kind", Value::from(kind.as_str()));
                set(behaviour, "params", Value::Object(params.clone()));
            }
            Self::AddGroup { added } => list(scenario, "groups").push(added.clone()),
            Self::RemoveGroup { group: name } => {
                group(scenario, name)?;
                list(scenario, "groups").retain(|group| group["name"] != name.as_str());
            }
            Self::Tunable {
                scheduler,
                tunable,
                value,
            } => {
                for lane in lanes(scenario, scheduler) {
                    set(place(lane, "tunables"), tunable, value.clone());
                }
            }
            Self::Era { scheduler, era } => {
                for lane in lanes(scenario, scheduler) {
                    set(lane, "era", Value::from(era.as_str()));
                }
            }
            Self::Lane { scheduler, instead } => {
                for lane in lanes(scenario, scheduler) {
                    *lane = instead.clone();
                }
            }
            Self::EditTime { edit, at_ns } => {
                let edits = list(scenario, "edits");
                let n = edits.len();
                let Some(found) = edits.get_mut(*edit) else {
                    let message = format!("must be below {n}, the number of edits; got {edit}");
                    return Err(ConfigError::new("edit", message));
                };
                set(found, "atNs", Value::from(*at_ns));
            }
        }
        Ok(())
    }
}

/// A field of an object. A value that is no object becomes one, where `value[key]` would panic.
fn place<'a>(value: &'a mut Value, key: &str) -> &'a mut Value {
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    match value {
        Value::Object(map) => map.entry(key).or_insert(Value::Null),
        _ => unreachable!("invariant: just made an object"),
    }
}

/// Sets a field of an object.
pub(super) fn set(value: &mut Value, key: &str, new: Value) {
    *place(value, key) = new;
}

/// Checks that changes about schedulers find one among the lanes of some runs.
///
/// # Errors
/// The change that finds none, and the schedulers that exist.
pub fn concern(changes: &[Change], schedulers: &[&str]) -> Result<(), ConfigError> {
    for change in changes {
        if let Some(id) = change.scheduler() {
            known("scheduler", id, schedulers)?;
        }
    }
    Ok(())
}

/// Removes the fields of a scenario that only guide people.
pub fn drop_guide(scenario: &mut Value) {
    if let Value::Object(map) = scenario {
        map.retain(|key, _| !GUIDE.contains(&key.as_str()));
    }
}

/// Checks that a word is in a list.
fn known(what: &str, word: &str, all: &[&str]) -> Result<(), ConfigError> {
    if all.contains(&word) {
        return Ok(());
    }
    let (all, got) = (all.join(", "), quoted(word));
    let message = format!("must be one of {all}; got \"{got}\"");
    Err(ConfigError::new(what, message))
}

/// A list of the scenario; empty if it has none.
fn list<'a>(scenario: &'a mut Value, name: &str) -> &'a mut Vec<Value> {
    let place = place(scenario, name);
    if !place.is_array() {
        *place = Value::Array(Vec::new());
    }
    match place {
        Value::Array(list) => list,
        _ => unreachable!("invariant: just made a list"),
    }
}

fn group<'a>(scenario: &'a mut Value, name: &str) -> Result<&'a mut Value, ConfigError> {
    let groups = list(scenario, "groups");
    let mut names = Vec::new();
    for group in &*groups {
        let known = group["name"].as_str().unwrap_or_default();
        if !names.contains(&known) {
            names.push(known);
        }
    }
    known("group", name, &names)?;
    let mut groups = groups.iter_mut();
    let found = groups.find(|group| group["name"] == name);
    Ok(found.expect("invariant: just seen"))
}

/// The lanes of a scheduler.
fn lanes<'a>(scenario: &'a mut Value, scheduler: &str) -> Vec<&'a mut Value> {
    let lanes = list(scenario, "schedulers").iter_mut();
    lanes.filter(|lane| lane["id"] == scheduler).collect()
}

/// A field of a machine; a preset is written out for it.
fn machine_field<'a>(machine: &'a mut Value, path: &str) -> Result<&'a mut Value, ConfigError> {
    if let Value::String(id) = machine {
        known("machine", id, &shelf::names("machines"))?;
        let preset = shelf::file(&format!("machines/{id}"));
        *machine = preset.expect("invariant: just seen").clone();
    }
    let mut at = machine;
    for key in path.split('.') {
        at = match at {
            Value::Object(map) => {
                let names: Vec<&str> = map.keys().map(String::as_str).collect();
                known("field of the machine", key, &names)?;
                map.entry(key).or_insert(Value::Null)
            }
            Value::Array(list) => {
                let n = list.len();
                let place = key.parse().unwrap_or(usize::MAX);
                let Some(found) = list.get_mut(place) else {
                    let (path, key) = (quoted(path), quoted(key));
                    let message = format!("must be below {n} in {path}; got {key}");
                    return Err(ConfigError::new("field of the machine", message));
                };
                found
            }
            _ => {
                let message = format!("{} leads into a plain value", quoted(path));
                return Err(ConfigError::new("field of the machine", message));
            }
        };
    }
    Ok(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Scenario, ThreadGroup, validate};
    use crate::experiment::registry;
    use serde_json::json;

    fn base() -> Value {
        let text = registry::text("s3-nice").expect("shipped");
        serde_json::from_str(text).expect("JSON")
    }

    fn changed(json: &Value) -> Result<Value, String> {
        let change: Change = serde_json::from_value(json.clone()).map_err(|e| e.to_string())?;
        let mut scenario = base();
        change.apply(&mut scenario).map_err(|e| e.to_string())?;
        drop_guide(&mut scenario);
        Ok(scenario)
    }

    fn parsed(json: &Value) -> Scenario {
        let value = changed(json).expect("known");
        validate::parse(&value.to_string()).expect("valid")
    }

    #[test]
    fn every_kind_of_change_reaches_what_it_names() {
        let s =
            parsed(&json!({ "change": "group", "group": "first", "field": "count", "value": 5 }));
        assert_eq!((s.groups[0].count, s.groups[1].count), (5, 1));
        let s =
            parsed(&json!({ "change": "param", "group": "second", "param": "workMs", "value": 7 }));
        assert!(s.groups[1].behaviour.params.contains_key("workMs"));
        let s = parsed(&json!({ "change": "behaviour", "group": "first", "kind": "loop" }));
        assert_eq!(s.groups[0].behaviour.kind, "loop");
        let s = parsed(&json!({ "change": "removeGroup", "group": "first" }));
        assert_eq!(s.groups.len(), 1);
        let more = json!({ "name": "more", "count": 2, "behaviour": { "kind": "loop" } });
        let s = parsed(&json!({ "change": "addGroup", "added": more }));
        assert_eq!((s.groups.len(), s.groups[2].count), (3, 2));
        let s = parsed(&json!({ "change": "seed", "seed": 9 }));
        assert_eq!(s.seed, 9);
        let s = parsed(&json!({ "change": "end", "atNs": 4 }));
        assert_eq!(s.end.at_ns, 4);
        let s = parsed(&json!({ "change": "background", "background": { "daemons": {} } }));
        assert!(s.background.is_some());
        let s = parsed(&json!({ "change": "timing", "field": "kickNs", "value": 4 }));
        assert_eq!(s.timing.kick_ns, Some(4));
        let s = parsed(
            &json!({ "change": "tunable", "scheduler": "ule", "tunable": "slice", "value": 3 }),
        );
        assert!(
            s.schedulers
                .iter()
                .all(|l| l.tunables.contains_key("slice"))
        );
        let s = parsed(&json!({ "change": "era", "scheduler": "ule", "era": "11.1" }));
        assert_eq!(s.schedulers[1].era.as_deref(), Some("11.1"));
        let s =
            parsed(&json!({ "change": "lane", "scheduler": "ule", "instead": { "id": "4bsd" } }));
        assert_eq!(s.schedulers[0].id, "4bsd");
    }

    #[test]
    fn a_field_of_a_preset_is_changed_in_a_copy_of_it() {
        let s = changed(
            &json!({ "change": "machineField", "field": "memory.localLatencyNs", "value": 100 }),
        );
        let s = s.expect("known");
        assert_eq!(s["machine"]["id"], "r3900x");
        assert_eq!(s["machine"]["memory"]["localLatencyNs"], 100);
        assert!(validate::parse(&s.to_string()).is_ok());
    }

    #[test]
    fn a_scheduler_that_no_lane_has_stays_out_and_is_named() {
        let change = Change::tunable("cfs", "hz", 100);
        let mut scenario = base();
        change.apply(&mut scenario).expect("nothing to do");
        assert_eq!(scenario, base());
        let error = concern(&[change], &["ule", "4bsd"]).expect_err("no such lane");
        assert_eq!(
            error.to_string(),
            "scheduler: must be one of ule, 4bsd; got \"cfs\""
        );
    }

    #[test]
    fn what_is_not_there_is_named_with_what_is() {
        for (json, expected) in [
            (
                json!({ "change": "group", "group": "third", "field": "count", "value": 5 }),
                "group: must be one of first, second; got \"third\"",
            ),
            (
                json!({ "change": "group", "group": "first", "field": "cuont", "value": 5 }),
                "field of a group: must be one of name, count,",
            ),
            (
                json!({ "change": "machineField", "field": "memory.speed", "value": 5 }),
                "field of the machine: must be one of",
            ),
            (
                json!({ "change": "machineField", "field": "caches.7.bytes", "value": 5 }),
                "must be below",
            ),
            (
                json!({ "change": "editTime", "edit": 0, "atNs": 5 }),
                "edit: must be below 0",
            ),
            (json!({ "change": "wish" }), "unknown variant"),
            (
                json!({ "change": "seed", "seed": 1, "sed": 2 }),
                "unknown field",
            ),
        ] {
            let error = changed(&json).expect_err("wrong");
            assert!(error.contains(expected), "{json}: {error}");
        }
    }

    #[test]
    fn the_fields_are_those_of_the_format() {
        let json = json!({ "name": "a", "count": 1, "behaviour": { "kind": "loop" },
            "rtPriority": 1, "workingSetBytes": 1, "allowed": [0], "parent": {}, "process": "p" });
        let group: ThreadGroup = serde_json::from_value(json).expect("a group");
        let written = serde_json::to_value(group).expect("plain");
        for key in written.as_object().expect("an object").keys() {
            assert!(
                key == "behaviour" || GROUP_FIELDS.contains(&key.as_str()),
                "{key}"
            );
        }
        let mut guided = base();
        drop_guide(&mut guided);
        let mut parsed = registry::scenario("s3-nice").expect("shipped");
        parsed.drop_guide();
        let ours = validate::parse(&guided.to_string()).expect("valid");
        assert_eq!(ours, parsed);
    }
}
