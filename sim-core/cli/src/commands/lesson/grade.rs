//! `timeslice lesson grade FILE.csv|FOLDER`

use crate::arguments;
use crate::exit::Exit;
use crate::output::{self, Failure, Printed};
use serde::Serialize;
use sim_core::error::ConfigError;
use sim_core::lesson::grade::{self, Mark};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::path::Path;

/// One byte more than the longest table that is graded, so that a longer one is refused with its reason.
const MOST_BYTES: u64 = (4 << 20) + 1;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A table (CSV), `-` for standard input, or a folder of them.
    source: String,
    #[command(flatten)]
    printed: Printed,
}

/// A graded table.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Graded {
    file: String,
    marks: Vec<Mark>,
    /// Why the table could not be read.
    errors: Vec<ConfigError>,
}

pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let all: Vec<Graded> = arguments::files(&args.source, ".csv", "tables")?
        .iter()
        .map(|f| graded(f))
        .collect();
    if args.printed.is_json() {
        output::json(&all);
    } else {
        table(&all);
    }
    let mut marks = all.iter().flat_map(|g| &g.marks);
    let is_unread = |m: &Mark| !m.problems.is_empty();
    if all.iter().any(|g| !g.errors.is_empty()) || marks.clone().any(is_unread) {
        return Ok(Exit::Wrong);
    }
    let is_doubtful = marks.any(|m| !m.doubts.is_empty());
    Ok(Exit::good(!is_doubtful))
}

fn graded(file: &Path) -> Graded {
    let (marks, errors) = match read(file).and_then(|text| grade::grade(&text)) {
        Ok(marks) => (marks, Vec::new()),
        Err(errors) => (Vec::new(), errors),
    };
    let name = file.file_name().unwrap_or(file.as_os_str());
    Graded {
        file: name.to_string_lossy().into_owned(),
        marks,
        errors,
    }
}

fn read(file: &Path) -> Result<String, Vec<ConfigError>> {
    let fail = |e: std::io::Error| vec![ConfigError::new("", format!("cannot be read: {e}"))];
    let mut text = String::new();
    let mut reader: Box<dyn Read> = if file == Path::new("-") {
        Box::new(std::io::stdin())
    } else {
        Box::new(fs::File::open(file).map_err(fail)?)
    };
    let mut some = Read::take(&mut reader, MOST_BYTES);
    some.read_to_string(&mut text).map_err(fail)?;
    Ok(text)
}

/// Prints a line for each table with a column for each question, then everything doubtful.
fn table(all: &[Graded]) {
    let of = |m: &Mark| (m.lesson.clone(), m.step, m.question.clone());
    let marked = |m: &&Mark| m.problems.is_empty();
    let columns: BTreeSet<_> = all
        .iter()
        .flat_map(|g| g.marks.iter().filter(marked))
        .map(of)
        .collect();
    let mut rows = vec![vec!["file".to_owned()]];
    for (lesson, _, question) in &columns {
        let short = lesson.split('-').next().unwrap_or(lesson);
        rows[0].push(format!("{short}.{question}"));
    }
    rows[0].push("right".to_owned());
    for graded in all {
        let mut cells = BTreeMap::new();
        for mark in graded.marks.iter().filter(marked) {
            cells.insert(of(mark), cell(mark));
        }
        let right = graded
            .marks
            .iter()
            .filter(|m| m.right == Some(true))
            .count();
        let of_marked = graded.marks.iter().filter(|m| m.right.is_some()).count();
        let mut row = vec![graded.file.clone()];
        row.extend(
            columns
                .iter()
                .map(|c| cells.get(c).cloned().unwrap_or_default()),
        );
        row.push(format!("{right} of {of_marked}"));
        rows.push(row);
    }
    print(&rows);
    for graded in all {
        for error in &graded.errors {
            output::line(&format!("{}: {error}", graded.file));
        }
        for mark in &graded.marks {
            let place = format!("{}: row {}", graded.file, mark.row);
            for problem in &mark.problems {
                let column = if problem.path.is_empty() {
                    ": "
                } else {
                    ", column "
                };
                output::line(&format!("{place}{column}{problem}"));
            }
            for doubt in &mark.doubts {
                output::line(&format!(
                    "{place} ({}.{}): {doubt}",
                    mark.lesson, mark.question
                ));
            }
        }
    }
}

/// A cell: the value of the run, with a `?` if the table has another value.
fn cell(mark: &Mark) -> String {
    let word = match mark.right {
        Some(true) => "right",
        Some(false) => "wrong",
        None if mark.answer.is_empty() => "–",
        None => "said",
    };
    let doubt = if mark.doubts.is_empty() { "" } else { "?" };
    format!("{word}{doubt}")
}

/// Prints columns as wide as their longest cell.
fn print(rows: &[Vec<String>]) {
    let width = |i: usize| {
        let cells = rows.iter().filter_map(|r| r.get(i));
        cells.map(|c| c.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    for row in rows {
        let cells = row.iter().zip(&widths).map(|(c, w)| format!("{c:<w$}"));
        output::line(cells.collect::<Vec<_>>().join("  ").trim_end());
    }
}
