//! Every shipped lesson is good, in every language.

use sim_core::lesson::check::check;
use sim_core::lesson::format::{Lesson, Step};
use sim_core::lesson::registry::lessons;

#[test]
fn every_shipped_lesson_is_well_formed() {
    for shipped in lessons() {
        let checked = check(shipped.lesson, &shipped.read_scenario(), false);
        assert_eq!(checked.findings, [], "{}", shipped.id);
    }
}

/// Placeholders of a text, in their order.
fn placeholders(text: &str) -> Vec<&str> {
    let parts = text.split('{').skip(1);
    parts.filter_map(|p| p.split('}').next()).collect()
}

/// All texts in which numbers of the run stand.
fn texts(lesson: &Lesson) -> Vec<&str> {
    let mut all = vec![
        lesson.transfer.ask.as_str(),
        &lesson.transfer.answer,
        &lesson.teacher.ask,
        &lesson.teacher.surprise,
    ];
    for step in &lesson.steps {
        match step {
            Step::Situation { text } => all.push(text),
            Step::Predict { ask, feedback, .. } => {
                all.push(ask);
                all.extend(feedback.iter().map(|f| f.say.as_str()));
            }
            Step::Run {
                text, otherwise, ..
            }
            | Step::Explain {
                text, otherwise, ..
            } => all.extend([text.as_str(), otherwise]),
            Step::Observe { ask, otherwise, .. } => all.extend([ask.as_str(), otherwise]),
            Step::Change { text, then, .. } => all.extend([text.as_str(), then]),
        }
    }
    all
}

#[test]
fn translations_say_everything_with_the_same_numbers() {
    for shipped in lessons() {
        let (_, own) = shipped.read("en");
        for (language, _) in shipped.translations {
            let (found, other) = shipped.read(language);
            assert_eq!(found, *language);
            for (a, b) in texts(&own).into_iter().zip(texts(&other)) {
                assert_eq!(placeholders(a), placeholders(b), "{}: {b}", shipped.id);
                let is_translated = a.is_empty() || a != b;
                assert!(is_translated, "{} ({language}): {a}", shipped.id);
            }
        }
    }
}
