//! Answers: reading them, comparing them with the truth, and telling them in words.

use super::format::{Question, Tolerance};
use super::words::Words;
use crate::error::ConfigError;
use crate::metrics::real;
use serde_json::Value;
use sim_measure::quantity::{Format, Kind, Quantity, from_unit, in_unit};
use sim_measure::shape::{Axes, SHAPES, distance, shape};

/// How far a drawn line of the right shape may lie from the truth on average, as a part of the height of the picture.
pub(super) const NEAR: f64 = 0.15;

/// The axes of a drawn line.
pub(super) fn axes(question: &Question) -> Option<Axes> {
    let Question::Curve { x, y, at } = question else {
        return None;
    };
    Some(Axes {
        at: at.clone(),
        log: x.log,
        height: y.max - y.min,
    })
}

/// The value of an answer: an option, a number with its unit, items, or values at the handles.
pub(super) fn said(question: &Question, answer: &Value) -> Result<Quantity, Vec<ConfigError>> {
    let wrong = |message: String| vec![ConfigError::new("answer", message)];
    match question {
        Question::Choice { options, .. } => option(answer, options.len())
            .map(Quantity::count)
            .map_err(wrong),
        Question::Number { unit, min, max, .. } => {
            let number = answer.as_f64().filter(|n| (*min..=*max).contains(n));
            let number = number.ok_or_else(|| {
                let (min, max) = (plain(*min), plain(*max));
                wrong(format!(
                    "must be a number from {min} to {max}, got {answer}"
                ))
            })?;
            Ok(from_unit(number, unit))
        }
        Question::Order { items } => {
            let n = items.len();
            let given = answer.as_array().map(Vec::as_slice).unwrap_or_default();
            let order: Result<Vec<u64>, String> = given.iter().map(|v| option(v, n)).collect();
            let order = order.map_err(wrong)?;
            let is_whole = order.len() == n && (1..=n as u64).all(|i| order.contains(&i));
            if !is_whole {
                return Err(wrong(format!(
                    "must name each item from 1 to {n} once, got {answer}"
                )));
            }
            Ok(Quantity::List(
                order.into_iter().map(Quantity::count).collect(),
            ))
        }
        Question::Curve { y, at, .. } => {
            let given = answer.as_array().map(Vec::as_slice).unwrap_or_default();
            let inside = |v: &Value| v.as_f64().filter(|n| (y.min..=y.max).contains(n));
            let values: Option<Vec<f64>> = given.iter().map(inside).collect();
            let values = values.filter(|v| v.len() == at.len()).ok_or_else(|| {
                let (n, min, max) = (at.len(), plain(y.min), plain(y.max));
                wrong(format!(
                    "must be {n} numbers from {min} to {max}, got {answer}"
                ))
            })?;
            let with_unit = |v| from_unit(v, &y.unit);
            Ok(Quantity::List(values.into_iter().map(with_unit).collect()))
        }
    }
}

/// The number of an option or item, from 1.
pub(super) fn option(value: &Value, of: usize) -> Result<u64, String> {
    let n = value.as_u64().filter(|n| (1..=of as u64).contains(n));
    n.ok_or_else(|| format!("must be an option from 1 to {of}, got {value}"))
}

/// The truth in the form that the question uses, as JSON; `null` if the run does not have it.
pub(super) fn counted(question: &Question, truth: &Quantity) -> Result<Value, String> {
    match (question, truth) {
        (_, Quantity::Missing) => Ok(Value::Null),
        (Question::Choice { options, .. }, Quantity::Number(n, kind)) if *kind != Kind::Time => {
            if n.fract() == 0.0 && *n >= 1.0 && *n <= real(options.len() as u64) {
                return Ok(plain(*n));
            }
            let (all, n) = (options.len(), plain(*n));
            Err(format!("must give an option from 1 to {all}, gives {n}"))
        }
        (Question::Number { unit, .. }, Quantity::Number(n, kind)) => {
            in_unit(*n, *kind, unit).map(plain)
        }
        (Question::Order { items }, Quantity::List(all)) => {
            if all.len() != items.len() {
                let (n, got) = (items.len(), all.len());
                return Err(format!("must order {n} items, orders {got}"));
            }
            list(all, "n")
        }
        (Question::Curve { y, at, .. }, Quantity::List(all)) => {
            if all.len() != at.len() {
                let (n, got) = (at.len(), all.len());
                return Err(format!(
                    "must give a value at each of {n} handles, gives {got}"
                ));
            }
            list(all, &y.unit)
        }
        (_, other) => Err(format!("does not fit the question: gives {}", other.name())),
    }
}

