//! Situations from public reports: a scenario, and what is right in it, as data.
//!
//! Every `tests/cases/*.json` is a case: where it comes from, the scenario, and facts. A fact is a value (an expression
//! as lessons have them) with the least and the greatest that are right, and the reason. A fact that does not hold says
//! why (`knownFailure`), and fails the test as soon as it holds.

use serde::Deserialize;
use serde_json::{Value, json};
use sim_core::config::validate;
use sim_core::lesson::format::Lesson;
use sim_core::lesson::run::LessonRun;
use std::fs;
use std::path::{Path, PathBuf};

/// A case.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Case {
    /// Where the situation was reported, and what was seen there.
    source: String,
    scenario: Value,
    facts: Vec<Fact>,
}

/// What is right.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Fact {
    value: String,
    /// The least value that is right, an expression too.
    from: String,
    /// The greatest.
    to: String,
    /// Why: the report, or the rule of the release.
    because: String,
    /// Why it does not hold yet.
    known_failure: Option<String>,
}

#[test]
fn facts_of_public_reports_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("readable").path())
        .collect();
    files.sort();
    // Selects cases, for people who work on one of them.
    #[allow(clippy::disallowed_methods)] // which cases are run, not what they do
    let only = std::env::var("TIMESLICE_CASES").unwrap_or_default();
    let asked = files.iter().filter(|f| f.to_string_lossy().contains(&only));
    let wrong: Vec<String> = asked.flat_map(|file| differences(file)).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

fn differences(file: &Path) -> Vec<String> {
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let text = fs::read_to_string(file).expect("readable");
    let case: Case = match serde_json::from_str(&text) {
        Ok(case) => case,
        Err(error) => return vec![format!("{name}: {error}")],
    };
    let mut wrong = Vec::new();
    if case.source.is_empty() || case.facts.is_empty() {
        wrong.push(format!("{name}: a case has a source and facts"));
    }
    let answers = match answers(&case) {
        Ok(answers) => answers,
        Err(error) => return vec![format!("{name}: {error}")],
    };
    for (fact, [holds, value]) in case.facts.iter().zip(answers) {
        let known = fact.known_failure.as_ref();
        if fact.because.is_empty() {
            wrong.push(format!("{name}: {} says no reason", fact.value));
        } else if holds == "yes" && known.is_some() {
            let value = &fact.value;
            wrong.push(format!("{name}: {value} holds now and is no known failure"));
        } else if holds != "yes" && known.is_none() {
            let Fact {
                value: of,
                from,
                to,
                because,
                ..
            } = fact;
            wrong.push(format!(
                "{name}: {of} is {value}, not from {from} to {to}: {because}"
            ));
        }
    }
    wrong
}

/// Whether each fact holds, and its value. One text asks for all, so that each lane runs once.
fn answers(case: &Case) -> Result<Vec<[String; 2]>, String> {
    let lines: Vec<String> = case
        .facts
        .iter()
        .map(|f| {
            let Fact {
                value, from, to, ..
            } = f;
            format!("{{{value} >= {from} and {value} <= {to}}}\n{{{value}}}")
        })
        .collect();
    let text = lines.join("\n");
    let scenario = validate::parse(&case.scenario.to_string()).map_err(|e| format!("{e:?}"))?;
    let mut run = LessonRun::new(lesson(&text), "en", &scenario).map_err(|e| format!("{e:?}"))?;
    let told = run.step(1, None).map_err(|e| e[0].to_string())?.text;
    let mut told = told.lines().map(str::to_owned);
    let mut pair = || Some([told.next()?, told.next()?]);
    let all: Option<_> = case.facts.iter().map(|_| pair()).collect();
    all.ok_or_else(|| "not every fact has an answer".to_owned())
}

/// A lesson that only shows a text.
fn lesson(text: &str) -> Lesson {
    let value = json!({
        "format": 1, "id": "case", "title": "", "level": 1, "minutes": 1, "goal": "", "misconception": "",
        "scenario": "case",
        "steps": [{ "kind": "situation", "text": text }],
        "transfer": { "ask": "", "answer": "" },
        "teacher": { "ask": "", "surprise": "", "time": "" }
    });
    serde_json::from_value(value).expect("a lesson")
}
