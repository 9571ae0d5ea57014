//! A task as the engine sees it.

use super::jobs::Job;
use super::lines::Wait;
use super::pause::Stop;
use crate::hardware::Charged;
use serde::{Deserialize, Serialize};
use sim_contract::decision::DecisionId;
use sim_ground::ids::CpuId;
use sim_ground::rng::Rng;
use sim_ground::time::SimTime;
use sim_trace::accounts::TaskAccount;

/// What a task is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TaskState {
    /// Its start lies ahead.
    NotStarted,
    /// On a CPU.
    Running,
    /// Runnable, waiting.
    Queued,
    /// Asleep.
    Sleeping,
    /// Ended.
    Exited,
}

/// A task as the engine sees it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Task {
    pub(crate) state: TaskState,
    /// The time since which it is in that state.
    pub(crate) since: SimTime,
    /// The time at which it last began to wait for a CPU.
    pub(crate) queued_at: SimTime,
    /// The time at which it last became runnable after a sleep; kept until it executes an instruction of its program.
    pub(crate) woken_at: Option<SimTime>,
    /// Work left in its phase, in units of 2^-20 ns; [`ENDLESS`](crate::hardware::ENDLESS) if the phase never ends.
    pub(crate) remaining: u64,
    /// Whether it ever ran.
    pub(crate) ran: bool,
    /// CPU on which its sleep ends (interrupt, timer).
    pub(crate) wake_cpu: CpuId,
    /// Whether a timer ends it, not an interrupt.
    pub(crate) wake_by_timer: bool,
    /// The last time at which it gave its CPU up by itself, and its work up to then.
    pub(crate) gave_up: (SimTime, u64),
    /// Whether it did no work between that time and the time before.
    pub(crate) turned_idly: bool,
    pub(crate) rng: Rng,
    /// Number within its group, from 1.
    pub(crate) number: u32,
    /// Code of its last migration in the scheduler's table, or -1.
    pub(crate) last_migrate_reason: i32,
    /// The CPU whose queue it was put into last; `None`: the queue of all.
    pub(crate) queue: Option<CpuId>,
    /// The decision that put it there, or the one that took it from the queue of all CPUs to the CPU where it last ran.
    pub(crate) placed: Option<DecisionId>,
    /// What it waits for, or waited for until it was woken.
    pub(super) wait: Option<Wait>,
    /// Number of tokens that it took last.
    pub(crate) taken: u32,
    /// Its current job.
    pub(super) job: Option<Job>,
    /// Whether it is stopped. Separate from its state, because a sleep goes on while the task is stopped.
    pub(super) stop: Stop,
    pub(crate) account: TaskAccount,
}

impl Task {
    /// Adds the time since the last change to the total of its state.
    pub(crate) fn account_until(&mut self, now: SimTime) {
        let span = now.since(self.since).0;
        match self.state {
            TaskState::Running => self.account.run_ns += span,
            TaskState::Queued => self.account.wait_ns += span,
            TaskState::Sleeping => self.account.sleep_ns += span,
            TaskState::NotStarted | TaskState::Exited => {}
        }
        self.since = now;
    }

    /// It gives up its CPU by itself: it yields, sleeps or blocks.
    pub(super) fn gives_up(&mut self, _: Charged, now: SimTime) {
        let (_, before) = std::mem::replace(&mut self.gave_up, (now, self.account.work));
        self.turned_idly = before == self.account.work;
    }

    /// The least time in ns that it takes a CPU to switch to this task or to return to it. Where nothing costs time, a
    /// task that only gives up its CPU, again and again, would do so for ever at one instant.
    pub(crate) fn least_switch_ns(&self, now: SimTime) -> u64 {
        u64::from(self.turned_idly && self.gave_up.0 == now)
    }

    /// It waits for a CPU from now on.
    pub(crate) fn wait_from(&mut self, now: SimTime) {
        self.state = TaskState::Queued;
        self.since = now;
        self.queued_at = now;
    }
}
