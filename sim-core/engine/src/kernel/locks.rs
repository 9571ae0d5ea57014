//! Scheduler locks as servers in simulated time: first come, first served.
//!
//! An operation (switch, wake-up) holds the lock for S0 + X × (1 + β × w):
//! - S0 is what the operation costs anyway (`costs.yieldNs`, part of the direct costs).
//! - X is the time to fetch the lines that the last holder changed, if the holder was another CPU.
//! - w is the number of CPUs in line when the claim is made.
//!
//! The CPU that claims the lock pays for its wait and for the lines.
//!
//! S0, the number of lines and β are fitted to the `sched_yield()` times of October 2007 (Roberson, cvs-src): 3.94,
//! 6.25, 6.64 and 6.94 µs with 1, 10, 100 and 1000 threads under one lock on eight CPUs.

use crate::hardware::Charged;
use crate::{Context, Sim};
use serde::{Deserialize, Serialize};
use sim_contract::flags::LockScope;
use sim_ground::ids::CpuId;
use sim_ground::time::SimTime;
use std::collections::VecDeque;

sim_ground::constants! {
    /// Cache lines that one operation of a scheduler changes.
    LINES: u64 = 32, "lines", Assumed,
        "Fitted to the `sched_yield()` times of October 2007 on eight CPUs (Roberson, cvs-src), with 1e7 yields assumed, which the source does not say.";
    /// How much longer the hand-over of a scheduler's lock takes for each waiting CPU.
    CROWD_MILLI: u64 = 93, "thousandths", Assumed,
        "Fitted to the `sched_yield()` times of October 2007 on eight CPUs (Roberson, cvs-src), with 1e7 yields assumed, which the source does not say.";
}

/// A lock of the scheduler.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Lock {
    /// The CPU that held it last.
    holder: Option<CpuId>,
    /// When each CPU that holds it or waits for it releases it, in order.
    ends: VecDeque<SimTime>,
}

impl Lock {
    /// The locks of a scheduler.
    pub(super) fn of_scope(scope: LockScope, cpus: usize) -> Vec<Self> {
        match scope {
            LockScope::None => Vec::new(),
            LockScope::Global => vec![Self::default()],
            LockScope::PerCpu => vec![Self::default(); cpus],
        }
    }

    pub(super) fn fits(&self, cpus: usize) -> bool {
        self.holder.is_none_or(|c| c.index() < cpus) && self.ends.len() <= 1_000_000
    }
}

impl Sim {
    /// The CPU in whose context the kernel acts takes the lock of a queue. The task that runs there pays.
    pub(crate) fn take_lock(&mut self, context: Context, queue: CpuId) {
        if let Some(payer) = self.owe_lock(context, queue) {
            self.predict(payer);
        }
    }

    /// The same, but the end of the paying task's phase is still to be predicted: that of the returned CPU, if any.
    pub(crate) fn owe_lock(&mut self, context: Context, queue: CpuId) -> Option<Charged> {
        let cpu = context.cpu?;
        if self.kernel.locks.is_empty() {
            return None;
        }
        let ns = self.claim_lock(cpu, queue);
        if ns == 0 || self.kernel.curr[cpu.index()].is_none() {
            return None;
        }
        let charged = self.charge(cpu);
        self.hardware.owe_lock(charged, ns);
        Some(charged)
    }

    /// An idle CPU reads what the lock protects, without the lock. The next CPU that takes the lock must fetch the
    /// lines again.
    pub(crate) fn look_past_lock(&mut self, cpu: CpuId) {
        let index = if self.kernel.locks.len() == 1 {
            0
        } else {
            cpu.index()
        };
        if let Some(lock) = self.kernel.locks.get_mut(index) {
            lock.holder = Some(cpu);
        }
    }

    /// `cpu` does something under the lock of `queue`. Returns the time it waits for the lock and for the lines of the
    /// last holder.
    fn claim_lock(&mut self, cpu: CpuId, queue: CpuId) -> u64 {
        let index = if self.kernel.locks.len() == 1 {
            0
        } else {
            queue.index()
        };
        let now = self.clock.now();
        let costs = &self.plan.machine.spec().costs;
        let (own, near) = (u64::from(costs.yield_ns), costs.line_transfer_ns);
        let far = costs.line_transfer_far_ns.unwrap_or(near);
        let Some(lock) = self.kernel.locks.get_mut(index) else {
            return 0;
        };
        while lock.ends.front().is_some_and(|end| *end <= now) {
            lock.ends.pop_front();
        }
        let fetched = match lock.holder {
            Some(last) if last != cpu => {
                let machine = &self.plan.machine;
                let close = machine.place(cpu).llc == machine.place(last).llc;
                let line = u64::from(if close { near } else { far });
                let waiting = lock.ends.len() as u64;
                LINES * line * (1000 + CROWD_MILLI * waiting) / 1000
            }
            _ => 0,
        };
        let begin = lock.ends.back().copied().unwrap_or(now).max(now);
        let end = SimTime(begin.0 + own + fetched);
        lock.holder = Some(cpu);
        if end > now {
            lock.ends.push_back(end);
        }
        begin.since(now).0 + fetched
    }
}
