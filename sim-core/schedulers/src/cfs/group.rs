//! Groups of tasks: control groups, and one for each application. Their queues, entities and shares.
//!
//! | item | kernel function |
//! |---|---|
//! | `make_cgroups` | `sched_create_group` @ 4.9, 6.1 |
//! | `group_of` | `autogroup_create` @ 4.9 (one group to a session); control groups @ 2.6.34 |
//! | `update_shares_of` | `update_cfs_shares`, `calc_cfs_shares`, `reweight_entity` @ 4.9 |
//! | `update_group_load` | `update_tg_load_avg` @ 4.9 |
//! | `spread_shares` | `update_shares`, `tg_shares_up` @ 2.6.34 |
//! | `queue_h_load`, `task_h_load` | `tg_load_down` @ 2.6.34; in `linux/groups` @ 4.9 |
//! | `effective_load` | the same @ 4.9 |
//!
//! Assumed of `tg_shares_up`: a queue that was empty when shares were last distributed does not contribute to the sum,
//! and the sum is at most the group's shares. Deviation: the root's `h_load` (4.9) is read at each use, not once in a
//! jiffy.

use super::Cfs;
use super::entity::{CfsQueue, CfsState, Ent, Entity, Group, NONE, Queue};
use super::era::LoadMetric;
use crate::linux::applications;
use crate::linux::cgroups::limits::Limits as _;
use crate::linux::clock::RqClock;
use crate::linux::groups::part_of;
use crate::linux::machine::load::LoadTracking;
use crate::linux::pelt::{Follower, QueueSums, Sum};
use crate::linux::signed;
use crate::linux::weight::NICE_0;
use sim_contract::cx::TaskInfo;
use sim_ground::ids::{CpuId, TaskId};
use sim_machine::cost::split::product;

/// Smallest weight of a group's entity (`MIN_SHARES`).
const MIN_SHARES: u64 = 2;
/// Largest weight of a group's entity (`MAX_SHARES` @ 2.6.34).
const MAX_SHARES: u64 = 1 << 18;

/// Whether the load of a queue differs by more than a 64th from what its group knows.
#[inline]
fn is_news(contrib: u64, load: u64) -> bool {
    load.abs_diff(contrib) > contrib / 64
}

fn count_in(total: &mut u64, contrib: &mut u64, load: u64) {
    let before = std::mem::replace(contrib, load);
    // The total contains what the queue has told it.
    *total = (*total + load).saturating_sub(before);
}

/// A queue's part of its group's load at ticks in a row.
pub(super) struct GroupLoad<'a> {
    pub(super) total: &'a mut u64,
    pub(super) contrib: &'a mut u64,
}

impl Follower for GroupLoad<'_> {
    #[inline]
    fn follows(sums: &QueueSums) -> Sum {
        sums.load
    }

    #[inline]
    fn ticks(&mut self, average: Option<u64>, _: u64) {
        if let Some(load) = average.filter(|load| is_news(*self.contrib, *load)) {
            count_in(self.total, self.contrib, load);
        }
    }

    #[inline]
    fn stays(&mut self, first: u64, last: u64) -> bool {
        !is_news(*self.contrib, first) && !is_news(*self.contrib, last)
    }
}

impl Cfs {
    /// Makes the control groups, before any other group.
    pub(super) fn make_cgroups(&mut self, now: u64) {
        let count = self.cgroups.as_ref().map_or(0, |g| g.count());
        for group in 0..count {
            let made = self.cgroups.as_ref().map(|g| g.made_from(group));
            let (parent, shares) = made.unwrap_or_default();
            self.make_group(applications::CONTROL, parent, shares, now);
        }
    }

    /// The shares of a group.
    #[inline]
    fn shares_of(&self, group: u32) -> u64 {
        let control = self.cgroups.as_ref().and_then(|g| g.shares_of(group));
        control.unwrap_or(self.st.tun.group_shares)
    }

    /// The same with the bits by which weights are scaled up.
    #[inline]
    pub(super) fn scaled_shares_of(&self, group: u32) -> u64 {
        self.shares_of(group) << self.era.division.scale_bits()
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
        let shares = shares << self.era.division.scale_bits();
        let group = u32::try_from(number).unwrap_or(0);
        for c in 0..cpus {
            let cpu = CpuId::new(c);
            let q = u32::try_from(first_queue + c).unwrap_or(NONE);
            self.st.queues.push(CfsQueue::new(cpu, group));
            let (above, owner) = self.st.group_on(parent, cpu);
            let mut entity = Entity::new(above);
            entity.parent = owner;
            entity.my_queue = q;
            let e = self.st.add_entity(entity);
            self.set_weight(e, shares);
        }
        self.st.groups.push(Group {
            key,
            first_entity: u32::try_from(first_entity).unwrap_or(NONE),
            first_queue: u32::try_from(first_queue).unwrap_or(NONE),
            load_avg: 0,
        });
        self.grow_rows();
        for c in 0..cpus {
            let e = u32::try_from(first_entity + c).unwrap_or(NONE);
            self.init_avg(e);
            self.join_avg(e, now);
        }
        number
    }

