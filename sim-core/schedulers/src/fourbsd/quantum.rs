//! `sched_clock`: the charge of a tick of the statistics clock, and the end of the quantum.

use super::era::Quantum;
use super::{FourBsd, GLOBAL, Kind, queue_of, reasons};
use sim_contract::SliceView;
use sim_contract::cx::Cx;
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::time::SimTime;

impl FourBsd {
    /// Whether the running thread would only be compared with itself: no other thread waits for this CPU.
    pub(super) fn alone(&self, cpu: CpuId) -> bool {
        self.st.queues.is_empty(GLOBAL) && self.st.queues.is_empty(queue_of(cpu))
    }

    /// Whether the end of the quantum would change nothing: the thread would be put back, signal no CPU, and be taken
    /// again.
    fn ends_in_vain(&self, cx: &Cx<'_>, cpu: CpuId, task: TaskId) -> bool {
        self.alone(cpu)
            && self.st.idle.is_empty()
            && !self.is_limited(cx, task)
            && self.thread(task).kind != Kind::Interrupt
    }

    /// Asks the engine to query all CPUs again when ticks begin to matter.
    pub(super) fn tell(&mut self, cx: &mut Cx<'_>) {
        let waits = !self.st.queues.is_empty(GLOBAL);
        let idles = !self.st.idle.is_empty();
        if (waits && !self.st.told_waiting) || (idles && !self.st.told_idle) {
            for cpu in cx.machine.cpu_ids() {
                cx.requery(cpu);
            }
        }
        (self.st.told_waiting, self.st.told_idle) = (waits, idles);
    }

    /// Charges ticks to the running thread: estcpu, %CPU, the slice.
    fn charge(&mut self, cpu: CpuId, task: TaskId, ticks: u64, last: SimTime) {
        self.st.cpus[cpu.index()].ticked_at = last;
        self.st.counters.lock_acquisitions += ticks;
        let scale = self.scale;
        let has_slice = self.era.quantum == Quantum::OfThread;
        let t = self.thread_mut(task);
        t.estcpu = scale.charged(t.estcpu, ticks);
        let ticks32 = u32::try_from(ticks).unwrap_or(u32::MAX);
        t.cpticks = t.cpticks.saturating_add(ticks32);
        if has_slice {
            t.slice = t.slice.saturating_sub_unsigned(ticks32);
        }
    }

    /// Applies quiet ticks, the last of them at `last`. Ends of quanta that change nothing may be among them.
    pub(super) fn skip(&mut self, cx: &Cx<'_>, cpu: CpuId, ticks: u64, last: SimTime) {
        let Some(task) = self.st.cpus[cpu.index()].curr else {
            return;
        };
        let weight = self.scale.weight;
        let steps = |estcpu: u32| estcpu / weight;
        let before = steps(self.thread(task).estcpu);
        self.charge(cpu, task, ticks, last);
        if steps(self.thread(task).estcpu) != before {
            self.step(cx, task);
        }
        let ends = match self.era.quantum {
            Quantum::SinceSwitch => self.skip_quanta(cpu, ticks, last),
            Quantum::OfThread => {
                let full = self.st.settings.slice;
                let t = self.thread_mut(task);
                let over = -t.slice;
                if over < 0 {
                    0
                } else {
                    t.slice = full - over % full;
                    u64::try_from(over / full + 1).unwrap_or(0)
                }
            }
        };
        self.st.counters.lock_acquisitions += ends;
        self.st.counters.dispatches += ends;
    }

    /// Ends of quanta among `ticks` ticks, counted since the last switch: each is a switch to the same thread.
    fn skip_quanta(&mut self, cpu: CpuId, ticks: u64, last: SimTime) -> u64 {
        let (rates, quantum) = (self.rates, self.st.settings.quantum_ticks);
        let grid = self.ticking[cpu.index()].stat;
        let first = grid.before(last, ticks - 1);
        let c = &mut self.st.cpus[cpu.index()];
        let mut ends = 0;
        loop {
            let due = rates.time_of(c.switchticks + quantum);
            if due > last {
                return ends;
            }
            let end = grid.at_or_after(due.max(first));
            c.switchticks = rates.ticks(end);
            ends += 1;
        }
    }

