//! `timeslice trace`: what other programs get to read.

use std::process::{Command, Output};

fn trace(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_timeslice"))
        .arg("trace")
        .args(args)
        .output()
        .expect("starts")
}

fn text(args: &[&str]) -> String {
    let output = trace(args);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn format(name: &str) -> String {
    text(&["bfs-smt", "--until", "30ms", "--format", name])
}

#[test]
fn csv_and_json_lines_hold_the_same_records() {
    let csv = format("csv");
    let rows: Vec<&str> = csv.trim_end().split("\r\n").collect();
    assert_eq!(rows[0], "seq,atNs,kind,cpu,task,other,reason,decision");
    let json = format("jsonl");
    let objects: Vec<serde_json::Value> = json
        .lines()
        .map(|l| serde_json::from_str(l).expect("an object"))
        .collect();
    assert!(objects.len() > 50);
    assert_eq!(objects.len(), rows.len() - 1);
    for (i, (object, row)) in objects.iter().zip(&rows[1..]).enumerate() {
        let cells: Vec<&str> = row.split(',').collect();
        assert_eq!(object["seq"], i, "no record is missing");
        assert_eq!(object["atNs"].to_string(), cells[1]);
        assert_eq!(object["kind"], cells[2]);
        assert_eq!(object["task"].as_str().unwrap_or(""), cells[4]);
        assert_eq!(object["reason"].as_str().unwrap_or(""), cells[6]);
    }
}

#[test]
fn a_long_run_loses_no_record() {
    let json = text(&["bfs-smt", "--until", "20s", "--format", "jsonl"]);
    for (i, line) in json.lines().enumerate() {
        assert!(line.starts_with(&format!("{{\"seq\":{i},")), "{line}");
    }
}

#[test]
fn ftrace_says_who_follows_whom() {
    let ftrace = format("ftrace");
    let mut on = [0_u32; 8];
    let mut switches = 0;
    for line in ftrace.lines().filter(|l| l.contains(": sched_switch: ")) {
        let field = |key: &str| -> u32 {
            let from = line.find(key).expect("a field") + key.len();
            let digits = line[from..].split_whitespace().next().expect("a value");
            digits.parse().expect("a number")
        };
        let cpu: usize = line[line.find('[').expect("a CPU") + 1..][..3]
            .parse()
            .expect("a number");
        assert_eq!(field("prev_pid="), on[cpu], "{line}");
        on[cpu] = field("next_pid=");
        switches += 1;
    }
    assert!(switches > 20);
}

#[test]
fn ktr_goes_from_the_newest_line_to_the_oldest() {
    let ktr = format("ktr");
    let mut lines = ktr.lines();
    assert!(lines.next().expect("a header").starts_with("index"));
    let stamps: Vec<u64> = lines
        .map(|l| {
            l.split_whitespace()
                .nth(2)
                .expect("a stamp")
                .parse()
                .expect("a number")
        })
        .collect();
    assert!(stamps.len() > 50 && stamps.is_sorted_by(|a, b| a >= b));
    let oldest = ktr.lines().last().expect("a line");
    assert!(
        oldest.contains("id:\"dhry-1 tid 100001\", state:\"runq add\""),
        "{oldest}"
    );
}

#[test]
fn hostile_names_break_no_line() {
    let name = "=1+1,\\\"a\\nb\\\" ==> [9] x";
    let scenario = format!(
        r#"{{"version": 1, "name": "x", "machine": "i7860", "schedulers": [{{"id": "bfs"}}],
        "groups": [{{"name": "{name}", "count": 2, "behaviour": {{"kind": "dhrystone"}}}}], "end": {{"atNs": 20000000}}}}"#
    );
    let file = std::env::temp_dir().join(format!("timeslice-trace-{}.json", std::process::id()));
    std::fs::write(&file, scenario).expect("can be written");
    let path = file.to_str().expect("UTF-8");
    let csv = text(&[path, "--format", "csv"]);
    assert!(
        csv.contains(",\"'=1+1,\"\"a\nb\"\" ==> [9] x-1\","),
        "{csv}"
    );
    let ftrace = text(&[path, "--format", "ftrace"]);
    for line in ftrace.lines().filter(|l| !l.starts_with('#')) {
        assert!(
            line.contains("] d..2 ") && line.matches("==>").count() <= 1,
            "{line}"
        );
    }
    for line in text(&[path, "--format", "ktr"]).lines().skip(1) {
        assert_eq!(line.matches('"').count(), 6, "{line}");
    }
    std::fs::remove_file(file).expect("was written");
}

#[test]
fn what_is_not_there_is_named() {
    for (args, wanted) in [
        (
            ["bfs-smt", "--format", "xml"],
            "must be one of csv, jsonl, ftrace, ktr",
        ),
        (["bfs-smt", "--lane", "9"], "must be from 1 to 3, got 9"),
        (["bfs-smt", "--until", "1"], "units ns, us, ms, s"),
    ] {
        let output = trace(&args);
        assert_eq!(output.status.code(), Some(2));
        let error = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(error.contains(wanted), "{error}");
    }
}
