//! A CPU: how fast it is, what its task must pay first, and what it executes.

use super::Hardware;
use super::demand::ENDLESS;
use super::idle::Rest;
use serde::{Deserialize, Serialize};
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::time::SimTime;
use sim_machine::cost::mix::Mix;
use sim_machine::rate::{Cause, ONE, RATE_BITS, Speed};
use sim_trace::SwitchCost;
use sim_trace::accounts::TaskAccount;

/// The causes on which a thread without data spends its time while it works.
const WITHOUT_DATA: [Cause; 4] = [
    Cause::Compute,
    Cause::Sibling,
    Cause::Frequency,
    Cause::Tick,
];

/// A CPU as the engine sees it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Cpu {
    /// The time up to which its task's work is charged.
    pub(super) charged_at: SimTime,
    /// The time at which it leaves or left idleness for an interrupt; a time in the past for a CPU that stays idle.
    pub(super) awake_at: SimTime,
    /// Time that passes before the running task works on.
    pub(super) debt: UnpaidTime,
    /// What the running task computes and waits for.
    pub(super) mix: Mix,
    /// The cache that the running task fills.
    pub(super) warm_up: WarmUp,
    /// Part of the running task's memory that lies on other nodes, in units of 2^-20.
    pub(super) remote: u64,
    /// Whether its speed must be computed again before time goes on.
    pub(super) stale: bool,
    /// Tasks dispatched so far.
    pub(super) dispatches: u64,
    pub(super) speed: Speed,
    /// What it does while it is idle, and what its governor remembers.
    pub(super) rest: Rest,
}

impl Cpu {
    /// The running task has no data that a cache could hold.
    pub(super) fn forget_data(&mut self) {
        self.warm_up = WarmUp::default();
        self.remote = 0;
    }
}

/// CPU time that the running task must pay before it works on, in ns. The fields are paid in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct UnpaidTime {
    /// Waits for scheduler locks.
    pub(crate) lock_ns: u64,
    /// Switches and yields.
    pub(crate) switch_ns: u64,
    /// Refilling caches with data that every dispatch touches.
    pub(crate) refill_ns: u64,
    /// Faults on marked pages, moving and marking pages. A task that leaves before all is paid takes the rest with it.
    pub(crate) pages_ns: u64,
}

impl UnpaidTime {
    pub(crate) fn cost(self) -> SwitchCost {
        SwitchCost {
            lock_ns: self.lock_ns,
            switch_ns: self.switch_ns,
            refill_ns: self.refill_ns,
        }
    }

    pub(crate) fn total(self) -> u64 {
        self.lock_ns
            .saturating_add(self.switch_ns)
            .saturating_add(self.refill_ns)
            .saturating_add(self.pages_ns)
    }
}

/// A cache that is being filled with the set of the running task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct WarmUp {
    /// Work until it is full, in units of 2^-20 ns; 0 if it is full.
    pub(super) left: u64,
    /// Its position in the CPU's path of caches.
    pub(super) depth: u8,
    /// The level of the path from which it is filled; the length of the path stands for memory.
    pub(super) source: u8,
}

/// A CPU whose task's work is charged up to now. What the task must pay, and how fast it works, may change only then.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Charged(pub(super) CpuId);

impl Charged {
    #[inline]
    pub(crate) fn cpu(self) -> CpuId {
        self.0
    }
}

/// What a CPU executed since it was charged last.
pub(crate) struct Executed {
    pub(crate) charged: Charged,
    pub(crate) from: SimTime,
    pub(crate) elapsed_ns: u64,
    /// Part of it that went into locks, switches and refills.
    pub(crate) overhead_ns: u64,
    /// Work of the program, in units of 2^-20 ns.
    pub(crate) work: u64,
}

impl Hardware {
    /// The CPU, if it has just been charged at this instant, as it often is.
    #[inline]
    pub(crate) fn charged(&self, cpu: CpuId, now: SimTime) -> Option<Charged> {
        (self.cpus[cpu.index()].charged_at >= now).then_some(Charged(cpu))
    }

    /// An idle CPU has executed nothing up to now.
    pub(crate) fn skip_to(&mut self, cpu: CpuId, now: SimTime) -> Charged {
        self.cpus[cpu.index()].charged_at = now;
        Charged(cpu)
    }

