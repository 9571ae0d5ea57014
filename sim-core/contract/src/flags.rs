//! Terms that hooks and the engine share.

use serde::{Deserialize, Serialize};
use sim_ground::ids::CpuId;

/// Scheduling policy of a task (kernel: `SCHED_*`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase")]
pub enum Policy {
    /// Ordinary time sharing (`SCHED_NORMAL`, `SCHED_OTHER`).
    #[default]
    Normal,
    /// CPU-bound without interaction (`SCHED_BATCH`).
    Batch,
    /// Only when nothing else wants the CPU (`SCHED_IDLE`, BFS `SCHED_IDLEPRIO`).
    Idle,
    /// Unprivileged soft real time of BFS (`SCHED_ISO`).
    Iso,
    /// Real time, first in first out (`SCHED_FIFO`).
    Fifo,
    /// Real time, round robin (`SCHED_RR`).
    RoundRobin,
}

/// Why a task becomes runnable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnqueueFlags {
    /// It slept.
    Wakeup,
    /// It slept, and its waker is about to block (`sync`).
    SyncWakeup,
    /// It was just created.
    New,
    /// Its affinity or priority changed.
    Change,
}

/// Why a task ceases to be runnable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DequeueFlags {
    /// It blocks.
    Sleep,
    /// Another party stopped it. It blocks in a state that only the matching resume ends, and no wake-up.
    Stop,
    /// It ends.
    Exit,
}

/// Where a runnable task waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// In the queue of a CPU.
    Cpu(CpuId),
    /// In a queue that all CPUs share.
    Shared,
}

impl Placement {
    /// The CPU whose queue it is. For the shared queue the answer is CPU 0: schedulers with queues per CPU never use
    /// it.
    #[must_use]
    pub fn cpu(self) -> CpuId {
        match self {
            Self::Cpu(cpu) => cpu,
            Self::Shared => CpuId(0),
        }
    }
}

/// Why a CPU enters the scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwitchReason {
    /// `need_resched` was set: slice end, preemption, a signal.
    Resched,
    /// The running task blocks.
    Block,
    /// The running task yields.
    Yield,
    /// The running task ends.
    Exit,
}

impl SwitchReason {
    /// Whether the task stays runnable, so that the scheduler must put it into a queue.
    #[must_use]
    pub fn stays_runnable(self) -> bool {
        matches!(self, Self::Resched | Self::Yield)
    }
}

/// The locks of a scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockScope {
    /// No lock that costs time.
    None,
    /// One for all CPUs.
    Global,
    /// One for the queue of each CPU.
    PerCpu,
}

/// A clock of a CPU: position in [`super::Kernel::clocks`].
pub type ClockId = u8;

/// A one-shot timer of a scheduler. The first [`MAX_TIMERS`] belong to the whole machine, numbered from 0; then comes
/// one for each CPU ([`cpu_timer`]).
pub type TimerId = u16;

/// Number of timers of the whole machine that a scheduler may use.
pub const MAX_TIMERS: u16 = 4;

/// The timer of a CPU. It expires in the context of that CPU.
#[must_use]
pub const fn cpu_timer(cpu: CpuId) -> TimerId {
    MAX_TIMERS + cpu.0
}

/// The CPU of a timer, if it is one of [`cpu_timer`].
#[must_use]
pub fn timer_cpu(timer: TimerId) -> Option<CpuId> {
    timer.checked_sub(MAX_TIMERS).map(CpuId)
}

/// A clock that a scheduler asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockSpec {
    /// Kernel name: `tick`, `hardclock`, `statclock`.
    pub name: &'static str,
    /// Ticks per second.
    pub hz: u32,
    /// Interrupts per second of the hardware timer, if one timer drives all clocks of a CPU; 0 if each clock has its
    /// own.
    pub timer_hz: u32,
    /// Whether the kernel sets each tick a whole number of ns after the one before, so that 300 ticks take 100 ns less
    /// than a second.
    pub whole_ns: bool,
    /// Whether the kernel is known to start the clock on all CPUs at one instant, or at a fixed offset from CPU to CPU.
    pub in_step: bool,
    /// If so: the offset from one CPU to the next, in ns; 0 for exactly one instant.
    pub late_ns: u64,
}
