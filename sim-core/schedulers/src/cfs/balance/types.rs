//! `find_busiest_group` @ 4.9: groups are overloaded, imbalanced or neither.
//!
//! | item | kernel function |
//! |---|---|
//! | `busiest_by_type` | `find_busiest_group`, `update_sd_lb_stats`, `update_sg_lb_stats`, `should_we_balance` |
//! | [`Stats`] | `sg_lb_stats`, `group_is_overloaded`, `group_has_capacity`, `group_classify` |
//! | [`Sums::imbalance`] | `calculate_imbalance` |
//! | [`Sums::small`] | `fix_small_imbalance` |

use super::{Attempt, GroupComparison, Idleness, signed, without_last};
use crate::cfs::{Cfs, reasons};
use sim_contract::cx::Cx;
use sim_machine::views::linux::FULL_POWER;

/// `enum group_type`, in ascending order of preference for taking tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    #[default]
    Other,
    Imbalanced,
    Overloaded,
}

#[derive(Clone, Copy, Debug, Default)]
struct Stats {
    avg_load: u64,
    load: u64,
    util: u64,
    nr: u64,
    weighted: u64,
    per_task: u64,
    capacity: u64,
    cpus: u64,
    idle: u64,
    kind: Kind,
    no_capacity: bool,
}

impl Stats {
    fn overloaded(&self, pct: u64) -> bool {
        self.nr > self.cpus && self.capacity * 100 < self.util * pct
    }

    fn has_capacity(&self, pct: u64) -> bool {
        self.nr < self.cpus || self.capacity * 100 > self.util * pct
    }
}

struct Sums {
    local: Stats,
    busiest: Stats,
    average: u64,
}

impl Sums {
    /// `calculate_imbalance`, and whether `fix_small_imbalance` has raised it to a whole task.
    fn imbalance(&self) -> (u64, bool) {
        let (b, l) = (&self.busiest, &self.local);
        if b.avg_load <= self.average || l.avg_load >= self.average {
            return self.small(0);
        }
        let mut above = u64::MAX;
        if b.kind == Kind::Overloaded && l.kind == Kind::Overloaded {
            let need = b.nr * FULL_POWER;
            if need > b.capacity {
                above = (need - b.capacity) * FULL_POWER / b.capacity;
            }
        }
        let pull = (b.avg_load - self.average).min(above);
        let room = self.average - l.avg_load;
        let imbalance = (pull * b.capacity).min(room * l.capacity) / FULL_POWER;
        if imbalance < b.per_task {
            self.small(imbalance)
        } else {
            (imbalance, false)
        }
    }

    /// `fix_small_imbalance`.
    fn small(&self, imbalance: u64) -> (u64, bool) {
        let (b, l) = (&self.busiest, &self.local);
        let factor = if l.nr > 0 && b.per_task > l.per_task {
            1
        } else {
            2
        };
        let scaled = b.per_task * FULL_POWER / b.capacity;
        if b.avg_load + scaled >= l.avg_load + scaled * factor {
            return (b.per_task, true);
        }
        let now = b.capacity * b.per_task.min(b.avg_load) + l.capacity * l.per_task.min(l.avg_load);
        let mut then = 0;
        if b.avg_load > scaled {
            then += b.capacity * b.per_task.min(b.avg_load - scaled);
        }
        let gain = (b.avg_load * b.capacity).min(b.per_task * FULL_POWER) / l.capacity;
        then += l.capacity * l.per_task.min(l.avg_load + gain);
        if then / FULL_POWER > now / FULL_POWER {
            (b.per_task, true)
        } else {
            (imbalance, false)
        }
    }
}

