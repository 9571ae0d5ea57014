//! Every shipped lesson passes its checks, in every language.

use serde_json::Value;
use sim_core::lesson::check::{check, check_translation};
use sim_core::lesson::registry::lessons;

#[test]
fn every_shipped_lesson_is_well_formed() {
    // One that needs own policies is checked where they are: in the nightly part `policies`.
    for shipped in lessons().iter().filter(|l| l.is_runnable()) {
        let checked = check(shipped.lesson, &shipped.read_scenario(), false);
        assert_eq!(checked.findings, [], "{}", shipped.id);
    }
}

/// What each expression gives and other seeds, as `lesson check` asks it of the lessons that every build has.
#[cfg(feature = "policy")]
#[test]
fn lessons_with_own_policies_give_what_they_expect() {
    let of_own = lessons()
        .iter()
        .filter(|l| l.read("en").1.own_policies)
        .collect::<Vec<_>>();
    assert!(!of_own.is_empty());
    for shipped in of_own {
        assert!(shipped.is_runnable(), "{}", shipped.id);
        let checked = check(shipped.lesson, &shipped.read_scenario(), true);
        assert_eq!(checked.findings, [], "{}", shipped.id);
    }
}

/// Fields of a lesson that hold texts for readers, or lists of them.
const TEXTS: [&str; 15] = [
    "title",
    "goal",
    "misconception",
    "laneLabels",
    "text",
    "ask",
    "otherwise",
    "say",
    "then",
    "label",
    "options",
    "items",
    "answer",
    "surprise",
    "time",
];

/// Largest number of words in a sentence.
const SENTENCE: usize = 20;

/// The two texts in the same place of a lesson and of its translation.
struct Pair<'a> {
    path: String,
    field: &'a str,
    own: &'a str,
    other: Option<&'a str>,
}

fn pairs<'a>(
    path: &str,
    field: &'a str,
    own: &'a Value,
    other: Option<&'a Value>,
    all: &mut Vec<Pair<'a>>,
) {
    match own {
        Value::Object(fields) => {
            for (name, inner) in fields {
                let other = other.and_then(|o| o.get(name));
                pairs(&format!("{path}.{name}"), name, inner, other, all);
            }
        }
        Value::Array(list) => {
            if let Some(Value::Array(others)) = other {
                assert_eq!(list.len(), others.len(), "{path}: as many as in the lesson");
            }
            for (i, inner) in list.iter().enumerate() {
                let other = other.and_then(|o| o.get(i));
                pairs(&format!("{path}[{i}]"), field, inner, other, all);
            }
        }
        Value::String(text) if TEXTS.contains(&field) => all.push(Pair {
            path: path.to_owned(),
            field,
            own: text,
            other: other.and_then(Value::as_str),
        }),
        _ => {}
    }
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("shipped texts are JSON")
}

/// The parts of a text: outside placeholders, and inside.
fn parts(text: &str) -> (String, Vec<&str>) {
    let mut plain = String::new();
    let mut placeholders = Vec::new();
    for (i, part) in text.split(['{', '}']).enumerate() {
        if i % 2 == 0 {
            plain.push_str(part);
        } else {
            plain.push('0');
            placeholders.push(part);
        }
    }
    placeholders.sort_unstable();
    (plain, placeholders)
}

#[test]
fn every_lesson_has_german_texts() {
    for shipped in lessons() {
        let has_german = shipped.translations.iter().any(|t| t.0 == "de");
        assert!(has_german, "{} has no German texts", shipped.id);
        assert_eq!(shipped.read("de").0, "de");
    }
}

#[test]
fn translations_have_the_texts_choices_and_expressions_of_the_lesson() {
    for shipped in lessons() {
        for (language, texts) in shipped.translations {
            let checked = check_translation(shipped.lesson, texts);
            assert_eq!(checked.findings, [], "{} ({language})", shipped.id);
            let (own, other) = (json(shipped.lesson), json(texts));
            let mut all = Vec::new();
            pairs(shipped.id, "", &own, Some(&other), &mut all);
            assert!(!all.is_empty());
            for Pair {
                path,
                field,
                own,
                other,
            } in all
            {
                let other = other.unwrap_or_else(|| panic!("{path} ({language}) is missing"));
                assert_eq!(parts(own).1, parts(other).1, "{path} ({language})");
                // Names of releases, schedulers and sizes are the same in every language.
                let is_name = ["laneLabels", "options", "items", "label"].contains(&field);
                assert!(own != other || is_name, "{path} ({language}): {other}");
            }
        }
    }
}

#[test]
fn no_sentence_of_a_lesson_is_too_long() {
    for shipped in lessons() {
        let translations = shipped.translations.iter().map(|t| t.1);
        for text in std::iter::once(shipped.lesson).chain(translations) {
            let value = json(text);
            let mut all = Vec::new();
            pairs(shipped.id, "", &value, None, &mut all);
            for Pair { path, own, .. } in all {
                let (plain, _) = parts(own);
                let mut words = 0;
                for word in plain.split_whitespace() {
                    words += 1;
                    assert!(words <= SENTENCE, "{path}: a sentence of more words: {own}");
                    if word.ends_with(['.', '?', '!']) {
                        words = 0;
                    }
                }
            }
        }
    }
}
