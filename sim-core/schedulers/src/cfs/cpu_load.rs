//! `cpu_load[]`: moving averages of a CPU's load over 2, 4, 8 and 16 ticks, in the units of weights.
//!
//! | item | kernel function |
//! |---|---|
//! | `count_ticks` | `update_cpu_load` @ 2.6.34, `cpu_load_update_active` @ 4.9 |
//! | `stop_load` | `cpu_load_update_nohz_start` @ 4.9 |
//! | `restart_load` | `cpu_load_update_nohz_stop` @ 4.9 |
//! | `update_idle_load` | `cpu_load_update_idle` @ 4.9 |
//! | [`step`] | `cpu_load_update` |
//! | [`decay`] | `decay_load_missed` @ 4.9 |
//!
//! A stopped tick leaves the averages unchanged. 2.6.34 never applies the missed ticks. 4.9 applies them when the CPU
//! gets work, and when another CPU balances for it.

use super::Cfs;
use crate::linux::pelt::{Follower, QueueSums, Sum};
use sim_ground::ids::CpuId;

/// Ticks without load after which average i is 0 (`degrade_zero_ticks`).
const GONE_AFTER: [u64; 5] = [0, 8, 32, 64, 128];

/// `(1 - 2^-i)^(2^j)` in 128ths, rounded down (`degrade_factor`).
const FACTORS: [[u64; 8]; 5] = {
    let mut table = [[0; 8]; 5];
    let mut i = 1;
    while i < 5 {
        // The exact power in units of 2^-32; seven squarings lose less than a 128th.
        let mut power: u64 = (1 << 32) - (1 << (32 - i));
        let mut j = 0;
        while j < 8 {
            table[i][j] = power >> 25;
            power = (power * power) >> 32;
            j += 1;
        }
        i += 1;
    }
    table
};

/// Average i of a load after n ticks without load.
fn decay(load: u64, n: u64, i: usize) -> u64 {
    if n == 0 {
        return load;
    }
    if n >= GONE_AFTER[i] {
        return 0;
    }
    if i == 1 {
        return load >> n;
    }
    let bits = (0..8_usize).filter(|j| n >> j & 1 == 1);
    bits.fold(load, |load, j| (load * FACTORS[i][j]) >> 7)
}

/// Average i one tick later.
#[inline]
fn step(old: u64, load: u64, i: usize) -> u64 {
    let keep = (1 << i) - 1;
    let new = if load > old { load + keep } else { load };
    (old * keep + new) >> i
}

/// Applies a tick with a load.
#[inline]
fn count_tick(averages: &mut [u64; 5], load: u64) {
    let [_, a, b, c, d] = *averages;
    *averages = [
        load,
        step(a, load, 1),
        step(b, load, 2),
        step(c, load, 3),
        step(d, load, 4),
    ];
}

/// The averages of a CPU at ticks in a row.
pub(super) struct CpuLoad<'a> {
    pub(super) averages: &'a mut [u64; 5],
    /// The load at the latest tick.
    pub(super) load: u64,
}

impl Follower for CpuLoad<'_> {
    #[inline]
    fn follows(sums: &QueueSums) -> Sum {
        sums.runnable
    }

    #[inline]
    fn ticks(&mut self, average: Option<u64>, n: u64) {
        self.load = average.unwrap_or(self.load);
        for _ in 0..n {
            if self.averages.iter().all(|a| *a == self.load) {
                return;
            }
            count_tick(self.averages, self.load);
        }
    }

    #[inline]
    fn stays(&mut self, first: u64, last: u64) -> bool {
        let same = first == last && self.averages.iter().all(|a| *a == first);
        if same {
            self.load = last;
        }
        same
    }
}

impl Cfs {
    /// Applies n ticks with the present load.
    pub(super) fn count_ticks(&mut self, cpu: CpuId, n: u64) {
        if self.is_shared() {
            return;
        }
        let load = self.weighted_load(cpu);
        let averages = &mut self.st.rq_mut(cpu).cpu_load;
        for _ in 0..n {
            let before = *averages;
            count_tick(averages, load);
            if *averages == before {
                return;
            }
        }
    }

