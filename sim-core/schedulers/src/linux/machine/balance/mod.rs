//! Balancing: when each domain is examined, and what is done about the result.
//!
//! | item | kernel function @ 6.12 |
//! |---|---|
//! | `balance_tick` | `sched_balance_trigger`, `sched_balance_softirq` |
//! | `balance_domains` | `sched_balance_domains` |
//! | `load_balance` | `sched_balance_rq` |
//! | [`groups`], [`decide`], [`busiest`] | `sched_balance_find_src_group`, `sched_balance_find_src_rq` and their helpers |
//! | [`moving`] | `can_migrate_task`, `detach_tasks`, `attach_tasks`, active balance |
//! | [`newidle`] | `sched_balance_newidle` |
//! | [`nohz`] | idle CPUs without ticks |
//!
//! Deviations: balancing takes no time, so levels that serialise are never found locked, and each attempt of a CPU that
//! becomes idle is charged a constant. Asymmetric packing and energy are omitted, and so is capacity that other work
//! takes.

mod busiest;
mod decide;
mod groups;
mod moving;
mod newidle;
mod nohz;
mod state;

use super::Machine;
use super::caches::Gathering;
use super::capacity::Fitting;
use super::select::Selects;
use crate::linux::balance::{Idleness, Moved, stretched};
use crate::linux::clock::LastTicks;
use crate::linux::signed;
use crate::linux::tables::Tables;
use sim_contract::cx::Cx;
use sim_ground::ids::{CpuId, CpuMask};
use sim_ground::time::SimTime;

pub(crate) use busiest::Busiest;
pub(crate) use decide::{Migration, numa_imbalance};
pub(crate) use groups::{Kind, Stats};
pub(crate) use moving::Moving;
pub(crate) use newidle::NewidleBalancing;
pub(crate) use nohz::NohzBalancing;
pub(crate) use state::{Cache, CpuSide, MachineSide};

/// One attempt to balance a domain (`struct lb_env`).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempt {
    /// The CPU to which tasks move.
    pub(crate) cpu: CpuId,
    /// The CPU whose domain is balanced.
    pub(crate) owner: CpuId,
    /// Level of the domain, from the inside out.
    pub(crate) level: usize,
    pub(crate) idle: Idleness,
    /// The unit of the move, and the amount that is left to move.
    pub(crate) migration: Migration,
    pub(crate) imbalance: i64,
    /// CPUs from which tasks may move.
    pub(crate) from: CpuMask,
}

impl Attempt {
    /// The number of its level for people: the innermost is 1.
    pub(crate) fn number(&self) -> i64 {
        i64::try_from(self.level + 1).unwrap_or(i64::MAX)
    }
}

/// A scheduler that balances by types of groups.
pub(crate) trait GroupBalancing: Selects {
    fn domain_count(&self, cpu: CpuId) -> usize {
        self.domains().of[cpu.index()].len()
    }

    /// A domain's interval in jiffies (`get_sd_balance_interval`).
    fn interval(&self, cpu: CpuId, level: usize, busy: bool) -> u64 {
        let domain = &self.domains().of[cpu.index()][level];
        let ms = self.side(cpu).domains[level].interval;
        let most = self.tun().hz * self.domains().of.len() as u64 / 10;
        interval_in_jiffies(ms, busy.then_some(domain.busy_factor), self.tun().hz, most)
    }

    /// The balancing in a tick: the CPU may kick an idle CPU, then balances its own domains.
    fn balance_tick(&mut self, cx: &mut Cx<'_>, cpu: CpuId) {
        if self.state().current(cpu).is_some() {
            self.kick_balancer(cx, cpu);
        }
        if self.balance_due(cpu, cx.now.0) {
            let idle = if self.is_idle(cpu) {
                Idleness::Idle
            } else {
                Idleness::Busy
            };
            self.update_blocked(cpu, cx.now.0);
            self.balance_domains(cx, cpu, idle);
        }
    }

