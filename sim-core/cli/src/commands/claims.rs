//! `timeslice claims`
use crate::output::Failure;
use std::process::ExitCode;
#[derive(clap::Args)]
pub(crate) struct Args {}
pub(crate) fn run(_: &Args) -> Result<ExitCode, Failure> {
    Ok(ExitCode::SUCCESS)
}
