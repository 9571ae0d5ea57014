//! The ledger: what is written down and added up while a run goes on. Nothing here decides anything.
//!
//! The engine tells it what happens, with the method that is named for it. Whether a task waits or a CPU is idle is read
//! here only for totals.

mod waits;
mod waste;

pub(super) use waste::{Counted, Scene};

use serde::{Deserialize, Serialize};
use sim_ground::ids::CpuId;
use sim_ground::time::SimTime;
use sim_trace::accounts::{CpuAccount, Histogram};
use sim_trace::occupancy::{Occupancy, Spent};
use sim_trace::window::Window;
use sim_trace::{SwitchCost, Trace, TraceMark, TraceRecord};
use waste::{Limited, Waste};

/// Records and totals of a run.
pub(super) struct Ledger {
    totals: Totals,
    trace: Trace,
    /// Which task had each CPU over the whole run; only where records are kept.
    occupancy: Option<Occupancy>,
    /// The window in which measuring began, if not at the start.
    window: Option<Window>,
    /// The waiting tasks that may not use every CPU.
    limited: Limited,
}

/// The totals that snapshots hold.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Totals {
    run_delay: Histogram,
    wakeup_latency: Histogram,
    /// Migrations of workload tasks by reason (code of the scheduler) and distance; see [`Ledger::moves`].
    moves: Vec<(u16, u8, u64)>,
    waste: Waste,
    cores: WorkloadCores,
    cpus: Vec<CpuTotals>,
}

/// Cores with at least one workload thread, and the time integral of their number.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct WorkloadCores {
    in_use: u32,
    integral_ns: u64,
    since: SimTime,
}

impl WorkloadCores {
    fn add_up(&mut self, now: SimTime) {
        let span = now.since(self.since).0;
        self.integral_ns += span * u64::from(self.in_use);
        self.since = now;
    }
}

/// Busy and idle time of a CPU.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct CpuTotals {
    /// The time since which it is busy or idle, or up to which that has been added.
    since: SimTime,
    account: CpuAccount,
}

impl CpuTotals {
    #[inline]
    fn add_up(&mut self, was_busy: bool, now: SimTime) {
        let span = now.since(self.since).0;
        if was_busy {
            self.account.busy_ns += span;
        } else {
            self.account.idle_ns += span;
        }
        self.since = now;
    }

    /// Whether this may be a CPU of a run at a time.
    fn fits(&self, now: SimTime) -> bool {
        let total = self.account.busy_ns.checked_add(self.account.idle_ns);
        self.since <= now && total == Some(self.since.0) && self.account.switch_ns <= now.0
    }
}

impl Ledger {
    /// The ledger of a machine on which nothing has happened. `has_limits`: limits of control groups, or of real time,
    /// may keep tasks from running anywhere.
    pub(super) fn new(cpus: usize, has_limits: bool, trace_limit: usize) -> Self {
        Self {
            totals: Totals {
                run_delay: Histogram::default(),
                wakeup_latency: Histogram::default(),
                moves: Vec::new(),
                waste: Waste::all_idle(cpus),
                cores: WorkloadCores::default(),
                cpus: vec![CpuTotals::default(); cpus],
            },
            trace: Trace::new(trace_limit),
            occupancy: (trace_limit > 0).then(|| Occupancy::new(cpus)),
            window: None,
            limited: Limited::new(cpus, has_limits),
        }
    }

    /// Writes a record.
    #[inline]
    pub(super) fn record(&mut self, record: TraceRecord) {
        self.trace.push(record);
    }

    /// What the switch of a CPU that was recorded last costs.
    #[inline]
    pub(super) fn note_cost(&mut self, cpu: CpuId, cost: SwitchCost) {
        self.trace.note_cost(cpu, cost);
    }

    /// A CPU spent time on switching.
    #[inline]
    pub(super) fn switched(&mut self, cpu: CpuId, ns: u64) {
        self.totals.cpus[cpu.index()].account.switch_ns += ns;
    }

    /// Whether it is kept which task has each CPU.
    #[inline]
    pub(super) fn keeps_occupancy(&self) -> bool {
        self.occupancy.is_some()
    }

    /// A running task spent time on a CPU.
    pub(super) fn spent(&mut self, spent: Spent) {
        if let Some(occupancy) = &mut self.occupancy {
            occupancy.add(spent);
        }
    }

