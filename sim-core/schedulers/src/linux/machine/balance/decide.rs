//! Whether the busiest group gives tasks, and how much.
//!
//! | item | kernel function @ 6.12 |
//! |---|---|
//! | [`Comparison::decide`] | `sched_balance_find_src_group` |
//! | [`Comparison::amount`] | `calculate_imbalance` |
//! | [`Comparison::sibling_imbalance`] | `sibling_imbalance` |
//! | [`numa_imbalance`] | `adjust_numa_imbalance` |

use super::groups::{Kind, Stats};
use crate::linux::machine::SiblingRule;
use crate::linux::reasons::Reasons;
use crate::linux::signed;
use sim_contract::decision::Reason;
use sim_machine::views::linux::FULL_POWER;

sim_ground::constants! {
    /// An imbalance between nodes that is ignored while few tasks run: a pair of tasks that communicate.
    NUMA_IMBALANCE_MIN: u64 = 2, "tasks", Published, "NUMA_IMBALANCE_MIN @ Linux 6.12";
}

/// The unit in which a move is measured (`enum migration_type`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Migration {
    /// An amount of load.
    Load,
    /// An amount of utilisation.
    Util,
    /// A number of tasks.
    Tasks,
    /// A number of tasks that prefer the cache of the CPU that pulls (`migrate_llc_task`).
    Cache,
    /// A task that does not fit the CPU on which it runs.
    Misfit,
}

/// The result of a comparison, with its reason and operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Balanced(Reason, [i64; 4]),
    Move(Migration, u64, Reason, [i64; 4]),
}

/// The own group and the busiest of the others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comparison {
    pub(crate) local: Stats,
    pub(crate) busiest: Stats,
    /// Load over capacity of the whole domain.
    pub(crate) average: u64,
    /// Whether the CPU for which this is done is idle, or becomes idle.
    pub(crate) idle: bool,
    pub(crate) pct: u64,
    /// Whether tasks of these groups should spread (`SD_PREFER_SIBLING`), and how.
    pub(crate) prefer_sibling: bool,
    pub(crate) siblings: SiblingRule,
    /// Whether the domain is inside a last-level cache.
    pub(crate) share_cache: bool,
    /// `imb_numa_nr`, if this is a level of nodes.
    pub(crate) numa: Option<u64>,
    /// Number of the level, for the decision record.
    pub(crate) level: i64,
    /// The reasons of the scheduler.
    pub(crate) why: &'static Reasons,
    /// That of a move to a cache that is preferred.
    pub(crate) gather: Reason,
}

/// The imbalance between nodes that remains when a node has `tasks` tasks: a small one is allowed while they are few.
pub(crate) fn numa_imbalance(imbalance: u64, tasks: u64, imb_numa_nr: u64) -> u64 {
    if tasks <= imb_numa_nr && imbalance <= NUMA_IMBALANCE_MIN {
        0
    } else {
        imbalance
    }
}

impl Comparison {
    /// By how many tasks the busiest group exceeds this one. By [`SiblingRule::Cores`] in proportion to cores, and only for
    /// an idle CPU.
    fn sibling_imbalance(&self) -> u64 {
        let (b, l) = (&self.busiest, &self.local);
        if self.siblings == SiblingRule::Plain {
            // `lsub_positive`
            return b.nr.saturating_sub(l.nr);
        }
        if !self.idle || b.nr == 0 {
            return 0;
        }
        if b.cores == l.cores {
            // `lsub_positive`
            return b.nr.saturating_sub(l.nr);
        }
        // `lsub_positive`
        let more = (l.cores * b.nr).saturating_sub(b.cores * l.nr);
        let both = l.cores + b.cores;
        let imbalance = (2 * more + both) / both;
        if imbalance <= 1 && l.nr == 0 && b.nr > 1 {
            2
        } else {
            imbalance
        }
    }

