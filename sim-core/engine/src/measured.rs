//! Read access to records and totals, and the window of measuring.

use super::{Sim, UpToDate};
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::time::SimTime;
use sim_trace::Trace;
use sim_trace::accounts::{CpuAccount, Histogram, JobsAccount, TaskAccount};
use sim_trace::window::Window;

/// Totals.
impl<'a> UpToDate<'a> {
    /// Totals of a CPU.
    #[must_use]
    pub fn cpu_account(self, cpu: CpuId) -> &'a CpuAccount {
        self.sim().ledger.cpu_account(cpu)
    }

    /// CPU time that was idle while a task waited.
    #[must_use]
    pub fn idle_while_waiting_ns(self) -> u64 {
        self.ledger.idle_while_waiting_ns()
    }

    /// Time integral of the number of cores with at least one workload thread.
    #[must_use]
    pub fn workload_core_ns(self) -> u64 {
        self.ledger.workload_core_ns()
    }
}

/// Records, and what is counted when it happens.
impl Sim {
    /// The trace.
    #[must_use]
    pub fn trace(&self) -> &Trace {
        self.ledger.trace()
    }

    /// Waits of workload tasks from becoming runnable to running.
    #[must_use]
    pub fn run_delay(&self) -> &Histogram {
        self.ledger.run_delay()
    }

    /// The waits that began with a wake-up.
    #[must_use]
    pub fn wakeup_latency(&self) -> &Histogram {
        self.ledger.wakeup_latency()
    }

    /// Migrations of workload tasks: reason (code of the scheduler), distance (0 within a core, 1 within a cache
    /// group, 2 within a node, 3 between nodes), and how many.
    #[must_use]
    pub fn moves(&self) -> &[(u16, u8, u64)] {
        self.ledger.moves()
    }
}

impl Sim {
    /// Starts measuring now: reports and measures leave out the time before (a warm-up). Neither the run nor its digest
    /// changes. Not for runs that go back.
    pub fn measure_from_now(&mut self) {
        let sim = self.refresh();
        let tasks = (0..sim.task_count()).map(TaskId::new);
        let window = Window {
            from: sim.now(),
            tasks: tasks.map(|t| sim.account(t).clone()).collect(),
            cpus: sim.ledger.cpu_accounts().cloned().collect(),
            idle_while_waiting_ns: sim.idle_while_waiting_ns(),
            workload_core_ns: sim.workload_core_ns(),
            jobs: sim.jobs(),
            run_delay: Histogram::default(),
            wakeup_latency: Histogram::default(),
            longest: Vec::new(),
        };
        self.ledger.begin(window);
    }

    /// The time at which measuring began: the start, unless [`Sim::measure_from_now`] was called later.
    #[must_use]
    pub fn measured_from(&self) -> SimTime {
        self.ledger.window().map_or(SimTime::ZERO, |w| w.from)
    }

    /// The longest wait of a task since it first ran, in ns. One that has not ended counts in full.
    #[must_use]
    pub fn longest_wait_ns(&self, task: TaskId) -> u64 {
        let t = self.task(task);
        let is_open = self.kernel.waits(task) && t.ran;
        let open = if is_open {
            self.clock.now().since(t.queued_at).0
        } else {
            0
        };
        t.account.longest_wait_ns.max(open)
    }

    /// Whether a task lived during the measured time.
    #[must_use]
    pub fn is_measured(&self, task: TaskId) -> bool {
        let window = self.ledger.window();
        window.is_none_or(|w| !w.is_after(task.index()))
    }

    /// Waits of workload tasks that ended during the measured time: all of them, and those that began with a wake-up.
    #[must_use]
    pub fn measured_waits(&self) -> (&Histogram, &Histogram) {
        self.ledger
            .window()
            .map_or((self.run_delay(), self.wakeup_latency()), |w| {
                (&w.run_delay, &w.wakeup_latency)
            })
    }

    /// Jobs that arrive by themselves, of all groups, during the measured time.
    #[must_use]
    pub fn measured_jobs(&self) -> JobsAccount {
        let then = self.ledger.window().map(|w| w.jobs).unwrap_or_default();
        self.jobs().since(then)
    }
}

/// Totals of the measured time.
impl UpToDate<'_> {
    /// Totals of a task for reports and measures: only measured time counts, and a wait that has not ended counts among
    /// the longest.
    #[must_use]
    pub fn measured_task(self, task: TaskId) -> TaskAccount {
        let t = self.task(task);
        let window = self.ledger.window();
        let mut account =
            window.map_or_else(|| t.account.clone(), |w| w.task(task.index(), &t.account));
        if self.kernel.waits(task) {
            let open = self.clock.now().since(t.queued_at).0;
            let longest = if t.ran {
                &mut account.longest_wait_ns
            } else {
                &mut account.longest_first_wait_ns
            };
            *longest = open.max(*longest);
        }
        account
    }

    /// Totals of a CPU during the measured time.
    #[must_use]
    pub fn measured_cpu(self, cpu: CpuId) -> CpuAccount {
        let now = self.cpu_account(cpu);
        let window = self.ledger.window();
        window.map_or_else(|| now.clone(), |w| w.cpu(cpu.index(), now))
    }

    /// Two totals of the measured time, in ns: CPU time that was idle while a task waited, and the time integral of the
    /// number of cores with at least one workload thread.
    #[must_use]
    pub fn measured_integrals(self) -> (u64, u64) {
        let (waste, cores) = (self.idle_while_waiting_ns(), self.workload_core_ns());
        self.ledger.window().map_or((waste, cores), |w| {
            (waste - w.idle_while_waiting_ns, cores - w.workload_core_ns)
        })
    }
}
