//! Applies consecutive ticks of a CPU that runs a fair task at once, with the same result as one by one.
//!
//! Between two events on a CPU its ticks do three things for each running entity. They charge it, they bring averages
//! up to date, and they test whether a group's part of its shares has changed. Charges add up, request by request. Sums
//! of averages go from tick to tick in a loop of their own. Shares are tested beforehand. If more would happen, the
//! ticks are applied one by one: a request ends between the ticks while others wait, a weight changes, or load was
//! added or removed below.

use super::Eevdf;
use super::account::ReschedCause;
use super::group::ReportedLoad;
use super::load::clock;
use super::mean::{FAR_NS, fair};
use super::pelt::quotient;
use super::state::{Ent, Entity, NONE, Queue};
use super::together::Together;
use crate::linux::ticks::EvenTicks;
use sim_ground::ids::TaskId;

/// Levels of running entities: a task in its group, and the group in the root. Groups do not nest.
const LEVELS: usize = 2;

/// Virtual time that consecutive ticks charge to an entity.
#[derive(Clone, Copy, Debug, Default)]
struct Charge {
    /// The charge of the first tick, and that of each later tick.
    first: i64,
    each: i64,
    /// The entity's virtual runtime after the last tick.
    end: i64,
}

impl Eevdf {
    /// Applies all of the ticks if this is possible at once, and returns whether the last asks for a reschedule. Shares
    /// are tested only at the first tick.
    #[inline]
    pub(super) fn join_ticks(&mut self, e: Ent, ticks: EvenTicks) -> Option<Option<ReschedCause>> {
        let mut levels = [(NONE, Charge::default()); LEVELS];
        let mut averages = Together::in_step_with(&self.st.ent(e).avg);
        let (mut n, mut up) = (0, e);
        while up != NONE {
            *levels.get_mut(n)? = (up, self.charge_if_quiet(up, ticks)?);
            let ent = self.st.ent(up);
            let queue = self.st.queue(ent.queue);
            averages.add(&ent.avg, ent.counts(true))?;
            averages.add(&queue.avg, queue.counts())?;
            up = ent.parent;
            n += 1;
        }
        let below = self.st.ent(e).queue;
        let mut hears = self.hears(below, ticks);
        averages.go_through(clocked(ticks), |averages, at| {
            hears.at_tick(averages.load(1), at - clock(0));
        });
        if n > 1 && !self.keeps_weight(levels[1].0, hears.first_load) {
            return None;
        }
        if hears.told != self.st.queue(below).told {
            let queue = &mut self.st.queues[below as usize];
            queue.told = hears.told;
            self.st.groups[queue.group as usize].load_avg = hears.total;
        }
        let mut asks = None;
        for (level, &(e, charge)) in levels[..n].iter().enumerate() {
            let of_level = self.charge_ticks(e, ticks, charge);
            asks = asks.or(of_level);
            self.take_averages(e, &averages, 2 * level);
        }
        Some(asks)
    }

    /// The state of a queue's reports to its group before the ticks.
    fn hears(&self, q: Queue, ticks: EvenTicks) -> Hears {
        let queue = self.st.queue(q);
        Hears {
            first: ticks.first(),
            first_load: queue.avg.load_avg,
            told: queue.told,
            total: self.st.groups[queue.group as usize].load_avg,
            is_group: queue.group != 0,
        }
    }

    /// The charge of the ticks to a running entity, if nothing but arithmetic happens at them.
    #[inline]
    fn charge_if_quiet(&self, e: Ent, ticks: EvenTicks) -> Option<Charge> {
        let ent = self.st.ent(e);
        let queue = self.st.queue(ent.queue);
        let first = ticks.first();
        let updated = ent.avg.last_update.max(queue.avg.last_update);
        if queue.curr != e
            || !ent.on_rq
            || ent.exec_start >= first
            || ent.avg.last_update == 0
            || updated > clock(first)
            || queue.removed.nr > 0
        {
            return None;
        }
        let charge = self.charge_of(ent, ticks);
        let far = |v: i64| v.abs_diff(queue.zero) > FAR_NS;
        if far(ent.v) || far(charge.end) {
            return None;
        }
        if queue.nr > 1 {
            let one_by_one = self.st.tun.preempt_short && !ent.is_protected();
            if one_by_one || charge.end - charge.each >= ent.deadline {
                return None;
            }
        }
        let news = ent.my_queue != NONE && self.st.queue(ent.my_queue).propagates;
        (!news).then_some(charge)
    }

