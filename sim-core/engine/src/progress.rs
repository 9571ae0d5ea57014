//! Work: charges what has been done, and predicts when a phase ends.
//!
//! Charging is exact for any division of an interval: a rate in units of 2^-20 times a time in ns is an integer,
//! so cutting an interval in two changes nothing. A task pays its debts (locks, switches, refills) before it works on.

use super::Sim;
use super::clockwork::Event;
use super::state::{ENDLESS, UnpaidTime};
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::time::{SimSpan, SimTime};
use sim_machine::rate::{Cause, RATE_BITS};
use sim_trace::occupancy::Spent;

/// The causes on which a thread without data spends its time while it works.
const WITHOUT_DATA: [Cause; 4] = [
    Cause::Compute,
    Cause::Sibling,
    Cause::Frequency,
    Cause::Tick,
];

impl Sim {
    /// Charges a CPU's running task up to now.
    #[inline]
    pub(super) fn charge(&mut self, cpu: CpuId) {
        // Often it has just been charged at this instant.
        if self.st.cpus[cpu.index()].charged_at < self.clock.now() {
            self.charge_elapsed(cpu);
        }
    }

    #[inline(never)]
    fn charge_elapsed(&mut self, cpu: CpuId) {
        let now = self.clock.now();
        let c = &mut self.st.cpus[cpu.index()];
        let from = std::mem::replace(&mut c.charged_at, now);
        let elapsed = now.since(from).0;
        let Some(task) = self.st.curr[cpu.index()] else {
            return;
        };
        let t = &mut self.st.tasks[task.index()];
        let by_cause = &mut t.account.by_cause;
        let (mut user, mut switching) = (elapsed, 0);
        if c.debt != UnpaidTime::default() {
            for (debt, cause) in [
                (&mut c.debt.lock_ns, Cause::LockWait),
                (&mut c.debt.switch_ns, Cause::Switch),
                (&mut c.debt.refill_ns, Cause::WarmUp),
            ] {
                let paid = user.min(*debt);
                *debt -= paid;
                user -= paid;
                by_cause[cause as usize] += paid << RATE_BITS;
            }
            switching = elapsed - user;
            self.ledger.switched(cpu, switching);
            let paid = user.min(c.debt.pages_ns);
            c.debt.pages_ns -= paid;
            user -= paid;
            by_cause[Cause::Pages as usize] += paid << RATE_BITS;
        }
        if self.ledger.keeps_occupancy() {
            self.ledger.spent(Spent {
                cpu: cpu.index(),
                from,
                to: now,
                task: task.index(),
                group: self.st.infos[task.index()].group.index(),
                overhead_ns: switching,
            });
        }
        t.account.remote_ns += elapsed * c.remote;
        // A task that waits for others looks again first, which is not work of its program.
        if t.woken_at.is_some() && switching < elapsed && t.wait.is_none() {
            self.runs_program(task, from + SimSpan(switching));
        }
        if user == 0 {
            // All of it was owed.
            return;
        }
        let c = &mut self.st.cpus[cpu.index()];
        let t = &mut self.st.tasks[task.index()];
        let by_cause = &mut t.account.by_cause;
        if self.groups_sweep {
            for (total, share) in by_cause.iter_mut().zip(&c.speed.share) {
                *total += user * share;
            }
        } else {
            for cause in WITHOUT_DATA {
                by_cause[cause as usize] += user * c.speed.share[cause as usize];
            }
        }
        let work = user * c.speed.rate();
        t.account.work = t.account.work.saturating_add(work);
        c.warm_up.left = c.warm_up.left.saturating_sub(work);
        if t.remaining != ENDLESS {
            t.remaining = t.remaining.saturating_sub(work);
        }
    }

    /// Moves the end event of the running task's phase to its present time. Work done before must have been charged
    /// already.
    pub(super) fn predict(&mut self, cpu: CpuId) {
        let event = Event::PhaseEnd(cpu);
        let Some(task) = self.st.curr[cpu.index()] else {
            self.clock.cancel(event);
            return;
        };
        let c = &self.st.cpus[cpu.index()];
        let t = &self.st.tasks[task.index()];
        // The task faults before it does anything else.
        let mut remaining = if t.faults { 0 } else { t.remaining };
        // A cache that has been filled changes the speed, so its time is an event like the end of a phase.
        if c.warm_up.left > 0 {
            remaining = remaining.min(c.warm_up.left);
        }
        // A stale speed is computed before time goes on, and then the end of the phase. A phase without work needs no
        // speed: it may end at this instant, whether somebody looks in between or not.
        if remaining == ENDLESS || (c.stale && remaining > 0) {
            self.clock.cancel(event);
            return;
        }
        let needed = remaining.div_ceil(c.speed.rate().max(1));
        let at = self.clock.now() + SimSpan(c.debt.total().saturating_add(needed));
        if self.clock.due(event) != Some(at) {
            self.clock.schedule(event, at);
        }
    }

    /// The running task executes an instruction of its program at this time. If it is the first one since a wake-up,
    /// that wake-up's latency ends. Being switched in is not enough: the switch takes time, and the task may lose the CPU
    /// again on its way back to user mode.
    pub(super) fn runs_program(&mut self, task: TaskId, at: SimTime) {
        let woken_at = self.task_mut(task).woken_at.take();
        if let Some(woken_at) = woken_at
            && !self.st.infos[task.index()].background
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
        for cpu in 0..self.st.cpus.len() {
            self.charge(CpuId::new(cpu));
        }
        self.count_waste();
        let (now, curr) = (self.clock.now(), &self.st.curr);
        self.ledger.add_up(now, |cpu| curr[cpu.index()].is_some());
        self.st.tasks.iter_mut().for_each(|t| t.account_until(now));
    }

    /// Adds the time since the last change to the total of the task's state.
    pub(super) fn account_task(&mut self, task: TaskId) {
        let now = self.clock.now();
        self.task_mut(task).account_until(now);
    }
}
