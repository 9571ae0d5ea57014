//! Studying a run from the command line: decisions, stopping at one, windows, columns, edits on threads.

use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::{Command, Output, Stdio};

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_timeslice"))
        .args(args)
        .output()
        .expect("starts")
}

fn run_with(args: &[&str], input: &Value) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_timeslice"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    let mut stdin = child.stdin.take().expect("piped");
    stdin
        .write_all(input.to_string().as_bytes())
        .expect("reads all of it");
    drop(stdin);
    child.wait_with_output().expect("ends")
}

#[track_caller]
fn stdout(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

#[track_caller]
fn fails(output: &Output, code: i32, wanted: &str) {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{errors}");
    assert!(
        errors.contains(wanted),
        "\"{wanted}\" is missing in: {errors}"
    );
    assert!(output.stdout.is_empty(), "errors go to standard error");
}

#[track_caller]
fn lines(args: &[&str]) -> Vec<Value> {
    let text = stdout(&run(args));
    text.lines()
        .map(|l| serde_json::from_str(l).expect("an object"))
        .collect()
}

fn reports(args: &[&str]) -> Vec<Value> {
    serde_json::from_str(&stdout(&run(args))).expect("JSON")
}

const ALL: [&str; 5] = ["decisions", "s4-i7980x", "--json", "--until", "200ms"];

fn with<'a>(args: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    args.iter().chain(more).copied().collect()
}

#[test]
fn a_decision_named_by_a_record_is_among_the_decisions() {
    for lane in ["1", "3"] {
        let decisions = lines(&with(&ALL, &["--lane", lane]));
        let at: BTreeMap<u64, u64> = decisions
            .iter()
            .map(|d| {
                (
                    d["id"].as_u64().expect("id"),
                    d["atNs"].as_u64().expect("atNs"),
                )
            })
            .collect();
        assert_eq!(at.len(), decisions.len(), "no id is given twice");
        let trace = [
            "trace",
            "s4-i7980x",
            "--format",
            "jsonl",
            "--until",
            "200ms",
            "--lane",
            lane,
        ];
        let rows = lines(&trace);
        let named: Vec<&Value> = rows.iter().filter(|r| !r["decision"].is_null()).collect();
        assert!(named.len() > 40);
        for row in named {
            for id in ["decision", "also"].iter().filter_map(|k| row[k].as_u64()) {
                let found = at.get(&id);
                let at = found.unwrap_or_else(|| panic!("{row} names a decision that is not told"));
                assert!(Some(*at) <= row["atNs"].as_u64(), "{row}");
            }
        }
        let names = |list: &[Value]| -> BTreeSet<String> {
            let names = list.iter().filter_map(|v| v["task"].as_str());
            names.map(str::to_owned).collect()
        };
        assert!(names(&decisions).is_subset(&names(&rows)));
    }
}

#[test]
fn filters_leave_those_that_were_asked_for() {
    let all = lines(&ALL);
    assert!(all.len() > 100);
    let some = |more: &[&str]| lines(&with(&ALL, more));
    let only = |wanted: &dyn Fn(&Value) -> bool| -> Vec<Value> {
        let left: Vec<Value> = all.iter().filter(|d| wanted(d)).cloned().collect();
        assert!(!left.is_empty() && left.len() < all.len());
        left
    };
    assert_eq!(
        some(&["--thread", "daemon-4"]),
        only(&|d| d["task"] == "daemon-4")
    );
    assert_eq!(some(&["--cpu", "3"]), only(&|d| d["cpu"] == 3));
    assert_eq!(
        some(&["--reason", "idlest_cpu"]),
        only(&|d| d["reason"] == "idlest_cpu")
    );
    assert_eq!(
        some(&["--reason", "pickNext"]),
        only(&|d| d["kind"] == "pickNext")
    );
    assert_eq!(
        some(&["--from", "0.1s"]),
        only(&|d| d["atNs"].as_u64() >= Some(100_000_000))
    );
    assert_eq!(some(&["--limit", "7"]), all[..7]);
    assert_eq!(some(&["--limit", "0"]), Vec::<Value>::new());
}

