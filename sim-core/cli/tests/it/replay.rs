//! `timeslice replay`: the rules asked about a real trace, as a table and as JSON.

use std::path::PathBuf;
use std::process::{Command, Output};

fn replay(args: &[&str]) -> Output {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/traces");
    let mut command = Command::new(env!("CARGO_BIN_EXE_timeslice"));
    command.current_dir(folder).arg("replay").args(args);
    command.output().expect("starts")
}

const HALF: &str = "half1.1.stat_runtime.ftrace.txt";

#[test]
fn a_disagreement_is_told_with_the_card_of_the_rules() {
    let output = replay(&[HALF, "--threads", "tsw-*"]);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    for line in [
        "a CPU takes one of several threads              258      258      0      0  100.00 %",
        "2528.357881 s, cpu 1: the kernel took tsw-s after a wake-up; the rules take tsw-h0",
        "  tsw-s waits: what runs on cpu 1 is still protected. Lag 0 ms, of what runs 0 ms.",
    ] {
        assert!(text.lines().any(|l| l == line), "{line}\n{text}");
    }

    let output = replay(&[HALF, "--json", "--scheduler", "eevdf:7.2"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["controls"][0]["control"], "smallestVruntime");
    let picks = json["disagreements"].as_array().expect("disagreements");
    let pick = picks.iter().find(|d| d["about"] == "pick").expect("a pick");
    assert_eq!(pick["reason"], "earliest_deadline", "{pick}");
    assert!(
        pick["queue"].as_array().is_some_and(|q| q.len() > 1),
        "{pick}"
    );
}

#[test]
fn what_cannot_be_asked_is_refused_with_the_option() {
    for (args, told) in [
        (vec!["nice_0_5.ftrace.txt"], "sched_stat_runtime"),
        (vec![HALF, "--scheduler", "eevdf:9"], "--scheduler"),
        (vec![HALF, "--slice", "tsw-a"], "PATTERN=TIME"),
        (vec![HALF, "--tunable", "hz=soon"], "hz"),
    ] {
        let output = replay(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let text = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(text.contains(told), "{args:?}: {text}");
    }
}
