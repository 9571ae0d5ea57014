//! `timeslice bench`

use crate::arguments::seconds;
use crate::output::{self, Failure};
use serde::Serialize;
use sim_core::experiment::bench;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only these benchmarks; all if none is named.
    names: Vec<String>,
    /// Simulated time of each in whole seconds, e.g. 200, 90s, 2min.
    #[arg(long, value_name = "TIME", default_value = "200", value_parser = |text: &str| seconds(text, 14_400))]
    seconds: u64,
    /// Repetitions; the fastest counts.
    #[arg(long, default_value_t = 3)]
    repeat: u32,
    /// Print as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    name: String,
    simulated_seconds: u64,
    events: u64,
    wall_seconds: f64,
    simulated_seconds_per_second: f64,
    events_per_second: f64,
    digest: String,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let names: Vec<&str> = if args.names.is_empty() {
        bench::NAMES.to_vec()
    } else {
        args.names.iter().map(String::as_str).collect()
    };
    let mut rows = Vec::new();
    for name in names {
        rows.push(measure(name, args)?);
    }
    if args.json {
        output::json(&rows);
    } else {
        for r in &rows {
            output::line(&format!(
                "{:<12} {:>12.0} simulated s/s {:>14.0} events/s  {}",
                r.name, r.simulated_seconds_per_second, r.events_per_second, r.digest
            ));
        }
    }
    Ok(ExitCode::SUCCESS)
}

// The wall clock measures the simulator from outside; nothing simulated depends on it.
#[allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::cast_precision_loss
)]
fn measure(name: &str, args: &Args) -> Result<Row, Failure> {
    let mut best = f64::INFINITY;
    let mut last = None;
    for _ in 0..args.repeat.max(1) {
        let begin = std::time::Instant::now();
        let result = bench::run(name, args.seconds).ok_or_else(|| {
            Failure::new(name, format!("must be one of {}", bench::NAMES.join(", ")))
        })?;
        best = best.min(begin.elapsed().as_secs_f64());
        last = Some(result);
    }
    let Some(r) = last else {
        return Err(Failure::new(name, "did not run"));
    };
    Ok(Row {
        simulated_seconds_per_second: r.simulated_seconds as f64 / best,
        events_per_second: r.events as f64 / best,
        name: r.name,
        simulated_seconds: r.simulated_seconds,
        events: r.events,
        wall_seconds: best,
        digest: r.digest,
    })
}
