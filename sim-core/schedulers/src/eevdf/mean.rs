//! Virtual time of a queue: its weighted mean V, which entities are eligible, and the sums behind both.
//!
//! | item | kernel function @ 6.12.117 |
//! |---|---|
//! | `mean` | `avg_vruntime` |
//! | `eligible` | `entity_eligible`, `vruntime_eligible` |
//! | `lag`, `lag_limit` | `entity_lag`, `update_entity_lag` |
//! | `tree_add`, `tree_remove` | `__enqueue_entity`, `__dequeue_entity`, `avg_vruntime_add`, `avg_vruntime_sub` |
//! | `rebase` | `update_zero_vruntime` |
//!
//! The mean includes all entities of the queue: also the running one if it is still queued, and delayed ones. It is the
//! exact quotient rounded down, so the origin of the sums does not matter: releases that took them from `min_vruntime`
//! have the same mean.

use super::Eevdf;
use super::state::{Ent, Entity, FairQueue, LeastV, NONE, Queue};
use super::tunables::Tunables;
use crate::linux::signed;
use crate::linux::weight::{Division, NICE_0};
use sim_machine::cost::split::product;

/// How products of time and weight are computed.
pub(super) const DIVISION: Division = Division::Shifted;
/// Bits by which weights are scaled up.
pub(super) const SCALE_BITS: u32 = DIVISION.scale_bits();
/// The origin of the sums moves to the mean when the running entity is this far away.
pub(super) const FAR_NS: u64 = 1 << 33;

/// `a × b / c`, truncated towards zero.
pub(super) fn scaled(a: i64, b: i64, c: i64) -> i64 {
    match a.checked_mul(b) {
        Some(product) => product / c.max(1),
        None => {
            let exact = i128::from(a) * i128::from(b) / i128::from(c.max(1));
            i64::try_from(exact).unwrap_or(if exact < 0 { i64::MIN } else { i64::MAX })
        }
    }
}

/// `calc_delta_fair`: CPU time as virtual time.
#[inline]
pub(super) fn fair(tun: &Tunables, delta: u64, ent: &Entity) -> i64 {
    let weight = ent.exact_weight(tun);
    if weight == NICE_0 << SCALE_BITS {
        signed(delta)
    } else if tun.timed().exact_division || tun.one_queue() {
        // Effective weights are too fine for an inverse of 32 bits.
        signed(product(delta, NICE_0 << SCALE_BITS, weight.max(1)))
    } else {
        signed(DIVISION.delta(delta, NICE_0 << SCALE_BITS, ent.inverse))
    }
}

impl FairQueue {
    /// Sum and weight over the whole queue, with its current entity if that is still queued.
    #[inline]
    fn totals(&self, curr: Option<&Entity>) -> (i64, i64) {
        match curr {
            Some(curr) => {
                let w = curr.w();
                (self.sum + w * (curr.v - self.zero), self.load + w)
            }
            None => (self.sum, self.load),
        }
    }

    /// V, with its current entity if that is still queued; for an empty queue, its last value. An entity of the queue
    /// is eligible if its virtual runtime is at most this: for integers, v ≤ V is equivalent to v ≤ ⌊V⌋.
    #[inline]
    pub(super) fn mean(&self, curr: Option<&Entity>) -> i64 {
        let (sum, load) = self.totals(curr);
        if load == 0 {
            self.zero
        } else {
            self.zero + sum.div_euclid(load)
        }
    }
}

impl Eevdf {
    /// [`fair`] for an entity by its number.
    #[inline]
    pub(super) fn delta_fair(&self, delta: u64, e: Ent) -> i64 {
        fair(&self.st.tun, delta, self.st.ent(e))
    }

    /// The current entity of a queue, if it is still queued.
    #[inline]
    pub(super) fn curr_of(&self, queue: &FairQueue) -> Option<&Entity> {
        let curr = self.st.entities.get(queue.curr as usize);
        curr.filter(|curr| curr.on_rq)
    }