    /// Whether a group's entity keeps its part of the shares when its queue has this load. If it does at the first
    /// tick, it does at the others.
    #[inline]
    fn keeps_weight(&self, e: Ent, load: u64) -> bool {
        let ent = self.st.ent(e);
        let below = self.st.queue(ent.my_queue);
        below.weight == 0 || self.part_of_shares(below, load, ent.weight) == ent.weight
    }

    #[inline]
    fn charge_of(&self, ent: &Entity, ticks: EvenTicks) -> Charge {
        let since = ticks.first() - ent.exec_start;
        let each = fair(ticks.period, ent);
        let first = if since == ticks.period {
            each
        } else {
            fair(since, ent)
        };
        let end = ent.v + first + (ticks.n - 1).cast_signed() * each;
        Charge { first, each, end }
    }

    #[inline]
    fn charge_ticks(&mut self, e: Ent, ticks: EvenTicks, charge: Charge) -> Option<ReschedCause> {
        let ent = self.st.ent_mut(e);
        ent.sum_exec += ticks.last - ent.exec_start;
        ent.exec_start = ticks.last;
        if charge.end < ent.deadline {
            ent.v = charge.end;
            return None;
        }
        self.end_requests(e, ticks.n, charge)
    }

    /// Charges the ticks and starts new requests. Any tick may end a request of an entity that is alone in its queue;
    /// otherwise only the last tick does.
    fn end_requests(&mut self, e: Ent, n: u64, charge: Charge) -> Option<ReschedCause> {
        let mut by = charge.first;
        for _ in 0..n {
            let ent = self.st.ent_mut(e);
            ent.v += by;
            by = charge.each;
            if ent.v >= ent.deadline {
                self.next_request(e);
            }
        }
        if self.st.queue(self.st.ent(e).queue).nr == 1 {
            return None;
        }
        self.clear_buddy(e);
        Some(ReschedCause::RequestUsed)
    }

    /// Stores the new averages of a running entity and of its queue.
    #[inline]
    fn take_averages(&mut self, e: Ent, averages: &Together, at: usize) {
        let ent = &mut self.st.entities[e as usize];
        let (q, weight) = (ent.queue, ent.load);
        if averages.store(at, &mut ent.avg, weight) && ent.my_queue == NONE {
            let task = TaskId(ent.task);
            self.st.task_mut(task).util_changed = true;
        }
        averages.store(at + 1, &mut self.st.queue_mut(q).avg, 1);
    }
}

/// The same ticks in the averages' clock.
fn clocked(ticks: EvenTicks) -> EvenTicks {
    EvenTicks {
        last: clock(ticks.last),
        ..ticks
    }
}

/// A queue's reports of its load to its group during the ticks.
struct Hears {
    /// Time of the first tick, and the average load after it.
    first: u64,
    first_load: u64,
    told: ReportedLoad,
    /// The group's total.
    total: u64,
    /// Whether the queue belongs to a group: the root has no total.
    is_group: bool,
}

impl Hears {
    #[inline]
    fn at_tick(&mut self, load: Option<(u64, u64)>, at: u64) {
        let Some((sum, divider)) = load.filter(|_| self.is_group) else {
            return;
        };
        if at == self.first {
            self.first_load = quotient(sum, divider, self.first_load);
        }
        if self.told.is_sum_far(sum, divider) {
            self.told.tell(&mut self.total, sum / divider, at);
        }
    }
}
