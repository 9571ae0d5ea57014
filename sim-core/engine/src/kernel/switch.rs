//! A switch: one task leaves a CPU, and another comes.

use super::TaskState;
use crate::clockwork::Event;
use crate::hardware::{Charged, UnpaidTime};
use crate::ledger::Counted;
use crate::{Sim, around};
use sim_contract::decision::DecisionId;
use sim_contract::flags::SwitchReason;
use sim_contract::{Answer, Pick};
use sim_ground::ids::{CpuId, TaskId};
use sim_trace::{SwitchCode, TraceKind, TraceRecord};

impl Sim {
    /// A CPU takes another task, or none.
    pub(super) fn switch(
        &mut self,
        charged: Charged,
        prev: Option<TaskId>,
        pick: Answer<Option<Pick>>,
        why: SwitchReason,
    ) {
        let cpu = charged.cpu();
        let next = pick.value.map(|p| p.task);
        if prev.is_none() && next.is_none() {
            return;
        }
        let now = self.clock.now();
        let counted = self.count_waste();
        if let Some(task) = prev {
            self.leave_cpu(counted, charged, task, why);
        }
        let code = match (prev, why) {
            (None, _) => SwitchCode::FromIdle,
            (_, SwitchReason::Resched) => SwitchCode::Involuntary,
            (_, SwitchReason::Block) => SwitchCode::Block,
            (_, SwitchReason::Yield) => SwitchCode::Yield,
            (_, SwitchReason::Exit) => SwitchCode::Exit,
        };
        let brought = next.and_then(|task| self.brought_by(cpu, task, pick.why));
        self.hardware.count_switch(&self.clock, cpu);
        self.ledger.record(TraceRecord {
            reason: code as i32,
            ..TraceRecord::new(now, TraceKind::Switch)
                .cpu(Some(cpu))
                .task(next)
                .other(prev.map_or(-1, |t| i64::from(t.0)))
                .because(pick.why, brought)
        });
        if prev.is_some() != next.is_some() {
            self.change_busy(counted, cpu, next.is_some());
        }
        let works = |t: Option<TaskId>| t.is_some_and(|t| !self.kernel.infos[t.index()].background);
        if works(prev) == works(next) {
            self.kernel.curr[cpu.index()] = next;
        } else {
            let before = self.workload_on_core(cpu);
            self.kernel.curr[cpu.index()] = next;
            let after = self.workload_on_core(cpu);
            self.ledger.core_changes(now, before, after);
        }
        if let Some(picked) = pick.value {
            self.enter_cpu(counted, charged, picked, pick.why, brought);
        } else {
            self.hardware.forget_debt(charged);
        }
        let alike = |(a, b)| self.hardware.feels_alike(a, b);
        if !prev.zip(next).is_some_and(alike) {
            // The new speed is computed after all events of this instant, before time goes on.
            self.hardware.mark_stale(cpu);
        }
        self.clock.cancel(Event::PhaseEnd(cpu));
    }

    fn leave_cpu(&mut self, counted: Counted, charged: Charged, task: TaskId, why: SwitchReason) {
        let now = self.clock.now();
        let t = &mut self.kernel.tasks[task.index()];
        self.hardware.leave(charged, task);
        t.account_until(now);
        match why {
            SwitchReason::Resched | SwitchReason::Yield => {
                t.account.involuntary += u64::from(why == SwitchReason::Resched);
                t.wait_from(now);
                self.joins_waiting(counted, task);
            }
            SwitchReason::Block => t.state = TaskState::Sleeping,
            SwitchReason::Exit => t.state = TaskState::Exited,
        }
        if self.hardware.working_set_bytes(task) > 0 {
            self.hardware.keep_data(&self.plan.machine, charged, task);
        }
    }

    /// The decision that brought a task to the CPU that picks it now. This is the one that put it into that CPU's
    /// queue. For a task from the queue of all CPUs it is the pick of the CPU that took it last.
    fn brought_by(
        &mut self,
        cpu: CpuId,
        task: TaskId,
        pick: Option<DecisionId>,
    ) -> Option<DecisionId> {
        let stays = self.kernel.infos[task.index()].last_cpu == cpu;
        let t = self.task_mut(task);
        if t.queue != Some(cpu) {
            t.queue = None;
            if !(stays && t.ran) || t.placed.is_none() {
                t.placed = pick;
            }
        }
        t.placed.or(pick)
    }

