//! Grading: marks the table of a learner's answers by running again.
//!
//! A row holds what was asked, answered and found, and its run: the seed, the changes and the digest. From these the
//! run is made again. The table's own statements about right answers are not used.

mod csv;
mod row;

use super::format::{LESSON_FORMAT, Lesson, Question, Step};
use super::run::LessonRun;
use super::{changes, registry};
use crate::error::ConfigError;
use row::Row;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// The columns of a table, in their order.
pub const COLUMNS: [&str; 11] = [
    "lesson", "version", "step", "question", "answer", "truth", "right", "seconds", "digest",
    "seed", "changes",
];

/// Largest number of different runs for one table.
pub const MOST_RUNS: usize = 100;

/// A marked row.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Mark {
    /// Row of the table, from 1; the head is row 1.
    pub row: usize,
    /// Lesson.
    pub lesson: String,
    /// Step, from 1; 0 if the row does not give one.
    pub step: usize,
    /// Question.
    pub question: String,
    /// The answer as in the table; empty if there is none.
    pub answer: String,
    /// The truth of the run; `null` if there is none.
    pub truth: Value,
    /// Whether the answer is right; `null` without an answer, and if the question is not marked.
    pub right: Option<bool>,
    /// Seconds that the learner took, according to the table.
    pub seconds: Option<f64>,
    /// Differences between the table and the run.
    pub doubts: Vec<String>,
    /// Reasons why the row could not be marked, each with its column.
    pub problems: Vec<ConfigError>,
}

/// Marks every row of a table.
///
/// # Errors
/// If the text is not a table with our columns, or if it is too large.
pub fn grade(text: &str) -> Result<Vec<Mark>, Vec<ConfigError>> {
    let rows = row::read(text)?;
    let mut runs = Runs::default();
    Ok(rows.into_iter().map(|row| runs.mark(row)).collect())
}

/// Digests of all lanes at the end, joined by `-`. Tables identify a run by them.
///
/// # Errors
/// The errors of the scenario.
pub fn digest(
    lesson: &Lesson,
    scenario: &crate::config::Scenario,
) -> Result<String, Vec<ConfigError>> {
    Ok(LessonRun::new(lesson.clone(), "en", scenario)?.digest())
}

/// Key of a run: lesson, seed, changes.
type Key = (String, u64, String);

/// The runs of a table, for the rows so far.
#[derive(Default)]
struct Runs(BTreeMap<Key, Result<Known, Vec<ConfigError>>>);

struct Known {
    run: LessonRun,
    digest: String,
}

impl Runs {
    fn mark(&mut self, row: Result<Row, (usize, Vec<ConfigError>)>) -> Mark {
        let row = match row {
            Ok(row) => row,
            Err((number, problems)) => return unmarked(number, problems),
        };
        let mut mark = Mark {
            row: row.number,
            lesson: row.lesson.clone(),
            step: row.step,
            question: row.question.clone(),
            answer: row.answer.clone(),
            truth: Value::Null,
            right: None,
            seconds: row.seconds,
            doubts: Vec::new(),
            problems: Vec::new(),
        };
        if row.version != u64::from(LESSON_FORMAT) {
            let message = format!("must be {LESSON_FORMAT}, got {}", row.version);
            mark.problems.push(ConfigError::new("version", message));
            return mark;
        }
        match self.known(&row) {
            Ok(known) => {
                if let Err(problems) = judge(known, &row, &mut mark) {
                    mark.problems = problems;
                }
            }
            Err(problems) => mark.problems = problems,
        }
        mark
    }

    fn known(&mut self, row: &Row) -> Result<&mut Known, Vec<ConfigError>> {
        let key = (row.lesson.clone(), row.seed, row.changes.to_string());
        if !self.0.contains_key(&key) {
            if self.0.len() == MOST_RUNS {
                let message = format!("a table may have at most {MOST_RUNS} different runs");
                return Err(vec![ConfigError::new("changes", message)]);
            }
            self.0.insert(key.clone(), made(row));
        }
        let known = self.0.get_mut(&key).expect("invariant: it was entered");
        known.as_mut().map_err(|problems| problems.clone())
    }
}