impl Cfs {
    pub(super) fn busiest_by_type(&mut self, cx: &mut Cx<'_>, a: &mut Attempt) -> GroupComparison {
        let domain = &self.topo.of[a.cpu.index()][a.level];
        let own = domain.groups[0];
        if a.idle != Idleness::New {
            let balancer = self.balancer(own, a);
            if balancer != a.cpu {
                return Self::not_in_charge(cx, a, balancer);
            }
        }
        let pct = domain.imbalance_pct;
        let top = a.level + 1 == self.topo.of[a.cpu.index()].len();
        let prefer_sibling = a.level > 0
            && self.topo.of[a.cpu.index()][a.level - 1]
                .flags
                .prefer_sibling;
        let groups = domain.groups.clone();
        let mut local = Stats::default();
        let mut busiest: Option<(usize, Stats)> = None;
        let (mut total_load, mut total_capacity) = (0, 0);
        let mut overload = false;
        for g in groups {
            let is_local = self.topo.groups[g].cpus.contains(a.cpu);
            let mut s = self.type_stats(g, a, is_local, pct, &mut overload);
            total_load += s.load;
            total_capacity += s.capacity;
            let first = self.topo.groups[g].list.first().copied();
            cx.candidate(first, None, signed(s.avg_load), "load of the group");
            if is_local {
                local = s;
                continue;
            }
            if prefer_sibling && local.has_capacity(pct) && s.nr > 1 {
                s.no_capacity = true;
                s.kind = Kind::Overloaded;
            }
            let better = busiest.as_ref().is_none_or(|(_, b)| {
                s.kind > b.kind || (s.kind == b.kind && s.avg_load > b.avg_load)
            });
            // The first candidate must also have some load.
            if better && (busiest.is_some() || s.avg_load > 0 || s.kind > Kind::Other) {
                busiest = Some((g, s));
            }
        }
        if top {
            self.st.overload = overload;
        }
        let Some((group, mut busy)) = busiest.filter(|(_, b)| b.nr > 0) else {
            return Self::no_busiest_group(cx, a, total_load, local.load);
        };
        let average = FULL_POWER * total_load / total_capacity.max(1);
        let force = busy.kind == Kind::Imbalanced
            || (a.idle == Idleness::New && local.has_capacity(pct) && busy.no_capacity);
        let operands = [
            signed(busy.avg_load),
            signed(local.avg_load),
            signed(average),
            signed(pct),
        ];
        if !force {
            if local.avg_load >= busy.avg_load || local.avg_load >= average {
                cx.explain(
                    Some(a.cpu),
                    None,
                    reasons::NOT_BELOW_AVERAGE,
                    without_last(operands),
                );
                return GroupComparison::Balanced;
            }
            if a.idle == Idleness::Idle {
                if busy.kind != Kind::Overloaded && local.idle <= busy.idle + 1 {
                    let operands = [signed(local.idle), signed(busy.idle), 0, 0];
                    cx.explain(Some(a.cpu), None, reasons::IDLE_CPUS_EVEN, operands);
                    return GroupComparison::Balanced;
                }
            } else if 100 * busy.avg_load <= pct * local.avg_load {
                cx.explain(Some(a.cpu), None, reasons::WITHIN_IMBALANCE_PCT, operands);
                return GroupComparison::Balanced;
            }
        }
        if busy.kind == Kind::Imbalanced {
            busy.per_task = busy.per_task.min(average);
        }
        if local.nr == 0 {
            local.per_task = self.load_per_task(a.cpu);
        }
        let sums = Sums {
            local,
            busiest: busy,
            average,
        };
        let (imbalance, raised) = sums.imbalance();
        a.imbalance = imbalance;
        // An imbalance of 0 does not mean balanced: the group is returned even then.
        if a.imbalance == 0 {
            cx.explain(Some(a.cpu), None, reasons::FIX_SMALL_IMBALANCE, operands);
            return GroupComparison::Group(group);
        }
        let operands = [operands[0], operands[1], operands[2], signed(a.imbalance)];
        let reason = if raised {
            reasons::IMBALANCE_RAISED
        } else {
            reasons::BUSIEST_GROUP
        };
        cx.explain(Some(a.cpu), None, reason, operands);
        GroupComparison::Group(group)
    }

    fn type_stats(
        &self,
        group: usize,
        a: &Attempt,
        local: bool,
        pct: u64,
        overload: &mut bool,
    ) -> Stats {
        let g = &self.topo.groups[group];
        let idx = self.load_idx(a);
        let mut s = Stats {
            capacity: g.power,
            cpus: g.list.len() as u64,
            ..Stats::default()
        };
        for cpu in g.list.iter().copied().filter(|c| a.from.contains(*c)) {
            s.load += if local {
                self.target_load(cpu, idx)
            } else {
                self.source_load(cpu, idx)
            };
            s.util += self.util(cpu);
            s.nr += u64::from(self.st.root(cpu).h_nr_running);
            let nr = self.st.rq(cpu).nr_running;
            *overload |= nr > 1;
            s.weighted += self.weighted_load(cpu);
            s.idle += u64::from(nr == 0 && self.idle_cpu(cpu));
        }
        s.avg_load = s.load * FULL_POWER / s.capacity.max(1);
        s.per_task = s.weighted.checked_div(s.nr).unwrap_or(0);
        s.no_capacity = s.overloaded(pct);
        s.kind = if s.no_capacity {
            Kind::Overloaded
        } else if self.st.imbalanced[group] {
            Kind::Imbalanced
        } else {
            Kind::Other
        };
        s
    }

    /// A task arrived: if a CPU has two or more, others may pull (`add_nr_running`).
    pub(in super::super) fn note_overload(&mut self, cpu: sim_ground::ids::CpuId) {
        if self.st.rq(cpu).nr_running >= 2 {
            self.st.overload = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(hogs: u64, cpus: u64) -> Stats {
        let load = hogs * 1_024;
        let mut s = Stats {
            load,
            util: 1_024 * cpus.min(hogs),
            nr: hogs,
            weighted: load,
            per_task: 1_024,
            capacity: cpus * FULL_POWER,
            cpus,
            ..Stats::default()
        };
        s.avg_load = load * FULL_POWER / s.capacity;
        s.no_capacity = s.overloaded(125);
        if s.no_capacity {
            s.kind = Kind::Overloaded;
        }
        s
    }

    #[test]
    fn more_tasks_than_cpus_and_no_room_is_overloaded() {
        assert_eq!(group(9, 8).kind, Kind::Overloaded);
        assert_eq!(group(8, 8).kind, Kind::Other);
        assert!(group(7, 8).has_capacity(125));
    }

    /// E1 of the corrections to the CFS specification: `fix_small_imbalance` moves a whole hog only at equality.
    #[test]
    fn two_hogs_against_one_hang_on_a_rounding() {
        let against = |local| {
            let mut own = group(1, 1);
            (own.avg_load, own.weighted, own.per_task) = (local, local, local);
            let sums = Sums {
                local: own,
                busiest: group(2, 1),
                average: (2_048 + local) / 2,
            };
            sums.imbalance().0
        };
        assert_eq!([against(1_024), against(1_025)], [1_024, 511]);
    }

    #[test]
    fn eight_hogs_against_six_ask_for_one() {
        let sums = Sums {
            local: group(6, 4),
            busiest: group(8, 4),
            average: 14 * 1_024 / 8,
        };
        assert_eq!(sums.imbalance(), (1_024, false));
    }
}
