//! One queue for all tasks of a CPU, whatever their groups (since 7.3).
//!
//! | item | kernel function @ 7.3.4 |
//! |---|---|
//! | `effective_weight` | `__calc_prop_weight` |
//! | `renew_effective`, `join_line` | `reweight_eevdf`, `enqueue_task_fair` |
//! | `leaves_line`, `left_line` | `__dequeue_task` |
//! | `switch_line`, `put_line`, `set_line` | `put_prev_task_fair`, `set_next_task_fair` |
//! | `part_of_weight` | `calc_concur_shares` and its kin |
//! | `tell_group` | `update_tg_load_avg` |
//!
//! Groups keep their queues and entities: for averages, counts, and their part of the shares. But these are in no virtual
//! time, and are never picked. All tasks of a CPU stand in the tree of its own queue. Each weighs there what its groups
//! leave of its weight. This effective weight is computed anew when the task joins the queue, when it is put on the CPU,
//! and at ticks while it runs. A task that waits keeps the one that it has, also if others of its group come and go.
//!
//! Deviation: no group has a set of CPUs of its own, so a group may run on all CPUs. An idle group is only light: its threads
//! have no rule of their own. Limits of control groups are left out.

use super::Eevdf;
use super::group::{MIN_LOAD, TELL_NS};
use super::mean::SCALE_BITS;
use super::queue::Leave;
use super::state::{Ent, FairQueue, NONE, Queue};
use super::tunables::GroupWeight;
use crate::linux::machine::load::LoadTracking;
use crate::linux::machine::shares::part_of_shares;
use crate::linux::signed;
use crate::linux::weight::{self, NICE_0};

/// Bits of an average that are a task which can always run (`SCHED_CAPACITY_SHIFT`).
const TASK_BITS: u32 = 10;

impl Eevdf {
    /// What the groups above a task leave of its weight, from the weights of this moment.
    pub(super) fn effective_weight(&self, e: Ent) -> u64 {
        let whole = NICE_0 << SCALE_BITS;
        let mut weight = whole;
        let mut up = e;
        while up != NONE {
            let ent = self.st.ent(up);
            let of_level = match ent.parent {
                NONE => whole,
                _ => self.st.queue(ent.queue).weight.max(1),
            };
            weight = (weight * ent.weight / of_level).max(MIN_LOAD);
            up = ent.parent;
        }
        weight
    }

    /// Gives a queued task the effective weight of this moment.
    pub(super) fn renew_effective(&mut self, e: Ent) {
        let (old, new) = (self.st.ent(e).load, self.effective_weight(e));
        if old == new {
            return;
        }
        let line = self.st.line(e);
        let waits = self.st.queue(line).curr != e;
        self.rescale(e, [signed(old), signed(new)]);
        self.st.ent_mut(e).load = new;
        if waits {
            self.tree_add(line, e);
        }
    }

    /// Whether a tick may change the effective weight of a running task: that of its group depends on other CPUs, or on
    /// averages, or others of the group have come or gone.
    pub(super) fn weight_moves(&self, e: Ent) -> bool {
        let ent = self.st.ent(e);
        let of_averages = |f: &super::tunables::Flat| f.group_weight == GroupWeight::Tasks;
        ent.parent != NONE
            && (self.st.rqs.len() > 1
                || self.st.tun.flat().is_some_and(of_averages)
                || self.effective_weight(e) != ent.load)
    }

    /// A task that its levels have counted joins the one queue of its CPU.
    pub(super) fn join_line(&mut self, e: Ent, initial: bool) {
        let line = self.st.line(e);
        let old = signed(self.st.ent(e).load);
        self.st.ent_mut(e).load = self.effective_weight(e);
        self.rescale_off(e, old);
        self.place(line, e, initial);
        let slice = self.st.ent(e).slice;
        let queue = self.st.queue_mut(line);
        queue.nr += 1;
        queue.slices.add(slice);
        if queue.curr != e {
            self.tree_add(line, e);
        }
    }

    /// A task is about to leave the one queue: its lag is stored. Returns whether it leaves; otherwise it is delayed.
    pub(super) fn leaves_line(&mut self, e: Ent, leave: Leave, now: u64) -> bool {
        self.account_curr(self.st.line(e), now);
        self.clear_buddy(e);
        let delays = leave == Leave::Sleep && self.st.tun.delay_dequeue && !self.eligible(e);
        let ent = self.st.ent(e);
        let lag = if ent.delayed {
            self.lag_after_delay(e)
        } else {
            self.lag(e)
        };
        if !delays || self.st.tun.timed().delayed_lag_never_worse {
            self.st.ent_mut(e).lag = lag;
        }
        if delays {
            self.update_avg(e, now, false);
            self.set_delayed(e);
        }
        !delays
    }

