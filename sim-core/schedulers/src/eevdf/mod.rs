//! EEVDF, earliest eligible virtual deadline first: the fair scheduler of Linux since 6.6, in releases 6.6, 6.12,
//! 6.18, 7.2 and 7.3.
//!
//! | hook | kernel function @ 6.12.117 | deviation |
//! |---|---|---|
//! | `task_new` | `sched_fork`, `init_entity_runnable_average` | |
//! | `task_exit` | `task_dead_fair` | a task that is killed while it sleeps leaves its queue at once |
//! | groups | `sched_create_group`, `autogroup` | control groups that the scenario names; of all others one for each application, with the shares of a tunable |
//! | `select_cpu` | `select_task_rq_fair`; `ttwu_runnable` for delayed tasks | |
//! | `exec` | `sched_exec`, `migration_cpu_stop` | the stopper moves the caller at once; the caller does not sleep until it is done |
//! | `enqueue` | `enqueue_task_fair`, `migrate_task_rq_fair` | |
//! | `check_preempt` | `wakeup_preempt`, `check_preempt_wakeup_fair` | |
//! | `dequeue` | `dequeue_task_fair` | |
//! | `put_prev`, `pick_next` | `put_prev_task_fair`, `pick_next_task_fair`, stopper | the stopper takes no time and is no task |
//! | `idle` | `sched_balance_newidle` | after `put_prev` |
//! | `tick` | `sched_tick`, `task_tick_fair`, `sched_balance_trigger` | balancing happens in the tick, not in a soft interrupt behind it |
//! | `timer` | `nohz_idle_balance`; `hrtick` @ 7.2 | |
//! | `yield_task` | `yield_task_fair` | |
//! | `hinting_fault` | `task_numa_fault`, in `linux/numa` | its table of deviations |
//! | `set_nice`, `set_slice` | `set_user_nice`, `sched_setattr` | |
//! | `set_allowed` | `set_cpus_allowed_ptr` | |
//!
//! Rules, in brief: each entity requests a slice of CPU time, and gets a virtual deadline for it. An entity is eligible
//! if it is not ahead of the weighted mean of virtual runtimes; the eligible entity with the earliest deadline runs.
//! The distance by which an entity is behind the mean is its lag, and is kept when it leaves its queue. An entity that
//! goes to sleep while it is ahead stays in the queue until the others have caught up.
//!
//! **Where rules are.** A queue's arithmetic is in `mean`, `account` and `place`. `queue` adds and removes entities,
//! `pick` chooses, `preempt` answers wake-ups, and `life` has the hooks about a single task. `group` has the groups,
//! `flat` the one queue of 7.3 for all of them. `clock` takes ticks that were left out, and `quiet` several of them
//! at once. Load tracking, the choice of CPUs and balancing are in `linux/machine`; `machine` connects them to these
//! queues. Releases differ only by switches (`specs`, `tunables`). Hooks that are the same in CFS are in
//! `linux/hooks`, and what else the releases share is in its neighbours.
//!
//! **Ticks that matter.** Between events a tick charges the running task and counts in averages. `clock` does both,
//! tick by tick, before a hook needs them. No rule knows of it. A tick matters in three cases: a request may be used
//! up, the running task is not protected and may be ahead of the mean, or balancing is due. Deviation: a group's
//! total changes when a CPU applies its skipped ticks, not at each of them. With several CPUs, ticks at which a group
//! competes with others matter.
//!
//! **Order within an instant.** CPUs that tick at one instant take turns: the tick and balancing of a CPU, its own
//! switch, then its requests to others, before the next CPU ticks. The order is ascending, or random (`tickOrderSeed`).

mod account;
mod class;
mod clock;
mod era;
mod flat;
mod group;
mod lending;
mod life;
mod limits;
pub(crate) mod machine;
mod mean;
mod observe;
mod pick;
mod place;
mod preempt;
mod queue;
mod quiet;
pub(crate) mod reasons;
mod recorded;
mod schedule;
mod server;
mod shape;
mod slices;
mod specs;
mod state;
mod ticks;
mod timer;
mod tunables;

