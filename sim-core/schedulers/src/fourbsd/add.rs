//! `sched_add`: the queue of a thread that becomes runnable, and the CPUs that are notified.

use super::{FourBsd, GLOBAL, n, queue_of, reasons};
use sim_contract::Answer;
use sim_contract::cx::Cx;
use sim_contract::decision::DecisionId;
use sim_contract::flags::Placement;
use sim_ground::ids::{CpuId, TaskId};

/// An end of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Head,
    Tail,
}

impl FourBsd {
    /// The CPU on which kernel code about a thread runs. The origin of an edit, or of a start without a parent, is not
    /// simulated; the thread's last CPU stands for it.
    pub(super) fn here(cx: &Cx<'_>, task: TaskId) -> CpuId {
        cx.cpu.unwrap_or(cx.task(task).last_cpu)
    }

    /// Whether a thread may not use every CPU (`TSF_AFFINITY`).
    pub(super) fn is_limited(&self, cx: &Cx<'_>, task: TaskId) -> bool {
        (cx.task(task).allowed.count() as usize) < self.st.cpus.len()
    }

    /// The CPU in whose queue a thread must wait; `None` for the global queue.
    pub(super) fn home(&self, cx: &mut Cx<'_>, task: TaskId) -> Option<(CpuId, DecisionId)> {
        self.is_limited(cx, task).then(|| self.pickcpu(cx, task))
    }

    /// `sched_pickcpu`: the last CPU, unless another CPU's queue is strictly shorter. Only threads that wait in queues
    /// of CPUs count.
    fn pickcpu(&self, cx: &mut Cx<'_>, task: TaskId) -> (CpuId, DecisionId) {
        let allowed = cx.task(task).allowed;
        let last = self.thread(task).last_cpu;
        let mut best: Option<(CpuId, i64)> = None;
        if let Some(last) = last.filter(|c| allowed.contains(*c)) {
            best = Some((last, n(self.st.queues.len(queue_of(last)))));
        }
        for cpu in allowed
            .iter()
            .take_while(|c| c.index() < self.st.cpus.len())
        {
            let waiting = n(self.st.queues.len(queue_of(cpu)));
            cx.candidate(Some(cpu), Some(task), waiting, "waiting in its own queue");
            if best.is_none_or(|(_, fewest)| waiting < fewest) {
                best = Some((cpu, waiting));
            }
        }
        let (cpu, waiting) = best.expect("invariant: a thread may use a CPU");
        let operands = [waiting, last.map_or(-1, |c| i64::from(c.0)), 0, 0];
        let why = cx.explain(Some(cpu), Some(task), reasons::SCHED_PICKCPU, operands);
        (cpu, why)
    }

    /// Puts a thread into its list (`runq_add`).
    pub(super) fn queue(&mut self, cx: &mut Cx<'_>, task: TaskId, home: Option<CpuId>, end: End) {
        let list = self.era.list(self.thread(task).priority);
        let queue = home.map_or(GLOBAL, queue_of);
        match end {
            End::Head => self.st.queues.push_head(queue, list, task),
            End::Tail => self.st.queues.push_tail(queue, list, task),
        }
        self.thread_mut(task).doing = super::ThreadActivity::Queued;
        if let Some(cpu) = home {
            cx.requery(cpu);
        }
    }

    /// Notifies CPUs after a woken or new thread was queued. Returns the decision about that thread.
    pub(super) fn announce(
        &mut self,
        cx: &mut Cx<'_>,
        task: TaskId,
        place: Placement,
    ) -> Option<DecisionId> {
        let here = Self::here(cx, task);
        let own_interrupt = self.thread(task).kind == super::Kind::Interrupt;
        let timed = std::mem::take(&mut self.thread_mut(task).timed);
        // Device interrupts have interrupt threads in all eras.
        let thread = self.era.softclock_thread || timed.is_none();
        let softclock = cx.interrupt && !own_interrupt && thread;
        if softclock {
            self.softclock(cx, here, task);
        }
        match place {
            Placement::Cpu(cpu) if cpu != here => Some(self.kick_other_cpu(cx, task, cpu)),
            Placement::Cpu(_) => (!softclock).then(|| self.preempt_here(cx, task, here)),
            Placement::Shared => {
                // The interrupt thread occupies the CPU while it wakes the thread, even if the CPU counts as idle.
                let may_forward =
                    !(cx.interrupt && own_interrupt) && (softclock || !self.st.idle.contains(here));
                let forwarded = if may_forward {
                    self.forward_wakeup(cx, task, here)
                } else {
                    Answer::undecided(false)
                };
                if !forwarded.value && !softclock {
                    Some(self.preempt_here(cx, task, here))
                } else {
                    forwarded.why
                }
            }
        }
    }

    /// Notifies CPUs after a thread was queued again: it ran on `here`, or code on `here` moved it to another list. It
    /// does not preempt the running thread.
    pub(super) fn announce_again(
        &mut self,
        cx: &mut Cx<'_>,
        task: TaskId,
        home: Option<CpuId>,
        here: CpuId,
    ) {
        match home {
            Some(cpu) if cpu != here => {
                self.kick_other_cpu(cx, task, cpu);
            }
            Some(_) => {}
            None => {
                if !self.st.idle.contains(here) {
                    self.forward_wakeup(cx, task, here);
                }
            }
        }
    }
}
