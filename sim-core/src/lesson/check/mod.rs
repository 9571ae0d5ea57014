//! Checks of a lesson: its form, the names in it, and its statements about the shipped run.

mod form;
mod names;
mod options;
mod translation;
mod with_runs;

pub use translation::check_translation;

use super::format::Lesson;
use super::lines::lines;
use super::reading;
use super::run::LessonRun;
use super::words::words;
use crate::config::Scenario;
use serde::Serialize;
use sim_measure::evaluate::{Scope, evaluate};
use sim_measure::quantity::Format;
use std::collections::BTreeMap;

/// Something that is wrong with a lesson.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// Line of the file, from 1, if it is known.
    pub line: Option<usize>,
    /// Where, e.g. `steps[3].feedback[0].say`.
    pub path: String,
    /// What is wrong, with what is allowed.
    pub message: String,
}

/// What an expression of a lesson gives in the shipped run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Given {
    /// Line of the file, from 1, if it is known.
    pub line: Option<usize>,
    /// Where it stands.
    pub path: String,
    /// The expression, or the text with expressions.
    pub expression: String,
    /// What it gives.
    pub value: String,
}

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Checked {
    /// What is wrong, in the order in which it was found; nothing if the lesson is good.
    pub findings: Vec<Finding>,
    /// What each expression gives; empty if the lesson could not be run.
    pub given: Vec<Given>,
}

/// What is found while a lesson is checked.
#[derive(Debug)]
struct Notes {
    lines: BTreeMap<String, usize>,
    checked: Checked,
}

impl Notes {
    fn line(&self, path: &str) -> Option<usize> {
        // A field without a line of its own has the line of the field that contains it.
        let mut path = path;
        loop {
            if let Some(line) = self.lines.get(path) {
                return Some(*line);
            }
            let cut = path.rfind(['.', '['])?;
            path = &path[..cut];
        }
    }

    fn add(&mut self, path: &str, message: impl Into<String>) {
        self.checked.findings.push(Finding {
            line: self.line(path),
            path: path.to_owned(),
            message: message.into(),
        });
    }

    fn give(&mut self, path: &str, expression: &str, value: String) {
        let given = Given {
            line: self.line(path),
            path: path.to_owned(),
            expression: expression.to_owned(),
            value,
        };
        self.checked.given.push(given);
    }
}

/// Checks a lesson against its scenario. With `runs` the lesson is also run. This gives the values of its expressions,
/// and finds wrong expected values, places that do not exist, and feedback that fits no answer. Other seeds may lack a
/// place only if the lesson has a text for this case.
#[must_use]
pub fn check(text: &str, scenario: &Scenario, runs: bool) -> Checked {
    let lesson = match reading::parse(text) {
        Ok(lesson) => lesson,
        Err(errors) => {
            let findings = errors.into_iter().map(|e| Finding {
                line: line_of(&e.path),
                path: e.path,
                message: e.message,
            });
            return Checked {
                findings: findings.collect(),
                given: Vec::new(),
            };
        }
    };
    let mut notes = Notes {
        lines: lines(text),
        checked: Checked::default(),
    };
    form::check(&mut notes, &lesson);
    match LessonRun::new(lesson.clone(), "en", scenario) {
        Err(errors) => {
            for e in errors {
                notes.add("scenario", format!("its scenario: {e}"));
            }
        }
        Ok(mut run) => {
            names::check(&mut notes, &lesson, &mut run);
            if runs && notes.checked.findings.is_empty() {
                with_runs::check(&mut notes, &lesson, &mut run, scenario);
            }
        }
    }
    notes.checked
}

/// The line number in `line 3, column 7`.
fn line_of(path: &str) -> Option<usize> {
    let rest = path.strip_prefix("line ")?;
    rest.split(',').next()?.parse().ok()
}

/// An expression with its place: path, text, step (from 0) and its run.
struct Placed<'a> {
    path: String,
    text: &'a str,
    step: Option<usize>,
}

/// All expressions outside of texts that concern the learner's run.
fn expressions(lesson: &Lesson) -> Vec<Placed<'_>> {
    use super::format::Step;
    let mut all = Vec::new();
    for (i, step) in lesson.steps.iter().enumerate() {
        let at = |field: &str| format!("steps[{i}].{field}");
        let mut found: Vec<(String, &str)> = Vec::new();
        match step {
            Step::Predict { truth, .. }
            | Step::Observe {
                truth: Some(truth), ..
            } => found.push((at("truth"), truth)),
            Step::Change { compare, .. } => found.push((at("compare.value"), &compare.value)),
            _ => {}
        }
        if let Some(point) = super::parts::point(step) {
            let field = if matches!(step, Step::Run { .. }) {
                "stop"
            } else {
                "point"
            };
            for (name, text) in [("at", &point.at), ("after", &point.after)] {
                if let Some(text) = text {
                    found.push((at(&format!("{field}.{name}")), text));
                }
            }
        }
        all.extend(found.into_iter().map(|(path, text)| Placed {
            path,
            text,
            step: Some(i),
        }));
    }
    all
}

/// All texts that may hold expressions about the learner's run, without those of feedback.
fn texts(lesson: &Lesson) -> Vec<Placed<'_>> {
    use super::format::Step;
    let mut all = Vec::new();
    for (i, step) in lesson.steps.iter().enumerate() {
        let fields: Vec<(&str, &str)> = match step {
            Step::Situation { text } => vec![("text", text)],
            Step::Predict { ask, .. } => vec![("ask", ask)],
            Step::Run {
                text, otherwise, ..
            }
            | Step::Explain {
                text, otherwise, ..
            } => vec![("text", text), ("otherwise", otherwise)],
            Step::Observe { ask, otherwise, .. } => vec![("ask", ask), ("otherwise", otherwise)],
            Step::Change { text, then, .. } => vec![("text", text), ("then", then)],
        };
        all.extend(fields.into_iter().map(|(field, text)| Placed {
            path: format!("steps[{i}].{field}"),
            text,
            step: Some(i),
        }));
    }
    for (field, text) in [
        ("ask", &lesson.transfer.ask),
        ("answer", &lesson.transfer.answer),
    ] {
        all.push(Placed {
            path: format!("transfer.{field}"),
            text,
            step: None,
        });
    }
    all
}

/// The value of an expression, in words.
fn value(run: &mut LessonRun, placed: &Placed<'_>) -> Result<String, String> {
    let e = sim_measure::expression::parse(placed.text).map_err(|e| e.to_string())?;
    let scope = Scope {
        step: placed.step,
        ..Scope::default()
    };
    let found = evaluate(&mut run.runs, &scope, &e).map_err(|e| e.to_string())?;
    Format::default().print(&found, &words("en").values)
}
