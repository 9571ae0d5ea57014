//! The kernel: tasks, who runs where, what threads wait for, and the sequences in which the scheduler's hooks are called.
//!
//! What a sequence needs of time, hardware and totals it asks of their owners, or tells them.

mod answers;
mod channels;
mod check;
mod data;
mod dispatch;
mod edits;
mod fault;
mod fits;
mod fork_exit;
pub(super) mod jobs;
mod lending;
mod lines;
pub(super) mod locks;
mod pause;
mod progress;
mod requests;
mod rest;
mod speeds;
mod switch;
mod sync;
mod task;
mod ticks;
mod waste;

pub use fault::SchedulerFault;
pub(super) use task::Task;
pub use task::TaskState;

use jobs::JobLine;
use lines::Channels;
use locks::Lock;
use pause::Stop;
use serde::{Deserialize, Serialize};
use sim_config::plan::Plan;
use sim_contract::cx::TaskInfo;
use sim_contract::flags::LockScope;
use sim_ground::ids::{CpuId, CpuMask, TaskId};
use sim_ground::rng::Rng;

/// The state of the mechanism: which tasks run, wait and sleep, and what they wait for. It contains no policy.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Kernel {
    tasks: Vec<Task>,
    infos: Vec<TaskInfo>,
    /// Number of threads that each group has had.
    group_sizes: Vec<u32>,
    /// Threads of each group that have not ended.
    group_alive: Vec<u32>,
    channels: Channels,
    /// The jobs of each group, where jobs arrive by themselves.
    jobs: Vec<Option<JobLine>>,
    curr: Vec<Option<TaskId>>,
    /// CPUs whose `need_resched` is set.
    flagged: CpuMask,
    /// Number of edits whose time has come.
    edits_done: u32,
    /// Numbers of the edits among them that wait for a thread which has not been forked yet.
    edits_waiting: Vec<u32>,
    sched_rng: Rng,
    peer_rng: Rng,
    locks: Vec<Lock>,
    /// Workload tasks that have not ended.
    alive: u32,
    /// Whether the run has ended: all workload tasks have ended and the scenario ends with them, or the scheduler gave
    /// a wrong answer.
    finished: bool,
    /// The wrong answer that ended the run.
    fault: Option<SchedulerFault>,
    /// Grows when tasks are added; readers that keep names compare it.
    layout_revision: u32,
}

/// What hooks see of the kernel.
pub(super) struct Seen<'a> {
    pub(super) infos: &'a [TaskInfo],
    pub(super) curr: &'a [Option<TaskId>],
    pub(super) flagged: &'a CpuMask,
    pub(super) rng: &'a mut Rng,
}

impl Kernel {
    pub(super) fn new(plan: &Plan, locks: LockScope) -> Self {
        let cpus = plan.machine.cpu_count();
        Self {
            tasks: Vec::new(),
            infos: Vec::new(),
            group_sizes: vec![0; plan.groups.len()],
            group_alive: vec![0; plan.groups.len()],
            channels: Channels::new(),
            jobs: Vec::new(),
            curr: vec![None; cpus],
            flagged: CpuMask::EMPTY,
            edits_done: 0,
            edits_waiting: Vec::new(),
            sched_rng: Rng::stream(plan.seed, "scheduler", 0),
            peer_rng: Rng::stream(plan.seed, "peer", 0),
            locks: Lock::of_scope(locks, cpus),
            alive: 0,
            finished: false,
            fault: None,
            layout_revision: 0,
        }
    }

    /// What hooks see, with the scheduler's own stream of random numbers.
    #[inline]
    pub(super) fn seen(&mut self) -> Seen<'_> {
        Seen {
            infos: &self.infos,
            curr: &self.curr,
            flagged: &self.flagged,
            rng: &mut self.sched_rng,
        }
    }

    #[inline]
    pub(super) fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    #[inline]
    pub(super) fn task(&self, task: TaskId) -> &Task {
        &self.tasks[task.index()]
    }

    #[inline]
    pub(super) fn task_mut(&mut self, task: TaskId) -> &mut Task {
        &mut self.tasks[task.index()]
    }

    /// What schedulers know of each task.
    #[inline]
    pub(super) fn infos(&self) -> &[TaskInfo] {
        &self.infos
    }

    #[inline]
    pub(super) fn info(&self, task: TaskId) -> &TaskInfo {
        &self.infos[task.index()]
    }

    /// The running task of each CPU.
    #[inline]
    pub(super) fn on_cpus(&self) -> &[Option<TaskId>] {
        &self.curr
    }

    /// The running task of a CPU.
    #[inline]
    pub(super) fn curr(&self, cpu: CpuId) -> Option<TaskId> {
        self.curr[cpu.index()]
    }

    /// Whether a CPU has a task.
    #[inline]
    pub(super) fn is_busy(&self, cpu: CpuId) -> bool {
        self.curr[cpu.index()].is_some()
    }

    /// Whether a CPU is signalled.
    #[inline]
    pub(super) fn is_flagged(&self, cpu: CpuId) -> bool {
        self.flagged.contains(cpu)
    }

    /// Whether a task has been asked to stop and not resumed.
    pub(super) fn is_stopped(&self, task: TaskId) -> bool {
        self.task(task).stop != Stop::No
    }

    /// Whether a task waits for a CPU.
    #[inline]
    pub(super) fn waits(&self, task: TaskId) -> bool {
        self.task(task).state == TaskState::Queued
    }

    /// The CPU whose timer wakes a task; `None` if it does not sleep, or something else wakes it.
    #[inline]
    pub(super) fn timer_cpu(&self, task: TaskId) -> Option<CpuId> {
        let t = self.task(task);
        (t.state == TaskState::Sleeping && t.wake_by_timer).then_some(t.wake_cpu)
    }

    /// Whether the run has ended.
    #[inline]
    pub(super) fn is_finished(&self) -> bool {
        self.finished
    }

    /// Number of edits whose time has come.
    pub(super) fn edits_done(&self) -> usize {
        self.edits_done as usize
    }

    /// Grows when tasks are added.
    pub(super) fn layout_revision(&self) -> u32 {
        self.layout_revision
    }

    /// Goes on from a snapshot that fits.
    pub(super) fn restore(&mut self, saved: Self) {
        // Readers that keep names must read them again after a jump in either direction.
        let layout_revision = self.layout_revision.max(saved.layout_revision);
        *self = Self {
            layout_revision,
            ..saved
        };
    }

    /// A task in a digest: what it is doing, and whether it is stopped.
    pub(super) fn digest_word(&self, task: TaskId) -> u64 {
        let t = self.task(task);
        t.state as u64 | (t.stop as u64) << 8
    }
}
