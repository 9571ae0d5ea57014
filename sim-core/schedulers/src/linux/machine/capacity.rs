//! CPUs of different capacities (big and little cores): what fits where, and the clock of averages on a small CPU.
//!
//! | item | kernel function @ 6.12 |
//! |---|---|
//! | [`Capacities::clock`] | `rq_clock_pelt`, `update_rq_clock_pelt` |
//! | [`Capacities::rests`], [`Capacities::works`] | `update_idle_rq_clock_pelt` |
//! | [`fits`], [`Fitting::task_fits`] | `fits_capacity`, `util_fits_cpu`, `task_fits_cpu` |
//! | `note_misfit` | `update_misfit_status` |
//! | `sync_avg` | `sync_entity_load_avg` |
//! | [`is_greater`] | `capacity_greater` |
//!
//! A capacity is a number of the machine. On a machine whose CPUs all have the same, nothing in this file happens.
//!
//! Deviations: the clock of a small CPU is rounded once for each busy period, not at each update. A CPU works at the
//! clock for which its capacity holds. There are no clamps of utilisation (uclamp), and heat takes no capacity.

use super::Machine;
use super::pelt::Counts;
use crate::linux::machine::pelt::MIN_DIVIDER;
use crate::linux::pelt::MAX;
use crate::linux::tables::Tables;
use serde::{Deserialize, Serialize};
use sim_contract::cx::Cx;
use sim_ground::ids::{CpuId, TaskId};
use sim_machine::views::linux::{Domains, FULL_POWER};

sim_ground::constants! {
    /// A task fits a CPU if it uses less than four fifths of it: its utilisation times this is below the capacity.
    FIT_MARGIN: u64 = 1_280, "1024ths", Published, "fits_capacity @ Linux 6.1, 6.12";
    /// A capacity is greater than another if it is so by five per cent.
    GREATER_MARGIN: u64 = 1_078, "1024ths", Published, "capacity_greater @ Linux 6.1, 6.12";
}

/// A root queue with this sum of running time was always busy, and has no idle time to give back.
const ALWAYS_BUSY: u64 = (MIN_DIVIDER << 10) - MAX;

/// Whether a utilisation leaves a fifth of a capacity free.
pub(crate) fn fits(util: u64, capacity: u64) -> bool {
    util * FIT_MARGIN < capacity * FULL_POWER
}

/// Whether a capacity is noticeably greater than another.
pub(crate) fn is_greater(a: u64, b: u64) -> bool {
    a * FULL_POWER > b * GREATER_MARGIN
}

/// What the machine keeps of a CPU.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Side {
    capacity: u64,
    /// Load of its running task if that does not fit (`misfit_task_load`); else 0.
    misfit: u64,
    /// Whether it works now; then the time since when, and what its clock showed then.
    works: Option<[u64; 2]>,
    /// By how much its clock stays behind the time while it rests (`lost_idle_time`).
    lost: u64,
}

/// What the machine keeps if its CPUs have different capacities.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Capacities {
    cpus: Vec<Side>,
    /// The largest capacity.
    most: u64,
}

impl Capacities {
    /// `None` if all CPUs have the same.
    pub(crate) fn new(domains: &Domains) -> Option<Box<Self>> {
        let side = |capacity: &u64| Side {
            capacity: *capacity,
            misfit: 0,
            works: None,
            lost: 0,
        };
        domains.has_capacities().then(|| {
            Box::new(Self {
                cpus: domains.power.iter().map(side).collect(),
                most: domains.power.iter().copied().max().unwrap_or(FULL_POWER),
            })
        })
    }

    /// The clock of averages on a CPU. While it works, the clock goes as fast as the CPU does work; while it rests, it
    /// shows the time.
    pub(crate) fn clock(&self, cpu: CpuId, now: u64) -> u64 {
        let side = &self.cpus[cpu.index()];
        match side.works {
            Some([since, shown]) => {
                shown.saturating_add(now.saturating_sub(since) * side.capacity / FULL_POWER)
            }
            // It was lost in this time.
            None => now.saturating_sub(side.lost),
        }
    }

    /// Takes a saved state, unless it is of another machine.
    pub(crate) fn restore(&mut self, saved: Self) -> bool {
        let own = self.cpus.iter().map(|side| side.capacity);
        let same = saved.cpus.iter().map(|side| side.capacity).eq(own);
        if same {
            self.cpus = saved.cpus;
        }
        same
    }

    /// Whether the clock of a CPU is not always the time.
    pub(crate) fn is_slow(&self, cpu: CpuId) -> bool {
        self.cpus[cpu.index()].capacity < FULL_POWER
    }

    /// A CPU begins to work.
    fn works(&mut self, cpu: CpuId, now: u64) {
        let shown = self.clock(cpu, now);
        let side = &mut self.cpus[cpu.index()];
        side.works = side.works.or(Some([now, shown]));
    }

    /// A CPU has no work any more: its clock jumps to the time, unless it was always busy.
    fn rests(&mut self, cpu: CpuId, now: u64, util_sum: u64) {
        let shown = self.clock(cpu, now);
        let side = &mut self.cpus[cpu.index()];
        if side.works.take().is_some() && util_sum >= ALWAYS_BUSY {
            side.lost = now.saturating_sub(shown);
        }
    }

    /// The load of the task that does not fit the CPU on which it runs.
    pub(crate) fn misfit(&self, cpu: CpuId) -> u64 {
        self.cpus[cpu.index()].misfit
    }

    fn is_largest(&self, cpu: CpuId) -> bool {
        self.cpus[cpu.index()].capacity == self.most
    }
}

