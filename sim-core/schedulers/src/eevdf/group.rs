//! Groups of tasks: control groups, and one for each application. Their queues, entities and weights.
//!
//! | item | kernel function @ 6.12.117 |
//! |---|---|
//! | `group_of` | `autogroup_create` (one group to a session) |
//! | `update_shares_of` | `update_cfs_group`, `calc_group_shares` |
//! | `reweight`, `rescale` | `reweight_entity`, `reweight_eevdf` |
//! | `update_group_load` | `update_tg_load_avg` |
//!
//! Since 7.3 a group's entity weighs more the more threads the group runs, and stands in no virtual time (`flat`).
//!
//! Deviation: a group's weight is spread over the CPUs when it is written; the kernel does so for one CPU after the other.

use super::Eevdf;
use super::mean::{DIVISION, SCALE_BITS, scaled};
use super::state::{Ent, Entity, FairQueue, Group, NONE};
use crate::linux::applications;
use crate::linux::machine::load::LoadTracking;
use crate::linux::machine::shares::part_of_shares;
use crate::linux::signed;
use sim_contract::cx::TaskInfo;
use sim_ground::ids::CpuId;

/// Smallest weight after scaling down (`scale_load_down`).
pub(super) const MIN_LOAD: u64 = 2;
/// Shortest time in ns between two reports of a queue's load to its group (`update_tg_load_avg`).
pub(super) const TELL_NS: u64 = 1_000_000;

impl Eevdf {
    /// Makes the control groups, before any other group.
    pub(super) fn make_cgroups(&mut self, now: u64) {
        let count = self.cgroups.as_ref().map_or(0, |g| g.count());
        for group in 0..count {
            let made = self.cgroups.as_ref().map(|g| g.made_from(group));
            let (parent, shares) = made.unwrap_or_default();
            self.make_group(applications::CONTROL, parent, shares, now);
        }
    }

    /// The group of a task: its control group, or one that is created for the first task of its application.
    pub(super) fn group_of(&mut self, info: &TaskInfo, now: u64) -> u32 {
        let control = self.cgroups.as_ref().and_then(|g| g.of_threads(info.group));
        if let Some(group) = control {
            return group;
        }
        if !self.st.tun.group_per_application {
            return 0;
        }
        let key = applications::key(info);
        let found = self.st.group_with_key(key);
        let shares = self.st.tun.group_shares;
        let at = found.unwrap_or_else(|| self.make_group(key, 0, shares, now));
        u32::try_from(at).unwrap_or(0)
    }

