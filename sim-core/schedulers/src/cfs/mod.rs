//! CFS, the Completely Fair Scheduler of Linux, in the releases 2.6.34, 4.9 and 6.1.
//!
//! | hook | kernel function @ 2.6.34, 4.9, 6.1 | deviation |
//! |---|---|---|
//! | `task_new` | `task_fork_fair` | a task whose parent is not simulated is placed as if its parent were at `min_vruntime` |
//! | `task_exit` | `task_dead_fair` | |
//! | `waking` | `task_waking_fair` | |
//! | `select_cpu` | `select_task_rq_fair` | |
//! | `exec` | `sched_exec`, `select_task_rq_fair`, `migration_thread` @ 2.6.34, `migration_cpu_stop` @ 4.9, 6.1 | the stopper moves the caller at once; the caller does not sleep until it is done |
//! | groups | `alloc_fair_sched_group`, `sched_create_group`, `autogroup` | control groups that the scenario names @ 4.9, 6.1; of all others one for each application, with the shares of a tunable |
//! | `check_preempt` | `check_preempt_curr`, `check_preempt_wakeup` | |
//! | `dequeue` | `deactivate_task`, `dequeue_task_fair` | |
//! | `put_prev`, `pick_next` | `put_prev_task_fair`, `pick_next_task_fair`, stopper | the stopper takes no time and is no task |
//! | `idle` | `idle_balance`, `newidle_balance` @ 6.1 | after `put_prev` in all releases |
//! | `tick` | `scheduler_tick`, `task_tick_fair`, `trigger_load_balance` | balancing happens in the tick, not in a soft interrupt behind it |
//! | `timer` | `nohz_idle_balance` @ 4.9, 6.1 | |
//! | `keeps_tick` | `select_nohz_load_balancer` @ 2.6.34 | |
//! | `yield_task` | `yield_task_fair` | |
//! | `hinting_fault` | `task_numa_fault` @ 4.9, 6.1, in `linux/numa` | its table of deviations |
//! | `set_nice` | `set_user_nice` | |
//! | `set_allowed` | `set_cpus_allowed_ptr` | |
//!
//! Hooks that are the same in EEVDF are in `linux/hooks`, and what else the releases share is in its neighbours.
//!
//! Rules, in brief: each CPU runs the entity with the smallest virtual runtime. A period is divided by weight. A task
//! that slept is placed a little before the others. Domains compare the loads of groups of CPUs and pull tasks if they
//! differ by more than a percentage. Releases differ in the constants and rules of `era.rs`.
//! The machine of 6.1 is the one of EEVDF (`linux/machine`); `machine` connects it to this queue.
//!
//! **Ticks that matter.** Between events a tick only charges the running task and counts in averages. `clock` does
//! that before a hook needs it: the charge in one step, the averages tick by tick. No rule knows of it. A tick
//! matters when a slice may end, a domain is due, or an idle CPU may have to be kicked; all other ticks change
//! nothing. Deviation: a group's total changes when a CPU applies its skipped ticks, not at each of them. With
//! several CPUs, ticks at which a group competes with others matter, because its share may change.
//!
//! **Order within an instant.** CPUs that tick at one instant take turns: the tick and balancing of a CPU, its own
//! switch, then its requests to others, before the next CPU ticks. The order is ascending, or random (`tickOrderSeed`).

mod balance;
mod class;
mod clock;
mod cpu_load;
mod entity;
mod era;
mod fork;
mod group;
mod idlest;
mod lending;
mod limits;
mod load;
mod machine;
mod observe;
mod pick;
mod preempt;
mod queue;
mod quiet;
mod reasons;
mod schedule;
mod shape;
mod tunables;
mod vruntime;
mod wake;

