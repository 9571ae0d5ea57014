//! Exercises: their files and translations; and, where this build has own policies, that a model passes each and what one
//! begins with does not.

use serde_json::Value;
use sim_core::config::validate;
use sim_core::exercise::registry::{self, EXERCISES, Shipped};

/// The paths of all texts for people.
fn texts(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (key, inner) in fields.iter().filter(|(key, _)| *key != "scenario") {
                texts(inner, &format!("{path}/{key}"), found);
            }
        }
        Value::Array(all) => {
            for (i, inner) in all.iter().enumerate() {
                texts(inner, &format!("{path}/{i}"), found);
            }
        }
        Value::String(_) => {
            let field = path.rsplit('/').next().unwrap_or_default();
            if ["title", "text", "say"].contains(&field) {
                found.push(path.to_owned());
            }
        }
        _ => {}
    }
}

fn places(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let value: Value = serde_json::from_str(text).expect("JSON");
    texts(&value, "", &mut found);
    found.sort();
    found
}

#[test]
fn each_exercise_has_its_name_valid_scenarios_and_all_its_texts_in_each_language() {
    for shipped in EXERCISES {
        let exercise = shipped.read("en");
        assert_eq!(exercise.id, shipped.id);
        assert!(exercise.template.is_some() != exercise.program.is_some());
        for case in &exercise.cases {
            if let Some(fields) = case.scenario.as_object() {
                let mut whole = fields.clone();
                whole
                    .entry("schedulers")
                    .or_insert_with(|| serde_json::json!([{ "id": "random" }]));
                let text = Value::Object(whole).to_string();
                let read = validate::parse(&text).and_then(|s| validate::plan(&s));
                assert!(read.is_ok(), "{} {}: {:?}", shipped.id, case.id, read.err());
            }
        }
        for (language, translation) in shipped.translations {
            let wanted = places(shipped.text);
            assert_eq!(places(translation), wanted, "{} {language}", shipped.id);
            assert_ne!(shipped.read(language).title, exercise.title);
        }
    }
}

#[test]
fn an_exercise_is_found_as_people_write_it() {
    assert_eq!(registry::known("E6").map(|e| e.id), Ok("e6"));
    let errors = registry::known("E9")
        .map(|e: &Shipped| e.id)
        .expect_err("none");
    assert!(
        errors[0].message.starts_with("must be one of e1, e2"),
        "{errors:?}"
    );
}

#[cfg(feature = "policy")]
mod with_policies {
    use super::EXERCISES;
    use sim_core::exercise::format::{Exercise, Set};
    use sim_core::exercise::judge::{self, Tried};
    use sim_core::exercise::{check, reading};
    use std::fmt::Write;
    use std::path::Path;

    fn tried(exercise: &Exercise, program: &str) -> Vec<Tried> {
        let cases = 0..exercise.cases.len();
        let case = |i| judge::case(exercise, i, program, None, "en").expect("a good exercise");
        cases.map(case).collect()
    }

    /// What a policy of the textbook is called as a file: `round-robin`, `ule-40`.
    fn template(era: &str) -> String {
        let mut name = String::new();
        let mut before = 'A';
        for c in era.chars() {
            if c.is_uppercase() || c.is_ascii_digit() && before.is_lowercase() {
                name.push('-');
            }
            name.push(c.to_ascii_lowercase());
            before = c;
        }
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(format!("policy/templates/{name}.policy.py"));
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }

    #[test]
    fn exercises_are_passed_by_their_models_and_not_by_what_one_begins_with() {
        let mut wrong = String::new();
        for shipped in EXERCISES {
            let exercise = shipped.read("en");
            let id = shipped.id;
            for case in tried(&exercise, shipped.model).iter().filter(|c| !c.passed) {
                writeln!(wrong, "{id}: the model fails {case:#?}").expect("a text");
            }
            let begin = match &exercise.template {
                Some(era) => template(era),
                None => exercise.program.clone().expect("one to begin with"),
            };
            let begun = tried(&exercise, &begin);
            let mut shown = begun.iter().filter(|c| c.set == Set::Shown);
            if shown.all(|c| c.passed) {
                writeln!(wrong, "{id}: the beginning passes").expect("a text");
            }
        }
        assert!(wrong.is_empty(), "\n{wrong}");
    }

    #[test]
    fn a_model_of_one_exercise_does_not_pass_another() {
        // What each exercise asks for is its own: of these pairs the second does not pass the first.
        let pairs = [
            ("e1", "e3"),
            ("e2", "e3"),
            ("e3", "e2"),
            ("e4", "e1"),
            // Round robin spreads threads whose CPUs change, for these are placed anew. It does nothing where others end.
            ("e8", "e1"),
        ];
        for (id, other) in pairs {
            let find = |id| EXERCISES.iter().find(|e| e.id == id).expect("shipped");
            let found = tried(&find(id).read("en"), find(other).model);
            assert!(found.iter().any(|c| !c.passed), "{other} passes {id}");
        }
    }

    #[test]
    fn what_gets_warm_caches_by_sharing_cores_has_no_bonus() {
        let e6 = EXERCISES.iter().find(|e| e.id == "e6").expect("shipped");
        let found = tried(&e6.read("en"), &template("oneQueue"));
        let bonus = found.iter().find(|c| c.set == Set::Bonus).expect("one");
        let held: Vec<bool> = bonus.checks.iter().map(|c| c.passed).collect();
        assert_eq!(held, [true, false], "{bonus:#?}");
    }

    #[test]
    fn a_policy_that_stops_fails_the_case_with_its_sentence() {
        let exercise = EXERCISES[0].read("en");
        let stops = "def pick(cpu):\n    if now() > 50 * ms:\n        return 7\n    return cpu.waiting[0]\n\ndef slice(t):\n    return 10 * ms\n";
        let found = judge::case(&exercise, 0, stops, None, "en").expect("a good exercise");
        let told = found.stopped.expect("it stops");
        assert!(!found.passed && told.starts_with("line 1: "), "{told}");
    }

    #[test]
    fn a_program_that_cannot_be_read_is_told_as_such() {
        let exercise = EXERCISES[0].read("en");
        let errors = judge::case(&exercise, 0, "def pick(", None, "en").expect_err("none");
        assert_eq!(errors[0].path, "program");
        assert!(errors[0].message.starts_with("line 1"), "{errors:?}");
    }

    #[test]
    fn a_wrong_expression_or_scenario_of_a_teacher_is_told_with_its_place() {
        let text = EXERCISES[0].text;
        let model = Some(EXERCISES[0].model);
        let told = |text: &str| match check::check(text, model) {
            Ok(_) => String::new(),
            Err(errors) => errors[0].to_string(),
        };
        assert_eq!(told(text), "");
        let wrong = told(&text.replace("longestWait(1, all)", "longestWait(1, ale)"));
        assert!(wrong.starts_with("cases[2].checks[0].value: "), "{wrong}");
        let wrong = told(&text.replace("\"mc1\"", "\"mc9\""));
        assert!(wrong.starts_with("cases[0].scenario.machine"), "{wrong}");
        let wrong = told(&text.replace("\"21ms\"", "\"1ms\""));
        assert_eq!(
            wrong,
            "cases[2]: the model does not pass it: The longest wait: 19.9 ms"
        );
        let wrong = told(&text.replace("\"21ms\"", "\"lots\""));
        assert!(wrong.starts_with("cases[2]"), "{wrong}");
        assert!(reading::parse(text).is_ok());
    }
}
