//! The runs of all facts as a file, for a build that cannot read them: `scripts/digests.mjs` makes them in WebAssembly.
//! Records are part of a digest, so a fact that holds here holds wherever its digest is the same.

use super::case::{Case, CaseFile, ns};
use super::{root, setup, toml_files};
use serde::Serialize;
use serde_json::{Value, json};
use sim_run::config::validate;
use sim_run::report;
use std::path::PathBuf;
use std::sync::Arc;

/// How much of a long run is compared, in ns.
const MOST: u64 = 1_000_000_000;

/// A run of a fact, and its digest here. The names are those of a row of `timeslice digest`.
#[derive(Serialize)]
struct Fact {
    scenario: String,
    lane: usize,
    scheduler: String,
    digest: String,
    /// What to run.
    text: String,
}

#[test]
#[ignore = "writes a file for scripts/digests.mjs, which makes the runs in WebAssembly"]
fn facts_have_digests_for_other_builds() {
    #[allow(clippy::disallowed_methods)] // where to write
    let file = std::env::var("TIMESLICE_FACTS").map_or_else(
        |_| PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("facts.json"),
        PathBuf::from,
    );
    let mut facts = Vec::new();
    for path in toml_files() {
        let text = std::fs::read_to_string(root().join(&path)).expect("readable");
        let cases: CaseFile = toml::from_str(&text).expect("another test tells what is wrong");
        let runs = cases.case.iter().filter_map(run);
        facts.extend(
            runs.map(|(id, scenario)| fact(format!("{}: {id}", path.display()), &scenario)),
        );
    }
    for scheduler in ["4bsd", "bfs", "cfs", "eevdf", "ule"] {
        let n = facts.iter().filter(|f| f.scheduler == scheduler).count();
        assert!(n > 50, "{scheduler}: {n} facts");
    }
    let text = serde_json::to_string(&facts).expect("plain data");
    std::fs::write(&file, text).expect("writable");
}

/// The scenario of a case that is run, as far as it is compared.
fn run(case: &Case) -> Option<(&str, Value)> {
    let refused = case.expect.as_ref().is_some_and(|e| e.refused.is_some());
    let run = case.run.as_ref()?;
    if case.unsupported.is_some() || refused {
        return None;
    }
    let mut scenario = setup::scenario(&case.id, run);
    let end = ns(&run.end).min(MOST);
    scenario["end"] = json!({ "atNs": end });
    if let Some(edits) = scenario["edits"].as_array_mut() {
        edits.retain(|e| e["atNs"].as_u64().is_some_and(|at| at <= end));
    }
    Some((&case.id, scenario))
}

fn fact(name: String, scenario: &Value) -> Fact {
    let text = scenario.to_string();
    let parsed = validate::parse(&text).expect("another test tells what is wrong");
    let plan = Arc::new(validate::plan(&parsed).expect("another test tells what is wrong"));
    let mut sim = setup::start(&plan, true, 0);
    sim.run_until(sim.end());
    Fact {
        scenario: name,
        lane: 0,
        scheduler: plan.lanes[0].info.id.to_owned(),
        digest: report::digest_text(&mut sim),
        text,
    }
}