fn list(all: &[Quantity], unit: &str) -> Result<Value, String> {
    let one = |q: &Quantity| match q {
        Quantity::Number(n, kind) => in_unit(*n, *kind, unit).map(plain),
        Quantity::Missing => Ok(Value::Null),
        other => Err(format!("gives {} in the list", other.name())),
    };
    let told: Result<Vec<Value>, String> = all.iter().map(one).collect();
    // If a value is missing there is no line and no order.
    let told = told?;
    if told.contains(&Value::Null) {
        return Ok(Value::Null);
    }
    Ok(Value::Array(told))
}

/// A number as JSON; integers have no point.
#[allow(clippy::cast_possible_truncation)] // only whole numbers far below 2^53
pub(super) fn plain(n: f64) -> Value {
    if n.fract() == 0.0 && n.abs() < 9e15 {
        Value::from(n as i64)
    } else {
        Value::from(n)
    }
}

/// Numbers of an answer or a truth in the form that the question uses.
pub(super) fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().filter_map(Value::as_f64).collect()
}

/// Whether an answer is right; both are in the form that the question uses. `None` if there is no truth.
pub(super) fn is_right(question: &Question, said: &Value, truth: &Value) -> Option<bool> {
    if truth.is_null() {
        return None;
    }
    Some(match question {
        Question::Choice { .. } => said.as_u64() == truth.as_u64(),
        Question::Order { .. } => numbers(said) == numbers(truth),
        Question::Number { tolerance, .. } => {
            let (said, truth) = (said.as_f64()?, truth.as_f64()?);
            (said - truth).abs() <= room(tolerance, truth)
        }
        Question::Curve { .. } => {
            let axes = axes(question)?;
            let (said, truth) = (numbers(said), numbers(truth));
            shape(&said, &axes) == shape(&truth, &axes) && distance(&said, &truth, &axes) <= NEAR
        }
    })
}

/// How far an answer may lie from the truth, in the unit of the answer.
pub(super) fn room(tolerance: &Tolerance, truth: f64) -> f64 {
    match tolerance {
        Tolerance::Absolute(room) => *room,
        Tolerance::Part(text) => part(text).unwrap_or(0.0) * truth.abs(),
    }
}

/// A percentage such as `5%` as a part of one.
pub(super) fn part(text: &str) -> Option<f64> {
    let number: f64 = serde_json::from_str(text.trim().strip_suffix('%')?.trim()).ok()?;
    (number.is_finite() && number >= 0.0).then_some(number / 100.0)
}

/// An answer or a truth in words.
pub(super) fn told(question: &Question, value: &Value, words: &Words) -> String {
    let item = |v: &Value, all: &[String]| {
        let i = v.as_u64().and_then(|n| usize::try_from(n).ok());
        let text = i.and_then(|i| all.get(i.checked_sub(1)?));
        text.cloned().unwrap_or_else(|| "–".to_owned())
    };
    match question {
        Question::Choice { options, .. } => item(value, options),
        Question::Number { unit, .. } => value.as_f64().map_or_else(
            || "–".to_owned(),
            |n| in_words(&from_unit(n, unit), unit, words),
        ),
        Question::Order { items } => {
            let all = value.as_array().map(Vec::as_slice).unwrap_or_default();
            let told: Vec<String> = all.iter().map(|v| item(v, items)).collect();
            told.join(", ")
        }
        Question::Curve { .. } => {
            let shape = axes(question).map_or("other", |axes| shape(&numbers(value), &axes));
            let i = SHAPES.iter().position(|s| *s == shape).unwrap_or(0);
            words.shapes[i].to_owned()
        }
    }
}

fn in_words(q: &Quantity, unit: &str, words: &Words) -> String {
    let format = Format::parse(unit).unwrap_or_default();
    let number = format.print(q, &words.values).unwrap_or_default();
    // A unit that is a word of the question: "3 threads".
    if Format::parse(unit).is_err() {
        return format!("{number} {unit}");
    }
    number
}
