//! A part of a run that is measured separately: what happens after a warm-up.
//!
//! Totals only grow, so the totals of a window are differences. Waits are different: a window counts waits that end in
//! it or are open at its end, each in full. It therefore keeps its own longest waits and its own histograms.

use super::accounts::{CpuAccount, Histogram, JobsAccount, TaskAccount};
use sim_ground::time::SimTime;

/// The totals at the start of a window, and the waits that have ended in it.
#[derive(Clone, Debug)]
pub struct Window {
    /// Start of the window.
    pub from: SimTime,
    /// Totals of the tasks that existed then.
    pub tasks: Vec<TaskAccount>,
    /// Totals of the CPUs.
    pub cpus: Vec<CpuAccount>,
    /// CPU time that was idle while a task waited, in ns.
    pub idle_while_waiting_ns: u64,
    /// Time integral of the number of cores with a workload thread, in ns.
    pub workload_core_ns: u64,
    /// Totals of the jobs that arrive by themselves.
    pub jobs: JobsAccount,
    /// Waits of workload tasks that have ended since then.
    pub run_delay: Histogram,
    /// The same, but only waits that began with a wake-up.
    pub wakeup_latency: Histogram,
    /// Longest wait of each task that has ended since then, and the wait before its first run; in ns.
    pub longest: Vec<(u64, u64)>,
}

impl Window {
    /// Records a wait of a task that has ended.
    pub fn wait(&mut self, task: usize, ns: u64, first: bool) {
        if self.longest.len() <= task {
            self.longest.resize(task + 1, (0, 0));
        }
        let (later, before_first) = &mut self.longest[task];
        let longest = if first { before_first } else { later };
        *longest = ns.max(*longest);
    }

    /// The totals of a task since the window began, from its totals up to now. The times of its start and end stay the
    /// same.
    #[must_use]
    pub fn task(&self, task: usize, now: &TaskAccount) -> TaskAccount {
        let none = TaskAccount::default();
        let then = self.tasks.get(task).unwrap_or(&none);
        let (longest_wait_ns, longest_first_wait_ns) =
            self.longest.get(task).copied().unwrap_or_default();
        let mut by_cause = now.by_cause;
        for (total, before) in by_cause.iter_mut().zip(&then.by_cause) {
            *total -= before;
        }
        TaskAccount {
            run_ns: now.run_ns - then.run_ns,
            wait_ns: now.wait_ns - then.wait_ns,
            sleep_ns: now.sleep_ns - then.sleep_ns,
            by_cause,
            work: now.work - then.work,
            switches: now.switches - then.switches,
            involuntary: now.involuntary - then.involuntary,
            migrations: now.migrations - then.migrations,
            placements: now.placements - then.placements,
            hinting_faults: now.hinting_faults - then.hinting_faults,
            pages_moved: now.pages_moved - then.pages_moved,
            to_memory: now.to_memory - then.to_memory,
            deadlines: now.deadlines - then.deadlines,
            deadlines_missed: now.deadlines_missed - then.deadlines_missed,
            remote_ns: now.remote_ns - then.remote_ns,
            longest_wait_ns,
            longest_first_wait_ns,
            exited_at_ns: now.exited_at_ns,
            started_at_ns: now.started_at_ns,
        }
    }

    /// Whether a task had ended when the window began.
    #[must_use]
    pub fn is_after(&self, task: usize) -> bool {
        let then = self.tasks.get(task);
        then.is_some_and(|t| t.exited_at_ns.is_some())
    }

    /// The totals of a CPU since the window began.
    #[must_use]
    pub fn cpu(&self, cpu: usize, now: &CpuAccount) -> CpuAccount {
        let then = &self.cpus[cpu];
        CpuAccount {
            busy_ns: now.busy_ns - then.busy_ns,
            idle_ns: now.idle_ns - then.idle_ns,
            switch_ns: now.switch_ns - then.switch_ns,
        }
    }
}
