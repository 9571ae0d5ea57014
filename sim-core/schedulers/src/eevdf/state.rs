//! The state of EEVDF: entities, their queues, the CPUs, the tasks.

use super::clock::Clock;
use super::group::MIN_LOAD;
use super::mean::SCALE_BITS;
use super::slices::Slices;
use super::tunables::Tunables;
use crate::linux::groups::groups;
use crate::linux::lists::{Ends, Links};
use crate::linux::machine::balance::{CpuSide, MachineSide};
use crate::linux::machine::load::QueueLoads;
use crate::linux::machine::pelt::{Avg, Counts};
use crate::linux::rt::RtQueue;
use crate::linux::tables::tables;
use crate::linux::tree::{Arena, Summary, Tree};
pub(super) use crate::linux::tree::{Ent, NONE};
use crate::linux::wakees::Wakees;
use serde::{Deserialize, Serialize};
use sim_contract::decision::Reason;
use sim_ground::ids::{CpuId, TaskId};

/// Number of a queue (`struct cfs_rq`): those of the CPUs first, then those of the groups.
pub(super) type Queue = u32;

/// `struct sched_entity`: a task, or a group on a CPU. Virtual times are in ns and count from the start of the run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Entity {
    /// Load weight with 10 more bits.
    pub(super) weight: u64,
    /// Its weight in virtual time: the load weight without these bits (`scale_load_down`), at least 2. Of a task in the
    /// one queue of a CPU (since 7.3): its effective weight, with these bits (`h_load`).
    pub(super) load: u64,
    /// Its inverse.
    pub(super) inverse: u64,
    /// Virtual runtime.
    pub(super) v: i64,
    /// Virtual deadline; while `relative`, the distance from `v`.
    pub(super) deadline: i64,
    /// Request in ns of CPU time.
    pub(super) slice: u64,
    /// Whether the request is its own, not `base_slice_ns`.
    pub(super) custom_slice: bool,
    /// V - v when it left its queue.
    pub(super) lag: i64,
    /// The deadline when it was set as current. The entity is protected as long as its deadline equals this (`vlag` of
    /// the running entity). Since 6.17: the virtual runtime up to which it is protected (`vprot`).
    pub(super) mark: i64,
    /// `rel_deadline`.
    pub(super) relative: bool,
    /// Whether it sleeps but still counts (`sched_delayed`).
    pub(super) delayed: bool,
    /// Queued or running.
    pub(super) on_rq: bool,
    /// The time at which its runtime was last charged; 0 after a migration.
    pub(super) exec_start: u64,
    /// Runtime since it was created.
    pub(super) sum_exec: u64,
    /// The queue in which it is or was.
    pub(super) queue: Queue,
    /// The entity of the group above it.
    pub(super) parent: Ent,
    /// The queue that it represents, if it belongs to a group.
    pub(super) my_queue: Queue,
    /// Its task, if it belongs to one.
    pub(super) task: u32,
    /// Averages of its load.
    pub(super) avg: Avg,
    /// Number of tasks that wait or run below it, if it belongs to a group (`runnable_weight`).
    pub(super) runnable: u32,
}

/// `struct cfs_rq`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct FairQueue {
    pub(super) cpu: CpuId,
    /// Its group; 0 is the root.
    pub(super) group: u32,
    /// Sum of the weights, with 10 more bits, of the queued and running entities.
    pub(super) weight: u64,
    /// Number of queued and running entities, including delayed ones. In the one queue of a CPU: of tasks.
    pub(super) nr: u32,
    /// Number of tasks in it and below it, including delayed ones (`h_nr_queued`).
    pub(super) h_queued: u32,
    /// Number of these tasks without delayed ones (`h_nr_runnable`).
    pub(super) h_runnable: u32,
    /// Number of these tasks with the policy `SCHED_IDLE` (`h_nr_idle`).
    pub(super) h_idle: u32,
    /// The point of virtual time from which the sum is taken (`zero_vruntime`).
    pub(super) zero: i64,
    /// Sum of weight × (v - zero) over the tree (`avg_vruntime`).
    pub(super) sum: i64,
    /// Sum of the weights of the tree (`avg_load`).
    pub(super) load: i64,
    pub(super) tree: Tree,
    /// The running entity; it is not in the tree. In the one queue of a CPU, and in the queues of groups beside it: the
    /// running task (`curr`, `h_curr`).
    pub(super) curr: Ent,
    /// Buddy.
    pub(super) next: Ent,
    /// Requests of its entities: for protection, the limit of lags, and the group's own request.
    pub(super) slices: Slices,
    /// Averages of its load, and what it owes to others.
    pub(super) loads: QueueLoads,
}

