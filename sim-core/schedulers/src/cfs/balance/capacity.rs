//! `find_busiest_group` @ 2.6.34: groups are compared by load over power, and counted in whole tasks.
//!
//! | item | kernel function |
//! |---|---|
//! | `busiest_by_capacity` | `find_busiest_group`, `update_sd_lb_stats`, `update_sg_lb_stats` |
//! | [`Sums::imbalance`] | `calculate_imbalance` |
//! | [`Sums::small`] | `fix_small_imbalance` |

use super::{Attempt, GroupComparison, Idleness, signed, without_last};
use crate::cfs::{Cfs, reasons};
use sim_contract::cx::Cx;
use sim_ground::ids::CpuId;
use sim_machine::views::linux::FULL_POWER;

/// Statistics of a group.
#[derive(Clone, Copy, Debug, Default)]
struct Stats {
    /// Load over power.
    avg_load: u64,
    load: u64,
    nr: u64,
    /// Sum of the unbiased loads.
    weighted: u64,
    power: u64,
    capacity: u64,
    /// Whether the loads of its CPUs differ much.
    uneven: bool,
}

/// Sums over the whole domain.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    this: Stats,
    /// Load per task of the balancing CPU, used if its group has none.
    own_per_task: u64,
    busiest: Stats,
    average: u64,
}

impl Sums {
    fn busiest_per_task(&self) -> u64 {
        let per_task = self.busiest.weighted / self.busiest.nr.max(1);
        if self.busiest.uneven {
            per_task.min(self.average)
        } else {
            per_task
        }
    }

    /// `calculate_imbalance`, and whether `fix_small_imbalance` has raised it to a whole task.
    fn imbalance(&self) -> (u64, bool) {
        let (b, t) = (&self.busiest, &self.this);
        if b.avg_load < self.average {
            return self.small(0);
        }
        let above = if b.uneven {
            u64::MAX
        } else {
            ((b.nr - b.capacity) * FULL_POWER * FULL_POWER) / b.power
        };
        let pull = (b.avg_load - self.average).min(above);
        // The balancer's group lies below both, and an even busiest group has more tasks than it should.
        let room = self.average - t.avg_load;
        let imbalance = (pull * b.power).min(room * t.power) / FULL_POWER;
        if imbalance < self.busiest_per_task() {
            self.small(imbalance)
        } else {
            (imbalance, false)
        }
    }

    /// `fix_small_imbalance`, for an imbalance of less than a task. Returns whether moving a task is worthwhile.
    fn small(&self, imbalance: u64) -> (u64, bool) {
        let (b, t) = (&self.busiest, &self.this);
        let per_task = self.busiest_per_task();
        let (this_per_task, factor) = match t.weighted.checked_div(t.nr) {
            Some(own) => (own, if per_task > own { 1 } else { 2 }),
            None => (self.own_per_task, 2),
        };
        let scaled = per_task * FULL_POWER / b.power;
        if b.avg_load - t.avg_load + scaled >= scaled * factor {
            return (per_task, true);
        }
        let now = b.power * per_task.min(b.avg_load) + t.power * this_per_task.min(t.avg_load);
        let mut then = 0;
        if b.avg_load > scaled {
            then += b.power * per_task.min(b.avg_load - scaled);
        }
        let gain = (b.avg_load * b.power).min(per_task * FULL_POWER) / t.power;
        then += t.power * this_per_task.min(t.avg_load + gain);
        if then / FULL_POWER > now / FULL_POWER {
            (per_task, true)
        } else {
            (imbalance, false)
        }
    }
}

