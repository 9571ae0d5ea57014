//! Read access for frames, metrics and reports. Reading never changes the run.

use super::Sim;
use super::pause::Stop;
use super::state::TaskState;
use sim_ground::ids::{CpuId, TaskId};
use sim_machine::cost::time::SATURATION_BITS;
use sim_machine::rate::Speed;
use sim_machine::spec::MemoryDomain;

use sim_contract::cx::TaskInfo;
use sim_contract::decision::Level;
use sim_contract::memory::Memory;
use sim_contract::shape::{QueueDetail, QueueDetailContext};
use sim_contract::{QueueRow, Scheduler};
use sim_ground::params::ParamMap;
use sim_ground::time::SimTime;
use sim_trace::accounts::TaskAccount;

/// A task as readers see it.
#[derive(Debug)]
pub struct TaskView<'a> {
    /// What it is doing.
    pub state: TaskState,
    /// Whether it has been asked to stop and not resumed. It has stopped if its state is [`TaskState::Sleeping`].
    pub stopped: bool,
    /// What schedulers know about it.
    pub info: &'a TaskInfo,
    /// Its totals.
    pub account: &'a TaskAccount,
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
    /// Brings all totals up to now. The other functions here read these totals.
    pub fn refresh(&mut self) {
        self.bring_up_to_date();
    }

    /// Records the candidates that lost, from now on. This does not change the run.
    pub fn keep_candidates(&mut self) {
        self.log.level = Level::Full;
    }

    /// Number of tasks ever created.
    #[must_use]
    pub fn task_count(&self) -> usize {
        self.st.tasks.len()
    }

    /// A task.
    #[must_use]
    pub fn task_view(&self, task: TaskId) -> TaskView<'_> {
        let t = self.task(task);
        TaskView {
            state: t.state,
            stopped: t.stop != Stop::No,
            info: &self.st.infos[task.index()],
            account: &t.account,
            working_set_bytes: t.working_set_bytes,
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
        let group = self.st.infos[task.index()].group;
        let name = &self.plan.groups[group.index()].name;
        format!("{name}-{}", self.task(task).number)
    }

    /// Every tunable of the scheduler with the value that is in force now.
    #[must_use]
    pub fn tunables(&self) -> ParamMap {
        self.params.in_force(self.st.cpus.len())
    }

    /// The running task of a CPU.
    #[must_use]
    pub fn curr(&self, cpu: CpuId) -> Option<TaskId> {
        self.st.curr[cpu.index()]
    }

    /// Whether a CPU is signalled.
    #[must_use]
    pub fn is_flagged(&self, cpu: CpuId) -> bool {
        self.st.flagged.contains(cpu)
    }

    /// How the running task's time is divided at present.
    #[must_use]
    pub fn cpu_speed(&self, cpu: CpuId) -> Speed {
        self.st.cpus[cpu.index()].speed
    }

    /// Time that the scheduler's own work takes before the running task goes on, in ns.
    #[must_use]
    pub fn cpu_debt_ns(&self, cpu: CpuId) -> u64 {
        let debt = self.st.cpus[cpu.index()].debt;
        debt.total() - debt.pages_ns
    }

    /// The memory of a task; empty before it first runs with data, and after its end.
    #[must_use]
    pub fn memory(&self, task: TaskId) -> &Memory {
        &self.st.memory[task.index()]
    }

    /// Clock relative to nominal in units of 2^-20.
    #[must_use]
    pub fn frequency(&self) -> u64 {
        self.st.frequency
    }

    /// By how much waiting for the memory of a CPU's node stretches because bandwidth is short; 1 if it does not
    /// stretch.
    #[must_use]
    pub fn saturation(&self, cpu: CpuId) -> f64 {
        let domain = match self.plan.machine.spec().memory.domain {
            MemoryDomain::Machine => 0,
            MemoryDomain::Node => self.plan.machine.place(cpu).node.index(),
        };
        let factor = u32::try_from(self.st.saturation[domain]).unwrap_or(u32::MAX);
        f64::from(factor) / f64::from(1_u32 << SATURATION_BITS)
    }

    /// The cache level that serves most of what the task on a CPU sweeps: 1, 2, 3; 4 is memory.
    #[must_use]
    pub fn served_by(&self, cpu: CpuId) -> u8 {
        self.st.cpus[cpu.index()].mix.served_by
    }

    /// What a cache holds, by its number in the machine: threads and bytes, most recent first.
    pub fn residents(&self, cache: usize) -> impl Iterator<Item = (TaskId, u64)> + '_ {
        self.st.residency.rows(cache)
    }

    /// Temperature in °C, on machines with a thermal model.
    #[must_use]
    pub fn package_temperature(&self) -> Option<f64> {
        self.temperature()
    }

    /// All waiting tasks, in queue order.
    pub fn queue_rows(&self, out: &mut Vec<QueueRow>) {
        self.sched.queues(out);
    }

    /// What a CPU sees of the queues besides their rows.
    #[must_use]
    pub fn queue_detail(&self, cpu: CpuId) -> QueueDetail {
        let around = QueueDetailContext {
            machine: &self.plan().machine,
            tasks: &self.st.infos,
        };
        let mut detail = self.sched.queue_detail(&around, cpu);
        detail.idle = self.idle_now(cpu);
        detail.numbers = self.sched.numbers();
        detail
    }

    /// The scheduler, for its columns and counters.
    #[must_use]
    pub fn scheduler(&self) -> &dyn Scheduler {
        &*self.sched
    }

    /// Grows when names change.
    #[must_use]
    pub fn layout_revision(&self) -> u32 {
        self.st.layout_revision
    }
}
