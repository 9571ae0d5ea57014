//! Work: charging what has been done, predicting when a phase ends, recomputing speeds.
//!
//! Charging is exact whatever the pieces: a rate in units of 2^-20 times ns is an integer, so cutting an
//! interval in two changes nothing. The debt of a switch is paid before work goes on.

use super::Sim;
use super::events::Event;
use super::state::ENDLESS;
use crate::ids::{CoreId, CpuId};
use crate::machine::rate::{self, Cause, Conditions, ONE, RATE_BITS};
use crate::time::{SimSpan, SimTime};

impl Sim {
    /// Charges a CPU's running task up to now.
    pub(super) fn charge(&mut self, cpu: CpuId) {
        let now = self.st.now;
        let c = &mut self.st.cpus[cpu.index()];
        let elapsed = now.since(c.charged_at).0;
        c.charged_at = now;
        let Some(task) = self.st.curr[cpu.index()] else {
            return;
        };
        if elapsed == 0 {
            return;
        }
        let paid = elapsed.min(c.debt_ns);
        c.debt_ns -= paid;
        c.account.switch_ns += paid;
        let t = &mut self.st.tasks[task.index()];
        let by_cause = &mut t.account.by_cause;
        by_cause[Cause::Switch as usize] += paid << RATE_BITS;
        let user = elapsed - paid;
        for (total, share) in by_cause.iter_mut().zip(&c.speed.share) {
            *total += user * share;
        }
        if t.remaining != ENDLESS {
            t.remaining = t.remaining.saturating_sub(user * c.speed.rate());
        }
    }

    /// Puts the end of the running task's phase where it has to be now. The CPU must have been charged.
    pub(super) fn predict(&mut self, cpu: CpuId) {
        let event = Event::PhaseEnd(cpu);
        let Some(task) = self.st.curr[cpu.index()] else {
            self.st.queue.cancel(event);
            return;
        };
        let remaining = self.task(task).remaining;
        if remaining == ENDLESS {
            self.st.queue.cancel(event);
            return;
        }
        let c = &self.st.cpus[cpu.index()];
        let needed = remaining.div_ceil(c.speed.rate().max(1));
        let at = self.st.now + SimSpan(c.debt_ns.saturating_add(needed));
        if self.st.queue.due(event) != Some(at) {
            self.st.queue.schedule(event, at);
        }
    }

    /// A CPU became busy or idle, or changed its task: speeds of the core, and of all if heat caps them.
    pub(super) fn update_speeds(&mut self, cpu: CpuId) {
        let core = self.plan.machine.place(cpu).core;
        if let Some(frequency) = self.capped_frequency()
            && frequency != self.st.frequency
        {
            self.st.frequency = frequency;
            for core in 0..self.plan.machine.core_count() {
                self.update_core(CoreId::new(core), cpu);
            }
        } else {
            self.update_core(core, cpu);
        }
    }

    /// `switched` has just been charged; the others are charged only if their speed changes.
    fn update_core(&mut self, core: CoreId, switched: CpuId) {
        let n = self.plan.machine.core_cpus(core).len();
        for i in 0..n {
            let cpus = self.plan.machine.core_cpus(core);
            let cpu = cpus[i];
            let Some(task) = self.st.curr[cpu.index()] else {
                continue;
            };
            let sibling_pressure_milli = cpus
                .iter()
                .filter(|s| **s != cpu)
                .filter_map(|s| self.st.curr[s.index()])
                .map(|t| u64::from(self.task(t).class.pressure_milli))
                .sum();
            let speed = rate::speed(&Conditions {
                class: self.task(task).class,
                sibling_pressure_milli,
                frequency: self.st.frequency,
                tick_share: self.tick_share(cpu),
            });
            if speed != self.st.cpus[cpu.index()].speed {
                self.charge(cpu);
                self.st.cpus[cpu.index()].speed = speed;
                self.predict(cpu);
            } else if cpu == switched {
                self.predict(cpu);
            }
        }
    }

    /// The clock that heat allows, in units of 2^-20 of nominal; `None` on machines that stay cool.
    fn capped_frequency(&self) -> Option<u64> {
        let thermal = self.plan.machine.spec().thermal.as_ref()?;
        let headroom = u64::from(thermal.limit_milli_c - thermal.ambient_milli_c);
        let heat = u64::from(thermal.per_core_milli_c) * u64::from(self.st.active_cores);
        Some(if heat <= headroom {
            ONE
        } else {
            headroom * ONE / heat
        })
    }

    /// Temperature of the package in °C, if the machine has a thermal model (display only).
    pub(super) fn temperature(&self) -> Option<f64> {
        let thermal = self.plan.machine.spec().thermal.as_ref()?;
        let heat = u64::from(thermal.per_core_milli_c) * u64::from(self.st.active_cores);
        let milli =
            (u64::from(thermal.ambient_milli_c) + heat).min(u64::from(thermal.limit_milli_c));
        u32::try_from(milli).ok().map(|m| f64::from(m) / 1_000.0)
    }

    /// Idle CPU time while tasks wait: called before either number changes.
    pub(super) fn count_waste(&mut self) {
        let now = self.st.now;
        let span = now.since(self.st.waste_since).0;
        let pairs = self.st.nr_idle.min(self.st.nr_queued);
        self.st.idle_while_waiting_ns += span * u64::from(pairs);
        self.st.waste_since = now;
    }

    /// Cores in use by the workload: called before their number changes.
    pub(super) fn count_workload_cores(&mut self) {
        let now = self.st.now;
        let span = now.since(self.st.workload_since).0;
        self.st.workload_core_ns += span * u64::from(self.st.workload_cores);
        self.st.workload_since = now;
    }

    /// Charges everything up to now, so that totals can be read.
    pub(crate) fn bring_up_to_date(&mut self) {
        // Amid an instant the ticks of later CPUs may be still due.
        self.in_tick = self.tick_due_now();
        self.settle_all();
        self.in_tick = None;
        for cpu in 0..self.st.cpus.len() {
            self.charge(CpuId::new(cpu));
            let now = self.st.now;
            let busy = self.st.curr[cpu].is_some();
            let c = &mut self.st.cpus[cpu];
            let span = now.since(c.since).0;
            if busy {
                c.account.busy_ns += span;
            } else {
                c.account.idle_ns += span;
            }
            c.since = now;
        }
        self.count_waste();
        self.count_workload_cores();
        for i in 0..self.st.tasks.len() {
            self.account_task(i);
        }
    }

    /// Adds the time since the last change to the total of the task's state.
    pub(super) fn account_task(&mut self, index: usize) {
        use super::TaskState::{Exited, NotStarted, Queued, Running, Sleeping};
        let now: SimTime = self.st.now;
        let t = &mut self.st.tasks[index];
        let span = now.since(t.since).0;
        match t.state {
            Running => t.account.run_ns += span,
            Queued => t.account.wait_ns += span,
            Sleeping => t.account.sleep_ns += span,
            NotStarted | Exited => {}
        }
        t.since = now;
    }
}
