//! The context of a hook: what the hook may read, and what it may ask for.

use super::decision::{Candidate, DecisionId, DecisionLog, Level, ProgramCall, Reason};
use super::flags::{Policy, TimerId};
use super::memory::Memory;
use serde::{Deserialize, Serialize};
use sim_ground::ids::{CpuId, CpuMask, GroupId, TaskId};
use sim_ground::rng::Rng;
use sim_ground::time::SimTime;
use sim_machine::Machine;

/// What a scheduler may know of a task besides its own state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TaskInfo {
    /// Its group.
    pub group: GroupId,
    /// The process (address space) that it belongs to. Groups that name the same process share it.
    pub process: u32,
    /// Nice value, already clamped to the scheduler's range.
    pub nice: i8,
    /// Policy.
    pub policy: Policy,
    /// Real-time priority, 1 to 99, for real-time policies.
    pub rt_priority: u8,
    /// The slice that it asks for, in ns (`sched_attr::sched_runtime` of a fair task); 0 if it asks for none.
    pub slice_ns: u64,
    /// Hard affinity.
    pub allowed: CpuMask,
    /// The CPU on which it runs or last ran. Before its first run: the CPU of its parent.
    pub last_cpu: CpuId,
    /// The task that created it, if that task is simulated.
    pub parent: Option<TaskId>,
    /// Whether it is a background task: not part of the measured workload.
    pub background: bool,
    /// Whether it is a kernel thread that is bound to one CPU and woken by its interrupts (`background.kernelThreads`):
    /// an interrupt thread on FreeBSD, an ordinary kernel thread on Linux.
    pub kernel_thread: bool,
}

/// Requests of a hook to the engine. The engine carries them out when the hook has returned.
#[derive(Debug, Default)]
pub struct Requests {
    /// CPUs to signal, in order, and why.
    pub kicks: Vec<(CpuId, Option<DecisionId>)>,
    /// Tasks that were put into another queue, in order.
    pub moves: Vec<QueueMove>,
    /// CPUs whose `quiet_until` may have changed.
    pub requery: Vec<CpuId>,
    /// Timers to arm: number and time.
    pub timers: Vec<(TimerId, SimTime)>,
    /// Queues whose locks the hook took besides those of its own sequence.
    pub locked: Vec<CpuId>,
    /// Memory to mark.
    pub marks: Vec<Marking>,
    /// Tasks that go to another node because of where their memory lies.
    pub to_memory: Vec<TaskId>,
    /// Ends the lane.
    pub stop: Option<Stop>,
}

/// A request to end the lane, because the scheduler cannot go on: what a user wrote for it is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The hook that could not answer.
    pub hook: &'static str,
    /// The task that it was about.
    pub task: Option<TaskId>,
    /// The CPU that it was about.
    pub cpu: Option<CpuId>,
    /// What is wrong, in a sentence. `{task N}` in it becomes the name of task N.
    pub sentence: String,
}

/// A request to mark pages of a process: `part` of its `whole`. `by` pays for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marking {
    /// The running task that marks the pages and pays. The pages are those of all tasks of its process.
    pub by: TaskId,
    /// How many pages to mark.
    pub part: u64,
    /// Number of pages of which `part` are marked.
    pub whole: u64,
    /// Pages that one entry of a page table maps: one fault covers all of them.
    pub per_fault: u64,
}

impl Requests {
    /// Whether the hook asked for nothing.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        // The fields are listed one by one: a new kind of request does not compile until it is added here.
        let Self {
            kicks,
            moves,
            requery,
            timers,
            locked,
            marks,
            to_memory,
            stop,
        } = self;
        kicks.is_empty()
            && moves.is_empty()
            && requery.is_empty()
            && timers.is_empty()
            && locked.is_empty()
            && marks.is_empty()
            && to_memory.is_empty()
            && stop.is_none()
    }
}

/// A task that waits was put into another queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueMove {
    /// The task.
    pub task: TaskId,
    /// The CPU whose queue it is in now; `None` for the queue of all CPUs.
    pub to: Option<CpuId>,
    /// The decision about this task that moved it.
    pub why: DecisionId,
}

/// No idle state ([`Cx::idle_exits`]).
pub const NO_EXIT: u32 = u32::MAX;

/// The context of a hook call.
pub struct Cx<'a> {
    /// Simulated time.
    pub now: SimTime,
    /// The CPU on which the kernel code runs, if it is one of the machine.
    pub cpu: Option<CpuId>,
    /// The CPU whose turn it is at this instant, where CPUs tick in turns. CPUs that come later have not ticked yet.
    pub turn: Option<CpuId>,
    /// Whether that code is an interrupt (an expired timer, a device) and not the task that runs on the CPU.
    pub interrupt: bool,
    /// The machine.
    pub machine: &'a Machine,
    /// All tasks ever created, by id.
    pub tasks: &'a [TaskInfo],
    /// The memory of each task, by id.
    pub memory: &'a [Memory],
    /// The running task of each CPU.
    pub curr: &'a [Option<TaskId>],
    /// CPUs whose `need_resched` is set.
    pub flagged: &'a CpuMask,
    /// Exit latency of the idle state of each CPU, in ns; [`NO_EXIT`] for a CPU that is in none, or whose state is not
    /// known. Up to date when a task begins or runs a new program.
    pub idle_exits: &'a [u32],
    /// The scheduler's own random stream.
    pub rng: &'a mut Rng,
    /// What this hook has asked for so far. The engine reads it; a scheduler asks through the methods below.
    pub requests: &'a mut Requests,
    /// Record of decisions; [`explain`](Cx::explain) writes to it.
    pub log: &'a mut DecisionLog,
}

