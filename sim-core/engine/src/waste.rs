//! CPU time that is idle although a thread waits which may use it.

use super::Sim;
use super::state::TaskState;
use sim_ground::ids::{CpuId, CpuMask, TaskId};

/// The waiting tasks that may not use every CPU. They follow from the state, and are kept because usually there are none.
#[derive(Debug)]
pub(super) struct Limited {
    all_cpus: CpuMask,
    waiting: Vec<TaskId>,
    /// Limits of control groups, or of real time, may keep tasks from running anywhere.
    has_limits: bool,
}

impl Limited {
    pub(super) fn new(cpus: usize, has_limits: bool) -> Self {
        Self {
            all_cpus: CpuMask::first(cpus),
            waiting: Vec::new(),
            has_limits,
        }
    }
}

impl Sim {
    /// Adds up idle CPU time while tasks wait. Called before the idle CPUs, the waiting tasks or their CPUs change.
    pub(super) fn count_waste(&mut self) {
        let now = self.st.now;
        let span = now.since(self.st.waste_since).0;
        if span > 0 {
            self.st.idle_while_waiting_ns += span * u64::from(self.idle_pairs());
            self.st.waste_since = now;
        }
    }

    /// The same before an event. A scheduler holds tasks back, and lets them go, without a word to the engine: what
    /// the event before has left was so up to now.
    pub(super) fn count_waste_before_event(&mut self) {
        if self.limited.has_limits {
            self.count_waste();
        }
    }

    /// One more task waits.
    pub(super) fn joins_waiting(&mut self, task: TaskId) {
        self.st.nr_queued += 1;
        self.note_limits(task);
    }

    /// A task waits no longer.
    pub(super) fn leaves_waiting(&mut self, task: TaskId) {
        self.st.nr_queued -= 1;
        self.forget_limits(task);
    }

    /// Notes a waiting task if it may not use every CPU.
    pub(super) fn note_limits(&mut self, task: TaskId) {
        let allowed = &self.st.infos[task.index()].allowed;
        if !self.limited.all_cpus.is_subset_of(allowed) {
            self.limited.waiting.push(task);
        }
    }

    pub(super) fn forget_limits(&mut self, task: TaskId) {
        let waiting = &mut self.limited.waiting;
        if let Some(at) = waiting.iter().position(|t| *t == task) {
            waiting.swap_remove(at);
        }
    }

    /// Finds the tasks to note anew, after the state was restored.
    pub(super) fn find_limits(&mut self) {
        self.limited.waiting.clear();
        for task in (0..self.st.tasks.len()).map(TaskId::new) {
            if self.task(task).state == TaskState::Queued {
                self.note_limits(task);
            }
        }
    }

    /// The number of waiting tasks that a limit keeps from running anywhere.
    fn held_back(&self) -> u32 {
        if !self.limited.has_limits {
            return 0;
        }
        let tasks = (0..self.st.tasks.len()).map(TaskId::new);
        let held = tasks.filter(|t| self.task(*t).state == TaskState::Queued && self.is_held(*t));
        u32::try_from(held.count()).unwrap_or(u32::MAX)
    }

    fn is_held(&self, task: TaskId) -> bool {
        self.limited.has_limits && self.sched.is_throttled(task)
    }

    /// The largest number of idle CPUs that could each run another waiting task.
    fn idle_pairs(&self) -> u32 {
        let most = self.st.nr_idle.min(self.st.nr_queued);
        if most == 0 {
            return 0;
        }
        let ready = self.st.nr_queued - self.held_back();
        let most = most.min(ready);
        if most == 0 || self.limited.waiting.is_empty() {
            return most;
        }
        let cpus = self.st.cpus.len();
        let idle = (0..cpus).filter(|c| self.st.curr[*c].is_none());
        let idle: CpuMask = idle.map(CpuId::new).collect();
        let waiting = self.limited.waiting.iter();
        let limited = waiting
            .filter(|t| !self.is_held(**t))
            .map(|t| self.st.infos[t.index()].allowed.and(&idle));
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
