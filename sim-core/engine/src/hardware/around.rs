//! What the hardware sees of the run: the machine, and which task is where.

use sim_ground::ids::{CpuId, TaskId};
use sim_machine::Machine;

/// The machine, and which task runs where.
#[derive(Clone, Copy)]
pub(crate) struct Around<'a> {
    pub(crate) machine: &'a Machine,
    pub(crate) curr: &'a [Option<TaskId>],
}

impl Around<'_> {
    #[inline]
    pub(super) fn curr(&self, cpu: CpuId) -> Option<TaskId> {
        self.curr[cpu.index()]
    }

    /// Whether a CPU has a task.
    #[inline]
    pub(super) fn is_busy(&self, cpu: CpuId) -> bool {
        self.curr(cpu).is_some()
    }

    /// Clock of a package in MHz, before heat.
    pub(super) fn package_mhz(&self, cpu: CpuId) -> u32 {
        let machine = self.machine;
        let spec = machine.spec();
        let Some(turbo) = spec.turbo.as_ref().filter(|t| t.enabled) else {
            return spec.clock_mhz;
        };
        let busy = |c: &CpuId| self.is_busy(*c);
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
