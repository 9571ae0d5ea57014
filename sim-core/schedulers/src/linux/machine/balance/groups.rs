//! Statistics of the groups of a domain, their types, and which of the other groups is the busiest.
//!
//! | item | kernel function @ 6.12 |
//! |---|---|
//! | [`Kind`] | `enum group_type` |
//! | [`Stats::classify`] | `group_classify`, `group_is_overloaded`, `group_has_capacity`, `smt_balance` |
//! | [`Stats::is_busier`] | `update_sd_pick_busiest` |
//!
//! Omitted: `group_asym_packing`, and `group_misfit_task` of CPUs whose capacity other work takes.

use sim_machine::views::linux::FULL_POWER;

/// Types of groups, in ascending order of preference for taking tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Room for more tasks.
    #[default]
    HasSpare,
    /// All capacity is used, and no task waits for long.
    FullyBusy,
    /// One of its tasks does not fit the CPU on which it runs.
    Misfit,
    /// A core whose threads run several tasks, seen by an idle CPU.
    SmtBalance,
    /// Pinned tasks prevented balancing at a lower level.
    Imbalanced,
    /// Some of its tasks prefer the cache of the CPU that pulls, and should go there (since 7.2).
    Gathers,
    /// More tasks than CPUs, and no room.
    Overloaded,
}

impl Kind {
    /// Its number for people. The youngest types have the last ones, so that the others keep theirs.
    pub(crate) fn number(self) -> i64 {
        match self {
            Self::HasSpare => 0,
            Self::FullyBusy => 1,
            Self::SmtBalance => 2,
            Self::Imbalanced => 3,
            Self::Overloaded => 4,
            Self::Gathers => 5,
            Self::Misfit => 6,
        }
    }
}

/// A group (`struct sg_lb_stats`).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stats {
    /// Sum of the loads of its CPUs.
    pub(crate) load: u64,
    /// Sum of their utilisations.
    pub(crate) util: u64,
    /// Sum of their runnable averages.
    pub(crate) runnable: u64,
    /// Fair tasks, delayed ones included; since 6.14 without them.
    pub(crate) tasks: u64,
    /// Tasks of all classes.
    pub(crate) nr: u64,
    /// Number of idle CPUs.
    pub(crate) idle: u64,
    pub(crate) capacity: u64,
    pub(crate) cpus: u64,
    pub(crate) cores: u64,
    /// Number of its tasks that prefer the cache of the CPU that pulls, and whether one of them should go there.
    pub(crate) gatherers: u64,
    pub(crate) gathers: bool,
    /// Load of its largest task that does not fit its CPU; 0 if all do.
    pub(crate) misfit: u64,
    /// The largest capacity of its CPUs.
    pub(crate) largest: u64,
    /// Whether it is the threads of one core.
    pub(crate) is_core: bool,
    pub(crate) kind: Kind,
    /// Load over capacity, where it is needed.
    pub(crate) avg_load: u64,
}

impl Stats {
    fn is_overloaded(&self, pct: u64) -> bool {
        self.nr > self.cpus
            && (self.capacity * 100 < self.util * pct || self.capacity * pct < self.runnable * 100)
    }

    fn has_capacity(&self, pct: u64) -> bool {
        self.nr < self.cpus
            || (self.capacity * pct >= self.runnable * 100 && self.capacity * 100 > self.util * pct)
    }

    /// Its type. `imbalanced`: a lower level reported pinned tasks. `pulls`: an idle CPU asks about another group than
    /// its own.
    pub(crate) fn classify(&self, pct: u64, imbalanced: bool, pulls: bool) -> Kind {
        if self.is_overloaded(pct) {
            Kind::Overloaded
        } else if self.gathers {
            Kind::Gathers
        } else if imbalanced {
            Kind::Imbalanced
        } else if pulls && self.is_core && self.tasks > 1 {
            Kind::SmtBalance
        } else if self.misfit > 0 {
            Kind::Misfit
        } else if self.has_capacity(pct) {
            Kind::HasSpare
        } else {
            Kind::FullyBusy
        }
    }

    /// Load over capacity.
    pub(crate) fn average(&self) -> u64 {
        self.load * FULL_POWER / self.capacity.max(1)
    }

    fn has_fewer_idle(&self, other: &Self) -> bool {
        self.idle < other.idle || (self.idle == other.idle && self.nr > other.nr)
    }

