//! Inputs that the fuzzer found worth keeping (`npm run fuzz -- --coverage`), run again without a fuzzer.

use std::fs;
use std::path::Path;

#[path = "../../fuzz/src/lib.rs"]
#[allow(dead_code, unreachable_pub)]
mod targets;

/// Largest size of the corpus of a target, in bytes.
const MOST: usize = 400_000;

/// The inputs of a target: one on each line, as a JSON string in which each character is a byte.
fn kept(target: &str) -> Vec<Vec<u8>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("fuzz/corpus/{target}.jsonl"));
    let text = fs::read_to_string(file).expect("a file for each target");
    assert!(text.len() < MOST, "{target}: {} bytes", text.len());
    let byte = |c: char| u8::try_from(c).expect("a byte");
    let input = |line: &str| -> Vec<u8> {
        let text: String = serde_json::from_str(line).expect("a JSON string");
        text.chars().map(byte).collect()
    };
    let all: Vec<_> = text.lines().map(input).collect();
    assert!(all.len() > 20, "{target}: {} inputs", all.len());
    all
}

fn replay(target: &str, run: fn(&[u8])) {
    for (line, data) in (1..).zip(kept(target)) {
        // The place is enough to identify a failure.
        eprintln!("{target}.jsonl:{line}");
        run(&data);
    }
}

#[test]
fn scenarios_that_were_found() {
    replay("scenario", targets::scenario);
}

#[test]
fn snapshots_that_were_found() {
    replay("snapshot", targets::snapshot);
}

#[test]
fn links_that_were_found() {
    replay("link", targets::link);
}

#[test]
fn edits_that_were_found() {
    replay("edits", targets::edits);
}

#[test]
fn traces_that_were_found() {
    replay("import", targets::import);
}

#[cfg(feature = "policy")]
#[test]
fn programs_that_were_found() {
    replay("policy", targets::policy);
}
