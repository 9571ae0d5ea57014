//! Every number of the model has a source. The numbers of machines are checked beside the presets
//! (`machine/src/registry.rs`), parameters in `registry.rs`.

use sim_core::constants;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The crates of the model. Schedulers follow the code of a release: their tables name it, and their tunables have
/// sources.
const ROOMS: [&str; 4] = ["config", "engine", "machine", "workload"];

/// Constants that are not quantities of the model, with the reason.
const OTHERS: &[(&str, &str)] = &[
    ("ABSENT", "a name"),
    ("AGAIN", "history: never what comes out"),
    ("BITS", "format: fraction bits"),
    ("BYTES_PER_EVENT", "keyframes: never what comes out"),
    ("CAUSES", "how many names there are"),
    ("CHANNELS", "names of channels"),
    ("CHILDREN", "names of channels"),
    ("CLASS", "format: order of events"),
    ("COMPOSITOR", "a name"),
    ("ENDLESS", "a name"),
    ("EXACT", "what a float holds exactly"),
    ("FIXED", "format: order of events"),
    (
        "IDLE_PHASES",
        "when a thread that does nothing counts as stuck",
    ),
    ("INTERFACE", "a name"),
    ("KEPT", "keyframes: never what comes out"),
    ("KEPT_BYTES", "keyframes: never what comes out"),
    ("KINDS", "how many names there are"),
    ("LENDS", "a flag of a wait"),
    ("LIMIT_ROW", "format of the history"),
    ("L1", "a name"),
    ("L2", "a name"),
    ("L3", "a name"),
    ("LONGEST", "length of a text"),
    ("LOOK_BACK", "history: never what comes out"),
    ("MAX_CLOCKS", "format: order of events"),
    ("MAX_DEPTH", "a limit of programs"),
    ("MAX_NS", "the longest run"),
    ("MAX_ROUNDS", "a limit of programs"),
    ("MAX_TEXT", "the longest file"),
    ("MEETING", "a name"),
    ("MOST", "format: largest factor"),
    ("NETWORK", "a name"),
    ("NOBODY", "names of channels"),
    ("NONE", "a name"),
    ("NO_TIMER", "never"),
    ("ONE", "format: a rate of 1"),
    ("PAGE", "a name"),
    ("PER_CPU", "format: order of events"),
    ("PLACES", "a cache: never what comes out"),
    ("PORT", "a name of channels"),
    ("PORTS", "names of channels"),
    (
        "RANDOM",
        "computed from the formula of model.md; a test computes it again",
    ),
    ("RATE_BITS", "format: fraction bits"),
    ("RECORDS", "history: never what comes out"),
    ("SAMPLED", "history: never what comes out"),
    ("SATURATION_BITS", "format: fraction bits"),
    ("SCENARIO_VERSION", "format"),
    ("SETTLED", "SETTLED_MILLI_C in another unit"),
    ("SLICE", "format of the history"),
    ("SPACING", "keyframes: never what comes out"),
    ("SPACING_EVENTS", "keyframes: never what comes out"),
    ("SPREAD", "a hash: never what comes out"),
    ("STEPS", "steps of RANDOM"),
    ("STUCK", "when a run counts as stuck"),
    ("TASK_SAMPLE", "format of the history"),
    ("TIMERS", "format: order of events"),
    ("TURN", "format: order of events"),
    ("UNKNOWN", "a name"),
    ("UNSATURATED", "format: a factor of 1"),
    ("US", "a unit"),
    ("VERSION", "format"),
];

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("there") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

/// The lines of a file before its tests.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .map(str::trim)
        .take_while(|l| *l != "#[cfg(test)]")
}

/// The name of a number that a line declares without a source.
fn bare(line: &str) -> Option<&str> {
    let (visible, rest) = line.split_once("const ")?;
    let (name, kind) = rest.split_once(": ")?;
    let is_number = |kind: &str| {
        let kind = kind.trim_start_matches(['[', '(']);
        let digits = kind.strip_prefix(['u', 'i', 'f']).unwrap_or_default();
        digits.starts_with(|c: char| c.is_ascii_digit())
            || digits.starts_with("size")
            || kind.starts_with("Sim")
    };
    let is_word = name
        .bytes()
        .all(|b| b.is_ascii_uppercase() || b == b'_' || b.is_ascii_digit());
    let is_item = visible.is_empty() || visible.starts_with("pub");
    (is_item && is_word && is_number(kind)).then_some(name)
}