    /// Whether tasks move, and how many.
    pub(crate) fn decide(&self) -> Verdict {
        let (b, l) = (&self.busiest, &self.local);
        if matches!(b.kind, Kind::Misfit | Kind::Imbalanced) {
            return self.amount();
        }
        if l.kind > b.kind {
            let operands = [self.level, l.kind.number(), b.kind.number(), 0];
            return Verdict::Balanced(self.why.local_busier_type, operands);
        }
        if l.kind == Kind::Overloaded
            && let Some(verdict) = self.balanced_by_load()
        {
            return verdict;
        }
        let spreads = self.prefer_sibling
            && l.kind == Kind::HasSpare
            && (b.kind == Kind::Gathers || self.sibling_imbalance() > 1);
        if spreads || b.kind == Kind::Overloaded {
            return self.amount();
        }
        if !self.idle {
            return self.left_to_idle_cpus();
        }
        if b.kind == Kind::SmtBalance && l.is_core != b.is_core {
            return self.amount();
        }
        if b.cpus > 1 && l.idle <= b.idle + 1 {
            let operands = [self.level, signed(l.idle), signed(b.idle), 0];
            return Verdict::Balanced(self.why.idle_cpus_even, operands);
        }
        if b.tasks == 1 {
            let operands = [self.level, signed(l.nr), signed(b.nr), 0];
            return Verdict::Balanced(self.why.one_task, operands);
        }
        self.amount()
    }

    /// Compares the loads of two overloaded groups.
    fn balanced_by_load(&self) -> Option<Verdict> {
        let (busiest, local) = (self.busiest.avg_load, self.local.avg_load);
        let [b, l, average, pct] = [busiest, local, self.average, self.pct].map(signed);
        if local >= busiest || local >= self.average {
            let operands = [b, l, average, 0];
            return Some(Verdict::Balanced(self.why.not_below_average, operands));
        }
        (100 * busiest <= self.pct * local).then_some(Verdict::Balanced(
            self.why.within_imbalance_pct,
            [b, l, average, pct],
        ))
    }

    /// How much should move.
    fn amount(&self) -> Verdict {
        let (b, l) = (&self.busiest, &self.local);
        let [tasks, own] = [b.nr, l.nr].map(signed);
        match b.kind {
            Kind::SmtBalance => {
                let operands = [self.level, tasks, own, 1];
                return Verdict::Move(Migration::Tasks, 1, self.why.smt_balance, operands);
            }
            Kind::Gathers => {
                let operands = [self.level, signed(b.gatherers), own, 1];
                return Verdict::Move(Migration::Cache, 1, self.gather, operands);
            }
            Kind::Misfit => {
                let operands = [b.misfit, b.largest, l.largest].map(signed);
                let [load, there, here] = operands;
                let operands = [self.level, load, there, here];
                return Verdict::Move(Migration::Misfit, 1, self.why.migrate_misfit, operands);
            }
            Kind::Imbalanced => {
                let operands = [self.level, tasks, own, 1];
                return Verdict::Move(Migration::Tasks, 1, self.why.group_imbalanced, operands);
            }
            _ => {}
        }
        if l.kind == Kind::HasSpare {
            return self.fill_spare();
        }
        let own = if l.kind < Kind::Overloaded {
            l.average()
        } else {
            l.avg_load
        };
        let operands = [b.avg_load, own, self.average].map(signed);
        if own >= b.avg_load || own >= self.average {
            let [b, l, average] = operands;
            return Verdict::Balanced(self.why.not_below_average, [b, l, average, 0]);
        }
        // Heavy threads elsewhere can lift the average above the busiest group. The kernel's difference of unsigned
        // numbers then wraps, and what this group has room for decides.
        let above = (b.avg_load.wrapping_sub(self.average)).wrapping_mul(b.capacity);
        let room = (self.average - own) * l.capacity;
        let load = above.min(room) / FULL_POWER;
        let [b, l, average] = operands;
        if load == 0 {
            return Verdict::Balanced(self.why.busiest_at_average, [b, l, average, 0]);
        }
        let operands = [b, l, average, signed(load)];
        Verdict::Move(Migration::Load, load, self.why.migrate_load, operands)
    }

