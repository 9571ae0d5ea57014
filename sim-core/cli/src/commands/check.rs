//! `timeslice check FILE`

use crate::arguments;
use crate::output::{self, Failure};
use sim_core::config::notices;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Scenario file, `-` for standard input, or the id of a shipped scenario.
    file: String,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let scenario = arguments::read_scenario(&args.file)?;
    let plan = arguments::plan(&args.file, &scenario)?;
    let threads: u32 = plan
        .groups
        .iter()
        .filter(|g| !g.background)
        .map(|g| g.count)
        .sum();
    output::line(&format!(
        "{}: valid; {} scheduler{}, {threads} threads, {} CPUs",
        args.file,
        plan.lanes.len(),
        if plan.lanes.len() == 1 { "" } else { "s" },
        plan.machine.cpu_count()
    ));
    for notice in notices::notices(&plan) {
        output::line(&format!("{}: notice: {notice}", args.file));
    }
    Ok(ExitCode::SUCCESS)
}
