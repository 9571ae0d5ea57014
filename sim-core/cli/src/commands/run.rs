//! `timeslice run FILE`

use crate::arguments::{self, Input, OwnPolicy, duration, time};
use crate::exit::Exit;
use crate::moment::MachineView;
use crate::output::{self, Failure, Printed};
use crate::report_tables::{self, Parts};
use crate::stop::{self, StopAt};
use serde::Serialize;
use sim_core::config::plan::Plan;
use sim_core::engine::{Options, Sim};
use sim_core::experiment::sweep::before_end;
use sim_core::report::{self, RunReport};
use sim_core::time::SimTime;
use std::sync::Arc;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    input: Input,
    /// Measure from this simulated time on and leave the warm-up out. A wait counts in full if it ends after that time or
    /// is open at the end.
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "0s")]
    from: u64,
    /// Stop at this simulated time, e.g. 250ms, 1.5s, 2min (units ns, us, ms, s, min, h).
    #[arg(long, value_name = "TIME", value_parser = duration)]
    until: Option<u64>,
    /// Only this scheduler, or this era of it, such as eevdf:6.18: the scenario's lanes of it, or, if it has none, one with its
    /// defaults.
    #[arg(long, value_name = "ID[:ERA]")]
    scheduler: Option<String>,
    #[command(flatten)]
    policy: OwnPolicy,
    /// Another seed than the scenario's.
    #[arg(long)]
    seed: Option<u64>,
    /// Print at the end what the scheduler keeps of each thread and CPU, the CPU time of each thread, and how long the queues are.
    #[arg(long)]
    columns: bool,
    /// Print the same at this simulated time. May be given several times.
    #[arg(long, value_name = "TIME", value_parser = time)]
    at: Vec<u64>,
    /// Run to the nth decision for this reason, print the moment, and go no further. Lanes count from 1.
    #[arg(
        long,
        value_name = "REASON[,thread=NAME][,cpu=N][,lane=N][,nth=N]",
        value_parser = stop::parse,
        conflicts_with_all = ["from", "columns", "at"]
    )]
    stop_at: Option<StopAt>,
    /// Print the value of an expression instead, such as 'p(latencies(1, typist), 99)'. Lanes count from 1. May be given
    /// several times; the run is made once.
    #[arg(long, value_name = "EXPRESSION", conflicts_with_all = ["columns", "at", "stop_at"])]
    measure: Vec<String>,
    /// Print instead how long the threads of each group wait, wait after a wake-up, have a CPU, and take to answer: counts,
    /// percentiles and the maximum.
    #[arg(long, conflicts_with_all = ["columns", "at", "stop_at", "measure"])]
    distributions: bool,
    #[command(flatten)]
    parts: Parts,
    #[command(flatten)]
    printed: Printed,
}

/// The results of a lane.
#[derive(Serialize)]
struct Lane {
    #[serde(flatten)]
    report: RunReport,
    /// The requested moments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moments: Vec<MachineView>,
}

pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let mut scenario = args.input.read()?;
    if let Some(seed) = args.seed {
        scenario.seed = seed;
    }
    if let Some(until) = args.until {
        if until > scenario.end.at_ns {
            let end = scenario.end.at_ns;
            output::progress(&format!(
                "--until: the scenario ends before, at {end} ns; to run it for longer, add --set end.atNs={until}"
            ));
        }
        scenario.end.at_ns = scenario.end.at_ns.min(until);
    }
    if let Some(id) = &args.scheduler {
        arguments::choose_scheduler(&mut scenario, id, "--scheduler")?;
    }
    args.policy.add_to(&mut scenario)?;
    let plan = args.input.plan(&scenario)?;
    if let Some(stop) = &args.stop_at {
        return stop::run(&plan, stop, args.printed.is_json());
    }
    let end = plan.end_ns;
    if args.from >= end {
        return Err(Failure::new("--from", before_end(end)));
    }
    if args.at.iter().any(|at| *at > end) {
        let message = format!("must not be after the end of the run ({end} ns)");
        return Err(Failure::new("--at", message));
    }
    if !args.measure.is_empty() {
        super::measure::run(scenario, &args.measure, args.from, args.printed.is_json())?;
        return Ok(Exit::Good);
    }
    if args.distributions {
        super::distributions::run(&plan, args.from, args.printed.is_json())?;
        return Ok(Exit::Good);
    }
    let lanes: Vec<Lane> = (0..plan.lanes.len())
        .map(|i| lane(&plan, i, args))
        .collect();
    if args.printed.is_json() {
        output::json(&lanes);
    } else {
        let lanes = lanes.iter().map(|lane| (&lane.report, &*lane.moments));
        report_tables::print(&lanes.collect::<Vec<_>>(), args.parts);
    }
    Ok(Exit::Good)
}

/// Runs a lane to its end.
fn lane(plan: &Arc<Plan>, lane: usize, args: &Args) -> Lane {
    let mut sim = Sim::new(plan, lane, Options::default());
    let mut at = args.at.clone();
    if args.columns {
        at.push(plan.end_ns);
    }
    at.sort_unstable();
    at.dedup();
    let mut moments = Vec::new();
    let mut measured = args.from == 0;
    for t in at.into_iter().chain([plan.end_ns]) {
        if !measured && t >= args.from {
            sim.run_until(SimTime(args.from));
            sim.measure_from_now();
            measured = true;
        }
        sim.run_until(SimTime(t));
        moments.push(MachineView::of(&mut sim));
    }
    // The last moment is the end, which is printed only if it was requested.
    moments.pop();
    Lane {
        report: report::report(&mut sim),
        moments,
    }
}
