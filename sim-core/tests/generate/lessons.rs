//! The JSON Schema of a lesson: `scenarios/lessons/schema.json`.

use super::{HOW, complaints, json_files, root, settle, validator};
use serde_json::{Value, json};
use sim_core::lesson::format::{LESSON_FORMAT, Lesson};

fn schema() -> Value {
    let mut schema = schemars::schema_for!(Lesson).to_value();
    let format = &mut schema["properties"]["format"];
    *format = json!({ "description": format["description"], "const": LESSON_FORMAT });
    for (field, min, max) in [("level", 1, 4), ("minutes", 1, 60)] {
        let field = &mut schema["properties"][field];
        field["minimum"] = json!(min);
        field["maximum"] = json!(max);
    }
    schema
}

#[test]
fn the_schema_of_lessons_is_that_of_the_core() {
    let mut text = serde_json::to_string_pretty(&schema()).expect("plain data");
    text.push('\n');
    let mut wrong = Vec::new();
    let path = root().join("scenarios/lessons/schema.json");
    settle(&path, &text, &mut wrong);
    assert!(wrong.is_empty(), "out of date: {wrong:#?}\n{HOW}");
}

#[test]
fn shipped_lessons_follow_the_schema() {
    let validator = validator(&schema());
    // Translations are parts of lessons, not lessons.
    let is_lesson = |name: &str| {
        !name.trim_end_matches(".json").contains('.') && !name.ends_with("schema.json")
    };
    let named = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let mut seen = 0;
    for (path, value) in json_files("scenarios/lessons") {
        if is_lesson(&named(&path)) {
            seen += 1;
            assert_eq!(complaints(&validator, &value), [""; 0], "{path}");
        }
    }
    assert_eq!(seen, sim_core::lesson::registry::lessons().len());
    assert!(!validator.is_valid(&json!({ "id": "incomplete" })));
}
