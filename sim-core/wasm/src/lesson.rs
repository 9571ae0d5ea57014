//! Lessons: texts, worksheets, and a lesson with the learner's scenario.

use crate::{json, refuse};
use sim_core::config::validate;
use sim_core::error::ConfigError;
use sim_core::lesson::{changes, registry, run, worksheet as paper};
use wasm_bindgen::prelude::*;

/// The entries of all lessons for lists, in a language (`en`, `de`), as JSON `LessonEntry[]`. The build stores them, so
/// that the page can show the list before the core is there.
#[wasm_bindgen]
#[must_use]
pub fn lessons(language: &str) -> String {
    json(&registry::entries(language))
}

/// A complete lesson, as JSON `LessonText`.
///
/// # Errors
/// If there is no lesson of this id.
#[wasm_bindgen]
pub fn lesson(id: &str, language: &str) -> Result<String, JsError> {
    registry::text(id, language)
        .map(|text| json(&text))
        .map_err(refuse)
}

/// A lesson with the scenario of a learner. It runs what its steps need, and keeps the results.
#[wasm_bindgen]
pub struct LessonRun(run::LessonRun);

#[wasm_bindgen]
impl LessonRun {
    /// Begins a lesson: its id, or a lesson written out as JSON. Nothing is run yet.
    ///
    /// # Errors
    /// If there is no such lesson, or all errors of the lesson or the scenario.
    #[wasm_bindgen(constructor)]
    pub fn new(lesson: &str, language: &str, scenario: &str) -> Result<LessonRun, JsError> {
        let lesson = registry::read(lesson, language).map_err(refuse)?;
        let scenario = validate::parse(scenario).map_err(refuse)?;
        run::LessonRun::new(lesson, language, &scenario)
            .map(LessonRun)
            .map_err(refuse)
    }

    /// A step, from 1 (the one after the last is the transfer), with the learner's answer as JSON, as JSON `StepView`.
    /// Without an answer the step does not reveal what its question asks.
    ///
    /// # Errors
    /// If there is no such step, or if the answer does not fit the question.
    pub fn step(&mut self, number: usize, answer: Option<String>) -> Result<String, JsError> {
        let answer = answer
            .map(|text| serde_json::from_str::<serde_json::Value>(&text))
            .transpose()
            .map_err(|e| refuse(vec![ConfigError::new("answer", e.to_string())]))?;
        self.0
            .step(number, answer.as_ref().filter(|a| !a.is_null()))
            .map(|view| json(&view))
            .map_err(refuse)
    }

    /// A text that belongs to no step (the teacher's notes), with the values of the learner's run filled in.
    ///
    /// # Errors
    /// If an expression in it is wrong.
    pub fn fill(&mut self, text: &str) -> Result<String, JsError> {
        self.0.fill("text", text).map_err(refuse)
    }

    /// The value of an expression that belongs to no step, in the learner's run, as JSON `OwnValue`.
    ///
    /// # Errors
    /// If it is wrong.
    pub fn value(&mut self, expression: &str) -> Result<String, JsError> {
        self.0.value(expression).map(|v| json(&v)).map_err(refuse)
    }
}

/// A lesson as a worksheet: one HTML document. `lesson` is an id, or a lesson written out as JSON. With `teacher` its
/// last page has the answers.
///
/// # Errors
/// If there is no such lesson, or all errors of the lesson or the scenario.
#[wasm_bindgen]
pub fn worksheet(
    lesson: &str,
    language: &str,
    scenario: &str,
    teacher: bool,
) -> Result<String, JsError> {
    let lesson = registry::read(lesson, language).map_err(refuse)?;
    let scenario = validate::parse(scenario).map_err(refuse)?;
    paper::worksheet(&lesson, language, &scenario, teacher).map_err(refuse)
}

/// The changes of a learner to the scenario of a lesson, as a JSON merge patch; `{}` if only the seed differs.
///
/// # Errors
/// If there is no lesson of this id, or all errors of the scenario.
#[wasm_bindgen(js_name = lessonChanges)]
pub fn lesson_changes(id: &str, scenario: &str) -> Result<String, JsError> {
    let scenario = validate::parse(scenario).map_err(refuse)?;
    changes::changes(id, &scenario)
        .map(|patch| json(&patch))
        .map_err(refuse)
}
