//! The exercises of this build: one line each, in the order of lists.

use super::format::{Exercise, Set};
use super::reading;
use crate::error::ConfigError;
use crate::lesson::registry::overlay;
use crate::text::quoted;
use serde::Serialize;
use serde_json::Value;

/// An exercise that is part of this build.
#[derive(Clone, Copy, Debug)]
pub struct Shipped {
    /// Its id, which is the name of its files.
    pub id: &'static str,
    /// The exercise, as JSON.
    pub text: &'static str,
    /// Its texts in other languages: language, and JSON of the same shape.
    pub translations: &'static [(&'static str, &'static str)],
    /// A program that does what it asks, for tests and teachers; where a template does, it is that one.
    pub model: &'static str,
}

macro_rules! exercises {
    ($($id:literal, $model:literal $(, $language:literal)*;)*) => {
        /// All exercises.
        pub const EXERCISES: &[Shipped] = &[$(Shipped {
            id: $id,
            text: include_str!(concat!("../../../scenarios/exercises/", $id, ".json")),
            translations: &[$((
                $language,
                include_str!(concat!("../../../scenarios/exercises/", $id, ".", $language, ".json")),
            )),*],
            model: include_str!(concat!("../../../", $model, ".policy.py")),
        }),*];
    };
}

exercises! {
    "e1", "sim-core/policy/templates/round-robin", "de";
    "e2", "scenarios/exercises/models/e2", "de";
    "e3", "scenarios/exercises/models/e3", "de";
    "e4", "sim-core/policy/templates/mlfq", "de";
    "e5", "scenarios/exercises/models/e5", "de";
    "e6", "scenarios/exercises/models/e6", "de";
    "e7", "scenarios/exercises/models/e7", "de";
    "e8", "scenarios/exercises/models/e8", "de";
}

/// An exercise in a list.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct ExerciseEntry {
    /// Its id.
    pub id: String,
    /// Name for people.
    pub title: String,
    /// What is asked.
    pub text: String,
    /// The policy of the textbook to begin with.
    pub template: Option<String>,
    /// The program to begin with, where there is no template.
    pub program: Option<String>,
    /// Its cases.
    pub cases: Vec<CaseEntry>,
}

/// A case in a list.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct CaseEntry {
    /// Its id.
    pub id: String,
    /// The situation.
    pub text: String,
    /// Who sees it when.
    pub set: Set,
    /// What it is worth.
    pub points: u32,
}

impl Shipped {
    /// The exercise with the texts of a language; English where there is no translation.
    ///
    /// # Panics
    /// If a shipped file is not an exercise; a test reads them all.
    #[must_use]
    pub fn read(&self, language: &str) -> Exercise {
        let short = language.split(['-', '_']).next().unwrap_or_default();
        let json = |text| serde_json::from_str(text).expect("invariant: shipped texts are JSON");
        let mut whole: Value = json(self.text);
        if let Some((_, texts)) = self.translations.iter().find(|t| t.0 == short) {
            overlay(&mut whole, &json(texts));
        }
        reading::parse(&whole.to_string()).expect("invariant: shipped exercises are valid")
    }
}

/// An exercise by its id, as people write it (`E6`). The error lists the existing ids.
///
/// # Errors
/// If there is none.
pub fn known(id: &str) -> Result<&'static Shipped, Vec<ConfigError>> {
    let found = EXERCISES.iter().find(|e| e.id.eq_ignore_ascii_case(id));
    found.ok_or_else(|| {
        let all: Vec<&str> = EXERCISES.iter().map(|e| e.id).collect();
        let (all, got) = (all.join(", "), quoted(id));
        let message = format!("must be one of {all}; got \"{got}\"");
        vec![ConfigError::new("exercise", message)]
    })
}

/// An exercise by its id, or one that is written out as JSON.
///
/// # Errors
/// If there is none; if the text is not an exercise, the place of the error.
pub fn read(source: &str, language: &str) -> Result<Exercise, Vec<ConfigError>> {
    if source.trim_start().starts_with('{') {
        return reading::parse(source);
    }
    Ok(known(source)?.read(language))
}

/// The entries of all exercises, for lists.
#[must_use]
pub fn entries(language: &str) -> Vec<ExerciseEntry> {
    let entry = |shipped: &Shipped| {
        let exercise = shipped.read(language);
        let cases = exercise.cases.into_iter().map(|c| CaseEntry {
            id: c.id,
            text: c.text,
            set: c.set,
            points: c.points,
        });
        ExerciseEntry {
            cases: cases.collect(),
            id: exercise.id,
            title: exercise.title,
            text: exercise.text,
            template: exercise.template,
            program: exercise.program,
        }
    };
    EXERCISES.iter().map(entry).collect()
}
