//! `timeslice trace FILE`

use super::{duration, read_scenario};
use crate::output::{self, Failure};
use sim_core::config::validate;
use sim_core::engine::{Options, Sim};
use sim_core::export::{CHUNK, Exporter, Format};
use sim_core::time::SimTime;
use std::process::ExitCode;
use std::sync::Arc;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Scenario file, `-` for standard input, or the id of a shipped scenario.
    file: String,
    /// csv, jsonl (JSON Lines), ftrace (Linux; Perfetto reads it) or ktr (FreeBSD; schedgraph reads it).
    #[arg(long, default_value = "csv")]
    format: String,
    /// Lane of the scenario, from 1.
    #[arg(long, default_value_t = 1)]
    lane: usize,
    /// Stop at this simulated time, e.g. 250ms, 10s (units ns, us, ms, s).
    #[arg(long, value_parser = duration, default_value = "1s")]
    until: u64,
}

/// An event leaves a few records at most, so that none is lost between two calls.
const EVENTS: u64 = CHUNK as u64 / 64;

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let format = Format::parse(&args.format).ok_or_else(|| {
        let known = Format::NAMES.join(", ");
        Failure::new(
            "--format",
            format!("must be one of {known}, got \"{}\"", args.format),
        )
    })?;
    let scenario = read_scenario(&args.file)?;
    let plan = validate::plan(&scenario).map_err(|errors| Failure {
        source: args.file.clone(),
        errors,
    })?;
    let lanes = plan.lanes.len();
    if args.lane == 0 || args.lane > lanes {
        let message = format!("must be from 1 to {lanes}, got {}", args.lane);
        return Err(Failure::new("--lane", message));
    }
    let options = Options {
        trace_limit: CHUNK,
        ..Options::default()
    };
    let mut sim = Sim::new(&Arc::new(plan), args.lane - 1, options);
    let until = SimTime(args.until).min(sim.end());
    let mut exporter = Exporter::new(format);
    let mut text = String::new();
    // A text that is turned around is kept whole until its end.
    let turned = format == Format::Ktr;
    output::text(&exporter.header(&sim));
    loop {
        sim.advance(until, EVENTS);
        exporter.more(&sim, &mut text);
        if !turned {
            output::text(&text);
            text.clear();
        }
        if sim.is_finished() || sim.now() >= until {
            break;
        }
    }
    for line in text.lines().rev() {
        output::text(line);
        output::text("\n");
    }
    Ok(ExitCode::SUCCESS)
}
