//! The clocks of EEVDF's queues: which ticks matter, and how a CPU takes the others, which were left out
//! ([`crate::linux::clock`]).

use super::Eevdf;
use super::account::ReschedCause;
use super::state::{Ent, NONE};
use crate::linux::clock::RqClock;
use crate::linux::machine::balance::GroupBalancing;
use crate::linux::machine::load::LoadTracking;
use crate::linux::numa::Host;
use crate::linux::ticks::EvenTicks;
use serde::{Deserialize, Serialize};
use sim_contract::cx::Cx;
use sim_contract::flags::ClockId;
use sim_contract::{QuietTicks, TickTurns};
use sim_ground::ids::CpuId;
use sim_ground::time::{SimTime, TickGrid};
use sim_machine::cost::split::product;

/// The time up to which a CPU has taken its ticks.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Clock(u64);

impl Clock {
    /// No tick is missed up to now: the CPU has handled one, or was idle.
    #[inline]
    pub(super) const fn set(&mut self, now: u64) {
        self.0 = now;
    }
}

/// A time that never comes.
pub(super) const NEVER: u64 = SimTime::NEVER.0;

impl RqClock for Eevdf {
    fn update_rq_clock(&mut self, cpu: CpuId, now: u64) {
        let from = self.st.rq(cpu).clock.0;
        if from >= now {
            return;
        }
        let until = self.ticks.until(cpu, now);
        if from < until && self.has_ticks(cpu) && self.take_ticks(cpu, from, until) {
            // The next tick that matters depends on what has been charged.
            self.ticks.moves(cpu);
        }
    }

    fn is_clock_updated(&self, cpu: CpuId, now: u64) -> bool {
        let from = self.st.rq(cpu).clock.0;
        !self.has_ticks(cpu) || !self.ticks.are_missed(cpu, from, now)
    }
}

impl Eevdf {
    /// Whether a CPU has ticks now.
    #[inline]
    fn has_ticks(&self, cpu: CpuId) -> bool {
        self.ticks.of_idle() || self.st.rq(cpu).curr.is_some()
    }

    /// Takes the ticks of a CPU between two times: charges the running task at each, and counts each in the averages of
    /// its load. Returns whether there were any.
    fn take_ticks(&mut self, cpu: CpuId, from: u64, until: u64) -> bool {
        let Some(&grid) = self.ticks.of(cpu) else {
            return false;
        };
        let Some((n, last)) = grid.passed(SimTime(from), SimTime(until)) else {
            return false;
        };
        self.st.rq_mut(cpu).clock.0 = last.0;
        if let Some(e) = self.fair_running(cpu) {
            self.quiet_path(e, &grid, n, last);
        }
        true
    }

    /// Quiet ticks of a CPU that runs a fair task.
    fn quiet_path(&mut self, e: Ent, grid: &TickGrid, n: u64, last: SimTime) {
        if let Some(ticks) = EvenTicks::new(grid, n, last)
            && self.join_ticks(e, ticks).is_some()
        {
            return;
        }
        let mut at = grid.before(last, n - 1);
        for left in (0..n).rev() {
            // Shares depend on the queue's load and on the loads that other CPUs have reported: they are fixed after
            // the first of these ticks. Since 7.3 they depend on averages, too.
            let shares = left + 1 == n || self.st.tun.flat().is_some();
            self.entity_ticks(e, at.0, shares);
            if left > 0 {
                at = grid.later(at, 1);
            }
        }
    }

    /// Applies a tick of a CPU that runs a fair task, and all skipped ticks before it. Returns whether it asks for a
    /// reschedule.
    pub(super) fn fair_tick(&mut self, cpu: CpuId, e: Ent, now: u64) -> Option<ReschedCause> {
        let (from, until) = (self.st.rq(cpu).clock.0, self.ticks.until(cpu, now));
        let Some(&grid) = self.ticks.of(cpu) else {
            return self.entity_ticks(e, now, true);
        };
        let all = (until < now)
            .then(|| EvenTicks::up_to(&grid, from, now))
            .flatten();
        if let Some(ticks) = all
            && let Some(joined) = self.join_ticks(e, ticks)
        {
            if joined.moves_shares {
                self.shares_at_tick(e, now);
            }
            return joined.asks;
        }
        let before = match all {
            Some(ticks) => ticks.earlier(),
            None => grid.passed(SimTime(from), SimTime(until)),
        };
        if let Some((n, last)) = before {
            self.quiet_path(e, &grid, n, last);
        }
        self.entity_ticks(e, now, true)
    }

    /// The shares of the groups that an entity runs in, at a tick.
    fn shares_at_tick(&mut self, e: Ent, now: u64) {
        let mut e = e;
        while e != NONE {
            self.update_shares_of(e, now);
            e = self.st.ent(e).parent;
        }
    }

