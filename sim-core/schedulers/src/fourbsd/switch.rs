//! `sched_switch`: a thread leaves its CPU, and another is switched in.

use super::add::End;
use super::era::{PutBack, Quantum};
use super::{FourBsd, Kind, ThreadActivity, n, reasons};
use sim_contract::cx::Cx;
use sim_contract::flags::SwitchReason;
use sim_contract::{Answer, Pick};
use sim_ground::ids::{CpuId, TaskId};

impl FourBsd {
    /// The first half: the outgoing thread goes to its queue, if it wants to run.
    pub(super) fn switch_out(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        prev: Option<TaskId>,
        why: SwitchReason,
    ) {
        self.put_back(cx, cpu, prev, why);
        self.schedcpu_first(cx, cpu);
    }

    fn put_back(&mut self, cx: &mut Cx<'_>, cpu: CpuId, prev: Option<TaskId>, why: SwitchReason) {
        let ticks = self.rates.ticks(cx.now);
        let c = &mut self.st.cpus[cpu.index()];
        c.switchticks = ticks;
        c.ticked_at = cx.now;
        c.returned = None;
        c.notices = false;
        let preempted = std::mem::take(&mut c.owes_preemption) && why == SwitchReason::Resched;
        let slice_ended = std::mem::take(&mut c.slice_ended);
        // The idle loop reads the bitmaps before it takes the lock.
        let takes_lock = prev.is_some() || !self.alone(cpu);
        self.st.counters.lock_acquisitions += u64::from(takes_lock);
        let Some(task) = prev else { return };
        self.st.counters.yields += u64::from(why == SwitchReason::Yield);
        let on_way_to_user = why == SwitchReason::Resched && !preempted;
        let t = self.thread_mut(task);
        t.last_cpu = Some(cpu);
        if matches!(why, SwitchReason::Block | SwitchReason::Exit) {
            return;
        }
        if on_way_to_user && t.kind != Kind::Interrupt {
            t.priority = t.user_priority;
        }
        let head = match self.era.put_back {
            PutBack::Preempted => preempted,
            PutBack::SliceLeft => !slice_ended,
            PutBack::PreemptedWithSliceLeft => preempted && !slice_ended,
        };
        let end = if head { End::Head } else { End::Tail };
        self.explain_end(cx, cpu, task, why, end, slice_ended);
        let home = self.home(cx, task);
        if let Some((cpu, why)) = home {
            cx.moved(task, Some(cpu), why);
        }
        let home = home.map(|(cpu, _)| cpu);
        self.queue(cx, task, home, end);
        self.st.cpus[cpu.index()].returned = Some(task);
        self.announce_again(cx, task, home, cpu);
    }

    /// Records where the outgoing thread waits. The end of a quantum has been recorded by `sched_clock`.
    fn explain_end(
        &self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        task: TaskId,
        why: SwitchReason,
        end: End,
        slice_ended: bool,
    ) {
        let yielded = why == SwitchReason::Yield;
        if slice_ended && !yielded && end == End::Tail {
            return;
        }
        let t = self.thread(task);
        let list = self.era.list(t.priority);
        let last = if yielded {
            self.waiting()
        } else if self.era.quantum == Quantum::OfThread {
            i64::from(t.slice)
        } else {
            i64::try_from(self.st.settings.quantum_ticks).unwrap_or(i64::MAX)
        };
        let reason = match (yielded, end) {
            (true, End::Head) => reasons::YIELD_TO_HEAD,
            (true, End::Tail) => reasons::YIELD_TO_TAIL,
            (false, End::Head) => reasons::BACK_TO_HEAD,
            (false, End::Tail) => reasons::BACK_TO_TAIL,
        };
        let operands = [i64::from(t.priority), n(list), last, 0];
        cx.explain(Some(cpu), Some(task), reason, operands);
    }

    /// The second half: the best thread leaves its queue and runs.
    pub(super) fn switch_in(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> Answer<Option<Pick>> {
        let chosen = self.sched_choose(cx, cpu);
        let was_idle = self.st.idle.contains(cpu);
        let c = &mut self.st.cpus[cpu.index()];
        c.returned = None;
        c.curr = chosen.map(|(pick, _)| pick.task);
        let Some((pick, why)) = chosen else {
            self.st.idle.insert(cpu);
            return Answer::undecided(None);
        };
        let task = pick.task;
        self.st.counters.dispatches += 1;
        self.st.queues.remove(task);
        self.st.idle.remove(cpu);
        let t = self.thread_mut(task);
        t.doing = ThreadActivity::Running;
        t.did_run = true;
        if t.kind != Kind::Interrupt && t.priority != t.user_priority {
            // Back in user mode the thread loses the priority of its sleep; no comparison follows.
            let old = i64::from(std::mem::replace(&mut t.priority, t.user_priority));
            let operands = [i64::from(t.priority), old, i64::from(t.estcpu), 0];
            cx.explain(
                Some(cpu),
                Some(task),
                reasons::BACK_TO_USER_PRIORITY,
                operands,
            );
        }
        if was_idle {
            self.pass_on(cx);
        }
        Answer::new(Some(pick), why)
    }
}
