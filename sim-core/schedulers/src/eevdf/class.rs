//! What EEVDF gives to the parts that the releases share ([`crate::linux`]): its state, its reasons, its acts.

use super::balance::StopWork;
use super::state::EevdfState;
use super::{Eevdf, reasons};
use crate::linux::class::{FairClass, Reasons};
use crate::linux::numa::{self, Host, Numa};
use crate::linux::tree::NONE;
use sim_contract::cx::Cx;
use sim_contract::decision::DecisionId;
use sim_contract::{Answer, Persist};
use sim_ground::ids::{CpuId, TaskId};

/// The reasons of EEVDF for the decisions of NUMA balancing.
pub(super) const NUMA_REASONS: numa::Reasons = numa::Reasons {
    scan: reasons::NUMA_SCAN,
    pages_moved: reasons::NUMA_PAGES_MOVED,
    pages_refused: reasons::NUMA_PAGES_REFUSED,
    pages_failed: reasons::NUMA_PAGES_FAILED,
    preferred: reasons::NUMA_PREFERRED,
    migrate: reasons::NUMA_MIGRATE,
    swap: reasons::NUMA_SWAP,
    stays: reasons::NUMA_NO_PLACE,
};

impl FairClass for Eevdf {
    type State = EevdfState;
    const REASONS: Reasons = Reasons {
        real_time: reasons::REAL_TIME,
        real_time_runs: reasons::REAL_TIME_RUNS,
        lowest_priority: reasons::LOWEST_PRIORITY,
        round_robin: reasons::ROUND_ROBIN,
        affinity_changed: reasons::AFFINITY_CHANGED,
    };

    fn state(&self) -> &EevdfState {
        &self.st
    }

    fn state_mut(&mut self) -> &mut EevdfState {
        &mut self.st
    }

    fn check_wakeup(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        task: TaskId,
        fork: bool,
    ) -> Answer<bool> {
        Self::check_wakeup(self, cx, cpu, task, fork)
    }

    fn resched(&mut self, cx: &mut Cx<'_>, cpu: CpuId, why: Option<DecisionId>) {
        Self::resched(self, cx, cpu, why);
    }
}

impl Host for Eevdf {
    fn numa(&self) -> Option<&Numa> {
        self.numa.as_ref()
    }

    fn numa_mut(&mut self) -> &mut Option<Numa> {
        &mut self.numa
    }

    fn catch_up(&mut self, cpu: CpuId, now: u64) {
        Self::catch_up(self, cpu, now);
    }

    fn running(&self, cpu: CpuId) -> u64 {
        u64::from(self.st.rq(cpu).nr_running)
    }

    fn current(&self, cpu: CpuId) -> Option<TaskId> {
        self.st.rq(cpu).curr
    }

    fn is_idle(&self, cpu: CpuId) -> bool {
        Self::is_idle(self, cpu)
    }

    fn is_fair(&self, task: TaskId) -> bool {
        !self.st.task(task).real_time
    }

    fn load(&self, cpu: CpuId) -> u64 {
        self.st.root(cpu).avg.load_avg
    }

    fn capacity(&self, cpu: CpuId) -> u64 {
        self.topo.power[cpu.index()]
    }

    fn task_load(&mut self, task: TaskId, now: u64) -> u64 {
        self.task_h_load(task, now)
    }

    fn charged(&self, task: TaskId) -> (u64, u64) {
        let se = self.st.se(task);
        (se.sum_exec, se.exec_start)
    }

    fn each_fair(&self, cpu: CpuId) -> impl Iterator<Item = TaskId> + '_ {
        let mut at = self.st.rq(cpu).tasks.head;
        std::iter::from_fn(move || {
            let task = (at != NONE).then_some(TaskId(at))?;
            at = self.st.task(task).links.older;
            Some(task)
        })
    }

    fn send(&mut self, cx: &mut Cx<'_>, task: TaskId, from: CpuId, to: CpuId, why: DecisionId) {
        let work = StopWork::Memory(task, to, why);
        self.st.rq_mut(from).side.stop.push(work);
        self.resched(cx, from, Some(why));
    }
}

impl Persist for Eevdf {
    fn save(&self) -> Vec<u8> {
        numa::save(&self.st, self.numa.as_ref())
    }

    fn load(&mut self, bytes: &[u8]) -> bool {
        let Some(st) = numa::load(bytes, self.numa.as_mut()) else {
            return false;
        };
        self.st = st;
        true
    }
}
