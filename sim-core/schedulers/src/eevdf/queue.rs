//! Entering and leaving queues, level by level. A task that goes to sleep while not eligible stays for a while.
//!
//! | item | kernel function @ 6.12.117 |
//! |---|---|
//! | `attach_to` | `set_task_rq` |
//! | `enqueue_task` | `enqueue_task_fair`, `enqueue_entity` |
//! | `dequeue_task`, `dequeue_levels` | `dequeue_task_fair`, `dequeue_entities`, `dequeue_entity` |
//! | `requeue_delayed` | `requeue_delayed_entity` |

use super::Eevdf;
use super::state::{Ent, NONE, Queue};
use crate::linux::cgroups::limits::Limits as _;
use crate::linux::clock::RqClock as _;
use crate::linux::lists::TaskLists;
use crate::linux::machine::balance::GroupBalancing;
use crate::linux::machine::load::LoadTracking;
use sim_ground::ids::{CpuId, TaskId};

/// Why a task enters a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// It is new.
    New,
    /// It slept, comes from another CPU, or its weight or slice changed.
    Other,
}

/// Why a task leaves a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leave {
    /// It sleeps: it may be delayed.
    Sleep,
    /// It ends, or is stopped: it leaves at once.
    Ends,
    /// A pick chose it while it was delayed: now it leaves.
    Delayed,
    /// It goes to another CPU.
    Moves,
    /// Its weight or slice changes.
    Changes,
    /// A control group's time is used up: its entity leaves at once.
    Throttled,
}

impl Leave {
    /// `DEQUEUE_SLEEP`.
    pub(super) fn sleeps(self) -> bool {
        !matches!(self, Self::Moves | Self::Changes)
    }
}

/// Number of tasks that enter or leave with an entity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counted {
    pub(super) queued: u32,
    pub(super) runnable: u32,
    pub(super) idle: u32,
}

impl Counted {
    /// The same in the queues above an idle group: all are idle there.
    pub(super) fn below_idle(self) -> Self {
        Self {
            idle: self.queued,
            ..self
        }
    }
}

impl Eevdf {
    /// Sets the queue and parent of a task's entity on a CPU.
    pub(super) fn attach_to(&mut self, task: TaskId, cpu: CpuId) {
        let t = self.st.task(task);
        let (se, group) = (t.se, t.group);
        let (queue, parent) = self.st.group_on(group, cpu);
        let ent = self.st.ent_mut(se);
        (ent.queue, ent.parent) = (queue, parent);
        self.st.task_mut(task).cpu = cpu;
    }

    /// `account_entity_enqueue`.
    fn account_enqueue(&mut self, q: Queue, e: Ent) {
        let ent = self.st.ent(e);
        let (weight, slice, all) = (ent.weight, ent.slice, self.st.tun.since_6_17());
        let one = self.st.tun.one_queue();
        let queue = self.st.queue_mut(q);
        queue.weight += weight;
        if one {
            // In the one queue only tasks count, when they have joined it.
            queue.nr += u32::from(queue.group != 0);
            return;
        }
        queue.nr += 1;
        if all || queue.group != 0 {
            queue.slices.add(slice);
        }
    }

    /// `account_entity_dequeue`.
    fn account_dequeue(&mut self, q: Queue, e: Ent) {
        let ent = self.st.ent(e);
        let (weight, slice, all) = (ent.weight, ent.slice, self.st.tun.since_6_17());
        let one = self.st.tun.one_queue();
        let queue = self.st.queue_mut(q);
        queue.weight -= weight;
        if one {
            queue.nr -= u32::from(queue.group != 0);
            return;
        }
        queue.nr -= 1;
        if all || queue.group != 0 {
            queue.slices.remove(slice);
        }
    }

    pub(super) fn count_in(&mut self, q: Queue, n: Counted) {
        let queue = self.st.queue_mut(q);
        queue.h_queued += n.queued;
        queue.h_runnable += n.runnable;
        queue.h_idle += n.idle;
    }

