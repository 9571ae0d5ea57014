//! The contract between the engine and a scheduler.
//!
//! The engine owns tasks, CPUs, clocks, work and cost. It calls these hooks at the points where a kernel
//! would, in the kernel's order, and obeys the answers. A hook never reschedules by itself: it asks
//! through [`Cx::kick`]. Every choice is explained through [`Cx::explain`].
//!
//! | sequence | hooks, in order |
//! |---|---|
//! | wake-up | [`waking`](Scheduler::waking), [`select_cpu`](Scheduler::select_cpu), [`enqueue`](Scheduler::enqueue), [`check_preempt`](Scheduler::check_preempt), then the engine signals the CPU named |
//! | reschedule | [`dequeue`](Scheduler::dequeue) if the running task blocks or ends, [`put_prev`](Scheduler::put_prev), [`pick_next`](Scheduler::pick_next), if none [`idle`](Scheduler::idle) and again [`pick_next`](Scheduler::pick_next) |
//! | tick | [`tick`](Scheduler::tick), then timers that expire in this tick, then one check of `need_resched` |
//! | fork | [`task_new`](Scheduler::task_new), then as for a wake-up |
//! | exec | [`exec`](Scheduler::exec), and a reschedule if it asked for one |
//! | exit | [`dequeue`](Scheduler::dequeue), [`task_exit`](Scheduler::task_exit), reschedule |
//!
//! **Quiet ticks.** Ticks that only do arithmetic cost nothing: [`quiet_until`](Scheduler::quiet_until)
//! promises how long ticks on a CPU are such, and [`skip_ticks`](Scheduler::skip_ticks) applies any number
//! of them in closed form. What quiet ticks change may only be read by hooks on the same CPU: before
//! each of those the engine lets the ticks catch up; hooks that look further say so
//! ([`looks_around`](Scheduler::looks_around)). A run with and without skipping gives the same
//! digest; a test holds every scheduler to that.

pub mod cx;
pub mod decision;
pub mod flags;
pub mod registry;
pub mod shape;

pub mod bfs;
pub mod cfs;
mod fifo;
pub mod fourbsd;
pub mod freebsd;
pub mod manual;
pub mod random;
pub mod ule;

use crate::ids::{CpuId, CpuMask, TaskId};
use crate::info::{ColumnEntry, ReasonEntry};
use crate::params::{ParamSpec, Params};
use crate::time::{SimTime, TickGrid};
use cx::Cx;
use decision::Reason;
use flags::{
    ClockId, ClockSpec, DequeueFlags, EnqueueFlags, LockScope, Placement, SwitchReason, TimerId,
};
pub use shape::QueueRow;
use shape::{QueueDetail, QueueShape, Surroundings};

/// A scheduler as the registry lists it.
#[derive(Debug)]
pub struct SchedulerInfo {
    /// Id in scenarios.
    pub id: &'static str,
    /// Display name.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
    /// `freebsd`, `linux` or `baseline`.
    pub family: &'static str,
    /// Largest nice value of its system.
    pub nice_max: i8,
    /// Shape of its queue on the stage.
    pub queue_shape: &'static str,
    /// Its eras; the first is the default.
    pub eras: &'static [EraInfo],
    /// Its reasons for decisions.
    pub reasons: &'static [ReasonEntry],
    /// What it shows of each task.
    pub task_columns: &'static [ColumnEntry],
    /// What it shows of each CPU.
    pub cpu_columns: &'static [ColumnEntry],
    /// Makes one.
    pub make: fn(&Setup) -> Box<dyn Scheduler>,
}

/// An era of a scheduler.
#[derive(Debug)]
pub struct EraInfo {
    /// Id in scenarios.
    pub id: &'static str,
    /// Display name.
    pub name: &'static str,
    /// What distinguishes it, in a line.
    pub summary: &'static str,
    /// Year.
    pub year: u16,
    /// Its tunables.
    pub tunables: &'static [ParamSpec],
}

