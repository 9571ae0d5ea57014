//! The words of scripts, each by what it does to a run on a machine that costs nothing.

use serde_json::json;
use sim_core::config::validate;
use sim_measure::Measures;
use sim_measure::quantity::Format;
use sim_measure::words::ENGLISH;

/// The value of an expression after 120 ms of groups, each a name, a number of threads, a program and children's programs.
fn told(groups: &[(&str, u32, &str, &str)], text: &str) -> String {
    let groups: Vec<_> = groups
        .iter()
        .map(|(name, count, program, child)| {
            let params = json!({ "program": program, "child": child });
            json!({ "name": name, "count": count, "behaviour": { "kind": "script", "params": params } })
        })
        .collect();
    let file = json!({
        "version": 2,
        "name": "script",
        "machine": "ideal",
        "schedulers": [{ "id": "eevdf", "era": "6.18" }],
        "groups": groups,
        "end": { "atNs": 120_000_000 },
    });
    measured(&file, text)
}

/// A number of a scenario as a text.
fn measured(file: &serde_json::Value, text: &str) -> String {
    let scenario = validate::parse(&file.to_string()).expect("valid");
    let values = Measures::new(scenario, 0).values(&[text]).expect(text);
    Format::default()
        .print(&values[0], &ENGLISH)
        .expect("a text")
}

/// The same for threads of these real-time priorities, or none, on one CPU, under a scheduler.
fn told_of_ranks(
    lane: &serde_json::Value,
    threads: &[(&str, Option<u8>, String)],
    text: &str,
) -> String {
    let groups = threads.iter().map(|(name, priority, program)| {
        let params = json!({ "program": program });
        let policy = if priority.is_some() { "fifo" } else { "normal" };
        json!({
            "name": name, "count": 1, "allowed": [0], "policy": policy, "rtPriority": priority,
            "behaviour": { "kind": "script", "params": params },
        })
    });
    let file = json!({
        "version": 2,
        "name": "ranks",
        "machine": "ideal",
        "schedulers": [lane],
        "groups": groups.collect::<Vec<_>>(),
        "end": { "atNs": 120_000_000 },
    });
    measured(&file, text)
}

