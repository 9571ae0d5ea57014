//! In whose context the kernel acts, and what a hook of the scheduler, and the hardware, see of a run.

use sim_ground::ids::CpuId;

/// Where kernel code runs. It goes with every call that leads to a hook, so that none is left over from an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Context {
    /// The CPU, if it is one of the machine.
    pub(super) cpu: Option<CpuId>,
    /// Whether it runs as an interrupt there, not as the running task.
    pub(super) interrupt: bool,
}

impl Context {
    /// On no CPU of the machine: an edit, an arrival.
    pub(super) const OUTSIDE: Self = Self {
        cpu: None,
        interrupt: false,
    };

    /// As the task that runs on a CPU, or as its idle loop.
    pub(super) fn task_on(cpu: CpuId) -> Self {
        Self {
            cpu: Some(cpu),
            interrupt: false,
        }
    }

    /// As an interrupt on a CPU.
    pub(super) fn interrupt_on(cpu: CpuId) -> Self {
        Self {
            cpu: Some(cpu),
            interrupt: true,
        }
    }
}

/// What a hook sees in a [`Context`], from the fields of a [`Sim`](super::Sim). The scheduler is free to be borrowed.
macro_rules! cx {
    ($sim:ident, $context:expr) => {{
        let seen = $sim.kernel.seen();
        Cx {
            now: $sim.clock.now(),
            cpu: $context.cpu,
            turn: $sim.clock.turn(),
            interrupt: $context.interrupt,
            machine: &$sim.plan.machine,
            tasks: seen.infos,
            memory: $sim.hardware.memory(),
            curr: seen.curr,
            flagged: seen.flagged,
            idle_exits: $sim.hardware.idle_exits(),
            rng: seen.rng,
            requests: &mut $sim.requests,
            log: &mut $sim.log,
        }
    }};
}
pub(crate) use cx;

/// What the hardware of a [`Sim`](super::Sim) sees of the run. The hardware is free to be borrowed.
macro_rules! around {
    ($sim:ident) => {
        crate::hardware::Around {
            machine: &$sim.plan.machine,
            curr: $sim.kernel.on_cpus(),
        }
    };
}
pub(crate) use around;
