//! Signals to CPUs, and the time an idle CPU needs to serve them.
//!
//! An idle CPU needs the exit latency of the state it is in before it takes a signal of another CPU or serves its own
//! timers. Whether the delay also applies to device interrupts is a switch of the scenario (`timing.idleExitDelays`). It
//! never applies to ticks and to timers of schedulers.
//!
//! A core sleeps as deep as its shallowest context; a context that is halted beside a busy one takes `costs.idleExitNs`.
//! Where machine or scenario name fixed times instead of states, there
//! is no state to choose.

use super::Hardware;
use super::around::Around;
use super::idle::IdleRules;
use crate::clockwork::{Clockwork, Event};
use sim_contract::cx::NO_EXIT;
use sim_contract::shape::IdleNow;
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::time::{SimSpan, SimTime};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The tasks that a timer of each CPU wakes, the earliest first. Entries stay when their timer is cancelled or moved,
/// and are dropped when they come first. Derived from the queue of events, so no part of the state.
#[derive(Default)]
pub(super) struct Timers(Vec<BinaryHeap<Reverse<(SimTime, TaskId)>>>);

impl Timers {
    pub(super) fn new(cpus: usize) -> Self {
        Self(vec![BinaryHeap::new(); cpus])
    }

    /// The next timer of a CPU, with what each task's timer is set to; [`SimTime::NEVER`] if there is none.
    fn next(&mut self, cpu: CpuId, set_to: impl Fn(TaskId) -> Option<SimTime>) -> SimTime {
        let list = &mut self.0[cpu.index()];
        while let Some(Reverse((at, task))) = list.peek().copied() {
            if set_to(task) == Some(at) {
                return at;
            }
            list.pop();
        }
        SimTime::NEVER
    }
}

impl Hardware {
    /// How long a signal to a CPU takes. The CPU begins to leave its idle state.
    pub(crate) fn signal_delay(
        &mut self,
        around: &Around<'_>,
        clock: &Clockwork,
        cpu: CpuId,
    ) -> u64 {
        let kick = self.settings.kick_ns;
        if around.is_busy(cpu) {
            return kick;
        }
        let on_its_way = self.awake_at(clock, cpu).map(|at| at.since(clock.now()).0);
        if self.settings.idle_rules.is_none() {
            let delay = self.fixed_delay(around, cpu);
            return on_its_way.map_or(delay, |left| left.min(delay));
        }
        let Some(state) = self.idle_state(clock, cpu) else {
            return on_its_way.unwrap_or(0);
        };
        let exit = self.leave_state(around, clock, cpu);
        let by_ipi = self
            .settings
            .idle_rules
            .as_ref()
            .is_some_and(|r| r.needs_ipi(state));
        exit + if by_ipi { kick } else { 0 }
    }

    /// The time at which a CPU can serve interrupts, if it is leaving idleness for one or has left it at this instant.
    fn awake_at(&self, clock: &Clockwork, cpu: CpuId) -> Option<SimTime> {
        let at = self.cpus[cpu.index()].awake_at;
        (at >= clock.now() && at > SimTime::ZERO).then_some(at)
    }

    fn fixed_delay(&self, around: &Around<'_>, cpu: CpuId) -> u64 {
        let siblings = around.machine.sibling_list(cpu);
        if siblings.iter().any(|s| around.is_busy(*s)) {
            self.settings.idle_exit_ns
        } else {
            self.settings.idle_exit_deep_ns
        }
    }

    /// A timer of a CPU expires, or an interrupt comes. If the CPU is idle and cannot serve it now: the time at which
    /// it can.
    pub(crate) fn leave_idleness(
        &mut self,
        around: &Around<'_>,
        clock: &Clockwork,
        cpu: CpuId,
        timer: bool,
    ) -> Option<SimTime> {
        let delayed = timer || self.settings.delays_interrupts;
        if around.is_busy(cpu) {
            return None;
        }
        if !delayed {
            self.stop_rest(around, clock, cpu);
            return None;
        }
        let now = clock.now();
        let at = self.awake_at(clock, cpu).unwrap_or_else(|| {
            let exit = if self.settings.idle_rules.is_none() {
                Some(self.fixed_delay(around, cpu))
            } else {
                self.idle_state(clock, cpu)
                    .map(|_| self.leave_state(around, clock, cpu))
            };
            let alone = exit.map(|exit| now + SimSpan(exit));
            // Another CPU may have signalled it before.
            let signal = clock.due(Event::Resched(cpu));
            alone.into_iter().chain(signal).min().unwrap_or(now)
        });
        self.cpus[cpu.index()].awake_at = at;
        (at > now).then_some(at)
    }

