//! The JSON Schema of an exercise: `scenarios/exercises/schema.json`.

use super::{HOW, complaints, json_files, root, settle, validator};
use serde_json::{Value, json};
use sim_core::exercise::format::{
    EXERCISE_FORMAT, Exercise, MOST_CASES, MOST_CHECKS, MOST_POINTS, MOST_SEEDS,
};
use sim_core::exercise::registry::EXERCISES;

fn schema() -> Value {
    let mut schema = schemars::schema_for!(Exercise).to_value();
    let format = &mut schema["properties"]["format"];
    *format = json!({ "description": format["description"], "const": EXERCISE_FORMAT });
    schema["properties"]["cases"]["minItems"] = json!(1);
    schema["properties"]["cases"]["maxItems"] = json!(MOST_CASES);
    let case = &mut schema["$defs"]["Case"]["properties"];
    case["checks"]["minItems"] = json!(1);
    case["checks"]["maxItems"] = json!(MOST_CHECKS);
    case["seeds"]["maxItems"] = json!(MOST_SEEDS);
    case["points"]["maximum"] = json!(MOST_POINTS);
    case["scenario"]["type"] = json!(["object", "string"]);
    schema
}

#[test]
fn the_schema_of_exercises_is_that_of_the_core() {
    let mut text = serde_json::to_string_pretty(&schema()).expect("plain data");
    text.push('\n');
    let mut wrong = Vec::new();
    let path = root().join("scenarios/exercises/schema.json");
    settle(&path, &text, &mut wrong);
    assert!(wrong.is_empty(), "out of date: {wrong:#?}\n{HOW}");
}

#[test]
fn shipped_exercises_follow_the_schema() {
    let validator = validator(&schema());
    let mut seen = 0;
    for (path, value) in json_files("scenarios/exercises") {
        if value["format"].is_number() {
            seen += 1;
            assert_eq!(complaints(&validator, &value), [""; 0], "{path}");
        }
    }
    assert_eq!(seen, EXERCISES.len());
    assert!(!validator.is_valid(&json!({ "id": "incomplete" })));
}
