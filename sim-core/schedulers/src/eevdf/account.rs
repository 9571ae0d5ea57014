//! Charges the running task, and ends its request.
//!
//! | item | kernel function @ 6.12.117 |
//! |---|---|
//! | `update_curr` | `update_curr`, `update_deadline`, `did_preempt_short` |
//! | `update_path` | the same, level by level |

use super::Eevdf;
use super::state::{Ent, NONE, Queue};
use sim_ground::ids::TaskId;

/// Why accounting asks for a reschedule, and for which entity: that of the running task, or of a group above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReschedCause {
    /// The request has been used up.
    RequestUsed(Ent),
    /// It is not protected, and ahead of V.
    Ahead(Ent),
    /// It is not protected, and others wait (since 6.17).
    Unprotected(Ent),
    /// A control group above it has used its CPU time.
    OutOfTime(Ent),
    /// The fair server of the CPU serves at once.
    Served,
}

impl Eevdf {
    /// `update_curr`: charges the running entity of a queue. Returns why the CPU should pick again, if it should.
    #[inline]
    pub(super) fn update_curr(&mut self, q: Queue, now: u64) -> Option<ReschedCause> {
        let curr = self.st.queue(q).curr;
        if curr == NONE {
            return None;
        }
        // The kernel charges nothing if the signed difference is negative.
        let delta = now.saturating_sub(self.st.ent(curr).exec_start);
        if delta == 0 {
            return None;
        }
        self.charge(curr, delta, now)
    }

    // A call of its own: most callers find nothing to charge.
    #[inline(never)]
    fn charge(&mut self, curr: Ent, delta: u64, now: u64) -> Option<ReschedCause> {
        let q = self.st.line(curr);
        let fair = self.delta_fair(delta, curr);
        let ent = &mut self.st.entities[curr as usize];
        ent.exec_start = now;
        ent.sum_exec += delta;
        ent.v += fair;
        if let Some(caches) = &mut self.caches
            && ent.my_queue == NONE
        {
            let cpu = self.st.queues[ent.queue as usize].cpu;
            caches.ran(cpu, TaskId(ent.task), [now - delta, now]);
        }
        let used = ent.v >= ent.deadline;
        if used {
            self.next_request(curr);
        }
        self.rebase_if_far(q);
        if self.cgroups.is_some() && self.charge_limits(curr, delta, now) {
            self.clear_buddy(curr);
            return Some(ReschedCause::OutOfTime(curr));
        }
        if self.st.queue(q).nr == 1 {
            return None;
        }
        if used {
            self.clear_buddy(curr);
            return Some(ReschedCause::RequestUsed(curr));
        }
        let (ent, tun) = (self.st.ent(curr), &self.st.tun);
        let cause = if ent.is_protected(tun) {
            return None;
        } else if tun.later().resched_unprotected {
            ReschedCause::Unprotected(curr)
        } else if tun.preempt_short && !self.is_eligible(q, ent.v) {
            ReschedCause::Ahead(curr)
        } else {
            return None;
        };
        self.clear_buddy(curr);
        Some(cause)
    }

    /// Starts a new request: the deadline lies one slice after the vruntime.
    pub(super) fn next_request(&mut self, e: Ent) {
        self.take_base_slice(e);
        let request = self.delta_fair(self.st.ent(e).slice, e);
        let ent = self.st.ent_mut(e);
        ent.deadline = ent.v + request;
        self.rebase_at_request(e);
    }

    /// With the exact weights of one queue the sums are larger, so they start again at V with each request.
    #[inline]
    pub(super) fn rebase_at_request(&mut self, e: Ent) {
        if self.st.tun.one_queue() {
            self.rebase(self.st.line(e));
        }
    }

    /// Sets the slice to `base_slice_ns`, unless the entity has its own.
    pub(super) fn take_base_slice(&mut self, e: Ent) {
        let ent = self.st.ent(e);
        let base = self.st.tun.base_slice;
        if !ent.custom_slice && ent.slice != base {
            self.set_slice_of(e, base);
        }
    }

    /// Changes an entity's slice, and updates its queue.
    pub(super) fn set_slice_of(&mut self, e: Ent, slice: u64) {
        let ent = self.st.ent_mut(e);
        let old = std::mem::replace(&mut ent.slice, slice);
        let on_rq = ent.on_rq;
        let q = self.st.line(e);
        let counts = self.st.tun.since_6_17() || self.st.queue(q).group != 0;
        if on_rq && old != slice && counts {
            let slices = &mut self.st.queue_mut(q).slices;
            slices.remove(old);
            slices.add(slice);
        }
    }
}
