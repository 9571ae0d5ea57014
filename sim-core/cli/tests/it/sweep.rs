//! `timeslice sweep` as users meet it.

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

/// Columns of that sweep.
const COLUMNS: [&str; 16] = [
    "point",
    "lane",
    "key",
    "count",
    "seed",
    "machine",
    "scheduler",
    "era",
    "run_seed",
    "status",
    "message",
    "events",
    "digest",
    "elapsedNs",
    "lastExitNs",
    "migrations",
];

pub(crate) fn sweep_file(name: &str) -> PathBuf {
    let base = format!("{name}-base.json");
    file(&base, BASE);
    file(&format!("{name}.json"), &SWEEP.replace("BASE", &base))
}

#[test]
fn csv_has_a_row_for_each_run_in_the_order_of_the_axes() {
    let path = sweep_file("sweep-csv");
    let text = stdout(&run(&["sweep", path.to_str().expect("UTF-8"), "--csv"]));
    let lines: Vec<Vec<&str>> = text.lines().map(|l| l.split(',').collect()).collect();
    assert_eq!(lines[0], COLUMNS);
    let keys: Vec<[&str; 5]> = lines[1..]
        .iter()
        .map(|l| [l[0], l[1], l[3], l[4], l[6]])
        .collect();
    let mut expected = Vec::new();
    for (point, (count, seed)) in [("1", "1"), ("1", "2"), ("9", "1"), ("9", "2")]
        .into_iter()
        .enumerate()
    {
        for (lane, scheduler) in ["bfs", "4bsd"].into_iter().enumerate() {
            let [point, lane] = [point, lane].map(|n| ["0", "1", "2", "3"][n]);
            expected.push([point, lane, count, seed, scheduler]);
        }
    }
    assert_eq!(keys, expected);
    assert!(lines.iter().all(|l| l.len() == COLUMNS.len()));
    // Each run has its own key: no run was made twice.
    let mut keys: Vec<&str> = lines[1..].iter().map(|l| l[2]).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), 8);
    assert!(keys.iter().all(|key| key.len() == 32), "{keys:?}");
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
    assert_eq!(rows[7]["count"], 9);
    assert!(rows[7]["lastExitNs"].as_f64() > rows[0]["lastExitNs"].as_f64());
}

#[test]
fn json_lines_and_csv_hold_the_same_cells() {
    let path = sweep_file("sweep-formats");
    let of = |format| {
        let path = path.to_str().expect("UTF-8");
        stdout(&run(&["sweep", path, "--format", format]))
    };
    let (csv, json) = (of("csv"), of("jsonl"));
    let lines = csv.lines().skip(1);
    assert_eq!(json.lines().count(), 8);
    for (line, cells) in json.lines().zip(lines) {
        let row: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(line).expect("JSON");
        for (heading, cell) in COLUMNS.iter().zip(cells.split(',')) {
            let value = match &row[*heading] {
                serde_json::Value::Null => String::new(),
                serde_json::Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            assert_eq!(value, cell, "{heading}");
        }
    }
    let path = path.to_str().expect("UTF-8");
    let arrow = run(&["sweep", path, "--format", "arrow"]);
    assert_eq!(arrow.status.code(), Some(0));
    // The stream format begins with a continuation marker and ends with an empty message.
    assert!(arrow.stdout.starts_with(&[0xff; 4]));
    assert!(
        arrow
            .stdout
            .ends_with(&[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])
    );
}

#[test]
fn parts_together_are_the_whole() {
    let path = sweep_file("sweep-range");
    let name = path.to_str().expect("UTF-8");
    let of = |range: &[&str]| {
        stdout(&run(
            &[&["sweep", name, "--format", "jsonl"], range].concat()
        ))
    };
    let parts = of(&["--range", "..1"]) + &of(&["--range", "1..3"]) + &of(&["--range", "3.."]);
    assert_eq!(parts, of(&[]));
    let beyond = run(&["sweep", name, "--range", "3..5"]);
    let errors = String::from_utf8_lossy(&beyond.stderr).into_owned();
    assert_eq!(beyond.status.code(), Some(2));
    assert!(errors.contains("--range: must be within 0..4"), "{errors}");
}

#[test]
fn an_invalid_point_is_a_row_among_others() {
    let base = file("sweep-invalid-base.json", BASE);
    let base = base.file_name().and_then(|n| n.to_str()).expect("UTF-8");
    let sweep = r#"{ "name": "x", "base": "BASE", "metrics": ["hog/cpuNs", "thread/0/cpuNs"],
        "axes": [{ "vary": "nice", "values": [0, 33, 20] }] }"#;
    let path = file("sweep-invalid.json", &sweep.replace("BASE", base));
    let name = path.to_str().expect("UTF-8");
    let output = run(&["sweep", name, "--format", "jsonl"]);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        errors.contains("2 of 6 rows are invalid or failed"),
        "{errors}"
    );
    let text = stdout(&output);
    let rows: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let status: Vec<&str> = rows.iter().filter_map(|r| r["status"].as_str()).collect();
    assert_eq!(status, ["ok", "ok", "invalid", "invalid", "ok", "ok"]);
    let message = rows[2]["message"].as_str().expect("a text");
    assert!(
        message.contains("groups[0].nice: must be from -20 to 20"),
        "{message}"
    );
    assert!(rows[2]["hog/cpuNs"].is_null() && rows[2]["digest"].is_null());
    assert_eq!(
        (&rows[2]["machine"], &rows[2]["run_seed"]),
        (&"i7860".into(), &1.into())
    );
    // The thread is alone, so it is the group.
    assert!(rows[0]["hog/cpuNs"].as_f64() > Some(0.0));
    assert_eq!(rows[0]["hog/cpuNs"], rows[0]["thread/0/cpuNs"]);
}