    /// Before the first task: builds the state of the domains, which are now known.
    fn start_balance(&mut self, _: &Cx<'_>) {
        let domains = self.domains();
        let (cpus, mut built) = (domains.of.len(), self.machine().clone());
        built.build(domains);
        *self.machine_mut() = built;
        for cpu in (0..cpus).map(CpuId::new) {
            let states = state::domain_states(&self.domains().of[cpu.index()]);
            self.side_mut(cpu).domains = states;
        }
        if !self.idle_ticks() {
            // All CPUs stopped their ticks before the run.
            self.machine_mut().nohz.idle = CpuMask::first(cpus);
        }
    }

    /// Whether a jiffy has begun.
    fn has_come(&self, jiffy: u64, now: u64) -> bool {
        now >= jiffy * self.tun().jiffy_ns
    }

    /// Whether a domain of this CPU is due.
    fn balance_due(&self, cpu: CpuId, now: u64) -> bool {
        self.domain_count(cpu) > 0 && self.has_come(self.side(cpu).next_balance, now)
    }

    /// The time in ns at which a tick of a CPU must balance or kick another CPU, in the present state; [`SimTime::NEVER`] if it
    /// has no domains.
    #[inline]
    fn balance_matters_at(&self, cpu: CpuId) -> u64 {
        if self.domain_count(cpu) == 0 {
            return SimTime::NEVER.0;
        }
        if self.ticks_tell_misfit(cpu) {
            return 0;
        }
        let own = self.side(cpu).next_balance;
        let kick = self.state().current(cpu).and_then(|_| self.kick_due(cpu));
        kick.map_or(own, |k| k.min(own)) * self.tun().jiffy_ns
    }

    /// `sched_balance_domains`.
    fn balance_domains(&mut self, cx: &mut Cx<'_>, cpu: CpuId, idle: Idleness) {
        let hz = self.tun().hz;
        let jiffies = self.tun().jiffies(cx.now.0);
        let mut idle = idle;
        let mut busy = idle != Idleness::Idle && !self.runs_idle_policy_only(cpu);
        let mut earliest = jiffies + 60 * hz;
        let (mut in_charge, mut decayed, mut cost) = (true, false, 0);
        for level in 0..self.domain_count(cpu) {
            let newidle = &mut self.side_mut(cpu).domains[level].newidle;
            decayed = newidle.cost(0, jiffies, hz);
            cost += newidle.max_cost;
            if !in_charge {
                if decayed {
                    continue;
                }
                break;
            }
            let mut interval = self.interval(cpu, level, busy);
            if jiffies >= self.side(cpu).domains[level].last_balance + interval {
                if self.load_balance(cx, cpu, level, idle, &mut in_charge) {
                    // A task may have gone to another CPU of the group.
                    idle = if self.is_idle(cpu) {
                        Idleness::Idle
                    } else {
                        Idleness::Busy
                    };
                    busy = idle != Idleness::Idle && !self.runs_idle_policy_only(cpu);
                }
                self.side_mut(cpu).domains[level].last_balance = jiffies;
                interval = self.interval(cpu, level, busy);
            }
            let due = self.side(cpu).domains[level].last_balance + interval;
            earliest = earliest.min(due);
        }
        let least = self.tun().migration_cost.max(0).unsigned_abs();
        let side = self.side_mut(cpu);
        if decayed {
            side.max_idle_balance_cost = cost.max(least);
        }
        side.next_balance = earliest;
        cx.requery(cpu);
    }

    /// The CPU that balances a level for its group (`should_we_balance`): the first CPU of an idle core among the
    /// allowed CPUs, else the first idle CPU, else the first.
    fn in_charge(&self, cx: &Cx<'_>, a: &Attempt) -> CpuId {
        let domain = &self.domains().of[a.owner.index()][a.level];
        let group = &self.domains().groups[domain.groups[0]];
        let mut half_idle: Option<CpuId> = None;
        for cpu in group.balancers.iter().copied() {
            if !a.from.contains(cpu) || !self.is_idle(cpu) {
                continue;
            }
            let siblings = cx.machine.sibling_list(cpu);
            let tun = self.tun();
            let whole = tun.rules.prefers_idle_core && tun.sched_smt && !domain.flags.share_power;
            if whole && !siblings.iter().all(|s| *s == cpu || self.is_idle(*s)) {
                half_idle = half_idle.or(Some(cpu));
                continue;
            }
            return cpu;
        }
        let first = || group.balancers.first().copied();
        half_idle.or_else(first).unwrap_or(a.cpu)
    }

