//! Paths: names and numbers, separated by dots. A name in which a dot stands is written in quotation marks.

use super::table::{PROPERTIES, Property};
use serde_json::Value;
use sim_ground::text::quoted;

/// Reads a path into its steps.
///
/// # Errors
/// What is wrong with it.
pub fn steps(path: &str) -> Result<Vec<String>, String> {
    let mut steps = Vec::new();
    let mut rest = path;
    loop {
        let end = if rest.starts_with('"') {
            let mut names = serde_json::Deserializer::from_str(rest).into_iter::<String>();
            match names.next() {
                Some(Ok(name)) => steps.push(name),
                _ => return Err("a name in quotation marks has no end".to_owned()),
            }
            names.byte_offset()
        } else {
            let end = rest.find('.').unwrap_or(rest.len());
            steps.push(rest[..end].to_owned());
            end
        };
        if steps.last().is_some_and(String::is_empty) {
            return Err("a path is names and numbers with one dot between two".to_owned());
        }
        match rest[end..].strip_prefix('.') {
            Some(more) => rest = more,
            None if end == rest.len() => return Ok(steps),
            None => return Err("after a name in quotation marks comes a dot".to_owned()),
        }
    }
}

/// What stands before and after the `=` that ends a path.
#[must_use]
pub fn before_value(text: &str) -> Option<(&str, &str)> {
    let mut is_name = false;
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = is_name,
            '"' => is_name = !is_name,
            '=' if !is_name => return Some((&text[..at], &text[at + 1..])),
            _ => {}
        }
    }
    None
}

/// The path of some steps.
#[must_use]
pub fn written<S: AsRef<str>>(steps: &[S]) -> String {
    let name = |step: &S| {
        let step = step.as_ref();
        if step.contains(['.', '"', '=', '@']) {
            Value::from(step).to_string()
        } else {
            step.to_owned()
        }
    };
    steps.iter().map(name).collect::<Vec<_>>().join(".")
}

/// Whether steps are those of a pattern.
fn matches(pattern: &str, steps: &[String]) -> bool {
    let mut steps = steps.iter();
    for word in pattern.split('.') {
        match (word, steps.next()) {
            ("**", Some(_)) => return true,
            ("*", Some(_)) => {}
            (word, Some(step)) if word == step => {}
            _ => return false,
        }
    }
    steps.next().is_none()
}

/// The property of some steps.
///
/// # Errors
/// What else could stand where the steps leave all paths.
pub(super) fn find(steps: &[String]) -> Result<&'static Property, String> {
    if let Some(found) = PROPERTIES.iter().find(|p| matches(p.path, steps)) {
        return Ok(found);
    }
    // The longest beginning that some path has, and what follows it there.
    for n in (0..=steps.len()).rev() {
        let next = |p: &'static Property| {
            let words: Vec<&str> = p.path.split('.').collect();
            let is_it = n == 0 || matches(&words.get(..n)?.join("."), &steps[..n]);
            words.get(n).copied().filter(|_| is_it)
        };
        let mut all: Vec<&str> = PROPERTIES.iter().filter_map(next).collect();
        if all.is_empty() {
            continue;
        }
        all.sort_unstable();
        all.dedup();
        all.retain(|word| !word.starts_with('*'));
        let or = if all.is_empty() {
            "a name or number".to_owned()
        } else {
            format!("one of {}", all.join(", "))
        };
        let got = quoted(steps.get(n).map_or("nothing", String::as_str));
        let after = written(&steps[..n]);
        return Err(if n == 0 {
            format!("no path begins with \"{got}\", expected {or}")
        } else {
            format!("after {after}. comes no \"{got}\", expected {or}")
        });
    }
    unreachable!("invariant: no steps are the beginning of every path")
}

/// The path of a place that a JSON pointer names in a scenario, as older files write it.
///
/// # Errors
/// If the pointer leads nowhere.
pub fn of_pointer(pointer: &str, scenario: &Value) -> Result<String, String> {
    let nowhere = || format!("\"{}\" leads nowhere", quoted(pointer));
    let mut keys = pointer.split('/');
    if keys.next() != Some("") || pointer.len() < 2 {
        return Err("a JSON pointer begins with /".to_owned());
    }
    let mut steps = Vec::new();
    let mut at = Some(scenario);
    for key in keys {
        let key = key.replace("~1", "/").replace("~0", "~");
        let step = match at {
            Some(Value::Array(list)) => {
                let i: usize = key.parse().map_err(|_| nowhere())?;
                let item = list.get(i).ok_or_else(nowhere)?;
                let name = item["name"].as_str().filter(|_| steps == ["groups"]);
                name.map_or_else(|| (i + 1).to_string(), str::to_owned)
            }
            Some(Value::Object(_)) | None => key.clone(),
            Some(_) => return Err(nowhere()),
        };
        at = match at {
            Some(Value::Array(list)) => key.parse::<usize>().ok().and_then(|i| list.get(i)),
            Some(at) => at.get(&key),
            None => None,
        };
        steps.push(if steps.is_empty() && step == "schedulers" {
            "lanes".to_owned()
        } else {
            step
        });
    }
    Ok(written(&steps))
}
