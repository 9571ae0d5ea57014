//! The clocks of CFS's queues: how a CPU takes the ticks that were left out ([`crate::linux::clock`]), and, of 4.9, how its
//! averages follow. Which ticks matter is in `quiet`.
//!
//! **Owed ticks** (4.9). Only balancing and wake-ups read the averages of a root queue, of the entity of a group, and
//! `cpu_load`. Until then ticks are only counted there, across switches within a queue. They are applied before
//! somebody reads them ([`RqClock::update_rq_clock`], [`Cfs::averaged`]) and before anything changes that they depend on
//! ([`Cfs::averaged`], [`Cfs::weights_change`], `put_fair`). The queue of a group is different: other CPUs see at once what it reports.

use super::Cfs;
use super::cpu_load::CpuLoad;
use super::entity::{CfsQueue, CfsState, Ent, Entity, NONE, Queue};
use super::group::GroupLoad;
use super::load::clock;
use crate::linux::clock::RqClock;
use crate::linux::pelt::Ticks;
use crate::linux::ticks::EvenTicks;
use serde::{Deserialize, Serialize};
use sim_ground::ids::CpuId;
use sim_ground::time::SimTime;
use std::borrow::Cow;

/// How far a CPU has taken its ticks.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Clock {
    /// The time up to which they are charged and counted.
    until: u64,
    /// 4.9: the latest of these ticks, if they are not yet applied to `cpu_load`, to the averages of the root queue, and
    /// to those of the entity of the group that runs.
    #[serde(skip)]
    owed: Option<Ticks>,
}

impl Clock {
    /// No tick is missed up to now: the CPU has handled one, or was idle.
    #[inline]
    pub(super) const fn set(&mut self, now: u64) {
        self.until = now;
    }
}

