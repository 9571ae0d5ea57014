//! `find_busiest_queue`: the CPU of the busiest group from which tasks are pulled.

use super::{Attempt, level_number, signed};
use crate::cfs::era::Balancing;
use crate::cfs::{Cfs, reasons};
use crate::linux::numa::Host;
use sim_contract::cx::Cx;
use sim_ground::ids::CpuId;
use sim_machine::views::linux::FULL_POWER;

impl Cfs {
    pub(super) fn find_busiest_queue(
        &self,
        cx: &mut Cx<'_>,
        a: &Attempt,
        group: usize,
    ) -> Option<CpuId> {
        let mut best: Option<(CpuId, u64)> = None;
        let span = &self.topo.of[a.cpu.index()][a.level].span;
        let crosses_nodes = !span.is_subset_of(cx.machine.node_cpus(a.cpu));
        let list = self.topo.groups[group].list.iter().copied();
        let givers = list.filter(|c| a.from.contains(*c));
        let kind = self.kind_of_group(cx, crosses_nodes, givers);
        for cpu in self.topo.groups[group].list.iter().copied() {
            if !a.from.contains(cpu) || kind.is_some_and(|k| self.kind_of_queue(cx, cpu) > k) {
                continue;
            }
            let power = self.topo.power[cpu.index()];
            let load = self.weighted_load(cpu);
            // 2.6.34 rounds the capacity of a CPU to whole tasks.
            let counts = match self.era.balancing {
                Balancing::Capacity => (power + FULL_POWER / 2) / FULL_POWER > 0,
                Balancing::GroupTypes | Balancing::Shared => true,
            };
            if counts && self.st.rq(cpu).nr_running == 1 && load > a.imbalance {
                continue;
            }
            let scaled = load * FULL_POWER / power.max(1);
            cx.candidate(Some(cpu), None, signed(scaled), "load / power");
            if scaled > best.map_or(0, |(_, l)| l) {
                best = Some((cpu, scaled));
            }
        }
        if best.is_none() {
            let operands = [level_number(a), signed(a.imbalance), 0, 0];
            cx.explain(Some(a.cpu), None, reasons::LB_NOBUSYQ, operands);
        }
        best.map(|(cpu, _)| cpu)
    }
}
