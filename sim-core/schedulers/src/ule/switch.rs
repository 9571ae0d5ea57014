//! `sched_switch` and `sched_choose`: a CPU puts back its running thread and takes the next one.

use super::eras::{IdleRule, Requeue, SliceRule};
use super::runqs::{Chosen, Insert, Part};
use super::{Ule, reasons};
use crate::freebsd::ranges::PRI_MAX_IDLE;
use sim_contract::cx::Cx;
use sim_contract::decision::DecisionId;
use sim_contract::flags::{DequeueFlags, SwitchReason};
use sim_contract::{Answer, Pick};
use sim_ground::ids::{CpuId, TaskId};

impl Ule {
    /// The running thread is put back.
    pub(super) fn give_back(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        prev: Option<TaskId>,
        why: SwitchReason,
    ) {
        self.st.tdqs[cpu.index()].keep = false;
        let Some(task) = prev else {
            let tdq = &mut self.st.tdqs[cpu.index()];
            (tdq.ipi, tdq.owe, tdq.resched) = (false, false, false);
            if self.replay_missed(cpu, cx.now.0) {
                self.balance_soon(cx);
            }
            return;
        };
        let now = self.ticks(cx);
        self.charge_hz(cpu, now);
        let (pri, told_to_move) = {
            let t = &self.st.threads[task.index()];
            (t.pri, t.pick_cpu)
        };
        let tdq = &mut self.st.tdqs[cpu.index()];
        let better = tdq.ipi && pri > tdq.lowpri;
        let preempted = why == SwitchReason::Resched && (tdq.owe || better);
        let ast = tdq.resched || told_to_move;
        (tdq.ipi, tdq.owe, tdq.resched) = (false, false, false);
        match why {
            SwitchReason::Resched if !preempted && !ast => {
                let tdq = &mut self.st.tdqs[cpu.index()];
                tdq.keep = true;
                let operands = [i64::from(pri), i64::from(tdq.lowpri), 0, 0];
                cx.explain(Some(cpu), Some(task), reasons::KEPT, operands);
            }
            SwitchReason::Resched => {
                if preempted {
                    self.st.counters.preemptions += 1;
                } else {
                    let user = self.st.threads[task.index()].user_pri;
                    self.set_running_pri(cpu, task, user);
                }
                self.switch_out(cx, cpu, task, now, preempted, false);
            }
            SwitchReason::Yield => self.switch_out(cx, cpu, task, now, false, true),
            SwitchReason::Block | SwitchReason::Exit => {}
        }
    }

    /// A runnable thread leaves the CPU at `now`, in ticks of hz, and is inserted into a queue again.
    fn switch_out(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        task: TaskId,
        now: i64,
        preempted: bool,
        yields: bool,
    ) {
        if self.era.window == super::eras::WindowRule::Elapsed {
            self.update_window(task, now, true);
        }
        let alone = self.st.alone.contains(cpu);
        if !self.era.priority_each_tick {
            self.sched_priority(cx, task);
        }
        let full = self.st.tune.slice;
        let cold = 3 * self.st.tune.affinity;
        let may_stay = cx.task(task).allowed.contains(cpu);
        let t = &mut self.st.threads[task.index()];
        let told_to_move = std::mem::take(&mut t.pick_cpu);
        t.forbidden = false;
        t.rltick = if told_to_move { now - cold } else { now };
        let slice_end = std::mem::take(&mut t.slice_end);
        let first = match self.era.requeue {
            Requeue::Preempted => preempted,
            Requeue::SliceLeft => !slice_end,
            Requeue::PreemptedWithSliceLeft => preempted && !slice_end,
        };
        t.in_interrupt = preempted;
        if self.era.slice == SliceRule::DownTimeshare && t.slice == 0 {
            t.slice = full;
        }
        self.st.tdqs[cpu.index()].switchcnt += 1;
        let how = if first {
            Insert::Preempted
        } else {
            Insert::Normal
        };
        if may_stay && !told_to_move {
            if alone && self.st.tdqs[cpu.index()].load == 1 {
                self.pass_queue_alone(cx, cpu, task, how, now);
                return;
            }
            self.st.tdqs[cpu.index()].curr = None;
            let slot = self.runq_add(cpu, task, how);
            if !alone {
                self.tell_class(cx, task);
                self.explain_requeue(cx, cpu, task, slot, first, yields);
            }
            return;
        }
        self.leave_for_another(cx, cpu, task, how, told_to_move);
    }

    /// The thread may not stay, or the balancer told it to choose a CPU again (`sched_switch_migrate`).
    fn leave_for_another(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        task: TaskId,
        how: Insert,
        told_to_move: bool,
    ) {
        let (target, picked) = self.pick_cpu(cx, task);
        self.st.tdqs[cpu.index()].curr = None;
        if target == cpu {
            self.runq_add(cpu, task, how);
            return;
        }
        self.load_rem(cpu, task);
        self.set_lowpri(cpu);
        let why = if told_to_move {
            reasons::REPICKED
        } else {
            reasons::MUST_LEAVE
        };
        self.move_to(task, target, why);
        cx.moved(task, Some(target), picked);
        self.tdq_add(target, task, how);
        self.load_changed(cx, target);
        let preempt = self.preempt_for(cx, target, task);
        if let Some(cpu) = preempt.value {
            cx.kick(cpu, preempt.why);
        }
    }