use crate::linux::cgroups::Cgroups;
use crate::linux::cgroups::limits::Limits;
use crate::linux::class::FairClass;
use crate::linux::clock::{RqClock, Ticks};
use crate::linux::hooks::hooks;
use crate::linux::lending::Lending;
use crate::linux::lists::Ends;
use crate::linux::machine::balance::GroupBalancing;
use crate::linux::machine::capacity::Capacities;
use crate::linux::numa::{Host, Numa};
use crate::linux::reserve::limit::Limited;
use crate::linux::reserve::{Reserve, limit};
use crate::linux::rt::RtQueue;
use crate::linux::shown::Counters;
use crate::linux::stopper::Stopper;
use crate::linux::tree::Arena;
use crate::linux::{self, applications};
use clock::Clock;
use entity::{CfsQueue, CfsState, DomainState, Group, NONE, Nohz, Rq};
use era::Era;
use machine::Side;
use sim_contract::cgroup::CgroupSupport;
use sim_contract::cx::Cx;
use sim_contract::decision::DecisionId;
use sim_contract::flags::{ClockId, EnqueueFlags, Placement, TimerId, timer_cpu};
use sim_contract::lending::Loans;
use sim_contract::{Answer, EraInfo, Scheduler, SchedulerInfo, Setup};
use sim_ground::ids::{CpuId, CpuMask, TaskId};
use sim_ground::params::Params;
use sim_machine::views::linux::Domains;
use tunables::{Since61, Tunables};

/// The registry's entry.
pub static INFO: SchedulerInfo = SchedulerInfo {
    id: "cfs",
    name: "CFS",
    summary: "A tree of virtual runtimes on each CPU; domains balance the CPUs.",
    family: "linux",
    nice_max: 19,
    queue_shape: "tree",
    eras: &[
        EraInfo {
            id: "2.6.34",
            name: "Linux 2.6.34",
            summary: "Instantaneous loads, group capacities in whole threads, an idle CPU that keeps its tick.",
            year: 2010,
            tunables: tunables::V2_6_34,
        },
        EraInfo {
            id: "4.9",
            name: "Linux 4.9",
            summary: "Load tracking per entity, one group per application, NUMA levels by distance. Debian 9 had it.",
            year: 2016,
            tunables: tunables::V4_9,
        },
        EraInfo {
            id: "6.1",
            name: "Linux 6.1",
            summary: "The last with this queue: slices have a minimum, CPUs are balanced as EEVDF does it. Debian 12 ships it.",
            year: 2022,
            tunables: tunables::V6_1,
        },
    ],
    // 2.6.34 groups by user or application only.
    cgroups: &[
        ("4.9", CgroupSupport::Limits),
        ("6.1", CgroupSupport::Limits),
    ],
    slices: &[],
    reasons: reasons::TABLE,
    task_columns: observe::TASK_COLUMNS,
    cpu_columns: observe::CPU_COLUMNS,
    make: |setup| Box::new(Cfs::new(setup)),
    check_program: None,
};

/// The scheduler.
struct Cfs {
    era: &'static Era,
    /// The scheduling domains that the release builds for the machine.
    topo: Domains,
    ticks: Ticks,
    /// During [`Scheduler::idle`]: the CPU that picks again in any case.
    picking: Option<CpuId>,
    /// 4.9, on machines of several nodes: NUMA balancing. It is kept outside the state, so that the state of other
    /// machines stays the same.
    numa: Option<Numa>,
    /// 6.1: what only this release has. It is kept outside the state, so that those of the others stay the same.
    side: Option<Box<Side>>,
    /// The control groups, if the scenario has some. They are kept outside the state, so that other runs have none of it.
    cgroups: Option<Box<Cgroups>>,
    /// 6.1, on machines whose CPUs have different capacities; kept outside the state, too.
    capacities: Option<Box<Capacities>>,
    /// What tasks borrowed by locks. It is kept outside the state, so that runs without such locks have none of it.
    loans: Loans<u8>,
    /// What is kept for fair tasks where real-time tasks run. It is kept outside the state for the same reason.
    reserve: Reserve,
    st: CfsState,
}

