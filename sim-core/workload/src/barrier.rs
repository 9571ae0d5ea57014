//! Threads that meet: each computes for a while, then waits for all other threads of its group.

use super::jitter::around;
use super::{Behaviour, BehaviourInfo, ORDINARY_SET, Phase, TYPICAL, WorkCx};
use sim_ground::params::{ParamSpec, Params};

pub(super) static INFO: BehaviourInfo = BehaviourInfo {
    id: "barrier",
    name: "Barrier",
    summary: "Computes, then waits until all threads of the group are there, again and again, as parallel numerical programs do.",
    uses_working_set: true,
    offered: true,
    working_set_bytes: ORDINARY_SET,
    class: TYPICAL,
    params: PARAMS,
    make,
};

const PARAMS: &[ParamSpec] = &[
    ParamSpec::int("computeUs", 1, 10_000_000, 5_000)
        .label("compute")
        .unit("µs")
        .summary("Mean work of a thread between two meetings, at full speed.")
        .assumed("a choice of the scenario")
        .log(),
    ParamSpec::int("imbalancePercent", 0, 100, 10)
        .label("imbalance")
        .unit("%")
        .summary("By how much a thread's work may lie above or below the mean.")
        .assumed("a choice of the scenario"),
    ParamSpec::int("rounds", 0, 1_000_000_000, 0)
        .label("rounds")
        .summary("Meetings until the threads exit; 0 goes on for ever.")
        .assumed("a choice of the scenario")
        .log(),
];

fn make(params: &Params) -> Result<Box<dyn Behaviour>, String> {
    let compute_ns = params.get_u64("computeUs") * 1_000;
    Ok(Box::new(Barrier {
        compute_ns,
        spread_ns: compute_ns * params.get_u64("imbalancePercent") / 100,
        rounds: params.get_u64("rounds"),
        done: 0,
        computed: false,
    }))
}

#[derive(Debug)]
struct Barrier {
    compute_ns: u64,
    spread_ns: u64,
    rounds: u64,
    done: u64,
    computed: bool,
}

impl Behaviour for Barrier {
    fn next(&mut self, cx: &mut WorkCx<'_>) -> Phase {
        if !self.computed {
            if self.rounds != 0 && self.done >= self.rounds {
                return Phase::Exit;
            }
            self.computed = true;
            return Phase::Run(around(self.compute_ns, self.spread_ns, cx.rng));
        }
        self.computed = false;
        self.done += 1;
        Phase::Meet
    }

    fn save(&self, out: &mut Vec<u64>) {
        out.extend([self.done, u64::from(self.computed)]);
    }

    fn load(&mut self, words: &[u64]) {
        self.done = words.first().copied().unwrap_or(0);
        self.computed = words.get(1).is_some_and(|w| *w != 0);
    }
}
