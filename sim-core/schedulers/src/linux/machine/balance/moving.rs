//! Moving tasks: which may move, how many, and the push of a running task.
//!
//! | item | kernel function @ 6.12 |
//! |---|---|
//! | `can_migrate` | `can_migrate_task`, `task_hot` |
//! | `move_tasks`, `detach_some` | `detach_tasks`, `attach_tasks` |
//! | `push_later`, `push` | `active_load_balance_cpu_stop` |
//!
//! Deviations: the stopper takes no time and is no task; no task blocks on a mutex.

use super::decide::Migration;
use super::{Attempt, Idleness, signed};
use crate::linux::balance::{BREAK, Moved, ran_lately};
use crate::linux::lists::TaskLists;
use crate::linux::machine::Machine;
use crate::linux::machine::caches::Gathering;
use crate::linux::machine::capacity::{Fitting, is_greater};
use crate::linux::machine::select::Selects;
use crate::linux::reasons::Reasons;
use crate::linux::tables::Tables;
use crate::linux::tree::NONE;
use sim_contract::cx::Cx;
use sim_contract::decision::{DecisionId, Reason};
use sim_contract::flags::Policy;
use sim_ground::ids::{CpuId, TaskId};

/// The scan of a CPU's list (`loop`, `loop_break` and `loop_max` of `struct lb_env`).
pub(crate) struct TaskScan {
    looked: u64,
    limit: u64,
    most: u64,
}

impl Attempt {
    fn cause(&self, why: &Reasons) -> Reason {
        match self.idle {
            Idleness::Busy => why.periodic_balance,
            Idleness::Idle => why.idle_balance,
            Idleness::New => why.new_idle_balance,
        }
    }
}

/// A scheduler that moves tasks.
pub(crate) trait Moving: Selects {
    /// Takes tasks from a CPU and gives them to the attempt's CPU. A task that may not go there goes to another CPU of
    /// the group.
    fn move_tasks(&mut self, cx: &mut Cx<'_>, a: &mut Attempt, src: CpuId, moved: &mut Moved) {
        let now = cx.now.0;
        self.update_rq_clock(src, now);
        let before = moved.count;
        let most = self
            .tun()
            .nr_migrate
            .min(u64::from(self.state().running(src)));
        loop {
            self.update_rq_clock(a.cpu, now);
            let mut go = TaskScan {
                looked: 0,
                limit: BREAK,
                most,
            };
            loop {
                let (detached, more) = self.detach_some(cx, a, src, &mut go, moved);
                for (task, why) in detached.into_iter().rev() {
                    self.attach(cx, task, a.cpu, a.cause(&Self::REASONS), why);
                    moved.count += 1;
                }
                if !more {
                    break;
                }
                go.limit += BREAK;
            }
            match moved.other.take() {
                Some(other) if a.imbalance > 0 => {
                    a.from.remove(a.cpu);
                    cx.requery(a.cpu);
                    a.cpu = other;
                }
                _ => break,
            }
        }
        if moved.count > before {
            self.machine_mut().counters.pulled += u64::from(moved.count - before);
            cx.requery(src);
            cx.requery(a.cpu);
        }
    }

    /// Takes tasks off a CPU, beginning with the one that has waited longest, and records the decisions. Returns
    /// whether more tasks are left to examine after a break.
    fn detach_some(
        &mut self,
        cx: &mut Cx<'_>,
        a: &mut Attempt,
        src: CpuId,
        go: &mut TaskScan,
        moved: &mut Moved,
    ) -> (Vec<(TaskId, DecisionId)>, bool) {
        let now = cx.now.0;
        let mut detached = Vec::new();
        while a.imbalance > 0 {
            let tail = self.state_mut().ends(src).tail;
            if tail == NONE || (a.idle != Idleness::Busy && self.state().running(src) <= 1) {
                break;
            }
            go.looked += 1;
            if go.looked > go.most {
                break;
            }
            if go.looked > go.limit {
                return (detached, true);
            }
            let task = TaskId(tail);
            let size = match a.migration {
                _ if !self.can_migrate(cx, a, src, task, false, moved) => None,
                Migration::Tasks | Migration::Cache => Some(1),
                Migration::Misfit => self.takes_misfit(cx, a, src, task),
                Migration::Load => {
                    let load = self.task_load(task, now).max(1);
                    self.fits(cx, a, task, load)
                }
                Migration::Util => self.fits(cx, a, task, self.task_util_est(task)),
            };
            let Some(size) = size else {
                self.state_mut().list_remove(src, task);
                self.state_mut().list_add(src, task);
                continue;
            };
            let failed = self.side(a.owner).domains[a.level].nr_balance_failed;
            let (taken, last) = match (a.migration, size > a.imbalance) {
                (Migration::Tasks | Migration::Cache, _) => (Self::REASONS.task_taken, a.number()),
                (Migration::Misfit, _) => (Self::REASONS.task_taken_misfit, 0),
                (Migration::Load, false) => (Self::REASONS.task_taken_load, a.number()),
                (Migration::Util, false) => (Self::REASONS.task_taken_util, a.number()),
                (Migration::Load, true) => {
                    (Self::REASONS.task_taken_load_shifted, i64::from(failed))
                }
                (Migration::Util, true) => {
                    (Self::REASONS.task_taken_util_shifted, i64::from(failed))
                }
            };
            let operands = match a.migration {
                Migration::Misfit => self.sizes(src, task, a.cpu),
                _ => [i64::from(src.0), size, a.imbalance, last],
            };
            let why = cx.explain(Some(a.cpu), Some(task), taken, operands);
            a.imbalance -= size;
            self.detach(task, now);
            detached.push((task, why));
            // New-idle balancing delays others, so a preemptible kernel takes only one task.
            if self.tun().preempt && a.idle == Idleness::New {
                break;
            }
        }
        (detached, false)
    }

