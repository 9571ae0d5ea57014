//! The CPU for a new task, or for one that runs a new program: from the idlest group of the widest domain, domain by
//! domain down to a CPU.
//!
//! | item | kernel function @ 6.12 |
//! |---|---|
//! | `select_idlest` | `sched_balance_find_dst_cpu` |
//! | `idlest_group` | `sched_balance_find_dst_group`, `update_sg_wakeup_stats`, `update_pick_idlest` |
//! | `idlest_cpu` | `sched_balance_find_dst_group_cpu` |
//!
//! Deviation: there are no states of idleness; among idle CPUs the one that became idle last is taken.

use super::{Selects, signed};
use crate::linux::clock::LastTicks;
use crate::linux::machine::Machine;
use crate::linux::machine::balance::{Kind, Stats, numa_imbalance};
use crate::linux::machine::capacity::Fitting;
use crate::linux::tables::Tables;
use sim_contract::cx::Cx;
use sim_contract::decision::{DecisionId, Reason};
use sim_ground::ids::{CpuId, CpuMask, TaskId};
use sim_machine::views::linux::Domain;

sim_ground::constants! {
    /// Load of a task of nice 0; the idlest group must be ahead by a part of it.
    NICE_0_LOAD: u64 = 1_024, "", Published, "NICE_0_LOAD, scaled down @ Linux 6.12";
}

/// The task that is placed, and the occasion.
#[derive(Clone, Copy)]
pub(crate) struct Placing {
    task: TaskId,
    allowed: CpuMask,
    /// The CPU on which it runs already; its load does not count there.
    runs_on: Option<CpuId>,
    /// Its part of the load there.
    load: u64,
}

/// Whether the task stays in its group or goes to another, with reason and operands.
pub(crate) enum IdlestGroupChoice {
    Stay(Reason, [i64; 4]),
    Go(usize, Reason, [i64; 4]),
}

impl Stats {
    /// Whether the group is idler than the idlest found so far (`update_pick_idlest`).
    fn is_idler(&self, idlest: &Self) -> bool {
        if self.kind != idlest.kind {
            return self.kind < idlest.kind;
        }
        match self.kind {
            Kind::Overloaded | Kind::FullyBusy => self.avg_load < idlest.avg_load,
            Kind::HasSpare => {
                self.idle > idlest.idle || (self.idle == idlest.idle && self.util < idlest.util)
            }
            Kind::Misfit => self.largest > idlest.largest,
            Kind::Gathers | Kind::Imbalanced | Kind::SmtBalance => false,
        }
    }
}

/// A scheduler that searches for the idlest CPU.
pub(crate) trait Idlest: Selects {
    /// The CPU of a new task whose parent runs on `from`.
    fn select_at_fork(
        &mut self,
        cx: &mut Cx<'_>,
        task: TaskId,
        from: CpuId,
    ) -> (CpuId, DecisionId) {
        let placing = Placing {
            task,
            allowed: cx.task(task).allowed,
            runs_on: None,
            load: 0,
        };
        let (cpu, operands) = self.select_idlest(cx, placing, from);
        let why = if cpu == from {
            Self::REASONS.fork_local
        } else {
            Self::REASONS.fork_idlest
        };
        (cpu, cx.explain(Some(cpu), Some(task), why, operands))
    }

    /// The CPU of a task that runs a new program on `from`.
    fn select_at_exec(
        &mut self,
        cx: &mut Cx<'_>,
        task: TaskId,
        from: CpuId,
    ) -> (CpuId, DecisionId) {
        let placing = Placing {
            task,
            allowed: cx.task(task).allowed,
            runs_on: Some(from),
            load: self.task_load(task, cx.now.0),
        };
        let (cpu, operands) = self.select_idlest(cx, placing, from);
        let why = if cpu == from {
            Self::REASONS.exec_local
        } else {
            Self::REASONS.exec_idlest
        };
        (cpu, cx.explain(Some(cpu), Some(task), why, operands))
    }

    fn select_idlest(&mut self, cx: &mut Cx<'_>, p: Placing, from: CpuId) -> (CpuId, [i64; 4]) {
        let (mut cpu, mut new) = (from, from);
        let mut chosen = [i64::from(from.0), 0, 0, 0];
        let mut level = self.top_level(cpu, u32::MAX);
        while let Some(at) = level {
            let group = match self.idlest_group(cx, &p, cpu, at) {
                IdlestGroupChoice::Stay(why, operands) => {
                    cx.explain(Some(cpu), Some(p.task), why, operands);
                    level = at.checked_sub(1);
                    continue;
                }
                IdlestGroupChoice::Go(group, why, operands) => {
                    let first = self.domains().groups[group].list.first().copied();
                    cx.explain(first, Some(p.task), why, operands);
                    group
                }
            };
            let (best, [idle_since, load]) = self.idlest_cpu(cx, &p, group, cpu);
            if best == cpu {
                level = at.checked_sub(1);
                continue;
            }
            let weight = self.domains().of[cpu.index()][at].span.count();
            chosen = [i64::from(from.0), idle_since, load, 0];
            (new, cpu) = (best, best);
            level = self.top_level(cpu, weight);
        }
        if !p.allowed.contains(new) {
            new = self.fallback(cx, new, p.task);
        }
        (new, chosen)
    }

