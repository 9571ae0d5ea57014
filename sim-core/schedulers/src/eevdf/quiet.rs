//! Applies consecutive ticks of a CPU that runs a fair task at once, with the same result as one by one.
//!
//! Between two events on a CPU its ticks do three things for each running entity. They charge it, they bring averages
//! up to date, and they test whether a group's part of its shares has changed. Charges add up, request by request. Sums
//! of averages go from tick to tick in a loop of their own. Shares are tested beforehand. If more would happen, the
//! ticks are applied one by one: a request ends between the ticks while others wait, a weight changes, or load was
//! added or removed below.

use super::Eevdf;
use super::account::ReschedCause;
use super::group::TELL_NS;
use super::mean::{FAR_NS, fair};
use super::state::{EevdfState, Ent, Entity, FairQueue, NONE, Queue};
use super::tunables::Tunables;
use crate::linux::machine::load::clock;
use crate::linux::machine::pelt::Counts;
use crate::linux::machine::together::Running;
use crate::linux::ticks::EvenTicks;
use sim_ground::ids::TaskId;

/// Virtual time that consecutive ticks charge to an entity.
#[derive(Clone, Copy, Debug)]
struct Charge {
    /// The charge of the first tick, and that of each later tick.
    first: i64,
    each: i64,
    /// The entity's virtual runtime after the last tick.
    end: i64,
}

/// What ticks that were applied at once have done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Joined {
    /// Whether the last asks for a reschedule.
    pub(super) asks: Option<ReschedCause>,
    /// Whether shares may differ after the last from what they are after the first.
    pub(super) moves_shares: bool,
}

impl EevdfState {
    /// An entity and the queue in whose virtual time it stands.
    #[inline]
    pub(super) fn level(&self, e: Ent) -> (&Entity, &FairQueue) {
        let ent = self.ent(e);
        (ent, self.queue(self.line_of(ent)))
    }
}

impl Eevdf {
    /// Applies all of the ticks if this is possible at once. Shares are tested only at the first tick.
    #[inline]
    pub(super) fn join_ticks(&mut self, e: Ent, ticks: EvenTicks) -> Option<Joined> {
        let capacities = self.capacities.as_ref();
        let cpu = || self.st.queue(self.st.ent(e).queue).cpu;
        if capacities.is_some_and(|c| c.is_slow(cpu())) {
            // Ticks are not even in its clock.
            return None;
        }
        match self.st.ent(e).parent {
            NONE => self.join_alone(e, ticks),
            // Weights may change at each of the ticks.
            _ if self.st.tun.flat().is_some() => None,
            // Its groups nest, or have limits.
            parent if self.cgroups.is_some() && self.is_deep(parent) => None,
            parent => self.join_in_group([e, parent], ticks),
        }
    }

    /// Whether the ticks of a task of a group are applied one by one.
    #[cold]
    fn is_deep(&self, group: Ent) -> bool {
        self.st.ent(group).parent != NONE || self.cgroups.as_ref().is_some_and(|g| g.has_limits())
    }

    /// The same for a task of the root.
    fn join_alone(&mut self, e: Ent, ticks: EvenTicks) -> Option<Joined> {
        let level = self.st.level(e);
        if !level
            .0
            .avg
            .is_in_step([&level.1.loads.avg], clock(ticks.first()))
        {
            return None;
        }
        let charge = quiet_charge(&self.st.tun, e, level, ticks)?;
        let q = level.0.queue;
        let mut left = clocked(ticks);
        while left.n > 0 {
            self.steps.take(&self.st.queue(q).loads.avg, &mut left);
            self.average_entity(e);
            self.average_queue(q);
        }
        Some(Joined {
            asks: self.charge_ticks(e, ticks, charge),
            moves_shares: false,
        })
    }

