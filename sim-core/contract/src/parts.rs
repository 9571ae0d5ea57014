//! The parts of a scheduler that have defaults: quiet ticks, the kernel around the scheduler, what the scheduler shows,
//! and how its state is saved.

use super::cgroup::CgroupCounts;
use super::cx::{Cx, TaskInfo};
use super::flags::{ClockId, ClockSpec, LockScope};
use super::idle::IdleGovernor;
use super::shape::{QueueDetail, QueueDetailContext, QueueRow, QueueShape};
use super::turns::TickTurns;
use sim_ground::ids::{CpuId, CpuMask, TaskId};
use sim_ground::time::{SimSpan, SimTime, TickGrid};

/// An occasion on which a scheduler may look at more than one CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// A task becomes runnable: the hooks of a wake-up or a fork come next.
    Placing,
    /// The CPU has nothing to run: [`Scheduler::idle`](super::Scheduler::idle) comes next.
    Idle(CpuId),
    /// [`Scheduler::tick`](super::Scheduler::tick) of this CPU and clock comes next.
    Tick(CpuId, ClockId),
    /// The running task of the CPU goes back to a queue: [`Scheduler::put_prev`](super::Scheduler::put_prev) comes
    /// next.
    PutPrev(CpuId),
}

/// What a scheduler shows about the slice of a running task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SliceView {
    /// Time left, in ns; may be negative.
    pub left_ns: i64,
    /// A full slice, in ns; 0 where there are no slices.
    pub full_ns: i64,
}

/// **Quiet ticks.** The engine skips ticks that only do arithmetic. [`quiet_until`](Self::quiet_until) promises until
/// when ticks on a CPU are quiet, and [`skip_ticks`](Self::skip_ticks) applies any number of them in closed form.
///
/// Only hooks on the same CPU may read what quiet ticks change; the engine applies the skipped ticks before each such
/// hook. Hooks that read other CPUs must say so ([`looks_around`](Self::looks_around)). A run gives the same digest
/// with and without skipping; a test checks this for every scheduler. The defaults skip nothing, which is always right
/// and slow.
pub trait QuietTicks {
    /// Receives the ticks of each CPU (those of the first clock on every CPU, then those of the second, and so on), and
    /// whether idle CPUs have them. Called once, before [`start`](super::Scheduler::start); for schedulers that compute
    /// ticks themselves.
    fn tick_grids(&mut self, grids: &[TickGrid], idle_ticks: bool) {
        let _ = (grids, idle_ticks);
    }

    /// Earliest time at which a tick of this clock on this CPU could do more than arithmetic. `next` is the next tick
    /// that has not been applied; no two ticks are closer than `period`. The engine rounds the answer up to a tick, so
    /// the answer may be a little too early.
    fn quiet_until(
        &self,
        cx: &Cx<'_>,
        cpu: CpuId,
        clock: ClockId,
        next: SimTime,
        period: u64,
    ) -> SimTime {
        let _ = (cx, cpu, clock, period);
        next
    }

    /// Whether a CPU without a task keeps its tick although idle CPUs are tickless. The engine asks when the CPU
    /// becomes idle, when it enters the scheduler in vain, and after each of its ticks in this state.
    fn keeps_tick(&self, cpu: CpuId) -> bool {
        let _ = cpu;
        false
    }

    /// Whether CPUs that tick at one instant do so in turns. The engine asks once, before the machine starts. Hooks see
    /// the turn in [`Cx::turn`].
    fn tick_turns(&self) -> Option<TickTurns> {
        None
    }

    /// CPUs whose ticks are quiet only because the reschedule that each of them asks for would change nothing. This
    /// holds only if nothing else happens at the same instant; the engine checks that.
    fn quiet_reschedules(&self) -> Option<&CpuMask> {
        None
    }

    /// Whether the hooks that come next read what quiet ticks change on other CPUs (priorities of running tasks, queues
    /// that turn with the clock). If so, the engine first applies the skipped ticks of all CPUs. Before timers and
    /// edits it always does. A hook that changes something on another CPU asks for [`Cx::requery`] of that CPU.
    fn looks_around(&self, occasion: Occasion) -> bool {
        let _ = occasion;
        false
    }

    /// Applies `n` ≥ 1 quiet ticks, the last of them at `last`.
    fn skip_ticks(&mut self, cx: &mut Cx<'_>, cpu: CpuId, clock: ClockId, n: u64, last: SimTime) {
        let _ = (cx, cpu, clock, n, last);
    }
}

/// The properties of the kernel around a scheduler, as far as the model needs them.
pub trait Kernel {
    /// The clocks that it needs on each CPU. The default is one clock of 1000 Hz.
    fn clocks(&self) -> Vec<ClockSpec> {
        vec![ClockSpec {
            name: "tick",
            hz: 1_000,
            ..ClockSpec::default()
        }]
    }

    /// The running task goes to sleep for `ns`. The answer is when and on which CPU the kernel's timers end the sleep.
    /// Comes before [`dequeue`](super::Scheduler::dequeue).
    fn timed_sleep(&mut self, now: SimTime, cpu: CpuId, task: TaskId, ns: u64) -> (SimTime, CpuId) {
        let _ = task;
        (now + SimSpan(ns), cpu)
    }

    /// Its locks. Each switch takes the lock of its CPU's queue, each wake-up the lock of the queue it fills. Other
    /// operations report the locks that they take through [`Cx::lock`].
    fn locks(&self) -> LockScope {
        LockScope::None
    }

