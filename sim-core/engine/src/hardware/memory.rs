//! The memory of threads: on which nodes it lies, what that costs, and how it follows a thread.
//!
//! The scheduler decides which pages move ([`sim_contract::memory`]). The engine counts them, moves them and charges
//! for it.

use super::{Charged, Hardware};
use crate::{Context, Cx, Sim, cx};
use sim_contract::cx::Marking;
use sim_contract::memory::{Memory, PageFate, Touched};
use sim_ground::ids::{CpuId, NodeId, TaskId};
use sim_machine::Machine;
use sim_machine::cost::pages::{BATCH, FAULT_NS, MARK_NS, MOVE_NS, PAGE, copy_ns, pages};
use sim_machine::rate::ONE;
use sim_machine::spec::MemoryDomain;

impl Hardware {
    /// Whether a task's memory has been allocated.
    #[inline]
    pub(super) fn has_memory(&self, task: TaskId) -> bool {
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

    fn free_memory(&mut self, task: TaskId) {
        self.residency.forget(task);
        let memory = std::mem::take(&mut self.memory[task.index()]);
        for (node, pages) in memory.nodes() {
            let used = &mut self.node_used[node.index()];
            *used = used.saturating_sub(pages);
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
    pub(super) fn note_remote(&mut self, machine: &Machine, charged: Charged, task: TaskId) {
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

impl Sim {
    /// Frees the memory of a thread that has ended or uses other data from now on.
    pub(crate) fn free_memory(&mut self, task: TaskId) {
        self.hardware.free_memory(task);
        self.task_mut(task).faults = false;
    }

    /// Marks pages of a process: the next use of each is a fault.
    pub(crate) fn mark_pages(&mut self, marking: Marking) {
        let Marking {
            by,
            part,
            whole,
            per_fault,
        } = marking;
        let process = self.kernel.info(by).process;
        let mut marked = 0;
        for i in 0..self.kernel.tasks().len() {
            if self.kernel.infos()[i].process != process || !self.hardware.memory[i].is_placed() {
                continue;
            }
            let task = TaskId::new(i);
            let memory = &mut self.hardware.memory[i];
            let before = memory.marked();
            memory.mark(part, whole);
            let now = memory.marked();
            marked += now - before;
            let t = self.task_mut(task);
            t.faults = now > 0;
            t.first_fault = true;
            t.per_fault = per_fault;
            let cpu = self.kernel.infos()[i].last_cpu;
            if self.kernel.curr(cpu) == Some(task) && task != by {
                let charged = self.charge(cpu);
                self.predict(charged);
            }
        }
        let cpu = self.kernel.info(by).last_cpu;
        if self.kernel.curr(cpu) == Some(by) {
            let charged = self.charge(cpu);
            self.hardware.cpus[cpu.index()].debt.pages_ns += marked.div_ceil(per_fault) * MARK_NS;
            self.predict(charged);
        }
    }

    /// The running thread touches marked pages: first one, then many at a time.
    pub(crate) fn touch_marked(&mut self, charged: Charged, task: TaskId) {
        let cpu = charged.cpu();
        self.settle(cpu);
        let context = Context::task_on(cpu);
        let here = self.plan.machine.place(cpu).node;
        let t = self.task_mut(task);
        let per_fault = t.per_fault;
        let most = if std::mem::take(&mut t.first_fault) {
            per_fault
        } else {
            BATCH.max(per_fault)
        };
        let mut touched = Vec::new();
        self.hardware.memory[task.index()].touch(most, &mut touched);
        let mut left = self.hardware.memory[task.index()].marked();
        let (mut cost, mut moved) = (0, 0);
        for cell in touched {
            left -= cell.pages;
            let room = if cell.on == here {
                cell.pages
            } else {
                let used = self.hardware.node_used[here.index()];
                node_pages(&self.plan.machine).saturating_sub(used)
            };
            let fate = self.sched.hinting_fault(
                &mut cx!(self, context),
                cpu,
                task,
                &Touched {
                    on: cell.on,
                    last: cell.last,
                    pages: cell.pages,
                    room,
                    left,
                },
            );
            let faults = cell.pages.div_ceil(per_fault);
            self.task_mut(task).account.hinting_faults += faults;
            cost += faults * FAULT_NS;
            let moves = fate == PageFate::Move && cell.on != here && room >= cell.pages;
            let to = if moves { here } else { cell.on };
            if moves {
                moved += cell.pages;
                cost += faults * MOVE_NS + copy_ns(&self.plan.machine, cell.on, here, cell.pages);
                self.hardware.node_used[cell.on.index()] =
                    self.hardware.node_used[cell.on.index()].saturating_sub(cell.pages);
                self.hardware.node_used[here.index()] += cell.pages;
            }
            self.hardware.memory[task.index()].settle(&cell, here, to);
        }
        let t = self.task_mut(task);
        t.account.pages_moved += moved;
        t.faults = left > 0;
        self.hardware.cpus[cpu.index()].debt.pages_ns += cost;
        if moved > 0 {
            self.hardware.note_remote(&self.plan.machine, charged, task);
            self.hardware.mark_stale(cpu);
        }
        self.carry_out_requests(context);
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
