//! `timeslice check FILE…`

use crate::arguments::Input;
use crate::exit::Exit;
use crate::output::{self, Failure};
use sim_core::config::notices;
use sim_core::property::Set;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Scenario files, `-` for standard input, or ids of shipped scenarios.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Set a property of each scenario first, such as groups.hog.nice=5. May be given several times.
    #[arg(long, value_name = "PATH=VALUE[@TIME]", value_parser = Set::parse)]
    set: Vec<Set>,
}

/// Checks all of them: a wrong one does not hide the next.
pub(crate) fn run(args: &Args) -> Exit {
    let mut code = Exit::Good;
    for file in &args.files {
        let input = Input {
            file: file.clone(),
            set: args.set.clone(),
        };
        if let Err(failure) = check(&input) {
            output::error(&failure);
            code = Exit::Wrong;
        }
    }
    code
}

fn check(input: &Input) -> Result<(), Failure> {
    let scenario = input.read()?;
    let plan = input.plan(&scenario)?;
    let threads: u32 = plan
        .groups
        .iter()
        .filter(|g| !g.background)
        .map(|g| g.count)
        .sum();
    output::line(&format!(
        "{}: valid; {} scheduler{}, {threads} threads, {} CPUs",
        input.file,
        plan.lanes.len(),
        if plan.lanes.len() == 1 { "" } else { "s" },
        plan.machine.cpu_count()
    ));
    for notice in notices::notices(&plan) {
        output::line(&format!("{}: notice: {notice}", input.file));
    }
    Ok(())
}