    /// A workload task was moved, for a reason of its scheduler.
    pub(super) fn moved(&mut self, reason: u16, distance: u8) {
        let moves = &mut self.totals.moves;
        match moves.iter_mut().find(|m| (m.0, m.1) == (reason, distance)) {
            Some(m) => m.2 += 1,
            None => moves.push((reason, distance, 1)),
        }
    }

    /// Workload threads came to a core or left it: whether it had one before, and whether it has one now.
    #[inline]
    pub(super) fn core_changes(&mut self, now: SimTime, before: bool, after: bool) {
        let cores = &mut self.totals.cores;
        cores.add_up(now);
        cores.in_use += u32::from(after);
        cores.in_use -= u32::from(before);
    }

    /// Adds the time up to now to all totals of CPUs and cores.
    pub(super) fn add_up(&mut self, now: SimTime, is_busy: impl Fn(CpuId) -> bool) {
        for (i, cpu) in self.totals.cpus.iter_mut().enumerate() {
            cpu.add_up(is_busy(CpuId::new(i)), now);
        }
        self.totals.cores.add_up(now);
    }

    pub(super) fn trace(&self) -> &Trace {
        &self.trace
    }

    pub(super) fn occupancy(&self) -> Option<&Occupancy> {
        self.occupancy.as_ref()
    }

    pub(super) fn occupancy_mut(&mut self) -> Option<&mut Occupancy> {
        self.occupancy.as_mut()
    }

    /// Counts who had each CPU in this occupancy from now on. Returns the one before.
    pub(super) fn replace_occupancy(&mut self, by: Option<Occupancy>) -> Option<Occupancy> {
        std::mem::replace(&mut self.occupancy, by)
    }

    /// What snapshots hold.
    pub(super) fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Goes on from the totals of a snapshot.
    pub(super) fn restore(&mut self, totals: Totals, trace: &TraceMark) {
        self.totals = totals;
        self.trace.rewind(trace);
        // The window of measuring belongs to the run before the jump.
        self.window = None;
    }

    /// CPU time that was idle while a task waited.
    pub(super) fn idle_while_waiting_ns(&self) -> u64 {
        self.totals.waste.idle_while_waiting_ns
    }

    /// Time integral of the number of cores with at least one workload thread.
    pub(super) fn workload_core_ns(&self) -> u64 {
        self.totals.cores.integral_ns
    }

    /// Waits of workload tasks from becoming runnable to running.
    pub(super) fn run_delay(&self) -> &Histogram {
        &self.totals.run_delay
    }

    /// The waits that began with a wake-up.
    pub(super) fn wakeup_latency(&self) -> &Histogram {
        &self.totals.wakeup_latency
    }

    /// Migrations of workload tasks: reason (code of the scheduler), distance (0 within a core, 1 within a cache
    /// group, 2 within a node, 3 between nodes), and how many.
    pub(super) fn moves(&self) -> &[(u16, u8, u64)] {
        &self.totals.moves
    }

    /// The totals of a CPU up to the last change.
    pub(super) fn cpu_account(&self, cpu: CpuId) -> &CpuAccount {
        &self.totals.cpus[cpu.index()].account
    }

    /// The totals of each CPU up to the last change.
    pub(super) fn cpu_accounts(&self) -> impl Iterator<Item = &CpuAccount> {
        self.totals.cpus.iter().map(|c| &c.account)
    }

    /// Busy and idle time of a CPU up to now, for checks; `None` if it is ahead of time.
    pub(super) fn elapsed(&self, cpu: usize, now: SimTime) -> Option<u64> {
        let CpuTotals { since, account } = &self.totals.cpus[cpu];
        (*since <= now).then(|| account.busy_ns + account.idle_ns + now.since(*since).0)
    }
}

impl Totals {
    /// Whether these may be totals of a run at a time, with so many CPUs, waiting tasks and idle CPUs.
    pub(super) fn fits(&self, now: SimTime, cpus: usize, waiting: usize, idle: usize) -> bool {
        self.run_delay.is_whole()
            && self.wakeup_latency.is_whole()
            && self.waste.fits(now, waiting, idle)
            && self.cpus.len() == cpus
            && self.cpus.iter().all(|c| c.fits(now))
    }
}
