//! Priority inheritance (`rt_mutex_setprio`): the holder goes to the list of the first that waits.
//!
//! All normal tasks are of one priority, so nothing passes between them. What an idle-priority task borrows from them is
//! undone as soon as it is queued: only a priority of real time outlasts `enqueue_task`. A CPU's copy of the priority that
//! it runs changes with the next switch.

use super::tunables::ISO_PRIO;
use super::{BfsState, reasons};
use sim_contract::cx::Cx;
use sim_contract::lending::{self, Loan};
use sim_ground::ids::TaskId;

impl BfsState {
    pub(super) fn lend_prio(&mut self, cx: &mut Cx<'_>, task: TaskId, loan: Option<Loan>) {
        let info = cx.task(task);
        let (cpu, own) = (
            info.last_cpu,
            self.effective_prio(info.policy, info.rt_priority),
        );
        let old = self.tasks[task.index()].prio;
        let lent = loan.map_or(own, |loan| self.tasks[loan.by.index()].prio);
        let new = own.min(lent);
        if new == old || (loan.is_none() && old >= ISO_PRIO) {
            return;
        }
        let told = [reasons::PRIORITY_LENT, reasons::PRIORITY_RETURNED];
        let loan = loan.filter(|_| new < own);
        let why = lending::explain(cx, None, task, loan, told, [new, old]);
        let queued = self.grq.contains(task);
        if queued {
            self.grq.remove(task);
        }
        self.tasks[task.index()].prio = new;
        if cx.curr[cpu.index()] == Some(task) && new > old {
            cx.kick(cpu, why);
        }
        if queued {
            self.queue_task(cx, task);
            let target = self.try_preempt(cx, task);
            if let Some(cpu) = target.value {
                cx.kick(cpu, target.why);
            }
        }
    }
}
