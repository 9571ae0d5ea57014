//! Programs: what is wrong with them is told in a teacher's words, and whatever they are, reading them ends.

use std::fmt::Write;
use std::path::Path;

/// A wrong program of the corpus.
struct Wrong {
    name: String,
    source: String,
    told: String,
}

/// The corpus: programs under a line `=== name`, each followed by `--- ` and what is told.
fn corpus(file: &str) -> Vec<Wrong> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/policies").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{file}: {e}"));
    let cases = text.split("=== ").skip(1);
    let case = |case: &str| {
        let (name, rest) = case.split_once('\n').expect("a name");
        let (source, told) = rest.split_once("--- ").unwrap_or((rest, ""));
        Wrong {
            name: name.to_owned(),
            source: source.to_owned(),
            told: told.trim().to_owned(),
        }
    };
    cases.map(case).collect()
}

#[test]
fn each_wrong_program_is_told_with_line_column_and_a_sentence() {
    let mut differ = String::new();
    for case in corpus("unreadable.txt") {
        let found = match sim_policy::read(&case.source) {
            Ok(()) => "nothing is wrong".to_owned(),
            Err(e) => e.to_string(),
        };
        if found != case.told {
            let (name, told) = (&case.name, &case.told);
            writeln!(differ, "{name}\n  told {found}\n  wanted {told}").expect("a text");
        }
    }
    assert!(differ.is_empty(), "\n{differ}");
}
