//! Locks that lend priority: which threads wait for the holder of which lock.
//!
//! The engine knows who waits for whom. How the waiting are ordered, and what the holder borrows, is the system's: the
//! scheduler says it ([`waiter_rank`](sim_contract::Kernel::waiter_rank), [`lend`](sim_contract::Scheduler::lend)).
//! Nothing of it is state here: who lends is written at its [`Wait`], and loans follow from the lines.

use super::TaskState;
use super::lines::{Key, LENDS, Wait};
use crate::{Context, Cx, Sim, cx};
use sim_contract::lending::Loan;
use sim_ground::ids::{CpuId, TaskId};

impl Sim {
    fn waiter_rank(&self, task: TaskId) -> u32 {
        self.sched.waiter_rank(&self.kernel.infos, task)
    }

    /// Whether a task waits for a lock and lends its priority to the holder.
    fn lent_at(&self, task: TaskId) -> Option<Key> {
        let wait = self.task(task).wait.filter(|wait| wait.most == LENDS)?;
        let line = self.kernel.channels.get(&wait.key)?;
        (line.holder.is_some() && line.blocked.contains(&task)).then_some(wait.key)
    }

    /// Puts a task into the line of a lock, behind all that are as good.
    fn join_line(&mut self, task: TaskId, key: Key) {
        let rank = self.waiter_rank(task);
        let line = self.kernel.channels.get(&key);
        let blocked = line.map_or(&[][..], |line| &line.blocked);
        let at = blocked.iter().rposition(|t| self.waiter_rank(*t) <= rank);
        let at = at.map_or(0, |last| last + 1);
        let line = self.kernel.channels.entry(key).or_default();
        line.blocked.insert(at, task);
    }

    /// The running task lends its priority to the holder of a lock, and blocks.
    pub(crate) fn block_and_lend(&mut self, cpu: CpuId, task: TaskId, key: Key) {
        self.settle_all();
        self.join_line(task, key);
        self.task_mut(task).wait = Some(Wait { key, most: LENDS });
        self.lend_along(Context::task_on(cpu), key);
        self.block(cpu, task);
    }

    /// The first of those that wait for the locks of a task and lend it their priority.
    fn best_loan(&self, holder: TaskId) -> Option<Loan> {
        let lines = self.kernel.channels.iter();
        let held = lines.filter(|(_, line)| line.holder == Some(holder));
        let lenders = held.filter_map(|((_, number), line)| {
            let mut blocked = line.blocked.iter().copied();
            let by = blocked.find(|t| self.lends_now(*t))?;
            let lock = number & u32::from(u16::MAX);
            Some(Loan { by, lock })
        });
        lenders.min_by_key(|loan| self.waiter_rank(loan.by))
    }

    fn lends_now(&self, task: TaskId) -> bool {
        let wait = self.task(task).wait;
        wait.is_some_and(|wait| wait.most == LENDS)
    }

    /// Tells the scheduler what a task may borrow now. Returns whether the task has another place among those that wait.
    fn lend_to(&mut self, context: Context, holder: TaskId) -> bool {
        if matches!(
            self.task(holder).state,
            TaskState::Exited | TaskState::NotStarted
        ) {
            return false;
        }
        let loan = self.best_loan(holder);
        let loan = loan.filter(|_| sim_contract::lending::lends(&self.params));
        let before = self.waiter_rank(holder);
        self.sched.lend(&mut cx!(self, context), holder, loan);
        self.carry_out_requests(context);
        self.arm_ticks(self.kernel.infos[holder.index()].last_cpu);
        self.waiter_rank(holder) != before
    }

    /// Who waits for a lock has changed: its holder borrows anew, and so does whoever the holder waits for, and so on.
    pub(crate) fn lend_along(&mut self, context: Context, key: Key) {
        self.settle_all();
        let mut key = Some(key);
        // Threads that wait for each other in a circle would go round for ever.
        for _ in 0..self.kernel.tasks.len() {
            let Some(line) = key.and_then(|key| self.kernel.channels.get(&key)) else {
                return;
            };
            let Some(holder) = line.holder else {
                return;
            };
            if !self.lend_to(context, holder) {
                return;
            }
            key = self.lent_at(holder);
            if let Some(key) = key {
                if let Some(line) = self.kernel.channels.get_mut(&key) {
                    line.blocked.retain(|t| *t != holder);
                }
                self.join_line(holder, key);
            }
        }
    }

    /// A lock goes from `giver` to the first of its line: the giver gives back what it borrowed for it, and the new holder
    /// borrows from those that still wait. Nobody runs in between.
    pub(crate) fn return_loans(&mut self, context: Context, key: Key, giver: TaskId) {
        let Some(line) = self.kernel.channels.get(&key) else {
            return;
        };
        let next = line.holder;
        if !line.blocked.iter().any(|t| self.lends_now(*t)) {
            return;
        }
        self.settle_all();
        if let Some(next) = next {
            self.task_mut(next).wait = None;
        }
        self.lend_to(context, giver);
        if let Some(next) = next {
            self.lend_to(context, next);
        }
    }

    /// Loans were switched on or off.
    pub(crate) fn lend_anew(&mut self) {
        let keys: Vec<Key> = self.kernel.channels.keys().copied().collect();
        for key in keys {
            self.lend_along(Context::OUTSIDE, key);
        }
    }
}