    /// A CPU executes its task up to now. The task first pays its debts, then it works.
    #[inline]
    pub(crate) fn execute(
        &mut self,
        cpu: CpuId,
        now: SimTime,
        account: &mut TaskAccount,
    ) -> Executed {
        let c = &mut self.cpus[cpu.index()];
        let from = std::mem::replace(&mut c.charged_at, now);
        let elapsed_ns = now.since(from).0;
        let by_cause = &mut account.by_cause;
        let (mut user, mut overhead_ns) = (elapsed_ns, 0);
        if c.debt != UnpaidTime::default() {
            for (debt, cause) in [
                (&mut c.debt.lock_ns, Cause::LockWait),
                (&mut c.debt.switch_ns, Cause::Switch),
                (&mut c.debt.refill_ns, Cause::WarmUp),
            ] {
                let paid = user.min(*debt);
                *debt -= paid;
                user -= paid;
                by_cause[cause as usize] += paid << RATE_BITS;
            }
            overhead_ns = elapsed_ns - user;
            let paid = user.min(c.debt.pages_ns);
            c.debt.pages_ns -= paid;
            user -= paid;
            by_cause[Cause::Pages as usize] += paid << RATE_BITS;
        }
        account.remote_ns += elapsed_ns * c.remote;
        let mut work = 0;
        if user > 0 {
            if self.settings.groups_sweep {
                for (total, share) in by_cause.iter_mut().zip(&c.speed.share) {
                    *total += user * share;
                }
            } else {
                for cause in WITHOUT_DATA {
                    by_cause[cause as usize] += user * c.speed.share[cause as usize];
                }
            }
            work = user * c.speed.rate();
            account.work = account.work.saturating_add(work);
            c.warm_up.left = c.warm_up.left.saturating_sub(work);
        }
        Executed {
            charged: Charged(cpu),
            from,
            elapsed_ns,
            overhead_ns,
            work,
        }
    }

    /// How long a CPU takes for so much work of its task, with what it must pay before. `None` as long as that is not
    /// known: the work never ends, or the speed is computed before time goes on.
    #[inline]
    pub(crate) fn time_for(&self, charged: Charged, work: u64) -> Option<u64> {
        let c = &self.cpus[charged.cpu().index()];
        let mut work = work;
        // A cache that has been filled changes the speed, so its time is an event like the end of a phase.
        if c.warm_up.left > 0 {
            work = work.min(c.warm_up.left);
        }
        // A phase without work needs no speed: it may end at this instant, whether somebody looks in between or not.
        if work == ENDLESS || (c.stale && work > 0) {
            return None;
        }
        let needed = work.div_ceil(c.speed.rate().max(1));
        Some(c.debt.total().saturating_add(needed))
    }

    /// A task comes to a CPU, and has to pay this before it works, besides what it still owes for pages.
    #[inline]
    pub(crate) fn enter(&mut self, charged: Charged, task: TaskId, debt: UnpaidTime) {
        let c = &mut self.cpus[charged.cpu().index()];
        c.debt = UnpaidTime {
            pages_ns: self.demands.of(task).owed_ns,
            ..debt
        };
        c.dispatches += 1;
        c.forget_data();
    }

    /// A task leaves its CPU. It takes along what it still owes for pages.
    #[inline]
    pub(crate) fn leave(&mut self, charged: Charged, task: TaskId) {
        let c = &self.cpus[charged.cpu().index()];
        let demand = self.demands.of_mut(task);
        (demand.owed_ns, demand.left_at) = (c.debt.pages_ns, c.dispatches);
    }

    /// Nothing is to be paid on a CPU that has no task.
    #[inline]
    pub(crate) fn forget_debt(&mut self, charged: Charged) {
        self.cpus[charged.cpu().index()].debt = UnpaidTime::default();
    }

    /// Time that the running task must pay before it works on.
    #[inline]
    pub(crate) fn debt(&self, charged: Charged) -> UnpaidTime {
        self.cpus[charged.cpu().index()].debt
    }

    /// The running task has to pay for a switch.
    pub(crate) fn owe_switch(&mut self, charged: Charged, ns: u64) {
        self.cpus[charged.cpu().index()].debt.switch_ns += ns;
    }

    /// The running task has to pay for a lock.
    pub(crate) fn owe_lock(&mut self, charged: Charged, ns: u64) {
        self.cpus[charged.cpu().index()].debt.lock_ns += ns;
    }

    /// The running task has to pay for faults, or for marking or moving pages.
    pub(crate) fn owe_pages(&mut self, charged: Charged, ns: u64) {
        self.cpus[charged.cpu().index()].debt.pages_ns += ns;
    }

    /// Whether the running task has just filled its cache.
    #[inline]
    pub(crate) fn warm_up_ended(&self, charged: Charged) -> bool {
        let w = &self.cpus[charged.cpu().index()].warm_up;
        w.left == 0 && w.source > 0
    }

    /// Marks a CPU whose speed must be computed again.
    #[inline]
    pub(crate) fn mark_stale(&mut self, cpu: CpuId) {
        let c = &mut self.cpus[cpu.index()];
        if !c.stale {
            c.stale = true;
            self.stale.push(cpu);
        }
    }
}

impl Cpu {
    /// Whether this may be a CPU of a run at a time.
    pub(super) fn fits(&self, now: SimTime) -> bool {
        self.charged_at <= now
            && self.speed.is_whole()
            && self.mix.is_possible()
            && usize::from(self.warm_up.depth) < 16
            && self.remote <= ONE
            && self.debt.total() <= 1 << 60
    }
}
