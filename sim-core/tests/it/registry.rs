//! Every file in a folder is registered, ids are unique, everything is described, and every range holds.

use crate::bound_cases;
use serde_json::{Value, json};
use sim_core::bounds;
use sim_core::catalog::{Catalog, catalog};
use sim_core::config::validate;
use sim_core::params::{ParamKind, ParamSpec};
use sim_core::sched::decision;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn read(path: &str) -> String {
    fs::read_to_string(folder(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The file stems of a folder, including subfolders.
fn stems(path: &str, extension: &str) -> BTreeSet<String> {
    fs::read_dir(folder(path))
        .unwrap_or_else(|e| panic!("{path}: {e}"))
        .map(|entry| entry.expect("readable").path())
        .filter(|p| p.is_dir() || p.extension().is_some_and(|e| e == extension))
        .map(|p| p.file_stem().expect("named").to_string_lossy().into_owned())
        .collect()
}

/// Modules of a folder that are not entries of its registry.
fn entries(path: &str, helpers: &[&str]) -> BTreeSet<String> {
    let mut all = stems(path, "rs");
    for helper in helpers.iter().chain(&["lib"]) {
        assert!(
            all.remove(*helper),
            "{path}/{helper}.rs is gone: mend this list"
        );
    }
    all
}

fn assert_unique<'a>(what: &str, ids: impl IntoIterator<Item = &'a str>) {
    let mut seen = BTreeSet::new();
    for id in ids {
        assert!(!id.is_empty(), "{what}: an empty id");
        assert!(seen.insert(id.to_owned()), "{what}: {id} twice");
    }
}

/// All modules of a folder are in its list, `<folder>/<list>.rs`.
fn registered(folder: &str, list: &str, helpers: &[&str]) {
    let registry = read(&format!("{folder}/{list}.rs"));
    for name in entries(folder, helpers) {
        assert!(
            registry.contains(&format!("{name}::")),
            "{folder}/{name}.rs is not in {folder}/{list}.rs"
        );
    }
}

#[test]
fn every_scheduler_is_registered() {
    // fifo.rs is the mechanism of the baselines; freebsd and linux hold what the schedulers of one system share. The
    // skeleton is to be copied.
    registered(
        "schedulers/src",
        "lib",
        &["fifo", "freebsd", "linux", "skeleton"],
    );
}

#[test]
fn every_behaviour_is_registered() {
    // They are parts of behaviours.
    registered("workload/src", "registry", &["registry", "hog", "jitter"]);
}

#[test]
fn every_family_of_metrics_is_registered() {
    registered("metrics/src", "registry", &["registry", "testing"]);
    // Every metric of each family must be registered too.
    let registry = read("metrics/src/registry.rs");
    for family in entries("metrics/src", &["registry", "testing"]) {
        let code = read(&format!("metrics/src/{family}.rs"));
        let metrics = code
            .lines()
            .filter_map(|l| l.trim().strip_prefix("pub(super) const "))
            .filter_map(|l| l.strip_suffix(": Metric = Metric {"));
        let mut any = false;
        for name in metrics {
            any = true;
            assert!(
                registry.contains(&format!("{family}::{name},")),
                "{family}::{name} is not in metrics/src/registry.rs"
            );
        }
        assert!(
            any,
            "metrics/src/{family}.rs has no metric that this test sees"
        );
    }
}

#[test]
fn every_machine_and_every_scenario_is_registered() {
    let catalog = catalog();
    let machines = catalog.machines.iter().map(|m| m.spec.id.clone());
    assert_eq!(stems("../scenarios/machines", "json"), machines.collect());
    let scenarios = catalog.scenarios.iter().map(|s| s.id.to_owned());
    assert_eq!(
        stems("../scenarios/experiments", "json"),
        scenarios.collect()
    );
}

#[test]
fn every_shipped_scenario_is_valid() {
    for entry in catalog().scenarios {
        let errors = validate::plan(&entry.scenario).err();
        assert!(errors.is_none(), "{}: {errors:?}", entry.id);
    }
}

#[test]
fn ids_are_unique() {
    let c: Catalog = catalog();
    assert_unique("schedulers", c.schedulers.iter().map(|s| s.id));
    assert_unique("machines", c.machines.iter().map(|m| m.spec.id.as_str()));
    assert_unique("behaviours", c.behaviours.iter().map(|b| b.id));
    assert_unique("metrics", c.metrics.iter().map(|m| m.id));
    assert_unique("causes", c.causes.iter().map(|x| x.id));
    assert_unique("scenarios", c.scenarios.iter().map(|s| s.id));
    assert_unique("trace kinds", c.trace_kinds.iter().copied());
    let f = &c.frame;
    for (what, names) in [
        ("header", &f.header),
        ("CPU columns", &f.cpu),
        ("task columns", &f.task),
        ("queue", &f.queue),
        ("trace", &f.trace),
    ] {
        assert_unique(what, names.iter().copied());
    }
    for s in &c.schedulers {
        assert_unique(s.id, s.eras.iter().map(|e| e.id));
        for era in &s.eras {
            assert_unique(era.id, era.tunables.iter().map(|t| t.id));
        }
    }
    for b in &c.behaviours {
        assert_unique(b.id, b.params.iter().map(|p| p.id));
    }
    for info in sim_core::sched::registry::ALL.schedulers {
        // The baselines share a table.
        let reasons = info.reasons.iter().map(|r| (r.id, r.kind));
        let mut seen = BTreeSet::new();
        for reason in reasons {
            assert!(seen.insert(reason), "{}: {reason:?} twice", info.id);
        }
    }
}

#[track_caller]
fn described(what: &str, texts: &[(&str, &str)]) {
    for (field, text) in texts {
        assert!(!text.trim().is_empty(), "{what}: no {field}");
    }
}

fn parameter(owner: &str, p: &ParamSpec, offered: bool) {
    let what = format!("{owner}.{}", p.id);
    if offered {
        described(&what, &[("label", p.label), ("summary", p.summary)]);
        assert!(
            p.summary.ends_with('.'),
            "{what}: the summary is no sentence"
        );
    }
    // Every tunable that is offered has an effect.
    described(&what, &[("source", p.source)]);
    match p.kind {
        ParamKind::Int {
            min,
            max,
            default,
            log,
        } => {
            assert!(min < max, "{what}: an empty range");
            assert!(
                (min..=max).contains(&default),
                "{what}: default out of range"
            );
            assert!(!log || min >= 0, "{what}: a logarithm of negative numbers");
            assert!(max < 1 << 53, "{what}: more than a double holds");
        }
        ParamKind::Choice { options, default } => {
            assert!(options.contains(&default), "{what}: default not offered");
            assert_unique(&what, options.iter().copied());
        }
        ParamKind::Text {
            max_length,
            default,
        } => assert!(
            default.len() <= max_length as usize,
            "{what}: default too long"
        ),
        ParamKind::Flag { .. } => {}
    }
}

/// Times, shares and similar numbers have units; counts and words have none.
const WITHOUT_UNIT: &[&str] = &[
    "computeShape",
    "serviceShape",
    "sleepShape",
    "bursts",
    "role",
    "port",
    "inFlight",
    "requests",
    "connect",
    "rounds",
    "stages",
    "messages",
    "threads",
    "start",
    "yields",
    "program",
    "child",
];

#[test]
fn everything_describes_itself() {
    let c = catalog();
    for s in &c.schedulers {
        described(
            s.id,
            &[
                ("name", s.name),
                ("summary", s.summary),
                ("family", s.family),
            ],
        );
        assert!(!s.eras.is_empty(), "{}: no era", s.id);
        for era in &s.eras {
            described(era.id, &[("name", era.name), ("summary", era.summary)]);
            // The textbook's policies began with the batch monitors of the 1950s.
            assert!((1950..2100).contains(&era.year), "{}: year", era.id);
            for t in &era.tunables {
                parameter(s.id, t, true);
                // Words and flags have none.
                if matches!(t.kind, ParamKind::Int { .. }) {
                    described(&format!("{}.{}", s.id, t.id), &[("unit", t.unit)]);
                }
            }
        }
        for column in s.task_columns.iter().chain(&s.cpu_columns) {
            described(column.id, &[("label", column.label), ("unit", column.unit)]);
        }
    }
    for b in &c.behaviours {
        described(b.id, &[("name", b.name), ("summary", b.summary)]);
        for p in &b.params {
            parameter(b.id, p, b.offered);
            if !WITHOUT_UNIT.contains(&p.id) {
                described(&format!("{}.{}", b.id, p.id), &[("unit", p.unit)]);
            }
        }
    }
    for m in &c.metrics {
        described(
            m.id,
            &[("name", m.name), ("unit", m.unit), ("summary", m.summary)],
        );
        assert!(["higher", "lower", "none"].contains(&m.better), "{}", m.id);
        assert!(m.summary.ends_with('.'), "{}: no sentence", m.id);
    }
    for r in c.schedulers.iter().flat_map(|s| &s.reasons) {
        described(r.id, &[("kind", r.kind), ("kernel function", r.kernel)]);
        assert!(decision::KINDS.contains(&r.kind), "{}: {}", r.id, r.kind);
        for (name, unit) in r.operands.iter().zip(&r.units) {
            assert!(
                unit.is_empty() || !name.is_empty(),
                "{}: a unit of nothing",
                r.id
            );
        }
    }
    for cause in &c.causes {
        described(
            cause.id,
            &[("name", cause.name), ("summary", cause.summary)],
        );
    }
    for m in &c.machines {
        let s = &m.spec;
        described(
            &s.id,
            &[
                ("name", &s.name),
                ("purpose", &s.purpose),
                ("microarchitecture", &s.microarchitecture),
            ],
        );
    }
    for s in &c.scenarios {
        described(
            s.id,
            &[("name", &s.scenario.name), ("notes", &s.scenario.notes)],
        );
    }
}

/// What a reader needs to start: a question, the number that answers it, the opening time, and controls.
#[test]
fn every_shipped_scenario_guides_its_reader() {
    for entry in &catalog().scenarios {
        let (id, s) = (entry.id, &entry.scenario);
        assert!(s.ask.ends_with('?'), "{id}: {}", s.ask);
        let opening = s.opening.as_ref().unwrap_or_else(|| panic!("{id}"));
        assert!(opening.speed.is_some(), "{id}");
        let opens = opening.at_ns.is_some() != opening.moment.is_some();
        assert!(opens, "{id} opens at a time or at a moment");
        assert!(
            opening.moment.is_none_or(|m| s.moments.contains(&m)),
            "{id}"
        );
        assert!(s.answer.is_some() && s.thumb.is_some(), "{id}");
        assert!(!s.controls.is_empty() && !s.moments.is_empty(), "{id}");
    }
}

/// The paths of all errors of a scenario.
fn wrong(scenario: &Value) -> Vec<String> {
    let checked = validate::parse(&scenario.to_string()).and_then(|s| validate::plan(&s));
    checked
        .err()
        .unwrap_or_default()
        .into_iter()
        .map(|e| e.to_string())
        .collect()
}

#[test]
fn every_range_is_enforced() {
    assert_eq!(wrong(&bound_cases::base()), [""; 0]);
    assert_eq!(wrong(&bound_cases::machine_base()), [""; 0]);
    for case in bound_cases::all() {
        let b = case.bound;
        for value in [b.min, b.max] {
            // Without any group an edit has no group either, which is another error.
            let errors = wrong(&case.with(value));
            // A name of allowed length need not exist.
            let named = errors
                .iter()
                .filter(|e| !e.contains("is ever called that"))
                .any(|e| e.starts_with(&format!("{}:", case.path)));
            assert!(!named, "{} = {value}: {errors:?}", case.path);
        }
        let below = (b.min > 0 || case.signed).then(|| b.min - 1);
        for value in below.into_iter().chain([b.max + 1]) {
            let errors = wrong(&case.with(value));
            // The path of the number itself is named, unless the number does not fit its type.
            let named = errors
                .iter()
                .any(|e| e.starts_with(&format!("{}:", case.path)) || e.starts_with("line"));
            assert!(named, "{} = {value}: {errors:?}", case.path);
        }
    }
}

#[test]
fn no_range_is_forgotten() {
    let key = |b: &sim_core::info::BoundEntry| (b.field, b.min, b.max, b.unit);
    let tried: BTreeSet<_> = bound_cases::all().iter().map(|c| key(&c.bound)).collect();
    let all: BTreeSet<_> = bounds::ALL.iter().map(key).collect();
    assert_eq!(tried, all);
}

#[test]
fn every_parameter_s_range_is_enforced() {
    let check = |scheduler: Value, behaviour: Value| {
        let mut scenario = bound_cases::base();
        scenario["schedulers"] = json!([scheduler]);
        scenario["groups"][0]["behaviour"] = behaviour;
        wrong(&scenario)
    };
    let c = catalog();
    for s in &c.schedulers {
        for era in &s.eras {
            for t in &era.tunables {
                let ParamKind::Int { min, max, .. } = t.kind else {
                    continue;
                };
                for (value, fine) in [(min, true), (max, true), (min - 1, false), (max + 1, false)]
                {
                    let lane = json!({ "id": s.id, "era": era.id, "tunables": { t.id: value } });
                    let errors = check(lane, json!({ "kind": "dhrystone" }));
                    assert_eq!(
                        errors.is_empty(),
                        fine,
                        "{}.{} = {value}: {errors:?}",
                        s.id,
                        t.id
                    );
                }
            }
        }
    }
    for b in c.behaviours.iter().filter(|b| b.offered) {
        for p in &b.params {
            let ParamKind::Int { min, max, .. } = p.kind else {
                continue;
            };
            for (value, fine) in [(min, true), (max, true), (min - 1, false), (max + 1, false)] {
                let behaviour = json!({ "kind": b.id, "params": { p.id: value } });
                let errors = check(json!({ "id": "bfs" }), behaviour);
                assert_eq!(
                    errors.is_empty(),
                    fine,
                    "{}.{} = {value}: {errors:?}",
                    b.id,
                    p.id
                );
            }
        }
    }
}
