//! The limit of real time: of each second the real-time tasks of a CPU may use 950 ms, up to 6.11.
//!
//! | item | kernel function @ 6.1.192 |
//! |---|---|
//! | `begin_limit` | `inc_rt_group`, `do_start_rt_bandwidth` |
//! | `charge_real_time` | `update_curr_rt`, `sched_rt_runtime_exceeded` |
//! | `borrow` | `do_balance_runtime` |
//! | `throttle_real_time` | `sched_rt_rq_dequeue` |
//! | `real_time_period` | `do_sched_rt_period_timer`, `sched_rt_rq_enqueue` |
//!
//! What a task runs is counted at ticks, and when it leaves the CPU. Who has used more than it may stops until the period
//! ends: fair tasks run, or the CPU idles. What was too much counts in the next period. One timer ends the period of all
//! CPUs. It begins with the first real-time task, and stops when no CPU has one.
//!
//! Deviation: 2.6.34 counts tasks that stand still as runnable, so that their CPU does not look for others when it idles.

use super::{Reserve, Times};
use crate::linux::class::FairClass;
use crate::linux::rt::RealTime;
use crate::linux::signed;
use crate::linux::tables::Tables;
use serde::{Deserialize, Serialize};
use sim_contract::cx::Cx;
use sim_contract::decision::DecisionId;
use sim_contract::flags::TimerId;
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::time::SimTime;

/// The timer that ends the period.
pub(crate) const TIMER: TimerId = 1;

/// What differs between releases.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// Whether a CPU that has used its time borrows from others (`RT_RUNTIME_SHARE`; off since 5.10).
    pub(crate) borrows: bool,
    /// Whether the first period begins with the first task (since 4.6), and not at a multiple of the period.
    pub(crate) begins_at_once: bool,
}

impl Rules {
    /// 2.6.34.
    pub(crate) const V2_6_34: Self = Self {
        borrows: true,
        begins_at_once: false,
    };
    /// 4.9.
    pub(crate) const V4_9: Self = Self {
        borrows: true,
        begins_at_once: true,
    };
    /// 6.1 and 6.6.
    pub(crate) const V6_1: Self = Self {
        borrows: false,
        begins_at_once: true,
    };
}

/// The real time of a CPU (`struct rt_rq`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct OfCpu {
    /// Time that its tasks have used, less what past periods granted.
    used: u64,
    /// Time that they may use in a period.
    most: u64,
    throttled: bool,
    /// Time up to which the running task was charged.
    charged_at: u64,
}

/// The limit of all CPUs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Limit {
    of: Vec<OfCpu>,
    /// When the period ends; 0 while the timer does not run.
    ends_at: u64,
}

impl Limit {
    fn new(cpus: usize, times: Times, now: u64) -> Self {
        let cpu = OfCpu {
            used: 0,
            most: times.most(),
            throttled: false,
            charged_at: now,
        };
        Self {
            of: vec![cpu; cpus],
            ends_at: 0,
        }
    }

    pub(super) fn cpus(&self) -> usize {
        self.of.len()
    }

    pub(super) fn set(&mut self, times: Times) {
        for cpu in &mut self.of {
            cpu.most = times.most();
        }
    }

    /// A CPU takes from each other an equal part of what it has left, until it may run all the time. Returns what it took.
    fn borrow(&mut self, cpu: usize, period: u64) -> u64 {
        let (n, before) = (self.of.len() as u64, self.of[cpu].most);
        for other in (0..self.of.len()).filter(|other| *other != cpu) {
            let lender = &mut self.of[other];
            let spare = lender.most.saturating_sub(lender.used) / n;
            let room = period.saturating_sub(self.of[cpu].most);
            let part = spare.min(room);
            self.of[other].most -= part;
            self.of[cpu].most += part;
            if self.of[cpu].most == period {
                break;
            }
        }
        self.of[cpu].most - before
    }
}

impl Times {
    /// The time that a CPU may use in a period.
    fn most(self) -> u64 {
        self.runtime.unwrap_or(u64::MAX)
    }
}

