//! Threads begin and end: forks, exits, and the end of a run when no thread is left.

use super::clockwork::Event;
use super::pause::Stop;
use super::state::TaskState;
use super::{Context, Cx, Sim, cx};
use sim_contract::Occasion;
use sim_contract::cx::TaskInfo;
use sim_contract::flags::{EnqueueFlags, SwitchReason};
use sim_ground::ids::{CpuId, TaskId};
use sim_trace::{TraceKind, TraceRecord};
use sim_workload::Behaviour;

impl Sim {
    /// fork: `task_new`, then as for a wake-up.
    pub(super) fn start_task(&mut self, task: TaskId, parent: Option<(TaskId, CpuId)>) {
        let context = parent.map_or(Context::OUTSIDE, |(_, cpu)| Context::task_on(cpu));
        if let Some((_, cpu)) = parent {
            self.settle(cpu);
        }
        self.look_around(Occasion::Placing);
        self.catch_up_rests();
        let now = self.clock.now();
        let t = self.task_mut(task);
        t.account.started_at_ns = Some(now.0);
        let by = parent.map(|(p, _)| p);
        let record = TraceRecord::new(now, TraceKind::Fork)
            .cpu(context.cpu)
            .task(Some(task))
            .other(by.map_or(-1, |p| i64::from(p.0)));
        self.sched.task_new(&mut cx!(self, context), task, by);
        self.make_runnable(context, task, EnqueueFlags::New, record);
        if let Some((_, cpu)) = parent {
            self.arm_ticks(cpu);
        }
    }

    /// A thread starts another. If there are too many threads it goes on without one (`EAGAIN`).
    pub(super) fn fork(&mut self, cpu: CpuId, parent: TaskId, behaviour: Box<dyn Behaviour>) {
        if self.room() == 0 {
            return;
        }
        let info = TaskInfo {
            last_cpu: cpu,
            parent: Some(parent),
            ..self.st.infos[parent.index()].clone()
        };
        let bytes = self.task(parent).working_set_bytes;
        let child = self.add_task(info.group, behaviour, info, bytes);
        self.start_task(child, Some((parent, cpu)));
    }

    /// A parent starts the next thread of the group whose parent it is.
    pub(super) fn fork_member(&mut self, cpu: CpuId, parent: TaskId) {
        let own = self.st.infos[parent.index()].group;
        let Some(group) = self.plan.groups[own.index()].parent_of else {
            return;
        };
        let next = (0..self.st.tasks.len()).map(TaskId::new).find(|t| {
            self.st.infos[t.index()].group == group
                && self.task(*t).state == TaskState::NotStarted
                && self.clock.due(Event::Wake(*t)).is_none()
        });
        let Some(child) = next else {
            // The next member has been killed before, so there is no child to wait for.
            self.tell_parent(Context::task_on(cpu), parent);
            return;
        };
        let info = &mut self.st.infos[child.index()];
        // If the thread may not run on this CPU, it has not run here before either.
        if info.allowed.contains(cpu) {
            info.last_cpu = cpu;
        }
        info.parent = Some(parent);
        self.start_task(child, Some((parent, cpu)));
    }

    pub(super) fn exit(&mut self, cpu: CpuId, task: TaskId) {
        self.note_exit(task, Some(cpu));
        self.reschedule(cpu, SwitchReason::Exit);
        self.leave_channels(Context::task_on(cpu), task);
        self.free_memory(task);
        self.finish_if_done();
    }

    /// `task_exit` may give something to the parent: the parent's CPU first applies its skipped ticks.
    pub(super) fn tell_of_exit(&mut self, context: Context, task: TaskId) {
        if let Some(parent) = self.st.infos[task.index()].parent {
            self.settle(self.st.infos[parent.index()].last_cpu);
        }
        self.sched.task_exit(&mut cx!(self, context), task);
    }

    pub(super) fn note_exit(&mut self, task: TaskId, cpu: Option<CpuId>) {
        let now = self.clock.now();
        let t = self.task_mut(task);
        t.stop = Stop::No;
        t.account.exited_at_ns = Some(now.0);
        self.ledger.record(
            TraceRecord::new(now, TraceKind::Exit)
                .cpu(cpu)
                .task(Some(task)),
        );
        let info = &self.st.infos[task.index()];
        let parent = info.parent;
        self.st.alive -= u32::from(!info.background);
        self.st.group_alive[info.group.index()] -= 1;
        self.lose_job(task);
        if cpu.is_none() {
            self.free_memory(task);
        }
        if let Some(parent) = parent {
            let context = cpu.map_or(Context::OUTSIDE, Context::task_on);
            self.tell_parent(context, parent);
            self.tell_waiting_parent(context, parent);
        }
    }

    /// Ends the run if the scenario says so: no thread is left, and no parent waits for children.
    pub(super) fn finish_if_done(&mut self) {
        if self.st.alive == 0 && self.plan.scenario.end.when_all_exited {
            let alive = &self.st.group_alive;
            let mut groups = self.plan.groups.iter();
            self.st.finished = !groups.any(|g| g.waits() && alive[g.id.index()] > 0);
        }
    }
}
