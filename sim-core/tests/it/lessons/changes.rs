//! The texts of a lesson after the learner has changed the run, and for answers of every kind.

use serde_json::{Value, json};
use sim_core::config::edit::{Edit, TimedEdit};
use sim_core::config::{Scenario, validate};
use sim_core::lesson::difference::{beside, changed};
use sim_core::lesson::format::{Difference, Lesson};
use sim_core::lesson::registry::find;
use sim_core::lesson::run::LessonRun;
use sim_core::params::ParamValue;

fn first() -> (Lesson, Scenario) {
    let shipped = find("l01-one-too-many").expect("shipped");
    (shipped.read("en").1, shipped.read_scenario())
}

#[test]
fn the_words_follow_the_learners_run() {
    let (lesson, mut scenario) = first();
    // Another scheduler, which has no such rule. The lesson's own controls go with its lanes.
    scenario.schedulers[0] = scenario.schedulers[1].clone();
    scenario.drop_guide();
    let mut run = LessonRun::new(lesson, "en", &scenario).expect("valid");
    let view = run.step(4, None).expect("a step");
    assert!(view.missing && view.point.is_none());
    assert!(view.text.starts_with("In your run no idle CPU"));
    let view = run.step(2, Some(&json!(1))).expect("a step");
    assert_eq!((view.truth, view.right), (json!(2), Some(false)));
    assert!(view.say.contains("11.4 s"), "{}", view.say);
}

#[test]
fn a_lane_that_is_gone_is_no_error() {
    let (lesson, mut scenario) = first();
    scenario.schedulers.truncate(1);
    let mut run = LessonRun::new(lesson, "en", &scenario).expect("valid");
    let view = run.step(2, Some(&json!(2))).expect("a step");
    assert!(view.say.contains("4BSD comes close: –."), "{}", view.say);
    // One lane cannot be ordered among four, so there is no truth.
    let view = run.step(3, Some(&json!([1, 2, 3, 4]))).expect("a step");
    assert_eq!((view.truth, view.right), (Value::Null, None));
    for number in [1, 4, 5, 6, 7, 8, 9, 10] {
        assert!(run.step(number, None).is_ok(), "step {number}");
    }
}

fn tuned(lane: Option<u32>, value: i64) -> TimedEdit {
    TimedEdit {
        at_ns: 0,
        edit: Edit::SetTunable {
            lane,
            id: "stealThresh".to_owned(),
            value: ParamValue::Int(value),
        },
        lane: None,
    }
}

fn read(difference: Value) -> Difference {
    serde_json::from_value(difference).expect("a difference")
}

/// Older lessons say tunables and era of a lane in fields of their own.
#[test]
fn differences_of_older_lessons_are_read_as_paths() {
    for (old, new) in [
        (
            json!({ "lane": 1, "tunables": { "stealThresh": 2 }, "era": "11.1" }),
            json!({ "set": { "lanes.1.stealThresh": 2, "lanes.1.era": "11.1" } }),
        ),
        (
            json!({ "tunables": { "hz": 250 }, "set": { "groups.job.count": 3 } }),
            json!({ "set": { "lanes.*.hz": 250, "groups.job.count": 3 } }),
        ),
    ] {
        assert_eq!(read(old), read(new.clone()));
        assert_eq!(json!(read(new.clone())), new, "written as paths");
    }
    let stray = serde_json::from_value::<Difference>(json!({ "lanes": 1 }));
    assert!(stray.is_err());
}

/// A copy beside its lane shows a difference of one lane, and only that.
#[test]
fn only_tunables_and_era_of_one_lane_come_beside_it() {
    let (_, scenario) = first();
    for (set, lane) in [
        (json!({ "lanes.4.era": "0.512" }), Some(3)),
        (
            json!({ "lanes.1.stealThresh": 2, "lanes.1.era": "11.1" }),
            Some(1),
        ),
        (json!({ "lanes.1.stealThresh": 2, "seed": 2 }), None),
        (json!({ "lanes.2.hz": 250, "lanes.3.hz": 250 }), None),
        (json!({ "lanes.*.hz": 250 }), None),
        (json!({ "lanes.2": "bfs" }), None),
    ] {
        let (shown, beside) = beside(&scenario, &read(json!({ "set": set }))).expect("valid");
        assert_eq!((beside, shown.schedulers.len()), (lane, 4), "{set}");
    }
}

/// A fork sets its own value of the tunable, even if the learner has changed it.
#[test]
fn a_fork_wins_over_the_learners_edits() {
    let (_, mut scenario) = first();
    scenario.edits = vec![tuned(Some(0), 4), tuned(None, 5)];
    let fork = read(json!({ "set": { "lanes.1.stealThresh": 2 } }));
    let of_lane = |scenario: &Scenario, lane: u32| {
        let concerns = |e: &&TimedEdit| match &e.edit {
            Edit::SetTunable { lane: of, .. } => e.lane.or(*of).is_none_or(|of| of == lane),
            _ => false,
        };
        scenario.edits.iter().filter(concerns).count()
    };
    let alone = changed(&scenario, &fork).expect("valid");
    assert_eq!(of_lane(&alone, 0), 0);
    assert_eq!(of_lane(&alone, 1), 1, "the others keep it");
    let (both, lane) = beside(&scenario, &fork).expect("valid");
    assert_eq!((lane, both.schedulers.len()), (Some(1), 4));
    assert_eq!(of_lane(&both, 1), 0, "the copy");
    assert!(of_lane(&both, 0) >= 1, "the learner's own lane keeps it");
}

