//! Priority inheritance (`sched_lend_user_prio`). What becomes of a thread that waits in the kernel for a turnstile is left
//! out, as such locks are.

use super::runqs::Insert;
use super::{Ule, reasons};
use crate::freebsd::lending::{NOTHING, at_once, borrow, lent_by, with_loan};
use sim_contract::cx::Cx;
use sim_contract::lending::{self, Loan};
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
        let pri = with_loan(&mut self.loans, task, pri);
        self.st.threads[task.index()].user_pri = pri;
    }

    /// What a thread may borrow has changed.
    pub(super) fn lend_user_pri(&mut self, cx: &mut Cx<'_>, task: TaskId, loan: Option<Loan>) {
        let lent = loan.map_or(NOTHING, |loan| self.lent_by(loan.by));
        let (base, old) = (
            self.base_user_pri(task),
            self.st.threads[task.index()].user_pri,
        );
        let new = borrow(&mut self.loans, task, base, lent);
        let t = &mut self.st.threads[task.index()];
        t.user_pri = new;
        if new == old {
            return;
        }
        let (cpu, pri) = (t.cpu, t.pri);
        let loan = loan.filter(|_| new < base);
        let told = [reasons::PRIORITY_LENT, reasons::PRIORITY_RETURNED];
        let why = lending::explain(cx, Some(cpu), task, loan, told, [new, old]);
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
