//! Which group gives tasks, and which of its CPUs.
//!
//! | item | kernel function @ 6.12 |
//! |---|---|
//! | `find_busiest_group` | `sched_balance_find_src_group`, `update_sd_lb_stats`, `update_sg_lb_stats` |
//! | `set_scan_limit` | `update_idle_cpu_scan` |
//! | `find_busiest_queue` | `sched_balance_find_src_rq` |

use super::decide::{Comparison, Migration, Verdict};
use super::groups::{Kind, Stats};
use super::{Attempt, Idleness, signed};
use crate::linux::machine::caches::Gathering;
use crate::linux::machine::capacity::{Fitting, is_greater};
use crate::linux::machine::select::Selects;
use crate::linux::machine::{Machine, SiblingRule};
use crate::linux::tables::Tables;
use sim_contract::cx::Cx;
use sim_ground::ids::CpuId;
use sim_machine::views::linux::FULL_POWER;

/// A scheduler that finds the busiest group and its busiest queue.
pub(crate) trait Busiest: Selects {
    /// The group that gives tasks, with the kind and amount of the move.
    fn find_busiest_group(&mut self, cx: &mut Cx<'_>, a: &mut Attempt) -> Option<usize> {
        let domain = &self.domains().of[a.owner.index()][a.level];
        let pct = domain.imbalance_pct;
        let (rules, count) = (self.tun().rules, domain.groups.len());
        let knows_caches = self.caches().is_some();
        let mut local = Stats::default();
        let mut busiest: Option<(usize, Stats)> = None;
        let (mut load, mut capacity, mut util) = (0, 0, 0);
        let mut overloaded = false;
        for i in 0..count {
            let g = self.domains().of[a.owner.index()][a.level].groups[i];
            let is_local = self.domains().groups[g].cpus.contains(a.cpu);
            let s = self.group_stats(cx, g, a, pct, is_local, &mut overloaded);
            if knows_caches {
                let list = self.domains().groups[g].list.clone();
                self.note_cache(a, &list, (s.util, s.capacity));
            }
            let group = &self.domains().groups[g];
            load += s.load;
            capacity += s.capacity;
            util += s.util;
            let first = group.list.first().copied();
            cx.candidate(first, None, signed(s.nr), "threads of the group");
            if is_local {
                local = s;
            } else if (!self.knows_capacities() || self.may_help(cx, a, (g, &s), &local))
                && s.is_busier(busiest.as_ref().map(|(_, b)| b), rules.smt_balance)
            {
                busiest = Some((g, s));
            }
        }
        let domain = &self.domains().of[a.owner.index()][a.level];
        let (share_cache, numa) = (
            domain.flags.share_cache,
            domain.flags.overlap.then_some(domain.imb_numa_nr),
        );
        if a.level + 1 == self.domains().of[a.owner.index()].len() {
            self.machine_mut().overloaded = overloaded;
        }
        if a.idle != Idleness::New {
            self.set_scan_limit(a, util, pct);
        }
        let Some((group, busiest)) = busiest else {
            let operands = [a.number(), signed(local.nr), signed(local.idle), 0];
            cx.explain(Some(a.cpu), None, Self::REASONS.lb_nobusyg, operands);
            return None;
        };
        let prefer_sibling = match rules.siblings {
            SiblingRule::Cores => self.domains().groups[group].flags.prefer_sibling,
            SiblingRule::Plain => {
                let below = a.level.checked_sub(1);
                below.is_some_and(|l| self.domains().of[a.owner.index()][l].flags.prefer_sibling)
            }
        };
        let comparison = Comparison {
            local,
            busiest,
            average: load * FULL_POWER / capacity.max(1),
            idle: a.idle != Idleness::Busy,
            pct,
            prefer_sibling,
            siblings: rules.siblings,
            share_cache,
            numa,
            level: a.number(),
            why: &Self::REASONS,
            gather: self
                .caches()
                .map_or(Self::REASONS.migrate_task, |c| c.why.group_llc_balance),
        };
        match comparison.decide() {
            Verdict::Balanced(reason, operands) => {
                cx.explain(Some(a.cpu), None, reason, operands);
                None
            }
            Verdict::Move(migration, amount, reason, operands) => {
                (a.migration, a.imbalance) = (migration, signed(amount));
                cx.explain(Some(a.cpu), None, reason, operands);
                Some(group)
            }
        }
    }

    /// The load of the largest task of some CPUs that does not fit, where they stand beside CPUs of other capacities.
    fn largest_misfit(&self, a: &Attempt, cpus: &[CpuId]) -> u64 {
        if !self.domains().of[a.owner.index()][a.level].flags.asym {
            return 0;
        }
        let busy = cpus.iter().copied();
        let busy = busy.filter(|c| a.from.contains(*c) && !self.is_idle(*c));
        busy.map(|c| self.misfit_load(c)).max().unwrap_or(0)
    }

    /// Whether a CPU may take tasks of a group beside CPUs of other capacities. A task that does not fit needs a larger
    /// CPU, and nobody takes from a larger CPU that has no more than it can do.
    fn may_help(&self, cx: &Cx<'_>, a: &Attempt, (g, s): (usize, &Stats), local: &Stats) -> bool {
        if !self.domains().of[a.owner.index()][a.level].flags.asym {
            return true;
        }
        let own = self.capacity(a.cpu);
        let [least, most] = self.domains().groups[g].powers;
        match s.kind {
            Kind::Misfit => {
                let core = cx.machine.sibling_list(a.cpu);
                local.kind == Kind::HasSpare
                    && is_greater(own, most)
                    && core.iter().all(|t| *t == a.cpu || self.is_idle(*t))
            }
            Kind::HasSpare | Kind::FullyBusy => !is_greater(least, own),
            _ => true,
        }
    }

