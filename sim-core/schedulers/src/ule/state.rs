//! The state that ULE keeps of threads and CPUs.

use super::calendar::Hands;
use super::interact::History;
use super::runqs::Queues;
use super::tunables::Tune;
use super::window::Window;
use crate::freebsd::ranges::{Class, PRI_MAX_IDLE};
use serde::{Deserialize, Serialize};
use sim_contract::decision::Reason;
use sim_ground::ids::{CpuId, CpuMask, TaskId};

/// A thread (`struct td_sched` and the priorities of `struct thread`).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Thread {
    /// The CPU on which it runs, waits or last ran (`ts_cpu`).
    pub(super) cpu: CpuId,
    /// When it was last switched out, in ticks of hz (`ts_rltick`).
    pub(super) rltick: i64,
    /// Ticks of the slice: left (until 2012), or used (later).
    pub(super) slice: u32,
    /// Recent run and sleep times.
    pub(super) history: History,
    /// Its CPU use.
    pub(super) window: Window,
    /// Its class.
    pub(super) class: Class,
    /// Whether queue lengths and load leave it out (interrupt threads).
    pub(super) noload: bool,
    /// Whether it is bound to its CPU and never moves.
    pub(super) pinned: bool,
    /// Effective priority.
    pub(super) pri: u8,
    /// Priority without loans.
    pub(super) base_pri: u8,
    /// Priority in user mode.
    pub(super) user_pri: u8,
    /// Interactivity score of the last computation, 0 to 100.
    pub(super) points: u8,
    /// The number that was compared with the threshold then: the score, with nice where the era adds it.
    pub(super) score: u8,
    /// Whether it was interactive at the last computation.
    pub(super) interactive: bool,
    /// Whether the last recorded class change was to interactive.
    pub(super) told_interactive: bool,
    /// When it went to sleep, in ticks of hz (`td_slptick`).
    pub(super) slptick: i64,
    /// `TDF_SLICEEND`.
    pub(super) slice_end: bool,
    /// Whether it was preempted in an interrupt: when it goes on, it does not pass the return from the kernel.
    pub(super) in_interrupt: bool,
    /// `TDF_PICKCPU`: the balancer told it to choose another CPU.
    pub(super) pick_cpu: bool,
    /// It may not use the CPU on which it runs any more.
    pub(super) forbidden: bool,
    /// Whether it has ended.
    pub(super) exited: bool,
    /// The reason of its place, in case that is another CPU than before.
    pub(super) why: Reason,
}

impl Thread {
    /// Whether it looks for another CPU when it is switched out.
    pub(super) fn leaves(&self) -> bool {
        self.pick_cpu || self.forbidden
    }
}

/// A CPU (`struct tdq`).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Tdq {
    /// The running thread; `None`: the idle thread.
    pub(super) curr: Option<TaskId>,
    /// Running and waiting threads.
    pub(super) load: u32,
    /// The same without interrupt threads.
    pub(super) sysload: u32,
    /// Number of waiting threads that may move.
    pub(super) transferable: u32,
    /// Best priority among running and waiting threads, according to the CPU.
    pub(super) lowpri: u8,
    /// The calendar.
    pub(super) hands: Hands,
    /// Switches during this tick of the statistics clock.
    pub(super) switchcnt: u32,
    /// Switches during the tick before.
    pub(super) oldswitchcnt: u32,
    /// The sum of both when the idle loop last read it.
    pub(super) seen_switchcnt: u32,
    /// Time of the last tick of the statistics clock that was counted.
    pub(super) stat_seen: u64,
    /// Ticks of hz up to which the running thread is charged (until 2012).
    pub(super) hz_seen: i64,
    /// Whether an interrupt for preemption is under way (`tdq_ipipending`).
    pub(super) ipi: bool,
    /// Whether the running thread owes a preemption (`td_owepreempt`).
    pub(super) owe: bool,
    /// The running thread's `TDF_NEEDRESCHED`.
    pub(super) resched: bool,
    /// Whether the signal found nothing better: the running thread goes on.
    pub(super) keep: bool,
    /// State of its random numbers (`randomval`).
    pub(super) random: u32,
}

impl Tdq {
    fn new() -> Self {
        Self {
            curr: None,
            load: 0,
            sysload: 0,
            transferable: 0,
            lowpri: PRI_MAX_IDLE,
            hands: Hands::default(),
            switchcnt: 0,
            oldswitchcnt: 0,
            seen_switchcnt: 0,
            stat_seen: 0,
            hz_seen: 0,
            ipi: false,
            owe: false,
            resched: false,
            keep: false,
            random: 0,
        }
    }
}

/// Counters of the kernel (`kern.sched.stats`), and those of the balancer.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Counters {
    pub(super) pickcpu_intrbind: u64,
    pub(super) pickcpu_idle_affinity: u64,
    pub(super) pickcpu_affinity: u64,
    pub(super) pickcpu_lowest: u64,
    pub(super) pickcpu_local: u64,
    pub(super) pickcpu_migration: u64,
    pub(super) balance_runs: u64,
    pub(super) balance_moves: u64,
    pub(super) idle_steals: u64,
    pub(super) preemptions: u64,
}

/// Everything that changes during a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct UleState {
    pub(super) tune: Tune,
    pub(super) queues: Queues,
    pub(super) threads: Vec<Thread>,
    pub(super) tdqs: Vec<Tdq>,
    /// CPUs that run their idle thread.
    pub(super) idle: CpuMask,
    /// CPUs whose only thread runs: the ends of its slices change nothing.
    pub(super) alone: CpuMask,
    /// Ticks until the balancer's next run.
    pub(super) balance_ticks: u32,
    pub(super) counters: Counters,
}

impl UleState {
    pub(super) fn new(tune: Tune, queues: Queues, cpus: usize) -> Self {
        Self {
            tune,
            queues,
            threads: Vec::new(),
            tdqs: vec![Tdq::new(); cpus],
            idle: CpuMask::first(cpus),
            alone: CpuMask::EMPTY,
            balance_ticks: 0,
            counters: Counters::default(),
        }
    }
}
