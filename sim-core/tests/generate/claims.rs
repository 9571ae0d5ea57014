//! The JSON Schema of a file of claims: `scenarios/claims.schema.json`.

use super::{HOW, complaints, json_files, root, settle, validator};
use serde_json::{Value, json};
use sim_core::experiment::claims::data::format::File;

fn schema() -> Value {
    schemars::schema_for!(File).to_value()
}

#[test]
fn the_schema_of_claims_is_that_of_the_core() {
    let mut text = serde_json::to_string_pretty(&schema()).expect("plain data");
    text.push('\n');
    let mut wrong = Vec::new();
    let path = root().join("scenarios/claims.schema.json");
    settle(&path, &text, &mut wrong);
    assert!(wrong.is_empty(), "out of date: {wrong:#?}\n{HOW}");
}

#[test]
fn shipped_claims_follow_the_schema() {
    let validator = validator(&schema());
    let files = json_files("scenarios/claims");
    for (path, value) in &files {
        assert_eq!(complaints(&validator, value), [""; 0], "{path}");
    }
    let (_, value) = files
        .iter()
        .find(|(path, _)| path.ends_with("s3.json"))
        .expect("one");
    let mut wrong = value.clone();
    wrong["runs"]["web"]["prope"] = json!("latency");
    assert!(!validator.is_valid(&wrong));
    let mut wrong = value.clone();
    wrong["measures"][0]["valeu"] = json!("1");
    assert!(!validator.is_valid(&wrong));
}
