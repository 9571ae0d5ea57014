//! Files that are derived from the Rust types: `scenarios/schema.json` and `web/src/sim/types/*.ts`.
//!
//! The test compares them, and fails on a difference. With `TIMESLICE_GENERATE=1` it writes them.

#[path = "it/bound_cases.rs"]
mod bound_cases;
#[path = "generate/claims.rs"]
mod claims;
#[path = "generate/constants.rs"]
mod constants;
#[path = "generate/exercises.rs"]
mod exercises;
#[path = "generate/ledger.rs"]
mod ledger;
#[path = "generate/lessons.rs"]
mod lessons;
#[path = "it/linux_rows.rs"]
mod linux_rows;
#[path = "generate/linux_runs.rs"]
mod linux_runs;

use serde_json::{Value, json};
use sim_core::bounds;
use sim_core::catalog::Catalog;
use sim_core::config::Scenario;
use sim_core::config::edit::WrittenEdit;
use sim_core::config::slices::{SliceHint, SliceWhy};
use sim_core::config::validate::Checked;
use sim_core::error::ConfigErrors;
use sim_core::exercise::judge::Tried;
use sim_core::exercise::registry::ExerciseEntry;
use sim_core::experiment;
use sim_core::info::BoundEntry;
use sim_core::lesson::view::{LessonEntry, LessonText, StepView};
use sim_core::machine;
use sim_core::own_measure::OwnMeasure;
use sim_core::present::{LimitNow, Present};
use sim_core::property::{Kind, PROPERTIES, When};
use sim_core::report::{DecisionView, LaneColumns, RunReport, TaskGroups};
use sim_core::sched::shape::{QueueDetail, QueueShape};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use ts_rs::{Config, TS, TypeVisitor};

const NOTE: &str = "// Generated from the core; do not edit.\n";
const HOW: &str = "type: npm run generate (or run this test with TIMESLICE_GENERATE=1)";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

// This chooses between writing and comparing; no run depends on it.
#[allow(clippy::disallowed_methods)]
fn writing() -> bool {
    std::env::var("TIMESLICE_GENERATE").is_ok_and(|v| v == "1")
}

/// Writes a file, or records that it differs.
fn settle(path: &Path, wanted: &str, wrong: &mut Vec<String>) {
    let found = fs::read_to_string(path).unwrap_or_default();
    if found == wanted {
        return;
    }
    if writing() {
        fs::create_dir_all(path.parent().expect("below the root")).expect("can be made");
        fs::write(path, wanted).expect("can be written");
    } else {
        wrong.push(path.display().to_string());
    }
}

/// The TypeScript of every type that other types refer to, by file name.
struct Types {
    config: Config,
    files: BTreeMap<String, String>,
}

