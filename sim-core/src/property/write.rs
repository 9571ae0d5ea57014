//! Sets a property in the JSON of a scenario.

use super::{Refused, value};
use crate::machine::registry as machines;
use crate::params::ParamSpec;
use crate::sched::registry::ALL;
use crate::text::quoted;
use crate::workload::registry as behaviours;
use serde_json::{Map, Value, json};

/// Writes a value into a place.
pub(super) fn write(scenario: &mut Value, steps: &[String], value: &Value) -> Result<(), Refused> {
    let words: Vec<&str> = steps.iter().map(String::as_str).collect();
    match words[..] {
        ["lanes"] => {
            let all = match value {
                Value::Array(all) => all.iter().map(lane).collect(),
                one => vec![lane(one)],
            };
            *field(scenario, "schedulers") = Value::Array(all);
        }
        ["lanes", which] => item(list(scenario, "schedulers"), which, lane(value), "id")?,
        ["lanes", which, "id" | "era" | "tunables" | "program"] => {
            for lane in lanes(scenario, which)? {
                put(lane, words[2], value.clone());
            }
        }
        ["lanes", which, id] => {
            let lanes = list(scenario, "schedulers");
            for (i, spec) in with_tunable(lanes, which, id)? {
                let value = value::declared(spec, value)?;
                put(field(&mut lanes[i], "tunables"), id, value);
            }
        }
        ["groups"] => *field(scenario, "groups") = value.clone(),
        ["groups", name] => {
            let mut group = value.clone();
            if group.is_object() && group.get("name").is_none() {
                put(&mut group, "name", Value::from(name));
            }
            item(list(scenario, "groups"), name, group, "name")?;
        }
        ["groups", name, ref rest @ ..] => {
            for group in groups(scenario, name)? {
                in_group(group, rest, value)?;
            }
        }
        ["cgroups", name, ref rest @ ..] => {
            for name in cgroups(scenario, name, rest.is_empty() && !value.is_null())? {
                let all = field(scenario, "cgroups");
                in_object(all, &[&[name.as_str()], rest].concat(), value)?;
            }
        }
        ["edits", n] => item(list(scenario, "edits"), n, value.clone(), "")?,
        _ => {
            if let ["machine", _, ..] = words[..] {
                write_out(field(scenario, "machine"))?;
            }
            in_object(scenario, &words, value)?;
        }
    }
    Ok(())
}

/// Sets a property of a group.
fn in_group(group: &mut Value, rest: &[&str], value: &Value) -> Result<(), String> {
    match rest {
        ["behaviour"] => {
            let kind = value.as_str().map(|kind| json!({ "kind": kind }));
            put(group, "behaviour", kind.unwrap_or_else(|| value.clone()));
        }
        ["behaviour", "kind" | "params"] => put(field(group, "behaviour"), rest[1], value.clone()),
        ["behaviour", id] => {
            let behaviour = field(group, "behaviour");
            let kind = behaviour["kind"].as_str().and_then(behaviours::find);
            let specs = kind.map_or(&[][..], |b| b.params);
            let spec = specs.iter().find(|p| p.id == *id);
            let spec = spec.ok_or_else(|| one_of(&ids(specs), id))?;
            let value = value::declared(spec, value)?;
            put(field(behaviour, "params"), id, value);
        }
        rest => in_object(group, rest, value)?,
    }
    Ok(())
}

/// Sets a place of nested objects and lists, which count from 1.
fn in_object(at: &mut Value, steps: &[&str], value: &Value) -> Result<(), String> {
    let Some((step, rest)) = steps.split_first() else {
        *at = value.clone();
        return Ok(());
    };
    match at {
        Value::Array(list) => {
            let n = list.len();
            let i = step.parse::<usize>().ok().filter(|i| (1..=n).contains(i));
            let i = i.ok_or_else(|| format!("must be from 1 to {n}; got {}", quoted(step)))?;
            in_object(&mut list[i - 1], rest, value)
        }
        // Nothing is made where nothing is removed.
        Value::Object(_) | Value::Null if value.is_null() && at.get(*step).is_none() => Ok(()),
        Value::Object(_) | Value::Null if rest.is_empty() => {
            put(at, step, value.clone());
            Ok(())
        }
        Value::Object(_) | Value::Null => in_object(field(at, step), rest, value),
        _ => Err(format!("\"{}\" is no field of a plain value", quoted(step))),
    }
}