    /// The state that a CPU is in now.
    fn idle_state(&mut self, clock: &Clockwork, cpu: CpuId) -> Option<usize> {
        self.catch_up_rest(clock, cpu);
        self.cpus[cpu.index()].rest.state()
    }

    /// The state that a CPU is in now, and what leaving it would take, for people who look.
    #[allow(clippy::cast_precision_loss)] // below 2^53 ns
    pub(crate) fn idle_now(
        &self,
        around: &Around<'_>,
        clock: &Clockwork,
        cpu: CpuId,
    ) -> Option<IdleNow> {
        let rules = self.settings.idle_rules.as_ref()?;
        let rest = |cpu: CpuId| {
            let grid = clock.first_grid(cpu)?;
            let mut rest = self.cpus[cpu.index()].rest.clone();
            rest.catch_up(rules, clock.now(), grid);
            Some(rest)
        };
        let own = rest(cpu)?;
        Some(IdleNow {
            state: rules.name(own.state()?).to_owned(),
            exit_ns: self.exit_now(around, clock, cpu, |c| rest(c)?.state()) as f64,
            since_ns: own.since().0 as f64,
        })
    }

    fn catch_up_rest(&mut self, clock: &Clockwork, cpu: CpuId) {
        let Some(rules) = &self.settings.idle_rules else {
            return;
        };
        if let Some(grid) = clock.first_grid(cpu) {
            let rest = &mut self.cpus[cpu.index()].rest;
            rest.catch_up(rules, clock.now(), grid);
            self.idle_exits[cpu.index()] = told(rules, rest.state());
        }
    }

    /// Brings the states of all CPUs up to now, because a hook may read them.
    pub(crate) fn catch_up_rests(&mut self, clock: &Clockwork) {
        if self
            .settings
            .idle_rules
            .as_ref()
            .is_some_and(IdleRules::is_told)
        {
            for cpu in (0..self.cpus.len()).map(CpuId::new) {
                self.catch_up_rest(clock, cpu);
            }
        }
    }

    /// A CPU that is in a state leaves it. Returns the time that it needs, in ns.
    fn leave_state(&mut self, around: &Around<'_>, clock: &Clockwork, cpu: CpuId) -> u64 {
        for i in 0..around.machine.sibling_list(cpu).len() {
            self.catch_up_rest(clock, around.machine.sibling_list(cpu)[i]);
        }
        let exit = self.exit_now(around, clock, cpu, |c| self.cpus[c.index()].rest.state());
        if let Some(rules) = &self.settings.idle_rules {
            self.cpus[cpu.index()].rest.leave(rules, clock.now(), exit);
        }
        self.idle_exits[cpu.index()] = NO_EXIT;
        exit
    }

    /// The time that a CPU needs to leave its state, in ns: that of the shallowest state among the contexts of its core,
    /// and at least that of a context that is halted while its core is not.
    fn exit_now(
        &self,
        around: &Around<'_>,
        clock: &Clockwork,
        cpu: CpuId,
        state: impl Fn(CpuId) -> Option<usize>,
    ) -> u64 {
        let Some(rules) = &self.settings.idle_rules else {
            return 0;
        };
        let halted = state(cpu).map_or(0, |own| rules.exit_ns(own).min(self.settings.idle_exit_ns));
        let contexts = around.machine.sibling_list(cpu).iter().copied();
        let core = contexts.map(|context| {
            if around.is_busy(context) {
                return 0;
            }
            let leaving = self.awake_at(clock, context).into_iter();
            let signal = clock.due(Event::Resched(context));
            let left = leaving
                .chain(signal)
                .map(|at| at.since(clock.now()).0)
                .min();
            state(context).map_or(left.unwrap_or(0), |s| rules.exit_ns(s))
        });
        core.min().unwrap_or(0).max(halted)
    }

    /// An idle CPU does something at once: an interrupt that is not delayed, a tick, a timer of the scheduler.
    pub(crate) fn stop_rest(&mut self, around: &Around<'_>, clock: &Clockwork, cpu: CpuId) {
        if self.idle_state(clock, cpu).is_some() {
            self.leave_state(around, clock, cpu);
        }
    }

