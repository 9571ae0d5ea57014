//! Balancing for idle CPUs without ticks.
//!
//! | item | kernel function |
//! |---|---|
//! | `goes_idle`, `leaves_idle` | `select_nohz_load_balancer` @ 2.6.34; `nohz_balance_enter_idle`, `set_cpu_sd_state_busy` @ 4.9 |
//! | `busy_tick` | `trigger_load_balance`, `find_new_ilb` @ 2.6.34 |
//! | `owner_tick` | `run_rebalance_domains` @ 2.6.34 |
//! | `kick_due`, `kick_balancer` | `nohz_kick_needed`, `nohz_balancer_kick` @ 4.9 |
//! | `nohz_balance` | `nohz_idle_balance` @ 4.9 |
//!
//! If the scenario lets idle CPUs tick, each balances for itself, and nothing in this file happens. Two assumptions:
//! all CPUs have stopped their ticks before the run begins (2.6.34), and a CPU leaves the mask (4.9) when it gets work,
//! not at its first tick after that.

use super::{Cfs, Idleness, reasons};
use crate::cfs::era::NohzRule;
use crate::linux::balance::Balancer;
use crate::linux::machine::balance::NohzBalancing;
use sim_contract::cx::Cx;
use sim_contract::flags::cpu_timer;
use sim_ground::ids::CpuId;

impl Cfs {
    /// A CPU enters its idle loop and stops its tick.
    pub(in super::super) fn goes_idle(&mut self, cx: &mut Cx<'_>, cpu: CpuId) {
        if self.ticks.of_idle() || self.topo.of[cpu.index()].is_empty() {
            return;
        }
        self.st.nohz.idle.insert(cpu);
        self.st.rq_mut(cpu).in_nohz_recently = true;
        match self.era.nohz {
            NohzRule::Owner => self.offers_itself(cx, cpu),
            // Ticks of busy CPUs may have to kick an idle CPU now.
            NohzRule::Kick | NohzRule::Shared => self.requery_busy(cx),
        }
    }

    /// A CPU leaves its idle loop. The owner's tick never stopped (2.6.34): the CPU stays the owner until that tick
    /// finds it busy.
    pub(in super::super) fn leaves_idle(&mut self, cx: &mut Cx<'_>, cpu: CpuId) {
        if !self.st.nohz.idle.contains(cpu) || self.st.nohz.owner == Some(cpu) {
            return;
        }
        self.st.nohz.idle.remove(cpu);
        if self.era.nohz == NohzRule::Kick {
            self.requery_busy(cx);
        }
    }

    /// If all CPUs are in the set, none is the owner. Otherwise a CPU that enters the set becomes the owner if there is
    /// none, and keeps its tick.
    fn offers_itself(&mut self, cx: &mut Cx<'_>, cpu: CpuId) {
        if self.all_idle() {
            if self.st.nohz.owner == Some(cpu) {
                self.st.nohz.owner = None;
            }
        } else if self.st.nohz.owner.is_none() {
            self.st.nohz.owner = Some(cpu);
            let operands = [i64::from(self.st.nohz.idle.count()), 0, 0, 0];
            cx.explain(Some(cpu), None, reasons::NOHZ_LOAD_BALANCER, operands);
        }
        // The owner's ticks matter at other times now.
        if let Some(owner) = self.st.nohz.owner {
            cx.requery(owner);
        }
    }

    fn all_idle(&self) -> bool {
        self.st.nohz.idle.count() as usize == self.st.rqs.len()
    }

    /// 2.6.34: a busy tick of a CPU that was idle before. If it was the owner, it gives that up. If there is no owner,
    /// the first CPU of the set enters the scheduler, searches for work, and becomes the owner when it is idle again.
    pub(in super::super) fn busy_tick(&mut self, cx: &mut Cx<'_>, cpu: CpuId) {
        if self.era.nohz != NohzRule::Owner || !self.st.rq(cpu).in_nohz_recently {
            return;
        }
        self.st.rq_mut(cpu).in_nohz_recently = false;
        if self.st.nohz.owner == Some(cpu) {
            self.st.nohz.owner = None;
            self.st.nohz.idle.remove(cpu);
        }
        if self.st.nohz.owner.is_none()
            && let Some(first) = self.st.nohz.idle.lowest()
        {
            let operands = [i64::from(cpu.0), i64::from(self.st.nohz.idle.count()), 0, 0];
            let why = cx.explain(Some(first), None, reasons::NOHZ_NOMINATED, operands);
            cx.kick(first, why);
        }
    }

    /// Whether the next busy tick of a CPU must check the owner.
    pub(in super::super) fn owes_busy_tick(&self, cpu: CpuId) -> bool {
        self.era.nohz == NohzRule::Owner
            && self.st.rq(cpu).in_nohz_recently
            && !self.ticks.of_idle()
    }

