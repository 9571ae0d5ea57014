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
//! The averages' clock is the time, but for a CPU with less than full capacity (`capacity`). Deviation: the frequency is
//! always that of a CPU at its best.

use super::pelt::{Avg, Counts, MIN_DIVIDER, Removed};
use super::shares::ReportedLoad;
use crate::linux::class::FairClass;
use crate::linux::groups;
use crate::linux::signed;
use crate::linux::tables::Tables;
use crate::linux::tree::{Ent, NONE};
use serde::{Deserialize, Serialize};
use sim_ground::ids::{CpuId, TaskId};

/// Changes of an estimate up to this are ignored (`UTIL_EST_MARGIN`).
const MARGIN: u64 = 1_024 / 100;

/// The time of the averages' clock; 0 means "counts nowhere".
pub(crate) fn clock(now: u64) -> u64 {
    now + (1 << 30)
}

/// `add_positive`: the sum, not below 0.
fn plus(value: u64, delta: i64) -> u64 {
    // `add_positive`
    value.saturating_add_signed(delta)
}

/// A queue's number: root queues have those of their CPUs.
type Queue = u32;

/// The averages of a queue, and what it owes to others.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct QueueLoads {
    /// Averages of its load, including sleeping entities.
    pub(crate) avg: Avg,
    /// Load of entities that left while they slept; not yet subtracted.
    pub(crate) removed: Removed,
    /// Sum of the estimates of queued tasks; only in root queues (`util_est`).
    pub(crate) util_est: u64,
    /// The report of `avg.load_avg` to its group.
    pub(crate) told: ReportedLoad,
    /// Whether load was added or removed below (`propagate`), and by how much the runnable sum changed.
    pub(crate) propagates: bool,
    pub(crate) propagated: i64,
    /// Load of the queue as seen from the root, and the jiffy of its computation.
    pub(crate) h_load: u64,
    pub(crate) h_load_at: u64,
}

/// Where an entity is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    /// The queue in which it is or was.
    pub(crate) queue: Queue,
    /// The queue that it represents, if it belongs to a group.
    pub(crate) below: Queue,
    /// Its weight, not scaled.
    pub(crate) load: u64,
    /// Whether it is queued or runs.
    pub(crate) on_rq: bool,
}

impl QueueLoads {
    pub(crate) const NEW: Self = Self {
        avg: Avg::NEW,
        removed: Removed::NONE,
        util_est: 0,
        told: ReportedLoad::NONE,
        propagates: false,
        propagated: 0,
        h_load: 0,
        h_load_at: u64::MAX,
    };

    /// Whether its averages are up to date with a time of their clock.
    #[inline]
    pub(crate) fn is_averaged(&self, now: u64) -> bool {
        !self.avg.is_behind(now) && self.removed.nr == 0
    }

