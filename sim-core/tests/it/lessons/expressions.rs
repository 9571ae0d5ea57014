//! The values of expressions, and the messages for wrong ones.

use serde_json::{Value, json};
use sim_core::config::{Scenario, validate};
use sim_core::lesson::format::Lesson;
use sim_core::lesson::run::LessonRun;
use sim_measure::expression::parse;

/// Two hogs, one of them nice, and nine jobs on eight CPUs in the second lane's run.
fn scenario() -> Scenario {
    let value = json!({
        "version": 1,
        "name": "two jobs and one that is nice",
        "machine": "up2007",
        "schedulers": [
            { "id": "ule", "era": "11.1" },
            { "id": "cfs", "era": "4.9", "tunables": { "groupPerApplication": false } }
        ],
        "groups": [
            { "name": "job", "count": 2, "behaviour": { "kind": "compute", "params": { "workMs": 100 } } },
            { "name": "nice", "count": 1, "nice": 5, "behaviour": { "kind": "compute", "params": { "workMs": 100 } } }
        ],
        "end": { "atNs": 2_000_000_000, "whenAllExited": true }
    });
    validate::parse(&value.to_string()).expect("valid")
}

/// A lesson that only shows a text.
fn lesson(text: &str) -> Lesson {
    let value = json!({
        "format": 1, "id": "test", "title": "", "level": 1, "minutes": 1, "goal": "", "misconception": "",
        "scenario": "test",
        "runs": { "short": { "set": { "groups.job.behaviour.workMs": 50 } } },
        "sweeps": { "work": { "points": [
            { "at": 1.0, "set": { "groups.job.behaviour.workMs": 10 } },
            { "at": 2.0, "set": { "groups.job.behaviour.workMs": 20 } }
        ] } },
        "steps": [{ "kind": "situation", "text": text }],
        "transfer": { "ask": "", "answer": "" },
        "teacher": { "ask": "", "surprise": "", "time": "" }
    });
    serde_json::from_value(value).expect("a lesson")
}

/// The text with its values in the scenario.
fn told(text: &str) -> Result<String, String> {
    let mut run = LessonRun::new(lesson(text), "en", &scenario()).expect("valid");
    let view = run.step(1, None);
    view.map(|v| v.text).map_err(|errors| errors[0].to_string())
}

#[test]
fn numbers_words_and_lists_are_calculated() {
    for (expression, expected) in [
        ("1 + 2 * 3", "7"),
        ("(1 + 2) * 3", "9"),
        ("7 / 2", "3.50"),
        ("1 / 0", "–"),
        ("-3 + 1", "−2"),
        ("11.3s", "11.3 s"),
        ("1s + 300ms:s", "1.30 s"),
        ("1.5s:ms", "1\u{202f}500 ms"),
        ("0.8us:us", "0.80 µs"),
        ("90%", "90.0 %"),
        ("100% - 18.7%", "81.3 %"),
        ("3s / 2s:x", "1.50×"),
        ("3s / 2", "1.50 s"),
        ("0.123456:n.4", "0.1235"),
        ("12345", "12\u{202f}345"),
        ("2 < 3 and not 3 < 2", "yes"),
        ("1 == 2 or \"a\" == a", "yes"),
        ("nearest(11s, [10s, 11.3s, 15s])", "2"),
        ("rank([3, 1, 2])", "2, 3, 1"),
        ("argmin([3, 1, 2]) + argmax([3, 1, 2])", "3"),
        (
            "min(3, 1, 2) + max([3, 4]) + sum(1, 2) + mean([1, 3])",
            "10",
        ),
        ("missing([3, 0, 2])", "2"),
        ("item([5, 6], 2) + first([7, 8]) + last([7, 8])", "21"),
        ("abs(1 - 3) + round(2.4)", "4"),
        ("round(1234ms, 100ms):ms", "1\u{202f}200 ms"),
        ("if(1 < 2, 5, 6)", "5"),
        ("exists(1 / 0)", "no"),
        ("[1, 2] * 2 + [10, 20]", "12, 24"),
        ("1s / [2, 4]:ms", "500 ms, 250 ms"),
        ("-[1, 1 / 0]", "−1, –"),
    ] {
        assert_eq!(
            told(&format!("{{{expression}}}")).as_deref(),
            Ok(expected),
            "{expression}"
        );
    }
}

