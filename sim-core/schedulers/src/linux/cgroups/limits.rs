//! Limits act on queues: timers, releases, writes into the files of a group, and what is told of all that.
//!
//! | item | kernel function @ 6.12.117 |
//! |---|---|
//! | `limit_timer` | `sched_cfs_period_timer`, `sched_cfs_slack_timer` |
//! | `release` | `unthrottle_cfs_rq` |
//! | `change_cgroup` | `cpu_max_write`, `sched_group_set_shares` |
//!
//! Deviations: all timers of the groups are one of the engine. At the end of a period it expires 1 ns early to fill the pool
//! and to give throttled queues their time, so that this comes before the ticks of that instant. The queues are released
//! after these ticks, on all CPUs at once, in the order of the group's list.

use super::{Cgroups, Queue, Told};
use crate::linux::class::FairClass;
use crate::linux::tables::Tables;
use sim_contract::cgroup::CgroupChange;
use sim_contract::cx::Cx;
use sim_contract::flags::TimerId;
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::time::SimTime;

/// The timer of all limits.
pub(crate) const TIMER: TimerId = 0;

/// A group's number in the scheduler, which columns show.
fn number(group: u32) -> i64 {
    i64::from(group) + 1
}

/// A fair scheduler with control groups.
pub(crate) trait Limits: FairClass {
    /// Its control groups, if the scenario has some.
    fn cgroups(&self) -> Option<&Cgroups>;

    /// The same, mutable.
    fn cgroups_mut(&mut self) -> Option<&mut Cgroups>;

    /// The CPU of a queue.
    fn cpu_of_limited(&self, q: Queue) -> CpuId;

    /// The queue on a CPU of the group of a task; `None` for the root.
    fn group_queue(&self, task: TaskId, cpu: CpuId) -> Option<Queue>;

    /// Whether an entity of a queue runs.
    fn runs_in(&self, q: Queue) -> bool;

    /// `throttle_cfs_rq`, when no time could be had.
    fn throttle(&mut self, q: Queue, now: u64, at_wake: bool);

    /// Puts the entity of a queue back that is no longer throttled.
    fn unthrottle(&mut self, q: Queue, now: u64);

    /// Whether fair tasks wait on a CPU that are not throttled.
    fn has_fair(&self, cpu: CpuId) -> bool;

    /// Gives a group other shares.
    fn set_shares(&mut self, group: u32, shares: u64, now: u64);

    /// Whether a limit at or above a queue throttles it.
    #[inline]
    fn is_below_throttled(&self, q: Queue) -> bool {
        self.cgroups().is_some_and(|g| g.is_below_throttled(q))
    }

    /// A queue has its first entity.
    #[cold]
    fn first_in(&mut self, q: Queue, now: u64) {
        let runs = self.runs_in(q);
        let Some(groups) = self.cgroups_mut().filter(|g| g.has_limits()) else {
            return;
        };
        if !runs && groups.must_throttle_newcomer(q, now) {
            self.throttle(q, now, true);
        }
        if let Some(groups) = self.cgroups_mut() {
            groups.fills_throttled(q, now);
        }
    }

    /// A queue has lost its last entity.
    #[cold]
    fn last_out(&mut self, q: Queue, now: u64) {
        if let Some(groups) = self.cgroups_mut().filter(|g| g.has_limits()) {
            groups.gives_back(q, now);
        }
    }

    /// Throttles a queue that has no time left. Returns whether it did.
    #[inline]
    fn check_limit(&mut self, q: Queue, now: u64) -> bool {
        self.cgroups().is_some() && self.checks_limit(q, now)
    }

    #[inline(never)]
    fn checks_limit(&mut self, q: Queue, now: u64) -> bool {
        let groups = self.cgroups_mut().filter(|g| g.has_limits());
        let must = groups.is_some_and(|g| g.must_throttle(q, now));
        if must {
            self.throttle(q, now, false);
        }
        must
    }

    /// Whether a task stays on its CPU because its group is throttled there, or where it would go (`throttled_lb_pair`).
    fn keeps_throttled(&self, cx: &mut Cx<'_>, task: TaskId, [src, dst]: [CpuId; 2]) -> bool {
        if self.cgroups().is_none() {
            return false;
        }
        let mut queues = [src, dst]
            .into_iter()
            .filter_map(|cpu| self.group_queue(task, cpu));
        let keeps = queues.any(|q| self.is_below_throttled(q));
        if keeps {
            let operands = [i64::from(src.0), 0, 0, 0];
            cx.explain(
                Some(dst),
                Some(task),
                Self::REASONS.throttled_lb_pair,
                operands,
            );
        }
        keeps
    }

