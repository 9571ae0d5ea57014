//! Signals to CPUs, and the time an idle CPU needs to serve them.
//!
//! An idle CPU needs its idle-exit delay before it takes a signal of another CPU or serves its own timers. Whether the
//! delay also applies to device interrupts is a switch of the scenario (`timing.idleExitDelays`). It never applies to
//! ticks and to timers of schedulers.

use super::Sim;
use super::events::Event;
use sim_config::IdleExitDelays;
use sim_ground::ids::CpuId;
use sim_ground::time::{SimSpan, SimTime};

impl Sim {
    /// How long a signal to a CPU takes.
    pub(super) fn signal_delay(&self, cpu: CpuId) -> u64 {
        if self.st.curr[cpu.index()].is_some() {
            return self.plan.delays.kick_ns;
        }
        let delay = self.idle_exit_delay(cpu);
        let on_its_way = self.awake_at(cpu).map(|at| at.since(self.st.now).0);
        on_its_way.map_or(delay, |left| left.min(delay))
    }

    /// The time at which a CPU can serve interrupts, if it is leaving idleness for one or has left it at this instant.
    fn awake_at(&self, cpu: CpuId) -> Option<SimTime> {
        let at = self.st.cpus[cpu.index()].awake_at;
        (at >= self.st.now && at > SimTime::ZERO).then_some(at)
    }

    fn idle_exit_delay(&self, cpu: CpuId) -> u64 {
        let siblings = self.plan.machine.sibling_list(cpu);
        if siblings.iter().any(|s| self.st.curr[s.index()].is_some()) {
            self.plan.delays.idle_exit_ns
        } else {
            self.plan.delays.idle_exit_deep_ns
        }
    }

    /// A timer of a CPU expires, or an interrupt comes. If the CPU is idle and cannot serve it now: the time at which
    /// it can.
    pub(super) fn leave_idleness(&mut self, cpu: CpuId, timer: bool) -> Option<SimTime> {
        let delayed = timer || self.plan.scenario.timing.idle_exit_delays == IdleExitDelays::All;
        if !delayed || self.st.curr[cpu.index()].is_some() {
            return None;
        }
        let now = self.st.now;
        let at = self.awake_at(cpu).unwrap_or_else(|| {
            let alone = now + SimSpan(self.idle_exit_delay(cpu));
            // Another CPU may have signalled it before.
            let signal = self.st.queue.due(Event::Resched(cpu));
            signal.map_or(alone, |s| s.min(alone))
        });
        self.st.cpus[cpu.index()].awake_at = at;
        (at > now).then_some(at)
    }
}