    /// Whether it replaces the busiest group found so far. `cores`: cores are told from other groups.
    pub(crate) fn is_busier(&self, busiest: Option<&Self>, cores: bool) -> bool {
        if self.tasks == 0 {
            return false;
        }
        let Some(busiest) = busiest else {
            return true;
        };
        if self.kind != busiest.kind {
            return self.kind > busiest.kind;
        }
        let all_busy = || {
            self.avg_load > busiest.avg_load
                || (self.avg_load == busiest.avg_load && !busiest.is_core)
        };
        match self.kind {
            Kind::Overloaded => self.avg_load > busiest.avg_load,
            Kind::Gathers => self.gatherers > busiest.gatherers,
            Kind::Imbalanced => false,
            Kind::Misfit if cores => self.misfit > busiest.misfit,
            // 6.1: the last of equal ones.
            Kind::Misfit => self.misfit >= busiest.misfit,
            Kind::SmtBalance if self.idle == 0 && busiest.idle == 0 => all_busy(),
            Kind::FullyBusy if cores => all_busy(),
            Kind::FullyBusy => self.avg_load > busiest.avg_load,
            Kind::SmtBalance => self.has_fewer_idle(busiest),
            // No CPU should empty a core that runs only one task.
            Kind::HasSpare if cores && self.is_core != busiest.is_core => {
                !self.is_core || self.tasks > 1
            }
            Kind::HasSpare => self.has_fewer_idle(busiest),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Statistics of a group with hogs, each on its own CPU.
    pub(crate) fn hogs(hogs: u64, cpus: u64) -> Stats {
        let mut s = Stats {
            load: hogs * 1_024,
            util: 1_024 * cpus.min(hogs),
            runnable: hogs * 1_024,
            tasks: hogs,
            nr: hogs,
            idle: cpus.saturating_sub(hogs),
            capacity: cpus * FULL_POWER,
            cpus,
            cores: cpus,
            ..Stats::default()
        };
        s.kind = s.classify(117, false, false);
        if s.kind == Kind::Overloaded {
            s.avg_load = s.average();
        }
        s
    }

    #[test]
    fn types_of_groups_of_hogs() {
        assert_eq!(hogs(7, 8).kind, Kind::HasSpare);
        assert_eq!(hogs(8, 8).kind, Kind::FullyBusy);
        assert_eq!(hogs(9, 8).kind, Kind::Overloaded);
        let core = Stats {
            is_core: true,
            ..hogs(2, 2)
        };
        assert_eq!(core.classify(110, false, true), Kind::SmtBalance);
        assert_eq!(core.classify(110, false, false), Kind::FullyBusy);
        assert_eq!(core.classify(110, true, true), Kind::Imbalanced);
    }

    #[test]
    fn much_waiting_makes_a_group_overloaded_though_it_is_not_used_up() {
        let mut s = hogs(9, 8);
        s.util = 4_000;
        assert_eq!(s.classify(117, false, false), Kind::HasSpare);
        s.runnable = 9_600;
        assert_eq!(s.classify(117, false, false), Kind::Overloaded);
    }

    #[test]
    fn the_busiest_of_groups_with_room_has_fewest_idle_cpus_then_most_tasks() {
        let three = hogs(3, 4);
        assert!(!hogs(0, 4).is_busier(None, true), "a group without tasks");
        assert!(three.is_busier(None, true));
        assert!(three.is_busier(Some(&hogs(2, 4)), true));
        assert!(!hogs(2, 4).is_busier(Some(&three), true));
        assert!(!three.is_busier(Some(&three), true), "the first stays");
        let crowded = Stats { nr: 5, ..three };
        assert!(crowded.is_busier(Some(&three), true));
    }

    #[test]
    fn of_busy_groups_the_last_wins_unless_the_first_is_a_core() {
        let busy = hogs(2, 2);
        let core = Stats {
            is_core: true,
            ..busy
        };
        assert!(busy.is_busier(Some(&busy), true));
        assert!(!busy.is_busier(Some(&core), true));
        assert!(hogs(4, 2).is_busier(Some(&hogs(3, 2)), true));
        assert!(!hogs(3, 2).is_busier(Some(&hogs(4, 2)), true));
        assert!(!busy.is_busier(Some(&busy), false), "6.1: the first");
    }
}
