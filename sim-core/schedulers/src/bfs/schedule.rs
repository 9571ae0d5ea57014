//! The parts of `schedule()`: what happens to the outgoing task, and which task comes next.

use super::era::{DisplacedRule, PickRule, Reload};
use super::idle_choice::IdleCpuFor;
use super::pick::{PickedTask, Search};
use super::{Answer, BfsState, Pick, clamp, order, reasons};
use sim_contract::cx::Cx;
use sim_contract::flags::Policy;
use sim_ground::ids::{CpuId, TaskId};

impl BfsState {
    /// `check_deadline`: refills a slice that is used up. Returns whether it did.
    pub(super) fn check_deadline(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        prev: TaskId,
        runnable: bool,
    ) -> bool {
        let info = cx.task(prev);
        let (nice, policy) = (info.nice, info.policy);
        let left = self.tasks[prev.index()].time_slice;
        let used_up = left < self.math.era.used_up_below;
        let batch = self.math.era.batch_refills && policy == Policy::Batch;
        if !used_up && !batch {
            return false;
        }
        let now = self.math.clock(cx.now.0);
        self.refill(prev, nice, now);
        let alone = runnable && self.grq.nr == 0;
        if alone && self.cpus[cpu.index()].exhausted {
            // Q2 with an empty queue: only arithmetic happens, and nothing is recorded.
            return true;
        }
        let t = &self.tasks[prev.index()];
        let reason = if !used_up {
            reasons::BATCH_REFILLED
        } else if alone {
            reasons::ALONE_ON_CPU
        } else {
            reasons::SLICE_EXPIRED
        };
        let operands = [
            self.math.slice_ns(left),
            self.math.slice_ns(t.time_slice),
            self.shown(t.deadline),
            self.shown(now),
        ];
        cx.explain(Some(cpu), Some(prev), reason, operands);
        true
    }

    /// A runnable task goes back to the queue.
    pub(super) fn give_back(&mut self, cx: &mut Cx<'_>, cpu: CpuId, prev: TaskId) {
        let sticky = self.math.era.pick == PickRule::Sticky;
        let allowed_here = cx.task(prev).allowed.contains(cpu);
        if sticky && allowed_here && self.grq.nr == 0 {
            self.cpus[cpu.index()].rerun = true;
            return;
        }
        if sticky && allowed_here {
            self.swap_sticky(cx, cpu, prev);
        }
        self.queue_task(cx, prev);
        self.cpus[cpu.index()].returned = Some(prev);
        if !allowed_here && let Some((idle, why)) = self.best_idle(cx, prev, IdleCpuFor::Woken) {
            cx.kick(idle, why);
        }
    }

    /// No task waits: the running task goes on, with fresh copies (0.447).
    pub(super) fn rerun(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> Answer<Option<Pick>> {
        let curr = self.cpus[cpu.index()].curr;
        if curr.is_some() {
            self.load_copies(cx, cpu, curr);
        }
        Answer::undecided(curr.map(|task| Pick { task, cause: None }))
    }

    /// Takes a task from the queue.
    pub(super) fn take_next(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> Answer<Option<TaskId>> {
        let waiting = i64::from(self.grq.nr);
        if waiting == 0 {
            return Answer::undecided(None);
        }
        let now = self.math.clock(cx.now.0);
        let Search {
            found,
            looked,
            walked,
        } = self.earliest_deadline_task(cx, cpu, now);
        self.counters.picks += 1;
        self.counters.entries_looked_at += looked;
        let PickedTask { task, reason, key } = match found {
            Ok(found) => found,
            Err(reason) => {
                let operands = [waiting, self.best_bias(cx, cpu), 0, 0];
                let why = cx.explain(Some(cpu), None, reason, operands);
                return Answer::new(None, why);
            }
        };
        if self.math.era.pick == PickRule::Distance {
            self.note_search(cx, task, walked);
        }
        self.grq.remove(task);
        let c = &self.cpus[cpu.index()];
        let alone = waiting == 1 && c.returned == Some(task);
        let why = (!(alone && c.exhausted)).then(|| {
            let reason = if alone { reasons::ONLY_TASK } else { reason };
            let operands = [key, self.shown(now), waiting, clamp(looked)];
            cx.explain(Some(cpu), Some(task), reason, operands)
        });
        let t = &mut self.tasks[task.index()];
        t.cpu = cpu;
        t.sticky = false;
        Answer::new(Some(task), why)
    }

    /// A search found a task and read `walked` entries of its list.
    #[inline]
    fn note_search(&mut self, cx: &Cx<'_>, found: TaskId, walked: u64) {
        let prio = self.tasks[found.index()].prio;
        if walked < order::LONG && self.grq.order(prio).is_none() {
            return;
        }
        let (tasks, machine) = (&self.tasks, cx.machine);
        self.grq.note_search(prio, walked, |task| {
            let from = tasks[task.index()].cpu;
            ((machine.place(from).llc, cx.task(task).nice), from)
        });
    }

    /// Another task runs in place of the outgoing one: an idle CPU may be signalled.
    pub(super) fn tell_of_displaced(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        prev: TaskId,
        runnable: bool,
    ) {
        let tells = match self.math.era.displaced {
            DisplacedRule::Silent => false,
            DisplacedRule::Told => true,
            DisplacedRule::ToldIfRunnable => runnable,
        };
        if !tells || !self.suitable_idle_cpus(cx, prev) {
            return;
        }
        let sought = IdleCpuFor::Displaced {
            from: cpu,
            runnable,
        };
        let Some((idle, why)) = self.best_idle(cx, prev, sought) else {
            return;
        };
        if idle == cpu {
            // The CPU itself becomes idle: as coded, the flag is set for the task that is about to sleep.
            self.tasks[prev.index()].need_resched = true;
        } else if self.smt_should_schedule(cx, prev, idle) {
            cx.kick(idle, why);
        } else {
            self.explain_smt_nice(cx, prev, idle);
        }
    }

    /// Records whether the running task was picked again with copies that are used up (quirk Q2): then the next tick
    /// reschedules.
    pub(super) fn note_exhausted(&mut self, cpu: CpuId) {
        let c = &mut self.cpus[cpu.index()];
        let used_up = c.rq_time_slice < self.math.era.used_up_below;
        c.exhausted = self.math.era.reload == Reload::Never
            && c.curr.is_some()
            && used_up
            && c.rq_policy != Policy::Fifo;
        if c.exhausted {
            self.exhausted.insert(cpu);
        } else {
            self.exhausted.remove(cpu);
        }
    }
}
