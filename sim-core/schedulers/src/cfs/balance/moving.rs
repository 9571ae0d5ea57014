//! Moving tasks: which may move, how many, and the push of a running task.
//!
//! | item | kernel function |
//! |---|---|
//! | `can_migrate` | `can_migrate_task`, `task_hot` |
//! | `clock_of_heat` | the `now` of `task_hot` @ 2.6.34, `rq_clock_task` of the source @ 4.9 |
//! | `move_by_passes` | `move_tasks`, `load_balance_fair`, `balance_tasks` @ 2.6.34 |
//! | `move_some` | `detach_tasks`, `attach_tasks` @ 4.9 |
//! | `push_later`, `push` | `active_load_balance`, `migration_thread` @ 2.6.34; `active_load_balance_cpu_stop` @ 4.9 |
//!
//! Deviations: the stopper takes no time and is no task. A queue counts as pinned (2.6.34) if no task examined in any
//! pass may move, not only in the last pass.

use super::{Attempt, Balancing, Idleness, level_number, signed};
use crate::cfs::entity::NONE;
use crate::cfs::{Cfs, reasons};
use crate::linux::balance::{BREAK, Moved, ran_lately};
use crate::linux::cgroups::limits::Limits as _;
use crate::linux::clock::RqClock;
use crate::linux::lists::TaskLists;
use crate::linux::numa::Host;
use crate::linux::stopper::{StopWork, Stopper};
use sim_contract::cx::Cx;
use sim_contract::decision::{DecisionId, Reason};
use sim_ground::ids::{CpuId, TaskId};

impl Cfs {
    fn cause(a: &Attempt) -> Reason {
        match a.idle {
            Idleness::Busy => reasons::PERIODIC_BALANCE,
            Idleness::Idle => reasons::IDLE_BALANCE,
            Idleness::New => reasons::NEW_IDLE_BALANCE,
        }
    }

    pub(super) fn move_tasks(&mut self, cx: &mut Cx<'_>, a: &mut Attempt, src: CpuId) -> Moved {
        let now = cx.now.0;
        self.update_rq_clock(src, now);
        self.update_rq_clock(a.cpu, now);
        if a.imbalance == 0 {
            let waiting = i64::from(self.st.rq(src).nr_running);
            let operands = [i64::from(src.0), waiting, level_number(a), 0];
            cx.explain(Some(a.cpu), None, reasons::NOBODY_LOOKED_AT, operands);
        }
        let moved = match self.era.balancing {
            Balancing::Capacity => self.move_by_passes(cx, a, src),
            Balancing::GroupTypes | Balancing::Shared => self.move_some(cx, a, src),
        };
        if moved.count > 0 {
            self.st.counters.pulled += u64::from(moved.count);
            cx.requery(src);
            cx.requery(a.cpu);
        }
        moved
    }

