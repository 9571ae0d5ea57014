//! Signals to CPUs, and the time an idle CPU needs to serve them.
//!
//! An idle CPU needs the exit latency of the state it is in before it takes a signal of another CPU or serves its own
//! timers. Whether the delay also applies to device interrupts is a switch of the scenario (`timing.idleExitDelays`). It
//! never applies to ticks and to timers of schedulers.
//!
//! A core sleeps as deep as its shallowest context; a context that is halted beside a busy one takes `costs.idleExitNs`.
//! Where machine or scenario name fixed times instead of states, there
//! is no state to choose.

use super::idle::IdleRules;
use crate::Sim;
use crate::clockwork::Event;
use sim_config::IdleExitDelays;
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

impl Sim {
    /// How long a signal to a CPU takes. The CPU begins to leave its idle state.
    pub(crate) fn signal_delay(&mut self, cpu: CpuId) -> u64 {
        let kick = self.plan.delays.kick_ns;
        if self.kernel.is_busy(cpu) {
            return kick;
        }
        let on_its_way = self.awake_at(cpu).map(|at| at.since(self.clock.now()).0);
        if self.hardware.settings.idle_rules.is_none() {
            let delay = self.fixed_delay(cpu);
            return on_its_way.map_or(delay, |left| left.min(delay));
        }
        let Some(state) = self.idle_state(cpu) else {
            return on_its_way.unwrap_or(0);
        };
        let exit = self.leave_state(cpu);
        let by_ipi = self
            .hardware
            .settings
            .idle_rules
            .as_ref()
            .is_some_and(|r| r.needs_ipi(state));
        exit + if by_ipi { kick } else { 0 }
    }

    /// The time at which a CPU can serve interrupts, if it is leaving idleness for one or has left it at this instant.
    fn awake_at(&self, cpu: CpuId) -> Option<SimTime> {
        let at = self.hardware.cpus[cpu.index()].awake_at;
        (at >= self.clock.now() && at > SimTime::ZERO).then_some(at)
    }

    fn fixed_delay(&self, cpu: CpuId) -> u64 {
        let siblings = self.plan.machine.sibling_list(cpu);
        if siblings.iter().any(|s| self.kernel.is_busy(*s)) {
            self.plan.delays.idle_exit_ns
        } else {
            self.plan.delays.idle_exit_deep_ns
        }
    }

    /// A timer of a CPU expires, or an interrupt comes. If the CPU is idle and cannot serve it now: the time at which
    /// it can.
    pub(crate) fn leave_idleness(&mut self, cpu: CpuId, timer: bool) -> Option<SimTime> {
        let delayed = timer || self.plan.scenario.timing.idle_exit_delays == IdleExitDelays::All;
        if self.kernel.is_busy(cpu) {
            return None;
        }
        if !delayed {
            self.stop_rest(cpu);
            return None;
        }
        let now = self.clock.now();
        let at = self.awake_at(cpu).unwrap_or_else(|| {
            let exit = if self.hardware.settings.idle_rules.is_none() {
                Some(self.fixed_delay(cpu))
            } else {
                self.idle_state(cpu).map(|_| self.leave_state(cpu))
            };
            let alone = exit.map(|exit| now + SimSpan(exit));
            // Another CPU may have signalled it before.
            let signal = self.clock.due(Event::Resched(cpu));
            alone.into_iter().chain(signal).min().unwrap_or(now)
        });
        self.hardware.cpus[cpu.index()].awake_at = at;
        (at > now).then_some(at)
    }

    /// The state that a CPU is in now.
    fn idle_state(&mut self, cpu: CpuId) -> Option<usize> {
        self.catch_up_rest(cpu);
        self.hardware.cpus[cpu.index()].rest.state()
    }

