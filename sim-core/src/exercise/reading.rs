//! Reads an exercise; errors have their place.

use super::format::{
    Check, EXERCISE_FORMAT, Exercise, MOST_CASES, MOST_CHECKS, MOST_PICKS, MOST_POINTS, MOST_SEEDS,
    Over,
};
use crate::config::validate::{MAX_TEXT, misread};
use crate::error::ConfigError;
use crate::text::quoted;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// Reads an exercise.
///
/// # Errors
/// If the text is not an exercise: the place, and what may stand there.
pub fn parse(text: &str) -> Result<Exercise, Vec<ConfigError>> {
    if text.len() > MAX_TEXT {
        let message = format!("must be at most {MAX_TEXT} bytes");
        return Err(vec![ConfigError::new("", message)]);
    }
    let exercise: Exercise = serde_json::from_str(text).map_err(|e| vec![misread(&e)])?;
    let errors = wrong(&exercise);
    if errors.is_empty() {
        Ok(exercise)
    } else {
        Err(errors)
    }
}

/// What is wrong with the form of an exercise.
fn wrong(exercise: &Exercise) -> Vec<ConfigError> {
    let mut errors = Vec::new();
    if exercise.format != EXERCISE_FORMAT {
        let message = format!("must be {EXERCISE_FORMAT}, got {}", exercise.format);
        return vec![ConfigError::new("format", message)];
    }
    if exercise.template.is_some() && exercise.program.is_some() {
        errors.push(ConfigError::new(
            "program",
            "must be left out where there is a template",
        ));
    }
    counted(&mut errors, "cases", exercise.cases.len(), 1..=MOST_CASES);
    let mut ids = BTreeSet::new();
    for (i, case) in exercise.cases.iter().enumerate() {
        let at = |field: &str| format!("cases[{i}].{field}");
        if !ids.insert(&case.id) {
            let message = format!("is there twice: {}", quoted(&case.id));
            errors.push(ConfigError::new(at("id"), message));
        }
        if case.points > MOST_POINTS {
            let message = format!("must be from 0 to {MOST_POINTS}, got {}", case.points);
            errors.push(ConfigError::new(at("points"), message));
        }
        counted(&mut errors, &at("seeds"), case.seeds.len(), 0..=MOST_SEEDS);
        counted(
            &mut errors,
            &at("checks"),
            case.checks.len(),
            1..=MOST_CHECKS,
        );
        for (j, check) in case.checks.iter().enumerate() {
            of_check(&mut errors, &format!("cases[{i}].checks[{j}]"), check);
        }
    }
    errors
}

fn counted(errors: &mut Vec<ConfigError>, path: &str, n: usize, range: RangeInclusive<usize>) {
    if !range.contains(&n) {
        let (least, most) = (range.start(), range.end());
        let message = format!("must hold {least} to {most}, holds {n}");
        errors.push(ConfigError::new(path, message));
    }
}

fn of_check(errors: &mut Vec<ConfigError>, path: &str, check: &Check) {
    let has_bound = check.at_least.is_some() || check.at_most.is_some();
    match (&check.picks, &check.value) {
        (Some(picks), None) => {
            let n = picks.split_whitespace().count();
            counted(errors, &format!("{path}.picks"), n, 1..=MOST_PICKS);
            if has_bound || check.over != Over::Each {
                let message = "has neither bounds nor `over`, for turns have an order only";
                errors.push(ConfigError::new(path, message));
            }
        }
        (None, Some(_)) if has_bound => {}
        (None, Some(_)) => {
            errors.push(ConfigError::new(path, "must have atLeast, atMost or both"));
        }
        _ => errors.push(ConfigError::new(path, "must have either picks or a value")),
    }
}

#[cfg(test)]
mod tests {
    use super::parse;
    use serde_json::{Value, json};

    fn exercise() -> Value {
        json!({
            "format": 1, "id": "x", "title": "X", "text": "Do it.",
            "cases": [{
                "id": "a", "text": "A case.", "scenario": "s3-nice",
                "checks": [{ "say": "moves", "value": "moves(1)", "atMost": "3" }]
            }]
        })
    }

    /// What is told when a place has another value.
    fn told(place: &str, value: Value) -> String {
        let mut changed = exercise();
        *changed.pointer_mut(place).expect("a place") = value;
        match parse(&changed.to_string()) {
            Ok(_) => String::new(),
            Err(errors) => errors[0].to_string(),
        }
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place_and_the_range() {
        assert_eq!(told("/title", json!("Y")), "");
        let check = "/cases/0/checks/0";
        let case = exercise()["cases"][0].clone();
        for (place, value, wanted) in [
            ("/format", json!(2), "format: must be 1, got 2"),
            ("/cases", json!([]), "cases: must hold 1 to 32, holds 0"),
            (
                "/cases",
                json!([case, case]),
                "cases[1].id: is there twice: a",
            ),
            (
                "/cases/0/checks",
                json!([]),
                "cases[0].checks: must hold 1 to 16, holds 0",
            ),
            (
                check,
                json!({ "say": "s", "value": "moves(1)" }),
                "cases[0].checks[0]: must have atLeast, atMost or both",
            ),
            (
                check,
                json!({ "say": "s" }),
                "cases[0].checks[0]: must have either picks or a value",
            ),
            (
                check,
                json!({ "say": "s", "picks": " " }),
                "cases[0].checks[0].picks: must hold 1 to 256, holds 0",
            ),
            (
                check,
                json!({ "say": "s", "picks": "a-1", "atMost": "1" }),
                "cases[0].checks[0]: has neither bounds nor `over`, for turns have an order only",
            ),
        ] {
            assert_eq!(told(place, value), wanted);
        }
        assert!(told("/text", json!(3)).contains("line 1, column"));
    }
}
