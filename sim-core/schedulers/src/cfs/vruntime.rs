//! Virtual time: the charge of the running task, slices, and where new and woken entities are placed.
//!
//! | item | kernel function |
//! |---|---|
//! | `update_curr` | `update_curr` |
//! | `update_min_vruntime` | `update_min_vruntime` |
//! | `slice`, `vslice` | `sched_slice`, `sched_vslice`, `__sched_period` |
//! | `place` | `place_entity` |

use super::Cfs;
use super::entity::{CfsQueue, Ent, Entity, NONE, Queue};
use super::era::{Era, RelativeVruntime};
use crate::linux::weight::{Division, NICE_0};
use sim_contract::flags::Policy;

/// Whether vruntime a lies before b; vruntimes wrap.
pub(super) fn before(a: u64, b: u64) -> bool {
    a.wrapping_sub(b).cast_signed() < 0
}

/// `max_vruntime`.
pub(super) fn later(a: u64, b: u64) -> u64 {
    if before(a, b) { b } else { a }
}

impl Entity {
    /// `calc_delta_fair`: time as vruntime.
    #[inline]
    fn fair(&self, delta: u64, division: Division) -> u64 {
        let nice_0 = NICE_0 << division.scale_bits();
        if self.weight == nice_0 {
            delta
        } else {
            division.fair(delta, self.inverse)
        }
    }

    /// Its vruntime, if `min_vruntime` depends on it while it runs.
    #[inline]
    fn counts(&self, era: &Era) -> Option<u64> {
        let counts = self.on_rq || era.relative == RelativeVruntime::AtWakeup;
        counts.then_some(self.vruntime)
    }
}

impl Cfs {
    /// `calc_delta_fair` of an entity.
    pub(super) fn delta_fair(&self, delta: u64, e: Ent) -> u64 {
        self.st.ent(e).fair(delta, self.era.division)
    }

    /// `update_curr`: charges the running entity of a queue.
    #[inline]
    pub(super) fn update_curr(&mut self, q: Queue, now: u64) {
        let curr = self.st.queue(q).curr;
        if curr == NONE {
            return;
        }
        // The clock does not go back.
        let delta = now.saturating_sub(self.st.ent(curr).exec_start);
        if delta > 0 {
            self.charge(q, curr, delta, now);
        }
    }

    // A call of its own: most callers find nothing to charge.
    #[inline(never)]
    fn charge(&mut self, q: Queue, curr: Ent, delta: u64, now: u64) {
        let era = self.era;
        let ent = self.st.ent_mut(curr);
        let fair = ent.fair(delta, era.division);
        ent.sum_exec += delta;
        ent.vruntime = ent.vruntime.wrapping_add(fair);
        ent.exec_start = now;
        let running = ent.counts(era);
        self.raise_min_vruntime(q, running);
        if self.cgroups.is_some() {
            self.charge_limits(q, delta, now);
        }
    }

    /// Charges the running entities of a CPU, at each level.
    pub(super) fn update_path(&mut self, e: Ent, now: u64) {
        let mut e = e;
        while e != NONE {
            self.update_curr(self.st.ent(e).queue, now);
            e = self.st.ent(e).parent;
        }
    }

    /// Charges at two times, the first not after the second, for an entity that is current at each level. The result
    /// equals two separate charges, with the same rounding.
    pub(super) fn charge_path(&mut self, e: Ent, first: u64, second: u64) {
        let mut e = e;
        while e != NONE {
            let era = self.era;
            let ent = self.st.ent_mut(e);
            let (q, parent) = (ent.queue, ent.parent);
            let one = first.saturating_sub(ent.exec_start);
            let other = second.saturating_sub(ent.exec_start.max(first));
            if one + other > 0 {
                let mut fair = ent.fair(other, era.division);
                if one > 0 {
                    fair += ent.fair(one, era.division);
                }
                ent.sum_exec += one + other;
                ent.vruntime = ent.vruntime.wrapping_add(fair);
                ent.exec_start = second;
                let running = ent.counts(era);
                self.raise_min_vruntime(q, running);
            }
            e = parent;
        }
    }

    /// `update_min_vruntime`.
    pub(super) fn update_min_vruntime(&mut self, q: Queue) {
        let curr = self.st.queue(q).curr;
        let running = (curr != NONE).then(|| self.st.ent(curr));
        let running = running.and_then(|ent| ent.counts(self.era));
        self.raise_min_vruntime(q, running);
    }