    /// `can_migrate_task`.
    fn can_migrate(
        &mut self,
        cx: &mut Cx<'_>,
        a: &Attempt,
        src: CpuId,
        task: TaskId,
        moved: &mut Moved,
    ) -> bool {
        if self.keeps_throttled(cx, task, [src, a.cpu]) {
            return false;
        }
        let allowed = cx.task(task).allowed;
        if !allowed.contains(a.cpu) {
            moved.some_pinned = true;
            let reason = reasons::NR_FAILED_MIGRATIONS_AFFINE;
            cx.explain(Some(a.cpu), Some(task), reason, [i64::from(src.0), 0, 0, 0]);
            if a.idle != Idleness::New && moved.other.is_none() {
                let own = self.topo.of[a.cpu.index()][a.level].groups[0];
                let list = &self.topo.groups[own].list;
                let open = |c: &CpuId| allowed.contains(*c) && a.from.contains(*c);
                moved.other = list.iter().copied().find(open);
            }
            return false;
        }
        moved.all_pinned = false;
        if self.st.rq(src).curr == Some(task) {
            let reason = reasons::NR_FAILED_MIGRATIONS_RUNNING;
            cx.explain(Some(a.cpu), Some(task), reason, [i64::from(src.0), 0, 0, 0]);
            return false;
        }
        let tries = self.topo.of[a.cpu.index()][a.level].cache_nice_tries;
        let failed = self.st.rq(a.cpu).domains[a.level].nr_balance_failed;
        // It ran in the past, or never (0).
        let at = self.clock_of_heat(src, cx.now.0);
        let since = at.saturating_sub(self.st.se(task).exec_start);
        let cpus = [src, a.cpu];
        let by_memory = self.memory_is_hot(cx, task, cpus, a.idle == Idleness::Idle);
        if !by_memory.unwrap_or_else(|| self.task_hot(task, a.cpu, since)) {
            return true;
        }
        let forced = failed > tries;
        if by_memory.is_some() && !forced {
            self.st.counters.failed_hot += 1;
            let operands = self.operands_of_refusal(cx, task, cpus, failed);
            cx.explain(
                Some(a.cpu),
                Some(task),
                reasons::MIGRATE_DEGRADES_LOCALITY,
                operands,
            );
            return false;
        }
        let reason = if forced {
            reasons::NR_FORCED_MIGRATIONS
        } else {
            self.st.counters.failed_hot += 1;
            reasons::NR_FAILED_MIGRATIONS_HOT
        };
        let cost = self.st.tun.migration_cost;
        let operands = [signed(since), cost, i64::from(failed), i64::from(tries)];
        cx.explain(Some(a.cpu), Some(task), reason, operands);
        forced
    }

    /// Records that a task is skipped: half of its load exceeds the imbalance that is left.
    fn explain_weight(cx: &mut Cx<'_>, a: &Attempt, task: TaskId, load: i64, left: i64) {
        cx.explain(
            Some(a.cpu),
            Some(task),
            reasons::LOAD_TOO_BIG,
            [load, left, 0, 0],
        );
    }

    /// Records that a waiting task is taken: its load, and the imbalance that is left.
    fn explain_taken(
        cx: &mut Cx<'_>,
        a: &Attempt,
        src: CpuId,
        task: TaskId,
        [load, left]: [i64; 2],
    ) -> DecisionId {
        let operands = [i64::from(src.0), load, left, level_number(a)];
        cx.explain(Some(a.cpu), Some(task), reasons::TASK_TAKEN, operands)
    }

    /// The clock of a CPU by which its tasks count as cache-hot. 2.6.34 sets it whenever two queues are locked
    /// (`double_rq_lock`). In 4.9 it is that of the latest event on that CPU (`rq_clock_task`): only a task that leaves
    /// sets it (`dequeue_task`). So what was switched out at the latest event is hot, however long ago that was.
    fn clock_of_heat(&self, src: CpuId, now: u64) -> u64 {
        match self.era.balancing {
            Balancing::Capacity => now,
            Balancing::GroupTypes | Balancing::Shared => self.latest_event(src, now),
        }
    }

    /// `task_hot`.
    fn task_hot(&self, task: TaskId, dst: CpuId, since: u64) -> bool {
        let e = self.st.task(task).se;
        let queue = self.st.queue(self.st.ent(e).queue);
        if self.st.tun.cache_hot_buddy
            && self.st.rq(dst).nr_running > 0
            && (queue.next == e || queue.last == e)
        {
            return true;
        }
        ran_lately(since, self.st.tun.migration_cost)
    }

    /// `move_tasks` @ 2.6.34: pass after pass of up to 33 tasks, until the imbalance is gone. If nothing is to move, it
    /// examines no task and does not report pinned tasks.
    fn move_by_passes(&mut self, cx: &mut Cx<'_>, a: &mut Attempt, src: CpuId) -> Moved {
        let mut moved = Moved {
            all_pinned: a.imbalance > 0,
            ..Moved::default()
        };
        let mut left = signed(a.imbalance);
        loop {
            let before = left;
            // The youngest group first, the root last.
            for group in (0..self.st.groups.len()).rev() {
                let group = u32::try_from(group).unwrap_or(0);
                left -= self.pass(cx, a, src, group, left, &mut moved);
                if left <= 0 {
                    break;
                }
            }
            let latency =
                self.st.tun.preempt && a.idle == Idleness::New && self.st.rq(a.cpu).nr_running > 0;
            if latency || left <= 0 || left == before {
                break;
            }
        }
        moved
    }