    /// Whether the system takes memory from one node until it is full, then from the next (FreeBSD before 12). Other
    /// systems take it on the node where a thread first runs.
    fn fills_nodes(&self) -> bool {
        false
    }

    /// Whether an idle CPU looks for work without the lock, and takes the lock only if it finds some.
    fn idles_without_lock(&self) -> bool {
        false
    }

    /// How the kernel chooses the state of an idle CPU. The default is that of today's Linux.
    fn idle_governor(&self) -> IdleGovernor {
        IdleGovernor::Menu612
    }

    /// The load of the CPU as its last tick saw it, 1024 for a thread of nice 0. Only [`IdleGovernor::Menu26`] reads it.
    fn idle_load(&self, cpu: CpuId) -> u64 {
        let _ = cpu;
        0
    }

    /// The place of a task among those that wait for a lock that lends priority: smaller ones get it first, equal ones in
    /// order of arrival.
    fn waiter_rank(&self, tasks: &[TaskInfo], task: TaskId) -> u32 {
        let _ = (tasks, task);
        0
    }

    /// Whether the scheduler itself will make this CPU reschedule, by a timer of its own. Until then the running task
    /// may stay although an edit has forbidden it the CPU.
    fn will_notice(&self, cpu: CpuId) -> bool {
        let _ = cpu;
        false
    }
}

/// What a scheduler shows about itself. These methods change nothing.
pub trait Observe {
    /// All waiting tasks, in queue order.
    fn queues(&self, out: &mut Vec<QueueRow>);

    /// Adds to each CPU's count how many tasks wait in its queue. The result equals a count of the rows; it exists for
    /// callers that need it after each event.
    fn count_waiting(&self, by_cpu: &mut [u64]) {
        let mut rows = Vec::new();
        self.queues(&mut rows);
        for cpu in rows.iter().filter_map(|row| row.queue) {
            by_cpu[cpu.index()] += 1;
        }
    }

    /// The form of the queues. It may change with the tunables.
    fn shape(&self) -> QueueShape {
        QueueShape::lists()
    }

    /// What a CPU sees of the queues besides their rows.
    fn queue_detail(&self, around: &QueueDetailContext<'_>, cpu: CpuId) -> QueueDetail {
        let _ = (around, cpu);
        QueueDetail::default()
    }

    /// The slice of a task; for a running task the CPU's own copy.
    fn slice(&self, task: TaskId, running_on: Option<CpuId>) -> SliceView {
        let _ = (task, running_on);
        SliceView::default()
    }

    /// Fills the scheduler's columns of a task that has started. The row has a place for each of the
    /// [`task_columns`](super::SchedulerInfo::task_columns), and holds values that are not defined. The situations for
    /// every scheduler fill rows of all tasks and CPUs, so a row of another size is found there.
    fn observe_task(&self, task: TaskId, out: &mut [f64]) {
        let _ = (task, out);
    }

    /// Fills the scheduler's columns of a CPU: a place for each of the
    /// [`cpu_columns`](super::SchedulerInfo::cpu_columns).
    fn observe_cpu(&self, cpu: CpuId, out: &mut [f64]) {
        let _ = (cpu, out);
    }

    /// Numbers that it keeps of the whole lane, by name, where a program declares some.
    fn numbers(&self) -> Vec<(String, f64)> {
        Vec::new()
    }

    /// Whether a waiting task may run nowhere, because a limit of its control group is used up.
    fn is_throttled(&self, task: TaskId) -> bool {
        let _ = task;
        false
    }

    /// What it has counted of each control group until now, by its number. Empty if it knows none.
    fn cgroups(&self, now: SimTime) -> Vec<CgroupCounts> {
        let _ = now;
        Vec::new()
    }

    /// The scheduler's own counters, by name: what a kernel's statistics would show.
    fn counters(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }
}

/// The state of a scheduler (everything in it that changes during a run, plain data) as bytes, for snapshots and
/// digests. [`keeps_state!`](crate::keeps_state) writes it.
pub trait Persist {
    /// The whole state.
    fn save(&self) -> Vec<u8>;

    /// Restores the state; `false` if the bytes are not a state. Fields outside the state (an era's rules, the
    /// topology) stay.
    fn load(&mut self, bytes: &[u8]) -> bool;

    /// The program of the state that is restored next; `None` for that with which the lane begins. Only schedulers that run
    /// what their user wrote are told.
    fn load_program(&mut self, program: Option<&str>) {
        let _ = program;
    }
}

/// Declares that one field of a scheduler is its whole state. An optional function receives the old and the new state
/// on restore, to carry over fields that are not saved.
#[macro_export]
macro_rules! keeps_state {
    ($scheduler:ty, $field:tt) => {
        $crate::keeps_state!($scheduler, $field, |_, _| {});
    };
    ($scheduler:ty, $field:tt, $keep:expr) => {
        impl $crate::Persist for $scheduler {
            fn save(&self) -> Vec<u8> {
                $crate::state_bytes::save_state(&self.$field)
            }

            fn load(&mut self, bytes: &[u8]) -> bool {
                let Some(mut state) = $crate::state_bytes::load_state(bytes) else {
                    return false;
                };
                let keep: fn(&_, &mut _) = $keep;
                keep(&self.$field, &mut state);
                self.$field = state;
                true
            }
        }
    };
}
