//! The form of a lesson: numbers in range, texts of the right length, expressions that can be read.

use super::{Notes, options, texts};
use crate::lesson::answer::part;
use crate::lesson::format::{Axis, Feedback, Lesson, Point, Question, Step, Tolerance};
use crate::lesson::text::{Piece, pieces};
use sim_measure::expression::parse;

/// Largest number of words in a text, and in the feedback to an answer.
pub(super) const TEXT: usize = 60;
pub(super) const SAY: usize = 40;

pub(super) fn check(notes: &mut Notes, lesson: &Lesson) {
    let is_id = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if lesson.id.is_empty() || !lesson.id.chars().all(is_id) {
        notes.add("id", "must be lower-case letters, digits and -");
    }
    range(notes, "level", i64::from(lesson.level), 1, 4);
    range(notes, "minutes", i64::from(lesson.minutes), 1, 60);
    for (field, text) in [
        ("title", &lesson.title),
        ("goal", &lesson.goal),
        ("misconception", &lesson.misconception),
        ("transfer.ask", &lesson.transfer.ask),
        ("transfer.answer", &lesson.transfer.answer),
        ("teacher.ask", &lesson.teacher.ask),
    ] {
        if text.trim().is_empty() {
            notes.add(field, "must not be empty");
        }
    }
    for placed in texts(lesson) {
        readable(notes, &placed.path, placed.text, TEXT);
    }
    for (name, row) in &lesson.sweeps {
        let path = format!("sweeps.{name}.points");
        range(notes, &path, count(row.points.len()), 1, 50);
        if !row.points.is_sorted_by(|a, b| a.at < b.at) {
            notes.add(&path, "at must ascend");
        }
    }
    range(notes, "steps", count(lesson.steps.len()), 2, 30);
    if !matches!(lesson.steps.first(), Some(Step::Situation { .. })) {
        notes.add("steps[0].kind", "must be situation: lists show its text");
    }
    if !lesson
        .steps
        .iter()
        .any(|s| matches!(s, Step::Predict { .. }))
    {
        notes.add("steps", "must have a predict step");
    }
    ids(notes, lesson);
    for (i, step) in lesson.steps.iter().enumerate() {
        one(notes, &format!("steps[{i}]"), step);
    }
}

