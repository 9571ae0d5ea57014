//! The shipped data of the claims: the claims themselves, the scenarios that their runs change, the machines and the
//! published tables. A program has the files of `scenarios/` compiled in; in a browser they are one file beside the
//! package, which the page fetches and provides.

use crate::error::ConfigError;
use serde_json::{Map, Value};
use std::sync::OnceLock;

static FILES: OnceLock<Map<String, Value>> = OnceLock::new();

/// A file by its path below `scenarios/`, without the ending, e.g. `experiments/s3-nice`.
#[must_use]
pub fn file(path: &str) -> Option<&'static Value> {
    files().get(path)
}

/// The names of the files in a folder below `scenarios/`, in alphabetical order.
#[must_use]
pub fn names(folder: &str) -> Vec<&'static str> {
    let mut names = Vec::new();
    for path in files().keys() {
        if let Some(name) = path.strip_prefix(folder)
            && let Some(name) = name.strip_prefix('/')
        {
            names.push(name);
        }
    }
    names
}

/// Provides all files. Only the first call has an effect. The text is a JSON object of files by their paths.
///
/// # Errors
/// If the text is not such an object.
pub fn provide(text: &str) -> Result<(), ConfigError> {
    match serde_json::from_str(text) {
        Ok(Value::Object(files)) => {
            FILES.get_or_init(|| files);
            Ok(())
        }
        _ => Err(ConfigError::new("claims", "must be a JSON object")),
    }
}

fn files() -> &'static Map<String, Value> {
    #[cfg(not(target_family = "wasm"))]
    return FILES.get_or_init(compiled_in::all);
    #[cfg(target_family = "wasm")]
    FILES.get_or_init(Map::new)
}

/// Files that no package of the page may contain.
#[cfg(not(target_family = "wasm"))]
mod compiled_in {
    use crate::experiment::registry::SCENARIOS;
    use crate::machine::registry::PRESETS;
    use serde_json::{Map, Value};

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

    pub(super) fn all() -> Map<String, Value> {
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

    #[test]
    fn what_is_no_object_is_refused() {
        for text in ["[]", "{"] {
            let error = provide(text).expect_err("wrong").to_string();
            assert!(error.starts_with("claims: "), "{error}");
        }
    }
}