#[test]
fn progress_is_for_terminals_alone() {
    let path = sweep_file("sweep-progress");
    let output = run(&[
        "sweep",
        path.to_str().expect("UTF-8"),
        "--csv",
        "--jobs",
        "2",
    ]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
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
            "axes[0]: must be one of dhry",
        ),
        (
            "sweep-word.json",
            "{ \"name\": \"x\", \"bass\": 1 }",
            "unknown field `bass`",
        ),
        (
            "sweep-measure.json",
            r#"{ "name": "x", "base": "bfs-smt", "metrics": ["dhry/speed"] }"#,
            "metrics[0]: after the group must come one of threads, cpuNs",
        ),
        (
            "sweep-tunable.json",
            r#"{ "name": "x", "base": "bfs-smt", "axes": [{ "vary": "tunable", "id": "x", "values": [1] }] }"#,
            "axes[0]: there is no tunable \"x\"; * has ",
        ),
        (
            "sweep-many.json",
            r#"{ "name": "x", "base": "bfs-smt", "axes": [
                { "vary": "seed", "name": "a", "values": [1,2,3,4,5,6,7,8,9,10] },
                { "vary": "seed", "name": "b", "values": [1,2,3,4,5,6,7,8,9,10] },
                { "vary": "seed", "name": "c", "values": [1,2,3,4,5,6,7,8,9,10] },
                { "vary": "seed", "name": "d", "values": [1,2,3,4,5,6,7,8,9,10] },
                { "vary": "seed", "name": "e", "values": [1,2,3] } ] }"#,
            "axes: the values make 30000 points; more than 20000 are run in parts only",
        ),
        (
            "sweep-base.json",
            "{ \"name\": \"x\", \"base\": \"nowhere\" }",
            "nowhere: there is no such file",
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
    assert!(
        text.contains(",count,\"'=1+1;'-2\",machine,scheduler"),
        "{text}"
    );
    // Numbers are written as numbers.
    assert!(text.contains(",1,-1,i7860,bfs,"), "{text}");
}

#[test]
fn an_axis_on_the_command_line_is_the_one_of_a_file() {
    let text = |args: &[&str]| stdout(&run(&[&["sweep"], args, &["--csv"]].concat()));
    let base = file("sweep-axis-base.json", BASE);
    let base = base.file_name().and_then(|n| n.to_str()).expect("UTF-8");
    let old = file("sweep-axis-old.json", &SWEEP.replace("BASE", base));
    let new = SWEEP
        .replace("BASE", base)
        .replace(
            r#""vary": "count", "group": "hog""#,
            r#""set": "groups.hog.count""#,
        )
        .replace(r#""vary": "seed""#, r#""set": "seed""#);
    let new = file("sweep-axis-new.json", &new);
    let none = format!(
        r#"{{ "name": "n", "base": "{base}", "metrics": ["elapsedNs", "lastExitNs", "migrations"] }}"#
    );
    let none = file("sweep-axis-none.json", &none);
    let [old, new, none] = [&old, &new, &none].map(|path| path.to_str().expect("UTF-8"));
    let expected = text(&[old]);
    assert_eq!(text(&[new]), expected);
    let axes = ["--axis", "groups.hog.count=1..9:8", "--axis", "seed=1,2"];
    assert_eq!(text(&[&[none], axes.as_slice()].concat()), expected);
    // A shipped scenario needs no file.
    let short = ["--set", "end.atNs=1ms", "--measure", "switches"];
    let shipped = text(
        &[
            &["bfs-smt", "--axis", "lanes=[\"bfs\",\"cfs\"]"],
            short.as_slice(),
        ]
        .concat(),
    );
    assert_eq!(shipped.lines().count(), 3, "{shipped}");
    // Its controls have a tunable that CFS lacks; the expression has a value all the same.
    let lanes = ["s3-nice", "--axis", "lanes=ule,cfs", "--set", "end.atNs=1s"];
    let shares = text(&[&lanes[..], &["--measure", "share(lane, first)"]].concat());
    let last = |line: &str| line.rsplit(',').next().is_some_and(|x| x.starts_with("0."));
    assert!(shares.lines().skip(1).all(last), "{shares}");
    for (axis, part) in [
        ("seed=3..1", "a range begins with the least number"),
        ("seed=a..b", "seed=a..b"),
        ("sed=1", "no path begins with \"sed\", expected one of"),
        ("seed", "must look like"),
    ] {
        let output = run(&["sweep", none, "--axis", axis]);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(part), "{errors}");
    }
}