    /// The own group has room: it is filled without being overloaded.
    fn fill_spare(&self) -> Verdict {
        let (b, l) = (&self.busiest, &self.local);
        if b.kind > Kind::FullyBusy && !self.share_cache {
            // `max(capacity, util) - util`
            let room = l.capacity.saturating_sub(l.util);
            let operands = [self.level, signed(l.util), signed(l.capacity)];
            let [level, util, capacity] = operands;
            return match (room, self.idle) {
                // A task waits: an idle CPU takes it, whatever the averages still say.
                (0, true) => {
                    let operands = [level, util, capacity, 1];
                    Verdict::Move(Migration::Tasks, 1, self.why.migrate_util, operands)
                }
                (0, false) => Verdict::Balanced(self.why.no_room, [level, util, capacity, 0]),
                _ => {
                    let operands = [level, util, capacity, signed(room)];
                    Verdict::Move(Migration::Util, room, self.why.migrate_util, operands)
                }
            };
        }
        let by_tasks = b.cpus == 1 || self.prefer_sibling;
        if by_tasks && !self.idle && self.siblings == SiblingRule::Cores {
            return self.left_to_idle_cpus();
        }
        let (reason, imbalance, operands) = if by_tasks {
            let operands = [self.level, signed(b.nr), signed(l.nr)];
            (self.why.migrate_task, self.sibling_imbalance(), operands)
        } else {
            let operands = [self.level, signed(l.idle), signed(b.idle)];
            (
                self.why.even_idle_cpus,
                // `max(0, difference)`
                l.idle.saturating_sub(b.idle),
                operands,
            )
        };
        if let Some(allowed) = self.numa
            && imbalance > 0
            && numa_imbalance(imbalance, l.nr + 1, allowed) == 0
        {
            let operands = [
                self.level,
                signed(imbalance),
                signed(l.nr + 1),
                signed(allowed),
            ];
            return Verdict::Balanced(self.why.numa_imbalance_allowed, operands);
        }
        let half = imbalance / 2;
        if half == 0 {
            let [here, there] = if by_tasks {
                [l.nr, b.nr]
            } else {
                [l.idle, b.idle]
            };
            let operands = [self.level, signed(here), signed(there), 0];
            return Verdict::Balanced(self.why.nothing_to_move, operands);
        }
        let [level, x, y] = operands;
        let operands = [level, x, y, signed(half)];
        Verdict::Move(Migration::Tasks, half, reason, operands)
    }

    /// A busy CPU takes no single tasks.
    fn left_to_idle_cpus(&self) -> Verdict {
        let b = &self.busiest;
        let operands = [self.level, b.kind.number(), signed(b.nr), signed(b.cpus)];
        Verdict::Balanced(self.why.left_to_idle_cpus, operands)
    }
}

#[cfg(test)]
mod tests {
    use super::super::groups::tests::hogs;
    use super::*;

    const WHY: &Reasons = &crate::eevdf::reasons::SHARED;

    fn compare(local: Stats, busiest: Stats) -> Comparison {
        let both = (local.load + busiest.load) * FULL_POWER;
        Comparison {
            local,
            busiest,
            average: both / (local.capacity + busiest.capacity),
            idle: true,
            pct: 117,
            prefer_sibling: false,
            siblings: SiblingRule::Cores,
            share_cache: true,
            numa: None,
            level: 1,
            why: WHY,
            gather: WHY.migrate_task,
        }
    }

    /// The kind and amount of the move; `None` if the groups are balanced.
    fn moves(c: &Comparison) -> Option<(Migration, u64)> {
        match c.decide() {
            Verdict::Balanced(..) => None,
            Verdict::Move(what, amount, ..) => Some((what, amount)),
        }
    }

    #[test]
    fn an_idle_cpu_asks_a_queue_of_512_for_half_of_them() {
        let c = compare(hogs(0, 1), hogs(512, 1));
        assert_eq!(moves(&c), Some((Migration::Tasks, 256)));
    }

    #[test]
    fn a_core_of_two_gives_one_to_an_idle_core_and_one_of_one_none() {
        let mut core = Stats {
            is_core: true,
            ..hogs(2, 2)
        };
        (core.cores, core.kind) = (1, Kind::SmtBalance);
        let free = Stats {
            is_core: true,
            cores: 1,
            ..hogs(0, 2)
        };
        let c = Comparison {
            prefer_sibling: true,
            ..compare(free, core)
        };
        assert_eq!(moves(&c), Some((Migration::Tasks, 1)));
        let half = Stats {
            is_core: true,
            cores: 1,
            ..hogs(1, 2)
        };
        assert_eq!(
            moves(&Comparison { local: half, ..c }),
            None,
            "i7 with five to eight hogs"
        );
    }

    #[test]
    fn a_busy_cpu_leaves_groups_with_room_to_idle_ones() {
        let c = Comparison {
            idle: false,
            ..compare(hogs(1, 1), hogs(1, 1))
        };
        assert_eq!(moves(&c), None);
        let c = Comparison {
            idle: false,
            ..compare(hogs(1, 1), hogs(3, 1))
        };
        assert_eq!(moves(&c), Some((Migration::Load, 1_024)));
    }

    #[test]
    fn overloaded_nodes_within_17_percent_are_balanced() {
        let c = compare(hogs(120, 8), hogs(138, 8));
        assert_eq!(moves(&c), None);
        let c = compare(hogs(120, 8), hogs(142, 8));
        assert_eq!(moves(&c), Some((Migration::Load, 11_264)));
    }