impl Cfs {
    pub(super) fn busiest_by_capacity(
        &mut self,
        cx: &mut Cx<'_>,
        a: &mut Attempt,
    ) -> GroupComparison {
        let domain = &self.topo.of[a.cpu.index()][a.level];
        let pct = domain.imbalance_pct;
        let prefer_sibling = a.level > 0
            && self.topo.of[a.cpu.index()][a.level - 1]
                .flags
                .prefer_sibling;
        let mut sums = Sums::default();
        let mut busiest = None;
        let (mut total_load, mut total_power) = (0, 0);
        for g in domain.groups.iter().copied() {
            let local = self.topo.groups[g].cpus.contains(a.cpu);
            if local && a.idle != Idleness::New {
                let balancer = self.balancer(g, a);
                if balancer != a.cpu {
                    return Self::not_in_charge(cx, a, balancer);
                }
            }
            let mut stats = self.stats(g, a, local);
            total_load += stats.load;
            total_power += stats.power;
            if prefer_sibling {
                stats.capacity = stats.capacity.min(1);
            }
            let first = self.topo.groups[g].list.first().copied();
            cx.candidate(first, None, signed(stats.avg_load), "load of the group");
            if local {
                sums.this = stats;
            } else if stats.avg_load > sums.busiest.avg_load
                && (stats.nr > stats.capacity || stats.uneven)
            {
                sums.busiest = stats;
                busiest = Some(g);
            }
        }
        let Some(group) = busiest.filter(|_| sums.busiest.nr > 0) else {
            return Self::no_busiest_group(cx, a, total_load, sums.this.load);
        };
        sums.average = FULL_POWER * total_load / total_power.max(1);
        sums.own_per_task = self.load_per_task(a.cpu);
        let (max, this) = (sums.busiest.avg_load, sums.this.avg_load);
        let operands = [signed(max), signed(this), signed(sums.average), signed(pct)];
        if this >= max || this >= sums.average {
            cx.explain(
                Some(a.cpu),
                None,
                reasons::NOT_BELOW_AVERAGE,
                without_last(operands),
            );
            return GroupComparison::Balanced;
        }
        if 100 * max <= pct * this {
            cx.explain(Some(a.cpu), None, reasons::WITHIN_IMBALANCE_PCT, operands);
            return GroupComparison::Balanced;
        }
        let (imbalance, raised) = sums.imbalance();
        a.imbalance = imbalance;
        // An imbalance of 0 does not mean balanced: the group is returned even then.
        if a.imbalance == 0 {
            cx.explain(Some(a.cpu), None, reasons::FIX_SMALL_IMBALANCE, operands);
            return GroupComparison::Group(group);
        }
        let operands = [
            signed(max),
            signed(this),
            signed(sums.average),
            signed(a.imbalance),
        ];
        let reason = if raised {
            reasons::IMBALANCE_RAISED
        } else {
            reasons::BUSIEST_GROUP
        };
        cx.explain(Some(a.cpu), None, reason, operands);
        GroupComparison::Group(group)
    }

    /// The CPU that balances a level for its group: the first idle CPU among those that may give, else the first of the
    /// group.
    pub(super) fn balancer(&self, group: usize, a: &Attempt) -> CpuId {
        let list = &self.topo.groups[group].list;
        let idle = |c: &&CpuId| a.from.contains(**c) && self.seen_idle(**c);
        let first_idle = list.iter().find(idle);
        first_idle.or(list.first()).copied().unwrap_or(a.cpu)
    }

    fn seen_idle(&self, cpu: CpuId) -> bool {
        match self.era.balancing {
            crate::cfs::era::Balancing::Capacity => self.st.rq(cpu).curr.is_none(),
            crate::cfs::era::Balancing::GroupTypes | crate::cfs::era::Balancing::Shared => {
                self.idle_cpu(cpu)
            }
        }
    }

    fn stats(&self, group: usize, a: &Attempt, local: bool) -> Stats {
        let g = &self.topo.groups[group];
        let idx = self.load_idx(a);
        let mut s = Stats {
            power: g.power,
            ..Stats::default()
        };
        let (mut most, mut least) = (0, u64::MAX);
        for cpu in g.list.iter().copied().filter(|c| a.from.contains(*c)) {
            let load = if local {
                self.target_load(cpu, idx)
            } else {
                let load = self.source_load(cpu, idx);
                most = load.max(most);
                least = load.min(least);
                load
            };
            s.load += load;
            s.nr += u64::from(self.st.rq(cpu).nr_running);
            s.weighted += self.weighted_load(cpu);
        }
        s.avg_load = s.load * FULL_POWER / s.power.max(1);
        let per_task = s.weighted.checked_div(s.nr).unwrap_or(0);
        // Without a CPU that may give, the kernel's difference wraps to 1; such a group has no load and is never chosen.
        s.uneven = !local && most.saturating_sub(least) > 2 * per_task;
        s.capacity = (s.power + FULL_POWER / 2) / FULL_POWER;
        s
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(load: u64, nr: u64, power: u64) -> Stats {
        Stats {
            avg_load: load * FULL_POWER / power,
            load,
            nr,
            weighted: load,
            power,
            capacity: 1,
            uneven: false,
        }
    }

    #[test]
    fn an_idle_core_asks_for_one_of_two_tasks() {
        let sums = Sums {
            this: group(0, 0, 1_178),
            own_per_task: 0,
            busiest: group(2_048, 2, 1_178),
            average: 2_048 * FULL_POWER / (4 * 1_178),
        };
        assert_eq!((sums.busiest.avg_load, sums.average), (1_780, 445));
        // 511 would be pulled. That is less than a task, so fix_small_imbalance makes it one task.
        assert_eq!(sums.imbalance(), (1_024, true));
    }

    #[test]
    fn eight_hogs_against_six_on_four_cpus_each() {
        let sums = Sums {
            this: group(6 * 1_024, 6, 4_096),
            own_per_task: 0,
            busiest: group(8 * 1_024, 8, 4_096),
            average: 14 * 1_024 * FULL_POWER / 8_192,
        };
        assert_eq!(sums.imbalance(), (1_024, false));
    }
}