    /// Whether a task's size is not too large for what is left to move; after failures more is allowed.
    fn fits(&self, cx: &mut Cx<'_>, a: &Attempt, task: TaskId, size: u64) -> Option<i64> {
        let failed = self.side(a.owner).domains[a.level].nr_balance_failed;
        let (is_load, size) = (a.migration == Migration::Load, signed(size));
        let tiny = is_load && self.tun().lb_min && size < 16 && failed == 0;
        if !tiny && size >> failed.min(63) <= a.imbalance {
            return Some(size);
        }
        let reason = if is_load {
            Self::REASONS.load_too_big
        } else {
            Self::REASONS.util_too_big
        };
        let operands = [size, a.imbalance, i64::from(failed), 0];
        cx.explain(Some(a.cpu), Some(task), reason, operands);
        None
    }

    /// Whether a task does not fit the CPU on which it is.
    fn takes_misfit(&self, cx: &mut Cx<'_>, a: &Attempt, src: CpuId, task: TaskId) -> Option<i64> {
        if !self.task_fits(task, src) {
            return Some(1);
        }
        let operands = self.sizes(src, task, a.cpu);
        cx.explain(
            Some(a.cpu),
            Some(task),
            Self::REASONS.fits_where_it_is,
            operands,
        );
        None
    }

    /// Where a task is, its utilisation, the capacity there and that of another CPU.
    fn sizes(&self, src: CpuId, task: TaskId, dst: CpuId) -> [i64; 4] {
        let sizes = [
            self.task_util_est(task),
            self.capacity(src),
            self.capacity(dst),
        ];
        let [util, here, there] = sizes.map(signed);
        [i64::from(src.0), util, here, there]
    }

    /// `can_migrate_task`. `pushes`: the stopper calls it, which ignores warm caches.
    fn can_migrate(
        &mut self,
        cx: &mut Cx<'_>,
        a: &Attempt,
        src: CpuId,
        task: TaskId,
        pushes: bool,
        moved: &mut Moved,
    ) -> bool {
        if self.holds(cx, a, src, task) {
            return false;
        }
        let info = cx.task(task);
        let (allowed, policy) = (info.allowed, info.policy);
        if !allowed.contains(a.cpu) {
            // A kernel thread bound to one CPU does not count as pinned.
            if info.kernel_thread && allowed.count() == 1 {
                return false;
            }
            moved.some_pinned = true;
            let reason = Self::REASONS.nr_failed_migrations_affine;
            cx.explain(Some(a.cpu), Some(task), reason, [i64::from(src.0), 0, 0, 0]);
            if a.idle != Idleness::New && !pushes && moved.other.is_none() {
                let own = self.domains().of[a.owner.index()][a.level].groups[0];
                let open = |c: &CpuId| allowed.contains(*c) && a.from.contains(*c);
                let list = self.domains().groups[own].balancers.iter();
                moved.other = list.copied().find(open);
            }
            return false;
        }
        moved.all_pinned = false;
        if self.state().current(src) == Some(task) {
            let reason = Self::REASONS.nr_failed_migrations_running;
            cx.explain(Some(a.cpu), Some(task), reason, [i64::from(src.0), 0, 0, 0]);
            return false;
        }
        // It ran in the past, or never (0).
        let since = cx.now.0.saturating_sub(self.state().charged(task).1);
        if pushes {
            let keeps = self.pushes_to_cache(src)
                && self.preferred_cache(cx, task) != self.caches().map(|c| c.of(a.cpu));
            return !keeps;
        }
        let cpus = [src, a.cpu];
        let by_memory = self.memory_is_hot(cx, task, cpus, a.idle == Idleness::Idle);
        if by_memory.is_none()
            && let Some(expected) = self.cache_keeps(cx, a, src, task)
        {
            moved.keeps_cache |= expected;
            return false;
        }
        if !by_memory.unwrap_or_else(|| self.is_hot(a, task, policy, since)) {
            return true;
        }
        let tries = self.domains().of[a.owner.index()][a.level].cache_nice_tries;
        let failed = self.side(a.owner).domains[a.level].nr_balance_failed;
        let forced = failed > tries;
        if by_memory.is_some() && !forced {
            self.machine_mut().counters.failed_hot += 1;
            let operands = self.operands_of_refusal(cx, task, cpus, failed);
            cx.explain(
                Some(a.cpu),
                Some(task),
                Self::REASONS.migrate_degrades_locality,
                operands,
            );
            return false;
        }
        let reason = if forced {
            Self::REASONS.nr_forced_migrations
        } else {
            self.machine_mut().counters.failed_hot += 1;
            Self::REASONS.nr_failed_migrations_hot
        };
        let cost = self.tun().migration_cost;
        let operands = [signed(since), cost, i64::from(failed), i64::from(tries)];
        cx.explain(Some(a.cpu), Some(task), reason, operands);
        forced
    }

