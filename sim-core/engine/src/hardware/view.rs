//! Read access to the hardware.

use super::Hardware;
use super::cpu::UnpaidTime;
use sim_contract::memory::Memory;
use sim_ground::ids::{CpuId, TaskId};
use sim_machine::rate::Speed;

impl Hardware {
    pub(crate) fn memory_of(&self, task: TaskId) -> &Memory {
        &self.memory[task.index()]
    }

    /// Clock relative to nominal in units of 2^-20.
    pub(crate) fn frequency(&self) -> u64 {
        self.frequency
    }

    pub(crate) fn served_by(&self, cpu: CpuId) -> u8 {
        self.cpus[cpu.index()].mix.served_by
    }

    pub(crate) fn residents(&self, cache: usize) -> impl Iterator<Item = (TaskId, u64)> + '_ {
        self.residency.rows(cache)
    }

    pub(crate) fn speed_of(&self, cpu: CpuId) -> Speed {
        self.cpus[cpu.index()].speed
    }

    /// What the task on a CPU must pay, as of the time up to which it is charged.
    pub(crate) fn unpaid(&self, cpu: CpuId) -> UnpaidTime {
        self.cpus[cpu.index()].debt
    }

    /// By how much waiting for memory stretches in a domain, in units of 2^-12.
    pub(crate) fn saturation_in(&self, domain: usize) -> u64 {
        self.saturation[domain]
    }
}