    fn group_stats(
        &self,
        cx: &Cx<'_>,
        group: usize,
        a: &Attempt,
        pct: u64,
        is_local: bool,
        overloaded: &mut bool,
    ) -> Stats {
        let g = &self.domains().groups[group];
        let mut s = Stats {
            capacity: g.power,
            cpus: g.list.len() as u64,
            cores: g.cores,
            is_core: g.flags.share_power,
            largest: g.powers[1],
            ..Stats::default()
        };
        for cpu in g.list.iter().copied().filter(|c| a.from.contains(*c)) {
            s.load += self.cpu_load(cpu);
            s.util += self.cpu_util(cpu);
            s.runnable += self.cpu_runnable(cpu);
            s.tasks += self.fair_tasks(cpu);
            let nr = self.state().running(cpu);
            s.nr += u64::from(nr);
            *overloaded |= nr > 1;
            s.idle += u64::from(self.is_idle(cpu));
        }
        if !is_local && self.knows_capacities() {
            s.misfit = self.largest_misfit(a, &g.list);
            *overloaded |= s.misfit > 0;
        }
        let pulls = !is_local && a.idle != Idleness::Busy && self.tun().rules.smt_balance;
        if !is_local && self.caches().is_some() {
            (s.gatherers, s.gathers) = self.gathers(cx, a, &g.list);
        }
        s.kind = s.classify(pct, self.machine().imbalanced[group], pulls);
        if s.kind == Kind::Overloaded {
            s.avg_load = s.average();
        }
        s
    }

    /// Sets how many CPUs of the cache a wake-up examines from now on.
    fn set_scan_limit(&mut self, a: &Attempt, util: u64, pct: u64) {
        let llc = &self.domains().llc[a.cpu.index()];
        let cpus = u64::from(llc.count());
        if self.tun().sis_util
            && u64::from(self.domains().of[a.owner.index()][a.level].span.count()) == cpus
            && let Some(lowest) = llc.lowest()
        {
            self.machine_mut().caches[lowest.index()].nr_idle_scan = scan_limit(util, cpus, pct);
        }
    }

    /// The CPU of the busiest group that gives tasks.
    fn find_busiest_queue(&self, cx: &mut Cx<'_>, a: &Attempt, group: usize) -> Option<CpuId> {
        let mut best: Option<(CpuId, u64, u64)> = None;
        let domain = &self.domains().of[a.owner.index()][a.level];
        let (span, asym) = (&domain.span, domain.flags.asym);
        let crosses_nodes = !span.is_subset_of(cx.machine.node_cpus(a.owner));
        let list = self.domains().groups[group].list.iter().copied();
        let givers = list.clone().filter(|c| a.from.contains(*c));
        let kind = self.kind_of_group(cx, crosses_nodes, givers);
        for cpu in list {
            let tasks = self.fair_tasks(cpu);
            let last = kind.is_some_and(|k| self.kind_of_queue(cx, cpu) > k);
            if !a.from.contains(cpu) || tasks == 0 || last {
                continue;
            }
            let capacity = self.domains().power[cpu.index()].max(1);
            if asym && tasks == 1 && !is_greater(self.capacity(a.cpu), capacity) {
                continue;
            }
            let (score, per) = match a.migration {
                Migration::Load => {
                    let load = self.cpu_load(cpu);
                    if tasks == 1 && signed(load) > a.imbalance {
                        continue;
                    }
                    (load, capacity)
                }
                Migration::Util if tasks <= 1 => continue,
                Migration::Util => {
                    let waits = self.tun().rules.boosts_util;
                    let more = if waits { self.cpu_runnable(cpu) } else { 0 };
                    let boosted = self.cpu_util(cpu).max(more);
                    (boosted.min(capacity), 1)
                }
                Migration::Tasks => (tasks, 1),
                Migration::Misfit => (self.misfit_load(cpu), 1),
                Migration::Cache => {
                    let cache = self.caches().map(|c| c.of(a.cpu));
                    (cache.map_or(0, |c| self.prefer_cache(cx, cpu, c)), 1)
                }
            };
            cx.candidate(
                Some(cpu),
                None,
                signed(score),
                "load, utilisation or threads",
            );
            let (most, of) = best.map_or((0, 1), |(_, most, of)| (most, of));
            if score * of > most * per {
                best = Some((cpu, score, per));
            }
        }
        if best.is_none() {
            let operands = [a.number(), a.imbalance, 0, 0];
            cx.explain(Some(a.cpu), None, Self::REASONS.lb_nobusyq, operands);
        }
        best.map(|(cpu, ..)| cpu)
    }
}

impl<S: Machine> Busiest for S {}

/// `nr_idle_scan` of a cache with `cpus` CPUs and this utilisation.
fn scan_limit(util: u64, cpus: u64, pct: u64) -> u64 {
    let x = util / cpus.max(1);
    let used = (x * x * pct * pct / (10_000 * FULL_POWER)).min(FULL_POWER);
    (FULL_POWER - used) * cpus / FULL_POWER
}

#[cfg(test)]
mod tests {
    use super::scan_limit;

    /// Fact 84.
    #[test]
    fn a_search_is_given_up_at_85_percent() {
        let of = |util| scan_limit(util, 8, 117);
        assert_eq!([0, 2_048, 4_096, 6_144, 7_000].map(of), [8, 7, 5, 1, 0]);
    }
}
