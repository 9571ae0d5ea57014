//! Texts of a lesson in another language: they must have the same places and the same expressions.

use super::form::{SAY, TEXT, readable};
use super::{Checked, Finding, Notes, options};
use crate::lesson::lines::lines;
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
            if let Some(own) = texts.get("options") {
                options::translated(notes, path, whole, own);
            }
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
            } else if placeholders(of) == placeholders(text) {
                let most = if field == "say" { SAY } else { TEXT };
                readable(notes, path, text, most);
            } else {
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

/// The placeholders of a text, sorted, because sentences of another language have another order.
fn placeholders(text: &str) -> Vec<&str> {
    let behind = text.split('{').skip(1);
    let mut all: Vec<&str> = behind.filter_map(|t| t.split('}').next()).collect();
    all.sort_unstable();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const LESSON: &str = r#"{ "id": "l", "title": "Turns", "steps": [
        { "kind": "run", "text": "From {exit(1, first):s} to {exit(1, last):s}." },
        { "kind": "predict", "feedback": [{ "when": "true", "say": "Your run: {truth}." }] }
    ] }"#;

    /// The findings in a translation, as paths and messages.
    fn found(translation: &str) -> Vec<(String, String)> {
        let findings = check_translation(LESSON, translation).findings;
        findings.into_iter().map(|f| (f.path, f.message)).collect()
    }

    #[test]
    fn expressions_may_change_their_order_and_texts_may_be_left_out() {
        let text = "Bis {exit(1, last):s} von {exit(1, first):s} an.";
        assert_eq!(
            found(&format!(r#"{{ "steps": [{{ "text": "{text}" }}] }}"#)),
            []
        );
    }

    #[test]
    fn what_differs_from_the_lesson_is_told_with_its_place() {
        let long = "Wort ".repeat(SAY);
        for (translation, path, message) in [
            (
                r#"{ "name": "Runden" }"#.to_owned(),
                "name",
                "the lesson has no such field",
            ),
            (
                r#"{ "id": "m" }"#.to_owned(),
                "id",
                "is no text: it stands in the lesson alone",
            ),
            (
                r#"{ "title": ["Runden"] }"#.to_owned(),
                "title",
                "must have the form of the lesson: texts in their places",
            ),
            (
                r#"{ "steps": [null, null, null] }"#.to_owned(),
                "steps",
                "the lesson has 2 of these",
            ),
            (
                r#"{ "steps": [{ "text": "Von {exit(1, first):s} bis {exit(2, last):s}." }] }"#
                    .to_owned(),
                "steps[0].text",
                "must hold the expressions of the lesson's text",
            ),
            (
                format!(
                    r#"{{ "steps": [null, {{ "feedback": [{{ "say": "{long} {{truth}}" }}] }}] }}"#
                ),
                "steps[1].feedback[0].say",
                "must be at most 40 words, has 41",
            ),
        ] {
            assert_eq!(found(&translation), [(path.to_owned(), message.to_owned())]);
        }
    }
}
