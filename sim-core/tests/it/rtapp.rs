//! Programs of rt-app: what is said of each, as which script, and what the run does with it.

use serde::Deserialize;
use sim_core::config::validate;
use sim_core::engine::{Options, Sim};
use sim_core::ids::TaskId;
use sim_core::time::SimTime;
use sim_import::rtapp::{Choices, is_program, read};
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ledger {
    program: Vec<Program>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Program {
    kind: String,
    text: String,
    said: String,
    #[serde(default)]
    scripts: BTreeMap<String, String>,
    #[serde(default)]
    left: Vec<String>,
    #[serde(default)]
    remarks: Vec<String>,
    #[serde(default)]
    cpu_ms: BTreeMap<String, u64>,
}

/// CPU time of each group, in ms.
fn cpu_ms(scenario: &serde_json::Value, kind: &str) -> BTreeMap<String, u64> {
    let scenario =
        validate::parse(&scenario.to_string()).unwrap_or_else(|e| panic!("{kind}: {e:?}"));
    let plan = Arc::new(validate::plan(&scenario).unwrap_or_else(|e| panic!("{kind}: {e:?}")));
    let mut sim = Sim::new(&plan, 0, Options::default());
    sim.advance(SimTime(scenario.end.at_ns), u64::MAX);
    let sim = sim.refresh();
    let mut times = BTreeMap::new();
    for task in (0..sim.task_count()).map(TaskId::new) {
        let name = sim.task_name(task).to_string();
        let group = name
            .rsplit_once('-')
            .map_or(name.as_str(), |(group, _)| group);
        *times.entry(group.to_owned()).or_insert(0) += sim.account(task).run_ns;
    }
    times
        .into_iter()
        .map(|(group, ns)| (group, ns / 1_000_000))
        .collect()
}

#[test]
fn programs_of_rt_app_are_said_as_far_as_scripts_have_words() {
    let ledger: Ledger = toml::from_str(include_str!("../rtapp.toml")).expect("the programs");
    let schedulers = serde_json::json!([{ "id": "eevdf", "era": "6.18" }]);
    let mut said = BTreeMap::new();
    for program in &ledger.program {
        let kind = &program.kind;
        assert!(is_program(program.text.as_bytes()), "{kind}");
        let choices = Choices {
            name: "program",
            machine: "ideal",
            schedulers: &schedulers,
        };
        *said.entry(program.said.as_str()).or_insert(0) += 1;
        let told = match read(&program.text, &choices) {
            Ok(told) => told,
            Err(error) => {
                assert_eq!(program.said, "refused", "{kind}: {error}");
                for part in &program.left {
                    assert!(error.to_string().contains(part), "{kind}: {error}");
                }
                continue;
            }
        };
        let how = if told.left_out.is_empty() {
            "exactly"
        } else {
            "partly"
        };
        assert_eq!(how, program.said, "{kind}: {:?}", told.left_out);
        let notes: Vec<_> = told
            .left_out
            .iter()
            .map(|note| note.text.as_str())
            .collect();
        for part in &program.left {
            assert!(
                notes.iter().any(|note| note.contains(part)),
                "{kind}: {notes:?}"
            );
        }
        let remarks: Vec<_> = told.remarks.iter().map(|note| note.text.as_str()).collect();
        assert_eq!(remarks, program.remarks, "{kind}");
        for (group, script) in &program.scripts {
            let groups = told.scenario["groups"].as_array().expect("groups");
            let found = groups.iter().find(|g| g["name"] == group.as_str());
            let found = found.unwrap_or_else(|| panic!("{kind}: no group {group}"));
            assert_eq!(
                found["behaviour"]["params"]["program"],
                script.as_str(),
                "{kind}"
            );
        }
        let times = cpu_ms(&told.scenario, kind);
        for (group, ms) in &program.cpu_ms {
            assert_eq!(times.get(group), Some(ms), "{kind}: {group}");
        }
    }
    assert!(said["exactly"] >= 20, "{said:?}");
}