    /// `task_hot`.
    fn is_hot(&self, a: &Attempt, task: TaskId, policy: Policy, since: u64) -> bool {
        if policy == Policy::Idle
            || self.domains().of[a.owner.index()][a.level]
                .flags
                .share_power
        {
            return false;
        }
        if self.tun().cache_hot_buddy && self.is_buddy(task) && self.state().running(a.cpu) > 0 {
            return true;
        }
        ran_lately(since, self.tun().migration_cost)
    }

    /// Asks the stopper of a CPU to push a task, unless it has already been asked.
    fn push_later(&mut self, cx: &mut Cx<'_>, a: &Attempt, src: CpuId) {
        let failed = self.side(a.owner).domains[a.level].nr_balance_failed;
        let operands = [i64::from(src.0), i64::from(failed), a.number(), 0];
        if self.side(src).active_balance {
            cx.explain(
                Some(a.owner),
                None,
                Self::REASONS.active_balance_pending,
                operands,
            );
            return;
        }
        self.side_mut(src).active_balance = true;
        self.note_push(src, a.migration == Migration::Cache);
        self.ask_push(src, a.owner);
        let to_cache = self.caches().filter(|_| a.migration == Migration::Cache);
        let is_misfit = a.migration == Migration::Misfit;
        let misfit = self.state().current(src).filter(|_| is_misfit);
        let (reason, operands) = match to_cache {
            None if let Some(task) = misfit => {
                (Self::REASONS.push_misfit, self.sizes(src, task, a.owner))
            }
            Some(caches) => (
                caches.why.push_to_its_cache,
                [i64::from(src.0), a.number(), 0, 0],
            ),
            None => (Self::REASONS.need_active_balance, operands),
        };
        let why = cx.explain(Some(a.owner), misfit, reason, operands);
        cx.kick(src, why);
    }

    /// Pushes the task that has waited longest among those that may move: the one that ran last comes last.
    fn push_one(&mut self, cx: &mut Cx<'_>, src: CpuId, dst: CpuId) {
        self.side_mut(src).active_balance = false;
        let domains = &self.domains().of[dst.index()];
        let Some(level) = domains.iter().position(|d| d.span.contains(src)) else {
            return;
        };
        let a = Attempt {
            cpu: dst,
            owner: dst,
            level,
            idle: Idleness::Idle,
            migration: Migration::Tasks,
            imbalance: 1,
            from: domains[level].span,
        };
        let mut ignored = Moved::default();
        let mut at = self.state_mut().ends(src).tail;
        while at != NONE {
            let task = TaskId(at);
            if self.can_migrate(cx, &a, src, task, true, &mut ignored) {
                self.machine_mut().counters.pushed += 1;
                let failed = self.side(dst).domains[level].nr_balance_failed;
                let grows = is_greater(self.capacity(dst), self.capacity(src));
                let (reason, operands) = if grows && !self.task_fits(task, src) {
                    (Self::REASONS.task_pushed_misfit, self.sizes(src, task, dst))
                } else {
                    let operands = [i64::from(src.0), i64::from(failed), a.number(), 0];
                    (Self::REASONS.task_pushed, operands)
                };
                let why = cx.explain(Some(dst), Some(task), reason, operands);
                self.migrate(cx, task, dst, Self::REASONS.active_balance, why);
                self.side_mut(dst).domains[level].nr_balance_failed = 0;
                return;
            }
            at = self.state_mut().links(task).newer;
        }
    }
}

impl<S: Machine> Moving for S {}
