//! The memory of threads: on which nodes it lies, what that costs, and how it follows a thread.
//!
//! The scheduler decides which pages move ([`sim_contract::memory`]). The engine counts them, moves them and charges
//! for it.

use super::{Charged, Hardware};
use sim_contract::cx::Marking;
use sim_contract::memory::{Memory, PageGroup};
use sim_ground::ids::{CpuId, NodeId, TaskId};
use sim_machine::Machine;
use sim_machine::cost::pages::{BATCH, PAGE, pages};
use sim_machine::rate::ONE;
use sim_machine::spec::MemoryDomain;

impl Hardware {
    /// Whether a task's memory has been allocated.
    #[inline]
    pub(crate) fn has_memory(&self, task: TaskId) -> bool {
        self.memory[task.index()].is_placed()
    }

    /// Allocates memory where the operating system puts it at the first touch: Linux on the node of the CPU, FreeBSD
    /// before 12 on one node until it is full, then on the next (`fills_nodes`).
    pub(super) fn place_memory(
        &mut self,
        machine: &Machine,
        cpu: CpuId,
        task: TaskId,
        bytes: u64,
        fills_nodes: bool,
    ) {
        let wanted = pages(bytes);
        let node = if fills_nodes {
            let size = node_pages(machine);
            let room = |used: &u64| used.saturating_add(wanted) <= size;
            NodeId::new(self.node_used.iter().position(room).unwrap_or(0))
        } else {
            machine.place(cpu).node
        };
        let used = &mut self.node_used[node.index()];
        *used = used.saturating_add(wanted);
        self.memory[task.index()] = Memory::on(node, wanted);
    }

    /// Frees the memory of a thread that has ended or uses other data from now on.
    pub(crate) fn free_memory(&mut self, task: TaskId) {
        self.residency.forget(task);
        self.demands.of_mut(task).faults = false;
        let memory = std::mem::take(&mut self.memory[task.index()]);
        for (node, pages) in memory.nodes() {
            let used = &mut self.node_used[node.index()];
            *used = used.saturating_sub(pages);
        }
    }

    /// Marks pages of a task: the next use of each is a fault. Returns how many were not marked before.
    pub(crate) fn mark(&mut self, task: TaskId, marking: &Marking) -> u64 {
        let memory = &mut self.memory[task.index()];
        let before = memory.marked();
        memory.mark(marking.part, marking.whole);
        let marked = memory.marked();
        let demand = self.demands.of_mut(task);
        demand.faults = marked > 0;
        demand.first_fault = true;
        demand.per_fault = marking.per_fault;
        marked - before
    }

    /// Number of pages of a task that are marked.
    pub(crate) fn marked_pages(&self, task: TaskId) -> u64 {
        self.memory[task.index()].marked()
    }

    /// Number of pages of a task that share a fault.
    pub(crate) fn per_fault(&self, task: TaskId) -> u64 {
        self.demands.of(task).per_fault
    }

    /// The marked pages that a task touches next: first those of one fault, then many at a time.
    pub(crate) fn touch(&mut self, task: TaskId) -> Vec<PageGroup> {
        let demand = self.demands.of_mut(task);
        let most = if std::mem::take(&mut demand.first_fault) {
            demand.per_fault
        } else {
            BATCH.max(demand.per_fault)
        };
        let mut touched = Vec::new();
        self.memory[task.index()].touch(most, &mut touched);
        touched
    }

    /// Number of pages for which a node has room.
    pub(crate) fn free_pages(&self, machine: &Machine, node: NodeId) -> u64 {
        node_pages(machine).saturating_sub(self.node_used[node.index()])
    }

    /// Pages that a CPU of node `by` has touched lose their mark and lie on `to`.
    pub(crate) fn settle_pages(
        &mut self,
        task: TaskId,
        touched: &PageGroup,
        by: NodeId,
        to: NodeId,
    ) {
        if to != touched.on {
            let used = &mut self.node_used[touched.on.index()];
            *used = used.saturating_sub(touched.pages);
            self.node_used[to.index()] += touched.pages;
        }
        let memory = &mut self.memory[task.index()];
        memory.settle(touched, by, to);
        self.demands.of_mut(task).faults = memory.marked() > 0;
    }

    /// A task uses another number of bytes from now on; nothing of its old data is left.
    pub(crate) fn change_working_set(
        &mut self,
        charged: Option<Charged>,
        task: TaskId,
        bytes: u64,
    ) {
        self.free_memory(task);
        self.demands.of_mut(task).working_set_bytes = bytes;
        if let Some(charged) = charged {
            self.cpus[charged.cpu().index()].forget_data();
        }
    }

    /// Time to fetch a line of the task's data relative to local memory, in thousandths: the mean over its pages.
    pub(super) fn distance_milli(&self, machine: &Machine, cpu: CpuId, task: TaskId) -> u64 {
        let memory = &self.memory[task.index()];
        match memory.only_node() {
            Some(node) => machine.distance_milli(cpu, node),
            None if !memory.is_placed() => 1000,
            None => mean(memory, |node| machine.distance_milli(cpu, node)),
        }
    }

    /// The memory domain whose bandwidth a running thread uses, if there is exactly one.
    pub(super) fn domain(&self, machine: &Machine, cpu: CpuId, task: TaskId) -> Option<usize> {
        let memory = &self.memory[task.index()];
        match machine.spec().memory.domain {
            MemoryDomain::Machine => Some(0),
            MemoryDomain::Node if !memory.is_placed() => Some(machine.place(cpu).node.index()),
            MemoryDomain::Node => memory.only_node().map(NodeId::index),
        }
    }

    /// By how much a running thread's waiting for memory stretches: the mean over its pages.
    pub(super) fn saturation_of(&self, machine: &Machine, cpu: CpuId, task: TaskId) -> u64 {
        match self.domain(machine, cpu, task) {
            Some(domain) => self.saturation[domain],
            None => mean(&self.memory[task.index()], |node| {
                self.saturation[node.index()]
            }),
        }
    }

    /// Updates the part of a running thread's memory that is remote.
    pub(crate) fn note_remote(&mut self, machine: &Machine, charged: Charged, task: TaskId) {
        let cpu = charged.cpu();
        let memory = &self.memory[task.index()];
        let here = machine.place(cpu).node;
        self.cpus[cpu.index()].remote = match memory.only_node() {
            Some(node) if node == here => 0,
            Some(_) => ONE,
            None if !memory.is_placed() => 0,
            None => mean(memory, |node| if node == here { 0 } else { ONE }),
        };
    }
}

/// Number of pages of a node.
fn node_pages(machine: &Machine) -> u64 {
    (u64::from(machine.spec().memory.node_mib) << 20) / PAGE
}

/// The mean of a number over the pages of a memory, rounded down.
fn mean(memory: &Memory, of: impl Fn(NodeId) -> u64) -> u64 {
    let parts = memory.nodes();
    let sum: u128 = parts
        .map(|(node, pages)| u128::from(of(node)) * u128::from(pages))
        .sum();
    u64::try_from(sum / u128::from(memory.pages().max(1))).unwrap_or(u64::MAX)
}
