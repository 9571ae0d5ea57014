//! The search for an idle CPU near the target CPU of a woken task.
//!
//! | item | kernel function @ 6.12 |
//! |---|---|
//! | `idle_sibling` | `select_idle_sibling` |
//! | `idle_thread_of` | `select_idle_smt` |
//! | `scan` | `select_idle_cpu`, `select_idle_core` |
//! | `idle_by_capacity` | `select_idle_capacity` |
//! | `note_idle_core` | `__update_idle_core` |

use super::{Selects, signed};
use crate::linux::machine::Machine;
use crate::linux::machine::balance::Cache;
use crate::linux::machine::capacity::{self, Fitting};
use crate::linux::tables::Tables;
use sim_contract::cx::Cx;
use sim_contract::decision::Reason;
use sim_ground::ids::{CpuId, CpuMask, TaskId};

/// A CPU, the reason, and the operands of the reason.
type Choice = (CpuId, Reason, [i64; 4]);

/// The result of searching a cache.
pub(crate) enum IdleScanResult {
    Cpu(CpuId, Reason, u64),
    /// No CPU is idle, or too many were examined.
    Nothing(Reason, u64),
}

/// A scheduler that searches a cache for an idle CPU.
pub(crate) trait IdleSearch: Selects {
    /// The state that the CPUs of a last-level cache share.
    fn cache_of(&self, cpu: CpuId) -> &Cache {
        let lowest = self.domains().llc[cpu.index()].lowest().unwrap_or(cpu);
        &self.machine().caches[lowest.index()]
    }

    fn set_idle_cores(&mut self, cpu: CpuId, some: bool) {
        let lowest = self.domains().llc[cpu.index()].lowest().unwrap_or(cpu);
        self.machine_mut().caches[lowest.index()].has_idle_cores = some;
    }

    /// Whether two CPUs share a cluster's cache. On machines without clusters all CPUs of a cache do.
    fn share_cluster(&self, a: CpuId, b: CpuId) -> bool {
        let domains = self.domains();
        !self.tun().rules.cluster_first || domains.cluster[a.index()] == domains.cluster[b.index()]
    }

    fn idle_sibling(
        &mut self,
        cx: &mut Cx<'_>,
        task: TaskId,
        prev: CpuId,
        target: CpuId,
        waker: CpuId,
    ) -> Choice {
        let [t, p, w] = [target, prev, waker].map(|c| i64::from(c.0));
        let displaces = self.displaces(cx, task);
        let need = self.need_of(task);
        let fits = |s: &Self, cpu| need.is_none_or(|util| capacity::fits(util, s.capacity(cpu)));
        if self.is_free(target, displaces) && fits(self, target) {
            return (target, Self::REASONS.target_idle, [p, w, 0, 0]);
        }
        let llc = self.domains().llc[target.index()];
        let mut spare = None;
        if prev != target && llc.contains(prev) && self.is_free(prev, displaces) && fits(self, prev)
        {
            if self.share_cluster(prev, target) {
                return (prev, Self::REASONS.prev_idle, [t, w, 0, 0]);
            }
            spare = Some(prev);
        }
        let curr = cx.curr[waker.index()].filter(|_| !cx.interrupt);
        let bound = |c: TaskId| cx.task(c).kernel_thread && cx.task(c).allowed.count() == 1;
        if prev == waker
            && curr.is_some_and(bound)
            && self.state().running(waker) <= 1
            && fits(self, prev)
        {
            return (prev, Self::REASONS.per_cpu_kthread_wakes, [t, w, 0, 0]);
        }
        let allowed = cx.task(task).allowed;
        let recent = std::mem::replace(self.recent_cpu(task), prev);
        if recent != prev
            && recent != target
            && llc.contains(recent)
            && self.is_free(recent, displaces)
            && allowed.contains(recent)
            && fits(self, recent)
        {
            if self.share_cluster(recent, target) {
                return (recent, Self::REASONS.recent_idle, [t, p, w, 0]);
            }
            spare = spare.or(Some(recent));
        }
        if let (Some(util), Some(level)) = (need, self.domains().asym[target.index()]) {
            let search = (target, level, util);
            let found = self.idle_by_capacity(cx, search, &allowed, displaces);
            return found.unwrap_or((
                target,
                Self::REASONS.no_idle_cpu_of_any_capacity,
                [p, w, signed(util), 0],
            ));
        }
        if self.domains().of[target.index()].is_empty() {
            return (target, Self::REASONS.target_busy, [p, w, 0, 0]);
        }
        let smt = self.tun().sched_smt && cx.machine.core_count() < cx.machine.cpu_count();
        let idle_cores = smt && self.cache_of(target).has_idle_cores;
        if smt
            && !idle_cores
            && llc.contains(prev)
            && let Some(cpu) = self.idle_thread_of(cx, prev, &allowed, displaces)
        {
            return (cpu, Self::REASONS.idle_smt, [t, p, w, 0]);
        }
        match self.scan(cx, target, &allowed, [idle_cores, displaces]) {
            IdleScanResult::Cpu(cpu, why, looked) => (cpu, why, [t, p, signed(looked), 0]),
            IdleScanResult::Nothing(..) if spare.is_some() => {
                let cpu = spare.unwrap_or(prev);
                let why = if cpu == prev {
                    Self::REASONS.prev_idle
                } else {
                    Self::REASONS.recent_idle
                };
                (cpu, why, [t, w, 0, 0])
            }
            IdleScanResult::Nothing(why, looked) => {
                let limit = self.cache_of(target).nr_idle_scan;
                let cpus = i64::from(llc.count());
                (target, why, [p, signed(looked), signed(limit), cpus])
            }
        }
    }

