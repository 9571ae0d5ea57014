//! Claims of Jeremy 2013 are able to fail: each control that their data name gives the verdict that it must, and fails
//! where the schedulers do not.

use sim_core::experiment::change::Change;
use sim_core::experiment::claims::{self, Claim, Effort, Evaluation, Verdict};

/// Fixed placements do not depend on chance; 4BSD and ULE do, so there are several seeds.
const EFFORT: Effort = Effort {
    seeds: 3,
    seconds: 10,
};

fn evaluated(claim: &Claim, changes: &[Change]) -> Evaluation {
    let one = std::slice::from_ref(claim);
    let all = claims::evaluate(one, EFFORT, &claims::InTurn, changes, &mut |_| {});
    all.expect("valid").remove(0)
}

/// A claim under its own control.
fn controlled(id: &str) -> Evaluation {
    let claim = claims::find(id).expect("known");
    let control = claim.control.as_ref().expect("one with a control");
    evaluated(&claim, &control.changes)
}

/// Names of the values with a verdict.
fn names(e: &Evaluation, verdict: Verdict) -> Vec<String> {
    let those = e.measures.iter().filter(|m| m.verdict == verdict);
    those.map(|m| m.name.clone()).collect()
}

#[test]
fn every_control_gives_its_verdict() {
    let all = claims::claims();
    let of_source = all.iter().filter(|c| c.experiment == "S0");
    let mut count = 0;
    for claim in of_source {
        let Some(control) = &claim.control else {
            continue;
        };
        count += 1;
        let e = evaluated(claim, &control.changes);
        assert_eq!(e.verdict, control.expects, "{}: {}", claim.id, e.found);
    }
    assert!(count >= 12, "{count}");
}

#[test]
fn a_placement_that_nobody_mends_is_not_identical_to_ule_with_one_process_more_than_cpus() {
    // Nine on eight: two share a CPU to the end, though others fall idle.
    for (id, name) in [
        ("J2", "1 KiB, T of ULE / 4BSD, 9 processes"),
        ("X4-T", "T of ULE / 4BSD, 9 processes"),
    ] {
        let fail = names(&controlled(id), Verdict::Fails);
        assert!(fail.iter().any(|f| f == name), "{id}: {fail:?}");
    }
}

#[test]
fn with_a_core_for_each_by_hand_few_processes_are_well_behaved() {
    for id in ["J9", "J14"] {
        let e = controlled(id);
        let fail = names(&e, Verdict::Fails);
        assert_eq!(fail.len(), 2, "{id}: {}", e.found);
        let ideal = e.measures.iter().all(|m| (m.value - 1.0).abs() < 0.01);
        assert!(ideal, "{id}: {}", e.found);
    }
}

#[test]
fn a_placement_that_nobody_mends_has_no_slight_bumps() {
    // The surplus doubles the time of its CPUs: 32 / 17.
    for id in ["J21", "J26"] {
        let e = controlled(id);
        let fail = names(&e, Verdict::Fails);
        let is_peak = |n: &String| n.contains("largest E") || n.contains("smallest E");
        assert!(fail.iter().any(is_peak), "{id}: {}", e.found);
    }
}