    /// `balance_tasks` of one group. Returns how much load moved.
    fn pass(
        &mut self,
        cx: &mut Cx<'_>,
        a: &Attempt,
        src: CpuId,
        group: u32,
        most: i64,
        moved: &mut Moved,
    ) -> i64 {
        let now = cx.now.0;
        let (q, _) = self.st.group_on(group, src);
        let weight = self.st.queue(q).weight;
        if weight == 0 || most <= 0 {
            return 0;
        }
        let h_load = self.queue_h_load(q, now);
        let most = if group == 0 {
            most
        } else {
            most * signed(weight) / (signed(h_load) + 1)
        };
        let mut left = most;
        let mut looked = 0;
        let mut at = self.st.rq(src).tasks.head;
        while at != NONE && left > 0 {
            let task = TaskId(at);
            at = self.st.task(task).links.older;
            if self.st.task(task).group != group {
                continue;
            }
            if looked > self.st.tun.nr_migrate {
                break;
            }
            looked += 1;
            let w = signed(self.st.se(task).weight);
            if w / 2 > left || !self.can_migrate(cx, a, src, task, moved) {
                if w / 2 > left {
                    Self::explain_weight(cx, a, task, w, left);
                    if cx.task(task).allowed.contains(a.cpu) {
                        moved.all_pinned = false;
                    }
                }
                continue;
            }
            self.detach(task, now);
            let why = Self::explain_taken(cx, a, src, task, [w, left]);
            self.attach(cx, task, a.cpu, Self::cause(a), why);
            moved.count += 1;
            left -= w;
            if self.st.tun.preempt && a.idle == Idleness::New {
                break;
            }
        }
        let done = most - left;
        if group == 0 {
            done
        } else {
            done * signed(h_load) / (signed(weight) + 1)
        }
    }

    /// `detach_tasks`, `attach_tasks` @ 4.9: examines at most 32 tasks. If nothing is to move it examines none, and all
    /// tasks count as pinned: only an examined task that is not pinned would show otherwise.
    fn move_some(&mut self, cx: &mut Cx<'_>, a: &mut Attempt, src: CpuId) -> Moved {
        let now = cx.now.0;
        let mut moved = Moved {
            all_pinned: true,
            ..Moved::default()
        };
        let most = self
            .st
            .tun
            .nr_migrate
            .min(u64::from(self.st.rq(src).nr_running));
        let mut dst = Attempt { ..*a };
        loop {
            let (mut looked, mut limit) = (0, BREAK);
            let mut imbalance = signed(dst.imbalance);
            loop {
                let (detached, more) = self.detach_some(
                    cx,
                    &dst,
                    src,
                    &mut imbalance,
                    &mut looked,
                    most,
                    limit,
                    &mut moved,
                );
                for (task, why) in detached.into_iter().rev() {
                    self.attach(cx, task, dst.cpu, Self::cause(a), why);
                    moved.count += 1;
                }
                if !more {
                    break;
                }
                limit += BREAK;
            }
            dst.imbalance = u64::try_from(imbalance).unwrap_or(0);
            // Tasks that may not run on this CPU may go to another CPU of the group.
            match moved.other.take() {
                Some(other) if dst.imbalance > 0 => {
                    dst.from.remove(dst.cpu);
                    dst.cpu = other;
                    self.update_rq_clock(other, now);
                    cx.requery(other);
                }
                _ => break,
            }
        }
        a.imbalance = dst.imbalance;
        moved
    }