    fn explain_requeue(
        &self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        task: TaskId,
        slot: Option<u8>,
        first: bool,
        yields: bool,
    ) {
        let hands = self.st.tdqs[cpu.index()].hands;
        let pri = i64::from(self.st.threads[task.index()].pri);
        let slot = slot.map_or(-1, i64::from);
        let (idx, ridx) = (i64::from(hands.idx), i64::from(hands.ridx));
        let reason = match (yields, first) {
            (true, _) if self.era.yield_demotes => reasons::YIELD_DEMOTED,
            (true, _) => reasons::YIELDED,
            (false, true) => reasons::REQUEUED_FIRST,
            (false, false) => reasons::REQUEUED,
        };
        cx.explain(Some(cpu), Some(task), reason, [pri, slot, idx, ridx]);
    }

    /// The running thread blocks or ends, or a waiting thread is killed.
    pub(super) fn cease(&mut self, cx: &mut Cx<'_>, task: TaskId, flags: DequeueFlags) {
        let cpu = self.st.threads[task.index()].cpu;
        if self.st.queues.lists.place(task).is_some() {
            self.sched_rem(cx, task);
        } else if self.st.tdqs[cpu.index()].curr == Some(task) {
            let now = self.ticks(cx);
            self.charge_hz(cpu, now);
            if flags != DequeueFlags::Exit {
                self.st.threads[task.index()].slptick = now;
                let given = (flags == DequeueFlags::Sleep).then_some(self.era.ranges.pwait);
                self.sleep_priority(cx, task, given);
            }
            if self.era.window == super::eras::WindowRule::Elapsed {
                self.update_window(task, now, true);
            }
            let t = &mut self.st.threads[task.index()];
            t.rltick = now;
            t.slice_end = false;
            t.pick_cpu = false;
            t.forbidden = false;
            t.in_interrupt = false;
            let tdq = &mut self.st.tdqs[cpu.index()];
            tdq.switchcnt += 1;
            tdq.curr = None;
            self.load_rem(cpu, task);
        }
    }

    /// Chooses what the CPU runs next.
    pub(super) fn take_next(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> Answer<Option<Pick>> {
        let tdq = &mut self.st.tdqs[cpu.index()];
        let curr = tdq.curr;
        if std::mem::take(&mut tdq.keep) {
            self.note_alone(cx, cpu);
            return Answer::undecided(curr.map(|task| Pick { task, cause: None }));
        }
        let now = self.ticks(cx);
        let silent = self.st.alone.contains(cpu);
        let (task, why) = if let Some(task) = curr {
            // It is alone, and has not been in the queue.
            (task, None)
        } else if let Some(chosen) = self.st.queues.choose(&self.st.tdqs[cpu.index()].hands, cpu) {
            let why = (!silent).then(|| self.explain_pick(cx, cpu, chosen));
            self.runq_rem(cx, cpu, chosen.task, now);
            self.st.idle.remove(cpu);
            (chosen.task, why)
        } else {
            self.st.tdqs[cpu.index()].lowpri = PRI_MAX_IDLE;
            self.st.idle.insert(cpu);
            self.st.alone.remove(cpu);
            return Answer::undecided(None);
        };
        self.update_window(task, now, false);
        let pri = self.st.threads[task.index()].pri;
        let tdq = &mut self.st.tdqs[cpu.index()];
        tdq.lowpri = pri;
        tdq.curr = Some(task);
        if self.era.window == super::eras::WindowRule::PerTick {
            tdq.hz_seen = now;
        }
        if !self.st.threads[task.index()].in_interrupt {
            self.return_to_user(cx, cpu, task, silent);
        }
        // A lone thread stays alone.
        if curr.is_none() {
            self.note_alone(cx, cpu);
        }
        let cause = Some(self.st.threads[task.index()].why);
        Answer::new(Some(Pick { task, cause }), why)
    }

    fn explain_pick(&self, cx: &mut Cx<'_>, cpu: CpuId, chosen: Chosen) -> DecisionId {
        let Chosen { task, part, slot } = chosen;
        let tdq = &self.st.tdqs[cpu.index()];
        let pri = i64::from(self.st.threads[task.index()].pri);
        if cx.explaining() {
            for (order, waiting) in (0..).zip(self.st.queues.all(&tdq.hands, cpu)) {
                cx.candidate(None, Some(waiting), order, "place in the order of choice");
            }
        }
        let waiting = i64::from(tdq.load);
        let (reason, operands) = match part {
            Part::Realtime => (reasons::REALTIME_QUEUE, [pri, waiting, 0, 0]),
            Part::Timeshare => {
                let slot = slot.map_or(-1, i64::from);
                let (ridx, idx) = (i64::from(tdq.hands.ridx), i64::from(tdq.hands.idx));
                (reasons::CALENDAR, [slot, ridx, idx, waiting])
            }
            Part::Idle => (reasons::IDLE_CLASS, [pri, waiting, 0, 0]),
        };
        cx.explain(Some(cpu), Some(task), reason, operands)
    }

    /// Sum of the counts of switches that the idle loop compares.
    pub(super) fn switch_sum(&self, cpu: CpuId) -> u32 {
        let tdq = &self.st.tdqs[cpu.index()];
        tdq.switchcnt + tdq.oldswitchcnt
    }

    /// Whether missed ticks are replayed in one call.
    pub(super) fn replays(&self) -> bool {
        self.era.idle != IdleRule::EachTick
    }
}