    /// The same for a task of a group, which is the first entity, and for the entity of the group, which lies in the root.
    fn join_in_group(&mut self, [e, above]: [Ent; 2], ticks: EvenTicks) -> Option<Joined> {
        let (level, upper) = (self.st.level(e), self.st.level(above));
        let (queue, owner) = (level.1, upper.0);
        let others = [&queue.loads.avg, &owner.avg, &upper.1.loads.avg];
        if queue.loads.propagates || !level.0.avg.is_in_step(others, clock(ticks.first())) {
            return None;
        }
        let charge = quiet_charge(&self.st.tun, e, level, ticks)?;
        let charge_above = quiet_charge(&self.st.tun, above, upper, ticks)?;
        let mut left = clocked(ticks);
        self.steps.take(&queue.loads.avg, &mut left);
        // If the group's entity keeps its weight at the first tick, it does at the others.
        let first_load = self
            .steps
            .first_load(&queue.loads.avg, running_queue(queue));
        let weight = owner.weight;
        if queue.weight > 0 && self.part_of_shares(queue, first_load, weight) != weight {
            return None;
        }
        let (q, root) = (level.0.queue, owner.queue);
        let told = queue.loads.told;
        loop {
            self.average_entity(e);
            let avg = &self.st.queue(q).loads.avg;
            let from = [avg.runnable_sum, avg.util_sum];
            self.average_and_tell(q);
            self.average_above([q, root], above, from);
            if left.n == 0 {
                break;
            }
            self.steps.take(&self.st.queue(q).loads.avg, &mut left);
        }
        let asks = self.charge_ticks(e, ticks, charge);
        let asks_above = self.charge_ticks(above, ticks, charge_above);
        let queue = self.st.queue(q);
        Some(Joined {
            asks: asks.or(asks_above),
            moves_shares: told != queue.loads.told || first_load != queue.loads.avg.load_avg,
        })
    }

    /// Applies ticks to the averages of the entity of a running task.
    #[inline]
    fn average_entity(&mut self, e: Ent) {
        let ent = &mut self.st.entities[e as usize];
        let (counts, load) = (running_entity(ent), ent.own_load());
        if self.steps.apply(&mut ent.avg, counts, load) {
            let task = TaskId(ent.task);
            self.st.task_mut(task).util_changed = true;
        }
    }

    /// The same for a queue.
    #[inline]
    fn average_queue(&mut self, q: Queue) {
        let queue = &mut self.st.queues[q as usize];
        let counts = running_queue(queue);
        self.steps.apply(&mut queue.loads.avg, counts, 1);
    }

    /// The same for the entity of a group and the queue that it is in. Usually they have run as long as the queue of the
    /// group, which had the sums `from` before.
    #[inline]
    fn average_above(&mut self, [below, root]: [Queue; 2], e: Ent, from: [u64; 2]) {
        let below = self.st.queue(below);
        let (other, same) = (below.loads.avg, running_queue(below));
        let ent = &mut self.st.entities[e as usize];
        let (counts, load) = (running_entity(ent), ent.own_load());
        let like = (from, &other, same);
        self.steps.apply_like(&mut ent.avg, counts, load, like);
        let queue = &mut self.st.queues[root as usize];
        let counts = running_queue(queue);
        self.steps.apply_like(&mut queue.loads.avg, counts, 1, like);
    }

    /// The same for the queue of a group, which tells its load.
    #[inline]
    fn average_and_tell(&mut self, q: Queue) {
        let queue = &mut self.st.queues[q as usize];
        let counts = running_queue(queue);
        if self
            .steps
            .stays_in(&queue.loads.avg, counts, queue.loads.told.near())
        {
            self.steps.apply(&mut queue.loads.avg, counts, 1);
            return;
        }
        let total = &mut self.st.groups[queue.group as usize].load_avg;
        let told = &mut queue.loads.told;
        self.steps
            .apply_one_by_one(&mut queue.loads.avg, counts, 1, |avg, at| {
                told.tell(total, avg.load_avg, at - clock(0), TELL_NS);
            });
    }

