//! The engine: owns time, tasks, CPUs, clocks, work and cost, and calls the scheduler's hooks in the
//! kernel's order.
//!
//! Four parts own the state of a run: clockwork, hardware, kernel and ledger. A method of [`Sim`] is what needs several of
//! them. It stands with the kernel if it changes something, and beside this file if it reads. The other parts do not know
//! [`Sim`].
//!
//! [`Sim`] is a function of plan, lane and edits: it reads no clock, no input, no global. [`replay::Replay`] adds going
//! back and explaining.

mod clockwork;
mod context;
mod hardware;
pub mod history;
mod kernel;
mod ledger;
mod measured;
mod packed;
pub mod replay;
mod snapshot;
mod start;
mod view;

pub use hardware::idle;
pub use kernel::{SchedulerFault, TaskState};
pub use view::{TaskView, UpToDate};

use clockwork::{Clockwork, Event};
use context::{Context, around, cx};
use hardware::Hardware;
use kernel::{Kernel, Task};
use ledger::Ledger;
use sim_config::edit::TimedEdit;
use sim_config::plan::Plan;
use sim_contract::Scheduler;
use sim_contract::cx::{Cx, Requests};
use sim_contract::decision::DecisionLog;
use sim_ground::ids::TaskId;
use sim_ground::info::ReasonEntry;
use sim_ground::params::Params;
use sim_ground::provenance::Constant;
use sim_ground::time::SimTime;
use sim_workload::{Behaviour, JobStream};
use std::sync::Arc;

/// The constants of this crate, by file.
pub const ALL_CONSTANTS: &[&[Constant]] = &[
    hardware::heat::CONSTANTS,
    idle::CONSTANTS,
    idle::menu::CONSTANTS,
    hardware::mixes::CONSTANTS,
    hardware::speeds::CONSTANTS,
    hardware::warmth::CONSTANTS,
    kernel::jobs::CONSTANTS,
    kernel::locks::CONSTANTS,
    start::CONSTANTS,
];

/// How a run is carried out. No option changes its result.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Skip quiet ticks.
    pub fast_forward: bool,
    /// Check the invariants after every event that is a multiple of this; 0: never. A check looks at all threads, CPUs and
    /// queues, so it takes ten times as long as the event.
    pub check_every: u64,
    /// How many trace records are kept.
    pub trace_limit: usize,
    /// How many decisions are kept.
    pub decision_limit: usize,
}

impl Default for Options {
    /// For sweeps and reports: no history is kept; checks run where debug assertions are on.
    fn default() -> Self {
        Self {
            fast_forward: true,
            check_every: u64::from(cfg!(debug_assertions)),
            trace_limit: 0,
            decision_limit: 0,
        }
    }
}

impl Options {
    /// For the page: keeps enough history to look back.
    #[must_use]
    pub fn interactive() -> Self {
        Self {
            check_every: 0,
            trace_limit: 200_000,
            decision_limit: 50_000,
            ..Self::default()
        }
    }
}

/// One lane of a scenario, running.
pub struct Sim {
    plan: Arc<Plan>,
    lane: usize,
    options: Options,
    sched: Box<dyn Scheduler>,
    params: Params,
    behaviours: Vec<Box<dyn Behaviour>>,
    /// The stream of jobs that arrive at each group.
    job_streams: Vec<Option<JobStream>>,
    clock: Clockwork,
    hardware: Hardware,
    kernel: Kernel,
    log: DecisionLog,
    ledger: Ledger,
    requests: Requests,
    /// All edits, in order of time.
    edits: Vec<TimedEdit>,
}

impl Sim {
    /// Simulated time.
    #[must_use]
    pub fn now(&self) -> SimTime {
        self.clock.now()
    }

    /// The latest time at which the run ends.
    #[must_use]
    pub fn end(&self) -> SimTime {
        SimTime(self.plan.end_ns)
    }

    /// Whether the run is over.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.kernel.is_finished() || self.clock.now() >= self.end()
    }

    /// Number of events handled so far.
    #[must_use]
    pub fn handled(&self) -> u64 {
        self.clock.handled()
    }

    /// The plan.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Which lane of the plan this is.
    #[must_use]
    pub fn lane(&self) -> usize {
        self.lane
    }

    /// The decisions.
    #[must_use]
    pub fn decisions(&self) -> &DecisionLog {
        &self.log
    }

    /// The reasons of the lane's scheduler, by code.
    #[must_use]
    pub fn reasons(&self) -> &'static [ReasonEntry] {
        self.plan.lanes[self.lane].info.reasons
    }

    /// All edits, those of the scenario and those made since.
    #[must_use]
    pub fn edits(&self) -> &[TimedEdit] {
        &self.edits
    }

    /// Runs up to and including `until`, or until `max_events` events have been handled.
    pub fn advance(&mut self, until: SimTime, max_events: u64) {
        let until = until.min(self.end());
        let mut left = max_events;
        while !self.kernel.is_finished() {
            match self.next_due() {
                Some(at) if at <= until => {
                    if left == 0 {
                        return;
                    }
                    let before = self.clock.handled();
                    self.clock
                        .set_may_join(left > 1 && self.options.check_every == 0);
                    self.handle_next();
                    self.clock.set_may_join(false);
                    left -= self.clock.handled() - before;
                }
                _ => {
                    self.clock.pass_to(until);
                    return;
                }
            }
        }
    }

    /// Runs up to and including `until`.
    pub fn run_until(&mut self, until: SimTime) {
        self.advance(until, u64::MAX);
    }

    /// Handles one event; `false` if the run is over or nothing is due before its end.
    pub fn step_event(&mut self) -> bool {
        if self.kernel.is_finished() || self.next_due().is_none_or(|at| at > self.end()) {
            return false;
        }
        self.handle_next();
        self.clock.end_event();
        true
    }

    /// Handles everything that is due at this instant.
    pub(crate) fn complete_instant(&mut self) {
        while !self.kernel.is_finished() && self.next_due() == Some(self.clock.now()) {
            self.handle_next();
        }
    }

    /// Time of the next event. Speeds are brought up to date before time goes on; that may move events.
    fn next_due(&mut self) -> Option<SimTime> {
        if self.hardware.has_stale_speeds() && self.clock.next_time() != Some(self.clock.now()) {
            self.update_speeds();
        }
        self.clock.next_due()
    }

    /// Handles the next event.
    fn handle_next(&mut self) {
        self.bring_in_quiet_reschedules();
        let Some(event) = self.clock.take_next() else {
            return;
        };
        self.count_waste_before_event();
        match event {
            Event::Tick(clock, cpu) => self.on_tick(cpu, clock),
            Event::Wake(task) => self.on_wake_event(task),
            Event::Timer(timer) => self.on_timer(timer),
            Event::PhaseEnd(cpu) => self.on_phase_end(cpu),
            Event::Resched(cpu) => self.on_resched(cpu),
            Event::Heat => self.hardware.on_heat(&self.plan.machine, &mut self.clock),
            Event::Job => self.on_arrival(),
            Event::Edit => self.on_edit(),
        }
        if self.kernel.is_finished() {
            self.clock.end_event();
        }
        let every = self.options.check_every;
        if every > 0 && self.clock.handled().is_multiple_of(every) && self.fault().is_none() {
            self.check_invariants();
        }
    }

    fn cpu_count(&self) -> usize {
        self.kernel.on_cpus().len()
    }

    fn task(&self, task: TaskId) -> &Task {
        self.kernel.task(task)
    }

    fn task_mut(&mut self, task: TaskId) -> &mut Task {
        self.kernel.task_mut(task)
    }
}
