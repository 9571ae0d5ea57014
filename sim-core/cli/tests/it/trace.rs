//! `timeslice trace`: the formats that other programs read.

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
    text(&["bfs-smt", "--until", "100ms", "--format", name])
}

#[test]
fn csv_and_json_lines_hold_the_same_records() {
    let csv = format("csv");
    let rows: Vec<&str> = csv.trim_end().split("\r\n").collect();
    assert_eq!(
        rows[0],
        "seq,atNs,kind,cpu,task,other,reason,decision,placement,pick,preemption"
    );
    let json = format("jsonl");
    let objects: Vec<serde_json::Value> = json
        .lines()
        .map(|l| serde_json::from_str(l).expect("an object"))
        .collect();
    assert!(objects.len() > 50);
    assert_eq!(objects.len(), rows.len() - 1);
    let mut seconds = std::collections::BTreeSet::new();
    for (i, (object, row)) in objects.iter().zip(&rows[1..]).enumerate() {
        let cells: Vec<&str> = row.split(',').collect();
        assert_eq!(object["seq"], i, "no record is missing");
        assert_eq!(object["atNs"].to_string(), cells[1]);
        assert_eq!(object["kind"], cells[2]);
        assert_eq!(object["task"].as_str().unwrap_or(""), cells[4]);
        assert_eq!(object["reason"].as_str().unwrap_or(""), cells[6]);
        for (name, cell) in ["decision", "placement", "pick", "preemption"]
            .iter()
            .zip(&cells[7..])
        {
            let number = object[name]
                .as_u64()
                .map_or(String::new(), |n| n.to_string());
            assert_eq!(number, *cell, "{name} of {object}");
        }
        // The meaning of the second decision depends on the kind of the record.
        let second = match cells[2] {
            "switch" => "placement",
            "migrate" => "pick",
            _ => "preemption",
        };
        let others = ["placement", "pick", "preemption"]
            .into_iter()
            .filter(|name| *name != second);
        assert!(
            others.into_iter().all(|name| object[name].is_null()),
            "{object}"
        );
        seconds.insert((cells[2].to_owned(), object[second].is_u64()));
    }
    for kind in ["wakeup", "switch", "migrate"] {
        assert!(seconds.contains(&(kind.to_owned(), true)), "{kind}");
    }
}

#[test]
fn moves_between_queues_of_threads_that_do_not_run_are_rows() {
    let run = ["s4-i7980x", "--until", "600ms", "--format"];
    let json = text(&[&run[..], &["jsonl"]].concat());
    let csv = text(&[&run[..], &["csv"]].concat());
    let (mut rows, mut running) = (0, std::collections::BTreeSet::new());
    for (line, cells) in json.lines().zip(csv.split("\r\n").skip(1)) {
        let row: serde_json::Value = serde_json::from_str(line).expect("an object");
        let task = row["task"].as_str().unwrap_or("").to_owned();
        if row["kind"] == "switch" {
            running.remove(row["other"].as_str().unwrap_or(""));
            running.insert(task);
        } else if row["kind"] == "queue" {
            assert!(!running.contains(&task), "{line}");
            assert!(row["from"].is_u64() && row["to"].is_u64(), "{line}");
            assert_ne!(row["from"], row["to"], "{line}");
            let cause = row["cause"].as_str().expect("a cause");
            assert!(!cause.is_empty() && row["decision"].is_u64(), "{line}");
            let decision = format!("{},{}", cause, row["decision"]);
            let place = format!(",queue,{},{task},{},{decision},", row["to"], row["from"]);
            assert!(cells.contains(&place), "{cells} is not {line}");
            rows += 1;
        }
    }
    assert!(rows > 1, "{rows}");
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

/// What `ktrdump -ct` prints first.
const KTR_HEAD: [&str; 2] = [
    "index  cpu timestamp        trace",
    "------ --- ---------------- -----",
];

/// A text in quotes, and what follows it.
fn quoted(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix('"')?.split_once('"')
}

/// A row of KTR.
struct KtrRow<'a> {
    cpu: u64,
    id: &'a str,
    kind: &'a str,
    word: &'a str,
    attributes: Vec<(&'a str, &'a str)>,
}

