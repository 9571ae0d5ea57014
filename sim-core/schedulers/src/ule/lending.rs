//! Priority inheritance (`sched_lend_user_prio`). What becomes of a thread that waits in the kernel for a turnstile is left
//! out, as such locks are.

use super::runqs::Insert;
use super::{Ule, reasons};
use crate::freebsd::lending::{Lent, NOTHING, at_once, lent_by};
use sim_contract::cx::Cx;
use sim_contract::lending::Loan;
use sim_ground::ids::TaskId;

impl Ule {
    /// The priority that a waiting thread lends.
    pub(super) fn lent_by(&self, task: TaskId) -> u8 {
        lent_by(&self.era.ranges, self.st.threads[task.index()].user_pri)
    }

    /// The user priority of a thread without what it borrowed.
    pub(super) fn base_user_pri(&self, task: TaskId) -> u8 {
        let own = self.st.threads[task.index()].user_pri;
        self.loans.get(&task).map_or(own, |lent| lent.base)
    }

    /// `sched_user_prio`: sets the user priority. What was lent stays.
    pub(super) fn set_user_pri(&mut self, task: TaskId, pri: u8) {
        let pri = match self.loans.get_mut(&task) {
            Some(lent) => {
                lent.base = pri;
                pri.min(lent.pri)
            }
            None => pri,
        };
        self.st.threads[task.index()].user_pri = pri;
    }

    /// What a thread may borrow has changed.
    pub(super) fn lend_user_pri(&mut self, cx: &mut Cx<'_>, task: TaskId, loan: Option<Loan>) {
        let lent = loan.map_or(NOTHING, |loan| self.lent_by(loan.by));
        let (base, old) = (
            self.base_user_pri(task),
            self.st.threads[task.index()].user_pri,
        );
        let new = base.min(lent);
        if lent == NOTHING {
            self.loans.remove(&task);
        } else {
            self.loans.insert(task, Lent { pri: lent, base });
        }
        let t = &mut self.st.threads[task.index()];
        t.user_pri = new;
        if new == old {
            return;
        }
        let (cpu, pri) = (t.cpu, t.pri);
        let why = match loan.filter(|_| new < base) {
            Some(loan) => {
                let of = [i64::from(loan.by.0), i64::from(loan.lock)];
                let operands = [of[0], of[1], i64::from(new), i64::from(old)];
                cx.explain(Some(cpu), Some(task), reasons::LENT, operands)
            }
            None => {
                let operands = [i64::from(new), i64::from(old), 0, 0];
                cx.explain(Some(cpu), Some(task), reasons::RETURNED, operands)
            }
        };
        let runs = self.st.tdqs[cpu.index()].curr == Some(task);
        if !at_once(&self.era.ranges) {
            return;
        }
        if pri <= new {
            // A better priority is kept until the thread returns to user mode, which is soon.
            if pri < new && runs {
                self.st.tdqs[cpu.index()].resched = true;
                self.load_changed(cx, cpu);
                cx.kick(cpu, why);
            }
            return;
        }
        if runs {
            self.set_running_pri(cpu, task, new);
            return;
        }
        let queued = self.st.queues.lists.place(task).is_some();
        if queued {
            self.sched_rem(cx, task);
        }
        let t = &mut self.st.threads[task.index()];
        (t.pri, t.base_pri) = (new, new);
        if queued {
            self.sched_add(cx, task, Insert::Borrowing);
        }
    }
}