#[test]
fn any_other_difference_replaces_the_run() {
    let (_, scenario) = first();
    let other = read(json!({ "set": {
        "groups.job.count": 3, "background": { "daemons": {} }, "machine": "rpi4",
        "lanes": "bfs"
    } }));
    let (whole, lane) = beside(&scenario, &other).expect("valid");
    assert_eq!(
        (lane, whole.schedulers.len(), whole.groups[0].count),
        (None, 1, 3)
    );
    assert!(whole.background.is_some());
    for (wrong, path) in [
        (json!({ "set": { "lanes.5.hz": 250 } }), "set.lanes.5.hz"),
        (
            json!({ "set": { "lanes.1.beauty": 1 } }),
            "set.lanes.1.beauty",
        ),
        (
            json!({ "set": { "/groups/7/count": 3 } }),
            "set./groups/7/count",
        ),
        (
            json!({ "set": { "groups.hog.count": 3 } }),
            "set.groups.hog.count",
        ),
        (
            json!({ "set": { "/groups/0/count": 99_999_999 } }),
            "groups[0].count",
        ),
    ] {
        let errors = beside(&scenario, &read(wrong.clone())).expect_err("wrong");
        assert!(errors[0].path.starts_with(path), "{wrong}: {}", errors[0]);
    }
}

/// A lesson with one question about a run of 2 s: threads of 100 ms on one CPU.
fn asked(answer: Value, truth: &str, feedback: Value) -> LessonRun {
    let lesson = json!({
        "format": 1, "id": "test", "title": "", "level": 1, "minutes": 1, "goal": "", "misconception": "",
        "scenario": "test",
        "steps": [
            { "kind": "situation", "text": "" },
            { "kind": "predict", "id": "p1", "ask": "?", "answer": answer, "truth": truth, "expected": 0,
              "feedback": feedback }
        ],
        "transfer": { "ask": "", "answer": "" },
        "teacher": { "ask": "", "surprise": "", "time": "" }
    });
    let scenario = json!({
        "version": 1, "name": "three jobs", "machine": "up2007",
        "schedulers": [{ "id": "ule", "era": "11.1" }],
        "groups": [{ "name": "job", "count": 3,
            "behaviour": { "kind": "compute", "params": { "workMs": 100 } } }],
        "end": { "atNs": 2_000_000_000, "whenAllExited": true }
    });
    let lesson = serde_json::from_value(lesson).expect("a lesson");
    let scenario = validate::parse(&scenario.to_string()).expect("valid");
    LessonRun::new(lesson, "en", &scenario).expect("valid")
}

#[test]
fn numbers_are_right_within_their_tolerance() {
    let answer =
        json!({ "type": "number", "unit": "ms", "min": 0, "max": 1000, "tolerance": "10%" });
    let feedback = json!([{ "when": "said < 100ms", "say": "{said} < {truth:s.1}" }]);
    let mut run = asked(answer, "round(exit(1, last), 10ms)", feedback);
    for (said, right, say) in [
        (json!(50), false, "50.0 ms < 0.3 s"),
        (json!(269), false, "You said 269 ms, your run gives 300 ms."),
        (json!(270), true, "You said 270 ms, your run gives 300 ms."),
        (json!(330), true, "You said 330 ms, your run gives 300 ms."),
        (
            json!(330.5),
            false,
            "You said 331 ms, your run gives 300 ms.",
        ),
    ] {
        let view = run.step(2, Some(&said)).expect("a step");
        assert_eq!(
            (view.right, view.say.as_str()),
            (Some(right), say),
            "{said}"
        );
        assert_eq!(view.truth, json!(300));
    }
    for wrong in [json!(-1), json!(1001), json!("many"), json!([1])] {
        let errors = run.step(2, Some(&wrong)).expect_err("wrong");
        assert!(
            errors[0]
                .message
                .starts_with("must be a number from 0 to 1000, got ")
        );
    }
}

#[test]
fn drawn_lines_are_compared_by_shape_and_then_by_distance() {
    let answer = json!({
        "type": "curve", "at": [0, 100, 200, 300, 400],
        "x": { "label": "time", "unit": "ms", "min": 0, "max": 400 },
        "y": { "label": "threads", "unit": "threads", "min": 0, "max": 4 }
    });
    let truth = "series(1, queue, 0, [50ms, 100ms, 200ms, 290ms, 400ms])";
    let feedback = json!([
        { "when": "right", "say": "yes" },
        { "when": "shape(said) == \"line\"", "say": "a line" },
        { "when": "first(said) < 1", "say": "from nothing" }
    ]);
    let mut run = asked(answer, truth, feedback);
    // All three jobs take turns to the end, and then none is left.
    for (said, right, say) in [
        (json!([3, 3, 3, 3, 0]), true, "yes"),
        (json!([3, 3, 3, 4, 0]), true, "yes"),
        (
            json!([1, 1, 1, 1, 0]),
            false,
            "Your line has the shape of your run, a line that grows faster and faster, but lies elsewhere.",
        ),
        (json!([4, 3, 2, 1, 0]), false, "a line"),
        (json!([0, 4, 4, 4, 4]), false, "from nothing"),
        (
            json!([1, 3, 3, 3, 0]),
            false,
            "You said a peak, your run gives a line that grows faster and faster.",
        ),
    ] {
        let view = run.step(2, Some(&said)).expect("a step");
        assert_eq!(view.truth, json!([3, 3, 3, 2, 0]));
        assert_eq!(
            (view.right, view.say.as_str()),
            (Some(right), say),
            "{said}"
        );
    }
    assert!(
        run.step(2, Some(&json!([1, 2, 3, 4]))).is_err(),
        "a handle too few"
    );
    assert!(
        run.step(2, Some(&json!([1, 2, 3, 4, 5]))).is_err(),
        "above the axis"
    );
}