    pub(super) fn count_out(&mut self, q: Queue, n: Counted) {
        let queue = self.st.queue_mut(q);
        queue.h_queued -= n.queued;
        queue.h_runnable -= n.runnable;
        queue.h_idle -= n.idle;
    }

    /// `se_update_runnable`.
    pub(super) fn note_runnable(&mut self, e: Ent) {
        let below = self.st.ent(e).my_queue;
        if below != NONE {
            let runnable = self.st.queue(below).h_runnable;
            self.st.ent_mut(e).runnable = runnable;
        }
    }

    /// Sets a group's request to the smallest request below it.
    pub(super) fn take_group_slice(&mut self, e: Ent) {
        let below = self.st.ent(e).my_queue;
        if below == NONE || !self.st.tun.custom_slices() {
            return;
        }
        if let Some(slice) = self.st.queue(below).slices.least() {
            self.set_slice_of(e, slice);
            self.st.ent_mut(e).custom_slice = true;
        }
    }

    /// A group that is delayed has nobody below, and gets the smallest request of the queue in which it stays. It is
    /// placed with that if one of its tasks wakes before it has left.
    fn take_slice_around(&mut self, q: Queue, e: Ent) {
        if !self.st.tun.custom_slices() || !self.st.tun.group_slice_always {
            return;
        }
        let queue = self.st.queue(q);
        let curr = Some(queue.curr).filter(|c| *c != NONE && self.st.ent(*c).on_rq);
        let around = self.st.arena.iter(queue.tree).chain(curr);
        if let Some(slice) = around.map(|e| self.st.ent(e).slice).min() {
            self.set_slice_of(e, slice);
        }
    }

    /// Updates the levels above those that changed: averages, weights, slices and counts. Returns whether it reached the
    /// root: it ends where a limit throttles.
    pub(super) fn update_above(
        &mut self,
        from: Ent,
        now: u64,
        mut n: Counted,
        count: impl Fn(&mut Self, Queue, Counted),
    ) -> bool {
        let mut e = from;
        while e != NONE {
            let q = self.st.ent(e).queue;
            self.update_avg(e, now, true);
            self.note_runnable(e);
            self.update_shares_of(e, now);
            if self.st.tun.group_slice_always {
                self.take_group_slice(e);
            }
            count(self, q, n);
            if self.cgroups.is_some() {
                if self.is_throttled(q) {
                    return false;
                }
                if self.is_idle_queue(q) {
                    n = n.below_idle();
                }
            }
            e = self.st.ent(e).parent;
        }
        true
    }

    /// `enqueue_task_fair` of a task that is not queued.
    pub(super) fn enqueue_task(&mut self, task: TaskId, entry: Entry, now: u64) {
        let t = self.st.task(task);
        let (se, cpu, idle) = (t.se, t.cpu, t.idle_policy);
        debug_assert!(self.is_clock_updated(cpu, now), "ticks were missed");
        // A task that was delayed when it moved is still delayed.
        let delayed = self.st.ent(se).delayed;
        if !delayed {
            self.util_est_enqueue(task);
        }
        let mut n = Counted {
            queued: 1,
            runnable: u32::from(!delayed),
            idle: u32::from(idle),
        };
        let mut throttled = false;
        let before = self.st.root(cpu).h_queued;
        let one = self.st.tun.one_queue();
        if one {
            self.account_curr(self.st.line(se), now);
            self.take_base_slice(se);
        }
        let mut initial = entry == Entry::New;
        let mut e = se;
        while e != NONE {
            if self.st.ent(e).on_rq {
                if self.st.ent(e).delayed {
                    self.requeue_delayed(e, now);
                }
                break;
            }
            self.take_group_slice(e);
            let q = self.st.ent(e).queue;
            self.enqueue_entity(q, e, initial, now);
            self.count_in(q, n);
            initial = false;
            e = self.st.ent(e).parent;
            if self.cgroups.is_some() {
                throttled = self.is_throttled(q);
                if throttled {
                    break;
                }
                if self.is_idle_queue(q) {
                    n = n.below_idle();
                }
            }
        }
        let counts = !throttled && self.update_above(e, now, n, Self::count_in);
        if one {
            self.join_line(se, entry == Entry::New);
        }
        self.st.list_add(cpu, task);
        self.note_fair(cpu, before, now);
        if counts {
            self.st.rq_mut(cpu).nr_running += 1;
        }
        self.time_newcomer(cpu, now);
        self.note_arrival(cpu);
    }