    /// The widest domain of a CPU that places new tasks and has fewer CPUs than `below`.
    fn top_level(&self, cpu: CpuId, below: u32) -> Option<usize> {
        let domains = &self.domains().of[cpu.index()];
        domains
            .iter()
            .rposition(|d| d.flags.fork_exec && d.span.count() < below)
    }

    fn idlest_group(
        &mut self,
        cx: &mut Cx<'_>,
        p: &Placing,
        cpu: CpuId,
        level: usize,
    ) -> IdlestGroupChoice {
        self.look_at(cpu, level, cx.now.0);
        let domain = &self.domains().of[cpu.index()][level];
        let mut local: Option<(usize, Stats)> = None;
        let mut idlest: Option<(usize, Stats)> = None;
        for g in domain.groups.iter().copied() {
            let group = &self.domains().groups[g];
            if !group.cpus.intersects(&p.allowed) {
                continue;
            }
            let s = self.stats_without(g, p, domain);
            cx.candidate(
                group.list.first().copied(),
                None,
                signed(s.idle),
                "idle CPUs of the group",
            );
            if group.cpus.contains(cpu) {
                local = Some((g, s));
            } else if idlest.as_ref().is_none_or(|(_, i)| s.is_idler(i)) {
                idlest = Some((g, s));
            }
        }
        let number = i64::try_from(level + 1).unwrap_or(i64::MAX);
        let Some((group, idlest)) = idlest else {
            return IdlestGroupChoice::Stay(Self::REASONS.no_other_group, [number, 0, 0, 0]);
        };
        let Some((own, local)) = local else {
            return IdlestGroupChoice::Go(
                group,
                Self::REASONS.own_group_forbidden,
                [number, 0, 0, 0],
            );
        };
        let kinds = [number, local.kind.number(), idlest.kind.number(), 0];
        match local.kind.cmp(&idlest.kind) {
            std::cmp::Ordering::Less => {
                return IdlestGroupChoice::Stay(Self::REASONS.own_type_lower, kinds);
            }
            std::cmp::Ordering::Greater => {
                return IdlestGroupChoice::Go(group, Self::REASONS.other_type_lower, kinds);
            }
            std::cmp::Ordering::Equal => {}
        }
        match local.kind {
            Kind::Overloaded | Kind::FullyBusy => {
                let pct = domain.imbalance_pct;
                let [l, i] = [local.avg_load, idlest.avg_load];
                let operands = [number, signed(l), signed(i), signed(pct)];
                if stays_by_load(l, i, pct, domain.flags.overlap) {
                    IdlestGroupChoice::Stay(Self::REASONS.not_less_loaded, operands)
                } else {
                    IdlestGroupChoice::Go(group, Self::REASONS.less_loaded, operands)
                }
            }
            Kind::HasSpare => {
                let (mine, other) = (local.idle, idlest.idle);
                if domain.flags.overlap {
                    let here = self.domains().groups[own].cpus.and(&p.allowed).count();
                    let allowed = domain.imb_numa_nr.min(u64::from(here));
                    let tasks = local.nr + 1;
                    if numa_imbalance(mine.abs_diff(other), tasks, allowed) == 0 {
                        let operands = [
                            number,
                            signed(mine.abs_diff(other)),
                            signed(tasks),
                            signed(allowed),
                        ];
                        return IdlestGroupChoice::Stay(Self::REASONS.numa_stays, operands);
                    }
                }
                let operands = [number, signed(mine), signed(other), 0];
                if mine >= other {
                    IdlestGroupChoice::Stay(Self::REASONS.not_more_idle, operands)
                } else {
                    IdlestGroupChoice::Go(group, Self::REASONS.more_idle, operands)
                }
            }
            Kind::Misfit => {
                let operands = [number, signed(local.largest), signed(idlest.largest), 0];
                if local.largest >= idlest.largest {
                    IdlestGroupChoice::Stay(Self::REASONS.no_larger_cpus, operands)
                } else {
                    IdlestGroupChoice::Go(group, Self::REASONS.larger_cpus, operands)
                }
            }
            Kind::Gathers | Kind::Imbalanced | Kind::SmtBalance => {
                IdlestGroupChoice::Stay(Self::REASONS.own_type_lower, kinds)
            }
        }
    }

