//! Threads begin and end: forks, exits, and the end of a run when no thread is left.

use super::pause::Stop;
use super::{Task, TaskState};
use crate::clockwork::Event;
use crate::{Context, Cx, Sim, cx};
use sim_config::plan::GroupPlan;
use sim_contract::Occasion;
use sim_contract::cx::TaskInfo;
use sim_contract::flags::{EnqueueFlags, SwitchReason};
use sim_ground::ids::{CpuId, CpuMask, GroupId, TaskId};
use sim_ground::rng::Rng;
use sim_ground::time::SimTime;
use sim_trace::accounts::TaskAccount;
use sim_trace::{TraceKind, TraceRecord};
use sim_workload::Behaviour;

impl Sim {
    pub(crate) fn create_group(&mut self, group: &GroupPlan) {
        for i in 0..group.count {
            let at = group.start_ns + u64::from(i) * group.start_spacing_ns;
            let at = (!group.forked).then_some(SimTime(at));
            self.create_task(group, at);
        }
    }

    /// Adds a task of a group. It starts at time `at`; without a time it waits for its parent.
    ///
    /// # Panics
    /// If the behaviour refuses parameters that the validation accepted.
    pub(crate) fn create_task(&mut self, group: &GroupPlan, at: Option<SimTime>) -> TaskId {
        let behaviour = (group.behaviour.make)(&group.params)
            .expect("invariant: parameters were checked with the plan");
        let allowed = if group.bound_each {
            let n = self.kernel.group_sizes[group.id.index()] as usize;
            CpuMask::only(CpuId::new(n % self.cpu_count()))
        } else {
            group.allowed
        };
        let nice_max = self.plan.lanes[self.lane].info.nice_max;
        let first = allowed.lowest().unwrap_or_default();
        let task = self.add_task(
            group.id,
            behaviour,
            TaskInfo {
                group: group.id,
                process: 0,
                nice: group.nice.min(nice_max),
                policy: group.policy,
                rt_priority: group.rt_priority,
                slice_ns: group.slice_ns,
                allowed,
                // The shell that starts it runs on the lowest CPU.
                last_cpu: first,
                parent: None,
                background: group.background,
                kernel_thread: group.bound_each,
            },
            group.working_set_bytes,
        );
        if let Some(at) = at {
            self.clock.schedule(Event::Wake(task), at);
        }
        task
    }

    pub(crate) fn add_task(
        &mut self,
        group: GroupId,
        behaviour: Box<dyn Behaviour>,
        mut info: TaskInfo,
        working_set_bytes: u64,
    ) -> TaskId {
        let plan = &self.plan.groups[group.index()];
        let task = TaskId::new(self.kernel.tasks().len());
        let number = &mut self.kernel.group_sizes[group.index()];
        *number += 1;
        self.kernel.group_alive[group.index()] += 1;
        info.process = match plan.one_process {
            Some(first) => u32::from(first.0),
            None => u32::from(u16::MAX) + 1 + task.0,
        };
        let name = format!("task/{}", plan.name);
        self.kernel.tasks.push(Task {
            state: TaskState::NotStarted,
            since: self.clock.now(),
            queued_at: self.clock.now(),
            woken_at: None,
            remaining: 0,
            ran: false,
            wake_cpu: info.last_cpu,
            wake_by_timer: true,
            // No work is the same as before its first turn.
            gave_up: (self.clock.now(), u64::MAX),
            turned_idly: false,
            rng: Rng::stream(self.plan.seed, &name, u64::from(*number)),
            number: *number,
            last_migrate_reason: -1,
            queue: None,
            placed: None,
            wait: None,
            taken: 0,
            job: None,
            stop: Stop::No,
            account: TaskAccount::default(),
        });
        self.kernel.alive += u32::from(!plan.background);
        self.kernel.infos.push(info);
        self.hardware
            .add_task(plan.behaviour.class, working_set_bytes);
        self.behaviours.push(behaviour);
        self.kernel.layout_revision += 1;
        self.call_waiting_edit(task);
        task
    }

