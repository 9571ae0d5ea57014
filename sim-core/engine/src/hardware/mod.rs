//! The hardware: how fast each CPU is and why, what its caches and nodes hold, how warm it is, and how it rests.
//!
//! It is told which task is where, and asks the scheduler only where an operating system decides about hardware: where
//! memory lies, and how deep an idle CPU sleeps.

mod around;
mod cpu;
mod demand;
pub(super) mod heat;
pub mod idle;
mod idle_exit;
mod known;
mod memory;
pub(super) mod mixes;
mod residency;
pub(super) mod speeds;
mod streams;
mod view;
pub(super) mod warmth;

pub(super) use around::Around;
pub(super) use cpu::{Charged, UnpaidTime};
pub(super) use demand::ENDLESS;

use cpu::Cpu;
use demand::Demands;
use idle::{IdleRules, Rest};
use idle_exit::Timers;
use known::AnswerCache;
use residency::Residency;
use serde::{Deserialize, Serialize};
use sim_contract::cx::NO_EXIT;
use sim_contract::memory::Memory;
use sim_ground::ids::{CoreId, CpuId, TaskId};
use sim_ground::time::SimTime;
use sim_machine::Machine;
use sim_machine::cost::pages::pages;
use sim_machine::cost::time::UNSATURATED;
use sim_machine::rate::ONE;
use streams::Streams;
use warmth::KernelRefill;

/// The machine while it runs.
#[derive(Serialize, Deserialize)]
pub(super) struct Hardware {
    cpus: Vec<Cpu>,
    /// Exit latency of each CPU's idle state in ns, as schedulers may read it.
    idle_exits: Vec<u32>,
    /// What each task demands.
    demands: Demands,
    /// The memory of each task, from its first dispatch on.
    memory: Vec<Memory>,
    /// Memory in use on each node, in pages.
    node_used: Vec<u64>,
    /// Cores with a running task, for the thermal model.
    active_cores: u32,
    /// Part of the clock that remains after heat, in units of 2^-20.
    frequency: u64,
    /// Temperature above ambient in units of 2^-10 milli-degrees.
    heat: u64,
    /// CPUs whose speed is stale.
    stale: Vec<CpuId>,
    /// For each cache: whether its users together want more than it holds.
    crowded: Vec<bool>,
    /// By how much waiting for memory stretches in each domain, in units of 2^-12.
    saturation: Vec<u64>,
    /// The threads whose data each cache holds.
    residency: Residency,
    #[serde(skip)]
    settings: Settings,
    /// The sleeping tasks that a timer of each CPU wakes.
    #[serde(skip)]
    timers: Timers,
    /// What the CPUs demand of memory.
    #[serde(skip)]
    streams: Streams,
    /// The latest results of pure functions.
    #[serde(skip)]
    known: AnswerCache,
}

/// What does not change during a run.
#[derive(Default)]
pub(super) struct Settings {
    /// Idle states and who chooses; `None` where leaving idleness takes fixed times.
    pub(super) idle_rules: Option<IdleRules>,
    /// How long a signal to a busy CPU takes.
    pub(super) kick_ns: u64,
    /// Fixed time to leave idleness beside a busy context of the core. Halted contexts take no longer.
    pub(super) idle_exit_ns: u64,
    /// Fixed time to leave idleness on a core that is idle as a whole.
    pub(super) idle_exit_deep_ns: u64,
    /// Whether interrupts of devices, too, wait until a CPU has left idleness.
    pub(super) delays_interrupts: bool,
    /// Share of a busy CPU's time that its ticks take, in units of 2^-20; one number, because all CPUs have the same
    /// clocks.
    pub(super) tick_share: u64,
    /// Whether any group sweeps a working set. If none does, caches and memory slow no thread.
    pub(super) groups_sweep: bool,
    /// Where each CPU may find the kernel's own data of a thread.
    pub(super) kernel_refills: Vec<Vec<KernelRefill>>,
}

impl Hardware {
    pub(super) fn new(machine: &Machine, settings: Settings) -> Self {
        let cpus = machine.cpu_count();
        let caches = machine.caches().instances().len();
        let nodes = machine.node_count();
        Self {
            cpus: vec![Cpu::default(); cpus],
            idle_exits: vec![NO_EXIT; cpus],
            demands: Demands::default(),
            memory: Vec::new(),
            node_used: vec![0; nodes],
            active_cores: 0,
            frequency: ONE,
            heat: 0,
            stale: Vec::new(),
            crowded: vec![false; caches],
            saturation: vec![UNSATURATED; nodes],
            residency: Residency::new(caches),
            settings,
            timers: Timers::new(cpus),
            streams: Streams::new(cpus, nodes),
            known: AnswerCache::new(cpus, caches),
        }
    }