    /// Whether a CPU that has served an interrupt chooses a state again, if it is idle.
    pub(crate) fn may_rest_again(&self, cpu: CpuId) -> bool {
        self.settings.idle_rules.is_some() && self.cpus[cpu.index()].rest.state().is_none()
    }

    /// A CPU has nothing to do: it chooses a state. `begins`: it was busy before. `set_to`: when the timer of the CPU that
    /// is to wake a task ends. `load`: what the scheduler says of the CPU.
    pub(crate) fn rest(
        &mut self,
        clock: &Clockwork,
        cpu: CpuId,
        begins: bool,
        set_to: impl Fn(TaskId) -> Option<SimTime>,
        load: impl FnOnce() -> u64,
    ) {
        let i = cpu.index();
        let now = clock.now();
        let rules = self.settings.idle_rules.as_ref();
        let Some(asks_for_timer) = rules.map(IdleRules::asks_for_timer) else {
            return;
        };
        let timer = if asks_for_timer {
            self.timers.next(cpu, set_to)
        } else {
            SimTime::NEVER
        };
        if timer == now {
            // It is about to serve more.
            return;
        }
        let (Some(rules), Some(grid)) = (&self.settings.idle_rules, clock.first_grid(cpu)) else {
            return;
        };
        let rest = &mut self.cpus[i].rest;
        if begins {
            rest.begin();
        }
        if let Some(rule) = rules.busy_rule() {
            // The tick's count does not contain the present entry.
            rest.turn_to(clock.period(cpu, rule.clock));
        }
        rest.enter(rules, now, timer, (grid, clock.ticks(cpu)), load());
        self.idle_exits[i] = told(rules, rest.state());
        if let Some(rule) = rules.busy_rule().filter(|rule| !rule.switches) {
            rest.count(clock.period(cpu, rule.clock));
        }
    }

    /// FreeBSD counts the switches of a CPU.
    #[inline]
    pub(crate) fn count_switch(&mut self, clock: &Clockwork, cpu: CpuId) {
        let rule = self
            .settings
            .idle_rules
            .as_ref()
            .and_then(IdleRules::busy_rule);
        if let Some(rule) = rule.filter(|rule| rule.switches) {
            let period = clock.period(cpu, rule.clock);
            self.cpus[cpu.index()].rest.count(period);
        }
    }

    /// A timer of a CPU will wake a task.
    pub(crate) fn note_timer(&mut self, clock: &Clockwork, cpu: CpuId, task: TaskId, at: SimTime) {
        if !self
            .settings
            .idle_rules
            .as_ref()
            .is_some_and(IdleRules::asks_for_timer)
        {
            return;
        }
        let list = &mut self.timers.0[cpu.index()];
        // What is past is dropped here, because a busy CPU never asks.
        while list.peek().is_some_and(|first| first.0.0 < clock.now()) {
            list.pop();
        }
        list.push(Reverse((at, task)));
    }

    /// A task was woken before its time by another. An idle CPU that chooses again sees its other timers.
    pub(crate) fn timer_cancelled(
        &mut self,
        clock: &Clockwork,
        cpu: CpuId,
        set_to: impl Fn(TaskId) -> Option<SimTime>,
    ) {
        if self.idle_state(clock, cpu).is_some()
            && self
                .settings
                .idle_rules
                .as_ref()
                .is_some_and(IdleRules::asks_for_timer)
        {
            let timer = self.timers.next(cpu, set_to);
            self.cpus[cpu.index()].rest.set_timer(timer);
        }
    }

    /// Finds all timers again after a jump, among these tasks and the CPUs whose timers would wake them.
    pub(crate) fn find_timers(
        &mut self,
        clock: &Clockwork,
        sleeping: impl Iterator<Item = (TaskId, CpuId)>,
    ) {
        self.timers = Timers::new(self.cpus.len());
        for (task, cpu) in sleeping {
            if let Some(at) = clock.due(Event::Wake(task)) {
                self.note_timer(clock, cpu, task, at);
            }
        }
    }
}

/// What the scheduler may know of a state.
fn told(rules: &IdleRules, state: Option<usize>) -> u32 {
    let exit = state.filter(|_| rules.is_told()).map(|s| rules.exit_ns(s));
    exit.and_then(|ns| u32::try_from(ns).ok())
        .unwrap_or(NO_EXIT)
}
