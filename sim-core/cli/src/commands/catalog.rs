//! `timeslice catalog [PART [SCHEDULER]]`

use crate::exit::Exit;
use crate::output::{self, Failure, Printed};
use sim_core::catalog::{Catalog, EraEntry, SchedulerEntry, catalog};
use sim_core::params::{ParamKind, ParamSpec};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only this part.
    part: Option<Part>,
    /// Of schedulers and tunables: only those of this scheduler.
    #[arg(requires = "part")]
    scheduler: Option<String>,
    #[command(flatten)]
    printed: Printed,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    Schedulers,
    Tunables,
    Machines,
    Behaviours,
    Metrics,
    Properties,
    Scenarios,
}

pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let mut catalog = catalog();
    if let Some(id) = &args.scheduler {
        if !matches!(args.part, Some(Part::Schedulers | Part::Tunables)) {
            let message = "only the parts schedulers and tunables have schedulers";
            return Err(Failure::new(id, message));
        }
        let known: Vec<_> = catalog.schedulers.iter().map(|s| s.id).collect();
        if !known.contains(&id.as_str()) {
            let message = format!("must be one of {}, got \"{id}\"", known.join(", "));
            return Err(Failure::new("SCHEDULER", message));
        }
        catalog.schedulers.retain(|s| s.id == id);
    }
    match (args.part, args.printed.is_json()) {
        (None, true) => output::json(&catalog),
        (None, false) => {
            use Part::{
                Behaviours, Machines, Metrics, Properties, Scenarios, Schedulers, Tunables,
            };
            for (heading, part) in [
                ("Schedulers", Schedulers),
                ("Tunables", Tunables),
                ("Machines", Machines),
                ("Behaviours", Behaviours),
                ("Metrics", Metrics),
                ("Properties (set PATH=VALUE)", Properties),
                ("Scenarios", Scenarios),
            ] {
                output::line(heading);
                print(&catalog, part, "  ");
            }
        }
        (Some(part), true) => json(&catalog, part),
        (Some(part), false) => print(&catalog, part, ""),
    }
    Ok(Exit::Good)
}

fn json(catalog: &Catalog, part: Part) {
    match part {
        Part::Schedulers | Part::Tunables => output::json(&catalog.schedulers),
        Part::Machines => output::json(&catalog.machines),
        Part::Behaviours => output::json(&catalog.behaviours),
        Part::Metrics => output::json(&catalog.metrics),
        Part::Properties => output::json(&catalog.properties),
        Part::Scenarios => output::json(&catalog.scenarios),
    }
}

fn print(catalog: &Catalog, part: Part, indent: &str) {
    let line = |id: &str, summary: &str, width: usize| {
        output::line(&format!("{indent}{id:<width$} {summary}"));
    };
    match part {
        Part::Schedulers => {
            for s in &catalog.schedulers {
                line(s.id, s.summary, 12);
                for era in &s.eras {
                    output::line(&format!("{indent}  era {:<8} {}", era.id, era.name));
                }
            }
        }
        Part::Tunables => {
            for s in &catalog.schedulers {
                s.eras.iter().for_each(|era| tunables(s, era));
            }
        }
        Part::Machines => catalog
            .machines
            .iter()
            .for_each(|m| line(&m.spec.id, &m.spec.purpose, 12)),
        Part::Behaviours => {
            let offered = catalog.behaviours.iter().filter(|b| b.offered);
            offered.for_each(|b| line(b.id, b.summary, 12));
        }
        Part::Metrics => catalog
            .metrics
            .iter()
            .for_each(|m| line(m.id, m.summary, 18)),
        Part::Properties => catalog
            .properties
            .iter()
            .for_each(|p| line(p.path, p.summary, 32)),
        Part::Scenarios => catalog
            .scenarios
            .iter()
            .for_each(|s| line(s.id, &s.scenario.name, 18)),
    }
}

/// The tunables of an era, each with its default, its range and its unit.
fn tunables(scheduler: &SchedulerEntry, era: &EraEntry) {
    if era.tunables.is_empty() {
        return;
    }
    output::line(&format!("{}:{}  {}", scheduler.id, era.id, era.name));
    for t in &era.tunables {
        output::line(&format!("  {:<24} {:<28} {}", t.id, values(t), t.summary));
    }
}

fn values(spec: &ParamSpec) -> String {
    match &spec.kind {
        ParamKind::Int {
            min, max, default, ..
        } => {
            let unit = spec.unit;
            format!(
                "{default}{}{unit} ({min} to {max})",
                if unit.is_empty() { "" } else { " " }
            )
        }
        ParamKind::Choice {
            options, default, ..
        } => format!("{default} ({})", options.join(", ")),
        ParamKind::Flag { default, .. } => format!("{default} (true, false)"),
        ParamKind::Text { .. } => "a text".to_owned(),
    }
}