    /// `sched_balance_rq`. Returns whether tasks moved.
    fn load_balance(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        level: usize,
        idle: Idleness,
        in_charge: &mut bool,
    ) -> bool {
        self.machine_mut().counters.balances += 1;
        let mut a = Attempt {
            cpu,
            owner: cpu,
            level,
            idle,
            migration: Migration::Tasks,
            imbalance: 0,
            from: self.domains().of[cpu.index()][level].span,
        };
        let mut moved = Moved::default();
        let mut looked = false;
        let src = loop {
            if idle != Idleness::New {
                let balancer = self.in_charge(cx, &a);
                if balancer != a.cpu {
                    let operands = [a.number(), i64::from(balancer.0), 0, 0];
                    cx.explain(Some(cpu), None, Self::REASONS.not_in_charge, operands);
                    *in_charge = false;
                    break None;
                }
            } else if self.state().running(cpu) > 0 {
                *in_charge = false;
                break None;
            }
            if !looked {
                self.look_at(cpu, level, cx.now.0);
                looked = true;
            }
            let Some(group) = self.find_busiest_group(cx, &mut a) else {
                break None;
            };
            let Some(src) = self.find_busiest_queue(cx, &a, group) else {
                break None;
            };
            // True until an examined task turns out to be movable; a queue with one task is not examined.
            moved.all_pinned = true;
            if self.state().running(src) > 1 {
                self.move_tasks(cx, &mut a, src, &mut moved);
                if moved.some_pinned && a.imbalance > 0 {
                    self.mark_parent(cpu, level, true);
                }
                if moved.all_pinned {
                    a.from.remove(src);
                    let own = self.domains().of[cpu.index()][level].groups[0];
                    let own = &self.domains().groups[own].balancers;
                    if a.from.iter().all(|c| own.contains(&c)) {
                        return self.all_pinned(cx, &a, src);
                    }
                    continue;
                }
            }
            break Some(src);
        };
        let Some(src) = src else {
            if !moved.all_pinned {
                self.mark_parent(cpu, level, false);
            }
            self.stretch(&a, moved.all_pinned, true);
            return false;
        };
        if moved.count > 0 {
            let failed = self.side(cpu).domains[level].nr_balance_failed;
            let operands = [
                i64::from(src.0),
                i64::from(moved.count),
                i64::from(failed),
                a.number(),
            ];
            cx.explain(Some(cpu), None, Self::REASONS.tasks_pulled, operands);
            self.side_mut(cpu).domains[level].nr_balance_failed = 0;
            self.relax(cpu, level);
            return true;
        }
        self.nothing_moved(cx, &a, src, &moved);
        false
    }

    /// None of the examined tasks may move.
    fn all_pinned(&mut self, cx: &mut Cx<'_>, a: &Attempt, src: CpuId) -> bool {
        self.stretch(a, true, true);
        let interval = self.side(a.owner).domains[a.level].interval;
        let tasks = i64::from(self.state().running(src));
        let operands = [i64::from(src.0), tasks, signed(interval), a.number()];
        cx.explain(Some(a.owner), None, Self::REASONS.all_pinned, operands);
        false
    }

