//! Control groups: what is written into their files, and limits of CPU time (bandwidth control).
//!
//! | item | kernel function @ 6.12.117 |
//! |---|---|
//! | `account`, `acquire` | `__account_cfs_rq_runtime`, `__assign_cfs_rq_runtime` |
//! | `throttles`, `releases` | `throttle_cfs_rq`, `tg_throttle_down`, `tg_unthrottle_up` |
//! | `refill`, `distribute` | `do_sched_cfs_period_timer`, `distribute_cfs_runtime` |
//! | `gives_back` | `return_cfs_rq_runtime`, `start_cfs_slack_bandwidth` |
//! | `slack_ends` | `do_sched_cfs_slack_timer` |
//! | `set_limit` | `tg_set_cfs_bandwidth` |
//!
//! Here is what is known of the groups. `pool` is the arithmetic of time: pools of groups, and what each of their queues has
//! taken from the pool. [`limits`] acts on queues and entities by it. Groups have the numbers of the scenario here. A scheduler makes all of them before any other
//! group, so the queues of group g are those from `cpus × (g + 1)` on.
//!
//! Without control groups nothing of this exists.

pub(crate) mod limits;
mod pool;

use super::tree::NONE;
use serde::{Deserialize, Serialize};
use sim_contract::Setup;
use sim_contract::cgroup::{CgroupCounts, Cgroups as Tree, Held, Limit};
use sim_ground::ids::{CpuId, GroupId};
use sim_ground::rng::Rng;

/// What a queue takes from its group's pool at once (`sched_cfs_bandwidth_slice`).
const PORTION_NS: u64 = 5_000_000;
/// What a queue keeps when it becomes empty (`min_cfs_rq_runtime`).
const KEPT_NS: i64 = 1_000_000;
/// Time from a return to the distribution of what was returned (`cfs_bandwidth_slack_period`).
const SLACK_NS: u64 = 5_000_000;
/// The next refill must not be nearer than this (`min_bandwidth_expiration`).
const NEAR_NS: u64 = 2_000_000;

/// The number of a queue.
type Queue = u32;

/// What differs between releases.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// Whether the queue that was throttled last is served first (3.17 to 5.7).
    pub(crate) last_first: bool,
    /// Whether unused time may be saved (5.14).
    pub(crate) burst: bool,
    /// Whether each group has its own begin of periods.
    pub(crate) random_phase: bool,
    /// Whether returned time of an earlier period is lost (up to 5.3).
    pub(crate) returns_expire: bool,
    /// Whether a throttled queue counts only while it has tasks.
    pub(crate) counts_with_tasks: bool,
    /// Whether a queue asks the pool once more before it is throttled (5.x).
    pub(crate) asks_again: bool,
    /// Whether `cpu.idle` is known (5.15).
    pub(crate) idle: bool,
    /// Whether limits are modelled.
    pub(crate) limits: bool,
}

impl Rules {
    /// 4.9.
    pub(crate) const V4_9: Self = Self {
        last_first: true,
        burst: false,
        random_phase: false,
        returns_expire: true,
        counts_with_tasks: false,
        asks_again: false,
        idle: false,
        limits: true,
    };
    /// 6.1.
    pub(crate) const V6_1: Self = Self {
        last_first: false,
        burst: true,
        random_phase: false,
        returns_expire: false,
        counts_with_tasks: false,
        asks_again: true,
        idle: true,
        limits: true,
    };
    /// 6.12.
    pub(crate) const V6_12: Self = Self {
        random_phase: true,
        counts_with_tasks: true,
        ..Self::V6_1
    };
    /// 7.3, whose one queue for all groups is modelled without limits.
    pub(crate) const V7_3: Self = Self {
        limits: false,
        ..Self::V6_12
    };
}

/// A group (`struct cfs_bandwidth`).
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Group {
    parent: u32,
    shares: u64,
    idle: bool,
    quota: Option<u64>,
    period: u64,
    burst: u64,
    /// The end of its last period, or where its grid of periods begins.
    phase: u64,
    /// Time that nobody has taken yet.
    pool: u64,
    /// The pool after the last refill.
    full: u64,
    /// Whether nobody has taken time since the last refill.
    unused: bool,
    /// When the period timer expires next; 0 while it does not run.
    refill_at: u64,
    /// The CPU on which the timer was started.
    timer_cpu: u16,
    /// Queues that have got time at the end of a period and are released at its instant.
    served: Vec<Queue>,
    /// That instant; 0 if there are none.
    release_at: u64,
    /// When the slack timer expires; 0 while it does not run.
    slack_at: u64,
    /// Number of refills.
    refills: u64,
    /// Throttled queues, the first to be served first.
    throttled: Vec<Queue>,
    periods: u64,
    nr_throttled: u64,
    throttled_ns: u64,
    bursts: u64,
    burst_ns: u64,
}

