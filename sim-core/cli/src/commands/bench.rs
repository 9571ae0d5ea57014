//! `timeslice bench`

use crate::arguments::seconds;
use crate::exit::Exit;
use crate::output::{self, Failure, Printed};
use serde::Serialize;
use sim_core::experiment::bench::{self, Bench, BenchResult, Kind};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only these benchmarks; all if none is named.
    names: Vec<String>,
    /// Simulated time of each in whole seconds, e.g. 200, 90s, 2min; each its own without this.
    #[arg(long, value_name = "TIME", value_parser = |text: &str| seconds(text, 14_400))]
    seconds: Option<u64>,
    /// Repetitions; the fastest counts.
    #[arg(long, default_value_t = 3)]
    repeat: u32,
    /// Print which there are, with their scenarios, and run none.
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    printed: Printed,
}

/// The work of a benchmark.
enum Work {
    Bench(Box<Bench>),
    /// The published experiment of this id, with one seed.
    Gallery(&'static str),
}

impl Work {
    /// The benchmark of a name: a row of the core, or `gallery-` and an experiment.
    fn new(name: &str, seconds: Option<u64>) -> Option<Self> {
        if let Some(experiment) = name.strip_prefix(GALLERY) {
            let all = bench::experiments().into_iter();
            let mut named = all.filter(|id| id.to_lowercase() == experiment);
            return named.next().map(Self::Gallery);
        }
        Some(Self::Bench(Box::new(Bench::new(name, seconds)?)))
    }

    fn run(&mut self) -> BenchResult {
        match self {
            Self::Bench(bench) => bench.run(),
            Self::Gallery(experiment) => {
                bench::gallery(experiment).expect("invariant: one of those that there are")
            }
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Gallery(_) => "gallery",
            Self::Bench(bench) => match bench.kind() {
                Kind::Run | Kind::Full => "run",
                Kind::Page => "page",
                Kind::Frame => "frame",
            },
        }
    }
}

const GALLERY: &str = "gallery-";

/// The names of all benchmarks.
fn names() -> Vec<String> {
    let rows = bench::ROWS.iter().map(|row| row.name.to_owned());
    let gallery = bench::experiments().into_iter();
    rows.chain(gallery.map(|id| format!("{GALLERY}{}", id.to_lowercase())))
        .collect()
}

/// A benchmark in the list.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Offered<'a> {
    name: &'a str,
    /// `run`, `page`, `frame` or `gallery`.
    kind: &'static str,
    /// The experiment of the gallery.
    experiment: Option<&'static str>,
    /// Simulated time in s; 0 for the gallery, whose runs have ends of their own.
    simulated_seconds: u64,
    /// JSON of the scenario, where there is one.
    scenario: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    name: String,
    kind: &'static str,
    #[serde(flatten)]
    result: BenchResult,
    wall_seconds: f64,
    /// CPU time, where the system reports it.
    cpu_seconds: Option<f64>,
}

pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let names = if args.names.is_empty() {
        names()
    } else {
        args.names.clone()
    };
    let mut rows = Vec::new();
    for name in &names {
        let mut work = Work::new(name, args.seconds).ok_or_else(|| {
            let known = self::names().join(", ");
            Failure::new(name, format!("must be one of {known}"))
        })?;
        if args.list {
            list(name, &work, args.printed.is_json());
            continue;
        }
        rows.push(measure(name, &mut work, args.repeat.max(1)));
    }
    if args.printed.is_json() && !args.list {
        output::json(&rows);
    } else {
        rows.iter().for_each(print);
    }
    Ok(Exit::Good)
}

/// Prints a line for each benchmark; with `--json` one object per line.
fn list(name: &str, work: &Work, as_json: bool) {
    let (bench, experiment) = match work {
        Work::Bench(bench) => (Some(bench), None),
        Work::Gallery(id) => (None, Some(*id)),
    };
    let offered = Offered {
        name,
        kind: work.kind(),
        experiment,
        simulated_seconds: bench.map_or(0, |b| b.seconds()),
        scenario: bench.map(|b| b.scenario()),
    };
    if as_json {
        output::line(&serde_json::to_string(&offered).expect("invariant: plain data"));
    } else {
        let seconds = offered.simulated_seconds;
        output::line(&format!("{name:<18} {:<8} {seconds:>4} s", offered.kind));
    }
}

#[allow(clippy::cast_precision_loss)]
fn print(row: &Row) {
    let r = &row.result;
    let per = |n: u64| n as f64 / row.wall_seconds;
    let speed = match row.kind {
        "frame" => format!("{:>12.1} µs a frame", 1e6 / per(r.count)),
        "gallery" => {
            let seconds = row.cpu_seconds.unwrap_or(row.wall_seconds);
            format!("{seconds:>12.2} CPU s for {} runs", r.count)
        }
        _ => format!(
            "{:>12.0} simulated s/s {:>12.0} events/s",
            per(r.simulated_seconds),
            per(r.count)
        ),
    };
    output::line(&format!("{:<18} {speed:<44} {}", row.name, r.digest));
}

// The wall clock measures the simulator from outside; nothing simulated depends on it.
#[allow(clippy::disallowed_methods, clippy::disallowed_types)]
fn measure(name: &str, work: &mut Work, repeat: u32) -> Row {
    let mut row: Option<Row> = None;
    for _ in 0..repeat {
        let (begin, cpu) = (std::time::Instant::now(), cpu_seconds());
        let result = work.run();
        let wall_seconds = begin.elapsed().as_secs_f64();
        let cpu_seconds = cpu.zip(cpu_seconds()).map(|(from, to)| to - from);
        if row.as_ref().is_none_or(|r| wall_seconds < r.wall_seconds) {
            row = Some(Row {
                name: name.to_owned(),
                kind: work.kind(),
                result,
                wall_seconds,
                cpu_seconds,
            });
        }
    }
    row.expect("invariant: it ran once at least")
}

/// CPU time of this thread, in s; `None` if the system is not Linux.
#[allow(clippy::cast_precision_loss)]
fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let ns: u64 = text.split_whitespace().next()?.parse().ok()?;
    Some(ns as f64 / 1e9)
}
