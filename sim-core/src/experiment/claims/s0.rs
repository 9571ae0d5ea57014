//! Jeremy 2013: N copies of an array loop under 4BSD and ULE, on a Sun Fire V890 and a Xeon E3, with three working sets.
//!
//! Not known from the source: how long one copy runs alone. It is 10 s here with 1 KiB; the other sets have the published
//! ratio of increments (1.6 : 1.2 : 0.5 on the V890, 5 : 1.2 : 0.5 on the Xeon). [`s0_checks`](super::s0_checks) has the
//! statements.

use super::s0_runs::{Lane, run};
use super::{Effort, Experiment, Page, s0_checks};
use crate::experiment::run::Run;

/// The experiment.
pub(super) const S0: Experiment = Experiment {
    id: "S0",
    runs,
    pages: &[
        Page {
            id: "s0-v890",
            more: |_| Vec::new(),
            figures: |_| Vec::new(),
            what_ifs: Vec::new,
        },
        Page {
            id: "s0-xeon",
            more: |_| Vec::new(),
            figures: |_| Vec::new(),
            what_ifs: Vec::new,
        },
    ],
    measures: &[],
    values: |_, _| Vec::new(),
    old: Some(s0_checks::judge),
};

/// The runs that a claim needs, the longest first, so that the end is not a wait for one of them.
fn runs(claim: &str, effort: Effort) -> Vec<Run> {
    let mut all = Vec::new();
    for (machine, set) in s0_checks::needs(claim) {
        for n in machine.counts().iter().rev() {
            for lane in [Lane::Bsd, Lane::Ule] {
                all.extend((1..=effort.seeds).map(|seed| run((machine, lane, set, *n), seed)));
            }
        }
    }
    all
}