    /// The first idle CPU on which a task fits, from the target around. If it fits on none of them, the largest.
    fn idle_by_capacity(
        &self,
        cx: &mut Cx<'_>,
        (target, level, util): (CpuId, usize, u64),
        allowed: &CpuMask,
        displaces: bool,
    ) -> Option<Choice> {
        let span = self.domains().of[target.index()][level].span.and(allowed);
        let behind = span.iter().filter(|c| c.0 >= target.0);
        let around = behind.chain(span.iter().filter(|c| c.0 < target.0));
        let mut largest: Option<(CpuId, u64)> = None;
        let tell = |why, cpu: CpuId, capacity| {
            let [util, capacity] = [util, capacity].map(signed);
            (cpu, why, [i64::from(target.0), util, capacity, 0])
        };
        for cpu in around.filter(|c| self.is_free(*c, displaces)) {
            let capacity = self.capacity(cpu);
            cx.candidate(
                Some(cpu),
                None,
                signed(capacity),
                "capacity of the idle CPU",
            );
            if capacity::fits(util, capacity) {
                return Some(tell(Self::REASONS.idle_cpu_that_fits, cpu, capacity));
            }
            if largest.is_none_or(|(_, most)| capacity > most) {
                largest = Some((cpu, capacity));
            }
        }
        largest.map(|(cpu, capacity)| tell(Self::REASONS.largest_idle_cpu, cpu, capacity))
    }

    /// An idle CPU of the core of `cpu`, other than `cpu`.
    fn idle_thread_of(
        &self,
        cx: &Cx<'_>,
        cpu: CpuId,
        allowed: &CpuMask,
        displaces: bool,
    ) -> Option<CpuId> {
        let mut threads = cx.machine.sibling_list(cpu).iter().copied();
        threads.find(|c| *c != cpu && allowed.contains(*c) && self.is_free(*c, displaces))
    }

    /// Searches for an idle core, or for an idle CPU within the limit. The search begins at the CPU after the target
    /// and goes round; where cores form clusters, the target's cluster comes first.
    fn scan(
        &mut self,
        cx: &Cx<'_>,
        target: CpuId,
        allowed: &CpuMask,
        [idle_cores, displaces]: [bool; 2],
    ) -> IdleScanResult {
        let llc = self.domains().llc[target.index()];
        let cluster = self.domains().cluster[target.index()];
        let mut limit = u64::MAX;
        if self.tun().sis_util {
            // The kernel decrements the limit before it examines a CPU.
            limit = self.cache_of(target).nr_idle_scan;
            if limit == 0 {
                return IdleScanResult::Nothing(Self::REASONS.scan_skipped, 0);
            }
        }
        let mut left = llc.and(allowed);
        let mut first_idle = None;
        let mut looked = 0;
        // The cluster comes first only if it is smaller than the cache.
        let near = (self.tun().rules.cluster_first && cluster != llc).then_some(cluster);
        for mask in near.into_iter().chain([llc]) {
            for behind in [true, false] {
                for cpu in mask.iter().filter(|c| (c.0 > target.0) == behind) {
                    if !left.contains(cpu) {
                        continue;
                    }
                    if idle_cores {
                        looked += 1;
                        let threads = cx.machine.sibling_list(cpu);
                        if threads.iter().all(|t| self.is_idle(*t)) {
                            return IdleScanResult::Cpu(cpu, Self::REASONS.idle_core, looked);
                        }
                        first_idle =
                            first_idle.or_else(|| self.first_free(threads, &left, displaces));
                        threads.iter().for_each(|t| left.remove(*t));
                        continue;
                    }
                    if looked == limit {
                        return IdleScanResult::Nothing(Self::REASONS.scan_ended, looked);
                    }
                    looked += 1;
                    if self.is_free(cpu, displaces) {
                        return IdleScanResult::Cpu(cpu, Self::REASONS.idle_cpu, looked);
                    }
                    left.remove(cpu);
                }
            }
        }
        if idle_cores {
            self.set_idle_cores(target, false);
        }
        match first_idle {
            Some(cpu) => IdleScanResult::Cpu(cpu, Self::REASONS.idle_cpu, looked),
            None => IdleScanResult::Nothing(Self::REASONS.none_idle, looked),
        }
    }

    /// The first idle CPU of a core that is not completely idle. A CPU that runs only tasks of the policy `SCHED_IDLE`
    /// is taken if it comes first.
    fn first_free(&self, threads: &[CpuId], open: &CpuMask, displaces: bool) -> Option<CpuId> {
        let mut free = threads.iter().copied();
        free.find(|t| open.contains(*t) && self.is_free(*t, displaces))
    }

    /// A CPU becomes idle: its core may be completely idle now.
    fn note_idle_core(&mut self, cx: &Cx<'_>, cpu: CpuId) {
        let siblings = cx.machine.sibling_list(cpu);
        if siblings.len() > 1 && siblings.iter().all(|s| *s == cpu || self.is_idle(*s)) {
            self.set_idle_cores(cpu, true);
        }
    }
}

impl<S: Machine> IdleSearch for S {}
