//! The ftrace text beside what a kernel prints: `tests/data/ftrace-6.18.json` has its formats and some of its lines.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::process::Command;

#[derive(Deserialize)]
struct Kernel {
    #[allow(dead_code)] // for readers
    source: String,
    head: Vec<String>,
    /// By event: what `printf` gets.
    events: BTreeMap<String, String>,
    lines: Vec<String>,
}

fn kernel() -> Kernel {
    serde_json::from_str(include_str!("../data/ftrace-6.18.json")).expect("the formats of a kernel")
}

fn timeslice(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_timeslice"))
        .args(args)
        .output()
        .expect("starts");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// One thread that may only use CPU 1, one of real time, a parent with children, and two that sleep.
const SCENARIO: &str = r#"{
    "version": 1, "name": "x", "machine": "r3900x", "schedulers": [{ "id": "eevdf" }],
    "groups": [
        { "name": "pinned", "count": 1, "allowed": [1], "behaviour": { "kind": "compute" } },
        { "name": "audio", "count": 1, "policy": "fifo", "rtPriority": 80, "allowed": [2],
          "behaviour": { "kind": "interactive", "params": { "computeUs": 300, "sleepUs": 3000 } } },
        { "name": "make", "count": 30, "nice": 5, "parent": { "forkCostNs": 100000 },
          "behaviour": { "kind": "compute", "params": { "workMs": 2 } } },
        { "name": "chat", "count": 1, "behaviour": { "kind": "script", "params": { "program": "run 2ms; post 1; repeat" } } },
        { "name": "answer", "count": 1, "behaviour": { "kind": "script", "params": { "program": "take 1; run 1ms; repeat" } } }
    ],
    "end": { "atNs": 100000000 }
}"#;

/// A line: the current thread's name and number, CPU, flags, ns, event, fields.
struct Line<'a> {
    text: &'a str,
    pid: i64,
    cpu: i64,
    flags: &'a str,
    event: &'a str,
    fields: BTreeMap<String, &'a str>,
}

impl Line<'_> {
    fn number(&self, field: &str) -> i64 {
        let value = self.fields.get(field);
        let value = value.unwrap_or_else(|| panic!("{field} in {}", self.text));
        value.parse().expect("a number")
    }
}

/// Reads a line by the kernel's layout; every field stands where the format of its event has it.
fn read<'a>(kernel: &Kernel, text: &'a str) -> Line<'a> {
    let wrong = |what: &str| format!("{what}: {text}");
    // "%16s-%-7d [%03d] " and the flags.
    let (who, rest) = text
        .split_once(" [")
        .unwrap_or_else(|| panic!("{}", wrong("CPU")));
    let dash = who.rfind('-').expect("a pid");
    assert!(dash >= 16 && who.len() >= dash + 8, "{}", wrong("columns"));
    let (cpu, rest) = rest
        .split_once("] ")
        .unwrap_or_else(|| panic!("{}", wrong("CPU")));
    assert_eq!(cpu.len(), 3, "{}", wrong("CPU"));
    let (flags, rest) = rest.split_at(5);
    let (at, rest) = rest
        .split_once(": ")
        .unwrap_or_else(|| panic!("{}", wrong("time")));
    let (seconds, part) = at[1..]
        .split_once('.')
        .unwrap_or_else(|| panic!("{}", wrong("time")));
    assert!(
        at.starts_with(' ') && seconds.len() >= 5,
        "{}",
        wrong("time")
    );
    assert!(part.len() == 6 || part.len() == 9, "{}", wrong("time"));
    let (event, mut payload) = rest
        .split_once(": ")
        .unwrap_or_else(|| panic!("{}", wrong("event")));
    let format = kernel
        .events
        .get(event)
        .unwrap_or_else(|| panic!("{}", wrong("event")));
    let mut fields = BTreeMap::new();
    for word in format.split(' ') {
        let (value, rest) = payload.split_once(' ').unwrap_or((payload, ""));
        payload = rest;
        let Some((key, conversion)) = word.split_once('=').filter(|(_, c)| c.starts_with('%'))
        else {
            assert_eq!(value, word, "{}", wrong("words"));
            continue;
        };
        let (got, value) = value
            .split_once('=')
            .unwrap_or_else(|| panic!("{}", wrong(key)));
        assert_eq!(got, key, "{}", wrong("fields"));
        assert!(
            conversion == "%s" || value.parse::<i64>().is_ok(),
            "{}",
            wrong(key)
        );
        assert!(conversion != "%03d" || value.len() == 3, "{}", wrong(key));
        fields.insert(key.to_owned(), value);
    }
    assert_eq!(payload, "", "{}", wrong("more than the format has"));
    Line {
        text,
        pid: who[dash + 1..].trim_end().parse().expect("a pid"),
        cpu: cpu.parse().expect("a number"),
        flags,
        event,
        fields,
    }
}