/// Reads a row as schedgraph's patterns do: index, CPU and time; group, id, a type with its word, and attributes, which
/// are `name:value` with commas between.
fn ktr_row(row: &str) -> Option<KtrRow<'_>> {
    let (mut numbers, mut rest) = (Vec::new(), row);
    for _ in 0..3 {
        rest = rest.trim_start();
        let (number, after) = rest.split_once(' ')?;
        numbers.push(number.parse::<u64>().ok()?);
        rest = after;
    }
    let rest = rest.strip_prefix("KTRGRAPH group:")?;
    let (group, rest) = quoted(rest)?;
    let (id, rest) = quoted(rest.strip_prefix(", id:")?)?;
    let (kind, rest) = rest.strip_prefix(", ")?.split_once(':')?;
    let (word, rest) = quoted(rest)?;
    let mut attributes = Vec::new();
    let mut rest = rest.strip_prefix(", attributes: ")?;
    while !rest.is_empty() {
        let (name, value) = rest.split_once(':')?;
        let (value, after) = match quoted(value) {
            Some(split) => split,
            None => value.split_at(value.find(',').unwrap_or(value.len())),
        };
        attributes.push((name, value));
        rest = after.strip_prefix(", ").unwrap_or(after);
    }
    let known = group == "thread" && ["state", "point"].contains(&kind);
    known.then_some(KtrRow {
        cpu: numbers[1],
        id,
        kind,
        word,
        attributes,
    })
}

#[test]
fn rows_of_ktr_are_of_schedgraphs_grammar() {
    // The words for which schedgraph has a colour; it gives all others a random one.
    let words = [
        "running",
        "idle",
        "yielding",
        "sleep",
        "runq add",
        "thread exit",
        "statclock",
        "wokeup",
    ];
    let mut seen = std::collections::BTreeSet::new();
    for run in [["s2a-interactive-batch", "3"], ["s1-yield-storm", "1"]] {
        let args = [
            run[0], "--lane", run[1], "--until", "300ms", "--format", "ktr",
        ];
        let text = text(&args);
        let ids: std::collections::BTreeSet<&str> = text
            .lines()
            .skip(2)
            .map(|row| ktr_row(row).unwrap_or_else(|| panic!("{row}")).id)
            .collect();
        for row in text.lines().skip(2) {
            let read = ktr_row(row).expect("was read");
            assert!(words.contains(&read.word), "{row}");
            assert!(read.cpu < 64 && read.id.contains(" tid "), "{row}");
            let named: Vec<&str> = read.attributes.iter().map(|(name, _)| *name).collect();
            let wanted: &[&str] = match (read.kind, read.word) {
                ("point", "statclock") => &["prio", "stathz"],
                ("point", _) => &["linkedto"],
                (_, "runq add") if named.len() > 1 => &["prio", "linkedto"],
                _ => &["prio"],
            };
            assert_eq!(named, wanted, "{row}");
            for (name, value) in read.attributes {
                if name == "linkedto" {
                    assert!(ids.contains(value), "{row}");
                } else {
                    value.parse::<u32>().unwrap_or_else(|_| panic!("{row}"));
                }
            }
            seen.insert(read.word.to_owned());
        }
    }
    assert!(seen.len() >= 6, "{seen:?}");
}

#[test]
fn ktr_goes_from_the_newest_line_to_the_oldest() {
    let ktr = text(&["bfs-smt", "--until", "100ms", "--format", "ktr"]);
    let mut lines = ktr.lines();
    assert_eq!(
        [lines.next(), lines.next()],
        KTR_HEAD.map(Some),
        "as ktrdump -ct"
    );
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

/// The number after a key, up to the next space or comma.
fn field(line: &str, key: &str) -> i64 {
    let from = line
        .find(key)
        .unwrap_or_else(|| panic!("no {key} in {line}"))
        + key.len();
    let rest = &line[from..];
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '-');
    rest[..end.unwrap_or(rest.len())].parse().expect("a number")
}

