//! Load: averages of entities and queues, how groups pass them on, and estimates of utilisation.
//!
//! | item | kernel function @ 6.12.117 |
//! |---|---|
//! | `update_avg` | `update_load_avg` |
//! | `update_queue_avg` | `update_cfs_rq_load_avg` |
//! | `propagate` | `propagate_entity_load_avg`, `update_tg_cfs_util`, `update_tg_cfs_runnable`, `update_tg_cfs_load` |
//! | `enqueue_avg`, `attach_avg` | `update_load_avg(DO_ATTACH)`, `attach_entity_load_avg` |
//! | `dequeue_avg`, `detach_avg` | `update_load_avg(DO_DETACH)`, `detach_entity_load_avg` |
//! | `remove_avg` | `remove_entity_load_avg`, `sync_entity_load_avg`, `migrate_se_pelt_lag` |
//! | `give_load`, `take_load` | `enqueue_load_avg`, `dequeue_load_avg` |
//! | `init_avg` | `init_entity_runnable_average`, `post_init_entity_util_avg` |
//! | `util_est_*` | the same |
//!
//! The load of a CPU is that of its last event; skipped ticks are applied before, with the same result as one by one.
//!
//! Deviation: the averages' clock is the time, because frequency and capacity are always those of a CPU at its best.
//! (`rq_clock_pelt` stops while a CPU is idle, and then jumps to the time.)

use super::Eevdf;
use super::pelt::{Avg, Counts, MIN_DIVIDER};
use super::queue::Leave;
use super::state::{Ent, FairQueue, NONE, Queue};
use crate::linux::signed;
use sim_ground::ids::{CpuId, TaskId};

/// Capacity of a CPU (`SCHED_CAPACITY_SCALE`).
const CAPACITY: u64 = 1_024;
/// Changes of an estimate up to this are ignored (`UTIL_EST_MARGIN`).
const MARGIN: u64 = CAPACITY / 100;

/// The time of the averages' clock; 0 means "counts nowhere".
pub(super) fn clock(now: u64) -> u64 {
    now + (1 << 30)
}

/// `add_positive`: the sum, not below 0.
fn plus(value: u64, delta: i64) -> u64 {
    // `add_positive`
    value.saturating_add_signed(delta)
}

impl FairQueue {
    /// Whether its averages are up to date with a time of their clock.
    #[inline]
    pub(super) fn is_averaged(&self, now: u64) -> bool {
        !self.avg.is_behind(now) && self.removed.nr == 0
    }

    /// Brings its averages up to a time of their clock. Returns whether they changed.
    #[inline]
    fn advance(&mut self, now: u64) -> bool {
        let removed = self.removed.nr > 0;
        if removed {
            self.take_off_removed();
        }
        let counts = self.counts();
        let ended = self.avg.advance(now, counts);
        if ended {
            self.avg.weigh(1);
        }
        ended || removed
    }

    /// The amounts that the queue counts in its averages.
    #[inline]
    pub(super) fn counts(&self) -> Counts {
        Counts {
            load: self.weight >> super::mean::SCALE_BITS,
            runnable: u64::from(self.h_runnable),
            running: self.curr != NONE,
        }
    }

    #[cold]
    fn take_off_removed(&mut self) {
        let gone = std::mem::take(&mut self.removed);
        let avg = &mut self.avg;
        let divider = avg.divider();
        // `sub_positive`: what was removed has been rounded on its own.
        let less = |value: &mut u64, by: u64| *value = value.saturating_sub(by);
        less(&mut avg.load_avg, gone.load);
        less(&mut avg.load_sum, gone.load * divider);
        less(&mut avg.runnable_avg, gone.runnable);
        less(&mut avg.runnable_sum, gone.runnable * divider);
        less(&mut avg.util_avg, gone.util);
        less(&mut avg.util_sum, gone.util * divider);
        avg.mend();
        self.hears(-(signed(gone.runnable * divider) >> 10));
    }

    /// `add_tg_cfs_propagate`: load was added or removed below; it reaches the entity above at the next update.
    fn hears(&mut self, runnable: i64) {
        self.propagates = true;
        self.propagated += runnable;
    }

