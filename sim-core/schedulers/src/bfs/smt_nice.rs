//! SMT-nice (0.512): a task of a worse nice value may run beside a better one on the same core in only one slice of
//! four.
//!
//! The running task of each thread of a core publishes a bias: the better its nice value, the greater the bias. It is
//! one less in each of the task's slices and begins again after 1, so that the rule of the last two bits lets worse
//! tasks in at times. It is published only at a switch: it stays the same while a task keeps its CPU.

use super::tunables::{IDLE_PRIO, ISO_PRIO};
use super::{BfsState, reasons};
use sim_contract::cx::Cx;
use sim_ground::ids::{CpuId, TaskId};

/// Bias of real-time tasks.
const REALTIME: i64 = 1 << 30;
/// Bias of isochronous tasks.
const ISOCHRONOUS: i64 = 1 << 29;

/// Whether a task with a bias may run beside one that publishes `best` (`smt_should_schedule`).
#[must_use]
pub fn may_run_beside(bias: i64, best: i64) -> bool {
    best < 1 || (bias >= 1 && (bias >= best || best % 4 == 1))
}

impl BfsState {
    /// `task_prio_bias`.
    pub(super) fn prio_bias(&self, task: TaskId, nice: i8) -> i64 {
        match self.tasks[task.index()].prio {
            prio if prio < ISO_PRIO => REALTIME,
            ISO_PRIO => ISOCHRONOUS,
            IDLE_PRIO => 0,
            _ => 20 - i64::from(nice),
        }
    }

    /// `smt_should_schedule`: whether a task may use a CPU beside the tasks that run on the other threads of its core.
    pub(super) fn smt_should_schedule(&self, cx: &Cx<'_>, task: TaskId, cpu: CpuId) -> bool {
        if !self.settings.smt_nice {
            return true;
        }
        let info = cx.task(task);
        if info.kernel_thread || self.tasks[task.index()].prio < ISO_PRIO {
            return true;
        }
        let bias = self.prio_bias(task, info.nice);
        may_run_beside(bias, self.best_bias(cx, cpu))
    }

    /// Records that a task may not use an idle CPU.
    pub(super) fn explain_smt_nice(&self, cx: &mut Cx<'_>, task: TaskId, idle: CpuId) {
        let bias = self.prio_bias(task, cx.task(task).nice);
        let operands = [bias, self.best_bias(cx, idle), 0, 0];
        cx.explain(Some(idle), Some(task), reasons::SMT_NICE_REFUSED, operands);
    }

    /// `best_smt_bias`: the greatest bias that the other threads of a CPU's core publish.
    pub(super) fn best_bias(&self, cx: &Cx<'_>, cpu: CpuId) -> i64 {
        let siblings = cx.machine.sibling_list(cpu).iter();
        siblings
            .filter(|s| **s != cpu)
            .map(|s| &self.cpus[s.index()])
            .filter(|c| c.curr.is_some())
            .map(|c| c.rq_smt_bias)
            .max()
            .unwrap_or(0)
    }

    /// `check_smt_siblings`, after a switch to a task: tasks on the other threads that may not run any more leave. As
    /// coded, the comparison is with the siblings of the CPU that switched. On a core of two threads this is the task
    /// itself, so no task ever leaves there.
    pub(super) fn check_siblings(&self, cx: &mut Cx<'_>, cpu: CpuId) {
        if !self.settings.smt_nice {
            return;
        }
        for sibling in cx.machine.sibling_list(cpu) {
            let runs = self.cpus[sibling.index()].curr;
            if *sibling != cpu && self.cpus[sibling.index()].exhausted {
                // The sibling's ticks may matter now.
                cx.requery(*sibling);
            }
            if *sibling != cpu
                && let Some(task) = runs
                && !self.smt_should_schedule(cx, task, cpu)
            {
                cx.kick(*sibling, None);
            }
        }
    }

    /// `wake_smt_siblings`, when a CPU becomes idle: an idle sibling may now take a task that it was refused.
    pub(super) fn wake_siblings(&self, cx: &mut Cx<'_>, cpu: CpuId) {
        if !self.settings.smt_nice || self.grq.nr == 0 {
            return;
        }
        for sibling in cx.machine.sibling_list(cpu) {
            if *sibling != cpu && self.cpus[sibling.index()].curr.is_none() {
                cx.kick(*sibling, None);
            }
        }
    }
}