/// The summary that a queue's tree keeps of an entity and all entities below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LeastV {
    /// The entity's virtual runtime.
    pub(super) own: i64,
    /// The smallest virtual runtime among its own and those below (`min_vruntime`).
    pub(super) least: i64,
}

impl LeastV {
    pub(super) fn new(v: i64) -> Self {
        Self { own: v, least: v }
    }
}

impl Summary for LeastV {
    #[inline]
    fn gather(&mut self, children: [Option<Self>; 2]) -> bool {
        let mut least = self.own;
        for child in children.into_iter().flatten() {
            least = least.min(child.least);
        }
        std::mem::replace(&mut self.least, least) != least
    }
}

/// `struct rq`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Rq {
    /// The running task; `None` when idle.
    pub(super) curr: Option<TaskId>,
    /// The outgoing task that is not yet put back.
    pub(super) prev: Option<TaskId>,
    /// Number of tasks of all classes, including delayed ones.
    pub(super) nr_running: u32,
    /// The time up to which its ticks have been applied.
    pub(super) clock: Clock,
    pub(super) rt: RtQueue,
    /// Fair tasks, most recently enqueued or run first (`cfs_tasks`).
    pub(super) tasks: Ends,
    /// Its state for placing and balancing.
    pub(super) side: CpuSide,
}

/// The state of a task besides its entity.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Task {
    pub(super) se: Ent,
    pub(super) cpu: CpuId,
    pub(super) group: u32,
    /// Whether it has a real-time policy.
    pub(super) real_time: bool,
    /// Whether it has the policy `SCHED_IDLE`.
    pub(super) idle_policy: bool,
    /// Neighbours in the CPU's list of tasks.
    pub(super) links: Links,
    /// Estimate of its utilisation at its next wake-up (`util_est`), and whether its average has changed since it woke.
    pub(super) util_est: u64,
    pub(super) util_changed: bool,
    /// Ticks left of its turn (round robin).
    pub(super) rr_left: u32,
    /// The tasks that it woke.
    pub(super) wakees: Wakees,
    /// The CPU on which it ran before its last wake-up (`recent_used_cpu`).
    pub(super) recent_cpu: CpuId,
    /// The reason of its last move.
    pub(super) why_here: Reason,
    /// Moves between queues.
    pub(super) moves: u64,
}

/// A group of tasks (`struct task_group`).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Group {
    /// Key of its application.
    pub(super) key: u64,
    /// Entities and queues of CPU c are at `first + c`.
    pub(super) first_entity: Ent,
    pub(super) first_queue: Queue,
    /// Weight of the whole group, with 10 more bits.
    pub(super) shares: u64,
    /// Total of the queues' averages.
    pub(super) load_avg: u64,
}

/// The whole state of the scheduler.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct EevdfState {
    pub(super) tun: Tunables,
    pub(super) entities: Vec<Entity>,
    pub(super) arena: Arena<LeastV>,
    pub(super) queues: Vec<FairQueue>,
    pub(super) rqs: Vec<Rq>,
    /// By task; `None` until the task is created.
    pub(super) tasks: Vec<Option<Task>>,
    /// The root first.
    pub(super) groups: Vec<Group>,
    /// Number of sleeps that were delayed.
    pub(super) sleeps_delayed: u64,
    /// Number of times that a CPU entered the scheduler.
    pub(super) schedules: u64,
    /// The state of balancing that belongs to the machine.
    pub(super) machine: MachineSide,
}