/// A field of a behaviour or a default that a line sets to a literal number.
fn literal(line: &str) -> Option<&str> {
    const FIELDS: [&str; 11] = [
        "working_set_bytes",
        "smt_pair_milli",
        "pressure_milli",
        "count",
        "wakes_per_second",
        "interrupt_percent",
        "tick_aligned_percent",
        "run_mean_ns",
        "chain_percent",
        "run_ns",
        "start_spacing_ns",
    ];
    let (field, value) = line.split_once(": ")?;
    let is_number = value.starts_with(|c: char| ('1'..='9').contains(&c));
    (FIELDS.contains(&field) && is_number).then_some(field)
}

#[test]
fn a_number_without_a_source_is_seen() {
    for line in [
        "const LINES: u64 = 32;",
        "pub(crate) const LINES: [u32; 2] = [1, 2];",
        "pub const LINES: SimSpan = SimSpan(1);",
        "pub(super) const LINES: usize = 2;",
    ] {
        assert_eq!(bare(line), Some("LINES"), "{line}");
    }
    for line in [
        "LINES: u64 = 32, \"lines\", Assumed,",
        "const NAME: &str = \"x\";",
    ] {
        assert_eq!(bare(line), None, "{line}");
    }
    assert_eq!(literal("smt_pair_milli: 960,"), Some("smt_pair_milli"));
    assert_eq!(literal("smt_pair_milli: PAIR,"), None);
    assert_eq!(literal("working_set_bytes: 0,"), None);
}

#[test]
fn every_number_of_the_model_has_a_source() {
    let mut unmarked = Vec::new();
    let mut excused = BTreeSet::new();
    for room in ROOMS {
        let mut files = Vec::new();
        sources(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join(room).join("src"),
            &mut files,
        );
        for file in files {
            let text = fs::read_to_string(&file).expect("readable");
            for line in lines(&text) {
                // These crates contain the defaults of scenarios and of behaviours.
                let sets = ["config", "workload"].contains(&room);
                let found = bare(line).or_else(|| literal(line).filter(|_| sets));
                let Some(name) = found else { continue };
                match OTHERS.iter().find(|(other, _)| *other == name) {
                    Some((other, _)) => {
                        excused.insert(*other);
                    }
                    None => unmarked.push(format!("{}: {line}", file.display())),
                }
            }
        }
    }
    assert!(
        unmarked.is_empty(),
        "no source; declare them with sim_ground::constants!, or say in {} why they are no quantity: {unmarked:#?}",
        file!()
    );
    let stale: Vec<_> = OTHERS
        .iter()
        .filter(|(o, _)| !excused.contains(o))
        .collect();
    assert!(
        stale.is_empty(),
        "there is no such constant any more: {stale:?}"
    );
}

#[test]
fn every_constant_says_what_it_is_and_why() {
    let all = constants::all();
    let mut seen = BTreeSet::new();
    for c in &all {
        let name = format!("{}: {}", c.file, c.name);
        assert!(seen.insert(name.clone()), "{name} twice");
        assert!(
            c.what.trim().ends_with('.'),
            "{name}: no sentence says what it is"
        );
        assert!(
            c.source.trim().len() >= 20,
            "{name}: {:?} is no source",
            c.source
        );
    }
    // Each file that declares constants must be in the table of its crate.
    let mut files = Vec::new();
    for room in ROOMS {
        sources(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join(room).join("src"),
            &mut files,
        );
    }
    for file in files {
        let text = fs::read_to_string(&file).expect("readable");
        if lines(&text).any(|line| line.starts_with("sim_ground::constants!")) {
            let is_there = all.iter().any(|c| {
                file.ends_with(
                    Path::new(c.file)
                        .strip_prefix("sim-core")
                        .expect("of the workspace"),
                )
            });
            assert!(
                is_there,
                "{}: not in ALL_CONSTANTS of its crate",
                file.display()
            );
        }
    }
}

#[test]
fn marks_of_older_files_are_read() {
    use sim_core::provenance::Mark;
    for (old, new) in [
        ("sourced", Mark::Published),
        ("vendor", Mark::Published),
        ("inferred", Mark::Assumed),
        ("unknown", Mark::Assumed),
        ("measured", Mark::Measured),
    ] {
        let read: Mark = serde_json::from_str(&format!("\"{old}\"")).expect("known");
        assert_eq!(read, new, "{old}");
    }
}