    pub(super) fn enqueue_entity(&mut self, q: Queue, e: Ent, initial: bool, now: u64) {
        self.account_curr(q, now);
        self.enqueue_avg(q, e, now);
        self.note_runnable(e);
        self.update_shares_of(e, now);
        let in_time = !self.st.tun.one_queue();
        if in_time {
            self.place(q, e, initial);
        }
        self.account_enqueue(q, e);
        if in_time && self.st.queue(q).curr != e {
            self.tree_add(q, e);
        }
        self.st.ent_mut(e).on_rq = true;
        if self.cgroups.is_some() && self.st.queue(q).nr == 1 {
            self.first_in(q, now);
        }
    }

    /// `dequeue_task_fair`. Returns whether the task has left; otherwise it is delayed.
    pub(super) fn dequeue_task(&mut self, task: TaskId, leave: Leave, now: u64) -> bool {
        let t = self.st.task(task);
        let se = t.se;
        debug_assert!(self.is_clock_updated(t.cpu, now), "ticks were missed");
        if !self.st.ent(se).delayed || leave.sleeps() {
            self.util_est_dequeue(task);
        }
        if leave.sleeps() {
            self.util_est_update(task);
        }
        let left = self.dequeue_levels(se, leave, now);
        if !left {
            self.st.sleeps_delayed += 1;
        }
        left
    }

    /// `dequeue_entities`, from a task or a delayed group upward. Returns whether it has left.
    pub(super) fn dequeue_levels(&mut self, from: Ent, leave: Leave, now: u64) -> bool {
        let ent = self.st.ent(from);
        let task = ent.is_task().then_some(TaskId(ent.task));
        let mut n = match task {
            Some(t) => Counted {
                queued: 1,
                runnable: u32::from(leave == Leave::Sleep || leave == Leave::Ends || !ent.delayed),
                idle: u32::from(self.st.task(t).idle_policy),
            },
            // The tasks below it have already left.
            None => Counted {
                queued: 0,
                runnable: 0,
                idle: 0,
            },
        };
        let one = self.st.tun.one_queue();
        if one && !self.leaves_line(from, leave, now) {
            return false;
        }
        let sleeps = leave.sleeps() && self.st.tun.group_sleep_sets_buddy();
        let mut how = leave;
        let mut throttled = false;
        let mut e = from;
        while e != NONE {
            let q = self.st.ent(e).queue;
            if !self.dequeue_entity(q, e, how, now) {
                if e == from && task.is_some() {
                    return false;
                }
                self.take_slice_around(q, e);
                break;
            }
            self.count_out(q, n);
            let others = self.st.queue(q).nr > 0;
            e = self.st.ent(e).parent;
            if self.cgroups.is_some() {
                throttled = self.is_throttled(q);
                if throttled {
                    break;
                }
                if self.is_idle_queue(q) {
                    n = n.below_idle();
                }
            }
            if others {
                // The group runs on, if it is eligible.
                if sleeps && e != NONE && !self.is_below_throttled(q) {
                    self.set_buddy(e);
                }
                break;
            }
            // A group whose queue becomes empty sleeps, whatever its last task does.
            how = Leave::Sleep;
        }
        let counts = !throttled && self.update_above(e, now, n, Self::count_out);
        if one {
            self.left_line(from, leave);
        }
        if let Some(task) = task {
            let cpu = self.st.task(task).cpu;
            self.st.list_remove(cpu, task);
            if counts {
                self.st.rq_mut(cpu).nr_running -= 1;
            }
        }
        true
    }

