//! `timeslice trace FILE`

use crate::arguments::{self, Input, OwnPolicy, duration};
use crate::output::{self, Failure};
use sim_core::engine::{Options, Sim};
use sim_core::export::{CHUNK, Exporter, Format};
use sim_core::time::SimTime;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    input: Input,
    /// csv or jsonl (JSON Lines; both name the decision behind each record, as `decisions` numbers them), ftrace (Linux;
    /// Perfetto reads it) or ktr (FreeBSD; schedgraph reads it).
    #[arg(long, default_value = "csv")]
    format: String,
    /// Only this scheduler: the scenario's lanes of it, or, if it has none, one with its defaults. --lane counts these.
    #[arg(long, value_name = "ID")]
    scheduler: Option<String>,
    #[command(flatten)]
    policy: OwnPolicy,
    /// Lane of the scenario, from 1.
    #[arg(long, default_value_t = 1)]
    lane: usize,
    /// Stop at this simulated time, e.g. 250ms, 1.5s, 2min (units ns, us, ms, s, min, h).
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "1s")]
    until: u64,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let format = Format::parse(&args.format).ok_or_else(|| {
        let known = Format::NAMES.join(", ");
        Failure::new(
            "--format",
            format!("must be one of {known}, got \"{}\"", args.format),
        )
    })?;
    let mut scenario = args.input.read()?;
    if let Some(id) = &args.scheduler {
        arguments::choose_scheduler(&mut scenario, id, "--scheduler")?;
    }
    args.policy.add_to(&mut scenario)?;
    let plan = args.input.plan(&scenario)?;
    let lane = arguments::lane(&plan, args.lane, "--lane")?;
    let options = Options {
        trace_limit: CHUNK,
        ..Options::default()
    };
    let mut sim = Sim::new(&plan, lane, options);
    let until = SimTime(args.until).min(sim.end());
    let mut exporter = Exporter::new(format);
    let mut text = String::new();
    // A text whose lines are reversed is kept until its end.
    let turned = format == Format::Ktr;
    output::text(&exporter.header(&sim));
    loop {
        let (before, most) = (sim.handled(), exporter.events());
        sim.advance(until, most);
        exporter.more(&sim, &mut text);
        if !turned {
            output::text(&text);
            text.clear();
        }
        if sim.handled() - before < most {
            break;
        }
    }
    for line in text.lines().rev() {
        output::text(line);
        output::text("\n");
    }
    Ok(ExitCode::SUCCESS)
}
