//! `timeslice digest`

use crate::arguments;
use crate::exit::Exit;
use crate::output::{self, Failure, Printed};
use sim_core::engine::Options;
use sim_core::experiment::digests::{self, LaneDigest};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Scenario files, `-` for standard input, or ids of shipped scenarios; all shipped ones if none is named.
    files: Vec<String>,
    #[command(flatten)]
    printed: Printed,
}

pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let all = if args.files.is_empty() {
        digests::all()
    } else {
        let each: Result<Vec<_>, Failure> = args.files.iter().map(|file| of(file)).collect();
        each?.concat()
    };
    if args.printed.is_json() {
        output::json(&all);
    } else {
        for d in &all {
            output::line(&format!(
                "{:<20} {} {:<8} {}",
                d.scenario, d.lane, d.scheduler, d.digest
            ));
        }
    }
    Ok(Exit::Good)
}

fn of(file: &str) -> Result<Vec<LaneDigest>, Failure> {
    let plan = arguments::plan(file, &arguments::read_scenario(file)?)?;
    let options = Options {
        check_every: 0,
        ..Options::default()
    };
    Ok(digests::of_plan(file, &plan, options))
}
