use super::*;
use crate::config::property::{self as value, find, steps as steps_of};
use crate::experiment::registry;
use crate::experiment::sweep;
use serde_json::json;

/// A scenario in which every property has its place, and what paths and values do to it. Tests of the page read them, too:
/// links say the same.
fn cases() -> Value {
    serde_json::from_str(include_str!("cases.json")).expect("valid")
}

fn base() -> Scenario {
    validate::parse(&cases()["base"].to_string()).expect("valid")
}

/// The rows. A program needs a lane that few builds have; the tests of own policies set it.
fn rows() -> impl Iterator<Item = &'static Property> {
    let all = PROPERTIES.iter();
    all.filter(|p| p.path != "lanes.*.program")
}

/// A path of a row that exists in [`base`], and its example.
fn tried(property: &Property) -> (String, &'static str) {
    let (tail, example) = match property.path.ends_with("**") {
        true => property
            .example
            .split_once('=')
            .unwrap_or(("of", property.example)),
        false => ("", property.example),
    };
    let of = property.path.split('.').next().expect("one");
    let path = match property.path {
        "lanes.*.*" => "lanes.1.slice".to_owned(),
        // An edit names the first group.
        "groups.*.name" => "groups.\"a.b\".name".to_owned(),
        "groups.*.rtPriority" => "groups.rt.rtPriority".to_owned(),
        "groups.*.behaviour.*" => "groups.first.behaviour.workMs".to_owned(),
        other => other.replace("**", tail).replace(
            '*',
            match of {
                "groups" => "first",
                "cgroups" => "web",
                "threads" => "first-1",
                _ => "1",
            },
        ),
    };
    (path, example)
}

fn set(text: &str) -> Result<Scenario, String> {
    let set = Set::parse(text)?;
    let told = |errors: Vec<ConfigError>| errors[0].to_string();
    let scenario = changed(&base(), &[set]).map_err(told)?;
    validate::plan(&scenario).map_err(told)?;
    Ok(scenario)
}