/// A scheduler that knows which tasks fit which CPUs.
pub(crate) trait Fitting: Machine {
    /// Whether CPUs have different capacities.
    #[inline]
    fn knows_capacities(&self) -> bool {
        self.capacities().is_some()
    }

    /// A CPU begins to work.
    #[inline]
    fn clock_works(&mut self, cpu: CpuId, now: u64) {
        if let Some(capacities) = self.capacities_mut() {
            capacities.works(cpu, now);
        }
    }

    /// A CPU rests.
    #[inline]
    fn clock_rests(&mut self, cpu: CpuId, now: u64) {
        if self.knows_capacities() {
            let sum = self.root_loads(cpu).avg.util_sum;
            if let Some(capacities) = self.capacities_mut() {
                capacities.rests(cpu, now, sum);
            }
        }
    }

    /// The capacity of a CPU.
    fn capacity(&self, cpu: CpuId) -> u64 {
        self.domains().power[cpu.index()]
    }

    /// Whether a task leaves a fifth of a CPU free.
    fn task_fits(&self, task: TaskId, cpu: CpuId) -> bool {
        fits(self.task_util_est(task), self.capacity(cpu))
    }

    /// The expected utilisation of a task that wakes; `None` if it does not matter.
    fn need_of(&mut self, task: TaskId) -> Option<u64> {
        self.knows_capacities().then(|| {
            self.sync_avg(task);
            self.task_util_est(task)
        })
    }

    /// Brings the averages of a sleeping task up to the last update of its queue.
    fn sync_avg(&mut self, task: TaskId) {
        let e = self.entity_of(task);
        let spot = self.spot(e);
        let at = self.loads(spot.queue).avg.last_update;
        let avg = self.avg_mut(e);
        if avg.last_update != 0 && avg.advance(at, Counts::NONE) {
            avg.weigh(spot.load);
        }
    }

    /// The load of the task that runs on a CPU and does not fit; 0 if it fits.
    #[inline]
    fn misfit_load(&self, cpu: CpuId) -> u64 {
        let capacities = self.capacities();
        capacities.map_or(0, |c| c.misfit(cpu))
    }

    /// Whether the task that a CPU runs makes others look for a larger CPU (`check_misfit_status`).
    fn shows_misfit(&self, cpu: CpuId) -> bool {
        let capacities = self.capacities();
        capacities.is_some_and(|c| c.misfit(cpu) > 0 && !c.is_largest(cpu))
    }

    /// Whether each tick of a CPU may find that its task does not fit any more.
    fn ticks_tell_misfit(&self, cpu: CpuId) -> bool {
        let capacities = self.capacities();
        capacities.is_some_and(|c| !self.tun().rules.misfit_by_size || !c.is_largest(cpu))
            && self.state().current(cpu).is_some()
    }

    /// A CPU runs a fair task, or none: whether that task fits.
    #[inline]
    fn note_misfit(&mut self, cx: &Cx<'_>, cpu: CpuId, task: Option<TaskId>) {
        if self.knows_capacities() {
            let load = task.map_or(0, |task| self.load_if_misfit(cx, cpu, task));
            if let Some(capacities) = self.capacities_mut() {
                capacities.cpus[cpu.index()].misfit = load;
            }
        }
    }

    /// The load of a task if it does not fit its CPU and may go to a larger one. Up to 6.1 those count, too, that run on
    /// one of the largest.
    fn load_if_misfit(&mut self, cx: &Cx<'_>, cpu: CpuId, task: TaskId) -> u64 {
        let allowed = cx.task(task).allowed;
        let largest = allowed.iter().map(|c| self.capacity(c)).max();
        let at_best = self.tun().rules.misfit_by_size && largest == Some(self.capacity(cpu));
        if allowed.count() == 1 || at_best || self.task_fits(task, cpu) {
            return 0;
        }
        self.task_h_load(task, cx.now.0).max(1)
    }
}

impl<S: Machine> Fitting for S {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_fits_if_it_uses_less_than_four_fifths() {
        assert!(fits(394, 493));
        assert!(!fits(395, 493));
        assert!(fits(819, 1_024));
        assert!(!fits(820, 1_024));
    }

    #[test]
    fn a_capacity_is_greater_by_five_per_cent() {
        assert!(is_greater(1_024, 972));
        assert!(!is_greater(1_024, 973));
    }

    fn little() -> Capacities {
        let side = |capacity| Side {
            capacity,
            misfit: 0,
            works: None,
            lost: 0,
        };
        Capacities {
            cpus: vec![side(512), side(1_024)],
            most: 1_024,
        }
    }

    #[test]
    fn the_clock_of_a_small_cpu_goes_slower_and_is_right_again_when_it_rests() {
        let (mut c, cpu) = (little(), CpuId(0));
        c.works(cpu, 1_000);
        assert_eq!(c.clock(cpu, 3_000), 2_000);
        c.works(cpu, 2_000);
        assert_eq!(c.clock(cpu, 3_000), 2_000, "it works already");
        c.rests(cpu, 3_000, ALWAYS_BUSY - 1);
        assert_eq!(c.clock(cpu, 3_500), 3_500);
        c.works(CpuId(1), 1_000);
        assert_eq!(c.clock(CpuId(1), 3_000), 3_000, "a full one shows the time");
    }

    #[test]
    fn a_cpu_that_was_always_busy_gives_no_idle_time_back() {
        let (mut c, cpu) = (little(), CpuId(0));
        c.works(cpu, 0);
        c.rests(cpu, 2_000, ALWAYS_BUSY);
        assert_eq!(c.clock(cpu, 2_000), 1_000);
        assert_eq!(c.clock(cpu, 5_000), 4_000);
    }
}
