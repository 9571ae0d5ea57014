//! What is wrong with an exercise: its form, its scenarios, its expressions, and with a model what the model does.

use super::format::Exercise;
use super::judge::{self, Tried};
use super::reading;
use crate::error::ConfigError;

/// A program that only takes the first in line, for exercises that are checked without a model.
const PLAIN: &str =
    "def pick(cpu):\n    return cpu.waiting[0]\n\ndef slice(t):\n    return 10 * ms\n";

/// An exercise that was checked.
#[derive(Debug)]
pub struct Examined {
    /// The exercise.
    pub exercise: Exercise,
    /// Each case with the model; with the plain program if there is none.
    pub cases: Vec<Tried>,
}

/// Checks an exercise. Every case runs, so that expressions without a value show.
///
/// # Errors
/// Everything that is wrong, with its place; and if the model does not pass, what it fails.
pub fn check(text: &str, model: Option<&str>) -> Result<Examined, Vec<ConfigError>> {
    let exercise = reading::parse(text)?;
    let program = model.unwrap_or(PLAIN);
    let (mut cases, mut errors) = (Vec::new(), Vec::new());
    for i in 0..exercise.cases.len() {
        match judge::case(&exercise, i, program, None, "en") {
            Ok(tried) => {
                if model.is_some() && !tried.passed {
                    let path = format!("cases[{i}]");
                    let message = format!("the model does not pass it: {}", why(&tried));
                    errors.push(ConfigError::new(path, message));
                }
                cases.push(tried);
            }
            Err(wrong) if judge::is_of_program(&wrong) => return Err(wrong),
            Err(wrong) => errors.extend(wrong),
        }
    }
    if errors.is_empty() {
        Ok(Examined { exercise, cases })
    } else {
        Err(errors)
    }
}

/// The first thing that a case wanted otherwise.
fn why(tried: &Tried) -> String {
    let stopped = tried.stopped.clone();
    let missed = tried.checks.iter().find(|c| !c.passed);
    let missed = missed.map(|c| format!("{}: {}", c.say, c.came));
    stopped.or(missed).unwrap_or_default()
}