use crate::linux::cgroups::limits::Limits;
use crate::linux::cgroups::{self, Cgroups};
use crate::linux::class::FairClass;
use crate::linux::clock::{RqClock, Ticks};
use crate::linux::hooks::hooks;
use crate::linux::lending::Lending;
use crate::linux::machine::balance::{
    CpuSide, GroupBalancing, MachineSide, NewidleBalancing, NohzBalancing,
};
use crate::linux::machine::caches::{Caches, Settings};
use crate::linux::machine::capacity::Capacities;
use crate::linux::machine::pelt::Wait;
use crate::linux::machine::select::Selects;
use crate::linux::machine::together::Steps;
use crate::linux::numa::{self, Host, Numa};
use crate::linux::reserve::limit::Limited;
use crate::linux::reserve::{self, Reserve, limit};
use crate::linux::rt::RealTime;
use crate::linux::stopper::Stopper;
use crate::linux::tree::Arena;
use crate::linux::{self, applications};
use account::ReschedCause;
use sim_contract::cx::Cx;
use sim_contract::decision::DecisionId;
use sim_contract::flags::{ClockId, EnqueueFlags, Placement, TimerId, timer_cpu};
use sim_contract::lending::Loans;
use sim_contract::{Answer, Asked, Scheduler, SchedulerInfo, Setup};
use sim_ground::ids::{CpuId, CpuMask, TaskId};
use sim_ground::params::Params;
use sim_machine::views::linux::{Domains, Release};
use state::{EevdfState, FairQueue, Group, NONE, Queue, Rq};
use tunables::Tunables;

/// The registry's entry.
pub static INFO: SchedulerInfo = SchedulerInfo {
    id: "eevdf",
    name: "EEVDF",
    summary: "Earliest deadline among those that are owed time; domains balance the CPUs.",
    family: "linux",
    nice_max: 19,
    queue_shape: "virtualTime",
    eras: era::ERAS,
    cgroups: era::CGROUPS,
    slices: era::SLICES,
    reasons: reasons::TABLE,
    task_columns: observe::TASK_COLUMNS,
    cpu_columns: observe::CPU_COLUMNS,
    make: |setup| Box::new(Eevdf::new(setup)),
    check_program: None,
};

/// The scheduler.
struct Eevdf {
    /// The scheduling domains that the release builds for the machine.
    topo: Domains,
    ticks: Ticks,
    /// The CPU that is picking a task: it needs no signal.
    picking: Option<CpuId>,
    /// During a hook: the reschedules for which accounting asked, with their CPUs.
    wanted: Vec<(CpuId, ReschedCause)>,
    /// During a hook: the timers to set, with the times at which requests end.
    timed: Vec<(CpuId, u64)>,
    /// During a sequence of hooks: CPUs that were asked to reschedule.
    pending: CpuMask,
    /// On machines of several nodes: NUMA balancing. It is kept outside the state, so that other machines have none of
    /// it.
    numa: Option<Numa>,
    /// On machines of several caches, since 7.2: the caches that processes prefer. It is kept outside the state, so that
    /// other machines have none of it; the tunables make it as soon as the machine is known.
    caches: Option<Caches>,
    /// On machines whose CPUs have different capacities; kept outside the state for the same reason.
    capacities: Option<Box<Capacities>>,
    /// Whether the clock of some queue is not the time.
    has_clocks: bool,
    cache_settings: Option<Settings>,
    /// The control groups, if the scenario has some. They are kept outside the state, so that other runs have none of it.
    cgroups: Option<Box<Cgroups>>,
    /// What tasks borrowed by locks. It is kept outside the state, so that runs without such locks have none of it.
    loans: Loans<u8>,
    /// What is kept for fair tasks where real-time tasks run. It is kept outside the state for the same reason.
    reserve: Reserve,
    /// What the ticks that were applied last contributed to averages.
    steps: Steps,
    /// The time for which the entity waited that was updated last.
    wait: Wait,
    st: EevdfState,
}

