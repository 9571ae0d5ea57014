//! `timeslice import`: a trace of a real machine as numbers, and the workload behind it as a file.

use std::path::PathBuf;
use std::process::{Command, Output};

fn import(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_timeslice"))
        .arg("import")
        .args(args)
        .output()
        .expect("starts")
}

fn trace(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/traces");
    folder.join(name).to_str().expect("UTF-8").to_owned()
}

#[test]
fn a_trace_is_summed_up() {
    let file = trace("smp5.ftrace.txt");
    let output = import(&[&file, "--threads", "3"]);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let mut lines = text.lines();
    let first = lines.next().expect("a line");
    assert!(
        first.starts_with("ftrace text: 3107.150 ms, 2 CPUs, "),
        "{first}"
    );
    let row = lines
        .find(|line| line.starts_with("tsw-h1 "))
        .expect("a thread");
    let cells: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(cells[1..3], ["5559", "129.253"], "{row}");
    assert!(text.ends_with("threads with less CPU time\n"), "{text}");

    let output = import(&[&file, "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let threads = json["threads"].as_array().expect("threads");
    let thread = threads.iter().find(|t| t["pid"] == 5559).expect("a thread");
    assert_eq!(thread["cpuNs"], 129_253_000);
    assert_eq!(json["format"], "ftrace");
}

#[test]
fn a_workload_names_nobody_unless_it_is_asked_to() {
    let file = trace("hogs2.perf-script.txt");
    let path = std::env::temp_dir().join(format!("timeslice-import-{}.tsw", std::process::id()));
    let place = path.to_str().expect("UTF-8");
    let written = |args: &[&str]| {
        let output = import(&[&[&file, "-o", place], args].concat());
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&std::fs::read(&path).expect("a file")).into_owned()
    };
    let (replaced, kept) = (written(&[]), written(&["--keep-names"]));
    std::fs::remove_file(&path).expect("a file");
    assert!(replaced.starts_with("timeslice-workload 1\n"), "{replaced}");
    assert!(!replaced.contains("tsw-"), "{replaced}");
    assert!(kept.contains("\"tsw-a\""), "{kept}");
}

#[test]
fn what_cannot_be_read_says_what_to_do() {
    let path = std::env::temp_dir().join(format!("timeslice-import-{}.dat", std::process::id()));
    std::fs::write(&path, b"PERFILE2\x68\0\0\0").expect("a file");
    let output = import(&[path.to_str().expect("UTF-8")]);
    std::fs::remove_file(&path).expect("a file");
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(
        error.contains("perf script -i perf.data > trace.txt"),
        "{error}"
    );
}

#[test]
fn a_part_of_a_trace_is_as_long_as_it_was_asked_for() {
    let file = trace("half1.1.stat_runtime.ftrace.txt");
    let of = |args: &[&str]| {
        let output = import(&[&[&file, "--json"], args].concat());
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice::<serde_json::Value>(&output.stdout).expect("JSON")
    };
    let (all, part) = (of(&[]), of(&["--from", "500ms", "--to", "1.5s"]));
    let number = |json: &serde_json::Value, key: &str| json[key].as_u64().expect("a number");
    let begin = number(&part, "beginNs") - number(&all, "beginNs");
    assert!((500_000_000..600_000_000).contains(&begin), "{begin}");
    assert!(
        (900_000_000..=1_000_000_000).contains(&number(&part, "spanNs")),
        "{part}"
    );
    let ran = |json: &serde_json::Value| {
        let threads = json["threads"].as_array().expect("threads");
        threads.iter().map(|t| number(t, "cpuNs")).sum::<u64>()
    };
    // The parts have what all has, but for what is unknown at their borders.
    let rest = ran(&of(&["--to", "500ms"])) + ran(&of(&["--from", "1.5s"]));
    let (all, parts) = (ran(&all), ran(&part) + rest);
    assert!(parts.abs_diff(all) < 20_000_000, "{parts} of {all}");
    for (args, wanted) in [
        (
            ["--from", "2s", "--to", "1s"],
            "--to: must be later than --from",
        ),
        (
            ["--from", "1h", "--to", "2h"],
            "the part has no sched_switch",
        ),
    ] {
        let output = import(&[&[file.as_str()], &args[..]].concat());
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && told.contains(wanted), "{told}");
    }
}
