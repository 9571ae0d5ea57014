//! The state of CFS: entities, their queues, the CPUs, the tasks.

use super::clock::Clock;
use super::tunables::Tunables;
use crate::linux::groups::groups;
use crate::linux::lists::{Ends, Links};
use crate::linux::pelt::Avg;
use crate::linux::rt::RtQueue;
use crate::linux::shown::Counters;
use crate::linux::stopper::StopWork;
use crate::linux::tables::tables;
use crate::linux::tree::{Arena, Tree};
pub(super) use crate::linux::tree::{Ent, NONE};
use crate::linux::wakees::Wakees;
use crate::linux::weight::Division;
use serde::{Deserialize, Serialize};
use sim_contract::decision::Reason;
use sim_ground::ids::{CpuId, CpuMask, TaskId};
use std::cell::Cell;

/// Number of a queue (`struct cfs_rq`): those of the CPUs first, then those of the groups.
pub(super) type Queue = u32;

/// `struct sched_entity`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Entity {
    /// Load weight, scaled.
    pub(super) weight: u64,
    /// Its inverse.
    pub(super) inverse: u64,
    /// Virtual runtime in ns; wraps.
    pub(super) vruntime: u64,
    /// The time at which its runtime was last charged.
    pub(super) exec_start: u64,
    /// Runtime since it was created.
    pub(super) sum_exec: u64,
    /// `sum_exec` at the start of its present slice.
    pub(super) prev_sum_exec: u64,
    /// Queued or running.
    pub(super) on_rq: bool,
    /// The queue in which it is or was.
    pub(super) queue: Queue,
    /// The entity of the group above it.
    pub(super) parent: Ent,
    /// The queue that it represents, if it belongs to a group.
    pub(super) my_queue: Queue,
    /// Its task, if it belongs to one.
    pub(super) task: u32,
    /// Averages (4.9).
    pub(super) avg: Avg,
    /// Averages of 2.6.34: run time between wake-ups of others, overlap with the woken task.
    pub(super) avg_wakeup: u64,
    pub(super) avg_overlap: u64,
    /// `sum_exec` when it last woke a task; 0 if it has not since its own wake-up.
    pub(super) last_wakeup: u64,
    /// `sum_exec` at its own wake-up.
    pub(super) start_runtime: u64,
}

/// `struct cfs_rq`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct CfsQueue {
    pub(super) cpu: CpuId,
    /// Its group; 0 is the root.
    pub(super) group: u32,
    /// Sum of the weights of the queued and running entities.
    pub(super) weight: u64,
    /// The latest result of [`CfsQueue::part`].
    #[serde(skip)]
    part: Cell<Part>,
    /// The latest slice of a queued entity that was computed in it, and its inputs: `changes` of the CPU and weight of
    /// the entity.
    #[serde(skip)]
    pub(super) slice: Cell<((u64, u64), u64)>,
    /// The latest part of a group's shares that was computed: from load, total and shares.
    #[serde(skip)]
    pub(super) share: Cell<((u64, u64, u64), u64)>,
    pub(super) nr_running: u32,
    /// Tasks in it and below it.
    pub(super) h_nr_running: u32,
    pub(super) min_vruntime: u64,
    pub(super) tree: Tree,
    /// The running entity.
    pub(super) curr: Ent,
    /// Buddies.
    pub(super) next: Ent,
    pub(super) last: Ent,
    pub(super) skip: Ent,
    /// Averages (4.9), including sleeping entities.
    pub(super) avg: Avg,
    pub(super) runnable_load_sum: u64,
    pub(super) runnable_load_avg: u64,
    /// Load of entities that migrated away while they slept; not yet subtracted.
    pub(super) removed_load: u64,
    pub(super) removed_util: u64,
    /// The part of `avg.load_avg` that is included in the group's total.
    pub(super) tg_contrib: u64,
    /// 2.6.34: its part of the group's shares when they were last distributed; 0 if nothing was queued then.
    pub(super) shares: u64,
    /// Load of the queue as seen from the root, and the jiffy of its computation.
    pub(super) h_load: u64,
    pub(super) h_load_at: u64,
}

