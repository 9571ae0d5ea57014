//! `find_busiest_queue`: the CPU of the busiest group that gives tasks.

use super::{Attempt, level_number, signed};
use crate::cfs::era::Balancing;
use crate::cfs::{Cfs, reasons};
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
        for cpu in self.topo.groups[group].list.iter().copied() {
            if !a.from.contains(cpu) {
                continue;
            }
            let power = self.topo.power[cpu.index()];
            let load = self.weighted_load(cpu);
            // 2.6.34 rounds the capacity of a CPU to whole tasks.
            let counts = match self.era.balancing {
                Balancing::Capacity => (power + FULL_POWER / 2) / FULL_POWER > 0,
                Balancing::GroupTypes => true,
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
            cx.explain(Some(a.cpu), None, reasons::NO_BUSIEST_QUEUE, operands);
        }
        best.map(|(cpu, _)| cpu)
    }
}
