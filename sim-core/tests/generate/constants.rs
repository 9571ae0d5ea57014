//! Sources of numbers, for readers: `docs/constants.md`, and `scenarios/sources.json` for the page.

use super::{root, settle};
use serde_json::{Map, Value, json};
use sim_core::constants;
use sim_core::machine::registry::PRESETS;
use sim_core::machine::spec::MachineSpec;
use sim_core::params::{ParamKind, ParamSpec};
use sim_core::provenance::Mark;
use sim_core::sched::registry::ALL;
use sim_core::workload::registry::BEHAVIOURS;
use std::fmt::Write;
use std::fs;

const HEAD: &str = "# Constants

Written by `npm run generate` from the code; do not edit. What is done with them stands in [model.md](model.md); the numbers of
each machine, with their sources, are in [machines.md](machines.md).

A number is *measured*, on such hardware, by whom the source names. It is *published* in a specification, a paper or the code of a
kernel, which the source names. Or it is *assumed*: inferred, fitted or chosen, and the text gives the reasoning. A test refuses a
number of the model without a mark.
";

fn word(mark: Mark) -> String {
    let word = serde_json::to_value(mark).unwrap_or_default();
    word.as_str().unwrap_or_default().to_owned()
}

fn row(cells: &[&str]) -> String {
    let cells: Vec<String> = cells.iter().map(|c| c.trim().replace('|', "\\|")).collect();
    format!("| {} |\n", cells.join(" | "))
}

fn default(p: &ParamSpec) -> String {
    let value = match p.kind {
        ParamKind::Int { default, .. } => default.to_string(),
        ParamKind::Choice { default, .. } => default.to_owned(),
        ParamKind::Text { default, .. } => format!("`{default}`"),
        ParamKind::Flag { default } => default.to_string(),
    };
    format!("{value} {}", p.unit)
}

fn params<'a>(of: impl Iterator<Item = (String, &'a ParamSpec)>, out: &mut String) {
    out.push_str(&row(&[
        "Of",
        "Parameter",
        "Default",
        "Known",
        "Source or reasoning",
    ]));
    out.push_str(&row(&["---"; 5]));
    for (owner, p) in of {
        let name = format!("`{}`", p.id);
        out.push_str(&row(&[&owner, &name, &default(p), &word(p.mark), p.source]));
    }
}

fn document() -> String {
    let mut out = HEAD.to_owned();
    out.push_str("\n## Of the model\n\n");
    out.push_str(&row(&[
        "Where",
        "Name",
        "Value",
        "What",
        "Known",
        "Source or reasoning",
    ]));
    out.push_str(&row(&["---"; 6]));
    for c in constants::all() {
        let file = c.file.trim_start_matches("sim-core/");
        let value = format!("{} {}", c.value, c.unit);
        let (file, name) = (format!("`{file}`"), format!("`{}`", c.name));
        out.push_str(&row(&[
            &file,
            &name,
            &value,
            c.what,
            &word(c.mark),
            c.source,
        ]));
    }
    out.push_str("\n## Tunables of the schedulers\n\n");
    let tunables = ALL.schedulers.iter().flat_map(|s| {
        s.eras.iter().flat_map(move |e| {
            let of = format!("{} {}", s.id, e.id);
            e.tunables.iter().map(move |p| (of.clone(), p))
        })
    });
    params(tunables, &mut out);
    out.push_str("\n## Parameters of the behaviours\n\n");
    let of_behaviours = BEHAVIOURS
        .iter()
        .flat_map(|b| b.params.iter().map(move |p| (b.id.to_owned(), p)));
    params(of_behaviours, &mut out);
    out
}

/// Marks and sources of the numbers of each preset. The core does not contain them.
fn sources() -> String {
    let mut machines = Map::new();
    for (id, _) in PRESETS {
        let text = fs::read_to_string(root().join(format!("scenarios/machines/{id}.json")));
        let spec: MachineSpec = serde_json::from_str(&text.expect("there")).expect("a machine");
        machines.insert((*id).to_owned(), json!(spec.provenance));
    }
    let mut text = String::new();
    write!(text, "{}", Value::Object(machines)).expect("text");
    text + "\n"
}

#[test]
fn sources_of_numbers_are_those_of_the_core() {
    let mut wrong = Vec::new();
    settle(&root().join("docs/constants.md"), &document(), &mut wrong);
    settle(
        &root().join("scenarios/sources.json"),
        &sources(),
        &mut wrong,
    );
    assert!(wrong.is_empty(), "out of date: {wrong:#?}\n{}", super::HOW);
}