/// A function of its first three numbers, stored because the same question is asked repeatedly. Weights are unscaled.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    delta: u64,
    weight: u64,
    total: u64,
    /// The inverse of the total.
    inverse: u64,
    part: u64,
}

/// Averages and intervals of a domain on a CPU.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct DomainState {
    /// Jiffy of the last balancing.
    pub(super) last_balance: u64,
    /// Interval now, in ms.
    pub(super) interval: u64,
    pub(super) nr_balance_failed: u32,
    /// 2.6.34: when group shares were last spread, in ns.
    pub(super) last_update: u64,
}

/// `struct rq`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Rq {
    /// The running task; `None` when idle.
    pub(super) curr: Option<TaskId>,
    /// 4.9: the outgoing task that is not yet put back.
    pub(super) prev: Option<TaskId>,
    /// Runnable tasks of all classes.
    pub(super) nr_running: u32,
    /// Counts changes of weights and of queued entities in its queues. Slices of queued entities stay the same between
    /// two changes.
    #[serde(skip)]
    pub(super) changes: u64,
    /// Moving averages of the load.
    pub(super) cpu_load: [u64; 5],
    pub(super) clock: Clock,
    /// 4.9: jiffy of the last tick that happened (`last_load_update_tick`).
    pub(super) load_jiffy: u64,
    /// Jiffy of the next balancing.
    pub(super) next_balance: u64,
    /// The time at which it became idle; 0 if that does not count.
    pub(super) idle_stamp: u64,
    pub(super) avg_idle: u64,
    /// One for each level of its domains, innermost first.
    pub(super) domains: Vec<DomainState>,
    /// What its stopper must do; a push names the level of the domain, too.
    pub(super) stop: Vec<StopWork<(CpuId, u8)>>,
    pub(super) active_balance: bool,
    pub(super) rt: RtQueue,
    /// Fair tasks, most recently enqueued first (`cfs_tasks`, `cfs_rq->tasks`).
    pub(super) tasks: Ends,
    /// 4.9: whether some core of its cache group may be completely idle (`has_idle_cores`; stored on the lowest CPU of
    /// the group).
    pub(super) has_idle_cores: bool,
    /// 2.6.34: whether it was tickless since its last busy tick.
    pub(super) in_nohz_recently: bool,
}

/// The state of a task besides its entity.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Task {
    pub(super) se: Ent,
    pub(super) cpu: CpuId,
    pub(super) group: u32,
    /// A real-time policy.
    pub(super) real_time: bool,
    /// Neighbours in the CPU's list of tasks.
    pub(super) links: Links,
    /// The tasks that it woke (4.9).
    pub(super) wakees: Wakees,
    /// 4.9: whether its CPU changed while it slept.
    pub(super) migrated: bool,
    /// The reason of its last move.
    pub(super) why_here: Reason,
    /// Moves between queues.
    pub(super) moves: u64,
    /// Ticks left of its turn (round robin).
    pub(super) rr_left: u32,
}

/// A group of tasks (`struct task_group`).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Group {
    /// Key of its application.
    pub(super) key: u64,
    /// Entities and queues of CPU c are at `first + c`.
    pub(super) first_entity: Ent,
    pub(super) first_queue: Queue,
    /// Total of the queues' averages (4.9).
    pub(super) load_avg: u64,
}

/// Idle CPUs without ticks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Nohz {
    /// Idle CPUs without ticks.
    pub(super) idle: CpuMask,
    /// 2.6.34: the CPU that balances for them and keeps its tick.
    pub(super) owner: Option<CpuId>,
    /// 4.9: jiffy of the next balancing for them.
    pub(super) next_balance: u64,
}

