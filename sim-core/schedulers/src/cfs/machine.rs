//! CFS 6.1: what it lends to the machine that it shares with EEVDF ([`crate::linux::machine`]), and the state that only
//! this release has. That is kept outside of the state of all releases, so that those of 2.6.34 and 4.9 stay as they were.
//!
//! | item | kernel function @ 6.1 |
//! |---|---|
//! | `update_shares_of` | `update_cfs_group`, `calc_group_shares` |
//! | `util_est_update` | the same |
//! | `count_tick`, `quiet_ticks` | `entity_tick` |
//!
//! Deviation: ticks at which nothing else happens are charged in one step, as in 4.9.

use super::Cfs;
use super::entity::{Ent, Entity, NONE, Queue};
use super::tunables::Since61;
use crate::linux::cgroups::limits::Limits as _;
use crate::linux::class::FairClass;
use crate::linux::machine::balance::{
    Attempt, CpuSide, GroupBalancing, MachineSide, NewidleBalancing, NohzBalancing,
};
use crate::linux::machine::capacity::{Capacities, Fitting};
use crate::linux::machine::load::{LoadTracking, QueueLoads, Spot};
use crate::linux::machine::pelt::{Avg, Counts};
use crate::linux::machine::shares::part_of_shares;
use crate::linux::machine::{FairTasks, Machine, Rules, Tuning};
use crate::linux::numa::Host;
use crate::linux::shown::Counters;
use crate::linux::stopper::StopWork;
use crate::linux::wakees::Wakees;
use serde::{Deserialize, Serialize};
use sim_contract::cx::Cx;
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::time::SimTime;

/// Changes of an estimate below this are ignored (`UTIL_EST_MARGIN`).
const MARGIN: u64 = 1_024 / 100;

/// The averages of an entity.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct EntityLoads {
    avg: Avg,
    /// Number of tasks that wait or run below it, if it belongs to a group (`runnable_weight`).
    runnable: u32,
}

/// The averages of a queue, and its tasks of the policy `SCHED_IDLE`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct QueueRow {
    loads: QueueLoads,
    /// In the queue (`idle_nr_running`).
    idle: u32,
    /// In it and below it (`idle_h_nr_running`).
    pub(super) h_idle: u32,
}

/// A task.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct TaskRow {
    pub(super) idle_policy: bool,
    /// Estimate of its utilisation (`util_est.ewma`), and its utilisation at its last sleep (`util_est.enqueued`).
    ewma: u64,
    last: u64,
    /// Whether its average has changed since it woke.
    changed: bool,
    recent_cpu: CpuId,
}

/// The state of 6.1 beside that of all releases. Rows have the numbers of the entities, queues, CPUs and tasks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Side {
    pub(super) tun: Since61,
    entities: Vec<EntityLoads>,
    pub(super) queues: Vec<QueueRow>,
    cpus: Vec<CpuSide>,
    tasks: Vec<Option<TaskRow>>,
    machine: MachineSide,
}

impl QueueRow {
    const NEW: Self = Self {
        loads: QueueLoads::NEW,
        idle: 0,
        h_idle: 0,
    };
}

impl Side {
    pub(super) fn new(tun: Since61, cpus: usize, migration_cost: u64) -> Self {
        Self {
            tun,
            entities: Vec::new(),
            queues: vec![QueueRow::NEW; cpus],
            cpus: vec![CpuSide::new(migration_cost); cpus],
            tasks: Vec::new(),
            machine: MachineSide::new(cpus),
        }
    }
}

impl Cfs {
    /// Whether the machine is that of 6.1.
    #[inline]
    pub(super) fn is_shared(&self) -> bool {
        self.side.is_some()
    }

    pub(super) fn rows(&self) -> &Side {
        self.side.as_deref().expect("invariant: the release is 6.1")
    }

    pub(super) fn rows_mut(&mut self) -> &mut Side {
        self.side
            .as_deref_mut()
            .expect("invariant: the release is 6.1")
    }