#[test]
fn rows_of_ftrace_name_the_thread_that_is_current_on_their_cpu() {
    let ftrace = text(&["bfs-smt", "--until", "100ms", "--format", "ftrace"]);
    let mut on = [0_i64; 8];
    let (mut by_threads, mut by_idle) = (0, 0);
    for line in ftrace.lines().filter(|l| !l.starts_with('#')) {
        let head = line.split(" [").next().expect("a head").trim();
        let pid: i64 = head
            .rsplit('-')
            .next()
            .expect("a pid")
            .parse()
            .expect("a number");
        let cpu: usize = line[line.find('[').expect("a CPU") + 1..][..3]
            .parse()
            .expect("a number");
        assert_eq!(pid, on[cpu], "{line}");
        assert_eq!(head.starts_with("<idle>"), pid == 0, "{line}");
        if line.contains(": sched_switch: ") {
            on[cpu] = field(line, "next_pid=");
        } else if line.contains(": sched_wakeup: ") && pid == 0 {
            by_idle += 1;
        } else if line.contains(": sched_wakeup: ") {
            by_threads += 1;
        }
    }
    assert!(by_threads > 3 && by_idle > 3, "{by_threads} {by_idle}");
}

#[test]
fn ktr_has_the_priorities_that_the_scheduler_keeps() {
    let run = [
        "s2a-interactive-batch",
        "--until",
        "200ms",
        "--lane",
        "3",
        "--format",
    ];
    let ktr = text(&[&run[..], &["ktr"]].concat());
    let mut seen = std::collections::BTreeSet::new();
    for line in ktr.lines().filter(|l| l.contains("state:\"running\"")) {
        seen.insert(field(line, "prio:"));
    }
    // All interactive threads have nice 0; the less a thread has run, the better its priority.
    assert!(
        seen.len() > 3 && seen.iter().all(|p| (48..=223).contains(p)),
        "{seen:?}"
    );
    let other = text(&[
        "s2a-interactive-batch",
        "--until",
        "200ms",
        "--format",
        "ktr",
    ]);
    for line in other.lines().filter(|l| l.contains("state:\"running\"")) {
        assert_eq!(field(line, "prio:"), 120, "{line}");
    }
}

#[test]
fn ktr_links_who_was_woken_to_who_woke() {
    let ktr = text(&["bfs-smt", "--until", "100ms", "--format", "ktr"]);
    let mut lines: Vec<&str> = ktr.lines().skip(2).collect();
    lines.reverse();
    let id = |line: &str, key: &str| {
        let from = line.find(key)? + key.len();
        line[from..].split('"').next().map(str::to_owned)
    };
    let mut links = 0;
    for (line, next) in lines.iter().zip(&lines[1..]) {
        if let Some(waker) = id(line, "linkedto:\"").filter(|_| line.contains("runq add")) {
            assert!(next.contains("point:\"wokeup\""), "{next}");
            assert_eq!(id(next, "id:\""), Some(waker));
            assert_eq!(id(next, "linkedto:\""), id(line, "id:\""));
            links += 1;
        }
    }
    assert!(links > 10, "{links}");
}

#[test]
fn ktr_tells_how_many_time_stamps_make_a_second() {
    for (run, hz) in [
        (["s2a-interactive-batch", "3"], 250),
        (["bfs-smt", "1"], 1_000),
    ] {
        let ktr = text(&[run[0], "--lane", run[1], "--until", "2s", "--format", "ktr"]);
        let rows: Vec<Vec<&str>> = ktr
            .lines()
            .skip(2)
            .map(|l| l.split_whitespace().collect())
            .collect();
        let stamp = |row: &Vec<&str>| -> u64 { row[2].parse().expect("a stamp") };
        let span = stamp(&rows[0]) - stamp(rows.last().expect("rows"));
        let ticks = rows
            .iter()
            .filter(|r| r[1] == "0" && r.iter().any(|c| *c == format!("stathz:{hz}")));
        // The second as schedgraph computes it.
        let second = span / ticks.count() as u64 * hz;
        assert!(second.abs_diff(1_000_000_000) < 5_000_000, "{second}");
        let indices: Vec<u64> = rows
            .iter()
            .map(|r| r[0].parse().expect("an index"))
            .collect();
        assert!(
            indices.is_sorted_by(|a, b| *a == b + 1),
            "rows are numbered"
        );
    }
}