#[test]
fn a_decision_says_where_the_kernel_takes_it_and_what_lost() {
    let lines = lines(&with(&ALL, &["--lane", "3", "--full"]));
    let mut chosen = 0;
    for d in &lines {
        for key in ["id", "atNs", "words", "reason", "function", "release"] {
            assert!(!d[key].is_null(), "{key} is missing in {d}");
        }
        assert!(!d["function"].as_str().expect("text").contains('@'), "{d}");
        for o in d["operands"].as_array().expect("a list") {
            assert!(o["name"].is_string() && o["unit"].is_string(), "{d}");
            assert!(o["value"].is_i64(), "{d}");
        }
        let candidates = d["candidates"].as_array().expect("a list");
        chosen += candidates.iter().filter(|c| c["chosen"] == true).count();
    }
    assert!(chosen > 20, "{chosen}");
    let plain = lines.iter().zip(self::lines(&with(&ALL, &["--lane", "3"])));
    for (full, plain) in plain {
        let mut full = full.clone();
        full.as_object_mut()
            .expect("an object")
            .remove("candidates");
        assert_eq!(full, plain, "asking for more changes nothing else");
    }
    let text = stdout(&run(&[
        "decisions",
        "s4-i7980x",
        "--until",
        "200ms",
        "--lane",
        "3",
    ]));
    assert_eq!(text.lines().count(), lines.len(), "one line a decision");
    for (line, d) in text.lines().zip(&lines) {
        let words = d["words"].as_str().expect("words");
        assert!(
            line.contains(words) && line.contains(&format!("#{}", d["id"])),
            "{line}"
        );
    }
}

#[test]
fn decisions_of_one_scheduler_are_those_of_its_lanes() {
    for (lane, own) in [
        ("3", &["--scheduler", "bfs", "--lane", "2"][..]),
        ("4", &["--scheduler", "manual"]),
    ] {
        let all = lines(&with(&ALL, &["--lane", lane]));
        assert_eq!(lines(&with(&ALL, own)), all, "{own:?}");
    }
    let other = lines(&with(&ALL, &["--scheduler", "eevdf"]));
    let release = other[0]["release"].as_str().expect("a release");
    assert!(release.starts_with("Linux 6"), "{release}");
    let more = ["--scheduler", "bfs", "--lane", "3"];
    let wanted = "--lane: must be from 1 to 2, got 3";
    fails(&run(&with(&ALL, &more)), 2, wanted);
}

#[test]
fn what_cannot_be_asked_for_is_named() {
    for (more, wanted) in [
        (["--scheduler", "fair"], "--scheduler: must be one of bfs,"),
        (["--lane", "9"], "--lane: must be from 1 to 4, got 9"),
        (["--cpu", "12"], "--cpu: must be from 0 to 11, got 12"),
        (
            ["--thread", "nobody-1"],
            "--thread: no thread was called \"nobody-1\"",
        ),
        (
            ["--reason", "whim"],
            "--reason: must be one of prev_cpu, prev_idle",
        ),
        (["--from", "2s"], "--from: must not be after --until"),
    ] {
        fails(&run(&with(&ALL, &more)), 2, wanted);
    }
}

#[test]
fn a_run_stops_at_the_nth_decision_of_its_kind() {
    let wanted = [
        "--lane",
        "3",
        "--thread",
        "daemon-4",
        "--reason",
        "earliest_deadline",
    ];
    let list = lines(&with(&ALL, &wanted));
    let third = list.get(2).expect("three of them");
    let spec = "earliest_deadline,thread=daemon-4,lane=3,nth=3";
    let output = stdout(&run(&["run", "s4-i7980x", "--stop-at", spec, "--json"]));
    let stopped: Value = serde_json::from_str(&output).expect("JSON");
    for key in ["id", "atNs", "cpu", "task", "reason", "words", "operands"] {
        assert_eq!(stopped["decision"][key], third[key], "{key}");
    }
    assert_eq!(
        (&stopped["lane"], &stopped["scheduler"]),
        (&json!(3), &json!("bfs"))
    );
    assert_eq!(stopped["thread"]["name"], "daemon-4");
    assert_eq!(stopped["thread"]["state"], "running");
    let cpu = third["cpu"].as_u64().expect("a number");
    let cpus = stopped["cpus"].as_array().expect("a list");
    assert_eq!(cpus.len(), 12);
    let here = cpus.iter().find(|c| c["cpu"] == cpu).expect("there");
    assert_eq!(
        here["thread"], "daemon-4",
        "the present is that of the decision"
    );
    let text = stdout(&run(&["run", "s4-i7980x", "--stop-at", spec]));
    for part in [
        "numbers: ",
        "kernel: earliest_deadline_task @ BFS",
        "daemon-4  running",
        "cpu 11",
    ] {
        assert!(text.contains(part), "\"{part}\" is missing in {text}");
    }
    assert!(
        text.contains(third["words"].as_str().expect("words")),
        "{text}"
    );
    assert!(!text.contains("digest"), "it goes no further");
}

