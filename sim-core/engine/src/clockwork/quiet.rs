//! Quiet ticks that ask for a reschedule: they become real events if anything else happens at their instant, because it
//! may come between the tick and the reschedule.

use super::Clockwork;
use super::queue::Event;
use sim_ground::ids::{CpuId, CpuMask};
use sim_ground::time::SimTime;

/// The latest check: CPUs whose ticks are quiet reschedules, and a time before which none of their clocks ticks. Until one
/// of their clocks starts, their next ticks can only become later.
#[derive(Clone, Copy, Debug)]
pub(super) struct QuietCpus {
    cpus: CpuMask,
    before: SimTime,
}

impl Default for QuietCpus {
    /// Nothing is known.
    fn default() -> Self {
        Self {
            cpus: CpuMask::EMPTY,
            before: SimTime::ZERO,
        }
    }
}

impl QuietCpus {
    #[inline]
    pub(super) fn covers(&self, cpus: &CpuMask, at: SimTime, count: usize) -> bool {
        at < self.before && self.cpus.is_same_among(cpus, count)
    }
}

impl Clockwork {
    /// Makes the ticks of these CPUs at an instant real events, or notes until when none of them ticks.
    #[inline(never)]
    pub(super) fn look_for_ticks(&mut self, cpus: CpuMask, at: SimTime) {
        let mut before = SimTime::NEVER;
        for cpu in cpus.among(self.clocks.len()) {
            let ticking = self.clocks[cpu.index()].iter().filter(|c| c.ticking);
            before = ticking.map(|c| c.next).fold(before, SimTime::min);
            if before <= at {
                self.bring_in_ticks(&cpus, at);
                return;
            }
        }
        self.quiet = QuietCpus { cpus, before };
    }

    fn bring_in_ticks(&mut self, cpus: &CpuMask, at: SimTime) {
        // An edit comes last at its instant: quiet ticks have happened and are applied by arithmetic, as before a live
        // edit.
        if self.queue.first() == Some((at, Event::Edit)) {
            return;
        }
        for cpu in cpus.iter() {
            self.bring_in_ticks_of(cpu, at);
        }
    }

    fn bring_in_ticks_of(&mut self, cpu: CpuId, at: SimTime) {
        for (c, clock) in self.clocks[cpu.index()].iter().zip(0..) {
            let is_tick = c.next == at || (c.next < at && c.grid.last(at) == Some(at));
            if c.ticking && is_tick {
                self.queue.schedule_tick(clock, cpu, at, self.turns);
            }
        }
    }
}