impl Entity {
    pub(super) fn new(queue: Queue) -> Self {
        Self {
            weight: 0,
            load: 0,
            inverse: 1,
            v: 0,
            deadline: 0,
            slice: 0,
            custom_slice: false,
            lag: 0,
            mark: 0,
            relative: false,
            delayed: false,
            on_rq: false,
            exec_start: 0,
            sum_exec: 0,
            queue,
            parent: NONE,
            my_queue: NONE,
            task: NONE,
            avg: Avg::default(),
            runnable: 0,
        }
    }

    /// The amounts that the entity counts in its averages.
    #[inline]
    pub(super) fn counts(&self, running: bool) -> Counts {
        let runnable = match (self.on_rq && !self.delayed, self.my_queue) {
            (false, _) => 0,
            (true, NONE) => 1,
            (true, _) => u64::from(self.runnable),
        };
        Counts {
            load: u64::from(self.on_rq),
            runnable,
            running,
        }
    }

    pub(super) fn is_task(&self) -> bool {
        self.my_queue == NONE
    }

    /// Its weight in the sums.
    pub(super) fn w(&self) -> i64 {
        self.load.cast_signed()
    }

    /// Its load weight without the 10 bits, as its averages count it.
    #[inline]
    pub(super) fn own_load(&self) -> u64 {
        (self.weight >> SCALE_BITS).max(MIN_LOAD)
    }

    /// The exact weight by which its CPU time becomes virtual time, with 10 more bits.
    #[inline]
    pub(super) fn exact_weight(&self, tun: &Tunables) -> u64 {
        if tun.one_queue() {
            self.load
        } else {
            self.weight
        }
    }

    /// Whether the running entity is protected: its request may not be cut short.
    pub(super) fn is_protected(&self, tun: &Tunables) -> bool {
        if tun.later().protect_by_vruntime {
            self.v < self.mark
        } else {
            self.mark == self.deadline
        }
    }

    /// The virtual runtime from which on a tick makes the CPU pick again, wherever V is.
    pub(super) fn asks_from(&self, tun: &Tunables) -> i64 {
        let later = tun.later();
        match (later.resched_unprotected, later.protect_by_vruntime) {
            (false, _) => self.deadline,
            (true, true) => self.deadline.min(self.mark),
            (true, false) if self.is_protected(tun) => self.deadline,
            (true, false) => i64::MIN,
        }
    }
}

impl FairQueue {
    /// The amounts that the queue counts in its averages.
    #[inline]
    pub(super) fn counts(&self) -> Counts {
        Counts {
            load: self.weight >> SCALE_BITS,
            runnable: u64::from(self.h_runnable),
            running: self.curr != NONE,
        }
    }

    pub(super) fn new(cpu: CpuId, group: u32) -> Self {
        Self {
            cpu,
            group,
            weight: 0,
            nr: 0,
            h_queued: 0,
            h_runnable: 0,
            h_idle: 0,
            zero: 0,
            sum: 0,
            load: 0,
            tree: Tree::EMPTY,
            curr: NONE,
            next: NONE,
            slices: Slices::default(),
            loads: QueueLoads::NEW,
        }
    }
}

impl Rq {
    pub(super) fn new(side: CpuSide) -> Self {
        Self {
            curr: None,
            prev: None,
            nr_running: 0,
            clock: Clock::default(),
            rt: RtQueue::default(),
            tasks: Ends::EMPTY,
            side,
        }
    }
}

impl EevdfState {
    /// The queue in whose virtual time an entity stands: its own, or the one of its CPU (since 7.3).
    #[inline]
    pub(super) fn line_of(&self, ent: &Entity) -> Queue {
        if self.tun.one_queue() {
            u32::from(self.queue(ent.queue).cpu.0)
        } else {
            ent.queue
        }
    }

    /// [`Self::line_of`] of an entity by its number.
    #[inline]
    pub(super) fn line(&self, e: Ent) -> Queue {
        self.line_of(self.ent(e))
    }
}

tables!(EevdfState: Entity, FairQueue, Rq, Task);
groups!(EevdfState);