    /// fork: `task_new`, then as for a wake-up.
    pub(crate) fn start_task(&mut self, task: TaskId, parent: Option<(TaskId, CpuId)>) {
        let context = parent.map_or(Context::OUTSIDE, |(_, cpu)| Context::task_on(cpu));
        if let Some((_, cpu)) = parent {
            self.settle(cpu);
        }
        self.look_around(Occasion::Placing);
        self.hardware.catch_up_rests(&self.clock);
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
    pub(crate) fn fork(&mut self, cpu: CpuId, parent: TaskId, behaviour: Box<dyn Behaviour>) {
        if self.room() == 0 {
            return;
        }
        let info = TaskInfo {
            last_cpu: cpu,
            parent: Some(parent),
            ..self.kernel.infos[parent.index()].clone()
        };
        let bytes = self.hardware.working_set_bytes(parent);
        let child = self.add_task(info.group, behaviour, info, bytes);
        self.start_task(child, Some((parent, cpu)));
    }

    /// A parent starts the next thread of the group whose parent it is.
    pub(crate) fn fork_member(&mut self, cpu: CpuId, parent: TaskId) {
        let own = self.kernel.infos[parent.index()].group;
        let Some(group) = self.plan.groups[own.index()].parent_of else {
            return;
        };
        let next = (0..self.kernel.tasks.len()).map(TaskId::new).find(|t| {
            self.kernel.infos[t.index()].group == group
                && self.task(*t).state == TaskState::NotStarted
                && self.clock.due(Event::Wake(*t)).is_none()
        });
        let Some(child) = next else {
            // The next member has been killed before, so there is no child to wait for.
            self.tell_parent(Context::task_on(cpu), parent);
            return;
        };
        let info = &mut self.kernel.infos[child.index()];
        // If the thread may not run on this CPU, it has not run here before either.
        if info.allowed.contains(cpu) {
            info.last_cpu = cpu;
        }
        info.parent = Some(parent);
        self.start_task(child, Some((parent, cpu)));
    }

    pub(crate) fn exit(&mut self, cpu: CpuId, task: TaskId) {
        self.note_exit(task, Some(cpu));
        self.reschedule(cpu, SwitchReason::Exit);
        self.leave_channels(Context::task_on(cpu), task);
        self.hardware.free_memory(task);
        self.finish_if_done();
    }

    /// `task_exit` may give something to the parent: the parent's CPU first applies its skipped ticks.
    pub(crate) fn tell_of_exit(&mut self, context: Context, task: TaskId) {
        if let Some(parent) = self.kernel.infos[task.index()].parent {
            self.settle(self.kernel.infos[parent.index()].last_cpu);
        }
        self.sched.task_exit(&mut cx!(self, context), task);
    }

    pub(crate) fn note_exit(&mut self, task: TaskId, cpu: Option<CpuId>) {
        let now = self.clock.now();
        let t = self.task_mut(task);
        t.stop = Stop::No;
        t.account.exited_at_ns = Some(now.0);
        self.ledger.record(
            TraceRecord::new(now, TraceKind::Exit)
                .cpu(cpu)
                .task(Some(task)),
        );
        let info = &self.kernel.infos[task.index()];
        let parent = info.parent;
        self.kernel.alive -= u32::from(!info.background);
        self.kernel.group_alive[info.group.index()] -= 1;
        self.lose_job(task);
        if cpu.is_none() {
            self.hardware.free_memory(task);
        }
        if let Some(parent) = parent {
            let context = cpu.map_or(Context::OUTSIDE, Context::task_on);
            self.tell_parent(context, parent);
            self.tell_waiting_parent(context, parent);
        }
    }

    /// Ends the run if the scenario says so: no thread is left, and no parent waits for children.
    pub(crate) fn finish_if_done(&mut self) {
        if self.kernel.alive == 0 && self.plan.scenario.end.when_all_exited {
            let alive = &self.kernel.group_alive;
            let mut groups = self.plan.groups.iter();
            self.kernel.finished = !groups.any(|g| g.waits() && alive[g.id.index()] > 0);
        }
    }
}
