//! A lesson on paper: one HTML document without external resources, black on white, for A4 and Letter.
//!
//! The learner's pages contain everything before the run: situation, machine, questions with empty fields, room for
//! observations, a table for the change, and the last question. They contain no result: a number of the run in the text
//! of a later step becomes a blank. The teacher's page has the truths, the lesson's feedback, and the cards.

mod axes;
mod html;
mod machine;
mod questions;
mod samples;
mod teacher;
mod words;

use super::format::{Lesson, Step};
use super::run::LessonRun;
use super::text::{self, Piece};
use crate::config::plan::Plan;
use crate::config::{Scenario, validate};
use crate::error::ConfigError;
use html::{element, escape};
use sim_measure::expression::Node;
use std::fmt::Write;
use words::SheetWords;

type Errors = Vec<ConfigError>;

/// A lesson as a worksheet, for the learner's scenario; with `teacher` its last page has the answers.
///
/// # Errors
/// The errors of the scenario, or of an expression of the lesson.
pub fn worksheet(
    lesson: &Lesson,
    language: &str,
    scenario: &Scenario,
    teacher: bool,
) -> Result<String, Errors> {
    let plan = validate::plan(scenario)?;
    let words = words::words(language);
    let mut run = LessonRun::new(lesson.clone(), language, scenario)?;
    let mut body = head(lesson, scenario, words);
    for (i, step) in lesson.steps.iter().enumerate() {
        body += &match step {
            Step::Situation { text } => situation(lesson, &plan, text, words)?,
            Step::Predict { ask, answer, .. } => {
                let first = is_first(lesson, i, |s| matches!(s, Step::Predict { .. }));
                let head = first.then_some((words.guess, words.guess_before));
                // Values in the question are filled in, because the question comes before the run.
                let asked = ask_of(&mut run, i, ask)?;
                let field = questions::field(answer, words);
                format!("{}{}", headed(head), question(&asked, &field))
            }
            Step::Run { text, .. } => {
                let first = is_first(lesson, i, |s| matches!(s, Step::Run { .. }));
                let text = paragraph(text)?;
                format!("{}{text}", headed(first.then_some((words.run, ""))))
            }
            Step::Observe { ask, options, .. } => {
                let field = if options.is_empty() {
                    questions::lines(1)
                } else {
                    questions::choice(options)
                };
                let head = headed(Some((words.observe, "")));
                format!("{head}{}", question(&blanked(ask)?, &field))
            }
            Step::Explain { .. } => {
                let last = lesson.steps.get(i + 1);
                if matches!(last, Some(Step::Explain { .. })) {
                    continue;
                }
                let head = headed(Some((words.explain, words.explain_ask)));
                format!("{head}{}", questions::lines(2))
            }
            Step::Change {
                text,
                forks,
                compare,
                ..
            } => {
                let first = is_first(lesson, i, |s| matches!(s, Step::Change { .. }));
                let head = headed(first.then_some((words.change, "")));
                let table = questions::table(forks, compare, words);
                format!("{head}{}", question(&blanked(text)?, &table))
            }
        };
    }
    body += &headed(Some((words.transfer, "")));
    let asked = transfer_ask(&mut run, &lesson.transfer.ask)?;
    body += &question(&asked, &questions::lines(2));
    if teacher {
        body += &teacher::page(&mut run, lesson, words)?;
    }
    Ok(html::document(words.language, &lesson.title, &body))
}

/// Whether a step is the first of its kind.
fn is_first(lesson: &Lesson, i: usize, is_it: impl Fn(&Step) -> bool) -> bool {
    lesson.steps.iter().position(is_it) == Some(i)
}

fn head(lesson: &Lesson, scenario: &Scenario, words: &SheetWords) -> String {
    let line = format!(
        "{} · {} {} · {} {} · {} {}",
        words.lesson,
        words.level,
        lesson.level,
        lesson.minutes,
        words.minutes,
        words.seed,
        scenario.seed
    );
    format!(
        "{}\n<p class=\"head\">{}</p>\n",
        element("h1", &lesson.title),
        escape(&line)
    )
}

fn headed(head: Option<(&str, &str)>) -> String {
    let Some((title, hint)) = head else {
        return String::new();
    };
    let hint = match hint {
        "" => String::new(),
        hint => format!("<p class=\"hint\">{}</p>\n", escape(hint)),
    };
    format!("{}\n{hint}", element("h2", title))
}

fn situation(
    lesson: &Lesson,
    plan: &Plan,
    text: &str,
    words: &SheetWords,
) -> Result<String, Errors> {
    let mut out = paragraph(text)?;
    out += &machine::drawing(&plan.machine, words);
    let groups = plan.groups.iter().filter(|g| !g.background);
    let threads: Vec<String> = groups
        .map(|g| format!("{} {} {}", g.count, words.times, g.name))
        .collect();
    let _ = write!(
        out,
        "<p><b>{}:</b> {}.",
        escape(words.threads),
        escape(&threads.join(", "))
    );
    if !lesson.lane_labels.is_empty() {
        let lanes = lesson.lane_labels.join("; ");
        let _ = write!(out, " <b>{}:</b> {}.", escape(words.lanes), escape(&lanes));
    }
    out += "</p>\n";
    Ok(out)
}

/// The question of a step, with the values of the run.
fn ask_of(run: &mut LessonRun, i: usize, ask: &str) -> Result<String, Errors> {
    if !ask.contains('{') {
        return Ok(escape(ask));
    }
    Ok(escape(&run.step(i + 1, None)?.text))
}

/// The question of the transfer: values of other runs are filled in, and values of the learner's own run are left
/// blank.
fn transfer_ask(run: &mut LessonRun, ask: &str) -> Result<String, Errors> {
    let is_given = |piece: &Piece| match piece {
        Piece::Value(e, _) => matches!(&e.is, Node::Call(name, _) if name == "in"),
        Piece::Plain(_) => true,
    };
    if pieces(ask)?.iter().all(is_given) {
        return Ok(escape(&run.fill("transfer.ask", ask)?));
    }
    blanked(ask)
}

/// A question, whose text is already HTML, and its field.
fn question(ask: &str, field: &str) -> String {
    format!("<div class=\"question\"><p>{ask}</p>\n{field}</div>\n")
}

fn paragraph(text: &str) -> Result<String, Errors> {
    if text.is_empty() {
        return Ok(String::new());
    }
    Ok(format!("<p>{}</p>\n", blanked(text)?))
}

fn pieces(text: &str) -> Result<Vec<Piece>, Errors> {
    text::pieces(text).map_err(|e| vec![ConfigError::new("text", e.to_string())])
}

/// A text as HTML, with a blank for each number of the run.
fn blanked(text: &str) -> Result<String, Errors> {
    let parts = pieces(text)?.into_iter().map(|piece| match piece {
        Piece::Plain(plain) => escape(&plain),
        Piece::Value(..) => "<span class=\"blank\"></span>".to_owned(),
    });
    Ok(parts.collect())
}
