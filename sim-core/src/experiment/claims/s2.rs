//! Bouron et al. 2018, The Battle of the Schedulers: FreeBSD 11.1's ULE moved into Linux 4.9, beside that kernel's CFS.
//!
//! Not known from the source: the exact machine, its nodes and caches, HZ, the kernel's options (above all whether each
//! application was a group), the CPU work of a request and how it is divided, and every length of time in the workloads.
//! One number is calibrated, on ULE alone: the CPU work of a request (S2b). Nothing else is.

use super::{Effort, Experiment, Measure, Results, s2_balance, s2_sharing};
use crate::experiment::run::Run;

/// The experiment.
pub(super) const S2: Experiment = Experiment {
    id: "S2",
    runs,
    judge,
    suspect,
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

/// Which mechanism is suspected where a claim fails.
fn suspect(claim: &str) -> &'static str {
    match claim {
        "S2b" => {
            "how much a preemption costs in caches: the working sets of ab and httpd are not published and are 64 KiB \
             here, so that ab still finds its own in the L2 after one worker. With sets of 256 KiB a request takes \
             79 µs longer under CFS, published are 72; that ab and httpd are one application and that each request has a \
             connection of its own are suppositions as well"
        }
        "S2c" => {
            "the application is a group here, as S2a demands. All moves are pulls of idle cores, up to 32 threads at a \
             time. 4.9 does not pass on to a group's entity the load of threads that move: on each core it follows with a \
             half-life of 32 ms, so that core 0 goes on looking loaded until 8 to 23 threads are left (without groups \
             about 85), and the first cores, which took 32 each, give some away in turn; rounding a thread's load from 1.9 \
             to 1 adds to that. 490 to 505 moves leave core 0, the others are second moves; without groups 330 to 430 \
             leave it, of 480 to 550. Whether the source counts second moves is not known"
        }
        "S2d" => {
            "sched_pickcpu takes the least loaded of those cores on which the thread would run at once, which need not be \
             the least loaded of all: about one wake-up in a hundred makes a difference of 2. The source says \"more or \
             less uniform\"; the bound of 1 is inferred"
        }
        "S2e" => {
            "under CFS 14 of 32 threads leave the node where they first ran, since its overlapping groups of eight \
             nodes place some of them badly at first; their memory stays behind, for automatic NUMA balancing, which \
             would bring the pages after them, is not built"
        }
        _ => "",
    }
}