/// Replaces, removes or adds items of a list: all, those of a name, or the one of a number.
fn item(list: &mut Vec<Value>, which: &str, new: Value, name: &str) -> Result<(), Refused> {
    let n = list.len();
    let is_it = |item: &Value| which == "*" || item[name] == which;
    let mut places: Vec<usize> = (0..n).filter(|i| is_it(&list[*i])).collect();
    let is_by_name = name == "name";
    let number = which
        .parse::<usize>()
        .ok()
        .and_then(|number| number.checked_sub(1));
    if places.is_empty() && !new.is_null() && is_by_name {
        places.push(n);
    } else if places.is_empty() && !is_by_name {
        places.extend(number.filter(|i| *i < n || (*i == n && !new.is_null())));
    }
    if places.is_empty() {
        let names = list.iter().filter_map(|item| item[name].as_str());
        let mut known: Vec<String> = names.map(str::to_owned).collect();
        if !is_by_name {
            known.extend((1..=n).map(|i| i.to_string()));
        }
        let message = one_of(&known, which);
        let is_scheduler = name == "id" && number.is_none();
        return Err(if is_scheduler {
            Refused::Nowhere(message)
        } else {
            Refused::Wrong(message)
        });
    }
    for i in places.into_iter().rev() {
        match (new.is_null(), i == n) {
            (true, _) => drop(list.remove(i)),
            (false, true) => list.push(new.clone()),
            (false, false) => list[i] = new.clone(),
        }
    }
    Ok(())
}

/// The groups of a name; `*` for all.
pub(super) fn groups<'a>(
    scenario: &'a mut Value,
    name: &str,
) -> Result<Vec<&'a mut Value>, String> {
    let groups = list(scenario, "groups");
    let names: Vec<String> = groups
        .iter()
        .filter_map(|g| g["name"].as_str().map(str::to_owned))
        .collect();
    if name != "*" && !names.iter().any(|n| n == name) {
        return Err(one_of(&names, name));
    }
    Ok(groups
        .iter_mut()
        .filter(|g| name == "*" || g["name"] == name)
        .collect())
}

/// The names of the control groups that a path means: one, or all for `*`. Only a group as a whole may be new.
pub(super) fn cgroups(
    scenario: &Value,
    name: &str,
    may_be_new: bool,
) -> Result<Vec<String>, String> {
    let known = scenario["cgroups"].as_object().into_iter().flatten();
    let known: Vec<String> = known.map(|(name, _)| name.clone()).collect();
    match name {
        "*" => Ok(known),
        name if may_be_new || known.iter().any(|k| k == name) => Ok(vec![name.to_owned()]),
        name => Err(one_of(&known, name)),
    }
}

/// The lanes of a number or scheduler, or all.
fn lanes<'a>(scenario: &'a mut Value, which: &str) -> Result<Vec<&'a mut Value>, Refused> {
    let lanes = list(scenario, "schedulers");
    let wanted = which_lanes(lanes, which)?;
    let lanes = lanes.iter_mut().enumerate();
    Ok(lanes
        .filter(|(i, _)| wanted.contains(i))
        .map(|(_, lane)| lane)
        .collect())
}

