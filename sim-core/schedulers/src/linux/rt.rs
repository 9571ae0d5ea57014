//! Real-time tasks, as far as fair schedulers need them: they run before fair tasks.
//!
//! A reduced model of `sched_rt.c`, `rt.c`: lists by priority on each CPU, placement on the CPU with the lowest
//! priority, round-robin turns of 100 ms. What is kept for fair tasks is in [`super::reserve`]. Omitted: pushing and pulling
//! after placement, and the isochronous policy of BFS, which Linux never had (counts as normal).

use super::class::FairClass;
use super::lending::own_prio;
use super::reserve::limit::Limited;
use super::tables::Tables;
use serde::{Deserialize, Serialize};
use sim_contract::Answer;
use sim_contract::cx::Cx;
use sim_contract::decision::DecisionId;
use sim_contract::flags::Policy;
use sim_ground::ids::{CpuId, TaskId};

/// Waiting real-time tasks of a CPU: the best priority first, and first come, first served within one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct RtQueue {
    waiting: Vec<(u8, TaskId)>,
    /// Whether the running task goes behind the others of its rank: it yields, or its turn has ended.
    pub(crate) gives_way: bool,
}

/// Turn of `SCHED_RR` in ms (`DEF_TIMESLICE`, `RR_TIMESLICE`).
const RR_MS: u64 = 100;
/// Rank of a fair task; real-time tasks have a smaller one.
const FAIR_RANK: i64 = 100;
/// Rank of an idle CPU.
const IDLE_RANK: i64 = 101;

pub(crate) fn is_real_time(policy: Policy) -> bool {
    matches!(policy, Policy::Fifo | Policy::RoundRobin)
}

impl RtQueue {
    /// Adds a task, before or after the tasks of its rank.
    fn push(&mut self, rank: u8, task: TaskId, front: bool) {
        let at = if front {
            self.waiting.partition_point(|(r, _)| *r < rank)
        } else {
            self.waiting.partition_point(|(r, _)| *r <= rank)
        };
        self.waiting.insert(at, (rank, task));
    }

    /// Takes a task out. Returns whether it waited.
    pub(crate) fn remove(&mut self, task: TaskId) -> bool {
        let before = self.waiting.len();
        self.waiting.retain(|(_, t)| *t != task);
        self.waiting.len() < before
    }

    /// Whether a task waits that is better than this rank.
    pub(crate) fn has_better_than(&self, rank: u8) -> bool {
        self.best().is_some_and(|best| best < rank)
    }

    pub(crate) fn len(&self) -> usize {
        self.waiting.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Takes the first task.
    pub(crate) fn pop(&mut self) -> Option<TaskId> {
        (!self.waiting.is_empty()).then(|| self.waiting.remove(0).1)
    }

    /// Rank of the first task.
    fn best(&self) -> Option<u8> {
        self.waiting.first().map(|(r, _)| *r)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = TaskId> + '_ {
        self.waiting.iter().map(|(_, t)| *t)
    }
}

/// The real-time class of a scheduler.
pub(crate) trait RealTime: FairClass {
    /// Number of ticks in a turn.
    fn rr_ticks(&self) -> u32 {
        u32::try_from(self.state().ms_to_jiffies(RR_MS)).unwrap_or(1)
    }

    /// Rank of a real-time task, with what it borrowed; smaller is better.
    fn rank(&self, cx: &Cx<'_>, task: TaskId) -> u8 {
        let own = own_prio(cx.task(task));
        self.loans().get(&task).map_or(own, |lent| own.min(*lent))
    }

    /// A task becomes runnable on a CPU.
    fn rt_activate(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId) {
        self.begin_limit(cx);
        self.begin_servers(cx.now.0);
        self.count_real_time(cpu, true);
        self.rt_enqueue(cx, cpu, task, false);
    }

    /// A task is no longer runnable. What runs is charged.
    fn rt_deactivate(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId) {
        let curr = self.state().current(cpu);
        if let Some(curr) = curr.filter(|curr| self.state().is_real_time(*curr)) {
            let n = self.real_time_tasks(cpu);
            let stops = self.charge_real_time(cx, cpu, curr, n);
            if stops.is_some() && curr != task {
                self.resched(cx, cpu, stops);
            }
        }
        self.count_real_time(cpu, false);
        self.state_mut().rt_mut(cpu).remove(task);
    }

    /// The number of real-time tasks of a CPU, with the one that runs.
    fn real_time_tasks(&self, cpu: CpuId) -> usize {
        let st = self.state();
        let runs = st.current(cpu).is_some_and(|curr| st.is_real_time(curr));
        st.rt(cpu).len() + usize::from(runs)
    }

    /// Whether a real-time task waits on a CPU that may run now.
    fn real_time_waits(&self, cpu: CpuId) -> bool {
        !self.state().rt(cpu).is_empty() && !self.real_time_stands(cpu)
    }