    /// `update_tg_load_avg`: changes of more than a 64th reach the group.
    pub(super) fn update_group_load(&mut self, q: Queue, force: bool) {
        let queue = &mut self.st.queues[q as usize];
        let group = queue.group;
        if group != 0 && (force || is_news(queue.tg_contrib, queue.avg.load_avg)) {
            let total = &mut self.st.groups[group as usize].load_avg;
            count_in(total, &mut queue.tg_contrib, queue.avg.load_avg);
        }
    }

    /// `update_cfs_shares`: a queue's part of its group's shares becomes the weight of its entity (4.9).
    pub(super) fn update_shares_of(&mut self, q: Queue, now: u64) {
        if self.era.load != LoadMetric::Pelt {
            return;
        }
        let e = self.st.owner(q);
        if e != NONE {
            self.update_shares_in(q, e, now);
        }
    }

    /// The same, if the entity that represents the queue is known.
    #[inline]
    pub(super) fn update_shares_in(&mut self, q: Queue, e: Ent, now: u64) {
        if self.is_below_throttled(q) {
            return;
        }
        let queue = self.st.queue(q);
        let shares = self.scaled_shares_of(queue.group);
        let load = self.unscaled(queue.weight);
        let group = &self.st.groups[queue.group as usize];
        // The total contains what the queue has told it.
        let total = group.load_avg.saturating_sub(queue.tg_contrib) + load;
        let part = if self.st.rqs.len() == 1 {
            shares
        } else {
            // Computed at every tick, usually from the same numbers.
            let question = (load, total.max(1), shares);
            let (last, known) = queue.share.get();
            if last == question {
                known
            } else {
                let part = product(shares, load, total.max(1));
                let part = part.clamp(MIN_SHARES.min(shares), shares);
                queue.share.set((question, part));
                part
            }
        };
        if self.st.ent(e).weight != part {
            self.reweight(e, part, now);
        }
    }

    /// `reweight_entity`.
    pub(super) fn reweight(&mut self, e: Ent, weight: u64, now: u64) {
        self.load_is_taken(e);
        self.reweight_entity(e, weight, now);
        self.load_is_given(e);
    }

    fn reweight_entity(&mut self, e: Ent, weight: u64, now: u64) {
        let ent = self.st.ent(e);
        let (q, old) = (ent.queue, ent.weight);
        if !ent.on_rq {
            self.set_weight(e, weight);
            return;
        }
        if self.st.queue(q).curr == e {
            self.update_curr(q, now);
        }
        let division = self.era.division;
        let bits = division.scale_bits();
        let before = self.st.queue(q).weight;
        let total = before - old + weight;
        // Nothing else depends on the bits below.
        let same = old >> bits == weight >> bits;
        if !same || before >> bits != total >> bits {
            self.weights_change(q);
        }
        self.st.queue_mut(q).weight = total;
        let ent = self.st.ent_mut(e);
        ent.weight = weight;
        if !same {
            ent.inverse = division.inverse(weight);
        }
    }

    /// `update_shares` @ 2.6.34: distributes the shares of every group over the CPUs of a domain.
    pub(super) fn spread_shares(&mut self, cpu: CpuId, level: usize, now: u64) {
        if self.era.load != LoadMetric::Instant || self.st.groups.len() == 1 {
            return;
        }
        let limit = self.st.tun.shares_ratelimit;
        let state = &mut self.st.rq_mut(cpu).domains[level];
        // At time 0 the stamp is 1, because 0 means that there is none.
        if now.saturating_sub(state.last_update) < limit && state.last_update > 0 {
            return;
        }
        state.last_update = now.max(1);
        let top = level + 1 == self.topo.of[cpu.index()].len();
        let span = self.topo.of[cpu.index()][level].list.clone();
        for group in 1..self.st.groups.len() {
            let group = u32::try_from(group).unwrap_or(0);
            self.spread_group(group, &span, top, now);
        }
    }

