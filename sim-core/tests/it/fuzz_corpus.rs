//! Inputs that the fuzzers found worth keeping (`npm run fuzz -- --coverage`), run again without a fuzzer.

use std::fs;
use std::path::{Path, PathBuf};

#[path = "../../fuzz/src/lib.rs"]
#[allow(dead_code, unreachable_pub)]
pub(crate) mod targets;

/// Largest size of the corpora of all targets together, in bytes.
const MOST: u64 = 5_000_000;

fn kept(target: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    let entries = fs::read_dir(folder.join(target)).expect("a folder for each target");
    let mut paths: Vec<_> = entries.map(|e| e.expect("readable").path()).collect();
    paths.sort();
    assert!(paths.len() > 20, "{target}: {} inputs", paths.len());
    paths
}

fn replay(target: &str, run: fn(&[u8])) {
    for path in kept(target) {
        let data = fs::read(&path).expect("readable");
        // The name is enough to identify a failure.
        eprintln!("{}", path.display());
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
fn the_corpus_is_small() {
    let all = ["scenario", "snapshot", "link", "edits"].map(kept).concat();
    let size = |path: &PathBuf| fs::metadata(path).expect("readable").len();
    let bytes: u64 = all.iter().map(size).sum();
    assert!(bytes < MOST, "{bytes} bytes");
}