/// A queue of a group (the limit of `struct cfs_rq`).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Local {
    /// Time that is left of what it took; a debt if negative.
    left: i64,
    throttled: bool,
    /// Number of throttled queues among itself and those above it on its CPU.
    above: u32,
    /// Refill of the group after which it took time last.
    took_after: u64,
    /// When the stop-watch of its own limit was started, plus 1; 0 if it stands.
    own_since: u64,
    /// The same for limits above it, too.
    all_since: u64,
    /// Time for which a limit at or above it has throttled it.
    all_ns: u64,
    /// The time at which the clock of its averages stopped, plus 1; 0 if it goes.
    stopped: u64,
    /// The time for which it has stood.
    lost: u64,
}

/// Groups, and their queues.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct State {
    groups: Vec<Group>,
    locals: Vec<Local>,
}

/// What happened, to be told at the end of a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// A queue was throttled: its CPU, its group, its debt. `at_wake`: before it had anything to run.
    Throttled {
        cpu: CpuId,
        group: u32,
        debt: i64,
        at_wake: bool,
    },
    /// A queue became empty and gave time back.
    GaveBack { cpu: CpuId, group: u32, ns: u64 },
}

/// The control groups of a scheduler. All but `st` follows from the scenario.
#[derive(Clone, Debug)]
pub(crate) struct Cgroups {
    rules: Rules,
    cpus: u32,
    of: Vec<Option<u32>>,
    pub(crate) st: State,
    /// Whether some group has, had or may get a limit in this run. It never becomes false, so that what was limited once is
    /// looked after at each tick.
    has_limits: bool,
    /// During a hook: whether timers have changed.
    pub(crate) timers_moved: bool,
    /// During a hook: what is to be told.
    pub(crate) told: Vec<Told>,
    /// During a hook of CFS: queues that have no time left, and whose CPUs must reschedule.
    pub(crate) out_of_time: Vec<Queue>,
}

fn ns(signed: i64) -> u64 {
    signed.max(0).unsigned_abs()
}

fn signed(ns: u64) -> i64 {
    i64::try_from(ns).unwrap_or(i64::MAX)
}

impl Cgroups {
    /// The control groups of a scenario, if it has some.
    pub(crate) fn new(setup: &Setup, rules: Rules) -> Option<Box<Self>> {
        let Tree { groups, of } = &setup.cgroups;
        if groups.is_empty() {
            return None;
        }
        let rows = groups.iter().enumerate().map(|(i, g)| {
            let Limit {
                quota_ns,
                period_ns,
                burst_ns,
                phase_ns,
            } = g.limit;
            let by_release = if rules.random_phase {
                Rng::stream(period_ns, "begin of periods", i as u64).below_u64(period_ns.max(1))
            } else {
                0
            };
            let mut group = Group {
                parent: g.parent.unwrap_or(NONE),
                shares: g.shares,
                idle: g.idle && rules.idle,
                quota: quota_ns.filter(|_| rules.limits),
                period: period_ns,
                burst: if rules.burst { burst_ns } else { 0 },
                phase: phase_ns.unwrap_or(by_release),
                pool: 0,
                full: 0,
                unused: false,
                refill_at: 0,
                timer_cpu: 0,
                served: Vec::new(),
                release_at: 0,
                slack_at: 0,
                refills: 0,
                throttled: Vec::new(),
                periods: 0,
                nr_throttled: 0,
                throttled_ns: 0,
                bursts: 0,
                burst_ns: 0,
            };
            group.refill();
            group
        });
        let groups: Vec<Group> = rows.collect();
        Some(Box::new(Self {
            rules,
            cpus: u32::try_from(setup.cpus).unwrap_or(0),
            of: of.clone(),
            has_limits: groups.iter().any(|g| g.quota.is_some()),
            st: State {
                locals: vec![Local::default(); groups.len() * setup.cpus],
                groups,
            },
            timers_moved: false,
            told: Vec::new(),
            out_of_time: Vec::new(),
        }))
    }

    /// Restores a saved state; `false` if it is one of another tree.
    pub(crate) fn restore(&mut self, st: State) -> bool {
        let fits = st.groups.len() == self.st.groups.len()
            && st.locals.len() == self.st.locals.len()
            && st.groups.iter().all(|g| {
                let known = |q: &Queue| self.place(*q).is_some();
                g.throttled.iter().chain(&g.served).all(known) && g.period > 0
            });
        if fits {
            self.has_limits |= st.groups.iter().any(|g| g.quota.is_some());
            self.st = st;
        }
        fits
    }

    /// The number of groups.
    pub(crate) fn count(&self) -> usize {
        self.st.groups.len()
    }

    /// Parent and shares of a group, for the scheduler that makes it. The number of the parent is the scheduler's.
    pub(crate) fn made_from(&self, group: usize) -> (u32, u64) {
        let row = &self.st.groups[group];
        let parent = match row.parent {
            NONE => 0,
            parent => parent + 1,
        };
        (parent, row.shares)
    }

