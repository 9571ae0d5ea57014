//! `timeslice lesson …` as authors of lessons use it.

use std::path::PathBuf;
use std::process::{Command, Output};

fn lesson(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_timeslice"));
    command.arg("lesson").args(args).output().expect("starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// A file of this test process in the build folder.
fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("can be written");
    path
}

/// The first lesson with a replaced text, as a file.
fn first_with(name: &str, old: &str, new: &str) -> String {
    let shipped = sim_core::lesson::registry::lessons()[0].lesson;
    assert!(shipped.contains(old), "{old}");
    let path = file(name, &shipped.replacen(old, new, 1));
    path.display().to_string()
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    for (i, (old, new, wanted)) in [
        (
            "\"level\": 1",
            "\"level\": 7",
            ":5: level: must be from 1 to 4, got 7",
        ),
        ("\"title\"", "\"name\"", "unknown field `name`"),
        (
            "nearest(exit(1, last),",
            "nearest(exit(1, last,",
            "steps[1].truth: column ",
        ),
        (
            "\"said == 2\"",
            "\"said = 2\"",
            "steps[1].feedback[1].when: column 6: expected an operator or the end",
        ),
        (
            "\"no_victim\"",
            "\"no_victims\"",
            "\"no_victims\" is no reason of ule; it has ",
        ),
        (
            "\"kind\": \"situation\"",
            "\"kind\": \"situation\", \"colour\": 1",
            "unknown field `colour`",
        ),
        (
            "exit(2, last):s",
            "exit(5, last):s",
            "lane must be from 1 to 4",
        ),
        (
            "exit(1, last):s",
            "exit(1, last):%",
            "\"%\" is no unit of a time",
        ),
        (
            "\"expected\": 3",
            "\"expected\": 2",
            "expected 2, the run gives 3",
        ),
        ("\"said == 4\"", "\"said == 3\"", "is said of no answer"),
        ("said == 1", "said == 9", "nothing is said of option 1"),
    ]
    .into_iter()
    .enumerate()
    {
        let path = first_with(&format!("wrong-{i}.json"), old, new);
        let output = lesson(&["check", "--quiet", &path]);
        let text = stdout(&output);
        assert_eq!(output.status.code(), Some(2), "{new}: {text}");
        assert!(text.contains(wanted), "{new}: {text}");
        let with_line = text.lines().all(|l| l.starts_with(&path));
        assert!(with_line, "{text}");
    }
}

#[test]
fn a_good_lesson_tells_what_its_expressions_give() {
    let output = lesson(&["check", "l01-one-too-many"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(
        text.contains("rank(exit(lane, last)) → 2, 3, 4, 1"),
        "{text}"
    );
    assert!(text.contains("l01-one-too-many.json: good"), "{text}");
    let output = lesson(&["check", "no-such-lesson"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn all_lessons_of_this_build_are_good() {
    let output = lesson(&["check", "--all", "--json"]);
    let found: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let files = found.as_array().expect("a list");
    assert!(files.len() >= sim_core::lesson::registry::lessons().len());
    for file in files {
        assert_eq!(file["findings"], serde_json::json!([]), "{}", file["file"]);
    }
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_lesson_that_is_begun_is_good_but_for_its_texts() {
    for scenario in ["s0-xeon", "s3-nice"] {
        let output = lesson(&["new", scenario]);
        assert_eq!(output.status.code(), Some(0));
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("begun");
        std::fs::create_dir_all(folder.join("scenarios")).expect("can be made");
        let text = sim_core::experiment::registry::text(scenario).expect("shipped");
        let beside = folder.join("scenarios").join(format!("{scenario}.json"));
        std::fs::write(beside, text).expect("can be written");
        let path = folder.join(format!("{scenario}.json"));
        std::fs::write(&path, stdout(&output)).expect("can be written");
        let output = lesson(&["check", &path.display().to_string()]);
        assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    }
}
