//! Grading: the table of a learner's answers, marked again by running again.
//!
//! A row says what was asked, answered and found, and of which run: its seed, what was changed in it and its digest. From
//! these the run is made again. Nothing that a table says about right or not is believed.

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

/// Most different runs that one table may ask for.
pub const MOST_RUNS: usize = 100;

/// A row, marked.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Mark {
    /// Row of the table, from 1; the head is row 1.
    pub row: usize,
    /// Lesson.
    pub lesson: String,
    /// Step, from 1; 0 if the row does not say.
    pub step: usize,
    /// Question.
    pub question: String,
    /// What was answered, as the table has it; empty if nothing was.
    pub answer: String,
    /// What the run gives; `null` where there is no truth.
    pub truth: Value,
    /// Whether the answer is right; `null` without an answer, and where nothing is marked.
    pub right: Option<bool>,
    /// Seconds that the learner took, as the table says.
    pub seconds: Option<f64>,
    /// Where the table says something else than the run.
    pub doubts: Vec<String>,
    /// Why the row could not be marked, each with its column.
    pub problems: Vec<ConfigError>,
}

/// Marks every row of a table.
///
/// # Errors
/// If the text is no table with our columns, or if it is too large.
pub fn grade(text: &str) -> Result<Vec<Mark>, Vec<ConfigError>> {
    let rows = row::read(text)?;
    let mut runs = Runs::default();
    Ok(rows.into_iter().map(|row| runs.mark(row)).collect())
}

/// Digests of all lanes at the end, joined by `-`: what tables name a run by.
///
/// # Errors
/// What is wrong with the scenario.
pub fn digest(
    lesson: &Lesson,
    scenario: &crate::config::Scenario,
) -> Result<String, Vec<ConfigError>> {
    Ok(LessonRun::new(lesson.clone(), "en", scenario)?.digest())
}

/// What names a run: lesson, seed, changes.
type Key = (String, u64, String);

/// The runs of a table: those of the rows so far.
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

/// The run that a row is about.
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

/// Marks an answer, and says where the table differs from the run.
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

/// In which lane the run is another one, if it is.
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

/// The question that a row answers; an observation with options is a choice, one without is a number of no bounds.
fn question(lesson: &Lesson, row: &Row) -> Result<Question, Vec<ConfigError>> {
    let last = lesson.steps.len();
    let Some(step) = row.step.checked_sub(1).and_then(|i| lesson.steps.get(i)) else {
        let message = format!("must be from 1 to {last}, got {}", row.step);
        return Err(vec![ConfigError::new("step", message)]);
    };
    let (id, question) = match step {
        Step::Predict { id, answer, .. } => (id, answer.clone()),
        Step::Observe { id, options, .. } => (
            id,
            Question::Choice {
                options: options.clone(),
            },
        ),
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