/// What a scheduler is made from.
#[derive(Debug)]
pub struct Setup {
    /// Id of the era.
    pub era: &'static str,
    /// Tunables.
    pub params: Params,
    /// Number of CPUs.
    pub cpus: usize,
    /// Number of NUMA nodes.
    pub nodes: usize,
}

/// An occasion on which a scheduler may look at more than one CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// A task becomes runnable: the hooks of a wake-up or a fork come next.
    Placing,
    /// The CPU has nothing to run: [`Scheduler::idle`] comes next.
    Idle(CpuId),
    /// [`Scheduler::tick`] of this CPU and clock comes next.
    Tick(CpuId, ClockId),
    /// What ran on the CPU goes back to a queue: [`Scheduler::put_prev`] comes next.
    PutPrev(CpuId),
}

/// The answer of [`Scheduler::pick_next`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pick {
    /// Runs next.
    pub task: TaskId,
    /// Why it comes to this CPU, if it last ran elsewhere.
    pub migrate_reason: Reason,
}

/// What a scheduler shows of a running task's slice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SliceView {
    /// What is left, in ns; may be negative.
    pub left_ns: i64,
    /// A full slice, in ns; 0 where there are no slices.
    pub full_ns: i64,
}

/// A CPU scheduler.
pub trait Scheduler: Send {
    /// The clocks that it needs on each CPU.
    fn clocks(&self) -> Vec<ClockSpec>;

    /// Its locks. Each switch takes the lock of its CPU's queue, each wake-up that of the queue it fills; what else takes
    /// one says so through [`Cx::lock`].
    fn locks(&self) -> LockScope {
        LockScope::None
    }

    /// Where the ticks of each CPU's first clock lie, and whether idle CPUs have them: told once, before
    /// [`start`](Scheduler::start), to schedulers that reckon ticks themselves.
    fn tick_grids(&mut self, grids: &[TickGrid], idle_ticks: bool) {
        let _ = (grids, idle_ticks);
    }

    /// Whether the system around this scheduler takes memory from one node until that is full, then from the next
    /// (FreeBSD before 12); others take it where a thread first runs.
    fn fills_nodes(&self) -> bool {
        false
    }

    /// Whether an idle CPU looks for work without the lock, and takes it only if there is some.
    fn idles_without_lock(&self) -> bool {
        false
    }

    /// The machine starts: arm timers.
    fn start(&mut self, cx: &mut Cx<'_>) {
        let _ = cx;
    }

    /// One of the scheduler's timers went off.
    fn timer(&mut self, cx: &mut Cx<'_>, timer: TimerId) {
        let _ = (cx, timer);
    }

