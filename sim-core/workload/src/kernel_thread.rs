//! A kernel thread bound to a CPU: a timer of that CPU wakes it, and it runs briefly.

use super::{BACKGROUND, Behaviour, BehaviourInfo, Phase, WakeVia, WorkCx};
use sim_ground::params::{ParamSpec, Params};

pub(super) static INFO: BehaviourInfo = BehaviourInfo {
    id: "kernelThread",
    name: "Kernel thread",
    summary: "Bound to one CPU; wakes by a timer now and then and runs for a moment.",
    uses_working_set: false,
    offered: false,
    working_set_bytes: 0,
    class: BACKGROUND,
    params: PARAMS,
    make,
};

/// Where the values come from.
const SCENARIO: &str = "a choice of the scenario: its background";

const PARAMS: &[ParamSpec] = &[
    ParamSpec::int("sleepMeanNs", 1, 1_000_000_000_000, 500_000_000)
        .unit("ns")
        .assumed(SCENARIO),
    ParamSpec::int("runNs", 1, 1_000_000_000, 10_000)
        .unit("ns")
        .assumed(SCENARIO),
];

fn make(params: &Params) -> Result<Box<dyn Behaviour>, String> {
    Ok(Box::new(KernelThread {
        sleep_mean_ns: params.get_u64("sleepMeanNs"),
        run_ns: params.get_u64("runNs"),
        asleep: false,
    }))
}

#[derive(Debug)]
struct KernelThread {
    sleep_mean_ns: u64,
    run_ns: u64,
    asleep: bool,
}

impl Behaviour for KernelThread {
    fn next(&mut self, cx: &mut WorkCx<'_>) -> Phase {
        self.asleep = !self.asleep;
        if self.asleep {
            Phase::Sleep {
                ns: cx.rng.exponential(self.sleep_mean_ns).max(1),
                via: WakeVia::Timer,
            }
        } else {
            Phase::Run(self.run_ns)
        }
    }

    fn save(&self, out: &mut Vec<u64>) {
        out.push(u64::from(self.asleep));
    }

    fn load(&mut self, words: &[u64]) {
        self.asleep = words.first().is_some_and(|w| *w != 0);
    }
}