    /// Adds rows for new entities and queues.
    pub(super) fn grow_rows(&mut self) {
        let (entities, queues) = (self.st.entities.len(), self.st.queues.len());
        if let Some(side) = &mut self.side {
            side.entities.resize_with(entities, EntityLoads::default);
            side.queues.resize(queues, QueueRow::NEW);
        }
    }

    /// Adds the row of a new task.
    pub(super) fn add_row(&mut self, task: TaskId, cpu: CpuId, idle_policy: bool) {
        self.grow_rows();
        if let Some(side) = &mut self.side {
            if side.tasks.len() <= task.index() {
                side.tasks.resize(task.index() + 1, None);
            }
            side.tasks[task.index()] = Some(TaskRow {
                idle_policy,
                ewma: 0,
                last: 0,
                changed: true,
                recent_cpu: cpu,
            });
        }
    }

    pub(super) fn row(&self, task: TaskId) -> &TaskRow {
        let row = self.rows().tasks[task.index()].as_ref();
        row.expect("invariant: a task is created before anything else happens to it")
    }

    fn row_mut(&mut self, task: TaskId) -> &mut TaskRow {
        let row = self.rows_mut().tasks[task.index()].as_mut();
        row.expect("invariant: a task is created before anything else happens to it")
    }

    /// Sets the estimate of a task's utilisation and its last value.
    #[cfg(test)]
    pub(super) fn set_estimates(&mut self, task: TaskId, (ewma, last): (u64, u64)) {
        let row = self.row_mut(task);
        (row.ewma, row.last, row.changed) = (ewma, last, true);
    }

    #[cfg(test)]
    pub(super) fn estimates_of(&self, task: TaskId) -> (u64, u64) {
        let row = self.row(task);
        (row.ewma, row.last)
    }

    /// Whether an entity is idle: a task of the policy `SCHED_IDLE`, or an idle group (`se_is_idle`).
    pub(super) fn is_idle_row(&self, ent: &Entity) -> bool {
        self.era.idle_entities
            && match ent.my_queue {
                NONE => self.row(TaskId(ent.task)).idle_policy,
                below => self.is_idle_queue(below),
            }
    }

    pub(super) fn is_idle_entity(&self, e: Ent) -> bool {
        self.is_idle_row(self.st.ent(e))
    }

    /// Whether a queue has entities, and all of them are idle (`sched_idle_cfs_rq`).
    pub(super) fn is_all_idle(&self, q: Queue) -> bool {
        let nr = self.st.queue(q).nr_running;
        nr > 0 && self.is_shared() && nr == self.rows().queues[q as usize].idle
    }

    /// An entity enters a queue.
    pub(super) fn idle_enters(&mut self, q: Queue, e: Ent) {
        if self.is_shared() && self.is_idle_entity(e) {
            self.rows_mut().queues[q as usize].idle += 1;
        }
    }

    /// An entity leaves a queue.
    pub(super) fn idle_leaves(&mut self, q: Queue, e: Ent) {
        if self.is_shared() && self.is_idle_entity(e) {
            self.rows_mut().queues[q as usize].idle -= 1;
        }
    }

    /// `se_update_runnable`.
    pub(super) fn note_runnable(&mut self, e: Ent) {
        let below = self.st.ent(e).my_queue;
        if self.is_shared() && below != NONE {
            let runnable = self.st.queue(below).h_nr_running;
            self.rows_mut().entities[e as usize].runnable = runnable;
        }
    }

    /// The same, and `update_cfs_group`.
    pub(super) fn note_below(&mut self, e: Ent, now: u64) {
        self.note_runnable(e);
        if self.is_shared() {
            LoadTracking::update_shares_of(self, e, now);
        }
    }

    /// A task is counted in the estimate of its CPU.
    pub(super) fn util_est_enters(&mut self, task: TaskId) {
        if self.is_shared() {
            self.util_est_enqueue(task);
        }
    }

    /// It is counted there no longer.
    pub(super) fn util_est_leaves(&mut self, task: TaskId) {
        if self.is_shared() {
            self.util_est_dequeue(task);
        }
    }