    #[inline(always)]
    fn raise_min_vruntime(&mut self, q: Queue, running: Option<u64>) {
        let queue = &mut self.st.queues[q as usize];
        let leftmost = queue.tree.leftmost;
        let mut v = running.unwrap_or(queue.min_vruntime);
        if leftmost != NONE {
            let first = self.st.entities[leftmost as usize].vruntime;
            if running.is_none() || before(first, v) {
                v = first;
            }
        }
        queue.min_vruntime = later(queue.min_vruntime, v);
    }

    /// `__sched_period`.
    fn period(&self, n: u64) -> u64 {
        if n > self.st.tun.nr_latency {
            n * self.st.tun.min_granularity
        } else {
            self.st.tun.latency
        }
    }

    /// `sched_slice`.
    #[inline]
    pub(super) fn slice(&self, e: Ent) -> u64 {
        let ent = self.st.ent(e);
        self.slice_in(self.st.queue(ent.queue), ent)
    }

    /// The same for an entity of a queue. A switch computes the slice several times.
    #[inline]
    pub(super) fn slice_in(&self, queue: &CfsQueue, ent: &Entity) -> u64 {
        if !ent.on_rq {
            return self.new_slice(ent, queue);
        }
        let asked = (self.st.rq(queue.cpu).changes, ent.weight);
        match queue.slice.get() {
            (last, slice) if last == asked => slice,
            _ => {
                let slice = self.new_slice(ent, queue);
                queue.slice.set((asked, slice));
                slice
            }
        }
    }

    #[inline(never)]
    fn new_slice(&self, ent: &Entity, queue: &CfsQueue) -> u64 {
        let division = self.era.division;
        let total =
            |queue: &CfsQueue, ent: &Entity| queue.weight + if ent.on_rq { 0 } else { ent.weight };
        let whole = self.since_6_1().filter(|since| since.alt_period);
        let nr = match whole {
            Some(_) => self.st.root(queue.cpu).h_nr_running,
            None => queue.nr_running,
        };
        let period = self.period(u64::from(nr) + u64::from(!ent.on_rq));
        let mut slice = queue.part(period, ent.weight, total(queue, ent), division);
        let mut parent = ent.parent;
        while parent != NONE {
            let group = self.st.ent(parent);
            let above = self.st.queue(group.queue);
            slice = above.part(slice, group.weight, total(above, group), division);
            parent = group.parent;
        }
        slice.max(self.least_slice(ent))
    }

    /// `BASE_SLICE` @ 6.1: no slice is shorter than the minimal granularity. That of an idle entity that competes with
    /// others is smaller, and does not grow with the number of CPUs.
    fn least_slice(&self, ent: &Entity) -> u64 {
        match self.since_6_1().filter(|since| since.base_slice) {
            None => 0,
            Some(since) if self.is_idle_row(ent) && !self.is_all_idle(ent.queue) => {
                since.idle_min_granularity
            }
            Some(_) => self.st.tun.min_granularity,
        }
    }

    /// `sched_vslice`.
    pub(super) fn vslice(&self, e: Ent) -> u64 {
        self.delta_fair(self.slice(e), e)
    }

    /// `place_entity`: the vruntime with which a new or woken entity enters a queue.
    pub(super) fn place(&mut self, q: Queue, e: Ent, initial: bool, policy: Policy, now: u64) {
        let tun = &self.st.tun;
        let mut v = self.st.queue(q).min_vruntime;
        if initial {
            if tun.start_debit {
                v = v.wrapping_add(self.vslice(e));
            }
        } else if tun.fair_sleepers {
            let mut credit = if self.is_idle_row(self.st.ent(e)) {
                tun.min_granularity
            } else {
                tun.latency
            };
            if tun.normalized_sleeper && policy != Policy::Idle {
                credit = self.delta_fair(credit, e);
            }
            if tun.gentle_fair_sleepers {
                credit /= 2;
            }
            v = v.wrapping_sub(credit);
        }
        let long_ago = self.era.long_sleeper;
        let ent = self.st.ent_mut(e);
        // The clock does not go back.
        let slept = now.saturating_sub(ent.exec_start);
        let forgets = ent.exec_start > 0 && long_ago.is_some_and(|most| slept > most);
        ent.vruntime = if forgets { v } else { later(ent.vruntime, v) };
    }

    /// Sets a load weight (`update_load_set`).
    pub(super) fn set_weight(&mut self, e: Ent, weight: u64) {
        let inverse = self.era.division.inverse(weight);
        let ent = self.st.ent_mut(e);
        (ent.weight, ent.inverse) = (weight, inverse);
        let q = ent.queue;
        self.st.note_change(q);
    }
}
