//! When timed sleeps end, and where (`kern_nanosleep`, `kern_timeout.c`).
//!
//! Up to 9.3 callouts run in the clock's interrupt thread, at ticks of hz. From 10.x on they have their own times and
//! run in the interrupt itself; callouts that may be late are coalesced.

use super::clocks::Rates;
use serde::{Deserialize, Serialize};
use sim_ground::ids::CpuId;
use sim_ground::params::ParamSpec;
use sim_ground::time::{SimSpan, SimTime, TickGrid};

/// How the kernel ends a sleep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SleepRule {
    /// The time at which a sleep ends.
    pub end: SleepEnd,
    /// Whether all callouts belong to the CPU that booted the machine. Otherwise they belong to the CPU on which the
    /// thread slept.
    pub on_boot_cpu: bool,
}

/// When a sleep ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SleepEnd {
    /// At a tick: the length in ticks, rounded up, plus this many further ticks.
    Tick(u64),
    /// At its time, or one tick later if the sleep is long; coalesced with an interrupt of the clocks, at most 1/16 of
    /// the length later.
    Coalesced,
    /// At its time.
    Exact,
}

impl SleepRule {
    /// `kern_time.c`, `kern_timeout.c` @ 7.3.
    pub const V7: Self = Self {
        end: SleepEnd::Tick(1),
        on_boot_cpu: true,
    };

    /// @ 8.0: callouts of each CPU, and a tick more.
    pub const V8: Self = Self {
        end: SleepEnd::Tick(2),
        on_boot_cpu: false,
    };

    /// @ 9.3. Assumed also for the releases between 8.0 and 9.3, and for r251496 (June 2013).
    pub const V9: Self = Self {
        end: SleepEnd::Tick(1),
        on_boot_cpu: false,
    };

    /// @ 10.4.
    pub const V10: Self = Self {
        end: SleepEnd::Coalesced,
        on_boot_cpu: false,
    };

    /// Timers of another system.
    pub const EXACT: Self = Self {
        end: SleepEnd::Exact,
        on_boot_cpu: false,
    };
}

/// Sleeps of at least this many ticks end a tick later from 10.x on: 16 ms where hz is 1000. It is inferred that the
/// code counts in ticks at other rates.
const LONG_TICKS: u64 = 16;
/// From 10.x on, a sleep may end late by this part of its length.
const LATE: u64 = 16;

/// The tunable that chooses when sleeps end.
#[must_use]
pub const fn param() -> ParamSpec {
    ParamSpec::choice("sleepEnd", &["kernel", "firstTick", "exact"], "kernel")
        .label("when timed sleeps end")
        .unit("rule")
        .summary("As this kernel ends them, which is a tick or two late. Or at the first tick at or after their end, as in the comparison runs of the kernels' code. Or exactly.")
        .assumed("kern_nanosleep, callouts; a choice of the simulator")
        .fixed()
}

/// The values of that tunable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SleepChoice {
    /// As the kernel.
    Kernel,
    /// At the first tick at or after the end.
    FirstTick,
    /// Exactly.
    Exact,
}

impl From<i64> for SleepChoice {
    fn from(value: i64) -> Self {
        match value {
            1 => Self::FirstTick,
            2 => Self::Exact,
            _ => Self::Kernel,
        }
    }
}

/// The clocks of a CPU.
#[derive(Clone, Copy, Debug)]
pub struct Clocks {
    /// Ticks of `hardclock`.
    pub hard: TickGrid,
    /// Ticks of `statclock`.
    pub stat: TickGrid,
}

impl Clocks {
    /// The clocks of each CPU, from the engine's grids: both clocks have a grid on every CPU.
    #[must_use]
    pub fn of(grids: &[TickGrid]) -> Vec<Self> {
        let (hard, stat) = grids.split_at(grids.len() / 2);
        let both = hard.iter().zip(stat);
        both.map(|(hard, stat)| Self {
            hard: *hard,
            stat: *stat,
        })
        .collect()
    }

    /// The clocks of a machine that has not started.
    #[must_use]
    pub fn of_rates(rates: Rates, cpus: usize) -> Vec<Self> {
        let clocks = Self {
            hard: TickGrid::new(0, rates.hz),
            stat: TickGrid::new(0, rates.stathz),
        };
        vec![clocks; cpus]
    }
}

