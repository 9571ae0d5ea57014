//! Lessons on paper.

use sim_core::lesson::format::Lesson;
use sim_core::lesson::registry::{find, lessons};
use sim_core::lesson::worksheet::worksheet;

fn sheet(id: &str, language: &str, teacher: bool) -> String {
    let shipped = find(id).expect("shipped");
    let (_, lesson) = shipped.read(language);
    worksheet(&lesson, language, &shipped.read_scenario(), teacher).expect("a sheet")
}

#[test]
fn learners_pages_hold_no_result() {
    // Results of the first lesson's runs: last exits, the operands of the card, both futures.
    let results = [
        "15.7", "11.4", "14.1", "15.0", "14.4", "20.1", "12.5", "10057",
    ];
    let own = sheet("l01-one-too-many", "en", false);
    for result in results {
        assert!(!own.contains(result), "{result}");
    }
    assert!(own.contains("When is the last job ready under ULE?"));
    let teacher = sheet("l01-one-too-many", "en", true);
    assert!(teacher.starts_with(own.trim_end_matches("</body>\n</html>\n")));
    for result in ["15.7", "11.4", "20.11", "10057.657"] {
        assert!(teacher.contains(result), "{result}");
    }
}

#[test]
fn numbers_of_the_run_are_blanks_to_fill_in() {
    let own = sheet("l10-bug-hunt", "en", false);
    assert!(own.contains("chooses an idle core <span class=\"blank\"></span> times"));
    // The result of another run is part of the question.
    assert!(sheet("l07-working-set", "en", false).contains("cost 1.26 each"));
}

#[test]
fn every_text_is_escaped() {
    let shipped = find("l01-one-too-many").expect("shipped");
    let nasty = "</p><script>alert('1')</script>&\"";
    let (_, mut lesson) = shipped.read("en");
    let mut value = serde_json::to_value(&lesson).expect("JSON");
    spoil(&mut value, nasty);
    lesson = serde_json::from_value::<Lesson>(value).expect("a lesson");
    let mut scenario = shipped.read_scenario();
    scenario.name = nasty.to_owned();
    let html = worksheet(&lesson, nasty, &scenario, true).expect("a sheet");
    assert!(html.contains("&lt;/p&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;&quot;"));
    assert!(!html.contains("<script") && !html.contains("alert('"));
}

/// Puts a text before every text for readers.
fn spoil(value: &mut serde_json::Value, nasty: &str) {
    const TEXTS: [&str; 14] = [
        "title",
        "goal",
        "misconception",
        "text",
        "ask",
        "say",
        "then",
        "label",
        "surprise",
        "time",
        "answer",
        "otherwise",
        "options",
        "items",
    ];
    match value {
        serde_json::Value::Object(fields) => {
            for (key, value) in fields {
                let is_text = TEXTS.contains(&key.as_str()) || key == "laneLabels";
                if let Some(text) = value.as_str().filter(|_| is_text) {
                    *value = serde_json::Value::from(format!("{nasty}{text}"));
                } else if let Some(all) = value.as_array_mut().filter(|_| is_text) {
                    for text in all.iter_mut() {
                        *text = serde_json::Value::from(format!(
                            "{nasty}{}",
                            text.as_str().unwrap_or("")
                        ));
                    }
                } else {
                    spoil(value, nasty);
                }
            }
        }
        serde_json::Value::Array(all) => all.iter_mut().for_each(|v| spoil(v, nasty)),
        _ => {}
    }
}

#[test]
fn a_sheet_needs_nothing_from_outside() {
    for shipped in lessons().iter().filter(|l| l.is_runnable()) {
        // Only the part before the run, because the runs of some lessons take seconds.
        let html = sheet(shipped.id, "en", false);
        for word in ["http://", "https://", "<img", "<script", "url(", "@import"] {
            let found = html.replace("http://www.w3.org/2000/svg", "");
            assert!(!found.contains(word), "{}: {word}", shipped.id);
        }
    }
}

#[test]
fn a_sheet_speaks_the_language_of_its_lesson() {
    let german = sheet("l01-one-too-many", "de-AT", true);
    assert!(german.contains("<html lang=\"de\">") && german.contains("Vorhersagen"));
    assert!(german.contains("15,7 s") && !german.contains("15.7 s"));
}