    /// A task that its levels count no longer leaves the one queue.
    pub(super) fn left_line(&mut self, e: Ent, leave: Leave) {
        let line = self.st.line(e);
        let relative = self.st.tun.place_rel_deadline && !leave.sleeps();
        let ent = self.st.ent_mut(e);
        if relative {
            ent.deadline -= ent.v;
            ent.relative = true;
        }
        let slice = ent.slice;
        let queue = self.st.queue_mut(line);
        queue.nr -= 1;
        queue.slices.remove(slice);
        if queue.curr != e {
            self.tree_remove(line, e);
        }
    }

    /// Puts back what ran and sets what runs next. If both are of one group, the group runs on.
    pub(super) fn switch_line(&mut self, next: Ent, prev: Ent, now: u64) {
        let (ent, pent) = (self.st.ent(next), self.st.ent(prev));
        let same = ent.queue == pent.queue;
        if same && ent.parent == NONE && self.swap(next, prev, now) {
            return;
        }
        self.put_line(prev, same, now);
        self.set_line(next, same, now, true);
    }

    /// Puts back a task that ran, and its group unless that runs on. All levels are averaged before one of them stops to
    /// run.
    pub(super) fn put_line(&mut self, e: Ent, group_stays: bool, now: u64) {
        let ent = self.st.ent(e);
        let (on_rq, line) = (ent.on_rq, self.st.line_of(ent));
        if on_rq {
            self.update_curr(line, now);
        }
        let mut up = e;
        while up != NONE {
            let ent = self.st.ent(up);
            let (queued, parent) = (ent.on_rq, ent.parent);
            if queued {
                self.update_avg(up, now, false);
            }
            up = if group_stays { NONE } else { parent };
        }
        self.set_running(e, line, NONE);
        if on_rq {
            self.tree_add(line, e);
        }
    }

    /// Sets what runs in the one queue of a CPU and in those of the groups above a task.
    fn set_running(&mut self, task: Ent, line: Queue, runs: Ent) {
        self.st.queue_mut(line).curr = runs;
        let mut up = task;
        while up != NONE {
            let ent = self.st.ent(up);
            let (q, parent) = (ent.queue, ent.parent);
            self.st.queue_mut(q).curr = runs;
            up = parent;
        }
    }

    /// Makes a task current, and its group unless that runs already. It is protected if it was picked.
    pub(super) fn set_line(&mut self, e: Ent, group_stays: bool, now: u64, picked: bool) {
        self.clear_buddy(e);
        let ent = self.st.ent(e);
        let (on_rq, line) = (ent.on_rq, self.st.line_of(ent));
        if on_rq {
            self.tree_remove(line, e);
        }
        let mut up = e;
        while up != NONE {
            if self.st.ent(up).on_rq {
                self.update_avg(up, now, true);
            }
            let ent = self.st.ent_mut(up);
            ent.exec_start = now;
            up = if group_stays { NONE } else { ent.parent };
        }
        self.set_running(e, line, e);
        if on_rq {
            self.renew_effective(e);
            if picked {
                self.protect(e);
            }
        }
    }

    /// The part of its group's weight that a queue has, by its load among all of the group.
    pub(super) fn part_of_weight(&self, queue: &FairQueue, [load, total, had]: [u64; 3]) -> u64 {
        let shares = self.st.groups[queue.group as usize].shares;
        let cpus = self.st.rqs.len() as u64;
        let tasks = self.concurrency(queue.group);
        let mode = self.st.tun.flat().map(|f| f.group_weight);
        let (whole, most) = match mode.unwrap_or(GroupWeight::Smp) {
            GroupWeight::Up => return shares,
            GroupWeight::Smp => (shares, shares),
            GroupWeight::Concur => (shares * tasks.min(cpus), u64::MAX),
            GroupWeight::Max => (shares * cpus, weight::weight_of_nice(-20) << SCALE_BITS),
            GroupWeight::Tasks => (shares * tasks, u64::MAX),
        };
        part_of_shares(whole, load, total, had).min(most)
    }

    /// The number of threads that a group runs, from its runnable average; at least 1 (`tg_tasks`).
    fn concurrency(&self, group: u32) -> u64 {
        let of = |f: &super::tunables::Flat| f.runnable.get(group as usize).copied();
        let average = self.st.tun.flat().and_then(of).unwrap_or(0);
        (average >> TASK_BITS).max(1)
    }

    /// Tells a group the load of its queue and its runnable average, if either has changed by more than a 64th.
    pub(super) fn tell_group(&mut self, q: Queue, now: u64) {
        let queue = &mut self.st.queues[q as usize];
        let group = queue.group as usize;
        let total = &mut self.st.groups[group].load_avg;
        let Some(flat) = self.st.tun.flat_mut() else {
            return;
        };
        let (Some(told), Some(sum)) = (
            flat.told_runnable.get_mut(q as usize),
            flat.runnable.get_mut(group),
        ) else {
            return;
        };
        let runnable = queue.loads.avg.runnable_avg;
        let far = runnable.abs_diff(*told) > *told / 64;
        if (queue.loads.told).tell_with(total, queue.loads.avg.load_avg, far, [now, TELL_NS]) {
            *sum = (*sum + runnable).saturating_sub(*told);
            *told = runnable;
        }
    }
}
