//! `timeslice sweep FILE`

mod arrow;
mod writer;

use crate::arguments::{changed, read_scenario, read_text, time};
use crate::exit::Exit;
use crate::output::{self, Failure};
use sim_core::config::Scenario;
use sim_core::experiment::registry;
use sim_core::experiment::sweep::{self, Axis, Base, Row, Space, Status, Sweep};
use sim_core::property::Set;
use sim_host::columns::{self, Columns};
use sim_host::{caught, parallel};
use std::ops::Range;
use std::path::Path;
use writer::Format;

/// Largest number of points that run without an explicit range: a larger number is probably a mistake.
const WITHOUT_RANGE: usize = 20_000;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Sweep file, `-` for standard input, or the id of a shipped scenario.
    file: String,
    /// One more axis: a property and its values, such as groups.hog.nice=-20..20:5, seed=1..10 or lanes=cfs,eevdf. May be
    /// given several times; the last varies fastest.
    #[arg(long, value_name = "PATH=VALUES", value_parser = Axis::parse)]
    axis: Vec<Axis>,
    /// Set a property of the base, such as end.atNs=10s. May be given several times.
    #[arg(long, value_name = "PATH=VALUE[@TIME]", value_parser = Set::parse)]
    set: Vec<Set>,
    /// How to print: a table for people (text), csv, one JSON list, JSON Lines (jsonl) or Apache Arrow's stream format
    /// (arrow). Rows come as soon as they and all before them are there.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The same as --format json.
    #[arg(long, conflicts_with_all = ["format", "csv"])]
    json: bool,
    /// The same as --format csv.
    #[arg(long, conflicts_with = "format")]
    csv: bool,
    /// Only the points from number A up to B, B not included, counted from 0; A or B may be left out. So several machines
    /// share a sweep.
    #[arg(long, value_name = "A..B", value_parser = range)]
    range: Option<(usize, Option<usize>)>,
    /// One more column: a measure, or an expression such as 'p(latencies(lane, typist), 99)' in which `lane` is the row's
    /// lane. May be given several times.
    #[arg(long, value_name = "EXPRESSION")]
    measure: Vec<String>,
    /// Measure from this simulated time on and leave the warm-up out.
    #[arg(long, value_name = "TIME", value_parser = time)]
    from: Option<u64>,
    /// How many runs at a time; all cores if left out.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Show no progress, which a terminal has otherwise.
    #[arg(long)]
    quiet: bool,
}

pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let failure = |errors| Failure {
        source: args.file.clone(),
        errors,
    };
    let format = match (args.json, args.csv) {
        (true, _) => Format::Json,
        (_, true) => Format::Csv,
        _ => args.format,
    };
    let mut sweep = if registry::scenario(&args.file).is_some() {
        Sweep::of(&args.file)
    } else {
        sweep::parse(&read_text(&args.file)?).map_err(failure)?
    };
    sweep.axes.extend(args.axis.iter().cloned());
    sweep.metrics.extend(args.measure.iter().cloned());
    sweep.from_ns = args.from.unwrap_or(sweep.from_ns);
    let base = changed(&args.file, base(&sweep, &args.file)?, &args.set)?;
    let space = Space::new(sweep, &base).map_err(failure)?;
    let numbers = numbers(args.range, space.points())?;
    let jobs = args.jobs.map_or_else(parallel::cores, usize::from);
    let columns = Columns::of(&space);
    let mut writer = format.writer(&columns)?;
    let (mut rows, mut bad) = (0_usize, 0_usize);
    let bar = output::bar(numbers.len(), "points", args.quiet);
    caught::watch();
    parallel::in_order(
        numbers,
        jobs,
        |number| point(&space, number),
        |given| {
            bar.suspend(|| {
                for (row, key) in &given {
                    rows += 1;
                    bad += usize::from(row.status != Status::Ok);
                    writer.row(columns.cells(row, key));
                }
                writer.flush();
            });
            bar.inc(1);
        },
    );
    bar.finish_and_clear();
    writer.end();
    if bad > 0 {
        output::progress(&format!(
            "{bad} of {rows} rows are invalid or failed: see their column message"
        ));
    }
    Ok(Exit::Good)
}

