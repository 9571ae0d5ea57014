//! The values that options name: each stands in its text, in every language, and in the list that the truth chooses from.

use super::Notes;
use serde_json::Value;
use sim_measure::expression::{Node, parse};
use sim_measure::quantity::{Format, Quantity, from_unit};

/// Checks the unit and the number of the values, and the texts.
pub(super) fn check(
    notes: &mut Notes,
    path: &str,
    options: &[String],
    unit: &str,
    values: &[Option<f64>],
) {
    if Format::parse(unit).is_err() {
        notes.add(
            &format!("{path}.unit"),
            "must be one of s, ms, us, ns, %, x",
        );
    }
    if values.len() != options.len() {
        let n = options.len();
        let message = format!("must be {n}: the value of each option, or null");
        notes.add(&format!("{path}.values"), message);
    }
    let texts = options.iter().map(|text| Some(text.as_str()));
    told(notes, path, texts, unit, values);
}

/// Checks texts of another language; what the translation leaves out is left out here.
pub(super) fn translated(notes: &mut Notes, path: &str, question: &Value, texts: &Value) {
    let (Some(values), Some(texts)) = (question["values"].as_array(), texts.as_array()) else {
        return;
    };
    let values: Vec<Option<f64>> = values.iter().map(Value::as_f64).collect();
    let unit = question["unit"].as_str().unwrap_or_default();
    told(notes, path, texts.iter().map(Value::as_str), unit, &values);
}

fn told<'a>(
    notes: &mut Notes,
    path: &str,
    texts: impl Iterator<Item = Option<&'a str>>,
    unit: &str,
    values: &[Option<f64>],
) {
    for (i, (text, value)) in texts.zip(values).enumerate() {
        let (Some(text), Some(value)) = (text, value) else {
            continue;
        };
        if !says(text, *value, unit) {
            let message = format!("must say its value, {value} {unit}");
            notes.add(&format!("{path}.options[{i}]"), message.trim_end());
        }
    }
}

/// Checks that a truth such as `nearest(x, [10s, 11.3s])` chooses from the values of the options.
pub(super) fn chosen_from(
    notes: &mut Notes,
    path: &str,
    truth: &str,
    unit: &str,
    values: &[Option<f64>],
) {
    let Ok(Node::Call(name, arguments)) = parse(truth).map(|e| e.is) else {
        return;
    };
    let list = arguments.get(1).map(|argument| &argument.value.is);
    let Some(Node::List(list)) = list.filter(|_| name == "nearest") else {
        return;
    };
    let are_same = list.iter().zip(values).all(|(item, value)| {
        let (Node::Number(item, kind), Some(value)) = (&item.is, value) else {
            return true;
        };
        from_unit(*value, unit) == Quantity::Number(*item, *kind)
    });
    if !are_same {
        notes.add(path, "must be nearest to the values of the options");
    }
}

/// Whether a text has a number with its unit, as in `about 11.3 s` or `etwa 11,3 s`.
fn says(text: &str, value: f64, unit: &str) -> bool {
    // Thin spaces group digits or stand before a unit; neither needs them here.
    let text = text.replace(['\u{202f}', '\u{2009}'], "");
    let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '.' | ',');
    let starts = text
        .char_indices()
        .filter(|(at, c)| c.is_ascii_digit() && !text[..*at].ends_with(goes_on));
    let mut found = starts.map(|(at, _)| number(&text, at));
    found.any(|(number, of)| number == Some(value) && (unit.is_empty() || of == unit))
}

/// The number that begins at a place, and the unit behind it.
fn number(text: &str, at: usize) -> (Option<f64>, &str) {
    let rest = &text[at..];
    let end = rest
        .char_indices()
        .find(|(i, c)| {
            let is_inside =
                matches!(c, '.' | ',') && rest[i + 1..].starts_with(|c: char| c.is_ascii_digit());
            !c.is_ascii_digit() && !is_inside
        })
        .map_or(rest.len(), |(i, _)| i);
    let size: Option<f64> = rest[..end].replace(',', ".").parse().ok();
    let is_minus = text[..at].ends_with(['-', '−']);
    let behind = rest[end..].trim_start();
    let length = behind
        .find(|c: char| !c.is_alphanumeric() && !matches!(c, '%' | '×'))
        .unwrap_or(behind.len());
    let unit = match &behind[..length] {
        "µs" => "us",
        "×" => "x",
        unit => unit,
    };
    (size.map(|size| if is_minus { -size } else { size }), unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::check::Checked;
    use serde_json::json;
    use std::collections::BTreeMap;

    /// What is found by a check, as paths and messages.
    fn found(check: impl FnOnce(&mut Notes)) -> Vec<String> {
        let mut notes = Notes {
            lines: BTreeMap::new(),
            checked: Checked::default(),
        };
        check(&mut notes);
        let told = |f: super::super::Finding| format!("{}: {}", f.path, f.message);
        notes.checked.findings.into_iter().map(told).collect()
    }

    #[test]
    fn a_text_a_translation_and_a_truth_that_leave_a_value_are_told() {
        let values = [Some(10.0), Some(11.3), None];
        let texts = ["about 10 s", "about 11 s", "never"].map(str::to_owned);
        let has = |values| found(|notes| check(notes, "answer", &texts, "s", values));
        assert_eq!(
            has(&values),
            ["answer.options[1]: must say its value, 11.3 s"]
        );
        assert_eq!(
            has(&values[..1]),
            ["answer.values: must be 3: the value of each option, or null"]
        );
        let question = json!({ "options": texts, "unit": "s", "values": values });
        let own = json!(["etwa 11 s", "etwa 11,3 s"]);
        assert_eq!(
            found(|notes| translated(notes, "answer", &question, &own)),
            ["answer.options[0]: must say its value, 10 s"]
        );
        let chosen = |truth| found(|notes| chosen_from(notes, "truth", truth, "s", &values));
        assert_eq!(
            chosen("nearest(exit(1, last), [10s, 11s, 20s])"),
            ["truth: must be nearest to the values of the options"]
        );
        assert_eq!(chosen("nearest(exit(1, last), [10s, 11.3s, 20s])"), [""; 0]);
    }

    #[test]
    fn a_number_and_its_unit_are_found_in_both_languages() {
        for (text, value, unit) in [
            ("about 11.3 s: 90 s of work on 8 CPUs", 11.3, "s"),
            ("nach etwa 11,3 s: 90 s Arbeit auf 8 CPUs", 11.3, "s"),
            ("2\u{202f}000\u{a0}ms", 2000.0, "ms"),
            ("0.8 µs", 0.8, "us"),
            ("2×", 2.0, "x"),
            ("minus: −5 %", -5.0, "%"),
            ("the 9 jobs", 9.0, ""),
        ] {
            assert!(says(text, value, unit), "{text}");
        }
    }

    #[test]
    fn another_number_or_another_unit_is_not_it() {
        for (text, value, unit) in [
            ("about 11.3 s", 11.0, "s"),
            ("about 11.3 s", 3.0, "s"),
            ("about 11.3 s", 11.3, "ms"),
            ("2 steps", 2.0, "s"),
            ("BFS2 s", 2.0, "s"),
        ] {
            assert!(!says(text, value, unit), "{text}");
        }
    }
}
