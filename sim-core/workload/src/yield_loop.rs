//! `sched_yield()` in a loop, as in Roberson's context-switch benchmark of October 2007.

use super::jitter::{BURST_JITTER, jittered};
use super::{Behaviour, BehaviourInfo, Phase, TYPICAL, WorkCx};
use sim_ground::params::{ParamSpec, Params};

pub(super) static INFO: BehaviourInfo = BehaviourInfo {
    id: "yieldLoop",
    name: "Yield loop",
    summary: "Only gives up the CPU, again and again: measures the cost of a switch.",
    uses_working_set: false,
    offered: true,
    working_set_bytes: 0,
    class: TYPICAL,
    params: PARAMS,
    make,
};

const PARAMS: &[ParamSpec] = &[
    ParamSpec::int("yields", 0, 1_000_000_000, 0)
        .label("yields")
        .summary("Yields until the thread exits; 0 goes on for ever.")
        .assumed("a choice of the scenario")
        .log(),
    ParamSpec::int("computeNs", 0, 1_000_000_000, 0)
        .label("compute")
        .unit("ns")
        .summary("Work between two yields, at full speed.")
        .assumed("a choice of the scenario"),
    BURST_JITTER,
];

fn make(params: &Params) -> Result<Box<dyn Behaviour>, String> {
    Ok(Box::new(YieldLoop {
        yields: params.get_u64("yields"),
        compute_ns: params.get_u64("computeNs"),
        jitter: params.get_u64(BURST_JITTER.id),
        done: 0,
        computed: false,
    }))
}

#[derive(Debug)]
struct YieldLoop {
    yields: u64,
    compute_ns: u64,
    /// In thousandths.
    jitter: u64,
    done: u64,
    computed: bool,
}

impl Behaviour for YieldLoop {
    fn next(&mut self, cx: &mut WorkCx<'_>) -> Phase {
        if self.yields != 0 && self.done >= self.yields {
            return Phase::Exit;
        }
        if self.compute_ns > 0 && !self.computed {
            self.computed = true;
            return Phase::Run(jittered(self.compute_ns, self.jitter, cx.rng));
        }
        self.computed = false;
        self.done += 1;
        Phase::Yield
    }

    fn save(&self, out: &mut Vec<u64>) {
        out.extend([self.done, u64::from(self.computed)]);
    }

    fn load(&mut self, words: &[u64]) {
        self.done = words.first().copied().unwrap_or(0);
        self.computed = words.get(1).is_some_and(|w| *w != 0);
    }
}
