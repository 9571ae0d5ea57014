//! Which ticks matter, how CPUs apply the others, and the kernel's clock.
//!
//! | item | kernel function @ 6.12.117 |
//! |---|---|
//! | `scheduler_tick` | `sched_tick`, `task_tick_fair`, `entity_tick` |
//! | `clocks` | `tick_setup_sched_timer` |

use super::account::ReschedCause;
use super::state::{Ent, NONE};
use super::{Eevdf, reasons};
use crate::linux::lending::Lending;
use crate::linux::machine::balance::GroupBalancing;
use crate::linux::machine::caches::Gathering;
use crate::linux::machine::capacity::Fitting;
use crate::linux::machine::load::LoadTracking;
use crate::linux::numa::Host;
use crate::linux::rt::RealTime;
use crate::linux::signed;
use crate::linux::ticks::EvenTicks;
use sim_contract::cx::Cx;
use sim_contract::decision::DecisionId;
use sim_contract::flags::{ClockId, ClockSpec};
use sim_contract::idle::IdleGovernor;
use sim_contract::{Kernel, QuietTicks, TickTurns};
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::time::{SimTime, TickGrid};
use sim_machine::cost::split::product;

impl Eevdf {
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

    /// Whether a CPU has ticks now.
    pub(super) fn ticks(&self, cpu: CpuId) -> bool {
        self.idle_ticks || self.st.rq(cpu).curr.is_some()
    }

    /// Applies the ticks of a CPU that were skipped: charges the running task at each, and counts each in the averages
    /// of its load.
    #[inline]
    pub(super) fn catch_up(&mut self, cpu: CpuId, now: u64) {
        let from = self.st.rq(cpu).ticked_at;
        if from < now {
            self.catch_up_between(cpu, from, now);
        }
    }

    fn catch_up_between(&mut self, cpu: CpuId, from: u64, now: u64) {
        let until = self.ticked_until(cpu, now);
        if from < until && self.ticks(cpu) && self.catch_up_from(cpu, from, until) {
            // The next tick that matters depends on what has been charged.
            self.touched.push(cpu);
        }
    }

