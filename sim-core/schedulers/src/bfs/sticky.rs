//! Sticky tasks (0.447): a task that had to leave its CPU while others wait is left to that CPU.

use super::BfsState;
use super::idle_choice::IdleCpuFor;
use super::tunables::ISO_PRIO;
use sim_contract::cx::Cx;
use sim_ground::ids::{CpuId, TaskId};

impl BfsState {
    /// `swap_sticky`: a runnable task is put back while others wait. A CPU has one sticky task. The one before, if it
    /// still waits, may go elsewhere, and an idle CPU is signalled for it.
    pub(super) fn swap_sticky(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId) {
        let before = self.cpus[cpu.index()].sticky_task;
        if before == Some(task) {
            self.tasks[task.index()].sticky = true;
            return;
        }
        if let Some(other) = before
            && std::mem::take(&mut self.tasks[other.index()].sticky)
        {
            self.tell_closest_idle(cx, cpu, other);
        }
        if self.tasks[task.index()].prio < ISO_PRIO {
            // Real-time tasks are not sticky.
            self.tell_closest_idle(cx, cpu, task);
            self.cpus[cpu.index()].sticky_task = None;
        } else {
            self.tasks[task.index()].sticky = true;
            self.cpus[cpu.index()].sticky_task = Some(task);
        }
    }

    /// `unstick_task`: a real-time task is switched in, and may keep the CPU for any time.
    pub(super) fn unstick(&mut self, cpu: CpuId, prev: Option<TaskId>) {
        self.cpus[cpu.index()].sticky_task = None;
        if let Some(prev) = prev {
            self.tasks[prev.index()].sticky = false;
        }
    }

    /// `resched_closest_idle`.
    fn tell_closest_idle(&self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId) {
        if let Some((idle, why)) = self.best_idle(cx, task, IdleCpuFor::Unstuck(cpu)) {
            cx.kick(idle, why);
        }
    }
}
