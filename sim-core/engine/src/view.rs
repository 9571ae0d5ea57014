//! Read access for frames, metrics and reports. Reading never changes the run.

use super::TaskState;
use super::{Sim, around};
use sim_ground::ids::{CpuId, TaskId};

use sim_contract::cx::TaskInfo;
use sim_contract::decision::Level;
use sim_contract::memory::Memory;
use sim_contract::shape::{QueueDetail, QueueDetailContext, QueueShape};
use sim_contract::{QueueRow, Scheduler};
use sim_ground::params::ParamMap;
use sim_ground::time::SimTime;
use sim_machine::cost::time::SATURATION_BITS;
use sim_machine::rate::Speed;
use sim_machine::spec::MemoryDomain;
use sim_trace::accounts::TaskAccount;
use std::ops::Deref;

/// A run whose totals and averages are those of now. Only [`Sim::refresh`] makes one, and they can be read nowhere else:
/// time that a running thread has used is charged late, and so are ticks that change nothing else.
#[derive(Clone, Copy)]
pub struct UpToDate<'a>(&'a Sim);

impl Deref for UpToDate<'_> {
    type Target = Sim;

    fn deref(&self) -> &Sim {
        self.0
    }
}

impl<'a> UpToDate<'a> {
    /// The run, for as long as it is borrowed.
    pub(crate) fn sim(self) -> &'a Sim {
        self.0
    }

    /// Totals of a task.
    #[must_use]
    pub fn account(self, task: TaskId) -> &'a TaskAccount {
        &self.0.task(task).account
    }

    /// The scheduler, for its columns and averages.
    #[must_use]
    pub fn scheduler(self) -> &'a dyn Scheduler {
        &*self.0.sched
    }

    /// What a CPU sees of the queues besides their rows.
    #[must_use]
    pub fn queue_detail(self, cpu: CpuId) -> QueueDetail {
        let sim = self.0;
        let around = QueueDetailContext {
            machine: &self.plan().machine,
            tasks: self.kernel.infos(),
        };
        let mut detail = self.sched.queue_detail(&around, cpu);
        detail.idle = self.hardware.idle_now(&around!(sim), &self.clock, cpu);
        detail.numbers = self.sched.numbers();
        detail
    }
}

/// A task as readers see it. Its totals are read from a run that is [`UpToDate`].
#[derive(Debug)]
pub struct TaskView<'a> {
    /// What it is doing.
    pub state: TaskState,
    /// Whether it has been asked to stop and not resumed. It has stopped if its state is [`TaskState::Sleeping`].
    pub stopped: bool,
    /// What schedulers know about it.
    pub info: &'a TaskInfo,
    /// When it started, in ns.
    pub started_at_ns: Option<u64>,
    /// When it exited, in ns.
    pub exited_at_ns: Option<u64>,
    /// Bytes that it sweeps.
    pub working_set_bytes: u64,
    /// Whether it ever ran.
    pub ran: bool,
    /// When its sleep ends, if it is known.
    pub wake_at: Option<SimTime>,
    /// Code of its last migration in the scheduler's table of reasons, or -1.
    pub last_migrate_reason: i32,
}

