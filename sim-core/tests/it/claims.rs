//! The published claims hold, but for those that are known to fail: they must go on failing until somebody says
//! otherwise, and a claim that silently became unavailable would be missing in the counts.

use sim_core::experiment::claims::{self, Effort, Verdict};

/// At least five seeds of thirty seconds each, as the acceptance demands.
const EFFORT: Effort = Effort {
    seeds: 5,
    seconds: 30,
};

#[test]
fn claims_that_can_be_evaluated_hold_or_are_known_to_fail() {
    let results = claims::evaluate(&claims::claims(), EFFORT, &claims::InTurn, &mut |_| {});
    let (mut hold, mut fail) = (0, 0);
    for e in &results {
        let id = &e.claim.id;
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
    assert_eq!((hold, fail), (32, 9));
}
