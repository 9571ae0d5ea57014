//! `timeslice claims`: its output, the files that it writes and reads, and its refusals.

use serde_json::Value;
use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_timeslice");
    let mut command = Command::new(program);
    command.arg("claims").args(args).output().expect("starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// Prints JSON, with exit code 0 or 1 (some claim does not hold).
fn json(args: &[&str]) -> Value {
    let output = run(&[args, &["--json"]].concat());
    assert!(output.status.code().is_some_and(|c| c < 2), "{args:?}");
    serde_json::from_str(&stdout(&output)).expect("JSON")
}

/// Checks that the program ends with 2 and prints all of these texts.
fn refuses(args: &[&str], said: &[&str]) {
    let output = run(args);
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    for part in said {
        assert!(text.contains(part), "{args:?}: {text}");
    }
}

const QUICK: [&str; 5] = ["S4-gain", "--seeds", "2", "--seconds", "1s"];

#[test]
fn an_evaluation_has_bounds_as_data_and_in_words_and_is_the_same_each_time() {
    let all = json(&QUICK);
    assert_eq!(all, json(&QUICK));
    let claim = &all[0];
    assert_eq!(claim["id"], "S4-gain");
    assert_eq!(claim["kind"], "calibration");
    let measure = &claim["measures"][0];
    assert_eq!(measure["bound"]["from"], 1.15);
    assert_eq!(measure["text"], "1.15 to 1.25");
    assert_eq!(measure["seeds"], 2);
    assert!(measure["half"].is_f64());
    let accepted = claim["acceptance"].as_str().expect("words");
    assert!(accepted.ends_with(": 1.15 to 1.25"), "{accepted}");
}

#[test]
fn results_that_were_saved_are_judged_without_running() {
    let path = format!("{}/results.json", env!("CARGO_TARGET_TMPDIR"));
    let saved = json(&[&QUICK[..], &["--save", &path]].concat());
    assert_eq!(json(&["S4-gain", "--results", &path]), saved);
    // Claims with missing runs are left out.
    assert_eq!(json(&["W2", "--results", &path]), Value::Array(Vec::new()));
    let text = std::fs::read_to_string(&path).expect("written");
    std::fs::write(&path, text.replacen("\"moves\"", "\"moves\",\"more\"", 1)).expect("writes");
    refuses(
        &["S4-gain", "--results", &path],
        &["S4/gain/4/1: there must be a value for each column"],
    );
}

#[test]
fn a_control_gives_the_verdict_that_it_says() {
    let output = run(&[&QUICK[..], &["--control"]].concat());
    assert_eq!(output.status.code(), Some(0));
    let text = stdout(&output);
    assert!(
        text.contains("S4-gain    FAILS          as expected: Dhrystone"),
        "{text}"
    );
}

#[test]
fn inputs_have_a_hash_that_depends_on_the_runs() {
    let of = |args: &[&str]| json(&[args, &["--inputs"]].concat());
    let one = of(&QUICK);
    assert_eq!(one[0]["hash"].as_str().map(str::len), Some(16));
    assert_eq!(one[0]["runs"], 4);
    assert_eq!(one[0]["schedulers"], serde_json::json!(["manual"]));
    assert_eq!(of(&QUICK), one);
    assert_ne!(
        of(&["S4-gain", "--seconds", "2s"])[0]["hash"],
        one[0]["hash"]
    );
}

#[test]
fn published_numbers_stand_beside_simulated_ones() {
    let all = json(&["W2", "--seeds", "1", "--seconds", "1s", "--numbers"]);
    assert_eq!(all["numbers"].as_array().map(Vec::len), Some(4));
    assert_eq!(all["numbers"][1]["published"], 2);
    assert!(all["meanErrors"]["S4"].as_f64().is_some_and(|e| e < 0.1));
}

#[test]
fn what_is_unknown_is_refused_with_what_is_known() {
    refuses(&["X99"], &["X99", "must be one of J1, J2"]);
    refuses(
        &["W1", "--what-if", "wish"],
        &["must be one of blind (s4), quiet (s4)", "got \"wish\""],
    );
    refuses(&["S1a", "--control"], &["S1a: this claim has no control"]);
    refuses(
        &["S4-gain", "--with", "bfs.hz=100"],
        &["scheduler: must be one of manual; got \"bfs\""],
    );
    refuses(&["--results", "/nowhere.json"], &["/nowhere.json"]);
}
