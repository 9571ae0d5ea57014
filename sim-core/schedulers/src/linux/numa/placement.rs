//! What faults say about a thread: the node that it prefers, and when it goes there.

use super::Counted;
use super::{Host, Move, Numa, next_period, signed};
use sim_contract::cx::Cx;
use sim_ground::ids::{CpuId, NodeId, TaskId};

/// Longest time between two attempts, in ms.
const RETRY_MS: u64 = 1_000;
/// The time between attempts is this part of the period, if that is shorter.
const RETRY_PART: u64 = 16;

/// Faults of a node after a placement: half of the old ones plus the new ones.
#[must_use]
pub fn decay(faults: u64, new: u64) -> u64 {
    faults - faults / 2 + new
}

impl Numa {
    /// Evaluates new counts, if there are any, and tries to move the thread to its preferred node.
    pub(super) fn learn(
        &mut self,
        host: &mut (impl Host + ?Sized),
        cx: &mut Cx<'_>,
        cpu: CpuId,
        task: TaskId,
    ) -> Option<Move> {
        let now = self.jiffies(cx.now.0);
        let due = |numa: &Self| numa.task(task).is_some_and(|t| now > t.retry);
        let mut place = None;
        if !self.rules.placement_waits || due(self) {
            let chosen = self.place(cx, cpu, task);
            let here = cx.machine.place(cpu).node;
            if self.rules.goes_at_once && chosen.is_some_and(|node| node != here) {
                place = self.go_to_preferred(host, cx, cpu, task);
            }
        }
        if due(self) {
            place = self.go_to_preferred(host, cx, cpu, task).or(place);
        }
        place
    }

    /// `task_numa_placement`: the preferred node, if the process has been scanned again and faults were counted.
    fn place(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId) -> Option<NodeId> {
        let t = self.task(task)?;
        let (key, seen) = (t.process, t.seq);
        let seq = self.process(key)?.seq;
        if seq == seen {
            return None;
        }
        let bounds = self.st.settings.periods(self.pages_of(cx, key));
        let now = self.jiffies(cx.now.0);
        let t = self.st.tasks[task.index()].as_mut()?;
        t.seq = seq;
        let (mut best, mut most) = (None, 0);
        for (node, new) in t.buffer.iter_mut().enumerate() {
            let faults = &mut t.faults[node];
            *faults = decay(*faults, std::mem::take(new));
            if *faults > most {
                (best, most) = (Some(NodeId::new(node)), *faults);
            }
        }
        let counted = std::mem::take(&mut t.counted);
        let (period_ms, nothing) = next_period(self.rules, t.period_ms, &counted, bounds);
        t.period_ms = period_ms;
        if nothing && self.rules.keeps_counts {
            // Who owns the pages is counted anew each time.
            t.counted = Counted {
                private: 0,
                shared: 0,
                ..counted
            };
        }
        let total: u64 = t.faults.iter().sum();
        let is_new = best.is_some() && best != t.preferred;
        if is_new {
            t.preferred = best;
        }
        if nothing {
            let next_scan = now + self.ms_to_jiffies(period_ms);
            let at = self.st.processes.binary_search_by_key(&key, |p| p.key);
            if let Ok(at) = at {
                self.st.processes[at].next_scan = next_scan;
            }
        }
        if let Some(node) = best.filter(|_| is_new) {
            let operands = [
                i64::from(node.0),
                signed(most),
                signed(total),
                signed(period_ms),
            ];
            cx.explain(
                Some(cpu),
                Some(task),
                self.reasons.numa_preferred_nid,
                operands,
            );
        }
        // The thread's period has changed.
        cx.requery(cpu);
        best
    }

    /// `numa_migrate_preferred`.
    fn go_to_preferred(
        &mut self,
        host: &mut (impl Host + ?Sized),
        cx: &mut Cx<'_>,
        cpu: CpuId,
        task: TaskId,
    ) -> Option<Move> {
        let now = self.jiffies(cx.now.0);
        let t = self.task(task).filter(|t| t.faulted)?;
        let preferred = t.preferred?;
        let period = self.ms_to_jiffies(t.period_ms);
        let interval = self.ms_to_jiffies(RETRY_MS).min(period / RETRY_PART);
        let t = self.st.tasks[task.index()].as_mut()?;
        t.retry = now + interval;
        if cx.machine.place(cpu).node == preferred {
            return None;
        }
        self.find_place(host, cx, cpu, task, preferred)
    }
}
