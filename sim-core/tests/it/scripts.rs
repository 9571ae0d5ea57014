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
    let scenario = validate::parse(&file.to_string()).expect("valid");
    let values = Measures::new(scenario, 0).values(&[text]).expect(text);
    Format::default()
        .print(&values[0], &ENGLISH)
        .expect("a text")
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