    /// Puts a task into the list of its CPU.
    fn rt_enqueue(&mut self, cx: &Cx<'_>, cpu: CpuId, task: TaskId, front: bool) {
        let rank = self.rank(cx, task);
        self.state_mut().rt_mut(cpu).push(rank, task, front);
    }

    /// Charges the outgoing task, and puts it back if it is still runnable.
    fn rt_put(&mut self, cx: &mut Cx<'_>, cpu: CpuId, prev: TaskId, runnable: bool) {
        let counted = self.state().rt(cpu).len() + usize::from(runnable);
        self.charge_real_time(cx, cpu, prev, counted);
        let gives_way = std::mem::take(&mut self.state_mut().rt_mut(cpu).gives_way);
        if runnable {
            self.rt_enqueue(cx, cpu, prev, !gives_way);
            if !cx.task(prev).allowed.contains(cpu) {
                self.move_real_time(cx, prev);
            }
        }
    }

    /// `wakeup_preempt`, `check_preempt_curr` between classes, and among real-time tasks.
    fn rt_preempts(&self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId, curr: TaskId) -> Answer<bool> {
        let rank_of = |t: TaskId| match self.state().is_real_time(t) {
            true => i64::from(self.rank(cx, t)),
            false => FAIR_RANK,
        };
        let (own, other) = (rank_of(task), rank_of(curr));
        let kept = self.real_time_stands(cpu) || self.reserve().serves_fair(cpu);
        if kept && other == FAIR_RANK {
            // The CPU picks again, and passes the task over.
            let operands = [own, 0, 0, 0];
            let why = cx.explain(Some(cpu), Some(task), Self::REASONS.rt_stands, operands);
            return Answer::new(true, why);
        }
        let reason = if own < other {
            Self::REASONS.real_time
        } else {
            Self::REASONS.real_time_runs
        };
        let why = cx.explain(Some(cpu), Some(task), reason, [own, other, 0, 0]);
        Answer::new(own < other, why)
    }

    /// `find_lowest_rq`: the CPU with the lowest priority, the previous CPU first.
    fn rt_select(&self, cx: &mut Cx<'_>, task: TaskId) -> (CpuId, DecisionId) {
        let st = self.state();
        let prev = st.cpu_of(task);
        let runs = |cpu: CpuId| match st.current(cpu) {
            None => IDLE_RANK,
            Some(t) if st.is_real_time(t) => i64::from(self.rank(cx, t)),
            Some(_) => FAIR_RANK,
        };
        let allowed = cx.task(task).allowed;
        let best = cx
            .machine
            .cpu_ids()
            .filter(|c| allowed.contains(*c))
            .min_by_key(|c| (!st.rt(*c).is_empty(), -runs(*c), *c != prev, c.0))
            .unwrap_or(prev);
        let (reason, operands) = (Self::REASONS.find_lowest_rq, [runs(best), 0, 0, 0]);
        let why = cx.explain(Some(best), Some(task), reason, operands);
        (best, why)
    }

    /// A tick of a task: may end its turn, or the time that real-time tasks have.
    fn rt_tick(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId) -> bool {
        let n = self.real_time_tasks(cpu);
        let stops = self.charge_real_time(cx, cpu, task, n).is_some();
        self.ends_turn(cx, cpu, task) || stops
    }

    /// Whether the turn of a task ends with this tick (`SCHED_RR`).
    fn ends_turn(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId) -> bool {
        if cx.task(task).policy != Policy::RoundRobin {
            return false;
        }
        let full = self.rr_ticks();
        let left = self.state_mut().rr_left(task);
        // Never 0 here: it is full at first, and again when it has ended.
        *left = left.saturating_sub(1);
        if *left > 0 {
            return false;
        }
        *left = full;
        let rank = self.rank(cx, task);
        let list = self.state_mut().rt_mut(cpu);
        let turn = list.best() == Some(rank);
        if turn {
            list.gives_way = true;
            let operands = [i64::from(full), 0, 0, 0];
            cx.explain(Some(cpu), Some(task), Self::REASONS.round_robin, operands);
        }
        turn
    }

    /// Moves a waiting task to a CPU that it may use.
    fn move_real_time(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        let from = self.state().cpu_of(task);
        self.rt_deactivate(cx, from, task);
        let (to, why) = self.rt_select(cx, task);
        cx.moved(task, Some(to), why);
        let reason = Self::REASONS.affinity_changed;
        self.state_mut().place(task, to, reason);
        self.rt_activate(cx, to, task);
        cx.requery(from);
        cx.requery(to);
        self.may_preempt(cx, to, task);
    }
}

impl<S: FairClass + ?Sized> RealTime for S {}