impl Eevdf {
    fn new(setup: &Setup) -> Self {
        let tun = Tunables::new(&setup.params, setup.cpus);
        let cost = tun.migration_cost.max(0).unsigned_abs();
        let rq = Rq::new(CpuSide::new(cost));
        let root = Group {
            key: applications::ROOT,
            first_entity: NONE,
            first_queue: 0,
            shares: 0,
            load_avg: 0,
        };
        Self {
            topo: Domains {
                groups: Vec::new(),
                of: vec![Vec::new(); setup.cpus],
                power: vec![1_024; setup.cpus],
                llc: vec![CpuMask::EMPTY; setup.cpus],
                cluster: vec![CpuMask::EMPTY; setup.cpus],
                asym: vec![None; setup.cpus],
            },
            ticks: Ticks::new(linux::tunables::turns(&setup.params)),
            picking: None,
            wanted: Vec::new(),
            timed: Vec::new(),
            pending: CpuMask::EMPTY,
            numa: Numa::new(
                &numa::V6_12,
                &reasons::SHARED,
                &setup.params,
                tun.hz,
                setup.nodes,
            ),
            caches: None,
            capacities: None,
            has_clocks: true,
            cache_settings: Settings::new(&setup.params),
            loans: Loans::new(),
            reserve: Reserve::new(&setup.params, limit::Rules::V6_1, setup.cpus),
            cgroups: Cgroups::new(
                setup,
                if tun.one_queue() {
                    cgroups::Rules::V7_3
                } else {
                    cgroups::Rules::V6_12
                },
            ),
            steps: Steps::NONE,
            wait: Wait::NONE,
            st: EevdfState {
                tun,
                entities: Vec::new(),
                arena: Arena::default(),
                queues: (0..setup.cpus)
                    .map(|c| FairQueue::new(CpuId::new(c), 0))
                    .collect(),
                rqs: vec![rq; setup.cpus],
                tasks: Vec::new(),
                groups: vec![root],
                sleeps_delayed: 0,
                schedules: 0,
                machine: MachineSide::new(setup.cpus),
            },
        }
    }

    /// Charges the running entity of a queue. If that asks for a reschedule, its CPU is signalled at the end of the
    /// hook.
    #[inline]
    fn account_curr(&mut self, q: Queue, now: u64) {
        if let Some(asks) = self.update_curr(q, now) {
            self.wanted.push((self.st.queue(q).cpu, asks));
        }
    }

    /// Makes a CPU reschedule, unless it is about to.
    fn resched(&mut self, cx: &mut Cx<'_>, cpu: CpuId, why: Option<DecisionId>) {
        if self.ticks.handles(cpu) {
            self.ticks.ask(cpu);
        } else if self.picking != Some(cpu) {
            self.pending.insert(cpu);
            cx.kick(cpu, why);
        }
    }

    /// A sequence of hooks begins.
    fn begin(&mut self, cx: &Cx<'_>) {
        self.ticks.begin(cx.turn);
        self.pending = CpuMask::EMPTY;
    }

    /// Ends a hook.
    #[inline]
    fn done(&mut self, cx: &mut Cx<'_>) {
        if !self.wanted.is_empty() {
            self.tell_wanted(cx);
        }
        if !self.timed.is_empty() {
            self.set_timers(cx);
        }
        self.ticks.end(cx);
        self.set_server_timer(cx);
        self.end_limits(cx);
    }

    /// Makes CPUs reschedule if accounting asked for this.
    #[cold]
    fn tell_wanted(&mut self, cx: &mut Cx<'_>) {
        while let Some((cpu, asks)) = self.wanted.pop() {
            let asked = cx.flagged.contains(cpu) || self.pending.contains(cpu);
            if let Some(curr) = self.st.rq(cpu).curr.filter(|_| !asked) {
                let why = self.explain_asks(cx, cpu, curr, asks);
                self.resched(cx, cpu, Some(why));
            }
        }
    }
}

impl Scheduler for Eevdf {
    hooks!();

    fn start(&mut self, cx: &mut Cx<'_>) {
        self.begin(cx);
        self.topo = Domains::configured(cx.machine, Release::V6_12, self.st.tun.sched_smt);
        self.capacities = Capacities::new(&self.topo);
        let clock = [self.st.tun.hz, self.st.tun.jiffy_ns];
        self.caches = self
            .cache_settings
            .and_then(|s| Caches::new(cx.machine, &reasons::SHARED, clock, s));
        self.make_cgroups(cx.now.0);
        self.has_clocks = self.capacities.is_some() || self.cgroups.is_some();
        self.start_balance(cx);
    }

    fn timer(&mut self, cx: &mut Cx<'_>, timer: TimerId) {
        self.begin(cx);
        if let Some(cpu) = timer_cpu(timer) {
            self.nohz_balance(cx, cpu);
            self.request_timer(cx, cpu);
        } else if timer == limit::TIMER {
            self.real_time_period(cx);
        } else if timer == reserve::server::TIMER {
            self.server_timers(cx);
        } else {
            self.limit_timer(cx);
        }
        self.done(cx);
    }

