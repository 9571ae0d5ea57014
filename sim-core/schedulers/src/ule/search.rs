//! `cpu_search`: the least and the most loaded CPU of a group, as each era compares them.

use super::Ule;
use super::eras::Search;
use super::state::Tdq;
use sim_contract::cx::Cx;
use sim_ground::ids::{CpuId, CpuMask, TaskId};
use sim_machine::views::freebsd::CpuGroup;

/// The conditions of a search (`struct cpu_search`).
pub(super) struct CpuSearch {
    /// CPUs that qualify.
    pub(super) mask: CpuMask,
    /// For the lowest: the CPU's best priority must be worse than this; -1 for any.
    pub(super) pri: i32,
    /// For the lowest: largest load that qualifies. For the highest: smallest load that qualifies.
    pub(super) limit: u32,
    /// For the highest: smallest number of transferable threads.
    pub(super) transferable: u32,
    /// The CPU on which the thread last ran.
    pub(super) prefer: Option<CpuId>,
    /// Whether the thread runs there now.
    pub(super) running: bool,
    /// The thread for which the search is made; for the candidates of the decision.
    pub(super) task: Option<TaskId>,
}

impl CpuSearch {
    pub(super) fn lowest(mask: CpuMask) -> Self {
        Self {
            mask,
            pri: -1,
            limit: u32::MAX,
            transferable: 0,
            prefer: None,
            running: false,
            task: None,
        }
    }

    pub(super) fn highest(mask: CpuMask, limit: u32) -> Self {
        Self {
            limit,
            transferable: 1,
            ..Self::lowest(mask)
        }
    }
}

/// The result of a search in a group.
struct GroupSearchResult {
    cpu: Option<CpuId>,
    /// Breaks ties between groups: the load of the winner, with its random part.
    key: i64,
    /// Load of the group.
    total: i64,
}

/// `sched_random`: a linear congruential generator; returns its top `bits` bits.
fn random(state: &mut u32, bits: u32) -> i64 {
    *state = state.wrapping_mul(69_069).wrapping_add(5);
    i64::from(*state >> (32 - bits))
}

impl Ule {
    /// The least loaded CPU that qualifies.
    pub(super) fn find_lowest(
        &mut self,
        cx: &mut Cx<'_>,
        on: CpuId,
        group: usize,
        want: &CpuSearch,
    ) -> Option<CpuId> {
        self.find(cx, on, group, want, true)
    }

    /// The most loaded CPU that qualifies.
    pub(super) fn find_highest(
        &mut self,
        cx: &mut Cx<'_>,
        on: CpuId,
        group: usize,
        want: &CpuSearch,
    ) -> Option<CpuId> {
        self.find(cx, on, group, want, false)
    }

    fn find(
        &mut self,
        cx: &mut Cx<'_>,
        on: CpuId,
        group: usize,
        want: &CpuSearch,
        low: bool,
    ) -> Option<CpuId> {
        let mut state = self.st.tdqs[on.index()].random;
        let found = self.search(cx, &mut state, group, want, low);
        self.st.tdqs[on.index()].random = state;
        found.cpu
    }

    fn search(
        &self,
        cx: &mut Cx<'_>,
        state: &mut u32,
        group: usize,
        want: &CpuSearch,
        low: bool,
    ) -> GroupSearchResult {
        let g = self.topo.group(group);
        let mut best = GroupSearchResult {
            cpu: None,
            key: 0,
            total: 0,
        };
        // The key is smaller for the better CPU.
        let sign = if low { 1 } else { -1 };
        let mut best_load = i64::MAX;
        let mut sum = 0;
        for child in &g.children {
            let found = self.search(cx, state, *child, want, low);
            sum += found.total;
            let load = self.group_load(self.topo.group(*child), &found, want, low);
            let better = sign * load < best_load
                || (sign * load == best_load && sign * found.key < sign * best.key);
            if found.cpu.is_some() && better {
                best_load = sign * load;
                best.cpu = found.cpu;
                best.key = found.key;
            }
        }
        // CPUs of inner groups have been compared already.
        for cpu in &g.direct {
            let (total, compared) = self.cpu_load(cx, state, *cpu, want, low);
            sum += total;
            let Some((load, key)) = compared else {
                continue;
            };
            let better = sign * load < best_load
                || (sign * load == best_load && sign * key < sign * best.key);
            if better {
                best_load = sign * load;
                best.cpu = Some(*cpu);
                best.key = key;
            }
        }
        best.total = sum;
        best
    }

    /// Load of an inner group, as it is compared with its siblings.
    fn group_load(
        &self,
        child: &CpuGroup,
        found: &GroupSearchResult,
        want: &CpuSearch,
        low: bool,
    ) -> i64 {
        let rotate = self.era.search == Search::Rotating && low && want.running;
        // A total counts 256 for each thread, and 128 less if the thread's own CPU is in the group: the bit 128 says so. The
        // thread itself is not counted. So if the core has other threads, its total is raised to what they count.
        let shared = child.thread && found.total >= 128 && found.total & 128 != 0;
        if rotate && shared {
            found.total + 128
        } else {
            found.total
        }
    }

    fn qualifies(tdq: &Tdq, cpu: CpuId, load: u32, want: &CpuSearch, low: bool) -> bool {
        let own = want.running && want.prefer == Some(cpu);
        want.mask.contains(cpu)
            && if low {
                load <= want.limit && (own || i32::from(tdq.lowpri) > want.pri)
            } else {
                load >= want.limit && tdq.transferable >= want.transferable
            }
    }

    /// What a CPU adds to its group's load. If the CPU qualifies: also its load, and the number that breaks ties.
    fn cpu_load(
        &self,
        cx: &mut Cx<'_>,
        state: &mut u32,
        cpu: CpuId,
        want: &CpuSearch,
        low: bool,
    ) -> (i64, Option<(i64, i64)>) {
        let tdq = &self.st.tdqs[cpu.index()];
        let prefers = low && want.prefer == Some(cpu);
        let (total, load, key) = match self.era.search {
            Search::IdleMask | Search::FirstLowest => {
                let load = i64::from(tdq.load);
                let qualifies = Self::qualifies(tdq, cpu, tdq.load, want, low);
                if qualifies {
                    cx.candidate(Some(cpu), want.task, load, "load");
                }
                return (load, qualifies.then_some((load, load)));
            }
            Search::RandomTies => {
                let load = 256 * i64::from(tdq.load) - if prefers { 64 } else { 0 };
                let key = load - random(state, 6);
                if !Self::qualifies(tdq, cpu, tdq.load, want, low) {
                    return (load, None);
                }
                (load, load, key)
            }
            Search::Rotating => {
                let own = prefers && want.running;
                let threads = tdq.load - u32::from(own).min(tdq.load);
                let load = 256 * i64::from(threads);
                let bonus = if prefers { 128 } else { 0 };
                if !Self::qualifies(tdq, cpu, threads, want, low) {
                    return (load - bonus, None);
                }
                let key = load - random(state, if low { 7 } else { 8 });
                let kept = if want.running && threads > 0 {
                    0
                } else {
                    bonus
                };
                let compared = key - kept;
                (load - bonus, compared, if low { key } else { compared })
            }
        };
        cx.candidate(
            Some(cpu),
            want.task,
            key,
            "256 x load - preference - chance",
        );
        (total, Some((load, key)))
    }
}
