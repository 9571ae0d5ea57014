//! Load: averages of entities and queues (4.9), of CPUs (both releases), and applying skipped ticks.
//!
//! | item | kernel function |
//! |---|---|
//! | `update_avg`, `update_queue_avg` | `update_load_avg`, `update_cfs_rq_load_avg` @ 4.9 |
//! | `enqueue_avg`, `dequeue_avg`, `attach_avg`, `remove_avg` | `enqueue_entity_load_avg`, … @ 4.9 |
//! | `init_avg` | `init_entity_runnable_average`, `post_init_entity_util_avg` @ 4.9 |
//! | `catch_up` | `scheduler_tick`, as far as it changes averages |
//! | `source_load`, `target_load`, `weighted_load` | the same |
//!
//! The load of a CPU is that of its last event: a tick, a task that arrives, leaves or is switched, and (4.9) a
//! balancing for that CPU. Reading updates nothing. Skipped ticks are applied one by one before.
//!
//! **Owed ticks** (4.9). Only balancing and wake-ups read the averages of a root queue, of the entity of a group, and
//! `cpu_load`; they begin with `catch_up`. Until then ticks are only counted there ([`Rq::owed`]), across switches
//! within a queue. They are applied before anything changes that they depend on. The queue of a group is different:
//! other CPUs see at once what it reports.

use super::Cfs;
use super::cpu_load::CpuLoad;
use super::entity::{CfsQueue, CfsState, Ent, NONE, Queue};
use super::era::LoadMetric;
use super::group::GroupLoad;
use super::limits::clock_in;
use crate::linux::machine::load::LoadTracking;
use crate::linux::pelt::{self, Ticks};
use crate::linux::ticks::EvenTicks;
use sim_ground::ids::CpuId;
use sim_ground::time::SimTime;
use std::borrow::Cow;

/// The time of the averages' clock; 0 means "never".
pub(super) fn clock(now: u64) -> u64 {
    now + (1 << 30)
}

impl CfsState {
    #[inline(never)]
    fn apply_owed(&mut self, cpu: CpuId, scale: u32) {
        let Some(ticks) = self.rq_mut(cpu).owed.take() else {
            return;
        };
        let root = &mut self.queues[cpu.index()];
        if let Some(ent) = self
            .entities
            .get_mut(root.curr as usize)
            .filter(|e| e.my_queue != NONE)
        {
            ent.avg.go_through(ticks, ent.weight >> scale, true);
        }
        root.root_goes_through(ticks, scale, &mut self.rqs[cpu.index()].cpu_load);
    }

    /// A copy in which nothing owes a tick: the state that is saved.
    pub(super) fn without_owed(&self, scale: u32) -> Cow<'_, Self> {
        if self.rqs.iter().all(|rq| rq.owed.is_none()) {
            return Cow::Borrowed(self);
        }
        let mut all = self.clone();
        for cpu in 0..all.rqs.len() {
            all.apply_owed(CpuId::new(cpu), scale);
        }
        Cow::Owned(all)
    }
}

