//! Edits: the only way to influence a run. Each is logged with its time.

use super::TaskState;
use crate::clockwork::Event;
use crate::{Context, Cx, Sim, cx};
use sim_config::edit::{Count, Edit, Target, TimedEdit};
use sim_config::validate::check_edit;
use sim_contract::cx::TaskInfo;
use sim_contract::flags::DequeueFlags;
use sim_ground::error::ConfigError;
use sim_ground::ids::{CpuId, CpuMask, TaskId};
use sim_ground::time::{SimSpan, SimTime};
use sim_trace::{TraceKind, TraceRecord};

impl Sim {
    /// Makes an edit now, in all lanes or in one. Everything due at this instant happens first: a replay applies edits
    /// last at their time, and must give the same run.
    ///
    /// # Errors
    /// All errors of the edit; then no part of it has taken effect.
    pub fn edit(&mut self, edit: Edit, lane: Option<u32>) -> Result<(), Vec<ConfigError>> {
        let names = (0..self.kernel.tasks.len()).map(|i| self.task_name(TaskId::new(i)));
        check_edit(&edit, lane, &self.plan, names.collect())?;
        let (adds, field) = match &edit {
            Edit::SetCount { group, count } => (self.difference(group, *count).0, "set"),
            Edit::Copy { .. } => (1, "copy"),
            _ => (0, ""),
        };
        if adds > self.room() {
            let most = sim_ground::bounds::THREADS.max;
            let message = format!("a run has at most {most} threads");
            return Err(vec![ConfigError::new(field, message)]);
        }
        // The events of this instant may end the run.
        self.complete_instant();
        if self.kernel.finished {
            let message = match &self.kernel.fault {
                Some(fault) => format!("the run has stopped: {}", fault.message),
                None => "the run is over: all its threads have ended".to_owned(),
            };
            return Err(vec![ConfigError::new("", message)]);
        }
        // Quiet ticks of this instant are applied before the edit, as in a replay.
        self.settle_all();
        // In a replay the edit is an event.
        self.clock.count_event();
        let at_ns = self.clock.now().0;
        let done = self.kernel.edits_done as usize;
        debug_assert!(
            self.edits[..done].iter().all(|e| e.at_ns <= at_ns),
            "edits that took effect lie in the past"
        );
        // An edit after going back begins another future: the edits that came later are dropped.
        self.edits.truncate(done);
        self.edits.push(TimedEdit { at_ns, edit, lane });
        self.plan_on();
        self.on_timed_edit();
        Ok(())
    }

    /// Forgets all edits that have not taken effect, and goes on to `at` if nothing else is due until then. Edits that
    /// the scenario itself plans remain.
    pub(crate) fn forget_edits_ahead(&mut self, at: SimTime) {
        self.edits.truncate(self.kernel.edits_done as usize);
        self.schedule_next_edit();
        self.advance(at, 0);
        self.plan_on();
        self.schedule_next_edit();
    }

    /// Adds the edits that the scenario plans for later than now.
    fn plan_on(&mut self) {
        let now = self.clock.now().0;
        let mut planned = self.plan.scenario.edits.clone();
        planned.sort_by_key(|e| e.at_ns);
        self.edits
            .extend(planned.into_iter().filter(|e| e.at_ns > now));
    }

    pub(crate) fn schedule_next_edit(&mut self) {
        if self.next_called_edit().is_some() {
            self.clock.schedule(Event::Edit, self.clock.now());
            return;
        }
        match self.edits.get(self.kernel.edits_done as usize) {
            Some(next) => {
                let at = SimTime(next.at_ns).max(self.clock.now());
                if self.clock.due(Event::Edit) != Some(at) {
                    self.clock.schedule(Event::Edit, at);
                }
            }
            None => self.clock.cancel(Event::Edit),
        }
    }

    pub(crate) fn on_edit(&mut self) {
        if let Some(i) = self.next_called_edit() {
            let number = self.kernel.edits_waiting.remove(i);
            self.apply_edit(number);
        } else {
            self.on_timed_edit();
        }
    }

