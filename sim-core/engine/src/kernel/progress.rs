//! Work: charges what has been done, and predicts when a phase ends.
//!
//! Charging is exact for any division of an interval: a rate in units of 2^-20 times a time in ns is an integer,
//! so cutting an interval in two changes nothing. A task pays its debts (locks, switches, refills) before it works on.

use crate::Sim;
use crate::clockwork::Event;
use crate::hardware::{Charged, ENDLESS};
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::time::{SimSpan, SimTime};
use sim_trace::occupancy::Spent;

impl Sim {
    /// Charges a CPU's running task up to now.
    #[inline]
    pub(crate) fn charge(&mut self, cpu: CpuId) -> Charged {
        match self.hardware.charged(cpu, self.clock.now()) {
            Some(charged) => charged,
            None => self.charge_elapsed(cpu),
        }
    }

    #[inline(never)]
    fn charge_elapsed(&mut self, cpu: CpuId) -> Charged {
        let now = self.clock.now();
        let Some(task) = self.kernel.curr[cpu.index()] else {
            return self.hardware.skip_to(cpu, now);
        };
        let t = &mut self.kernel.tasks[task.index()];
        let done = self.hardware.execute(cpu, now, &mut t.account);
        // Often nothing was worked: all of it was owed.
        if done.work > 0 && t.remaining != ENDLESS {
            t.remaining = t.remaining.saturating_sub(done.work);
        }
        // A task that waits for others looks again first, which is not work of its program.
        let runs_program = t.woken_at.is_some() && t.wait.is_none();
        if done.overhead_ns > 0 {
            self.ledger.switched(cpu, done.overhead_ns);
        }
        if self.ledger.keeps_occupancy() {
            self.ledger.spent(Spent {
                cpu: cpu.index(),
                from: done.from,
                to: now,
                task: task.index(),
                group: self.kernel.infos[task.index()].group.index(),
                overhead_ns: done.overhead_ns,
            });
        }
        if runs_program && done.overhead_ns < done.elapsed_ns {
            self.runs_program(task, done.from + SimSpan(done.overhead_ns));
        }
        done.charged
    }

    /// Moves the end event of the running task's phase to its present time.
    pub(crate) fn predict(&mut self, charged: Charged) {
        let cpu = charged.cpu();
        let event = Event::PhaseEnd(cpu);
        let Some(task) = self.kernel.curr[cpu.index()] else {
            self.clock.cancel(event);
            return;
        };
        // A task that faults does so before anything else.
        let work = if self.hardware.faults(task) {
            0
        } else {
            self.kernel.tasks[task.index()].remaining
        };
        match self.hardware.time_for(charged, work) {
            None => self.clock.cancel(event),
            Some(ns) => {
                let at = self.clock.now() + SimSpan(ns);
                if self.clock.due(event) != Some(at) {
                    self.clock.schedule(event, at);
                }
            }
        }
    }

    /// The running task executes an instruction of its program at this time. If it is the first one since a wake-up,
    /// that wake-up's latency ends. Being switched in is not enough: the switch takes time, and the task may lose the CPU
    /// again on its way back to user mode.
    pub(crate) fn runs_program(&mut self, task: TaskId, at: SimTime) {
        let woken_at = self.task_mut(task).woken_at.take();
        if let Some(woken_at) = woken_at
            && !self.kernel.infos[task.index()].background
        {
            self.ledger.woken_task_runs(at.since(woken_at).0);
        }
    }

    /// Charges all work up to now, so that totals can be read.
    pub(crate) fn bring_up_to_date(&mut self) {
        self.update_speeds();
        // Within an instant ticks of this CPU may be still due. Reading totals must not apply them.
        let held = self.clock.hold_due_ticks();
        self.settle_all();
        self.clock.release(held);
        for cpu in 0..self.cpu_count() {
            self.charge(CpuId::new(cpu));
        }
        self.count_waste();
        let (now, curr) = (self.clock.now(), &self.kernel.curr);
        self.ledger.add_up(now, |cpu| curr[cpu.index()].is_some());
        self.kernel
            .tasks
            .iter_mut()
            .for_each(|t| t.account_until(now));
    }

    /// Adds the time since the last change to the total of the task's state.
    pub(crate) fn account_task(&mut self, task: TaskId) {
        let now = self.clock.now();
        self.task_mut(task).account_until(now);
    }
}
