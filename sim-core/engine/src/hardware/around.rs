//! What the hardware sees of the run: the machine, and which task is where.

use crate::kernel::Task;
use sim_ground::ids::{CpuId, TaskId};
use sim_machine::Machine;
use sim_machine::rate::DataUse;

/// The machine and the tasks on it.
#[derive(Clone, Copy)]
pub(crate) struct Around<'a> {
    pub(super) machine: &'a Machine,
    pub(super) tasks: &'a [Task],
    pub(super) curr: &'a [Option<TaskId>],
}

/// What the hardware of a [`Sim`](crate::Sim) sees, which leaves that hardware free to be borrowed.
macro_rules! around {
    ($sim:ident) => {
        super::around::Around {
            machine: &$sim.plan.machine,
            tasks: $sim.kernel.tasks(),
            curr: $sim.kernel.on_cpus(),
        }
    };
}
pub(super) use around;

impl<'a> Around<'a> {
    #[inline]
    pub(super) fn curr(&self, cpu: CpuId) -> Option<TaskId> {
        self.curr[cpu.index()]
    }

    #[inline]
    pub(super) fn task(&self, task: TaskId) -> &'a Task {
        &self.tasks[task.index()]
    }

    /// The running task and the size of the set that it sweeps, if it sweeps one.
    pub(super) fn sweeper(&self, cpu: CpuId) -> Option<(TaskId, u64)> {
        let task = self.curr(cpu)?;
        let t = self.task(task);
        let sweeps = t.class.data != DataUse::Footprint && t.working_set_bytes > 0;
        sweeps.then_some((task, t.working_set_bytes))
    }

    /// How much of a core's shared units a task occupies, in thousandths.
    pub(super) fn pressure(&self, task: TaskId) -> u64 {
        u64::from(self.task(task).class.pressure_milli)
    }

    /// Clock of a package in MHz, before heat.
    pub(super) fn package_mhz(&self, cpu: CpuId) -> u32 {
        let machine = self.machine;
        let spec = machine.spec();
        let Some(turbo) = spec.turbo.as_ref().filter(|t| t.enabled) else {
            return spec.clock_mhz;
        };
        let busy = |c: &CpuId| self.curr(*c).is_some();
        let firsts = machine
            .package_cpus(cpu)
            .iter()
            .filter(|c| machine.place(*c).thread == 0);
        let active = firsts
            .filter(|c| machine.sibling_list(*c).iter().any(busy))
            .count();
        let last = turbo.mhz.len() - 1;
        turbo.mhz[active.saturating_sub(1).min(last)]
    }
}
