//! Threads on this machine. What a machine does is nobody's promise, so the run is short and only what must hold anywhere is
//! asked: that it is whole, and that the file says the same again.

use std::path::PathBuf;
use std::process::{Command, Output};

const PAIR: &str = r#"{ "version": 2, "name": "pair", "machine": "r3900x", "schedulers": [{ "id": "eevdf" }],
    "groups": [
        { "name": "hog", "count": 2, "nice": 1, "allowed": [0], "startSpacingNs": 0, "behaviour": { "kind": "compute" } },
        { "name": "typist", "count": 1, "allowed": [0],
          "behaviour": { "kind": "script", "params": { "program": "run 200us; sleep 5ms; yield; post 1; repeat" } } },
        { "name": "answer", "count": 1, "allowed": [0],
          "behaviour": { "kind": "script", "params": { "program": "take 1; run 100us; repeat" } } }
    ], "end": { "atNs": 1000000000 } }"#;

fn timeslice(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_timeslice"));
    command.args(args).output().expect("starts")
}

fn file(name: &str, text: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("can be written");
    path.to_str().expect("UTF-8").to_owned()
}

#[track_caller]
fn fails(args: &[&str], wanted: &str) {
    let output = timeslice(args);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains(wanted), "\"{wanted}\" is missing in: {told}");
}

#[test]
fn what_cannot_be_done_for_real_is_told_before_anything_runs() {
    fails(
        &["real", "s2b-request-server", "--cpus", "0"],
        "groups[0].behaviour.kind: \"requestServer\" cannot",
    );
    fails(&["real", "s3-nice", "--cpus", "x"], "is no list of CPUs");
    fails(
        &["real", "s3-nice", "--seconds", "0"],
        "must be from 0.1 to 600",
    );
    let other = file("real-other.json", "{}");
    fails(
        &["compare", &other, "s3-nice"],
        "is no file of `timeslice real`",
    );
    let pair = file("real-refused.json", &PAIR.replace("[0]", "[3]"));
    fails(
        &["real", &pair, "--cpus", "0"],
        "groups[0].allowed: names CPU 3, but --cpus gives 1",
    );
}

#[cfg(not(target_os = "linux"))]
#[test]
fn other_systems_are_refused() {
    fails(&["real", "s3-nice", "--cpus", "0"], "under Linux only");
}

/// Two short repeats of a scenario, which are kept in a file.
#[cfg(target_os = "linux")]
fn twice(scenario: &str, kept: &str, more: &[&str]) -> Output {
    let run = [
        ["real", scenario, "--repeat", "2"],
        ["--seconds", "0.3", "-o", kept],
    ];
    timeslice(&[run.concat().as_slice(), &["--json"], more].concat())
}

#[cfg(target_os = "linux")]
#[test]
fn threads_run_here_and_the_file_says_so_again() {
    let pair = file("real-pair.json", PAIR);
    let kept = file("real-run.json", "");
    let output = twice(&pair, &kept, &[]);
    let told = String::from_utf8_lossy(&output.stderr);
    if told.contains("this machine:") {
        // A sandbox may refuse affinity or attributes.
        eprintln!("skipped: {told}");
        return;
    }
    assert!(output.status.success(), "{told}");
    let here: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        (&here["repeats"], &here["ns"]),
        (&2.into(), &300_000_000.into())
    );
    let rows = here["rows"].as_array().expect("rows");
    let names: Vec<_> = rows.iter().filter_map(|r| r["name"].as_str()).collect();
    assert_eq!(names, ["hog-1", "hog-2", "typist-1", "answer-1"]);
    let share = |i: usize| rows[i]["share"]["here"]["mean"].as_f64().expect("a share");
    assert!(
        (share(0) + share(1) + share(2) + share(3) - 1.0).abs() < 1e-9,
        "{here}"
    );
    assert!(
        rows.iter()
            .all(|r| r["share"]["model"]["mean"].as_f64() > Some(0.0)),
        "{here}"
    );
    let text = std::fs::read_to_string(&kept).expect("was kept");
    let text: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    for repeat in text["repeats"].as_array().expect("repeats") {
        let typist = &repeat["threads"][2]["seen"];
        let woke = typist["latencies"].as_array().expect("latencies").len() as u64;
        assert!(
            typist["yields"]
                .as_u64()
                .is_some_and(|n| n <= woke + 1 && n + 1 >= woke),
            "{typist}"
        );
        // It computes 200 µs for each sleep, and perhaps a part of them at the end.
        let work = typist["workNs"].as_u64().expect("work");
        assert!(
            (woke * 200_000..=(woke + 2) * 200_000).contains(&work),
            "{typist}"
        );
        // Each token that it posts is answered with 100 µs.
        let answered = repeat["threads"][3]["seen"]["workNs"]
            .as_u64()
            .expect("work")
            / 100_000;
        assert!(answered <= woke + 1 && answered + 2 >= woke, "{repeat}");
    }

    let again = timeslice(&["compare", &kept, &pair, "--json"]);
    let again: serde_json::Value = serde_json::from_slice(&again.stdout).expect("JSON");
    assert_eq!(again, here, "the file says the same");
    let text = String::from_utf8(timeslice(&["compare", &kept, &pair]).stdout).expect("UTF-8");
    for part in [
        "here     Linux ",
        "others   had ",
        "hog-1",
        "farthest share",
    ] {
        assert!(text.contains(part), "{part} is missing in {text}");
    }
    fails(
        &["compare", &kept, "s3-nice"],
        "has other threads than s3-nice",
    );
    fails(
        &["compare", &kept, &pair, "--scheduler", "eevdf:1"],
        "the era of eevdf must be one of 6.12,",
    );
}

