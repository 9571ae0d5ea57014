//! `resched_best_idle`: which idle CPU a task is offered.
//!
//! Each allowed idle CPU gets a rank; the lowest wins, the first met on a tie, scanning upward from the
//! task's last CPU. A CPU that was signalled but has not yet entered `schedule()` still counts as idle.

use super::{State, reasons};
use crate::ids::{CpuId, TaskId};
use crate::sched::cx::Cx;

/// Some CPU that shares the candidate's cache is busy.
const CACHE_BUSY: i64 = 1;
/// Another package.
const OTHER_PACKAGE: i64 = 2;
/// The candidate's SMT sibling is busy.
const SIBLING_BUSY: i64 = 4;
/// Another node.
const OTHER_NODE: i64 = 8;

impl State {
    /// Whether any CPU that the task may use is idle (`suitable_idle_cpus`).
    pub(super) fn suitable_idle_cpus(&self, cx: &Cx<'_>, task: TaskId) -> bool {
        self.cpu_idle_map.intersects(&cx.task(task).allowed)
    }

    /// The idle CPU for a task, if it may use one.
    pub(super) fn best_idle(&self, cx: &mut Cx<'_>, task: TaskId) -> Option<CpuId> {
        let info = cx.task(task);
        let last = info.last_cpu;
        let candidates = self.cpu_idle_map.and(&info.allowed);
        let n = self.cpus.len();
        let mut best: Option<(CpuId, i64)> = None;
        for step in 0..n {
            let cpu = CpuId::new((last.index() + step) % n);
            if !candidates.contains(cpu) {
                continue;
            }
            let rank = self.rank(cx, last, cpu);
            cx.candidate(Some(cpu), Some(task), rank, "rank");
            if best.is_none_or(|(_, lowest)| rank < lowest) {
                best = Some((cpu, rank));
            }
            if rank <= CACHE_BUSY {
                break;
            }
        }
        let (cpu, rank) = best?;
        let reason = if cx.flagged.contains(cpu) {
            reasons::ALREADY_SIGNALLED
        } else if rank & SIBLING_BUSY != 0 {
            reasons::IDLE_SIBLING
        } else {
            reasons::IDLE_CORE
        };
        let operands = [rank, i64::from(candidates.count()), i64::from(last.0), 0];
        cx.explain(Some(cpu), Some(task), reason, operands);
        Some(cpu)
    }

    fn rank(&self, cx: &Cx<'_>, last: CpuId, cpu: CpuId) -> i64 {
        let machine = cx.machine;
        let idle = |mask: &crate::ids::CpuMask| mask.is_subset_of(&self.cpu_idle_map);
        let (from, to) = (machine.place(last), machine.place(cpu));
        let mut rank = 0;
        if !idle(machine.llc_cpus(cpu)) {
            rank |= CACHE_BUSY;
        }
        if from.llc != to.llc {
            rank |= OTHER_PACKAGE;
        }
        if from.node != to.node {
            rank |= OTHER_NODE;
        }
        if !idle(machine.siblings(cpu)) {
            rank |= SIBLING_BUSY;
        }
        rank
    }
}
