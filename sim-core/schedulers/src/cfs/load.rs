//! Load: averages of entities and queues (4.9), and of CPUs (both releases).
//!
//! | item | kernel function |
//! |---|---|
//! | `update_avg`, `update_queue_avg` | `update_load_avg`, `update_cfs_rq_load_avg` @ 4.9 |
//! | `enqueue_avg`, `dequeue_avg`, `attach_avg`, `remove_avg` | `enqueue_entity_load_avg`, … @ 4.9 |
//! | `init_avg` | `init_entity_runnable_average`, `post_init_entity_util_avg` @ 4.9 |
//! | `tick_averages` | `entity_tick`, as far as it changes averages |
//! | `source_load`, `target_load`, `weighted_load` | the same |
//!
//! The load of a CPU is that of its last event: a tick, a task that arrives, leaves or is switched, and (4.9) a
//! balancing for that CPU. Reading updates nothing.

use super::Cfs;
use super::entity::{CfsQueue, Ent, NONE, Queue};
use super::era::LoadMetric;
use super::limits::clock_in;
use crate::linux::machine::load::LoadTracking;
use crate::linux::pelt;
use sim_ground::ids::CpuId;

/// The time of the averages' clock; 0 means "never".
pub(super) fn clock(now: u64) -> u64 {
    now + (1 << 30)
}

impl CfsQueue {
    /// Brings the averages up to a time of their clock. Returns whether they changed.
    #[inline]
    fn advance(&mut self, now: u64, scale: u32) -> bool {
        let removed = self.removed_load > 0 || self.removed_util > 0;
        if removed {
            self.take_off_removed();
        }
        let (weight, running) = (self.weight >> scale, self.curr != NONE);
        let sum = &mut self.runnable_load_sum;
        let ended = self.avg.advance(now, weight, running, Some(sum));
        if ended {
            self.runnable_load_avg = self.runnable_load_sum / pelt::MAX;
        }
        ended || removed
    }

    #[cold]
    fn take_off_removed(&mut self) {
        let load = std::mem::take(&mut self.removed_load);
        let util = std::mem::take(&mut self.removed_util);
        let avg = &mut self.avg;
        // `sub_positive`: what was removed has been rounded on its own.
        avg.load_avg = avg.load_avg.saturating_sub(load);
        avg.load_sum = avg.load_sum.saturating_sub(load * pelt::MAX);
        avg.util_avg = avg.util_avg.saturating_sub(util);
        avg.util_sum = avg.util_sum.saturating_sub(util * pelt::MAX);
    }
}

impl Cfs {
    pub(super) fn tracks(&self) -> bool {
        self.era.load == LoadMetric::Pelt
    }

    /// A weight without its scaling bits.
    pub(super) fn unscaled(&self, weight: u64) -> u64 {
        weight >> self.era.division.scale_bits()
    }

    /// `update_cfs_rq_load_avg`. Returns whether the average changed.
    #[inline]
    pub(super) fn update_queue_avg(&mut self, q: Queue, now: u64) -> bool {
        if self.is_shared() {
            return LoadTracking::update_queue_avg(self, q, now);
        }
        if !self.tracks() || self.st.queue(q).is_averaged(self.time_of(q, now)) {
            return false;
        }
        self.advance_queue(q, now)
    }

    #[inline(never)]
    fn advance_queue(&mut self, q: Queue, now: u64) -> bool {
        if self.owes_now(q, now) {
            return false;
        }
        let (scale, at) = (self.era.division.scale_bits(), self.time_of(q, now));
        self.averaged(q).advance(at, scale)
    }

    /// `update_load_avg`.
    #[inline]
    pub(super) fn update_avg(&mut self, e: Ent, now: u64, tell_group: bool) {
        if self.is_shared() {
            LoadTracking::update_avg(self, e, now, tell_group);
            return;
        }
        if !self.tracks() {
            return;
        }
        // Several hooks at the same instant update the same averages.
        let ent = self.st.ent(e);
        let q = ent.queue;
        if ent.avg.is_behind(self.time_of(q, now)) {
            self.advance_entity(q, e, now);
        }
        if self.update_queue_avg(q, now) && tell_group {
            self.update_group_load(q, false);
        }
    }

