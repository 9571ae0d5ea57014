//! Entering and leaving queues, level by level.
//!
//! | item | kernel function |
//! |---|---|
//! | `enqueue_task` | `enqueue_task_fair`, `enqueue_entity` |
//! | `dequeue_task` | `dequeue_task_fair`, `dequeue_entity` |
//! | `attach_to` | `set_task_rq` |

use super::Cfs;
use super::entity::{Ent, NONE, Queue};
use super::era::{Buddies, RelativeVruntime};
use crate::linux::cgroups::limits::Limits as _;
use crate::linux::clock::RqClock as _;
use crate::linux::lists::TaskLists;
use sim_contract::flags::Policy;
use sim_ground::ids::{CpuId, TaskId};

/// Why a task enters a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// It slept; its CPU may have changed (4.9).
    Wakeup,
    /// It is new, or comes from another CPU, or its weight changed.
    Other,
}

/// Why a task leaves a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leave {
    /// It sleeps or ends: its vruntime stays absolute.
    Sleep,
    /// It goes to another CPU.
    Moves,
    /// Its weight changes.
    Changes,
}

impl Cfs {
    /// Sets the queue and parent of a task's entity on a CPU.
    pub(super) fn attach_to(&mut self, task: TaskId, cpu: CpuId) {
        let t = self.st.task(task);
        let (se, group) = (t.se, t.group);
        let (queue, parent) = self.st.group_on(group, cpu);
        let ent = self.st.ent_mut(se);
        (ent.queue, ent.parent) = (queue, parent);
        self.st.task_mut(task).cpu = cpu;
    }

    /// `enqueue_task_fair`.
    pub(super) fn enqueue_task(&mut self, task: TaskId, entry: Entry, policy: Policy, now: u64) {
        let t = self.st.task(task);
        let (se, cpu) = (t.se, t.cpu);
        debug_assert!(self.is_clock_updated(cpu, now), "ticks were missed");
        let moved = t.migrated;
        self.st.task_mut(task).migrated = false;
        self.util_est_enters(task);
        let mut entry = entry;
        let mut absolute = match (entry, self.era.relative) {
            (Entry::Other, _) | (_, RelativeVruntime::AtWakeup) => true,
            (Entry::Wakeup, RelativeVruntime::AtMigration) => moved,
        };
        let (mut e, mut n) = (se, self.counts_of(task));
        let mut throttled = false;
        while e != NONE && !self.st.ent(e).on_rq {
            let q = self.st.ent(e).queue;
            self.enqueue_entity(q, e, entry, absolute, policy, now);
            self.count_tasks(q, n, true);
            (entry, absolute) = (Entry::Wakeup, false);
            e = self.st.ent(e).parent;
            if self.cgroups.is_some() && self.ends_at(q, &mut n) {
                throttled = true;
                break;
            }
        }
        if !throttled && self.update_above(e, n, true, now) {
            self.st.rq_mut(cpu).nr_running += 1;
        }
        self.st.list_add(cpu, task);
        self.task_arrived(cpu);
    }

    /// Updates the levels above those that changed. Returns whether it reached the root: it ends where a limit throttles.
    fn update_above(&mut self, from: Ent, mut n: [u32; 2], enters: bool, now: u64) -> bool {
        let mut e = from;
        while e != NONE {
            let q = self.st.ent(e).queue;
            self.update_avg(e, now, true);
            self.note_below(e, now);
            self.update_shares_of(q, now);
            self.count_tasks(q, n, enters);
            if self.cgroups.is_some() && self.ends_at(q, &mut n) {
                return false;
            }
            e = self.st.ent(e).parent;
        }
        true
    }

