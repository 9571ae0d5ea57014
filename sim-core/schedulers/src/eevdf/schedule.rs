//! A CPU enters the scheduler, becomes idle or busy.
//!
//! | item | kernel function @ 6.12.117 |
//! |---|---|
//! | `put`, `pick` | `__schedule`, `put_prev_task`, `pick_next_task` |
//! | `becomes_busy` | `tick_nohz_idle_exit` |

use super::Eevdf;
use super::pick::{Choice, Picked};
use super::reasons;
use super::state::{FairQueue, NONE};
use crate::linux::machine::balance::NohzBalancing;
use crate::linux::machine::capacity::Fitting;
use crate::linux::rt::RealTime;
use crate::linux::signed;
use crate::linux::stopper::Stopper;
use sim_contract::cx::Cx;
use sim_contract::decision::DecisionId;
use sim_contract::flags::SwitchReason;
use sim_ground::ids::{CpuId, TaskId};

impl Eevdf {
    /// Sets the outgoing task aside until the next one is known.
    pub(super) fn put(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        prev: Option<TaskId>,
        why: SwitchReason,
    ) {
        self.pending.remove(cpu);
        self.st.schedules += 1;
        let fair = prev.filter(|prev| !self.st.task(*prev).real_time);
        self.st.rq_mut(cpu).prev = fair;
        self.put_served(cx, cpu, fair.is_some(), why.stays_runnable());
        let Some(prev) = prev.filter(|_| fair.is_none()) else {
            return;
        };
        self.st.rq_mut(cpu).curr = None;
        self.rt_put(cx, cpu, prev, why.stays_runnable());
    }

    /// Picks the task that runs next.
    pub(super) fn pick(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> Option<(TaskId, DecisionId)> {
        let rq = self.st.rq_mut(cpu);
        let mut prev = rq.prev.take();
        self.picking = Some(cpu);
        if !rq.side.stop.is_empty() {
            // The stopper comes first; before that, the outgoing task is put back.
            if let Some(prev) = prev.take() {
                self.put_fair(prev, cx.now.0);
            }
            self.st.rq_mut(cpu).curr = None;
            self.stop_work(cx, cpu);
        }
        let served = if self.reserve.serves_fair(cpu) {
            self.pick_served(cx, cpu, prev.take())
        } else {
            None
        };
        let picked = if served.is_some() {
            served
        } else if self.real_time_waits(cpu) {
            if let Some(prev) = prev {
                self.put_fair(prev, cx.now.0);
            }
            let first = self.st.rq_mut(cpu).rt.pop();
            self.reserve.real_time_runs(cpu, cx.now.0);
            first.map(Picked::real_time)
        } else {
            self.pick_fair(cx, cpu, prev)
        };
        self.picking = None;
        if !self.wanted.is_empty() {
            // A reschedule that was asked for on this CPU is now done.
            self.wanted.retain(|(c, _)| *c != cpu);
        }
        if picked.is_some() && cx.curr[cpu.index()].is_none() {
            self.st.rq_mut(cpu).clock.set(cx.now.0);
            if self.st.tun.timed().idle_until_switch {
                self.st.rq_mut(cpu).side.end_idleness(cx.now.0);
            }
            self.leaves_idle(cx, cpu);
        }
        self.st.rq_mut(cpu).curr = picked.map(|p| p.task);
        if let Some(p) = picked.filter(|p| cx.curr[cpu.index()] != Some(p.task))
            && !self.st.task(p.task).real_time
        {
            self.note_misfit(cx, cpu, Some(p.task));
        }
        picked.map(|p| {
            let why = self.explain_picked(cx, cpu, p);
            if served.is_some() && self.real_time_waits(cpu) {
                return (p.task, self.explain_served(cx, cpu, p.task));
            }
            (p.task, why)
        })
    }

    /// Tells the level that decided. If that was a choice between applications, and the chosen one has several tasks,
    /// the choice between these is told as well.
    #[inline]
    fn explain_picked(&self, cx: &mut Cx<'_>, cpu: CpuId, picked: Picked) -> DecisionId {
        let Picked {
            task,
            decided,
            last,
            told,
        } = picked;
        let why = self.explain_pick(cx, cpu, task, decided, told.map(|t| t[0]));
        if decided.e != last.e && self.st.queue(self.st.line(last.e)).nr > 1 {
            self.explain_pick(cx, cpu, task, last, told.map(|t| t[1]));
        }
        why
    }

    #[inline]
    pub(super) fn explain_pick(
        &self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        task: TaskId,
        choice: Choice,
        told: Option<[i64; 4]>,
    ) -> DecisionId {
        let Some(ent) = self.st.entities.get(choice.e as usize) else {
            return cx.explain(Some(cpu), Some(task), choice.why, [0; 4]);
        };
        if cx.explaining() {
            let line = self.st.line_of(ent);
            self.tell_candidates(cx, line, self.st.queue(line));
        }
        let operands = told.unwrap_or_else(|| self.numbers(choice));
        let why = if ent.is_task() {
            choice.why
        } else {
            reasons::of_group(choice.why)
        };
        cx.explain(Some(cpu), Some(task), why, operands)
    }

    /// Lag, deadline from V, request, and how many are queued.
    #[inline]
    pub(super) fn numbers(&self, choice: Choice) -> [i64; 4] {
        let ent = self.st.ent(choice.e);
        let line = self.st.line_of(ent);
        let mean = choice.mean.unwrap_or_else(|| self.mean(line));
        debug_assert_eq!(mean, self.mean(line), "the switch has changed V");
        [
            mean - ent.v,
            ent.deadline - mean,
            signed(ent.slice),
            i64::from(self.st.queue(line).nr),
        ]
    }

    /// Any task of a group's queue.
    fn member(&self, q: u32) -> Option<TaskId> {
        let queue = self.st.queue(q);
        let e = [queue.curr, queue.tree.leftmost];
        let ent = self.st.ent(e.into_iter().find(|e| *e != NONE)?);
        match ent.my_queue {
            NONE => Some(TaskId(ent.task)),
            below => self.member(below),
        }
    }

    // Only for replays with candidates, so it is kept out of the path of each switch.
    #[cold]
    fn tell_candidates(&self, cx: &mut Cx<'_>, q: u32, queue: &FairQueue) {
        let mean = self.mean(q);
        for e in self.st.arena.iter(queue.tree) {
            let ent = self.st.ent(e);
            let note = match (ent.delayed, ent.v <= mean) {
                (true, _) => "delayed: virtual deadline from V",
                (false, true) => "eligible: virtual deadline from V",
                (false, false) => "not eligible: virtual deadline from V",
            };
            let score = ent.deadline - mean;
            if ent.is_task() {
                cx.candidate(None, Some(TaskId(ent.task)), score, note);
            } else if let Some(task) = self.member(ent.my_queue) {
                cx.candidate_application(task, score, note);
            }
        }
    }
}