    /// The state that a CPU is in now, and what leaving it would take, for people who look.
    #[allow(clippy::cast_precision_loss)] // below 2^53 ns
    pub(crate) fn idle_now(&self, cpu: CpuId) -> Option<IdleNow> {
        let rules = self.hardware.settings.idle_rules.as_ref()?;
        let rest = |cpu: CpuId| {
            let grid = self.clock.first_grid(cpu)?;
            let mut rest = self.hardware.cpus[cpu.index()].rest.clone();
            rest.catch_up(rules, self.clock.now(), grid);
            Some(rest)
        };
        let own = rest(cpu)?;
        Some(IdleNow {
            state: rules.name(own.state()?).to_owned(),
            exit_ns: self.exit_now(cpu, |c| rest(c)?.state()) as f64,
            since_ns: own.since().0 as f64,
        })
    }

    fn catch_up_rest(&mut self, cpu: CpuId) {
        let Some(rules) = &self.hardware.settings.idle_rules else {
            return;
        };
        if let Some(grid) = self.clock.first_grid(cpu) {
            let rest = &mut self.hardware.cpus[cpu.index()].rest;
            rest.catch_up(rules, self.clock.now(), grid);
            self.hardware.idle_exits[cpu.index()] = told(rules, rest.state());
        }
    }

    /// Brings the states of all CPUs up to now, because a hook may read them.
    pub(crate) fn catch_up_rests(&mut self) {
        if self
            .hardware
            .settings
            .idle_rules
            .as_ref()
            .is_some_and(IdleRules::is_told)
        {
            for cpu in self.plan.machine.cpu_ids() {
                self.catch_up_rest(cpu);
            }
        }
    }

    /// A CPU that is in a state leaves it. Returns the time that it needs, in ns.
    fn leave_state(&mut self, cpu: CpuId) -> u64 {
        for i in 0..self.plan.machine.sibling_list(cpu).len() {
            self.catch_up_rest(self.plan.machine.sibling_list(cpu)[i]);
        }
        let exit = self.exit_now(cpu, |c| self.hardware.cpus[c.index()].rest.state());
        if let Some(rules) = &self.hardware.settings.idle_rules {
            self.hardware.cpus[cpu.index()]
                .rest
                .leave(rules, self.clock.now(), exit);
        }
        self.hardware.idle_exits[cpu.index()] = NO_EXIT;
        exit
    }

    /// The time that a CPU needs to leave its state, in ns: that of the shallowest state among the contexts of its core,
    /// and at least that of a context that is halted while its core is not.
    fn exit_now(&self, cpu: CpuId, state: impl Fn(CpuId) -> Option<usize>) -> u64 {
        let Some(rules) = &self.hardware.settings.idle_rules else {
            return 0;
        };
        let halted = state(cpu).map_or(0, |own| {
            rules.exit_ns(own).min(self.plan.delays.idle_exit_ns)
        });
        let contexts = self.plan.machine.sibling_list(cpu).iter().copied();
        let core = contexts.map(|context| {
            if self.kernel.is_busy(context) {
                return 0;
            }
            let leaving = self.awake_at(context).into_iter();
            let signal = self.clock.due(Event::Resched(context));
            let left = leaving
                .chain(signal)
                .map(|at| at.since(self.clock.now()).0)
                .min();
            state(context).map_or(left.unwrap_or(0), |s| rules.exit_ns(s))
        });
        core.min().unwrap_or(0).max(halted)
    }

    /// An idle CPU does something at once: an interrupt that is not delayed, a tick, a timer of the scheduler.
    pub(crate) fn stop_rest(&mut self, cpu: CpuId) {
        if self.idle_state(cpu).is_some() {
            self.leave_state(cpu);
        }
    }

    /// A CPU has served an interrupt. If it is idle and nobody has signalled it, it chooses a state again.
    pub(crate) fn rest_again(&mut self, cpu: CpuId) {
        let idle = !self.kernel.is_busy(cpu) && !self.kernel.is_flagged(cpu);
        if idle
            && self.hardware.settings.idle_rules.is_some()
            && self.hardware.cpus[cpu.index()].rest.state().is_none()
        {
            self.rest(cpu, false);
        }
    }

