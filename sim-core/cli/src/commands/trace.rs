//! `timeslice trace FILE`

use crate::arguments::{self, Input, OwnPolicy, duration};
use crate::exit::Exit;
use crate::output::{self, Failure};
use sim_core::engine::{Options, Sim, UpToDate};
use sim_core::export::{CHUNK, Exporter, Format};
use sim_core::time::SimTime;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    input: Input,
    /// csv or jsonl (JSON Lines; both name the decision behind each record, as `decisions` numbers them), ftrace (Linux;
    /// Perfetto reads it), perfetto (its own packets, with whole names) or ktr (FreeBSD; schedgraph reads it).
    #[arg(long, default_value = "csv")]
    format: String,
    /// Only this scheduler, or this era of it, such as eevdf:6.18: the scenario's lanes of it, or, if it has none, one with its
    /// defaults. --lane counts these.
    #[arg(long, value_name = "ID[:ERA]")]
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

pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
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
    let run = || {
        let options = Options {
            trace_limit: CHUNK,
            ..Options::default()
        };
        Sim::new(&plan, lane, options)
    };
    let mut text = String::new();
    match format {
        // Its head has the number of its lines: the run is made twice, so that no length of it needs more memory.
        Format::Ftrace => {
            let head = write(run(), format, args.until, |_| {});
            output::text(&head);
            write(run(), format, args.until, output::text);
        }
        // Its lines are reversed, so all are kept until the end.
        Format::Ktr => {
            let head = write(run(), format, args.until, |part| text.push_str(part));
            output::text(&head);
            for line in text.lines().rev() {
                output::text(line);
                output::text("\n");
            }
        }
        Format::Perfetto => {
            let mut exporter = Exporter::new(format);
            let mut packets = Vec::new();
            advance(run(), exporter.events(), args.until, |sim| {
                exporter.packets(&sim, &mut packets);
                output::bytes(&packets);
                packets.clear();
            });
        }
        Format::Csv | Format::JsonLines => {
            output::text(&Exporter::new(format).header(&run()));
            write(run(), format, args.until, output::text);
        }
    }
    Ok(Exit::Good)
}

/// Runs a lane and gives its trace away part by part, without the head, which is the result.
fn write(sim: Sim, format: Format, until: u64, mut give: impl FnMut(&str)) -> String {
    let mut exporter = Exporter::new(format);
    let mut text = String::new();
    let sim = advance(sim, exporter.events(), until, |sim| {
        exporter.more(sim, &mut text);
        give(&text);
        text.clear();
    });
    exporter.header(&sim)
}

/// Runs a lane in parts of so many events at most, and calls `each` after each part.
fn advance(mut sim: Sim, most: u64, until: u64, mut each: impl FnMut(UpToDate<'_>)) -> Sim {
    let until = SimTime(until).min(sim.end());
    loop {
        let before = sim.handled();
        sim.advance(until, most);
        each(sim.refresh());
        if sim.handled() - before < most {
            return sim;
        }
    }
}
