//! Waits from becoming runnable to running, placements at fork, and the window of measuring.

use super::Sim;
use super::state::TaskState;
use sim_contract::flags::{EnqueueFlags, Placement};
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::time::SimTime;
use sim_trace::accounts::{CpuAccount, Histogram, JobsAccount, TaskAccount};
use sim_trace::window::Window;

impl Sim {
    /// A task is switched in: its wait ends, and it counts as having run.
    pub(super) fn end_wait(&mut self, task: TaskId, background: bool) {
        let now = self.st.now;
        let t = &mut self.st.tasks[task.index()];
        let waited = now.since(t.queued_at).0;
        let first = !std::mem::replace(&mut t.ran, true);
        let longest = if first {
            &mut t.account.longest_first_wait_ns
        } else {
            &mut t.account.longest_wait_ns
        };
        *longest = waited.max(*longest);
        if let Some(window) = &mut self.window {
            window.wait(task.index(), waited, first);
            if !background {
                window.run_delay.add(waited);
            }
        }
        if !background {
            self.st.run_delay.add(waited);
        }
    }

    /// The running task executes an instruction of its program at this time. If it is the first one since a wake-up,
    /// that wake-up's latency ends. Being switched in is not enough: the switch takes time, and the task may lose the CPU
    /// again on its way back to user mode.
    pub(super) fn runs_program(&mut self, task: TaskId, at: SimTime) {
        let Some(woken_at) = self.task_mut(task).woken_at.take() else {
            return;
        };
        if self.st.infos[task.index()].background {
            return;
        }
        let latency = at.since(woken_at).0;
        self.st.wakeup_latency.add(latency);
        if let Some(window) = &mut self.window {
            window.wakeup_latency.add(latency);
        }
    }

    /// Records the choice of a CPU for a task that was just forked. The CPU of its forker counts as its last CPU.
    pub(super) fn note_placement(&mut self, task: TaskId, place: Placement, flags: EnqueueFlags) {
        let from = self.st.infos[task.index()].last_cpu;
        if flags == EnqueueFlags::New
            && let Placement::Cpu(cpu) = place
            && cpu != from
        {
            self.task_mut(task).account.placements += 1;
        }
    }

    /// Starts measuring now: reports and measures leave out the time before (a warm-up). Neither the run nor its digest
    /// changes. Not for runs that go back.
    pub fn measure_from_now(&mut self) {
        self.refresh();
        self.window = Some(Window {
            from: self.st.now,
            tasks: self.st.tasks.iter().map(|t| t.account.clone()).collect(),
            cpus: self.st.cpus.iter().map(|c| c.account.clone()).collect(),
            idle_while_waiting_ns: self.st.idle_while_waiting_ns,
            workload_core_ns: self.st.workload_core_ns,
            jobs: self.jobs(),
            run_delay: Histogram::default(),
            wakeup_latency: Histogram::default(),
            longest: Vec::new(),
        });
    }

    /// The time at which measuring began: the start, unless [`Sim::measure_from_now`] was called later.
    #[must_use]
    pub fn measured_from(&self) -> SimTime {
        self.window.as_ref().map_or(SimTime::ZERO, |w| w.from)
    }

    /// The longest wait of a task since it first ran, in ns. One that has not ended counts in full.
    #[must_use]
    pub fn longest_wait_ns(&self, task: TaskId) -> u64 {
        let t = self.task(task);
        let is_open = t.state == TaskState::Queued && t.ran;
        let open = if is_open {
            self.st.now.since(t.queued_at).0
        } else {
            0
        };
        t.account.longest_wait_ns.max(open)
    }

    /// Totals of a task for reports and measures: only measured time counts, and a wait that has not ended counts among
    /// the longest.
    #[must_use]
    pub fn measured_task(&self, task: TaskId) -> TaskAccount {
        let t = self.task(task);
        let window = self.window.as_ref();
        let mut account =
            window.map_or_else(|| t.account.clone(), |w| w.task(task.index(), &t.account));
        if t.state == TaskState::Queued {
            let open = self.st.now.since(t.queued_at).0;
            let longest = if t.ran {
                &mut account.longest_wait_ns
            } else {
                &mut account.longest_first_wait_ns
            };
            *longest = open.max(*longest);
        }
        account
    }

    /// Whether a task lived during the measured time.
    #[must_use]
    pub fn is_measured(&self, task: TaskId) -> bool {
        let window = self.window.as_ref();
        window.is_none_or(|w| !w.is_after(task.index()))
    }

    /// Totals of a CPU during the measured time.
    #[must_use]
    pub fn measured_cpu(&self, cpu: CpuId) -> CpuAccount {
        let now = &self.st.cpus[cpu.index()].account;
        let window = self.window.as_ref();
        window.map_or_else(|| now.clone(), |w| w.cpu(cpu.index(), now))
    }

    /// Waits of workload tasks that ended during the measured time: all of them, and those that began with a wake-up.
    #[must_use]
    pub fn measured_waits(&self) -> (&Histogram, &Histogram) {
        self.window
            .as_ref()
            .map_or((&self.st.run_delay, &self.st.wakeup_latency), |w| {
                (&w.run_delay, &w.wakeup_latency)
            })
    }

    /// Jobs that arrive by themselves, of all groups, during the measured time.
    #[must_use]
    pub fn measured_jobs(&self) -> JobsAccount {
        let then = self.window.as_ref().map(|w| w.jobs).unwrap_or_default();
        self.jobs().since(then)
    }

    /// Two totals of the measured time, in ns: CPU time that was idle while a task waited, and the time integral of the
    /// number of cores with at least one workload thread.
    #[must_use]
    pub fn measured_integrals(&self) -> (u64, u64) {
        let (waste, cores) = (self.st.idle_while_waiting_ns, self.st.workload_core_ns);
        self.window.as_ref().map_or((waste, cores), |w| {
            (waste - w.idle_while_waiting_ns, cores - w.workload_core_ns)
        })
    }
}