    #[allow(clippy::too_many_arguments)] // the fields of the kernel's lb_env
    fn detach_some(
        &mut self,
        cx: &mut Cx<'_>,
        a: &Attempt,
        src: CpuId,
        imbalance: &mut i64,
        looked: &mut u64,
        most: u64,
        limit: u64,
        moved: &mut Moved,
    ) -> (Vec<(TaskId, DecisionId)>, bool) {
        let now = cx.now.0;
        let mut detached = Vec::new();
        while *imbalance > 0 && self.st.rq(src).tasks.head != NONE {
            if a.idle != Idleness::Busy && self.st.rq(src).nr_running <= 1 {
                break;
            }
            let task = TaskId(self.st.rq(src).tasks.head);
            *looked += 1;
            if *looked > most {
                break;
            }
            if *looked > limit {
                return (detached, true);
            }
            let mut takes = self.can_migrate(cx, a, src, task, moved);
            let mut load = 0;
            if takes {
                load = signed(self.task_h_load(task, now));
                let failed = self.st.rq(a.cpu).domains[a.level].nr_balance_failed;
                let tiny = self.st.tun.lb_min && load < 16 && failed == 0;
                takes = !tiny && load / 2 <= *imbalance;
                if !takes {
                    Self::explain_weight(cx, a, task, load, *imbalance);
                }
            }
            if !takes {
                self.st.list_to_tail(src, task);
                continue;
            }
            self.detach(task, now);
            let why = Self::explain_taken(cx, a, src, task, [load, *imbalance]);
            detached.push((task, why));
            *imbalance -= load;
            if self.st.tun.preempt && a.idle == Idleness::New {
                break;
            }
        }
        (detached, false)
    }

    /// 4.9: records at the level above that pinned tasks prevented balancing.
    pub(super) fn note_pinned(&mut self, a: &Attempt, moved: &Moved) {
        if moved.some_pinned && a.imbalance > 0 {
            self.mark_parent(a, true);
        }
    }

    pub(super) fn forget_pinned(&mut self, a: &Attempt) {
        self.mark_parent(a, false);
    }

    fn mark_parent(&mut self, a: &Attempt, imbalanced: bool) {
        if self.era.balancing != Balancing::GroupTypes {
            return;
        }
        if let Some(parent) = self.topo.of[a.cpu.index()].get(a.level + 1) {
            let group = parent.groups[0];
            self.st.imbalanced[group] = imbalanced;
        }
    }

    /// Asks the stopper of a CPU to push its running task. Returns whether the stopper was free.
    pub(super) fn push_later(&mut self, cx: &mut Cx<'_>, a: &Attempt, src: CpuId) -> bool {
        let failed = i64::from(self.st.rq(a.cpu).domains[a.level].nr_balance_failed);
        let operands = [i64::from(src.0), failed, 0, 0];
        if self.st.rq(src).active_balance {
            cx.explain(Some(a.cpu), None, reasons::ACTIVE_BALANCE_PENDING, operands);
            return false;
        }
        let level = u8::try_from(a.level).unwrap_or(u8::MAX);
        let rq = self.st.rq_mut(src);
        rq.active_balance = true;
        rq.stop.push(StopWork::Push((a.cpu, level)));
        let why = cx.explain(Some(a.cpu), None, reasons::NEED_ACTIVE_BALANCE, operands);
        cx.kick(src, why);
        true
    }

    /// Pushes a waiting task of a CPU.
    pub(in super::super) fn push(&mut self, cx: &mut Cx<'_>, src: CpuId, (dst, _): (CpuId, u8)) {
        self.st.rq_mut(src).active_balance = false;
        let domains = &self.topo.of[dst.index()];
        let Some(level) = domains.iter().position(|d| d.span.contains(src)) else {
            return;
        };
        let a = Attempt {
            cpu: dst,
            level,
            idle: Idleness::Idle,
            imbalance: 0,
            from: domains[level].span,
        };
        let mut ignored = Moved::default();
        let mut at = self.st.rq(src).tasks.head;
        while at != NONE {
            let task = TaskId(at);
            if self.can_migrate(cx, &a, src, task, &mut ignored) {
                self.st.counters.pushed += 1;
                let failed = self.st.rq(dst).domains[level].nr_balance_failed;
                let operands = [i64::from(src.0), i64::from(failed), level_number(&a), 0];
                let why = cx.explain(Some(dst), Some(task), reasons::TASK_PUSHED, operands);
                self.migrate(cx, task, dst, reasons::ACTIVE_BALANCE, why);
                if self.era.balancing == Balancing::GroupTypes {
                    self.st.rq_mut(dst).domains[level].nr_balance_failed = 0;
                }
                return;
            }
            at = self.st.task(task).links.older;
        }
    }
}
