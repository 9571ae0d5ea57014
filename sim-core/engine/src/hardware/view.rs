//! Read access to the hardware for frames, metrics and reports.

use crate::{Sim, UpToDate};
use sim_contract::memory::Memory;
use sim_ground::ids::{CpuId, TaskId};
use sim_machine::cost::time::SATURATION_BITS;
use sim_machine::rate::Speed;
use sim_machine::spec::MemoryDomain;

impl Sim {
    /// The memory of a task; empty before it first runs with data, and after its end.
    #[must_use]
    pub fn memory(&self, task: TaskId) -> &Memory {
        &self.hardware.memory[task.index()]
    }

    /// Clock relative to nominal in units of 2^-20.
    #[must_use]
    pub fn frequency(&self) -> u64 {
        self.hardware.frequency
    }

    /// The cache level that serves most of what the task on a CPU sweeps: 1, 2, 3; 4 is memory.
    #[must_use]
    pub fn served_by(&self, cpu: CpuId) -> u8 {
        self.hardware.cpus[cpu.index()].mix.served_by
    }

    /// What a cache holds, by its number in the machine: threads and bytes, most recent first.
    pub fn residents(&self, cache: usize) -> impl Iterator<Item = (TaskId, u64)> + '_ {
        self.hardware.residency.rows(cache)
    }

    /// Temperature in °C, on machines with a thermal model.
    #[must_use]
    pub fn package_temperature(&self) -> Option<f64> {
        self.hardware.temperature(&self.plan.machine)
    }
}

/// Speeds, and what is owed, are found anew when they are needed.
impl UpToDate<'_> {
    /// How the running task's time is divided at present.
    #[must_use]
    pub fn cpu_speed(self, cpu: CpuId) -> Speed {
        self.hardware.cpus[cpu.index()].speed
    }

    /// Time that the scheduler's own work takes before the running task goes on, in ns.
    #[must_use]
    pub fn cpu_debt_ns(self, cpu: CpuId) -> u64 {
        let debt = self.hardware.cpus[cpu.index()].debt;
        debt.total() - debt.pages_ns
    }

    /// By how much waiting for the memory of a CPU's node stretches because bandwidth is short; 1 if it does not
    /// stretch.
    #[must_use]
    pub fn saturation(self, cpu: CpuId) -> f64 {
        let domain = match self.plan.machine.spec().memory.domain {
            MemoryDomain::Machine => 0,
            MemoryDomain::Node => self.plan.machine.place(cpu).node.index(),
        };
        let factor = u32::try_from(self.hardware.saturation[domain]).unwrap_or(u32::MAX);
        f64::from(factor) / f64::from(1_u32 << SATURATION_BITS)
    }
}
