//! Tables of answers, graded by running again.

use serde_json::json;
use sim_core::lesson::changes::{changed, changes};
use sim_core::lesson::grade::{COLUMNS, MOST_RUNS, Mark, digest, grade};
use sim_core::lesson::registry::find;

const ID: &str = "l01-one-too-many";

/// The digest of the shipped run with a seed and changes.
fn digest_of(seed: u64, changes: &str) -> String {
    let patch = serde_json::from_str(changes).expect("JSON");
    let scenario = changed(ID, seed, &patch).expect("valid");
    digest(&find(ID).expect("shipped").read("en").1, &scenario).expect("a run")
}

/// A field as tables write it.
fn field(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

fn table(rows: &[Vec<String>]) -> String {
    let mut text = COLUMNS.join(",") + "\r\n";
    for row in rows {
        text += &row.iter().map(|f| field(f)).collect::<Vec<_>>().join(",");
        text += "\r\n";
    }
    text
}

/// A row about the first lesson.
fn row(step: &str, question: &str, said: [&str; 3], digest: &str, changes: &str) -> Vec<String> {
    let [answer, truth, right] = said;
    let all = [
        ID, "1", step, question, answer, truth, right, "12.5", digest, "1", changes,
    ];
    all.map(str::to_owned).to_vec()
}

fn marks(rows: &[Vec<String>]) -> Vec<Mark> {
    grade(&table(rows)).expect("a table")
}

#[test]
fn an_honest_table_is_marked_without_a_doubt() {
    let own = digest_of(1, "{}");
    let all = marks(&[
        row("2", "p1", ["2", "3", "false"], &own, "{}"),
        row("3", "p2", ["2;3;4;1", "2;3;4;1", "true"], &own, ""),
        row("5", "o1", ["", "", ""], &own, "{}"),
    ]);
    assert_eq!(
        all.iter().map(|m| m.right).collect::<Vec<_>>(),
        [Some(false), Some(true), None]
    );
    assert_eq!(
        (all[0].truth.clone(), all[0].seconds, all[0].row),
        (json!(3), Some(12.5), 2)
    );
    for mark in &all {
        assert!(
            mark.doubts.is_empty() && mark.problems.is_empty(),
            "{mark:?}"
        );
    }
}

#[test]
fn a_doctored_truth_and_a_wrong_digest_are_named() {
    let own = digest_of(1, "{}");
    let first = own.split('-').next().expect("a digest");
    let wrong = own.replacen(first, &"0".repeat(first.len()), 1);
    let all = marks(&[
        row("2", "p1", ["2", "2", "true"], &own, "{}"),
        row("2", "p1", ["3", "3", "true"], &wrong, "{}"),
    ]);
    assert_eq!(all[0].right, Some(false));
    assert_eq!(all[0].doubts.len(), 2, "{:?}", all[0].doubts);
    assert!(all[0].doubts[0].contains("truth") && all[0].doubts[1].contains("right"));
    assert_eq!((all[1].right, all[1].doubts.len()), (Some(true), 1));
    assert!(all[1].doubts[0].contains("lane 1") && all[1].doubts[0].contains(first));
}

#[test]
fn a_changed_run_is_made_again() {
    let shipped = find(ID).expect("shipped").read_scenario();
    assert_eq!(changes(ID, &shipped).expect("a patch"), json!({}));
    let mut own = shipped;
    own.groups[0].count = 8;
    own.seed = 7;
    own.name = "mine".to_owned();
    let patch = changes(ID, &own).expect("a patch");
    let fields: Vec<&String> = patch.as_object().expect("an object").keys().collect();
    assert_eq!(fields, ["groups"]);
    let again = changed(ID, 7, &patch).expect("valid");
    assert_eq!((again.groups.clone(), again.seed), (own.groups, 7));
    // Eight jobs on eight CPUs: the last one ends after 10 s.
    let text = patch.to_string();
    let own = digest_of(1, &text);
    let all = marks(&[row("2", "p1", ["1", "1", "true"], &own, &text)]);
    assert_eq!(
        (all[0].right, all[0].doubts.len()),
        (Some(true), 0),
        "{:?}",
        all[0]
    );
}

#[test]
fn what_is_no_table_of_ours_is_refused_with_row_and_column() {
    for (text, path, message) in [
        ("", "row 1", "columns must be"),
        ("lesson,version\nx,1\n", "row 1", "columns must be"),
        ("a,\"b\n", "row 1", "never closed"),
    ] {
        let errors = grade(text).expect_err("no table");
        assert!(
            errors[0].path == path && errors[0].message.contains(message),
            "{errors:?}"
        );
    }
    assert!(grade(&"x".repeat(5 << 20)).is_err());
    let bad = |i: usize, text: &str| {
        let mut cells = row("2", "p1", ["2", "3", "false"], "", "{}");
        text.clone_into(&mut cells[i]);
        let mark = marks(&[cells]).remove(0);
        let problem = mark
            .problems
            .first()
            .cloned()
            .unwrap_or_else(|| panic!("{mark:?}"));
        (mark.row, problem.path, problem.message)
    };
    for (i, text, path) in [
        (0, "l99-nothing", "lesson"),
        (1, "9", "version"),
        (2, "99", "step"),
        (2, "two", "step"),
        (2, "1", "step"),
        (3, "p9", "question"),
        (4, "nine", "answer"),
        (4, "{\"a\":1}", "answer"),
        (7, "-1", "seconds"),
        (9, "1.5", "seed"),
        (10, "{", "changes"),
        (10, "[1]", "changes"),
        (10, "{\"seed\":1,\"groups\":[{\"count\":-1}]}", "changes"),
        (10, "{\"machine\":\"pdp11\"}", "changes.machine"),
        (10, "{\"end\":{\"atNs\":999000000000}}", "changes"),
    ] {
        let (row, found, message) = bad(i, text);
        assert!(
            row == 2 && found.starts_with(path),
            "{text}: {found}: {message}"
        );
    }
}

#[test]
fn a_table_cannot_ask_for_any_number_of_runs() {
    let end = |i: usize| format!("{{\"end\":{{\"atNs\":{}}}}}", i + 1);
    let rows: Vec<_> = (0..=MOST_RUNS)
        .map(|i| row("2", "p1", ["", "", ""], "", &end(i)))
        .collect();
    let all = marks(&rows);
    let refused: Vec<usize> = all
        .iter()
        .filter(|m| !m.problems.is_empty())
        .map(|m| m.row)
        .collect();
    assert_eq!(refused, [MOST_RUNS + 2]);
}
