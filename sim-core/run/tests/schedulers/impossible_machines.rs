//! Impossible machines: each is refused, with the path of the error and the allowed values.

use serde::Deserialize;
use serde_json::{Value, json};
use sim_run::config::validate;
use sim_run::machine::{Machine, registry};
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Deserialize)]
struct Impossible {
    machine: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    what: String,
    of: String,
    set: BTreeMap<String, Value>,
    errors: Vec<String>,
}

/// The value at a path such as `caches[1].bytes`; a missing last name is created.
fn at<'a>(mut value: &'a mut Value, path: &str) -> &'a mut Value {
    for part in path.split('.') {
        let mut names = part.split('[');
        value = &mut value[names.next().expect("a name")];
        for index in names {
            let index: usize = index.trim_end_matches(']').parse().expect("an index");
            value = &mut value[index];
        }
    }
    value
}

fn scenario(machine: &Value) -> Value {
    json!({
        "version": 1,
        "name": "a machine",
        "machine": machine,
        "schedulers": [{ "id": "manual" }],
        "groups": [],
        "end": { "atNs": 1_000_000 },
    })
}

/// The messages about a scenario with that machine.
fn said(machine: &Value) -> Vec<String> {
    let checked = validate::parse(&scenario(machine).to_string()).and_then(|s| validate::plan(&s));
    let errors = checked.err().unwrap_or_default();
    let line = |e: &sim_run::error::ConfigError| format!("{}: {}", e.path, e.message);
    errors.iter().map(line).collect()
}

#[test]
fn impossible_machines_are_refused_with_path_and_range() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/machine-model/impossible.toml");
    let text = std::fs::read_to_string(file).expect("readable");
    let cases: Impossible = toml::from_str(&text).expect("parses");
    let mut wrong = Vec::new();
    for case in &cases.machine {
        let spec = registry::spec(&case.of).expect("a preset");
        let mut machine = serde_json::to_value(&spec).expect("plain data");
        assert!(said(&machine).is_empty(), "{} is possible", case.of);
        for (path, value) in &case.set {
            *at(&mut machine, path) = value.clone();
        }
        let wanted: Vec<String> = case.errors.iter().map(|e| format!("machine.{e}")).collect();
        let found = said(&machine);
        if found != wanted {
            wrong.push(format!("{}:\n  {}", case.what, found.join("\n  ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An inline machine that cannot be read: the message names the error, and not only that there is one.
#[test]
fn what_a_machine_cannot_say_is_named() {
    let spec = registry::spec("i7860").expect("a preset");
    let whole = serde_json::to_value(&spec).expect("plain data");
    let cases: [(&str, Value, &str); 4] = [
        ("clockMHz", json!(3), "unknown field `clockMHz`"),
        ("clockMhz", json!(-3), "expected u32"),
        ("costs", json!(null), "expected struct CostSpec"),
        ("isa", json!("vax"), "unknown variant `vax`"),
    ];
    for (field, value, wanted) in cases {
        let mut machine = whole.clone();
        machine[field] = value;
        let found = said(&machine);
        assert!(found.len() == 1 && found[0].contains(wanted), "{found:?}");
        assert!(found[0].starts_with("line 1, column "), "{found:?}");
    }
    let found = said(&json!(7));
    assert!(
        found[0].contains("the id of a preset or a machine"),
        "{found:?}"
    );
}

/// Every preset, written out in a scenario, equals the preset by name.
#[test]
fn a_machine_written_out_is_the_preset() {
    for id in registry::ids() {
        let by_name = registry::preset(id).expect("a preset");
        let written = serde_json::to_value(by_name.spec()).expect("plain data");
        let read = validate::parse(&scenario(&written).to_string()).expect("reads");
        let plan = validate::plan(&read).expect("valid");
        assert_eq!(plan.machine.spec(), by_name.spec());
        assert_eq!(plan.machine.cpu_count(), by_name.cpu_count());
        Machine::new(by_name.spec()).expect("possible");
    }
}

/// Checks the topologies of the presets.
#[test]
fn presets_have_the_topology_of_their_machines() {
    // Numbers of CPUs, cores, last-level groups, nodes, packages.
    for (id, counts) in [
        ("i7860", [8, 4, 1, 1, 1]),
        ("v890", [16, 16, 16, 8, 8]),
        ("e3", [8, 4, 1, 1, 1]),
        ("i7980x", [12, 6, 1, 1, 1]),
        ("k8x4", [8, 8, 8, 4, 4]),
        ("up2007", [1, 1, 1, 1, 1]),
        ("mc32", [32, 32, 8, 8, 4]),
        ("op32", [32, 32, 4, 4, 2]),
        ("mc1", [1, 1, 1, 1, 1]),
        ("r3900x", [24, 12, 4, 1, 1]),
        ("r7840u", [16, 8, 1, 1, 1]),
        ("adl12900k", [24, 16, 1, 1, 1]),
        ("m1", [8, 8, 2, 1, 1]),
        ("xeon2s", [72, 36, 2, 2, 2]),
        ("epyc9654", [192, 96, 12, 1, 1]),
        ("rpi4", [4, 4, 1, 1, 1]),
        ("ideal", [4, 4, 1, 1, 1]),
    ] {
        let machine = registry::preset(id).expect("a preset");
        let tree = machine.tree();
        let groups = |of: &[u16]| usize::from(of.iter().max().expect("a CPU") + 1);
        let found = [
            machine.cpu_count(),
            machine.core_count(),
            groups(&tree.llc),
            groups(&tree.node),
            groups(&tree.package),
        ];
        assert_eq!(found, counts, "{id}");
    }
}

#[test]
fn texts_that_nobody_reads_are_refused() {
    let spec = registry::spec("i7860").expect("shipped");
    let mut machine = serde_json::to_value(&spec).expect("plain data");
    machine["purpose"] = json!("x".repeat(4_001));
    let entry = json!({ "fields": ["x".repeat(201)], "mark": "assumed", "source": "" });
    machine["provenance"] = json!([entry]);
    assert_eq!(
        said(&machine),
        [
            "machine.purpose: length must be from 0 to 4000 bytes, got 4001",
            "machine.provenance[0].fields[0]: length must be from 0 to 200 bytes, got 201",
        ]
    );
    machine["purpose"] = json!("");
    machine["provenance"] = json!([{ "fields": vec!["a"; 401], "mark": "assumed", "source": "" }]);
    assert_eq!(
        said(&machine),
        ["machine.provenance[0].fields: length must be from 0 to 400 entries, got 401"]
    );
}
