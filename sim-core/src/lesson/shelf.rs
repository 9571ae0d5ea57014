//! Lessons that the page provides. In a browser their texts are a separate file and not part of the package, which
//! every visitor loads.

use super::registry::Shipped;
use crate::error::ConfigError;
use serde_json::Value;
use std::sync::OnceLock;

static PROVIDED: OnceLock<Vec<Shipped>> = OnceLock::new();

/// The lessons that were provided; none before.
#[must_use]
pub fn provided() -> &'static [Shipped] {
    PROVIDED.get().map_or(&[], Vec::as_slice)
}

/// Provides all lessons. Only the first call has an effect. The text is a JSON list of `{ "id", "lesson", "scenario",
/// "translations": { language: texts } }`, in the order of the cards.
///
/// # Errors
/// If the text is not such a list.
pub fn provide(text: &str) -> Result<(), Vec<ConfigError>> {
    let lessons = parse(text)?;
    PROVIDED.get_or_init(|| lessons);
    Ok(())
}

/// Reads such a list.
///
/// # Errors
/// If the text is not such a list; the message gives the place.
pub fn parse(text: &str) -> Result<Vec<Shipped>, Vec<ConfigError>> {
    let wrong = |path: String, message: String| vec![ConfigError::new(path, message)];
    let list: Vec<Value> =
        serde_json::from_str(text).map_err(|e| wrong("lessons".to_owned(), e.to_string()))?;
    let lessons = list.iter().enumerate().map(|(i, value)| {
        let part = |name: &str| {
            let missing = || wrong(format!("lessons[{i}].{name}"), "is missing".to_owned());
            value.get(name).ok_or_else(missing)
        };
        let translations = part("translations")?.as_object().into_iter().flatten();
        Ok(Shipped {
            id: kept(part("id")?.as_str().unwrap_or_default()),
            lesson: kept(&part("lesson")?.to_string()),
            scenario: kept(&part("scenario")?.to_string()),
            translations: translations
                .map(|(language, texts)| (kept(language), kept(&texts.to_string())))
                .collect::<Vec<_>>()
                .leak(),
        })
    });
    lessons.collect()
}

/// Keeps a text for as long as the program runs, because lessons are provided once.
fn kept(text: &str) -> &'static str {
    text.to_owned().leak()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::registry;
    use serde_json::json;

    #[test]
    fn lessons_that_are_provided_are_those_of_the_program() {
        let read = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
        let list: Vec<Value> = registry::lessons()
            .iter()
            .map(|l| {
                let texts = l.translations.iter();
                let texts: serde_json::Map<String, Value> =
                    texts.map(|(k, v)| ((*k).to_owned(), read(v))).collect();
                json!({
                    "id": l.id, "lesson": read(l.lesson), "scenario": read(l.scenario),
                    "translations": texts,
                })
            })
            .collect();
        let parsed = parse(&Value::from(list).to_string()).expect("well formed");
        assert_eq!(parsed.len(), registry::lessons().len());
        for (ours, theirs) in registry::lessons().iter().zip(&parsed) {
            assert_eq!(ours.id, theirs.id);
            for language in ["en", "de"] {
                assert_eq!(ours.read(language), theirs.read(language));
            }
            assert_eq!(ours.read_scenario(), theirs.read_scenario());
        }
    }

    #[test]
    fn what_is_missing_is_named() {
        let errors = parse(r#"[{ "id": "l01", "lesson": {} }]"#).expect_err("wrong");
        assert!(
            errors[0].to_string().contains("lessons[0].translations"),
            "{errors:?}"
        );
        assert!(parse("{").is_err());
    }

    #[test]
    fn the_order_of_lessons_is_that_of_their_files() {
        let ids: Vec<&str> = registry::lessons().iter().map(|l| l.id).collect();
        assert!(ids.is_sorted(), "{ids:?}");
    }
}
