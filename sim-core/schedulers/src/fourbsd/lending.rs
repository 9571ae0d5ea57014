//! Priority inheritance (`sched_lend_user_prio`).

use super::{FourBsd, ThreadActivity, reasons};
use crate::freebsd::lending::{NOTHING, at_once, borrow, lent_by, with_loan};
use sim_contract::cx::Cx;
use sim_contract::lending::{self, Loan};
use sim_ground::ids::TaskId;

impl FourBsd {
    /// The priority that a waiting thread lends.
    pub(super) fn lent_by(&self, task: TaskId) -> u8 {
        lent_by(&self.era.ranges, self.thread(task).user_priority)
    }

    /// `sched_user_prio`: sets the user priority. What was lent stays.
    pub(super) fn set_user_priority(&mut self, task: TaskId, priority: u8) {
        let priority = with_loan(&mut self.loans, task, priority);
        self.thread_mut(task).user_priority = priority;
    }

    /// What a thread may borrow has changed.
    pub(super) fn lend_user_priority(&mut self, cx: &mut Cx<'_>, task: TaskId, loan: Option<Loan>) {
        let lent = loan.map_or(NOTHING, |loan| self.lent_by(loan.by));
        let old = self.thread(task).user_priority;
        let base = self.loans.get(&task).map_or(old, |lent| lent.base);
        let new = borrow(&mut self.loans, task, base, lent);
        let t = self.thread_mut(task);
        t.user_priority = new;
        if new == old {
            return;
        }
        let (doing, priority) = (t.doing, t.priority);
        let loan = loan.filter(|_| new < base);
        let told = [reasons::PRIORITY_LENT, reasons::PRIORITY_RETURNED];
        let why = lending::explain(cx, None, task, loan, told, [new, old]);
        let cpu = cx.task(task).last_cpu;
        if !at_once(&self.era.ranges) {
            return;
        }
        if priority <= new {
            // A better priority is kept until the thread returns to user mode, which is soon.
            if priority < new && doing == ThreadActivity::Running {
                cx.kick(cpu, why);
            }
            return;
        }
        if doing == ThreadActivity::Queued {
            let here = Self::here(cx, task);
            self.relist(cx, task, new, here, false);
        } else {
            self.thread_mut(task).priority = new;
        }
    }
}
