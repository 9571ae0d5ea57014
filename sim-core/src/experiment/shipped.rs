//! The shipped data of the claims: the claims themselves, the scenarios that their runs change, the machines and the
//! published tables.

use super::registry::SCENARIOS;
use crate::machine::registry::PRESETS;
use serde_json::{Map, Value};
use std::sync::LazyLock;

const CLAIMS: &[(&str, &str)] = &[
    ("s0", include_str!("../../../scenarios/claims/s0.json")),
    ("s1", include_str!("../../../scenarios/claims/s1.json")),
    ("s2", include_str!("../../../scenarios/claims/s2.json")),
    ("s3", include_str!("../../../scenarios/claims/s3.json")),
    ("s4", include_str!("../../../scenarios/claims/s4.json")),
    (
        "eevdf",
        include_str!("../../../scenarios/claims/eevdf.json"),
    ),
    (
        "queueing",
        include_str!("../../../scenarios/claims/queueing.json"),
    ),
];

const PUBLISHED: &[(&str, &str)] = &[
    (
        "eevdf",
        include_str!("../../../scenarios/published/eevdf.json"),
    ),
    (
        "s0-v890",
        include_str!("../../../scenarios/published/s0-v890.json"),
    ),
    (
        "s1-yield",
        include_str!("../../../scenarios/published/s1-yield.json"),
    ),
    (
        "s2-battle",
        include_str!("../../../scenarios/published/s2-battle.json"),
    ),
    (
        "s3-nice",
        include_str!("../../../scenarios/published/s3-nice.json"),
    ),
    (
        "s4-smt",
        include_str!("../../../scenarios/published/s4-smt.json"),
    ),
];

static FILES: LazyLock<Map<String, Value>> = LazyLock::new(files);

/// A file by its path below `scenarios/`, without the ending, e.g. `experiments/s3-nice`.
#[must_use]
pub fn file(path: &str) -> Option<&'static Value> {
    FILES.get(path)
}

/// The names of the files in a folder below `scenarios/`, in alphabetical order.
#[must_use]
pub fn names(folder: &str) -> Vec<&'static str> {
    let mut names = Vec::new();
    for path in FILES.keys() {
        if let Some(name) = path.strip_prefix(folder)
            && let Some(name) = name.strip_prefix('/')
        {
            names.push(name);
        }
    }
    names
}

fn files() -> Map<String, Value> {
    let folders = [
        ("claims", CLAIMS),
        ("experiments", SCENARIOS),
        ("machines", PRESETS),
        ("published", PUBLISHED),
    ];
    let mut files = Map::new();
    for (folder, list) in folders {
        for (name, text) in list {
            let value = serde_json::from_str(text).expect("invariant: shipped files are JSON");
            files.insert(format!("{folder}/{name}"), value);
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_their_paths() {
        let scenario = file("experiments/s3-nice").expect("shipped");
        assert_eq!(scenario["groups"][0]["name"], "first");
        assert_eq!(file("experiments/s9"), None);
        assert_eq!(
            names("published"),
            [
                "eevdf",
                "s0-v890",
                "s1-yield",
                "s2-battle",
                "s3-nice",
                "s4-smt"
            ]
        );
    }

    #[test]
    fn every_file_of_the_folders_is_there() {
        for folder in ["claims", "experiments", "machines", "published"] {
            let path = format!("{}/../scenarios/{folder}", env!("CARGO_MANIFEST_DIR"));
            for entry in std::fs::read_dir(path).expect("a folder") {
                let path = entry.expect("a file").path();
                let name = path.file_stem().and_then(|n| n.to_str());
                assert!(names(folder).contains(&name.expect("text")), "{path:?}");
            }
        }
    }
}
