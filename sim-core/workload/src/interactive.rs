//! Computes a little, sleeps, computes again.

use super::jitter::{BURST_JITTER, jittered};
use super::{Behaviour, BehaviourInfo, ORDINARY_SET, Phase, TYPICAL, WakeVia, WorkCx};
use sim_ground::params::{ParamSpec, Params};
use sim_ground::rng::Rng;

pub(super) static INFO: BehaviourInfo = BehaviourInfo {
    id: "interactive",
    name: "Interactive",
    summary: "Computes briefly, then sleeps, as an editor or a player does.",
    uses_working_set: true,
    offered: true,
    working_set_bytes: ORDINARY_SET,
    class: TYPICAL,
    params: PARAMS,
    make,
};

const SHAPES: &[&str] = &["constant", "uniform", "exponential"];

const PARAMS: &[ParamSpec] = &[
    ParamSpec::int("computeUs", 1, 10_000_000, 1_000)
        .label("compute")
        .unit("µs")
        .summary("Mean work between two sleeps, at full speed.")
        .assumed("a choice of the scenario")
        .log(),
    ParamSpec::int("sleepUs", 1, 60_000_000, 9_000)
        .label("sleep")
        .unit("µs")
        .summary("Mean sleep between two bursts.")
        .assumed("a choice of the scenario")
        .log(),
    ParamSpec::choice("computeShape", SHAPES, "constant")
        .label("compute distribution")
        .summary("constant; uniform from 0 to twice the mean; or exponential.")
        .assumed("a choice of the scenario"),
    ParamSpec::choice("sleepShape", SHAPES, "exponential")
        .label("sleep distribution")
        .summary("constant; uniform from 0 to twice the mean; or exponential.")
        .assumed("a choice of the scenario"),
    ParamSpec::int("bursts", 0, 1_000_000_000, 0)
        .label("bursts")
        .summary("Bursts until the thread exits; 0 goes on for ever.")
        .assumed("a choice of the scenario")
        .log(),
    BURST_JITTER,
];

fn make(params: &Params) -> Result<Box<dyn Behaviour>, String> {
    Ok(Box::new(Interactive {
        compute_ns: params.get_u64("computeUs") * 1_000,
        sleep_ns: params.get_u64("sleepUs") * 1_000,
        compute_shape: params.get("computeShape"),
        sleep_shape: params.get("sleepShape"),
        bursts: params.get_u64("bursts"),
        jitter: params.get_u64(BURST_JITTER.id),
        done: 0,
        computing: false,
    }))
}

#[derive(Debug)]
struct Interactive {
    compute_ns: u64,
    sleep_ns: u64,
    compute_shape: i64,
    sleep_shape: i64,
    bursts: u64,
    /// Of bursts of constant length, in thousandths.
    jitter: u64,
    done: u64,
    computing: bool,
}

/// A length of the given mean and shape, at least 1 ns.
fn draw(shape: i64, mean: u64, rng: &mut Rng) -> u64 {
    match shape {
        0 => mean,
        1 => rng.below_u64(2 * mean + 1),
        _ => rng.exponential(mean),
    }
    .max(1)
}

impl Behaviour for Interactive {
    fn next(&mut self, cx: &mut WorkCx<'_>) -> Phase {
        if !self.computing {
            self.computing = true;
            let ns = match self.compute_shape {
                0 => jittered(self.compute_ns, self.jitter, cx.rng),
                shape => draw(shape, self.compute_ns, cx.rng),
            };
            return Phase::Run(ns);
        }
        self.computing = false;
        self.done += 1;
        if self.bursts != 0 && self.done >= self.bursts {
            return Phase::Exit;
        }
        Phase::Sleep {
            ns: draw(self.sleep_shape, self.sleep_ns, cx.rng),
            via: WakeVia::Timer,
        }
    }

    fn save(&self, out: &mut Vec<u64>) {
        out.extend([self.done, u64::from(self.computing)]);
    }

    fn load(&mut self, words: &[u64]) {
        self.done = words.first().copied().unwrap_or(0);
        self.computing = words.get(1).is_some_and(|w| *w != 0);
    }
}
