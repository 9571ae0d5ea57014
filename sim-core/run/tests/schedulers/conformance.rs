//! Conformance: facts about the kernels' own code, as data.
//!
//! Every row of `tests/conformance/**.toml` is a fact with its source. A row that cannot be run gives the reason
//! (`unsupported`) and is counted. A row that does not hold gives the reason (`known_failure`), and fails the test as
//! soon as it holds. All differences of all files are reported together.

mod case;
mod check;
mod elsewhere;
mod fourbsd;
mod numa;
mod observe;
mod probe;
mod sawtooth;
mod setup;
mod tables;
mod ule;

use crate::support::is_asked_for;
pub(crate) use case::ns;
use case::{Case, CaseFile};
pub(crate) use observe::threads;
pub(crate) use setup::machine as machine_without_costs;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// The number of cases of each outcome, and the errors.
#[derive(Default)]
struct Tally {
    passed: usize,
    unsupported: Vec<String>,
    known_failures: Vec<String>,
    failures: Vec<String>,
}

/// Prefixes of the folders of facts. Each has its own test, so that the tests run in parallel.
const FAMILIES: [&str; 5] = ["4bsd", "bfs", "cfs", "eevdf", "ule"];

#[test]
fn facts_about_4bsd_hold() {
    facts_hold(FAMILIES[0]);
}

#[test]
fn facts_about_bfs_hold() {
    facts_hold(FAMILIES[1]);
}

#[test]
fn facts_about_cfs_hold() {
    facts_hold(FAMILIES[2]);
}

#[test]
fn facts_about_eevdf_hold() {
    facts_hold(FAMILIES[3]);
}

#[test]
fn facts_about_ule_hold() {
    facts_hold(FAMILIES[4]);
}

#[test]
fn no_facts_are_left_out() {
    for path in toml_files() {
        let name = path.display();
        let of = FAMILIES.iter().filter(|f| belongs(&path, f)).count();
        assert_eq!(of, 1, "{name} belongs to one of {FAMILIES:?}");
    }
}

fn belongs(path: &Path, family: &str) -> bool {
    let folder = path.components().next().map(|c| c.as_os_str());
    folder.is_some_and(|f| f.to_string_lossy().starts_with(family))
}

#[allow(clippy::print_stdout)] // told with the test
fn facts_hold(family: &str) {
    if !is_asked_for(family) {
        return;
    }
    // Selects cases, for people who work on one of them.
    #[allow(clippy::disallowed_methods)] // which cases are run, not what they do
    let only = std::env::var("TIMESLICE_CASES").unwrap_or_default();
    let mut tally = Tally::default();
    for path in toml_files().iter().filter(|p| belongs(p, family)) {
        let name = path.display();
        let text = std::fs::read_to_string(root().join(path)).expect("readable");
        match toml::from_str::<CaseFile>(&text) {
            Err(error) => tally.failures.push(format!("{name}: {error}")),
            Ok(file) => {
                for (i, case) in file.case.iter().enumerate() {
                    let at = format!("{name}: {}", case.id);
                    if file.case[..i].iter().any(|c| c.id == case.id) {
                        tally.failures.push(format!("{at}: the id is used twice"));
                    }
                    if at.contains(&only) {
                        tally.add(&at, case);
                    }
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
        "{family}: {} cases hold, {} unsupported, {} known failures, {} wrong",
        tally.passed,
        tally.unsupported.len(),
        tally.known_failures.len(),
        tally.failures.len()
    );
    assert!(tally.failures.is_empty(), "\n{}", tally.failures.join("\n"));
    assert!(tally.passed > 0 || !only.is_empty(), "there are facts");
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
        // A broken invariant in one case must not hide the other cases.
        let wrong = catch_unwind(AssertUnwindSafe(|| differences(case)))
            .unwrap_or_else(|cause| vec![format!("panicked: {}", message(&cause))]);
        let note = case.note.as_ref().map(|n| format!(" ({n})"));
        let note = note.unwrap_or_default();
        match (&case.known_failure, wrong.is_empty()) {
            (None, true) => self.passed += 1,
            (None, false) => self
                .failures
                .extend(wrong.iter().map(|w| format!("{at}: {w}{note}"))),
            (Some(reason), false) => self.known_failures.push(format!("{at}: {reason}")),
            (Some(_), true) => self.failures.push(format!(
                "{at}: holds now, so it is no known failure any more"
            )),
        }
    }
}

fn differences(case: &Case) -> Vec<String> {
    let kinds = [
        case.offsets.as_ref().map(tables::offsets),
        case.default_slice.as_deref().map(tables::default_slice),
        case.share_law.as_ref().map(tables::share_law),
        case.fourbsd.as_ref().map(fourbsd::differences),
        case.smt_nice.as_deref().map(tables::smt_nice),
        case.ule.as_ref().map(ule::differences),
        case.sawtooth.as_ref().map(sawtooth::differences),
        case.numa.as_ref().map(numa::differences),
        case.run.as_ref().map(|run| match &case.expect {
            Some(expect) => check::run(&case.id, run, expect),
            None => vec!["a run needs expectations".to_owned()],
        }),
    ];
    let mut found = kinds.into_iter().flatten();
    match (found.next(), found.next()) {
        (Some(wrong), None) => wrong,
        _ => vec![
            "a case is of one kind: offsets, default_slice, share_law, fourbsd, smt_nice, ule, sawtooth, numa, run"
                .to_owned(),
        ],
    }
}

fn message(cause: &Box<dyn Any + Send>) -> String {
    let text = cause.downcast_ref::<String>().cloned();
    let text = text.or_else(|| cause.downcast_ref::<&str>().map(|s| (*s).to_owned()));
    text.unwrap_or_default()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/conformance")
}

/// The files of facts, by their paths below the root.
fn toml_files() -> Vec<PathBuf> {
    let mut folders = vec![root()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("readable") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "toml") {
                let below = path.strip_prefix(root()).expect("below the root");
                found.push(below.to_owned());
            }
        }
    }
    found.sort();
    found
}
