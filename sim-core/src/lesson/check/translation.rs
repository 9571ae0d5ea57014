//! Texts of a lesson in another language: the same places, the same expressions.

use super::{Checked, Finding, Notes};
use crate::lesson::lines::lines;
use crate::lesson::text::expressions;
use crate::text::visible;
use serde_json::Value;

/// Fields that hold texts.
const TEXTS: [&str; 15] = [
    "title",
    "goal",
    "misconception",
    "laneLabels",
    "text",
    "ask",
    "otherwise",
    "say",
    "then",
    "label",
    "options",
    "items",
    "answer",
    "surprise",
    "time",
];

/// Checks the texts of another language against the lesson.
#[must_use]
pub fn check_translation(lesson: &str, translation: &str) -> Checked {
    let read = |text: &str| serde_json::from_str::<Value>(text);
    let (whole, own) = match (read(lesson), read(translation)) {
        (Ok(whole), Ok(own)) => (whole, own),
        (_, Err(e)) | (Err(e), _) => {
            let finding = Finding {
                line: Some(e.line()),
                path: format!("line {}, column {}", e.line(), e.column()),
                message: visible(&e.to_string()),
            };
            return Checked {
                findings: vec![finding],
                given: Vec::new(),
            };
        }
    };
    let mut notes = Notes {
        lines: lines(translation),
        checked: Checked::default(),
    };
    compare(&mut notes, "", "", &whole, &own);
    notes.checked
}

fn compare(notes: &mut Notes, path: &str, field: &str, whole: &Value, own: &Value) {
    match (whole, own) {
        (Value::Object(all), Value::Object(texts)) => {
            for (key, inner) in texts {
                let path = if path.is_empty() {
                    key.clone()
                } else {
                    format!("{path}.{key}")
                };
                match all.get(key) {
                    Some(of) => compare(notes, &path, key, of, inner),
                    None => notes.add(&path, "the lesson has no such field"),
                }
            }
        }
        (Value::Array(all), Value::Array(texts)) => {
            if texts.len() > all.len() {
                let n = all.len();
                notes.add(path, format!("the lesson has {n} of these"));
            }
            for (i, (of, inner)) in all.iter().zip(texts).enumerate() {
                compare(notes, &format!("{path}[{i}]"), field, of, inner);
            }
        }
        (Value::String(of), Value::String(text)) => {
            if !TEXTS.contains(&field) {
                notes.add(path, "is no text: it stands in the lesson alone");
            } else if count(of) != count(text) {
                notes.add(path, "must hold the expressions of the lesson's text");
            }
        }
        (_, Value::Null) => {}
        _ => notes.add(
            path,
            "must have the form of the lesson: texts in their places",
        ),
    }
}

/// How many expressions a text holds.
fn count(text: &str) -> usize {
    expressions(text).len()
}