#[test]
fn lines_of_a_kernel_and_ours_have_one_layout() {
    let kernel = kernel();
    for line in &kernel.lines {
        read(&kernel, line);
    }
    let file = std::env::temp_dir().join(format!("timeslice-ftrace-{}.json", std::process::id()));
    std::fs::write(&file, SCENARIO).expect("can be written");
    let path = file.to_str().expect("UTF-8");
    let text = timeslice(&["trace", path, "--format", "ftrace"]);
    let report = timeslice(&["run", path, "--json"]);
    std::fs::remove_file(&file).expect("was written");

    let (head, body): (Vec<&str>, Vec<&str>) = text.lines().partition(|l| l.starts_with('#'));
    assert_eq!(
        head[head.len() - kernel.head.len()..],
        kernel.head,
        "the head"
    );
    let entries = format!(
        "# entries-in-buffer/entries-written: {0}/{0}   #P:24",
        body.len()
    );
    assert!(head.contains(&entries.as_str()), "{head:?}");
    let lines: Vec<Line<'_>> = body.iter().map(|l| read(&kernel, l)).collect();
    for event in kernel.events.keys() {
        let found = lines.iter().any(|l| l.event == event);
        assert!(found, "there is no {event}");
    }
    a_new_thread_waits_where_it_may_run(&lines);
    priorities_are_those_of_the_kernel(&lines);
    wake_ups_say_who_wakes(&lines);
    children_have_parents(&lines);
    times_add_up(&lines, &report);
}

fn a_new_thread_waits_where_it_may_run(lines: &[Line<'_>]) {
    let new = lines.iter().filter(|l| l.event == "sched_wakeup_new");
    for line in new {
        let only = match line.fields["comm"] {
            "pinned-1" => 1,
            "audio-1" => 2,
            _ => continue,
        };
        assert_eq!(line.number("target_cpu"), only, "{}", line.text);
    }
}

fn priorities_are_those_of_the_kernel(lines: &[Line<'_>]) {
    for line in lines {
        for (name, prio) in [
            ("comm", "prio"),
            ("prev_comm", "prev_prio"),
            ("next_comm", "next_prio"),
        ] {
            let (Some(name), true) = (line.fields.get(name), line.fields.contains_key(prio)) else {
                continue;
            };
            let wanted = match name.split('-').next() {
                // MAX_RT_PRIO - 1 - rt_priority
                Some("audio") => 19,
                Some("make") => 125,
                _ => 120,
            };
            assert_eq!(line.number(prio), wanted, "{}", line.text);
        }
    }
}

/// Each wake-up follows the event of its waker; those by a timer say that they interrupt.
fn wake_ups_say_who_wakes(lines: &[Line<'_>]) {
    for (i, line) in lines
        .iter()
        .enumerate()
        .filter(|(_, l)| l.event == "sched_wakeup")
    {
        let before = lines[..i]
            .iter()
            .rev()
            .find(|l| l.event != "sched_migrate_task");
        let waking = before.expect("a line before");
        assert_eq!(waking.event, "sched_waking", "{}", line.text);
        let context = |l: &Line<'_>| (l.pid, l.cpu, l.number("pid"));
        assert_eq!(context(waking), context(line), "{}", line.text);
        let by_timer = !line.fields["comm"].starts_with("answer");
        let flags = if by_timer {
            ["d.h2.", "d.h3."]
        } else {
            ["d..3.", "d..4."]
        };
        assert_eq!([waking.flags, line.flags], flags, "{}", line.text);
    }
}

fn children_have_parents(lines: &[Line<'_>]) {
    let forks: Vec<&Line<'_>> = lines
        .iter()
        .filter(|l| l.event == "sched_process_fork")
        .collect();
    assert_eq!(forks.len(), 30);
    for fork in forks {
        assert_eq!(fork.number("pid"), fork.pid, "{}", fork.text);
        assert!(
            fork.fields["child_comm"].starts_with("make-"),
            "{}",
            fork.text
        );
    }
    let last = lines
        .iter()
        .filter(|l| l.fields.get("group_dead") == Some(&"true"));
    assert!(last.count() > 0);
}

/// The times of a thread add up to its CPU time, but for a turn that has not ended.
fn times_add_up(lines: &[Line<'_>], report: &str) {
    let report: serde_json::Value = serde_json::from_str(report).expect("JSON");
    let mut told: BTreeMap<&str, i64> = BTreeMap::new();
    for line in lines.iter().filter(|l| l.event == "sched_stat_runtime") {
        *told.entry(line.fields["comm"]).or_default() += line.number("runtime");
    }
    let threads = report[0]["threads"].as_array().expect("threads");
    let ended = threads.iter().filter(|t| !t["exitedAtNs"].is_null());
    let mut compared = 0;
    for thread in ended {
        let name = thread["name"].as_str().expect("a name");
        assert_eq!(told.get(name).copied(), thread["cpuNs"].as_i64(), "{name}");
        compared += 1;
    }
    assert_eq!(compared, 30, "all children have ended");
}
