//! What ULE keeps of threads and CPUs.

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
    /// Where it runs, waits or last ran (`ts_cpu`).
    pub(super) cpu: CpuId,
    /// When it was last switched out, in ticks of hz (`ts_rltick`).
    pub(super) rltick: i64,
    /// Ticks of the slice left (until 2012) or used.
    pub(super) slice: u32,
    /// What it ran and slept.
    pub(super) history: History,
    /// Its CPU use.
    pub(super) window: Window,
    /// Its class.
    pub(super) class: Class,
    /// Its own queue and load do not count it (interrupt threads).
    pub(super) noload: bool,
    /// Bound: it is never moved.
    pub(super) pinned: bool,
    /// Effective priority.
    pub(super) pri: u8,
    /// Priority without loans.
    pub(super) base_pri: u8,
    /// Priority in user mode.
    pub(super) user_pri: u8,
    /// Interactivity score of the last computation, 0 to 100.
    pub(super) points: u8,
    /// What was compared with the threshold then: the score, with nice where the era adds it.
    pub(super) score: u8,
    /// Interactive at the last computation.
    pub(super) interactive: bool,
    /// What was last told of it.
    pub(super) told_interactive: bool,
    /// When it went to sleep, in ticks of hz (`td_slptick`).
    pub(super) slptick: i64,
    /// `TDF_SLICEEND`.
    pub(super) slice_end: bool,
    /// It was preempted in an interrupt: when it goes on, it does not pass the return from the kernel.
    pub(super) in_interrupt: bool,
    /// `TDF_PICKCPU`: the balancer told it to choose another CPU.
    pub(super) pick_cpu: bool,
    /// It may not use the CPU on which it runs any more.
    pub(super) forbidden: bool,
    /// It has ended.
    pub(super) exited: bool,
    /// Why it is where it is, should that be another CPU than before.
    pub(super) why: Reason,
}

impl Thread {
    /// When it is switched out it looks for another CPU.
    pub(super) fn leaves(&self) -> bool {
        self.pick_cpu || self.forbidden
    }
}

/// A CPU (`struct tdq`).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Tdq {
    /// What runs; `None`: the idle thread.
    pub(super) curr: Option<TaskId>,
    /// Running and waiting threads.
    pub(super) load: u32,
    /// The same without interrupt threads.
    pub(super) sysload: u32,
    /// Waiting threads that may move.
    pub(super) transferable: u32,
    /// Best priority among running and waiting threads, as far as the CPU knows.
    pub(super) lowpri: u8,
    /// The calendar.
    pub(super) hands: Hands,
    /// Switches of this tick of the statistics clock.
    pub(super) switchcnt: u32,
    /// Switches of the tick before.
    pub(super) oldswitchcnt: u32,
    /// The idle loop's memory of the sum of both.
    pub(super) seen_switchcnt: u32,
    /// Time of the last tick of the statistics clock that was counted.
    pub(super) stat_seen: u64,
    /// Ticks of hz up to which the running thread is charged (until 2012).
    pub(super) hz_seen: i64,
    /// An interrupt for preemption is under way (`tdq_ipipending`).
    pub(super) ipi: bool,
    /// The running thread owes a preemption (`td_owepreempt`).
    pub(super) owe: bool,
    /// The running thread's `TDF_NEEDRESCHED`.
    pub(super) resched: bool,
    /// The signal found nothing better: what runs goes on.
    pub(super) keep: bool,
    /// Its random numbers (`randomval`).
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

/// Counts that the kernel keeps (`kern.sched.stats`), and those of the balancer.
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

/// Everything that changes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct State {
    pub(super) tune: Tune,
    pub(super) queues: Queues,
    pub(super) threads: Vec<Thread>,
    pub(super) tdqs: Vec<Tdq>,
    /// CPUs that run their idle thread.
    pub(super) idle: CpuMask,
    /// CPUs whose only thread runs: ends of its slices change nothing.
    pub(super) alone: CpuMask,
    /// Ticks until the balancer's next run.
    pub(super) balance_ticks: u32,
    pub(super) counters: Counters,
}

impl State {
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