#[test]
fn hostile_names_break_no_line() {
    let name = "=1+1,\\\"a;-b\\\" ==> [9] x";
    let scenario = format!(
        r#"{{"version": 1, "name": "x", "machine": "i7860", "schedulers": [{{"id": "bfs"}}],
        "groups": [{{"name": "{name}", "count": 2, "behaviour": {{"kind": "dhrystone"}}}}], "end": {{"atNs": 20000000}}}}"#
    );
    let file = std::env::temp_dir().join(format!("timeslice-trace-{}.json", std::process::id()));
    std::fs::write(&file, scenario).expect("can be written");
    let path = file.to_str().expect("UTF-8");
    let csv = text(&[path, "--format", "csv"]);
    assert!(
        csv.contains(",\"'=1+1,\"\"a;'-b\"\" ==> [9] x-1\","),
        "{csv}"
    );
    let ftrace = text(&[path, "--format", "ftrace"]);
    for line in ftrace.lines().filter(|l| !l.starts_with('#')) {
        assert!(
            line.matches("] ").count() == 1 && line.matches("==>").count() <= 1,
            "{line}"
        );
    }
    for line in text(&[path, "--format", "ktr"]).lines().skip(2) {
        let linked = 2 * line.matches("linkedto:").count();
        assert_eq!(line.matches('"').count(), 6 + linked, "{line}");
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

#[test]
fn a_trace_of_one_scheduler_is_that_of_its_lane() {
    let of = |more: &[&str]| text(&[&["s4-i7980x", "--until", "20ms"], more].concat());
    let lane = of(&["--lane", "3"]);
    assert_eq!(of(&["--scheduler", "bfs", "--lane", "2"]), lane);
    assert_ne!(of(&["--scheduler", "bfs"]), lane);
    assert_ne!(of(&["--scheduler", "eevdf"]), lane, "not in the scenario");
    let output = trace(&["s4-i7980x", "--scheduler", "fair"]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("--scheduler: must be one of bfs,"), "{told}");
}

#[test]
fn decisions_for_chrome_are_marks_beside_the_turns_of_the_trace() {
    let decisions = |more: &[&str]| {
        let call = ["decisions", "bfs-smt", "--until", "100ms", "--format"];
        let output = Command::new(env!("CARGO_BIN_EXE_timeslice"))
            .args([&call[..], more].concat())
            .output()
            .expect("starts");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let entries = |more: &[&str]| -> Vec<serde_json::Value> {
        serde_json::from_str(&decisions(&[&["chrome"], more].concat())).expect("a list")
    };
    let of = |entries: &[serde_json::Value], kind: &str| {
        let found = entries.iter().filter(|e| e["ph"] == kind);
        found.cloned().collect::<Vec<_>>()
    };
    let all = entries(&[]);
    let told = decisions(&["json"]);
    let marks = of(&all, "i");
    assert_eq!(marks.len(), told.lines().count());
    for (mark, line) in marks.iter().zip(told.lines()) {
        let told: serde_json::Value = serde_json::from_str(line).expect("an object");
        assert_eq!(mark["args"], told);
        assert_eq!(mark["name"], told["reason"]);
        let (us, ns) = (mark["ts"].as_f64(), told["atNs"].as_f64());
        assert_eq!(us, ns.map(|ns| ns / 1e3));
    }
    // One turn for each record of a thread that takes a CPU.
    let turns = of(&all, "X");
    let begins = format("jsonl")
        .lines()
        .filter(|l| l.contains("\"kind\":\"switch\"") && l.contains("\"task\":"))
        .count();
    assert_eq!(turns.len(), begins);
    let end =
        |turn: &serde_json::Value| turn["ts"].as_f64().unwrap() + turn["dur"].as_f64().unwrap();
    let last = turns.iter().map(end).fold(0.0, f64::max);
    assert!((last - 100_000.0).abs() < 0.001, "{last}");
    for cpu in 0..8 {
        let mut row: Vec<_> = turns.iter().filter(|t| t["tid"] == cpu).collect();
        row.sort_by(|a, b| {
            a["ts"]
                .as_f64()
                .unwrap()
                .total_cmp(&b["ts"].as_f64().unwrap())
        });
        for pair in row.windows(2) {
            assert!(
                end(pair[0]) <= pair[1]["ts"].as_f64().unwrap() + 0.0005,
                "{pair:?}"
            );
        }
    }
    // A part begins in the middle of turns.
    let part = entries(&["--from", "50ms"]);
    let turns = of(&part, "X");
    let first = turns.iter().map(|t| t["ts"].as_f64().unwrap());
    assert_eq!(first.fold(f64::INFINITY, f64::min), 50_000.0);
}