impl TypeVisitor for Types {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        let Some(path) = T::output_path() else {
            return;
        };
        let name = path.display().to_string();
        assert!(
            !name.contains(['/', '\\']),
            "{name} must lie beside the others"
        );
        if self.files.contains_key(&name) {
            return;
        }
        let text = T::export_to_string(&self.config).expect("can be exported");
        let body = text.split_once('\n').expect("a note comes first").1;
        let lines = body.lines().map(|l| l.trim_end().to_owned() + "\n");
        self.files
            .insert(name, lines.fold(NOTE.to_owned(), |all, l| all + &l));
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

#[test]
fn typescript_types_are_those_of_the_core() {
    let mut types = Types {
        config: Config::new().with_large_int("number"),
        files: BTreeMap::new(),
    };
    types.visit::<Catalog>();
    types.visit::<Scenario>();
    types.visit::<WrittenEdit>();
    types.visit::<Checked>();
    types.visit::<ConfigErrors>();
    types.visit::<Present>();
    types.visit::<SliceHint>();
    types.visit::<SliceWhy>();
    types.visit::<LimitNow>();
    types.visit::<RunReport>();
    types.visit::<DecisionView>();
    types.visit::<QueueShape>();
    types.visit::<QueueDetail>();
    types.visit::<TaskGroups>();
    types.visit::<LaneColumns>();
    types.visit::<LessonEntry>();
    types.visit::<LessonText>();
    types.visit::<StepView>();
    types.visit::<ExerciseEntry>();
    types.visit::<Tried>();
    types.visit::<OwnMeasure>();
    types.files.insert("defaults.ts".to_owned(), defaults());
    let folder = root().join("web/src/sim/types");
    let mut wrong = Vec::new();
    for (name, text) in &types.files {
        assert!(!text.contains("bigint"), "{name}: numbers cross as doubles");
        settle(&folder.join(name), text, &mut wrong);
    }
    for entry in fs::read_dir(&folder).into_iter().flatten() {
        let path = entry.expect("readable").path();
        let name = path.file_name().expect("a file").to_string_lossy();
        if types.files.contains_key(&*name) {
            continue;
        }
        if writing() {
            fs::remove_file(&path).expect("can be removed");
        } else {
            wrong.push(format!("{} (no such type)", path.display()));
        }
    }
    assert!(wrong.is_empty(), "out of date: {wrong:#?}\n{HOW}");
}

/// The type of a field's values, if it is one of the schema's own types.
fn type_of<'a>(schema: &'a Value, whole: &'a Value) -> Option<&'a str> {
    if let Some(target) = schema["$ref"].as_str() {
        let name = target.rsplit('/').next().expect("a path");
        let found = &whole["$defs"][name];
        // An enum of a word and something larger.
        let larger = found["anyOf"].as_array().into_iter().flatten();
        return larger
            .filter_map(|s| type_of(s, whole))
            .next()
            .or(Some(name));
    }
    let choice = ["anyOf", "allOf", "oneOf"].map(|word| schema[word].as_array());
    let among = choice.into_iter().flatten().flatten();
    among
        .chain(schema.get("items"))
        .find_map(|s| type_of(s, whole))
}

/// The defaults of the core, by type and field, as TypeScript: authors of short texts leave these fields out.
fn defaults() -> String {
    let whole = schema();
    let mut table = serde_json::Map::new();
    let own = whole["$defs"].as_object().expect("types");
    let named = own.iter().map(|(name, s)| (name.as_str(), s));
    for (name, schema) in [("Scenario", &whole)].into_iter().chain(named) {
        let (mut defaults, mut fields) = (json!({}), json!({}));
        let kinds = schema["oneOf"].as_array().into_iter().flatten();
        for object in [schema].into_iter().chain(kinds) {
            for (field, s) in object["properties"].as_object().into_iter().flatten() {
                if let Some(value) = s.get("default").filter(|v| !v.is_null()) {
                    defaults[field] = value.clone();
                }
                if let Some(inner) = type_of(s, &whole) {
                    fields[field] = json!(inner);
                }
            }
        }
        if defaults != json!({}) || fields != json!({}) {
            table.insert(
                name.to_owned(),
                json!({ "defaults": defaults, "fields": fields }),
            );
        }
    }
    // A type without optional fields needs no entry, nor does a field of such a type.
    loop {
        let known: Vec<String> = table.keys().cloned().collect();
        for entry in table.values_mut() {
            let fields = entry["fields"].as_object_mut().expect("an object");
            fields.retain(|_, name| known.iter().any(|k| name == k));
        }
        table.retain(|_, entry| *entry != json!({ "defaults": {}, "fields": {} }));
        if table.len() == known.len() {
            break;
        }
    }
    let table = serde_json::to_string_pretty(&table).expect("plain data");
    format!(
        "{NOTE}\n/** What the core fills in where it is left out, and the types of the fields within: by type. */\nexport const DEFAULTS: Readonly<\n  Record<string, {{ readonly defaults: object; readonly fields: object }}>\n> = {table};\n"
    )
}

/// The places where the ranges of [`bounds`] apply: pointers into the schema, and the bound at each.
fn places() -> Vec<(BoundEntry, Vec<&'static str>)> {
    vec![
        (bounds::SEED, vec!["/properties/seed"]),
        (bounds::SCHEDULERS, vec!["/properties/schedulers"]),
        (
            bounds::NAME,
            vec![
                "/properties/name",
                "/$defs/ThreadGroup/properties/name",
                "/$defs/ThreadGroup/properties/process",
                "/$defs/ThreadGroup/properties/cgroup",
                "/$defs/ControlGroup/properties/parent",
            ],
        ),
        (bounds::THREAD, vec!["/$defs/TimedEdit/properties/copy"]),
        (bounds::NOTES, vec!["/properties/notes"]),
        (bounds::ASK, vec!["/properties/ask"]),
        (bounds::GROUPS, vec!["/properties/groups"]),
        (bounds::COUNT, vec!["/$defs/ThreadGroup/properties/count"]),
        // The sum over all groups cannot be expressed in a schema.
        (bounds::THREADS, vec![]),
        (bounds::NICE, vec!["/$defs/ThreadGroup/properties/nice"]),
        (
            bounds::RT_PRIORITY,
            vec!["/$defs/ThreadGroup/properties/rtPriority"],
        ),
        (bounds::SLICE, vec!["/$defs/ThreadGroup/properties/sliceNs"]),
        (
            bounds::WORKING_SET,
            vec!["/$defs/ThreadGroup/properties/workingSetBytes"],
        ),
        (bounds::CPUS, vec!["/$defs/ThreadGroup/properties/allowed"]),
        (
            bounds::CPU,
            vec!["/$defs/ThreadGroup/properties/allowed/items"],
        ),
        (bounds::START, vec!["/$defs/ThreadGroup/properties/startNs"]),
        (
            bounds::SPACING,
            vec!["/$defs/ThreadGroup/properties/startSpacingNs"],
        ),
        (
            bounds::FORK_COST,
            vec!["/$defs/Parent/properties/forkCostNs"],
        ),
        (
            bounds::WAIT_COST,
            vec!["/$defs/Parent/properties/waitCostNs"],
        ),
        (bounds::CGROUPS, vec!["/properties/cgroups"]),
        // How deep a tree is cannot be expressed in a schema.
        (bounds::CGROUP_DEPTH, vec![]),
        (
            bounds::WEIGHT,
            vec!["/$defs/ControlGroup/properties/weight"],
        ),
        (
            bounds::WEIGHT_NICE,
            vec!["/$defs/ControlGroup/properties/weightNice"],
        ),
        (
            bounds::REQUEST,
            vec!["/$defs/ControlGroup/properties/requestMilliCpus"],
        ),
        (
            bounds::QUOTA,
            vec!["/$defs/ControlGroup/properties/quotaUs"],
        ),
        (
            bounds::PERIOD,
            vec!["/$defs/ControlGroup/properties/periodUs"],
        ),
        (
            bounds::BURST,
            vec!["/$defs/ControlGroup/properties/burstUs"],
        ),
        (
            bounds::PHASE,
            vec!["/$defs/ControlGroup/properties/phaseUs"],
        ),
        (bounds::DAEMONS, vec!["/$defs/Daemons/properties/count"]),
        (
            bounds::WAKES,
            vec![
                "/$defs/Daemons/properties/wakesPerSecond",
                "/$defs/KernelThreads/properties/wakesPerSecond",
            ],
        ),
        (
            bounds::PERCENT,
            vec![
                "/$defs/Daemons/properties/interruptPercent",
                "/$defs/Daemons/properties/tickAlignedPercent",
                "/$defs/Daemons/properties/chainPercent",
            ],
        ),
        (
            bounds::BACKGROUND_RUN,
            vec![
                "/$defs/Daemons/properties/runMeanNs",
                "/$defs/KernelThreads/properties/runNs",
            ],
        ),
        (
            bounds::DELAY,
            vec![
                "/$defs/Timing/properties/kickNs",
                "/$defs/Timing/properties/idleExitNs",
                "/$defs/Timing/properties/idleExitDeepNs",
            ],
        ),
        // In a text.
        (bounds::ASKED, vec![]),
        (bounds::LANE, vec!["/$defs/TimedEdit/properties/lane"]),
        (bounds::EDITS, vec!["/properties/edits"]),
        (
            bounds::OPENING,
            vec![
                "/$defs/Opening/properties/atNs",
                "/$defs/Later/properties/atNs",
            ],
        ),
        (
            bounds::OPENING_SPEED,
            vec![
                "/$defs/Opening/properties/speed",
                "/$defs/Later/properties/speed",
            ],
        ),
        (bounds::WINDOW, vec!["/$defs/Opening/properties/windowNs"]),
        (bounds::SELECT, vec!["/$defs/Opening/properties/select"]),
        (bounds::ANSWER_OF, vec!["/$defs/Answer/properties/of"]),
        (
            bounds::ANSWER_EXPRESSION,
            vec!["/$defs/Answer/properties/expression"],
        ),
        (bounds::FAIR, vec!["/$defs/Answer/properties/fair"]),
        (bounds::CONTROLS, vec!["/properties/controls"]),
        (bounds::CONTROL_LANE, vec!["/$defs/Control/properties/lane"]),
        (bounds::MOMENTS, vec!["/properties/moments"]),
        (bounds::END, vec!["/$defs/EndCondition/properties/atNs"]),
    ]
}

/// Finds the schema of a field by its JSON pointer.
fn field<'a>(schema: &'a mut Value, place: &str) -> &'a mut Value {
    schema
        .pointer_mut(place)
        .unwrap_or_else(|| panic!("the schema has no {place}"))
}