    /// `dequeue_entity`. Returns whether it has left; otherwise it is delayed.
    pub(super) fn dequeue_entity(&mut self, q: Queue, e: Ent, leave: Leave, now: u64) -> bool {
        if self.st.tun.one_queue() {
            self.leave_level(q, e, leave, now);
            return true;
        }
        self.account_curr(q, now);
        self.clear_buddy(e);
        if leave == Leave::Sleep && self.st.tun.delay_dequeue && !self.eligible(e) {
            self.update_avg(e, now, false);
            if self.st.tun.timed().delayed_lag_never_worse {
                self.st.ent_mut(e).lag = self.lag(e);
            }
            self.set_delayed(e);
            return false;
        }
        self.dequeue_avg(q, e, now, leave == Leave::Moves);
        self.note_runnable(e);
        let lag = if leave == Leave::Delayed {
            self.lag_after_delay(e)
        } else {
            self.lag(e)
        };
        let relative = self.st.tun.place_rel_deadline && !leave.sleeps();
        let overwrites = self.st.tun.lag_overwrites_protection();
        let ent = self.st.ent_mut(e);
        ent.lag = lag;
        if overwrites {
            ent.mark = lag;
        }
        if relative {
            ent.deadline -= ent.v;
            ent.relative = true;
        }
        if self.st.queue(q).curr != e {
            self.tree_remove(q, e);
        }
        self.st.ent_mut(e).on_rq = false;
        self.account_dequeue(q, e);
        if self.cgroups.is_some() && self.st.queue(q).nr == 0 {
            self.last_out(q, now);
        }
        self.update_shares_of(e, now);
        if leave == Leave::Delayed {
            self.st.ent_mut(e).delayed = false;
        }
        true
    }

    /// `dequeue_entity` @ 7.3: an entity is counted no longer in the queue of its group, or of its CPU.
    fn leave_level(&mut self, q: Queue, e: Ent, leave: Leave, now: u64) {
        self.dequeue_avg(q, e, now, leave == Leave::Moves);
        self.note_runnable(e);
        self.st.ent_mut(e).on_rq = false;
        self.account_dequeue(q, e);
        self.update_shares_of(e, now);
        if leave == Leave::Delayed {
            self.st.ent_mut(e).delayed = false;
        }
    }

    /// `set_delayed`.
    pub(super) fn set_delayed(&mut self, e: Ent) {
        self.st.ent_mut(e).delayed = true;
        if self.st.ent(e).is_task() {
            self.count_runnable(e, false);
        }
    }

    fn clear_delayed(&mut self, e: Ent) {
        self.st.ent_mut(e).delayed = false;
        if self.st.ent(e).is_task() {
            self.count_runnable(e, true);
        }
    }

    fn count_runnable(&mut self, e: Ent, more: bool) {
        let mut e = e;
        while e != NONE {
            let ent = self.st.ent(e);
            let (q, parent) = (ent.queue, ent.parent);
            let queue = self.st.queue_mut(q);
            if more {
                queue.h_runnable += 1;
            } else {
                queue.h_runnable -= 1;
            }
            e = if self.is_throttled(q) { NONE } else { parent };
        }
    }

    /// `requeue_delayed_entity`: a delayed entity counts again. If its lag is another than that of its place, it starts
    /// again with that lag: at V if it is owed time by now. Returns whether it has kept its place.
    pub(super) fn requeue_delayed(&mut self, e: Ent, now: u64) -> bool {
        let q = self.st.line(e);
        if self.st.tun.timed().account_before_requeue {
            self.account_curr(q, now);
        }
        let ahead = self.mean(q) - self.st.ent(e).v;
        let never_worse = self.st.tun.timed().delayed_lag_never_worse;
        let mut kept = true;
        if self.st.tun.delay_zero || never_worse {
            let lag = self.lag_after_delay(e);
            kept = if never_worse {
                lag == ahead
            } else {
                ahead <= 0
            };
            self.st.ent_mut(e).lag = if kept { self.lag(e) } else { lag };
        }
        if !kept {
            let waits = self.st.queue(q).curr != e;
            self.st.queue_mut(q).nr -= 1;
            if waits {
                self.tree_remove(q, e);
            }
            self.place(q, e, false);
            if waits {
                self.tree_add(q, e);
            }
            self.st.queue_mut(q).nr += 1;
        }
        self.update_avg(e, now, false);
        self.clear_delayed(e);
        kept
    }
}
