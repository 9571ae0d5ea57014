//! Conformance: facts about the kernels' own code, as data.
//!
//! Every row of `tests/conformance/**.toml` is a fact with its source. A row that cannot be run says why
//! (`unsupported`) and is counted; a row that does not hold says why (`known_failure`) and fails the test
//! as soon as it does. All differences of all files are told at once.

mod case;
mod check;
mod fourbsd;
mod observe;
mod setup;
mod tables;
mod ule;

use case::{Case, CaseFile};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// How many cases there are of each outcome, and what is wrong.
#[derive(Default)]
struct Tally {
    passed: usize,
    unsupported: Vec<String>,
    known_failures: Vec<String>,
    failures: Vec<String>,
}

#[test]
fn facts_about_the_kernels_hold() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
    let mut files = Vec::new();
    toml_files(&root, &mut files);
    assert!(!files.is_empty(), "there are conformance files");
    let mut tally = Tally::default();
    for path in &files {
        let name = path.strip_prefix(&root).expect("below the root").display();
        let text = std::fs::read_to_string(path).expect("readable");
        match toml::from_str::<CaseFile>(&text) {
            Err(error) => tally.failures.push(format!("{name}: {error}")),
            Ok(file) => {
                for (i, case) in file.case.iter().enumerate() {
                    let at = format!("{name}: {}", case.id);
                    if file.case[..i].iter().any(|c| c.id == case.id) {
                        tally.failures.push(format!("{at}: the id is used twice"));
                    }
                    tally.add(&at, case);
                }
            }
        }
    }
    for line in &tally.unsupported {
        println!("unsupported    {line}");
    }
    for line in &tally.known_failures {
        println!("known failure  {line}");
    }
    println!(
        "conformance: {} cases hold, {} unsupported, {} known failures, {} wrong",
        tally.passed,
        tally.unsupported.len(),
        tally.known_failures.len(),
        tally.failures.len()
    );
    assert!(tally.failures.is_empty(), "\n{}", tally.failures.join("\n"));
}

impl Tally {
    fn add(&mut self, at: &str, case: &Case) {
        if case.source.is_empty() {
            self.failures.push(format!("{at}: names no source"));
        }
        if let Some(reason) = &case.unsupported {
            self.unsupported.push(format!("{at}: {reason}"));
            return;
        }
        // A broken invariant in one case must not hide the others.
        let wrong = catch_unwind(AssertUnwindSafe(|| differences(case)))
            .unwrap_or_else(|cause| vec![format!("panicked: {}", message(&cause))]);
        match (&case.known_failure, wrong.is_empty()) {
            (None, true) => self.passed += 1,
            (None, false) => self
                .failures
                .extend(wrong.iter().map(|w| format!("{at}: {w}"))),
            (Some(reason), false) => self.known_failures.push(format!("{at}: {reason}")),
            (Some(_), true) => self.failures.push(format!(
                "{at}: holds now, so it is no known failure any more"
            )),
        }
    }
}

fn differences(case: &Case) -> Vec<String> {
    match (
        &case.offsets,
        &case.default_slice,
        &case.share_law,
        &case.fourbsd,
        &case.ule,
        &case.run,
    ) {
        (Some(table), None, None, None, None, None) => tables::offsets(table),
        (None, Some(table), None, None, None, None) => tables::default_slice(table),
        (None, None, Some(law), None, None, None) => tables::share_law(law),
        (None, None, None, Some(table), None, None) => fourbsd::differences(table),
        (None, None, None, None, Some(table), None) => ule::differences(table),
        (None, None, None, None, None, Some(run)) => match &case.expect {
            Some(expect) => check::run(&case.id, run, expect),
            None => vec!["a run needs expectations".to_owned()],
        },
        _ => {
            vec!["a case is one of offsets, default_slice, share_law, fourbsd, ule, run".to_owned()]
        }
    }
}

fn message(cause: &Box<dyn Any + Send>) -> String {
    let text = cause.downcast_ref::<String>().cloned();
    let text = text.or_else(|| cause.downcast_ref::<&str>().map(|s| (*s).to_owned()));
    text.unwrap_or_default()
}

fn toml_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("readable")
        .map(|entry| entry.expect("readable").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            toml_files(&path, found);
        } else if path.extension().is_some_and(|e| e == "toml") {
            found.push(path);
        }
    }
}
