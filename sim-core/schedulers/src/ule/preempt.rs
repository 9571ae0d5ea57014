//! Preemption: whether a thread that was just inserted preempts the running one.

use super::eras::{Era, Search};
use super::tunables::Tune;
use super::{Answer, Ule, reasons};
use crate::freebsd::ranges::{PRI_MAX_IDLE, PRI_MIN_IDLE};
use sim_contract::cx::Cx;
use sim_ground::ids::{CpuId, TaskId};

/// `sched_shouldpreempt`: whether a thread of priority `pri` may preempt one of `cpri`. `remote`: the CPU is another
/// one.
#[must_use]
pub fn should_preempt(era: &Era, preempt_thresh: u8, pri: u8, cpri: u8, remote: bool) -> bool {
    if pri >= cpri {
        return false;
    }
    if cpri >= PRI_MIN_IDLE {
        return true;
    }
    if preempt_thresh == 0 {
        return false;
    }
    pri <= preempt_thresh || (remote && pri <= era.max_interact && cpri > era.max_interact)
}

fn may_preempt(era: &Era, tune: &Tune, pri: u8, cpri: u8, remote: bool) -> bool {
    should_preempt(era, tune.preempt_thresh, pri, cpri, remote)
}

impl Ule {
    /// `sched_setpreempt` or `tdq_notify`: the CPU to signal for a thread just inserted there.
    pub(super) fn preempt_for(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        task: TaskId,
    ) -> Answer<Option<CpuId>> {
        let pri = self.st.threads[task.index()].pri;
        let cpri = self.running_pri(cpu);
        let thresh = self.st.tune.preempt_thresh;
        let operands = [i64::from(pri), i64::from(cpri), i64::from(thresh), 0];
        let (reason, signal) = if cx.cpu == Some(cpu) {
            self.preempt_here(cpu, pri, cpri)
        } else {
            self.preempt_there(cpu, pri, cpri)
        };
        let why = cx.explain(Some(cpu), Some(task), reason, operands);
        if signal {
            self.note_alone(cx, cpu);
        }
        Answer::new(signal.then_some(cpu), why)
    }

    fn preempt_here(&mut self, cpu: CpuId, pri: u8, cpri: u8) -> (u16, bool) {
        let owe = may_preempt(self.era, &self.st.tune, pri, cpri, false);
        let ast = self.st.tune.ast_preempt;
        let tdq = &mut self.st.tdqs[cpu.index()];
        if pri >= cpri {
            return (reasons::NOT_BETTER, false);
        }
        if owe {
            // The switch that follows also clears the reschedule flag.
            tdq.owe = true;
            let reason = if tdq.curr.is_none() {
                reasons::LOCAL_IDLE
            } else if cpri >= PRI_MIN_IDLE {
                reasons::OWE_IDLE_CLASS
            } else {
                reasons::OWE_PREEMPT
            };
            return (reason, true);
        }
        if ast {
            tdq.resched = true;
            (reasons::LOCAL_RESCHED, true)
        } else {
            (reasons::ABOVE_THRESH, false)
        }
    }

    fn preempt_there(&mut self, cpu: CpuId, pri: u8, cpri: u8) -> (u16, bool) {
        if self.st.tdqs[cpu.index()].ipi {
            return (reasons::IPI_PENDING, false);
        }
        let old_rule = self.era.search == Search::IdleMask
            && cpri < PRI_MIN_IDLE
            && pri < self.era.max_interact
            && self.era.max_interact < cpri;
        if !old_rule && !may_preempt(self.era, &self.st.tune, pri, cpri, true) {
            let reason = if pri >= cpri {
                reasons::NOT_BETTER
            } else {
                reasons::ABOVE_THRESH
            };
            return (reason, false);
        }
        self.st.tdqs[cpu.index()].ipi = true;
        if cpri == PRI_MAX_IDLE {
            (reasons::REMOTE_IDLE, true)
        } else {
            (reasons::REMOTE_PREEMPT, true)
        }
    }

    /// `sched_add`: computes the priority, chooses a CPU, inserts the thread, and signals CPUs that must reschedule.
    pub(super) fn sched_add(&mut self, cx: &mut Cx<'_>, task: TaskId, how: super::runqs::Insert) {
        self.sched_priority(cx, task);
        let (cpu, why) = self.pick_cpu(cx, task);
        self.move_to(task, cpu, reasons::PLACED);
        cx.moved(task, Some(cpu), why);
        self.tdq_add(cpu, task, how);
        self.load_changed(cx, cpu);
        self.wake_pollers(cx, cpu);
        let preempt = self.preempt_for(cx, cpu, task);
        if let Some(cpu) = preempt.value {
            cx.kick(cpu, preempt.why);
        }
    }

    /// Assigns a thread to a CPU, for a reason.
    pub(super) fn move_to(&mut self, task: TaskId, cpu: CpuId, why: u16) {
        let t = &mut self.st.threads[task.index()];
        t.cpu = cpu;
        t.why = why;
    }
}
