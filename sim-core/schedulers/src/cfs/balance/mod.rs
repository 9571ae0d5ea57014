//! Balancing: when each domain is examined, and what is done about the result.
//!
//! | item | kernel function |
//! |---|---|
//! | `rebalance_domains` | `rebalance_domains` |
//! | `load_balance` | `load_balance` |
//! | `idle_balance` | `idle_balance` |
//! | [`busiest`] | `find_busiest_queue` |
//! | [`capacity`] | `find_busiest_group` and its helpers @ 2.6.34 |
//! | [`types`] | the same @ 4.9 |
//! | [`moving`] | `can_migrate_task`, `balance_tasks`, `detach_tasks`, active balance |
//! | [`nohz`] | idle CPUs without ticks |
//!
//! Deviation: balancing takes no time, so `max_newidle_lb_cost` is 0, and levels that serialise are never found locked.

mod busiest;
mod capacity;
mod moving;
mod nohz;
mod types;

use super::era::Balancing;
use super::{Cfs, reasons};
pub(super) use crate::linux::balance::Idleness;
use crate::linux::balance::{Moved, stretched};
use crate::linux::clock::{LastTicks, RqClock};
use crate::linux::signed;
use sim_contract::cx::Cx;
use sim_ground::ids::{CpuId, CpuMask};

/// One attempt to balance a domain (`struct lb_env`).
pub(super) struct Attempt {
    /// The CPU to which tasks move.
    pub(super) cpu: CpuId,
    /// Level of the domain, from the inside out.
    pub(super) level: usize,
    pub(super) idle: Idleness,
    /// How much load should move.
    pub(super) imbalance: u64,
    /// CPUs from which tasks may move.
    pub(super) from: CpuMask,
}

/// The result of comparing groups.
pub(super) enum GroupComparison {
    /// Another CPU is in charge of this level.
    NotInCharge,
    /// No task needs to move.
    Balanced,
    /// Tasks of this group should move.
    Group(usize),
}

/// Operands of a comparison without its percentage.
fn without_last([a, b, c, _]: [i64; 4]) -> [i64; 4] {
    [a, b, c, 0]
}

/// The number of a level for people: the innermost is 1.
fn level_number(a: &Attempt) -> i64 {
    i64::try_from(a.level + 1).unwrap_or(i64::MAX)
}

impl Cfs {
    /// Another CPU balances a level for its group.
    fn not_in_charge(cx: &mut Cx<'_>, a: &Attempt, balancer: CpuId) -> GroupComparison {
        let operands = [level_number(a), i64::from(balancer.0), 0, 0];
        cx.explain(Some(a.cpu), None, reasons::NOT_IN_CHARGE, operands);
        GroupComparison::NotInCharge
    }

    /// No group has too much load.
    fn no_busiest_group(cx: &mut Cx<'_>, a: &Attempt, total: u64, own: u64) -> GroupComparison {
        let operands = [level_number(a), signed(total), signed(own), 0];
        cx.explain(Some(a.cpu), None, reasons::LB_NOBUSYG, operands);
        GroupComparison::Balanced
    }

    fn domain_count(&self, cpu: CpuId) -> usize {
        self.topo.of[cpu.index()].len()
    }

    /// A domain's interval in jiffies.
    fn interval(&self, cpu: CpuId, level: usize, busy: bool) -> u64 {
        let mut ms = self.st.rq(cpu).domains[level].interval;
        if busy {
            ms *= self.topo.of[cpu.index()][level].busy_factor;
        }
        let most = self.st.tun.hz * self.st.rqs.len() as u64 / 10;
        self.st.tun.ms_to_jiffies(ms).max(1).min(most.max(1))
    }

    /// `rebalance_domains`.
    pub(super) fn rebalance_domains(&mut self, cx: &mut Cx<'_>, cpu: CpuId, idle: Idleness) {
        let now = cx.now.0;
        let jiffies = self.st.tun.jiffies(now);
        self.update_blocked(cpu, now);
        let mut idle = idle;
        let mut earliest = None;
        let mut in_charge = true;
        for level in 0..self.domain_count(cpu) {
            if !in_charge {
                break;
            }
            let mut interval = self.interval(cpu, level, idle == Idleness::Busy);
            if jiffies >= self.st.rq(cpu).domains[level].last_balance + interval {
                let result = self.load_balance(cx, cpu, level, idle, &mut in_charge);
                if self.era.balancing == Balancing::Capacity {
                    if result != Outcome::Nothing {
                        idle = Idleness::Busy;
                    }
                } else if result == Outcome::Moved {
                    idle = if self.idle_cpu(cpu) {
                        Idleness::Idle
                    } else {
                        Idleness::Busy
                    };
                    interval = self.interval(cpu, level, idle == Idleness::Busy);
                } else {
                    interval = self.interval(cpu, level, idle == Idleness::Busy);
                }
                self.st.rq_mut(cpu).domains[level].last_balance = jiffies;
            }
            let due = self.st.rq(cpu).domains[level].last_balance + interval;
            earliest = Some(earliest.map_or(due, |e: u64| e.min(due)));
        }
        if let Some(due) = earliest {
            self.st.rq_mut(cpu).next_balance = due;
            if idle == Idleness::Idle {
                self.nohz_due(cx, due);
            }
        }
        cx.requery(cpu);
    }

