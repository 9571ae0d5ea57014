//! CPU time that is idle although a thread waits which may use it.

use super::Ledger;
use serde::{Deserialize, Serialize};
use sim_contract::Scheduler;
use sim_contract::cx::TaskInfo;
use sim_ground::ids::{CpuId, CpuMask, TaskId};
use sim_ground::time::SimTime;

/// Waiting tasks and idle CPUs now, and CPU time that was idle while a task waited.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Waste {
    waiting: u32,
    idle: u32,
    since: SimTime,
    pub(super) idle_while_waiting_ns: u64,
}

impl Waste {
    pub(super) fn all_idle(cpus: usize) -> Self {
        Self {
            waiting: 0,
            idle: u32::try_from(cpus).unwrap_or(0),
            since: SimTime::ZERO,
            idle_while_waiting_ns: 0,
        }
    }

    pub(super) fn fits(&self, now: SimTime, waiting: usize, idle: usize) -> bool {
        self.since <= now && self.waiting as usize == waiting && self.idle as usize == idle
    }
}

/// The waiting tasks that may not use every CPU. They follow from the state, and are kept because usually there are none.
#[derive(Debug)]
pub(super) struct Limited {
    cpus: usize,
    waiting: Vec<TaskId>,
    /// Limits of control groups, or of real time, may keep tasks from running anywhere.
    has_limits: bool,
}

impl Limited {
    pub(super) fn new(cpus: usize, has_limits: bool) -> Self {
        Self {
            cpus,
            waiting: Vec::new(),
            has_limits,
        }
    }

    /// Notes a waiting task if it may not use every CPU.
    #[inline]
    fn note(&mut self, task: TaskId, allowed: &CpuMask) {
        if !allowed.has_all_among(self.cpus) {
            self.waiting.push(task);
        }
    }

    #[inline]
    fn forget(&mut self, task: TaskId) {
        if let Some(at) = self.waiting.iter().position(|t| *t == task) {
            self.waiting.swap_remove(at);
        }
    }
}

/// Waste has been counted up to now. Only who has this may say that the waiting tasks, their CPUs or the idle CPUs change:
/// what was so up to now is lost afterwards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted(());

/// What tasks and CPUs do, as far as waste depends on it.
pub(crate) struct Scene<'a, W: Fn(TaskId) -> bool> {
    /// Whether a task waits for a CPU.
    pub(crate) waits: W,
    pub(crate) infos: &'a [TaskInfo],
    pub(crate) curr: &'a [Option<TaskId>],
    pub(crate) sched: &'a dyn Scheduler,
}

impl<W: Fn(TaskId) -> bool> Scene<'_, W> {
    /// The tasks that wait for a CPU.
    fn waiting(&self) -> impl Iterator<Item = TaskId> {
        let tasks = (0..self.infos.len()).map(TaskId::new);
        tasks.filter(|task| (self.waits)(*task))
    }

    /// The number of waiting tasks that a limit keeps from running anywhere.
    fn held_back(&self) -> u32 {
        let held = self.waiting().filter(|t| self.sched.is_throttled(*t));
        u32::try_from(held.count()).unwrap_or(u32::MAX)
    }
}

impl Ledger {
    /// Whether limits may keep tasks from running anywhere.
    #[inline]
    pub(crate) fn has_limits(&self) -> bool {
        self.limited.has_limits
    }

    /// Adds up idle CPU time while tasks wait.
    #[inline]
    pub(crate) fn count_waste(
        &mut self,
        now: SimTime,
        scene: &Scene<'_, impl Fn(TaskId) -> bool>,
    ) -> Counted {
        let span = now.since(self.totals.waste.since).0;
        if span > 0 {
            let pairs = self.idle_pairs(scene);
            let waste = &mut self.totals.waste;
            waste.idle_while_waiting_ns += span * u64::from(pairs);
            waste.since = now;
        }
        Counted(())
    }

    /// One more task waits. It may use these CPUs.
    #[inline]
    pub(crate) fn task_waits(&mut self, _: Counted, task: TaskId, allowed: &CpuMask) {
        self.totals.waste.waiting += 1;
        self.limited.note(task, allowed);
    }

    /// A task waits no longer.
    #[inline]
    pub(crate) fn task_ceases_to_wait(&mut self, _: Counted, task: TaskId) {
        self.totals.waste.waiting -= 1;
        self.limited.forget(task);
    }

    /// A waiting task may use other CPUs from now on.
    pub(crate) fn waiting_task_may_use(&mut self, _: Counted, task: TaskId, allowed: &CpuMask) {
        self.limited.forget(task);
        self.limited.note(task, allowed);
    }

    /// A CPU has something to do from now on.
    #[inline]
    pub(crate) fn cpu_is_busy(&mut self, _: Counted, cpu: CpuId, now: SimTime) {
        self.totals.cpus[cpu.index()].add_up(false, now);
        self.totals.waste.idle -= 1;
    }

    /// A CPU has nothing to do from now on.
    #[inline]
    pub(crate) fn cpu_idles(&mut self, _: Counted, cpu: CpuId, now: SimTime) {
        self.totals.cpus[cpu.index()].add_up(true, now);
        self.totals.waste.idle += 1;
    }

