//! The CPU of a woken task.
//!
//! | item | kernel function |
//! |---|---|
//! | `domain_walk` | `select_task_rq_fair`, `select_idle_sibling` @ 2.6.34 |
//! | `cache_search` | `select_task_rq_fair`, `select_idle_sibling`, `select_idle_core`, `_cpu`, `_smt` @ 4.9 |
//! | `affine_old`, `affine_new` | `wake_affine` of each |
//! | `wide` | `wake_wide`, `record_wakee` @ 4.9 |
//!
//! Deviations: balancing and scans take no time, so the average cost of a scan is 0 and no search is skipped. All CPUs
//! have the same capacity (`wake_cap`). A wake-up in another cache group takes effect at once.

use super::entity::NONE;
use super::era::WakeCpuRule;
use super::{Cfs, reasons};
use crate::linux::clock::LastTicks;
use crate::linux::signed;
use crate::linux::stopper::Stopper;
use crate::linux::wakees::{average, wakes_wide};
use sim_contract::cx::Cx;
use sim_contract::decision::{DecisionId, Reason};
use sim_ground::ids::{CpuId, TaskId};

impl Cfs {
    /// The CPU of a woken task. `waker` is the CPU on which it is woken.
    pub(super) fn select_wake(
        &mut self,
        cx: &mut Cx<'_>,
        task: TaskId,
        waker: CpuId,
        sync: bool,
    ) -> (CpuId, DecisionId) {
        let prev = self.st.task(task).cpu;
        let allowed = cx.task(task).allowed;
        let (cpu, why, operands) = match self.era.wakes {
            WakeCpuRule::DomainWalk => self.domain_walk(cx, task, waker, prev, sync),
            WakeCpuRule::CacheSearch | WakeCpuRule::Shared => {
                self.cache_search(cx, task, waker, prev, sync)
            }
        };
        let (cpu, why) = if allowed.contains(cpu) {
            (cpu, why)
        } else {
            (self.fallback(cx, cpu, task), reasons::SELECT_FALLBACK_RQ)
        };
        (cpu, cx.explain(Some(cpu), Some(task), why, operands))
    }

    /// Whether a CPU has no fair task (`cfs.nr_running`).
    fn empty(&self, cpu: CpuId) -> bool {
        self.st.root(cpu).nr_running == 0
    }

    fn domain_walk(
        &mut self,
        cx: &mut Cx<'_>,
        task: TaskId,
        waker: CpuId,
        prev: CpuId,
        sync: bool,
    ) -> (CpuId, Reason, [i64; 4]) {
        let allowed = cx.task(task).allowed;
        let stay = (
            prev,
            reasons::PREV_CPU,
            [i64::from(waker.0), i64::from(prev.0), 0, 0],
        );
        if !self.st.tun.affine_wakeups || !allowed.contains(waker) {
            return stay;
        }
        for level in 0..self.topo.of[waker.index()].len() {
            let domain = &self.topo.of[waker.index()][level];
            let mut target = domain.span.contains(prev).then_some(waker);
            if domain.flags.share_cache {
                if target.is_some() && self.empty(prev) {
                    target = Some(prev);
                } else {
                    let idle = domain.list.iter().copied();
                    let idle = idle.filter(|c| allowed.contains(*c));
                    target = idle.into_iter().find(|c| self.empty(*c)).or(target);
                }
            }
            let Some(target) = target else { continue };
            if !domain.flags.wake_affine {
                continue;
            }
            let (pct, name_idle) = (domain.imbalance_pct, self.empty(target));
            let (yes, operands) = self.affine_old(cx, task, waker, prev, pct, sync);
            if !yes {
                return (prev, reasons::NOT_AFFINE, operands);
            }
            let why = match (target == prev, name_idle) {
                (true, _) => reasons::PREV_IDLE,
                (_, true) => reasons::IDLE_SIBLING,
                _ => reasons::WAKE_AFFINE,
            };
            return (target, why, operands);
        }
        stay
    }

