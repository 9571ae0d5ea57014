//! The published claims hold, but for those that are known to fail: they must go on failing until somebody says
//! otherwise, and a claim that silently became unavailable would be missing in the counts. And they are able to fail:
//! with a mechanism taken away, the claims that rest on it do, in the direction that is known.

use serde_json::Value;
use sim_core::experiment::claims::{self, Effort, Evaluation, Verdict};
use sim_core::experiment::run::Run;
use sim_core::params::ParamValue;

/// At least five seeds of thirty seconds each, as the acceptance demands.
const EFFORT: Effort = Effort {
    seeds: 5,
    seconds: 30,
};

#[test]
fn claims_that_can_be_evaluated_hold_or_are_known_to_fail() {
    let all = claims::claims();
    let results = claims::evaluate(&all, EFFORT, &claims::InTurn, &|_| (), &mut |_| {});
    let results = results.expect("valid");
    let (mut hold, mut fail) = (0, 0);
    for e in &results {
        let id = &e.claim.id;
        assert_eq!(
            e.claim.since.is_empty(),
            e.verdict == Verdict::Unavailable,
            "{id}: since when is it evaluated?"
        );
        match e.verdict {
            Verdict::Holds => {
                hold += 1;
                assert!(!e.claim.known_failure, "{id} holds: take its mark away");
            }
            Verdict::Fails => {
                fail += 1;
                assert!(
                    e.claim.known_failure,
                    "{id}: {} ({})",
                    e.claim.statement, e.note
                );
            }
            Verdict::Unavailable => {
                assert!(!e.claim.needs.is_empty(), "{id}: why not?");
                assert!(e.note.contains(&e.claim.needs), "{id}: {}", e.note);
            }
        }
    }
    assert_eq!((hold, fail), (35, 6));
}

/// A claim with its runs changed, with one seed.
fn changed(claim: &str, change: &dyn Fn(&mut Run)) -> Evaluation {
    let all = claims::claims();
    let one: Vec<_> = all.into_iter().filter(|c| c.id == claim).collect();
    let effort = Effort {
        seeds: 1,
        seconds: 10,
    };
    let results = claims::evaluate(&one, effort, &claims::InTurn, change, &mut |_| {});
    results.expect("valid").remove(0)
}

fn value(e: &Evaluation, measure: &str) -> f64 {
    let found = e.measures.iter().find(|m| m.name == measure);
    let found = found.unwrap_or_else(|| panic!("{} has no measure {measure}", e.claim.id));
    found.value.expect("evaluated")
}

#[test]
fn without_background_bfs_stays_at_the_ideal() {
    let quiet = |run: &mut Run| run.set.push(("/background".to_owned(), Value::Null));
    let e = changed("W5", &quiet);
    assert_eq!(e.verdict, Verdict::Fails);
    for lane in ["BFS, 100 Hz", "BFS, 1000 Hz"] {
        let f = value(&e, &format!("f, {lane}"));
        assert!(f < 0.10, "{lane}: {f}");
    }
}

#[test]
fn with_slices_of_one_tick_nice_counts_for_more() {
    // The calendar turns once a tick: shorter slices give the better process more turns of it.
    let short = |run: &mut Run| run.tune("ule", "slice", ParamValue::Int(1));
    let e = changed("S3-before", &short);
    assert_eq!(e.verdict, Verdict::Fails);
    assert!(value(&e, "mean absolute error, points") > 4.0);
    assert!(value(&e, "largest share up to nice -13, %") > 66.9);
}

#[test]
fn stealing_from_two_relieves_the_surplus_of_ule() {
    // The claim itself holds either way: its bounds leave room for it.
    let [kernel, from_two] = [0, 2].map(|thresh| {
        let tune = |run: &mut Run| run.tune("ule", "stealThresh", ParamValue::Int(thresh));
        let e = changed("J15", &tune);
        value(&e, "ULE, latest / earliest finish of 18")
    });
    assert!(from_two < kernel, "{from_two}, {kernel}");
}