impl CfsState {
    #[inline(never)]
    fn apply_owed(&mut self, cpu: CpuId, scale: u32) {
        let Some(ticks) = self.rq_mut(cpu).clock.owed.take() else {
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
        if self.rqs.iter().all(|rq| rq.clock.owed.is_none()) {
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
    fn root_goes_through(&mut self, ticks: Ticks, scale: u32, cpu_load: &mut [u64; 5]) {
        let follower = CpuLoad {
            averages: cpu_load,
            load: self.runnable_load_avg,
        };
        let runnable = (&mut self.runnable_load_sum, &mut self.runnable_load_avg);
        let weight = self.weight >> scale;
        self.avg
            .go_through_with(ticks, weight, true, runnable, follower);
    }
}

impl RqClock for Cfs {
    fn update_rq_clock(&mut self, cpu: CpuId, now: u64) {
        let from = self.st.rq(cpu).clock.until;
        if from < now {
            let until = self.ticks.until(cpu, now);
            if from < until && self.has_ticks(cpu) {
                self.take_ticks(cpu, from, until);
            }
        }
        self.settle_averages(cpu);
    }

    fn is_clock_updated(&self, cpu: CpuId, now: u64) -> bool {
        let from = self.st.rq(cpu).clock.until;
        !self.has_ticks(cpu) || !self.ticks.are_missed(cpu, from, now)
    }

    #[inline]
    fn update_rq_clock_at_switch(&mut self, cpu: CpuId, now: u64) {
        // At a tick of this CPU all is charged, and nobody reads the averages that owe it.
        if self.st.rq(cpu).clock.until < now {
            self.update_rq_clock(cpu, now);
        }
    }
}

impl Cfs {
    /// A queue whose averages count all ticks that its CPU has taken.
    #[inline]
    pub(super) fn averaged(&mut self, q: Queue) -> &mut CfsQueue {
        self.settle_averages(self.st.queue(q).cpu);
        self.st.queue_mut(q)
    }

    /// The same of an entity.
    #[inline]
    pub(super) fn averaged_entity(&mut self, e: Ent) -> &mut Entity {
        let ent = self.st.ent(e);
        if ent.my_queue != NONE {
            self.settle_averages(self.st.queue(ent.queue).cpu);
        }
        self.st.ent_mut(e)
    }

    /// The weights in a queue change: averages have counted the old ones up to now.
    #[inline]
    pub(super) fn weights_change(&mut self, q: Queue) {
        self.settle_averages(self.st.queue(q).cpu);
        self.st.note_change(q);
    }

    /// Applies the ticks that the root queue of a CPU owes, and the entity of the group that runs there.
    #[inline]
    pub(super) fn settle_averages(&mut self, cpu: CpuId) {
        if self.st.rq(cpu).clock.owed.is_some() {
            self.st.apply_owed(cpu, self.era.division.scale_bits());
        }
    }

    /// Whether the ticks that a root queue owes end with one of this instant: then an update now would change nothing.
    #[inline]
    pub(super) fn owes_now(&self, q: Queue, now: u64) -> bool {
        let queue = self.st.queue(q);
        let owed = self.st.rq(queue.cpu).clock.owed;
        owed.is_some_and(|ticks| ticks.last() == clock(now)) && queue.group == 0
    }

    /// The root queue of a CPU and its `cpu_load`, to be shown: a copy that owes nothing.
    pub(super) fn settled_copy(&self, cpu: CpuId) -> (CfsQueue, [u64; 5]) {
        let rq = self.st.rq(cpu);
        let (mut root, mut cpu_load) = (self.st.root(cpu).clone(), rq.cpu_load);
        if let Some(ticks) = rq.clock.owed {
            root.root_goes_through(ticks, self.era.division.scale_bits(), &mut cpu_load);
        }
        (root, cpu_load)
    }

    /// Whether averages of a CPU owe nothing, which a reader relies on.
    pub(super) fn is_settled(&self, cpu: CpuId) -> bool {
        self.st.rq(cpu).clock.owed.is_none()
    }

    /// 4.9: the time of the latest event on a CPU whose skipped ticks are applied (`rq->clock`): a tick, or what last
    /// updated the averages of its root queue, to 1023 ns.
    pub(super) fn latest_event(&self, cpu: CpuId, now: u64) -> u64 {
        let averaged = self.st.root(cpu).avg.last_update.saturating_sub(clock(0));
        let until = SimTime(self.ticks.until(cpu, now));
        let grid = self.ticks.of(cpu).filter(|_| self.has_ticks(cpu));
        let tick = grid.and_then(|g| g.last(until));
        tick.map_or(averaged, |tick| averaged.max(tick.0))
    }

    /// Whether a CPU has ticks now.
    pub(super) fn has_ticks(&self, cpu: CpuId) -> bool {
        self.ticks.of_idle() || self.st.rq(cpu).curr.is_some() || self.st.nohz.owner == Some(cpu)
    }

    /// Takes the ticks of a CPU between two times: charges the running task up to the last of them, and counts each in the
    /// averages of its load.
    fn take_ticks(&mut self, cpu: CpuId, from: u64, until: u64) {
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
        let grid = self.ticks.of(cpu)?;
        self.st.rqs[cpu.index()].clock.until = until;
        let passed = grid.passed(SimTime(from), SimTime(until))?;
        // The next tick that matters depends on what has been charged.
        self.ticks.moves(cpu);
        Some(passed)
    }

    /// Applies a tick of a CPU that runs a fair task, and all skipped ticks before it (4.9): charges the running task,
    /// and updates averages and shares.
    pub(super) fn fair_tick(&mut self, cpu: CpuId, e: Ent, now: u64) {
        if self.is_shared() {
            self.update_rq_clock(cpu, now);
            self.update_path(e, now);
            self.count_tick(e, now, true);
            self.st.rq_mut(cpu).clock.set(now);
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
        self.st.rq_mut(cpu).clock.set(now);
        self.note_tick(cpu, now);
    }

    /// The skipped ticks of a CPU before one of its ticks: how many, and the last of them.
    fn ticks_before(&self, cpu: CpuId, now: u64) -> Option<(u64, SimTime)> {
        let (from, until) = (self.st.rq(cpu).clock.until, self.ticks.until(cpu, now));
        let grid = self.ticks.of(cpu)?;
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
        self.settle_averages(cpu);
        let grid = self.ticks.of(cpu).copied();
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
        let grid = (self.ticks.of(cpu)).filter(|g| flat && g.is_even())?;
        let before = clock(last.checked_sub(n * grid.period)?);
        let owed = self.st.rq(cpu).clock.owed;
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
        let owed = &mut self.st.rq_mut(cpu).clock.owed;
        *owed = Some(owed.map_or(ticks, |before| before.and(ticks)));
    }
}