impl SleepRule {
    /// The CPU whose callouts end a sleep that begins on a CPU.
    #[must_use]
    pub const fn cpu(&self, slept_on: CpuId) -> CpuId {
        if self.on_boot_cpu { CpuId(0) } else { slept_on }
    }

    /// The time at which a sleep of `ns` that begins now ends. `clocks` belong to the CPU whose callouts end it.
    #[must_use]
    pub fn end(
        &self,
        choice: SleepChoice,
        rates: Rates,
        clocks: Clocks,
        now: SimTime,
        ns: u64,
    ) -> SimTime {
        let end = now + SimSpan(ns);
        match (choice, self.end) {
            (SleepChoice::Exact, _) | (_, SleepEnd::Exact) => end,
            (SleepChoice::FirstTick, _) => clocks.hard.at_or_after(end),
            (SleepChoice::Kernel, SleepEnd::Tick(more)) => {
                let length = ticks_of(rates.hz, ns);
                let tick = rates.time_of(rates.ticks(now) + length + more);
                // The counter goes up first; then the CPU's own interrupt reads it.
                clocks.hard.at_or_after(tick)
            }
            (SleepChoice::Kernel, SleepEnd::Coalesced) => {
                let tick = rates.hz_period();
                let long = ns >= LONG_TICKS * tick;
                let due = end + SimSpan(if long { tick } else { 0 });
                let next = clocks.hard.at_or_after(due);
                let next = next.min(clocks.stat.at_or_after(due));
                next.min(due + SimSpan(ns / LATE))
            }
        }
    }
}

/// A length in ticks, rounded up.
fn ticks_of(hz: u32, ns: u64) -> u64 {
    const SECOND: u64 = 1_000_000_000;
    let (hz, whole, part) = (u64::from(hz), ns / SECOND, ns % SECOND);
    whole.saturating_mul(hz) + (part * hz).div_ceil(SECOND)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATES: Rates = Rates {
        hz: 1_000,
        stathz: 127,
    };

    fn end(rule: SleepRule, choice: SleepChoice, now_us: u64, ns: u64) -> u64 {
        let clocks = Clocks {
            hard: TickGrid::new(0, 1_000),
            stat: TickGrid::new(0, 127),
        };
        rule.end(choice, RATES, clocks, SimTime(now_us * 1_000), ns)
            .0
            / 1_000
    }

    #[test]
    fn sleeps_up_to_9_3_end_at_ticks() {
        let kernel = SleepChoice::Kernel;
        for (rule, more) in [(SleepRule::V7, 1), (SleepRule::V8, 2), (SleepRule::V9, 1)] {
            let ms = |x: u64| (x + more) * 1_000;
            assert_eq!(end(rule, kernel, 300, 5_000_000), ms(5));
            assert_eq!(end(rule, kernel, 300, 5_000_001), ms(6));
            assert_eq!(end(rule, kernel, 2_000, 1), ms(3));
        }
    }

    #[test]
    fn sleeps_from_10_x_on_may_be_a_sixteenth_late() {
        let of = |now_us, ns| end(SleepRule::V10, SleepChoice::Kernel, now_us, ns);
        assert_eq!(of(100, 1_600_000), 1_800, "no interrupt within 0.1 ms");
        assert_eq!(of(100, 8_000_000), 8_600, "none within 0.5 ms");
        assert_eq!(of(100, 14_000_000), 14_975, "none within 0.875 ms");
        assert_eq!(of(100, 15_900_000), 16_000, "at a tick");
        assert_eq!(
            of(100, 16_000_000),
            18_000,
            "a tick more, and the tick after"
        );
        assert_eq!(
            of(100, 7_700_000),
            7_874,
            "at a tick of the statistics clock"
        );
    }

    #[test]
    fn the_comparison_runs_ended_sleeps_at_the_first_tick() {
        let first = |ns| end(SleepRule::V9, SleepChoice::FirstTick, 300, ns);
        assert_eq!((first(700_000), first(700_001)), (1_000, 2_000));
        assert_eq!(
            end(SleepRule::V10, SleepChoice::Exact, 300, 5_000_000),
            5_300
        );
        assert_eq!(end(SleepRule::EXACT, SleepChoice::Kernel, 300, 5_000), 305);
    }
}