#[test]
fn what_never_happens_is_nothing_to_stop_at() {
    let stop = |spec: &str| run(&["run", "s4-i7980x", "--until", "50ms", "--stop-at", spec]);
    fails(
        &stop("not_affine,thread=daemon-1,nth=999"),
        1,
        "of 999 found",
    );
    fails(
        &stop("not_affine,thread=nobody-7"),
        2,
        "no thread was called \"nobody-7\"",
    );
    fails(&stop("whim"), 2, "must be one of prev_cpu");
    fails(&stop("not_affine,lane=5"), 2, "must be from 1 to 4, got 5");
    fails(
        &stop("not_affine,cpu=99"),
        2,
        "must be from 0 to 11, got 99",
    );
    for spec in [
        "",
        "cpu=1",
        "not_affine,colour=red",
        "not_affine,nth=0",
        "not_affine,nth",
    ] {
        assert_eq!(stop(spec).status.code(), Some(2), "{spec}");
    }
}

/// Totals of a report that only grow, by name.
fn totals(report: &Value) -> BTreeMap<String, u64> {
    let mut totals = BTreeMap::new();
    for (list, id, keys) in [
        (
            "threads",
            "name",
            &[
                "cpuNs",
                "waitNs",
                "sleepNs",
                "switches",
                "involuntary",
                "migrations",
                "placements",
            ][..],
        ),
        (
            "groups",
            "name",
            &["cpuNs", "waitNs", "switches", "migrations", "placements"],
        ),
        ("cpus", "cpu", &["busyNs", "idleNs", "overheadNs"]),
    ] {
        for item in report[list].as_array().expect(list) {
            for key in keys {
                let value = item[*key].as_u64().expect("a whole number");
                totals.insert(format!("{list} {} {key}", item[id]), value);
            }
        }
    }
    totals
}

#[test]
fn a_warm_up_is_left_out_of_every_total() {
    const RUN: [&str; 5] = ["run", "s4-i7980x", "--json", "--seed", "3"];
    let to = reports(&with(&RUN, &["--until", "120ms"]));
    let whole = reports(&with(&RUN, &["--until", "0.3s"]));
    let window = reports(&with(&RUN, &["--until", "300ms", "--from", "120ms"]));
    assert_eq!(window.len(), 4);
    for ((to, whole), window) in to.iter().zip(&whole).zip(&window) {
        assert_eq!(
            (&window["fromNs"], &window["elapsedNs"]),
            (&json!(120_000_000), &json!(180_000_000))
        );
        assert_eq!(
            window["digest"], whole["digest"],
            "measuring changes nothing"
        );
        let (before, all) = (totals(to), totals(whole));
        for (key, value) in totals(window) {
            // Threads that were forked later had no totals before.
            let earlier = before.get(&key).copied().unwrap_or(0);
            assert_eq!(value, all[&key] - earlier, "{key}");
        }
        let busy: u64 = window["cpus"]
            .as_array()
            .expect("cpus")
            .iter()
            .map(|c| c["busyNs"].as_u64().expect("ns") + c["overheadNs"].as_u64().expect("ns"))
            .sum();
        let expected = busy as f64 / 180e6;
        let measured = window["metrics"]["utilisation"].as_f64().expect("a number");
        assert!((measured - expected).abs() < 1e-9, "{measured} {expected}");
    }
}

/// Longest waits by thread, without and before the first run, computed from the records: waits that end after `from` or
/// are open at `until`.
fn waits(rows: &[Value], from: u64, until: u64) -> BTreeMap<String, (u64, u64)> {
    let mut since: BTreeMap<String, u64> = BTreeMap::new();
    let mut ran: BTreeSet<String> = BTreeSet::new();
    let mut longest: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    let mut end = |name: &str, begin: u64, at: u64, first: bool| {
        let (later, before_first) = longest.entry(name.to_owned()).or_default();
        let most = if first { before_first } else { later };
        *most = (at - begin).max(*most);
    };
    for row in rows {
        let at = row["atNs"].as_u64().expect("a time");
        let task = row["task"].as_str().map(str::to_owned);
        match row["kind"].as_str().expect("a kind") {
            "wakeup" | "fork" => {
                since.insert(task.expect("a thread"), at);
            }
            "switch" => {
                let leaves =
                    ["involuntary", "yield"].contains(&row["reason"].as_str().unwrap_or(""));
                if let (true, Some(left)) = (leaves, row["other"].as_str()) {
                    since.insert(left.to_owned(), at);
                }
                if let Some(task) = task {
                    let begin = since.remove(&task).expect("it waited");
                    let first = ran.insert(task.clone());
                    // A wait that ends at exactly this time ends before the window.
                    if at > from {
                        end(&task, begin, at, first);
                    }
                }
            }
            _ => {}
        }
    }
    for (task, begin) in since {
        end(&task, begin, until, !ran.contains(&task));
    }
    longest
}