#[test]
fn a_run_is_asked() {
    for (expression, expected) in [
        ("threads(job) + threads(nice)", "3"),
        ("param(job, workMs)", "100 ms"),
        ("nice(nice)", "5"),
        ("tunable(2, groupPerApplication)", "no"),
        // Three jobs of 100 ms on one CPU end after 0.3 s, and none before 0.1 s.
        ("round(exit(1, last), 10ms)", "300 ms"),
        ("exit(1, last) == elapsed(1)", "yes"),
        ("exit(1, first) < exit(1, last)", "yes"),
        (
            "max(exit(1, \"job-1\"), exit(1, \"job-2\")) == exit(1, job)",
            "yes",
        ),
        ("round(cputime(1, job, 0, end), 10ms)", "200 ms"),
        ("cputime(1, job) + cputime(1, nice) <= elapsed(1)", "yes"),
        (
            "cputime(2, job, 0, 100ms) + cputime(2, job, 100ms, end) == cputime(2, job)",
            "yes",
        ),
        ("share(2, job, 0, 100ms) > 66.7%", "yes"),
        ("share(2, job, 0, exit(2, first)) <= 100%", "yes"),
        ("metric(1, lastExit) == exit(1, last)", "yes"),
        ("longestWait(2, job) < 100ms", "yes"),
        ("moves(1)", "0"),
        ("queue(1, 0, 50ms)", "3"),
        ("series(1, queue, 0, [50ms, 1s])", "3, 0"),
        ("each(round(exit(lane, last), 10ms))", "300 ms, 300 ms"),
        ("argmin(exit(lane, last)) <= 2", "yes"),
        ("round(in(short, exit(1, last)), 10ms)", "200 ms"),
        ("sweep(work, round(exit(1, last), 10ms))", "120 ms, 140 ms"),
        (
            "count(2, leftmost) == count(2, leftmost, from=0, to=10s)",
            "yes",
        ),
        (
            "count(2, leftmost, thread=job) + count(2, leftmost, thread=nice) == count(2, leftmost)",
            "yes",
        ),
        ("count(2, pickNext) >= count(2, leftmost)", "yes"),
        ("moment(2, leftmost, 2) > moment(2, leftmost)", "yes"),
        (
            "moment(2, leftmost, after=moment(2, leftmost)) >= moment(2, leftmost, 2)",
            "yes",
        ),
        ("moment(2, leftmost, -1) < elapsed(2)", "yes"),
        ("moment(2, leftmost, 100000)", "–"),
        ("exit(1, \"job-9\")", "–"),
        ("exit(7, last)", "–"),
        ("settled(1, 99)", "–"),
        ("exists(settled(1, 0))", "yes"),
    ] {
        assert_eq!(
            told(&format!("{{{expression}}}")).as_deref(),
            Ok(expected),
            "{expression}"
        );
    }
}

