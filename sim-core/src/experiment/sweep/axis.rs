//! The place in a scenario that an axis changes, and how.

use super::space::COLUMNS;
use super::{Axis, Sweep, Vary};
use crate::config::{Scenario, validate};
use crate::error::ConfigError;
use crate::params::ParamSpec;
use crate::sched::EraInfo;
use crate::sched::registry::ALL;
use crate::text::quoted;
use crate::workload::registry as behaviours;
use serde_json::{Value, json};

impl Vary {
    /// Its word in a file.
    fn word(self) -> String {
        let word = serde_json::to_value(self).unwrap_or_default();
        word.as_str().unwrap_or_default().to_owned()
    }

    fn is_of_group(self) -> bool {
        matches!(
            self,
            Self::Count | Self::Nice | Self::WorkingSet | Self::Param
        )
    }

    fn has_id(self) -> bool {
        matches!(self, Self::Param | Self::Tunable | Self::Path)
    }

    /// The order in which axes are written: schedulers before their properties, and pointers into these last.
    pub(super) fn turn(self) -> u8 {
        match self {
            Self::Scheduler => 0,
            Self::Era => 1,
            Self::Path => 3,
            _ => 2,
        }
    }
}

/// The era of a lane as written.
fn era_of(lane: &Value) -> Option<&'static EraInfo> {
    let info = ALL.find(lane["id"].as_str()?)?;
    info.era(lane["era"].as_str())
}

fn ids(specs: &[ParamSpec]) -> Vec<&'static str> {
    specs.iter().map(|p| p.id).collect()
}

impl Axis {
    /// The heading of its column.
    #[must_use]
    pub fn heading(&self) -> String {
        let word = || match &self.id {
            Some(id) => id.clone(),
            None => self.vary.word(),
        };
        self.name.clone().unwrap_or_else(|| {
            let word = word();
            if COLUMNS.contains(&word.as_str()) {
                return format!("varied_{word}");
            }
            word
        })
    }

    fn id(&self) -> Result<&str, String> {
        let word = self.vary.word();
        self.id
            .as_deref()
            .ok_or_else(|| format!("\"{word}\" needs an id"))
    }

    /// Writes a value into a scenario.
    pub(super) fn write(&self, scenario: &mut Value, value: &Value) -> Result<(), String> {
        match self.vary {
            Vary::Count => self.group(scenario)?["count"] = value.clone(),
            Vary::Nice => self.group(scenario)?["nice"] = value.clone(),
            Vary::WorkingSet => self.group(scenario)?["workingSetBytes"] = value.clone(),
            Vary::Param => {
                let id = self.id()?;
                self.group(scenario)?["behaviour"]["params"][id] = value.clone();
            }
            Vary::Machine => scenario["machine"] = value.clone(),
            Vary::Scheduler => scenario["schedulers"] = json!([lane(value)]),
            Vary::Era => self.lanes(scenario, |_| true, |lane| lane["era"] = value.clone())?,
            Vary::Tunable => {
                let id = self.id()?;
                let has = |lane: &Value| {
                    era_of(lane).is_some_and(|e| e.tunables.iter().any(|t| t.id == id))
                };
                self.lanes(scenario, has, |lane| lane["tunables"][id] = value.clone())?;
            }
            Vary::Seed => scenario["seed"] = value.clone(),
            Vary::Path => {
                let pointer = self.id()?;
                let (parent, key) = pointer
                    .rsplit_once('/')
                    .ok_or("a JSON pointer begins with /")?;
                let place = scenario.pointer_mut(parent);
                match place.ok_or_else(|| nowhere(pointer))? {
                    Value::Object(map) => {
                        let key = key.replace("~1", "/").replace("~0", "~");
                        map.insert(key, value.clone());
                    }
                    Value::Array(list) => {
                        let i = key.parse::<usize>().ok();
                        let item = i.and_then(|i| list.get_mut(i));
                        *item.ok_or_else(|| nowhere(pointer))? = value.clone();
                    }
                    _ => return Err(nowhere(pointer)),
                }
            }
        }
        Ok(())
    }

    /// Changes the lanes for which the axis is meant.
    fn lanes(
        &self,
        scenario: &mut Value,
        has: impl Fn(&Value) -> bool,
        change: impl Fn(&mut Value),
    ) -> Result<(), String> {
        let lanes = scenario["schedulers"].as_array_mut();
        let wanted = |lane: &Value| {
            let scheduler = self.scheduler.as_ref();
            scheduler.is_none_or(|id| lane["id"] == id.as_str()) && has(lane)
        };
        let lanes = lanes.ok_or("the base names no schedulers")?;
        lanes.iter_mut().filter(|l| wanted(l)).for_each(change);
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
            .ok_or_else(|| format!("the group must be one of {}", names.join(", ")))
    }

