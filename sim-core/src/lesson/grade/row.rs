//! Rows of the table, with the row and column of each error.

use super::{COLUMNS, csv};
use crate::error::ConfigError;
use crate::lesson::format::Question;
use crate::text::quoted;
use serde_json::Value;

/// A row as in the table.
pub(super) struct Row {
    pub(super) number: usize,
    pub(super) lesson: String,
    pub(super) version: u64,
    pub(super) step: usize,
    pub(super) question: String,
    pub(super) answer: String,
    pub(super) truth: String,
    pub(super) right: String,
    pub(super) seconds: Option<f64>,
    pub(super) digest: String,
    pub(super) seed: u64,
    pub(super) changes: Value,
}

/// Reads a table. For each row: its content, or its number and its errors.
#[allow(clippy::type_complexity)] // read once, just above
pub(super) fn read(
    text: &str,
) -> Result<Vec<Result<Row, (usize, Vec<ConfigError>)>>, Vec<ConfigError>> {
    let mut rows = csv::rows(text).map_err(|e| vec![e])?.into_iter();
    let head = rows.next().map(|(_, fields)| fields).unwrap_or_default();
    if head != COLUMNS {
        let message = format!(
            "the columns must be {}; got {}",
            COLUMNS.join(","),
            quoted(&head.join(","))
        );
        return Err(vec![ConfigError::new("row 1", message)]);
    }
    Ok(rows.map(|(number, fields)| row(number, fields)).collect())
}

fn row(number: usize, fields: Vec<String>) -> Result<Row, (usize, Vec<ConfigError>)> {
    let [
        lesson,
        version,
        step,
        question,
        answer,
        truth,
        right,
        seconds,
        digest,
        seed,
        changes,
    ]: [String; 11] = fields.try_into().map_err(|fields: Vec<String>| {
        let message = format!("must have {} columns, got {}", COLUMNS.len(), fields.len());
        (number, vec![ConfigError::new("", message)])
    })?;
    let mut problems = Vec::new();
    let mut whole = |column: &str, text: &str, most: u64| {
        let found = text.parse::<u64>().ok().filter(|n| *n <= most);
        found.unwrap_or_else(|| {
            let message = format!(
                "must be a whole number from 0 to {most}, got {}",
                quoted(text)
            );
            problems.push(ConfigError::new(column, message));
            0
        })
    };
    let (version, step) = (
        whole("version", &version, 1_000),
        whole("step", &step, 1_000),
    );
    let seed = whole("seed", &seed, (1 << 53) - 1);
    let seconds = match seconds.as_str() {
        "" => None,
        text => {
            let found = text
                .parse::<f64>()
                .ok()
                .filter(|s| s.is_finite() && *s >= 0.0);
            if found.is_none() {
                let message = format!("must be a number of seconds, got {}", quoted(text));
                problems.push(ConfigError::new("seconds", message));
            }
            found
        }
    };
    let changes = match changes.as_str() {
        "" => Value::Object(serde_json::Map::new()),
        text => serde_json::from_str(text).unwrap_or_else(|e| {
            problems.push(ConfigError::new("changes", format!("must be JSON: {e}")));
            Value::Null
        }),
    };
    if !problems.is_empty() {
        return Err((number, problems));
    }
    Ok(Row {
        number,
        lesson,
        version,
        step: usize::try_from(step).unwrap_or(usize::MAX),
        question,
        answer,
        truth,
        right,
        seconds,
        digest,
        seed,
        changes,
    })
}

/// An answer of a table as JSON: a number, several numbers joined by `;`, JSON, or otherwise a text.
pub(super) fn answer(question: &Question, text: &str) -> Value {
    let number = |text: &str| serde_json::from_str::<Value>(text.trim()).ok();
    let is_list = matches!(question, Question::Order { .. } | Question::Curve { .. });
    if is_list && !text.trim_start().starts_with('[') {
        let all: Option<Vec<Value>> = text.split(';').map(number).collect();
        return all.map_or_else(|| Value::from(text), Value::from);
    }
    let is_text = matches!(question, Question::Choice { options, .. } if options.is_empty());
    match number(text) {
        Some(value) if !is_text => value,
        _ => Value::from(text),
    }
}

/// A value as tables write it.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Array(all) => all.iter().map(plain).collect::<Vec<_>>().join(";"),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Whether a table has the value of the run. Programs write numbers with more or fewer digits.
pub(super) fn is_same(said: &str, truth: &Value) -> bool {
    let numbers = |text: &str| -> Option<Vec<f64>> {
        let inner = text.trim().trim_start_matches('[').trim_end_matches(']');
        let all = inner
            .split([';', ','])
            .map(|n| n.trim().parse::<f64>().ok());
        all.collect()
    };
    let truth = plain(truth);
    if said.trim() == truth {
        return true;
    }
    match (numbers(said), numbers(&truth)) {
        (Some(said), Some(truth)) => {
            said.len() == truth.len()
                && said
                    .iter()
                    .zip(&truth)
                    .all(|(a, b)| (a - b).abs() <= 1e-6 * b.abs().max(1e-3))
        }
        _ => false,
    }
}
