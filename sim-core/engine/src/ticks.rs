//! Ticks, and the skipping of quiet ones.
//!
//! A CPU's next tick event lies at the first tick that may matter. Earlier ticks are applied in closed form when a hook
//! concerns the CPU. Until then `settled` lags behind.

use super::events::Event;
use super::known::QuietCpus;
use super::{Cx, Sim, cx};
use sim_config::IdleTicks;
use sim_contract::{Occasion, TickTurns};
use sim_ground::ids::{CpuId, CpuMask};
use sim_ground::time::SimTime;

impl Sim {
    pub(super) fn on_tick(&mut self, cpu: CpuId, clock: u8) {
        if self.turns.is_none() {
            self.ticks_due = Some((cpu, clock + 1));
        }
        self.context = Some(cpu);
        self.settle_before_tick(cpu, clock);
        self.look_around(Occasion::Tick(cpu, clock));
        let need = self.sched.tick(&mut cx!(self), cpu, clock);
        // The tick events of this CPU are set below, or when it has rescheduled.
        self.forget_requery(cpu);
        if self.turns.is_some() {
            self.end_tick_of_turn(cpu, need);
            self.ticks_due = None;
            return;
        }
        self.carry_out_requests();
        // Timers that expire in this tick come first, then one check of need_resched.
        if need || self.st.flagged.contains(cpu) {
            if self.nothing_comes_between() {
                self.ticks_due = None;
                self.reschedule_at_once(cpu);
                return;
            }
            self.st.flagged.insert(cpu);
            self.st.queue.schedule(Event::Resched(cpu), self.st.now);
        } else {
            self.review_idle_tick(cpu);
            self.arm_ticks(cpu);
        }
        self.ticks_due = None;
    }

    /// Whether the reschedule that a tick asks for would be the next event, and may be handled with the tick.
    fn nothing_comes_between(&self) -> bool {
        let now = self.st.now;
        self.may_join
            && !self.st.finished
            && self.st.queue.next_time().is_none_or(|at| at > now)
            && self.sched.quiet_reschedules().is_none_or(CpuMask::is_empty)
    }

    /// Carries out the reschedule that a tick asked for, with the same bookkeeping as for an event of its own.
    fn reschedule_at_once(&mut self, cpu: CpuId) {
        self.st.queue.skip_number();
        self.st.handled += 1;
        self.on_resched(cpu);
    }

    /// Ends a tick where CPUs tick in turns: the CPU's own reschedule comes first, then its requests to others.
    fn end_tick_of_turn(&mut self, cpu: CpuId, need: bool) {
        if need || self.st.flagged.contains(cpu) {
            if self.may_join
                && !self.st.finished
                && self.requests.is_empty()
                && !self.st.queue.has_more_of_turn(self.st.now)
            {
                self.reschedule_at_once(cpu);
                return;
            }
            self.st.flagged.insert(cpu);
            self.schedule_soon(Event::Resched(cpu), self.st.now);
        }
        self.carry_out_requests();
        if !self.st.flagged.contains(cpu) {
            self.review_idle_tick(cpu);
            self.arm_ticks(cpu);
        }
    }

    /// An event begins: a turn, a consequence of it, or another event after all turns of the instant.
    #[inline]
    pub(super) fn take_turn(&mut self, in_turn: bool, event: Event) {
        if self.turns.is_none() {
            return;
        }
        match event {
            _ if !in_turn => self.st.turn = None,
            Event::Tick(clock, cpu) => self.st.turn = Some((self.st.now, cpu, clock)),
            _ => {}
        }
    }

    /// Schedules something that may follow from a tick: at the same instant it comes before the next turn.
    pub(super) fn schedule_soon(&mut self, event: Event, at: SimTime) {
        if at == self.st.now && self.st.turn.is_some_and(|t| t.0 == at) {
            self.st.queue.schedule_in_turn(event, at);
        } else {
            self.st.queue.schedule(event, at);
        }
    }

    /// Whether a tick of this instant on a CPU is still to come.
    #[inline]
    fn still_due(&self, cpu: CpuId, clock: u8) -> bool {
        self.ticks_due.is_some_and(|due| (cpu, clock) >= due)
            || self.turns.is_some_and(|t| self.comes_later(t, cpu, clock))
    }

