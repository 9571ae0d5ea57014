//! The CPU for a new task, or for one that runs a new program: from the idlest group of the widest domain, domain by
//! domain down to a CPU.
//!
//! | item | kernel function |
//! |---|---|
//! | `select_idlest` | `select_task_rq_fair` (slow path) |
//! | `idlest_group` | `find_idlest_group` |
//! | `idlest_cpu` | `find_idlest_cpu` |

use super::Cfs;
use super::era::Idlest;
use crate::linux::clock::LastTicks;
use crate::linux::signed;
use crate::linux::stopper::Stopper;
use sim_contract::cx::Cx;
use sim_contract::decision::DecisionId;
use sim_contract::decision::Reason;
use sim_ground::ids::{CpuId, CpuMask, TaskId};
use sim_machine::views::linux::FULL_POWER;

impl Cfs {
    /// The CPU for a new task whose parent runs on `from`, or for a task that runs there itself and counts in its load.
    /// The reasons for staying and for moving are recorded.
    pub(super) fn select_idlest(
        &mut self,
        cx: &mut Cx<'_>,
        task: TaskId,
        from: CpuId,
        [stays, goes]: [Reason; 2],
    ) -> (CpuId, DecisionId) {
        let allowed = cx.task(task).allowed;
        let mut cpu = from;
        let mut new = from;
        let mut level = self.top_level(cpu, u32::MAX);
        let mut operands = [0; 4];
        while let Some(at) = level {
            let (group, loads) = self.idlest_group(cx, cpu, at, &allowed);
            operands = loads;
            let Some(group) = group else {
                level = at.checked_sub(1);
                continue;
            };
            let best = self.idlest_cpu(cx, group, cpu, &allowed);
            if best == cpu {
                level = at.checked_sub(1);
                continue;
            }
            let weight = self.topo.of[cpu.index()][at].span.count();
            new = best;
            cpu = best;
            level = self.top_level(cpu, weight);
        }
        if !allowed.contains(new) {
            new = self.fallback(cx, new, task);
        }
        let why = if new == from { stays } else { goes };
        (new, cx.explain(Some(new), Some(task), why, operands))
    }

    /// The widest domain of a CPU that places new tasks and has fewer CPUs than `below`.
    fn top_level(&self, cpu: CpuId, below: u32) -> Option<usize> {
        let domains = &self.topo.of[cpu.index()];
        domains
            .iter()
            .rposition(|d| d.flags.fork_exec && d.span.count() < below)
    }

    /// The group to which the task goes, or `None` if it stays in its own; and the loads that were compared.
    fn idlest_group(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        level: usize,
        allowed: &CpuMask,
    ) -> (Option<usize>, [i64; 4]) {
        let now = cx.now.0;
        let domain = &self.topo.of[cpu.index()][level];
        let factor = 100 + (domain.imbalance_pct - 100) / 2;
        let groups = domain.groups.clone();
        let mut local = 0;
        let mut idlest: Option<(usize, u64)> = None;
        for g in groups {
            let group = &self.topo.groups[g];
            if !group.cpus.intersects(allowed) {
                continue;
            }
            let own = group.cpus.contains(cpu);
            let (list, power) = (group.list.clone(), group.power);
            let mut load = 0;
            for c in &list {
                load += self.load_at(*c, now);
            }
            let average = load * FULL_POWER / power;
            cx.candidate(
                list.first().copied(),
                None,
                signed(average),
                "load of the group",
            );
            if own {
                local = average;
            } else if idlest.is_none_or(|(_, least)| average < least) {
                idlest = Some((g, average));
            }
        }
        let least = idlest.map_or(0, |(_, least)| least);
        let group = idlest.filter(|_| 100 * local >= factor * least);
        let operands = [signed(local), signed(least), signed(factor), 0];
        (group.map(|(g, _)| g), operands)
    }

    fn idlest_cpu(&self, cx: &mut Cx<'_>, group: usize, cpu: CpuId, allowed: &CpuMask) -> CpuId {
        let list = &self.topo.groups[group].list;
        if self.era.idlest == Idlest::LatestIdle && list.len() == 1 {
            return list[0];
        }
        // The exit latency of an idle state, not known for a CPU that has just left it.
        let (mut latest, mut stamp, mut shallowest) = (None, 0, u32::MAX);
        let mut least: Option<(CpuId, u64)> = None;
        for c in list.iter().copied().filter(|c| allowed.contains(*c)) {
            let load = self.weighted_load(c);
            cx.candidate(Some(c), None, signed(load), "load");
            if self.era.idlest == Idlest::LatestIdle && self.idle_cpu(c) {
                let at = self.st.rq(c).idle_stamp;
                let exit = cx.idle_exit_ns(c).map(|ns| ns / 1_000);
                if let Some(exit) = exit.filter(|exit| *exit < shallowest) {
                    (latest, stamp, shallowest) = (Some(c), at, exit);
                } else if exit.is_none_or(|exit| exit == shallowest) && at > stamp {
                    (latest, stamp) = (Some(c), at);
                }
            } else if latest.is_none()
                && least.is_none_or(|(_, l)| load < l || (load == l && c == cpu))
            {
                least = Some((c, load));
            }
        }
        latest.or(least.map(|(c, _)| c)).unwrap_or(cpu)
    }
}
