//! Which CPU a task gets, as far as a first version needs it: the previous one if that is idle, else the first idle one.

use super::{Eevdf, reasons};
use sim_contract::cx::Cx;
use sim_contract::decision::DecisionId;
use sim_contract::flags::EnqueueFlags;
use sim_ground::ids::{CpuId, TaskId};

impl Eevdf {
    /// `select_task_rq_fair` of a task that is not queued.
    pub(super) fn choose_cpu(
        &mut self,
        cx: &mut Cx<'_>,
        task: TaskId,
        _: EnqueueFlags,
    ) -> (CpuId, DecisionId) {
        let prev = self.st.task(task).cpu;
        let allowed = cx.task(task).allowed;
        let idle = |c: &CpuId| allowed.contains(*c) && self.is_idle(*c);
        let first = cx.machine.cpu_ids().find(|c| idle(c));
        let (cpu, why) = if idle(&prev) {
            (prev, reasons::PREV_IDLE)
        } else if let Some(first) = first {
            (first, reasons::IDLE_CPU)
        } else if allowed.contains(prev) {
            (prev, reasons::NONE_IDLE)
        } else {
            (self.fallback(cx, prev, task), reasons::FALLBACK)
        };
        (cpu, cx.explain(Some(cpu), Some(task), why, [0; 4]))
    }

    pub(super) fn choose_at_exec(&mut self, _: &mut Cx<'_>, _: CpuId, _: TaskId) {}

    /// `idle_cpu`: nothing runs and nothing waits.
    #[inline]
    pub(super) fn is_idle(&self, cpu: CpuId) -> bool {
        let rq = self.st.rq(cpu);
        rq.curr.is_none() && rq.nr_running == 0
    }

    /// `select_fallback_rq`: a CPU of the same node, else any that is allowed.
    pub(super) fn fallback(&self, cx: &Cx<'_>, cpu: CpuId, task: TaskId) -> CpuId {
        let allowed = cx.task(task).allowed;
        let near = cx.machine.node_cpus(cpu).and(&allowed);
        let lowest = near.lowest().or_else(|| allowed.lowest());
        lowest
            .filter(|c| c.index() < self.st.rqs.len())
            .unwrap_or(cpu)
    }
}