    /// `tg_shares_up`, `update_group_shares_cpu` @ 2.6.34.
    fn spread_group(&mut self, group: u32, span: &[CpuId], top: bool, now: u64) {
        let (mut sum_weight, mut sum_shares) = (0, 0);
        for cpu in span {
            let queue = self.st.queue(self.st.group_on(group, *cpu).0);
            sum_weight += queue.weight;
            sum_shares += queue.shares;
        }
        if sum_weight == 0 {
            return;
        }
        let all = self.st.tun.group_shares;
        let shares = if top || sum_shares == 0 {
            all
        } else {
            sum_shares.min(all)
        };
        for cpu in span {
            let (q, e) = self.st.group_on(group, *cpu);
            let own = self.st.queue(q).weight;
            // An empty queue counts as one task, so that a task that wakes there finds a share; the other queues do not
            // lose it.
            let weight = if own == 0 { NICE_0 } else { own };
            let part = (shares * weight / sum_weight).clamp(MIN_SHARES, MAX_SHARES);
            if part.abs_diff(self.st.ent(e).weight) > self.st.tun.shares_thresh {
                self.update_rq_clock(*cpu, now);
                self.ticks.moves(*cpu);
                self.st.queue_mut(q).shares = if own == 0 { 0 } else { part };
                self.reweight(e, part, now);
            }
        }
    }

    /// A queue's load as seen from the root of its CPU.
    pub(super) fn queue_h_load(&mut self, q: Queue, now: u64) -> u64 {
        match self.era.load {
            LoadMetric::Instant => {
                let top = self.st.root(self.st.queue(q).cpu).weight;
                match self.st.owner(q) {
                    NONE => top,
                    e => top * self.st.ent(e).weight / (top + 1),
                }
            }
            LoadMetric::Shared => LoadTracking::queue_h_load(self, q, now),
            LoadMetric::Pelt => {
                self.settle_averages(self.st.queue(q).cpu);
                self.st.queue_h_load(q, now)
            }
        }
    }

    /// `task_h_load`: the load that moves with a task.
    pub(super) fn task_h_load(&mut self, task: TaskId, now: u64) -> u64 {
        match self.era.load {
            LoadMetric::Instant => self.st.se(task).weight,
            LoadMetric::Shared => LoadTracking::task_h_load(self, task, now),
            LoadMetric::Pelt => {
                self.settle_averages(self.st.task(task).cpu);
                self.st.task_h_load(task, now)
            }
        }
    }

    /// `effective_load` @ 4.9: how the load of a CPU changes if a group's queue there gets `own` more and the whole
    /// group `total` more.
    pub(super) fn effective_load(&self, group: u32, cpu: CpuId, own: i64, total: i64) -> i64 {
        let (_, mut e) = self.st.group_on(group, cpu);
        let (mut own, mut total) = (own, total);
        while e != NONE {
            debug_assert!(self.is_settled(cpu), "somebody looked at it");
            let ent = self.st.ent(e);
            let queue = self.st.queue(ent.my_queue);
            let known = self.st.groups[queue.group as usize].load_avg;
            let rest = signed(known) - signed(queue.tg_contrib);
            let load = signed(queue.avg.load_avg);
            let all = total + rest + load;
            let mine = load + own;
            let shares = signed(self.shares_of(queue.group));
            let new = if all > 0 && mine < all {
                mine * shares / all
            } else {
                shares
            };
            own = new.max(signed(MIN_SHARES)) - signed(ent.avg.load_avg);
            // A group above only spreads the shares that it has.
            total = 0;
            e = ent.parent;
        }
        own
    }
}

impl CfsState {
    /// A queue's load as seen from the root of its CPU.
    pub(super) fn queue_h_load(&mut self, q: Queue, now: u64) -> u64 {
        let jiffies = self.tun.jiffies(now);
        let queue = self.queue(q);
        if queue.h_load_at == jiffies {
            return queue.h_load;
        }
        let load = match self.owner(q) {
            NONE => queue.avg.load_avg,
            e => {
                let ent = self.ent(e);
                let (above, own) = (ent.queue, ent.avg.load_avg);
                let all = self.queue(above).avg.load_avg;
                let top = match self.owner(above) {
                    NONE => all,
                    _ => self.queue_h_load(above, now),
                };
                part_of(top, own, all)
            }
        };
        let queue = self.queue_mut(q);
        (queue.h_load, queue.h_load_at) = (load, jiffies);
        load
    }

    /// The load that moves with a task.
    pub(super) fn task_h_load(&mut self, task: TaskId, now: u64) -> u64 {
        let e = self.task(task).se;
        let q = self.ent(e).queue;
        let h_load = self.queue_h_load(q, now);
        let load = self.ent(e).avg.load_avg;
        part_of(h_load, load, self.queue(q).avg.load_avg)
    }
}
