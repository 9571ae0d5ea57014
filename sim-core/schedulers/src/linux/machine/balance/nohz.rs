//! Idle CPUs without ticks: a busy CPU kicks one of them, which balances for all.
//!
//! | item | kernel function @ 6.12 |
//! |---|---|
//! | `goes_idle`, `leaves_idle` | `nohz_balance_enter_idle`, `nohz_balance_exit_idle` |
//! | `kick_due`, `kick_balancer` | `nohz_balancer_kick`, `kick_ilb`, `find_new_ilb` |
//! | `nohz_balance`, `look_after_idle` | `_nohz_idle_balance`, `update_nohz_stats` |
//! | `freshen_others` | `nohz_newidle_balance`, `nohz_run_idle_balance` |
//!
//! If the scenario lets idle CPUs tick, each balances for itself, and nothing in this file happens. Two assumptions:
//! all CPUs have stopped their ticks before the run begins, and a CPU leaves the set when it gets work, not at its
//! first tick after that. Deviation: the due time of a CPU that joins the set counts at once (`NOHZ_NEXT_KICK` has this
//! effect at the next busy tick).

use super::state::Nohz;
use super::{GroupBalancing, Idleness, signed};
use crate::linux::balance::Balancer;
use crate::linux::machine::Machine;
use crate::linux::machine::capacity::Fitting;
use crate::linux::machine::select::IdleSearch;
use crate::linux::tables::Tables;
use sim_contract::cx::Cx;
use sim_contract::flags::cpu_timer;
use sim_ground::ids::CpuId;

impl Nohz {
    /// The jiffy from which averages of idle CPUs are updated again.
    fn blocked_due(&self) -> Option<u64> {
        self.has_blocked.then_some(self.next_blocked + 1)
    }
}

/// Largest age of the averages of idle CPUs, in ms (`LOAD_AVG_PERIOD`).
const BLOCKED_PERIOD: u64 = 32;

/// A scheduler in which a busy CPU kicks an idle one.
pub(crate) trait NohzBalancing: GroupBalancing {
    /// A CPU enters its idle loop and stops its tick. Its core may be completely idle now.
    fn goes_idle(&mut self, cx: &mut Cx<'_>, cpu: CpuId) {
        self.note_idle_core(cx, cpu);
        self.clock_rests(cpu, cx.now.0);
        if self.idle_ticks() || self.domain_count(cpu) == 0 {
            return;
        }
        let due = self.side(cpu).next_balance;
        let nohz = &mut self.machine_mut().nohz;
        let sooner = nohz.idle.is_empty() || due < nohz.next_balance || !nohz.has_blocked;
        nohz.idle.insert(cpu);
        nohz.next_balance = nohz.next_balance.min(due);
        nohz.has_blocked = true;
        if sooner {
            self.requery_busy(cx);
        }
    }

    /// A CPU leaves its idle loop: its cache may have a second busy CPU now.
    fn leaves_idle(&mut self, cx: &mut Cx<'_>, cpu: CpuId) {
        self.clock_works(cpu, cx.now.0);
        if !self.machine().nohz.idle.contains(cpu) {
            return;
        }
        self.machine_mut().nohz.idle.remove(cpu);
        if self.busy_in_cache(cpu) == 2 {
            for other in self.domains().llc[cpu.index()].iter() {
                if self.state().current(other).is_some() {
                    cx.requery(other);
                }
            }
        }
    }

    fn busy_in_cache(&self, cpu: CpuId) -> u32 {
        let llc = &self.domains().llc[cpu.index()];
        llc.count() - llc.and(&self.machine().nohz.idle).count()
    }

    /// Whether a tick of this busy CPU kicks an idle one when balancing is due. Beside CPUs of other capacities it is not
    /// the cache that counts, but whether its task fits.
    fn wants_balance(&self, cpu: CpuId) -> bool {
        let alone = || match self.domains().asym[cpu.index()] {
            Some(_) => self.shows_misfit(cpu),
            None => self.busy_in_cache(cpu) > 1,
        };
        self.state().running(cpu) >= 2 || alone()
    }

