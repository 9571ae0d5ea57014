//! `timeslice decisions FILE`

use super::chrome::Chrome;
use crate::arguments::{self, Input, OwnPolicy, duration, time};
use crate::exit::Exit;
use crate::output::{self, Failure};
use sim_core::engine::{Options, Sim};
use sim_core::export::CHUNK;
use sim_core::time::SimTime;
use sim_host::decision_text::{Teller, Wanted};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    input: Input,
    /// Only this scheduler, or this era of it, such as eevdf:6.18: the scenario's lanes of it, or, if it has none, one with its
    /// defaults. --lane counts these.
    #[arg(long, value_name = "ID[:ERA]")]
    scheduler: Option<String>,
    #[command(flatten)]
    policy: OwnPolicy,
    /// Lane of the scenario, from 1.
    #[arg(long, default_value_t = 1)]
    lane: usize,
    /// Only decisions for this reason, or of this kind (selectCpu, pickNext, preempt, …).
    #[arg(long, value_name = "REASON")]
    reason: Option<String>,
    /// Only decisions about this thread, by name.
    #[arg(long, value_name = "NAME")]
    thread: Option<String>,
    /// Only decisions about this CPU.
    #[arg(long, value_name = "N")]
    cpu: Option<u16>,
    /// Only decisions from this simulated time on, e.g. 1.5s.
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "0s")]
    from: u64,
    /// Stop at this simulated time, e.g. 250ms, 1.5s, 2min (units ns, us, ms, s, min, h).
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "1s")]
    until: u64,
    /// No more than so many.
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// With what else was considered.
    #[arg(long)]
    full: bool,
    /// How to print: a line of text for each, a JSON object for each, or one file that Perfetto and chrome://tracing draw,
    /// with the threads on each CPU (chrome).
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The same as --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Text,
    Json,
    Chrome,
}

/// Number of events after which the decisions are read, and number of decisions that are kept until then.
const EVENTS: u64 = 256;
const KEPT: usize = 1 << 17;

pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let mut scenario = args.input.read()?;
    if let Some(id) = &args.scheduler {
        arguments::choose_scheduler(&mut scenario, id, "--scheduler")?;
    }
    args.policy.add_to(&mut scenario)?;
    let plan = args.input.plan(&scenario)?;
    let lane = arguments::lane(&plan, args.lane, "--lane")?;
    arguments::check_reason(&plan, lane, args.reason.as_deref(), "--reason")?;
    arguments::check_cpu(&plan, args.cpu, "--cpu")?;
    if args.from > args.until {
        return Err(Failure::new("--from", "must not be after --until"));
    }
    let format = if args.json { Format::Json } else { args.format };
    let options = Options {
        decision_limit: KEPT,
        // Turns of threads are read from the trace.
        trace_limit: if format == Format::Chrome { CHUNK } else { 0 },
        ..Options::default()
    };
    let mut sim = Sim::new(&plan, lane, options);
    if args.full {
        sim.keep_candidates();
    }
    let until = SimTime(args.until).min(sim.end());
    let mut teller = Teller::new(
        &sim,
        Wanted {
            reason: args.reason.clone(),
            thread: args.thread.clone(),
            cpu: args.cpu,
        },
    );
    let mut chrome = (format == Format::Chrome).then(|| {
        let (chrome, head) = Chrome::new(&sim, args.from);
        output::text(&head);
        chrome
    });
    let (mut next, mut left) = (0, args.limit.unwrap_or(u64::MAX));
    while left > 0 {
        let before = sim.handled();
        sim.advance(until, EVENTS);
        let first = sim.decisions().iter().next().map_or(next, |d| d.id);
        assert!(first <= next, "invariant: no decision is lost");
        let mut text = chrome.as_mut().map_or_else(String::new, |c| c.turns(&sim));
        for d in sim.decisions().since(next) {
            if left > 0 && d.at.0 >= args.from && teller.wants(&sim, d) {
                let told = teller.tell(&sim, d, args.full);
                text += &match &chrome {
                    Some(chrome) => chrome.mark(&told),
                    None if format == Format::Json => output::json_line(&told) + "\n",
                    None => told.line() + "\n",
                };
                left -= 1;
            }
        }
        next = sim.decisions().next_id();
        if !text.is_empty() {
            output::text(&text);
        }
        if sim.handled() - before < EVENTS {
            break;
        }
    }
    if let Some(chrome) = &mut chrome {
        output::text(&chrome.end(sim.now().0));
    }
    if left > 0 {
        arguments::check_thread(&sim, args.thread.as_deref(), "--thread")?;
    }
    Ok(Exit::Good)
}
