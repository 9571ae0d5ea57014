//! The choice of a CPU for a task: at its wake-up, at fork, and when it runs a new program.
//!
//! | item | kernel function @ 6.12 |
//! |---|---|
//! | [`wake`] | `select_task_rq_fair` (fast path), `wake_affine` |
//! | [`idle`] | `select_idle_sibling` and its helpers |
//! | [`idlest`] | `sched_balance_find_dst_cpu` (slow path: fork and exec) |
//!
//! This file: the questions about CPUs that all of them ask.

mod idle;
mod idlest;
mod wake;

pub(crate) use idle::IdleSearch;
pub(crate) use idlest::Idlest;
pub(crate) use wake::WakePlacing;

use super::Machine;
use crate::linux::signed;
use crate::linux::stopper::StopWork;
use crate::linux::tables::Tables;
use sim_contract::cx::Cx;
use sim_contract::decision::DecisionId;
use sim_contract::flags::{EnqueueFlags, Policy};
use sim_ground::ids::{CpuId, TaskId};

/// A scheduler that chooses CPUs for its tasks.
pub(crate) trait Selects: Machine {
    /// The CPU of a task that is not queued.
    fn choose_cpu(
        &mut self,
        cx: &mut Cx<'_>,
        task: TaskId,
        flags: EnqueueFlags,
    ) -> (CpuId, DecisionId) {
        let own = self.state().cpu_of(task);
        let sync = flags == EnqueueFlags::SyncWakeup;
        match flags {
            EnqueueFlags::New => self.select_at_fork(cx, task, own),
            EnqueueFlags::Wakeup | EnqueueFlags::SyncWakeup | EnqueueFlags::Change => {
                self.select_wake(cx, task, cx.cpu.unwrap_or(own), sync)
            }
        }
    }

    /// `sched_exec`: the task has no data in caches, so it can move without loss. Real-time tasks stay.
    fn choose_at_exec(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId) {
        if self.state().is_real_time(task) {
            return;
        }
        let (dst, why) = self.select_at_exec(cx, task, cpu);
        if dst != cpu {
            let work = StopWork::Exec(task, dst, why);
            self.stop_list(cpu).push(work);
            cx.kick(cpu, why);
        }
    }

    /// `idle_cpu`: no task runs or waits there.
    #[inline]
    fn is_idle(&self, cpu: CpuId) -> bool {
        self.state().is_idle(cpu)
    }

    /// `sched_idle_cpu`: it has tasks, all of the policy `SCHED_IDLE`.
    fn runs_idle_policy_only(&self, cpu: CpuId) -> bool {
        let tasks = self.state().running(cpu);
        tasks > 0 && tasks == self.tasks_of(cpu).idle
    }

    /// Whether a CPU is idle, or runs only tasks of the policy `SCHED_IDLE` and a task displaces these.
    fn is_free(&self, cpu: CpuId, displaces: bool) -> bool {
        self.is_idle(cpu) || (displaces && self.runs_idle_policy_only(cpu))
    }

    /// Whether a task displaces tasks of the policy `SCHED_IDLE` (`choose_sched_idle_rq`). Before 7.2 even those of this policy
    /// took their CPUs for idle ones.
    fn displaces(&self, cx: &Cx<'_>, task: TaskId) -> bool {
        !self.tun().idle_wakee_spreads || cx.task(task).policy != Policy::Idle
    }

    /// `cpu_load`: average of the load, including that of sleeping tasks.
    fn cpu_load(&self, cpu: CpuId) -> u64 {
        self.root_loads(cpu).avg.load_avg
    }

    /// `cpu_runnable`.
    fn cpu_runnable(&self, cpu: CpuId) -> u64 {
        self.root_loads(cpu).avg.runnable_avg
    }

    /// `cpu_util_cfs`: the utilisation that is measured or expected.
    fn cpu_util(&self, cpu: CpuId) -> u64 {
        let root = self.root_loads(cpu);
        let estimate = if self.tun().util_est {
            root.util_est
        } else {
            0
        };
        let util = root.avg.util_avg.max(estimate);
        util.min(self.domains().power[cpu.index()])
    }

    /// Fair tasks of a CPU as balancing counts them: delayed ones included, or since 6.14 not.
    fn fair_tasks(&self, cpu: CpuId) -> u64 {
        let tasks = self.tasks_of(cpu);
        u64::from(if self.tun().counts_runnable {
            tasks.runnable
        } else {
            tasks.queued
        })
    }
}

impl<S: Machine> Selects for S {}
