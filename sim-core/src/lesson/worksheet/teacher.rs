//! The teacher's page: truths, feedback, cards, and both futures of each change.

use super::Errors;
use super::axes::axes;
use super::html::{element, escape};
use super::questions::shown;
use super::samples;
use super::words::SheetWords;
use crate::lesson::answer;
use crate::lesson::format::{Lesson, Question, Step, Tolerance};
use crate::lesson::run::LessonRun;
use crate::lesson::view::{Future, PointView, StepView};
use crate::lesson::words::words as told_in;
use serde_json::Value;
use std::fmt::Write;

pub(super) fn page(
    run: &mut LessonRun,
    lesson: &Lesson,
    words: &SheetWords,
) -> Result<String, Errors> {
    let mut out = String::from("<section class=\"teacher\">\n");
    out += &element("h1", &format!("{}: {}", words.teacher, lesson.title));
    let (ask, surprise) = (
        run.fill("teacher.ask", &lesson.teacher.ask)?,
        run.fill("teacher.surprise", &lesson.teacher.surprise)?,
    );
    for (name, text) in [
        (words.goal, &lesson.goal),
        (words.belief, &lesson.misconception),
        (words.ask, &ask),
        (words.surprise, &surprise),
        (words.time, &lesson.teacher.time),
    ] {
        let _ = writeln!(out, "<p><b>{}:</b> {}</p>", escape(name), escape(text));
    }
    for (i, step) in lesson.steps.iter().enumerate() {
        out += &match step {
            Step::Predict { ask, answer, .. } => {
                let asked = if ask.contains('{') {
                    run.step(i + 1, None)?.text
                } else {
                    ask.clone()
                };
                element("h2", &asked) + &marked(run, i + 1, answer, words)?
            }
            Step::Observe { ask, options, .. } if !options.is_empty() => {
                let question = Question::choice(options);
                let view = run.step(i + 1, Some(&Value::from(1)))?;
                let asked = if view.text.is_empty() {
                    ask
                } else {
                    &view.text
                };
                let truth = truth(&question, &view, words);
                let card = looked(lesson, view.point.as_ref(), words);
                format!("{}<p>{truth}{card}</p>\n", element("h2", asked))
            }
            Step::Explain { .. } => {
                let view = run.step(i + 1, None)?;
                let card = looked(lesson, view.point.as_ref(), words);
                format!(
                    "{}<p>{}{card}</p>\n",
                    element("h2", words.explain),
                    escape(&view.text)
                )
            }
            Step::Change { compare, .. } => {
                let view = run.step(i + 1, None)?;
                let table = futures(&view.futures, &compare.label, &compare.unit, words);
                let head = element("h2", &view.text);
                format!("{head}{table}{}", element("p", &view.then))
            }
            Step::Situation { .. } | Step::Run { .. } | Step::Observe { .. } => continue,
        };
    }
    let transfer = run.step(lesson.steps.len() + 1, None)?;
    out += &element("h2", &transfer.text);
    out += &element("p", &transfer.then);
    Ok(out + "</section>\n")
}

/// Truth and feedback of a question.
fn marked(
    run: &mut LessonRun,
    number: usize,
    question: &Question,
    words: &SheetWords,
) -> Result<String, Errors> {
    // Each feedback with the answers that get it, in the order of the answers.
    let mut said: Vec<(String, Vec<Value>)> = Vec::new();
    let mut first = None;
    for answer in samples::answers(question) {
        let view = run.step(number, Some(&answer))?;
        match said.iter_mut().find(|(say, _)| *say == view.say) {
            Some((_, answers)) => answers.push(answer),
            None => said.push((view.say.clone(), vec![answer])),
        }
        first.get_or_insert(view);
    }
    let first = first.unwrap_or_default();
    let mut out = format!("<p>{}</p>\n", truth(question, &first, words));
    if let Question::Curve { x, y, at } = question {
        out += &axes(x, y, at, &answer::numbers(&first.truth));
    }
    let _ = write!(out, "<p>{}:</p><ul>", escape(words.answers));
    for (say, answers) in said {
        let to = answered(question, &answers, words);
        let _ = write!(out, "<li><i>{}</i>: {}</li>", escape(&to), escape(&say));
    }
    Ok(out + "</ul>\n")
}

fn truth(question: &Question, view: &StepView, words: &SheetWords) -> String {
    let told = answer::told(question, &view.truth, told_in(words.language));
    let room = match question {
        Question::Number {
            unit, tolerance, ..
        } => {
            let room = match tolerance {
                Tolerance::Absolute(n) => format!("{n} {}", shown(unit)),
                Tolerance::Part(part) => part.clone(),
            };
            format!(" ({} ± {})", words.counts, room.trim())
        }
        _ => String::new(),
    };
    format!(
        "<b>{}:</b> {}",
        escape(words.truth),
        escape(&(told + &room))
    )
}

/// The answers in words: an option, a range, the first of an order, shapes.
fn answered(question: &Question, answers: &[Value], words: &SheetWords) -> String {
    let told = |v: &Value| answer::told(question, v, told_in(words.language));
    match (question, answers) {
        (Question::Number { .. }, [first, .., last]) => {
            let range = words.from_to.replace("{min}", &told(first));
            range.replace("{max}", &told(last))
        }
        (Question::Order { .. }, [first, second, ..]) => {
            format!("{}; {}; …", told(first), told(second))
        }
        _ => {
            let mut all: Vec<String> = Vec::new();
            for told in answers.iter().map(told) {
                if !all.contains(&told) {
                    all.push(told);
                }
            }
            all.join("; ")
        }
    }
}

/// Lane, time and subject of a moment.
fn looked(lesson: &Lesson, point: Option<&PointView>, words: &SheetWords) -> String {
    let Some(point) = point.filter(|p| p.decision.is_some()) else {
        return String::new();
    };
    let lane = usize::try_from(point.lane).ok();
    let label = lane.and_then(|l| lesson.lane_labels.get(l)).cloned();
    let lane = label.unwrap_or_else(|| format!("{} {}", words.lane, point.lane + 1));
    let mut parts = vec![words.card.to_owned(), lane];
    parts.extend(point.at_ns.map(milliseconds));
    parts.extend(point.cpu.map(|cpu| format!("cpu {cpu}")));
    parts.extend(point.thread.clone());
    format!(
        " <span class=\"hint\">({})</span>",
        escape(&parts.join(", "))
    )
}

/// A time as the page shows it.
fn milliseconds(ns: u64) -> String {
    format!("{}.{:03} ms", ns / 1_000_000, ns / 1_000 % 1_000)
}

fn futures(all: &[Future], label: &str, unit: &str, words: &SheetWords) -> String {
    let mut out = format!("<table><tr><th></th>{}</tr>", element("th", label));
    for future in all {
        let name = match future.label.as_str() {
            "" => words.as_it_is,
            label => label,
        };
        let value = future.value.map_or_else(
            || "–".to_owned(),
            |v| format!("{} {}", significant(v, words), shown(unit)),
        );
        let _ = write!(
            out,
            "<tr>{}{}</tr>",
            element("td", name),
            element("td", value.trim())
        );
    }
    out + "</table>\n"
}

/// A number with about four significant digits.
fn significant(v: f64, words: &SheetWords) -> String {
    let digits = match v.abs() {
        a if a >= 1_000.0 => 0,
        a if a >= 100.0 => 1,
        a if a >= 10.0 => 2,
        _ => 3,
    };
    let point = told_in(words.language).values.point.to_string();
    format!("{v:.digits$}").replace('.', &point)
}
