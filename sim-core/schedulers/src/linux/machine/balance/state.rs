//! The state of balancing: for each CPU, for each last-level cache, and for the machine.

use crate::linux::shown::Counters;
use crate::linux::stopper::StopWork;
use serde::{Deserialize, Serialize};
use sim_ground::ids::{CpuId, CpuMask};
use sim_machine::views::linux::{Domain, Domains};

sim_ground::constants! {
    /// Cost charged to each attempt of a CPU that becomes idle, because balancing takes no time here.
    pub(crate) NEWIDLE_COST: u64 = 2_000, "ns", Assumed,
        "the kernel measures it; a small constant as in the runs of its own code that the facts come from";
}

/// A time in ns shifted by so many bits is added to the ratio.
const RATE_SHIFT: u32 = 22;

/// How often a CPU that becomes idle found a task at a level (`newidle_call` and others).
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct NewidleStats {
    /// Number of attempts since the last halving.
    pub(crate) calls: u32,
    /// Number of attempts that found a task, each weighted for the attempts that the random draw skipped.
    pub(crate) successes: u32,
    /// Number of successful attempts in 1024; the random draw is compared with it.
    pub(crate) ratio: u32,
    /// Largest cost of an attempt, in ns; it decays by about 1 % a second.
    pub(crate) max_cost: u64,
    /// Jiffy of the last decay.
    pub(crate) decayed_at: u64,
}

/// Interval and failures of a domain on a CPU.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct DomainState {
    /// Jiffy of the last balancing.
    pub(crate) last_balance: u64,
    /// Interval now, in ms.
    pub(crate) interval: u64,
    /// Number of attempts that moved nothing although they should have.
    pub(crate) nr_balance_failed: u32,
    /// Statistics of new-idle balancing.
    pub(crate) newidle: NewidleStats,
}

/// The state of a CPU for placing and balancing (`struct rq`).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct CpuSide {
    /// Jiffy of the next balancing.
    pub(crate) next_balance: u64,
    /// The time at which it became idle; 0 if that does not count.
    pub(crate) idle_stamp: u64,
    /// Average idle time in ns, moved an eighth of the way to each new value.
    pub(crate) avg_idle: u64,
    /// Largest cost of new-idle balancing at any level, at least `sched_migration_cost`, in ns.
    pub(crate) max_idle_balance_cost: u64,
    /// One for each level of its domains, innermost first.
    pub(crate) domains: Vec<DomainState>,
    /// What its stopper must do; a push names the target CPU.
    pub(crate) stop: Vec<StopWork<CpuId>>,
    /// Whether its stopper is asked to push a task.
    pub(crate) active_balance: bool,
    /// `None` if it was not kicked; otherwise whether it must balance for idle CPUs and not only update averages
    /// (`nohz_flags`).
    pub(crate) nohz_kick: Option<bool>,
    /// Jiffy in which the load of sleeping tasks was last updated in its averages (`last_blocked_load_update_tick`).
    pub(crate) blocked_at: u64,
}

/// The state that the CPUs of a last-level cache share (`sched_domain_shared`).
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Cache {
    /// Whether some core may be completely idle.
    pub(crate) has_idle_cores: bool,
    /// Number of CPUs that a search examines.
    pub(crate) nr_idle_scan: u64,
}

/// Idle CPUs without ticks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Nohz {
    pub(crate) idle: CpuMask,
    /// Jiffy of the next balancing for them.
    pub(crate) next_balance: u64,
    /// Whether averages of some of them still contain load of sleeping tasks.
    pub(crate) has_blocked: bool,
    /// Jiffy after which these averages are updated.
    pub(crate) next_blocked: u64,
}

/// The state of the machine (`root_domain`, `nohz`).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct MachineSide {
    pub(crate) nohz: Nohz,
    /// Whether some CPU has two tasks or more (`rd->overloaded`).
    pub(crate) overloaded: bool,
    /// Groups in which pinned tasks prevented balancing (`sgc->imbalance`).
    pub(crate) imbalanced: Vec<bool>,
    /// By the lowest CPU of each last-level cache.
    pub(crate) caches: Vec<Cache>,
    pub(crate) counters: Counters,
}

impl CpuSide {
    /// The state before the run. Its idle time before the run counts, as for all CPUs.
    pub(crate) fn new(migration_cost: u64) -> Self {
        Self {
            next_balance: 0,
            idle_stamp: 1,
            avg_idle: 2 * migration_cost,
            max_idle_balance_cost: migration_cost,
            domains: Vec::new(),
            stop: Vec::new(),
            active_balance: false,
            nohz_kick: None,
            blocked_at: 0,
        }
    }

    /// Ends the idle time when a task wakes there (`ttwu_do_activate`).
    pub(crate) fn end_idleness(&mut self, now: u64) {
        if self.idle_stamp == 0 {
            return;
        }
        // At time 0 the stamp is 1, because 0 means that there is none.
        let span = now.saturating_sub(self.idle_stamp);
        let average = crate::linux::wakees::average(self.avg_idle, span);
        self.avg_idle = average.min(2 * self.max_idle_balance_cost);
        self.idle_stamp = 0;
    }
}

