//! Control groups: limits of CPU time act on queues, level by level, and idle groups.
//!
//! | item | kernel function @ 4.9, 6.1 |
//! |---|---|
//! | `charge_limits` | `account_cfs_rq_runtime` |
//! | `check_limit` | `check_cfs_rq_runtime` |
//! | `throttle` | `throttle_cfs_rq` |
//! | `unthrottle` | `unthrottle_cfs_rq` |
//! | `first_in` | `check_enqueue_throttle` |
//! | `last_out` | `return_cfs_rq_runtime` |

use super::entity::{Ent, NONE, Queue};
use super::load::clock;
use super::queue::{Entry, Leave};
use super::{Cfs, reasons};
use crate::linux::cgroups::Cgroups;
use crate::linux::cgroups::limits::Limits;
use crate::linux::machine::load::LoadTracking;
use sim_contract::cx::Cx;
use sim_contract::flags::Policy;
use sim_ground::ids::{CpuId, TaskId};

/// What the clock shows to a queue, which does not see it while a limit throttles it.
pub(super) fn clock_in(groups: Option<&Cgroups>, q: Queue, now: u64) -> u64 {
    clock(groups.map_or(now, |g| g.clock(q, now)))
}

impl Cfs {
    /// The time of the averages' clock, as a queue and its entities see it.
    #[inline]
    pub(super) fn time_of(&self, q: Queue, now: u64) -> u64 {
        let now = if self.capacities.is_none() {
            now
        } else {
            self.cpu_clock(self.st.queue(q).cpu, now)
        };
        match &self.cgroups {
            None => clock(now),
            groups => clock_in(groups.as_deref(), q, now),
        }
    }

    /// The clock of averages on a CPU.
    fn cpu_clock(&self, cpu: CpuId, now: u64) -> u64 {
        let capacities = self.capacities.as_ref();
        capacities.map_or(now, |c| c.clock(cpu, now))
    }

    /// Tasks enter or leave a queue, or one below it. `idle` of them are idle there.
    pub(super) fn count_tasks(&mut self, q: Queue, [n, idle]: [u32; 2], enters: bool) {
        let queue = self.st.queue_mut(q);
        if enters {
            queue.h_nr_running += n;
        } else {
            queue.h_nr_running -= n;
        }
        if idle > 0 && self.is_shared() {
            let h_idle = &mut self.rows_mut().queues[q as usize].h_idle;
            *h_idle = if enters {
                *h_idle + idle
            } else {
                *h_idle - idle
            };
        }
    }

    /// The numbers of a single task.
    pub(super) fn counts_of(&self, task: TaskId) -> [u32; 2] {
        let idle = self.is_shared() && self.row(task).idle_policy;
        [1, u32::from(idle)]
    }

    /// The numbers of all tasks in a queue and below it.
    pub(super) fn counts_below(&self, q: Queue) -> [u32; 2] {
        let idle = if self.is_shared() {
            self.rows().queues[q as usize].h_idle
        } else {
            0
        };
        [self.st.queue(q).h_nr_running, idle]
    }

    /// Whether a queue is that of an idle group (`cfs_rq_is_idle`).
    #[inline]
    pub(super) fn is_idle_queue(&self, q: Queue) -> bool {
        let group = |groups: &Cgroups| groups.is_idle(self.st.queue(q).group);
        self.cgroups.as_deref().is_some_and(group)
    }

    /// Whether tasks that entered or left a queue count no further up, because it is throttled. If they do, and the queue is
    /// that of an idle group, all of them are idle above it.
    pub(super) fn ends_at(&self, q: Queue, n: &mut [u32; 2]) -> bool {
        if self.is_idle_queue(q) {
            n[1] = n[0];
        }
        self.cgroups.as_ref().is_some_and(|g| g.is_throttled(q))
    }