    /// The CPU stops its tick: the remaining load counts until the tick starts again.
    pub(super) fn stop_load(&mut self, cpu: CpuId) {
        if self.tracks() && !self.ticks.of_idle() {
            self.st.rq_mut(cpu).cpu_load[0] = self.weighted_load(cpu);
        }
    }

    /// The CPU starts its tick. The task that it is to run is already counted.
    pub(super) fn restart_load(&mut self, cpu: CpuId, now: u64) {
        if self.has_ticks(cpu) {
            return;
        }
        if self.tracks() {
            self.count_missed_ticks(cpu, now, self.weighted_load(cpu));
        }
        self.st.rq_mut(cpu).clock.set(now);
    }

    /// Another CPU balances for a CPU whose tick is stopped; a CPU with remaining load is skipped.
    pub(super) fn update_idle_load(&mut self, cpu: CpuId, now: u64) {
        if !self.has_ticks(cpu) && self.weighted_load(cpu) == 0 {
            self.count_missed_ticks(cpu, now, 0);
        }
    }

    /// `cpu_load_update_nohz`: all ticks since the last update except the last one had the load of the stop; the last
    /// one has this load.
    fn count_missed_ticks(&mut self, cpu: CpuId, now: u64, load: u64) {
        let jiffies = self.st.tun.jiffies(now);
        let rq = self.st.rq_mut(cpu);
        // Jiffies do not go back.
        let missed = jiffies.saturating_sub(rq.load_jiffy);
        if missed == 0 {
            return;
        }
        rq.load_jiffy = jiffies;
        rq.cpu_load = after_missed_ticks(rq.cpu_load, missed, load);
    }
}

/// The averages after `missed` ticks have been applied.
fn after_missed_ticks(old: [u64; 5], missed: u64, load: u64) -> [u64; 5] {
    let stopped = old[0];
    let mut new = [load; 5];
    for i in 1..new.len() {
        let rest = decay(old[i], missed - 1, i) + stopped - decay(stopped, missed - 1, i);
        new[i] = step(rest, load, i);
    }
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_that_of_seven_bits() {
        assert_eq!(FACTORS[2], [96, 72, 40, 12, 1, 0, 0, 0]);
        assert_eq!(FACTORS[3], [112, 98, 75, 43, 15, 1, 0, 0]);
        assert_eq!(FACTORS[4], [120, 112, 98, 76, 45, 16, 2, 0]);
    }

    #[test]
    fn ticks_with_the_load_of_all_averages_change_nothing() {
        for load in 0..5_000 {
            let mut averages = [load; 5];
            let mut cpu = CpuLoad {
                averages: &mut averages,
                load: load + 1,
            };
            assert!(!cpu.stays(load, load + 1));
            assert!(cpu.stays(load, load));
            cpu.ticks(None, 1);
            assert_eq!(averages, [load; 5]);
        }
    }

    /// C2 of the corrections to the CFS specification (calculated from the rules of 4.9).
    #[test]
    fn a_cpu_that_wakes_after_five_ticks_without_load() {
        let old = |rest| [rest, 1_024, 1_024, 1_024, 1_024];
        assert_eq!(
            after_missed_ticks(old(0), 5, 1_002),
            [1_002, 533, 491, 651, 798]
        );
        assert_eq!(
            after_missed_ticks(old(11), 5, 1_002),
            [1_002, 539, 497, 655, 801]
        );
    }

    /// C3 of the corrections to the CFS specification (calculated from the rules of 4.9).
    #[test]
    fn somebody_balances_for_a_cpu_after_forty_ticks_without_load() {
        let old = [0, 1_024, 1_024, 1_024, 1_024];
        assert_eq!(after_missed_ticks(old, 40, 0), [0, 0, 0, 2, 75]);
    }
}
