//! `earliest_deadline_task`: which waiting task a CPU takes. It never looks at SMT siblings.

use super::tunables::ISO_PRIO;
use super::{State, clamp, reasons};
use crate::ids::{CpuId, TaskId};
use crate::machine::Machine;
use crate::sched::cx::Cx;

impl State {
    /// `cache_distance`: what a task that last ran on `from` pays on `to`, in jiffies.
    pub(super) fn distance(&self, cx: &Cx<'_>, from: CpuId, to: CpuId, nice: i8) -> u64 {
        self.distance_on(cx.machine, from, to, nice)
    }

    /// The same for those who only look.
    pub(super) fn distance_on(&self, on: &Machine, from: CpuId, to: CpuId, nice: i8) -> u64 {
        let (a, b) = (on.place(from), on.place(to));
        if a.llc == b.llc {
            return 0;
        }
        let locality = if a.node == b.node || !self.distant {
            1
        } else {
            3
        };
        locality * self.math.distance_step(nice)
    }

    /// `earliest_deadline_task`: the task that `cpu` shall run, with the reason and the number of entries
    /// that were looked at. `None` if nothing in the queue may run there.
    pub(super) fn earliest_deadline_task(
        &self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
    ) -> (Option<(TaskId, u16, u64)>, u64) {
        let now = self.math.jiffies(cx.now.0);
        let mut looked = 0;
        let mut list = self.grq.next_list(0);
        while let Some(prio) = list {
            let mut best: Option<(TaskId, u64)> = None;
            let mut passed = false;
            for task in self.grq.list(prio) {
                looked += 1;
                let info = &cx.tasks[task.index()];
                if !info.allowed.contains(cpu) {
                    cx.candidate(None, Some(task), i64::MAX, "not allowed on this CPU");
                    continue;
                }
                if prio < ISO_PRIO {
                    return (
                        Some((task, reasons::REALTIME_QUEUE_FIRST, u64::from(prio))),
                        looked,
                    );
                }
                let dl = self.tasks[task.index()].deadline
                    + self.distance(cx, info.last_cpu, cpu, info.nice);
                cx.candidate(None, Some(task), clamp(dl), "deadline + distance");
                if dl < now {
                    best = Some((task, dl));
                    passed = true;
                    break;
                }
                if best.is_none_or(|(_, earliest)| dl < earliest) {
                    best = Some((task, dl));
                }
            }
            if let Some((task, dl)) = best {
                let reason = if passed {
                    reasons::DEADLINE_PASSED_FIFO
                } else {
                    reasons::EARLIEST_DEADLINE
                };
                return (Some((task, reason, dl)), looked);
            }
            list = self.grq.next_list(prio + 1);
        }
        (None, looked)
    }
}