    /// Whether the groups of a running task nest or have limits, so that its ticks are applied one by one.
    #[cold]
    pub(super) fn is_deep(&self, e: Ent) -> bool {
        match self.st.ent(e).parent {
            NONE => false,
            parent => {
                let limits = self.cgroups.as_ref().is_some_and(|g| g.has_limits());
                limits || self.st.ent(parent).parent != NONE
            }
        }
    }

    /// Charges a queue in which something runs. If it has no time left, its CPU reschedules at the end of the hook.
    #[cold]
    pub(super) fn charge_limits(&mut self, q: Queue, delta: u64, now: u64) {
        if let Some(groups) = self.cgroups.as_mut().filter(|g| g.has_limits())
            && groups.account(q, delta, now)
        {
            groups.out_of_time.push(q);
        }
    }

    /// Whether a CPU must reschedule because a control group has no time left; it is about to.
    pub(super) fn takes_out_of_time(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> bool {
        let Some(groups) = &mut self.cgroups else {
            return false;
        };
        let all = std::mem::take(&mut groups.out_of_time);
        let (own, others) = all.into_iter().partition(|q| self.st.queue(*q).cpu == cpu);
        groups.out_of_time = others;
        let own: Vec<Queue> = own;
        if let Some(q) = own.first() {
            self.explain_out_of_time(cx, *q);
        }
        !own.is_empty()
    }

    /// A CPU enters the scheduler anyway.
    pub(super) fn drops_out_of_time(&mut self, cpu: CpuId) {
        if let Some(groups) = &mut self.cgroups {
            let st = &self.st;
            groups.out_of_time.retain(|q| st.queue(*q).cpu != cpu);
        }
    }

    /// Makes CPUs reschedule whose control groups have no time left.
    #[cold]
    pub(super) fn ask_out_of_time(&mut self, cx: &mut Cx<'_>) {
        let all = self
            .cgroups
            .as_mut()
            .map(|g| std::mem::take(&mut g.out_of_time));
        for q in all.into_iter().flatten() {
            let cpu = self.st.queue(q).cpu;
            if self.st.rq(cpu).curr.is_some() && !cx.flagged.contains(cpu) {
                let why = self.explain_out_of_time(cx, q);
                self.resched(cx, cpu, Some(why));
            }
        }
    }

    fn explain_out_of_time(&self, cx: &mut Cx<'_>, q: Queue) -> sim_contract::decision::DecisionId {
        let cpu = self.st.queue(q).cpu;
        let left = self.cgroups.as_ref().and_then(|g| Some((g, g.left(q)?)));
        let operands = left.map_or([0; 4], |(groups, (group, left))| {
            [i64::from(group) + 1, -left, groups.pool(group)[0], 0]
        });
        let task = self.st.rq(cpu).curr;
        cx.explain(Some(cpu), task, reasons::CGROUP_OUT_OF_TIME, operands)
    }

    /// The level of an entity that stays queued: averages since 6.1, and counts. Returns whether the level is throttled.
    fn update_level(&mut self, e: Ent, n: &mut [u32; 2], enters: bool, now: u64) -> bool {
        let q = self.st.ent(e).queue;
        if self.is_shared() {
            self.update_avg(e, now, enters);
            self.note_runnable(e);
        }
        self.count_tasks(q, *n, enters);
        self.ends_at(q, n)
    }

    /// Puts the entity of a queue back, and those above it, up to a level that is queued already or is throttled.
    fn put_back(&mut self, q: Queue, now: u64) {
        if self.st.queue(q).weight == 0 {
            return;
        }
        let cpu = self.st.queue(q).cpu;
        let mut n = self.counts_below(q);
        let all = n[0];
        if self.is_idle_queue(q) {
            n[1] = n[0];
        }
        let mut e = self.st.owner(q);
        while e != NONE && !self.st.ent(e).on_rq {
            let above = self.st.ent(e).queue;
            self.enqueue_entity(above, e, Entry::Wakeup, false, Policy::Normal, now);
            self.count_tasks(above, n, true);
            if self.ends_at(above, &mut n) {
                return;
            }
            e = self.st.ent(e).parent;
        }
        while e != NONE {
            if self.update_level(e, &mut n, true, now) {
                return;
            }
            e = self.st.ent(e).parent;
        }
        self.st.rq_mut(cpu).nr_running += all;
        self.task_arrived(cpu);
        self.ticks.moves(cpu);
    }

    /// The queues of a CPU that are in no other, because a limit throttles them.
    pub(super) fn throttled_on(&self, cpu: CpuId) -> impl Iterator<Item = Queue> + '_ {
        let groups = u32::try_from(self.st.groups.len()).unwrap_or(0);
        let queues = (1..groups).map(move |group| self.st.group_on(group, cpu).0);
        queues.filter(move |q| {
            self.st.queue(*q).nr_running > 0 && !self.st.ent(self.st.owner(*q)).on_rq
        })
    }
}