    /// All errors that do not depend on what its values do to the scenario.
    pub(super) fn check(&self, at: &str, sweep: &Sweep, base: &Value) -> Vec<ConfigError> {
        let mut errors = Vec::new();
        let word = self.vary.word();
        let mut wrong = |field: &str, message: String| {
            errors.push(ConfigError::new(format!("{at}{field}"), message));
        };
        if self.group.is_some() && !self.vary.is_of_group() {
            let message = "only count, nice, workingSet and param are a group's";
            wrong(".group", format!("{message}, not {word}"));
        }
        if self.scheduler.is_some() && !matches!(self.vary, Vary::Era | Vary::Tunable) {
            let message = "only era and tunable are a scheduler's";
            wrong(".scheduler", format!("{message}, not {word}"));
        }
        if self.id.is_some() && !self.vary.has_id() {
            let message = format!("only param, tunable and path have one, not {word}");
            wrong(".id", message);
        }
        if !errors.is_empty() {
            return errors;
        }
        let checked = match self.vary {
            Vary::Param => self.check_param(base),
            Vary::Era | Vary::Tunable => self.check_lanes(sweep, base),
            Vary::Path => self.check_place(base),
            _ => Ok(()),
        };
        if let Err((field, message)) = checked {
            return vec![ConfigError::new(format!("{at}{field}"), message)];
        }
        // The place is the same for all values.
        match self.write(&mut base.clone(), &Value::Null) {
            Ok(()) => Vec::new(),
            Err(message) => vec![ConfigError::new(at, message)],
        }
    }

    fn check_param(&self, base: &Value) -> Result<(), (&'static str, String)> {
        let id = self.id().map_err(|m| ("", m))?;
        let mut base = base.clone();
        let group = self.group(&mut base).map_err(|m| ("", m))?;
        let behaviour = group["behaviour"]["kind"]
            .as_str()
            .and_then(behaviours::find);
        let known = behaviour.map_or_else(Vec::new, |b| ids(b.params));
        if known.contains(&id) {
            return Ok(());
        }
        let (known, got) = (known.join(", "), quoted(id));
        Err((".id", format!("must be one of {known}; got \"{got}\"")))
    }

    /// Checks that some lane of some point has what is varied.
    fn check_lanes(&self, sweep: &Sweep, base: &Value) -> Result<(), (&'static str, String)> {
        let varied = |what: Vary| sweep.axes.iter().filter(move |a| a.vary == what);
        let mut lanes: Vec<Value> = varied(Vary::Scheduler)
            .flat_map(|a| &a.values)
            .map(lane)
            .collect();
        if lanes.is_empty() {
            lanes = base["schedulers"].as_array().cloned().unwrap_or_default();
        }
        if let Some(wanted) = &self.scheduler {
            let mut ids: Vec<&str> = lanes.iter().filter_map(|l| l["id"].as_str()).collect();
            ids.dedup();
            if !ids.contains(&wanted.as_str()) {
                let (ids, got) = (ids.join(", "), quoted(wanted));
                let message = format!("must be that of a lane, one of {ids}; got \"{got}\"");
                return Err((".scheduler", message));
            }
            lanes.retain(|l| l["id"] == wanted.as_str());
        }
        if self.vary == Vary::Era {
            return Ok(());
        }
        let id = self.id().map_err(|m| ("", m))?;
        let eras = lanes.iter().flat_map(|lane| {
            let info = lane["id"].as_str().and_then(|id| ALL.find(id));
            let all = info.map_or(&[][..], |i| i.eras);
            let one = era_of(lane);
            let is_one = varied(Vary::Era).next().is_none();
            all.iter()
                .filter(move |e| !is_one || one.is_some_and(|one| one.id == e.id))
        });
        let mut known: Vec<&str> = eras.flat_map(|e| ids(e.tunables)).collect();
        if known.contains(&id) {
            return Ok(());
        }
        known.sort_unstable();
        known.dedup();
        let got = quoted(id);
        let lanes = self.scheduler.as_deref().unwrap_or("the lanes");
        let known = if known.is_empty() {
            format!("{lanes}: no tunables at all")
        } else {
            format!("{lanes}: {}", known.join(", "))
        };
        Err((".id", format!("no lane has a tunable \"{got}\"; {known}")))
    }

    /// Checks a place that the base does not contain: a scenario must be able to have it.
    fn check_place(&self, base: &Value) -> Result<(), (&'static str, String)> {
        let pointer = self.id().map_err(|m| ("", m))?;
        if base.pointer(pointer).is_some() {
            return Ok(());
        }
        let mut why = None;
        for value in &self.values {
            let mut scenario = base.clone();
            self.write(&mut scenario, value).map_err(|m| (".id", m))?;
            let read = validate::parse(&scenario.to_string());
            match read.and_then(|s: Scenario| validate::plan(&s)) {
                Ok(_) => return Ok(()),
                Err(errors) => why = why.or(errors.into_iter().next()),
            }
        }
        let why = why.map_or(String::new(), |e| format!(": {}", e.message));
        Err((".id", nowhere(pointer) + &why))
    }
}

/// A scheduler in the form that an axis may use.
fn lane(value: &Value) -> Value {
    match value {
        Value::String(id) => json!({ "id": id }),
        other => other.clone(),
    }
}

fn nowhere(pointer: &str) -> String {
    format!("\"{}\" leads nowhere", quoted(pointer))
}
