//! The lessons: one line each. The order is that of the cards, and gives lessons their numbers in links (`#l1.5`).

use super::format::{Lesson, Step};
use super::reading;
use super::view::{LessonEntry, LessonText};
use crate::config::{Scenario, validate};
use crate::error::ConfigError;
use crate::sched;
use crate::text::quoted;
use serde_json::Value;

/// A lesson that is part of this build.
#[derive(Clone, Copy, Debug)]
pub struct Shipped {
    /// Its id, which is the name of its files.
    pub id: &'static str,
    /// The lesson, as JSON.
    pub lesson: &'static str,
    /// Its scenario, as JSON.
    pub scenario: &'static str,
    /// Its texts in other languages: language, and JSON of the same shape.
    pub translations: &'static [(&'static str, &'static str)],
}

/// A line of the registry: the id, and the languages of its texts besides English.
macro_rules! lesson {
    ($id:literal $(, $language:literal)*) => {
        Shipped {
            id: $id,
            lesson: include_str!(concat!("../../../scenarios/lessons/", $id, ".json")),
            scenario: include_str!(concat!("../../../scenarios/lessons/scenarios/", $id, ".json")),
            translations: &[$((
                $language,
                include_str!(concat!("../../../scenarios/lessons/", $id, ".", $language, ".json")),
            )),*],
        }
    };
}

const LESSONS: &[Shipped] = &[
    lesson!("l01-one-too-many", "de"),
    lesson!("l02-nice", "de"),
    lesson!("l03-interactive-batch", "de"),
    lesson!("l04-smt", "de"),
    lesson!("l05-512", "de"),
    lesson!("l06-switch", "de"),
    lesson!("l07-working-set", "de"),
    lesson!("l08-one-queue", "de"),
    lesson!("l09-slice", "de"),
    lesson!("l10-bug-hunt", "de"),
    lesson!("l11-eevdf", "de"),
    lesson!("l12-six-kernels", "de"),
    lesson!("l13-recorded", "de"),
    lesson!("l14-write-one", "de"),
    lesson!("l15-container", "de"),
];

/// All lessons.
#[must_use]
pub fn lessons() -> &'static [Shipped] {
    LESSONS
}

/// A lesson by its id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Shipped> {
    lessons().iter().find(|l| l.id == id)
}

/// Its number, from 1.
fn number(id: &str) -> u32 {
    let position = lessons().iter().position(|l| l.id == id).unwrap_or(0);
    u32::try_from(position + 1).unwrap_or(u32::MAX)
}

impl Shipped {
    /// The lesson with the texts of a language; English where there is no translation.
    ///
    /// # Panics
    /// If a shipped file is not a lesson; a test reads them all.
    #[must_use]
    pub fn read(&self, language: &str) -> (String, Lesson) {
        let short = language.split(['-', '_']).next().unwrap_or_default();
        let own = self
            .translations
            .iter()
            .find(|t| t.0 == language || t.0 == short);
        let Some((name, texts)) = own else {
            return ("en".to_owned(), valid(self.lesson));
        };
        let json = |text| serde_json::from_str(text).expect("invariant: shipped texts are JSON");
        let mut whole: Value = json(self.lesson);
        overlay(&mut whole, &json(texts));
        ((*name).to_owned(), valid(&whole.to_string()))
    }

    /// Whether this build can run it: it may need own policies, which not every build has.
    ///
    /// # Panics
    /// If a shipped file is not a lesson; a test reads them all.
    #[must_use]
    pub fn is_runnable(&self) -> bool {
        !valid(self.lesson).own_policies || sched::registry::ALL.find("own").is_some()
    }

    /// Its scenario with every default filled in.
    ///
    /// # Panics
    /// If a shipped file is not a scenario; a test reads them all.
    #[must_use]
    pub fn read_scenario(&self) -> Scenario {
        validate::parse(self.scenario).expect("invariant: shipped scenarios are valid")
    }
}

fn valid(text: &str) -> Lesson {
    reading::parse(text).expect("invariant: shipped lessons are valid")
}

/// Replaces texts by those in the same places of a translation.
pub fn overlay(whole: &mut Value, texts: &Value) {
    match (whole, texts) {
        (Value::Object(all), Value::Object(own)) => {
            for (key, text) in own {
                if let Some(place) = all.get_mut(key) {
                    overlay(place, text);
                }
            }
        }
        (Value::Array(all), Value::Array(own)) => {
            for (place, text) in all.iter_mut().zip(own) {
                overlay(place, text);
            }
        }
        (place @ Value::String(_), Value::String(text)) => *place = Value::String(text.clone()),
        _ => {}
    }
}

/// The entries of all lessons for lists.
#[must_use]
pub fn entries(language: &str) -> Vec<LessonEntry> {
    lessons().iter().map(|l| entry(l, language)).collect()
}

fn entry(shipped: &Shipped, language: &str) -> LessonEntry {
    let (_, lesson) = shipped.read(language);
    let situation = match lesson.steps.first() {
        Some(Step::Situation { text }) => text.clone(),
        _ => String::new(),
    };
    LessonEntry {
        number: number(shipped.id),
        id: lesson.id,
        title: lesson.title,
        level: lesson.level,
        minutes: lesson.minutes,
        situation,
        steps: u32::try_from(lesson.steps.len() + 1).unwrap_or(u32::MAX),
        own_policies: lesson.own_policies,
        scenario: shipped.read_scenario(),
    }
}

/// A complete lesson.
///
/// # Errors
/// If there is no such lesson; the message lists all.
pub fn text(id: &str, language: &str) -> Result<LessonText, Vec<ConfigError>> {
    let shipped = known(id)?;
    let (language, lesson) = shipped.read(language);
    Ok(LessonText {
        number: number(shipped.id),
        language,
        lesson,
    })
}

/// A lesson by its id. The error lists the existing ids.
///
/// # Errors
/// If there is none.
pub fn known(id: &str) -> Result<&'static Shipped, Vec<ConfigError>> {
    find(id).ok_or_else(|| {
        let all: Vec<&str> = lessons().iter().map(|l| l.id).collect();
        let (all, got) = (all.join(", "), quoted(id));
        let message = format!("must be one of {all}; got \"{got}\"");
        vec![ConfigError::new("lesson", message)]
    })
}

/// A lesson by its id, or one that is written out as JSON.
///
/// # Errors
/// If there is none; if the text is not a lesson, the place of the error.
pub fn read(source: &str, language: &str) -> Result<Lesson, Vec<ConfigError>> {
    if source.trim_start().starts_with('{') {
        return reading::parse(source);
    }
    Ok(known(source)?.read(language).1)
}

#[cfg(test)]
mod tests {
    use super::lessons;

    #[test]
    fn the_order_of_lessons_is_that_of_their_files() {
        let ids: Vec<&str> = lessons().iter().map(|l| l.id).collect();
        assert!(ids.is_sorted(), "{ids:?}");
    }
}
