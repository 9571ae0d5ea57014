//! The changes of a learner: the differences of a scenario from the lesson's own, as a JSON merge patch (RFC 7386), and
//! back.
//!
//! Only differences that change a run count. Name, notes and what the page shows first are left out. So is the seed,
//! because tables have a separate column for it.

use super::registry;
use crate::config::{Scenario, validate};
use crate::error::ConfigError;
use serde_json::{Map, Value};

type Errors = Vec<ConfigError>;

/// Fields that do not change a run, or are stored elsewhere.
const LEFT_OUT: [&str; 4] = ["name", "notes", "try", "seed"];

/// How a scenario differs from that of a lesson; `{}` if only the seed does.
///
/// # Errors
/// If there is no such lesson, or if the scenario cannot be written as JSON.
pub fn changes(lesson: &str, scenario: &Scenario) -> Result<Value, Errors> {
    let shipped = registry::known(lesson)?.read_scenario();
    Ok(difference(&bare(&shipped)?, &bare(scenario)?))
}

/// The scenario of a lesson with a seed and with changes.
///
/// # Errors
/// If there is no such lesson, or the errors of the changed scenario.
pub fn changed(lesson: &str, seed: u64, changes: &Value) -> Result<Scenario, Errors> {
    let shipped = registry::known(lesson)?.read_scenario();
    let mut value = bare(&shipped)?;
    if !changes.is_object() {
        return Err(wrong("must be an object, such as {}"));
    }
    merge(&mut value, changes);
    if let Value::Object(fields) = &mut value {
        fields.insert("name".to_owned(), Value::from(shipped.name));
        fields.insert("seed".to_owned(), Value::from(seed));
    }
    let scenario = validate::parse(&value.to_string())?;
    validate::plan(&scenario)?;
    if scenario.end.at_ns > shipped.end.at_ns {
        // A table may come from any source: it may not ask for more work than the lesson does.
        let message = format!("end.atNs must be at most {}", shipped.end.at_ns);
        return Err(wrong(&message));
    }
    Ok(scenario)
}

fn wrong(message: &str) -> Errors {
    vec![ConfigError::new("changes", message)]
}

/// A scenario as JSON with every default filled in, without the fields that do not change a run.
fn bare(scenario: &Scenario) -> Result<Value, Errors> {
    let mut scenario = scenario.clone();
    scenario.drop_guide();
    let mut value = serde_json::to_value(&scenario).map_err(|e| wrong(&e.to_string()))?;
    if let Value::Object(fields) = &mut value {
        for field in LEFT_OUT {
            fields.remove(field);
        }
    }
    Ok(value)
}

/// The merge patch that turns `from` into `to`.
fn difference(from: &Value, to: &Value) -> Value {
    let (Value::Object(from), Value::Object(to)) = (from, to) else {
        return to.clone();
    };
    let mut patch = Map::new();
    for key in from.keys().filter(|key| !to.contains_key(*key)) {
        patch.insert(key.clone(), Value::Null);
    }
    for (key, value) in to {
        match from.get(key) {
            Some(before) if before == value => {}
            Some(before) => {
                patch.insert(key.clone(), difference(before, value));
            }
            None => {
                patch.insert(key.clone(), value.clone());
            }
        }
    }
    Value::Object(patch)
}

/// Applies a merge patch.
fn merge(value: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        *value = patch.clone();
        return;
    };
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    let Value::Object(fields) = value else { return };
    for (key, change) in patch {
        if change.is_null() {
            fields.remove(key);
        } else {
            merge(fields.entry(key.clone()).or_insert(Value::Null), change);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_patch_leads_from_one_to_the_other() {
        let from = json!({ "a": 1, "b": { "c": 2, "d": [1, 2] }, "e": 5 });
        let to = json!({ "a": 1, "b": { "c": 3, "d": [2] }, "f": { "g": 6 } });
        let patch = difference(&from, &to);
        assert_eq!(
            patch,
            json!({ "b": { "c": 3, "d": [2] }, "e": null, "f": { "g": 6 } })
        );
        let mut value = from;
        merge(&mut value, &patch);
        assert_eq!(value, to);
        assert_eq!(difference(&to, &to), json!({}));
    }
}