    /// Returns whether there were ticks in between.
    fn catch_up_from(&mut self, cpu: CpuId, from: u64, until: u64) -> bool {
        let Some(&grid) = self.grids.get(cpu.index()) else {
            return false;
        };
        let Some((n, last)) = grid.passed(SimTime(from), SimTime(until)) else {
            return false;
        };
        self.st.rq_mut(cpu).ticked_at = last.0;
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
    fn fair_tick(&mut self, cpu: CpuId, e: Ent, now: u64) -> Option<ReschedCause> {
        let (from, until) = (self.st.rq(cpu).ticked_at, self.ticked_until(cpu, now));
        let Some(&grid) = self.grids.get(cpu.index()) else {
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
            let from = rq.ticked_at;
            if from < last && (alone || self.fair_running(cpu).is_some()) {
                self.catch_up_from(cpu, from, last);
            }
        }
    }

    /// The entity of the fair task that runs on a CPU.
    #[inline]
    pub(super) fn fair_running(&self, cpu: CpuId) -> Option<Ent> {
        let t = self.st.task(self.st.rq(cpu).curr?);
        (!t.real_time && t.cpu == cpu && self.st.ent(t.se).on_rq).then_some(t.se)
    }

    /// A tick of the running entity, level by level. Returns whether it asks for a reschedule.
    pub(super) fn entity_ticks(
        &mut self,
        task: Ent,
        at: u64,
        shares: bool,
    ) -> Option<ReschedCause> {
        let mut asks = None;
        let mut e = task;
        while e != NONE {
            let ent = self.st.ent(e);
            let (q, parent) = (ent.queue, ent.parent);
            let of_level = self.update_curr(q, at);
            asks = asks.or(of_level);
            self.tick_level(e, at, shares);
            e = parent;
        }
        if self.st.tun.one_queue() {
            self.renew_effective(task);
        }
        asks
    }

    /// A tick that matters. `fair` is the running entity, if it is that of a fair task.
    #[inline]
    pub(super) fn scheduler_tick(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        fair: Option<Ent>,
    ) -> bool {
        let now = cx.now.0;
        let curr = self.st.rq(cpu).curr;
        if fair.is_none() {
            self.catch_up(cpu, now);
        }
        let mut need = false;
        if let (Some(task), Some(e)) = (curr, fair) {
            if let Some(asks) = self.fair_tick(cpu, e, now) {
                self.explain_asks(cx, cpu, task, asks);
                need = true;
            }
            need |= self.served_tick(cx, cpu);
            // An update of group weights may have asked too.
            need |= !self.wanted.is_empty();
            self.wanted.clear();
            self.note_misfit(cx, cpu, Some(task));
        } else if let Some(task) = curr
            && self.st.task(task).real_time
        {
            need = self.rt_tick(cx, cpu, task);
        }
        if let Some(task) = curr {
            self.memory_tick(cx, cpu, task);
            self.cache_tick(cx, cpu, task);
        }
        self.st.rq_mut(cpu).ticked_at = now;
        if need {
            self.tick_asked = Some(cpu);
        }
        self.balance_tick(cx, cpu);
        need
    }

    /// Records why accounting asks for a reschedule.
    pub(super) fn explain_asks(
        &self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        task: TaskId,
        asks: ReschedCause,
    ) -> DecisionId {
        let (e, of_task) = match asks {
            ReschedCause::OutOfTime(e) => return self.explain_out_of_time(cx, cpu, task, e),
            ReschedCause::Served => return self.explain_begin(cx, cpu),
            ReschedCause::RequestUsed(e) => (e, reasons::REQUEST_USED),
            ReschedCause::Ahead(e) => (e, reasons::UNPROTECTED_AND_AHEAD),
            ReschedCause::Unprotected(e) => (e, reasons::UNPROTECTED),
        };
        let (ent, queue) = self.st.level(e);
        let reason = if ent.is_task() {
            of_task
        } else {
            reasons::of_group(of_task)
        };
        let lag = queue.mean(self.curr_of(queue)) - ent.v;
        let slice = signed(ent.slice);
        let operands = [lag, ent.deadline - ent.v, slice, i64::from(queue.nr)];
        cx.explain(Some(cpu), Some(task), reason, operands)
    }

    /// Records that a control group has no time left.
    #[cold]
    fn explain_out_of_time(&self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId, e: Ent) -> DecisionId {
        let groups = self.cgroups.as_ref();
        let left = groups.and_then(|g| Some((g, g.left(self.st.ent(e).queue)?)));
        let operands = left.map_or([0; 4], |(groups, (group, left))| {
            [i64::from(group) + 1, -left, groups.pool(group)[0], 0]
        });
        cx.explain(Some(cpu), Some(task), reasons::CGROUP_OUT_OF_TIME, operands)
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

/// A time that never comes.
pub(super) const NEVER: u64 = SimTime::NEVER.0;

impl QuietTicks for Eevdf {
    fn tick_grids(&mut self, grids: &[TickGrid], idle_ticks: bool) {
        self.grids = grids.to_vec();
        self.idle_ticks = idle_ticks;
    }

    fn quiet_until(&self, _: &Cx<'_>, cpu: CpuId, _: ClockId, next: SimTime, _: u64) -> SimTime {
        SimTime(self.tick_matters_at(cpu)).max(next)
    }

    fn tick_turns(&self) -> Option<TickTurns> {
        Some(self.turns)
    }

    fn skip_ticks(&mut self, _: &mut Cx<'_>, cpu: CpuId, _: ClockId, _: u64, last: SimTime) {
        self.quiet_ticks(cpu, last.0);
    }
}

impl Kernel for Eevdf {
    fn clocks(&self) -> Vec<ClockSpec> {
        vec![ClockSpec {
            name: "tick",
            hz: u32::try_from(self.st.tun.hz).unwrap_or(u32::MAX),
            whole_ns: true,
            in_step: true,
            ..ClockSpec::default()
        }]
    }

    fn waiter_rank(&self, tasks: &[sim_contract::cx::TaskInfo], task: TaskId) -> u32 {
        self.rank_of_waiter(&tasks[task.index()], task)
    }

    fn idle_governor(&self) -> IdleGovernor {
        if self.st.tun.since_6_17() {
            IdleGovernor::Menu618
        } else {
            IdleGovernor::Menu612
        }
    }
}