/// Positions of the lanes of a number or scheduler, or all.
pub(super) fn which_lanes(lanes: &[Value], which: &str) -> Result<Vec<usize>, Refused> {
    let n = lanes.len();
    if let Ok(number) = which.parse::<usize>() {
        let is_there = (1..=n).contains(&number);
        let message = || format!("must be from 1 to {n}; got {number}").into();
        return is_there.then(|| vec![number - 1]).ok_or_else(message);
    }
    let is_it = |i: &usize| which == "*" || lanes[*i]["id"] == which;
    let found: Vec<usize> = (0..n).filter(is_it).collect();
    if found.is_empty() {
        let mut ids: Vec<&str> = lanes.iter().filter_map(|l| l["id"].as_str()).collect();
        ids.dedup();
        let (ids, got) = (ids.join(", "), quoted(which));
        let message =
            format!("must be a number from 1 to {n} or a scheduler, one of {ids}; got \"{got}\"");
        return Err(Refused::Nowhere(message));
    }
    Ok(found)
}

/// Positions of those lanes that have a tunable, and its declaration.
pub(super) fn with_tunable(
    lanes: &[Value],
    which: &str,
    id: &str,
) -> Result<Vec<(usize, &'static ParamSpec)>, Refused> {
    let named = which_lanes(lanes, which)?;
    let has = |i: &usize| Some((*i, tunables(&lanes[*i]).iter().find(|t| t.id == id)?));
    let found: Vec<_> = named.iter().filter_map(has).collect();
    if found.is_empty() {
        let mut known: Vec<&str> = named
            .iter()
            .flat_map(|i| ids(tunables(&lanes[*i])))
            .collect();
        known.sort_unstable();
        known.dedup();
        let known = if known.is_empty() {
            "no tunables at all".to_owned()
        } else {
            known.join(", ")
        };
        let message = format!(
            "there is no tunable \"{}\"; {which} has {known}",
            quoted(id)
        );
        return Err(Refused::Nowhere(message));
    }
    Ok(found)
}
/// A lane as a scenario writes it: an id may stand for it.
fn lane(value: &Value) -> Value {
    match value {
        Value::String(id) => json!({ "id": id }),
        other => other.clone(),
    }
}

/// The tunables of a lane as written; none if its scheduler or release is not known.
fn tunables(lane: &Value) -> &'static [ParamSpec] {
    let info = lane["id"].as_str().and_then(|id| ALL.find(id));
    let era = info.and_then(|info| info.era(lane["era"].as_str()));
    era.map_or(&[], |era| era.tunables)
}

fn ids(specs: &[ParamSpec]) -> Vec<&'static str> {
    specs.iter().map(|p| p.id).collect()
}

fn one_of<S: AsRef<str>>(known: &[S], got: &str) -> String {
    let known: Vec<&str> = known.iter().map(AsRef::as_ref).collect();
    format!(
        "must be one of {}; got \"{}\"",
        known.join(", "),
        quoted(got)
    )
}

/// Writes a preset out, so that its fields can be changed or read.
pub(super) fn write_out(machine: &mut Value) -> Result<(), String> {
    if let Value::String(id) = machine {
        let known: Vec<&str> = machines::ids().collect();
        let spec = machines::spec(id).ok_or_else(|| one_of(&known, id))?;
        *machine = serde_json::to_value(spec).expect("invariant: machines are plain data");
    }
    Ok(())
}

/// A field of an object. A value that is no object becomes one, where `value[key]` would panic.
fn field<'a>(value: &'a mut Value, key: &str) -> &'a mut Value {
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    match value {
        Value::Object(map) => map.entry(key).or_insert(Value::Null),
        _ => unreachable!("invariant: just made an object"),
    }
}

/// Sets a field of an object; `null` removes it.
fn put(value: &mut Value, key: &str, new: Value) {
    *field(value, key) = new;
    if let Value::Object(map) = value {
        map.retain(|k, v| k != key || !v.is_null());
    }
}

/// A list of the scenario; empty if it has none.
pub(super) fn list<'a>(scenario: &'a mut Value, name: &str) -> &'a mut Vec<Value> {
    let place = field(scenario, name);
    if !place.is_array() {
        *place = Value::Array(Vec::new());
    }
    match place {
        Value::Array(list) => list,
        _ => unreachable!("invariant: just made a list"),
    }
}
