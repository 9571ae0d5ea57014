//! Claims of Jeremy 2013 can fail: under their controls they give the required verdict, and they fail where the
//! schedulers do not.

use crate::claims::under_their_controls;
use sim_core::experiment::claims::{self, Claim, Evaluation, Verdict};

/// Whether a value of a claim under its control fails.
fn has_failed(all: &[Evaluation], claim: &str, name: &str) -> bool {
    let e = all.iter().find(|e| e.claim.id == claim);
    let e = e.unwrap_or_else(|| panic!("{claim} has a control"));
    let m = e.measures.iter().find(|m| m.name == name);
    let m = m.unwrap_or_else(|| panic!("{claim} has no {name}"));
    m.verdict == Verdict::Fails
}

#[test]
fn every_control_gives_its_verdict() {
    let is_here = |c: &Claim| c.experiment == "S0" && c.control.is_some();
    let all = under_their_controls(claims::claims().into_iter().filter(is_here).collect());
    for e in &all {
        let control = e.claim.control.as_ref().expect("kept");
        assert_eq!(e.verdict, control.expects, "{}: {}", e.claim.id, e.found);
    }
    assert!(all.len() >= 12, "{}", all.len());

    // Some of these claims fail already. Under their controls they fail at the points where they otherwise hold. Twelve
    // processes on eight CPUs: some share a CPU to the end, although other CPUs become idle.
    for (claim, name) in [
        ("J2", "4 MiB, CPU time of ULE / 4BSD, 12 processes"),
        ("X4-C", "CPU time of ULE / 4BSD, 12 processes"),
        // Each process has its own core.
        ("J9", "4BSD, largest T of 2 to 4 processes / of one"),
        ("J14", "4BSD, largest E of 2 to 4 processes"),
        // The surplus doubles the time of its CPUs: 32 / 17.
        ("J21", "4BSD, largest - smallest E"),
        ("J26", "4BSD, largest E"),
    ] {
        assert!(has_failed(&all, claim, name), "{claim}: {name}");
    }
}
