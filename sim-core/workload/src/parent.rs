//! A process that starts the threads of a group: it forks one after the other, which takes its CPU time, then waits for
//! them.
//!
//! Waiting also takes CPU time if the scenario says so. `wait4` (`kern_wait` in FreeBSD's `kern_exit.c`) goes through
//! the list of the process's children until it finds one that has ended. If there is none, it sleeps until one ends and
//! goes through the list again. New children come first in the list. With equal children the first to end is therefore
//! the last in the list, and here each call goes through all children that are left.

use super::{BACKGROUND, Behaviour, BehaviourInfo, Channel, Phase, WorkCx};
use sim_ground::params::{ParamSpec, Params};

pub(super) static INFO: BehaviourInfo = BehaviourInfo {
    id: "parent",
    name: "Parent",
    summary: "Forks the threads of a group one after the other, then waits.",
    uses_working_set: false,
    offered: false,
    working_set_bytes: 0,
    class: BACKGROUND,
    params: PARAMS,
    make,
};

const PARAMS: &[ParamSpec] = &[
    ParamSpec::int("forkNs", 1, 1_000_000_000, 100_000)
        .label("fork")
        .unit("ns")
        .summary("CPU time for each child.")
        .assumed("costs.forkNs of the machine, or the scenario"),
    ParamSpec::int("children", 0, 5_000, 1)
        .label("children")
        .unit("threads")
        .summary("How many it forks.")
        .assumed("the scenario"),
    ParamSpec::int("waitNs", 0, 1_000_000, 0)
        .label("wait")
        .unit("ns")
        .summary("CPU time for each child that it looks at when one has ended; 0: it sleeps until the run ends.")
        .assumed("the scenario"),
];

/// The channel on which a parent learns that its children end: one token for each, if it waits for each. Otherwise no
/// task posts there, and a thread that takes from it waits until the run ends.
pub const ENDED: Channel = Channel { port: 0, number: 0 };

fn make(params: &Params) -> Result<Box<dyn Behaviour>, String> {
    Ok(Box::new(Parent {
        fork_ns: params.get_u64("forkNs"),
        children: params.get_u64("children"),
        wait_ns: params.get_u64("waitNs"),
        begun: 0,
        forked: 0,
        ended: 0,
        step: Step::Look,
    }))
}

/// The next step of a waiting parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Goes through its children the first time.
    Look,
    /// Waits for a child that has ended.
    Wait,
    /// Finds all children that have ended meanwhile, one pass for each, and passes once more.
    Find,
}

#[derive(Debug)]
struct Parent {
    fork_ns: u64,
    children: u64,
    wait_ns: u64,
    begun: u64,
    forked: u64,
    ended: u64,
    step: Step,
}

impl Parent {
    /// Number of children for which it has not waited yet.
    fn left(&self) -> u64 {
        self.children.saturating_sub(self.ended)
    }

    /// Waits, with the CPU time of going through the list. Each child that was found has left the list.
    fn wait(&mut self, taken: u32) -> Phase {
        let mut looked_at = 0;
        match self.step {
            Step::Wait if self.left() == 0 => return Phase::Exit,
            Step::Wait => {
                self.step = Step::Find;
                return Phase::Take {
                    channel: ENDED,
                    most: u32::MAX,
                };
            }
            Step::Look => {}
            Step::Find => {
                // Copies of children may be more than it counts.
                for _ in 0..u64::from(taken).min(self.left()) {
                    looked_at += self.left();
                    self.ended += 1;
                }
            }
        }
        self.step = Step::Wait;
        looked_at += self.left();
        if looked_at == 0 {
            return Phase::Exit;
        }
        Phase::Run(looked_at * self.wait_ns)
    }
}

impl Behaviour for Parent {
    fn next(&mut self, cx: &mut WorkCx<'_>) -> Phase {
        if self.forked < self.begun {
            self.forked += 1;
            Phase::ForkMember
        } else if self.begun < self.children {
            self.begun += 1;
            Phase::Run(self.fork_ns)
        } else if self.wait_ns > 0 {
            self.wait(cx.taken)
        } else {
            Phase::Take {
                channel: ENDED,
                most: 1,
            }
        }
    }

    fn save(&self, out: &mut Vec<u64>) {
        let step = [Step::Look, Step::Wait, Step::Find]
            .iter()
            .position(|s| *s == self.step);
        out.extend([
            self.begun,
            self.forked,
            self.ended,
            step.unwrap_or(0) as u64,
        ]);
    }

    fn load(&mut self, words: &[u64]) {
        let word = |i: usize| words.get(i).copied().unwrap_or(0);
        (self.begun, self.forked, self.ended) = (word(0), word(1), word(2));
        self.step = match word(3) {
            0 => Step::Look,
            1 => Step::Wait,
            _ => Step::Find,
        };
    }
}
