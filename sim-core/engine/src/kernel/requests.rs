//! Carries out the requests of hooks: signals, moves between queues, timers, locks.

use crate::clockwork::Event;
use crate::{Context, Sim};
use sim_contract::cx::QueueMove;
use sim_contract::decision::DecisionId;
use sim_ground::ids::CpuId;
use sim_ground::time::SimSpan;
use sim_trace::{TraceKind, TraceRecord};

impl Sim {
    /// Carries out what the last hook asked for.
    #[inline]
    pub(crate) fn carry_out_requests(&mut self, context: Context) {
        if !self.requests.is_empty() {
            self.carry_out(context);
        }
    }

    #[inline(never)]
    fn carry_out(&mut self, context: Context) {
        self.note_queue_moves();
        while let Some((cpu, why)) = pop_first(&mut self.requests.kicks) {
            if self.accepts_cpu("kick", None, cpu) {
                self.kick(context, cpu, why);
            }
        }
        while let Some(cpu) = pop_first(&mut self.requests.requery) {
            self.arm_ticks(cpu);
        }
        while let Some((timer, at)) = pop_first(&mut self.requests.timers) {
            self.clock.schedule_soon(Event::Timer(timer), at);
        }
        while let Some(queue) = pop_first(&mut self.requests.locked) {
            self.take_lock(context, queue);
        }
        while let Some(marking) = pop_first(&mut self.requests.marks) {
            self.mark_pages(marking);
        }
        while let Some(task) = pop_first(&mut self.requests.to_memory) {
            self.task_mut(task).account.to_memory += 1;
        }
        if let Some(stop) = self.requests.stop.take()
            && self.kernel.fault.is_none()
        {
            self.stop(stop);
        }
    }

    /// Drops the requests to ask a CPU about its ticks again, where its ticks are set in any case.
    #[inline]
    pub(crate) fn forget_requery(&mut self, cpu: CpuId) {
        if !self.requests.requery.is_empty() {
            self.requests.requery.retain(|c| *c != cpu);
        }
    }

    /// Records which tasks were put into other queues; usually none.
    #[inline]
    pub(crate) fn note_queue_moves(&mut self) {
        if !self.requests.moves.is_empty() {
            self.write_queue_moves();
        }
    }

    #[inline(never)]
    fn write_queue_moves(&mut self) {
        while let Some(QueueMove { task, to, why }) = pop_first(&mut self.requests.moves) {
            if !self.accepts_move(task, to) {
                continue;
            }
            let now = self.clock.now();
            let t = self.task_mut(task);
            t.placed = Some(why);
            let from = std::mem::replace(&mut t.queue, to);
            if from != to {
                let record = TraceRecord {
                    reason: i32::from(why.reason()),
                    ..TraceRecord::new(now, TraceKind::Queue)
                };
                self.ledger.record(
                    record
                        .cpu(to)
                        .task(Some(task))
                        .other(from.map_or(-1, |c| i64::from(c.0)))
                        .because(Some(why), None),
                );
            }
        }
    }

    /// Signals a CPU. It enters the scheduler at once if this is its own context, otherwise after the delay of the
    /// signal and of leaving idleness. A CPU that is signalled already is not signalled again.
    pub(crate) fn kick(&mut self, context: Context, cpu: CpuId, why: Option<DecisionId>) {
        if self.kernel.flagged.contains(cpu) {
            return;
        }
        let delay = if context.cpu == Some(cpu) {
            0
        } else {
            self.signal_delay(cpu)
        };
        self.signal(context, cpu, delay, why);
    }

    /// Signals a CPU, which enters the scheduler after a delay. A CPU that is signalled already is not signalled again.
    pub(crate) fn signal(
        &mut self,
        context: Context,
        cpu: CpuId,
        delay: u64,
        why: Option<DecisionId>,
    ) {
        if self.kernel.flagged.contains(cpu) {
            return;
        }
        self.kernel.flagged.insert(cpu);
        let now = self.clock.now();
        self.ledger.record(
            TraceRecord::new(now, TraceKind::Kick)
                .cpu(Some(cpu))
                .other(context.cpu.map_or(-1, |c| i64::from(c.0)))
                .because(why, None),
        );
        self.clock
            .schedule_soon(Event::Resched(cpu), now + SimSpan(delay));
        self.arm_ticks(cpu);
    }
}

fn pop_first<T>(list: &mut Vec<T>) -> Option<T> {
    if list.is_empty() {
        None
    } else {
        Some(list.remove(0))
    }
}
