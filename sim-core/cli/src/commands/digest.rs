//! `timeslice digest`

use crate::output::{self, Failure};
use sim_core::experiment::digests;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Print as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let all = digests::all();
    if args.json {
        output::json(&all);
    } else {
        for d in &all {
            output::line(&format!(
                "{:<20} {} {:<8} {}",
                d.scenario, d.lane, d.scheduler, d.digest
            ));
        }
    }
    Ok(ExitCode::SUCCESS)
}
