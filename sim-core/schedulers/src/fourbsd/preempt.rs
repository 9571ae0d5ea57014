//! `maybe_preempt`, `maybe_resched`, `kick_other_cpu`: which CPU must reschedule, and how.
//!
//! A thread that is preempted in the kernel leaves with the flag `SW_PREEMPT` at the end of the interrupt. A thread
//! that is told to reschedule (`TDF_NEEDRESCHED`) leaves on its way back to user mode. This difference decides where it
//! waits.

use super::{FourBsd, Kind, reasons};
use crate::freebsd::ranges::PRI_MIN_IDLE;
use sim_contract::cx::Cx;
use sim_contract::decision::DecisionId;
use sim_ground::ids::{CpuId, TaskId};

impl FourBsd {
    /// `maybe_preempt`, else `maybe_resched`: compares only with the running thread of this CPU.
    pub(super) fn preempt_here(
        &mut self,
        cx: &mut Cx<'_>,
        task: TaskId,
        here: CpuId,
    ) -> DecisionId {
        let (new, running) = (self.thread(task).priority, self.priority_on(here));
        let operands = [i64::from(new), i64::from(running), 0, 0];
        if new >= running {
            return cx.explain(Some(here), Some(task), reasons::NOT_BETTER, operands);
        }
        let in_kernel = new <= self.era.ranges.max_ithd || running >= PRI_MIN_IDLE;
        let preempts = self.st.settings.preemption && in_kernel;
        let reason = if self.st.cpus[here.index()].curr.is_none() {
            reasons::IDLE_HERE
        } else if preempts {
            reasons::MAYBE_PREEMPT
        } else {
            reasons::MAYBE_RESCHED
        };
        let why = cx.explain(Some(here), Some(task), reason, operands);
        self.st.cpus[here.index()].owes_preemption |= preempts;
        cx.kick(here, why);
        why
    }

    /// The clock's interrupt thread ends a sleep: it preempts the running thread of this CPU. When it has finished, the
    /// CPU takes the best waiting thread.
    pub(super) fn softclock(&mut self, cx: &mut Cx<'_>, here: CpuId, woken: TaskId) {
        let mut why = None;
        if let Some(running) = self.st.cpus[here.index()].curr {
            let (kind, priority) = (self.thread(running).kind, self.thread(running).priority);
            let operands = [priority, self.thread(woken).priority, 0, 0].map(i64::from);
            if kind == Kind::Interrupt {
                // Interrupt threads do not preempt each other: this one waits, and its work with it.
                let reason = reasons::SOFTCLOCK_WAITS;
                cx.explain(Some(here), Some(running), reason, operands);
                return;
            }
            why = Some(cx.explain(Some(here), Some(running), reasons::SOFTCLOCK, operands));
            self.st.cpus[here.index()].owes_preemption |= self.st.settings.preemption;
        }
        cx.kick(here, why);
    }

    /// `kick_other_cpu`: a limited thread was queued to a CPU that is not this one.
    pub(super) fn kick_other_cpu(
        &mut self,
        cx: &mut Cx<'_>,
        task: TaskId,
        cpu: CpuId,
    ) -> DecisionId {
        let (new, running) = (self.thread(task).priority, self.priority_on(cpu));
        let mut operands = [i64::from(new), i64::from(running), 0, 0];
        let reason = if self.st.idle.contains(cpu) {
            operands[1] = 0;
            reasons::KICK_IDLE_CPU
        } else if new < running {
            reasons::KICK_OTHER_CPU
        } else {
            reasons::KICK_NOT_BETTER
        };
        let why = cx.explain(Some(cpu), Some(task), reason, operands);
        if reason != reasons::KICK_NOT_BETTER {
            cx.kick(cpu, why);
        }
        why
    }
}
