//! The common part of the CPU-bound behaviours: work without a pause, and its amount.

use super::{Behaviour, Phase, WorkCx};
use sim_ground::params::ParamSpec;

/// Amount of work until the thread exits; shared by the CPU-bound behaviours.
pub(super) const WORK_MS: ParamSpec = ParamSpec::int("workMs", 0, 14_400_000, 0)
    .label("work")
    .unit("ms")
    .summary("CPU time alone on a core until the thread exits; 0 runs for ever.")
    .assumed("a choice of the scenario")
    .log()
    .fixed();

/// Computes, then exits; or computes for ever.
#[derive(Debug)]
pub(super) struct Hog {
    work_ns: u64,
    started: bool,
}

impl Hog {
    /// A hog with this much work, in ms at full speed; 0 for endless.
    pub(super) fn new(work_ms: u64) -> Self {
        Self {
            work_ns: work_ms * 1_000_000,
            started: false,
        }
    }
}

impl Behaviour for Hog {
    fn next(&mut self, _cx: &mut WorkCx<'_>) -> Phase {
        if self.started {
            return Phase::Exit;
        }
        self.started = true;
        if self.work_ns == 0 {
            Phase::RunForever
        } else {
            Phase::Run(self.work_ns)
        }
    }

    fn save(&self, out: &mut Vec<u64>) {
        out.push(u64::from(self.started));
    }

    fn load(&mut self, words: &[u64]) {
        self.started = words.first().is_some_and(|w| *w != 0);
    }
}