    /// Makes a group below another one.
    fn make_group(&mut self, key: u64, parent: u32, shares: u64, now: u64) -> usize {
        let number = self.st.groups.len();
        let cpus = self.st.rqs.len();
        let (first_entity, first_queue) = (self.st.entities.len(), self.st.queues.len());
        let shares = shares << SCALE_BITS;
        let group = u32::try_from(number).unwrap_or(0);
        for c in 0..cpus {
            let cpu = CpuId::new(c);
            let q = u32::try_from(first_queue + c).unwrap_or(NONE);
            self.st.queues.push(FairQueue::new(cpu, group));
            let (above, owner) = self.st.group_on(parent, cpu);
            let mut entity = Entity::new(above);
            entity.parent = owner;
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
        if let Some(flat) = self.st.tun.flat_mut() {
            flat.runnable.resize(number + 1, 0);
            flat.told_runnable.resize(first_queue + cpus, 0);
        }
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
        let one_queue = self.st.tun.one_queue();
        let ent = self.st.ent_mut(e);
        (ent.weight, ent.inverse) = (weight, inverse);
        if !one_queue {
            ent.load = ent.own_load();
        } else if ent.load == 0 {
            // The effective weight of a task follows when it joins a queue.
            ent.load = weight.max(MIN_LOAD);
        }
    }

    /// The part of its group's shares that a queue has with this average load. Mostly this is the same as before.
    #[inline]
    pub(super) fn part_of_shares(&self, queue: &FairQueue, load_avg: u64, had: u64) -> u64 {
        let load = (queue.weight >> SCALE_BITS).max(load_avg);
        let group = &self.st.groups[queue.group as usize];
        let shares = group.shares;
        // The total contains what the queue has told it.
        let total = group.load_avg.saturating_sub(queue.loads.told.load) + load;
        match self.st.tun.flat() {
            None => part_of_shares(shares, load, total, had),
            Some(_) => self.part_of_weight(queue, [load, total, had]),
        }
    }

    /// `reweight_entity`: the lag in CPU time and the rest of the request stay the same.
    pub(super) fn reweight(&mut self, e: Ent, weight: u64, now: u64) {
        let ent = self.st.ent(e);
        let (q, on_rq, old) = (ent.queue, ent.on_rq, signed(ent.weight));
        let new = signed(weight);
        let in_time = !self.st.tun.one_queue();
        let waits = in_time && on_rq && self.st.queue(q).curr != e;
        let earlier = self.st.tun.earlier();
        let again = on_rq && in_time && earlier.is_some_and(|e| e.reweight_by_placement);
        let mut protection = None;
        if on_rq {
            if again {
                self.account_curr(q, now);
                protection = self.take_out(e, [old, new]);
            } else if in_time {
                self.account_curr(q, now);
                self.rescale(e, [old, new]);
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
        }
        if again {
            self.place_again(e, protection);
        }
        if waits {
            self.tree_add(q, e);
        }
    }

    /// `reweight_entity` up to 6.18.44, first half: a queued entity leaves its queue with lag and request in terms of its
    /// new weight. Returns how far ahead its protection ends, if that moves with it.
    fn take_out(&mut self, e: Ent, [old, new]: [i64; 2]) -> Option<i64> {
        let q = self.st.line(e);
        // The origin of the sums is V of the whole queue, so an entity that is alone stays where it is.
        self.rebase(q);
        let lag = self.lag(e);
        let waits = self.st.queue(q).curr != e;
        if waits {
            self.tree_remove(q, e);
        }
        let (ent, tun) = (self.st.ent(e), &self.st.tun);
        let moves = tun.earlier().is_some_and(|e| e.reweight_scales_protection);
        let protected = !waits && tun.later().protect_by_vruntime && ent.is_protected(tun);
        let ahead = (moves && protected).then(|| scaled(ent.mark - ent.v, old, new));
        let ent = self.st.ent_mut(e);
        ent.lag = scaled(lag, old, new);
        ent.deadline = scaled(ent.deadline - ent.v, old, new);
        ent.relative = true;
        ent.on_rq = false;
        self.st.queue_mut(q).nr -= 1;
        ahead
    }

    /// The second half: it is placed among the others with that lag, as if it joined them.
    fn place_again(&mut self, e: Ent, protection: Option<i64>) {
        let q = self.st.line(e);
        self.place(q, e, false);
        let ent = self.st.ent_mut(e);
        if let Some(ahead) = protection {
            ent.mark = ent.v + ahead;
        }
        ent.on_rq = true;
        self.st.queue_mut(q).nr += 1;
    }

    /// `reweight_eevdf`, first half: the lag of a queued entity in CPU time, the rest of its request and its protection
    /// stay the same under another weight, and so does V. An entity that waits leaves the tree.
    pub(super) fn rescale(&mut self, e: Ent, [old, new]: [i64; 2]) {
        let q = self.st.line(e);
        let runs = self.st.queue(q).curr == e;
        let mean = self.mean(q);
        let lag = self.lag(e);
        if !runs {
            self.tree_remove(q, e);
        }
        let (ent, tun) = (self.st.ent(e), &self.st.tun);
        let scales = tun.earlier().is_none_or(|e| e.reweight_scales_protection);
        let keeps_protection = runs && tun.later().protect_by_vruntime && ent.is_protected(tun);
        let ent = self.st.ent_mut(e);
        if mean != ent.v {
            ent.v = mean - scaled(lag, old, new);
        }
        ent.deadline = mean + scaled(ent.deadline - mean, old, new);
        if keeps_protection && scales {
            ent.mark = mean + scaled(ent.mark - mean, old, new);
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
        self.rescale_off(e, old);
        self.give_load(q, e);
    }

    /// The same for virtual time alone, after the weight has changed from an old one.
    pub(super) fn rescale_off(&mut self, e: Ent, old: i64) {
        let rescales = self.st.tun.later().reweight_scales_deadline;
        let overwrites = self.st.tun.lag_overwrites_protection();
        let ent = self.st.ent_mut(e);
        ent.lag = scaled(ent.lag, old, ent.w());
        if overwrites {
            ent.mark = ent.lag;
        }
        if rescales && ent.relative {
            ent.deadline = scaled(ent.deadline, old, ent.w());
        }
    }
}
