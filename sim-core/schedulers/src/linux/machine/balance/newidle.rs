//! A CPU is about to become idle and searches for work elsewhere (`sched_balance_newidle`).

use super::state::NEWIDLE_COST;
use super::{GroupBalancing, Idleness, signed};
use crate::linux::machine::Machine;
use crate::linux::machine::capacity::Fitting;
use sim_contract::cx::Cx;
use sim_ground::ids::CpuId;

/// A scheduler whose CPUs search for work before they become idle.
pub(crate) trait NewidleBalancing: GroupBalancing {
    /// Returns whether a task was pulled.
    fn newidle_balance(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> bool {
        let now = cx.now.0;
        let jiffies = self.tun().jiffies(now);
        self.side_mut(cpu).idle_stamp = now.max(1);
        self.note_misfit(cx, cpu, None);
        let levels = self.domain_count(cpu);
        if levels == 0 {
            return false;
        }
        let next = jiffies + self.tun().hz;
        let side = self.side(cpu);
        let (avg_idle, cost) = (side.avg_idle, side.domains[0].newidle.max_cost);
        if !self.machine().overloaded || avg_idle < cost {
            let reason = if self.machine().overloaded {
                Self::REASONS.avg_idle_too_short
            } else {
                Self::REASONS.not_overloaded
            };
            cx.explain(
                Some(cpu),
                None,
                reason,
                [signed(avg_idle), signed(cost), 1, 0],
            );
            self.advance_next_balance(cpu, next.min(self.idle_due(cpu, 0)));
            return false;
        }
        self.update_blocked(cpu, now);
        let (pulled, next) = self.try_levels(cx, cpu, next);
        self.advance_next_balance(cpu, next);
        if pulled {
            self.side_mut(cpu).idle_stamp = 0;
            let operands = [signed(avg_idle), 0, 0, 0];
            cx.explain(Some(cpu), None, Self::REASONS.newidle_balance, operands);
        }
        pulled
    }

    /// Tries the levels from the innermost outward, while the CPU is expected to be idle long enough. Returns whether a
    /// task arrived, and the jiffy at which a level is due.
    fn try_levels(&mut self, cx: &mut Cx<'_>, cpu: CpuId, next: u64) -> (bool, u64) {
        let (jiffies, hz) = (self.tun().jiffies(cx.now.0), self.tun().hz);
        let avg_idle = self.side(cpu).avg_idle;
        let (mut spent, mut next) = (0, next);
        let mut pulled = false;
        for level in 0..self.domain_count(cpu) {
            next = next.min(self.idle_due(cpu, level));
            let newidle = self.side(cpu).domains[level].newidle;
            let number = i64::try_from(level + 1).unwrap_or(i64::MAX);
            if avg_idle < spent + newidle.max_cost {
                let operands = [
                    signed(avg_idle),
                    signed(spent + newidle.max_cost),
                    number,
                    0,
                ];
                cx.explain(Some(cpu), None, Self::REASONS.avg_idle_too_short, operands);
                break;
            }
            let mut weight = 1;
            if self.tun().ni_random {
                let dice = cx.rng.below(1_024);
                if dice > 1 + newidle.ratio {
                    let operands = [i64::from(dice), i64::from(newidle.ratio), number, 0];
                    cx.explain(Some(cpu), None, Self::REASONS.newidle_dice, operands);
                    self.count_attempt(cpu, level, 0, cx.now.0);
                    continue;
                }
                weight = newidle.weight();
            }
            let mut in_charge = true;
            pulled = self.load_balance(cx, cpu, level, Idleness::New, &mut in_charge);
            spent += NEWIDLE_COST;
            let success = if pulled { weight } else { 0 };
            self.count_attempt(cpu, level, success, cx.now.0);
            let newidle = &mut self.side_mut(cpu).domains[level].newidle;
            newidle.cost(NEWIDLE_COST, jiffies, hz);
            if pulled || !in_charge {
                break;
            }
        }
        let side = self.side_mut(cpu);
        side.max_idle_balance_cost = side.max_idle_balance_cost.max(spent);
        (pulled, next)
    }

    /// `update_newidle_stats`.
    fn count_attempt(&mut self, cpu: CpuId, level: usize, successes: u32, now: u64) {
        let newidle = &mut self.side_mut(cpu).domains[level].newidle;
        if newidle.count(successes)
            && let Some(since) = self.since_newidle_ratio(cpu, level, now)
        {
            self.side_mut(cpu).domains[level].newidle.add_time(since);
        }
    }

    /// The time at which a level is due if the CPU is idle.
    fn idle_due(&self, cpu: CpuId, level: usize) -> u64 {
        self.side(cpu).domains[level].last_balance + self.interval(cpu, level, false)
    }

    fn advance_next_balance(&mut self, cpu: CpuId, next: u64) {
        let side = self.side_mut(cpu);
        side.next_balance = side.next_balance.min(next);
    }
}

impl<S: Machine> NewidleBalancing for S {}
