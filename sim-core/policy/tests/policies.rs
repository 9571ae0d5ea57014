//! Programs: what is wrong with them is told in a teacher's words, and whatever they are, reading them ends.
#![cfg(feature = "starlark")]

use sim_ground::rng::Rng;
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
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/policies")
        .join(file);
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

#[test]
fn a_place_within_a_letter_of_two_bytes_panicked() {
    let text = "vf'''+\n\n\n:\n\n\n\n\n:\n\n+-+-\\'x055(eak:-+-\\x0\u{2ff}+\r\\x004444.items()ebecause(P(\nwhile ";
    for text in [text.to_owned(), text.replacen("vf", "v|f", 1)] {
        assert!(sim_policy::read(&text).is_err(), "{text}");
    }
}

#[test]
fn nothing_a_billion_times_took_a_minute() {
    // A thousand of these take hours if the language goes through all repetitions.
    let text = "def many():\n    for i in range(1000):\n        x = [] * 2000000000\n        y = 2000000000 * \"\"\n    return x\n\nnone = many()\n\ndef pick(cpu):\n    return None\n";
    assert_eq!(sim_policy::read(text), Ok(()));
}

#[test]
fn templates_are_short_and_end_with_questions() {
    for era in sim_policy::templates::ERAS {
        let source = sim_policy::templates::source(era.id);
        assert!(source.lines().count() <= 45, "{}", era.id);
        assert!(source.contains("\n# Questions\n# 1. "), "{}", era.id);
        sim_policy::read(source).unwrap_or_else(|e| panic!("{}: {e}", era.id));
    }
}

/// The seeds of the texts that are tried; no run depends on them. `TIMESLICE_FUZZ_SEED` begins elsewhere.
#[allow(clippy::disallowed_methods)]
fn texts() -> std::ops::Range<u64> {
    let asked = |name| std::env::var(name).ok()?.parse::<u64>().ok();
    let first = asked("TIMESLICE_FUZZ_SEED").unwrap_or(0) << 32;
    first..first + asked("PROPTEST_CASES").unwrap_or(3_000)
}

/// Pieces of programs.
const PIECES: &[&str] = &[
    "def ",
    "pick",
    "(",
    ")",
    "cpu",
    ":",
    "\n",
    "    ",
    "return ",
    "[",
    "]",
    "{",
    "}",
    "0",
    "1",
    "-",
    "+",
    "*",
    "//",
    "%",
    "**",
    "<<",
    "lambda ",
    "if ",
    "else ",
    "elif ",
    "for ",
    " in ",
    "not ",
    " and ",
    " or ",
    "range(",
    "9999",
    "\"",
    "'",
    "#",
    ",",
    ".",
    "=",
    "==",
    "waiting",
    "thread_state(",
    "\"a\"",
    "min(",
    "None",
    "True",
    "while ",
    "\t",
    "ä",
    "\0",
    "\\",
    ";",
    "f\"",
    "->",
    "load(",
    "1.5",
    "1e9",
    "pass",
    "break",
    "str(",
    "x",
    "lambda x: ",
    "~",
    "+= 1",
    "*= 3",
    "<<= 2",
];

#[test]
fn any_text_is_read_or_refused() {
    let templates: Vec<&str> = sim_policy::templates::ERAS
        .iter()
        .map(|era| sim_policy::templates::source(era.id))
        .collect();
    for seed in texts() {
        let mut rng = Rng::stream(seed, "text", 0);
        let mut one = |n: usize| rng.below(u32::try_from(n).expect("few")) as usize;
        let mut text = String::new();
        if one(2) == 0 {
            for _ in 0..one(80) {
                text.push_str(PIECES[one(PIECES.len())]);
            }
        } else {
            // A template with some lines and pieces changed.
            let mut lines: Vec<String> = templates[one(templates.len())]
                .lines()
                .map(str::to_owned)
                .collect();
            for _ in 0..=one(4) {
                let (at, from) = (one(lines.len()), one(lines.len()));
                match one(4) {
                    0 => drop(lines.remove(at)),
                    1 => lines[at] = lines[from].clone(),
                    2 => {
                        let places: Vec<usize> = lines[at].char_indices().map(|c| c.0).collect();
                        let place = if places.is_empty() {
                            0
                        } else {
                            places[one(places.len())]
                        };
                        lines[at].insert_str(place, PIECES[one(PIECES.len())]);
                    }
                    _ => lines[at].push_str(PIECES[one(PIECES.len())]),
                }
                if lines.is_empty() {
                    lines.push(String::new());
                }
            }
            text = lines.join("\n");
        }
        if let Err(e) = sim_policy::read(&text) {
            assert!(
                e.line >= 1 && e.column >= 1 && !e.sentence.is_empty(),
                "{e:?}\n{text}"
            );
        }
    }
}

#[test]
fn what_is_nested_as_deep_as_a_text_allows_is_refused_and_no_stack_ends() {
    let pick = "def pick(cpu):\n    return cpu.waiting[0]\n";
    for (piece, end) in [
        ("(", ")"),
        ("[", "]"),
        ("-", ""),
        ("not ", ""),
        ("lambda: ", ""),
        ("1 if 1 else ", ""),
        ("1 + ", ""),
        ("x.", ""),
        ("f(", ")"),
        ("1 and ", ""),
        ("1 == ", ""),
        ("{1: ", "}"),
    ] {
        for n in [10, 100, 1_000, 4_000] {
            let text = format!("{pick}a = {}1{}\n", piece.repeat(n), end.repeat(n));
            let _ = sim_policy::read(&text);
        }
    }
    for n in [10, 60, 400] {
        let branches = "elif 1:\n    a = 1\n".repeat(n);
        let _ = sim_policy::read(&format!("{pick}if 1:\n    a = 1\n{branches}"));
        let mut blocks = String::new();
        for depth in 0..n.min(170) {
            writeln!(blocks, "{}if 1:", " ".repeat(depth)).expect("a text");
        }
        let _ = sim_policy::read(&format!("{pick}{blocks}{}a = 1\n", " ".repeat(n.min(170))));
        let calls = "f()".to_owned() + &"()".repeat(n);
        let _ = sim_policy::read(&format!("{pick}a = {calls}\n"));
    }
    // Values, too: each step nests once more.
    let nested = "def deep():\n    x = []\n    for i in range(15000):\n        x = [x]\n    return str(x)\nd = deep()\n";
    let _ = sim_policy::read(&format!("{pick}{nested}"));
    let nested = nested.replace("str(x)", "x == x");
    let _ = sim_policy::read(&format!("{pick}{nested}"));
}