impl Cfs {
    fn new(setup: &Setup) -> Self {
        let era = era::of(setup.era);
        let rq = Rq {
            curr: None,
            prev: None,
            nr_running: 0,
            changes: 0,
            cpu_load: [0; 5],
            clock: Clock::default(),
            load_jiffy: 0,
            next_balance: 0,
            // All CPUs became idle together before the run.
            idle_stamp: 1,
            avg_idle: 0,
            domains: Vec::new(),
            stop: Vec::new(),
            active_balance: false,
            rt: RtQueue::default(),
            tasks: Ends::EMPTY,
            has_idle_cores: true,
            in_nohz_recently: false,
        };
        let tun = Tunables::new(&setup.params, setup.cpus, era);
        let rq = Rq {
            avg_idle: tun.avg_idle_cap(),
            ..rq
        };
        let root = Group {
            key: applications::ROOT,
            first_entity: NONE,
            first_queue: 0,
            load_avg: 0,
        };
        Self {
            era,
            topo: Domains {
                groups: Vec::new(),
                of: vec![Vec::new(); setup.cpus],
                power: vec![1_024; setup.cpus],
                llc: vec![CpuMask::EMPTY; setup.cpus],
                cluster: Vec::new(),
                asym: Vec::new(),
            },
            ticks: Ticks::new(linux::tunables::turns(&setup.params)),
            picking: None,
            numa: era.numa.and_then(|rules| {
                Numa::new(rules, &reasons::SHARED, &setup.params, tun.hz, setup.nodes)
            }),
            capacities: None,
            loans: Loans::new(),
            reserve: Reserve::new(&setup.params, era.rt_limit, setup.cpus),
            cgroups: era.cgroups.and_then(|rules| Cgroups::new(setup, rules)),
            side: Since61::new(&setup.params).map(|since| {
                let cost = tun.migration_cost.max(0).unsigned_abs();
                Box::new(Side::new(since, setup.cpus, cost))
            }),
            st: CfsState {
                tun,
                entities: Vec::new(),
                arena: Arena::default(),
                queues: (0..setup.cpus)
                    .map(|c| CfsQueue::new(CpuId::new(c), 0))
                    .collect(),
                rqs: vec![rq; setup.cpus],
                tasks: Vec::new(),
                groups: vec![root],
                nohz: Nohz {
                    idle: CpuMask::EMPTY,
                    owner: None,
                    next_balance: 0,
                },
                overload: false,
                imbalanced: Vec::new(),
                schedules: 0,
                counters: Counters::default(),
            },
        }
    }

    /// Makes a CPU reschedule, unless it is about to.
    fn resched(&mut self, cx: &mut Cx<'_>, cpu: CpuId, why: Option<DecisionId>) {
        if self.ticks.handles(cpu) {
            self.ticks.ask(cpu);
        } else if self.picking != Some(cpu) {
            cx.kick(cpu, why);
        }
    }

    /// Begins a hook.
    #[inline]
    fn begin(&mut self, cx: &Cx<'_>) {
        self.ticks.begin(cx.turn);
    }

    /// Ends a hook.
    fn done(&mut self, cx: &mut Cx<'_>) {
        if self.cgroups.is_some() {
            self.ask_out_of_time(cx);
        }
        self.ticks.end(cx);
        self.end_limits(cx);
    }
}

impl Scheduler for Cfs {
    hooks!();

    fn start(&mut self, cx: &mut Cx<'_>) {
        self.begin(cx);
        self.topo = Domains::configured(cx.machine, self.era.domains, self.st.tun.sched_smt);
        self.capacities = Capacities::new(&self.topo);
        self.make_cgroups(cx.now.0);
        if self.is_shared() {
            self.start_balance(cx);
            return;
        }
        self.st.imbalanced = vec![false; self.topo.groups.len()];
        for (rq, domains) in self.st.rqs.iter_mut().zip(&self.topo.of) {
            let state = |d: &sim_machine::views::linux::Domain| DomainState {
                last_balance: 0,
                interval: d.start_interval,
                nr_balance_failed: 0,
                last_update: 0,
            };
            rq.domains = domains.iter().map(state).collect();
        }
        if !self.ticks.of_idle() {
            // All CPUs stopped their ticks before the run. The first CPU that gets work chooses the owner that balances
            // for idle CPUs.
            self.st.nohz.idle = CpuMask::first(self.st.rqs.len());
            for (rq, domains) in self.st.rqs.iter_mut().zip(&self.topo.of) {
                rq.in_nohz_recently = !domains.is_empty();
            }
        }
    }

