//! What a thread demands of the hardware: the kind of its work, its data, and what it still owes.

use super::Hardware;
use super::around::Around;
use serde::{Deserialize, Serialize};
use sim_contract::memory::Memory;
use sim_ground::ids::{CpuId, TaskId};
use sim_machine::cost::pages::{HUGE_PAGES, pages};
use sim_machine::rate::{DataUse, WorkClass};

/// Remaining work of a phase that never ends.
pub(crate) const ENDLESS: u64 = u64::MAX;

/// What a thread demands of the hardware.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Demand {
    pub(super) class: WorkClass,
    pub(super) working_set_bytes: u64,
    /// Whether some of its memory is marked: it faults as soon as it runs.
    pub(super) faults: bool,
    /// Whether no page has been touched since the last marking.
    pub(super) first_fault: bool,
    /// Number of pages that share a fault.
    pub(super) per_fault: u64,
    /// Time that it must still pay for faults and pages, while it does not run.
    pub(super) owed_ns: u64,
    /// Dispatch count of its last CPU when it left: tells how many others have run there since.
    pub(super) left_at: u64,
}

impl Demand {
    fn new(class: WorkClass, working_set_bytes: u64) -> Self {
        Self {
            class,
            working_set_bytes,
            faults: false,
            first_fault: false,
            per_fault: 1,
            owed_ns: 0,
            left_at: 0,
        }
    }

    /// Whether this may be the demand of a thread with this memory, on a machine with so many nodes.
    pub(super) fn fits(&self, memory: &Memory, nodes: usize) -> bool {
        (1..=HUGE_PAGES).contains(&self.per_fault)
            && self.owed_ns <= 1 << 60
            && self.faults == (memory.marked() > 0)
            && memory.fits(pages(self.working_set_bytes), nodes)
    }
}

/// What all threads demand, by their numbers.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Demands(pub(super) Vec<Demand>);

impl Demands {
    #[inline]
    pub(super) fn of(&self, task: TaskId) -> &Demand {
        &self.0[task.index()]
    }

    #[inline]
    pub(super) fn of_mut(&mut self, task: TaskId) -> &mut Demand {
        &mut self.0[task.index()]
    }

    /// The running task and the size of the set that it sweeps, if it sweeps one.
    pub(super) fn sweeper(&self, around: &Around<'_>, cpu: CpuId) -> Option<(TaskId, u64)> {
        let task = around.curr(cpu)?;
        let demand = self.of(task);
        let sweeps = demand.class.data != DataUse::Footprint && demand.working_set_bytes > 0;
        sweeps.then_some((task, demand.working_set_bytes))
    }

    /// How much of a core's shared units a task occupies, in thousandths.
    pub(super) fn pressure(&self, task: TaskId) -> u64 {
        u64::from(self.of(task).class.pressure_milli)
    }
}

impl Hardware {
    /// One more task may run. It has no memory yet.
    pub(crate) fn add_task(&mut self, class: WorkClass, working_set_bytes: u64) {
        self.memory.push(Memory::default());
        self.demands.0.push(Demand::new(class, working_set_bytes));
    }

    /// Size of the data that a task uses.
    #[inline]
    pub(crate) fn working_set_bytes(&self, task: TaskId) -> u64 {
        self.demands.of(task).working_set_bytes
    }

    /// Whether some of a task's memory is marked: it faults as soon as it runs.
    #[inline]
    pub(crate) fn faults(&self, task: TaskId) -> bool {
        self.demands.of(task).faults
    }

    /// Whether one task may take the place of the other without a change of any speed.
    #[inline]
    pub(crate) fn feels_alike(&self, one: TaskId, other: TaskId) -> bool {
        !self.settings.groups_sweep && self.demands.of(one).class == self.demands.of(other).class
    }
}