#[test]
fn wrong_expressions_are_told_with_their_column() {
    for (text, wrong) in [
        (
            "{1 +}",
            "column 5: expected a number, a name, a function, ( or [, found the end",
        ),
        (
            "{1 2}",
            "column 4: expected an operator or the end, found a number",
        ),
        (
            "{(1}",
            "column 4: expected an operator, a comma or ), found the end",
        ),
        ("{1", "column 1: { is never closed"),
        ("1}", "column 2: } without {"),
        ("{\"a}", "column 1: { is never closed"),
        ("{3 parsecs}", "column 4: expected an operator"),
        (
            "{3parsecs}",
            "column 3: \"parsecs\" is no unit; units are s, ms",
        ),
        ("{1.2.3}", "column 2: \"1.2.3\" is no number"),
        ("{1 # 2}", "column 4: \"#\" has no meaning here"),
        (
            "{dance(1)}",
            "column 2: \"dance\" is no function; there are exit, ",
        ),
        ("{exit(1)}", "column 2: lacks who; it is exit(lane, who)"),
        (
            "{exit(1, last, 3)}",
            "column 16: one argument too many; it is exit",
        ),
        (
            "{exit(1, last, when=3)}",
            "column 21: no parameter \"when\"; it is exit",
        ),
        (
            "{exit(lane, last)}",
            "column 7: argument lane of exit: expected a whole number, found a word",
        ),
        (
            "{exit(0, last)}",
            "column 7: argument lane of exit: lanes count from 1, got 0",
        ),
        (
            "{cputime(1, job, 0, 4)}",
            "column 21: argument to of cputime: expected a time such as 4s, found a number",
        ),
        (
            "{metric(1, beauty)}",
            "column 12: argument id of metric: \"beauty\" is no measure; there are throughput",
        ),
        (
            "{operand(2, leftmost, 1, \"beauty\")}",
            "column 26: argument name of operand: leftmost has no such number; it has ",
        ),
        (
            "{in(other, 1)}",
            "column 5: argument run of in: there is no such run; there are short",
        ),
        (
            "{sweep(other, 1)}",
            "column 8: argument name of sweep: there is no such sweep; there are work",
        ),
        (
            "{fork(1)}",
            "column 7: argument n of fork: only a step that changes something has forks",
        ),
        (
            "{1s + 2}",
            "column 5: adds a time and a number; a time needs a unit",
        ),
        ("{1s < 2}", "column 5: compares a time with a number"),
        ("{1s:%}", "column 2: \"%\" is no unit of a time"),
        ("{1:parsecs}", "column 4: \"parsecs\" must be one of s, ms"),
        (
            "{not 1}",
            "column 6: expected true or false, found a number",
        ),
        (
            "{shape([1, 2, 3])}",
            "column 8: argument line of shape: only a drawn line has a shape",
        ),
    ] {
        let error = told(text).expect_err(text);
        let expected = format!("steps[0].text: {wrong}");
        assert!(error.starts_with(&expected), "{text}\n{error}\n{expected}");
    }
}

/// Pieces of expressions, joined at random: the parser refuses most of them, and never panics.
#[test]
fn the_parser_never_panics() {
    const PIECES: [&str; 30] = [
        "exit",
        "(",
        ")",
        "[",
        "]",
        ",",
        "1",
        "0.5s",
        "90%",
        "lane",
        "\"job-1\"",
        "'",
        "\"",
        "+",
        "-",
        "*",
        "/",
        "==",
        "=",
        "<",
        "not",
        "and",
        "or",
        " ",
        "µ",
        "é",
        ".",
        "e9",
        "_",
        "}",
    ];
    let mut state = 1_u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(state >> 33).expect("31 bits")
    };
    let mut parsed = 0;
    for _ in 0..20_000 {
        let length = next() % 12;
        let text: String = (0..length).map(|_| PIECES[next() % PIECES.len()]).collect();
        match parse(&text) {
            Ok(_) => parsed += 1,
            Err(e) => assert!(e.column <= text.chars().count() + 1, "{text}: {e}"),
        }
    }
    assert!(parsed > 100, "{parsed}");
    for deep in ["(", "[", "-", "not ", "abs("] {
        let error = parse(&deep.repeat(300)).expect_err("too deep");
        assert!(
            error.message.contains("brackets within each other"),
            "{deep}: {error}"
        );
    }
    assert!(parse(&"1".repeat(3_000)).is_err());
}

#[test]
fn answers_of_the_same_question_are_the_same() {
    let text = "{each(exit(lane, last)):ns} {count(2, leftmost)} {share(2, job):%.6}";
    assert_eq!(told(text), told(text));
    assert_ne!(told("{1}"), Ok(Value::Null.to_string()));
}