    #[inline(never)]
    fn advance_entity(&mut self, q: Queue, e: Ent, now: u64) {
        let (scale, at) = (self.era.division.scale_bits(), self.time_of(q, now));
        let running = self.st.queue(q).curr == e;
        let ent = self.averaged_entity(e);
        let weight = if ent.on_rq { ent.weight >> scale } else { 0 };
        ent.avg.advance(at, weight, running, None);
    }

    /// `enqueue_entity_load_avg`.
    pub(super) fn enqueue_avg(&mut self, q: Queue, e: Ent, now: u64) {
        if self.is_shared() {
            LoadTracking::enqueue_avg(self, q, e, now);
            return;
        }
        if !self.tracks() {
            return;
        }
        let arrives = self.st.ent(e).avg.last_update == 0;
        if !arrives {
            self.advance_entity(q, e, now);
        }
        let changed = self.update_queue_avg(q, now);
        let avg = self.st.ent(e).avg;
        let queue = self.averaged(q);
        queue.runnable_load_avg += avg.load_avg;
        queue.runnable_load_sum += avg.load_sum;
        if arrives {
            self.attach_avg(q, e);
        }
        if changed || arrives {
            self.update_group_load(q, false);
        }
    }

    /// `dequeue_entity_load_avg`.
    pub(super) fn dequeue_avg(&mut self, q: Queue, e: Ent, now: u64, moves: bool) {
        if self.is_shared() {
            LoadTracking::dequeue_avg(self, q, e, now, moves);
            return;
        }
        if !self.tracks() {
            return;
        }
        self.update_avg(e, now, true);
        let avg = self.st.ent(e).avg;
        let queue = self.averaged(q);
        // The kernel takes the larger of the signed difference and 0.
        queue.runnable_load_avg = queue.runnable_load_avg.saturating_sub(avg.load_avg);
        queue.runnable_load_sum = queue.runnable_load_sum.saturating_sub(avg.load_sum);
    }

    /// `attach_entity_load_avg`.
    fn attach_avg(&mut self, q: Queue, e: Ent) {
        let at = self.averaged(q).avg.last_update;
        let ent = self.st.ent_mut(e);
        if ent.avg.last_update != 0 {
            ent.avg.advance(at, 0, false, None);
        }
        ent.avg.last_update = at;
        let avg = ent.avg;
        let queue = &mut self.st.queue_mut(q).avg;
        queue.load_avg += avg.load_avg;
        queue.load_sum += avg.load_sum;
        queue.util_avg += avg.util_avg;
        queue.util_sum += avg.util_sum;
    }

    /// `remove_entity_load_avg`: the task leaves for another CPU, or ends. Its queue subtracts its load at the next
    /// update.
    pub(super) fn remove_avg(&mut self, e: Ent, now: u64) {
        if self.is_shared() {
            LoadTracking::remove_avg(self, e, now);
            return;
        }
        if !self.tracks() {
            return;
        }
        let q = self.st.ent(e).queue;
        let at = self.averaged(q).avg.last_update;
        let ent = self.st.ent_mut(e);
        ent.avg.advance(at, 0, false, None);
        let avg = ent.avg;
        ent.avg.last_update = 0;
        let queue = self.st.queue_mut(q);
        queue.removed_load += avg.load_avg;
        queue.removed_util += avg.util_avg;
    }

    /// `init_entity_runnable_average`: a new task counts with its full weight.
    pub(super) fn init_avg(&mut self, e: Ent) {
        if self.is_shared() {
            LoadTracking::init_avg(self, e);
            return;
        }
        if !self.tracks() {
            return;
        }
        let weight = self.unscaled(self.st.ent(e).weight);
        let is_task = self.st.ent(e).my_queue == NONE;
        let avg = &mut self.st.ent_mut(e).avg;
        avg.period_contrib = 1_023;
        if is_task {
            avg.load_avg = weight;
            avg.load_sum = weight * pelt::MAX;
        }
    }