/// Follows references, and of a preset or a machine chooses the machine.
fn resolved(schema: &Value, mut at: String) -> String {
    loop {
        let here = schema.pointer(&at).unwrap_or_else(|| panic!("no {at}"));
        let inner = here["anyOf"].as_array().into_iter().flatten();
        let reference = std::iter::once(here)
            .chain(inner)
            .find_map(|s| s["$ref"].as_str());
        match reference {
            Some(r) => r.trim_start_matches('#').clone_into(&mut at),
            None => return at,
        }
    }
}

/// Pointer into the schema for a field of the table whose name equals its path, as those of the machine.
fn spelled(schema: &Value, b: &BoundEntry) -> String {
    let into = |at: String, inner: &str| resolved(schema, format!("{at}/{inner}"));
    let is_list = |at: &str| has_type(schema.pointer(at).expect("resolved"), "array");
    let mut at = String::new();
    for name in b.field.split('.') {
        while is_list(&at) {
            at = into(at, "items");
        }
        at = into(at, &format!("properties/{name}"));
    }
    // For a list the table bounds its items, unless the unit says that it counts the entries.
    while b.unit != "entries" && is_list(&at) {
        at = into(at, "items");
    }
    at
}

/// All places; those of the machine are found by their names.
fn all_places(schema: &Value) -> Vec<(BoundEntry, String)> {
    let placed = places().into_iter();
    let by_hand = placed.flat_map(|(b, at)| at.into_iter().map(move |at| (b, at.to_owned())));
    let machine = bounds::ALL
        .iter()
        .filter(|b| b.field.starts_with("machine."));
    by_hand
        .chain(machine.map(|b| (*b, spelled(schema, b))))
        .collect()
}