    /// Passes quiet ticks up to a time. They are applied if they concern only this CPU, so that readers see their
    /// effect. A group's weight depends also on other CPUs and on the time of its update, so applying its ticks early
    /// would change the run.
    pub(super) fn quiet_ticks(&mut self, cpu: CpuId, last: u64) {
        let rq = self.st.rq(cpu);
        let alone = self.st.rqs.len() == 1;
        let concerns = |task| alone || self.st.se(task).parent == NONE;
        if rq.curr.map_or(alone, concerns) {
            let from = rq.clock.0;
            if from < last && (alone || self.fair_running(cpu).is_some()) {
                self.take_ticks(cpu, from, last);
            }
        }
    }

    /// The earliest time at which a tick may ask the running task of an entity to leave; [`NEVER`] in the present state.
    #[inline]
    fn tick_deadline(&self, e: Ent) -> u64 {
        let mut earliest = NEVER;
        if self.cgroups.is_some() && self.each_tick_matters(e) {
            return 0;
        }
        let mut e = e;
        while e != NONE {
            let (ent, queue) = self.st.level(e);
            if queue.nr > 1 {
                let tun = &self.st.tun;
                let moves = if tun.one_queue() {
                    self.weight_moves(e)
                } else {
                    ent.my_queue != NONE && (self.st.rqs.len() > 1 || tun.flat().is_some())
                };
                if moves {
                    // If a group competes with others, its part of the shares is updated at each tick.
                    return 0;
                }
                let mut room = ent.asks_from(tun).saturating_sub(ent.v);
                let asks_if_ahead = tun.preempt_short && !tun.later().resched_unprotected;
                if asks_if_ahead && tun.later().protect_by_vruntime {
                    room = room.min((ent.mark - ent.v).max(0));
                } else if asks_if_ahead && !ent.is_protected(tun) {
                    // Without the running entity, because it moves V too.
                    let key = ent.v - queue.zero;
                    let last = queue.sum.div_euclid(queue.load.max(1));
                    room = room.min(last + 1 - key);
                }
                let room = u64::try_from(room).unwrap_or(0);
                // Rounding and a margin: a tick that comes too early only tests again.
                let run = if ent.load == tun.unit() {
                    room
                } else {
                    let time = product(room, ent.load, tun.unit());
                    time - time / 256 - time.min(2)
                };
                earliest = earliest.min(ent.exec_start + run);
            }
            e = self.parent_in_time(ent);
        }
        earliest
    }

    /// Whether each tick of a running task matters: its groups have limits, or their weights depend on several levels and
    /// CPUs.
    #[cold]
    fn each_tick_matters(&self, e: Ent) -> bool {
        let parent = self.st.ent(e).parent;
        let nested = parent != NONE && self.st.ent(parent).parent != NONE;
        self.limits_each_tick(e) || (nested && self.st.rqs.len() > 1)
    }

    /// Whether the running entity of a fair task has used up its request. Most ticks that matter do so for this reason,
    /// so it is checked first.
    #[inline]
    pub(super) fn request_is_over(&self, e: Ent, now: u64) -> bool {
        let (ent, queue) = self.st.level(e);
        let room = ent.deadline - ent.v;
        ent.load == self.st.tun.unit()
            && queue.nr > 1
            && ent.exec_start.saturating_add_signed(room.max(0)) <= now
    }

    /// The time at which a tick of a CPU matters next, in the present state; it may be [`NEVER`].
    #[inline(never)]
    pub(super) fn tick_matters_at(&self, cpu: CpuId) -> u64 {
        let curr = self.st.rq(cpu).curr;
        let of_task = curr.map_or(NEVER, |task| {
            let t = self.st.task(task);
            if t.real_time {
                return 0;
            }
            if self.reserve.serves_fair(cpu) {
                return 0;
            }
            let due = self.memory_due(task).unwrap_or(NEVER);
            let caches = self.caches.as_ref().and_then(|c| c.due(task));
            self.tick_deadline(t.se)
                .min(due)
                .min(caches.unwrap_or(NEVER))
        });
        of_task.min(self.balance_matters_at(cpu))
    }
}

impl QuietTicks for Eevdf {
    fn tick_grids(&mut self, grids: &[TickGrid], idle_ticks: bool) {
        self.ticks.set(grids, idle_ticks);
    }

    fn quiet_until(&self, _: &Cx<'_>, cpu: CpuId, _: ClockId, next: SimTime, _: u64) -> SimTime {
        SimTime(self.tick_matters_at(cpu)).max(next)
    }

    fn tick_turns(&self) -> Option<TickTurns> {
        Some(self.ticks.turns())
    }

    fn skip_ticks(&mut self, _: &mut Cx<'_>, cpu: CpuId, _: ClockId, _: u64, last: SimTime) {
        self.quiet_ticks(cpu, last.0);
    }
}