    /// Statistics of a group without the task that is placed.
    fn stats_without(&self, group: usize, p: &Placing, domain: &Domain) -> Stats {
        let g = &self.domains().groups[group];
        let mut s = Stats {
            capacity: g.power,
            cpus: g.list.len() as u64,
            cores: g.cores,
            largest: g.powers[1],
            ..Stats::default()
        };
        if domain.flags.asym {
            let mut open = g.list.iter().filter(|c| p.allowed.contains(**c));
            s.misfit = u64::from(!open.any(|c| self.task_fits(p.task, *c)));
        }
        for cpu in g.list.iter().copied() {
            let here = p.runs_on == Some(cpu);
            let (load, runnable) = (self.cpu_load(cpu), self.cpu_runnable(cpu));
            if here {
                let own = self.task_avg(p.task).runnable_avg;
                // `lsub_positive`: the task's load is an estimate.
                s.load += load.saturating_sub(p.load);
                s.runnable += runnable.saturating_sub(own);
                s.util += self.cpu_util_without(cpu, p.task);
            } else {
                s.load += load;
                s.runnable += runnable;
                s.util += self.cpu_util(cpu);
            }
            s.tasks += self.fair_tasks(cpu) - u64::from(here);
            let nr = u64::from(self.state().running(cpu)) - u64::from(here);
            s.nr += nr;
            s.idle += u64::from(nr == 0 && (here || self.is_idle(cpu)));
        }
        s.kind = s.classify(
            domain.imbalance_pct,
            self.machine().imbalanced[group],
            false,
        );
        if matches!(s.kind, Kind::Overloaded | Kind::FullyBusy) {
            s.avg_load = s.average();
        }
        s
    }

    /// `cpu_util_without` of a task that runs there.
    fn cpu_util_without(&self, cpu: CpuId, task: TaskId) -> u64 {
        let root = self.root_loads(cpu);
        let own = self.task_avg(task).util_avg;
        // `lsub_positive`
        let util = root.avg.util_avg.saturating_sub(own);
        let estimate = root.util_est.saturating_sub(self.util_est(task));
        util.max(estimate).min(self.domains().power[cpu.index()])
    }

    /// The CPU of a group, the time since which it is idle if it is, and its load.
    fn idlest_cpu(
        &self,
        cx: &mut Cx<'_>,
        p: &Placing,
        group: usize,
        cpu: CpuId,
    ) -> (CpuId, [i64; 2]) {
        let list = &self.domains().groups[group].list;
        let tell = |c: CpuId, since: u64| (c, [signed(since), signed(self.cpu_load(c))]);
        if list.len() == 1 {
            return tell(list[0], 0);
        }
        let displaces = self.displaces(cx, p.task);
        // The exit latency of an idle state, not known for a CPU that has just left it.
        let (mut latest, mut stamp, mut shallowest) = (None, 0, u32::MAX);
        let mut least: Option<(CpuId, u64)> = None;
        for c in list.iter().copied().filter(|c| p.allowed.contains(*c)) {
            if displaces && self.runs_idle_policy_only(c) {
                return tell(c, 0);
            }
            if self.is_idle(c) {
                let since = self.side(c).idle_stamp;
                cx.candidate(Some(c), None, signed(since), "idle since");
                let exit = cx.idle_exit_ns(c).map(|ns| ns / 1_000);
                if let Some(exit) = exit.filter(|exit| *exit < shallowest) {
                    (latest, stamp, shallowest) = (Some(c), since, exit);
                } else if exit.is_none_or(|exit| exit == shallowest) && since > stamp {
                    (latest, stamp) = (Some(c), since);
                }
            } else if latest.is_none() {
                let load = self.cpu_load(c);
                cx.candidate(Some(c), None, signed(load), "load");
                if least.is_none_or(|(_, l)| load < l) {
                    least = Some((c, load));
                }
            }
        }
        tell(latest.or(least.map(|(c, _)| c)).unwrap_or(cpu), stamp)
    }
}

impl<S: Machine> Idlest for S {}

/// Whether a task stays because its own group is not much more loaded than the idlest one. Between nodes it stays even
/// if the other node has no load.
fn stays_by_load(local: u64, idlest: u64, pct: u64, numa: bool) -> bool {
    let imbalance = NICE_0_LOAD * (pct - 100) / 100;
    (numa && idlest + imbalance >= local)
        || idlest >= local + imbalance
        || 100 * local <= pct * idlest
}

#[cfg(test)]
mod tests {
    use super::stays_by_load;

    #[test]
    fn a_group_must_be_a_sixth_ahead() {
        assert!(stays_by_load(1_000, 900, 117, false));
        assert!(!stays_by_load(1_000, 800, 117, false));
        assert!(
            stays_by_load(1_000, 826, 117, true),
            "174 more across nodes"
        );
        assert!(!stays_by_load(1_000, 825, 117, true));
        assert!(stays_by_load(10, 200, 117, false));
    }
}
