//! `timeslice grade FILE.policy.py|FOLDER --exercise E6`

use crate::arguments;
use crate::exit::Exit;
use crate::output::{self, Failure};
use serde::Serialize;
use sim_core::exercise::alike;
use sim_core::exercise::format::{Exercise, Set};
use sim_core::exercise::judge::{self, Tried};
use sim_core::exercise::registry;
use sim_host::parallel;
use std::collections::BTreeMap;
use std::path::Path;

/// How files of programs end.
const ENDING: &str = ".policy.py";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A program (*.policy.py), or a folder of them: one row for each.
    source: String,
    /// Id of an exercise (E1 to E8), or the file of one.
    #[arg(long, value_name = "ID|FILE")]
    exercise: String,
    /// Try every case with this many seeds, from its first one on, instead of its own.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100))]
    seeds: Option<u64>,
    /// How to print: text for people, every check as JSON, or a table for spreadsheets with a row for each program (csv).
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The same as --format json.
    #[arg(long, conflicts_with_all = ["format", "csv"])]
    json: bool,
    /// The same as --format csv.
    #[arg(long, conflicts_with = "format")]
    csv: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    Text,
    Json,
    Csv,
}

impl Args {
    fn format(&self) -> Format {
        match (self.json, self.csv) {
            (true, _) => Format::Json,
            (_, true) => Format::Csv,
            _ => self.format,
        }
    }
}

/// A program that was tried.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Graded {
    pub(crate) file: String,
    /// Whether all cases that are needed hold.
    pub(crate) passed: bool,
    points: u32,
    of: u32,
    pub(crate) cases: Vec<Tried>,
    /// Why the program could not be read.
    pub(crate) errors: Vec<String>,
    /// Other programs that are equal but for names, spaces and comments.
    alike: Vec<String>,
}

pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let exercise = read(&args.exercise)?;
    let is_folder = Path::new(&args.source).is_dir();
    let files = arguments::files(&args.source, ENDING, "programs")?;
    let one = |i: usize| graded(&exercise, &files[i], args.seeds, is_folder);
    let all = parallel::map(files.len(), parallel::cores(), one, |_| {});
    let mut all: Vec<(Graded, String)> = all.into_iter().collect::<Result<_, _>>()?;
    compare(&mut all);
    let all: Vec<Graded> = all.into_iter().map(|(graded, _)| graded).collect();
    match args.format() {
        Format::Json => output::json(&all),
        Format::Csv => csv(&exercise, &all),
        Format::Text => all.iter().for_each(print),
    }
    // In a folder a broken program is a row like others.
    if !is_folder && all.iter().any(|g| !g.errors.is_empty()) {
        return Ok(Exit::Wrong);
    }
    Ok(Exit::good(all.iter().all(|g| g.passed)))
}

/// An exercise: the id of a shipped one, or a file.
pub(crate) fn read(source: &str) -> Result<Exercise, Failure> {
    let text = if Path::new(source).is_file() {
        arguments::read_text(source)?
    } else {
        source.to_owned()
    };
    registry::read(&text, "en").map_err(|errors| Failure {
        source: source.to_owned(),
        errors,
    })
}

/// A program tried in all cases, and its text. What is wrong with the exercise is an error; what is wrong with the program
/// is not. A file that cannot be read is an error, unless it is one of many.
fn graded(
    exercise: &Exercise,
    file: &Path,
    seeds: Option<u64>,
    is_one_of_many: bool,
) -> Result<(Graded, String), Failure> {
    let name = file.file_name().unwrap_or(file.as_os_str());
    let mut graded = Graded {
        file: name.to_string_lossy().into_owned(),
        passed: false,
        points: 0,
        of: 0,
        cases: Vec::new(),
        errors: Vec::new(),
        alike: Vec::new(),
    };
    let counted = exercise.cases.iter().filter(|c| c.set != Set::Bonus);
    graded.of = counted.map(|c| c.points).sum();
    let program = match arguments::read_text(&file.to_string_lossy()) {
        Ok(program) => program,
        Err(failure) if is_one_of_many => {
            graded.errors = failure.errors.iter().map(ToString::to_string).collect();
            return Ok((graded, String::new()));
        }
        Err(failure) => return Err(failure),
    };
    for i in 0..exercise.cases.len() {
        match judge::case(exercise, i, &program, seeds, "en") {
            Ok(tried) => graded.cases.push(tried),
            Err(errors) if judge::is_of_program(&errors) => {
                graded.errors = errors.into_iter().map(|e| e.message).collect();
                graded.cases.clear();
                return Ok((graded, program));
            }
            Err(errors) => {
                let source = exercise.id.clone();
                return Err(Failure { source, errors });
            }
        }
    }
    let passed = graded.cases.iter().filter(|c| c.passed);
    graded.points = passed.map(|c| c.points).sum();
    graded.passed = graded.cases.iter().all(|c| c.passed || c.set == Set::Bonus);
    Ok((graded, program))
}

