//! Bytes and texts of any origin give an error or not, but never a panic, and never another run.

use crate::bound_cases;
use crate::properties::config;
use crate::seal::seal;
use crate::support::{MS, cases, checked, outcome, plan, start};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use sim_run::config::edit::Edit;
use sim_run::config::validate;
use sim_run::engine::replay::Replay;
use sim_run::engine::{Options, Sim};
use sim_run::error::SnapshotError;
use sim_run::time::SimTime;
use std::path::Path;
use std::sync::Arc;

/// Runs in progress, under every scheduler, with their snapshots.
fn running() -> Vec<(Sim, Vec<u8>)> {
    let wanted = |name: &str| name.contains("busy desktop") || name.starts_with("edits under");
    cases()
        .iter()
        .filter(|c| wanted(&c.name) && !c.name.contains("250"))
        .map(|case| {
            let mut sim = start(&case.plan, checked());
            sim.run_until(SimTime(130 * MS));
            let bytes = sim.snapshot();
            (sim, bytes)
        })
        .collect()
}

#[test]
fn the_seal_is_that_of_the_core() {
    for (_, bytes) in running() {
        assert!(seal(&bytes[..bytes.len() - 8]) == bytes);
    }
}

#[test]
fn a_snapshot_of_another_run_or_version_is_refused_with_the_reason() {
    let mut all = running();
    let other = all[0].1.clone();
    let last = all.last_mut().expect("some");
    assert_eq!(last.0.restore(&other), Err(SnapshotError::OtherScenario));
    let mut data = last.1[..last.1.len() - 8].to_vec();
    data[0] += 1;
    let found = u32::from(data[0]);
    let error = last.0.restore(&seal(&data)).expect_err("another version");
    assert!(matches!(error, SnapshotError::Version { found: f, .. } if f == found));
    assert_eq!(last.0.restore(&[]), Err(SnapshotError::Malformed));
}

/// A change of bytes: the place (in shares of 65,536), and the change.
#[derive(Clone, Debug)]
enum Change {
    Xor(u16, u8),
    Set(u16, u8),
    Cut(u16),
    Insert(u16, Vec<u8>),
    Repeat(u16, u16),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        (any::<u16>(), 1_u8..).prop_map(|(at, x)| Change::Xor(at, x)),
        (
            any::<u16>(),
            prop_oneof![Just(0), Just(0x7f), Just(0xff), any::<u8>()]
        )
            .prop_map(|(at, x)| Change::Set(at, x)),
        any::<u16>().prop_map(Change::Cut),
        (any::<u16>(), proptest::collection::vec(any::<u8>(), 1..12))
            .prop_map(|(at, x)| Change::Insert(at, x)),
        (any::<u16>(), any::<u16>()).prop_map(|(a, b)| Change::Repeat(a, b)),
    ]
}

fn apply(data: &mut Vec<u8>, change: &Change) {
    let n = data.len();
    let place = |at: &u16| usize::from(*at) * n / 65_536;
    match change {
        _ if n == 0 => {}
        Change::Xor(at, x) => data[place(at)] ^= x,
        Change::Set(at, x) => data[place(at)] = *x,
        Change::Cut(at) => data.truncate(place(at)),
        Change::Insert(at, x) => {
            let at = place(at);
            data.splice(at..at, x.iter().copied());
        }
        Change::Repeat(a, b) => {
            let (a, b) = (place(a.min(b)), place(a.max(b)));
            let piece = data[a..b].to_vec();
            data.splice(b..b, piece);
        }
    }
}