/// The state of the domains of a CPU before the run.
pub(crate) fn domain_states(domains: &[Domain]) -> Vec<DomainState> {
    let state = |d: &Domain| DomainState {
        last_balance: 0,
        interval: d.start_interval,
        nr_balance_failed: 0,
        newidle: NewidleStats::NEW,
    };
    domains.iter().map(state).collect()
}

impl MachineSide {
    /// The state before the domains are known.
    pub(crate) fn new(cpus: usize) -> Self {
        Self {
            nohz: Nohz {
                idle: CpuMask::EMPTY,
                next_balance: 0,
                has_blocked: false,
                next_blocked: 0,
            },
            overloaded: false,
            imbalanced: Vec::new(),
            caches: vec![Cache::default(); cpus],
            counters: Counters::default(),
        }
    }

    /// Adds the domains of a machine that has been running: caches have been searched, cores are idle.
    pub(crate) fn build(&mut self, topo: &Domains) {
        self.imbalanced = vec![false; topo.groups.len()];
        for (cache, llc) in self.caches.iter_mut().zip(&topo.llc) {
            *cache = Cache {
                has_idle_cores: true,
                nr_idle_scan: u64::from(llc.count()),
            };
        }
    }
}

impl NewidleStats {
    /// The initial state in `sd_init`: half of the attempts found a task.
    pub(crate) const NEW: Self = Self {
        calls: 512,
        successes: 256,
        ratio: 512,
        max_cost: 0,
        decayed_at: 0,
    };

    /// Counts an attempt (`update_newidle_stats`). Returns whether the ratio is new.
    pub(crate) fn count(&mut self, successes: u32) -> bool {
        self.calls += 1;
        self.successes += successes;
        let is_due = self.calls >= 1_024;
        if is_due {
            self.ratio = self.successes;
            self.calls /= 2;
            self.successes /= 2;
        }
        is_due
    }

    /// Since 7.1: the rarer the attempts, the larger the ratio; it grows by the time since it was last computed
    /// (`NI_RATE`).
    pub(crate) fn add_time(&mut self, since: u64) {
        let more = u32::try_from(since >> RATE_SHIFT).unwrap_or(u32::MAX);
        self.ratio = self.ratio.saturating_add(more).min(1_024);
    }

    /// The weight of a successful attempt after the random draw: it stands for the attempts that were skipped.
    pub(crate) fn weight(&self) -> u32 {
        let rolled = 1 + self.ratio;
        (1_024 + rolled / 2) / rolled
    }

    /// Records the cost of an attempt (`update_newidle_cost`). Returns whether the largest cost decayed.
    pub(crate) fn cost(&mut self, cost: u64, jiffies: u64, hz: u64) -> bool {
        if cost > self.max_cost {
            self.max_cost = cost;
            self.decayed_at = jiffies;
        } else if jiffies > self.decayed_at + hz {
            self.max_cost = self.max_cost * 253 / 256;
            self.decayed_at = jiffies;
            return true;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dice_learn_from_a_thousand_attempts() {
        let mut stats = NewidleStats::NEW;
        assert_eq!(stats.weight(), 2, "half of the attempts are left out");
        for _ in 0..511 {
            stats.count(0);
        }
        assert_eq!((stats.calls, stats.ratio), (1_023, 512));
        stats.count(0);
        assert_eq!((stats.calls, stats.successes, stats.ratio), (512, 128, 256));
        stats.ratio = 0;
        assert_eq!(stats.weight(), 1_024);
        stats.ratio = 1_024;
        assert_eq!(stats.weight(), 1);
    }

    /// `update_newidle_stats` (`NI_RATE`) @ 7.3, fact 34.
    #[test]
    fn rare_attempts_are_not_left_to_dice() {
        for (seconds, ratio) in [(1, 338), (5, 1_024)] {
            let mut stats = NewidleStats::NEW;
            stats.successes = 100;
            assert!(!(0..511).any(|_| stats.count(0)));
            assert!(stats.count(0));
            stats.add_time(seconds * 1_000_000_000);
            assert_eq!(stats.ratio, ratio, "after {seconds} s");
        }
    }

    #[test]
    fn what_an_attempt_cost_decays_once_a_second() {
        let mut stats = NewidleStats::NEW;
        assert!(!stats.cost(2_560, 10, 250));
        assert!(
            !stats.cost(2_000, 260, 250),
            "not before a second has passed"
        );
        assert!(stats.cost(0, 261, 250));
        assert_eq!(stats.max_cost, 2_530);
    }

    #[test]
    fn idleness_is_averaged_and_capped() {
        let mut side = CpuSide::new(500_000);
        side.idle_stamp = 1_000_000;
        side.avg_idle = 800_000;
        side.end_idleness(1_000_000);
        assert_eq!((side.avg_idle, side.idle_stamp), (700_000, 0));
        side.idle_stamp = 1;
        side.end_idleness(1_000_000_000);
        assert_eq!(side.avg_idle, 1_000_000);
    }
}