    /// The timer of all limits has expired.
    fn limit_timer(&mut self, cx: &mut Cx<'_>) {
        let now = cx.now.0;
        let Some(groups) = self.cgroups() else { return };
        let (refills, slacks) = (groups.refills_at(now), groups.slack_at(now));
        let released = self.cgroups_mut().map(|g| g.releases_at(now));
        for (group, queues) in released.into_iter().flatten() {
            let pool = self.cgroups().map_or([0; 2], |g| g.pool(group));
            let cpu = queues.first().map(|q| self.cpu_of_limited(*q));
            let operands = [number(group), pool[0], pool[1], 0];
            cx.explain(cpu, None, Self::REASONS.cgroup_refilled, operands);
            for q in queues {
                self.release(cx, q);
            }
        }
        for group in refills {
            if let Some(groups) = self.cgroups_mut() {
                groups.refill(group, now);
            }
        }
        for group in slacks {
            let queues = self.cgroups_mut().map(|g| g.slack_ends(group, now));
            for q in queues.into_iter().flatten() {
                self.release(cx, q);
            }
        }
    }

    /// A queue is throttled no longer. Its CPU picks again only if it is idle.
    fn release(&mut self, cx: &mut Cx<'_>, q: Queue) {
        let now = cx.now.0;
        let cpu = self.cpu_of_limited(q);
        // A change of the limit may have released it since.
        if !self.cgroups().is_some_and(|g| g.is_throttled(q)) {
            return;
        }
        self.update_rq_clock(cpu, now);
        self.unthrottle(q, now);
        cx.requery(cpu);
        let Some((groups, (group, left))) = self.cgroups().and_then(|g| Some((g, g.left(q)?)))
        else {
            return;
        };
        let [pool, _] = groups.pool(group);
        let idle = self.state().current(cpu).is_none();
        let reason = if idle {
            Self::REASONS.cgroup_released
        } else {
            Self::REASONS.cgroup_released_on_a_busy_cpu
        };
        let operands = [number(group), left, pool, 0];
        let why = cx.explain(Some(cpu), None, reason, operands);
        if idle && self.has_fair(cpu) {
            self.resched(cx, cpu, Some(why));
        }
    }

    /// Something is written into a file of a control group.
    fn change_cgroup(&mut self, cx: &mut Cx<'_>, group: u32, change: CgroupChange) {
        let now = cx.now.0;
        let Some(groups) = self.cgroups_mut() else {
            return;
        };
        let queues = groups.change(group, change, now);
        if let CgroupChange::Shares(shares) = change {
            if !self.cgroups().is_some_and(|g| g.is_idle(group + 1)) {
                self.set_shares(group + 1, shares, now);
            }
            return;
        }
        for q in queues {
            self.release(cx, q);
        }
    }

    /// Ends a hook: sets the timer, and tells what happened.
    #[inline]
    fn end_limits(&mut self, cx: &mut Cx<'_>) {
        let moved = |g: &Cgroups| g.timers_moved || !g.told.is_empty();
        if self.cgroups().is_some_and(moved) {
            self.tell_limits(cx);
        }
    }

    /// The same where there is something to do.
    #[cold]
    fn tell_limits(&mut self, cx: &mut Cx<'_>) {
        let Some(groups) = self.cgroups_mut() else {
            return;
        };
        if std::mem::take(&mut groups.timers_moved) {
            // One that is not needed any more expires in vain.
            if let Some(next) = groups.next_timer() {
                cx.arm(TIMER, SimTime(next));
            }
        }
        for told in std::mem::take(&mut groups.told) {
            match told {
                Told::Throttled {
                    cpu,
                    group,
                    debt,
                    at_wake,
                } => {
                    let [pool, waiting] = groups.pool(group);
                    let reason = if at_wake {
                        Self::REASONS.cgroup_throttled_at_wake
                    } else {
                        Self::REASONS.cgroup_throttled
                    };
                    let operands = [number(group), debt, pool, waiting];
                    cx.explain(Some(cpu), None, reason, operands);
                }
                Told::GaveBack { cpu, group, ns } => {
                    let [pool, _] = groups.pool(group);
                    let ns = i64::try_from(ns).unwrap_or(i64::MAX);
                    let operands = [number(group), ns, pool, 0];
                    cx.explain(Some(cpu), None, Self::REASONS.cgroup_gave_back, operands);
                }
            }
        }
    }
}