    /// It sleeps or has ended.
    pub(super) fn util_est_sleeps(&mut self, task: TaskId) {
        if self.is_shared() {
            LoadTracking::util_est_update(self, task);
        }
    }

    /// A task arrived on a CPU.
    pub(super) fn task_arrived(&mut self, cpu: CpuId) {
        if self.is_shared() {
            self.note_arrival(cpu);
        } else {
            self.note_overload(cpu);
        }
    }

    /// Subtracts an entity's load from its queue's before its weight changes.
    pub(super) fn load_is_taken(&mut self, e: Ent) {
        if self.is_shared() {
            self.take_load(self.st.ent(e).queue, e);
        }
    }

    /// Adds it again after the change.
    pub(super) fn load_is_given(&mut self, e: Ent) {
        if self.is_shared() {
            self.give_load(self.st.ent(e).queue, e);
        }
    }

    /// What the kernel counts.
    pub(super) fn counters_mut(&mut self) -> &mut Counters {
        match &mut self.side {
            Some(side) => &mut side.machine.counters,
            None => &mut self.st.counters,
        }
    }

    /// The same, to be shown.
    pub(super) fn all_counters(&self) -> &Counters {
        let shared = self.side.as_ref().map(|side| &side.machine.counters);
        shared.unwrap_or(&self.st.counters)
    }

    /// The tunables of 6.1.
    #[inline]
    pub(super) fn since_6_1(&self) -> Option<&Since61> {
        self.side.as_deref().map(|side| &side.tun)
    }

    /// A CPU found no task: it searches elsewhere, and may become idle. Returns whether a task was pulled.
    pub(super) fn search_or_idle(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> bool {
        let searches = !self.is_expected(cpu);
        let pulled = searches && self.newidle_balance(cx, cpu);
        if !pulled {
            if searches {
                self.freshen_others(cx, cpu);
            }
            NohzBalancing::goes_idle(self, cx, cpu);
        }
        pulled
    }

    /// A tick that matters, on a CPU that runs the entity `fair` or no fair task.
    pub(super) fn shared_tick(&mut self, cx: &mut Cx<'_>, cpu: CpuId, fair: Option<Ent>) -> bool {
        let curr = self.st.rq(cpu).curr;
        let need = match fair {
            Some(e) => {
                self.fair_tick(cpu, e, cx.now.0);
                self.note_misfit(cx, cpu, curr);
                self.check_ticks(cx, cpu, e)
            }
            None => self.other_tick(cx, cpu, curr),
        };
        let need = need | self.takes_out_of_time(cx, cpu);
        if let Some(task) = curr {
            self.memory_tick(cx, cpu, task);
        }
        if need {
            self.ticks.ask(cpu);
        }
        self.balance_tick(cx, cpu);
        need
    }

    /// A tick in the averages of the running entity, level by level (`entity_tick`).
    pub(super) fn count_tick(&mut self, e: Ent, at: u64, shares: bool) {
        let mut e = e;
        while e != NONE {
            let parent = self.st.ent(e).parent;
            self.tick_level(e, at, shares);
            e = parent;
        }
    }

    /// The same for consecutive ticks, the last of them at a time.
    pub(super) fn quiet_ticks(&mut self, cpu: CpuId, e: Ent, n: u64, last: SimTime) {
        let grid = self.ticks.of(cpu).copied();
        for left in (0..n).rev() {
            let at = grid.map_or(last, |g| g.before(last, left));
            self.count_tick(e, at.0, left + 1 == n);
        }
    }
}

impl LoadTracking for Cfs {
    #[inline]
    fn avg(&self, e: Ent) -> &Avg {
        &self.rows().entities[e as usize].avg
    }

    #[inline]
    fn avg_mut(&mut self, e: Ent) -> &mut Avg {
        &mut self.rows_mut().entities[e as usize].avg
    }