    #[test]
    fn a_pair_may_stay_on_one_node_while_few_run() {
        assert_eq!(numa_imbalance(2, 1, 1), 0);
        assert_eq!(numa_imbalance(2, 2, 1), 2);
        assert_eq!(numa_imbalance(3, 1, 1), 3);
        let two = Comparison {
            numa: Some(2),
            prefer_sibling: true,
            share_cache: false,
            ..compare(hogs(0, 16), hogs(2, 16))
        };
        assert_eq!(moves(&two), None);
        let many = Comparison {
            busiest: hogs(6, 16),
            ..two
        };
        assert_eq!(moves(&many), Some((Migration::Tasks, 3)));
    }

    #[test]
    fn a_node_with_room_is_filled_by_utilisation() {
        let c = Comparison {
            share_cache: false,
            ..compare(hogs(3, 8), hogs(20, 8))
        };
        assert_eq!(moves(&c), Some((Migration::Util, 5 * 1_024)));
    }

    #[test]
    fn kinds_of_cores_get_tasks_in_proportion() {
        let mut wide = hogs(6, 4);
        wide.cores = 4;
        let mut narrow = hogs(0, 2);
        narrow.cores = 1;
        let c = Comparison {
            prefer_sibling: true,
            ..compare(narrow, wide)
        };
        // 2 x (1 x 6) + 5 over 5.
        assert_eq!(c.sibling_imbalance(), 3);
    }

    /// CFS 6.1, facts 36 and 39 (found by running the kernel's own code): cores of an i7, and nodes of 16 CPUs.
    #[test]
    fn by_the_plain_rule_tasks_are_counted() {
        let plain = |local, busiest| Comparison {
            prefer_sibling: true,
            siblings: SiblingRule::Plain,
            ..compare(local, busiest)
        };
        assert_eq!(moves(&plain(hogs(1, 2), hogs(2, 2))), None);
        let one = Some((Migration::Tasks, 1));
        assert_eq!(moves(&plain(hogs(0, 2), hogs(2, 2))), one);
        let busy = Comparison {
            idle: false,
            ..plain(hogs(1, 4), hogs(4, 4))
        };
        assert_eq!(moves(&busy), one, "also for a busy CPU");
        let cores = Comparison {
            siblings: SiblingRule::Cores,
            ..busy
        };
        assert_eq!(moves(&cores), None);
        let nodes = |n| Comparison {
            numa: Some(2),
            share_cache: false,
            ..plain(hogs(0, 16), hogs(n, 16))
        };
        assert_eq!(moves(&nodes(2)), None);
        assert_eq!(moves(&nodes(3)), one);
    }

    /// CFS 6.1, facts 37 and 38 (found by running the kernel's own code).
    #[test]
    fn a_hog_more_is_half_a_load_to_move() {
        let half = Some((Migration::Load, 512));
        assert_eq!(moves(&compare(hogs(1, 1), hogs(2, 1))), half);
        assert_eq!(moves(&compare(hogs(5, 4), hogs(6, 4))), half);
        assert_eq!(moves(&compare(hogs(6, 4), hogs(7, 4))), None);
    }

    #[test]
    fn nothing_to_move_is_told_with_its_cause() {
        let told = |c: &Comparison| match c.decide() {
            Verdict::Balanced(reason, operands) => (reason, operands),
            Verdict::Move(..) => panic!("it moves"),
        };
        let one_more = compare(
            hogs(1, 2),
            Stats {
                cores: 2,
                ..hogs(2, 1)
            },
        );
        assert_eq!(told(&one_more), (WHY.nothing_to_move, [1, 1, 2, 0]));
        let busy = Comparison {
            idle: false,
            ..one_more
        };
        let overloaded = Kind::Overloaded.number();
        assert_eq!(told(&busy), (WHY.left_to_idle_cpus, [1, overloaded, 2, 1]));
        let mut full = hogs(1, 2);
        full.util = 3_000;
        let c = Comparison {
            share_cache: false,
            idle: false,
            ..compare(full, hogs(3, 2))
        };
        assert_eq!(told(&c), (WHY.no_room, [1, 3_000, 2_048, 0]));
        let c = Comparison {
            average: 1_536,
            idle: false,
            ..compare(hogs(2, 2), hogs(3, 2))
        };
        assert_eq!(told(&c), (WHY.busiest_at_average, [1_536, 1_024, 1_536, 0]));
    }
}