    /// Adds or subtracts the averages of an entity, except its load.
    fn add_use(&mut self, avg: &Avg, more: bool) {
        let sign = if more { 1 } else { -1 };
        let own = &mut self.avg;
        own.util_avg = plus(own.util_avg, sign * signed(avg.util_avg));
        own.util_sum = plus(own.util_sum, sign * signed(avg.util_sum));
        own.runnable_avg = plus(own.runnable_avg, sign * signed(avg.runnable_avg));
        own.runnable_sum = plus(own.runnable_sum, sign * signed(avg.runnable_sum));
        own.mend();
        self.hears(sign * signed(avg.load_sum));
    }
}

impl Eevdf {
    /// `update_cfs_rq_load_avg`. Returns whether the average changed.
    pub(super) fn update_queue_avg(&mut self, q: Queue, now: u64) -> bool {
        let queue = self.st.queue_mut(q);
        !queue.is_averaged(clock(now)) && queue.advance(clock(now))
    }

    /// Brings the averages of an entity of a queue up to date.
    #[inline(never)]
    pub(super) fn advance_entity(&mut self, q: Queue, e: Ent, now: u64) {
        let running = self.st.queues[q as usize].curr == e;
        let ent = &mut self.st.entities[e as usize];
        let counts = ent.counts(running);
        let wait = self.wait.until(clock(now), &ent.avg);
        if ent.avg.wait(wait, counts, ent.load) && ent.my_queue == NONE {
            let task = TaskId(ent.task);
            self.st.task_mut(task).util_changed = true;
        }
    }

    /// `update_load_avg` of an entity that counts in its queue.
    #[inline]
    pub(super) fn update_avg(&mut self, e: Ent, now: u64, tell_group: bool) {
        // Several hooks at one instant call this; only the first finds something to do.
        let ent = self.st.ent(e);
        let (q, below) = (ent.queue, ent.my_queue);
        let steady = below == NONE && self.st.queue(q).is_averaged(clock(now));
        if ent.avg.is_behind(clock(now)) && ent.avg.last_update != 0 {
            self.advance_entity(q, e, now);
        }
        if !steady {
            self.update_above_entity(q, e, below, now, tell_group);
        }
    }

    /// The second half of `update_load_avg`: the queue's average, and what the group reports.
    #[inline(never)]
    fn update_above_entity(&mut self, q: Queue, e: Ent, below: Queue, now: u64, tell_group: bool) {
        let mut changed = self.update_queue_avg(q, now);
        if below != NONE && self.st.queue(below).propagates {
            self.propagate(q, e, below);
            changed = true;
        }
        if changed && tell_group {
            self.update_group_load(q, now);
        }
    }

    /// `propagate_entity_load_avg`: changes of a group's queue reach the group's entity and the queue above it.
    fn propagate(&mut self, q: Queue, e: Ent, below: Queue) {
        let from = self.st.queue_mut(below);
        from.propagates = false;
        let runnable = std::mem::take(&mut from.propagated);
        let (avg, weight) = (from.avg, from.weight >> super::mean::SCALE_BITS);
        self.st.queue_mut(q).hears(runnable);
        let divider = self.st.queue(q).avg.divider();
        let ent = self.st.ent_mut(e);
        let w = ent.load;
        let set = |own: &mut u64, sum: &mut u64, new: u64| {
            let new_sum = new * divider;
            let by = (signed(new) - signed(*own), signed(new_sum) - signed(*sum));
            if by.0 == 0 {
                return (0, 0);
            }
            (*own, *sum) = (new, new_sum);
            by
        };
        let own = &mut ent.avg;
        let util = set(&mut own.util_avg, &mut own.util_sum, avg.util_avg);
        let run = set(
            &mut own.runnable_avg,
            &mut own.runnable_sum,
            avg.runnable_avg,
        );
        let mut load = (0, 0);
        if runnable != 0 {
            let own = signed(ent.avg.load_sum);
            let time = if runnable >= 0 {
                (runnable + own).min(signed(divider))
            } else {
                // The rest is about the average of the other entities below.
                own.min(avg.load_sum.checked_div(weight).map_or(0, signed))
            };
            let time = time.max(signed(ent.avg.util_sum >> 10));
            let time = time.unsigned_abs();
            let average = w * time / divider;
            let by = signed(average) - signed(ent.avg.load_avg);
            if by != 0 {
                load = (by, signed(w * time) - signed(w * ent.avg.load_sum));
                (ent.avg.load_sum, ent.avg.load_avg) = (time, average);
            }
        }
        let own = &mut self.st.queue_mut(q).avg;
        own.util_avg = plus(own.util_avg, util.0);
        own.util_sum = plus(own.util_sum, util.1);
        own.runnable_avg = plus(own.runnable_avg, run.0);
        own.runnable_sum = plus(own.runnable_sum, run.1);
        own.load_avg = plus(own.load_avg, load.0);
        own.load_sum = plus(own.load_sum, load.1);
        own.mend();
    }

