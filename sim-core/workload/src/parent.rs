//! A process that starts the threads of a group: it forks one after the other, which takes its CPU time, then waits for
//! them.

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
];

/// Nobody posts there: who takes from it waits until the run ends.
const CHILDREN: Channel = Channel { port: 0, number: 0 };

fn make(params: &Params) -> Result<Box<dyn Behaviour>, String> {
    Ok(Box::new(Parent {
        fork_ns: params.get_u64("forkNs"),
        children: params.get_u64("children"),
        begun: 0,
        forked: 0,
    }))
}

#[derive(Debug)]
struct Parent {
    fork_ns: u64,
    children: u64,
    begun: u64,
    forked: u64,
}

impl Behaviour for Parent {
    fn next(&mut self, _: &mut WorkCx<'_>) -> Phase {
        if self.forked < self.begun {
            self.forked += 1;
            Phase::ForkMember
        } else if self.begun < self.children {
            self.begun += 1;
            Phase::Run(self.fork_ns)
        } else {
            Phase::Take {
                channel: CHILDREN,
                most: 1,
            }
        }
    }

    fn save(&self, out: &mut Vec<u64>) {
        out.extend([self.begun, self.forked]);
    }

    fn load(&mut self, words: &[u64]) {
        let word = |i: usize| words.get(i).copied().unwrap_or(0);
        (self.begun, self.forked) = (word(0), word(1));
    }
}
