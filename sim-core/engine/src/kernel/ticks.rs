//! Ticks, and the skipping of quiet ones.
//!
//! A CPU's next tick event lies at the first tick that may matter. Earlier ticks are applied in closed form when a hook
//! concerns the CPU. Until then its clocks lag behind.

use crate::clockwork::{Event, Skipped};
use crate::{Context, Cx, Sim, cx};
use sim_config::IdleTicks;
use sim_contract::Occasion;
use sim_ground::ids::CpuId;
use sim_ground::time::SimTime;

/// A CPU whose skipped ticks have been applied at this instant. Only [`Sim::settle`] makes one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settled(CpuId);

impl Settled {
    #[inline]
    pub(crate) fn cpu(self) -> CpuId {
        self.0
    }
}

impl Sim {
    pub(crate) fn on_tick(&mut self, cpu: CpuId, clock: u8) {
        self.clock.begin_tick(cpu, clock);
        let context = Context::task_on(cpu);
        let skipped = self.clock.count_tick(cpu, clock);
        // Most ticks come after skipped ones, and see what those see.
        let mut cx = cx!(self, Context::OUTSIDE);
        if let Some(Skipped { clock, count, last }) = skipped {
            self.sched.skip_ticks(&mut cx, cpu, clock, count, last);
        }
        if self.sched.looks_around(Occasion::Tick(cpu, clock)) {
            self.settle_all();
            cx = cx!(self, context);
        }
        cx.cpu = context.cpu;
        let need = self.sched.tick(&mut cx, cpu, clock);
        // The tick events of this CPU are set below, or when it has rescheduled.
        self.forget_requery(cpu);
        if self.clock.has_turns() {
            self.end_tick_of_turn(context, cpu, need);
            self.clock.end_tick();
            return;
        }
        self.carry_out_requests(context);
        // Timers that expire in this tick come first, then one check of need_resched.
        if need || self.kernel.flagged.contains(cpu) {
            if self.nothing_comes_between() {
                self.clock.end_tick();
                self.reschedule_at_once(cpu);
                return;
            }
            self.kernel.flagged.insert(cpu);
            self.clock.schedule(Event::Resched(cpu), self.clock.now());
        } else {
            self.review_idle_tick(cpu);
            self.arm_ticks(cpu);
        }
        self.clock.end_tick();
    }

    /// Whether the reschedule that a tick asks for would be the next event, and may be handled with the tick.
    fn nothing_comes_between(&self) -> bool {
        self.clock.nothing_comes_between()
            && !self.kernel.finished
            && (self.sched.quiet_reschedules())
                .is_none_or(|cpus| cpus.has_none_among(self.cpu_count()))
    }

    /// Carries out the reschedule that a tick asked for, with the same bookkeeping as for an event of its own.
    fn reschedule_at_once(&mut self, cpu: CpuId) {
        self.clock.skip_event();
        self.on_resched(cpu);
    }

    /// Ends a tick where CPUs tick in turns: the CPU's own reschedule comes first, then its requests to others.
    fn end_tick_of_turn(&mut self, context: Context, cpu: CpuId, need: bool) {
        if need || self.kernel.flagged.contains(cpu) {
            if self.clock.nothing_comes_between_in_turn()
                && !self.kernel.finished
                && self.requests.is_empty()
            {
                self.reschedule_at_once(cpu);
                return;
            }
            self.kernel.flagged.insert(cpu);
            self.clock
                .schedule_soon(Event::Resched(cpu), self.clock.now());
        }
        self.carry_out_requests(context);
        if !self.kernel.flagged.contains(cpu) {
            self.review_idle_tick(cpu);
            self.arm_ticks(cpu);
        }
    }

    /// Makes quiet ticks that ask for a reschedule real events if anything else happens at their instant.
    #[inline]
    pub(crate) fn bring_in_quiet_reschedules(&mut self) {
        if let Some(cpus) = self.sched.quiet_reschedules() {
            self.clock.bring_in_quiet_reschedules(cpus);
        }
    }

    /// Applies the skipped quiet ticks of a CPU. Called before every hook about this CPU.
    #[inline]
    pub(crate) fn settle(&mut self, cpu: CpuId) -> Settled {
        if self.clock.lags(cpu) {
            self.settle_clocks(cpu);
        }
        Settled(cpu)
    }

    #[inline(never)]
    fn settle_clocks(&mut self, cpu: CpuId) {
        for clock in 0..self.clock.clock_count(cpu) {
            if let Some(skipped) = self.clock.bring_up(cpu, clock) {
                self.skip(cpu, skipped);
            }
        }
    }

    /// Applies the skipped ticks of all CPUs if the next hook reads them.
    pub(crate) fn look_around(&mut self, occasion: Occasion) {
        if self.sched.looks_around(occasion) {
            self.settle_all();
        }
    }

    /// Applies the skipped ticks of all CPUs.
    pub(crate) fn settle_all(&mut self) {
        for cpu in 0..self.cpu_count() {
            self.settle(CpuId::new(cpu));
        }
    }

    /// These ticks may have passed long ago, so it does not matter where the kernel acts now.
    fn skip(&mut self, cpu: CpuId, skipped: Skipped) {
        let Skipped { clock, count, last } = skipped;
        self.sched
            .skip_ticks(&mut cx!(self, Context::OUTSIDE), cpu, clock, count, last);
    }

    /// Moves the tick events of a CPU to their present times.
    pub(crate) fn arm_ticks(&mut self, cpu: CpuId) {
        let settled = self.settle(cpu);
        self.arm_settled_ticks(settled);
    }

    pub(crate) fn arm_settled_ticks(&mut self, settled: Settled) {
        let cpu = settled.cpu();
        let (cx, sched) = (cx!(self, Context::OUTSIDE), &self.sched);
        self.clock
            .arm(cpu, self.options.fast_forward, |clock, at, period| {
                sched.quiet_until(&cx, cpu, clock, at, period)
            });
    }

    /// Starts or stops the tick of an idle CPU, as the scheduler asks.
    pub(crate) fn review_idle_tick(&mut self, cpu: CpuId) {
        if self.kernel.curr[cpu.index()].is_none() {
            let ticked = self.clock.ticks(cpu);
            self.set_ticking(cpu, false);
            if self.clock.ticks(cpu) != ticked {
                self.stop_rest(cpu);
                self.rest(cpu, false);
            }
        }
    }

    /// Updates the tick of a CPU that becomes busy or idle: an idle CPU may be tickless.
    pub(crate) fn set_ticking(&mut self, cpu: CpuId, busy: bool) {
        let ticking = busy
            || self.plan.scenario.timing.idle_ticks == IdleTicks::Ticking
            || self.sched.keeps_tick(cpu);
        self.clock.set_ticking(cpu, ticking);
    }

    /// The first tick of a CPU's first clock after `from`, even if the clock is stopped (timer wheel).
    pub(crate) fn next_tick(&self, cpu: CpuId, from: SimTime) -> SimTime {
        self.clock
            .first_grid(cpu)
            .map_or(from, |grid| grid.at_or_after(from))
    }
}