impl Reserve {
    /// Whether the real-time tasks of a CPU stand still.
    #[inline]
    pub(crate) fn stops_real_time(&self, cpu: CpuId) -> bool {
        let limit = self.st.limit.as_ref();
        limit.is_some_and(|limit| limit.of[cpu.index()].throttled)
    }

    /// A real-time task is put on a CPU.
    pub(crate) fn real_time_runs(&mut self, cpu: CpuId, now: u64) {
        if let Some(limit) = &mut self.st.limit {
            limit.of[cpu.index()].charged_at = now;
        }
    }
}

/// A fair scheduler that limits real time.
pub(crate) trait Limited: FairClass {
    /// Whether the real-time tasks of a CPU stand still.
    #[inline]
    fn real_time_stands(&self, cpu: CpuId) -> bool {
        self.reserve().stops_real_time(cpu)
    }

    /// A real-time task becomes runnable on a CPU, or is so no longer: it counts, unless those of the CPU stand still.
    fn count_real_time(&mut self, cpu: CpuId, enters: bool) {
        if self.real_time_stands(cpu) {
            return;
        }
        let n = self.state_mut().running_mut(cpu);
        *n = if enters { *n + 1 } else { *n - 1 };
    }

    /// A real-time task becomes runnable: time is counted from now on.
    fn begin_limit(&mut self, cx: &mut Cx<'_>) {
        let reserve = self.reserve_mut();
        let (cpus, times) = (reserve.cpus, reserve.st.times);
        let Some(rules) = reserve.rules.filter(|_| times.runtime.is_some()) else {
            return;
        };
        let now = cx.now.0;
        let new = || Limit::new(cpus, times, now);
        let limit = reserve.st.limit.get_or_insert_with(new);
        if limit.ends_at == 0 {
            limit.ends_at = if rules.begins_at_once {
                now + times.period
            } else {
                (now / times.period + 1) * times.period
            };
            cx.arm(TIMER, SimTime(limit.ends_at));
        }
    }

    /// Charges the real-time task that runs on a CPU. `counted` real-time tasks of the CPU count as runnable. If they have
    /// used more than they may, they stand still from now on: then the decision is returned.
    fn charge_real_time(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        task: TaskId,
        counted: usize,
    ) -> Option<DecisionId> {
        let now = cx.now.0;
        let reserve = self.reserve_mut();
        let Times { runtime, period } = reserve.st.times;
        let borrows = reserve.rules.is_some_and(|r| r.borrows);
        let limit = reserve.st.limit.as_mut()?;
        let own = &mut limit.of[cpu.index()];
        let ran = now.saturating_sub(own.charged_at);
        own.charged_at = now;
        if ran == 0 || runtime.is_none() {
            return None;
        }
        own.used += ran;
        let numbers = |own: &OfCpu, ends_at: u64| {
            let left = ends_at.saturating_sub(now);
            [
                signed(own.used),
                signed(own.most),
                signed(left),
                signed(period),
            ]
        };
        if own.throttled {
            let operands = numbers(own, limit.ends_at);
            return Some(cx.explain(Some(cpu), Some(task), Self::REASONS.rt_throttled, operands));
        }
        if own.most >= period || own.used <= own.most {
            return None;
        }
        if borrows {
            let took = limit.borrow(cpu.index(), period);
            let own = &limit.of[cpu.index()];
            if took > 0 {
                let operands = [
                    signed(took),
                    signed(own.most),
                    signed(own.used),
                    signed(period),
                ];
                cx.explain(Some(cpu), Some(task), Self::REASONS.rt_borrowed, operands);
            }
            if own.used <= own.most {
                return None;
            }
        }
        let own = &mut limit.of[cpu.index()];
        if runtime == Some(0) {
            own.used = 0;
            return None;
        }
        own.throttled = true;
        let operands = numbers(own, limit.ends_at);
        let counted = u32::try_from(counted).unwrap_or(0);
        *self.state_mut().running_mut(cpu) -= counted;
        self.begin_limit(cx);
        cx.requery(cpu);
        Some(cx.explain(Some(cpu), Some(task), Self::REASONS.rt_throttled, operands))
    }

