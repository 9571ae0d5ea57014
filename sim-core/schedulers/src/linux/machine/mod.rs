//! The machine of Linux since 6.1: everything that does not ask how one queue is ordered. It is the same in CFS 6.1 and
//! in EEVDF; each lends its queues and its reasons.
//!
//! | room | holds |
//! |---|---|
//! | [`pelt`], [`together`] | the averages of an entity and of a queue |
//! | [`load`] | load tracking: who counts where, and estimates of utilisation |
//! | [`shares`] | the part of a group's shares that falls to a CPU |
//! | [`select`] | the CPU of a woken or new task |
//! | [`capacity`] | CPUs of different capacities |
//! | [`balance`] | balancing by types of groups, CPUs that become idle, CPUs without ticks |
//! | [`caches`] | caches that processes prefer (since 7.2) |
//!
//! [`Machine`] and [`load::LoadTracking`] are what these rooms ask of a scheduler. Rules in which releases differ are
//! switches in [`Tuning`].

pub(crate) mod balance;
pub(crate) mod caches;
pub(crate) mod capacity;
pub(crate) mod load;
pub(crate) mod pelt;
pub(crate) mod select;
pub(crate) mod shares;
pub(crate) mod together;
pub(crate) mod tunables;

use super::stopper::Stopper;
use super::wakees::Wakees;
use balance::{Attempt, CpuSide, MachineSide};
use caches::Caches;
use capacity::Capacities;
use load::LoadTracking;
use sim_contract::cx::Cx;
use sim_ground::ids::{CpuId, TaskId};

/// Tunables and switches, resolved.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools)] // one for each feature of the kernel
pub(crate) struct Tuning {
    pub(crate) hz: u64,
    /// A jiffy in ns.
    pub(crate) jiffy_ns: u64,
    /// In ns; -1 and 0 as the sysctl.
    pub(crate) migration_cost: i64,
    pub(crate) nr_migrate: u64,
    pub(crate) preempt: bool,
    pub(crate) sched_smt: bool,
    pub(crate) cache_hot_buddy: bool,
    pub(crate) sis_util: bool,
    pub(crate) util_est: bool,
    pub(crate) wa_idle: bool,
    pub(crate) wa_weight: bool,
    pub(crate) wa_bias: bool,
    pub(crate) lb_min: bool,
    pub(crate) ni_random: bool,
    /// Whether a woken task of the policy `SCHED_IDLE` does not take CPUs that run such tasks for idle.
    pub(crate) idle_wakee_spreads: bool,
    /// Whether balancing counts no tasks that sleep in their queue (`h_nr_runnable`, since 6.14).
    pub(crate) counts_runnable: bool,
    /// Whether a CPU of a completely idle core is kicked before others.
    pub(crate) kick_idle_core: bool,
    pub(crate) rules: Rules,
}

/// The rules in which releases differ.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a difference between releases
pub(crate) struct Rules {
    /// Whether a core whose threads run several tasks is a type of group of its own (`group_smt_balance`), and cores are
    /// told from other groups.
    pub(crate) smt_balance: bool,
    /// How groups that should spread are evened out.
    pub(crate) siblings: SiblingRule,
    /// Whether a CPU of a completely idle core balances before others.
    pub(crate) prefers_idle_core: bool,
    /// Whether waiting counts in the utilisation of the busiest queue.
    pub(crate) boosts_util: bool,
    /// Whether the cluster of a CPU is searched before the rest of its cache.
    pub(crate) cluster_first: bool,
    /// Whether a task that is on one of the largest CPUs it may use fits there, and whether an attempt in vain to move one
    /// that does not fit is no failure.
    pub(crate) misfit_by_size: bool,
}

/// How groups that should spread (`SD_PREFER_SIBLING`) are evened out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SiblingRule {
    /// By the number of tasks, also for a busy CPU; the domain below says whether they should.
    Plain,
    /// In proportion to their cores, for idle CPUs only; the busiest group says whether it should.
    Cores,
}

impl Rules {
    /// CFS 6.1.
    pub(crate) const V6_1: Self = Self {
        smt_balance: false,
        siblings: SiblingRule::Plain,
        prefers_idle_core: false,
        boosts_util: false,
        cluster_first: false,
        misfit_by_size: false,
    };

    /// EEVDF.
    pub(crate) const V6_12: Self = Self {
        smt_balance: true,
        siblings: SiblingRule::Cores,
        prefers_idle_core: true,
        boosts_util: true,
        cluster_first: true,
        misfit_by_size: true,
    };
}

impl Tuning {
    /// The jiffies counter at a time in ns.
    #[inline]
    pub(crate) fn jiffies(&self, now: u64) -> u64 {
        now / self.jiffy_ns
    }
}

/// The fair tasks of a CPU.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FairTasks {
    /// All of them, delayed ones included (`h_nr_queued`).
    pub(crate) queued: u32,
    /// Those that can run (`h_nr_runnable`).
    pub(crate) runnable: u32,
    /// Those of the policy `SCHED_IDLE` (`h_nr_idle`).
    pub(crate) idle: u32,
}

/// A scheduler with this machine.
pub(crate) trait Machine: Stopper + LoadTracking {
    /// Its tunables.
    fn tun(&self) -> Tuning;
    /// The state of the machine.
    fn machine(&self) -> &MachineSide;
    /// The same, mutable.
    fn machine_mut(&mut self) -> &mut MachineSide;
    /// The state of a CPU for placing and balancing.
    fn side(&self, cpu: CpuId) -> &CpuSide;
    /// The same, mutable.
    fn side_mut(&mut self, cpu: CpuId) -> &mut CpuSide;
    /// Whether idle CPUs have ticks.
    fn idle_ticks(&self) -> bool;
    /// The fair tasks of a CPU.
    fn tasks_of(&self, cpu: CpuId) -> FairTasks;
    /// The tasks that a task has woken.
    fn wakees(&self, task: TaskId) -> &Wakees;
    /// The same, mutable.
    fn wakees_mut(&mut self, task: TaskId) -> &mut Wakees;
    /// The CPU on which a task ran before its last wake-up (`recent_used_cpu`).
    fn recent_cpu(&mut self, task: TaskId) -> &mut CpuId;
    /// Caches that processes prefer, if the release knows them and the machine has several.
    #[inline]
    fn caches(&self) -> Option<&Caches> {
        None
    }
    /// The same, mutable.
    fn caches_mut(&mut self) -> Option<&mut Caches> {
        None
    }
    /// What is kept of CPUs if they have different capacities. It is kept outside the state, so that other machines have
    /// none of it.
    fn capacities(&self) -> Option<&Capacities>;
    /// The same, mutable.
    fn capacities_mut(&mut self) -> Option<&mut Capacities>;
    /// Whether a task sleeps in its queue.
    fn is_delayed(&self, _: TaskId) -> bool {
        false
    }
    /// Whether a task is a buddy of its queue.
    fn is_buddy(&self, task: TaskId) -> bool;
    /// Asks the stopper of a CPU to push a task to another CPU.
    fn ask_push(&mut self, src: CpuId, dst: CpuId);
    /// The time since the ratio of successful attempts of a level was last computed, if rare attempts count (`NI_RATE`);
    /// it is computed now.
    fn since_newidle_ratio(&mut self, _: CpuId, _: usize, _: u64) -> Option<u64> {
        None
    }
    /// Whether the rules of its queue keep a task that could move; the reason is recorded.
    fn holds(&self, cx: &mut Cx<'_>, a: &Attempt, src: CpuId, task: TaskId) -> bool;
}