    #[inline]
    fn spot(&self, e: Ent) -> Spot {
        let ent = self.st.ent(e);
        Spot {
            queue: ent.queue,
            below: ent.my_queue,
            // `scale_load_down`
            load: self.unscaled(ent.weight).max(2),
            on_rq: ent.on_rq,
        }
    }

    fn entity_of(&self, task: TaskId) -> Ent {
        self.st.task(task).se
    }

    #[inline]
    fn loads(&self, q: Queue) -> &QueueLoads {
        &self.rows().queues[q as usize].loads
    }

    #[inline]
    fn loads_mut(&mut self, q: Queue) -> &mut QueueLoads {
        &mut self.rows_mut().queues[q as usize].loads
    }

    #[inline]
    fn clock_of(&self, q: Queue, now: u64) -> u64 {
        self.time_of(q, now)
    }

    #[inline]
    fn queue_counts(&self, q: Queue) -> Counts {
        let queue = self.st.queue(q);
        Counts {
            load: self.unscaled(queue.weight),
            runnable: u64::from(queue.h_nr_running),
            running: queue.curr != NONE,
        }
    }

    fn cpu_of_queue(&self, q: Queue) -> CpuId {
        self.st.queue(q).cpu
    }

    fn owner_of(&self, q: Queue) -> Ent {
        self.st.owner(q)
    }

    fn group_count(&self) -> usize {
        self.st.groups.len()
    }

    fn group_at(&self, group: u32, cpu: CpuId) -> (Queue, Ent) {
        self.st.group_on(group, cpu)
    }

    fn util_est(&self, task: TaskId) -> u64 {
        let row = self.row(task);
        row.ewma.max(row.last)
    }

    fn util_est_mut(&mut self, task: TaskId) -> (&mut u64, &mut bool) {
        let row = self.row_mut(task);
        (&mut row.ewma, &mut row.changed)
    }

    fn estimates(&self) -> bool {
        self.rows().tun.util_est
    }

    fn jiffies(&self, now: u64) -> u64 {
        self.st.tun.jiffies(now)
    }

    fn advance_entity(&mut self, q: Queue, e: Ent, now: u64) {
        let (ent, running) = (self.st.ent(e), self.st.queue(q).curr == e);
        let (on_rq, below, task) = (ent.on_rq, ent.my_queue, ent.task);
        let row = &self.rows().entities[e as usize];
        let runnable = match (on_rq, below) {
            (false, _) => 0,
            (true, NONE) => 1,
            (true, _) => u64::from(row.runnable),
        };
        let counts = Counts {
            load: u64::from(on_rq),
            runnable,
            running,
        };
        let weight = LoadTracking::spot(self, e).load;
        let at = self.time_of(q, now);
        let avg = LoadTracking::avg_mut(self, e);
        if avg.advance(at, counts) {
            avg.weigh(weight);
            if below == NONE {
                self.row_mut(TaskId(task)).changed = true;
            }
        }
    }

    /// Changes of more than a 64th reach the group at once.
    fn update_group_load(&mut self, q: Queue, now: u64) {
        let group = self.st.queue(q).group;
        if group != 0 {
            let side = self.side.as_deref_mut();
            let side = side.expect("invariant: the release is 6.1");
            let loads = &mut side.queues[q as usize].loads;
            let total = &mut self.st.groups[group as usize].load_avg;
            loads.told.tell(total, loads.avg.load_avg, now, 0);
        }
    }

    /// A queue's part of its group's shares becomes the weight of its entity; also that of an empty queue.
    fn update_shares_of(&mut self, e: Ent, now: u64) {
        let below = self.st.ent(e).my_queue;
        if below == NONE || self.is_below_throttled(below) {
            return;
        }
        let (queue, had) = (self.st.queue(below), self.st.ent(e).weight);
        let shares = self.scaled_shares_of(queue.group);
        let loads = LoadTracking::loads(self, below);
        let load = self.unscaled(queue.weight).max(loads.avg.load_avg);
        let known = self.st.groups[queue.group as usize].load_avg;
        // The total contains what the queue has told it.
        let total = known.saturating_sub(loads.told.load) + load;
        let part = if self.st.rqs.len() == 1 {
            shares
        } else {
            part_of_shares(shares, load, total, had)
        };
        if part != had {
            self.reweight(e, part, now);
        }
    }

