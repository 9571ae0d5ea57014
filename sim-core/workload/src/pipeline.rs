//! Message passing as in hackbench: lines of threads that hand messages on through pipes of limited capacity.

use super::jitter::{BURST_JITTER, jittered};
use super::{Behaviour, BehaviourInfo, Channel, Phase, TYPICAL, WorkCx};
use sim_ground::params::{ParamSpec, Params};

pub(super) static INFO: BehaviourInfo = BehaviourInfo {
    id: "pipeline",
    name: "Pipeline",
    summary: "Threads in lines hand messages on through pipes: a reader waits for a message, a writer for a free place.",
    uses_working_set: true,
    offered: true,
    working_set_bytes: SET,
    class: TYPICAL,
    params: PARAMS,
    make,
};

sim_ground::constants! {
    /// Working set if the scenario gives none.
    SET: u64 = 16_384, "bytes", Assumed, "A choice: some messages, within every first-level cache.";
}

const PARAMS: &[ParamSpec] = &[
    ParamSpec::int("stages", 2, 1_000, 2)
        .label("stages")
        .summary("Threads of a line; the threads of the group form as many lines as that gives.")
        .assumed("a choice of the scenario")
        .fixed(),
    ParamSpec::int("pipeHolds", 1, 10_000, 16)
        .label("a pipe holds")
        .unit("messages")
        .summary("Messages that a pipe holds before its writer has to wait.")
        .published("Linux: 16 buffers of a page")
        .log()
        .fixed(),
    ParamSpec::int("workUs", 1, 1_000_000, 10)
        .label("work")
        .unit("µs")
        .summary("CPU time of a thread for a message, at full speed.")
        .assumed("a choice of the scenario")
        .log()
        .fixed(),
    ParamSpec::int("messages", 0, 1_000_000_000, 0)
        .label("messages")
        .summary(
            "Messages that each line hands through until its threads exit; 0 goes on for ever.",
        )
        .assumed("a choice of the scenario")
        .log()
        .fixed(),
    BURST_JITTER,
];

fn make(params: &Params) -> Result<Box<dyn Behaviour>, String> {
    Ok(Box::new(Pipeline {
        stages: u32::try_from(params.get("stages")).unwrap_or(2),
        holds: u32::try_from(params.get("pipeHolds")).unwrap_or(1),
        work_ns: params.get_u64("workUs") * 1_000,
        messages: params.get_u64("messages"),
        jitter: params.get_u64(BURST_JITTER.id),
        step: Step::Open,
        done: 0,
    }))
}

#[derive(Debug)]
struct Pipeline {
    stages: u32,
    holds: u32,
    work_ns: u64,
    messages: u64,
    /// In thousandths.
    jitter: u64,
    step: Step,
    done: u64,
}

/// The next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
enum Step {
    /// The reader of a pipe posts its free places.
    Open,
    Read,
    /// The writer learns that a place is free again.
    Free,
    Work,
    /// Waits for a place in the next pipe.
    Place,
    Write,
}

const STEPS: [Step; 6] = [
    Step::Open,
    Step::Read,
    Step::Free,
    Step::Work,
    Step::Place,
    Step::Write,
];

impl Behaviour for Pipeline {
    fn next(&mut self, cx: &mut WorkCx<'_>) -> Phase {
        let position = cx.number.saturating_sub(1);
        let (first, last) = (
            position.is_multiple_of(self.stages),
            position % self.stages == self.stages - 1,
        );
        // The pipe into the thread at a position has the numbers of that position: one for messages, one for free
        // places.
        let messages = |position: u32| Channel {
            port: 0,
            number: 2 * position,
        };
        let places = |position: u32| Channel {
            port: 0,
            number: 2 * position + 1,
        };
        let take = |channel| Phase::Take { channel, most: 1 };
        let post = |channel, tokens| Phase::Post {
            channel,
            tokens,
            sync: true,
        };
        loop {
            match self.step {
                Step::Open => {
                    self.step = Step::Read;
                    if !first {
                        return post(places(position), self.holds);
                    }
                }
                Step::Read => {
                    if self.messages != 0 && self.done >= self.messages {
                        return Phase::Exit;
                    }
                    self.step = Step::Free;
                    if !first {
                        return take(messages(position));
                    }
                }
                Step::Free => {
                    self.step = Step::Work;
                    if !first {
                        return post(places(position), 1);
                    }
                }
                Step::Work => {
                    self.step = Step::Place;
                    return Phase::Run(jittered(self.work_ns, self.jitter, cx.rng));
                }
                Step::Place => {
                    self.step = Step::Write;
                    if !last {
                        return take(places(position + 1));
                    }
                }
                Step::Write => {
                    self.done += 1;
                    self.step = Step::Read;
                    if !last {
                        return post(messages(position + 1), 1);
                    }
                }
            }
        }
    }

    fn save(&self, out: &mut Vec<u64>) {
        out.extend([self.step as u64, self.done]);
    }

    fn load(&mut self, words: &[u64]) {
        let step = words.first().and_then(|w| usize::try_from(*w).ok());
        self.step = step
            .and_then(|s| STEPS.get(s).copied())
            .unwrap_or(Step::Open);
        self.done = words.get(1).copied().unwrap_or(0);
    }
}