    fn timer(&mut self, cx: &mut Cx<'_>, timer: TimerId) {
        self.begin(cx);
        if let Some(cpu) = timer_cpu(timer) {
            self.nohz_balance(cx, cpu);
        } else if timer == limit::TIMER {
            self.real_time_period(cx);
        } else {
            self.limit_timer(cx);
        }
        self.done(cx);
    }

    fn task_exit(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        self.memory_ends(task);
        if !self.st.task(task).real_time {
            let (e, cpu) = (self.st.task(task).se, self.st.task(task).cpu);
            if self.is_shared() {
                self.update_rq_clock(cpu, cx.now.0);
            }
            self.remove_avg(e, cx.now.0);
        }
        self.loans.remove(&task);
        self.done(cx);
    }

    fn waking(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        self.begin(cx);
        self.before_wakeup(cx, task);
        self.done(cx);
    }

    fn select_cpu(
        &mut self,
        cx: &mut Cx<'_>,
        task: TaskId,
        flags: EnqueueFlags,
    ) -> Answer<Placement> {
        self.begin(cx);
        let (cpu, why) = self.choose_cpu(cx, task, flags);
        self.done(cx);
        Answer::new(Placement::Cpu(cpu), why)
    }

    fn check_preempt(
        &mut self,
        cx: &mut Cx<'_>,
        place: Placement,
        task: TaskId,
        flags: EnqueueFlags,
    ) -> Answer<Option<CpuId>> {
        self.begin(cx);
        let Placement::Cpu(cpu) = place else {
            return Answer::undecided(None);
        };
        let preempts = self.check_wakeup(cx, cpu, task, flags == EnqueueFlags::New);
        self.done(cx);
        Answer::new(preempts.value.then_some(cpu), preempts.why)
    }

    fn idle(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> Answer<bool> {
        self.begin(cx);
        let before = cx.told();
        if self.is_shared() {
            self.picking = Some(cpu);
            let pulled = self.search_or_idle(cx, cpu);
            self.picking = None;
            let search = cx.search(cpu, before);
            self.done(cx);
            return Answer::new(pulled, search);
        }
        self.leaves_idle_loop(cx, cpu);
        self.picking = Some(cpu);
        let pulled =
            self.domains_of(cpu) > 0 && !self.is_expected(cpu) && self.idle_balance(cx, cpu);
        self.picking = None;
        // The decision that ended the search of the last level.
        let search = cx.search(cpu, before);
        if !pulled {
            self.becomes_idle(cx, cpu);
        }
        self.done(cx);
        Answer::new(pulled, search)
    }

    fn tick(&mut self, cx: &mut Cx<'_>, cpu: CpuId, _: ClockId) -> bool {
        self.begin(cx);
        let now = cx.now.0;
        let fair = self.fair_running(cpu);
        if !fair.is_some_and(|e| self.slice_is_over(e, now)) && self.tick_matters_at(cpu) > now {
            return false;
        }
        self.ticks.enter(cpu);
        let need = self.scheduler_tick(cx, cpu, fair);
        let asked = self.ticks.leave();
        self.done(cx);
        need || asked
    }

    fn set_nice(&mut self, cx: &mut Cx<'_>, task: TaskId, old: i8, queued: bool) {
        self.begin(cx);
        self.renice(cx, task, old, queued);
        self.done(cx);
    }

    fn set_params(&mut self, cx: &mut Cx<'_>, params: &Params) {
        self.begin(cx);
        self.update_all_clocks(cx);
        for rq in &mut self.st.rqs {
            rq.changes += 1;
        }
        self.st.tun = Tunables::new(params, self.st.rqs.len(), self.era);
        if let Some(side) = &mut self.side {
            side.tun = Since61::new(params).unwrap_or(side.tun);
        }
        if let Some(numa) = &mut self.numa {
            numa.set(params);
        }
        self.reserve.set(params);
        self.done(cx);
    }
}

#[cfg(test)]
mod tests;