impl CfsQueue {
    /// Applies ticks to the averages of a root queue on which something runs, and to `cpu_load`.
    pub(super) fn root_goes_through(&mut self, ticks: Ticks, scale: u32, cpu_load: &mut [u64; 5]) {
        let follower = CpuLoad {
            averages: cpu_load,
            load: self.runnable_load_avg,
        };
        let runnable = (&mut self.runnable_load_sum, &mut self.runnable_load_avg);
        let weight = self.weight >> scale;
        self.avg
            .go_through_with(ticks, weight, true, runnable, follower);
    }

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
        let cpu = self.st.queue(q).cpu;
        let owed = self.st.rq(cpu).owed;
        if owed.is_some_and(|ticks| ticks.last() == clock(now)) && self.st.queue(q).group == 0 {
            // The tick of this instant is one of those that it owes, so this update would change nothing.
            return false;
        }
        self.apply_owed(cpu);
        let (scale, at) = (self.era.division.scale_bits(), self.time_of(q, now));
        self.st.queue_mut(q).advance(at, scale)
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
        if self.st.ent(e).my_queue != NONE {
            self.apply_owed(self.st.queue(q).cpu);
        }
        let (scale, at) = (self.era.division.scale_bits(), self.time_of(q, now));
        let ent = &mut self.st.entities[e as usize];
        let weight = if ent.on_rq { ent.weight >> scale } else { 0 };
        let running = self.st.queues[q as usize].curr == e;
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
        self.apply_owed(self.st.queue(q).cpu);
        let arrives = self.st.ent(e).avg.last_update == 0;
        if !arrives {
            self.advance_entity(q, e, now);
        }
        let changed = self.update_queue_avg(q, now);
        let avg = self.st.ent(e).avg;
        let queue = self.st.queue_mut(q);
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
        self.apply_owed(self.st.queue(q).cpu);
        self.update_avg(e, now, true);
        let avg = self.st.ent(e).avg;
        let queue = self.st.queue_mut(q);
        // The kernel takes the larger of the signed difference and 0.
        queue.runnable_load_avg = queue.runnable_load_avg.saturating_sub(avg.load_avg);
        queue.runnable_load_sum = queue.runnable_load_sum.saturating_sub(avg.load_sum);
    }

    /// `attach_entity_load_avg`.
    fn attach_avg(&mut self, q: Queue, e: Ent) {
        self.apply_owed(self.st.queue(q).cpu);
        let at = self.st.queue(q).avg.last_update;
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
        self.apply_owed(self.st.queue(q).cpu);
        let at = self.st.queue(q).avg.last_update;
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
        debug_assert!(self.st.rq(cpu).owed.is_none(), "catch_up comes before");
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
        debug_assert!(self.st.rq(cpu).owed.is_none(), "catch_up comes before");
        let util = self.st.root(cpu).avg.util_avg;
        util.min(self.topo.power[cpu.index()])
    }

    /// The time up to which the ticks of a CPU have happened. Ticks of this instant whose turn comes later are still
    /// due.
    fn ticked_until(&self, cpu: CpuId, now: u64) -> u64 {
        let place = |cpu| self.turns.place(SimTime(now), cpu);
        let due = match self.turn {
            Some(turn) if turn == cpu => self.in_tick == Some(cpu),
            Some(turn) => place(cpu) > place(turn),
            None => false,
        };
        // No tick is due at time 0.
        if due { now.saturating_sub(1) } else { now }
    }

    /// 4.9: the time of the latest event on a CPU whose skipped ticks are applied (`rq->clock`): a tick, or what last
    /// updated the averages of its root queue, to 1023 ns.
    pub(super) fn latest_event(&self, cpu: CpuId, now: u64) -> u64 {
        let averaged = self.st.root(cpu).avg.last_update.saturating_sub(clock(0));
        let until = SimTime(self.ticked_until(cpu, now));
        let grid = self.grids.get(cpu.index()).filter(|_| self.ticks(cpu));
        let tick = grid.and_then(|g| g.last(until));
        tick.map_or(averaged, |tick| averaged.max(tick.0))
    }

    /// Whether a CPU has ticks now.
    pub(super) fn ticks(&self, cpu: CpuId) -> bool {
        self.idle_ticks || self.st.rq(cpu).curr.is_some() || self.st.nohz.owner == Some(cpu)
    }

    /// Applies the ticks of a CPU that were skipped: charges the running task up to the last of them, and counts each
    /// in the averages of its load. Afterwards no average lags behind.
    #[inline]
    pub(super) fn catch_up(&mut self, cpu: CpuId, now: u64) {
        let until = self.ticked_until(cpu, now);
        let from = self.st.rq(cpu).load_at;
        if from < until && self.ticks(cpu) {
            self.catch_up_from(cpu, from, until);
        }
        self.apply_owed(cpu);
    }

    fn catch_up_from(&mut self, cpu: CpuId, from: u64, until: u64) {
        let Some((n, last)) = self.pass_ticks(cpu, from, until) else {
            return;
        };
        let fair = self.fair_running(cpu);
        if let Some(e) = fair {
            self.update_path(e, last.0);
        }
        match fair.filter(|_| self.tracks() || self.is_shared()) {
            None if self.is_shared() => {}
            None => self.count_ticks(cpu, n),
            Some(e) if self.is_shared() => self.quiet_ticks(cpu, e, n, last),
            Some(e) => self.count_averages(cpu, e, n, last),
        }
        self.note_tick(cpu, last.0);
    }

    /// Passes the ticks of a CPU up to a time. Returns their number and the last of them.
    fn pass_ticks(&mut self, cpu: CpuId, from: u64, until: u64) -> Option<(u64, SimTime)> {
        let grid = self.grids.get(cpu.index())?;
        self.st.rqs[cpu.index()].load_at = until;
        let passed = grid.passed(SimTime(from), SimTime(until))?;
        // The next tick that matters depends on what has been charged.
        self.touched.push(cpu);
        Some(passed)
    }

    /// Applies a tick of a CPU that runs a fair task, and all skipped ticks before it (4.9): charges the running task,
    /// and updates averages and shares.
    pub(super) fn fair_tick(&mut self, cpu: CpuId, e: Ent, now: u64) {
        if self.is_shared() {
            self.catch_up(cpu, now);
            self.update_path(e, now);
            self.count_tick(e, now, true);
            self.st.rq_mut(cpu).load_at = now;
            return;
        }
        let before = self.ticks_before(cpu, now);
        let all = before.and_then(|(n, last)| {
            let ticks = self.ticks_alike(cpu, e, n + 1, now)?;
            Some((ticks, last))
        });
        if let Some((ticks, last)) = all {
            // If shares change, they change at the first of these ticks, and their group is charged before.
            self.update_shares(e, last.0);
            self.charge_path(e, last.0, now);
            self.go_through(cpu, e, ticks);
        } else {
            if let Some((n, last)) = before {
                self.update_path(e, last.0);
                self.count_averages(cpu, e, n, last);
            }
            self.update_path(e, now);
            self.count_averages(cpu, e, 1, SimTime(now));
        }
        self.st.rq_mut(cpu).load_at = now;
        self.note_tick(cpu, now);
    }

    /// The skipped ticks of a CPU before one of its ticks: how many, and the last of them.
    fn ticks_before(&self, cpu: CpuId, now: u64) -> Option<(u64, SimTime)> {
        let (from, until) = (self.st.rq(cpu).load_at, self.ticked_until(cpu, now));
        let grid = self.grids.get(cpu.index())?;
        match EvenTicks::up_to(grid, from, now).filter(|_| until < now) {
            Some(ticks) => ticks.earlier(),
            None if from < until => grid.passed(SimTime(from), SimTime(until)),
            None => None,
        }
    }

    /// Applies n ticks to the averages of a CPU on which an entity runs, and to shares; the last tick comes at a given
    /// time.
    ///
    /// Shares depend on the queue's weight and on the loads that other CPUs have reported. They are therefore fixed
    /// after the first of these ticks: the load that the queue itself reports does not change them.
    fn count_averages(&mut self, cpu: CpuId, e: Ent, n: u64, last: SimTime) {
        if let Some(ticks) = self.ticks_alike(cpu, e, n, last.0) {
            self.update_shares(e, last.0);
            self.go_through(cpu, e, ticks);
            return;
        }
        self.apply_owed(cpu);
        let grid = self.grids.get(cpu.index()).copied();
        for left in (0..n).rev() {
            let at = grid.map_or(last, |g| g.before(last, left));
            self.tick_averages(e, at.0, left + 1 == n);
            self.count_ticks(cpu, 1);
        }
    }

    /// n ticks, the last of them at a time, if averages can be updated for all at once. The condition: the averages of
    /// everything that runs, level by level, are up to date with the tick before the first, or owe the ticks up to it.
    #[inline]
    fn ticks_alike(&self, cpu: CpuId, e: Ent, n: u64, last: u64) -> Option<Ticks> {
        let flat = self.cgroups.is_none() || !self.is_deep(e);
        let grid = (self.grids.get(cpu.index())).filter(|g| flat && g.is_even())?;
        let before = clock(last.checked_sub(n * grid.period)?);
        let owed = self.st.rq(cpu).owed;
        let owes = owed.is_some_and(|ticks| ticks.last() == before);
        if owed.is_some() && !owes {
            return None;
        }
        let mut e = e;
        loop {
            let ent = self.st.ent(e);
            let queue = self.st.queue(ent.queue);
            let is_root = ent.parent == NONE;
            let queue_same = owes && is_root || queue.avg.last_update == before;
            let removed = queue.removed_load | queue.removed_util;
            if ent.avg.last_update != before || !queue_same || removed > 0 || queue.curr != e {
                return None;
            }
            // What owes ticks was checked when it began to.
            if is_root || owes {
                break;
            }
            e = ent.parent;
        }
        Ticks::new(n, grid.period, clock(last))
    }

    /// Updates the shares of the groups in which an entity runs, at a tick.
    fn update_shares(&mut self, e: Ent, now: u64) {
        let mut e = e;
        loop {
            let ent = self.st.ent(e);
            let (q, parent) = (ent.queue, ent.parent);
            if parent == NONE {
                return;
            }
            self.update_shares_in(q, parent, now);
            e = parent;
        }
    }

    /// Applies ticks at which only averages change to what runs below the root queue of a CPU. The rest owes them.
    fn go_through(&mut self, cpu: CpuId, e: Ent, ticks: Ticks) {
        let scale = self.era.division.scale_bits();
        let ent = &mut self.st.entities[e as usize];
        ent.avg.go_through(ticks, ent.weight >> scale, true);
        if ent.parent != NONE {
            let queue = &mut self.st.queues[ent.queue as usize];
            let total = &mut self.st.groups[queue.group as usize].load_avg;
            let contrib = &mut queue.tg_contrib;
            let load = GroupLoad { total, contrib };
            let runnable = (&mut queue.runnable_load_sum, &mut queue.runnable_load_avg);
            let weight = queue.weight >> scale;
            let avg = &mut queue.avg;
            avg.go_through_with(ticks, weight, true, runnable, load);
        }
        let owed = &mut self.st.rq_mut(cpu).owed;
        *owed = Some(owed.map_or(ticks, |before| before.and(ticks)));
    }

    /// Applies the ticks that the root queue of a CPU owes, and the entity of the group that runs there.
    #[inline]
    pub(super) fn apply_owed(&mut self, cpu: CpuId) {
        if self.st.rq(cpu).owed.is_some() {
            self.st.apply_owed(cpu, self.era.division.scale_bits());
        }
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