    /// Averages at an enqueue: an entity that counts nowhere yet counts in this queue from now on.
    pub(super) fn enqueue_avg(&mut self, q: Queue, e: Ent, now: u64) {
        let arrives = self.st.ent(e).avg.last_update == 0;
        self.update_avg(e, now, true);
        if arrives {
            self.attach_avg(q, e);
            self.update_group_load(q, now);
        }
    }

    /// Averages at a dequeue: an entity that goes to another CPU takes its averages along.
    pub(super) fn dequeue_avg(&mut self, q: Queue, e: Ent, now: u64, leave: Leave) {
        self.update_avg(e, now, true);
        let ent = self.st.ent(e);
        if leave == Leave::Moves && ent.is_task() {
            self.detach_avg(q, e);
            self.update_group_load(q, now);
        }
    }

    /// `enqueue_load_avg`: adds an entity's load to its queue's.
    fn give_avg(&mut self, q: Queue, e: Ent) {
        let ent = self.st.ent(e);
        let (load, sum) = (ent.avg.load_avg, ent.load * ent.avg.load_sum);
        let avg = &mut self.st.queue_mut(q).avg;
        avg.load_avg += load;
        avg.load_sum += sum;
    }

    /// `dequeue_load_avg`.
    fn take_avg(&mut self, q: Queue, e: Ent) {
        let ent = self.st.ent(e);
        let (load, sum) = (ent.avg.load_avg, ent.load * ent.avg.load_sum);
        let avg = &mut self.st.queue_mut(q).avg;
        // `sub_positive`
        avg.load_avg = avg.load_avg.saturating_sub(load);
        avg.load_sum = avg.load_sum.saturating_sub(sum);
        avg.load_sum = avg.load_sum.max(avg.load_avg * MIN_DIVIDER);
    }

    /// Subtracts the load of an entity before its weight changes.
    pub(super) fn take_load(&mut self, q: Queue, e: Ent) {
        if self.st.ent(e).avg.last_update != 0 {
            self.take_avg(q, e);
        }
    }

    /// Adds the load again after the change.
    pub(super) fn give_load(&mut self, q: Queue, e: Ent) {
        let ent = self.st.ent_mut(e);
        let divider = ent.avg.divider();
        ent.avg.load_avg = ent.load * ent.avg.load_sum / divider;
        if ent.avg.last_update != 0 {
            self.give_avg(q, e);
        }
    }

    /// `attach_entity_load_avg`.
    fn attach_avg(&mut self, q: Queue, e: Ent) {
        let queue = self.st.queue(q);
        let (at, contrib, divider) = (
            queue.avg.last_update,
            queue.avg.period_contrib,
            queue.avg.divider(),
        );
        let ent = self.st.ent_mut(e);
        let w = ent.load;
        let avg = &mut ent.avg;
        (avg.last_update, avg.period_contrib) = (at, contrib);
        avg.util_sum = avg.util_avg * divider;
        avg.runnable_sum = avg.runnable_avg * divider;
        let sum = avg.load_avg * divider;
        avg.load_sum = if w < sum { sum / w } else { 1 };
        let avg = *avg;
        self.give_avg(q, e);
        self.st.queue_mut(q).add_use(&avg, true);
    }

    /// `detach_entity_load_avg`.
    fn detach_avg(&mut self, q: Queue, e: Ent) {
        self.take_avg(q, e);
        let avg = self.st.ent(e).avg;
        self.st.queue_mut(q).add_use(&avg, false);
        self.st.ent_mut(e).avg.last_update = 0;
    }

