//! hz and stathz (`subr_param.c`, `kern_clock.c`, the timers of each era), and `ticks`.
//!
//! At an interrupt `ticks` goes up first; then the statistics clock calls `sched_clock`. Here `ticks` is a function of
//! time: all CPUs read the same counter, which the boot CPU drives.

use sim_contract::flags::{ClockId, ClockSpec};
use sim_contract::idle::BusyRule;
use sim_ground::time::{SimTime, ticks_until, time_of_tick};

/// Fixed point of ULE's tick counts: values are scaled by 2^10 (`SCHED_TICK_SHIFT`).
pub const TICK_SHIFT: u32 = 10;

/// The statistics clock among the clocks of a CPU.
const STAT_CLOCK: ClockId = 1;

/// Nanoseconds of a second.
const SECOND: u64 = 1_000_000_000;

/// Interrupts per second and CPU of the local APIC that drives both clocks (`local_apic.c` @ 7.x, 8.0).
#[must_use]
pub const fn timer_lapic(hz: u32) -> u32 {
    if hz >= 1_500 {
        hz
    } else if hz >= 750 {
        2 * hz
    } else {
        4 * hz
    }
}

/// Rate of the statistics clock when the local APIC drives both clocks (`local_apic.c` @ 7.x, 8.0):
/// 133 at hz = 1000 and at 100.
#[must_use]
pub const fn stathz_lapic(hz: u32) -> u32 {
    let base = timer_lapic(hz);
    if base < 128 {
        return base;
    }
    base / (base / 128)
}

/// Rate of the statistics clock of one-shot event timers, the default from late 2010 on
/// (`kern_clocksource.c` @ 9.3, 10.4).
pub const STATHZ_ONESHOT: u32 = 127;

/// Rate of the statistics clock when event timers are periodic (`kern_clocksource.c`).
#[must_use]
pub const fn stathz_periodic(hz: u32) -> u32 {
    let multiple = if hz >= 1_500 || hz.is_multiple_of(128) {
        1
    } else if hz >= 750 {
        2
    } else {
        4
    };
    let base = multiple * hz;
    if base <= 128 {
        return base;
    }
    let mut divisor = base / 128;
    if divisor >= multiple && divisor.is_multiple_of(multiple) {
        divisor += 1;
    }
    base / divisor
}

/// ULE's charge for a tick of the statistics clock, in ticks of hz scaled by 2^10 (`sched_initticks`).
#[must_use]
pub const fn tickincr(hz: u32, stathz: u32) -> u64 {
    let incr = ((hz as u64) << TICK_SHIFT) / stathz as u64;
    if incr == 0 { 1 } else { incr }
}

/// The two rates of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rates {
    /// `ticks` per second.
    pub hz: u32,
    /// Ticks of the statistics clock per second and CPU.
    pub stathz: u32,
}

impl Rates {
    /// A tick of hz as a length, in whole ns: for display, not for computing ticks.
    #[must_use]
    pub const fn hz_period(&self) -> u64 {
        SECOND / self.hz as u64
    }

    /// A tick of the statistics clock as a length, in whole ns: for display, not for computing ticks.
    #[must_use]
    pub const fn stat_period(&self) -> u64 {
        SECOND / self.stathz as u64
    }

    /// The global variable `ticks` at a time. At a tick it already has the new value.
    #[must_use]
    pub fn ticks(&self, now: SimTime) -> u64 {
        ticks_until(self.hz, now)
    }

    /// The time at which `ticks` reaches a value.
    #[must_use]
    pub fn time_of(&self, ticks: u64) -> SimTime {
        time_of_tick(self.hz, ticks)
    }

    /// How an idle CPU is found to be busy under ULE: 4 switches count for more than `idlespinthresh` within two periods of
    /// the statistics clock (`sched_idletd`, `sched_ule.c` @ 10.4).
    #[must_use]
    pub fn busy_by_switches(&self) -> BusyRule {
        let threshold = 2 * self.hz.saturating_mul(6).max(10_000) / self.stathz.max(1);
        BusyRule {
            above: threshold / 4,
            clock: STAT_CLOCK,
            switches: true,
        }
    }

    /// The same under 4BSD: it has been idle more than 64 times (`sched_idletd`, `sched_4bsd.c` @ 10.4).
    #[must_use]
    pub const fn busy_by_idle_calls(&self) -> BusyRule {
        BusyRule {
            above: 64,
            clock: STAT_CLOCK,
            switches: false,
        }
    }

    /// Both clocks of a CPU: `hardclock`, `statclock`.
    #[must_use]
    pub fn clocks(&self, drive: Drive) -> Vec<ClockSpec> {
        let (timer_hz, in_step) = match drive {
            // The statistics clock cannot tick more often than its timer.
            Drive::Lapic if self.stathz > timer_lapic(self.hz) => (0, false),
            Drive::Lapic => (timer_lapic(self.hz), false),
            Drive::EventTimers => (0, true),
            Drive::Other => (0, false),
        };
        [("hardclock", self.hz), ("statclock", self.stathz)]
            .map(|(name, hz)| ClockSpec {
                name,
                hz,
                timer_hz,
                in_step,
                ..ClockSpec::default()
            })
            .to_vec()
    }
}

/// What drives the clocks of a CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drive {
    /// The timer of its local APIC, at a multiple of hz: each clock ticks at the interrupt at which its fraction of a
    /// second is reached, `hardclock` first (`lapic_handle_timer`, `local_apic.c` @ 7.3, 8.0).
    Lapic,
    /// Event timers, programmed for each tick and started on all CPUs at one instant (`configtimer`,
    /// `kern_clocksource.c` @ 9.3). The kernel counts in fractions of 2^-64 s, from 10.x on of 2^-32 s.
    EventTimers,
    /// The clocks of another system.
    Other,
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_ground::time::TickGrid;

    #[test]
    fn the_statistics_clock_has_the_rates_of_the_kernels() {
        assert_eq!(
            [100, 1_000, 2_000].map(stathz_lapic),
            [133, 133, 133],
            "local APIC"
        );
        assert_eq!(stathz_periodic(1_000), 133);
        assert_eq!(stathz_periodic(128), 128);
        assert_eq!(stathz_lapic(10), 40, "too slow to be divided");
    }

    #[test]
    fn a_tick_of_the_statistics_clock_is_charged_in_ticks_of_hz() {
        assert_eq!(tickincr(1_000, 127), 8_062);
        assert_eq!(tickincr(1_000, 133), 7_699);
        assert_eq!(tickincr(100, 127), 806);
        assert_eq!(tickincr(1, 2_048), 1);
    }

    #[test]
    fn ticks_go_up_at_the_tick() {
        let rates = Rates {
            hz: 1_000,
            stathz: 127,
        };
        assert_eq!(rates.ticks(SimTime(999_999)), 0);
        assert_eq!(rates.ticks(SimTime(1_000_000)), 1);
    }

    #[test]
    fn the_local_apic_drives_the_statistics_clock_by_whole_interrupts() {
        let rates = Rates {
            hz: 1_000,
            stathz: 133,
        };
        let [_, stat] = rates.clocks(Drive::Lapic)[..] else {
            panic!("two clocks");
        };
        let grid = TickGrid::counted(0, stat.hz, stat.timer_hz);
        let mut at = SimTime::ZERO;
        let ticks: Vec<u64> = (0..4)
            .map(|_| {
                at = grid.after(at);
                at.0 / 100_000
            })
            .collect();
        assert_eq!(ticks, [80, 155, 230, 305], "tenths of a ms");
    }
}
