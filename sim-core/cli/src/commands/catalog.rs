//! `timeslice catalog`

use crate::output::{self, Failure};
use sim_core::catalog::catalog;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Print everything as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let catalog = catalog();
    if args.json {
        output::json(&catalog);
        return Ok(ExitCode::SUCCESS);
    }
    output::line("Schedulers");
    for s in &catalog.schedulers {
        output::line(&format!("  {:<12} {}", s.id, s.summary));
        for era in &s.eras {
            output::line(&format!("    era {:<8} {}", era.id, era.name));
            for t in &era.tunables {
                output::line(&format!("      {:<14} {}", t.id, t.summary));
            }
        }
    }
    output::line("Machines");
    for m in &catalog.machines {
        output::line(&format!("  {:<12} {}", m.spec.id, m.spec.purpose));
    }
    output::line("Behaviours");
    for b in catalog.behaviours.iter().filter(|b| b.offered) {
        output::line(&format!("  {:<12} {}", b.id, b.summary));
    }
    output::line("Metrics");
    for m in &catalog.metrics {
        output::line(&format!("  {:<18} {}", m.id, m.summary));
    }
    output::line("Properties (set PATH=VALUE)");
    for p in &catalog.properties {
        output::line(&format!("  {:<32} {}", p.path, p.summary));
    }
    output::line("Scenarios");
    for s in &catalog.scenarios {
        output::line(&format!("  {:<18} {}", s.id, s.scenario.name));
    }
    Ok(ExitCode::SUCCESS)
}
