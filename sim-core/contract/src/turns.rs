//! The order within an instant at which several CPUs tick.

use sim_ground::ids::CpuId;
use sim_ground::rng::Rng;
use sim_ground::time::SimTime;

/// CPUs tick in turns: a CPU takes its tick and everything that follows from it at the same instant, then comes the
/// next CPU. Without turns all ticks of an instant come first, ascending by CPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TickTurns {
    /// 0: ascending by CPU. Any other value: each instant has its own random order, from a stream of this seed and that
    /// instant.
    pub seed: u64,
}

impl TickTurns {
    /// The place of a CPU in the order of an instant; the smallest comes first. Less than 2^48; no two are equal.
    #[must_use]
    #[inline]
    pub fn place(self, at: SimTime, cpu: CpuId) -> u64 {
        if self.seed == 0 {
            u64::from(cpu.0)
        } else {
            self.drawn(at, cpu)
        }
    }

    // Not inlined: loops over clocks would begin to compute it for ticks that they then do not schedule.
    #[inline(never)]
    fn drawn(self, at: SimTime, cpu: CpuId) -> u64 {
        // Each place depends only on seed, instant and CPU: skipped ticks draw no random number.
        let instant = Rng::stream(self.seed, "tick order", at.0);
        let mut own = instant.fork(u64::from(cpu.0));
        u64::from(own.next_u32()) << 16 | u64::from(cpu.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_ascending_or_drawn_for_each_instant() {
        let order = |seed: u64, at: u64| {
            let mut cpus: Vec<CpuId> = (0..6).map(CpuId).collect();
            cpus.sort_by_key(|c| TickTurns { seed }.place(SimTime(at), *c));
            cpus.iter().map(|c| c.0).collect::<Vec<_>>()
        };
        assert_eq!(order(0, 5), [0, 1, 2, 3, 4, 5]);
        assert_eq!(order(7, 5), order(7, 5));
        let drawn: std::collections::BTreeSet<_> = (0..2_000).map(|at| order(7, at)).collect();
        assert!(drawn.len() > 600, "{} of 720 orders", drawn.len());
        let first = (0..6_000).filter(|at| order(7, *at)[0] == 0).count();
        assert!((900..1_100).contains(&first), "{first} times of 6000");
    }
}