    /// `update_blocked_averages`: updates the averages of a CPU's queues, whether a task runs there or not.
    fn update_blocked(&mut self, cpu: CpuId, now: u64) {
        self.update_rq_clock(cpu, now);
        for group in 0..self.st.groups.len() {
            let group = u32::try_from(group).unwrap_or(0);
            let (q, _) = self.st.group_on(group, cpu);
            if self.update_queue_avg(q, now) {
                self.update_group_load(q, false);
            }
        }
    }

    /// The index of the load average that an attempt compares.
    pub(super) fn load_idx(&self, a: &Attempt) -> usize {
        let domain = &self.topo.of[a.cpu.index()][a.level];
        match a.idle {
            Idleness::Busy => domain.busy_idx,
            Idleness::Idle => domain.idle_idx,
            Idleness::New => 0,
        }
    }

    /// `load_balance`.
    fn load_balance(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        level: usize,
        idle: Idleness,
        in_charge: &mut bool,
    ) -> Outcome {
        let now = cx.now.0;
        self.st.counters.balances += 1;
        self.look_at(cpu, level, now);
        let domain = &self.topo.of[cpu.index()][level];
        let smt = domain.flags.share_power;
        let span = domain.span;
        let busy_core = self.era.balancing == Balancing::Capacity
            && smt
            && (idle == Idleness::Busy
                || domain.list.iter().any(|c| self.st.rq(*c).nr_running > 0));
        // 2.6.34: a CPU whose core runs a task counts as busy above the SMT level.
        let nothing = if busy_core {
            Outcome::CoreBusy
        } else {
            Outcome::Nothing
        };
        let mut a = Attempt {
            cpu,
            level,
            idle,
            imbalance: 0,
            from: span,
        };
        let mut moved = Moved::default();
        let mut asked = 0;
        // The queue whose tasks are all pinned. It counts even if the rest of the domain turns out to be balanced.
        let mut pinned = None;
        let src = loop {
            self.spread_shares(cpu, level, now);
            let group = match self.find_busiest_group(cx, &mut a) {
                GroupComparison::NotInCharge => {
                    *in_charge = false;
                    break None;
                }
                GroupComparison::Balanced => break None,
                GroupComparison::Group(group) => group,
            };
            let Some(src) = self.find_busiest_queue(cx, &a, group) else {
                break None;
            };
            asked = a.imbalance;
            if self.st.rq(src).nr_running > 1 {
                moved = self.move_tasks(cx, &mut a, src);
                self.note_pinned(&a, &moved);
                pinned = moved.all_pinned.then_some(src);
                if moved.all_pinned {
                    a.from.remove(src);
                    if !a.from.is_empty() {
                        continue;
                    }
                    break None;
                }
            }
            break Some(src);
        };
        let Some(src) = src else {
            if *in_charge && !a.from.is_empty() {
                self.forget_pinned(&a);
            }
            self.stretch(cpu, level, pinned.is_some(), true);
            if let Some(src) = pinned.filter(|_| moved.some_pinned) {
                self.explain_pinned(cx, &a, src);
            }
            if busy_core && idle != Idleness::Busy {
                let operands = [level_number(&a), 0, 0, 0];
                cx.explain(Some(cpu), None, reasons::CORE_BUSY, operands);
            }
            return nothing;
        };
        if moved.count > 0 {
            let failed = self.st.rq(cpu).domains[level].nr_balance_failed;
            let operands = [
                i64::from(src.0),
                i64::from(moved.count),
                signed(asked),
                i64::from(failed),
            ];
            cx.explain(Some(cpu), None, reasons::TASKS_PULLED, operands);
            self.st.rq_mut(cpu).domains[level].nr_balance_failed = 0;
            self.relax(cpu, level);
            return Outcome::Moved;
        }
        self.nothing_moved(cx, &a, src, nothing)
    }

    /// No task could be moved: after some failures the running task is pushed.
    fn nothing_moved(
        &mut self,
        cx: &mut Cx<'_>,
        a: &Attempt,
        src: CpuId,
        nothing: Outcome,
    ) -> Outcome {
        let old = self.era.balancing == Balancing::Capacity;
        let tries = self.topo.of[a.cpu.index()][a.level].cache_nice_tries;
        let state = &mut self.st.rq_mut(a.cpu).domains[a.level];
        if old || a.idle != Idleness::New {
            state.nr_balance_failed += 1;
        }
        let failed = state.nr_balance_failed;
        let push = failed > tries + 2 && !(old && a.idle == Idleness::New);
        if !push {
            let operands = [
                i64::from(src.0),
                i64::from(failed),
                i64::from(tries + 2),
                signed(a.imbalance),
            ];
            cx.explain(Some(a.cpu), None, reasons::LB_FAILED, operands);
            self.relax(a.cpu, a.level);
            return nothing;
        }
        let curr = self.st.rq(src).curr;
        if curr.is_some_and(|t| !cx.task(t).allowed.contains(a.cpu)) {
            self.stretch(a.cpu, a.level, true, false);
            let operands = [i64::from(src.0), i64::from(failed), 0, 0];
            cx.explain(Some(a.cpu), curr, reasons::ACTIVE_BALANCE_PINNED, operands);
            return nothing;
        }
        let begun = self.push_later(cx, a, src);
        self.st.rq_mut(a.cpu).domains[a.level].nr_balance_failed = tries + 1;
        if begun {
            self.stretch(a.cpu, a.level, false, false);
        } else {
            self.relax(a.cpu, a.level);
        }
        nothing
    }

