//! Each mistake in a file is told with its place. The files themselves are read by the build.

use crate::file::{Table, parse, whole};
use crate::rust;

const ROW: &str = r#""id": "home_cpu", "kind": "selectCpu", "function": "f",
    "operands": { "zeta": "threads", "alpha": "" }, "sentence": "{who} goes to {where}, {zeta|one|many} {alpha}.""#;

/// The tables of files that have this text: `(folder, text)`.
fn tables(files: &[(&str, &str)]) -> Result<Vec<Table>, String> {
    let parsed: Result<Vec<_>, _> = files
        .iter()
        .map(|(folder, text)| parse((*folder).to_owned(), text))
        .collect();
    whole(parsed?)
}

fn one(rows: &str) -> Result<Vec<Table>, String> {
    tables(&[("mine", &format!(r#"{{ "reasons": [{rows}] }}"#))])
}

/// What is said of the row with something else in it.
fn said(from: &str, to: &str) -> String {
    assert!(ROW.contains(from), "{from}");
    let row = ROW.replace(from, to);
    one(&format!("{{ {row} }}")).expect_err(to)
}

#[test]
fn a_row_is_a_constant_and_a_row_of_the_table() {
    let found = one(&format!("{{ {ROW} }}")).expect("right");
    assert_eq!(found[0].schedulers, ["mine"]);
    let rust = rust::constants(&found[0]);
    assert!(rust.contains("pub(crate) const HOME_CPU: sim_contract::decision::Reason = 0;"));
    // The order of the numbers is that of the file.
    let entry = r#"entry("home_cpu", "selectCpu", "f", &[("zeta", "threads"), ("alpha", "")])"#;
    assert!(rust.contains(entry), "{rust}");
}

#[test]
fn a_mistake_is_told_with_file_row_and_field() {
    for (from, to, told) in [
        (
            "selectCpu",
            "choice",
            "mine/reasons.json, row 0 (home_cpu), kind: \"choice\" is none of",
        ),
        (
            "threads",
            "parsecs",
            "row 0 (home_cpu), operands: \"parsecs\" is none of",
        ),
        (
            "{zeta|",
            "{beta|",
            "row 0 (home_cpu), sentence: no operand \"beta\"",
        ),
        (
            "alpha}.",
            "alpha}",
            "row 0 (home_cpu), sentence: a sentence ends with a full stop",
        ),
        ("\"f\"", "\"\"", "row 0 (home_cpu), function: missing"),
        ("home_cpu", "Home", "row 0 (Home), id: \"Home\" is no name"),
        (
            "\"alpha\"",
            "\"zeta\"",
            "operands: \"zeta\" has no name of its own",
        ),
        (
            "\"alpha\"",
            "\"who\"",
            "operands: {who} has a meaning already",
        ),
        ("selectCpu", "migrate", "mover: missing for a move"),
        (
            ROW,
            &format!(r#"{ROW}, "mover": "wake""#),
            "mover: its kind is selectCpu, not migrate",
        ),
        (
            ROW,
            &format!(r#"{ROW}, "waitsOn": "CPU""#),
            "waitsOn: no operand \"CPU\"",
        ),
        (
            ROW,
            &format!(r#"{ROW}, "try": {{ "tunable": "t", "to": "n" }}"#),
            "try: no operand \"n\"",
        ),
        (
            ROW,
            &format!(r#"{ROW}, "formula": "a < b.""#),
            "formula: a formula has no full stop",
        ),
        (
            ROW,
            &format!("{ROW} }}, {{ {ROW}"),
            "row 1 (home_cpu), id: there is another such row",
        ),
        (
            ROW,
            &format!(r#"{ROW}, "shared": "x""#),
            "row 0 (home_cpu), shared: the file names no folder",
        ),
        (
            "\"sentence\"",
            "\"words\"",
            "mine/reasons.json: unknown field `words`",
        ),
        (
            "\"alpha\": \"\"",
            r#""a": "", "b": "", "c": "", "d": """#,
            "operands: 5 are more than 4",
        ),
    ] {
        let wrong = said(from, to);
        assert!(wrong.contains(told), "{wrong}\ninstead of\n{told}");
    }
}

#[test]
fn a_row_takes_from_a_shared_one_what_it_does_not_say() {
    let lender = format!(r#"{{ "schedulers": [], "reasons": [{{ {ROW} }}] }}"#);
    let taker = |rows: &str| {
        let text =
            format!(r#"{{ "schedulers": ["a", "b"], "shared": "both", "reasons": [{rows}] }}"#);
        tables(&[("both", &lender), ("mine", &text)])
    };
    let found = taker(r#"{ "shared": "home_cpu", "id": "home", "function": "g" }"#).expect("right");
    let row = &found[1].rows[0];
    assert_eq!(
        (&*row.id, &*row.function, &*row.kind),
        ("home", "g", "selectCpu")
    );
    assert_eq!(row.operands().len(), 2);
    // Shared code finds the code of the scheduler by the id of the shared row.
    assert!(rust::shared(&found[1], &found[0]).contains("    home_cpu: HOME,\n"));
    assert!(rust::fields(&found[0]).contains("pub(crate) home_cpu: "));

    let wrong = taker(r#"{ "shared": "other" }"#).expect_err("no such row");
    assert_eq!(
        wrong,
        "mine/reasons.json, row 0, shared: both has no row other"
    );
    let wrong = taker(r#"{ "shared": "home_cpu", "kind": "x" }"#).expect_err("no such kind");
    assert!(wrong.starts_with("mine/reasons.json, row 0 (home_cpu, or home_cpu of both), kind: "));
    let wrong = taker("").expect_err("nobody takes it");
    assert_eq!(
        wrong,
        "both/reasons.json, row 0 (home_cpu), id: no table takes it"
    );
    let wrong = tables(&[("mine", r#"{ "shared": "none", "reasons": [] }"#)]).expect_err("no file");
    assert!(
        wrong.contains("shared: no file none/reasons.json"),
        "{wrong}"
    );
}