    /// No task could be moved: after some failures the running task is pushed.
    fn nothing_moved(&mut self, cx: &mut Cx<'_>, a: &Attempt, src: CpuId, moved: &Moved) {
        let (cpu, level) = (a.owner, a.level);
        let tries = self.domains().of[cpu.index()][level].cache_nice_tries;
        let fails = !self.forgives(a);
        let state = &mut self.side_mut(cpu).domains[level];
        if a.idle != Idleness::New && !moved.keeps_cache && fails {
            state.nr_balance_failed += 1;
        }
        let failed = state.nr_balance_failed;
        let due = match a.migration {
            Migration::Cache | Migration::Misfit => true,
            Migration::Tasks => failed > tries + 2,
            Migration::Load | Migration::Util => false,
        };
        if due && self.cache_holds(cx, a, src) {
            self.relax(cpu, level);
            return;
        }
        let needs_push = due;
        if !needs_push {
            let operands = [
                i64::from(src.0),
                i64::from(failed),
                i64::from(tries + 2),
                a.number(),
            ];
            cx.explain(Some(cpu), None, Self::REASONS.lb_failed, operands);
            self.relax(cpu, level);
            return;
        }
        let curr = self.state().current(src);
        if curr.is_some_and(|t| !cx.task(t).allowed.contains(cpu)) {
            self.stretch(a, moved.all_pinned, false);
            let operands = [i64::from(src.0), i64::from(failed), a.number(), 0];
            cx.explain(
                Some(cpu),
                curr,
                Self::REASONS.active_balance_pinned,
                operands,
            );
            return;
        }
        self.push_later(cx, a, src);
        // The domain is as unbalanced as before, so the failures still count.
        self.relax(cpu, level);
    }

    /// Whether an attempt in vain says nothing about the load of the domain: a task that does not fit was looked for.
    fn forgives(&self, a: &Attempt) -> bool {
        a.migration == Migration::Misfit && self.tun().rules.misfit_by_size
    }

    /// The domain was unbalanced: the next balancing comes soon.
    fn relax(&mut self, cpu: CpuId, level: usize) {
        let least = self.domains().of[cpu.index()][level].min_interval;
        self.side_mut(cpu).domains[level].interval = least;
    }

    /// The domain was balanced, or cannot be: the next balancing comes later. New-idle balancing ignores intervals, so
    /// it does not call this.
    fn stretch(&mut self, a: &Attempt, pinned: bool, forget_failures: bool) {
        let most = self.domains().of[a.owner.index()][a.level].max_interval;
        let counts = a.idle != Idleness::New && !self.forgives(a);
        let state = &mut self.side_mut(a.owner).domains[a.level];
        if forget_failures {
            state.nr_balance_failed = 0;
        }
        if counts {
            state.interval = stretched(state.interval, most, pinned);
        }
    }

    /// Records at the level above whether pinned tasks prevented balancing.
    fn mark_parent(&mut self, cpu: CpuId, level: usize, imbalanced: bool) {
        let parent = self.domains().of[cpu.index()].get(level + 1);
        if let Some(group) = parent.map(|parent| parent.groups[0]) {
            self.machine_mut().imbalanced[group] = imbalanced;
        }
    }

    /// A task arrived: if a CPU has two or more, others may pull (`add_nr_running`).
    fn note_arrival(&mut self, cpu: CpuId) {
        if self.state().running(cpu) >= 2 {
            self.machine_mut().overloaded = true;
        }
    }
}

impl<S: Machine> GroupBalancing for S {}

/// An interval of `ms` in jiffies. On a busy CPU it is longer, and never a multiple of another level's.
fn interval_in_jiffies(ms: u64, busy: Option<u64>, hz: u64, most: u64) -> u64 {
    let jiffies = (ms * busy.unwrap_or(1) * hz).div_ceil(1_000);
    let less = u64::from(busy.is_some());
    // An interval of a millisecond is a jiffy at least.
    (jiffies - less).clamp(1, most.max(1))
}

#[cfg(test)]
mod tests {
    use super::interval_in_jiffies;

    /// Fact 82: 8 CPUs of one cache, and the level of 32 CPUs of four nodes.
    #[test]
    fn busy_cpus_balance_one_jiffy_before_sixteen_intervals() {
        assert_eq!(interval_in_jiffies(8, Some(16), 1_000, 800), 127);
        assert_eq!(interval_in_jiffies(8, Some(16), 250, 200), 31);
        assert_eq!(interval_in_jiffies(32, Some(16), 1_000, 3_200), 511);
        assert_eq!(interval_in_jiffies(8, None, 1_000, 800), 8);
        assert_eq!(interval_in_jiffies(2, None, 100, 80), 1);
        assert_eq!(
            interval_in_jiffies(64, Some(16), 1_000, 100),
            100,
            "HZ x CPUs / 10"
        );
    }
}
