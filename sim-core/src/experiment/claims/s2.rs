//! Bouron et al. 2018, The Battle of the Schedulers: FreeBSD 11.1's ULE moved into Linux 4.9, beside that kernel's CFS.
//!
//! Not known from the source: the exact machine, its nodes and caches, HZ, the kernel's options (above all whether each
//! application was a group), the CPU work of a request and how it is divided, and every length of time in the workloads.
//! One number is calibrated, on ULE alone: the CPU work of a request (S2b). Nothing else is.

use super::old::Old as Measure;
use super::{Effort, Experiment, Page, Results, s2_balance, s2_sharing};
use crate::experiment::run::Run;

/// The experiment.
pub(super) const S2: Experiment = Experiment {
    id: "S2",
    runs,
    pages: &[
        Page {
            id: "s2a",
            more: |_| Vec::new(),
            figures: |_| Vec::new(),
            what_ifs: Vec::new,
        },
        Page {
            id: "s2b",
            more: |_| Vec::new(),
            figures: |_| Vec::new(),
            what_ifs: Vec::new,
        },
        Page {
            id: "s2c",
            more: |_| Vec::new(),
            figures: |_| Vec::new(),
            what_ifs: Vec::new,
        },
        Page {
            id: "s2d",
            more: |_| Vec::new(),
            figures: |_| Vec::new(),
            what_ifs: Vec::new,
        },
        Page {
            id: "s2e",
            more: |_| Vec::new(),
            figures: |_| Vec::new(),
            what_ifs: Vec::new,
        },
    ],
    measures: &[],
    values: |_, _| Vec::new(),
    old: Some(judge),
};

fn runs(claim: &str, effort: Effort) -> Vec<Run> {
    match claim {
        "S2a" => s2_sharing::batch_runs(effort),
        "S2b" => s2_sharing::request_runs(),
        "S2c" => s2_balance::release_runs(effort),
        "S2d" => s2_balance::creation_runs(effort),
        _ => s2_balance::one_each_runs(),
    }
}

fn judge(claim: &str, results: &Results) -> Vec<Measure> {
    match claim {
        "S2a" => s2_sharing::batch(results),
        "S2b" => s2_sharing::requests(results),
        "S2c" => s2_balance::release(results),
        "S2d" => s2_balance::creation(results),
        _ => s2_balance::one_each(results),
    }
}