    /// 2.6.34: the jiffy at which a tick of the owner has work; `None` if the owner is another CPU. Only its own due
    /// time counts. It knows those of the others from its last round.
    pub(in super::super) fn owner_due(&self, cpu: CpuId) -> Option<u64> {
        if self.st.nohz.owner != Some(cpu) || self.st.rq(cpu).curr.is_some() {
            return None;
        }
        if self.all_idle() {
            return Some(0);
        }
        Some(self.st.rq(cpu).next_balance)
    }

    /// 2.6.34: a tick of the owner, which is idle. If all CPUs are idle, it stops its tick. Else it balances for itself,
    /// then for each other CPU of the set; each domain asks whether it is due, the CPU does not.
    pub(in super::super) fn owner_tick(&mut self, cx: &mut Cx<'_>, owner: CpuId) {
        if self.all_idle() {
            self.st.nohz.owner = None;
            return;
        }
        if !self.balance_due(owner, cx.now.0) {
            return;
        }
        self.rebalance_domains(cx, owner, Idleness::Idle);
        let others: Vec<CpuId> = self.st.nohz.idle.iter().filter(|c| *c != owner).collect();
        for cpu in others {
            // A task waits for the owner: the next owner does the rest.
            if self.st.rq(owner).nr_running > 0 {
                break;
            }
            self.rebalance_domains(cx, cpu, Idleness::Idle);
            let due = self.st.rq(cpu).next_balance;
            let rq = self.st.rq_mut(owner);
            rq.next_balance = rq.next_balance.min(due);
        }
        cx.requery(owner);
    }

    /// 4.9: the earliest jiffy at which a balancing for idle CPUs is due.
    pub(super) fn nohz_due(&mut self, cx: &mut Cx<'_>, due: u64) {
        if self.era.nohz == NohzRule::Kick && due < self.st.nohz.next_balance {
            self.st.nohz.next_balance = due;
            self.requery_busy(cx);
        }
    }

    /// The jiffy from which a tick of this busy CPU kicks an idle one; `None` if it does not in the present state.
    #[inline(always)]
    pub(in super::super) fn kick_due(&self, cpu: CpuId) -> Option<u64> {
        let idle = &self.st.nohz.idle;
        let none = || idle.has_none_among(self.st.rqs.len());
        if self.era.nohz != NohzRule::Kick || self.ticks.of_idle() || none() {
            return None;
        }
        let rq = self.st.rq(cpu);
        let busy = || {
            let llc = self.topo.llc[cpu.index()];
            let n = llc.iter().filter(|c| !self.st.nohz.idle.contains(*c));
            n.count() > 1
        };
        (rq.nr_running >= 2 || busy()).then_some(self.st.nohz.next_balance)
    }

    /// 4.9: a busy tick kicks the first idle CPU.
    pub(in super::super) fn kick_balancer(&mut self, cx: &mut Cx<'_>, cpu: CpuId) {
        let comes = |due| self.st.tun.has_come(due, cx.now.0);
        if !self.kick_due(cpu).is_some_and(comes) {
            return;
        }
        if let Some(first) = self.st.nohz.idle.lowest() {
            self.st.nohz.next_balance += 1;
            let operands = [
                i64::from(cpu.0),
                i64::from(self.st.rq(cpu).nr_running),
                i64::from(self.st.nohz.idle.count()),
                0,
            ];
            cx.explain(Some(first), None, reasons::NOHZ_KICK, operands);
            cx.arm(cpu_timer(first), cx.now);
        }
    }

    /// `nohz_idle_balance`, on the CPU that was kicked: balances for all other CPUs that are due, then for itself. If it
    /// has got work since, the kick is void (`got_nohz_idle_kick`).
    pub(in super::super) fn nohz_balance(&mut self, cx: &mut Cx<'_>, kicked: CpuId) {
        if self.is_shared() {
            NohzBalancing::nohz_balance(self, cx, kicked);
            return;
        }
        if !self.st.nohz.idle.contains(kicked) || !self.idle_cpu(kicked) {
            return;
        }
        let now = cx.now.0;
        let jiffies = self.st.tun.jiffies(now);
        // Only a CPU that was looked at says when balancing is due again. Else it is due as soon as the kick has it.
        let mut next = None;
        let others: Vec<CpuId> = self.st.nohz.idle.iter().filter(|c| *c != kicked).collect();
        for cpu in others {
            if !self.idle_cpu(cpu) {
                continue;
            }
            if self.st.rq(kicked).nr_running > 0 {
                break;
            }
            if jiffies >= self.st.rq(cpu).next_balance {
                self.update_idle_load(cpu, now);
                self.rebalance_domains(cx, cpu, Idleness::Idle);
            }
            let due = self.st.rq(cpu).next_balance;
            next = Some(next.map_or(due, |n: u64| n.min(due)));
        }
        if let Some(next) = next {
            self.st.nohz.next_balance = next;
        }
        // For itself it examines each domain, whatever its next due time was. It may lower the time for all.
        self.rebalance_domains(cx, kicked, Idleness::Idle);
        self.requery_busy(cx);
    }
}