    /// A task was created (`sched_fork`). `parent` is set if the creating task is simulated and running.
    fn task_new(&mut self, cx: &mut Cx<'_>, task: TaskId, parent: Option<TaskId>);

    /// A task has ended (`sched_exit`). What the parent's CPU has of the parent may change, too.
    fn task_exit(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        let _ = (cx, task);
    }

    /// A task is about to be woken: charge its sleep.
    fn waking(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        let _ = (cx, task);
    }

    /// Where a task that becomes runnable shall wait.
    fn select_cpu(&mut self, cx: &mut Cx<'_>, task: TaskId, flags: EnqueueFlags) -> Placement;

    /// Puts a runnable task there.
    fn enqueue(&mut self, cx: &mut Cx<'_>, place: Placement, task: TaskId, flags: EnqueueFlags);

    /// Which CPU shall reschedule for the task just enqueued, if any.
    fn check_preempt(
        &mut self,
        cx: &mut Cx<'_>,
        place: Placement,
        task: TaskId,
        flags: EnqueueFlags,
    ) -> Option<CpuId>;

    /// A queued or running task ceases to be runnable.
    fn dequeue(&mut self, cx: &mut Cx<'_>, task: TaskId, flags: DequeueFlags);

    /// A CPU enters the scheduler: give back the outgoing task (`None`: it was idle).
    fn put_prev(&mut self, cx: &mut Cx<'_>, cpu: CpuId, prev: Option<TaskId>, why: SwitchReason);

    /// What the CPU runs next; the task leaves the queue.
    fn pick_next(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> Option<Pick>;

    /// The CPU found nothing; whether it is worth asking again.
    fn idle(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> bool {
        let _ = (cx, cpu);
        false
    }

    /// A tick; whether the CPU must reschedule.
    fn tick(&mut self, cx: &mut Cx<'_>, cpu: CpuId, clock: ClockId) -> bool;

    /// The running task calls `sched_yield()`; a reschedule follows.
    fn yield_task(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId) {
        let _ = (cx, cpu, task);
    }

    /// The running task replaces its program (`execve`). To move it the scheduler asks for a reschedule of its CPU.
    fn exec(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId) {
        let _ = (cx, cpu, task);
    }

    /// The nice value changed from `old`. `queued`: the task waits.
    fn set_nice(&mut self, cx: &mut Cx<'_>, task: TaskId, old: i8, queued: bool) {
        let _ = (cx, task, old, queued);
    }

    /// The allowed CPUs changed. `queued`: the task waits.
    fn set_allowed(&mut self, cx: &mut Cx<'_>, task: TaskId, queued: bool) {
        let _ = (cx, task, queued);
    }

    /// A tunable changed.
    fn set_params(&mut self, cx: &mut Cx<'_>, params: &Params) {
        let _ = (cx, params);
    }

    /// Earliest time at which a tick of this clock on this CPU could do more than arithmetic. `next` is the
    /// next tick that has not been applied, `period` the distance of ticks.
    fn quiet_until(
        &self,
        cx: &Cx<'_>,
        cpu: CpuId,
        clock: ClockId,
        next: SimTime,
        period: u64,
    ) -> SimTime;

    /// CPUs whose ticks are quiet only because the reschedule that each of them asks for would change
    /// nothing. That is so as long as nothing else happens at the same instant; the engine sees to it.
    fn quiet_reschedules(&self) -> Option<&CpuMask> {
        None
    }

    /// Whether the hooks that come next look at what quiet ticks change on other CPUs (priorities of what
    /// runs there, queues that turn with the clock). Then the engine lets all CPUs catch up before. Timers
    /// and edits do so in any case. A hook that changes something on another CPU asks for
    /// [`Cx::requery`] of it.
    fn looks_around(&self, occasion: Occasion) -> bool {
        let _ = occasion;
        false
    }

    /// Whether the scheduler itself will make this CPU reschedule, by a timer of its own: until then what runs
    /// there may stay although an edit has forbidden it the CPU.
    fn will_notice(&self, cpu: CpuId) -> bool {
        let _ = cpu;
        false
    }

    /// Applies `n` ≥ 1 quiet ticks, the last of them at `last`.
    fn skip_ticks(&mut self, cx: &mut Cx<'_>, cpu: CpuId, clock: ClockId, n: u64, last: SimTime);

    /// All waiting tasks, in queue order.
    fn queues(&self, out: &mut Vec<QueueRow>);

    /// The form of the queues. It may change with the tunables.
    fn shape(&self) -> QueueShape {
        QueueShape::lists()
    }

    /// What a CPU sees of the queues beyond their rows.
    fn queue_detail(&self, around: &Surroundings<'_>, cpu: CpuId) -> QueueDetail {
        let _ = (around, cpu);
        QueueDetail::default()
    }

    /// The slice of a task (of the running task, the CPU's own copy).
    fn slice(&self, task: TaskId, running_on: Option<CpuId>) -> SliceView;

    /// Fills the scheduler's columns of a task.
    fn observe_task(&self, task: TaskId, out: &mut [f64]);

    /// Fills the scheduler's columns of a CPU.
    fn observe_cpu(&self, cpu: CpuId, out: &mut [f64]);

    /// Counts of its own, by name: what a kernel's statistics would show.
    fn counters(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }

    /// The whole state, for snapshots and digests.
    fn save(&self) -> Vec<u8>;

    /// Takes the state back; `false` if the bytes are not a state.
    fn load(&mut self, bytes: &[u8]) -> bool;
}
