//! Read access for frames, metrics and reports. Reading never changes the run.

use super::Sim;
use super::TaskState;
use sim_ground::ids::{CpuId, TaskId};

use sim_contract::cx::TaskInfo;
use sim_contract::decision::Level;
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

    /// What a CPU sees of the queues besides their rows.
    #[must_use]
    pub fn queue_detail(&self, cpu: CpuId) -> QueueDetail {
        let around = QueueDetailContext {
            machine: &self.plan().machine,
            tasks: self.kernel.infos(),
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
        self.kernel.layout_revision()
    }
}
