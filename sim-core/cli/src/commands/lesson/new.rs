//! `timeslice lesson new FROM-SCENARIO`

use crate::arguments;
use crate::exit::Exit;
use crate::output::{self, Failure};
use sim_core::lesson::skeleton::skeleton;
use std::path::Path;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Scenario file, `-` for standard input, or the id of a shipped scenario.
    scenario: String,
    /// Id of the lesson; the name of the scenario's file if left out.
    #[arg(long)]
    id: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let scenario = arguments::read_scenario(&args.scenario)?;
    let stem = Path::new(&args.scenario)
        .file_stem()
        .and_then(|s| s.to_str());
    let id = args.id.as_deref().or(stem).filter(|id| *id != "-");
    let lesson = skeleton(id.unwrap_or("lesson"), &scenario).map_err(|errors| Failure {
        source: args.scenario.clone(),
        errors,
    })?;
    output::json(&lesson);
    Ok(Exit::Good)
}
