//! Jobs that arrive by themselves: the engine's half of [`sim_workload::Phase::NextJob`].
//!
//! A group has one stream of arrivals. A job goes to the thread that has been free longest, which is woken for it.
//! While every thread has a job, jobs wait in order of arrival; a thread that finishes its job takes the first of them
//! without sleeping. An arrival is only an event: it runs on no CPU and takes no time.

use super::{Kernel, TaskState};
use crate::clockwork::Event;
use crate::{Context, Sim};
use serde::{Deserialize, Serialize};
use sim_config::plan::GroupPlan;
use sim_contract::flags::EnqueueFlags;
use sim_ground::ids::{CpuId, GroupId, TaskId};
use sim_ground::rng::Rng;
use sim_ground::time::{SimSpan, SimTime};
use sim_trace::accounts::JobsAccount;
use std::collections::VecDeque;

sim_ground::constants! {
    /// Largest number of jobs that wait for a thread. Further jobs are turned away, as a server with a full backlog
    /// does.
    BACKLOG: usize = 100_000, "jobs", Assumed,
        "A choice: where the load is below 1, so many never wait.";
}

/// A job that has arrived and is not finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Job {
    arrived: SimTime,
    /// Work in ns at full speed.
    pub(super) work_ns: u64,
    /// Whether a thread has begun it on a CPU.
    begun: bool,
}

/// The jobs of a group.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct JobLine {
    gaps: Rng,
    works: Rng,
    /// Time of the next arrival.
    next: SimTime,
    /// Threads without a job, in the order in which they became free.
    free: VecDeque<TaskId>,
    /// Jobs without a thread, in order of arrival.
    waiting: VecDeque<Job>,
    /// Number of jobs that have arrived and are not finished.
    in_system: u64,
    /// Time up to which this number has been summed.
    since: SimTime,
    account: JobsAccount,
}

impl JobLine {
    /// Sums up the number of jobs over time, before the number changes.
    fn sum_up(&mut self, now: SimTime) {
        let span = now.since(self.since).0;
        let sum = span.saturating_mul(self.in_system);
        self.account.in_system_ns = self.account.in_system_ns.saturating_add(sum);
        self.since = now;
    }

    fn totals(&self, now: SimTime) -> JobsAccount {
        let mut line = self.clone();
        line.sum_up(now);
        line.account
    }
}

impl Sim {
    /// Opens the jobs of a group, if jobs arrive there by themselves. Called for all groups of the plan in order.
    pub(crate) fn open_job_line(&mut self, group: &GroupPlan) {
        let behaviour = (group.behaviour.make)(&group.params);
        let stream = behaviour.ok().and_then(|b| b.jobs());
        self.job_streams.push(stream);
        let line = stream.map(|stream| {
            let rng = |what: &str| {
                let name = format!("{what}/{}", group.name);
                Rng::stream(self.plan.seed, &name, 0)
            };
            let mut gaps = rng("arrivals");
            JobLine {
                next: SimTime(group.start_ns) + SimSpan(stream.gap(&mut gaps)),
                gaps,
                works: rng("jobs"),
                free: VecDeque::new(),
                waiting: VecDeque::new(),
                in_system: 0,
                since: SimTime::ZERO,
                account: JobsAccount::default(),
            }
        });
        self.kernel.jobs.push(line);
    }

    pub(crate) fn schedule_next_job(&mut self) {
        let next = self.kernel.jobs.iter().flatten().map(|l| l.next).min();
        if let Some(at) = next {
            self.clock.schedule(Event::Job, at);
        }
    }

    /// A job arrives at one group, or one job at each of several groups.
    pub(crate) fn on_arrival(&mut self) {
        for group in (0..self.kernel.jobs.len()).map(GroupId::new) {
            let now = self.clock.now();
            let is_due = |l: &JobLine| l.next == now;
            if self.kernel.jobs[group.index()].as_ref().is_some_and(is_due) {
                self.arrive(group);
            }
        }
        self.schedule_next_job();
    }

    fn arrive(&mut self, group: GroupId) {
        let now = self.clock.now();
        let i = group.index();
        let (Some(stream), Some(line)) = (self.job_streams[i], &mut self.kernel.jobs[i]) else {
            return;
        };
        line.next = now + SimSpan(stream.gap(&mut line.gaps));
        let job = Job {
            arrived: now,
            work_ns: stream.work(&mut line.works),
            begun: false,
        };
        line.sum_up(now);
        line.account.arrived += 1;
        if line.free.is_empty() && line.waiting.len() >= BACKLOG {
            line.account.lost += 1;
            return;
        }
        line.in_system += 1;
        match line.free.pop_front() {
            None => line.waiting.push_back(job),
            Some(task) => {
                self.task_mut(task).job = Some(job);
                self.wake(Context::OUTSIDE, task, EnqueueFlags::Wakeup);
            }
        }
    }

