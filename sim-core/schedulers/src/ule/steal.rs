//! Stealing: which thread leaves a CPU, and when an idle CPU searches.

use super::eras::{Search, StealScan};
use super::runqs::{Insert, Part};
use super::search::CpuSearch;
use super::{Answer, Ule, clamp, reasons};
use sim_contract::cx::Cx;
use sim_contract::decision::{DecisionId, Reason};
use sim_ground::ids::{CpuId, CpuMask, TaskId};

impl Ule {
    /// `tdq_steal`: the thread that another CPU may take from a CPU.
    pub(super) fn thread_to_steal(&self, cx: &Cx<'_>, from: CpuId, to: CpuId) -> Option<TaskId> {
        let may = |task: &TaskId| {
            !self.st.threads[task.index()].pinned && cx.task(*task).allowed.contains(to)
        };
        let queues = &self.st.queues;
        queues
            .by_priority(from, Part::Realtime)
            .find(may)
            .or_else(|| self.calendar_thread(from, may))
            .or_else(|| queues.by_priority(from, Part::Idle).find(may))
    }

    /// `runq_steal_from`: a thread of the calendar from the remove hand on, except the one that would run next.
    fn calendar_thread(&self, from: CpuId, may: impl Fn(&TaskId) -> bool) -> Option<TaskId> {
        let queues = &self.st.queues;
        let ridx = self.st.tdqs[from.index()].hands.ridx;
        let newest = self.era.steal == StealScan::LastMet;
        let mut met: Option<TaskId> = None;
        let mut scan = |slot: u8| {
            for task in queues.in_slot(from, slot) {
                if met.is_some() && may(&task) {
                    return Some(task);
                }
                if newest || met.is_none() {
                    met = Some(task);
                }
            }
            None
        };
        if self.era.steal == StealScan::AllSlots {
            // Once round the ring.
            if let Some(task) = queues.slots_round(from, ridx).find_map(scan) {
                return Some(task);
            }
        } else {
            let first = |from_slot: u8| queues.first_slot(from, from_slot);
            // The slots are one word of 64 bits, and a pass looks at the first slot that it finds. It goes from the hand
            // to the end of the word, then from its start. If the hand is at 0, there is no second pass.
            if let Some(slot) = first(ridx).filter(|slot| *slot >= ridx)
                && let Some(task) = scan(slot)
            {
                return Some(task);
            }
            if ridx != 0
                && let Some(slot) = first(0)
                && let Some(task) = scan(slot)
            {
                return Some(task);
            }
        }
        match self.era.steal {
            StealScan::SkipFirst => None,
            StealScan::LastMet | StealScan::AllSlots => met.filter(|task| may(task)),
        }
    }

    /// `tdq_move`: moves a thread, if one may leave. The caller records the reason and the thread.
    pub(super) fn move_one(
        &mut self,
        cx: &mut Cx<'_>,
        from: CpuId,
        to: CpuId,
        why: u16,
    ) -> Option<TaskId> {
        let task = self.thread_to_steal(cx, from, to)?;
        self.sched_rem(cx, task);
        self.move_to(task, to, why);
        self.tdq_add(to, task, Insert::Normal);
        self.load_changed(cx, to);
        Some(task)
    }