    /// `post_init_entity_util_avg`: half of the utilisation that the queue has left.
    pub(super) fn join_avg(&mut self, e: Ent, now: u64) {
        if self.is_shared() {
            // A group counts from now on, a task when it is queued.
            if self.st.ent(e).my_queue == NONE {
                LoadTracking::join_avg(self, e);
            } else {
                self.attach_group_avg(e, now);
            }
            return;
        }
        if !self.tracks() {
            return;
        }
        let q = self.st.ent(e).queue;
        // The kernel asks whether the signed difference is positive.
        let cap = 1_024_u64.saturating_sub(self.st.queue(q).avg.util_avg) / 2;
        if cap > 0 {
            let avg = &mut self.st.ent_mut(e).avg;
            avg.util_avg = cap;
            avg.util_sum = cap * pelt::MAX;
        }
        self.update_queue_avg(q, now);
        self.attach_avg(q, e);
        self.update_group_load(q, false);
    }

    /// `weighted_cpuload`.
    #[inline]
    pub(super) fn weighted_load(&self, cpu: CpuId) -> u64 {
        debug_assert!(self.is_settled(cpu), "somebody looked at it");
        self.load_of(self.st.root(cpu))
    }

    /// The same for its root queue.
    #[inline]
    pub(super) fn load_of(&self, root: &CfsQueue) -> u64 {
        match self.era.load {
            LoadMetric::Instant => root.weight,
            LoadMetric::Pelt => root.runnable_load_avg,
            LoadMetric::Shared => self.root_loads(root.cpu).avg.load_avg,
        }
    }

    /// `source_load`: a low estimate.
    pub(super) fn source_load(&self, cpu: CpuId, idx: usize) -> u64 {
        let now = self.weighted_load(cpu);
        if idx == 0 || !self.st.tun.lb_bias {
            return now;
        }
        now.min(self.st.rq(cpu).cpu_load[idx - 1])
    }

    /// `target_load`: a high estimate.
    pub(super) fn target_load(&self, cpu: CpuId, idx: usize) -> u64 {
        let now = self.weighted_load(cpu);
        if idx == 0 || !self.st.tun.lb_bias {
            return now;
        }
        now.max(self.st.rq(cpu).cpu_load[idx - 1])
    }

    /// `cpu_avg_load_per_task`.
    pub(super) fn load_per_task(&self, cpu: CpuId) -> u64 {
        let n = match self.era.load {
            LoadMetric::Instant => self.st.rq(cpu).nr_running,
            LoadMetric::Pelt | LoadMetric::Shared => self.st.root(cpu).h_nr_running,
        };
        match n {
            0 => 0,
            n => self.weighted_load(cpu) / u64::from(n),
        }
    }

    /// `cpu_util`, and its cap.
    pub(super) fn util(&self, cpu: CpuId) -> u64 {
        debug_assert!(self.is_settled(cpu), "somebody looked at it");
        let util = self.st.root(cpu).avg.util_avg;
        util.min(self.topo.power[cpu.index()])
    }

    /// 4.9: records the time of the last tick.
    #[inline]
    pub(super) fn note_tick(&mut self, cpu: CpuId, at: u64) {
        if self.tracks() {
            self.st.rq_mut(cpu).load_jiffy = self.st.tun.jiffies(at);
        }
    }

    /// The entity of the fair task that runs on a CPU.
    pub(super) fn fair_running(&self, cpu: CpuId) -> Option<Ent> {
        let t = self.st.task(self.st.rq(cpu).curr?);
        (!t.real_time && t.cpu == cpu && self.st.ent(t.se).on_rq).then_some(t.se)
    }

    /// Applies a tick to averages, level by level (`entity_tick`), and to shares if they may have changed.
    pub(super) fn tick_averages(&mut self, e: Ent, at: u64, shares: bool) {
        let (scale, mut e) = (self.era.division.scale_bits(), e);
        while e != NONE {
            // As `update_avg`, specialised for the running entity because it runs at every tick.
            let ent = &mut self.st.entities[e as usize];
            let (q, parent) = (ent.queue, ent.parent);
            let now = clock_in(self.cgroups.as_deref(), q, at);
            let queue = &mut self.st.queues[q as usize];
            let weight = if ent.on_rq { ent.weight >> scale } else { 0 };
            ent.avg.advance(now, weight, queue.curr == e, None);
            let changed = queue.advance(now, scale);
            if parent != NONE {
                if changed {
                    self.update_group_load(q, false);
                }
                if shares {
                    self.update_shares_in(q, parent, at);
                }
            }
            e = parent;
        }
    }
}
