//! Texts of the largest allowed size, valid or not: the answer is short and comes soon.

use serde_json::{Value, json};
use sim_core::config::validate::{self, MAX_TEXT};
use sim_core::error::{ConfigError, MAX_PROBLEMS};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

/// Far more than any of these takes in a build with all checks, also on a busy machine.
const HANG: Duration = Duration::from_secs(20);

/// The errors of a text; fails if finding them takes as long as a hang.
#[track_caller]
fn answer(text: String) -> Vec<ConfigError> {
    let (send, receive) = channel();
    thread::spawn(move || {
        let checked = validate::parse(&text).and_then(|scenario| validate::plan(&scenario));
        let _ = send.send(checked.err().unwrap_or_default());
    });
    receive.recv_timeout(HANG).expect("an answer in time")
}

fn scenario(change: &Value) -> String {
    let mut scenario = json!({
        "version": 1,
        "name": "as large as it may be",
        "machine": "i7860",
        "schedulers": [{ "id": "bfs" }],
        "groups": [{ "name": "a", "count": 2, "behaviour": { "kind": "compute" } }],
        "end": { "atNs": 1_000_000 },
    });
    for (key, value) in change.as_object().expect("fields") {
        scenario[key] = value.clone();
    }
    scenario.to_string()
}

fn edits(n: usize, edit: &Value) -> Value {
    Value::from(vec![json!({ "atNs": 5, "edit": edit }); n])
}

/// Checks that only the first problems are reported, with the number of the others.
#[track_caller]
fn told(errors: &[ConfigError], all: usize) {
    assert_eq!(errors.len(), MAX_PROBLEMS + 1);
    let more = format!("there are {} more problems", all - MAX_PROBLEMS);
    assert_eq!(errors[MAX_PROBLEMS], ConfigError::new("", more));
    let length: usize = errors.iter().map(|e| e.path.len() + e.message.len()).sum();
    assert!(length < 1_000_000, "an answer of {length} bytes");
}

#[test]
fn ten_thousand_wrong_edits_made_an_answer_of_megabytes() {
    let groups: Vec<Value> = (0..64)
        .map(|n| json!({ "name": format!("{n:080}"), "count": 2, "behaviour": { "kind": "compute" } }))
        .collect();
    let wrong = edits(
        10_000,
        &json!({ "kind": "spawn", "group": "nobody", "count": 1 }),
    );
    let errors = answer(scenario(&json!({ "groups": groups, "edits": wrong })));
    // In addition, all of them together start too many threads.
    told(&errors, 10_001);
}

#[test]
fn ten_thousand_edits_of_threads_took_time_by_their_square() {
    let groups: Vec<Value> = (0..64)
        .map(|n| json!({ "name": format!("{n:080}"), "count": 2, "behaviour": { "kind": "compute" } }))
        .collect();
    let of = |thread: &str| {
        let edit = json!({ "kind": "setNice", "target": { "thread": thread }, "nice": 1 });
        scenario(&json!({ "groups": groups, "edits": edits(10_000, &edit) }))
    };
    assert_eq!(answer(of(&format!("{:080}-1", 63))), []);
    told(&answer(of("nobody-1")), 10_000);
}

#[test]
fn lists_that_are_too_long_were_looked_at_to_their_end() {
    let group = |n| json!({ "name": format!("{n}"), "count": 1, "behaviour": { "kind": "none" } });
    let groups: Vec<Value> = (0..30_000).map(group).collect();
    let kill = json!({ "kind": "spawn", "group": "nobody", "count": 1 });
    let text = scenario(&json!({ "groups": groups, "edits": edits(20_000, &kill) }));
    assert!(text.len() < MAX_TEXT);
    // Two for the lengths, then the kinds of 64 groups, the sum of their threads, and 10,000 edits.
    let errors = answer(text);
    assert_eq!(errors[0].message, "must be from 0 to 64, got 30000");
    told(&errors, 10_067);
}

#[test]
fn very_many_unknown_parameters_were_all_told() {
    let params: Value = (0..100_000)
        .map(|n| (format!("p{n}"), json!(1)))
        .collect::<serde_json::Map<_, _>>()
        .into();
    let group =
        json!({ "name": "a", "count": 1, "behaviour": { "kind": "dhrystone", "params": params } });
    told(&answer(scenario(&json!({ "groups": [group] }))), 100_000);
}

#[test]
fn a_machine_of_very_many_kinds_was_held_against_all_its_caches() {
    let spec = sim_core::machine::registry::spec("i7860").expect("shipped");
    let mut machine = serde_json::to_value(&spec).expect("plain data");
    let core = machine["topology"]["packages"][0]["nodes"][0]["llcs"][0]["cores"][0].clone();
    let cores: Vec<Value> = (0..15_000)
        .map(|n| {
            let mut core = core.clone();
            core["kind"] = format!("kind {n}").into();
            core
        })
        .collect();
    machine["topology"]["packages"][0]["nodes"][0]["llcs"][0]["cores"] = cores.into();
    let caches = vec![machine["caches"][0].clone(); 10_000];
    machine["caches"] = caches.into();
    let text = scenario(&json!({ "machine": machine }));
    assert!(text.len() < MAX_TEXT);
    let errors = answer(text);
    assert!(
        errors.iter().all(|e| e.path.starts_with("machine.")),
        "{errors:?}"
    );
    assert!(errors.len() < 5, "{errors:?}");
}

#[test]
fn a_long_key_came_back_whole() {
    let text = scenario(&json!({ "x".repeat(1_000_000): 1 }));
    let errors = answer(text);
    assert!(
        errors[0].message.starts_with("unknown field `xxx"),
        "{}",
        errors[0].message.len()
    );
    assert!(errors[0].message.contains("…, expected one of `version`"));
    assert!(errors[0].message.len() < 500, "{}", errors[0].message);
}

#[test]
fn nothing_is_so_deep_that_the_reader_follows_it() {
    for levels in [100, 5_000, 1_000_000] {
        let deep = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        let params = format!(r#"{{"rounds":{deep}}}"#);
        for text in [
            deep.clone(),
            scenario(&json!({ "notes": "HERE" })).replace("\"HERE\"", &deep),
            scenario(&json!({ "timing": "HERE" })).replace("\"HERE\"", &params),
        ] {
            let errors = answer(text);
            assert!(errors[0].path.starts_with("line 1"), "{errors:?}");
        }
    }
}
