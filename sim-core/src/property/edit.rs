//! Sets a property at a time of the run: the edit that does it.

use super::write::{cgroups, groups, list, with_tunable};
use super::{Refused, value};
use crate::config::edit::Edit;
use serde_json::{Value, json};

/// The change during the run that sets a property, at the end of the list.
pub(super) fn edit(
    scenario: &mut Value,
    steps: &[String],
    value: &Value,
    at_ns: u64,
) -> Result<(), Refused> {
    let words: Vec<&str> = steps.iter().map(String::as_str).collect();
    let mut sets = Vec::new();
    match words[..] {
        ["lanes", which, id] => {
            for (i, spec) in with_tunable(list(scenario, "schedulers"), which, id)? {
                let lane = (i + 1).to_string();
                let value = value::declared(spec, value)?;
                sets.push((super::written(&["lanes", &lane, id]), value));
            }
        }
        ["groups", name, ..] => {
            groups(scenario, name)?;
            sets.push((super::written(steps), value.clone()));
        }
        ["cgroups", name, field] => {
            for name in cgroups(scenario, name, false)? {
                let path = super::written(&["cgroups", &name, field]);
                sets.push((path, value.clone()));
            }
        }
        _ => sets.push((super::written(steps), value.clone())),
    }
    for (path, value) in sets {
        Edit::set(&path, &value)?;
        list(scenario, "edits").push(json!({ "atNs": at_ns, "set": { path: value } }));
    }
    Ok(())
}
