//! Lessons in the page: texts, sheets of paper, and a lesson with the learner's scenario. The package holds the simulation
//! that a lesson runs, too, so that its worker needs no other, and is loaded with the first lesson that somebody opens.
//!
//! Every error that a user can cause is an `Error` whose message is JSON `{"errors": [{"path", "message"}]}`; anything else
//! is a panic, after which the instance must be thrown away.

use serde::Serialize;
use sim_core::config::validate;
use sim_core::error::{ConfigError, ConfigErrors};
use sim_core::lesson::{changes, registry, run, shelf, worksheet as paper};
use wasm_bindgen::prelude::*;

/// From now on a panic leaves as an `Error` with its text, `panicked at …`. Without that it would be a trap without words.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|info| {
        wasm_bindgen::throw_str(&info.to_string());
    }));
}

/// Takes all lessons: a JSON list of `{ "id", "lesson", "scenario", "translations" }`. Without them there are none.
///
/// # Errors
/// If the text is no such list.
#[wasm_bindgen(js_name = provideLessons)]
pub fn provide_lessons(text: &str) -> Result<(), JsError> {
    shelf::provide(text).map_err(refuse)
}

/// What lists show of all lessons, in a language (`en`, `de`), as JSON `LessonEntry[]`. The build writes it down, so that the
/// page needs no package to show the list.
#[wasm_bindgen]
#[must_use]
pub fn lessons(language: &str) -> String {
    json(&registry::entries(language))
}

/// A lesson whole, as JSON `LessonText`.
///
/// # Errors
/// If there is no lesson of this id.
#[wasm_bindgen]
pub fn lesson(id: &str, language: &str) -> Result<String, JsError> {
    registry::text(id, language)
        .map(|text| json(&text))
        .map_err(refuse)
}

/// A lesson with the scenario of a learner. It runs what its steps need, and keeps what it found.
#[wasm_bindgen]
pub struct LessonRun(run::LessonRun);

#[wasm_bindgen]
impl LessonRun {
    /// Begins a lesson: its id, or a lesson written out as JSON. Nothing is run yet.
    ///
    /// # Errors
    /// If there is no such lesson, or everything that is wrong with it or with the scenario.
    #[wasm_bindgen(constructor)]
    pub fn new(lesson: &str, language: &str, scenario: &str) -> Result<LessonRun, JsError> {
        let lesson = registry::read(lesson, language).map_err(refuse)?;
        let scenario = validate::parse(scenario).map_err(refuse)?;
        run::LessonRun::new(lesson, language, &scenario)
            .map(LessonRun)
            .map_err(refuse)
    }

    /// A step, from 1 (the one after the last is the transfer), with the learner's answer as JSON, as JSON `StepView`. Without
    /// an answer nothing is said of what a question asks.
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

    /// A text that belongs to no step, as the learner's run fills it: the teacher's notes.
    ///
    /// # Errors
    /// If an expression in it is wrong.
    pub fn fill(&mut self, text: &str) -> Result<String, JsError> {
        self.0.fill("text", text).map_err(refuse)
    }
}

/// A lesson as a sheet of paper: one HTML document. `lesson` is an id, or a lesson written out as JSON; with `teacher` its
/// last page has the answers.
///
/// # Errors
/// If there is no such lesson, or everything that is wrong with it or with the scenario.
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

/// What a learner changed in the scenario of a lesson, as a JSON merge patch; `{}` if nothing but the seed.
///
/// # Errors
/// If there is no lesson of this id, or everything that is wrong with the scenario.
#[wasm_bindgen(js_name = lessonChanges)]
pub fn lesson_changes(id: &str, scenario: &str) -> Result<String, JsError> {
    let scenario = validate::parse(scenario).map_err(refuse)?;
    changes::changes(id, &scenario)
        .map(|patch| json(&patch))
        .map_err(refuse)
}

fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("invariant: plain data is serialisable")
}

fn refuse(errors: Vec<ConfigError>) -> JsError {
    JsError::new(&json(&ConfigErrors::from(errors)))
}