    /// Charges the ticks to a running entity.
    #[inline]
    fn charge_ticks(&mut self, e: Ent, ticks: EvenTicks, charge: Charge) -> Option<ReschedCause> {
        let base = self.st.tun.base_slice;
        let ent = &mut self.st.entities[e as usize];
        ent.sum_exec += ticks.last - ent.exec_start;
        if let Some(caches) = &mut self.caches
            && ent.my_queue == NONE
        {
            let cpu = self.st.queues[ent.queue as usize].cpu;
            caches.ran(cpu, TaskId(ent.task), [ent.exec_start, ticks.last]);
        }
        ent.exec_start = ticks.last;
        if charge.end < ent.deadline {
            return self.charge_part(e, charge.end);
        }
        let same = ent.custom_slice || ent.slice == base;
        if same && (ticks.n == 1 || charge.end - charge.each < ent.deadline) {
            // Only the last tick ends the request.
            ent.v = charge.end;
            ent.deadline = ent.v + fair(&self.st.tun, ent.slice, ent);
            self.rebase_at_request(e);
        } else {
            self.end_requests(e, ticks.n, charge);
        }
        if self.st.queue(self.st.line(e)).nr == 1 {
            return None;
        }
        self.clear_buddy(e);
        Some(ReschedCause::RequestUsed(e))
    }

    /// The same if the request is not used up: its protection may have ended.
    fn charge_part(&mut self, e: Ent, end: i64) -> Option<ReschedCause> {
        self.st.ent_mut(e).v = end;
        let (ent, queue) = self.st.level(e);
        let tun = &self.st.tun;
        if queue.nr == 1 || !tun.later().resched_unprotected || ent.is_protected(tun) {
            return None;
        }
        self.clear_buddy(e);
        Some(ReschedCause::Unprotected(e))
    }

    /// Charges the ticks and starts new requests. Any tick may end a request of an entity that is alone in its queue;
    /// otherwise only the last tick does.
    fn end_requests(&mut self, e: Ent, n: u64, charge: Charge) {
        let mut by = charge.first;
        for _ in 0..n {
            let ent = self.st.ent_mut(e);
            ent.v += by;
            by = charge.each;
            if ent.v >= ent.deadline {
                self.next_request(e);
            }
        }
    }
}

/// The charge of the ticks to a running entity, if nothing but arithmetic happens at them.
#[inline(always)]
fn quiet_charge(
    tun: &Tunables,
    e: Ent,
    (ent, queue): (&Entity, &FairQueue),
    ticks: EvenTicks,
) -> Option<Charge> {
    if queue.curr != e
        || !ent.on_rq
        || ent.exec_start >= ticks.first()
        || queue.loads.removed.nr > 0
    {
        return None;
    }
    let charge = charge_of(tun, ent, ticks);
    let far = |v: i64| v.abs_diff(queue.zero) > FAR_NS;
    if far(ent.v) || far(charge.end) {
        return None;
    }
    if queue.nr > 1 {
        let asks_if_ahead = tun.preempt_short && !tun.later().resched_unprotected;
        let one_by_one = asks_if_ahead
            && if tun.later().protect_by_vruntime {
                charge.end >= ent.mark
            } else {
                !ent.is_protected(tun)
            };
        if one_by_one || charge.end - charge.each >= ent.asks_from(tun) {
            return None;
        }
    }
    Some(charge)
}

#[inline]
fn charge_of(tun: &Tunables, ent: &Entity, ticks: EvenTicks) -> Charge {
    let since = ticks.first() - ent.exec_start;
    let each = fair(tun, ticks.period, ent);
    let first = if since == ticks.period {
        each
    } else {
        fair(tun, since, ent)
    };
    let end = ent.v + first + (ticks.n - 1).cast_signed() * each;
    Charge { first, each, end }
}

/// The same ticks in the averages' clock.
fn clocked(ticks: EvenTicks) -> EvenTicks {
    EvenTicks {
        last: clock(ticks.last),
        ..ticks
    }
}

/// What a running entity counts.
#[inline]
fn running_entity(ent: &Entity) -> Running {
    let runnable = ent.counts(true).runnable;
    Running { load: 1, runnable }
}

/// What a queue in which an entity runs counts.
#[inline]
fn running_queue(queue: &FairQueue) -> Running {
    let Counts { load, runnable, .. } = queue.counts();
    Running { load, runnable }
}