    fn enter_cpu(
        &mut self,
        counted: Counted,
        charged: Charged,
        pick: Pick,
        why: Option<DecisionId>,
        brought: Option<DecisionId>,
    ) {
        let now = self.clock.now();
        let (cpu, task) = (charged.cpu(), pick.task);
        self.ledger.task_ceases_to_wait(counted, task);
        let info = &mut self.kernel.infos[task.index()];
        let from = std::mem::replace(&mut info.last_cpu, cpu);
        let background = info.background;
        let t = &mut self.kernel.tasks[task.index()];
        t.account_until(now);
        t.state = TaskState::Running;
        t.account.switches += 1;
        let moved = t.ran && from != cpu;
        let least = t.least_switch_ns(now);
        let returns = t.account.switches > 1;
        self.end_wait(task, background);
        if moved {
            let reason = pick.cause.or(brought.map(DecisionId::reason));
            let record = TraceRecord {
                reason: reason.map_or(-1, i32::from),
                ..TraceRecord::new(now, TraceKind::Migrate)
            };
            self.note_migration(task, from, cpu, record.because(brought, why));
        }
        let cost = u64::from(self.plan.machine.spec().costs.switch_ns);
        let refill_ns = if returns {
            self.hardware.kernel_refill_ns(cpu, from, task)
        } else {
            0
        };
        let debt = UnpaidTime {
            switch_ns: cost.max(least),
            refill_ns,
            ..UnpaidTime::default()
        };
        self.hardware.enter(charged, task, debt);
        if self.hardware.working_set_bytes(task) > 0 {
            self.find_warmth(charged, task);
        }
    }

    /// A task is switched in: its wait ends, and it counts as having run.
    fn end_wait(&mut self, task: TaskId, background: bool) {
        let now = self.clock.now();
        let t = &mut self.kernel.tasks[task.index()];
        let waited = now.since(t.queued_at).0;
        let first = !std::mem::replace(&mut t.ran, true);
        let longest = if first {
            &mut t.account.longest_first_wait_ns
        } else {
            &mut t.account.longest_wait_ns
        };
        *longest = waited.max(*longest);
        self.ledger.wait_ends(task, waited, first, background);
    }

    fn note_migration(&mut self, task: TaskId, from: CpuId, to: CpuId, record: TraceRecord) {
        let t = &mut self.kernel.tasks[task.index()];
        t.account.migrations += 1;
        t.last_migrate_reason = record.reason;
        if !self.kernel.infos[task.index()].background {
            self.count_move(from, to, record.reason);
        }
        let record = record.cpu(Some(to)).task(Some(task));
        self.ledger.record(record.other(i64::from(from.0)));
    }

    fn count_move(&mut self, from: CpuId, to: CpuId, reason: i32) {
        let (a, b) = (self.plan.machine.place(from), self.plan.machine.place(to));
        let distance = match (a.node == b.node, a.llc == b.llc, a.core == b.core) {
            (_, _, true) => 0,
            (_, true, _) => 1,
            (true, ..) => 2,
            _ => 3,
        };
        let reason = u16::try_from(reason).unwrap_or(u16::MAX);
        self.ledger.moved(reason, distance);
    }

    /// Records the change between idle and busy: times, tickless idleness, and the cores that heat the package.
    fn change_busy(&mut self, counted: Counted, cpu: CpuId, is_busy: bool) {
        let now = self.clock.now();
        self.set_ticking(cpu, is_busy);
        if is_busy {
            self.ledger.cpu_is_busy(counted, cpu, now);
        } else {
            self.ledger.cpu_idles(counted, cpu, now);
        }
        self.hardware
            .heat_changes(&around!(self), &mut self.clock, cpu, is_busy);
    }

    /// Whether a workload thread runs on the CPU's core.
    fn workload_on_core(&self, cpu: CpuId) -> bool {
        let siblings = self.plan.machine.sibling_list(cpu);
        siblings
            .iter()
            .filter_map(|s| self.kernel.curr[s.index()])
            .any(|t| !self.kernel.infos[t.index()].background)
    }

    pub(super) fn joins_waiting(&mut self, counted: Counted, task: TaskId) {
        let allowed = &self.kernel.infos[task.index()].allowed;
        self.ledger.task_waits(counted, task, allowed);
    }
}