    /// Whether a CPU's turn of this instant is still to come.
    fn comes_later(&self, turns: TickTurns, cpu: CpuId, clock: u8) -> bool {
        match self.st.turn {
            Some((at, current, of)) if at == self.st.now => {
                let place = |cpu| turns.place(at, cpu);
                (place(cpu), clock) > (place(current), of)
            }
            _ => false,
        }
    }

    /// Applies the quiet ticks before this tick, and counts this one.
    fn settle_before_tick(&mut self, cpu: CpuId, clock: u8) {
        let now = self.st.now;
        let c = &mut self.st.cpus[cpu.index()].clocks[usize::from(clock)];
        let skipped = if c.next >= now {
            None
        } else {
            c.pass(SimTime(now.0 - 1))
        };
        c.skip_to(now);
        if let Some((n, last)) = skipped {
            self.skip(cpu, clock, n, last);
        }
    }

    /// Makes quiet ticks that ask for a reschedule real events if anything else happens at their instant: it may come
    /// between the tick and the reschedule. Called before the next event is taken.
    #[inline]
    pub(super) fn bring_in_quiet_reschedules(&mut self) {
        let Some(cpus) = self.sched.quiet_reschedules() else {
            return;
        };
        let Some(at) = self.st.queue.next_time() else {
            return;
        };
        // Checked before each event. Usually these are the CPUs of the last check, and their next ticks lie later.
        let known = &self.known.quiet;
        if at >= known.before || !known.cpus.is_same_among(cpus, self.st.cpus.len()) {
            let cpus = *cpus;
            self.look_for_ticks(cpus, at);
        }
    }

    /// Makes the ticks of these CPUs at an instant real events, or notes until when none of them ticks.
    #[inline(never)]
    fn look_for_ticks(&mut self, cpus: CpuMask, at: SimTime) {
        let mut before = SimTime::NEVER;
        for cpu in cpus.among(self.st.cpus.len()) {
            let clocks = &self.st.cpus[cpu.index()].clocks;
            let ticking = clocks.iter().filter(|c| c.ticking);
            before = ticking.map(|c| c.next).fold(before, SimTime::min);
            if before <= at {
                self.bring_in_ticks(&cpus, at);
                return;
            }
        }
        self.known.quiet = QuietCpus { cpus, before };
    }

    fn bring_in_ticks(&mut self, cpus: &CpuMask, at: SimTime) {
        // An edit comes last at its instant: quiet ticks have happened and are applied by arithmetic, as before a live
        // edit.
        if self.st.queue.first() == Some((at, Event::Edit)) {
            return;
        }
        for cpu in cpus.iter() {
            for i in 0..self.st.cpus[cpu.index()].clocks.len() {
                let c = &self.st.cpus[cpu.index()].clocks[i];
                let clock = u8::try_from(i).unwrap_or(0);
                let is_tick = c.next == at || (c.next < at && c.grid.last(at) == Some(at));
                if c.ticking && is_tick {
                    self.st.queue.schedule_tick(clock, cpu, at, self.turns);
                }
            }
        }
    }

    /// Applies the skipped quiet ticks of a CPU. Called before every hook about this CPU.
    #[inline]
    pub(super) fn settle(&mut self, cpu: CpuId) {
        let now = self.st.now;
        // Usually the next tick of each clock lies ahead: no tick has passed, and none of this instant is due.
        let mut clocks = self.st.cpus[cpu.index()].clocks.iter();
        if clocks.any(|c| c.ticking && c.next <= now) {
            self.settle_clocks(cpu);
        }
    }

    #[inline(never)]
    fn settle_clocks(&mut self, cpu: CpuId) {
        let now = self.st.now;
        for clock in 0..self.st.cpus[cpu.index()].clocks.len() {
            // While a tick is handled, later ticks of the same instant are still due.
            let bound = if self.still_due(cpu, u8::try_from(clock).unwrap_or(0)) {
                SimTime(now.0.saturating_sub(1))
            } else {
                now
            };
            let c = &mut self.st.cpus[cpu.index()].clocks[clock];
            if !c.ticking || bound <= c.settled {
                continue;
            }
            if let Some((n, last)) = c.pass(bound) {
                self.skip(cpu, u8::try_from(clock).unwrap_or(0), n, last);
            }
        }
    }

