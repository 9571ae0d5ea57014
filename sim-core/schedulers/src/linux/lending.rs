//! Priority inheritance of Linux: `PTHREAD_PRIO_INHERIT`, by futexes and `rt_mutex`.
//!
//! | item | kernel function |
//! |---|---|
//! | `lend` | `rt_mutex_adjust_prio`, `rt_mutex_setprio` |
//! | `rank_of_waiter` | `rt_mutex_waiter_less`; since 5.15 `__waiter_prio` |
//! | `changes_class` | `switched_from_fair`, `switched_to_rt`, `switched_from_rt`, `switched_to_fair` |
//! | `changes_within` | `prio_changed_fair`, `prio_changed_rt` |
//!
//! The holder has the priority of the first that waits, if that is better than its own: that of a real-time task makes it
//! a real-time task. Among fair tasks only the number changes. The weight is that of the nice value, which is not lent; a
//! task that waits in its queue is put there once more, and may preempt. So fair tasks gain next to nothing.

use super::reserve::limit::Limited;
use super::rt::RealTime;
use super::stopper::Stopper;
use super::tables::Tables;
use sim_contract::cx::{Cx, TaskInfo};
use sim_contract::flags::Policy;
use sim_contract::lending::{self, Loan};
use sim_ground::ids::{CpuId, TaskId};

/// Priority of a fair task of nice 0 (`DEFAULT_PRIO`).
const DEFAULT: u8 = 120;
/// The first priority that is not of real time (`MAX_RT_PRIO`).
pub(crate) const MAX_RT: u8 = 100;

/// `normal_prio`: the priority without loans.
pub(super) fn own_prio(info: &TaskInfo) -> u8 {
    match info.policy {
        Policy::Fifo | Policy::RoundRobin => 99 - info.rt_priority.clamp(1, 99),
        _ => DEFAULT.saturating_add_signed(info.nice),
    }
}

/// The class of a task may change while it borrows.
pub(crate) trait Lending: Stopper {
    /// Whether all fair tasks are alike where they wait (since 5.15).
    fn fair_waiters_alike(&self) -> bool;
    /// Whether a fair task is queued or runs, or sleeps in its queue.
    fn is_on_queue(&self, task: TaskId) -> bool;
    /// A task that sleeps in its queue leaves it.
    fn ends_delay(&mut self, cx: &mut Cx<'_>, task: TaskId);
    /// Takes a sleeping task out of the fair class, or lets it come back.
    fn sleeper_changes_class(&mut self, task: TaskId, leaves: bool, now: u64);
    /// A running task is put back, although it runs on.
    fn put_running(&mut self, task: TaskId, now: u64);
    /// Adds a fair task to its CPU's queue; one that runs is set as current.
    fn comes_back(&mut self, cx: &mut Cx<'_>, task: TaskId, runs: bool);
    /// Takes a fair task off its queue and puts it back.
    fn queue_again(&mut self, cx: &mut Cx<'_>, task: TaskId);

    /// The priority of a task, with what it borrowed.
    fn prio(&self, info: &TaskInfo, task: TaskId) -> u8 {
        self.loans()
            .get(&task)
            .map_or(own_prio(info), |lent| own_prio(info).min(*lent))
    }

    /// The place of a task among those that wait.
    fn rank_of_waiter(&self, info: &TaskInfo, task: TaskId) -> u32 {
        let prio = self.prio(info, task);
        let alike = prio >= MAX_RT && self.fair_waiters_alike();
        u32::from(if alike { DEFAULT } else { prio })
    }

    /// A nice value was set: a fair task has its own priority again (`effective_prio`).
    fn forget_fair_loan(&mut self, task: TaskId) {
        if self.loans().get(&task).is_some_and(|lent| *lent >= MAX_RT) {
            self.loans_mut().remove(&task);
        }
    }

    /// What a task may borrow has changed.
    fn lend_prio(&mut self, cx: &mut Cx<'_>, task: TaskId, loan: Option<Loan>) {
        let info = cx.task(task);
        let (own, old) = (own_prio(info), self.prio(info, task));
        let lent = loan.map_or(own, |loan| self.prio(cx.task(loan.by), loan.by));
        let new = own.min(lent);
        if new < own {
            self.loans_mut().insert(task, new);
        } else {
            self.loans_mut().remove(&task);
        }
        if new == old {
            return;
        }
        let cpu = self.state().cpu_of(task);
        let reasons = [Self::REASONS.priority_lent, Self::REASONS.priority_returned];
        let loan = loan.filter(|_| new < own);
        lending::explain(cx, Some(cpu), task, loan, reasons, [new, old]);
        self.update_rq_clock(cpu, cx.now.0);
        cx.requery(cpu);
        if (new < MAX_RT) == (old < MAX_RT) {
            self.changes_within(cx, task, cpu, [new, old]);
        } else {
            self.changes_class(cx, task, cpu, new < MAX_RT);
        }
    }

    /// The priority changes, and the class stays.
    fn changes_within(&mut self, cx: &mut Cx<'_>, task: TaskId, cpu: CpuId, [new, old]: [u8; 2]) {
        let runs = self.state().current(cpu) == Some(task);
        let alone = self.state().running(cpu) == 1;
        if new < MAX_RT {
            let waits = self.state_mut().rt_mut(cpu).remove(task);
            if waits {
                self.rt_enqueue(cx, cpu, task, new > old);
                self.may_preempt(cx, cpu, task);
            } else if runs && self.state().rt(cpu).has_better_than(new) {
                self.resched(cx, cpu, None);
            }
            return;
        }
        if !self.is_on_queue(task) {
            return;
        }
        self.queue_again(cx, task);
        if alone {
            return;
        }
        if !runs {
            self.may_preempt(cx, cpu, task);
        } else if new > old {
            self.resched(cx, cpu, None);
        }
    }

    /// The task becomes one of real time, or is fair again.
    fn changes_class(&mut self, cx: &mut Cx<'_>, task: TaskId, cpu: CpuId, real_time: bool) {
        let now = cx.now.0;
        let runs = self.state().current(cpu) == Some(task);
        if runs {
            self.count_server(cpu, now);
        }
        if real_time {
            self.ends_delay(cx, task);
            let queued = self.is_on_queue(task);
            if queued {
                self.detach(task, now);
                if runs {
                    self.put_running(task, now);
                    self.reserve_mut().real_time_runs(cpu, now);
                }
                self.begin_limit(cx);
                self.begin_servers(now);
                self.count_real_time(cpu, true);
            } else {
                self.sleeper_changes_class(task, true, now);
            }
            self.state_mut().set_real_time(task, true);
            if queued && !runs {
                self.rt_enqueue(cx, cpu, task, false);
                self.may_preempt(cx, cpu, task);
            }
            return;
        }
        if runs {
            let n = self.real_time_tasks(cpu);
            self.charge_real_time(cx, cpu, task, n);
        }
        let waits = self.state_mut().rt_mut(cpu).remove(task);
        self.state_mut().set_real_time(task, false);
        if !waits && !runs {
            self.sleeper_changes_class(task, false, now);
            return;
        }
        self.count_real_time(cpu, false);
        self.comes_back(cx, task, runs);
        if runs {
            self.resched(cx, cpu, None);
        } else {
            self.may_preempt(cx, cpu, task);
        }
    }
}