#[test]
fn the_wait_before_the_first_run_is_told_apart_and_open_waits_count_in_full() {
    let args = [
        "run",
        "s2a-interactive-batch",
        "--json",
        "--until",
        "700ms",
        "--from",
        "0.2s",
    ];
    for (lane, report) in reports(&args).iter().enumerate() {
        let lane = (lane + 1).to_string();
        let trace = [
            "trace",
            "s2a-interactive-batch",
            "--format",
            "jsonl",
            "--until",
            "700ms",
            "--lane",
            &lane,
        ];
        let expected = waits(&lines(&trace), 200_000_000, 700_000_000);
        let (mut both, mut open) = (0, 0);
        for t in report["threads"].as_array().expect("threads") {
            let told = ["longestWaitNs", "longestFirstWaitNs"].map(|k| t[k].as_u64().expect("ns"));
            let name = t["name"].as_str().expect("a name");
            let seen = expected.get(name).copied().unwrap_or_default();
            assert_eq!((told[0], told[1]), seen, "{name} in lane {lane}");
            both += u32::from(told[0] > 0 && told[1] > 0);
            open += u32::from(told[0].max(told[1]) > 500_000_000);
        }
        let group = &report["groups"][0];
        let most = |key: &str| -> Option<u64> {
            let threads = report["threads"].as_array().expect("threads").iter();
            threads
                .filter(|t| t["group"] == group["name"])
                .filter_map(|t| t[key].as_u64())
                .max()
        };
        for key in ["longestWaitNs", "longestFirstWaitNs"] {
            assert_eq!(group[key].as_u64(), most(key), "{key}");
        }
        if report["scheduler"] == "ule" {
            assert!(both > 5, "{both} threads with both kinds of waits");
            assert!(
                open > 0,
                "a wait that began before the window and is open at its end"
            );
        }
    }
}

#[test]
fn reasons_are_counted_over_the_whole_run() {
    let reports = reports(&[
        "run",
        "s4-i7980x",
        "--json",
        "--until",
        "200ms",
        "--from",
        "0.1s",
    ]);
    type Counts = BTreeMap<String, u64>;
    let mut counts: BTreeMap<String, (u64, Counts, Counts)> = BTreeMap::new();
    for d in lines(&with(&ALL, &["--lane", "2"])) {
        let c = counts
            .entry(d["reason"].as_str().expect("text").to_owned())
            .or_default();
        c.0 += 1;
        if d["cpu"].is_u64() {
            *c.1.entry(d["cpu"].to_string()).or_default() += 1;
        }
        if let Some(task) = d["task"].as_str() {
            *c.2.entry(task.to_owned()).or_default() += 1;
        }
    }
    let told = reports[1]["reasons"].as_array().expect("a list");
    assert_eq!(told.len(), counts.len());
    for r in told {
        let (count, by_cpu, by_thread) = &counts[r["reason"].as_str().expect("text")];
        assert_eq!(r["count"], *count);
        assert_eq!(
            (&r["byCpu"], &r["byThread"]),
            (&json!(by_cpu), &json!(by_thread))
        );
    }
}

