//! Threads that are stopped (`SIGSTOP`) and resumed (`SIGCONT`).
//!
//! As in a kernel, a thread stops on its way back to user mode. A running thread stops after a signal to its CPU, a
//! waiting one as soon as it has been switched in, and a sleeping one where it is.
//!
//! For the scheduler a stopped thread blocks (`thread_suspend_switch`, `do_signal_stop`), and resuming it is a wake-up.
//! The time that it is stopped therefore counts as sleep.

use super::TaskState;
use crate::hardware::Charged;
use crate::{Context, Sim};
use serde::{Deserialize, Serialize};
use sim_contract::flags::{DequeueFlags, EnqueueFlags, SwitchReason};
use sim_ground::ids::{CpuId, TaskId};
use sim_trace::{TraceKind, TraceRecord};

/// Whether a task is stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Stop {
    /// It is not stopped.
    #[default]
    No,
    /// It has been asked to stop, or sleeps while stopped: its own sleep has not ended yet.
    Asked,
    /// It has stopped, and only this keeps it from running.
    Held,
}

impl Sim {
    pub(crate) fn pause(&mut self, task: TaskId) {
        let t = self.task_mut(task);
        if t.stop != Stop::No {
            return;
        }
        t.stop = Stop::Asked;
        if t.state == TaskState::Running {
            self.kick(
                Context::OUTSIDE,
                self.kernel.infos[task.index()].last_cpu,
                None,
            );
        }
    }

    pub(crate) fn resume(&mut self, task: TaskId) {
        let stop = std::mem::take(&mut self.task_mut(task).stop);
        if stop == Stop::Held {
            self.wake(Context::OUTSIDE, task, EnqueueFlags::Wakeup);
        }
    }

    /// Whether a task that is woken is stopped. If so, the wake-up is kept until the task is resumed.
    pub(crate) fn holds(&mut self, task: TaskId) -> bool {
        let t = self.task_mut(task);
        let holds = t.stop != Stop::No;
        if holds {
            t.stop = Stop::Held;
        }
        holds
    }

    /// Why the running task leaves its CPU: a task that is asked to stop blocks where another would stay runnable.
    pub(crate) fn leaves_as(
        &mut self,
        cpu: CpuId,
        task: TaskId,
        why: SwitchReason,
    ) -> SwitchReason {
        // A yield is a system call, and comes before the way back to user mode.
        if why != SwitchReason::Resched || self.task(task).stop == Stop::No {
            return why;
        }
        self.task_mut(task).stop = Stop::Held;
        self.ledger.record(
            TraceRecord::new(self.clock.now(), TraceKind::Sleep)
                .cpu(Some(cpu))
                .task(Some(task)),
        );
        SwitchReason::Block
    }

    /// How a task blocks: because it sleeps, or because it is stopped.
    pub(crate) fn blocks_as(&self, task: TaskId) -> DequeueFlags {
        match self.task(task).stop {
            Stop::Held => DequeueFlags::Stop,
            Stop::No | Stop::Asked => DequeueFlags::Sleep,
        }
    }

    /// A task that was switched in although it is asked to stop leaves again as soon as the switch is over.
    pub(crate) fn stop_after_switch(&mut self, charged: Charged) {
        let cpu = charged.cpu();
        let stops = self.kernel.curr[cpu.index()].is_some_and(|t| self.task(t).stop != Stop::No);
        if stops {
            let delay = self.hardware.debt(charged).total();
            self.signal(Context::task_on(cpu), cpu, delay, None);
        }
    }
}
