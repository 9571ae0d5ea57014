//! The data of threads: pages that are marked and touched, and sets that change their size.

use crate::hardware::Charged;
use crate::{Context, Cx, Sim, cx};
use sim_contract::cx::Marking;
use sim_contract::memory::{PageFate, Touched};
use sim_ground::ids::TaskId;
use sim_machine::cost::pages::{FAULT_NS, MARK_NS, MOVE_NS, copy_ns};

impl Sim {
    /// Marks pages of a process: the next use of each is a fault.
    pub(crate) fn mark_pages(&mut self, marking: Marking) {
        let by = marking.by;
        let process = self.kernel.info(by).process;
        let mut marked = 0;
        for task in (0..self.task_count()).map(TaskId::new) {
            let info = self.kernel.info(task);
            if info.process != process || !self.hardware.has_memory(task) {
                continue;
            }
            let cpu = info.last_cpu;
            marked += self.hardware.mark(task, &marking);
            if self.kernel.curr(cpu) == Some(task) && task != by {
                let charged = self.charge(cpu);
                self.predict(charged);
            }
        }
        let cpu = self.kernel.info(by).last_cpu;
        if self.kernel.curr(cpu) == Some(by) {
            let charged = self.charge(cpu);
            let tables = marked.div_ceil(marking.per_fault);
            self.hardware.owe_pages(charged, tables * MARK_NS);
            self.predict(charged);
        }
    }

    /// The running thread touches marked pages: first one, then many at a time.
    pub(crate) fn touch_marked(&mut self, charged: Charged, task: TaskId) {
        let cpu = charged.cpu();
        self.settle(cpu);
        let context = Context::task_on(cpu);
        let here = self.plan.machine.place(cpu).node;
        let per_fault = self.hardware.per_fault(task);
        let mut left = self.hardware.marked_pages(task);
        let (mut cost, mut moved) = (0, 0);
        for cell in self.hardware.touch(task) {
            left -= cell.pages;
            let room = if cell.on == here {
                cell.pages
            } else {
                self.hardware.free_pages(&self.plan.machine, here)
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
            }
            self.hardware.settle_pages(task, &cell, here, to);
        }
        self.task_mut(task).account.pages_moved += moved;
        self.hardware.owe_pages(charged, cost);
        if moved > 0 {
            self.hardware.note_remote(&self.plan.machine, charged, task);
            self.hardware.mark_stale(cpu);
        }
        self.carry_out_requests(context);
    }

    /// A task has come to a CPU: computes the warm-up that the CPU causes.
    pub(super) fn find_warmth(&mut self, charged: Charged, task: TaskId) {
        let fills_nodes = || self.sched.fills_nodes();
        self.hardware
            .find_warmth(&self.plan.machine, charged, task, fills_nodes);
    }

    /// Changes the size of the set that a thread uses.
    pub(crate) fn set_working_set(&mut self, task: TaskId, bytes: u64) {
        let cpu = self.kernel.info(task).last_cpu;
        let is_running = self.kernel.curr(cpu) == Some(task);
        let charged = is_running.then(|| self.charge(cpu));
        if let Some(charged) = charged
            && self.hardware.working_set_bytes(task) > 0
        {
            self.hardware.keep_data(&self.plan.machine, charged, task);
        }
        self.hardware.change_working_set(charged, task, bytes);
        if let Some(charged) = charged {
            self.find_warmth(charged, task);
            self.hardware.mark_stale(cpu);
        }
    }
}