    fn affine_old(
        &mut self,
        cx: &Cx<'_>,
        task: TaskId,
        waker: CpuId,
        prev: CpuId,
        pct: u64,
        sync: bool,
    ) -> (bool, [i64; 4]) {
        let now = cx.now.0;
        let [mut this, load] = self.loads_at([waker, prev], now).map(signed);
        let overlap = |t: TaskId| signed(self.st.se(t).avg_overlap);
        let cost = self.st.tun.migration_cost;
        let curr = self
            .st
            .rq(waker)
            .curr
            .filter(|t| !self.st.task(*t).real_time);
        let close = curr.is_none_or(|c| overlap(c) <= cost) && overlap(task) <= cost;
        let sync = sync && (close || !self.st.tun.sync_less);
        if sync && let Some(curr) = curr {
            this -= signed(self.st.se(curr).weight);
        }
        let weight = signed(self.st.se(task).weight);
        let factor = 100 + signed(pct - 100) / 2;
        let balanced = this <= 0 || 100 * (this + weight) <= factor * load;
        let operands = [this, load, weight, factor];
        if balanced {
            return (true, operands);
        }
        let per_task = signed(self.load_per_task(waker));
        (this <= load && this + load <= per_task, operands)
    }

    /// `record_wakee`.
    pub(super) fn record_wakee(&mut self, waker: TaskId, task: TaskId, now: u64) {
        let jiffies = self.st.tun.jiffies(now);
        let hz = self.st.tun.hz;
        let w = self.st.task_mut(waker);
        w.wakees.record(task, jiffies, hz);
    }

    fn wide(&self, waker: Option<TaskId>, task: TaskId, cpu: CpuId) -> bool {
        let flips = |t: TaskId| self.st.task(t).wakees.flips;
        let (a, b) = (waker.map_or(0, flips), flips(task));
        wakes_wide(a, b, u64::from(self.topo.llc[cpu.index()].count()))
    }

    fn cache_search(
        &mut self,
        cx: &mut Cx<'_>,
        task: TaskId,
        waker: CpuId,
        prev: CpuId,
        sync: bool,
    ) -> (CpuId, Reason, [i64; 4]) {
        let allowed = cx.task(task).allowed;
        let now = cx.now.0;
        let who = self.st.rq(waker).curr;
        let wide = self.wide(who, task, waker);
        let mut operands = [0; 4];
        let mut target = prev;
        let (mut affine, mut compared) = (false, false);
        if !wide && allowed.contains(waker) && waker != prev {
            let domains = &self.topo.of[waker.index()];
            let found = domains
                .iter()
                .find(|d| d.flags.wake_affine && d.span.contains(prev));
            if let Some(pct) = found.map(|d| d.imbalance_pct) {
                (affine, operands) = self.affine_new(task, waker, prev, pct, sync, now);
                compared = true;
                if affine {
                    target = waker;
                }
            }
        }
        let (cpu, why) = self.idle_sibling(cx, task, prev, target);
        let why = match why {
            reasons::TARGET if affine => reasons::WAKE_AFFINE,
            reasons::TARGET if compared => reasons::NOT_AFFINE,
            reasons::TARGET if wide => reasons::WAKE_WIDE,
            // It is woken where it last ran: there is no other CPU to compare.
            reasons::TARGET if waker == prev => reasons::TARGET,
            reasons::TARGET => reasons::PREV_CPU,
            why => why,
        };
        match why {
            reasons::PREV_CPU => operands = [i64::from(waker.0), i64::from(prev.0), 0, 0],
            reasons::WAKE_WIDE => {
                let [a, b] =
                    [who, Some(task)].map(|t| t.map_or(0, |t| self.st.task(t).wakees.flips));
                let llc = self.topo.llc[waker.index()].count();
                operands = [signed(a), signed(b), i64::from(llc), 0];
            }
            _ => {}
        }
        (cpu, why, operands)
    }

    fn affine_new(
        &mut self,
        task: TaskId,
        waker: CpuId,
        prev: CpuId,
        pct: u64,
        sync: bool,
        now: u64,
    ) -> (bool, [i64; 4]) {
        let [mut this, load] = self.loads_at([waker, prev], now).map(signed);
        let curr = self
            .st
            .rq(waker)
            .curr
            .filter(|t| !self.st.task(*t).real_time);
        if sync && let Some(curr) = curr {
            let weight = signed(self.st.se(curr).avg.load_avg);
            this += self.effective_load(self.st.task(curr).group, waker, -weight, -weight);
        }
        let weight = signed(self.st.se(task).avg.load_avg);
        let group = self.st.task(task).group;
        let power = |c: CpuId| signed(self.topo.power[c.index()]);
        let mut ours = 100 * power(prev);
        let mut theirs = (100 + signed(pct - 100) / 2) * power(waker);
        if this > 0 {
            ours *= this + self.effective_load(group, waker, weight, weight);
            theirs *= load + self.effective_load(group, prev, 0, weight);
        }
        (
            ours <= theirs,
            [this, load, weight, 100 + signed(pct - 100) / 2],
        )
    }

