//! `resched_best_idle`: which idle CPU a task is offered.
//!
//! Each allowed idle CPU gets a rank made of bits. The lowest rank wins; among equals the CPU that was met first. 0.318
//! scans upward from the task's last CPU and stops at an idle core. Later releases take the last CPU at once if it is
//! idle, even if its sibling is busy; otherwise they rank all CPUs, from CPU 0 on. A CPU that was signalled but has not
//! yet entered `schedule()` still counts as idle.

use super::era::IdleRule;
use super::{BfsState, reasons};
use sim_contract::cx::Cx;
use sim_contract::decision::{DecisionId, Reason};
use sim_ground::ids::{CpuId, CpuMask, TaskId};
use sim_machine::Machine;

/// Bits of a rank.
struct RankBits {
    /// Another thread of the task's last core.
    other_thread: i64,
    /// Another core of the same cache.
    other_core: i64,
    /// Some CPU that shares the candidate's cache is busy.
    cache_busy: i64,
    /// Another package.
    other_package: i64,
    /// The candidate's SMT sibling is busy.
    sibling_busy: i64,
    /// Another node; in 0.31x only a node beyond the reach of the scheduling domains of a node.
    other_node: i64,
}

/// 0.31x.
const SCANNED: RankBits = RankBits {
    other_thread: 0,
    other_core: 0,
    cache_busy: 1,
    other_package: 2,
    sibling_busy: 4,
    other_node: 8,
};

/// 0.44x and 0.512. (0.447 has a bit between the last two for CPUs below full speed; here all CPUs have it or none.)
const RANKED: RankBits = RankBits {
    other_thread: 1,
    other_core: 2,
    cache_busy: 4,
    other_package: 8,
    sibling_busy: 16,
    other_node: 64,
};

/// The task for which an idle CPU is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IdleCpuFor {
    /// A task that becomes runnable, or may not run on its CPU.
    Woken,
    /// The task that leaves this CPU; whether it still wants to run.
    Displaced {
        /// The CPU.
        from: CpuId,
        /// Whether it still wants to run.
        runnable: bool,
    },
    /// A task that was sticky to this CPU and is not any more; this CPU is left out.
    Unstuck(CpuId),
}

impl BfsState {
    /// Whether any CPU that the task may use is idle (`suitable_idle_cpus`).
    pub(super) fn suitable_idle_cpus(&self, cx: &Cx<'_>, task: TaskId) -> bool {
        self.cpu_idle_map.intersects(&cx.task(task).allowed)
    }

    /// The idle CPU for a task, if it may use one.
    pub(super) fn best_idle(
        &self,
        cx: &mut Cx<'_>,
        task: TaskId,
        sought: IdleCpuFor,
    ) -> Option<(CpuId, DecisionId)> {
        let mut candidates = self.cpu_idle_map.and(&cx.task(task).allowed);
        let mut last = self.tasks[task.index()].cpu;
        if let IdleCpuFor::Unstuck(cpu) = sought {
            candidates.remove(cpu);
            last = cpu;
        }
        let (cpu, rank) = match self.math.era.idle {
            IdleRule::Scan => self.scan(cx, task, last, &candidates)?,
            IdleRule::LastFirst { .. } if candidates.contains(last) => (last, 0),
            IdleRule::LastFirst { .. } => self.lowest_rank(cx, task, last, &candidates)?,
        };
        let reason = match sought {
            IdleCpuFor::Displaced { from, .. } if from == cpu => reasons::OWN_CPU_FOUND,
            IdleCpuFor::Displaced {
                runnable: false, ..
            } => reasons::BLOCKED_TASK_TOLD,
            _ if cx.flagged.contains(cpu) => reasons::ALREADY_SIGNALLED,
            IdleCpuFor::Displaced { .. } => reasons::DISPLACED_TASK_TOLD,
            IdleCpuFor::Unstuck(_) => reasons::UNSTUCK_TASK_TOLD,
            IdleCpuFor::Woken => self.why_idle(cpu == last, rank),
        };
        let operands = [rank, i64::from(candidates.count()), i64::from(last.0), 0];
        Some((cpu, cx.explain(Some(cpu), Some(task), reason, operands)))
    }

