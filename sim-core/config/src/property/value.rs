//! Values of properties: as JSON, as a scenario file has them, or as texts with units.

use super::table::Kind;
use serde_json::Value;
use sim_ground::params::{ParamKind, ParamSpec};
use sim_ground::text::quoted;
use sim_ground::units;

/// The value of a text, as a command line has it: JSON, or a word. Links have parentheses for braces and words without
/// quotes: `(count:1,behaviour:(kind:loop))`.
#[must_use]
pub fn from_text(kind: Kind, text: &str) -> Value {
    let is_text = matches!(kind, Kind::Text { .. });
    match serde_json::from_str(text) {
        Ok(value @ (Value::String(_) | Value::Null)) => value,
        Ok(value) if !is_text => value,
        Err(_) if matches!(kind, Kind::Written) && text.starts_with(['(', '[']) => {
            serde_json::from_str(&as_json(text)).unwrap_or_else(|_| Value::from(text))
        }
        _ => Value::from(text),
    }
}

/// The form of links as JSON.
fn as_json(text: &str) -> String {
    let mut json = String::new();
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        let is_sign = |c: char| "(){}[],:\"".contains(c);
        let end = match sign {
            '"' => {
                let mut texts = serde_json::Deserializer::from_str(rest).into_iter::<String>();
                match texts.next() {
                    Some(Ok(_)) => texts.byte_offset(),
                    _ => return text.to_owned(),
                }
            }
            c if is_sign(c) => 1,
            _ => rest.find(is_sign).unwrap_or(rest.len()),
        };
        let (word, more) = rest.split_at(end);
        rest = more;
        match word {
            "(" => json.push('{'),
            ")" => json.push('}'),
            // A plain value, unless it is the name of a field.
            word if is_sign(sign)
                || (!more.starts_with(':') && serde_json::from_str::<Value>(word).is_ok()) =>
            {
                json.push_str(word);
            }
            word => json.push_str(&Value::from(word).to_string()),
        }
    }
    json
}

/// The value that a scenario file has for one that a person wrote. Its range is checked with the scenario.
///
/// # Errors
/// What the value must be.
pub fn read(kind: Kind, value: &Value) -> Result<Value, String> {
    let got = || format!("got {}", shown(value));
    match kind {
        Kind::Integer { bound } => integer(value).ok_or_else(|| {
            let (min, max) = (bound.min, bound.max);
            format!("must be a whole number from {min} to {max}, {}", got())
        }),
        Kind::Time { .. } => with_unit(value, units::time),
        Kind::Size { .. } => with_unit(value, units::bytes),
        Kind::Flag if value.is_boolean() => Ok(value.clone()),
        Kind::Flag => Err(format!("must be true or false, {}", got())),
        Kind::Word { words } if value.as_str().is_some_and(|w| words.contains(&w)) => {
            Ok(value.clone())
        }
        Kind::Word { words } => Err(format!("must be one of {}, {}", words.join(", "), got())),
        Kind::Text { .. } if value.is_string() => Ok(value.clone()),
        Kind::Text { .. } => Err(format!("must be a text, {}", got())),
        Kind::Cpus => cpus(value)
            .ok_or_else(|| format!("must be a list of CPUs such as [0, 2] or 0-3,6, {}", got())),
        Kind::Declared | Kind::Written => Ok(value.clone()),
    }
}

/// The value of a parameter, whose declaration says its unit.
///
/// # Errors
/// That the text is no such value.
pub fn declared(spec: &ParamSpec, value: &Value) -> Result<Value, String> {
    let Some(text) = value
        .as_str()
        .filter(|_| matches!(spec.kind, ParamKind::Int { .. }))
    else {
        return Ok(integer(value).unwrap_or_else(|| value.clone()));
    };
    let in_unit = |ns: u64| {
        let one = units::time(&format!("1{}", spec.unit))?;
        if ns.is_multiple_of(one) {
            Ok(ns / one)
        } else {
            Err(format!("must be a whole number of {}", spec.unit))
        }
    };
    let read = match spec.unit {
        "bytes" => units::bytes(text),
        unit if units::time(&format!("1{unit}")).is_ok() => units::time(text).and_then(in_unit),
        _ => return Ok(value.clone()),
    };
    read.map(Value::from)
}

/// Most values of a range.
const MOST: i64 = 1_000_000;

/// A value as a whole number, in the unit of the property.
///
/// # Errors
/// That it is none.
pub fn number(kind: Kind, value: &Value) -> Result<i64, String> {
    let read = match kind {
        Kind::Written | Kind::Declared => value.clone(),
        kind => read(kind, value)?,
    };
    let whole = integer(&read).and_then(|n| n.as_i64());
    whole.ok_or_else(|| format!("a range has whole numbers, {} is none", shown(value)))
}

/// The numbers of a range, both ends included.
///
/// # Errors
/// What a range is.
pub fn steps(from: i64, to: i64, step: i64) -> Result<Vec<Value>, String> {
    let n = to
        .checked_sub(from)
        .filter(|n| *n >= 0 && step > 0)
        .map(|n| n / step + 1);
    match n {
        Some(n) if n <= MOST => Ok((0..n).map(|i| Value::from(from + i * step)).collect()),
        Some(n) => Err(format!("a range has at most {MOST} values, got {n}")),
        None => Err("a range begins with the least number, and its step is at least 1".to_owned()),
    }
}

/// A value in a message, not too long.
fn shown(value: &Value) -> String {
    quoted(&value.to_string())
}

/// A whole number, also if it is written as 1e9 or 5.0.
fn integer(value: &Value) -> Option<Value> {
    if value.is_i64() || value.is_u64() {
        return Some(value.clone());
    }
    // Whole numbers up to this size are exact.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let number = value
        .as_f64()
        .filter(|n| n.fract() == 0.0 && n.abs() <= EXACT)?;
    format!("{number:.0}").parse::<i64>().ok().map(Value::from)
}

fn with_unit(value: &Value, read: impl Fn(&str) -> Result<u64, String>) -> Result<Value, String> {
    match value {
        Value::String(text) => read(text).map(Value::from),
        _ => integer(value).ok_or_else(|| read("").err().unwrap_or_default()),
    }
}

/// A list of CPUs, also from a text as `taskset` and `cpuset` have it.
fn cpus(value: &Value) -> Option<Value> {
    let number = |text: &str| text.trim().parse::<u16>().ok();
    let mut all = Vec::new();
    match value {
        Value::Array(list) if list.iter().all(Value::is_u64) => return Some(value.clone()),
        Value::Number(_) => all.push(u16::try_from(value.as_u64()?).ok()?),
        Value::String(text) => {
            for part in text.split(',') {
                let (first, last) = part.split_once('-').unwrap_or((part, part));
                all.extend(number(first)?..=number(last)?);
            }
        }
        _ => return None,
    }
    (!all.is_empty()).then(|| Value::from(all))
}