    /// Brings its averages up to a time of their clock. Returns whether they changed.
    #[inline]
    fn advance(&mut self, now: u64, counts: Counts) -> bool {
        let removed = self.removed.nr > 0;
        if removed {
            self.take_off_removed();
        }
        let ended = self.avg.advance(now, counts);
        if ended {
            self.avg.weigh(1);
        }
        ended || removed
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

/// A scheduler whose entities and queues have these averages.
pub(crate) trait LoadTracking: FairClass + Sized {
    /// The averages of an entity.
    fn avg(&self, e: Ent) -> &Avg;
    /// The same, mutable.
    fn avg_mut(&mut self, e: Ent) -> &mut Avg;
    /// Where an entity is.
    fn spot(&self, e: Ent) -> Spot;
    /// The entity of a task.
    fn entity_of(&self, task: TaskId) -> Ent;
    /// The averages of a queue.
    fn loads(&self, q: Queue) -> &QueueLoads;
    /// The same, mutable.
    fn loads_mut(&mut self, q: Queue) -> &mut QueueLoads;
    /// The amounts that a queue counts in its averages.
    fn queue_counts(&self, q: Queue) -> Counts;
    /// The CPU of a queue.
    fn cpu_of_queue(&self, q: Queue) -> CpuId;
    /// The entity that represents a queue; [`NONE`] of a root queue.
    fn owner_of(&self, q: Queue) -> Ent;
    /// The number of groups; the first is the root.
    fn group_count(&self) -> usize;
    /// Queue and entity of a group on a CPU.
    fn group_at(&self, group: u32, cpu: CpuId) -> (Queue, Ent);
    /// The estimate of a task's utilisation.
    fn util_est(&self, task: TaskId) -> u64;
    /// The same, and whether its average has changed since it woke.
    fn util_est_mut(&mut self, task: TaskId) -> (&mut u64, &mut bool);
    /// Whether utilisation is estimated (`UTIL_EST`).
    fn estimates(&self) -> bool;
    /// The jiffies counter.
    fn jiffies(&self, now: u64) -> u64;
    /// The time of the clock by which a queue and its entities are averaged. It stands while a limit throttles them.
    #[inline]
    fn clock_of(&self, q: Queue, now: u64) -> u64 {
        let _ = q;
        clock(now)
    }
    /// Brings the averages of an entity of a queue up to date.
    fn advance_entity(&mut self, q: Queue, e: Ent, now: u64);
    /// Tells a group the load of its queue (`update_tg_load_avg`).
    fn update_group_load(&mut self, q: Queue, now: u64);
    /// Makes a queue's part of its group's shares the weight of its entity (`update_cfs_group`).
    fn update_shares_of(&mut self, e: Ent, now: u64);

    /// The averages of the root queue of a CPU.
    #[inline]
    fn root_loads(&self, cpu: CpuId) -> &QueueLoads {
        self.loads(u32::from(cpu.0))
    }

    /// The averages of a task.
    #[inline]
    fn task_avg(&self, task: TaskId) -> &Avg {
        self.avg(self.entity_of(task))
    }

    /// `update_cfs_rq_load_avg`. Returns whether the average changed.
    fn update_queue_avg(&mut self, q: Queue, now: u64) -> bool {
        let at = self.clock_of(q, now);
        if self.loads(q).is_averaged(at) {
            return false;
        }
        let counts = self.queue_counts(q);
        self.loads_mut(q).advance(at, counts)
    }

    /// `update_load_avg` of an entity that counts in its queue.
    #[inline]
    fn update_avg(&mut self, e: Ent, now: u64, tell_group: bool) {
        // Several hooks at one instant call this; only the first finds something to do.
        let Spot {
            queue: q, below, ..
        } = self.spot(e);
        let (avg, at) = (self.avg(e), self.clock_of(q, now));
        let steady = below == NONE && self.loads(q).is_averaged(at);
        if avg.is_behind(at) && avg.last_update != 0 {
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
        if below != NONE && self.loads(below).propagates {
            self.propagate(q, e, below);
            changed = true;
        }
        if changed && tell_group {
            self.update_group_load(q, now);
        }
    }

    /// `propagate_entity_load_avg`: changes of a group's queue reach the group's entity and the queue above it.
    fn propagate(&mut self, q: Queue, e: Ent, below: Queue) {
        let weight = self.queue_counts(below).load;
        let from = self.loads_mut(below);
        from.propagates = false;
        let runnable = std::mem::take(&mut from.propagated);
        let avg = from.avg;
        self.loads_mut(q).hears(runnable);
        let divider = self.loads(q).avg.divider();
        let w = self.spot(e).load;
        let set = |own: &mut u64, sum: &mut u64, new: u64| {
            let new_sum = new * divider;
            let by = (signed(new) - signed(*own), signed(new_sum) - signed(*sum));
            if by.0 == 0 {
                return (0, 0);
            }
            (*own, *sum) = (new, new_sum);
            by
        };
        let ent = self.avg_mut(e);
        let own = &mut *ent;
        let util = set(&mut own.util_avg, &mut own.util_sum, avg.util_avg);
        let run = set(
            &mut own.runnable_avg,
            &mut own.runnable_sum,
            avg.runnable_avg,
        );
        let mut load = (0, 0);
        if runnable != 0 {
            let own = signed(ent.load_sum);
            let time = if runnable >= 0 {
                (runnable + own).min(signed(divider))
            } else {
                // The rest is about the average of the other entities below.
                own.min(avg.load_sum.checked_div(weight).map_or(0, signed))
            };
            let time = time.max(signed(ent.util_sum >> 10));
            let time = time.unsigned_abs();
            let average = w * time / divider;
            let by = signed(average) - signed(ent.load_avg);
            if by != 0 {
                load = (by, signed(w * time) - signed(w * ent.load_sum));
                (ent.load_sum, ent.load_avg) = (time, average);
            }
        }
        let own = &mut self.loads_mut(q).avg;
        own.util_avg = plus(own.util_avg, util.0);
        own.util_sum = plus(own.util_sum, util.1);
        own.runnable_avg = plus(own.runnable_avg, run.0);
        own.runnable_sum = plus(own.runnable_sum, run.1);
        own.load_avg = plus(own.load_avg, load.0);
        own.load_sum = plus(own.load_sum, load.1);
        own.mend();
    }

    /// Averages at an enqueue: an entity that counts nowhere yet counts in this queue from now on.
    fn enqueue_avg(&mut self, q: Queue, e: Ent, now: u64) {
        let arrives = self.avg(e).last_update == 0;
        self.update_avg(e, now, true);
        if arrives {
            self.attach_avg(q, e);
            self.update_group_load(q, now);
        }
    }

    /// Averages at a dequeue: an entity that goes to another CPU takes its averages along.
    fn dequeue_avg(&mut self, q: Queue, e: Ent, now: u64, moves: bool) {
        self.update_avg(e, now, true);
        if moves && self.spot(e).below == NONE {
            self.detach_avg(q, e);
            self.update_group_load(q, now);
        }
    }

    /// `enqueue_load_avg`: adds an entity's load to its queue's.
    fn give_avg(&mut self, q: Queue, e: Ent) {
        let (ent, weight) = (self.avg(e), self.spot(e).load);
        let (load, sum) = (ent.load_avg, weight * ent.load_sum);
        let avg = &mut self.loads_mut(q).avg;
        avg.load_avg += load;
        avg.load_sum += sum;
    }

    /// `dequeue_load_avg`.
    fn take_avg(&mut self, q: Queue, e: Ent) {
        let (ent, weight) = (self.avg(e), self.spot(e).load);
        let (load, sum) = (ent.load_avg, weight * ent.load_sum);
        let avg = &mut self.loads_mut(q).avg;
        // `sub_positive`
        avg.load_avg = avg.load_avg.saturating_sub(load);
        avg.load_sum = avg.load_sum.saturating_sub(sum);
        avg.load_sum = avg.load_sum.max(avg.load_avg * MIN_DIVIDER);
    }

    /// Subtracts the load of an entity before its weight changes.
    fn take_load(&mut self, q: Queue, e: Ent) {
        if self.avg(e).last_update != 0 {
            self.take_avg(q, e);
        }
    }

    /// Adds the load again after the change.
    fn give_load(&mut self, q: Queue, e: Ent) {
        let weight = self.spot(e).load;
        let avg = self.avg_mut(e);
        avg.load_avg = weight * avg.load_sum / avg.divider();
        if avg.last_update != 0 {
            self.give_avg(q, e);
        }
    }

    /// `attach_entity_load_avg`.
    fn attach_avg(&mut self, q: Queue, e: Ent) {
        let queue = self.loads(q);
        let (at, contrib, divider) = (
            queue.avg.last_update,
            queue.avg.period_contrib,
            queue.avg.divider(),
        );
        let w = self.spot(e).load;
        let avg = self.avg_mut(e);
        (avg.last_update, avg.period_contrib) = (at, contrib);
        avg.util_sum = avg.util_avg * divider;
        avg.runnable_sum = avg.runnable_avg * divider;
        let sum = avg.load_avg * divider;
        avg.load_sum = if w < sum { sum / w } else { 1 };
        let avg = *avg;
        self.give_avg(q, e);
        self.loads_mut(q).add_use(&avg, true);
    }

    /// `detach_entity_load_avg`.
    fn detach_avg(&mut self, q: Queue, e: Ent) {
        self.take_avg(q, e);
        let avg = *self.avg(e);
        self.loads_mut(q).add_use(&avg, false);
        self.avg_mut(e).last_update = 0;
    }

    /// `remove_entity_load_avg`: a sleeping task leaves for another CPU, or ends. Its queue subtracts its load at the
    /// next update.
    fn remove_avg(&mut self, e: Ent, now: u64) {
        if self.avg(e).last_update == 0 {
            return;
        }
        let Spot { queue: q, load, .. } = self.spot(e);
        // The averages of an idle CPU are not updated: entities that sleep there have slept until now.
        let at = if self.state().current(self.cpu_of_queue(q)).is_none() {
            self.clock_of(q, now)
        } else {
            self.loads(q).avg.last_update
        };
        let avg = self.avg_mut(e);
        if avg.advance(at, Counts::NONE) {
            avg.weigh(load);
        }
        let gone = *avg;
        avg.last_update = 0;
        let removed = &mut self.loads_mut(q).removed;
        removed.nr += 1;
        removed.load += gone.load_avg;
        removed.runnable += gone.runnable_avg;
        removed.util += gone.util_avg;
    }

    /// `init_entity_runnable_average`: a new task counts with its full weight.
    fn init_avg(&mut self, e: Ent) {
        self.avg_mut(e).load_avg = self.spot(e).load;
    }

    /// `post_init_entity_util_avg`: utilisation in proportion to its weight, but at most half of what the CPU has left.
    fn join_avg(&mut self, e: Ent) {
        let (spot, ent) = (self.spot(e), self.avg(e));
        let queue = &self.loads(spot.queue).avg;
        let capacity = self.domains().power[self.cpu_of_queue(spot.queue).index()];
        // The kernel asks whether the signed difference is positive.
        let cap = capacity.saturating_sub(queue.util_avg) / 2;
        let mut util = ent.util_avg;
        if cap > 0 {
            util = match queue.util_avg {
                0 => cap,
                used => (used * spot.load / (queue.load_avg + 1)).min(cap),
            };
        }
        let avg = self.avg_mut(e);
        (avg.util_avg, avg.runnable_avg) = (util, util);
    }

    /// `post_init_entity_util_avg` of a group's entity: it counts from now on, with no load below it.
    fn attach_group_avg(&mut self, e: Ent, now: u64) {
        let q = self.spot(e).queue;
        self.update_queue_avg(q, now);
        self.attach_avg(q, e);
    }

    /// Updates the averages of all queues of a CPU, whether a task runs there or not (`update_blocked_averages`).
    fn update_blocked(&mut self, cpu: CpuId, now: u64) {
        self.update_rq_clock(cpu, now);
        for group in (0..self.group_count()).rev() {
            let group = u32::try_from(group).unwrap_or(0);
            let (q, e) = self.group_at(group, cpu);
            if self.update_queue_avg(q, now) {
                self.update_group_load(q, now);
            }
            if e != NONE && !self.spot(e).on_rq {
                self.update_avg(e, now, false);
            }
        }
    }

    /// `task_util_est`: the expected utilisation of a task, from its average and from its use before its last sleep.
    fn task_util_est(&self, task: TaskId) -> u64 {
        self.task_avg(task).util_avg.max(self.util_est(task))
    }

    fn util_est_enqueue(&mut self, task: TaskId) {
        let (cpu, estimate) = (self.state().cpu_of(task), self.util_est(task));
        self.loads_mut(u32::from(cpu.0)).util_est += estimate;
    }

    fn util_est_dequeue(&mut self, task: TaskId) {
        let (cpu, estimate) = (self.state().cpu_of(task), self.util_est(task));
        let root = self.loads_mut(u32::from(cpu.0));
        // The kernel takes off no more than there is.
        root.util_est = root.util_est.saturating_sub(estimate);
    }

    /// At sleep: an increase takes effect at once, a decrease by a quarter of the difference.
    fn util_est_update(&mut self, task: TaskId) {
        let (avg, estimates) = (*self.task_avg(task), self.estimates());
        let capacity = self.domains().power[self.state().cpu_of(task).index()];
        let (estimate, changed) = self.util_est_mut(task);
        let old = *estimate;
        if !estimates || !*changed {
            return;
        }
        let used = avg.util_avg;
        // Used only where the old value is the larger one.
        let less = old.saturating_sub(used);
        let waited = used + MARGIN < avg.runnable_avg;
        if less >= MARGIN && used > capacity {
            // Nobody knows whether the CPU gave it all that it wanted.
            return;
        }
        let new = if old <= used {
            used
        } else if less < MARGIN || waited {
            old
        } else {
            (4 * old - less) / 4
        };
        (*estimate, *changed) = (new, false);
    }

    /// Applies a tick to averages, level by level (`entity_tick`), and to shares if they may have changed.
    fn tick_level(&mut self, e: Ent, at: u64, shares: bool) {
        self.update_avg(e, at, true);
        if shares {
            self.update_shares_of(e, at);
        }
    }

    /// A queue's load as seen from the root of its CPU (`update_cfs_rq_h_load`).
    fn queue_h_load(&mut self, q: Queue, now: u64) -> u64 {
        let jiffies = self.jiffies(now);
        let own = self.loads(q);
        if own.h_load_at == jiffies {
            return own.h_load;
        }
        let load = match self.owner_of(q) {
            NONE => self.loads(q).avg.load_avg,
            e => {
                let above = self.spot(e).queue;
                let all = self.loads(above).avg.load_avg;
                let top = match self.owner_of(above) {
                    NONE => all,
                    _ => self.queue_h_load(above, now),
                };
                groups::part_of(top, self.avg(e).load_avg, all)
            }
        };
        let own = self.loads_mut(q);
        (own.h_load, own.h_load_at) = (load, jiffies);
        load
    }

    /// The load that moves with a task (`task_h_load`).
    fn task_h_load(&mut self, task: TaskId, now: u64) -> u64 {
        let e = self.entity_of(task);
        let q = self.spot(e).queue;
        let h_load = self.queue_h_load(q, now);
        groups::part_of(h_load, self.avg(e).load_avg, self.loads(q).avg.load_avg)
    }
}