#[test]
fn a_choice_of_cpu_at_fork_is_a_placement_and_no_migration() {
    let scenario = json!({
        "version": 1, "name": "forks", "machine": "i7860",
        "schedulers": [{ "id": "cfs" }, { "id": "ule" }, { "id": "bfs" }],
        "groups": [{ "name": "hog", "count": 5, "startSpacingNs": 20_000_000,
                     "behaviour": { "kind": "dhrystone" } }],
        "end": { "atNs": 300_000_000 }
    });
    let output = stdout(&run_with(&["run", "-", "--json"], &scenario));
    let reports: Vec<Value> = serde_json::from_str(&output).expect("JSON");
    for (lane, report) in reports.iter().enumerate() {
        let lane = (lane + 1).to_string();
        let args = [
            "trace", "-", "--format", "jsonl", "--until", "300ms", "--lane", &lane,
        ];
        let text = stdout(&run_with(&args, &scenario));
        let rows: Vec<Value> = text
            .lines()
            .map(|l| serde_json::from_str(l).expect("JSON"))
            .collect();
        let mut first = Map::new();
        let mut moves: BTreeMap<&str, u64> = BTreeMap::new();
        for row in &rows {
            let Some(task) = row["task"].as_str() else {
                continue;
            };
            if row["kind"] == "switch" {
                first.entry(task).or_insert_with(|| row["cpu"].clone());
            }
            if row["kind"] == "migrate" {
                *moves.entry(task).or_default() += 1;
            }
        }
        let shared = report["scheduler"] == "bfs";
        for t in report["threads"].as_array().expect("threads") {
            let name = t["name"].as_str().expect("a name");
            assert_eq!(
                t["migrations"],
                moves.get(name).copied().unwrap_or(0),
                "{name}"
            );
            // If one queue serves all CPUs, no queue is chosen. Otherwise an idle CPU was there for each thread.
            let placed = u64::from(!shared && first[name] != 0);
            assert_eq!(t["placements"], placed, "{name} in lane {lane}");
        }
        let sum = report["metrics"]["forkPlacements"].as_u64();
        assert_eq!(sum, Some(if shared { 0 } else { 4 }));
        assert_eq!(sum, report["groups"][0]["placements"].as_u64());
    }
}

#[test]
fn distributions_of_groups_are_those_of_the_measure_language() {
    let short = [
        "run",
        "cfs-eevdf",
        "--until",
        "1s",
        "--from",
        "100ms",
        "--json",
    ];
    let rows = reports(&with(&short, &["--distributions"]));
    let row = rows.iter().find(|row| {
        let place = (&row["lane"], &row["group"], &row["list"]);
        place == (&json!(2), &json!("half"), &json!("latencies"))
    });
    let row = row.expect("a row for each list of each group");
    for (found, what) in [
        (&row["count"], "length(latencies(2, half))"),
        (&row["ns"]["P99.9"], "p(latencies(2, half), 99.9)"),
        (&row["ns"]["max"], "max(latencies(2, half))"),
    ] {
        let values = reports(&with(&short, &["--measure", what]));
        assert_eq!(*found, values[0]["value"], "{what}");
    }
    let text = stdout(&run(&[
        "run",
        "cfs-eevdf",
        "--until",
        "1s",
        "--distributions",
    ]));
    assert!(
        text.contains("latencies") && text.contains("P99.9"),
        "{text}"
    );
}

#[test]
fn applications_with_equal_shares_are_named_where_that_matters() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../scenarios/workloads/oltp.json"
    );
    let of = |args: &[&str]| {
        let reports = reports(&with(&["run", file, "--until", "1ms", "--json"], args));
        let each = reports.iter().map(|report| report["applications"].clone());
        each.collect::<Vec<_>>()
    };
    let both = json!(["database", "backup"]);
    // ULE has no groups.
    assert_eq!(of(&[]), [both.clone(), both, json!([])]);
    let single = [
        "--set",
        "groups.client.count=1",
        "--set",
        "groups.backup.count=1",
    ];
    assert_eq!(of(&single), [json!([]), json!([]), json!([])]);
    let nicer = with(&single, &["--set", "groups.backup.nice=5"]);
    assert_eq!(of(&nicer)[0], json!(["database", "backup"]));
    let one = ["--set", "groups.*.process=all"];
    assert_eq!(of(&one)[0], json!([]));
    let off = ["--set", "lanes.cfs.groupPerApplication=false"];
    assert_eq!(of(&off)[0], json!([]));
    let text = stdout(&run(&["run", file, "--until", "1ms"]));
    assert!(text.contains("2 applications have equal shares"), "{text}");
}