    /// The scheduler's number of the group of some threads; `None` for the root.
    pub(crate) fn of_threads(&self, group: GroupId) -> Option<u32> {
        let own = self.of.get(group.index()).copied().flatten();
        own.map(|own| own + 1)
    }

    /// The shares of a group of the scheduler, if it is a control group.
    pub(crate) fn shares_of(&self, group: u32) -> Option<u64> {
        let row = self.st.groups.get(group.checked_sub(1)? as usize);
        row.map(|g| g.shares)
    }

    /// Whether a group of the scheduler is idle (`cpu.idle`).
    pub(crate) fn is_idle(&self, group: u32) -> bool {
        let row = group.checked_sub(1);
        row.and_then(|g| self.st.groups.get(g as usize))
            .is_some_and(|g| g.idle)
    }

    /// Whether limits are looked after in this run.
    #[inline]
    pub(crate) fn has_limits(&self) -> bool {
        self.has_limits
    }

    /// The row of a queue, if it is that of a control group.
    #[inline]
    fn place(&self, q: Queue) -> Option<usize> {
        let at = q.checked_sub(self.cpus)? as usize;
        (at < self.st.locals.len()).then_some(at)
    }

    /// The group of a queue, and its row.
    #[inline]
    fn row(&self, q: Queue) -> Option<(usize, usize)> {
        let at = self.place(q)?;
        Some((at / self.cpus as usize, at))
    }

    /// The CPU of a row.
    fn cpu(&self, at: usize) -> CpuId {
        CpuId::new(at % self.cpus as usize)
    }

    /// Whether a queue's own limit throttles it.
    #[inline]
    pub(crate) fn is_throttled(&self, q: Queue) -> bool {
        self.place(q).is_some_and(|at| self.st.locals[at].throttled)
    }

    /// Whether a limit at or above a queue throttles it (`throttled_hierarchy`).
    #[inline]
    pub(crate) fn is_below_throttled(&self, q: Queue) -> bool {
        self.place(q).is_some_and(|at| self.st.locals[at].above > 0)
    }

    /// What the clock of a queue's averages shows: the time, without that for which it has stood.
    #[inline]
    pub(crate) fn clock(&self, q: Queue, now: u64) -> u64 {
        match self.place(q) {
            None => now,
            Some(at) => {
                let local = &self.st.locals[at];
                let until = match local.stopped {
                    0 => now,
                    stopped => stopped - 1,
                };
                // It has stood for no longer than there was time.
                until.saturating_sub(local.lost)
            }
        }
    }

    /// What is counted of a group, at a time.
    pub(crate) fn counts(&self, now: u64) -> Vec<CgroupCounts> {
        let groups = self.st.groups.iter().enumerate();
        let count = |(i, g): (usize, &Group)| {
            let first = i * self.cpus as usize;
            let locals = &self.st.locals[first..first + self.cpus as usize];
            let open = |since: u64| since.checked_sub(1).map_or(0, |since| now - since);
            let pool_ns = if g.quota.is_some() { g.pool } else { 0 };
            let taken = locals.iter().filter_map(|l| u64::try_from(l.left).ok());
            let held = |(cpu, l): (usize, &Local)| {
                let since_ns = l.own_since.checked_sub(1).filter(|_| l.throttled)?;
                let cpu = CpuId::new(cpu);
                Some(Held { cpu, since_ns })
            };
            CgroupCounts {
                quota_ns: g.quota.unwrap_or(0),
                left_ns: pool_ns + taken.sum::<u64>(),
                periods: g.periods,
                throttled: g.nr_throttled,
                throttled_ns: g.throttled_ns
                    + locals.iter().map(|l| open(l.own_since)).sum::<u64>(),
                throttled_all_ns: locals.iter().map(|l| l.all_ns + open(l.all_since)).sum(),
                bursts: g.bursts,
                burst_ns: g.burst_ns,
                pool_ns,
                held: locals.iter().enumerate().filter_map(held).collect(),
                period_ns: g.period,
                // The grid of periods may begin later than the run.
                filled_at_ns: if g.phase <= now { g.phase } else { 0 },
                refill_at_ns: g.refill_at,
            }
        };
        groups.map(count).collect()
    }

    /// The pool of a group, and how many of its queues are throttled.
    pub(crate) fn pool(&self, g: u32) -> [i64; 2] {
        let group = &self.st.groups[g as usize];
        let throttled = i64::try_from(group.throttled.len()).unwrap_or(i64::MAX);
        [signed(group.pool), throttled]
    }

    /// The group of a queue, in the scenario's numbers, and the time that is left to the queue.
    pub(crate) fn left(&self, q: Queue) -> Option<(u32, i64)> {
        let (g, at) = self.row(q)?;
        Some((u32::try_from(g).ok()?, self.st.locals[at].left))
    }
}