/// Notes which programs are equal but for names, spaces and comments.
fn compare(all: &mut [(Graded, String)]) {
    let mut forms: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let form = |program: &str| Some(alike::form(program)).filter(|f| !f.is_empty());
    for (graded, program) in all.iter() {
        if let Some(form) = form(program) {
            forms.entry(form).or_default().push(graded.file.clone());
        }
    }
    for (graded, program) in all {
        let same = form(program).and_then(|form| forms.get(&form));
        let others = same.into_iter().flatten().filter(|f| **f != graded.file);
        graded.alike = others.cloned().collect();
    }
}

fn csv(exercise: &Exercise, all: &[Graded]) {
    let mut head = vec!["file", "exercise", "passed", "points", "of"];
    head.extend(exercise.cases.iter().map(|c| c.id.as_str()));
    head.extend(["error", "alike"]);
    row(head.into_iter().map(str::to_owned));
    for graded in all {
        let mut cells = vec![
            graded.file.clone(),
            exercise.id.clone(),
            graded.passed.to_string(),
            graded.points.to_string(),
            graded.of.to_string(),
        ];
        for i in 0..exercise.cases.len() {
            let passed = graded.cases.get(i).map(|c| c.passed.to_string());
            cells.push(passed.unwrap_or_default());
        }
        let stopped = graded.cases.iter().filter_map(|c| c.stopped.clone());
        let first = graded.errors.iter().cloned().chain(stopped).next();
        cells.push(first.unwrap_or_default());
        cells.push(graded.alike.join(" "));
        row(cells.into_iter());
    }
}

/// A line of a table (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe.
fn row(cells: impl Iterator<Item = String>) {
    let cell = |text: String| {
        let text = if text.starts_with(['=', '+', '-', '@']) {
            format!("'{text}")
        } else {
            text
        };
        if text.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text
        }
    };
    output::line(&cells.map(cell).collect::<Vec<_>>().join(","));
}

/// Prints a program with each check.
pub(crate) fn print(graded: &Graded) {
    let word = if graded.passed {
        "passes"
    } else {
        "does not pass"
    };
    let (points, of) = (graded.points, graded.of);
    output::line(&format!("{}: {word}, {points} of {of} points", graded.file));
    for error in &graded.errors {
        output::line(&format!("  {error}"));
    }
    graded.cases.iter().for_each(case);
    if !graded.alike.is_empty() {
        let others = graded.alike.join(", ");
        output::line(&format!("  equal but for names and spaces: {others}"));
    }
}

/// Prints a case with each check.
pub(crate) fn case(case: &Tried) {
    let word = |passed: bool| if passed { "pass" } else { "FAIL" };
    let set = match case.set {
        Set::Bonus => " (bonus)",
        _ => "",
    };
    output::line(&format!(
        "  {} {}{set}: {}",
        word(case.passed),
        case.id,
        case.text
    ));
    if let Some(stopped) = &case.stopped {
        output::line(&format!("       stopped (seed {}): {stopped}", case.seed));
    }
    for c in &case.checks {
        let wanted = match (&c.wanted, &c.at_least, &c.at_most) {
            (Some(turns), ..) => turns.clone(),
            (None, Some(least), Some(most)) => format!("{least} to {most}"),
            (None, Some(least), None) => format!("at least {least}"),
            (None, None, most) => format!("at most {}", most.as_deref().unwrap_or("–")),
        };
        let (word, say, came, seed) = (word(c.passed), &c.say, &c.came, c.seed);
        output::line(&format!(
            "       {word} {say}: {came}; wanted {wanted} (seed {seed})"
        ));
    }
}