    /// `idle_cpu`: no task runs or waits there.
    pub(super) fn idle_cpu(&self, cpu: CpuId) -> bool {
        let rq = self.st.rq(cpu);
        rq.curr.is_none() && rq.nr_running == 0
    }

    /// `select_idle_sibling` @ 4.9.
    fn idle_sibling(
        &mut self,
        cx: &mut Cx<'_>,
        task: TaskId,
        prev: CpuId,
        target: CpuId,
    ) -> (CpuId, Reason) {
        if self.idle_cpu(target) {
            let why = if target == prev {
                reasons::PREV_IDLE
            } else {
                reasons::WAKER_IDLE
            };
            return (target, why);
        }
        let llc = self.topo.llc[target.index()];
        if prev != target && llc.contains(prev) && self.idle_cpu(prev) {
            return (prev, reasons::PREV_IDLE);
        }
        let allowed = cx.task(task).allowed;
        let around: Vec<CpuId> = {
            let list: Vec<CpuId> = llc.iter().collect();
            let from = list.iter().position(|c| *c == target).unwrap_or(0);
            list.iter()
                .cycle()
                .skip(from)
                .take(list.len())
                .copied()
                .collect()
        };
        if let Some(cpu) = self.idle_core(cx, &around, target, &allowed) {
            return (cpu, reasons::IDLE_CORE);
        }
        for cpu in &around {
            if allowed.contains(*cpu) && self.idle_cpu(*cpu) {
                return (*cpu, reasons::IDLE_CPU);
            }
        }
        for cpu in cx.machine.sibling_list(target) {
            if allowed.contains(*cpu) && self.idle_cpu(*cpu) {
                return (*cpu, reasons::IDLE_SIBLING);
            }
        }
        (target, reasons::TARGET)
    }

    /// `select_idle_core`.
    fn idle_core(
        &mut self,
        cx: &Cx<'_>,
        around: &[CpuId],
        target: CpuId,
        allowed: &sim_ground::ids::CpuMask,
    ) -> Option<CpuId> {
        if cx.machine.sibling_list(target).len() < 2 {
            return None;
        }
        let leader = self.topo.llc[target.index()].lowest()?;
        if !self.st.rq(leader).has_idle_cores {
            return None;
        }
        let found = around.iter().copied().find(|cpu| {
            allowed.contains(*cpu)
                && cx
                    .machine
                    .sibling_list(*cpu)
                    .iter()
                    .all(|s| self.idle_cpu(*s))
        });
        if found.is_none() {
            self.st.rq_mut(leader).has_idle_cores = false;
        }
        found
    }

    /// `__update_idle_core`: a CPU becomes idle.
    pub(super) fn note_idle_core(&mut self, cx: &Cx<'_>, cpu: CpuId) {
        let siblings = cx.machine.sibling_list(cpu);
        if siblings.len() < 2 {
            return;
        }
        let others_idle = siblings.iter().all(|s| *s == cpu || self.idle_cpu(*s));
        if others_idle && let Some(leader) = self.topo.llc[cpu.index()].lowest() {
            self.st.rq_mut(leader).has_idle_cores = true;
        }
    }

    /// 2.6.34: updates what the kernel remembers about a waker (`try_to_wake_up`).
    pub(super) fn note_waker(&mut self, waker: TaskId) {
        let e = self.st.task(waker).se;
        let ent = self.st.ent_mut(e);
        let since = if ent.last_wakeup > 0 {
            ent.last_wakeup
        } else {
            ent.start_runtime
        };
        // Both are earlier values of the sum.
        let sample = ent.sum_exec.saturating_sub(since);
        ent.avg_wakeup = average(ent.avg_wakeup, sample);
        ent.last_wakeup = ent.sum_exec;
    }

    /// 2.6.34: updates the same for a task that goes to sleep (`deactivate_task`).
    pub(super) fn note_sleeper(&mut self, task: TaskId) {
        let gran = self.st.tun.wakeup_granularity;
        let e = self.st.task(task).se;
        debug_assert!(e != NONE, "every task has an entity");
        let ent = self.st.ent_mut(e);
        if ent.last_wakeup > 0 {
            // An earlier value of the sum.
            let sample = ent.sum_exec.saturating_sub(ent.last_wakeup);
            ent.avg_overlap = average(ent.avg_overlap, sample);
            ent.last_wakeup = 0;
        } else {
            ent.avg_wakeup = average(ent.avg_wakeup, gran);
        }
    }
}