    /// Sum and weight over the whole queue.
    #[inline]
    fn totals(&self, q: Queue) -> (i64, i64) {
        let queue = self.st.queue(q);
        queue.totals(self.curr_of(queue))
    }

    /// Sum of the weights of the queued and running entities.
    #[inline]
    pub(super) fn total_load(&self, q: Queue) -> i64 {
        self.totals(q).1
    }

    /// V; for an empty queue, its last value.
    #[inline]
    pub(super) fn mean(&self, q: Queue) -> i64 {
        let queue = self.st.queue(q);
        queue.mean(self.curr_of(queue))
    }

    /// Whether a virtual runtime is at most V. The test is exact and does not use the rounded mean.
    #[inline]
    pub(super) fn is_eligible(&self, q: Queue, v: i64) -> bool {
        let (sum, load) = self.totals(q);
        let key = v - self.st.queue(q).zero;
        i128::from(sum) >= i128::from(key) * i128::from(load)
    }

    /// Whether an entity of a queue is eligible.
    #[inline]
    pub(super) fn eligible(&self, e: Ent) -> bool {
        let ent = self.st.ent(e);
        self.is_eligible(self.st.line_of(ent), ent.v)
    }

    /// The limit of a stored lag. Since 6.18.38 it follows from the largest request of the queue.
    pub(super) fn lag_limit(&self, e: Ent) -> i64 {
        let (ent, tun) = (self.st.ent(e), &self.st.tun);
        let most = if tun.later().lag_limit_largest {
            let largest = self.st.queue(self.st.line_of(ent)).slices.most();
            largest.unwrap_or(0) + tun.jiffy_ns
        } else {
            (2 * ent.slice).max(tun.jiffy_ns)
        };
        self.delta_fair(most, e)
    }

    /// The lag of a delayed entity that leaves its queue or counts again: no credit, and no more debt than it went to
    /// sleep with (since 7.2).
    pub(super) fn lag_after_delay(&self, e: Ent) -> i64 {
        let (tun, lag) = (&self.st.tun, self.lag(e));
        let lag = if tun.timed().delayed_lag_never_worse {
            lag.max(self.st.ent(e).lag)
        } else {
            lag
        };
        if tun.delay_zero { lag.min(0) } else { lag }
    }

    /// V - v, limited as it is stored.
    pub(super) fn lag(&self, e: Ent) -> i64 {
        let ent = self.st.ent(e);
        let limit = self.lag_limit(e);
        (self.mean(self.st.line_of(ent)) - ent.v).clamp(-limit, limit)
    }

    /// Puts an entity into the tree of its queue.
    pub(super) fn tree_add(&mut self, q: Queue, e: Ent) {
        let st = &mut self.st;
        let ent = &st.entities[e as usize];
        let queue = &mut st.queues[q as usize];
        queue.sum += ent.w() * (ent.v - queue.zero);
        queue.load += ent.w();
        let key = ent.deadline.cast_unsigned();
        st.arena.add(&mut queue.tree, e, key, LeastV::new(ent.v));
    }

    /// Removes an entity from the tree of its queue.
    pub(super) fn tree_remove(&mut self, q: Queue, e: Ent) {
        let st = &mut self.st;
        let ent = &st.entities[e as usize];
        let queue = &mut st.queues[q as usize];
        queue.sum -= ent.w() * (ent.v - queue.zero);
        queue.load -= ent.w();
        st.arena.remove(&mut queue.tree, e);
    }

    /// Moves the origin of the sums to V if the running entity is far from it.
    #[inline]
    pub(super) fn rebase_if_far(&mut self, q: Queue) {
        let queue = self.st.queue(q);
        if queue.curr == NONE {
            return;
        }
        let v = self.st.ent(queue.curr).v;
        if v.abs_diff(queue.zero) > FAR_NS {
            self.rebase(q);
        }
    }

    pub(super) fn rebase(&mut self, q: Queue) {
        let mean = self.mean(q);
        let queue = self.st.queue_mut(q);
        queue.sum -= queue.load * (mean - queue.zero);
        queue.zero = mean;
    }
}