    pub(super) fn enqueue_entity(
        &mut self,
        q: Queue,
        e: Ent,
        entry: Entry,
        absolute: bool,
        policy: Policy,
        now: u64,
    ) {
        let curr = self.st.queue(q).curr == e;
        let early = self.era.relative == RelativeVruntime::AtWakeup || curr;
        let add = |cfs: &mut Self| {
            let min = cfs.st.queue(q).min_vruntime;
            let ent = cfs.st.ent_mut(e);
            ent.vruntime = ent.vruntime.wrapping_add(min);
        };
        if absolute && early {
            add(self);
        }
        self.update_curr(q, now);
        if absolute && !early {
            add(self);
        }
        self.enqueue_avg(q, e, now);
        self.note_below(e, now);
        self.account_enqueue(q, e);
        self.update_shares_of(q, now);
        if entry == Entry::Wakeup {
            self.place(q, e, false, policy, now);
        }
        if !curr {
            let key = self.st.ent(e).vruntime;
            let st = &mut self.st;
            st.arena.insert(&mut st.queues[q as usize].tree, e, key);
        }
        self.st.ent_mut(e).on_rq = true;
        if self.cgroups.is_some() && self.st.queue(q).nr_running == 1 {
            self.first_in(q, now);
        }
    }

    /// `account_entity_enqueue`.
    pub(super) fn account_enqueue(&mut self, q: Queue, e: Ent) {
        let weight = self.st.ent(e).weight;
        let queue = self.st.queue_mut(q);
        queue.weight += weight;
        queue.nr_running += 1;
        self.idle_enters(q, e);
        self.st.note_change(q);
    }

    /// `account_entity_dequeue`.
    pub(super) fn account_dequeue(&mut self, q: Queue, e: Ent) {
        let weight = self.st.ent(e).weight;
        let queue = self.st.queue_mut(q);
        queue.weight -= weight;
        queue.nr_running -= 1;
        self.idle_leaves(q, e);
        self.st.note_change(q);
    }

    /// `dequeue_task_fair`.
    pub(super) fn dequeue_task(&mut self, task: TaskId, leave: Leave, now: u64) {
        let t = self.st.task(task);
        let (cpu, mut e) = (t.cpu, t.se);
        debug_assert!(self.is_clock_updated(cpu, now), "ticks were missed");
        let sleeps = leave == Leave::Sleep;
        let saves = leave == Leave::Changes;
        self.util_est_leaves(task);
        let mut leave = leave;
        let (mut n, mut throttled) = (self.counts_of(task), false);
        while e != NONE {
            let q = self.st.ent(e).queue;
            self.dequeue_entity(q, e, leave, saves, now);
            self.count_tasks(q, n, false);
            let others = self.st.queue(q).weight > 0;
            e = self.st.ent(e).parent;
            if self.cgroups.is_some() && self.ends_at(q, &mut n) {
                throttled = true;
                break;
            }
            if others {
                // The group runs on while its slice lasts.
                if sleeps
                    && e != NONE
                    && self.era.buddies == Buddies::NextWins
                    && !self.is_below_throttled(q)
                {
                    self.set_next_buddy(e);
                }
                break;
            }
            leave = Leave::Sleep;
        }
        if !throttled && self.update_above(e, n, false, now) {
            self.st.rq_mut(cpu).nr_running -= 1;
        }
        self.st.list_remove(cpu, task);
        if sleeps {
            self.util_est_sleeps(task);
        }
    }

    pub(super) fn dequeue_entity(&mut self, q: Queue, e: Ent, leave: Leave, saves: bool, now: u64) {
        self.update_curr(q, now);
        self.dequeue_avg(q, e, now, leave == Leave::Moves);
        self.note_runnable(e);
        self.clear_buddies(e);
        if self.st.queue(q).curr != e {
            let st = &mut self.st;
            st.arena.remove(&mut st.queues[q as usize].tree, e);
        }
        self.st.ent_mut(e).on_rq = false;
        self.account_dequeue(q, e);
        if self.era.relative == RelativeVruntime::AtWakeup {
            self.update_min_vruntime(q);
        }
        if leave != Leave::Sleep {
            let min = self.st.queue(q).min_vruntime;
            let ent = self.st.ent_mut(e);
            ent.vruntime = ent.vruntime.wrapping_sub(min);
        }
        if self.cgroups.is_some() && self.st.queue(q).nr_running == 0 {
            self.last_out(q, now);
        }
        self.note_below(e, now);
        self.update_shares_of(q, now);
        if self.era.relative == RelativeVruntime::AtMigration && self.era.sleep_moves_min && !saves
        {
            self.update_min_vruntime(q);
        }
    }
}