    /// The machine was idle for long before the run.
    pub(super) fn rest_long(&mut self) {
        if let Some(rules) = &self.settings.idle_rules {
            let rest = Rest::long_idle(rules);
            self.cpus.iter_mut().for_each(|c| c.rest.clone_from(&rest));
        }
    }

    /// The memory of all tasks.
    #[inline]
    pub(super) fn memory(&self) -> &[Memory] {
        &self.memory
    }

    /// Exit latencies as schedulers may read them.
    #[inline]
    pub(super) fn idle_exits(&self) -> &[u32] {
        &self.idle_exits
    }

    /// Goes on from a snapshot that fits. What is derived from it is found anew by [`Self::rebuild_streams`] and
    /// [`Self::find_timers`].
    pub(super) fn restore(&mut self, saved: Self) {
        *self = Self {
            settings: std::mem::take(&mut self.settings),
            timers: std::mem::take(&mut self.timers),
            streams: std::mem::take(&mut self.streams),
            known: std::mem::take(&mut self.known),
            ..saved
        };
    }

    /// Whether a snapshot may be the hardware of this run at a time, with so many tasks, and with a task on these CPUs.
    pub(super) fn accepts(
        &self,
        machine: &Machine,
        saved: &Self,
        tasks: usize,
        on_cpus: &[Option<TaskId>],
        now: SimTime,
    ) -> bool {
        let cpus = self.cpus.len();
        let states = self
            .settings
            .idle_rules
            .as_ref()
            .map_or(1, IdleRules::count);
        let cores = (0..machine.core_count()).filter(|core| {
            let cpus = machine.core_cpus(CoreId::new(*core));
            cpus.iter().any(|c| on_cpus[c.index()].is_some())
        });
        let nodes = saved.node_used.len();
        saved.cpus.len() == cpus
            && (saved.cpus.iter()).all(|c| c.fits(now) && c.rest.fits(states, now))
            && saved.idle_exits.len() == cpus
            && saved.residency.len() == self.residency.len()
            && saved.crowded.len() == self.crowded.len()
            && saved.saturation.len() == self.saturation.len()
            && (saved.saturation.iter()).all(|s| (UNSATURATED..1 << 40).contains(s))
            && nodes == self.node_used.len()
            && saved.heat <= 1 << 42
            && saved.frequency <= ONE
            && saved.stale.iter().all(|c| c.index() < cpus)
            && saved.active_cores as usize == cores.count()
            && saved.demands.0.len() == tasks
            && saved.memory.len() == tasks
            && (saved.demands.0.iter().zip(&saved.memory)).all(|(d, memory)| d.fits(memory, nodes))
    }

    /// Invariants between two events: no CPU is ahead of time. Every page of each thread lies on exactly one node, each
    /// node's count is the sum of its pages, and a thread that has ended leaves none.
    ///
    /// # Panics
    /// If one of them fails; the message states the rule.
    pub(super) fn check(&self, has_ended: impl Fn(TaskId) -> bool, now: SimTime) {
        assert!(
            self.cpus.iter().all(|c| c.charged_at <= now),
            "no CPU is ahead of time"
        );
        let nodes = self.node_used.len();
        let mut used = vec![0; nodes];
        for (i, (demand, memory)) in self.demands.0.iter().zip(&self.memory).enumerate() {
            assert!(
                memory.fits(pages(demand.working_set_bytes), nodes),
                "the pages of task {i} add up to its working set"
            );
            assert_eq!(
                demand.faults,
                memory.marked() > 0,
                "task {i} faults exactly if memory of it is marked"
            );
            assert!(
                !memory.is_placed() || !has_ended(TaskId::new(i)),
                "task {i} has ended and leaves no memory"
            );
            for (node, pages) in memory.nodes() {
                used[node.index()] += pages;
            }
        }
        assert_eq!(
            used, self.node_used,
            "what nodes have in use is what threads have there"
        );
    }

    /// Time up to which a CPU's task is charged.
    pub(super) fn charged_at(&self, cpu: CpuId) -> SimTime {
        self.cpus[cpu.index()].charged_at
    }
}