/// The whole state of the scheduler.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct CfsState {
    pub(super) tun: Tunables,
    pub(super) entities: Vec<Entity>,
    pub(super) arena: Arena,
    pub(super) queues: Vec<CfsQueue>,
    pub(super) rqs: Vec<Rq>,
    /// By task; `None` until the task is created.
    pub(super) tasks: Vec<Option<Task>>,
    /// The root first.
    pub(super) groups: Vec<Group>,
    pub(super) nohz: Nohz,
    /// 4.9: whether some CPU has two tasks or more (`rd->overload`).
    pub(super) overload: bool,
    /// 4.9: groups of domains in which pinned tasks prevented balancing (`sgc->imbalance`).
    pub(super) imbalanced: Vec<bool>,
    /// Number of times that a CPU entered the scheduler.
    pub(super) schedules: u64,
    pub(super) counters: Counters,
}

impl Entity {
    pub(super) fn new(queue: Queue) -> Self {
        Self {
            weight: 0,
            inverse: 1,
            vruntime: 0,
            exec_start: 0,
            sum_exec: 0,
            prev_sum_exec: 0,
            on_rq: false,
            queue,
            parent: NONE,
            my_queue: NONE,
            task: NONE,
            avg: Avg::default(),
            avg_wakeup: 0,
            avg_overlap: 0,
            last_wakeup: 0,
            start_runtime: 0,
        }
    }

    /// Runtime in its present slice.
    pub(super) fn ran(&self) -> u64 {
        self.sum_exec - self.prev_sum_exec
    }
}

impl CfsQueue {
    pub(super) fn new(cpu: CpuId, group: u32) -> Self {
        Self {
            cpu,
            group,
            weight: 0,
            part: Cell::default(),
            slice: Cell::default(),
            share: Cell::default(),
            nr_running: 0,
            h_nr_running: 0,
            // `init_cfs_rq`: the value wraps soon, so that mistakes show.
            min_vruntime: 0_u64.wrapping_sub(1 << 20),
            tree: Tree::EMPTY,
            curr: NONE,
            next: NONE,
            last: NONE,
            skip: NONE,
            avg: Avg::default(),
            runnable_load_sum: 0,
            runnable_load_avg: 0,
            removed_load: 0,
            removed_util: 0,
            tg_contrib: 0,
            shares: 0,
            h_load: 0,
            h_load_at: u64::MAX,
        }
    }

    /// Whether its averages are up to date with a time of their clock.
    #[inline]
    pub(super) fn is_averaged(&self, now: u64) -> bool {
        !self.avg.is_behind(now) && self.removed_load | self.removed_util == 0
    }

    /// Whether it has a buddy of any kind.
    #[inline]
    pub(super) fn has_buddies(&self) -> bool {
        self.next & self.last & self.skip != NONE
    }

    /// The part of `delta` for a weight out of a total. The total is close to this queue's.
    #[inline]
    pub(super) fn part(&self, delta: u64, weight: u64, total: u64, division: Division) -> u64 {
        // The division ignores the lower bits.
        let bits = division.scale_bits();
        let known = self.part.get();
        if (known.delta, known.weight, known.total) == (delta, weight >> bits, total >> bits) {
            return known.part;
        }
        self.new_part(delta, weight, total, division)
    }

    fn new_part(&self, delta: u64, weight: u64, total: u64, division: Division) -> u64 {
        let known = self.part.get();
        let bits = division.scale_bits();
        let inverse = if known.total == total >> bits && known.total > 0 {
            known.inverse
        } else {
            division.inverse(total)
        };
        let part = division.delta(delta, weight, inverse);
        self.part.set(Part {
            delta,
            weight: weight >> bits,
            total: total >> bits,
            inverse,
            part,
        });
        part
    }
}

tables!(CfsState: Entity, CfsQueue, Rq, Task);
groups!(CfsState);

impl CfsState {
    /// Notes that a weight in a queue has changed, or an entity came or left.
    #[inline]
    pub(super) fn note_change(&mut self, q: Queue) {
        let cpu = self.queue(q).cpu;
        self.rq_mut(cpu).changes += 1;
    }
}