#[test]
fn changed_bytes_are_refused_and_change_nothing() {
    let all = std::cell::RefCell::new(running());
    let strategy = (any::<u16>(), proptest::collection::vec(change(), 1..4));
    let mut runner = TestRunner::new(config(600));
    let result = runner.run(&strategy, |(which, changes)| {
        let mut all = all.borrow_mut();
        let n = all.len();
        let (sim, bytes) = &mut all[usize::from(which) % n];
        let mut changed = bytes.clone();
        changes.iter().for_each(|c| apply(&mut changed, c));
        if changed != *bytes {
            prop_assert_eq!(sim.restore(&changed), Err(SnapshotError::Malformed));
            prop_assert!(sim.snapshot() == *bytes, "the run has changed");
        }
        Ok(())
    });
    result.unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn changed_bytes_with_a_seal_that_fits_never_panic() {
    let all = std::cell::RefCell::new(running());
    let strategy = (any::<u16>(), proptest::collection::vec(change(), 1..4));
    let mut runner = TestRunner::new(config(20_000));
    let result = runner.run(&strategy, |(which, changes)| {
        let mut all = all.borrow_mut();
        let n = all.len();
        let (sim, bytes) = &mut all[usize::from(which) % n];
        let mut data = bytes[..bytes.len() - 8].to_vec();
        changes.iter().for_each(|c| apply(&mut data, c));
        let before = sim.digest();
        if sim.restore(&seal(&data)).is_ok() {
            sim.restore(bytes).expect("of this very run");
        }
        prop_assert_eq!(sim.digest(), before, "the run has changed");
        Ok(())
    });
    result.unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn any_bytes_are_refused() {
    let all = std::cell::RefCell::new(running());
    let strategy = (
        any::<bool>(),
        proptest::collection::vec(any::<u8>(), 0..600),
    );
    let mut runner = TestRunner::new(config(2_000));
    let result = runner.run(&strategy, |(sealed, bytes)| {
        let bytes = if sealed { seal(&bytes) } else { bytes };
        let (sim, _) = &mut all.borrow_mut()[0];
        prop_assert!(sim.restore(&bytes).is_err());
        Ok(())
    });
    result.unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn a_replay_takes_a_snapshot_and_goes_on_in_both_directions() {
    for case in cases().iter().filter(|c| c.name.contains("busy desktop")) {
        let half = SimTime(case.plan.end_ns / 2);
        let mut first = Replay::new(&case.plan, 0, Options::interactive());
        first.seek(half, u64::MAX);
        let mut second = Replay::new(&case.plan, 0, Options::interactive());
        second.restore(&first.snapshot()).expect("of this very run");
        for to in [case.plan.end_ns, case.plan.end_ns / 5, case.plan.end_ns] {
            first.seek(SimTime(to), u64::MAX);
            second.seek(SimTime(to), u64::MAX);
            let (a, b) = (outcome(first.sim_mut()), outcome(second.sim_mut()));
            assert!(a == b, "{} at {to}", case.name);
        }
    }
}

/// Values that often cause errors in programs.
fn odd() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        (-3_i64..70).prop_map(|n| json!(n)),
        any::<i64>().prop_map(|n| json!(n)),
        any::<u16>().prop_map(|n| json!(n)),
        Just(json!(u64::MAX)),
        Just(json!(9_007_199_254_740_993_u64)),
        Just(json!(1e300)),
        Just(json!(0.5)),
        Just(json!("")),
        Just(json!("a")),
        Just(json!("run 1ns; yield; repeat")),
        "\\PC{0,12}".prop_map(|s| json!(s)),
        Just(json!([])),
        Just(json!({})),
        Just(json!([0, 1, 7, 7])),
        Just(json!(["x", null, { "count": 65_535 }])),
    ]
}

/// Every place in a value.
fn pointers(at: &str, value: &Value, out: &mut Vec<String>) {
    out.push(at.to_owned());
    match value {
        Value::Array(all) => {
            for (i, v) in all.iter().enumerate() {
                pointers(&format!("{at}/{i}"), v, out);
            }
        }
        Value::Object(all) => {
            for (key, v) in all {
                pointers(&format!("{at}/{key}"), v, out);
            }
        }
        _ => {}
    }
}

fn rich() -> Value {
    let mut scenario = bound_cases::base();
    let machine = sim_run::machine::registry::spec("i7980x").expect("shipped");
    scenario["machine"] = serde_json::to_value(machine).expect("plain data");
    scenario["machine"]["provenance"] = json!([]);
    scenario["groups"][0]["behaviour"] = json!({
        "kind": "script",
        "params": { "program": "run 5ms; sleep 2ms; fork; yield; repeat", "child": "run 1us" }
    });
    scenario["groups"][1]["allowed"] = json!([0, 2]);
    scenario["schedulers"][0]["tunables"] = json!({ "hz": 250, "rrIntervalMs": 6, "isoCpu": 70 });
    let more = json!([
        { "atNs": 5, "set": { "groups.a.allowed": [1] } },
        { "atNs": 5, "set": { "groups.a.count": 1 } },
        { "atNs": 7, "set": { "lanes.1.rrIntervalMs": 9 } }
    ]);
    let edits = scenario["edits"].as_array_mut().expect("a list");
    edits.extend(more.as_array().expect("a list").iter().cloned());
    scenario["end"] = json!({ "atNs": 20 * MS, "whenAllExited": true });
    scenario
}

/// Checks that an accepted scenario runs.
fn runs(scenario: &sim_run::config::Scenario) {
    let Ok(plan) = validate::plan(scenario) else {
        return;
    };
    let plan = Arc::new(plan);
    for lane in 0..plan.lanes.len() {
        let mut sim = Sim::new(&plan, lane, checked());
        sim.advance(sim.end(), 150);
        sim.refresh();
    }
}

#[test]
fn what_is_accepted_of_odd_scenarios_runs() {
    let base = rich();
    drop(plan(&base));
    let mut places = Vec::new();
    pointers("", &base, &mut places);
    let change = (any::<u16>(), proptest::option::weighted(0.85, odd()));
    let strategy = proptest::collection::vec(change, 1..4);
    let accepted = std::cell::Cell::new(0);
    let mut runner = TestRunner::new(config(2_500));
    let result = runner.run(&strategy, |changes| {
        let mut scenario = base.clone();
        for (at, value) in &changes {
            let place = &places[usize::from(*at) % places.len()];
            if let Some(value) = value {
                if let Some(v) = scenario.pointer_mut(place) {
                    v.clone_from(value);
                }
            } else if let Some((parent, key)) = place.rsplit_once('/')
                && let Some(parent) = scenario.pointer_mut(parent).and_then(Value::as_object_mut)
            {
                parent.remove(key);
            }
        }
        if let Ok(scenario) = validate::parse(&scenario.to_string()) {
            accepted.set(accepted.get() + u32::from(validate::plan(&scenario).is_ok()));
            runs(&scenario);
        }
        Ok(())
    });
    result.unwrap_or_else(|e| panic!("{e}"));
    assert!(accepted.get() > 50, "only {} were accepted", accepted.get());
}

/// Inputs that are meant to do damage, and those that once did; new finds are added there.
#[test]
fn the_corpus_is_refused_with_a_reason_or_runs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus");
    let mut tried = 0;
    for entry in std::fs::read_dir(folder).expect("exists") {
        let path = entry.expect("readable").path();
        let text = std::fs::read_to_string(&path).expect("a text");
        match validate::parse(&text) {
            Ok(scenario) => runs(&scenario),
            Err(errors) => assert!(!errors[0].message.is_empty(), "{}", path.display()),
        }
        tried += 1;
    }
    assert!(tried > 10, "{tried} files");
}