    fn explain_pinned(&self, cx: &mut Cx<'_>, a: &Attempt, src: CpuId) {
        let interval = self.st.rq(a.cpu).domains[a.level].interval;
        let operands = [
            i64::from(src.0),
            i64::from(self.st.rq(src).nr_running),
            signed(interval),
            0,
        ];
        cx.explain(Some(a.cpu), None, reasons::ALL_PINNED, operands);
    }

    /// The domain was unbalanced: the next balancing comes soon.
    fn relax(&mut self, cpu: CpuId, level: usize) {
        let least = self.topo.of[cpu.index()][level].min_interval;
        self.st.rq_mut(cpu).domains[level].interval = least;
    }

    /// The domain was balanced, or cannot be: the next balancing comes later.
    fn stretch(&mut self, cpu: CpuId, level: usize, pinned: bool, forget_failures: bool) {
        let most = self.topo.of[cpu.index()][level].max_interval;
        let state = &mut self.st.rq_mut(cpu).domains[level];
        if forget_failures {
            state.nr_balance_failed = 0;
        }
        state.interval = stretched(state.interval, most, pinned);
    }

    fn find_busiest_group(&mut self, cx: &mut Cx<'_>, a: &mut Attempt) -> GroupComparison {
        match self.era.balancing {
            Balancing::Capacity => self.busiest_by_capacity(cx, a),
            Balancing::GroupTypes | Balancing::Shared => self.busiest_by_type(cx, a),
        }
    }

    /// `idle_balance`: a CPU is about to become idle. Returns whether a task was pulled.
    pub(super) fn idle_balance(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> bool {
        let now = cx.now.0;
        let jiffies = self.st.tun.jiffies(now);
        let stamp = now.max(1);
        self.st.rq_mut(cpu).idle_stamp = stamp;
        let old = self.era.balancing == Balancing::Capacity;
        let least = self.st.tun.migration_cost.max(0).unsigned_abs();
        let short = self.st.rq(cpu).avg_idle < least;
        let mut next = jiffies + self.st.tun.hz;
        let levels = self.domain_count(cpu);
        if short || (!old && !self.st.overload) {
            let avg_idle = signed(self.st.rq(cpu).avg_idle);
            let (reason, least) = if short {
                (reasons::AVG_IDLE_TOO_SHORT, signed(least))
            } else {
                (reasons::NOT_OVERLOADED, 0)
            };
            cx.explain(Some(cpu), None, reason, [avg_idle, least, 0, 0]);
            if !old && levels > 0 {
                let due = self.st.rq(cpu).domains[0].last_balance + self.interval(cpu, 0, false);
                let rq = self.st.rq_mut(cpu);
                rq.next_balance = rq.next_balance.min(next.min(due));
            }
            return false;
        }
        self.update_blocked(cpu, now);
        let mut stop = false;
        let mut pulled = false;
        for level in 0..levels {
            let mut in_charge = true;
            let result = self.load_balance(cx, cpu, level, Idleness::New, &mut in_charge);
            let due =
                self.st.rq(cpu).domains[level].last_balance + self.interval(cpu, level, false);
            next = next.min(due);
            pulled |= result == Outcome::Moved;
            stop |= result != Outcome::Nothing;
            if result == Outcome::CoreBusy || pulled {
                break;
            }
        }
        let rq = self.st.rq_mut(cpu);
        if old {
            if stop || jiffies > rq.next_balance {
                rq.next_balance = next;
            }
        } else {
            rq.next_balance = rq.next_balance.min(next);
        }
        if stop {
            rq.idle_stamp = 0;
        }
        if !pulled {
            // Real-time tasks can arrive meanwhile only in a kernel that drops the lock.
            return false;
        }
        cx.explain(
            Some(cpu),
            None,
            reasons::NEWIDLE_BALANCE,
            [signed(self.st.rq(cpu).avg_idle), 0, 0, 0],
        );
        true
    }

    /// Whether a domain of this CPU is due at a tick.
    pub(super) fn balance_due(&self, cpu: CpuId, now: u64) -> bool {
        self.domain_count(cpu) > 0 && self.st.tun.has_come(self.st.rq(cpu).next_balance, now)
    }
}

/// The result of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// No task moved.
    Nothing,
    /// Tasks moved.
    Moved,
    /// 2.6.34: no task moved, but the core is busy (−1).
    CoreBusy,
}
