//! Checks of the scheduler's answers. An answer that cannot be carried out ends the lane, with a sentence.

use super::TaskState;
use super::fault::SchedulerFault;
use crate::Sim;
use sim_contract::cx::Stop;
use sim_contract::flags::Placement;
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::time::SimTime;

impl Sim {
    /// The wrong answer that ended this lane, if one did.
    #[must_use]
    pub fn fault(&self) -> Option<&SchedulerFault> {
        self.kernel.fault.as_ref()
    }

    /// Ends the lane because of a wrong answer.
    #[cold]
    fn refuse(&mut self, hook: &str, task: Option<TaskId>, cpu: Option<CpuId>, rule: &str) {
        let who = task.map_or(String::new(), |t| {
            if t.index() < self.kernel.tasks.len() {
                format!(" {}", self.task_name(t))
            } else {
                format!(" task {}", t.0)
            }
        });
        let at = cpu.map_or(String::new(), |c| format!(" on cpu {}", c.0));
        let lane = &self.plan.lanes[self.lane];
        let message = format!("{} answered {hook} with{who}{at}: {rule}", lane.info.name);
        let SimTime(at_ns) = self.clock.now();
        self.kernel.fault = Some(SchedulerFault {
            at_ns,
            hook: hook.to_owned(),
            task: task.map(|t| t.0),
            cpu: cpu.map(|c| c.0),
            message,
        });
        self.kernel.finished = true;
    }

    /// Ends the lane because the scheduler asked for it.
    #[cold]
    pub(crate) fn stop(&mut self, stop: Stop) {
        let SimTime(at_ns) = self.clock.now();
        self.kernel.fault = Some(SchedulerFault {
            at_ns,
            hook: stop.hook.to_owned(),
            task: stop.task.map(|t| t.0),
            cpu: stop.cpu.map(|c| c.0),
            message: self.with_names(&stop.sentence),
        });
        self.kernel.finished = true;
    }

    /// A sentence of a scheduler with the names of tasks, of which it knows the numbers: `{task 3}`.
    #[must_use]
    pub fn with_names(&self, sentence: &str) -> String {
        let mut out = String::new();
        let mut rest = sentence;
        while let Some((before, after)) = rest.split_once("{task ") {
            out.push_str(before);
            let named = after.split_once('}').and_then(|(number, more)| {
                let task = number.parse::<usize>().ok()?;
                let name =
                    (task < self.kernel.tasks.len()).then(|| self.task_name(TaskId::new(task)));
                Some((name?, more))
            });
            match named {
                Some((name, more)) => {
                    out.push_str(&name);
                    rest = more;
                }
                None => {
                    out.push_str("{task ");
                    rest = after;
                }
            }
        }
        out + rest
    }

    fn is_cpu(&self, cpu: CpuId) -> bool {
        cpu.index() < self.cpu_count()
    }

    /// Whether a CPU that a hook named exists.
    pub(crate) fn accepts_cpu(&mut self, hook: &str, task: Option<TaskId>, cpu: CpuId) -> bool {
        let ok = self.is_cpu(cpu);
        if !ok {
            let rule = format!("the machine has CPUs 0 to {}", self.cpu_count() - 1);
            self.refuse(hook, task, Some(cpu), &rule);
        }
        ok
    }

    /// Whether a task may wait in that place.
    pub(crate) fn accepts_place(&mut self, task: TaskId, place: Placement) -> bool {
        let Placement::Cpu(cpu) = place else {
            return true;
        };
        if !self.accepts_cpu("select_cpu", Some(task), cpu) {
            return false;
        }
        let allowed = self.kernel.infos[task.index()].allowed.contains(cpu);
        if !allowed {
            let rule = "the thread may not use that CPU";
            self.refuse("select_cpu", Some(task), Some(cpu), rule);
        }
        allowed
    }

    /// Whether a CPU may run a task next. `goes_on`: the task that it ran before, if that is still runnable.
    pub(crate) fn accepts_pick(
        &mut self,
        cpu: CpuId,
        task: TaskId,
        goes_on: Option<TaskId>,
    ) -> bool {
        if goes_on == Some(task) {
            return true;
        }
        let rule = match self.kernel.tasks.get(task.index()).map(|t| t.state) {
            Some(TaskState::Queued) if self.kernel.infos[task.index()].allowed.contains(cpu) => {
                return true;
            }
            Some(TaskState::Queued) => "the thread may not use that CPU",
            Some(TaskState::Running) => "the thread runs already",
            Some(TaskState::Sleeping) => "the thread sleeps",
            Some(TaskState::NotStarted) => "the thread has not started",
            Some(TaskState::Exited) => "the thread has ended",
            None => "there is no such thread",
        };
        self.refuse("pick_next", Some(task), Some(cpu), rule);
        false
    }

    /// Whether a task can have been moved to a queue.
    pub(crate) fn accepts_move(&mut self, task: TaskId, to: Option<CpuId>) -> bool {
        if task.index() >= self.kernel.tasks.len() {
            self.refuse("moved", Some(task), to, "there is no such thread");
            return false;
        }
        to.is_none_or(|cpu| self.accepts_cpu("moved", Some(task), cpu))
    }
}
