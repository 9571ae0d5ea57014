//! The fair class of a release, as the shared rooms see it: its state, and what they ask of it.

use super::tables::Tables;
use sim_contract::Answer;
use sim_contract::cx::Cx;
use sim_contract::decision::{DecisionId, Reason};
use sim_ground::ids::{CpuId, TaskId};
use sim_machine::views::linux::Domains;

/// The scheduler's reasons for the decisions that all releases make.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reasons {
    /// A real-time task preempts: its rank, rank of what runs.
    pub(crate) real_time: Reason,
    /// It does not: the same operands.
    pub(crate) real_time_runs: Reason,
    /// A real-time task goes where the least important task runs: rank of that.
    pub(crate) lowest_priority: Reason,
    /// A turn of `SCHED_RR` ends: ticks of a turn.
    pub(crate) round_robin: Reason,
    /// A task goes to another CPU because it may not run on the one that was chosen.
    pub(crate) fallback: Reason,
    /// Whether that decision has an operand: the CPU.
    pub(crate) fallback_names_cpu: bool,
    /// A task moved because it may no longer run on its CPU.
    pub(crate) affinity_changed: Reason,
    /// A task moved because it runs a new program.
    pub(crate) exec_placement: Reason,
    /// A task moved because of its memory.
    pub(crate) numa_placement: Reason,
}

/// A fair scheduler of Linux.
pub(crate) trait FairClass {
    /// The tables that all releases have.
    type State: Tables;
    /// Its reasons.
    const REASONS: Reasons;

    /// Its state.
    fn state(&self) -> &Self::State;
    /// The same, mutable.
    fn state_mut(&mut self) -> &mut Self::State;
    /// The scheduling domains of the machine.
    fn domains(&self) -> &Domains;
    /// Applies the quiet ticks of a CPU.
    fn catch_up(&mut self, cpu: CpuId, now: u64);
    /// Whether a task that was just enqueued on a CPU preempts the running task there.
    fn check_wakeup(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        task: TaskId,
        fork: bool,
    ) -> Answer<bool>;
    /// Makes a CPU reschedule, unless it is about to.
    fn resched(&mut self, cx: &mut Cx<'_>, cpu: CpuId, why: Option<DecisionId>);

    /// Lets a task that was just enqueued on a CPU preempt there.
    fn may_preempt(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId) {
        let preempts = self.check_wakeup(cx, cpu, task, false);
        if preempts.value {
            self.resched(cx, cpu, preempts.why);
        }
    }
}
