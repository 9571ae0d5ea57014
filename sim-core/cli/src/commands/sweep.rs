//! `timeslice sweep FILE`

use crate::arguments::{read_scenario, read_text};
use crate::output::{self, Failure};
use crate::parallel;
use sim_core::config::Scenario;
use sim_core::experiment::sweep::{self, Base, Row, Sweep};
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
        table(&headings, &rows, ",", quoted);
    } else {
        table(&headings, &rows, "  ", |cell| format!("{cell:>14}"));
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

fn table(headings: &[&String], rows: &[Row], between: &str, cell: impl Fn(&str) -> String) {
    let Some(first) = rows.first() else { return };
    let measures: Vec<&String> = first.values.keys().collect();
    let own = ["scheduler", "era"].map(str::to_owned);
    let digest = "digest".to_owned();
    let head = headings
        .iter()
        .copied()
        .chain(&own)
        .chain(measures.iter().copied());
    let print = |cells: Vec<String>| {
        let cells: Vec<String> = cells.iter().map(|c| cell(c)).collect();
        output::line(&cells.join(between));
    };
    print(head.chain([&digest]).cloned().collect());
    for row in rows {
        let mut cells: Vec<String> = headings
            .iter()
            .map(|h| match &row.at[h.as_str()] {
                serde_json::Value::String(text) => text.clone(),
                other => other.to_string(),
            })
            .collect();
        cells.extend([row.scheduler.clone(), row.era.clone()]);
        cells.extend(measures.iter().map(|m| {
            let value = row.values.get(*m).copied().flatten();
            value.map_or(String::new(), |v| v.to_string())
        }));
        cells.push(row.digest.clone());
        print(cells);
    }
}

/// A cell of CSV (RFC 4180).
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}