fn has_type(schema: &Value, name: &str) -> bool {
    match &schema["type"] {
        Value::String(s) => s == name,
        Value::Array(all) => all.iter().any(|s| s == name),
        _ => false,
    }
}

fn bound(schema: &mut Value, at: &str, b: BoundEntry) {
    let schema = field(schema, at);
    let (low, high) = if has_type(schema, "integer") || has_type(schema, "number") {
        ("minimum", "maximum")
    } else if has_type(schema, "array") {
        ("minItems", "maxItems")
    } else if has_type(schema, "object") {
        ("minProperties", "maxProperties")
    } else {
        assert!(has_type(schema, "string"), "{at}: {schema}");
        // Most bounds of texts count bytes. The schema counts characters, so it accepts a little more.
        ("minLength", "maxLength")
    };
    schema[low] = json!(b.min);
    schema[high] = json!(b.max);
}

/// What an edit may set: a schema of the value for each form of path.
fn live_values() -> Value {
    let mut all = serde_json::Map::new();
    for row in PROPERTIES.iter().filter(|row| row.when != When::Start) {
        let words = row.path.split('.').map(|word| match word {
            "*" => r#"("([^"\\]|\\.)*"|[^".]+)"#,
            word => word,
        });
        let number =
            |b: BoundEntry| json!({ "type": "integer", "minimum": b.min, "maximum": b.max });
        let value = match row.kind {
            // So many more or fewer.
            Kind::Integer { bound } if row.path.ends_with(".count") => {
                let relative = json!({ "type": "string", "pattern": "^[+-](\\d{1,4}|10000)$" });
                json!({ "anyOf": [number(bound), relative] })
            }
            // Without a quota there is no limit.
            Kind::Integer { bound } if row.path.ends_with(".quotaUs") => {
                json!({ "anyOf": [number(bound), { "type": "null" }] })
            }
            Kind::Integer { bound } => number(bound),
            Kind::Time { bound } | Kind::Size { bound } => {
                json!({ "anyOf": [number(bound), { "type": ["string", "null"] }] })
            }
            Kind::Flag => json!({ "type": "boolean" }),
            Kind::Cpus => {
                let (list, each) = (bounds::CPUS, bounds::CPU);
                let items = number(each);
                let list = json!({ "type": "array", "items": items, "minItems": list.min, "maxItems": list.max });
                json!({ "anyOf": [list, { "type": ["string", "null"] }] })
            }
            Kind::Declared => json!({ "$ref": "#/$defs/ParamValue" }),
            Kind::Word { .. } | Kind::Text { .. } => json!({ "type": "string" }),
            Kind::Written => json!({ "type": "null" }),
        };
        let pattern = words.collect::<Vec<_>>().join("\\.");
        all.insert(format!("^{pattern}$"), value);
    }
    Value::Object(all)
}

