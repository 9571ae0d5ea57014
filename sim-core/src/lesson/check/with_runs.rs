//! Checks the statements of a lesson about the shipped run, and about three other seeds.

use super::form::{SAY, TEXT, words};
use super::{Notes, expressions, texts, value};
use crate::config::Scenario;
use crate::lesson::answer::{counted, is_right, numbers, plain, room};
use crate::lesson::format::{Feedback, Lesson, Question, Step};
use crate::lesson::parts;
use crate::lesson::run::LessonRun;
use serde_json::{Value, json};
use sim_measure::evaluate::{Scope, evaluate};
use sim_measure::expression::parse;
use sim_measure::shape::SHAPES;

/// Number of other seeds that are tried.
const SEEDS: usize = 3;
/// How far the values of a comparison may lie from the expected ones, as a part of them.
const CLOSE: f64 = 0.01;

pub(super) fn check(notes: &mut Notes, lesson: &Lesson, run: &mut LessonRun, base: &Scenario) {
    for placed in expressions(lesson) {
        match value(run, &placed) {
            Ok(told) => notes.give(&placed.path, placed.text, told),
            Err(wrong) => notes.add(&placed.path, wrong),
        }
    }
    for i in 0..=lesson.steps.len() {
        step(notes, lesson, run, i);
    }
    for placed in texts(lesson).iter().filter(|p| p.text.contains('{')) {
        let number = placed.step.unwrap_or(lesson.steps.len()) + 1;
        // This text is for runs that lack a moment, so it is not checked here.
        if placed.path.ends_with("otherwise") {
            continue;
        }
        let Ok(view) = run.step(number, None) else {
            continue;
        };
        let is_second = placed.path.ends_with("then") || placed.path.ends_with("answer");
        let filled = if is_second { view.then } else { view.text };
        if filled.contains('–') && !placed.text.contains('–') {
            notes.add(
                &placed.path,
                "an expression gives nothing in the shipped run",
            );
        }
        notes.give(&placed.path, placed.text, filled);
    }
    for seed in (1..).filter(|s| *s != base.seed).take(SEEDS) {
        other_seed(notes, lesson, base, seed);
    }
}

fn step(notes: &mut Notes, lesson: &Lesson, run: &mut LessonRun, i: usize) {
    let path = format!("steps[{i}]");
    let view = match run.step(i + 1, None) {
        Ok(view) => view,
        Err(errors) => {
            errors
                .iter()
                .for_each(|e| notes.add(&e.path, e.message.clone()));
            return;
        }
    };
    words(notes, &path, &view.text, TEXT);
    words(notes, &path, &view.then, TEXT);
    let Some(step) = lesson.steps.get(i) else {
        return;
    };
    if view.missing {
        let field = if matches!(step, Step::Run { .. }) {
            "stop"
        } else {
            "point"
        };
        notes.add(
            &format!("{path}.{field}"),
            "the shipped run has no such moment",
        );
    }
    match step {
        Step::Predict { .. } => predicted(notes, &path, step, run, i),
        Step::Observe {
            options,
            truth: Some(truth),
            ..
        } => {
            let question = Question::choice(options);
            truth_of(notes, &path, &question, truth, run, i);
        }
        Step::Change { expected, .. } => {
            let values: Vec<Option<f64>> = view.futures.iter().map(|f| f.value).collect();
            let told: Vec<String> = values.iter().map(|v| format!("{v:?}")).collect();
            notes.give(
                &format!("{path}.compare"),
                "futures",
                told.join(", ").replace("Some", ""),
            );
            let close = |(value, wanted): (&Option<f64>, &f64)| {
                value.is_some_and(|v| (v - wanted).abs() <= CLOSE * wanted.abs().max(1e-9))
            };
            if !values.iter().zip(expected).all(close) {
                let got = json!(values);
                let message = format!("expected {}, the runs give {got}", json!(expected));
                notes.add(&format!("{path}.expected"), message);
            }
        }
        _ => {}
    }
}

/// The truth in the form that the question uses.
fn truth_of(
    notes: &mut Notes,
    path: &str,
    question: &Question,
    truth: &str,
    run: &mut LessonRun,
    i: usize,
) -> Option<Value> {
    let scope = Scope {
        step: Some(i),
        ..Scope::default()
    };
    let path = format!("{path}.truth");
    let found = parse(truth)
        .and_then(|e| evaluate(&mut run.runs, &scope, &e))
        .map_err(|e| e.to_string())
        .and_then(|found| counted(question, &found));
    match found {
        Ok(Value::Null) => notes.add(&path, "gives nothing in the shipped run"),
        Ok(found) => return Some(found),
        Err(wrong) => notes.add(&path, wrong),
    }
    None
}

