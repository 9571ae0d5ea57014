//! The CPU of a woken task: the waker's or its previous one, and from there an idle CPU nearby.
//!
//! | item | kernel function @ 6.12 |
//! |---|---|
//! | `select_wake` | `select_task_rq_fair` |
//! | `affine` | `wake_affine`, `wake_affine_idle`, `wake_affine_weight` |
//! | `wide` | `wake_wide` |
//!
//! Deviations: all CPUs have the same capacity, and energy does not count. A wake-up in another cache group takes
//! effect at once.

use super::signed;
use crate::eevdf::{Eevdf, reasons};
use crate::linux::stopper::Stopper;
use crate::linux::wakees::wakes_wide;
use sim_contract::cx::Cx;
use sim_contract::decision::DecisionId;
use sim_ground::ids::{CpuId, TaskId};

impl Eevdf {
    /// The CPU of a woken task. `waker` is the CPU on which it is woken.
    pub(in super::super) fn select_wake(
        &mut self,
        cx: &mut Cx<'_>,
        task: TaskId,
        waker: CpuId,
        sync: bool,
    ) -> (CpuId, DecisionId) {
        let prev = self.st.task(task).cpu;
        let allowed = cx.task(task).allowed;
        if let Some(curr) = self.st.rq(waker).curr.filter(|c| *c != task) {
            let (jiffies, hz) = (self.st.tun.jiffies(cx.now.0), self.st.tun.hz);
            self.st.task_mut(curr).wakees.record(task, jiffies, hz);
        }
        let mut target = prev;
        if allowed.contains(waker) && waker != prev && !self.wakes_wide(cx, task, waker) {
            let domains = &self.topo.of[waker.index()];
            let found = domains
                .iter()
                .find(|d| d.flags.wake_affine && d.span.contains(prev));
            if let Some(pct) = found.map(|d| d.imbalance_pct)
                && self.affine(cx, task, [waker, prev], pct, sync)
            {
                target = waker;
            }
        }
        let (cpu, why, operands) = self.idle_sibling(cx, task, prev, target, waker);
        let (cpu, why, operands) = if allowed.contains(cpu) {
            (cpu, why, operands)
        } else {
            let to = self.fallback(cx, cpu, task);
            (to, reasons::FALLBACK, [i64::from(cpu.0), 0, 0, 0])
        };
        (cpu, cx.explain(Some(cpu), Some(task), why, operands))
    }

    /// Whether waker and task have too many partners to bring all of them together.
    fn wakes_wide(&self, cx: &mut Cx<'_>, task: TaskId, waker: CpuId) -> bool {
        let flips = |t: TaskId| self.st.task(t).wakees.flips;
        let (a, b) = (self.st.rq(waker).curr.map_or(0, flips), flips(task));
        let llc = u64::from(self.topo.llc[waker.index()].count());
        let wide = wakes_wide(a, b, llc);
        if wide {
            let operands = [signed(a), signed(b), signed(llc), 0];
            cx.explain(Some(waker), Some(task), reasons::WAKE_WIDE, operands);
        }
        wide
    }

    /// Whether a task goes to its waker's CPU rather than stays.
    fn affine(
        &mut self,
        cx: &mut Cx<'_>,
        task: TaskId,
        [waker, prev]: [CpuId; 2],
        pct: u64,
        sync: bool,
    ) -> bool {
        let near = self.topo.llc[waker.index()].contains(prev);
        let cpus = [i64::from(waker.0), i64::from(prev.0)];
        if self.st.tun.wa_idle {
            let waker_idle = self.is_idle(waker) && near;
            let alone = || {
                let delayed = self.st.root(waker).h_queued - self.st.root(waker).h_runnable;
                self.st.rq(waker).nr_running - delayed == 1
            };
            let (reason, yes) = if waker_idle && self.is_idle(prev) {
                (reasons::AFFINE_PREV_IDLE, false)
            } else if waker_idle {
                (reasons::AFFINE_WAKER_IDLE, true)
            } else if sync && alone() {
                (reasons::AFFINE_SYNC, true)
            } else if self.is_idle(prev) {
                (reasons::AFFINE_PREV_IDLE, false)
            } else {
                return self.affine_by_weight(cx, task, [waker, prev], pct, sync);
            };
            cx.explain(Some(waker), Some(task), reason, [cpus[0], cpus[1], 0, 0]);
            return yes;
        }
        self.affine_by_weight(cx, task, [waker, prev], pct, sync)
    }

    /// The loads of both CPUs if the task ran on the waker's.
    fn affine_by_weight(
        &mut self,
        cx: &mut Cx<'_>,
        task: TaskId,
        [waker, prev]: [CpuId; 2],
        pct: u64,
        sync: bool,
    ) -> bool {
        if !self.st.tun.wa_weight {
            return false;
        }
        let now = cx.now.0;
        self.catch_up(waker, now);
        self.catch_up(prev, now);
        let mut this = signed(self.cpu_load(waker));
        if sync {
            let fair = |t: &TaskId| !self.st.task(*t).real_time;
            let curr = self.st.rq(waker).curr.filter(fair);
            let load = curr.map_or(0, |t| signed(self.st.task_h_load(t, now)));
            if load > this {
                let operands = [i64::from(waker.0), i64::from(prev.0), this, load];
                cx.explain(Some(waker), Some(task), reasons::AFFINE_SYNC, operands);
                return true;
            }
            this -= load;
        }
        let load = signed(self.st.task_h_load(task, now));
        let power = |c: CpuId| signed(self.topo.power[c.index()]);
        let bias = self.st.tun.wa_bias;
        let (one, other) = if bias {
            (100, 100 + signed(pct - 100) / 2)
        } else {
            (1, 1)
        };
        let here = this + load;
        let there = signed(self.cpu_load(prev)) - load;
        let yes = here * one * power(prev) < there * other * power(waker) + i64::from(sync);
        let reason = if yes {
            reasons::AFFINE_LIGHTER
        } else {
            reasons::NOT_AFFINE
        };
        let operands = [here, there, load, if bias { other } else { 100 }];
        cx.explain(Some(waker), Some(task), reason, operands);
        yes
    }
}
