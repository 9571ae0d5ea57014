//! Groups of tasks, one for each application: their queues, entities and weights.
//!
//! | item | kernel function @ 6.12.117 |
//! |---|---|
//! | `group_of` | `autogroup_create` (one group to a session) |
//! | `update_shares_of` | `update_cfs_group`, `calc_group_shares` |
//! | `reweight` | `reweight_entity`, `reweight_eevdf` |
//! | `update_group_load` | `update_tg_load_avg` |
//!
//! Deviation: groups do not nest, and none has `cpu.idle`.

use super::Eevdf;
use super::mean::{DIVISION, SCALE_BITS, scaled};
use super::state::{Ent, Entity, FairQueue, Group, NONE, Queue};
use crate::linux::applications;
use crate::linux::signed;
use serde::{Deserialize, Serialize};
use sim_contract::cx::TaskInfo;
use sim_ground::ids::CpuId;
use sim_machine::cost::split::product;

/// Smallest weight of a group's entity; group weights have 10 more bits (`MIN_SHARES`).
const MIN_SHARES: u64 = 2;
/// Smallest weight after scaling down (`scale_load_down`).
const MIN_LOAD: u64 = 2;
/// Shortest time in ns between two reports of a queue's load to its group (`update_tg_load_avg`).
const TELL_NS: u64 = 1_000_000;

/// The load that a queue has reported to its group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ReportedLoad {
    /// The part of its average load that is included in the group's total.
    pub(super) load: u64,
    /// Time of the last report in ns; 0 if there was none.
    at: u64,
}

impl ReportedLoad {
    /// Whether a load differs so much from the reported one that it must be reported.
    #[inline]
    fn is_far(self, load: u64) -> bool {
        load.abs_diff(self.load) > self.load / 64
    }

    /// The loads that need no report ([`Self::is_far`]): from the first up to below the second.
    #[inline]
    pub(super) fn near(self) -> (u64, u64) {
        let margin = self.load / 64;
        (self.load - margin, self.load + margin + 1)
    }

    /// `update_tg_load_avg`.
    #[inline]
    pub(super) fn tell(&mut self, total: &mut u64, load: u64, now: u64) {
        // At time 0 the stamp is 1, because 0 means that there is none.
        let early = now.saturating_sub(self.at) < TELL_NS && self.at > 0;
        if !early && self.is_far(load) {
            // The total contains what the queue has told it.
            *total = (*total + load).saturating_sub(self.load);
            (self.load, self.at) = (load, now.max(1));
        }
    }
}

impl Eevdf {
    /// The group of a task; created for the first task of its application.
    pub(super) fn group_of(&mut self, info: &TaskInfo, now: u64) -> u32 {
        if !self.st.tun.group_per_application {
            return 0;
        }
        let key = applications::key(info);
        let found = self.st.group_with_key(key);
        let at = found.unwrap_or_else(|| self.make_group(key, now));
        u32::try_from(at).unwrap_or(0)
    }

    fn make_group(&mut self, key: u64, now: u64) -> usize {
        let number = self.st.groups.len();
        let cpus = self.st.rqs.len();
        let (first_entity, first_queue) = (self.st.entities.len(), self.st.queues.len());
        let shares = self.st.tun.group_shares << SCALE_BITS;
        let group = u32::try_from(number).unwrap_or(0);
        for c in 0..cpus {
            let cpu = CpuId::new(c);
            let q = u32::try_from(first_queue + c).unwrap_or(NONE);
            self.st.queues.push(FairQueue::new(cpu, group));
            let mut entity = Entity::new(u32::from(cpu.0));
            entity.my_queue = q;
            entity.slice = self.st.tun.base_slice;
            let e = self.st.add_entity(entity);
            self.set_weight(e, shares);
        }
        self.st.groups.push(Group {
            key,
            first_entity: u32::try_from(first_entity).unwrap_or(NONE),
            first_queue: u32::try_from(first_queue).unwrap_or(NONE),
            shares,
            load_avg: 0,
        });
        for c in 0..cpus {
            let e = u32::try_from(first_entity + c).unwrap_or(NONE);
            self.attach_group_avg(e, now);
        }
        number
    }

    /// Sets a load weight with 10 more bits (`update_load_set`).
    pub(super) fn set_weight(&mut self, e: Ent, weight: u64) {
        let load = (weight >> SCALE_BITS).max(MIN_LOAD);
        self.set_load(e, weight, DIVISION.inverse(load << SCALE_BITS));
    }