    /// Number of waiting tasks, and of idle CPUs.
    pub(crate) fn waiting_and_idle(&self) -> (u32, u32) {
        (self.totals.waste.waiting, self.totals.waste.idle)
    }

    /// Finds the waiting tasks that may not use every CPU anew, after totals were restored.
    pub(crate) fn find_limits(&mut self, scene: &Scene<'_, impl Fn(TaskId) -> bool>) {
        self.limited.waiting.clear();
        for task in scene.waiting() {
            self.limited.note(task, &scene.infos[task.index()].allowed);
        }
    }

    /// The largest number of idle CPUs that could each run another waiting task.
    #[inline]
    fn idle_pairs(&self, scene: &Scene<'_, impl Fn(TaskId) -> bool>) -> u32 {
        let Waste { waiting, idle, .. } = self.totals.waste;
        let most = idle.min(waiting);
        if most == 0 {
            return 0;
        }
        self.some_pairs(most, waiting, scene)
    }

    fn some_pairs(
        &self,
        most: u32,
        waiting: u32,
        scene: &Scene<'_, impl Fn(TaskId) -> bool>,
    ) -> u32 {
        let has_limits = self.limited.has_limits;
        let ready = waiting - if has_limits { scene.held_back() } else { 0 };
        let most = most.min(ready);
        if most == 0 || self.limited.waiting.is_empty() {
            return most;
        }
        let cpus = scene.curr.len();
        let idle = (0..cpus).filter(|c| scene.curr[*c].is_none());
        let idle: CpuMask = idle.map(CpuId::new).collect();
        let waiting = self.limited.waiting.iter();
        let limited = waiting
            .filter(|t| !(has_limits && scene.sched.is_throttled(**t)))
            .map(|t| scene.infos[t.index()].allowed.and(&idle));
        let limited: Vec<CpuMask> = limited.collect();
        let others = ready - u32::try_from(limited.len()).unwrap_or(0);
        most.min(Places::find(&limited, cpus) + others)
    }
}

/// Places for tasks: at most one on each CPU, each where it may be.
struct Places<'a> {
    cpus: usize,
    may_use: &'a [CpuMask],
    /// The task on each CPU.
    taken: Vec<Option<usize>>,
    /// CPUs whose task has no other place. They stay so until one more task has found a place.
    stuck: CpuMask,
}

impl<'a> Places<'a> {
    /// The largest number of tasks that find a place at once.
    fn find(may_use: &'a [CpuMask], cpus: usize) -> u32 {
        let mut places = Self {
            cpus,
            may_use,
            taken: vec![None; cpus],
            stuck: CpuMask::EMPTY,
        };
        let mut found = 0;
        for task in 0..may_use.len() {
            if places.seat(task) {
                found += 1;
                places.stuck = CpuMask::EMPTY;
            }
        }
        found
    }

    /// Finds a place for a task; others may go elsewhere for it.
    fn seat(&mut self, task: usize) -> bool {
        let may_use = self.may_use;
        for cpu in may_use[task].among(self.cpus) {
            if self.stuck.contains(cpu) {
                continue;
            }
            self.stuck.insert(cpu);
            if self.taken[cpu.index()].is_none_or(|other| self.seat(other)) {
                self.taken[cpu.index()] = Some(task);
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(cpus: usize, may_use: &[&[u16]]) -> u32 {
        let masks = may_use
            .iter()
            .map(|cpus| cpus.iter().map(|c| CpuId(*c)).collect());
        Places::find(&masks.collect::<Vec<CpuMask>>(), cpus)
    }

    #[test]
    fn each_task_finds_a_place_if_others_can_make_room() {
        assert_eq!(places(4, &[]), 0);
        assert_eq!(places(4, &[&[], &[2]]), 1, "nothing idle for the first");
        assert_eq!(places(4, &[&[1], &[1], &[1]]), 1);
        assert_eq!(places(4, &[&[0, 1], &[0]]), 2, "the first makes room");
        assert_eq!(places(4, &[&[0, 1], &[1, 2], &[2, 3], &[0], &[1]]), 4);
        assert_eq!(places(4, &[&[0, 1], &[0, 1], &[0, 1], &[3]]), 3);
        assert_eq!(places(200, &[&[0, 199], &[0], &[198, 199]]), 3);
    }

    #[test]
    fn no_other_assignment_has_more_places() {
        let mut rng = sim_ground::rng::Rng::stream(1, "places", 0);
        for _ in 0..2_000 {
            let tasks: Vec<Vec<u16>> = (0..rng.below(6))
                .map(|_| (0..4).filter(|_| rng.below(3) == 0).collect())
                .collect();
            let lists: Vec<&[u16]> = tasks.iter().map(Vec::as_slice).collect();
            assert_eq!(places(4, &lists), best(&lists, 0), "{tasks:?}");
        }
    }

    /// The same by trying all: `taken` has a bit for each CPU.
    fn best(tasks: &[&[u16]], taken: u16) -> u32 {
        let Some((first, rest)) = tasks.split_first() else {
            return 0;
        };
        let free = first.iter().filter(|c| taken >> **c & 1 == 0);
        let with = free.map(|c| 1 + best(rest, taken | 1 << c));
        with.max().unwrap_or(0).max(best(rest, taken))
    }
}
