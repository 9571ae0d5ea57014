//! Sets a property at a time of the run: the edit that does it.

use super::write::{groups, list, with_tunable};
use super::{Refused, value};
use serde_json::{Value, json};

/// The change during the run that sets a property, at the end of the list.
pub(super) fn edit(
    scenario: &mut Value,
    steps: &[String],
    value: &Value,
    at_ns: u64,
) -> Result<(), Refused> {
    let words: Vec<&str> = steps.iter().map(String::as_str).collect();
    let mut new = Vec::new();
    match words[..] {
        ["lanes", which, id] => {
            for (i, spec) in with_tunable(list(scenario, "schedulers"), which, id)? {
                if value.is_null() {
                    return Err("must have a value during the run; got null".into());
                }
                let value = value::declared(spec, value)?;
                new.push(json!({ "atNs": at_ns,
                    "edit": { "kind": "setTunable", "lane": i, "id": id, "value": value } }));
            }
        }
        [what @ ("groups" | "threads"), name, ref rest @ ..] => {
            let target = match (what, name) {
                (_, "*") => json!({}),
                ("threads", name) => json!({ "thread": name }),
                (_, name) => json!({ "group": name }),
            };
            if what == "groups" {
                groups(scenario, name)?;
            }
            let edit = match rest {
                ["nice"] => json!({ "kind": "setNice", "target": target, "nice": value }),
                ["sliceNs"] => {
                    let value = if value.is_null() {
                        &Value::from(0)
                    } else {
                        value
                    };
                    json!({ "kind": "setSlice", "target": target, "sliceNs": value })
                }
                ["workingSetBytes"] if !value.is_null() => {
                    json!({ "kind": "setWorkingSet", "target": target, "bytes": value })
                }
                ["allowed"] if value.is_null() => json!({ "kind": "unpin", "target": target }),
                ["allowed"] => json!({ "kind": "pin", "target": target, "cpus": value }),
                ["paused"] if *value == true => json!({ "kind": "pause", "target": target }),
                ["paused"] => json!({ "kind": "resume", "target": target }),
                ["count"] => match count(scenario, name, value, at_ns)? {
                    Some(edit) => edit,
                    None => return Ok(()),
                },
                [] if value.is_null() => json!({ "kind": "kill", "target": target }),
                _ => return Err("must have another value during the run".into()),
            };
            new.push(json!({ "atNs": at_ns, "edit": edit }));
        }
        _ => unreachable!("invariant: only lanes, groups and threads change during a run"),
    }
    list(scenario, "edits").extend(new);
    Ok(())
}

/// The edit that gives a group another number of threads, counted from its first number and the edits up to then; `None`
/// if it has this number already.
fn count(
    scenario: &mut Value,
    name: &str,
    value: &Value,
    at_ns: u64,
) -> Result<Option<Value>, String> {
    if name == "*" {
        return Err("must be set for one group at a time during the run".to_owned());
    }
    let wanted = value
        .as_i64()
        .ok_or("must have a value during the run; got null")?;
    let now = {
        let groups = groups(scenario, name)?;
        groups
            .iter()
            .filter_map(|g| g["count"].as_i64())
            .sum::<i64>()
    };
    let mut edits: Vec<&Value> = list(scenario, "edits")
        .iter()
        .filter(|e| e["atNs"].as_u64() <= Some(at_ns))
        .collect();
    edits.sort_by_key(|e| e["atNs"].as_u64());
    let now = edits.iter().fold(now, |now, timed| {
        let (edit, n) = (&timed["edit"], timed["edit"]["count"].as_i64());
        match edit["kind"].as_str() {
            Some("spawn") if edit["group"] == name => now + n.unwrap_or(0),
            Some("kill") if edit["target"]["group"] == name => (now - n.unwrap_or(now)).max(0),
            _ => now,
        }
    });
    Ok(match wanted - now {
        0 => None,
        more @ 1.. => Some(json!({ "kind": "spawn", "group": name, "count": more })),
        fewer => Some(json!({ "kind": "kill", "target": { "group": name }, "count": -fewer })),
    })
}