    /// A CPU has nothing to do: it chooses a state. `begins`: it was busy before.
    pub(crate) fn rest(&mut self, cpu: CpuId, begins: bool) {
        let i = cpu.index();
        let now = self.clock.now();
        let rules = self.hardware.settings.idle_rules.as_ref();
        let Some(asks_for_timer) = rules.map(IdleRules::asks_for_timer) else {
            return;
        };
        let timer = if asks_for_timer {
            self.next_timer(cpu)
        } else {
            SimTime::NEVER
        };
        if timer == now {
            // It is about to serve more.
            return;
        }
        let (Some(rules), Some(grid)) = (
            &self.hardware.settings.idle_rules,
            self.clock.first_grid(cpu),
        ) else {
            return;
        };
        let rest = &mut self.hardware.cpus[i].rest;
        if begins {
            rest.begin();
        }
        if let Some(rule) = rules.busy_rule() {
            // The tick's count does not contain the present entry.
            rest.turn_to(self.clock.period(cpu, rule.clock));
        }
        let load = self.sched.idle_load(cpu);
        rest.enter(rules, now, timer, (grid, self.clock.ticks(cpu)), load);
        self.hardware.idle_exits[i] = told(rules, rest.state());
        if let Some(rule) = rules.busy_rule().filter(|rule| !rule.switches) {
            rest.count(self.clock.period(cpu, rule.clock));
        }
    }

    /// FreeBSD counts the switches of a CPU.
    #[inline]
    pub(crate) fn count_switch(&mut self, cpu: CpuId) {
        let rule = self
            .hardware
            .settings
            .idle_rules
            .as_ref()
            .and_then(IdleRules::busy_rule);
        if let Some(rule) = rule.filter(|rule| rule.switches) {
            let period = self.clock.period(cpu, rule.clock);
            self.hardware.cpus[cpu.index()].rest.count(period);
        }
    }

    /// A timer of a CPU will wake a task.
    pub(crate) fn note_timer(&mut self, cpu: CpuId, task: TaskId, at: SimTime) {
        if !self
            .hardware
            .settings
            .idle_rules
            .as_ref()
            .is_some_and(IdleRules::asks_for_timer)
        {
            return;
        }
        let list = &mut self.hardware.timers.0[cpu.index()];
        // What is past is dropped here, because a busy CPU never asks.
        while list
            .peek()
            .is_some_and(|first| first.0.0 < self.clock.now())
        {
            list.pop();
        }
        list.push(Reverse((at, task)));
    }

    /// A task was woken before its time by another. An idle CPU that chooses again sees its other timers.
    pub(crate) fn timer_cancelled(&mut self, cpu: CpuId) {
        if self.idle_state(cpu).is_some()
            && self
                .hardware
                .settings
                .idle_rules
                .as_ref()
                .is_some_and(IdleRules::asks_for_timer)
        {
            let timer = self.next_timer(cpu);
            self.hardware.cpus[cpu.index()].rest.set_timer(timer);
        }
    }

    /// The next timer of a CPU that wakes a task; [`SimTime::NEVER`] if there is none.
    fn next_timer(&mut self, cpu: CpuId) -> SimTime {
        let (kernel, clock) = (&self.kernel, &self.clock);
        self.hardware.timers.next(cpu, |task| {
            clock
                .due(Event::Wake(task))
                .filter(|_| kernel.timer_cpu(task) == Some(cpu))
        })
    }

    /// Finds all timers again after a jump.
    pub(crate) fn find_timers(&mut self) {
        self.hardware.timers = Timers::new(self.cpu_count());
        for task in (0..self.task_count()).map(TaskId::new) {
            let waking = self.kernel.timer_cpu(task);
            if let (Some(cpu), Some(at)) = (waking, self.clock.due(Event::Wake(task))) {
                self.note_timer(cpu, task, at);
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