/// A row that could not be read.
fn unmarked(row: usize, problems: Vec<ConfigError>) -> Mark {
    Mark {
        row,
        lesson: String::new(),
        step: 0,
        question: String::new(),
        answer: String::new(),
        truth: Value::Null,
        right: None,
        seconds: None,
        doubts: Vec::new(),
        problems,
    }
}

/// Makes the run of a row.
fn made(row: &Row) -> Result<Known, Vec<ConfigError>> {
    let (_, lesson) = registry::known(&row.lesson)?.read("en");
    let in_changes = |problems: Vec<ConfigError>| -> Vec<ConfigError> {
        let of = |e: ConfigError| match e.path.as_str() {
            "" | "changes" => ConfigError::new("changes", e.message),
            path => ConfigError::new(format!("changes.{path}"), e.message),
        };
        problems.into_iter().map(of).collect()
    };
    let scenario = changes::changed(&row.lesson, row.seed, &row.changes).map_err(in_changes)?;
    let mut run = LessonRun::new(lesson, "en", &scenario).map_err(in_changes)?;
    let digest = run.digest();
    Ok(Known { run, digest })
}

/// Marks an answer, and records the differences between the table and the run.
fn judge(known: &mut Known, row: &Row, mark: &mut Mark) -> Result<(), Vec<ConfigError>> {
    let question = question(known.run.lesson(), row)?;
    mark.doubts.extend(other_digest(&row.digest, &known.digest));
    if row.answer.is_empty() {
        if !row.right.is_empty() {
            mark.doubts
                .push("there is no answer, yet it is marked".to_owned());
        }
        return Ok(());
    }
    let answer = row::answer(&question, &row.answer);
    let view = known.run.step(row.step, Some(&answer))?;
    mark.truth = view.truth;
    mark.right = view.right;
    if !row::is_same(&row.truth, &mark.truth) {
        let (is, said) = (row::plain(&mark.truth), crate::text::quoted(&row.truth));
        mark.doubts.push(format!(
            "the truth is said to be {said}; the run gives \"{is}\""
        ));
    }
    let right = mark
        .right
        .map_or_else(String::new, |right| right.to_string());
    if row.right != right {
        let said = crate::text::quoted(&row.right);
        mark.doubts
            .push(format!("right is said to be {said}; it is \"{right}\""));
    }
    Ok(())
}

/// The lane in which the run has another digest, if there is one.
fn other_digest(said: &str, is: &str) -> Option<String> {
    if said == is {
        return None;
    }
    let mut lanes = said.split('-').zip(is.split('-')).zip(1..);
    let message = match lanes.find(|((a, b), _)| a != b) {
        Some(((a, b), lane)) => {
            let a = crate::text::quoted(a);
            format!(
                "the digest of lane {lane} is said to be {a}; with this seed and these changes it is {b}"
            )
        }
        None => format!(
            "the digests do not name all lanes; with this seed and these changes they are {is}"
        ),
    };
    Some(message)
}

/// The question that a row answers. An observation with options is a choice; one without options is a number without
/// bounds.
fn question(lesson: &Lesson, row: &Row) -> Result<Question, Vec<ConfigError>> {
    let last = lesson.steps.len();
    let Some(step) = row.step.checked_sub(1).and_then(|i| lesson.steps.get(i)) else {
        let message = format!("must be from 1 to {last}, got {}", row.step);
        return Err(vec![ConfigError::new("step", message)]);
    };
    let (id, question) = match step {
        Step::Predict { id, answer, .. } => (id, answer.clone()),
        Step::Observe { id, options, .. } => (id, Question::choice(options)),
        _ => {
            let message = format!("step {} asks nothing", row.step);
            return Err(vec![ConfigError::new("step", message)]);
        }
    };
    if *id != row.question {
        let message = format!(
            "step {} asks \"{id}\", got {}",
            row.step,
            crate::text::quoted(&row.question)
        );
        return Err(vec![ConfigError::new("question", message)]);
    }
    Ok(question)
}