#[test]
fn a_slice_that_changes_nothing_is_told_with_the_reason() {
    let with = |slice: &str| {
        let set = format!("groups.half.sliceNs={slice}");
        let args = ["run", "cfs-eevdf", "--until", "1ms", "--set", &set];
        let json: Vec<&str> = args.into_iter().chain(["--json"]).collect();
        let whys = |report: &Value| {
            let hints = report["sliceHints"].as_array().expect("a list");
            hints
                .iter()
                .map(|hint| hint["why"].clone())
                .collect::<Vec<_>>()
        };
        let whys: Vec<_> = reports(&json).iter().map(whys).collect();
        (stdout(&run(&args)), whys)
    };
    let (text, whys) = with("100us");
    assert_eq!(json!(whys), json!([["notHere"], ["notHere"], ["tick"]]));
    let line = "slice of half: EEVDF (Linux 6.12) ends turns at ticks, every 4000 us here";
    assert!(text.contains(line), "{text}");
    let (text, whys) = with("20ms");
    assert_eq!(json!(whys), json!([["notHere"], ["notHere"], []]));
    let line = "slice of half: CFS (Linux 4.9) has no slices of threads: this lane ignores them";
    assert!(text.contains(line), "{text}");
    let checked = stdout(&run(&[
        "check",
        "cfs-eevdf",
        "--set",
        "groups.half.sliceNs=20ms",
    ]));
    assert!(
        checked.contains("groups[1].sliceNs: CFS (Linux 4.9) has no"),
        "{checked}"
    );
    let plain = stdout(&run(&["run", "cfs-eevdf", "--until", "1ms"]));
    assert!(!plain.contains("slice of"), "{plain}");
}

#[test]
fn what_limits_of_control_groups_did_is_told() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../scenarios/experiments/container.json"
    );
    let told = |more: &[&str]| stdout(&run(&with(&["run", file, "--until", "1s"], more)));
    let text = told(&[]);
    let row = text.lines().find(|l| l.trim_start().starts_with("web "));
    let cells: Vec<&str> = row.expect("a row").split_whitespace().collect();
    // Ten periods of 100 ms. In four of them its time was used up.
    assert_eq!(cells[..3], ["web", "10", "4"], "{text}");
    assert_eq!(cells[3], cells[4], "no limit is above it");
    let of = [
        "decisions",
        file,
        "--reason",
        "cgroup_throttled",
        "--until",
        "1s",
    ];
    let why = stdout(&run(&of));
    assert!(
        why.contains("Control group web stands still on cpu "),
        "{why}"
    );
    let free = told(&["--set", "cgroups.web.quotaUs=null"]);
    assert!(!free.contains("control group"), "{free}");
}

#[test]
fn columns_and_queues_are_told_at_any_time() {
    let args = [
        "run",
        "s2a-interactive-batch",
        "--json",
        "--until",
        "500ms",
        "--columns",
        "--at",
        "0.1s",
        "--at",
        "250ms",
    ];
    for report in reports(&args) {
        let moments = report["moments"].as_array().expect("a list");
        let at: Vec<u64> = moments.iter().filter_map(|m| m["atNs"].as_u64()).collect();
        assert_eq!(at, [100_000_000, 250_000_000, 500_000_000]);
        for moment in moments {
            let threads = moment["threads"].as_array().expect("threads");
            let cpus = moment["cpus"].as_array().expect("cpus");
            let waiting = threads.iter().filter(|t| t["state"] == "waiting").count() as u64;
            let queued: u64 = cpus.iter().filter_map(|c| c["queued"].as_u64()).sum();
            let all = queued + moment["queuedForAll"].as_u64().expect("a number");
            assert_eq!(all, waiting, "who waits stands in a queue");
            for cpu in cpus {
                let runs = threads
                    .iter()
                    .find(|t| t["state"] == "running" && t["cpu"] == cpu["cpu"]);
                assert_eq!(runs.map(|t| &t["name"]), Some(&cpu["thread"]));
            }
            let wanted = match report["scheduler"].as_str() {
                Some("ule") => ["score", "load"],
                Some("cfs") => ["vruntimeNs", "nrRunning"],
                other => panic!("{other:?}"),
            };
            assert!(threads[0]["columns"][wanted[0]].is_i64(), "{}", threads[0]);
            assert!(cpus[0]["columns"][wanted[1]].is_i64(), "{}", cpus[0]);
        }
        let at_the_end = moments[2]["threads"].as_array().expect("threads");
        for (now, total) in at_the_end
            .iter()
            .zip(report["threads"].as_array().expect("all"))
        {
            assert_eq!(now["name"], total["name"]);
            assert!(now["cpuNs"].is_u64(), "{now}");
            assert_eq!(now["cpuNs"], total["cpuNs"], "{}", now["name"]);
        }
    }
    let text = stdout(&run(&with(
        &["run", "s2a-interactive-batch"],
        &["--until", "0.5s", "--at", "250ms"],
    )));
    for part in [
        "at 250.000000 ms",
        "vruntimeNs",
        "score",
        "nrRunning",
        "waiting",
    ] {
        assert!(text.contains(part), "\"{part}\" is missing");
    }
    let heading = |l: &&str| l.contains("state") && l.contains("CPU ms");
    assert!(text.lines().any(|l| heading(&l)), "{text}");
    let late = run(&["run", "bfs-smt", "--until", "50ms", "--at", "51ms"]);
    fails(&late, 2, "--at: must not be after the end of the run");
    let never = run(&["run", "bfs-smt", "--until", "50ms", "--from", "50ms"]);
    fails(&never, 2, "--from: must be before the end of the run");
}