    /// The jiffy from which a tick of this busy CPU kicks an idle one; `None` if it does not in the present state.
    fn kick_due(&self, cpu: CpuId) -> Option<u64> {
        let nohz = &self.machine().nohz;
        if self.idle_ticks() || nohz.idle.is_empty() {
            return None;
        }
        let balance = self.wants_balance(cpu).then_some(nohz.next_balance);
        match (balance, nohz.blocked_due()) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// A busy tick kicks the first idle CPU (since 7.3 the first of a completely idle core, if there is one): to balance, or
    /// only to update averages.
    fn kick_balancer(&mut self, cx: &mut Cx<'_>, cpu: CpuId) {
        let comes = |due: u64| self.has_come(due, cx.now.0);
        if !self.kick_due(cpu).is_some_and(comes) {
            return;
        }
        let jiffies = self.tun().jiffies(cx.now.0);
        let balances = self.wants_balance(cpu) && comes(self.machine().nohz.next_balance);
        if balances {
            self.machine_mut().nohz.next_balance = jiffies + 1;
        }
        let idle = self.machine().nohz.idle;
        let fits = |c: &CpuId| *c != cpu && self.is_idle(*c);
        let core = |c: &CpuId| cx.machine.sibling_list(*c);
        let whole = |c: &CpuId| fits(c) && core(c).iter().all(|s| self.is_idle(*s));
        let tun = self.tun();
        let of_core = (tun.kick_idle_core && tun.sched_smt).then(|| idle.iter().find(whole));
        let Some(first) = of_core.flatten().or_else(|| idle.iter().find(fits)) else {
            return;
        };
        let asked = &mut self.side_mut(first).nohz_kick;
        let pending = asked.is_some();
        *asked = Some(balances || *asked == Some(true));
        if balances && self.state().running(cpu) < 2 && self.shows_misfit(cpu) {
            let load = self.misfit_load(cpu);
            let operands = [
                i64::from(cpu.0),
                signed(load),
                signed(self.capacity(cpu)),
                0,
            ];
            cx.explain(Some(first), None, Self::REASONS.nohz_kick_misfit, operands);
        } else if balances {
            let operands = [
                i64::from(cpu.0),
                i64::from(self.state().running(cpu)),
                i64::from(self.machine().nohz.idle.count()),
                i64::from(self.busy_in_cache(cpu)),
            ];
            cx.explain(Some(first), None, Self::REASONS.nohz_kick, operands);
        }
        if !pending {
            cx.arm(cpu_timer(first), cx.now);
        }
    }

    /// Whether the averages of a CPU still contain load of sleeping tasks (`cfs_rq_has_blocked`).
    fn holds_blocked(&self, cpu: CpuId) -> bool {
        let avg = &self.root_loads(cpu).avg;
        avg.load_avg > 0 || avg.util_avg > 0
    }

    /// A CPU that found no work updates the averages of idle CPUs before it is idle itself, if it expects to be idle long
    /// enough, they are due, and no kick will do it anyway (`NOHZ_NEWILB_KICK`).
    fn freshen_others(&mut self, cx: &mut Cx<'_>, cpu: CpuId) {
        let (nohz, side) = (&self.machine().nohz, self.side(cpu));
        let cost = self.tun().migration_cost.max(0).unsigned_abs();
        let are_due = nohz.has_blocked && self.tun().jiffies(cx.now.0) >= nohz.next_blocked;
        if are_due && side.avg_idle >= cost && side.nohz_kick.is_none() {
            self.look_after_idle(cx, cpu, false);
        }
    }

    /// Runs on the CPU that was kicked.
    fn nohz_balance(&mut self, cx: &mut Cx<'_>, kicked: CpuId) {
        let Some(balances) = self.side_mut(kicked).nohz_kick.take() else {
            return;
        };
        if self.is_idle(kicked) {
            self.look_after_idle(cx, kicked, balances);
        }
    }

    /// Updates the averages of all idle CPUs, from the next one around to this one, and balances for them if asked to.
    fn look_after_idle(&mut self, cx: &mut Cx<'_>, kicked: CpuId, balances: bool) {
        let jiffies = self.tun().jiffies(cx.now.0);
        let mut next = jiffies + 60 * self.tun().hz;
        self.machine_mut().nohz.has_blocked = false;
        let mut has_blocked = false;
        let idle = self.machine().nohz.idle;
        let after = idle.iter().filter(|c| c.0 > kicked.0);
        let order: Vec<CpuId> = after
            .chain(idle.iter().filter(|c| c.0 <= kicked.0))
            .collect();
        let mut done = true;
        for cpu in order {
            if !self.is_idle(cpu) {
                continue;
            }
            if !self.is_idle(kicked) {
                (has_blocked, done) = (true, false);
                break;
            }
            if jiffies > self.side(cpu).blocked_at {
                self.update_blocked(cpu, cx.now.0);
            }
            has_blocked |= self.holds_blocked(cpu);
            if balances && jiffies >= self.side(cpu).next_balance {
                self.balance_domains(cx, cpu, Idleness::Idle);
            }
            next = next.min(self.side(cpu).next_balance);
        }
        let period = (BLOCKED_PERIOD * self.tun().hz).div_ceil(1_000);
        let nohz = &mut self.machine_mut().nohz;
        nohz.has_blocked |= has_blocked;
        if done {
            nohz.next_balance = next;
            nohz.next_blocked = jiffies + period;
        }
        self.requery_busy(cx);
    }
}

impl<S: Machine> NohzBalancing for S {}