/// The JSON Schema of a scenario with the ranges of its numbers.
fn schema() -> Value {
    let mut schema = schemars::schema_for!(Scenario).to_value();
    schema["properties"]["version"] = json!({
        "description": schema["properties"]["version"]["description"],
        "const": sim_core::config::SCENARIO_VERSION,
    });
    for (b, at) in all_places(&schema) {
        bound(&mut schema, &at, b);
    }
    let set = field(&mut schema, "/$defs/TimedEdit/properties/set");
    set["patternProperties"] = live_values();
    set["additionalProperties"] = json!(false);
    let at = field(&mut schema, "/$defs/TimedEdit/properties/atNs");
    at["maximum"] = json!(bounds::END.max);
    // Every parameter has a separate range, in the catalog; all of them are exact in JavaScript.
    let value = field(&mut schema, "/$defs/ParamValue/anyOf/1");
    value["minimum"] = json!(-bounds::SEED.max);
    value["maximum"] = json!(bounds::SEED.max);
    schema
}

/// Calls `see` for every schema of an integer, with its pointer.
fn each_number(schema: &Value, at: &str, see: &mut impl FnMut(&str, &Value)) {
    if has_type(schema, "integer") || has_type(schema, "number") {
        see(at, schema);
    }
    let fields = schema.as_object().into_iter().flatten();
    for (name, inner) in fields {
        each_number(inner, &format!("{at}/{name}"), see);
    }
    for (i, inner) in schema.as_array().into_iter().flatten().enumerate() {
        each_number(inner, &format!("{at}/{i}"), see);
    }
}

/// Two fields of the same type may have different ranges, so the range of the type is not enough: each field needs a
/// place in the table.
#[test]
fn every_number_of_a_scenario_has_a_range() {
    let plain = schemars::schema_for!(Scenario).to_value();
    let mut marked = plain.clone();
    for (_, at) in all_places(&plain) {
        field(&mut marked, &at)["inTable"] = json!(true);
    }
    // A constant, a time within the run, and the parameters, whose ranges are in the catalog.
    for at in [
        "/properties/version",
        "/$defs/TimedEdit/properties/atNs",
        "/$defs/ParamValue/anyOf/1",
    ] {
        field(&mut marked, at)["inTable"] = json!(true);
    }
    let whole = schema();
    let (mut forgotten, mut seen) = (Vec::new(), 0);
    each_number(&marked, "", &mut |at, found| {
        seen += 1;
        let ranged = whole
            .pointer(at)
            .is_some_and(|s| !s["minimum"].is_null() && !s["maximum"].is_null());
        if found["inTable"] != true || !(ranged || at == "/properties/version") {
            forgotten.push(at.to_owned());
        }
    });
    assert!(seen > 60, "only {seen} numbers found");
    assert_eq!(forgotten, [""; 0], "without a range in bounds.rs");
}

