//! Reads a property of a scenario.

use super::write::{groups, list, which_lanes, with_tunable, write_out};
use super::{Refused, When, find};
use crate::config::Scenario;
use crate::error::ConfigError;
use crate::params::ParamKind;
use crate::text::visible;
use crate::workload::registry as behaviours;
use serde_json::Value;

/// The value of a property, as a scenario file has it; `null` where it is left out.
///
/// # Errors
/// If there is no such property, it has a value only during the run, or the path names several with different values.
pub fn value_at(scenario: &Scenario, path: &str) -> Result<Value, ConfigError> {
    let mut json = serde_json::to_value(scenario).expect("invariant: scenarios are plain data");
    read(&mut json, path).map_err(|(Refused::Nowhere(message) | Refused::Wrong(message))| {
        ConfigError::new(visible(path), message)
    })
}

fn read(json: &mut Value, path: &str) -> Result<Value, Refused> {
    let (property, steps) = find(path)?;
    if property.when == When::Run {
        return Err("has a value only during the run".into());
    }
    let words: Vec<&str> = steps.iter().map(String::as_str).collect();
    let all: Vec<Value> = match words[..] {
        ["lanes"] => vec![json["schedulers"].take()],
        ["lanes", which, ref rest @ ..] => {
            let lanes = list(json, "schedulers");
            match rest {
                [id] if !matches!(*id, "id" | "era" | "tunables") => {
                    with_tunable(lanes, which, id)?
                        .into_iter()
                        .map(|(i, spec)| {
                            let own = lanes[i]["tunables"].get(*id).cloned();
                            own.unwrap_or_else(|| default_of(&spec.kind))
                        })
                        .collect()
                }
                rest => {
                    let named = which_lanes(lanes, which)?.into_iter();
                    named.map(|i| inside(&lanes[i], rest)).collect()
                }
            }
        }
        ["groups", name, ref rest @ ..] => {
            let named = groups(json, name)?.into_iter();
            named.map(|group| in_group(group, rest)).collect()
        }
        _ => {
            if let ["machine", _, ..] = words[..] {
                write_out(&mut json["machine"])?;
            }
            vec![inside(json, &words)]
        }
    };
    match &all[..] {
        [] => Err("has no value, as nothing of that name is there".into()),
        [first, rest @ ..] if rest.iter().all(|value| value == first) => Ok(first.clone()),
        _ => Err("has several values here; name one".into()),
    }
}

fn in_group(group: &Value, rest: &[&str]) -> Value {
    let behaviour = &group["behaviour"];
    let kind = behaviour["kind"].as_str().and_then(behaviours::find);
    let spec = match rest {
        ["behaviour", id] => kind.and_then(|kind| kind.params.iter().find(|p| p.id == *id)),
        _ => None,
    };
    match spec {
        Some(spec) => {
            let own = behaviour["params"].get(spec.id).cloned();
            own.unwrap_or_else(|| default_of(&spec.kind))
        }
        None => inside(group, rest),
    }
}

/// What stands in a place of nested objects and lists, which count from 1.
fn inside(at: &Value, steps: &[&str]) -> Value {
    let found = steps.iter().try_fold(at, |at, step| match at {
        Value::Array(list) => list.get(step.parse::<usize>().ok()?.checked_sub(1)?),
        at => at.get(*step),
    });
    found.cloned().unwrap_or(Value::Null)
}

fn default_of(kind: &ParamKind) -> Value {
    match *kind {
        ParamKind::Int { default, .. } => Value::from(default),
        ParamKind::Flag { default } => Value::from(default),
        ParamKind::Choice { default, .. } | ParamKind::Text { default, .. } => Value::from(default),
    }
}
