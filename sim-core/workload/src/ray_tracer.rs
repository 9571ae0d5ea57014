//! A ray tracer: a parent creates its threads one after the other, then they compute.

use super::{Behaviour, BehaviourInfo, Channel, ORDINARY_SET, Phase, TYPICAL, WakeVia, WorkCx};
use sim_ground::params::{ParamSpec, Params};

pub(super) static INFO: BehaviourInfo = BehaviourInfo {
    id: "rayTracer",
    name: "Ray tracer",
    summary: "Each thread of the group creates others in a cascade and waits for them; these compute.",
    uses_working_set: true,
    offered: true,
    working_set_bytes: ORDINARY_SET,
    class: TYPICAL,
    params: PARAMS,
    make,
};

const STARTS: &[&str] = &["chain", "atOnce"];

const PARAMS: &[ParamSpec] = &[
    ParamSpec::int("threads", 1, 5_000, 32)
        .label("threads")
        .summary("Threads that the parent creates.")
        .assumed("a choice of the scenario")
        .log()
        .fixed(),
    ParamSpec::int("createUs", 1, 1_000_000, 50)
        .label("creation")
        .unit("µs")
        .summary("CPU time of the parent for each thread, and of each thread for its start.")
        .assumed("a choice of the scenario")
        .log()
        .fixed(),
    ParamSpec::choice("start", STARTS, "chain")
        .label("start")
        .summary("chain: each thread waits until the one before it has woken it; atOnce: each computes as soon as it runs.")
        .assumed("a choice of the scenario")
        .fixed(),
    ParamSpec::int("shellUs", 0, 60_000_000, 0)
        .label("sleep before")
        .unit("µs")
        .summary("How long the parent sleeps before it begins: a shell that waited for its user hands that history down.")
        .assumed("a choice of the scenario")
        .log()
        .fixed(),
    super::hog::WORK_MS,
];

/// Number of channels of a parent: one on which its threads report their end, then one for each thread.
const CHANNELS: u32 = 8_192;

fn make(params: &Params) -> Result<Box<dyn Behaviour>, String> {
    Ok(Box::new(RayTracer {
        threads: u32::try_from(params.get("threads")).unwrap_or(1),
        create_ns: params.get_u64("createUs") * 1_000,
        chain: params.get("start") == 0,
        shell_ns: params.get_u64("shellUs") * 1_000,
        work_ns: params.get_u64("workMs") * 1_000_000,
        parent: 0,
        index: 0,
        step: Step::Shell,
        count: 0,
    }))
}

#[derive(Clone, Debug)]
struct RayTracer {
    threads: u32,
    create_ns: u64,
    chain: bool,
    shell_ns: u64,
    work_ns: u64,
    /// Number of the parent, and the thread's number among its children, from 1; 0 in a parent.
    parent: u32,
    index: u32,
    step: Step,
    /// Number of children created or ended so far.
    count: u32,
}

/// The next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
enum Step {
    // Steps of the parent.
    Shell,
    Create,
    Fork,
    First,
    Join,
    Joined,
    // Steps of a child.
    Wait,
    Start,
    Next,
    Compute,
    Report,
    Exit,
}

const STEPS: [Step; 12] = [
    Step::Shell,
    Step::Create,
    Step::Fork,
    Step::First,
    Step::Join,
    Step::Joined,
    Step::Wait,
    Step::Start,
    Step::Next,
    Step::Compute,
    Step::Report,
    Step::Exit,
];

impl RayTracer {
    fn channel(parent: u32, index: u32) -> Channel {
        Channel {
            port: 0,
            number: parent * CHANNELS + index,
        }
    }

    fn wake(parent: u32, index: u32) -> Phase {
        Phase::Post {
            channel: Self::channel(parent, index),
            tokens: 1,
            sync: false,
        }
    }

    fn child(&self, parent: u32) -> Self {
        Self {
            parent,
            index: self.count,
            step: if self.chain { Step::Wait } else { Step::Start },
            ..self.clone()
        }
    }
}

impl Behaviour for RayTracer {
    fn forks(&self) -> bool {
        true
    }

    fn next(&mut self, cx: &mut WorkCx<'_>) -> Phase {
        loop {
            match self.step {
                Step::Shell => {
                    self.step = Step::Create;
                    if self.shell_ns > 0 {
                        return Phase::Sleep {
                            ns: self.shell_ns,
                            via: WakeVia::Timer,
                        };
                    }
                }
                Step::Create if self.count == self.threads => self.step = Step::First,
                Step::Create => {
                    self.step = Step::Fork;
                    return Phase::Run(self.create_ns);
                }
                Step::Fork => {
                    self.step = Step::Create;
                    self.count += 1;
                    return Phase::Fork(Box::new(self.child(cx.number)));
                }
                Step::First => {
                    self.step = Step::Join;
                    self.count = 0;
                    if self.chain {
                        return Self::wake(cx.number, 1);
                    }
                }
                Step::Join if self.count >= self.threads => return Phase::Exit,
                Step::Join => {
                    self.step = Step::Joined;
                    return Phase::Take {
                        channel: Self::channel(cx.number, 0),
                        most: u32::MAX,
                    };
                }
                Step::Joined => {
                    self.count += cx.taken;
                    self.step = Step::Join;
                }
                Step::Wait => {
                    self.step = Step::Start;
                    return Phase::Take {
                        channel: Self::channel(self.parent, self.index),
                        most: 1,
                    };
                }
                Step::Start => {
                    self.step = Step::Next;
                    return Phase::Run(self.create_ns);
                }
                Step::Next => {
                    self.step = Step::Compute;
                    if self.chain && self.index < self.threads {
                        return Self::wake(self.parent, self.index + 1);
                    }
                }
                Step::Compute => {
                    self.step = Step::Report;
                    return match self.work_ns {
                        0 => Phase::RunForever,
                        ns => Phase::Run(ns),
                    };
                }
                Step::Report => {
                    self.step = Step::Exit;
                    return Self::wake(self.parent, 0);
                }
                Step::Exit => return Phase::Exit,
            }
        }
    }

    fn save(&self, out: &mut Vec<u64>) {
        out.extend([
            self.step as u64,
            u64::from(self.parent),
            u64::from(self.index),
            u64::from(self.count),
        ]);
    }

    fn load(&mut self, words: &[u64]) {
        let word = |i: usize| words.get(i).copied().unwrap_or(0);
        let number = |i: usize| u32::try_from(word(i)).unwrap_or(0);
        let step = usize::try_from(word(0)).unwrap_or(0);
        self.step = STEPS.get(step).copied().unwrap_or(Step::Shell);
        self.parent = number(1);
        self.index = number(2);
        self.count = number(3);
    }
}