    /// The first tick that is not quiet, at or after `next`.
    pub(super) fn next_matter(
        &self,
        cx: &Cx<'_>,
        cpu: CpuId,
        next: SimTime,
        period: u64,
    ) -> SimTime {
        let c = &self.st.cpus[cpu.index()];
        let Some(task) = c.curr else {
            return SimTime::NEVER;
        };
        if self.ends_in_vain(cx, cpu, task) {
            return SimTime::NEVER;
        }
        let t = self.thread(task);
        let after = |ticks: u64| SimTime(next.0 + ticks.saturating_sub(1) * period);
        let quantum_end = match self.era.quantum {
            Quantum::SinceSwitch => {
                let ticks = c.switchticks + self.st.settings.quantum_ticks;
                self.rates.time_of(ticks)
            }
            Quantum::OfThread => after(u64::try_from(t.slice).unwrap_or(0)),
        };
        match self.scale.ticks_to_step(t.estcpu) {
            Some(ticks) if t.kind == Kind::Timeshare && !self.alone(cpu) => {
                quantum_end.min(after(ticks))
            }
            _ => quantum_end,
        }
    }

    /// `sched_clock`. Returns whether the thread must leave on its way back to user mode.
    pub(super) fn sched_clock(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> bool {
        let Some(task) = self.st.cpus[cpu.index()].curr else {
            return false;
        };
        if self.ends_in_vain(cx, cpu, task) {
            self.skip(cx, cpu, 1, cx.now);
            return false;
        }
        self.charge(cpu, task, 1, cx.now);
        let estcpu = self.thread(task).estcpu;
        if estcpu.is_multiple_of(self.scale.weight) {
            let old = self.step(cx, task);
            let new = self.thread(task).user_priority;
            if new != old && !self.alone(cpu) {
                let nice = i64::from(cx.task(task).nice);
                let operands = [i64::from(estcpu), i64::from(old), i64::from(new), nice];
                cx.explain(Some(cpu), Some(task), reasons::RESETPRIORITY, operands);
            }
        }
        let Some([quantum, used]) = self.quantum_ended(cx.now, cpu, task) else {
            return false;
        };
        let number = |x: u64| i64::try_from(x).unwrap_or(i64::MAX);
        let operands = [number(quantum), number(used), i64::from(estcpu), 0];
        cx.explain(Some(cpu), Some(task), reasons::QUANTUM_END, operands);
        self.st.cpus[cpu.index()].slice_ended = true;
        self.worsen_interrupt_thread(cx, cpu, task);
        true
    }

    /// If the quantum has ended: its length and the part used, in ticks.
    fn quantum_ended(&mut self, now: SimTime, cpu: CpuId, task: TaskId) -> Option<[u64; 2]> {
        match self.era.quantum {
            Quantum::SinceSwitch => {
                let used = self.rates.ticks(now) - self.st.cpus[cpu.index()].switchticks;
                let quantum = self.st.settings.quantum_ticks;
                (used >= quantum).then_some([quantum, used])
            }
            Quantum::OfThread => {
                let full = self.st.settings.slice;
                let t = self.thread_mut(task);
                if t.slice > 0 {
                    return None;
                }
                let used = full.saturating_sub(t.slice);
                t.slice = full;
                Some([full, used].map(|x| u64::try_from(x).unwrap_or(0)))
            }
        }
    }

    /// Estcpu has reached a multiple of its weight: computes the priority again and returns the old one.
    fn step(&mut self, cx: &Cx<'_>, task: TaskId) -> u8 {
        let old = self.resetpriority(cx, task);
        self.apply_to_running(task);
        old
    }

    /// An interrupt thread that used a whole quantum gets a worse priority until it is woken again.
    fn worsen_interrupt_thread(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId) {
        let (step, worst) = (self.era.per_list, self.era.ranges.max_ithd);
        let worsens = self.era.worsen_interrupt_threads;
        let t = self.thread_mut(task);
        if !worsens || t.kind != Kind::Interrupt || t.priority + step > worst {
            return;
        }
        let old = t.priority;
        t.priority += step;
        let operands = [i64::from(old), i64::from(t.priority), 0, 0];
        cx.explain(
            Some(cpu),
            Some(task),
            reasons::INTERRUPT_THREAD_WORSENED,
            operands,
        );
    }

    /// The rest of a thread's quantum at the last charged tick.
    pub(super) fn slice_view(&self, task: TaskId, running_on: Option<CpuId>) -> SliceView {
        let number = |x: u64| i64::try_from(x).unwrap_or(i64::MAX);
        match self.era.quantum {
            Quantum::SinceSwitch => {
                let full = number(self.st.settings.quantum_ticks * self.rates.hz_period());
                let used = running_on.map_or(0, |cpu| {
                    let c = &self.st.cpus[cpu.index()];
                    let since = self.rates.time_of(c.switchticks);
                    number(c.ticked_at.since(since).0)
                });
                SliceView {
                    left_ns: full - used,
                    full_ns: full,
                }
            }
            Quantum::OfThread => {
                let tick = number(self.rates.stat_period());
                SliceView {
                    left_ns: i64::from(self.thread(task).slice) * tick,
                    full_ns: i64::from(self.st.settings.slice) * tick,
                }
            }
        }
    }
}
