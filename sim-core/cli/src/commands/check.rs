//! `timeslice check FILE`

use crate::arguments::Input;
use crate::output::{self, Failure};
use sim_core::config::notices;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    input: Input,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let scenario = args.input.read()?;
    let plan = args.input.plan(&scenario)?;
    let threads: u32 = plan
        .groups
        .iter()
        .filter(|g| !g.background)
        .map(|g| g.count)
        .sum();
    output::line(&format!(
        "{}: valid; {} scheduler{}, {threads} threads, {} CPUs",
        args.input.file,
        plan.lanes.len(),
        if plan.lanes.len() == 1 { "" } else { "s" },
        plan.machine.cpu_count()
    ));
    for notice in notices::notices(&plan) {
        output::line(&format!("{}: notice: {notice}", args.input.file));
    }
    Ok(ExitCode::SUCCESS)
}
