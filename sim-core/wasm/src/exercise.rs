//! Exercises for own policies: what is asked, and whether a program does it.

use crate::{json, refuse};
use sim_core::exercise::{judge, registry};
use wasm_bindgen::prelude::*;

/// The entries of all exercises for lists, in a language (`en`, `de`), as JSON `ExerciseEntry[]`. The build stores them, as
/// it does those of lessons.
#[wasm_bindgen]
#[must_use]
pub fn exercises(language: &str) -> String {
    json(&registry::entries(language))
}

/// Tries a program in a case, from 0, of an exercise: its id, or one that is written out. JSON `Tried`.
///
/// # Errors
/// What is wrong with the program (`program`), or if there is no such case.
#[wasm_bindgen(js_name = exerciseCase)]
pub fn exercise_case(
    exercise: &str,
    index: usize,
    program: &str,
    language: &str,
) -> Result<String, JsError> {
    let exercise = registry::read(exercise, language).map_err(refuse)?;
    let tried = judge::case(&exercise, index, program, None, language).map_err(refuse)?;
    Ok(json(&tried))
}

/// The scenario of a case with a program as its first lane and a seed, as JSON `Scenario`.
///
/// # Errors
/// As for [`exercise_case`].
#[wasm_bindgen(js_name = exerciseScenario)]
pub fn exercise_scenario(
    exercise: &str,
    index: usize,
    program: &str,
    seed: u32,
) -> Result<String, JsError> {
    let exercise = registry::read(exercise, "en").map_err(refuse)?;
    let seed = Some(u64::from(seed));
    let scenario = judge::scenario(&exercise, index, program, seed).map_err(refuse)?;
    Ok(json(&scenario))
}