    /// The period ends on all CPUs.
    fn real_time_period(&mut self, cx: &mut Cx<'_>) {
        let now = cx.now.0;
        let reserve = self.reserve_mut();
        let Times { runtime, period } = reserve.st.times;
        let borrows = reserve.rules.is_some_and(|r| r.borrows);
        let Some(mut limit) = reserve.st.limit.take() else {
            return;
        };
        let mut freed = Vec::new();
        let mut idle = true;
        for c in 0..limit.of.len() {
            let cpu = CpuId::new(c);
            if !borrows {
                limit.of[c].most = runtime.unwrap_or(u64::MAX);
            }
            let n = self.real_time_tasks(cpu);
            if limit.of[c].used > 0 && limit.of[c].throttled && borrows {
                limit.borrow(c, period);
            }
            let own = &mut limit.of[c];
            own.used -= own.used.min(own.most);
            if own.throttled && own.used < own.most {
                own.throttled = false;
                *self.state_mut().running_mut(cpu) += u32::try_from(n).unwrap_or(0);
                freed.push((cpu, own.used, own.most));
            }
            idle &= own.used == 0 && n == 0;
        }
        limit.ends_at = if idle || (runtime.is_none() && !limit.of.iter().any(|c| c.throttled)) {
            0
        } else {
            now + period
        };
        if limit.ends_at > 0 {
            cx.arm(TIMER, SimTime(limit.ends_at));
        }
        self.reserve_mut().st.limit = Some(limit);
        for (cpu, used, most) in freed {
            self.let_real_time_go(cx, cpu, [used, most]);
        }
    }

    /// The real-time tasks of a CPU may run again.
    fn let_real_time_go(&mut self, cx: &mut Cx<'_>, cpu: CpuId, [used, most]: [u64; 2]) {
        let Some(task) = self.state().rt(cpu).iter().next() else {
            return;
        };
        let rank = self.rank(cx, task);
        let better = match self.state().current(cpu) {
            Some(curr) if self.state().is_real_time(curr) => rank < self.rank(cx, curr),
            _ => true,
        };
        let operands = [signed(used), signed(most), 0, 0];
        let why = cx.explain(
            Some(cpu),
            Some(task),
            Self::REASONS.rt_unthrottled,
            operands,
        );
        cx.requery(cpu);
        if better {
            self.resched(cx, cpu, Some(why));
        }
    }
}

impl<S: FairClass + ?Sized> Limited for S {}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    fn limit(cpus: usize) -> Limit {
        let times = Times {
            runtime: Some(950 * MS),
            period: 1_000 * MS,
        };
        Limit::new(cpus, times, 0)
    }

    /// `do_balance_runtime`: a part of what each other has left, up to the whole period.
    #[test]
    fn a_cpu_borrows_up_to_the_whole_period() {
        for cpus in [2, 4, 8] {
            let mut limit = limit(cpus);
            limit.of[0].used = 952 * MS;
            assert_eq!(limit.borrow(0, 1_000 * MS), 50 * MS);
            let most: Vec<u64> = limit.of.iter().map(|c| c.most / MS).collect();
            assert_eq!(most[..2], [1_000, 900]);
            assert!(most[2..].iter().all(|most| *most == 950));
        }
    }

    #[test]
    fn who_has_nothing_left_lends_nothing() {
        let mut limit = limit(3);
        (limit.of[0].used, limit.of[1].used) = (952 * MS, 951 * MS);
        limit.of[2].used = 830 * MS;
        assert_eq!(limit.borrow(0, 1_000 * MS), 40 * MS);
        assert_eq!(
            limit.of.iter().map(|c| c.most / MS).collect::<Vec<_>>(),
            [990, 950, 910]
        );
    }

    #[test]
    fn a_cpu_alone_borrows_nothing() {
        assert_eq!(limit(1).borrow(0, 1_000 * MS), 0);
    }
}
