//! `timeslice sweep FILE`

use crate::arguments::{read_scenario, read_text};
use crate::output::{self, Failure};
use crate::parallel;
use serde_json::Value;
use sim_core::config::Scenario;
use sim_core::experiment::sweep::{self, Base, Row, Sweep};
use sim_core::export::csv;
use std::borrow::Cow;
use std::path::Path;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Sweep file, or `-` for standard input.
    file: String,
    /// Print rows as JSON.
    #[arg(long)]
    json: bool,
    /// Print rows as CSV.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// How many runs at a time; all cores if left out.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let failure = |errors| Failure {
        source: args.file.clone(),
        errors,
    };
    let text = read_text(&args.file)?;
    let sweep = sweep::parse(&text).map_err(failure)?;
    let base = base(&sweep, &args.file)?;
    let points = sweep::expand(&sweep, &base).map_err(failure)?;
    let jobs = args.jobs.map_or_else(parallel::cores, usize::from);
    let rows: Vec<Row> = parallel::map(
        points.len(),
        jobs,
        |i| sweep::run(&sweep, &points[i]),
        |done| output::progress(&format!("{done} of {} points", points.len())),
    )
    .into_iter()
    .flatten()
    .collect();
    let headings: Vec<&String> = points[0].at.iter().map(|(heading, _)| heading).collect();
    if args.json {
        output::json(&rows);
    } else if args.csv {
        table(&headings, &rows, ",", |cell| cell.csv());
    } else {
        table(&headings, &rows, "  ", |cell| {
            format!("{:>14}", cell.shown())
        });
    }
    Ok(ExitCode::SUCCESS)
}

/// The base: written out, shipped, or a file beside the sweep's.
fn base(sweep: &Sweep, file: &str) -> Result<Scenario, Failure> {
    match &sweep.base {
        Base::Inline(scenario) => Ok((**scenario).clone()),
        Base::Named(name) => {
            let beside = Path::new(file).with_file_name(name);
            match beside.to_str() {
                Some(path) if file != "-" && beside.is_file() => read_scenario(path),
                _ => read_scenario(name),
            }
        }
    }
}

/// What stands in a table: texts are somebody's, numbers and switches are not.
enum Cell<'a> {
    Text(Cow<'a, str>),
    Number(String),
}

impl<'a> Cell<'a> {
    fn text(text: &'a str) -> Self {
        Self::Text(text.into())
    }

    fn shown(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Number(number) => number,
        }
    }

    fn csv(&self) -> String {
        match self {
            Self::Text(text) => {
                let mut cell = String::new();
                csv::text(text, &mut cell);
                cell
            }
            Self::Number(number) => number.clone(),
        }
    }
}

fn table(headings: &[&String], rows: &[Row], between: &str, cell: impl Fn(&Cell<'_>) -> String) {
    let Some(first) = rows.first() else { return };
    let measures: Vec<&String> = first.values.keys().collect();
    let print = |cells: Vec<Cell<'_>>| {
        let cells: Vec<String> = cells.iter().map(&cell).collect();
        output::line(&cells.join(between));
    };
    let mut head: Vec<Cell<'_>> = headings.iter().map(|h| Cell::text(h)).collect();
    head.extend(["scheduler", "era"].map(Cell::text));
    head.extend(measures.iter().map(|m| Cell::text(m)));
    head.push(Cell::text("digest"));
    print(head);
    for row in rows {
        let mut cells: Vec<Cell<'_>> = headings
            .iter()
            .map(|h| match &row.at[h.as_str()] {
                Value::String(text) => Cell::text(text),
                number @ (Value::Number(_) | Value::Bool(_)) => Cell::Number(number.to_string()),
                other => Cell::Text(other.to_string().into()),
            })
            .collect();
        cells.extend([&row.scheduler, &row.era].map(|text| Cell::text(text)));
        cells.extend(measures.iter().map(|m| {
            let value = row.values.get(*m).copied().flatten();
            Cell::Number(value.map_or(String::new(), |v| v.to_string()))
        }));
        cells.push(Cell::text(&row.digest));
        print(cells);
    }
}