    /// The first waiting edit whose thread exists by now: its position among the waiting edits.
    fn next_called_edit(&self) -> Option<usize> {
        let is_there = |number: &u32| {
            let timed = self.edits.get(*number as usize);
            timed.is_some_and(|t| !self.is_for_later(t))
        };
        self.kernel.edits_waiting.iter().position(is_there)
    }

    /// A task was added. An edit that waited for it is applied last at this instant, as all edits are.
    pub(crate) fn call_waiting_edit(&mut self, task: TaskId) {
        if self.kernel.edits_waiting.is_empty() {
            return;
        }
        let name = self.task_name(task);
        let waits_for_it = |number: &u32| {
            let timed = self.edits.get(*number as usize);
            timed.and_then(|t| t.edit.thread()) == Some(name.as_str())
        };
        if self.kernel.edits_waiting.iter().any(waits_for_it) {
            self.clock.schedule(Event::Edit, self.clock.now());
        }
    }

    /// Whether an edit is about a thread that does not exist yet.
    fn is_for_later(&self, timed: &TimedEdit) -> bool {
        let elsewhere = timed.lane.is_some_and(|l| l as usize != self.lane);
        !elsewhere
            && timed.edit.thread().is_some_and(|name| {
                let tasks = 0..self.kernel.tasks.len();
                tasks.map(TaskId::new).all(|t| self.task_name(t) != name)
            })
    }

    /// Applies the next edit of the log, whose time has come.
    fn on_timed_edit(&mut self) {
        // The edit comes last at its instant: all CPUs have ticked.
        self.clock.end_turns();
        let number = self.kernel.edits_done;
        let Some(timed) = self.edits.get(number as usize) else {
            return;
        };
        let is_for_later = self.is_for_later(timed);
        self.kernel.edits_done += 1;
        if is_for_later {
            self.kernel.edits_waiting.push(number);
            self.schedule_next_edit();
        } else {
            self.apply_edit(number);
        }
    }

    /// An edit takes effect.
    fn apply_edit(&mut self, number: u32) {
        let Some(timed) = self.edits.get(number as usize).cloned() else {
            return;
        };
        self.settle_all();
        self.ledger
            .record(TraceRecord::new(self.clock.now(), TraceKind::Edit).other(i64::from(number)));
        if timed.lane.is_some_and(|l| l as usize != self.lane) {
            self.schedule_next_edit();
            return;
        }
        match &timed.edit {
            Edit::SetNice { target, nice } => {
                for task in self.targets(target) {
                    self.set_nice(task, *nice);
                }
            }
            Edit::SetSlice { target, slice_ns } => {
                for task in self.targets(target) {
                    self.set_slice(task, *slice_ns);
                }
            }
            Edit::SetWorkingSet { target, bytes } => {
                for task in self.targets(target) {
                    self.set_working_set(task, *bytes);
                }
            }
            Edit::Pin { target, cpus } => {
                let mask: CpuMask = cpus.iter().map(|c| CpuId(*c)).collect();
                for task in self.targets(target) {
                    self.set_allowed(task, mask);
                }
            }
            Edit::Unpin { target } => {
                let mask = CpuMask::first(self.cpu_count());
                for task in self.targets(target) {
                    self.set_allowed(task, mask);
                }
            }
            Edit::SetCount { group, count } => {
                let (more, fewer) = self.difference(group, *count);
                if let Some(name) = group {
                    self.spawn(name, more.min(self.room()));
                }
                let target = Target {
                    group: group.clone(),
                    thread: None,
                };
                for task in self.targets(&target).into_iter().rev().take(fewer) {
                    self.kill(task);
                }
            }
            Edit::Copy { thread } => {
                let named = Target {
                    group: None,
                    thread: Some(thread.clone()),
                };
                for task in self.targets(&named) {
                    self.copy(task);
                }
            }
            Edit::Pause { target } => {
                for task in self.targets(target) {
                    self.pause(task);
                }
            }
            Edit::Resume { target } => {
                for task in self.targets(target) {
                    self.resume(task);
                }
            }
            Edit::Kill { thread } => {
                let target = Target {
                    group: None,
                    thread: thread.clone(),
                };
                for task in self.targets(&target).into_iter().rev() {
                    self.kill(task);
                }
            }
            Edit::SetCgroup { name, field, value } => {
                let at = self
                    .plan
                    .cgroups
                    .groups
                    .iter()
                    .position(|g| g.name == *name);
                if let Some(group) = at.and_then(|at| u32::try_from(at).ok()) {
                    let change = field.change(*value);
                    self.sched
                        .set_cgroup(&mut cx!(self, Context::OUTSIDE), group, change);
                    self.carry_out_requests(Context::OUTSIDE);
                }
            }
            Edit::SetProgram { lane, program } => {
                if lane.is_none_or(|l| l as usize == self.lane) {
                    self.sched
                        .set_program(&mut cx!(self, Context::OUTSIDE), program);
                    self.carry_out_requests(Context::OUTSIDE);
                    for cpu in (0..self.cpu_count()).map(CpuId::new) {
                        self.arm_ticks(cpu);
                    }
                }
            }
            Edit::SetTunable { lane, id, value } => {
                if lane.is_none_or(|l| l as usize == self.lane)
                    && self.params.set(id, value).is_ok()
                {
                    self.sched
                        .set_params(&mut cx!(self, Context::OUTSIDE), &self.params);
                    self.carry_out_requests(Context::OUTSIDE);
                    if id == sim_contract::lending::INHERITANCE.id {
                        self.lend_anew();
                    }
                }
            }
        }
        self.schedule_next_edit();
        self.finish_if_done();
    }