    /// Whether more events are due at this instant. An edit does not count: it comes last, after the ticks.
    pub(super) fn amid_instant(&self) -> bool {
        let first = self.st.queue.first();
        first.is_some_and(|(at, event)| at == self.st.now && event != Event::Edit)
    }

    /// Applies the skipped ticks of all CPUs if the next hook reads them.
    pub(super) fn look_around(&mut self, occasion: Occasion) {
        if self.sched.looks_around(occasion) {
            self.settle_all();
        }
    }

    /// Applies the skipped ticks of all CPUs.
    pub(super) fn settle_all(&mut self) {
        for cpu in 0..self.st.cpus.len() {
            self.settle(CpuId::new(cpu));
        }
    }

    fn skip(&mut self, cpu: CpuId, clock: u8, n: u64, last: SimTime) {
        self.sched.skip_ticks(&mut cx!(self), cpu, clock, n, last);
    }

    /// Moves the tick events of a CPU to their present times.
    pub(super) fn arm_ticks(&mut self, cpu: CpuId) {
        self.settle(cpu);
        self.arm_settled_ticks(cpu);
    }

    /// The same for a CPU whose skipped ticks have been applied at this instant.
    pub(super) fn arm_settled_ticks(&mut self, cpu: CpuId) {
        let queue = &mut self.st.queue;
        let signal = queue.due(Event::Resched(cpu));
        let cx = cx!(self);
        for (c, clock) in self.st.cpus[cpu.index()].clocks.iter_mut().zip(0..) {
            let event = Event::Tick(clock, cpu);
            if !c.ticking {
                queue.cancel(event);
                continue;
            }
            let mut at = c.next;
            // A tick of a signalled CPU checks need_resched and comes before the signal.
            let signalled = signal.is_some_and(|signal| at <= signal);
            if self.options.fast_forward && !signalled {
                let quiet = self.sched.quiet_until(&cx, cpu, clock, at, c.grid.period);
                if quiet == SimTime::NEVER {
                    queue.cancel(event);
                    continue;
                }
                if quiet > at {
                    at = c.at_or_after(quiet);
                }
            }
            if queue.due(event) != Some(at) {
                queue.schedule_tick(clock, cpu, at, self.turns);
            }
        }
    }

    /// Starts or stops the tick of an idle CPU, as the scheduler asks.
    pub(super) fn review_idle_tick(&mut self, cpu: CpuId) {
        if self.st.curr[cpu.index()].is_none() {
            let ticked = self.ticks(cpu);
            self.set_ticking(cpu, false);
            if self.ticks(cpu) != ticked {
                self.stop_rest(cpu);
                self.rest(cpu, false);
            }
        }
    }

    /// Whether a CPU's first clock ticks now.
    pub(super) fn ticks(&self, cpu: CpuId) -> bool {
        let clocks = &self.st.cpus[cpu.index()].clocks;
        clocks.first().is_some_and(|c| c.ticking)
    }

    /// Updates the tick of a CPU that becomes busy or idle: an idle CPU may be tickless.
    pub(super) fn set_ticking(&mut self, cpu: CpuId, busy: bool) {
        let ticking = busy
            || self.plan.scenario.timing.idle_ticks == IdleTicks::Ticking
            || self.sched.keeps_tick(cpu);
        let now = self.st.now;
        for c in &mut self.st.cpus[cpu.index()].clocks {
            if ticking && !c.ticking {
                c.skip_to(now);
                self.known.quiet = QuietCpus::UNKNOWN;
            }
            c.ticking = ticking;
        }
    }

    /// The first tick of a CPU's first clock after `from`, even if the clock is stopped (timer wheel).
    pub(super) fn next_tick(&self, cpu: CpuId, from: SimTime) -> SimTime {
        match self.st.cpus[cpu.index()].clocks.first() {
            Some(c) => c.grid.at_or_after(from),
            None => from,
        }
    }
}
