//! The first lesson, step by step.

use serde_json::json;
use sim_core::lesson::registry::{entries, find};
use sim_core::lesson::run::LessonRun;

fn run() -> LessonRun {
    let shipped = find("l01-one-too-many").expect("shipped");
    let (_, lesson) = shipped.read("en");
    LessonRun::new(lesson, "en", &shipped.read_scenario()).expect("valid")
}

#[test]
fn cards_show_situations_and_no_results() {
    let all = entries("en");
    assert_eq!(all[0].number, 1);
    assert!(!all[0].situation.is_empty() && all[0].steps > 2);
    assert_eq!(entries("de").len(), all.len());
}

#[test]
fn a_question_gives_nothing_away_before_it_is_answered() {
    let mut run = run();
    let view = run.step(2, None).expect("a step");
    assert!(view.text.contains("last"));
    assert_eq!(
        (view.truth, view.right, view.say),
        (json!(null), None, String::new())
    );
    let view = run.step(2, Some(&json!(2))).expect("a step");
    assert_eq!((view.truth, view.right), (json!(3), Some(false)));
    assert!(
        view.say.contains("11.4 s") && view.say.contains("15.7 s"),
        "{}",
        view.say
    );
    let view = run.step(3, Some(&json!([2, 3, 4, 1]))).expect("a step");
    assert_eq!((view.truth, view.right), (json!([2, 3, 4, 1]), Some(true)));
}

#[test]
fn an_answer_that_does_not_fit_is_refused() {
    let mut run = run();
    for (step, answer) in [
        (2, json!(0)),
        (2, json!(5)),
        (2, json!("two")),
        (3, json!([1, 2, 3])),
        (3, json!([1, 2, 3, 3])),
    ] {
        let errors = run.step(step, Some(&answer)).expect_err("wrong");
        assert_eq!(errors[0].path, "answer", "{answer}");
    }
    assert!(run.step(0, None).is_err() && run.step(99, None).is_err());
}

#[test]
fn the_run_stops_at_the_refusal_and_its_card_has_the_numbers() {
    let mut run = run();
    let stop = run.step(4, None).expect("a step").point.expect("a refusal");
    let card = run.step(6, None).expect("a step");
    let point = card.point.expect("a refusal");
    assert_eq!((stop.lane, point.lane), (0, 0));
    // The run stops at the first of six refusals; the card shows the last one, when six CPUs are idle.
    let (first, last) = (stop.at_ns.expect("a time"), point.at_ns.expect("a time"));
    assert!(first < last && last - first < 10_000_000, "{first} {last}");
    assert!(stop.decision.is_some() && stop.decision < point.decision);
    assert!(point.decision.is_some() && point.cpu.is_some());
    assert!(
        card.text.contains("has 2 threads") && card.text.contains("of 3 or more"),
        "{}",
        card.text
    );
}

#[test]
fn both_futures_are_known_and_their_scenarios_can_be_opened() {
    let mut run = run();
    let view = run.step(8, None).expect("a step");
    let values: Vec<f64> = view.futures.iter().filter_map(|f| f.value).collect();
    for (value, expected) in values.iter().zip([15.73, 14.41, 20.11]) {
        assert!((value - expected).abs() < 0.02, "{values:?}");
    }
    assert_eq!(view.futures.len(), 3);
    // Four lanes and a copy are one too many: the last lane is removed.
    let fork = &view.futures[1];
    assert_eq!((fork.lane, fork.scenario.schedulers.len()), (Some(1), 4));
    assert_eq!(
        fork.scenario.schedulers[0].id,
        fork.scenario.schedulers[1].id
    );
    assert!(
        view.then.contains("14.4 s") && view.then.contains("20.1 s"),
        "{}",
        view.then
    );
}
