//! Golden digests: the same scenario and seed give the same run in every build and on every machine.

use crate::support::{MS, checked, is_asked_for, shipped, straight, unchecked};
use serde_json::{Value, json};
use sim_run::report;
use sim_run::sched::registry::ALL;
use std::fs;
use std::path::{Path, PathBuf};

/// The files of digests, and whether each has those of own policies: they have a file of their own, as not every build has
/// them.
fn files() -> Vec<(PathBuf, bool)> {
    let path = |name: &str| {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../tests")
            .join(name)
    };
    let own = ALL.find("own").map(|_| (path("goldens-own.json"), true));
    let others = (path("goldens.json"), false);
    std::iter::once(others).chain(own).collect()
}

fn is_own(name: &str) -> bool {
    name.contains("\"id\":\"own\"")
}

// This chooses between writing and comparing; no run depends on it.
#[allow(clippy::disallowed_methods)]
fn minting() -> bool {
    std::env::var("TIMESLICE_MINT").is_ok_and(|v| v == "1")
}

/// The compared values of each run.
fn goldens() -> Value {
    let mut all = serde_json::Map::new();
    for case in shipped(2_000 * MS) {
        let mut sim = straight(&case.plan, checked());
        let golden = json!({
            "digest": report::digest_text(&mut sim),
            "trace": format!("{:016x}", sim.trace().hash()),
            "records": sim.trace().next_seq(),
            "decisions": format!("{:016x}", sim.decisions().hash()),
            "snapshotBytes": sim.snapshot().len(),
        });
        assert!(all.insert(case.name, golden).is_none(), "names differ");
    }
    Value::Object(all)
}

/// Whether a golden belongs to a scheduler that is not tested now.
fn is_left_out(name: &str) -> bool {
    let of = |id: &str| name.contains(&format!("\"id\":\"{id}\""));
    ALL.schedulers
        .iter()
        .any(|s| of(s.id) && !is_asked_for(s.id))
}

#[test]
fn runs_are_those_of_every_other_build() {
    let all = goldens();
    for (file, of_own) in files() {
        let mut found = all.clone();
        let names = found.as_object_mut().expect("an object");
        names.retain(|name, _| is_own(name) == of_own);
        compare(&file, &found);
    }
}

/// Compares digests with those of a file, or writes them.
fn compare(file: &Path, found: &Value) {
    let text = fs::read_to_string(file).unwrap_or_else(|_| "{}".to_owned());
    let mut wanted: Value = serde_json::from_str(&text).expect("goldens are JSON");
    let kept = wanted.as_object_mut().expect("an object");
    if minting() {
        kept.retain(|name, _| is_left_out(name));
        kept.extend(found.as_object().expect("an object").clone());
        let text = serde_json::to_string_pretty(&wanted).expect("plain data") + "\n";
        fs::write(file, text).expect("can be written");
        return;
    }
    kept.retain(|name, _| !is_left_out(name));
    let names = |v: &Value| {
        let all = v.as_object().expect("an object");
        all.keys().cloned().collect::<Vec<_>>()
    };
    let differ: Vec<String> = names(found)
        .into_iter()
        .chain(names(&wanted))
        .filter(|name| found.get(name) != wanted.get(name))
        .map(|name| format!("{name}\n    {}\n    wanted {}", found[&name], wanted[&name]))
        .collect();
    assert!(
        differ.is_empty(),
        "behaviour changed:\n{}\nIf that was meant, run this test with TIMESLICE_MINT=1 and commit \
         sim-core/tests/goldens.json by itself, saying which behaviour changed.",
        differ.join("\n")
    );
}

/// That two runs with one seed are the same is shown by the goldens, which another process wrote.
#[test]
fn another_seed_is_another_run() {
    for case in shipped(500 * MS) {
        let mut scenario = case.plan.scenario.clone();
        // Without a background nothing is left to chance.
        if scenario.background.is_none() {
            continue;
        }
        let digest = |plan| report::digest_text(&mut straight(plan, unchecked()));
        let one = digest(&case.plan);
        scenario.seed += 1;
        let plan = sim_run::config::validate::plan(&scenario).expect("valid");
        assert_ne!(one, digest(&std::sync::Arc::new(plan)), "{}", case.name);
    }
}