#[test]
fn any_text_is_read_or_refused() {
    let text = rich().to_string();
    let strategy = prop_oneof![
        "\\PC{0,200}",
        "[\\[\\]{}\",:0-9a-z. -]{0,200}",
        proptest::collection::vec(change(), 1..5).prop_map(move |changes| {
            let mut bytes = text.clone().into_bytes();
            changes.iter().for_each(|c| apply(&mut bytes, c));
            String::from_utf8_lossy(&bytes).into_owned()
        }),
    ];
    let mut runner = TestRunner::new(config(1_500));
    let result = runner.run(&strategy, |text| {
        match validate::parse(&text) {
            Ok(scenario) => runs(&scenario),
            Err(errors) => {
                prop_assert_eq!(errors.len(), 1);
                prop_assert!(errors[0].path.starts_with("line "), "{:?}", errors);
                prop_assert!(!errors[0].message.is_empty());
            }
        }
        drop(serde_json::from_str::<Edit>(&text));
        Ok(())
    });
    result.unwrap_or_else(|e| panic!("{e}"));
    let deep = "[".repeat(100_000);
    assert!(
        validate::parse(&deep).is_err(),
        "too deep, not a stack overflow"
    );
    let long = " ".repeat(validate::MAX_TEXT + 1);
    assert!(validate::parse(&long).is_err(), "too long");
}