fn count(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

fn range(notes: &mut Notes, path: &str, value: i64, min: i64, max: i64) {
    if !(min..=max).contains(&value) {
        notes.add(path, format!("must be from {min} to {max}, got {value}"));
    }
}

pub(super) fn words(notes: &mut Notes, path: &str, text: &str, most: usize) {
    let n = text.split_whitespace().count();
    if n > most {
        notes.add(path, format!("must be at most {most} words, has {n}"));
    }
}

/// Checks a text: its expressions must be readable, and it may have at most this many words; an expression counts as
/// one.
pub(super) fn readable(notes: &mut Notes, path: &str, text: &str, most: usize) {
    match pieces(text) {
        Err(e) => notes.add(path, e.to_string()),
        Ok(pieces) => {
            let told = pieces.into_iter().map(|piece| match piece {
                Piece::Plain(plain) => plain,
                Piece::Value(..) => "0".to_owned(),
            });
            words(notes, path, &told.collect::<String>(), most);
        }
    }
}

fn expression(notes: &mut Notes, path: &str, text: &str) {
    if let Err(e) = parse(text) {
        notes.add(path, e.to_string());
    }
}

/// Checks the names of questions, which distinguish the answers.
fn ids(notes: &mut Notes, lesson: &Lesson) {
    let mut seen: Vec<&str> = Vec::new();
    for (i, step) in lesson.steps.iter().enumerate() {
        let (Step::Predict { id, .. } | Step::Observe { id, .. }) = step else {
            continue;
        };
        let path = format!("steps[{i}].id");
        if id.is_empty() || !id.chars().all(|c| c.is_ascii_alphanumeric()) {
            notes.add(&path, "must be letters and digits");
        }
        if seen.contains(&id.as_str()) {
            notes.add(
                &path,
                format!("\"{id}\" is the name of another question, too"),
            );
        }
        seen.push(id);
    }
}

fn one(notes: &mut Notes, path: &str, step: &Step) {
    if let Step::Predict { truth, .. }
    | Step::Observe {
        truth: Some(truth), ..
    } = step
    {
        expression(notes, &format!("{path}.truth"), truth);
    }
    match step {
        Step::Situation { .. } => {}
        Step::Predict {
            answer,
            feedback,
            truth,
            ..
        } => {
            question(notes, &format!("{path}.answer"), answer);
            if let Question::Choice { unit, values, .. } = answer {
                let (unit, values) = (unit.as_deref(), values.as_deref());
                let path = format!("{path}.truth");
                let (unit, values) = (unit.unwrap_or_default(), values.unwrap_or_default());
                options::chosen_from(notes, &path, truth, unit, values);
            }
            said(notes, path, feedback);
        }
        Step::Run { stop, .. } => {
            point(notes, &format!("{path}.stop"), stop.as_ref());
        }
        Step::Observe {
            options,
            truth,
            point: place,
            ..
        } => {
            if !options.is_empty() {
                range(
                    notes,
                    &format!("{path}.options"),
                    count(options.len()),
                    2,
                    5,
                );
            } else if truth.is_some() {
                notes.add(
                    &format!("{path}.truth"),
                    "needs options: a line is not marked",
                );
            }
            point(notes, &format!("{path}.point"), place.as_ref());
        }
        Step::Explain { point: place, .. } => {
            point(notes, &format!("{path}.point"), place.as_ref());
        }
        Step::Change {
            forks,
            compare,
            expected,
            ..
        } => {
            range(notes, &format!("{path}.forks"), count(forks.len()), 1, 3);
            expression(notes, &format!("{path}.compare.value"), &compare.value);
            if expected.len() != forks.len() + 1 {
                let n = forks.len() + 1;
                let message = format!("must be {n} values: the learner's run, then each fork");
                notes.add(&format!("{path}.expected"), message);
            }
        }
    }
}

fn said(notes: &mut Notes, path: &str, feedback: &[Feedback]) {
    for (i, f) in feedback.iter().enumerate() {
        let path = format!("{path}.feedback[{i}]");
        expression(notes, &format!("{path}.when"), &f.when);
        readable(notes, &format!("{path}.say"), &f.say, SAY);
        let mut spoken = f.say.split(|c: char| !c.is_alphabetic());
        if spoken.any(|w| w.eq_ignore_ascii_case("wrong")) {
            notes.add(&format!("{path}.say"), "must not say \"wrong\"");
        }
    }
}

fn question(notes: &mut Notes, path: &str, question: &Question) {
    match question {
        Question::Choice {
            options: texts,
            unit,
            values,
        } => {
            range(notes, &format!("{path}.options"), count(texts.len()), 2, 5);
            let unit = unit.as_deref().unwrap_or_default();
            match values {
                Some(values) => options::check(notes, path, texts, unit, values),
                None if !unit.is_empty() => notes.add(&format!("{path}.unit"), "needs values"),
                None => {}
            }
        }
        Question::Order { items } => {
            range(notes, &format!("{path}.items"), count(items.len()), 2, 6);
        }
        Question::Number {
            min,
            max,
            tolerance,
            ..
        } => {
            if min >= max {
                notes.add(&format!("{path}.min"), "must be less than max");
            }
            let path = format!("{path}.tolerance");
            match tolerance {
                Tolerance::Absolute(room) if *room < 0.0 => {
                    notes.add(&path, "must not be negative");
                }
                Tolerance::Part(text) if part(text).is_none() => {
                    notes.add(&path, "must be a number, or a part such as \"5%\"");
                }
                _ => {}
            }
        }
        Question::Curve { x, y, at } => {
            axis(notes, &format!("{path}.x"), x);
            axis(notes, &format!("{path}.y"), y);
            let path = format!("{path}.at");
            range(notes, &path, count(at.len()), 5, 9);
            if !at.is_sorted_by(|a, b| a < b) || at.iter().any(|v| *v < x.min || *v > x.max) {
                notes.add(&path, format!("must ascend from {} to {}", x.min, x.max));
            }
        }
    }
}

fn axis(notes: &mut Notes, path: &str, axis: &Axis) {
    if axis.min >= axis.max {
        notes.add(&format!("{path}.min"), "must be less than max");
    } else if axis.log && axis.min <= 0.0 {
        notes.add(
            &format!("{path}.min"),
            "must be more than 0 on an axis of equal factors",
        );
    }
}

fn point(notes: &mut Notes, path: &str, point: Option<&Point>) {
    let Some(point) = point else { return };
    for (name, text) in [("at", &point.at), ("after", &point.after)] {
        if let Some(text) = text {
            expression(notes, &format!("{path}.{name}"), text);
        }
    }
    if point.at.is_some() && point.reason.is_some() {
        notes.add(
            &format!("{path}.at"),
            "stands beside reason; one of them is enough",
        );
    }
    if point.nth.is_some_and(|n| n != -1 && n < 1) {
        notes.add(
            &format!("{path}.nth"),
            "must be from 1 on, or -1 for the last",
        );
    }
    let needs_reason = [
        point.nth.map(|_| "nth"),
        point.after.as_ref().map(|_| "after"),
    ];
    for field in needs_reason
        .into_iter()
        .flatten()
        .filter(|_| point.reason.is_none())
    {
        notes.add(&format!("{path}.{field}"), "needs a reason");
    }
}
