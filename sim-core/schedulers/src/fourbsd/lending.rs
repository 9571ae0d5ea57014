//! Priority inheritance (`sched_lend_user_prio`).

use super::{FourBsd, ThreadActivity, reasons};
use crate::freebsd::lending::{Lent, NOTHING, at_once, lent_by};
use sim_contract::cx::Cx;
use sim_contract::lending::Loan;
use sim_ground::ids::TaskId;

impl FourBsd {
    /// The priority that a waiting thread lends.
    pub(super) fn lent_by(&self, task: TaskId) -> u8 {
        lent_by(&self.era.ranges, self.thread(task).user_priority)
    }

    /// `sched_user_prio`: sets the user priority. What was lent stays.
    pub(super) fn set_user_priority(&mut self, task: TaskId, priority: u8) {
        let priority = match self.loans.get_mut(&task) {
            Some(lent) => {
                lent.base = priority;
                priority.min(lent.pri)
            }
            None => priority,
        };
        self.thread_mut(task).user_priority = priority;
    }

    /// What a thread may borrow has changed.
    pub(super) fn lend_user_priority(&mut self, cx: &mut Cx<'_>, task: TaskId, loan: Option<Loan>) {
        let lent = loan.map_or(NOTHING, |loan| self.lent_by(loan.by));
        let old = self.thread(task).user_priority;
        let base = self.loans.get(&task).map_or(old, |lent| lent.base);
        let new = base.min(lent);
        if lent == NOTHING {
            self.loans.remove(&task);
        } else {
            self.loans.insert(task, Lent { pri: lent, base });
        }
        let t = self.thread_mut(task);
        t.user_priority = new;
        if new == old {
            return;
        }
        let (doing, priority) = (t.doing, t.priority);
        let why = match loan.filter(|_| new < base) {
            Some(loan) => {
                let of = [i64::from(loan.by.0), i64::from(loan.lock)];
                let operands = [of[0], of[1], i64::from(new), i64::from(old)];
                cx.explain(None, Some(task), reasons::LENT, operands)
            }
            None => {
                let operands = [i64::from(new), i64::from(old), 0, 0];
                cx.explain(None, Some(task), reasons::RETURNED, operands)
            }
        };
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
