//! `timeslice run FILE`

use super::{duration, read_scenario};
use crate::output::{self, Failure};
use sim_core::config::{Scenario, SchedulerChoice, validate};
use sim_core::engine::{Options, Sim};
use sim_core::params::ParamMap;
use sim_core::report::{self, RunReport};
use sim_core::sched;
use sim_core::time::SimTime;
use std::process::ExitCode;
use std::sync::Arc;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Scenario file, `-` for standard input, or the id of a shipped scenario.
    file: String,
    /// Stop at this simulated time, e.g. 250ms, 10s (units ns, us, ms, s).
    #[arg(long, value_parser = duration)]
    until: Option<u64>,
    /// Only this scheduler: the scenario's lanes of it, or, if it has none, one with its defaults.
    #[arg(long, value_name = "ID")]
    scheduler: Option<String>,
    /// Another seed than the scenario's.
    #[arg(long)]
    seed: Option<u64>,
    /// Print everything as JSON: one report for each lane.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let mut scenario = read_scenario(&args.file)?;
    if let Some(seed) = args.seed {
        scenario.seed = seed;
    }
    if let Some(until) = args.until {
        scenario.end.at_ns = scenario.end.at_ns.min(until);
    }
    if let Some(id) = &args.scheduler {
        choose(&mut scenario, id)?;
    }
    let plan = validate::plan(&scenario).map_err(|errors| Failure {
        source: args.file.clone(),
        errors,
    })?;
    let plan = Arc::new(plan);
    let mut reports = Vec::new();
    for lane in 0..plan.lanes.len() {
        let mut sim = Sim::new(&plan, lane, Options::default());
        sim.run_until(SimTime(plan.end_ns));
        reports.push(report::report(&mut sim));
    }
    if args.json {
        output::json(&reports);
    } else {
        reports.iter().for_each(print);
    }
    Ok(ExitCode::SUCCESS)
}

/// Keeps the lanes of a scheduler, or makes one.
fn choose(scenario: &mut Scenario, id: &str) -> Result<(), Failure> {
    if sched::registry::find(id).is_none() {
        let known: Vec<_> = sched::registry::SCHEDULERS.iter().map(|s| s.id).collect();
        return Err(Failure::new(
            "--scheduler",
            format!("must be one of {}", known.join(", ")),
        ));
    }
    scenario.schedulers.retain(|s| s.id == id);
    if scenario.schedulers.is_empty() {
        scenario.schedulers.push(SchedulerChoice {
            id: id.to_owned(),
            era: None,
            tunables: ParamMap::new(),
        });
    }
    Ok(())
}

fn ms(ns: f64) -> String {
    format!("{:.3}", ns / 1e6)
}

fn print(r: &RunReport) {
    output::line(&format!(
        "{} · {} {} on {} · seed {} · {} ms",
        r.scenario,
        r.scheduler,
        r.era,
        r.machine,
        r.seed,
        ms(r.elapsed_ns)
    ));
    output::line(&format!(
        "  {:<14} {:>12} {:>12} {:>12} {:>12} {:>10} {:>8} {:>8}",
        "thread", "CPU ms", "work ms", "wait ms", "sleep ms", "switches", "forced", "moves"
    ));
    for t in r.threads.iter().filter(|t| !t.background) {
        output::line(&format!(
            "  {:<14} {:>12} {:>12} {:>12} {:>12} {:>10} {:>8} {:>8}",
            t.name,
            ms(t.cpu_ns),
            ms(t.work_ns),
            ms(t.wait_ns),
            ms(t.sleep_ns),
            t.switches,
            t.involuntary,
            t.migrations
        ));
    }
    output::line(&format!(
        "  {:<14} {:>12} {:>12} {:>12}",
        "CPU", "busy ms", "idle ms", "switching ms"
    ));
    for c in &r.cpus {
        output::line(&format!(
            "  cpu {:<10} {:>12} {:>12} {:>12}",
            c.cpu,
            ms(c.busy_ns),
            ms(c.idle_ns),
            ms(c.overhead_ns)
        ));
    }
    for (id, value) in &r.metrics {
        output::line(&format!("  {id:<18} {value:.6}"));
    }
    output::line(&format!("  digest {}\n", r.digest));
}
