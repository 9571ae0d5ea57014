//! The tables of a fair scheduler's state: entities, their queues, the CPUs, the tasks.
//!
//! The rows of CFS and EEVDF hold different fields, and their order is the layout of snapshots. Fields that all releases
//! have, have the same names in both; [`tables!`] writes the access to the rows, and to those fields.

use super::lists::TaskLists;
use super::rt::RtQueue;
use sim_contract::decision::Reason;
use sim_ground::ids::{CpuId, TaskId};

/// What all releases keep of a CPU and of a task.
pub(crate) trait Tables: TaskLists {
    /// The running task of a CPU, of any class.
    fn current(&self, cpu: CpuId) -> Option<TaskId>;

    /// The number of runnable tasks of a CPU, of all classes.
    fn running(&self, cpu: CpuId) -> u32;

    /// The same, mutable.
    fn running_mut(&mut self, cpu: CpuId) -> &mut u32;

    /// Whether no task runs or waits on a CPU.
    #[inline]
    fn is_idle(&self, cpu: CpuId) -> bool {
        self.current(cpu).is_none() && self.running(cpu) == 0
    }

    /// The real-time tasks that wait on a CPU.
    fn rt(&self, cpu: CpuId) -> &RtQueue;

    /// The same, mutable.
    fn rt_mut(&mut self, cpu: CpuId) -> &mut RtQueue;

    /// The CPU of a task.
    fn cpu_of(&self, task: TaskId) -> CpuId;

    /// Whether a task is of the real-time class: by its policy, or by what it borrowed.
    fn is_real_time(&self, task: TaskId) -> bool;

    /// Sets that.
    fn set_real_time(&mut self, task: TaskId, is: bool);

    /// Gives a task a CPU, with the reason.
    fn place(&mut self, task: TaskId, cpu: CpuId, why: Reason);

    /// Whether a fair task waits in the queue of a CPU.
    fn waits_on(&self, task: TaskId, cpu: CpuId) -> bool;

    /// The runtime that has been charged to a fair task, and the time up to which it was charged.
    fn charged(&self, task: TaskId) -> (u64, u64);

    /// The fair tasks of a CPU, in the order of its list.
    fn each_fair(&self, cpu: CpuId) -> impl Iterator<Item = TaskId> + '_;

    /// The ticks that are left of a task's turn (round robin).
    fn rr_left(&mut self, task: TaskId) -> &mut u32;

    /// ms as jiffies, rounded up.
    fn ms_to_jiffies(&self, ms: u64) -> u64;
}

/// The access to the tables of a state.
macro_rules! tables {
    ($state:ident: $entity:ident, $queue:ident, $rq:ident, $task:ident) => {
        impl $state {
            #[inline]
            pub(super) fn ent(&self, e: Ent) -> &$entity {
                &self.entities[e as usize]
            }

            #[inline]
            pub(super) fn ent_mut(&mut self, e: Ent) -> &mut $entity {
                &mut self.entities[e as usize]
            }

            #[inline]
            pub(super) fn queue(&self, q: Queue) -> &$queue {
                &self.queues[q as usize]
            }

            #[inline]
            pub(super) fn queue_mut(&mut self, q: Queue) -> &mut $queue {
                &mut self.queues[q as usize]
            }

            #[inline]
            pub(super) fn rq(&self, cpu: CpuId) -> &$rq {
                &self.rqs[cpu.index()]
            }

            #[inline]
            pub(super) fn rq_mut(&mut self, cpu: CpuId) -> &mut $rq {
                &mut self.rqs[cpu.index()]
            }

            /// The root queue of a CPU.
            pub(super) fn root(&self, cpu: CpuId) -> &$queue {
                &self.queues[cpu.index()]
            }

            #[inline]
            pub(super) fn task(&self, task: TaskId) -> &$task {
                let known = self.tasks[task.index()].as_ref();
                known.expect("invariant: a task is created before anything else happens to it")
            }

            pub(super) fn task_mut(&mut self, task: TaskId) -> &mut $task {
                let known = self.tasks[task.index()].as_mut();
                known.expect("invariant: a task is created before anything else happens to it")
            }

            /// Adds an entity.
            pub(super) fn add_entity(&mut self, entity: $entity) -> Ent {
                let e = u32::try_from(self.entities.len()).unwrap_or(NONE);
                self.entities.push(entity);
                self.arena.grow(self.entities.len());
                e
            }

            /// Adds a task.
            pub(super) fn add_task(&mut self, task: TaskId, row: $task) {
                if self.tasks.len() <= task.index() {
                    self.tasks.resize(task.index() + 1, None);
                }
                self.tasks[task.index()] = Some(row);
            }

            /// The entity of a task.
            pub(super) fn se(&self, task: TaskId) -> &$entity {
                self.ent(self.task(task).se)
            }
        }

        impl $crate::linux::lists::TaskLists for $state {
            fn links(&mut self, task: TaskId) -> &mut Links {
                &mut self.task_mut(task).links
            }

            fn ends(&mut self, cpu: CpuId) -> &mut Ends {
                &mut self.rq_mut(cpu).tasks
            }
        }

        impl $crate::linux::tables::Tables for $state {
            #[inline]
            fn current(&self, cpu: CpuId) -> Option<TaskId> {
                self.rq(cpu).curr
            }

            #[inline]
            fn running(&self, cpu: CpuId) -> u32 {
                self.rq(cpu).nr_running
            }

            fn running_mut(&mut self, cpu: CpuId) -> &mut u32 {
                &mut self.rq_mut(cpu).nr_running
            }

            fn rt(&self, cpu: CpuId) -> &RtQueue {
                &self.rq(cpu).rt
            }

            fn rt_mut(&mut self, cpu: CpuId) -> &mut RtQueue {
                &mut self.rq_mut(cpu).rt
            }

            fn cpu_of(&self, task: TaskId) -> CpuId {
                self.task(task).cpu
            }

            fn is_real_time(&self, task: TaskId) -> bool {
                self.task(task).real_time
            }

            fn set_real_time(&mut self, task: TaskId, is: bool) {
                self.task_mut(task).real_time = is;
            }

            fn place(&mut self, task: TaskId, cpu: CpuId, why: Reason) {
                let t = self.task_mut(task);
                (t.cpu, t.why_here) = (cpu, why);
            }

            fn waits_on(&self, task: TaskId, cpu: CpuId) -> bool {
                let t = self.tasks[task.index()].as_ref();
                t.is_some_and(|t| t.cpu == cpu && !t.real_time && self.ent(t.se).on_rq)
            }

            fn charged(&self, task: TaskId) -> (u64, u64) {
                let se = self.se(task);
                (se.sum_exec, se.exec_start)
            }

            fn each_fair(&self, cpu: CpuId) -> impl Iterator<Item = TaskId> + '_ {
                let mut at = self.rq(cpu).tasks.head;
                std::iter::from_fn(move || {
                    let task = (at != NONE).then_some(TaskId(at))?;
                    at = self.task(task).links.older;
                    Some(task)
                })
            }

            fn rr_left(&mut self, task: TaskId) -> &mut u32 {
                &mut self.task_mut(task).rr_left
            }

            fn ms_to_jiffies(&self, ms: u64) -> u64 {
                self.tun.ms_to_jiffies(ms)
            }
        }
    };
}

pub(crate) use tables;