fn predicted(notes: &mut Notes, path: &str, step: &Step, run: &mut LessonRun, i: usize) {
    let Step::Predict {
        answer: question,
        truth,
        expected,
        feedback,
        ..
    } = step
    else {
        return;
    };
    let Some(truth) = truth_of(notes, path, question, truth, run, i) else {
        return;
    };
    notes.give(
        &format!("{path}.truth"),
        "as the question counts it",
        truth.to_string(),
    );
    if is_right(question, expected, &truth) != Some(true) {
        let message = format!("expected {expected}, the run gives {truth}");
        notes.add(&format!("{path}.expected"), message);
    }
    let mut met = vec![false; feedback.len()];
    let is_choice = matches!(question, Question::Choice { .. });
    for answer in answers(question, &truth) {
        let view = match run.step(i + 1, Some(&answer)) {
            Ok(view) => view,
            Err(errors) => {
                errors
                    .iter()
                    .for_each(|e| notes.add(&e.path, e.message.clone()));
                return;
            }
        };
        match run.feedback_of(i + 1, &answer) {
            Some(n) if !met[n] => {
                met[n] = true;
                heard(
                    notes,
                    &format!("{path}.feedback[{n}]"),
                    &feedback[n],
                    &view.say,
                );
            }
            None if is_choice => {
                let message = format!("nothing is said of option {answer}");
                notes.add(&format!("{path}.feedback"), message);
            }
            _ => {}
        }
    }
    for (n, _) in met.iter().enumerate().filter(|(_, met)| !**met) {
        let message = "is said of no answer: another comes first, or it cannot be";
        notes.add(&format!("{path}.feedback[{n}].when"), message);
    }
}

/// Records a feedback with the values of the shipped run.
fn heard(notes: &mut Notes, path: &str, feedback: &Feedback, say: &str) {
    words(notes, &format!("{path}.say"), say, SAY);
    if say.contains('–') && !feedback.say.contains('–') {
        let message = "an expression gives nothing in the shipped run";
        notes.add(&format!("{path}.say"), message);
    }
    notes.give(&format!("{path}.say"), &feedback.when, say.to_owned());
}

/// Answers that people may give: all options or orders, many numbers, and lines of each shape.
fn answers(question: &Question, truth: &Value) -> Vec<Value> {
    match question {
        Question::Choice { options, .. } => (1..=options.len()).map(|n| json!(n)).collect(),
        Question::Order { items } => orders(items.len()).into_iter().map(|o| json!(o)).collect(),
        Question::Number {
            min,
            max,
            tolerance,
            ..
        } => {
            let at = |i: u32| min + (max - min) * f64::from(i) / 200.0;
            let mut all: Vec<f64> = (0..=200).map(at).collect();
            let near = truth.as_f64().unwrap_or(*min);
            let room = room(tolerance, near);
            all.extend([near, near - room, near + room]);
            all.retain(|n| (min..=max).contains(&n));
            all.into_iter().map(plain).collect()
        }
        Question::Curve { y, at, .. } => {
            let n = at.len();
            let mut all: Vec<Vec<f64>> = vec![numbers(truth)];
            for shape in SHAPES {
                for falls in [false, true] {
                    let line = line(shape, n).into_iter();
                    let height = |p: f64| y.min + (y.max - y.min) * if falls { 1.0 - p } else { p };
                    all.push(line.map(height).collect());
                }
            }
            all.retain(|line| line.iter().all(|v| (y.min..=y.max).contains(v)));
            all.into_iter().map(|line| json!(line)).collect()
        }
    }
}

/// All orders of `n` items.
fn orders(n: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for item in 1..=n {
        let with = |order: &Vec<usize>| -> Vec<Vec<usize>> {
            let places = 0..=order.len();
            places
                .map(|at| {
                    let mut more = order.clone();
                    more.insert(at, item);
                    more
                })
                .collect()
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}

/// A line of a shape, from 0 to 1.
fn line(shape: &str, n: usize) -> Vec<f64> {
    let at = |i: usize| real(i) / real(n - 1);
    let height = |i: usize| {
        let q = at(i);
        match shape {
            "level" => 0.5,
            "step" => f64::from(u8::from(2 * i >= n)),
            "stairs" => (q * 3.0).floor() / 3.0,
            "peak" => 1.0 - (2.0 * q - 1.0).abs(),
            "valley" => (2.0 * q - 1.0).abs(),
            "saturation" => 1.0 - (1.0 - q) * (1.0 - q) * (1.0 - q),
            "growth" => q * q * q,
            "other" => f64::from(u8::from(i.is_multiple_of(2))),
            _ => q,
        }
    };
    (0..n).map(height).collect()
}

fn real(n: usize) -> f64 {
    crate::metrics::real(n as u64)
}

/// Checks another seed: a place may be missing only if the lesson says so.
fn other_seed(notes: &mut Notes, lesson: &Lesson, base: &Scenario, seed: u64) {
    let mut scenario = base.clone();
    scenario.seed = seed;
    let Ok(mut run) = LessonRun::new(lesson.clone(), "en", &scenario) else {
        return;
    };
    for (i, step) in lesson.steps.iter().enumerate() {
        let otherwise = match step {
            Step::Run { otherwise, .. }
            | Step::Observe { otherwise, .. }
            | Step::Explain { otherwise, .. } => otherwise,
            _ => continue,
        };
        if parts::point(step).is_none() || !otherwise.is_empty() {
            continue;
        }
        if run.step(i + 1, None).is_ok_and(|view| view.missing) {
            let message = format!("seed {seed} has no such moment: say what then");
            notes.add(&format!("steps[{i}].otherwise"), message);
        }
    }
}
