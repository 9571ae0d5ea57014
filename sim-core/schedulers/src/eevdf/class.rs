//! What EEVDF gives to the parts that the releases share ([`crate::linux`]): its state, its reasons, its acts.

use super::queue::{Entry, Leave};
use super::state::EevdfState;
use super::{Eevdf, reasons};
use crate::linux::class::{FairClass, Reasons};
use crate::linux::numa::{self, Host, Numa};
use crate::linux::stopper::{StopWork, Stopper};
use sim_contract::cx::Cx;
use sim_contract::decision::{DecisionId, Reason};
use sim_contract::{Answer, Persist};
use sim_ground::ids::{CpuId, TaskId};
use sim_machine::views::linux::Domains;

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
        fallback: reasons::FALLBACK,
        fallback_names_cpu: true,
        affinity_changed: reasons::AFFINITY_CHANGED,
        exec_placement: reasons::EXEC_PLACEMENT,
        numa_placement: reasons::NUMA_PLACEMENT,
    };

    fn state(&self) -> &EevdfState {
        &self.st
    }

    fn state_mut(&mut self) -> &mut EevdfState {
        &mut self.st
    }

    fn domains(&self) -> &Domains {
        &self.topo
    }

    fn catch_up(&mut self, cpu: CpuId, now: u64) {
        Self::catch_up(self, cpu, now);
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

    fn load(&self, cpu: CpuId) -> u64 {
        self.st.root(cpu).avg.load_avg
    }

    fn task_load(&mut self, task: TaskId, now: u64) -> u64 {
        self.task_h_load(task, now)
    }

    fn send(&mut self, cx: &mut Cx<'_>, task: TaskId, from: CpuId, to: CpuId, why: DecisionId) {
        let work = StopWork::Memory(task, to, why);
        self.st.rq_mut(from).side.stop.push(work);
        self.resched(cx, from, Some(why));
    }
}

impl Stopper for Eevdf {
    type Push = CpuId;

    fn stop_list(&mut self, cpu: CpuId) -> &mut Vec<StopWork<CpuId>> {
        &mut self.st.rq_mut(cpu).side.stop
    }

    fn push(&mut self, cx: &mut Cx<'_>, src: CpuId, to: CpuId) {
        Self::push(self, cx, src, to);
    }

    /// Takes a waiting or delayed task off its CPU. Its lag and the rest of its request go with it.
    fn detach(&mut self, task: TaskId, now: u64) {
        self.dequeue_task(task, Leave::Moves, now);
        let e = self.st.task(task).se;
        self.st.ent_mut(e).exec_start = 0;
    }

    /// Adds the task to another CPU.
    fn attach(
        &mut self,
        cx: &mut Cx<'_>,
        task: TaskId,
        dst: CpuId,
        cause: Reason,
        why: DecisionId,
    ) {
        self.attach_to(task, dst);
        let e = self.st.task(task).se;
        // A sleeping task is in no queue, as far as others can see.
        if !self.st.ent(e).delayed {
            cx.moved(task, Some(dst), why);
        }
        let t = self.st.task_mut(task);
        (t.why_here, t.moves) = (cause, t.moves + 1);
        self.enqueue_task(task, Entry::Other, cx.now.0);
        self.may_preempt(cx, dst, task);
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
