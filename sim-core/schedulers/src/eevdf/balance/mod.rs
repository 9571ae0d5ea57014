//! Balancing, as far as a first version needs it: a CPU that becomes idle takes a waiting task from the CPU with the most.

mod state;

use super::{Eevdf, reasons};
use crate::linux::lists::TaskLists;
use crate::linux::tree::NONE;
use sim_contract::cx::Cx;
use sim_ground::ids::{CpuId, TaskId};

pub(super) use state::{CpuSide, MachineSide, StopWork};

impl Eevdf {
    pub(super) fn start_balance(&mut self, _: &Cx<'_>) {}

    /// A CPU is about to become idle. Whether something was pulled.
    pub(super) fn newidle_balance(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> bool {
        self.st.rq_mut(cpu).side.idle_stamp = cx.now.0.max(1);
        let most = cx
            .machine
            .cpu_ids()
            .max_by_key(|c| self.st.rq(*c).nr_running);
        let Some(src) = most.filter(|c| self.st.rq(*c).nr_running > 1) else {
            return false;
        };
        self.catch_up(src, cx.now.0);
        let mut at = self.st.ends(src).tail;
        while at != NONE {
            let task = TaskId(at);
            at = self.st.links(task).newer;
            let waits = self.st.rq(src).curr != Some(task) && !self.st.se(task).delayed;
            if waits && cx.task(task).allowed.contains(cpu) {
                let operands = [i64::from(src.0), 0, 0, 0];
                let why = cx.explain(Some(cpu), Some(task), reasons::TAKEN, operands);
                self.migrate(cx, task, cpu, reasons::NEWIDLE_BALANCE, why);
                self.st.machine.counters.pulled += 1;
                return true;
            }
        }
        false
    }

    pub(super) fn balance_tick(&mut self, _: &mut Cx<'_>, _: CpuId) {}

    pub(super) fn balance_matters_at(&self, _: CpuId) -> Option<u64> {
        None
    }

    pub(super) fn nohz_balance(&mut self, _: &mut Cx<'_>, _: CpuId) {}

    pub(super) fn goes_idle(&mut self, _: &mut Cx<'_>, _: CpuId) {}

    pub(super) fn leaves_idle(&mut self, _: &mut Cx<'_>, _: CpuId) {}

    pub(super) fn note_arrival(&mut self, _: CpuId) {}

    /// What the stopper of a CPU was asked to do.
    pub(super) fn stop_work(&mut self, cx: &mut Cx<'_>, cpu: CpuId) {
        for work in std::mem::take(&mut self.st.rq_mut(cpu).side.stop) {
            match work {
                StopWork::Evict(task) => {
                    let here = self.st.task(task).cpu == cpu && self.st.se(task).on_rq;
                    if here && !cx.task(task).allowed.contains(cpu) {
                        let dst = self.fallback(cx, cpu, task);
                        let why = cx.explain(Some(dst), Some(task), reasons::FALLBACK, [0; 4]);
                        self.migrate(cx, task, dst, reasons::AFFINITY_CHANGED, why);
                    }
                }
                StopWork::Exec(task, dst, why) => {
                    let here = self.st.task(task).cpu == cpu && self.st.se(task).on_rq;
                    if here && cx.task(task).allowed.contains(dst) {
                        self.migrate(cx, task, dst, reasons::EXEC_PLACEMENT, why);
                    }
                }
            }
        }
    }
}
