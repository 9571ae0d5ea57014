//! Puts threads on a CPU's queues and takes them off, with all counters that change.

use super::Ule;
use super::runqs::{Insert, Part};
use crate::freebsd::ranges::Class;
use crate::freebsd::ranges::PRI_MAX_IDLE;
use sim_contract::cx::Cx;
use sim_ground::ids::{CpuId, TaskId};

impl Ule {
    /// `tdq_load_add`.
    pub(super) fn load_add(&mut self, cpu: CpuId, task: TaskId) {
        let counts = !self.st.threads[task.index()].noload;
        let tdq = &mut self.st.tdqs[cpu.index()];
        tdq.load += 1;
        tdq.sysload += u32::from(counts);
    }

    /// `tdq_load_rem`.
    pub(super) fn load_rem(&mut self, cpu: CpuId, task: TaskId) {
        let counts = !self.st.threads[task.index()].noload;
        let tdq = &mut self.st.tdqs[cpu.index()];
        tdq.load -= 1;
        tdq.sysload -= u32::from(counts);
    }

    /// `tdq_runq_add`. Returns the slot if the thread is in the calendar.
    pub(super) fn runq_add(&mut self, cpu: CpuId, task: TaskId, how: Insert) -> Option<u8> {
        let t = &self.st.threads[task.index()];
        let tdq = &mut self.st.tdqs[cpu.index()];
        tdq.transferable += u32::from(!t.pinned);
        self.st
            .queues
            .add(self.era, &tdq.hands, cpu, task, t.pri, how)
    }

    /// `tdq_runq_rem`, at `now` in ticks of hz.
    pub(super) fn runq_rem(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId, now: i64) {
        let t = &self.st.threads[task.index()];
        let tdq = &mut self.st.tdqs[cpu.index()];
        tdq.transferable -= u32::from(!t.pinned);
        let batch = self.st.queues.part(t.pri) == Part::Timeshare;
        self.st.queues.remove(self.era, &mut tdq.hands, cpu, task);
        if !self.era.priority_each_tick && batch {
            self.look_at_window(task, now);
            self.sched_priority(cx, task);
        }
    }

    /// What `tdq_runq_add` and `tdq_runq_rem` do to the only thread of a CPU. Its queues are empty before and after, so
    /// the thread stays the running one, and only the calendar may turn. Its priority has just been computed.
    pub(super) fn pass_queue_alone(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        task: TaskId,
        how: Insert,
        now: i64,
    ) {
        let pri = self.st.threads[task.index()].pri;
        if self.st.queues.part(pri) != Part::Timeshare {
            return;
        }
        let hands = &mut self.st.tdqs[cpu.index()].hands;
        if hands.idx != hands.ridx {
            let slot = hands.slot_for(self.era, pri, how);
            hands.removed(self.era, slot, |_| None);
        }
        if !self.era.priority_each_tick && self.look_at_window(task, now) {
            self.sched_priority(cx, task);
        }
    }

    /// `tdq_add`.
    pub(super) fn tdq_add(&mut self, cpu: CpuId, task: TaskId, how: Insert) -> Option<u8> {
        let pri = self.st.threads[task.index()].pri;
        let tdq = &mut self.st.tdqs[cpu.index()];
        tdq.lowpri = tdq.lowpri.min(pri);
        let slot = self.runq_add(cpu, task, how);
        self.load_add(cpu, task);
        slot
    }

    /// A waiting thread leaves its queue (`sched_rem`).
    pub(super) fn sched_rem(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        let (cpu, pri) = {
            let t = &self.st.threads[task.index()];
            (t.cpu, t.pri)
        };
        let now = self.ticks(cx);
        self.runq_rem(cx, cpu, task, now);
        self.load_rem(cpu, task);
        if pri == self.st.tdqs[cpu.index()].lowpri {
            self.set_lowpri(cpu);
        }
        self.load_changed(cx, cpu);
    }

    /// `tdq_setlowpri`: the better of the running thread and the next one.
    pub(super) fn set_lowpri(&mut self, cpu: CpuId) {
        let tdq = &self.st.tdqs[cpu.index()];
        let pri = |task: TaskId| self.st.threads[task.index()].pri;
        let runs = tdq.curr.map_or(PRI_MAX_IDLE, pri);
        let any_waits = tdq.load > u32::from(tdq.curr.is_some());
        let waits = any_waits.then(|| self.st.queues.choose(&tdq.hands, cpu));
        let waits = waits.flatten().map_or(PRI_MAX_IDLE, |next| pri(next.task));
        self.st.tdqs[cpu.index()].lowpri = runs.min(waits);
    }

    /// Updates what depends on the load: lengths of slices, and whether their ends have an effect.
    pub(super) fn load_changed(&mut self, cx: &mut Cx<'_>, cpu: CpuId) {
        self.note_alone(cx, cpu);
        cx.requery(cpu);
    }

    /// Updates whether the ends of slices on a CPU change nothing.
    pub(super) fn note_alone(&mut self, cx: &Cx<'_>, cpu: CpuId) {
        let tdq = &self.st.tdqs[cpu.index()];
        let alone = tdq.curr.is_some_and(|task| {
            let t = &self.st.threads[task.index()];
            tdq.load == 1
                && t.class != Class::Fifo
                && !(tdq.resched || tdq.owe || tdq.ipi || t.pick_cpu)
                && cx.task(task).allowed.contains(cpu)
        });
        if alone {
            self.st.alone.insert(cpu);
        } else {
            self.st.alone.remove(cpu);
        }
    }
}