    /// The same for a weight whose inverse is in a table.
    pub(super) fn set_load(&mut self, e: Ent, weight: u64, inverse: u64) {
        let ent = self.st.ent_mut(e);
        (ent.weight, ent.inverse) = (weight, inverse);
        ent.load = (weight >> SCALE_BITS).max(MIN_LOAD);
    }

    /// `update_tg_load_avg`: at intervals, changes of more than a 64th reach the group.
    pub(super) fn update_group_load(&mut self, q: Queue, now: u64) {
        let queue = &mut self.st.queues[q as usize];
        if queue.group != 0 {
            let total = &mut self.st.groups[queue.group as usize].load_avg;
            queue.told.tell(total, queue.avg.load_avg, now);
        }
    }

    /// `update_cfs_group`: a queue's part of its group's shares becomes the weight of its entity. The entity of an
    /// empty queue keeps its weight.
    pub(super) fn update_shares_of(&mut self, e: Ent, now: u64) {
        let below = self.st.ent(e).my_queue;
        if below == NONE || self.st.queue(below).weight == 0 {
            return;
        }
        let (queue, weight) = (self.st.queue(below), self.st.ent(e).weight);
        let part = self.part_of_shares(queue, queue.avg.load_avg, weight);
        if part != weight {
            self.reweight(e, part, now);
        }
    }

    /// The part of its group's shares that a queue has with this average load. Mostly this is the same as before.
    #[inline]
    pub(super) fn part_of_shares(&self, queue: &FairQueue, load_avg: u64, had: u64) -> u64 {
        let load = (queue.weight >> SCALE_BITS).max(load_avg);
        let group = &self.st.groups[queue.group as usize];
        let shares = group.shares;
        // The total contains what the queue has told it.
        let total = group.load_avg.saturating_sub(queue.told.load) + load;
        if had > MIN_SHARES && had < shares && (shares | total) >> 32 == 0 {
            // Both products have 64 bits at most: the load is part of the total.
            let rest = (shares * load).checked_sub(had * total);
            if rest.is_some_and(|rest| rest < total) {
                return had;
            }
        }
        let part = product(shares, load, total.max(1));
        part.clamp(MIN_SHARES.min(shares), shares)
    }

    /// `reweight_entity`: the lag in CPU time and the rest of the request stay the same.
    pub(super) fn reweight(&mut self, e: Ent, weight: u64, now: u64) {
        let ent = self.st.ent(e);
        let (q, on_rq, old) = (ent.queue, ent.on_rq, signed(ent.weight));
        let new = signed(weight);
        let runs = self.st.queue(q).curr == e;
        if on_rq {
            self.account_curr(q, now);
            let mean = self.mean(q);
            let lag = self.lag(e);
            if !runs {
                self.tree_remove(q, e);
            }
            let (ent, tun) = (self.st.ent(e), &self.st.tun);
            let keeps_protection = runs && tun.later().protect_by_vruntime && ent.is_protected(tun);
            let ent = self.st.ent_mut(e);
            if mean != ent.v {
                ent.v = mean - scaled(lag, old, new);
            }
            ent.deadline = mean + scaled(ent.deadline - mean, old, new);
            if keeps_protection {
                ent.mark = mean + scaled(ent.mark - mean, old, new);
            }
            self.st.queue_mut(q).weight -= old.unsigned_abs();
        } else {
            let ent = self.st.ent_mut(e);
            ent.lag = scaled(ent.lag, old, new);
        }
        self.take_load(q, e);
        self.set_weight(e, weight);
        self.give_load(q, e);
        if on_rq {
            self.st.queue_mut(q).weight += weight;
            if !runs {
                self.tree_add(q, e);
            }
        }
    }
}

impl Eevdf {
    /// `reweight_entity` of a task that is not queued: its stored lag stays the same CPU time; since 6.17 the rest of its
    /// request, too.
    pub(super) fn reweight_off(&mut self, e: Ent, weight: u64, inverse: u64) {
        let ent = self.st.ent(e);
        let (q, old) = (ent.queue, signed(ent.load));
        self.take_load(q, e);
        self.set_load(e, weight, inverse);
        let rescales = self.st.tun.later().reweight_scales_deadline;
        let ent = self.st.ent_mut(e);
        ent.lag = scaled(ent.lag, old, ent.w());
        if rescales && ent.relative {
            ent.deadline = scaled(ent.deadline, old, ent.w());
        }
        self.give_load(q, e);
    }
}
