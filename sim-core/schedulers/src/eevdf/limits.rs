//! Control groups: limits of CPU time act on queues, level by level, and idle groups.
//!
//! | item | kernel function @ 6.12.117 |
//! |---|---|
//! | `charge_limits` | `account_cfs_rq_runtime` |
//! | `check_limit` | `check_cfs_rq_runtime` |
//! | `throttle` | `throttle_cfs_rq` |
//! | `unthrottle` | `unthrottle_cfs_rq` |
//! | `first_in` | `check_enqueue_throttle` |
//! | `last_out` | `return_cfs_rq_runtime` |
//!
//! Deviations: since 6.18 each thread of a throttled group leaves by itself, on its way out of the kernel. Threads here are
//! always outside, so the whole queue leaves at once, as before. Groups of 7.3 have weights and no limits.

use super::Eevdf;
use super::queue::{Counted, Leave};
use super::state::{Ent, NONE, Queue};
use crate::linux::cgroups::Cgroups;
use crate::linux::cgroups::limits::Limits;
use crate::linux::machine::load::LoadTracking;
use sim_ground::ids::{CpuId, TaskId};

impl Eevdf {
    /// Whether a queue's own limit throttles it.
    #[inline]
    pub(super) fn is_throttled(&self, q: Queue) -> bool {
        self.cgroups.as_ref().is_some_and(|g| g.is_throttled(q))
    }

    /// Whether a queue is that of an idle group (`cfs_rq_is_idle`).
    #[inline]
    pub(super) fn is_idle_queue(&self, q: Queue) -> bool {
        let group = |groups: &Cgroups| groups.is_idle(self.st.queue(q).group);
        self.cgroups.as_deref().is_some_and(group)
    }

    /// Whether each tick of the running entity of a task matters, because of its control groups.
    #[inline]
    pub(super) fn limits_each_tick(&self, e: Ent) -> bool {
        let groups = self.cgroups.as_ref().filter(|g| g.has_limits());
        groups.is_some() && self.st.ent(e).parent != NONE
    }

    /// Charges the queue in which an entity runs. Returns whether it has no time left.
    #[cold]
    pub(super) fn charge_limits(&mut self, e: Ent, delta: u64, now: u64) -> bool {
        let Some(groups) = self.cgroups.as_mut().filter(|g| g.has_limits()) else {
            return false;
        };
        groups.account(self.st.entities[e as usize].queue, delta, now)
    }

    /// The tasks of a queue, and how many of them its group counts in the queue above.
    fn counted_above(&self, q: Queue) -> (u32, Counted) {
        let queue = self.st.queue(q);
        let n = Counted {
            queued: queue.h_queued,
            runnable: queue.h_runnable,
            idle: queue.h_idle,
        };
        let above = if self.is_idle_queue(q) {
            n.below_idle()
        } else {
            n
        };
        (queue.h_queued, above)
    }

    /// The level of an entity that stays queued: averages and counts. Returns what counts on the next level.
    fn update_level(
        &mut self,
        e: Ent,
        now: u64,
        n: Counted,
        count: impl Fn(&mut Self, Queue, Counted),
    ) -> Counted {
        let q = self.st.ent(e).queue;
        self.update_avg(e, now, false);
        self.note_runnable(e);
        count(self, q, n);
        if self.is_idle_queue(q) {
            n.below_idle()
        } else {
            n
        }
    }

    /// Puts the entity of a queue back, and those above it, up to a level that is queued already or is throttled.
    fn put_back(&mut self, q: Queue, now: u64) {
        if self.st.queue(q).nr == 0 {
            return;
        }
        let cpu = self.st.queue(q).cpu;
        let before = self.st.root(cpu).h_queued;
        let (all, mut n) = self.counted_above(q);
        let mut e = self.st.owner(q);
        while e != NONE {
            let ent = self.st.ent(e);
            let above = ent.queue;
            if ent.delayed {
                self.dequeue_entity(above, e, Leave::Delayed, now);
            } else if ent.on_rq {
                break;
            }
            self.take_group_slice(e);
            self.enqueue_entity(above, e, false, now);
            self.count_in(above, n);
            if self.is_throttled(above) {
                return;
            }
            if self.is_idle_queue(above) {
                n = n.below_idle();
            }
            e = self.st.ent(e).parent;
        }
        while e != NONE {
            let above = self.st.ent(e).queue;
            n = self.update_level(e, now, n, Self::count_in);
            if self.is_throttled(above) {
                return;
            }
            e = self.st.ent(e).parent;
        }
        self.note_fair(cpu, before, now);
        self.st.rq_mut(cpu).nr_running += all;
        self.ticks.moves(cpu);
    }
}

impl Limits for Eevdf {
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
        let shown = self.cpu_clock(self.st.queue(q).cpu, now);
        let (groups, st) = (&mut self.cgroups, &self.st);
        if let Some(groups) = groups {
            groups.throttles(q, [now, shown], at_wake, |q| st.queue(q).nr > 0);
        }
        let cpu = self.st.queue(q).cpu;
        let (all, mut n) = self.counted_above(q);
        let mut e = self.st.owner(q);
        while e != NONE {
            let ent = self.st.ent(e);
            if !ent.on_rq {
                return;
            }
            let (above, delayed) = (ent.queue, ent.delayed);
            let how = if delayed {
                Leave::Delayed
            } else {
                Leave::Throttled
            };
            self.dequeue_entity(above, e, how, now);
            self.count_out(above, n);
            if self.is_idle_queue(above) {
                n = n.below_idle();
            }
            let others = self.st.queue(above).nr > 0;
            e = self.st.ent(e).parent;
            if others {
                break;
            }
        }
        while e != NONE {
            if !self.st.ent(e).on_rq {
                return;
            }
            n = self.update_level(e, now, n, Self::count_out);
            e = self.st.ent(e).parent;
        }
        self.st.rq_mut(cpu).nr_running -= all;
        self.ticks.moves(cpu);
    }

    fn unthrottle(&mut self, q: Queue, now: u64) {
        let shown = self.cpu_clock(self.st.queue(q).cpu, now);
        if let Some(groups) = &mut self.cgroups {
            groups.releases(q, [now, shown]);
        }
        self.put_back(q, now);
    }

    fn has_fair(&self, cpu: CpuId) -> bool {
        self.st.root(cpu).nr > 0
    }

    fn set_shares(&mut self, group: u32, shares: u64, now: u64) {
        let Some(row) = self.st.groups.get_mut(group as usize) else {
            return;
        };
        row.shares = shares << super::mean::SCALE_BITS;
        for c in 0..self.st.rqs.len() {
            let (_, mut e) = self.st.group_on(group, CpuId::new(c));
            while e != NONE {
                self.update_avg(e, now, true);
                self.update_shares_of(e, now);
                e = self.st.ent(e).parent;
            }
        }
    }
}