    fn why_idle(&self, is_last: bool, rank: i64) -> Reason {
        match self.math.era.idle {
            IdleRule::LastFirst { .. } if is_last => reasons::LAST_CPU_IDLE,
            IdleRule::LastFirst { .. } if rank & RANKED.sibling_busy != 0 => reasons::IDLE_SIBLING,
            IdleRule::Scan if rank & SCANNED.sibling_busy != 0 => reasons::IDLE_SIBLING,
            _ => reasons::IDLE_CORE,
        }
    }

    fn scan(
        &self,
        cx: &mut Cx<'_>,
        task: TaskId,
        last: CpuId,
        candidates: &CpuMask,
    ) -> Option<(CpuId, i64)> {
        let n = self.cpus.len();
        let mut best: Option<(CpuId, i64)> = None;
        for step in 0..n {
            let cpu = CpuId::new((last.index() + step) % n);
            if !candidates.contains(cpu) {
                continue;
            }
            let rank = self.scanned_rank(cx, last, cpu);
            cx.candidate(Some(cpu), Some(task), rank, "rank");
            if best.is_none_or(|(_, lowest)| rank < lowest) {
                best = Some((cpu, rank));
            }
            if rank <= SCANNED.cache_busy {
                break;
            }
        }
        best
    }

    fn scanned_rank(&self, cx: &Cx<'_>, last: CpuId, cpu: CpuId) -> i64 {
        let machine = cx.machine;
        let (from, to) = (machine.place(last), machine.place(cpu));
        let mut rank = 0;
        if !self.all_idle(machine.llc_cpus(cpu)) {
            rank |= SCANNED.cache_busy;
        }
        let locality = self.steps(&from, &to);
        if locality > 0 {
            rank |= SCANNED.other_package;
        }
        if locality > 1 {
            rank |= SCANNED.other_node;
        }
        if !self.all_idle(machine.siblings(cpu)) {
            rank |= SCANNED.sibling_busy;
        }
        rank
    }

    fn all_idle(&self, cpus: &CpuMask) -> bool {
        cpus.is_subset_of(&self.cpu_idle_map)
    }

    fn lowest_rank(
        &self,
        cx: &mut Cx<'_>,
        task: TaskId,
        last: CpuId,
        candidates: &CpuMask,
    ) -> Option<(CpuId, i64)> {
        let mut best: Option<(CpuId, i64)> = None;
        for cpu in candidates.iter() {
            let rank = self.rank(cx, last, cpu);
            cx.candidate(Some(cpu), Some(task), rank, "rank");
            if best.is_none_or(|(_, lowest)| rank < lowest) {
                best = Some((cpu, rank));
            }
        }
        best
    }

    /// `resched_best_mask` @ 0.447, `best_mask_cpu` @ 0.512.
    fn rank(&self, cx: &Cx<'_>, last: CpuId, cpu: CpuId) -> i64 {
        let locality = self.locality(cx.machine, last, cpu);
        let cache_counts = match self.math.era.idle {
            IdleRule::LastFirst { cache_of_others } => cache_of_others || locality < 2,
            IdleRule::Scan => true,
        };
        let mut rank = match locality {
            0 => 0,
            1 => RANKED.other_thread,
            2 => RANKED.other_core,
            3 => RANKED.other_package,
            _ => RANKED.other_node,
        };
        if cache_counts && !self.all_idle(cx.machine.llc_cpus(cpu)) {
            rank |= RANKED.cache_busy;
        }
        if !self.all_idle(self.threads_of(cx.machine, cpu)) {
            rank |= RANKED.sibling_busy;
        }
        rank
    }

    /// `rq->cpu_locality`, 0.36x and later: 1 for a CPU of the same core, 2 for the same cache, 3 for the same node, 4
    /// elsewhere.
    pub(super) fn locality(&self, on: &Machine, from: CpuId, to: CpuId) -> u32 {
        let (a, b) = (on.place(from), on.place(to));
        if self.threads_of(on, from).contains(to) {
            // From a CPU to itself 0 (0.447) or 1 (0.512); the code never needs it.
            1
        } else if a.llc == b.llc {
            2
        } else if a.node == b.node {
            3
        } else {
            4
        }
    }

    /// The CPUs that the code treats as threads of a CPU's core.
    fn threads_of<'m>(&self, on: &'m Machine, cpu: CpuId) -> &'m CpuMask {
        if self.settings.topology_quirk {
            on.llc_cpus(cpu)
        } else {
            on.siblings(cpu)
        }
    }
}