    /// `remove_entity_load_avg`: a sleeping task leaves for another CPU, or ends. Its queue subtracts its load at the
    /// next update.
    pub(super) fn remove_avg(&mut self, e: Ent, now: u64) {
        let ent = self.st.ent(e);
        if ent.avg.last_update == 0 {
            return;
        }
        let (q, load) = (ent.queue, ent.load);
        let queue = self.st.queue(q);
        // The averages of an idle CPU are not updated: entities that sleep there have slept until now.
        let at = if self.st.rq(queue.cpu).curr.is_none() {
            clock(now)
        } else {
            queue.avg.last_update
        };
        let avg = &mut self.st.ent_mut(e).avg;
        if avg.advance(at, Counts::NONE) {
            avg.weigh(load);
        }
        let gone = *avg;
        avg.last_update = 0;
        let removed = &mut self.st.queue_mut(q).removed;
        removed.nr += 1;
        removed.load += gone.load_avg;
        removed.runnable += gone.runnable_avg;
        removed.util += gone.util_avg;
    }

    /// `init_entity_runnable_average`: a new task counts with its full weight.
    pub(super) fn init_avg(&mut self, e: Ent) {
        let ent = self.st.ent_mut(e);
        ent.avg.load_avg = ent.load;
    }

    /// `post_init_entity_util_avg`: utilisation in proportion to its weight, but at most half of what the CPU has left.
    pub(super) fn join_avg(&mut self, e: Ent) {
        let ent = self.st.ent(e);
        let queue = &self.st.queue(ent.queue).avg;
        // The kernel asks whether the signed difference is positive.
        let cap = CAPACITY.saturating_sub(queue.util_avg) / 2;
        let mut util = ent.avg.util_avg;
        if cap > 0 {
            util = match queue.util_avg {
                0 => cap,
                used => (used * ent.load / (queue.load_avg + 1)).min(cap),
            };
        }
        let avg = &mut self.st.ent_mut(e).avg;
        (avg.util_avg, avg.runnable_avg) = (util, util);
    }

    /// `post_init_entity_util_avg` of a group's entity: it counts from now on, with no load below it.
    pub(super) fn attach_group_avg(&mut self, e: Ent, now: u64) {
        let q = self.st.ent(e).queue;
        self.update_queue_avg(q, now);
        self.attach_avg(q, e);
    }

    /// Updates the averages of all queues of a CPU, whether a task runs there or not (`update_blocked_averages`).
    pub(super) fn update_blocked(&mut self, cpu: CpuId, now: u64) {
        self.catch_up(cpu, now);
        for group in (0..self.st.groups.len()).rev() {
            let group = u32::try_from(group).unwrap_or(0);
            let (q, e) = self.st.group_on(group, cpu);
            if self.update_queue_avg(q, now) {
                self.update_group_load(q, now);
            }
            if e != NONE && !self.st.ent(e).on_rq {
                self.update_avg(e, now, false);
            }
        }
    }

    /// `task_util_est`: the expected utilisation of a task, from its average and from its use before its last sleep.
    pub(super) fn task_util_est(&self, task: TaskId) -> u64 {
        let t = self.st.task(task);
        self.st.ent(t.se).avg.util_avg.max(t.util_est)
    }

    pub(super) fn util_est_enqueue(&mut self, task: TaskId) {
        let t = self.st.task(task);
        let (cpu, estimate) = (t.cpu, t.util_est);
        self.st.queue_mut(u32::from(cpu.0)).util_est += estimate;
    }

    pub(super) fn util_est_dequeue(&mut self, task: TaskId) {
        let t = self.st.task(task);
        let (cpu, estimate) = (t.cpu, t.util_est);
        let root = self.st.queue_mut(u32::from(cpu.0));
        // The kernel takes off no more than there is.
        root.util_est = root.util_est.saturating_sub(estimate);
    }

    /// At sleep: an increase takes effect at once, a decrease by a quarter of the difference.
    pub(super) fn util_est_update(&mut self, task: TaskId) {
        let t = self.st.task(task);
        let (avg, old) = (self.st.ent(t.se).avg, t.util_est);
        if !self.st.tun.util_est || !t.util_changed {
            return;
        }
        let used = avg.util_avg;
        // Used only where the old value is the larger one.
        let less = old.saturating_sub(used);
        let waited = used + MARGIN < avg.runnable_avg;
        let new = if old <= used {
            used
        } else if less < MARGIN || waited {
            old
        } else {
            (4 * old - less) / 4
        };
        let t = self.st.task_mut(task);
        t.util_est = new;
        t.util_changed = false;
    }

    /// Applies a tick to averages, level by level (`entity_tick`), and to shares if they may have changed.
    pub(super) fn tick_level(&mut self, e: Ent, at: u64, shares: bool) {
        self.update_avg(e, at, true);
        if shares {
            self.update_shares_of(e, at);
        }
    }
}