    /// The program that the lane runs after so many edits of the log; `None` for the one with which it begins.
    pub(crate) fn program_after(&self, edits: usize) -> Option<&str> {
        let here = |lane: Option<u32>| lane.is_none_or(|l| l as usize == self.lane);
        let done = self.edits.iter().take(edits).rev();
        let mut here = done.filter(|timed| here(timed.lane) && here(timed.edit.lane()));
        here.find_map(|timed| match &timed.edit {
            Edit::SetProgram { program, .. } => Some(program.as_str()),
            _ => None,
        })
    }

    /// The living tasks of a target, oldest first.
    fn targets(&self, target: &Target) -> Vec<TaskId> {
        (0..self.kernel.tasks.len())
            .map(TaskId::new)
            .filter(|t| {
                let info = &self.kernel.infos[t.index()];
                let alive = self.task(*t).state != TaskState::Exited;
                let group = &self.plan.groups[info.group.index()].name;
                alive
                    && match (&target.group, &target.thread) {
                        (None, None) => !info.background,
                        (Some(name), None) => name == group,
                        (_, Some(name)) => *name == self.task_name(*t),
                    }
            })
            .collect()
    }

    fn set_nice(&mut self, task: TaskId, nice: i8) {
        let nice = nice.min(self.plan.lanes[self.lane].info.nice_max);
        let old = self.kernel.infos[task.index()].nice;
        if nice == old {
            return;
        }
        self.kernel.infos[task.index()].nice = nice;
        self.ledger.record(
            TraceRecord::new(self.clock.now(), TraceKind::Nice)
                .task(Some(task))
                .other(i64::from(nice)),
        );
        // The scheduler does not know a task that has not started.
        let state = self.task(task).state;
        if state != TaskState::NotStarted {
            let queued = state == TaskState::Queued;
            self.sched
                .set_nice(&mut cx!(self, Context::OUTSIDE), task, old, queued);
            self.carry_out_requests(Context::OUTSIDE);
            self.arm_ticks(self.kernel.infos[task.index()].last_cpu);
        }
    }

    fn set_slice(&mut self, task: TaskId, slice_ns: u64) {
        // Whether that changes anything is the scheduler's business: it may have granted another slice than was asked.
        let info = &mut self.kernel.infos[task.index()];
        info.slice_ns = slice_ns;
        let cpu = info.last_cpu;
        if self.task(task).state != TaskState::NotStarted {
            self.sched.set_slice(&mut cx!(self, Context::OUTSIDE), task);
            self.carry_out_requests(Context::OUTSIDE);
            self.arm_ticks(cpu);
        }
    }

