//! Ticks, and the skipping of quiet ones.
//!
//! A CPU's next tick event lies at the first tick that may matter. Ticks before it are applied in closed
//! form when something looks at the CPU: then `settled` is behind, and the scheduler catches up.

use super::events::Event;
use super::{Cx, Sim, cx};
use crate::config::IdleTicks;
use crate::ids::CpuId;
use crate::sched::Occasion;
use crate::time::SimTime;

impl Sim {
    pub(super) fn on_tick(&mut self, cpu: CpuId, clock: u8) {
        self.ticks_due = Some((cpu, clock + 1));
        self.context = Some(cpu);
        self.settle_before_tick(cpu, clock);
        self.look_around(Occasion::Tick(cpu, clock));
        let need = self.sched.tick(&mut cx!(self), cpu, clock);
        // Its own ticks are armed below, or when it has rescheduled.
        self.requests.requery.retain(|c| *c != cpu);
        self.carry_out_requests();
        // Timers that expire in this tick come first, then one check of need_resched.
        if need || self.st.flagged.contains(cpu) {
            self.st.flagged.insert(cpu);
            self.st.queue.schedule(Event::Resched(cpu), self.st.now);
        } else {
            self.review_idle_tick(cpu);
            self.arm_ticks(cpu);
        }
        self.ticks_due = None;
    }

    /// Applies the quiet ticks before this one, and notes this one.
    fn settle_before_tick(&mut self, cpu: CpuId, clock: u8) {
        let now = self.st.now;
        let c = &mut self.st.cpus[cpu.index()].clocks[usize::from(clock)];
        let skipped = if now.since(c.settled).0 <= c.grid.period {
            None
        } else {
            c.grid.passed(c.settled, SimTime(now.0 - 1))
        };
        c.settled = now;
        if let Some((n, last)) = skipped {
            self.skip(cpu, clock, n, last);
        }
    }

    /// Quiet ticks that ask for a reschedule matter once anything else happens at their instant, for it may
    /// come between the tick and the reschedule: makes them events before the next one is taken.
    pub(super) fn bring_in_quiet_reschedules(&mut self) {
        let cpus = match self.sched.quiet_reschedules() {
            Some(cpus) if !cpus.is_empty() => *cpus,
            _ => return,
        };
        let at = match self.st.queue.first() {
            // The last at its instant: quiet ticks have been, and are made up for by arithmetic, as before a live edit.
            Some((_, Event::Edit)) | None => return,
            Some((at, _)) => at,
        };
        for cpu in cpus.iter() {
            for i in 0..self.st.cpus[cpu.index()].clocks.len() {
                let c = &self.st.cpus[cpu.index()].clocks[i];
                let clock = u8::try_from(i).unwrap_or(0);
                if c.ticking && c.settled < at && c.grid.last(at) == Some(at) && at > SimTime::ZERO
                {
                    self.st.queue.schedule(Event::Tick(clock, cpu), at);
                }
            }
        }
    }

    /// Lets the scheduler catch up with the quiet ticks of a CPU. Called before every hook that is about
    /// this CPU.
    pub(super) fn settle(&mut self, cpu: CpuId) {
        let now = self.st.now;
        for clock in 0..self.st.cpus[cpu.index()].clocks.len() {
            // While a tick is handled, those of the same instant that come after it are still due.
            let position = (cpu, u8::try_from(clock).unwrap_or(0));
            let bound = if self.ticks_due.is_some_and(|due| position >= due) {
                SimTime(now.0.saturating_sub(1))
            } else {
                now
            };
            let c = &mut self.st.cpus[cpu.index()].clocks[clock];
            if !c.ticking || bound <= c.settled {
                continue;
            }
            let passed = c.grid.passed(c.settled, bound);
            c.settled = bound;
            if let Some((n, last)) = passed {
                self.skip(cpu, u8::try_from(clock).unwrap_or(0), n, last);
            }
        }
    }

    /// Whether something is still to come at this very instant. An edit does not count: it comes last, when the ticks
    /// have been.
    pub(super) fn amid_instant(&self) -> bool {
        let first = self.st.queue.first();
        first.is_some_and(|(at, event)| at == self.st.now && event != Event::Edit)
    }

    /// Lets the scheduler catch up everywhere, if a hook that comes next looks there.
    pub(super) fn look_around(&mut self, occasion: Occasion) {
        if self.sched.looks_around(occasion) {
            self.settle_all();
        }
    }

    /// Lets the scheduler catch up everywhere.
    pub(super) fn settle_all(&mut self) {
        for cpu in 0..self.st.cpus.len() {
            self.settle(CpuId::new(cpu));
        }
    }

    fn skip(&mut self, cpu: CpuId, clock: u8, n: u64, last: SimTime) {
        self.sched.skip_ticks(&mut cx!(self), cpu, clock, n, last);
    }

    /// Puts the tick events of a CPU where they have to be now.
    pub(super) fn arm_ticks(&mut self, cpu: CpuId) {
        self.settle(cpu);
        for i in 0..self.st.cpus[cpu.index()].clocks.len() {
            let clock = u8::try_from(i).unwrap_or(0);
            let c = &self.st.cpus[cpu.index()].clocks[i];
            if !c.ticking {
                self.st.queue.cancel(Event::Tick(clock, cpu));
                continue;
            }
            let (grid, next) = (c.grid, c.grid.after(c.settled));
            // A tick of a signalled CPU looks at need_resched: it comes before the signal does.
            let signalled = self
                .st
                .queue
                .due(Event::Resched(cpu))
                .is_some_and(|at| next <= at);
            let at = if self.options.fast_forward && !signalled {
                let quiet = self
                    .sched
                    .quiet_until(&cx!(self), cpu, clock, next, grid.period);
                if quiet == SimTime::NEVER {
                    self.st.queue.cancel(Event::Tick(clock, cpu));
                    continue;
                }
                if quiet > next {
                    grid.at_or_after(quiet)
                } else {
                    next
                }
            } else {
                next
            };
            if self.st.queue.due(Event::Tick(clock, cpu)) != Some(at) {
                self.st.queue.schedule(Event::Tick(clock, cpu), at);
            }
        }
    }

    /// An idle CPU may begin to tick, or cease to.
    pub(super) fn review_idle_tick(&mut self, cpu: CpuId) {
        if self.st.curr[cpu.index()].is_none() {
            self.set_ticking(cpu, false);
        }
    }

    /// An idle CPU may be tickless: called when a CPU becomes busy or idle.
    pub(super) fn set_ticking(&mut self, cpu: CpuId, busy: bool) {
        let ticking = busy
            || self.plan.scenario.timing.idle_ticks == IdleTicks::Ticking
            || self.sched.keeps_tick(cpu);
        let now = self.st.now;
        for c in &mut self.st.cpus[cpu.index()].clocks {
            if ticking && !c.ticking {
                c.settled = now;
            }
            c.ticking = ticking;
        }
    }

    /// The first tick of a CPU's first clock after now, whether it ticks or not (timer wheel).
    pub(super) fn next_tick(&self, cpu: CpuId, from: SimTime) -> SimTime {
        match self.st.cpus[cpu.index()].clocks.first() {
            Some(c) => c.grid.at_or_after(from),
            None => from,
        }
    }
}
