//! Mechanism state: who runs, waits, sleeps; what each CPU is doing. No policy in here.

use super::events::EventQueue;
use crate::ids::{CpuId, CpuMask, TaskId};
use crate::machine::rate::{Speed, WorkClass};
use crate::rng::Rng;
use crate::sched::cx::TaskInfo;
use crate::time::{SimTime, TickGrid};
use crate::trace::accounts::{CpuAccount, Histogram, TaskAccount};
use serde::{Deserialize, Serialize};

/// What a task is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TaskState {
    /// Its start lies ahead.
    NotStarted,
    /// On a CPU.
    Running,
    /// Runnable, waiting.
    Queued,
    /// Asleep.
    Sleeping,
    /// Ended.
    Exited,
}

/// Work left in a phase that never ends.
pub(super) const ENDLESS: u64 = u64::MAX;

/// A task as the engine sees it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Task {
    pub(super) state: TaskState,
    /// Since when it is in that state.
    pub(super) since: SimTime,
    /// When it last began to wait for a CPU.
    pub(super) queued_at: SimTime,
    /// When it last became runnable after a sleep, until it runs.
    pub(super) woken_at: Option<SimTime>,
    /// Work left in its phase, in units of 2^-20 ns; [`ENDLESS`] if none ends it.
    pub(super) remaining: u64,
    /// Whether it ever ran.
    pub(super) ran: bool,
    /// CPU on which its sleep ends (interrupt, timer).
    pub(super) wake_cpu: CpuId,
    pub(super) class: WorkClass,
    pub(super) working_set_bytes: u64,
    pub(super) rng: Rng,
    /// Number within its group, from 1.
    pub(super) number: u32,
    pub(super) last_migrate_reason: i32,
    pub(super) account: TaskAccount,
}

/// A CPU as the engine sees it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Cpu {
    /// Since when it is busy or idle.
    pub(super) since: SimTime,
    /// Up to when progress is charged.
    pub(super) charged_at: SimTime,
    /// Time that the scheduler takes before the task goes on.
    pub(super) debt_ns: u64,
    pub(super) speed: Speed,
    /// Ticks of each clock.
    pub(super) clocks: Vec<Clock>,
    pub(super) account: CpuAccount,
}

/// A clock of a CPU.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Clock {
    pub(super) grid: TickGrid,
    /// Ticks up to this time have been applied.
    pub(super) settled: SimTime,
    /// Whether it ticks now (an idle CPU may be tickless).
    pub(super) ticking: bool,
}

/// Everything that changes during a run, except the scheduler's own state and the behaviours'.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct State {
    pub(super) now: SimTime,
    /// Number of events handled.
    pub(super) handled: u64,
    pub(super) tasks: Vec<Task>,
    pub(super) infos: Vec<TaskInfo>,
    /// Number of threads that each group has had.
    pub(super) group_sizes: Vec<u32>,
    pub(super) cpus: Vec<Cpu>,
    pub(super) curr: Vec<Option<TaskId>>,
    /// CPUs whose `need_resched` is set.
    pub(super) flagged: CpuMask,
    pub(super) queue: EventQueue,
    /// Edits that have taken effect.
    pub(super) edits_done: u32,
    pub(super) sched_rng: Rng,
    pub(super) peer_rng: Rng,
    /// Cores with a running task, for the thermal model.
    pub(super) active_cores: u32,
    /// Clock relative to nominal in units of 2^-20.
    pub(super) frequency: u64,
    pub(super) run_delay: Histogram,
    pub(super) wakeup_latency: Histogram,
    /// Waiting tasks and idle CPUs now, and CPU time that was idle while a task waited.
    pub(super) nr_queued: u32,
    pub(super) nr_idle: u32,
    pub(super) waste_since: SimTime,
    pub(super) idle_while_waiting_ns: u64,
    /// Cores with at least one workload thread, and the time integral of their number.
    pub(super) workload_cores: u32,
    pub(super) workload_core_ns: u64,
    pub(super) workload_since: SimTime,
    /// Workload tasks that have not ended.
    pub(super) alive: u32,
    /// All workload tasks have ended, and the scenario ends with them.
    pub(super) finished: bool,
    /// Grows when tasks are added, for readers that keep names.
    pub(super) layout_revision: u32,
}