    /// `tdq_idled` and `tdq_trysteal`: an idle CPU searches for a thread, in its group and then further out. The answer
    /// is whether it got one.
    pub(super) fn steal_for(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> Answer<bool> {
        if self.st.tdqs.len() == 1 || self.st.tdqs[cpu.index()].load > 0 {
            return Answer::undecided(false);
        }
        if !self.st.tune.steal_idle {
            let why = self.explain_no_victim(cx, cpu, reasons::STEAL_OFF);
            return Answer::new(false, why);
        }
        if self.era.search == Search::IdleMask {
            return self.steal_by_queue_length(cx, cpu);
        }
        let mut mask = CpuMask::first(self.st.tdqs.len());
        mask.remove(cpu);
        let groups: Vec<usize> = self.topo.outward(cpu).collect();
        let mut failed = None;
        for (level, group) in (0_u32..).zip(groups) {
            let thread = self.topo.group(group).thread;
            let one = thread && self.era.search != Search::Rotating;
            let thresh = if one { 1 } else { self.st.tune.steal_thresh };
            loop {
                let want = CpuSearch::highest(mask, thresh);
                let Some(victim) = self.find_highest(cx, cpu, group, &want) else {
                    break;
                };
                mask.remove(victim);
                let tdq = &self.st.tdqs[victim.index()];
                let operands = [
                    i64::from(victim.0),
                    i64::from(tdq.load),
                    i64::from(thresh),
                    i64::from(tdq.transferable),
                ];
                let moved = self.move_one(cx, victim, cpu, reasons::STOLEN);
                let early = level < self.st.tune.trysteal_limit;
                let reason = match moved {
                    None => reasons::STEAL_FAILED,
                    Some(_) if early => reasons::TRYSTEAL,
                    Some(_) => reasons::IDLE_STEAL,
                };
                let why = cx.explain(Some(cpu), moved, reason, operands);
                if let Some(task) = moved {
                    cx.moved(task, Some(cpu), why);
                    self.st.counters.idle_steals += 1;
                    return Answer::new(true, why);
                }
                failed = Some(why);
            }
        }
        let why = failed.or_else(|| self.explain_no_victim(cx, cpu, reasons::NO_VICTIM));
        Answer::new(false, why)
    }

    /// October 2007: steals from the CPU with the most waiting threads.
    fn steal_by_queue_length(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> Answer<bool> {
        let leaf = self.topo.leaf(cpu);
        let siblings = self.topo.group(leaf);
        let mut victims: Vec<(CpuId, u32)> = Vec::new();
        let mut failed = None;
        if siblings.thread && self.st.tune.steal_htt {
            let others = siblings.cpus.iter().filter(|c| **c != cpu);
            victims.extend(others.map(|c| (*c, 1)));
        }
        // Among equals the last one wins.
        let most = (0..self.st.tdqs.len())
            .map(CpuId::new)
            .max_by_key(|c| (self.st.tdqs[c.index()].transferable, c.0));
        victims.extend(most.map(|c| (c, self.st.tune.steal_thresh)));
        for (victim, thresh) in victims {
            let (load, transferable) = {
                let tdq = &self.st.tdqs[victim.index()];
                (tdq.load, tdq.transferable)
            };
            if victim == cpu || transferable == 0 || transferable < thresh {
                continue;
            }
            let operands = [
                i64::from(victim.0),
                i64::from(load),
                i64::from(thresh),
                i64::from(transferable),
            ];
            let moved = self.move_one(cx, victim, cpu, reasons::STOLEN);
            let reason = if moved.is_some() {
                reasons::IDLE_STEAL
            } else {
                reasons::STEAL_FAILED
            };
            let why = cx.explain(Some(cpu), moved, reason, operands);
            if let Some(task) = moved {
                cx.moved(task, Some(cpu), why);
                self.st.counters.idle_steals += 1;
                return Answer::new(true, why);
            }
            failed = Some(why);
        }
        let why = failed.or_else(|| self.explain_no_victim(cx, cpu, reasons::NO_VICTIM));
        Answer::new(false, why)
    }

    /// Records that an idle CPU gets no thread although others have some. If all CPUs are idle, nothing is recorded.
    fn explain_no_victim(&self, cx: &mut Cx<'_>, cpu: CpuId, reason: Reason) -> Option<DecisionId> {
        let tdqs = &self.st.tdqs;
        // The first of the most loaded CPUs.
        let most = (0..tdqs.len()).rev().max_by_key(|i| tdqs[*i].load);
        let most = most.filter(|i| tdqs[*i].load > 0)?;
        if cx.explaining() {
            for (i, tdq) in tdqs.iter().enumerate() {
                cx.candidate(Some(CpuId::new(i)), None, i64::from(tdq.load), "load");
            }
        }
        let operands = [
            clamp(most as u64),
            i64::from(tdqs[most].load),
            i64::from(self.st.tune.steal_thresh),
            i64::from(tdqs[most].transferable),
        ];
        Some(cx.explain(Some(cpu), None, reason, operands))
    }
}