    /// An increase takes effect at once, a decrease by a quarter of the difference; the last value is kept beside it.
    fn util_est_update(&mut self, task: TaskId) {
        let (used, estimates) = (self.task_avg(task).util_avg, self.estimates());
        let capacity = self.topo.power[self.st.task(task).cpu.index()];
        let row = self.row_mut(task);
        if !estimates || !row.changed {
            return;
        }
        row.changed = false;
        if row.ewma < used {
            (row.ewma, row.last) = (used, used);
            return;
        }
        let less = row.ewma - used;
        if less >= MARGIN && used > capacity {
            // Nobody knows whether the CPU gave it all that it wanted.
            row.changed = true;
        } else if less >= MARGIN {
            row.ewma = (4 * row.ewma - less) / 4;
            row.last = used;
        } else if row.last.abs_diff(used) >= MARGIN {
            row.last = used;
        }
    }
}

impl Machine for Cfs {
    fn tun(&self) -> Tuning {
        let (tun, own) = (&self.st.tun, &self.rows().tun);
        Tuning {
            hz: tun.hz,
            jiffy_ns: tun.jiffy_ns,
            migration_cost: tun.migration_cost,
            nr_migrate: tun.nr_migrate,
            preempt: tun.preempt,
            sched_smt: own.sched_smt,
            cache_hot_buddy: tun.cache_hot_buddy,
            sis_util: own.sis_util,
            util_est: own.util_est,
            wa_idle: own.wa_idle,
            wa_weight: own.wa_weight,
            wa_bias: own.wa_bias,
            lb_min: tun.lb_min,
            ni_random: own.ni_random,
            idle_wakee_spreads: false,
            counts_runnable: false,
            kick_idle_core: false,
            rules: Rules::V6_1,
        }
    }

    fn machine(&self) -> &MachineSide {
        &self.rows().machine
    }

    fn machine_mut(&mut self) -> &mut MachineSide {
        &mut self.rows_mut().machine
    }

    fn side(&self, cpu: CpuId) -> &CpuSide {
        &self.rows().cpus[cpu.index()]
    }

    fn side_mut(&mut self, cpu: CpuId) -> &mut CpuSide {
        &mut self.rows_mut().cpus[cpu.index()]
    }

    fn idle_ticks(&self) -> bool {
        self.ticks.of_idle()
    }

    fn tasks_of(&self, cpu: CpuId) -> FairTasks {
        let all = self.st.root(cpu).h_nr_running;
        FairTasks {
            queued: all,
            runnable: all,
            idle: self.rows().queues[cpu.index()].h_idle,
        }
    }

    fn wakees(&self, task: TaskId) -> &Wakees {
        &self.st.task(task).wakees
    }

    fn wakees_mut(&mut self, task: TaskId) -> &mut Wakees {
        &mut self.st.task_mut(task).wakees
    }

    fn recent_cpu(&mut self, task: TaskId) -> &mut CpuId {
        &mut self.row_mut(task).recent_cpu
    }

    fn capacities(&self) -> Option<&Capacities> {
        self.capacities.as_deref()
    }

    fn capacities_mut(&mut self) -> Option<&mut Capacities> {
        self.capacities.as_deref_mut()
    }

    fn is_buddy(&self, task: TaskId) -> bool {
        let e = self.st.task(task).se;
        let queue = self.st.queue(self.st.ent(e).queue);
        queue.next == e || queue.last == e
    }

    fn ask_push(&mut self, src: CpuId, dst: CpuId) {
        self.stop_list(src).push(StopWork::Push((dst, 0)));
    }

    fn holds(&self, cx: &mut Cx<'_>, a: &Attempt, src: CpuId, task: TaskId) -> bool {
        self.keeps_throttled(cx, task, [src, a.cpu])
    }
}
