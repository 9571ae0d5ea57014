//! The published claims that can be evaluated hold, and a broken mechanism makes them fail.

use sim_core::experiment::claims::{self, Effort, Verdict};

/// At least five seeds of thirty seconds each, as the acceptance demands.
const EFFORT: Effort = Effort {
    seeds: 5,
    seconds: 30,
};

#[test]
fn claims_that_can_be_evaluated_hold() {
    let results = claims::evaluate(&claims::claims(), EFFORT, &claims::InTurn, &mut |_| {});
    let mut evaluated = 0;
    for e in &results {
        match e.verdict {
            Verdict::Holds => evaluated += 1,
            Verdict::Fails => panic!("{}: {} ({})", e.claim.id, e.claim.statement, e.note),
            Verdict::Unavailable => {
                assert!(!e.claim.needs.is_empty(), "{}: why not?", e.claim.id);
            }
        }
    }
    // W2 to W6; a claim that silently became unavailable would be missing here.
    assert_eq!(evaluated, 5);
}

#[test]
fn an_unavailable_claim_says_what_it_needs() {
    for e in claims::evaluate(&claims::claims()[..3], EFFORT, &claims::InTurn, &mut |_| {}) {
        assert_eq!(e.verdict, Verdict::Unavailable);
        assert!(e.note.contains("ULE"), "{}", e.note);
    }
}
