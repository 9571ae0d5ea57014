//! The stopper of a CPU (`migration_thread`, `migration/N`): moves tasks that cannot move while they run.
//!
//! | item | kernel function |
//! |---|---|
//! | `stop_work` | `migration_thread` @ 2.6.34; `migration_cpu_stop`, `active_load_balance_cpu_stop` since |
//! | `new_affinity` | `set_cpus_allowed_ptr` |
//! | `detach`, `attach`, `migrate` | `detach_task`, `attach_task`, `move_queued_task` |
//! | `fallback` | `select_fallback_rq` |
//!
//! Deviation: the stopper takes no time and is no task.

use super::numa::Host;
use super::rt::RealTime;
use super::tables::Tables;
use serde::{Deserialize, Serialize};
use sim_contract::cx::Cx;
use sim_contract::decision::{DecisionId, Reason};
use sim_ground::ids::{CpuId, TaskId};

/// What the stopper of a CPU must do when the CPU next enters the scheduler.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) enum StopWork<Push> {
    /// Active balance: push one task.
    Push(Push),
    /// This task may no longer run on this CPU.
    Evict(TaskId),
    /// This task runs a new program, and must do so on the given CPU.
    Exec(TaskId, CpuId, DecisionId),
    /// This task goes to the given CPU because of its memory, or in exchange for such a task.
    Memory(TaskId, CpuId, DecisionId),
}

/// A scheduler whose CPUs have stoppers.
pub(crate) trait Stopper: Host {
    /// Active balance: pushes one task of a CPU.
    fn push(&mut self, cx: &mut Cx<'_>, src: CpuId, to: Self::Push);

    /// Takes a waiting task off its CPU.
    fn detach(&mut self, task: TaskId, now: u64);

    /// Adds a detached task to a CPU, where it may preempt.
    fn attach(&mut self, cx: &mut Cx<'_>, task: TaskId, dst: CpuId, cause: Reason, why: DecisionId);

    /// Moves a waiting task to another CPU.
    fn migrate(
        &mut self,
        cx: &mut Cx<'_>,
        task: TaskId,
        dst: CpuId,
        cause: Reason,
        why: DecisionId,
    ) {
        let src = self.state().cpu_of(task);
        self.update_rq_clock(src, cx.now.0);
        self.update_rq_clock(dst, cx.now.0);
        self.detach(task, cx.now.0);
        self.attach(cx, task, dst, cause, why);
        cx.requery(src);
        cx.requery(dst);
    }

    /// The stopper runs: no task is current on the CPU.
    fn stop_work(&mut self, cx: &mut Cx<'_>, cpu: CpuId) {
        for work in std::mem::take(self.stop_list(cpu)) {
            let (task, to, cause) = match work {
                StopWork::Push(to) => {
                    self.push(cx, cpu, to);
                    continue;
                }
                StopWork::Evict(task) => (task, None, Self::REASONS.affinity_changed),
                StopWork::Exec(task, dst, why) => {
                    (task, Some((dst, why)), Self::REASONS.exec_placement)
                }
                StopWork::Memory(task, dst, why) => {
                    self.arrives(task);
                    (task, Some((dst, why)), Self::REASONS.numa_placement)
                }
            };
            if !self.state().waits_on(task, cpu) {
                continue;
            }
            let allowed = cx.task(task).allowed;
            match to {
                None if !allowed.contains(cpu) => self.evict(cx, task),
                Some((dst, why)) if allowed.contains(dst) => {
                    self.migrate(cx, task, dst, cause, why);
                    if matches!(work, StopWork::Memory(..)) {
                        cx.follows_memory(task);
                    }
                }
                _ => {}
            }
        }
    }

    /// Moves a waiting task off a CPU on which it may no longer run.
    fn evict(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        let cpu = self.state().cpu_of(task);
        let dst = self.fallback(cx, cpu, task);
        let operands = [i64::from(cpu.0), 0, 0, 0];
        let why = cx.explain(
            Some(dst),
            Some(task),
            Self::REASONS.set_cpus_allowed,
            operands,
        );
        self.migrate(cx, task, dst, Self::REASONS.affinity_changed, why);
    }

    /// The CPUs on which a task may run have changed.
    fn new_affinity(&mut self, cx: &mut Cx<'_>, task: TaskId, queued: bool) {
        let cpu = self.state().cpu_of(task);
        if cx.task(task).allowed.contains(cpu) {
            return;
        }
        if self.state().current(cpu) == Some(task) {
            self.stop_list(cpu).push(StopWork::Evict(task));
            cx.kick(cpu, None);
        } else if self.state().is_real_time(task) {
            if queued {
                self.move_real_time(cx, task);
            }
        } else if self.state().waits_on(task, cpu) {
            self.evict(cx, task);
        }
    }

    /// A CPU for a task that may not run on the given one: a CPU of the same node, else any that is allowed.
    fn fallback(&self, cx: &Cx<'_>, cpu: CpuId, task: TaskId) -> CpuId {
        let allowed = cx.task(task).allowed;
        let near = cx.machine.node_cpus(cpu).and(&allowed);
        let lowest = near.lowest().or_else(|| allowed.lowest());
        lowest
            .filter(|c| c.index() < cx.machine.cpu_count())
            .unwrap_or(cpu)
    }
}