/// What cannot be tried here, so that a reader of the output sees it: libtest keeps what passing tests print.
#[cfg(target_os = "linux")]
fn skipped(test: &str, why: &str) {
    use std::io::Write;
    let told = format!("SKIPPED {test}: {}\n", why.trim());
    let _ = std::io::stderr().lock().write_all(told.as_bytes());
}

#[cfg(target_os = "linux")]
#[test]
fn with_rights_the_kernel_s_trace_has_the_turns_and_replay_reads_it() {
    // Names of its own: the other test's threads are in this trace, too, as neighbours.
    let named = ["hog", "typist", "answer"]
        .iter()
        .fold(PAIR.to_owned(), |text, name| {
            text.replace(&format!("\"{name}\""), &format!("\"q{name}\""))
        });
    let pair = file("real-traced.json", &named);
    let kept = file("real-traced-run.json", "");
    let trace = file("real-traced.txt", "");
    let output = twice(&pair, &kept, &["--trace", &trace]);
    let told = String::from_utf8_lossy(&output.stderr);
    // Without rights tracefs can be neither mounted nor written, and a sandbox may refuse affinity.
    let refusals = [
        "cannot be mounted",
        "cannot be made",
        "cannot be written",
        "cannot be used",
    ];
    if refusals.iter().any(|refusal| told.contains(refusal)) {
        skipped(
            "real::with_rights_the_kernel_s_trace_has_the_turns_and_replay_reads_it",
            &told,
        );
        return;
    }
    assert!(output.status.success(), "{told}");
    let text = std::fs::read_to_string(&kept).expect("was kept");
    let text: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let repeats = text["repeats"].as_array().expect("repeats");
    assert_eq!(
        (&repeats[0]["traced"], &repeats[1]["traced"]),
        (&true.into(), &serde_json::Value::Null)
    );
    for thread in repeats[0]["threads"].as_array().expect("threads") {
        let turns = thread["seen"]["turns"].as_array().expect("turns");
        assert!(!turns.is_empty(), "{thread}");
    }
    // The file is whole for whoever reads it again, and the trace for whoever is asked about it.
    assert!(timeslice(&["compare", &kept, &pair]).status.success());
    let replay = timeslice(&["replay", &trace, "--threads", "ts-q*", "--json"]);
    let told = String::from_utf8_lossy(&replay.stderr);
    assert!(replay.status.success(), "{told}");
    let instances = std::fs::read_dir("/sys/kernel/tracing/instances");
    let left = instances.into_iter().flatten().flatten();
    let own = left.filter(|entry| {
        entry
            .file_name()
            .to_string_lossy()
            .starts_with("timeslice-")
    });
    assert_eq!(own.count(), 0, "an instance was left behind");
}
