//! A background daemon: it sleeps, is woken by a timer, an interrupt or another daemon, and runs briefly.

use super::{BACKGROUND, Behaviour, BehaviourInfo, Phase, WakeVia, WorkCx};
use sim_ground::ids::CpuId;
use sim_ground::params::{ParamSpec, Params};

pub(super) static INFO: BehaviourInfo = BehaviourInfo {
    id: "daemon",
    name: "Daemon",
    summary: "Sleeps, wakes by timer or interrupt, runs briefly, sometimes wakes another.",
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
    ParamSpec::int("sleepMeanNs", 1, 1_000_000_000_000, 33_333_333)
        .unit("ns")
        .assumed(SCENARIO),
    ParamSpec::int("interruptPercent", 0, 100, 30)
        .unit("%")
        .assumed(SCENARIO),
    ParamSpec::int("tickAlignedPercent", 0, 100, 50)
        .unit("%")
        .assumed(SCENARIO),
    ParamSpec::int("runMeanNs", 1, 1_000_000_000, 100_000)
        .unit("ns")
        .assumed(SCENARIO),
    ParamSpec::int("chainPercent", 0, 100, 50)
        .unit("%")
        .assumed(SCENARIO),
];

fn make(params: &Params) -> Result<Box<dyn Behaviour>, String> {
    let percent = |id: &str| u32::try_from(params.get(id)).unwrap_or(0);
    Ok(Box::new(Daemon {
        sleep_mean_ns: params.get_u64("sleepMeanNs"),
        interrupt_percent: percent("interruptPercent"),
        tick_aligned_percent: percent("tickAlignedPercent"),
        run_mean_ns: params.get_u64("runMeanNs"),
        chain_percent: percent("chainPercent"),
        step: Step::Sleep,
        rest_ns: 0,
    }))
}

#[derive(Debug)]
struct Daemon {
    sleep_mean_ns: u64,
    interrupt_percent: u32,
    tick_aligned_percent: u32,
    run_mean_ns: u64,
    chain_percent: u32,
    step: Step,
    rest_ns: u64,
}

/// The next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Sleep,
    Run,
    WakePeer,
    RunRest,
}

impl Behaviour for Daemon {
    fn next(&mut self, cx: &mut WorkCx<'_>) -> Phase {
        match self.step {
            Step::Sleep => {
                self.step = Step::Run;
                let ns = cx.rng.exponential(self.sleep_mean_ns).max(1);
                let via = if cx.rng.percent(self.interrupt_percent) {
                    let cpu = cx.rng.below(u32::from(cx.cpus));
                    WakeVia::Interrupt(CpuId(u16::try_from(cpu).unwrap_or(0)))
                } else if cx.rng.percent(self.tick_aligned_percent) {
                    WakeVia::TickTimer
                } else {
                    WakeVia::Timer
                };
                Phase::Sleep { ns, via }
            }
            Step::Run => {
                let run = cx.rng.exponential(self.run_mean_ns).max(1);
                if cx.rng.percent(self.chain_percent) {
                    let first = cx.rng.below_u64(run).max(1);
                    self.rest_ns = run - first;
                    self.step = Step::WakePeer;
                    Phase::Run(first)
                } else {
                    self.step = Step::Sleep;
                    Phase::Run(run)
                }
            }
            Step::WakePeer => {
                self.step = if self.rest_ns == 0 {
                    Step::Sleep
                } else {
                    Step::RunRest
                };
                Phase::WakePeer
            }
            Step::RunRest => {
                self.step = Step::Sleep;
                Phase::Run(self.rest_ns)
            }
        }
    }

    fn save(&self, out: &mut Vec<u64>) {
        let step = match self.step {
            Step::Sleep => 0,
            Step::Run => 1,
            Step::WakePeer => 2,
            Step::RunRest => 3,
        };
        out.extend([step, self.rest_ns]);
    }

    fn load(&mut self, words: &[u64]) {
        self.step = match words.first() {
            Some(1) => Step::Run,
            Some(2) => Step::WakePeer,
            Some(3) => Step::RunRest,
            _ => Step::Sleep,
        };
        self.rest_ns = words.get(1).copied().unwrap_or(0);
    }
}