impl Cx<'_> {
    /// A task.
    #[must_use]
    #[inline]
    pub fn task(&self, task: TaskId) -> &TaskInfo {
        &self.tasks[task.index()]
    }

    /// Exit latency of the idle state that a CPU is in (`idle_get_state`), in ns.
    #[must_use]
    pub fn idle_exit_ns(&self, cpu: CpuId) -> Option<u32> {
        self.idle_exits
            .get(cpu.index())
            .copied()
            .filter(|ns| *ns != NO_EXIT)
    }

    /// Takes the lock of another CPU's queue too (stealing, balancing). This costs time if the lock is contended or far
    /// away. Quiet ticks must not call it.
    pub fn lock(&mut self, queue: CpuId) {
        self.requests.locked.push(queue);
    }

    /// Asks that a CPU enter the scheduler (kernel: `resched_task`, reschedule interrupt), because of a decision. Does
    /// nothing if it is signalled already.
    pub fn kick(&mut self, cpu: CpuId, why: impl Into<Option<DecisionId>>) {
        self.requests.kicks.push((cpu, why.into()));
    }

    /// Reports that a task was put into another queue than the one for which it was placed, without running in between:
    /// it was stolen, balanced, or may not stay. This decision then explains why the task is on that CPU.
    pub fn moved(&mut self, task: TaskId, to: Option<CpuId>, why: DecisionId) {
        self.requests.moves.push(QueueMove { task, to, why });
    }

    /// Reports that ticks on this CPU may matter earlier or later than `quiet_until` said.
    pub fn requery(&mut self, cpu: CpuId) {
        self.requests.requery.push(cpu);
    }

    /// Marks a part of the memory of a running task's process, evenly, so that the next use of each page is a hinting
    /// fault. The running task pays for it.
    pub fn mark_pages(&mut self, marking: Marking) {
        self.requests.marks.push(marking);
    }

    /// Reports that a task goes to another node because of its memory. The engine counts these moves.
    pub fn follows_memory(&mut self, task: TaskId) {
        self.requests.to_memory.push(task);
    }

    /// Ends this lane as soon as the hook has returned; others go on. Until then hooks must answer as always. Of several
    /// requests the first counts.
    pub fn stop(&mut self, stop: Stop) {
        self.requests.stop.get_or_insert(stop);
    }

    /// Arms one of the scheduler's timers. If the timer is armed already, its time changes.
    pub fn arm(&mut self, timer: TimerId, at: SimTime) {
        self.requests.timers.push((timer, at));
    }

    /// Whether candidates are recorded.
    #[must_use]
    #[inline]
    pub fn explaining(&self) -> bool {
        self.log.level == Level::Full
    }

    /// Records a candidate, for the next [`Cx::explain`].
    pub fn candidate(
        &mut self,
        cpu: Option<CpuId>,
        task: Option<TaskId>,
        score: i64,
        note: &'static str,
    ) {
        if self.explaining() {
            self.log.candidate(Candidate {
                cpu,
                task,
                application: false,
                score,
                note,
                chosen: false,
            });
        }
    }

    /// Records the application of a task as a candidate.
    pub fn candidate_application(&mut self, task: TaskId, score: i64, note: &'static str) {
        if self.explaining() {
            self.log.candidate(Candidate {
                cpu: None,
                task: Some(task),
                application: true,
                score,
                note,
                chosen: false,
            });
        }
    }

    /// Says in words why the next decision is made, for [`Cx::explain`]. `{task N}` in it becomes the name of task N. Kept
    /// where candidates are.
    pub fn say(&mut self, said: impl FnOnce() -> String) {
        if self.explaining() {
            self.log.say(said());
        }
    }

    /// Keeps a call of the scheduler's program for the next decision of this instant, where candidates are kept.
    pub fn called(&mut self, call: ProgramCall) {
        if self.explaining() {
            self.log.called(self.now, call);
        }
    }

    /// Adds a call of the scheduler's program to the latest decision of this instant.
    pub fn called_after(&mut self, call: ProgramCall) {
        if self.explaining() {
            self.log.called_after(self.now, call);
        }
    }

    /// Number of decisions so far.
    #[must_use]
    pub fn told(&self) -> u64 {
        self.log.next_id()
    }

    /// The latest search on this CPU that found nothing (a decision about the CPU and no task), if its number is at
    /// least `since`.
    #[must_use]
    pub fn search(&self, cpu: CpuId, since: u64) -> Option<DecisionId> {
        self.log.search(cpu, since)
    }

    /// Records a decision about a CPU, a task or both, and returns its id. The answer that follows from the decision
    /// carries this id.
    #[inline]
    pub fn explain(
        &mut self,
        cpu: Option<CpuId>,
        task: Option<TaskId>,
        reason: Reason,
        operands: [i64; 4],
    ) -> DecisionId {
        self.log.push(self.now, cpu, task, reason, operands)
    }
}
