//! Idle CPUs: what the hardware must know of tasks and scheduler when a CPU rests, and when it is woken.

use crate::clockwork::Event;
use crate::{Sim, around};
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::time::SimTime;

/// When the timer of a CPU that is to wake a task ends.
macro_rules! timers_of {
    ($sim:ident, $cpu:ident) => {{
        let (kernel, clock) = (&$sim.kernel, &$sim.clock);
        move |task| {
            let at = clock.due(Event::Wake(task));
            at.filter(|_| kernel.timer_cpu(task) == Some($cpu))
        }
    }};
}

impl Sim {
    /// How long a signal to a CPU takes. The CPU begins to leave its idle state.
    pub(crate) fn signal_delay(&mut self, cpu: CpuId) -> u64 {
        self.hardware.signal_delay(&around!(self), &self.clock, cpu)
    }

    /// A timer of a CPU expires, or an interrupt comes. If the CPU is idle and cannot serve it now: the time at which
    /// it can.
    pub(crate) fn leave_idleness(&mut self, cpu: CpuId, timer: bool) -> Option<SimTime> {
        self.hardware
            .leave_idleness(&around!(self), &self.clock, cpu, timer)
    }

    /// An idle CPU does something at once: an interrupt that is not delayed, a tick, a timer of the scheduler.
    pub(crate) fn stop_rest(&mut self, cpu: CpuId) {
        self.hardware.stop_rest(&around!(self), &self.clock, cpu);
    }

    /// A CPU has nothing to do: it chooses a state. `begins`: it was busy before.
    pub(crate) fn rest(&mut self, cpu: CpuId, begins: bool) {
        let load = || self.sched.idle_load(cpu);
        let timers = timers_of!(self, cpu);
        self.hardware.rest(&self.clock, cpu, begins, timers, load);
    }

    /// A CPU has served an interrupt. If it is idle and nobody has signalled it, it chooses a state again.
    pub(crate) fn rest_again(&mut self, cpu: CpuId) {
        let idle = !self.kernel.is_busy(cpu) && !self.kernel.is_flagged(cpu);
        if idle && self.hardware.may_rest_again(cpu) {
            self.rest(cpu, false);
        }
    }

    /// A task was woken before its time by another. An idle CPU that chooses again sees its other timers.
    pub(crate) fn timer_cancelled(&mut self, cpu: CpuId) {
        let timers = timers_of!(self, cpu);
        self.hardware.timer_cancelled(&self.clock, cpu, timers);
    }

    /// Finds all timers again after a jump.
    pub(crate) fn find_timers(&mut self) {
        let tasks = (0..self.kernel.tasks.len()).map(TaskId::new);
        let kernel = &self.kernel;
        let sleeping = tasks.filter_map(|t| Some((t, kernel.timer_cpu(t)?)));
        self.hardware.find_timers(&self.clock, sleeping);
    }
}