impl Limits for Cfs {
    #[inline]
    fn cgroups(&self) -> Option<&Cgroups> {
        self.cgroups.as_deref()
    }

    #[inline]
    fn cgroups_mut(&mut self) -> Option<&mut Cgroups> {
        self.cgroups.as_deref_mut()
    }

    fn cpu_of_limited(&self, q: Queue) -> CpuId {
        self.st.queue(q).cpu
    }

    fn group_queue(&self, task: TaskId, cpu: CpuId) -> Option<Queue> {
        let group = self.st.task(task).group;
        (group != 0).then(|| self.st.group_on(group, cpu).0)
    }

    #[inline]
    fn runs_in(&self, q: Queue) -> bool {
        self.st.queue(q).curr != NONE
    }

    #[cold]
    fn throttle(&mut self, q: Queue, now: u64, at_wake: bool) {
        let cpu = self.st.queue(q).cpu;
        let shown = self.cpu_clock(cpu, now);
        let (groups, st) = (&mut self.cgroups, &self.st);
        if let Some(groups) = groups {
            groups.throttles(q, [now, shown], at_wake, |q| st.queue(q).nr_running > 0);
        }
        let mut n = self.counts_below(q);
        let all = n[0];
        if self.is_idle_queue(q) {
            n[1] = n[0];
        }
        let mut e = self.st.owner(q);
        while e != NONE {
            if !self.st.ent(e).on_rq {
                return;
            }
            let above = self.st.ent(e).queue;
            self.dequeue_entity(above, e, Leave::Sleep, false, now);
            self.count_tasks(above, n, false);
            self.ends_at(above, &mut n);
            let others = self.st.queue(above).weight > 0;
            e = self.st.ent(e).parent;
            if others {
                break;
            }
        }
        while e != NONE {
            if !self.st.ent(e).on_rq {
                return;
            }
            self.update_level(e, &mut n, false, now);
            e = self.st.ent(e).parent;
        }
        self.st.rq_mut(cpu).nr_running -= all;
        self.ticks.moves(cpu);
    }

    fn unthrottle(&mut self, q: Queue, now: u64) {
        let cpu = self.st.queue(q).cpu;
        let shown = self.cpu_clock(cpu, now);
        if let Some(groups) = &mut self.cgroups {
            groups.releases(q, [now, shown]);
        }
        self.put_back(q, now);
    }

    fn has_fair(&self, cpu: CpuId) -> bool {
        self.st.root(cpu).nr_running > 0
    }

    /// The shares are read where they are needed.
    fn set_shares(&mut self, group: u32, _: u64, now: u64) {
        for c in 0..self.st.rqs.len() {
            let (_, mut e) = self.st.group_on(group, CpuId::new(c));
            while e != NONE {
                self.update_avg(e, now, true);
                let below = self.st.ent(e).my_queue;
                if self.is_shared() {
                    LoadTracking::update_shares_of(self, e, now);
                } else {
                    self.update_shares_of(below, now);
                }
                e = self.st.ent(e).parent;
            }
        }
    }
}
