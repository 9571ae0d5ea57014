//! The CPU of a woken task: the waker's or its previous one, and from there an idle CPU nearby.
//!
//! | item | kernel function @ 6.12 |
//! |---|---|
//! | `select_wake` | `select_task_rq_fair` |
//! | `affine` | `wake_affine`, `wake_affine_idle`, `wake_affine_weight` |
//! | `wide` | `wake_wide` |
//!
//! Deviations: energy does not count. A wake-up in another cache group takes
//! effect at once.

use super::idle::IdleSearch;
use super::{Selects, signed};
use crate::linux::clock::LastTicks;
use crate::linux::machine::Machine;
use crate::linux::tables::Tables;
use crate::linux::wakees::wakes_wide;
use sim_contract::cx::Cx;
use sim_contract::decision::DecisionId;
use sim_ground::ids::{CpuId, TaskId};

/// A scheduler that places woken tasks.
pub(crate) trait WakePlacing: Selects {
    /// The CPU of a woken task. `waker` is the CPU on which it is woken.
    fn select_wake(
        &mut self,
        cx: &mut Cx<'_>,
        task: TaskId,
        waker: CpuId,
        sync: bool,
    ) -> (CpuId, DecisionId) {
        let prev = self.state().cpu_of(task);
        let allowed = cx.task(task).allowed;
        if let Some(curr) = self.state().current(waker).filter(|c| *c != task) {
            let (jiffies, hz) = (self.tun().jiffies(cx.now.0), self.tun().hz);
            self.wakees_mut(curr).record(task, jiffies, hz);
        }
        let mut target = prev;
        if allowed.contains(waker) && waker != prev && !self.wakes_wide(cx, task, waker) {
            let domains = &self.domains().of[waker.index()];
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
            (
                to,
                Self::REASONS.select_fallback_rq,
                [i64::from(cpu.0), 0, 0, 0],
            )
        };
        (cpu, cx.explain(Some(cpu), Some(task), why, operands))
    }

    /// Whether waker and task have too many partners to bring all of them together.
    fn wakes_wide(&self, cx: &mut Cx<'_>, task: TaskId, waker: CpuId) -> bool {
        let flips = |t: TaskId| self.wakees(t).flips;
        let (a, b) = (self.state().current(waker).map_or(0, flips), flips(task));
        let llc = u64::from(self.domains().llc[waker.index()].count());
        let wide = wakes_wide(a, b, llc);
        if wide {
            let operands = [signed(a), signed(b), signed(llc), 0];
            cx.explain(Some(waker), Some(task), Self::REASONS.wake_wide, operands);
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
        let near = self.domains().llc[waker.index()].contains(prev);
        let cpus = [i64::from(waker.0), i64::from(prev.0)];
        if self.tun().wa_idle {
            let waker_idle = self.is_idle(waker) && near;
            let alone = || {
                let tasks = self.tasks_of(waker);
                let delayed = tasks.queued - tasks.runnable;
                self.state().running(waker) - delayed == 1
            };
            let (reason, yes) = if waker_idle && self.is_idle(prev) {
                (Self::REASONS.affine_prev_idle, false)
            } else if waker_idle {
                (Self::REASONS.affine_waker_idle, true)
            } else if sync && alone() {
                (Self::REASONS.affine_sync, true)
            } else if self.is_idle(prev) {
                (Self::REASONS.affine_prev_idle, false)
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
        if !self.tun().wa_weight {
            return false;
        }
        let now = cx.now.0;
        let [mut this, of_prev] = self.loads_at([waker, prev], now).map(signed);
        if sync {
            let fair = |t: &TaskId| !self.state().is_real_time(*t);
            let curr = self.state().current(waker).filter(fair);
            let load = curr.map_or(0, |t| signed(self.task_load(t, now)));
            if load > this {
                let operands = [i64::from(waker.0), i64::from(prev.0), this, load];
                cx.explain(Some(waker), Some(task), Self::REASONS.affine_sync, operands);
                return true;
            }
            this -= load;
        }
        let load = signed(self.task_load(task, now));
        let power = |c: CpuId| signed(self.domains().power[c.index()]);
        let bias = self.tun().wa_bias;
        let (one, other) = if bias {
            (100, 100 + signed(pct - 100) / 2)
        } else {
            (1, 1)
        };
        let here = this + load;
        let there = of_prev - load;
        let yes = here * one * power(prev) < there * other * power(waker) + i64::from(sync);
        let reason = if yes {
            Self::REASONS.affine_lighter
        } else {
            Self::REASONS.not_affine
        };
        let operands = [here, there, load, if bias { other } else { 100 }];
        cx.explain(Some(waker), Some(task), reason, operands);
        yes
    }
}

impl<S: Machine> WakePlacing for S {}
