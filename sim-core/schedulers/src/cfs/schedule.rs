//! A CPU enters the scheduler, becomes idle or busy, and takes a tick.
//!
//! | item | kernel function |
//! |---|---|
//! | `put`, `pick` | `schedule()`, `put_prev_task`, `pick_next_task` |
//! | `becomes_idle`, `becomes_busy` | `tick_nohz_stop_sched_tick`, `tick_nohz_restart_sched_tick` |
//! | `scheduler_tick` | `scheduler_tick`, `trigger_load_balance` |

use super::balance::Idleness;
use super::entity::{CfsQueue, Ent, NONE, Queue};
use super::era::{NohzRule, PutPrevOrder, RelativeVruntime};
use super::pick::Picked;
use super::{Cfs, reasons};
use crate::linux::clock::RqClock;
use crate::linux::machine::balance::NohzBalancing;
use crate::linux::machine::capacity::Fitting;
use crate::linux::numa::Host;
use crate::linux::rt::RealTime;
use crate::linux::signed;
use crate::linux::stopper::Stopper;
use crate::linux::wakees::average;
use sim_contract::cx::Cx;
use sim_contract::decision::{DecisionId, Reason};
use sim_contract::flags::SwitchReason;
use sim_ground::ids::{CpuId, TaskId};

impl Cfs {
    pub(super) fn domains_of(&self, cpu: CpuId) -> usize {
        self.topo.of[cpu.index()].len()
    }

    /// Puts the outgoing task back, or sets it aside until the next one is known.
    pub(super) fn put(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        prev: Option<TaskId>,
        why: SwitchReason,
    ) {
        let now = cx.now.0;
        self.drops_out_of_time(cpu);
        self.st.schedules += 1;
        self.st.rq_mut(cpu).prev = None;
        let Some(prev) = prev else { return };
        let runnable = matches!(why, SwitchReason::Resched | SwitchReason::Yield);
        if self.st.task(prev).real_time {
            self.st.rq_mut(cpu).curr = None;
            self.rt_put(cx, cpu, prev, runnable);
            return;
        }
        match self.era.put {
            PutPrevOrder::BeforePick => {
                if runnable && self.era.relative == RelativeVruntime::AtWakeup {
                    let cap = self.st.tun.avg_idle_cap();
                    let e = self.st.task(prev).se;
                    let ent = self.st.ent_mut(e);
                    ent.avg_overlap = average(ent.avg_overlap, ent.ran().min(cap));
                }
                self.put_fair(prev, now);
                self.st.rq_mut(cpu).curr = None;
            }
            PutPrevOrder::AfterPick => self.st.rq_mut(cpu).prev = Some(prev),
        }
    }

