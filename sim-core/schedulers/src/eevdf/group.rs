//! Groups of tasks, one for each application: their queues, entities and weights.
//!
//! | item | kernel function @ 6.12.117 |
//! |---|---|
//! | `group_of` | `autogroup_create` (one group to a session) |
//! | `update_shares_of` | `update_cfs_group`, `calc_group_shares` |
//! | `reweight` | `reweight_entity`, `reweight_eevdf` |
//! | `update_group_load` | `update_tg_load_avg` |
//! | `task_h_load`, `queue_h_load` | `task_h_load`, `update_cfs_rq_h_load` |
//!
//! Deviation: groups do not nest, and none has `cpu.idle`.

use super::Eevdf;
use super::mean::{DIVISION, SCALE_BITS, scaled, signed};
use super::state::{Ent, Entity, FairQueue, Group, NONE, Queue};
use crate::linux::applications;
use sim_contract::cx::TaskInfo;
use sim_ground::ids::{CpuId, TaskId};
use sim_machine::cost::split::product;

/// Smallest weight of a group's entity; group weights have 10 more bits (`MIN_SHARES`).
const MIN_SHARES: u64 = 2;
/// Smallest weight after scaling down (`scale_load_down`).
const MIN_LOAD: u64 = 2;
/// Shortest time in ns between two reports of a queue's load to its group (`update_tg_load_avg`).
const TELL_NS: u64 = 1_000_000;

impl Eevdf {
    /// The group of a task; created for the first task of its application.
    pub(super) fn group_of(&mut self, info: &TaskInfo, now: u64) -> u32 {
        if !self.st.tun.group_per_application {
            return 0;
        }
        let key = applications::key(info);
        let found = self.st.groups.iter().position(|g| g.key == key);
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
            let e = u32::try_from(first_entity + c).unwrap_or(NONE);
            self.st.queues.push(FairQueue::new(cpu, group));
            let mut entity = Entity::new(u32::from(cpu.0));
            entity.my_queue = q;
            entity.slice = self.st.tun.base_slice;
            self.st.entities.push(entity);
            self.st.arena.grow(self.st.entities.len());
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

    /// Queue and parent entity of a group's tasks on a CPU.
    pub(super) fn group_on(&self, group: u32, cpu: CpuId) -> (Queue, Ent) {
        if group == 0 {
            return (u32::from(cpu.0), NONE);
        }
        let g = &self.st.groups[group as usize];
        let c = u32::from(cpu.0);
        (g.first_queue + c, g.first_entity + c)
    }

    /// The entity that represents a queue.
    pub(super) fn owner(&self, q: Queue) -> Ent {
        let queue = self.st.queue(q);
        match queue.group {
            0 => NONE,
            group => self.group_on(group, queue.cpu).1,
        }
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
        let queue = self.st.queue_mut(q);
        let group = queue.group;
        if group == 0 || now.saturating_sub(queue.told_at) < TELL_NS && queue.told_at > 0 {
            return;
        }
        let (new, old) = (queue.avg.load_avg, queue.told_load);
        if new.abs_diff(old) > old / 64 {
            queue.told_load = new;
            queue.told_at = now.max(1);
            let total = &mut self.st.groups[group as usize].load_avg;
            *total = (*total + new).saturating_sub(old);
        }
    }

    /// `update_cfs_group`: a queue's part of its group's shares becomes the weight of its entity. The entity of an
    /// empty queue keeps its weight.
    pub(super) fn update_shares_of(&mut self, e: Ent, now: u64) {
        let below = self.st.ent(e).my_queue;
        if below == NONE || self.st.queue(below).weight == 0 {
            return;
        }
        let queue = self.st.queue(below);
        let load = (queue.weight >> SCALE_BITS).max(queue.avg.load_avg);
        let group = &self.st.groups[queue.group as usize];
        let shares = group.shares;
        let total = group.load_avg.saturating_sub(queue.told_load) + load;
        let part = product(shares, load, total.max(1));
        let part = part.clamp(MIN_SHARES.min(shares), shares);
        if part != self.st.ent(e).weight {
            self.reweight(e, part, now);
        }
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
            let ent = self.st.ent_mut(e);
            if mean != ent.v {
                ent.v = mean - scaled(lag, old, new);
            }
            ent.deadline = mean + scaled(ent.deadline - mean, old, new);
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

    /// A queue's load as seen from the root of its CPU.
    pub(super) fn queue_h_load(&mut self, q: Queue, now: u64) -> u64 {
        let queue = self.st.queue(q);
        let root = u32::from(queue.cpu.0);
        let e = self.owner(q);
        let jiffies = self.st.tun.jiffies(now);
        if queue.h_load_at == jiffies {
            return queue.h_load;
        }
        let top = self.st.queue(root).avg.load_avg;
        let load = match e {
            NONE => top,
            e => top * self.st.ent(e).avg.load_avg / (top + 1),
        };
        let queue = self.st.queue_mut(q);
        (queue.h_load, queue.h_load_at) = (load, jiffies);
        load
    }

    /// `task_h_load`: the load that moves with a task.
    pub(super) fn task_h_load(&mut self, task: TaskId, now: u64) -> u64 {
        let e = self.st.task(task).se;
        let q = self.st.ent(e).queue;
        let h_load = self.queue_h_load(q, now);
        let load = self.st.ent(e).avg.load_avg;
        load * h_load / (self.st.queue(q).avg.load_avg + 1)
    }
}

impl Eevdf {
    /// `reweight_entity` of a task that is not queued: its stored lag stays the same CPU time.
    pub(super) fn reweight_off(&mut self, e: Ent, weight: u64, inverse: u64) {
        let ent = self.st.ent(e);
        let (q, old) = (ent.queue, signed(ent.load));
        self.take_load(q, e);
        self.set_load(e, weight, inverse);
        let ent = self.st.ent_mut(e);
        ent.lag = scaled(ent.lag, old, ent.w());
        self.give_load(q, e);
    }
}