    fn task_exit(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        self.begin(cx);
        let t = self.st.task(task);
        if !t.real_time {
            self.update_rq_clock(t.cpu, cx.now.0);
            self.ends(cx, task);
        }
        self.memory_ends(task);
        if let Some(caches) = &mut self.caches {
            caches.end(task);
        }
        self.loans.remove(&task);
        self.done(cx);
    }

    fn waking(&mut self, cx: &mut Cx<'_>, _: TaskId) {
        self.begin(cx);
    }

    fn select_cpu(
        &mut self,
        cx: &mut Cx<'_>,
        task: TaskId,
        flags: EnqueueFlags,
    ) -> Answer<Placement> {
        self.ticks.begin(cx.turn);
        let t = self.st.task(task);
        let (own, delayed) = (t.cpu, self.st.ent(t.se).delayed);
        let (cpu, why) = if delayed {
            let why = cx.explain(Some(own), Some(task), reasons::DELAYED_STAYS, [0; 4]);
            (own, why)
        } else if t.real_time {
            self.rt_select(cx, task)
        } else {
            self.choose_cpu(cx, task, flags)
        };
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
        self.ticks.begin(cx.turn);
        let Placement::Cpu(cpu) = place else {
            return Answer::undecided(None);
        };
        let preempts = self.check_wakeup(cx, cpu, task, flags == EnqueueFlags::New);
        if preempts.value {
            self.wanted.retain(|(c, _)| *c != cpu);
        }
        self.done(cx);
        Answer::new(preempts.value.then_some(cpu), preempts.why)
    }

    fn charge(&mut self, cx: &mut Cx<'_>, cpu: CpuId) {
        self.begin(cx);
        if let Some(e) = self.fair_running(cpu) {
            self.account_curr(self.st.line(e), cx.now.0);
        }
        self.done(cx);
    }

    fn pick_given(&mut self, cx: &mut Cx<'_>, cpu: CpuId, given: TaskId) -> Answer<Option<Asked>> {
        self.ticks.begin(cx.turn);
        let followed = self.follow(cx, cpu, given);
        self.done(cx);
        match followed {
            Some((asked, why)) => Answer::new(Some(asked), why),
            None => Answer::undecided(None),
        }
    }

    fn idle(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> Answer<bool> {
        self.ticks.begin(cx.turn);
        let before = cx.told();
        self.picking = Some(cpu);
        let searches = !self.is_expected(cpu);
        let pulled = searches && self.newidle_balance(cx, cpu);
        self.picking = None;
        // The decision that ended the search of the last level.
        let search = cx.search(cpu, before);
        if !pulled {
            if searches {
                self.freshen_others(cx, cpu);
            }
            self.stop_timer(cpu);
            self.goes_idle(cx, cpu);
        }
        self.done(cx);
        Answer::new(pulled, search)
    }

    fn tick(&mut self, cx: &mut Cx<'_>, cpu: CpuId, _: ClockId) -> bool {
        self.begin(cx);
        let now = cx.now.0;
        let fair = self.fair_running(cpu);
        if !fair.is_some_and(|e| self.request_is_over(e, now)) && self.tick_matters_at(cpu) > now {
            self.quiet_ticks(cpu, now);
            return false;
        }
        self.ticks.enter(cpu);
        let need = self.scheduler_tick(cx, cpu, fair);
        let asked = self.ticks.leave();
        self.done(cx);
        need || asked
    }

    fn set_nice(&mut self, cx: &mut Cx<'_>, task: TaskId, old: i8, _: bool) {
        self.begin(cx);
        self.renice(cx, task, old);
        self.done(cx);
    }

    fn set_slice(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        self.begin(cx);
        self.new_slice(cx, task);
        self.done(cx);
    }

    fn set_params(&mut self, cx: &mut Cx<'_>, params: &Params) {
        self.begin(cx);
        self.update_all_clocks(cx);
        self.st.tun.renew(params, self.st.rqs.len());
        if let Some(numa) = &mut self.numa {
            numa.set(params);
        }
        self.reserve.set(params);
        for cpu in cx.machine.cpu_ids() {
            self.note_fair(cpu, 0, cx.now.0);
        }
        self.cache_settings = Settings::new(params);
        if let (Some(caches), Some(settings)) = (&mut self.caches, self.cache_settings) {
            caches.set(settings);
        }
        self.done(cx);
    }
}

#[cfg(test)]
mod tests;