    /// Picks the task that runs next.
    pub(super) fn pick(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> Option<(TaskId, DecisionId)> {
        let now = cx.now.0;
        let mut prev = self.st.rq_mut(cpu).prev.take();
        if !self.st.rq(cpu).stop.is_empty() {
            self.run_stopper(cx, cpu, prev.take());
        }
        if self.real_time_waits(cpu) {
            return self.pick_real_time(cx, cpu, prev);
        }
        let picked = match prev {
            Some(prev) => self.pick_after(cpu, prev, now),
            None => self.pick_fair(cpu, now),
        };
        self.drops_out_of_time(cpu);
        let Some(Picked { last, decided }) = picked else {
            self.st.rq_mut(cpu).curr = None;
            return None;
        };
        let task = TaskId(self.st.ent(last.0).task);
        self.runs_next(cx, cpu, task);
        if self.is_shared() {
            self.note_misfit(cx, cpu, Some(task));
        }
        // The level that decided is told. If that was a choice between applications, and the chosen one has several
        // tasks, the choice between these is told as well.
        let why = self.explain_pick(cx, cpu, task, decided);
        if decided.0 != last.0 && self.st.queue(self.st.ent(last.0).queue).nr_running > 1 {
            self.explain_pick(cx, cpu, task, last);
        }
        Some((task, why))
    }

    /// The same where real-time tasks wait.
    #[cold]
    fn pick_real_time(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        prev: Option<TaskId>,
    ) -> Option<(TaskId, DecisionId)> {
        if let Some(prev) = prev {
            self.put_fair(prev, cx.now.0);
        }
        let task = self.st.rq_mut(cpu).rt.pop()?;
        self.reserve.real_time_runs(cpu, cx.now.0);
        self.runs_next(cx, cpu, task);
        let why = cx.explain(Some(cpu), Some(task), reasons::REAL_TIME_FIRST, [0; 4]);
        Some((task, why))
    }

    fn runs_next(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId) {
        if cx.curr[cpu.index()].is_none() {
            self.becomes_busy(cx, cpu);
        }
        self.st.rq_mut(cpu).curr = Some(task);
    }

    #[cold]
    fn run_stopper(&mut self, cx: &mut Cx<'_>, cpu: CpuId, prev: Option<TaskId>) {
        if let Some(prev) = prev {
            self.put_fair(prev, cx.now.0);
        }
        self.st.rq_mut(cpu).curr = None;
        self.picking = Some(cpu);
        self.stop_work(cx, cpu);
        self.picking = None;
    }

    fn explain_pick(
        &self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        task: TaskId,
        (e, why): (Ent, Reason),
    ) -> DecisionId {
        let ent = self.st.ent(e);
        let queue = self.st.queue(ent.queue);
        if cx.explaining() {
            self.tell_candidates(cx, queue);
        }
        let operands = [
            ent.vruntime.wrapping_sub(queue.min_vruntime).cast_signed(),
            i64::from(queue.nr_running),
            signed(self.slice_in(queue, ent)),
            0,
        ];
        let why = if ent.my_queue == NONE {
            why
        } else {
            reasons::of_group(why)
        };
        cx.explain(Some(cpu), Some(task), why, operands)
    }

    /// Any task of a group's queue.
    fn member(&self, q: Queue) -> Option<TaskId> {
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
    fn tell_candidates(&self, cx: &mut Cx<'_>, queue: &CfsQueue) {
        for e in self.st.arena.iter(queue.tree) {
            let ent = self.st.ent(e);
            let d = ent.vruntime.wrapping_sub(queue.min_vruntime).cast_signed();
            let note = "vruntime ahead of min_vruntime";
            if ent.my_queue == NONE {
                cx.candidate(None, Some(TaskId(ent.task)), d, note);
            } else if let Some(task) = self.member(ent.my_queue) {
                cx.candidate_application(task, d, note);
            }
        }
    }

    fn becomes_busy(&mut self, cx: &mut Cx<'_>, cpu: CpuId) {
        self.restart_load(cpu, cx.now.0);
        if self.is_shared() {
            NohzBalancing::leaves_idle(self, cx, cpu);
        } else {
            self.leaves_idle(cx, cpu);
        }
    }

    /// The CPU has no task and found none elsewhere.
    pub(super) fn becomes_idle(&mut self, cx: &mut Cx<'_>, cpu: CpuId) {
        self.note_idle_core(cx, cpu);
        self.stop_load(cpu);
        if cx.curr[cpu.index()].is_some() || self.era.nohz == NohzRule::Owner {
            self.goes_idle(cx, cpu);
        }
    }

    /// An idle CPU was made to enter the scheduler. It starts its tick, and stops it when it is idle again.
    pub(super) fn leaves_idle_loop(&mut self, cx: &mut Cx<'_>, cpu: CpuId) {
        if cx.curr[cpu.index()].is_some() {
            return;
        }
        self.restart_load(cpu, cx.now.0);
        if self.era.nohz == NohzRule::Owner {
            self.leaves_idle(cx, cpu);
        }
    }

    /// A tick that matters, on a CPU that runs the entity `fair` or no fair task.
    pub(super) fn scheduler_tick(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        fair: Option<Ent>,
    ) -> bool {
        if self.is_shared() {
            return self.shared_tick(cx, cpu, fair);
        }
        let now = cx.now.0;
        let curr = self.st.rq(cpu).curr;
        let need = match fair.filter(|_| self.tracks()) {
            Some(e) => {
                self.fair_tick(cpu, e, now);
                self.check_ticks(cx, cpu, e)
            }
            None => self.other_tick(cx, cpu, curr),
        };
        let need = need | self.takes_out_of_time(cx, cpu);
        if let Some(task) = curr {
            self.memory_tick(cx, cpu, task);
        }
        if need {
            self.ticks.ask(cpu);
        }
        if curr.is_some() {
            self.busy_tick(cx, cpu);
        }
        if self.st.nohz.owner == Some(cpu) && curr.is_none() {
            self.owner_tick(cx, cpu);
        } else if self.balance_due(cpu, now) {
            let idle = if curr.is_some() {
                Idleness::Busy
            } else {
                Idleness::Idle
            };
            self.rebalance_domains(cx, cpu, idle);
        }
        if curr.is_some() {
            self.kick_balancer(cx, cpu);
        }
        need
    }

    /// A tick of a CPU without averages for its running task: charges the task and counts the load.
    pub(super) fn other_tick(&mut self, cx: &mut Cx<'_>, cpu: CpuId, curr: Option<TaskId>) -> bool {
        let now = cx.now.0;
        self.update_rq_clock(cpu, now);
        let need = match curr {
            Some(task) if self.st.task(task).real_time => self.rt_tick(cx, cpu, task),
            Some(task) => {
                let e = self.st.task(task).se;
                self.update_path(e, now);
                self.check_ticks(cx, cpu, e)
            }
            None => false,
        };
        self.count_ticks(cpu, 1);
        self.st.rq_mut(cpu).clock.set(now);
        self.note_tick(cpu, now);
        need
    }
}