impl Sim {
    /// Brings all totals up to now. This does not change the run.
    pub fn refresh(&mut self) -> UpToDate<'_> {
        self.bring_up_to_date();
        UpToDate(self)
    }

    /// Records the candidates that lost, from now on. This does not change the run.
    pub fn keep_candidates(&mut self) {
        self.log.level = Level::Full;
    }

    /// Number of tasks ever created.
    #[must_use]
    pub fn task_count(&self) -> usize {
        self.kernel.tasks().len()
    }

    /// A task.
    #[must_use]
    pub fn task_view(&self, task: TaskId) -> TaskView<'_> {
        let t = self.task(task);
        TaskView {
            state: t.state,
            stopped: self.kernel.is_stopped(task),
            info: self.kernel.info(task),
            started_at_ns: t.account.started_at_ns,
            exited_at_ns: t.account.exited_at_ns,
            working_set_bytes: self.hardware.working_set_bytes(task),
            ran: t.ran,
            wake_at: self
                .clock
                .due(super::clockwork::Event::Wake(task))
                .filter(|_| t.state != TaskState::Exited),
            last_migrate_reason: t.last_migrate_reason,
        }
    }

    /// The name of a task: its group's name and its number in it.
    #[must_use]
    pub fn task_name(&self, task: TaskId) -> String {
        let group = self.kernel.info(task).group;
        let name = &self.plan.groups[group.index()].name;
        format!("{name}-{}", self.task(task).number)
    }

    /// Every tunable of the scheduler with the value that is in force now.
    #[must_use]
    pub fn tunables(&self) -> ParamMap {
        self.params.in_force(self.cpu_count())
    }

    /// The running task of a CPU.
    #[must_use]
    pub fn curr(&self, cpu: CpuId) -> Option<TaskId> {
        self.kernel.curr(cpu)
    }

    /// Whether a CPU is signalled.
    #[must_use]
    pub fn is_flagged(&self, cpu: CpuId) -> bool {
        self.kernel.is_flagged(cpu)
    }

    /// All waiting tasks, in queue order.
    pub fn queue_rows(&self, out: &mut Vec<QueueRow>) {
        self.sched.queues(out);
    }

    /// The form of the queues.
    #[must_use]
    pub fn shape(&self) -> QueueShape {
        self.sched.shape()
    }

    /// The scheduler's counters by name.
    #[must_use]
    pub fn counters(&self) -> Vec<(&'static str, u64)> {
        self.sched.counters()
    }

    /// Adds, for each CPU, the tasks that wait for it in particular.
    pub fn count_waiting(&self, waiting: &mut [u64]) {
        self.sched.count_waiting(waiting);
    }

    /// The CPU time of a task that does not run now, in ns. It is charged when a task leaves its CPU.
    #[must_use]
    pub fn cpu_time_off_cpu(&self, task: TaskId) -> Option<u64> {
        let t = self.task(task);
        (t.state != TaskState::Running).then_some(t.account.run_ns)
    }

    /// Grows when names change.
    #[must_use]
    pub fn layout_revision(&self) -> u32 {
        self.kernel.layout_revision()
    }
}

/// The hardware.
impl Sim {
    /// The memory of a task; empty before it first runs with data, and after its end.
    #[must_use]
    pub fn memory(&self, task: TaskId) -> &Memory {
        self.hardware.memory_of(task)
    }

    /// Clock relative to nominal in units of 2^-20.
    #[must_use]
    pub fn frequency(&self) -> u64 {
        self.hardware.frequency()
    }

    /// The cache level that serves most of what the task on a CPU sweeps: 1, 2, 3; 4 is memory.
    #[must_use]
    pub fn served_by(&self, cpu: CpuId) -> u8 {
        self.hardware.served_by(cpu)
    }

    /// What a cache holds, by its number in the machine: threads and bytes, most recent first.
    pub fn residents(&self, cache: usize) -> impl Iterator<Item = (TaskId, u64)> + '_ {
        self.hardware.residents(cache)
    }

    /// The share of a task's set that lies in the cache that serves it on its CPU; `None` without a set, or if no cache
    /// can hold it.
    #[must_use]
    pub fn warmth(&self, task: TaskId) -> Option<f64> {
        let cpu = self.kernel.info(task).last_cpu;
        let is_running = self.kernel.curr(cpu) == Some(task);
        self.task(task).ran.then_some(())?;
        self.hardware
            .warmth(&self.plan.machine, cpu, task, is_running)
    }

    /// Temperature in °C, on machines with a thermal model.
    #[must_use]
    pub fn package_temperature(&self) -> Option<f64> {
        self.hardware.temperature(&self.plan.machine)
    }
}

/// Speeds, and what is owed, are found anew when they are needed.
impl UpToDate<'_> {
    /// How the running task's time is divided at present.
    #[must_use]
    pub fn cpu_speed(self, cpu: CpuId) -> Speed {
        self.hardware.speed_of(cpu)
    }

    /// Time that the scheduler's own work takes before the running task goes on, in ns.
    #[must_use]
    pub fn cpu_debt_ns(self, cpu: CpuId) -> u64 {
        let debt = self.hardware.unpaid(cpu);
        debt.total() - debt.pages_ns
    }

    /// By how much waiting for the memory of a CPU's node stretches because bandwidth is short; 1 if it does not
    /// stretch.
    #[must_use]
    pub fn saturation(self, cpu: CpuId) -> f64 {
        let domain = match self.plan.machine.spec().memory.domain {
            MemoryDomain::Machine => 0,
            MemoryDomain::Node => self.plan.machine.place(cpu).node.index(),
        };
        let factor = u32::try_from(self.hardware.saturation_in(domain)).unwrap_or(u32::MAX);
        f64::from(factor) / f64::from(1_u32 << SATURATION_BITS)
    }
}