#[test]
fn a_moment_says_who_is_stopped() {
    let first = json!({ "thread": "hog-1" });
    let scenario = json!({
        "version": 1, "name": "stopped", "machine": "i7860", "schedulers": [{ "id": "bfs" }],
        "groups": [{ "name": "hog", "count": 2, "behaviour": { "kind": "dhrystone" } }],
        "edits": [
            { "atNs": 10_000_000, "edit": { "kind": "pause", "target": first } },
            { "atNs": 20_000_000, "edit": { "kind": "copy", "thread": "hog-1" } },
            { "atNs": 30_000_000, "edit": { "kind": "resume", "target": first } },
        ],
        "end": { "atNs": 50_000_000 },
    });
    let args = [
        "run", "-", "--json", "--at", "9ms", "--at", "25ms", "--at", "40ms",
    ];
    let reports: Value = serde_json::from_str(&stdout(&run_with(&args, &scenario))).expect("JSON");
    let states: Vec<Vec<&str>> = reports[0]["moments"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|m| {
            let threads = m["threads"].as_array().expect("threads");
            threads.iter().filter_map(|t| t["state"].as_str()).collect()
        })
        .collect();
    assert_eq!(
        states,
        [
            ["running"; 2].to_vec(),
            ["stopped", "running", "running"].to_vec(),
            ["running"; 3].to_vec(),
        ]
    );
    let text = stdout(&run_with(&["run", "-", "--at", "25ms"], &scenario));
    assert!(text.contains("stopped"), "{text}");
}

#[test]
fn whole_numbers_are_printed_as_such() {
    for args in [
        &["run", "bfs-smt", "--until", "50ms", "--json", "--columns"][..],
        &[
            "decisions",
            "bfs-smt",
            "--until",
            "50ms",
            "--json",
            "--full",
        ],
        &["catalog", "--json"],
    ] {
        let text = stdout(&run(args));
        let ends = [".0,", ".0}", ".0]", ".0\n"];
        // Texts may differ.
        let numbers = text
            .lines()
            .filter(|l| !l.trim_end_matches(',').ends_with('"'));
        for line in numbers {
            let found = ends.iter().find(|end| format!("{line}\n").contains(**end));
            assert!(found.is_none(), "{args:?}: {line}");
        }
    }
    let text = stdout(&run(&["run", "bfs-smt", "--until", "50ms"]));
    let migrations = text
        .lines()
        .find(|l| l.trim().starts_with("migrations "))
        .expect("told");
    assert!(!migrations.contains('.'), "{migrations}");
}

fn forking(set: &Value) -> Value {
    let program = "fork; run 5ms; fork; run 5ms; run";
    json!({
        "version": 1, "name": "edits", "machine": "i7860", "schedulers": [{ "id": "cfs" }],
        "groups": [
            { "name": "hog", "count": 2, "behaviour": { "kind": "dhrystone" } },
            { "name": "sh", "count": 1, "behaviour": { "kind": "script",
              "params": { "program": program, "child": "run" } } }
        ],
        "background": { "daemons": { "count": 2 } },
        "end": { "atNs": 40_000_000 },
        "edits": [{ "atNs": 1_000_000, "set": set }]
    })
}

fn nice(thread: &str) -> Value {
    json!({ format!("threads.{thread}.nice"): 7 })
}

