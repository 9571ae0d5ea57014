//! A lesson to start from: every kind of step once, for a scenario, with values from its runs.

use super::answer::plain;
use super::format::{
    Compare, Difference, Feedback, Fork, LESSON_FORMAT, Lesson, Point, Question, Step, Teacher,
    Tolerance, Transfer,
};
use super::run::LessonRun;
use crate::config::{Scenario, validate};
use crate::engine::{Options, Sim};
use crate::error::ConfigError;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A lesson about a scenario whose texts are still to be written. It passes the checks of lessons.
///
/// # Errors
/// The errors of the scenario.
pub fn skeleton(id: &str, scenario: &Scenario) -> Result<Lesson, Vec<ConfigError>> {
    let plan = Arc::new(validate::plan(scenario)?);
    let mut sim = Sim::new(&plan, 0, Options::default());
    sim.run_until(sim.end());
    let has_ended = (0..sim.task_count())
        .map(|i| sim.task_view(crate::ids::TaskId::new(i)))
        .filter(|t| !t.info.background)
        .all(|t| t.exited_at_ns.is_some());
    let first = plan.groups.first().map_or("", |g| g.name.as_str());
    let lane = plan.lanes[0].info.name;
    let what = if has_ended {
        Measured {
            ask: format!("When does the last thread end under {lane}?"),
            value: "exit(1, last)".to_owned(),
            unit: "s",
            label: "last exit",
        }
    } else {
        Measured {
            ask: format!("Which share of a CPU has {first} under {lane}?"),
            value: format!("share(1, \"{first}\")"),
            unit: "%",
            label: "share",
        }
    };
    let tally = sim.decisions().tally();
    let mut codes = (0_u16..).zip(sim.reasons());
    let reason = codes.find(|(code, _)| tally.total(*code) > 0);
    let mut lesson = written(id, &what, reason.map_or("", |(_, r)| r.id));
    lesson.own_policies = scenario.schedulers.iter().any(|s| s.id == "own");
    fill_in(&mut lesson, scenario)?;
    Ok(lesson)
}

/// The quantity that the question is about.
struct Measured {
    ask: String,
    value: String,
    unit: &'static str,
    label: &'static str,
}

fn written(id: &str, what: &Measured, reason: &str) -> Lesson {
    let point = Point {
        lane: Some(1),
        reason: Some(reason.to_owned()),
        nth: Some(1),
        ..Point::default()
    };
    let otherwise = "In your run there is no such moment.".to_owned();
    let steps = vec![
        Step::Situation {
            text: "What there is, in one or two sentences.".to_owned(),
        },
        Step::Predict {
            id: "p1".to_owned(),
            ask: what.ask.clone(),
            answer: Question::Number {
                unit: what.unit.to_owned(),
                min: 0.0,
                max: 100.0,
                tolerance: Tolerance::Part("5%".to_owned()),
            },
            truth: what.value.clone(),
            expected: Value::from(0),
            feedback: vec![
                Feedback {
                    when: "right".to_owned(),
                    say: "Yes: {truth}. What to look at next?".to_owned(),
                },
                Feedback {
                    when: "said < truth".to_owned(),
                    say: "You said {said}, your run gives {truth}. What takes longer than you thought?"
                        .to_owned(),
                },
            ],
        },
        Step::Run {
            text: String::new(),
            stop: Some(point.clone()),
            otherwise: otherwise.clone(),
        },
        Step::Observe {
            id: "o1".to_owned(),
            ask: "What do you see?".to_owned(),
            options: Vec::new(),
            truth: None,
            point: Some(point.clone()),
            otherwise: otherwise.clone(),
        },
        Step::Explain {
            text: "Why this happens, with the numbers of its card.".to_owned(),
            point: Some(point),
            otherwise,
        },
        Step::Change {
            text: "What changes.".to_owned(),
            forks: vec![Fork {
                label: "another seed".to_owned(),
                is: Difference {
                    set: BTreeMap::from([("seed".to_owned(), Value::from(2))]),
                },
            }],
            compare: Compare {
                label: what.label.to_owned(),
                value: what.value.clone(),
                unit: what.unit.to_owned(),
            },
            expected: vec![0.0, 0.0],
            then: "What follows: {fork(0)} and {fork(1)}.".to_owned(),
        },
    ];
    Lesson {
        format: LESSON_FORMAT,
        id: id.to_owned(),
        title: "A name".to_owned(),
        level: 1,
        minutes: 7,
        goal: "What the learner can do afterwards.".to_owned(),
        misconception: "What many believe before.".to_owned(),
        scenario: id.to_owned(),
        own_policies: false,
        lane_labels: Vec::new(),
        lane_labels_until: None,
        runs: BTreeMap::new(),
        sweeps: BTreeMap::new(),
        steps,
        transfer: Transfer {
            ask: "The same thought elsewhere?".to_owned(),
            answer: "What is the same, and what is not.".to_owned(),
            run: None,
        },
        teacher: Teacher {
            ask: "What to ask the class.".to_owned(),
            surprise: "What surprises.".to_owned(),
            time: "2 predict, 2 run, 3 discuss".to_owned(),
        },
    }
}

/// Fills in the results of the runs: the truth, and both futures.
fn fill_in(lesson: &mut Lesson, scenario: &Scenario) -> Result<(), Vec<ConfigError>> {
    let mut run = LessonRun::new(lesson.clone(), "en", scenario)?;
    let last = lesson.steps.len();
    let futures = run.step(last, None)?.futures;
    let values: Vec<f64> = futures
        .iter()
        .filter_map(|f| f.value)
        .map(rounded)
        .collect();
    let own = values.first().copied().unwrap_or(0.0);
    for step in &mut lesson.steps {
        match step {
            Step::Predict {
                expected, answer, ..
            } => {
                *expected = plain(own);
                if let Question::Number { max, unit, .. } = answer {
                    *max = if unit == "s" {
                        (own * 3.0).ceil()
                    } else {
                        100.0
                    };
                }
            }
            Step::Change { expected, .. } => expected.clone_from(&values),
            _ => {}
        }
    }
    Ok(())
}

/// To three decimals.
fn rounded(x: f64) -> f64 {
    (x * 1000.0).round() / 1000.0
}