/// All rows of a point with their keys, even after a failure.
fn point(space: &Space, number: usize) -> Vec<(Row, String)> {
    let made = caught::caught(|| {
        let point = space.point(number);
        let rows = space.rows(&point, |plan, lane| {
            caught::caught(|| sweep::run_while(plan, lane, space.from_ns(), u64::MAX, &|| true))
                .unwrap_or_else(|m| Err(m.into()))
        });
        let keyed = rows.into_iter().map(|row| {
            let key = point.identity(row.lane).map(|text| columns::key(&text));
            (row, key.unwrap_or_default())
        });
        keyed.collect()
    });
    made.unwrap_or_else(|message| vec![(space.lost(number, message), String::new())])
}

/// The base: written out, shipped, or a file beside the sweep's file.
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

/// Numbers of points as written: `A..B`.
fn range(text: &str) -> Result<(usize, Option<usize>), String> {
    let number = |s: &str| {
        let digits = s.bytes().all(|b| b.is_ascii_digit());
        s.parse::<usize>().ok().filter(|_| digits)
    };
    let form = "must be two numbers of points such as 0..100";
    let (from, to) = text.split_once("..").ok_or(form)?;
    let from = if from.is_empty() {
        Some(0)
    } else {
        number(from)
    };
    let to = if to.is_empty() {
        None
    } else {
        Some(number(to).ok_or(form)?)
    };
    Ok((from.ok_or(form)?, to))
}

/// The requested points.
fn numbers(range: Option<(usize, Option<usize>)>, points: usize) -> Result<Range<usize>, Failure> {
    let Some((from, to)) = range else {
        if points <= WITHOUT_RANGE {
            return Ok(0..points);
        }
        let message = format!(
            "the values make {points} points; more than {WITHOUT_RANGE} are run in parts only, e.g. --range 0..{WITHOUT_RANGE}"
        );
        return Err(Failure::new("axes", message));
    };
    let to = to.unwrap_or(points);
    if from < to && to <= points {
        return Ok(from..to);
    }
    let message = format!(
        "must be within 0..{points}, the points of the sweep, and not empty; got {from}..{to}"
    );
    Err(Failure::new("--range", message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::experiment::registry;

    #[test]
    fn ranges_are_read() {
        assert_eq!(range("3..7"), Ok((3, Some(7))));
        assert_eq!(range("..7"), Ok((0, Some(7))));
        assert_eq!(range("3.."), Ok((3, None)));
        for text in ["", "3", "3..+7", "a..b", "-1..2", "1...2", "3..=4"] {
            assert!(range(text).is_err(), "{text}");
        }
    }

    #[test]
    fn ranges_lie_within_the_points() {
        let of = |range| numbers(range, 10).ok();
        assert_eq!(of(None), Some(0..10));
        assert_eq!(of(Some((3, None))), Some(3..10));
        assert_eq!(of(Some((0, Some(10)))), Some(0..10));
        for range in [(0, Some(11)), (3, Some(3)), (7, Some(3)), (10, None)] {
            let failure = numbers(Some(range), 10).expect_err("not there");
            assert!(failure.errors[0].message.contains("within 0..10"));
        }
        assert!(numbers(None, WITHOUT_RANGE + 1).is_err());
        assert!(numbers(Some((0, None)), WITHOUT_RANGE + 1).is_ok());
    }

    #[test]
    fn a_run_that_panics_is_a_row() {
        let text = r#"{ "name": "x", "base": "bfs-smt", "axes": [
            { "vary": "path", "id": "/end/atNs", "values": [1000000] } ] }"#;
        let base = registry::scenario("bfs-smt").expect("shipped");
        let space = Space::new(sweep::parse(text).expect("read"), &base).expect("valid");
        caught::watch();
        let rows = space.rows(&space.point(0), |plan, lane| {
            let run = || {
                assert!(lane != 1, "invariant: lane {lane} goes on");
                sweep::run(plan, lane)
            };
            caught::caught(run).unwrap_or_else(|m| Err(m.into()))
        });
        let seen: Vec<Status> = rows.iter().map(|r| r.status).collect();
        assert_eq!(seen, [Status::Ok, Status::Failed, Status::Ok]);
        let message = &rows[1].message;
        assert!(
            message.starts_with("invariant: lane 1 goes on, at "),
            "{message}"
        );
        assert!(message.contains("mod.rs:"), "{message}");
    }
}
