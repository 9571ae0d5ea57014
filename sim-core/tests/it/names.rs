//! Names and texts of a scenario: a text that moves a cursor, reverses a line or breaks an XML file is refused, with
//! its field.

use crate::bound_cases;
use serde_json::{Value, json};
use sim_core::config::validate;
use sim_core::experiment::run::{Run, RunScheduler};
use sim_core::text::{is_unseen, visible};

/// A control character, one of the second set, a line separator, an override, an isolate, and characters that XML
/// forbids.
const BAD: [char; 8] = [
    '\u{1b}', '\0', '\u{9b}', '\u{2028}', '\u{202e}', '\u{2066}', '\u{fffe}', '\u{ffff}',
];

fn with_machine() -> Value {
    let mut scenario = bound_cases::base();
    let spec = sim_core::machine::registry::spec("i7980x").expect("shipped");
    scenario["machine"] = serde_json::to_value(spec).expect("plain data");
    scenario["machine"]["provenance"] =
        json!([{ "fields": ["year"], "mark": "published", "source": "a book" }]);
    let node = &mut scenario["machine"]["topology"]["packages"][0]["nodes"][0];
    node["llcs"][0]["cores"][0]["kind"] = json!("");
    scenario["groups"][0]["process"] = json!("shell");
    scenario["groups"][0]["behaviour"] =
        json!({ "kind": "script", "params": { "program": "run 5ms", "child": "run 1us" } });
    scenario
}

/// The texts of a scenario, and their paths in errors.
const TEXTS: [(&str, &str); 16] = [
    ("/name", "name"),
    ("/notes", "notes"),
    ("/ask", "ask"),
    ("/opening/select", "opening.select"),
    ("/answer/of", "answer.of"),
    ("/groups/0/name", "groups[0].name"),
    ("/groups/0/process", "groups[0].process"),
    (
        "/groups/0/behaviour/params/program",
        "groups[0].behaviour.params.program",
    ),
    (
        "/groups/0/behaviour/params/child",
        "groups[0].behaviour.params.child",
    ),
    ("/machine/id", "machine.id"),
    ("/machine/name", "machine.name"),
    ("/machine/purpose", "machine.purpose"),
    ("/machine/microarchitecture", "machine.microarchitecture"),
    (
        "/machine/provenance/0/source",
        "machine.provenance[0].source",
    ),
    (
        "/machine/provenance/0/fields/0",
        "machine.provenance[0].fields[0]",
    ),
    (
        "/machine/topology/packages/0/nodes/0/llcs/0/cores/0/kind",
        "machine.topology.packages[0].nodes[0].llcs[0].cores[0].kind",
    ),
];

fn said(scenario: &Value) -> Vec<String> {
    let checked = validate::parse(&scenario.to_string()).and_then(|s| validate::plan(&s));
    let errors = checked.err().unwrap_or_default();
    errors.iter().map(ToString::to_string).collect()
}

#[test]
fn a_character_that_cannot_be_shown_in_a_line_is_refused_everywhere() {
    let mut base = with_machine();
    base["edits"] = json!([]);
    assert_eq!(said(&base), [""; 0]);
    for (pointer, path) in TEXTS {
        for bad in BAD {
            let mut scenario = base.clone();
            let text = scenario.pointer_mut(pointer).expect(pointer);
            *text = json!(format!("run 5ms{bad}"));
            let errors = said(&scenario);
            let wanted = format!(
                "{path}: must not hold control characters or marks that turn the writing direction around, has {} as character 8",
                visible(&bad.to_string())
            );
            assert!(errors.contains(&wanted), "{errors:?}");
            assert!(!errors.concat().contains(is_unseen), "{errors:?}");
        }
    }
}

#[test]
fn letters_of_all_scripts_are_accepted() {
    let mut scenario = with_machine();
    scenario["edits"] = json!([]);
    // These fields name the group.
    scenario["opening"] = Value::Null;
    scenario["answer"] = Value::Null;
    for name in [
        "größe",
        "大きさ",
        "עברית",
        "العربية\u{200f}",
        "🦀 e\u{301}",
        "a\u{200d}b",
    ] {
        scenario["groups"][0]["name"] = json!(name);
        assert_eq!(said(&scenario), [""; 0], "{name}");
    }
    scenario["notes"] = json!("two\nlines\tand a tab");
    assert_eq!(said(&scenario), [""; 0]);
}

/// A sentence that quotes any text can be shown.
#[test]
fn an_error_repeated_what_it_refused_with_its_controls() {
    let bad = "x\u{1b}[2J\u{202e}";
    let mut base = bound_cases::base();
    base["edits"] = json!([]);
    for (pointer, value) in [
        ("/machine", json!(bad)),
        ("/schedulers/0/id", json!(bad)),
        ("/groups/0/behaviour/kind", json!(bad)),
        ("/groups/1/policy", json!(bad)),
        ("/groups/0/count", json!(bad)),
        (
            "/edits",
            json!([{ "atNs": 1, "set": { format!("groups.{}.count", Value::from(bad)): 1 } }]),
        ),
        (
            "/edits",
            json!([{ "atNs": 1, "set": { format!("lanes.*.{}", Value::from(bad)): bad } }]),
        ),
        ("/edits", json!([{ "atNs": 1, "copy": bad }])),
        ("/timing", json!({ bad: 1 })),
        ("/opening/select", json!(bad)),
        ("/answer/of", json!(bad)),
        ("/controls/0", json!({ "kind": "nice", "group": bad })),
        ("/controls/0", json!({ "kind": "tunable", "id": bad })),
        ("/moments/0", json!(bad)),
    ] {
        let mut scenario = base.clone();
        *scenario.pointer_mut(pointer).expect(pointer) = value;
        let checked = validate::parse(&scenario.to_string()).and_then(|s| validate::plan(&s));
        let errors = checked.expect_err(pointer);
        let sentences: String = errors.iter().map(|e| e.message.as_str()).collect();
        assert!(!sentences.contains(is_unseen), "{pointer}: {errors:?}");
    }
}

#[test]
fn an_experiment_repeated_a_place_with_its_controls() {
    let scheduler = RunScheduler {
        id: "bfs".to_owned(),
        era: None,
        tunables: serde_json::Map::new(),
    };
    let run = Run::new("a run".to_owned(), "bfs-smt", scheduler, "totals");
    let run = run.with("groups.x\u{202e}.count", 1);
    let errors = sim_core::experiment::run::scenario(&run).expect_err("no such group");
    let text = errors[0].to_string();
    assert!(text.ends_with("got \"x\\u{202e}\""), "{text}");
}