#[test]
fn the_schema_is_that_of_the_core() {
    let mut text = serde_json::to_string_pretty(&schema()).expect("plain data");
    text.push('\n');
    let mut wrong = Vec::new();
    settle(&root().join("scenarios/schema.json"), &text, &mut wrong);
    assert!(wrong.is_empty(), "out of date: {wrong:#?}\n{HOW}");
}

#[test]
fn every_range_has_its_place_in_the_schema() {
    let key = |b: &BoundEntry| (b.field, b.min, b.max, b.unit);
    let placed: Vec<_> = places().iter().map(|(b, _)| key(b)).collect();
    // Places of the machine are found by their names.
    let by_hand = |b: &&BoundEntry| !b.field.starts_with("machine.");
    let all: Vec<_> = bounds::ALL.iter().filter(by_hand).map(key).collect();
    assert_eq!(placed, all);
}

fn validator(schema: &Value) -> jsonschema::Validator {
    jsonschema::validator_for(schema).expect("a valid schema")
}

fn complaints(validator: &jsonschema::Validator, value: &Value) -> Vec<String> {
    validator
        .iter_errors(value)
        .map(|e| format!("{}: {e}", e.instance_path()))
        .collect()
}

fn json_files(folder: &str) -> Vec<(String, Value)> {
    let mut paths: Vec<PathBuf> = fs::read_dir(root().join(folder))
        .expect("exists")
        .map(|e| e.expect("readable").path())
        .filter(|p| p.extension().is_some_and(|e| e == "json"))
        .collect();
    paths.sort();
    let read = |p: PathBuf| {
        let text = fs::read_to_string(&p).expect("readable");
        let value = serde_json::from_str(&text).expect("JSON");
        (p.display().to_string(), value)
    };
    paths.into_iter().map(read).collect()
}

#[test]
fn shipped_scenarios_follow_the_schema() {
    let validator = validator(&schema());
    let mut all = json_files("scenarios/experiments");
    assert_eq!(all.len(), experiment::registry::SCENARIOS.len());
    // Scenarios written by the core follow the schema, as well as those written by people.
    for (id, _) in experiment::registry::SCENARIOS {
        let scenario = experiment::registry::scenario(id).expect("listed");
        let value = serde_json::to_value(&scenario).expect("plain data");
        all.push(((*id).to_owned(), value));
    }
    for (name, value) in all {
        let none: Vec<String> = Vec::new();
        assert_eq!(complaints(&validator, &value), none, "{name}");
    }
}

#[test]
fn shipped_machines_follow_the_schema() {
    let mut machine_schema = schema();
    let whole = machine_schema.as_object_mut().expect("an object");
    for key in ["properties", "required", "additionalProperties", "type"] {
        whole.remove(key);
    }
    machine_schema["$ref"] = json!("#/$defs/MachineSpec");
    let validator = validator(&machine_schema);
    let files = json_files("scenarios/machines");
    assert_eq!(files.len(), machine::registry::PRESETS.len());
    for (name, value) in files {
        let none: Vec<String> = Vec::new();
        assert_eq!(complaints(&validator, &value), none, "{name}");
    }
    assert!(!validator.is_valid(&json!({ "id": "incomplete" })));
}

#[test]
fn the_schema_holds_every_range_that_it_can() {
    let validator = validator(&schema());
    let none: Vec<String> = Vec::new();
    for base in [bound_cases::base(), bound_cases::machine_base()] {
        assert_eq!(complaints(&validator, &base), none);
    }
    for case in bound_cases::all() {
        let b = case.bound;
        // A schema cannot express a sum over groups, or how deep a tree is.
        let is_sum = case.path == "groups" && b.max == bounds::THREADS.max;
        if is_sum || b.field == bounds::CGROUP_DEPTH.field {
            continue;
        }
        for (value, fine) in [(b.min, true), (b.max, true), (b.max + 1, false)] {
            let text = case.with(value);
            assert_eq!(validator.is_valid(&text), fine, "{} = {value}", case.path);
        }
        if b.min > 0 || case.signed {
            let text = case.with(b.min - 1);
            assert!(!validator.is_valid(&text), "{} below", case.path);
        }
    }
}