/// A low thread has the lock that a high one wants, while a middle one runs.
fn inversion(lock: &str) -> [(&'static str, Option<u8>, String); 3] {
    [
        ("low", None, format!("{lock}; run 5ms; unlock 1; run 5ms")),
        ("middle", Some(10), "sleep 2ms; run 60ms".to_owned()),
        (
            "high",
            Some(20),
            format!("sleep 3ms; {lock}; run 1ms; unlock 1"),
        ),
    ]
}

/// The high thread waits for one that waits for the low one: the loan goes on. 3 ms are left of the low one's work, then
/// there are 1 ms and 1 ms.
#[test]
fn a_loan_goes_on_to_whom_the_holder_waits_for() {
    let threads = [
        (
            "low",
            None,
            "lock 2 inherit; run 5ms; unlock 2; run 5ms".to_owned(),
        ),
        (
            "between",
            Some(5),
            "sleep 1ms; lock 1 inherit; lock 2 inherit; run 1ms; unlock 2; unlock 1; run 5ms"
                .to_owned(),
        ),
        ("middle", Some(10), "sleep 2ms; run 60ms".to_owned()),
        (
            "high",
            Some(20),
            "sleep 3ms; lock 1 inherit; run 1ms; unlock 1".to_owned(),
        ),
    ];
    for (id, era) in [
        ("eevdf", "6.18"),
        ("cfs", "4.9"),
        ("bfs", "0.512"),
        ("ule", "16-2025"),
        ("4bsd", "16"),
    ] {
        let lane = json!({ "id": id, "era": era });
        let exit = "exit(1, high) < 10ms";
        assert_eq!(told_of_ranks(&lane, &threads, exit), "yes", "{id} {era}");
        let last = "exit(1, middle) < exit(1, between)";
        assert_eq!(told_of_ranks(&lane, &threads, last), "yes", "{id} {era}");
    }
}

/// Who waits lends: the low thread runs its 3 ms that are left, then the high one 1 ms, and only then the middle one.
#[test]
fn a_lock_that_lends_ends_the_inversion_of_priorities() {
    for (id, era) in [
        ("eevdf", "6.6"),
        ("eevdf", "6.12"),
        ("eevdf", "6.18"),
        ("eevdf", "7.3"),
        ("cfs", "6.1"),
        ("cfs", "4.9"),
        ("cfs", "2.6.34"),
        ("bfs", "0.318"),
        ("bfs", "0.447"),
        ("bfs", "0.512"),
        ("ule", "11.1"),
        ("ule", "16-2025"),
        ("4bsd", "2013-06"),
        ("4bsd", "16"),
    ] {
        let lane = json!({ "id": id, "era": era });
        let off = json!({ "id": id, "era": era, "tunables": { "priorityInheritance": false } });
        let exit = "exit(1, high) < 10ms";
        assert_eq!(
            told_of_ranks(&lane, &inversion("lock 1 inherit"), exit),
            "yes",
            "{id} {era}"
        );
        assert_eq!(
            told_of_ranks(&lane, &inversion("lock 1"), exit),
            "no",
            "{id} {era}"
        );
        assert_eq!(
            told_of_ranks(&off, &inversion("lock 1 inherit"), exit),
            "no",
            "{id} {era}"
        );
        // It is given back: the rest of the low one's work comes last.
        let last = "exit(1, low) > exit(1, middle)";
        assert_eq!(
            told_of_ranks(&lane, &inversion("lock 1 inherit"), last),
            "yes",
            "{id} {era}"
        );
    }
}

/// The values of expressions of a shipped scenario, as they are printed.
fn told_of(id: &str, asked: &[&str]) -> Vec<String> {
    let scenario = sim_core::experiment::registry::scenario(id).expect("shipped");
    let values = Measures::new(scenario, 0).values(asked).expect("values");
    let print = |v| Format::default().print(v, &ENGLISH).expect("a text");
    values.iter().map(print).collect()
}

/// The shipped scenario: in a minute the bus is late nine times without the option, and never with it.
#[test]
fn the_lander_keeps_its_time_where_the_lock_lends() {
    let asked = ["missed(1, bus)", "missed(2, bus)"];
    assert_eq!(told_of("priority-inversion", &asked), ["1.88 %", "0 %"]);
}

/// The shipped scenario: a key waits for the end of the period under 6.1. Under 6.12 what is left serves the next ones.
#[test]
fn a_key_waits_for_real_time_as_the_notes_say() {
    let asked = [
        "each(mean(latencies(lane, typist)))",
        "each(p(latencies(lane, typist), 50))",
        "each(metric(lane, throughput))",
        // Who stands still by a limit may run nowhere. The typist could have: CPUs stop some ms after each other.
        "each(metric(lane, idleWhileWaiting))",
    ];
    let wanted = [
        "878 ms, 108 ms",
        "875 ms, 0 ms",
        "3.80, 3.99",
        "0.002, 0.000",
    ];
    assert_eq!(told_of("rt-limit", &asked), wanted);
}

#[test]
fn each_word_of_a_script_does_what_it_says() {
    for (what, groups, text, wanted) in [
        (
            "a loop goes round as often as it says, and loops stand in each other",
            vec![("a", 1, "loop 3 { run 1ms; loop 2 { run 1.5ms } }", "")],
            "exit(1, a)",
            "12.0 ms",
        ),
        (
            "every keeps its grid",
            vec![("a", 1, "run 2.5ms; every 10ms; repeat", "")],
            "cputime(1, a)",
            "30.0 ms",
        ),
        (
            "a late thread misses its deadline, and the grid stays",
            vec![(
                "a",
                1,
                "loop 2 { run 12ms; every 10ms }; loop 8 { run 2ms; every 10ms }",
                "",
            )],
            "exit(1, a)",
            "100 ms",
        ),
        (
            "a late thread begins the grid anew, if it says so",
            vec![(
                "a",
                1,
                "loop 2 { run 12ms; every 10ms anew }; loop 8 { run 2ms; every 10ms anew }",
                "",
            )],
            "exit(1, a)",
            "104 ms",
        ),
        (
            "missed deadlines are counted",
            vec![(
                "a",
                1,
                "loop 2 { run 12ms; every 10ms }; loop 8 { run 2ms; every 10ms }",
                "",
            )],
            "missed(1, a)",
            "20.0 %",
        ),
        (
            "a device serves one request after the other",
            vec![("a", 3, "run 1ms; io 1 10ms; exit", "")],
            "exit(1, a)",
            "31.0 ms",
        ),
        (
            "two devices serve at the same time",
            vec![("a", 1, "io 1 10ms", ""), ("b", 1, "io 2 10ms", "")],
            "max(exit(1, a), exit(1, b))",
            "10.0 ms",
        ),
        (
            "a lock has one holder, and is handed over",
            vec![("a", 3, "lock 1; run 5ms; unlock 1", "")],
            "exit(1, a)",
            "15.0 ms",
        ),
        (
            "a thread that ends hands its lock over",
            vec![("a", 3, "lock 1; run 5ms", "")],
            "exit(1, a)",
            "15.0 ms",
        ),
        (
            "who does not hold a lock cannot unlock it",
            vec![
                ("a", 1, "lock 1; run 5ms", ""),
                ("b", 1, "unlock 1; lock 1; run 1ms", ""),
            ],
            "exit(1, b)",
            "6.00 ms",
        ),
        (
            "a broadcast wakes all that wait",
            vec![
                ("a", 3, "wait on 1; run 1ms", ""),
                ("s", 1, "sleep 7ms; broadcast 1", ""),
            ],
            "cputime(1, a)",
            "3.00 ms",
        ),
        (
            "a signal wakes one",
            vec![
                ("a", 3, "wait on 1; run 1ms", ""),
                ("s", 1, "sleep 7ms; signal 1; run 2ms; signal 1; exit", ""),
            ],
            "cputime(1, a)",
            "2.00 ms",
        ),
        (
            "a signal is lost on who does not wait yet",
            vec![
                ("a", 1, "run 5ms; wait on 1; run 1ms", ""),
                ("s", 1, "run 1ms; signal 1", ""),
            ],
            "cputime(1, a)",
            "5.00 ms",
        ),
        (
            "a barrier opens for its number of threads",
            vec![
                ("a", 2, "run 1ms; barrier 1 of 3; run 1ms", ""),
                ("b", 1, "run 9ms; barrier 1 of 3", ""),
            ],
            "exit(1, a)",
            "10.0 ms",
        ),
        (
            "children differ, and a parent waits for all",
            vec![("a", 1, "fork; fork 2; wait; run 1ms", "run 3ms | sleep 8ms")],
            "exit(1, \"a\")",
            "9.00 ms",
        ),
        (
            "a parent without children does not wait",
            vec![("a", 1, "wait; run 1ms", "")],
            "exit(1, a)",
            "1.00 ms",
        ),
    ] {
        assert_eq!(told(&groups, text), wanted, "{what}");
    }
}
