//! `timeslice sweep` as a user meets it.

use std::path::PathBuf;
use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_timeslice"))
        .args(args)
        .output()
        .expect("starts")
}

fn stdout(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// A file of this test process in the build folder.
fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("can be written");
    path
}

const BASE: &str = r#"{
  "version": 1,
  "name": "hogs",
  "machine": "i7860",
  "schedulers": [{ "id": "bfs" }, { "id": "4bsd" }],
  "groups": [{ "name": "hog", "count": 1, "behaviour": { "kind": "dhrystone", "params": { "workMs": 20 } } }],
  "end": { "atNs": 900000000, "whenAllExited": true }
}"#;

const SWEEP: &str = r#"{
  "name": "more and more hogs",
  "base": "BASE",
  "axes": [
    { "vary": "count", "group": "hog", "values": [1, 9] },
    { "vary": "seed", "values": [1, 2] }
  ],
  "metrics": ["elapsedNs", "lastExitNs", "migrations"]
}"#;

fn sweep_file(name: &str) -> PathBuf {
    let base = format!("{name}-base.json");
    file(&base, BASE);
    file(&format!("{name}.json"), &SWEEP.replace("BASE", &base))
}

#[test]
fn csv_has_a_row_for_each_run_in_the_order_of_the_axes() {
    let path = sweep_file("sweep-csv");
    let text = stdout(&run(&["sweep", path.to_str().expect("UTF-8"), "--csv"]));
    let lines: Vec<Vec<&str>> = text.lines().map(|l| l.split(',').collect()).collect();
    assert_eq!(
        lines[0],
        [
            "count",
            "seed",
            "scheduler",
            "era",
            "elapsedNs",
            "lastExitNs",
            "migrations",
            "digest"
        ]
    );
    let keys: Vec<[&str; 3]> = lines[1..].iter().map(|l| [l[0], l[1], l[2]]).collect();
    let mut expected = Vec::new();
    for count in ["1", "9"] {
        for seed in ["1", "2"] {
            for scheduler in ["bfs", "4bsd"] {
                expected.push([count, seed, scheduler]);
            }
        }
    }
    assert_eq!(keys, expected);
    assert!(lines.iter().all(|l| l.len() == 8));
}

#[test]
fn the_number_of_jobs_changes_nothing() {
    let path = sweep_file("sweep-jobs");
    let name = path.to_str().expect("UTF-8");
    let one = stdout(&run(&["sweep", name, "--json", "--jobs", "1"]));
    let four = stdout(&run(&["sweep", name, "--json", "--jobs", "4"]));
    assert_eq!(one, four);
    let rows: serde_json::Value = serde_json::from_str(&one).expect("JSON");
    assert_eq!(rows.as_array().map(Vec::len), Some(8));
    assert_eq!(rows[7]["at"]["count"], 9);
    assert!(rows[7]["values"]["lastExitNs"].as_f64() > rows[0]["values"]["lastExitNs"].as_f64());
}

#[test]
fn progress_goes_to_standard_error() {
    let path = sweep_file("sweep-progress");
    let output = run(&[
        "sweep",
        path.to_str().expect("UTF-8"),
        "--csv",
        "--jobs",
        "2",
    ]);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(errors.contains("4 of 4 points"), "{errors}");
    assert!(!stdout(&output).contains("points"));
}

#[test]
fn what_is_wrong_with_a_sweep_is_said() {
    let wrong = SWEEP
        .replace("\"hog\"", "\"dog\"")
        .replace("BASE", "bfs-smt");
    for (name, text, part) in [
        (
            "sweep-group.json",
            wrong.as_str(),
            "axes[0]: the group must be one of dhry",
        ),
        (
            "sweep-word.json",
            "{ \"name\": \"x\", \"bass\": 1 }",
            "unknown field `bass`",
        ),
        (
            "sweep-base.json",
            "{ \"name\": \"x\", \"base\": \"nowhere\" }",
            "nowhere: cannot be read",
        ),
    ] {
        let path = file(name, text);
        let output = run(&["sweep", path.to_str().expect("UTF-8")]);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(part), "{errors}");
    }
}

#[test]
fn no_heading_and_no_value_is_a_formula() {
    let base = file("sweep-formula-base.json", BASE);
    let base = base.file_name().and_then(|n| n.to_str()).expect("UTF-8");
    let sweep = SWEEP.replace("BASE", base).replace(
        r#""vary": "seed", "values": [1, 2]"#,
        r#""name": "=1+1;-2", "vary": "path", "id": "/groups/0/nice", "values": [-1, 2]"#,
    );
    let sweep = file("sweep-formula.json", &sweep);
    let text = stdout(&run(&["sweep", sweep.to_str().expect("UTF-8"), "--csv"]));
    assert!(text.starts_with("count,\"'=1+1;'-2\",scheduler"), "{text}");
    // Numbers stay numbers.
    assert!(text.contains("\n1,-1,bfs,"), "{text}");
}