    fn set_allowed(&mut self, task: TaskId, allowed: CpuMask) {
        let counted = self.count_waste();
        self.kernel.infos[task.index()].allowed = allowed;
        let state = self.task(task).state;
        if state == TaskState::Queued {
            self.ledger.waiting_task_may_use(counted, task, &allowed);
        }
        if state == TaskState::NotStarted {
            let first = allowed.lowest().unwrap_or_default();
            self.kernel.infos[task.index()].last_cpu = first;
        } else {
            let queued = state == TaskState::Queued;
            self.sched
                .set_allowed(&mut cx!(self, Context::OUTSIDE), task, queued);
            self.carry_out_requests(Context::OUTSIDE);
        }
    }

    /// How many threads a number starts in a group, and how many it ends.
    fn difference(&self, group: &Option<String>, count: Count) -> (usize, usize) {
        match count {
            Count::To(count) => {
                let target = Target {
                    group: group.clone(),
                    thread: None,
                };
                let (now, count) = (self.targets(&target).len(), count as usize);
                (count.saturating_sub(now), now.saturating_sub(count))
            }
            Count::More(count) => (count as usize, 0),
            Count::Fewer(count) => (0, count as usize),
        }
    }

    fn spawn(&mut self, name: &str, count: usize) {
        let plan = std::sync::Arc::clone(&self.plan);
        let Some(group) = plan.groups.iter().find(|g| g.name == name) else {
            return;
        };
        for i in (0_u64..).take(count) {
            let at = self.clock.now() + SimSpan(i * group.start_spacing_ns);
            self.create_task(group, Some(at));
        }
    }

    /// How many more threads there may be.
    pub(crate) fn room(&self) -> usize {
        let most = usize::try_from(sim_ground::bounds::THREADS.max).unwrap_or(0);
        most.saturating_sub(self.kernel.tasks.len())
    }

    /// Starts a thread as a copy of another, with the next number of its group. The copy begins its program again. The
    /// copy of a forked thread goes on where the original is, as a fork does, because its group's program is the
    /// forker's. If there are too many threads already, because others were forked, no copy is made.
    fn copy(&mut self, original: TaskId) {
        if self.room() == 0 {
            return;
        }
        let plan = std::sync::Arc::clone(&self.plan);
        let info = self.kernel.infos[original.index()].clone();
        let group = &plan.groups[info.group.index()];
        let mut behaviour = (group.behaviour.make)(&group.params)
            .expect("invariant: parameters were checked with the plan");
        // The parent of a group gives its children their own program.
        let forked_itself = |p: TaskId| self.kernel.infos[p.index()].group == info.group;
        if info.parent.is_some_and(forked_itself) {
            let mut words = Vec::new();
            self.behaviours[original.index()].save(&mut words);
            behaviour.load(&words);
        }
        let bytes = self.hardware.working_set_bytes(original);
        let info = TaskInfo {
            // As for everything that a shell starts.
            last_cpu: info.allowed.lowest().unwrap_or_default(),
            parent: None,
            ..info
        };
        let task = self.add_task(info.group, behaviour, info, bytes);
        self.clock.schedule(Event::Wake(task), self.clock.now());
    }

    fn kill(&mut self, task: TaskId) {
        match self.task(task).state {
            TaskState::Exited => {}
            TaskState::Running => {
                let cpu = self.kernel.infos[task.index()].last_cpu;
                self.exit(cpu, task);
            }
            state => {
                let counted = self.count_waste();
                self.account_task(task);
                self.clock.cancel(Event::Wake(task));
                self.note_exit(task, None);
                self.task_mut(task).state = TaskState::Exited;
                if state == TaskState::Queued {
                    self.ledger.task_ceases_to_wait(counted, task);
                    self.sched
                        .dequeue(&mut cx!(self, Context::OUTSIDE), task, DequeueFlags::Exit);
                }
                if state != TaskState::NotStarted {
                    self.tell_of_exit(Context::OUTSIDE, task);
                }
                self.carry_out_requests(Context::OUTSIDE);
                self.leave_channels(Context::OUTSIDE, task);
            }
        }
    }
}