#[test]
fn every_property_can_be_set() {
    for property in rows() {
        let (path, example) = tried(property);
        let text = format!("{path}={example}");
        let changed = set(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
        let is_empty = matches!(example, "{}" | "[]" | "null");
        let is_there = ["controls", "moments", "thumb", "answer", "opening"];
        let has_nothing = is_there.iter().any(|field| path.starts_with(field));
        assert!(changed != base() || (is_empty && has_nothing), "{text}");
        assert_eq!(find(&path).expect("known").0.path, property.path);
    }
}

#[test]
fn every_property_reads_back_what_was_set() {
    for property in rows().filter(|p| p.when != When::Run) {
        let (path, example) = tried(property);
        // Nothing is left under this name.
        if example == "null" || path.ends_with(".name") {
            continue;
        }
        let now = set(&format!("{path}={example}")).expect("can be set");
        let value = value_at(&now, &path).unwrap_or_else(|e| panic!("{e}"));
        let again = super::changed(&now, &[Set::new(path.as_str(), value)]);
        assert_eq!(
            again.unwrap_or_else(|e| panic!("{path}: {e:?}")),
            now,
            "{path}"
        );
    }
    let told = |path: &str| value_at(&base(), path).expect_err(path).to_string();
    assert!(told("groups.*.nice").ends_with("has several values here; name one"));
    assert!(told("threads.first-1.nice").contains("only during the run"));
    assert!(told("groups.third.nice").contains("must be one of first, a.b, rt"));
    let stands = |path: &str| value_at(&base(), path).expect(path);
    assert_eq!(stands("lanes.1.slice"), 5);
    assert!(stands("lanes.2.slice").is_number() && stands("lanes.2.era") == "11.1");
    assert!(stands("machine.memory.localLatencyNs").is_number());
    assert_eq!(stands("groups.\"a.b\".sliceNs"), Value::Null);
}

#[test]
fn every_property_takes_null_only_if_it_may_be_left_out() {
    for property in rows().filter(|p| p.when != When::Run) {
        let (path, _) = tried(property);
        let mut scenario = serde_json::to_value(base()).expect("plain");
        let cleared = Set::new(path.as_str(), Value::Null).apply(&mut scenario);
        match (cleared, property.default.is_empty()) {
            (Err(e), true) => assert!(e.message.contains("must have a value"), "{e}"),
            (Ok(()), true) => panic!("{path} took null"),
            (cleared, false) => {
                cleared.unwrap_or_else(|e| panic!("{e}"));
                validate::parse(&scenario.to_string()).unwrap_or_else(|e| panic!("{path}: {e:?}"));
            }
        }
    }
}

#[test]
fn every_property_changes_in_the_run_if_its_row_says_so() {
    for property in rows() {
        let (path, example) = tried(property);
        let result = set(&format!("{path}={example}@10ms"));
        match (result, property.when) {
            (Err(e), When::Start) => assert!(e.contains("before the run"), "{path}: {e}"),
            (Ok(scenario), When::Live | When::Run) => {
                assert_eq!(scenario.edits.len(), 2, "{path}");
                assert_eq!(scenario.edits[1].at_ns, 10_000_000);
            }
            (other, when) => panic!("{path} {when:?}: {other:?}"),
        }
    }
}

#[test]
fn every_property_refuses_values_of_another_form_or_out_of_range() {
    for property in rows() {
        let (path, _) = tried(property);
        if !matches!(property.kind, Kind::Written | Kind::Declared) {
            let mut scenario = serde_json::to_value(base()).expect("plain");
            let set = Set::new(path.as_str(), json!({ "a": 1 }));
            let error = set.apply(&mut scenario).expect_err(&path);
            assert!(error.message.starts_with("must be"), "{error}");
        }
        if let Kind::Integer { bound } | Kind::Time { bound } | Kind::Size { bound } = property.kind
        {
            let error = set(&format!("{path}={}", i128::from(bound.max) + 1)).expect_err(&path);
            assert!(
                error.contains("must be from") || error.contains("invalid value"),
                "{path}: {error}"
            );
        }
    }
}

#[test]
fn every_property_before_the_run_is_an_axis_of_a_sweep() {
    for property in rows().filter(|p| p.when != When::Run) {
        let (path, example) = tried(property);
        let value = value::from_text(property.kind, example);
        let text = json!({ "name": "t", "base": base(), "axes": [{ "set": path, "values": [value] }],
            "metrics": ["throughput"] });
        let sweep = sweep::parse(&text.to_string()).expect("a sweep");
        let space = sweep::Space::new(sweep, &base()).unwrap_or_else(|e| panic!("{path}: {e:?}"));
        space
            .point(0)
            .plan
            .unwrap_or_else(|e| panic!("{path}: {e:?}"));
    }
}

#[test]
fn every_field_of_a_group_and_of_the_timing_has_a_row() {
    let written = serde_json::to_value(base()).expect("plain");
    let timing = json!({ "kickNs": 1, "idleExitNs": 1, "idleExitDeepNs": 1 });
    let places = [
        ("groups.first", &written["groups"][0]),
        ("timing", &written["timing"]),
        ("timing", &timing),
        ("background.daemons", &written["background"]["daemons"]),
        ("", &written),
    ];
    for (at, value) in places {
        for key in value.as_object().expect("an object").keys() {
            let path = format!("{at}.{key}");
            let path = path.trim_start_matches('.').replace("schedulers", "lanes");
            let is_part = PROPERTIES
                .iter()
                .any(|p| p.path.starts_with(&format!("{path}.")));
            assert!(find(&path).is_ok() || is_part || key == "version", "{path}");
        }
    }
}

#[test]
fn a_value_reaches_the_place_that_it_names() {
    let cases = cases();
    for case in cases["cases"].as_array().expect("a list") {
        let text = case["set"].as_str().expect("a text");
        let changed = set(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        let json = serde_json::to_value(&changed).expect("plain");
        let found = json.pointer(case["at"].as_str().expect("a text"));
        assert_eq!(found.unwrap_or(&Value::Null), &case["is"], "{text}");
    }
    let s = set("lanes.ule.slice=3").expect("fits");
    assert_eq!(s.schedulers[0].tunables, s.schedulers[1].tunables);
    assert!(!s.schedulers[2].tunables.contains_key("slice"));
    let s = set("machine.memory.localLatencyNs=100").expect("fits");
    assert_eq!(
        serde_json::to_value(&s.machine).expect("plain")["id"],
        "r3900x"
    );
    assert_eq!(set("seed=1e3").expect("fits").seed, 1000);
}

#[test]
fn what_is_not_there_is_named_with_what_is() {
    for (text, expected) in [
        (
            "groups.third.count=5",
            "groups.third.count: must be one of first, a.b, rt; got \"third\"",
        ),
        (
            "groups.first.cuont=5",
            "after groups.first. comes no \"cuont\", expected one of allowed, background, behaviour, cgroup, count,",
        ),
        (
            "group.first=5",
            "no path begins with \"group\", expected one of answer, ask, background,",
        ),
        ("lanes.5.hz=100", "lanes.5.hz: must be from 1 to 3; got 5"),
        (
            "lanes.bfs.hz=100",
            "must be a number from 1 to 3 or a scheduler, one of ule, cfs; got \"bfs\"",
        ),
        (
            "lanes.1.stealTresh=1",
            "lanes.1.stealTresh: there is no tunable \"stealTresh\"; 1 has ",
        ),
        (
            "groups.first.behaviour.speed=1",
            "groups.first.behaviour.speed: must be one of ",
        ),
        (
            "machine.memory.speed=5",
            "machine.memory.speed: unknown field `speed`, expected one of",
        ),
        (
            "machine.caches.17.bytes=5",
            "machine.caches.17.bytes: must be from 1 to",
        ),
        ("edits.3.atNs=5", "edits.3.atNs: must be from 1 to 1; got 3"),
        ("edits.3=null", "edits.3: must be one of 1; got \"3\""),
        (
            "seed=fast",
            "seed: must be a whole number from 0 to 9007199254740991, got",
        ),
        (
            "groups.first.sliceNs=3 parsecs",
            "groups.first.sliceNs: must be a number with one of the units ns",
        ),
        (
            "groups.first.policy=best",
            "groups.first.policy: must be one of normal, batch,",
        ),
        ("groups.first.nice", "must look like groups.hog.nice=5"),
        (
            "groups..nice=5",
            "a path is names and numbers with one dot between two",
        ),
        ("groups.\"first.nice=5", "must look like"),
    ] {
        let error = set(text).expect_err(text);
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn a_path_is_written_as_it_is_read() {
    for steps in [
        vec!["groups", "a.b", "nice"],
        vec!["groups", "say \"=\" @", "nice"],
        vec!["seed"],
    ] {
        assert_eq!(steps_of(&written(&steps)).expect("a path"), steps);
    }
}

#[test]
fn a_json_pointer_of_older_files_is_the_same_place() {
    let json = serde_json::to_value(base()).expect("plain");
    for (pointer, expected) in [
        ("/end/atNs", "end.atNs"),
        ("/groups/1/nice", "groups.\"a.b\".nice"),
        (
            "/groups/0/behaviour/params/workMs",
            "groups.first.behaviour.params.workMs",
        ),
        ("/schedulers/2/tunables/hz", "lanes.3.tunables.hz"),
        ("/edits/0/atNs", "edits.1.atNs"),
    ] {
        let path = of_pointer(pointer, &json).expect(pointer);
        assert_eq!(path, expected);
        find(&path).expect(pointer);
    }
    assert!(of_pointer("/groups/7/nice", &json).is_err());
    assert!(of_pointer("end", &json).is_err());
}

#[test]
fn the_guide_goes_where_it_no_longer_fits() {
    let guided = registry::scenario("s3-nice").expect("shipped");
    let mut json = serde_json::to_value(&guided).expect("plain");
    drop_guide(&mut json);
    let mut dropped = guided;
    dropped.drop_guide();
    assert_eq!(validate::parse(&json.to_string()).expect("valid"), dropped);
}