    /// A thread begins the job that it was given, unless it has begun it already.
    #[inline]
    pub(crate) fn begin_job(&mut self, task: TaskId) {
        let job = self.task(task).job.as_ref();
        if job.is_some_and(|job| !job.begun) {
            self.begin(task);
        }
    }

    fn begin(&mut self, task: TaskId) {
        let now = self.clock.now();
        let Some(job) = &mut self.kernel.tasks[task.index()].job else {
            return;
        };
        job.begun = true;
        let waited = now.since(job.arrived).0;
        if let Some(line) = self.line_of(task) {
            line.account.started += 1;
            line.account.wait_ns = line.account.wait_ns.saturating_add(waited);
        }
    }

    /// The running task finishes its job, if it had one, and takes the next. Returns whether it goes on; otherwise it
    /// has blocked.
    pub(crate) fn next_job(&mut self, cpu: CpuId, task: TaskId) -> bool {
        let now = self.clock.now();
        let done = self.task_mut(task).job.take();
        let Some(line) = self.line_of(task) else {
            return true;
        };
        if let Some(job) = done {
            line.sum_up(now);
            line.in_system -= 1;
            let a = &mut line.account;
            a.finished += 1;
            a.response_ns = a.response_ns.saturating_add(now.since(job.arrived).0);
            a.work_ns = a.work_ns.saturating_add(job.work_ns);
        }
        match line.waiting.pop_front() {
            Some(job) => {
                self.task_mut(task).job = Some(job);
                self.begin(task);
                true
            }
            None => {
                line.free.push_back(task);
                self.block(cpu, task);
                false
            }
        }
    }

    /// A thread has ended: it is not free any more, and its job is lost.
    pub(crate) fn lose_job(&mut self, task: TaskId) {
        let now = self.clock.now();
        let lost = self.task_mut(task).job.take().is_some();
        if let Some(line) = self.line_of(task) {
            line.free.retain(|t| *t != task);
            if lost {
                line.sum_up(now);
                line.in_system -= 1;
                line.account.lost += 1;
            }
        }
    }

    fn line_of(&mut self, task: TaskId) -> Option<&mut JobLine> {
        let group = self.kernel.infos[task.index()].group;
        self.kernel.jobs[group.index()].as_mut()
    }

    /// Totals of the jobs of a group, up to now; `None` if no jobs arrive there by themselves.
    #[must_use]
    pub fn jobs_of(&self, group: GroupId) -> Option<JobsAccount> {
        let line = self.kernel.jobs.get(group.index())?.as_ref()?;
        Some(line.totals(self.clock.now()))
    }

    /// Totals of all jobs that arrive by themselves, up to now.
    #[must_use]
    pub fn jobs(&self) -> JobsAccount {
        let groups = (0..self.kernel.jobs.len()).map(GroupId::new);
        groups
            .filter_map(|g| self.jobs_of(g))
            .fold(JobsAccount::default(), JobsAccount::and)
    }

    /// Whether each job has one thread or waits for one.
    pub(crate) fn jobs_hold(&self) -> bool {
        jobs_fit(&self.kernel, self.clock.now())
    }
}

/// Whether the jobs of a state fit its tasks. Every free thread sleeps, and none is listed as free twice. The number of
/// jobs equals those that threads have plus those that wait.
pub(super) fn jobs_fit(st: &Kernel, now: SimTime) -> bool {
    if st.jobs.iter().all(Option::is_none) {
        return st.tasks.iter().all(|t| t.job.is_none());
    }
    let mut free = vec![false; st.tasks.len()];
    st.jobs.iter().enumerate().all(|(group, line)| {
        let of_group = |t: usize| st.infos[t].group.index() == group;
        let served = (st.tasks.iter().enumerate()).filter(|(i, t)| t.job.is_some() && of_group(*i));
        let Some(line) = line else {
            return served.count() == 0;
        };
        let all_free = line.free.iter().all(|task| {
            let sleeps = st.tasks.get(task.index()).is_some_and(|t| {
                t.state == TaskState::Sleeping && t.job.is_none() && of_group(task.index())
            });
            sleeps && !std::mem::replace(&mut free[task.index()], true)
        });
        all_free
            && line.in_system == (served.count() + line.waiting.len()) as u64
            && line.waiting.len() <= BACKLOG
            && line.next >= now
            && line.since <= now
    })
}
