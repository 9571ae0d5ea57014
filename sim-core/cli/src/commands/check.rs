//! `timeslice check FILE`

use super::read_scenario;
use crate::output::{self, Failure};
use sim_core::config::validate;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Scenario file, `-` for standard input, or the id of a shipped scenario.
    file: String,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let scenario = read_scenario(&args.file)?;
    let plan = validate::plan(&scenario).map_err(|errors| Failure {
        source: args.file.clone(),
        errors,
    })?;
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
    Ok(ExitCode::SUCCESS)
}