#[test]
fn an_edit_waits_for_a_thread_that_is_not_forked_yet() {
    // The third thread of the group is forked at 5 ms, four milliseconds after the edit.
    let scenario = forking(&nice("sh-3"));
    let output = stdout(&run_with(&["run", "-", "--json"], &scenario));
    let reports: Vec<Value> = serde_json::from_str(&output).expect("JSON");
    let niced: Vec<&str> = reports[0]["threads"]
        .as_array()
        .expect("threads")
        .iter()
        .filter(|t| t["nice"] == 7)
        .filter_map(|t| t["name"].as_str())
        .collect();
    assert_eq!(niced, ["sh-3"]);
    let text = stdout(&run_with(&["trace", "-", "--format", "jsonl"], &scenario));
    let rows: Vec<Value> = text
        .lines()
        .map(|l| serde_json::from_str(l).expect("JSON"))
        .collect();
    let at = |kind: &str, task: &str| {
        let row = rows
            .iter()
            .find(|r| r["kind"] == kind && (task.is_empty() || r["task"] == task));
        row.expect("there")["atNs"].as_u64()
    };
    assert_eq!(
        at("nice", "sh-3"),
        at("fork", "sh-3"),
        "as soon as there is one"
    );
    assert_eq!(at("edit", ""), at("fork", "sh-3"));
}

#[test]
fn an_edit_on_a_thread_that_never_exists_is_refused() {
    for name in [
        "hog-3",
        "hog-0",
        "hog-01",
        "dog-1",
        "sh",
        "sh-x",
        "daemon-3",
        "kthread-1",
    ] {
        let output = run_with(&["check", "-"], &forking(&nice(name)));
        fails(&output, 2, "edits[0].set: no thread is ever called that");
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        let known = "hog-1 to hog-2, sh-1 to sh-1 and those that they fork, daemon-1 to daemon-2";
        assert!(errors.contains(known), "{errors}");
    }
    for name in ["hog-1", "hog-2", "sh-1", "sh-99", "daemon-2"] {
        let output = run_with(&["check", "-"], &forking(&nice(name)));
        assert_eq!(output.status.code(), Some(0), "{name}");
    }
    let mut more = forking(&nice("hog-4"));
    let spawn = json!({ "atNs": 2_000_000, "set": { "groups.hog.count": 4 } });
    more["edits"].as_array_mut().expect("a list").push(spawn);
    let output = stdout(&run_with(&["run", "-", "--json"], &more));
    let reports: Vec<Value> = serde_json::from_str(&output).expect("JSON");
    let threads = reports[0]["threads"].as_array().expect("threads");
    let hog = threads
        .iter()
        .find(|t| t["name"] == "hog-4")
        .expect("spawned");
    assert_eq!(hog["nice"], 7, "the edit came before the thread");
}

#[test]
fn switches_are_true_or_false() {
    let mut scenario = forking(&json!({ "lanes.*.balance": false }));
    scenario["schedulers"] = json!([{ "id": "ule", "tunables": { "stealIdle": false } }]);
    assert_eq!(run_with(&["check", "-"], &scenario).status.code(), Some(0));
    scenario["schedulers"][0]["tunables"]["stealIdle"] = json!("off");
    scenario["edits"][0]["set"]["lanes.*.balance"] = json!(2);
    let output = run_with(&["check", "-"], &scenario);
    fails(
        &output,
        2,
        "schedulers[0].tunables.stealIdle: must be true or false, got \"off\"",
    );
    fails(&output, 2, "edits[0].set: must be true or false, got 2");
    let claim = |with: &str| {
        run(&[
            "claims",
            "S3-after",
            "--seeds",
            "1",
            "--seconds",
            "1s",
            "--with",
            with,
        ])
    };
    fails(
        &claim("ule.balance=maybe"),
        2,
        "must be true or false, got \"maybe\"",
    );
}

#[test]
fn the_best_and_the_worst_have_colours_where_they_are_asked_for_and_nothing_else_changes() {
    let call = |color: &str| {
        let args = ["run", "bfs-smt", "--until", "50ms", "--color", color];
        stdout(&run(&args))
    };
    let plain = call("auto");
    assert!(!plain.contains('\u{1b}'), "a pipe is no terminal");
    assert_eq!(call("never"), plain);
    let coloured = call("always");
    let (green, red) = ("\u{1b}[32m", "\u{1b}[31m");
    for (style, mark) in [(green, " +\u{1b}[0m"), (red, " -\u{1b}[0m")] {
        assert!(
            coloured
                .split(style)
                .skip(1)
                .all(|rest| rest.find(mark).is_some_and(|at| at < 30)),
            "{coloured}"
        );
        assert!(coloured.contains(style));
    }
    let codes = [green, red, "\u{1b}[1m", "\u{1b}[0m"];
    let without = codes
        .iter()
        .fold(coloured, |text, code| text.replace(code, ""));
    assert_eq!(without, plain);
}
