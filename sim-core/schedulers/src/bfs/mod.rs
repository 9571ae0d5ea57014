//! BFS (Con Kolivas): one global queue, earliest virtual deadline first. 0.318 of 2009, 0.447 of 2014 (for the 0.44x
//! generation) and 0.512 of 2016, the last one.
//!
//! | hook | kernel function | deviation |
//! |---|---|---|
//! | `task_new` | `sched_fork` | a task whose parent is not simulated starts with a full slice and a fresh deadline |
//! | `task_exit` | `sched_exit` | |
//! | `select_cpu` | – (always the global queue) | |
//! | `enqueue` | `activate_task`, `enqueue_task` | |
//! | `check_preempt` | `try_preempt`, `resched_best_idle`; `wake_up_new_task` for children | |
//! | `dequeue` | `deactivate_task`, `dequeue_task` | |
//! | `put_prev` | first half of `schedule()`: `update_cpu_clock`, refill, `return_task` | two accountings in one simulated instant charge nothing: on hardware a few hundred ns lie between them, and the half jiffy that the code charges for a clock that stood still would be an artefact |
//! | `pick_next` | second half of `schedule()`: `earliest_deadline_task`, `set_cpuidle_map`, the copies to the CPU | |
//! | `tick` | `scheduler_tick`, `task_running_tick` | |
//! | `yield_task` | `sys_sched_yield` | |
//! | `set_nice` | `set_user_nice`, `adjust_deadline` | |
//! | `set_allowed` | `set_cpus_allowed_ptr` | |
//! | `lend` | `rt_mutex_setprio` | |
//! | | `check_smt_siblings` @ 0.512 | after a switch to another task only, not when the same one goes on: nothing has changed then |
//! | | | whether a CPU is below full speed (`scaling`, 0.447) is a tunable for all CPUs |
//!
//! Rules, in brief:
//! 1. All tasks get the same slice. A refill also sets the virtual deadline: now + an offset that grows by a tenth with
//!    each nice level. Sleeping, waking and being preempted change neither.
//! 2. A CPU that enters `schedule()` puts its task back and takes the waiting task with the earliest deadline, in one
//!    critical section. If deadlines have passed, it takes the first of these in the queue.
//! 3. A woken task goes into the queue, and one CPU is signalled: the best idle CPU with regard to SMT, otherwise the
//!    CPU that runs the latest deadline, if that is later. The first CPU to come takes the task.
//! 4. Nothing balances running tasks.
//!
//! 0.447 counts in ns and gives passed deadlines no precedence. It keeps a displaced task with its CPU (`sticky`) and
//! signals an idle CPU for it. A woken task gets its last CPU if that is idle, even if the sibling is busy. 0.512 keeps
//! the queue in order and preempts the closest CPU that it can. It also keeps the threads of a core from running much
//! worse tasks beside better ones (`smt_nice`). `era` has all differences.
//!
//! Two quirks of the code of 0.318 matter for placement and are kept:
//! - **Q1**: after a switch the first accounting charges the time since the task last ran (at most a jiffy).
//! - **Q2**: a task that is picked again keeps the CPU's exhausted copies of slice and deadline. It is therefore
//!   rescheduled at every tick until another task runs there. 0.512 has Q2 too, 0.447 only if other tasks wait.

mod deadline;
mod era;
mod idle_choice;
mod iso;
mod lending;
mod observe;
mod order;
mod pick;
mod preempt;
mod queue;
mod reasons {
    sim_contract::reasons!("bfs");
}
mod schedule;
mod slice;
pub mod smt_nice;
mod sticky;
#[cfg(test)]
mod tests;
mod tunables;

use deadline::DeadlineMath;
use era::PickRule;
use iso::IsoState;
use queue::GlobalQueue;
use serde::{Deserialize, Serialize};
use sim_contract::cx::Cx;
use sim_contract::flags::{
    ClockId, ClockSpec, DequeueFlags, EnqueueFlags, LockScope, Placement, Policy, SwitchReason,
};
use sim_contract::idle::IdleGovernor;
use sim_contract::lending::Loan;
use sim_contract::shape::{QueueDetail, QueueDetailContext, QueueShape};
use sim_contract::{
    Answer, Kernel, Observe, Pick, QueueRow, QuietTicks, Scheduler, SchedulerInfo, Setup, SliceView,
};
use sim_ground::ids::{CpuId, CpuMask, TaskId};
use sim_ground::params::Params;
use sim_ground::time::{SimTime, TickGrid};
use tunables::{ISO_PRIO, PRIO_IDLE_CPU};

/// The registry's entry.
pub static INFO: SchedulerInfo = SchedulerInfo {
    id: "bfs",
    name: "BFS",
    summary: "One global queue; the earliest virtual deadline runs next.",
    family: "linux",
    nice_max: 19,
    queue_shape: "deadlineAxis",
    eras: era::INFOS,
    cgroups: &[],
    slices: &[],
    reasons: reasons::TABLE,
    task_columns: observe::TASK_COLUMNS,
    cpu_columns: observe::CPU_COLUMNS,
    make: |setup| Box::new(Bfs::new(setup)),
    check_program: None,
};

/// The state that BFS keeps of a task.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct BfsTask {
    /// `time_slice` in the era's µs.
    time_slice: i64,
    /// `deadline` in jiffies, later in ns.
    deadline: u64,
    /// `last_ran` in ns.
    last_ran: u64,
    /// `prio`: the list to which it belongs.
    prio: u8,
    /// Its CPU as the code has it: the CPU on which it last ran, or (0.512) the CPU for which it is meant.
    cpu: CpuId,
    /// Whether it runs in the slice with which it was forked (0.318).
    first_time_slice: bool,
    /// Whether it had to leave its CPU while others waited, and is left to that CPU (0.447).
    sticky: bool,
    /// Whether `need_resched` was set when it was about to sleep: it then enters the scheduler once more when it runs
    /// again (0.447).
    need_resched: bool,
    /// The bias that it publishes to its siblings when it runs next (0.512).
    smt_bias: i64,
    /// The idle CPU that its wake-up signalled: tells a placement of the wake-up from a chance pick.
    signalled: Option<CpuId>,
}

/// The state that BFS keeps of a CPU: copies of the running task's values, loaded when it is switched in.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct BfsCpu {
    curr: Option<TaskId>,
    rq_time_slice: i64,
    rq_deadline: u64,
    rq_last_ran: u64,
    rq_policy: Policy,
    rq_prio: u8,
    /// Bias that the running task publishes (0.512).
    rq_smt_bias: i64,
    /// Time of its last tick.
    last_tick: u64,
    /// Whether the running task was switched in during the first half of a tick (0.447, 0.512).
    dither: bool,
    /// The last task that had to leave while others waited (0.447).
    sticky_task: Option<TaskId>,
    /// Q2: whether the running task was picked again after its slice, so that the copies are exhausted.
    exhausted: bool,
    /// Whether the task that was put back is alone: it goes on without a search of the queue (0.447).
    rerun: bool,
    /// The task that was put back and still wants to run, between `put_prev` and `pick_next`.
    returned: Option<TaskId>,
}

/// Tunables that are switches.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Settings {
    /// Whether all CPUs run below full speed (0.447).
    scaling: bool,
    /// Whether domain levels are counted one off (0.447).
    topology_quirk: bool,
    /// Whether deadlines alone decide (0.512).
    interactive: bool,
    /// Whether SMT-nice is compiled in (0.512).
    smt_nice: bool,
}

impl Settings {
    /// Tunables that an era does not have are off.
    fn new(params: &Params) -> Self {
        let has = |id: &str| params.specs().iter().any(|s| s.id == id) && params.flag(id);
        Self {
            scaling: has("scaling"),
            topology_quirk: has("topologyQuirk"),
            interactive: has("interactive"),
            smt_nice: has("smtNice"),
        }
    }
}

/// Counters that the kernel does not keep; their values are known from running its code.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Counters {
    schedules: u64,
    lock_acquisitions: u64,
    picks: u64,
    entries_looked_at: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct BfsState {
    math: DeadlineMath,
    grq: GlobalQueue,
    cpu_idle_map: CpuMask,
    /// CPUs in the state of quirk Q2.
    exhausted: CpuMask,
    tasks: Vec<BfsTask>,
    cpus: Vec<BfsCpu>,
    iso: IsoState,
    settings: Settings,
    counters: Counters,
    /// Whether CPUs of other nodes count as distant: only on machines with more than 16 nodes (`cpu_locality`: a
    /// scheduling domain of the node level spans up to 16 nodes).
    distant: bool,
}

/// The scheduler.
struct Bfs {
    /// The ticks of each CPU.
    grids: Vec<TickGrid>,
    st: BfsState,
}

impl Bfs {
    fn new(setup: &Setup) -> Self {
        let era = era::find(setup.era);
        let math = DeadlineMath::new(
            era,
            setup.params.get_u64("hz"),
            setup.params.get_u64("rrIntervalMs"),
            setup.cpus,
        );
        let idle = BfsCpu {
            curr: None,
            rq_time_slice: 0,
            rq_deadline: 0,
            rq_last_ran: 0,
            rq_policy: Policy::Normal,
            rq_prio: PRIO_IDLE_CPU,
            rq_smt_bias: 0,
            last_tick: 0,
            dither: false,
            sticky_task: None,
            exhausted: false,
            rerun: false,
            returned: None,
        };
        Self {
            grids: Vec::new(),
            st: BfsState {
                iso: IsoState::new(era.iso, math.hz, setup.cpus, setup.params.get_u64("isoCpu")),
                settings: Settings::new(&setup.params),
                math,
                grq: GlobalQueue::new(),
                cpu_idle_map: CpuMask::first(setup.cpus),
                exhausted: CpuMask::EMPTY,
                tasks: Vec::new(),
                cpus: vec![idle; setup.cpus],
                counters: Counters::default(),
                distant: setup.nodes > 16,
            },
        }
    }
}

impl BfsState {
    /// A deadline as a time in ns, for the page.
    fn shown(&self, deadline: u64) -> i64 {
        self.math.clock_ns(clamp(deadline))
    }
}

fn clamp(x: u64) -> i64 {
    i64::try_from(x).unwrap_or(i64::MAX)
}

impl Scheduler for Bfs {
    fn task_new(&mut self, cx: &mut Cx<'_>, task: TaskId, parent: Option<TaskId>) {
        let st = &mut self.st;
        st.grq.make_room(task);
        let info = cx.task(task);
        let new = BfsTask {
            time_slice: st.math.full_slice(),
            deadline: st.math.clock(cx.now.0) + st.math.offset(info.nice),
            last_ran: 0,
            prio: st.effective_prio(info.policy, info.rt_priority),
            cpu: info.last_cpu,
            first_time_slice: false,
            sticky: false,
            need_resched: false,
            smt_bias: 0,
            signalled: None,
        };
        // Tasks start in any order: lower numbers may start later.
        if st.tasks.len() <= task.index() {
            st.tasks.resize(task.index() + 1, new.clone());
        }
        st.tasks[task.index()] = new;
        st.tasks[task.index()].smt_bias = st.prio_bias(task, info.nice);
        if let Some(parent) = parent {
            st.fork(cx, task, parent);
        }
    }

    fn task_exit(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        self.st.give_back_slice(cx, task);
    }

    fn select_cpu(&mut self, _: &mut Cx<'_>, _: TaskId, _: EnqueueFlags) -> Answer<Placement> {
        Answer::undecided(Placement::Shared)
    }

    fn enqueue(&mut self, cx: &mut Cx<'_>, _: Placement, task: TaskId, _: EnqueueFlags) {
        self.st.counters.lock_acquisitions += 1;
        self.st.queue_task(cx, task);
    }

    fn check_preempt(
        &mut self,
        cx: &mut Cx<'_>,
        _: Placement,
        task: TaskId,
        flags: EnqueueFlags,
    ) -> Answer<Option<CpuId>> {
        let st = &mut self.st;
        let target = match flags {
            EnqueueFlags::SyncWakeup if !st.suitable_idle_cpus(cx, task) => {
                let why = cx.explain(None, Some(task), reasons::SYNC_WAKEUP, [0; 4]);
                Answer::new(None, why)
            }
            EnqueueFlags::New => st.preempt_for_child(cx, task),
            _ => st.try_preempt(cx, task),
        };
        let chosen_idle = target.value.filter(|cpu| st.cpu_idle_map.contains(*cpu));
        st.tasks[task.index()].signalled = chosen_idle;
        target
    }

    fn dequeue(&mut self, _cx: &mut Cx<'_>, task: TaskId, _: DequeueFlags) {
        // A running task is on no list; schedule() only keeps it off.
        if self.st.grq.contains(task) {
            self.st.grq.remove(task);
        }
    }

    fn put_prev(&mut self, cx: &mut Cx<'_>, cpu: CpuId, prev: Option<TaskId>, why: SwitchReason) {
        let st = &mut self.st;
        st.counters.schedules += 1;
        st.counters.lock_acquisitions += 1;
        st.account(cpu, cx.now.0);
        st.note_dither(cpu, cx.now.0);
        st.cpus[cpu.index()].returned = None;
        let Some(prev) = prev else { return };
        let runnable = matches!(why, SwitchReason::Resched | SwitchReason::Yield);
        {
            let c = &st.cpus[cpu.index()];
            let t = &mut st.tasks[prev.index()];
            t.time_slice = c.rq_time_slice;
            t.deadline = c.rq_deadline;
        }
        if !st.check_deadline(cx, cpu, prev, runnable) && why == SwitchReason::Yield {
            let left = st.math.slice_ns(st.tasks[prev.index()].time_slice);
            cx.explain(Some(cpu), Some(prev), reasons::YIELDED, [left, 0, 0, 0]);
        }
        if runnable {
            st.give_back(cx, cpu, prev);
        } else {
            st.tasks[prev.index()].sticky = false;
        }
    }

    fn pick_next(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> Answer<Option<Pick>> {
        let st = &mut self.st;
        let c = &mut st.cpus[cpu.index()];
        let (prev, still_runs) = (c.curr, c.returned.is_some());
        if std::mem::take(&mut c.rerun) {
            return st.rerun(cx, cpu);
        }
        let Answer { value: picked, why } = st.take_next(cx, cpu);
        if picked.is_some() {
            st.cpu_idle_map.remove(cpu);
        } else {
            st.cpu_idle_map.insert(cpu);
        }
        if let Some(prev) = prev {
            st.tasks[prev.index()].last_ran = cx.now.0;
        }
        if picked != prev {
            if let Some(prev) = prev {
                st.tell_of_displaced(cx, cpu, prev, still_runs);
            }
            if st.math.era.pick == PickRule::Sticky
                && picked.is_some_and(|p| st.tasks[p.index()].prio < ISO_PRIO)
            {
                st.unstick(cpu, prev);
            }
            st.load_copies(cx, cpu, picked);
            if picked.is_some() {
                st.check_siblings(cx, cpu);
            } else {
                st.wake_siblings(cx, cpu);
            }
        }
        st.cpus[cpu.index()].returned = None;
        st.note_exhausted(cpu);
        let pick = picked.map(|task| {
            let t = &mut st.tasks[task.index()];
            if std::mem::take(&mut t.need_resched) {
                cx.kick(cpu, None);
            }
            let signalled = t.signalled.take() == Some(cpu);
            let cause = if signalled {
                reasons::WAKE_PLACEMENT
            } else {
                reasons::GLOBAL_PICK
            };
            Pick {
                task,
                cause: Some(cause),
            }
        });
        Answer::new(pick, why)
    }

    fn tick(&mut self, cx: &mut Cx<'_>, cpu: CpuId, _: ClockId) -> bool {
        let st = &mut self.st;
        st.account(cpu, cx.now.0);
        st.cpus[cpu.index()].last_tick = cx.now.0;
        st.iso_tick(cx, cpu);
        let c = &st.cpus[cpu.index()];
        if c.curr.is_none() || c.rq_policy == Policy::Fifo || !st.slice_ends(cx, cpu) {
            return false;
        }
        st.counters.lock_acquisitions += 1;
        true
    }

    fn set_nice(&mut self, cx: &mut Cx<'_>, task: TaskId, old: i8, queued: bool) {
        self.st.change_nice(cx, task, old, queued);
    }

    fn lend(&mut self, cx: &mut Cx<'_>, task: TaskId, loan: Option<Loan>) {
        self.st.lend_prio(cx, task, loan);
    }

    fn set_allowed(&mut self, cx: &mut Cx<'_>, task: TaskId, queued: bool) {
        let info = cx.task(task);
        let (cpu, allowed) = (info.last_cpu, info.allowed);
        if queued {
            let target = self.st.try_preempt(cx, task);
            if let Some(cpu) = target.value {
                cx.kick(cpu, target.why);
            }
        } else if cx.curr[cpu.index()] == Some(task) && !allowed.contains(cpu) {
            let why = cx.explain(Some(cpu), Some(task), reasons::FORBIDDEN_HERE, [0; 4]);
            cx.kick(cpu, why);
        }
    }

    fn set_params(&mut self, cx: &mut Cx<'_>, params: &Params) {
        let st = &mut self.st;
        let rr_interval = params.get_u64("rrIntervalMs");
        st.math = DeadlineMath::new(st.math.era, st.math.hz, rr_interval, st.cpus.len());
        st.settings = Settings::new(params);
        st.iso.set_limit(params.get_u64("isoCpu"));
        for cpu in cx.machine.cpu_ids() {
            cx.requery(cpu);
        }
    }
}

impl QuietTicks for Bfs {
    fn tick_grids(&mut self, grids: &[TickGrid], _: bool) {
        self.grids = grids.to_vec();
    }

    fn quiet_until(
        &self,
        cx: &Cx<'_>,
        cpu: CpuId,
        _: ClockId,
        next: SimTime,
        period: u64,
    ) -> SimTime {
        let st = &self.st;
        let c = &st.cpus[cpu.index()];
        let real_time = matches!(c.rq_policy, Policy::Iso | Policy::Fifo | Policy::RoundRobin);
        if st.iso.is_active() || real_time {
            return next;
        }
        let Some(curr) = c.curr else {
            return SimTime::NEVER;
        };
        if c.exhausted && st.grq.nr == 0 && st.smt_should_schedule(cx, curr, cpu) {
            // Q2: if no task waits, the reschedule at each tick only renews the deadline. The exception is a task that
            // may not be picked again because of the tasks on the other threads of the core.
            return SimTime::NEVER;
        }
        // Two ticks may be 1 ns farther apart.
        let (limit, each) = (st.ends_below(cpu), st.math.slice_part(period + 1).max(1));
        let left = c.rq_time_slice - st.math.charge(next.0.saturating_sub(c.rq_last_ran));
        let more = if c.exhausted || left < limit {
            0
        } else {
            (left - limit) / each + 1
        };
        SimTime(next.0 + more.unsigned_abs() * period)
    }

    fn quiet_reschedules(&self) -> Option<&CpuMask> {
        Some(&self.st.exhausted)
    }

    fn skip_ticks(&mut self, cx: &mut Cx<'_>, cpu: CpuId, _: ClockId, n: u64, last: SimTime) {
        let st = &mut self.st;
        let c = &mut st.cpus[cpu.index()];
        let Some(curr) = c.curr else {
            c.last_tick = last.0;
            return;
        };
        let exhausted = c.exhausted;
        st.skip(cpu, n, last, &self.grids[cpu.index()]);
        if exhausted {
            // Q2, n times: the task is refilled, put back and picked again.
            let nice = cx.task(curr).nice;
            st.refill_times(curr, nice, n, st.math.clock(last.0));
            st.tasks[curr.index()].last_ran = last.0;
            st.counters.schedules += n;
            st.counters.lock_acquisitions += 2 * n;
            st.counters.picks += n;
            st.counters.entries_looked_at += n;
        }
    }
}

impl Kernel for Bfs {
    fn locks(&self) -> LockScope {
        LockScope::Global
    }

    fn clocks(&self) -> Vec<ClockSpec> {
        vec![ClockSpec {
            name: "tick",
            hz: u32::try_from(self.st.math.hz).unwrap_or(u32::MAX),
            ..ClockSpec::default()
        }]
    }

    fn waiter_rank(&self, _: &[sim_contract::cx::TaskInfo], task: TaskId) -> u32 {
        u32::from(self.st.tasks[task.index()].prio)
    }

    fn idle_governor(&self) -> IdleGovernor {
        self.st.math.era.idle_governor
    }
}

impl Observe for Bfs {
    fn queues(&self, out: &mut Vec<QueueRow>) {
        self.observe_queue(out);
    }

    fn shape(&self) -> QueueShape {
        Self::observe_shape()
    }

    fn queue_detail(&self, around: &QueueDetailContext<'_>, cpu: CpuId) -> QueueDetail {
        self.observe_detail(around, cpu)
    }

    fn slice(&self, task: TaskId, running_on: Option<CpuId>) -> SliceView {
        let math = &self.st.math;
        let left = match running_on {
            Some(cpu) => self.st.cpus[cpu.index()].rq_time_slice,
            None => self.st.tasks[task.index()].time_slice,
        };
        SliceView {
            left_ns: math.slice_ns(left),
            full_ns: math.slice_ns(math.full_slice()),
        }
    }

    fn observe_task(&self, task: TaskId, out: &mut [f64]) {
        self.observe_task_columns(task, out);
    }

    fn observe_cpu(&self, cpu: CpuId, out: &mut [f64]) {
        self.observe_cpu_columns(cpu, out);
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        let c = &self.st.counters;
        vec![
            ("schedules", c.schedules),
            ("lockAcquisitions", c.lock_acquisitions),
            ("picks", c.picks),
            ("entriesLookedAt", c.entries_looked_at),
        ]
    }
}

sim_contract::keeps_state!(Bfs, st, |old: &BfsState, new: &mut BfsState| {
    new.math.era = old.math.era;
    new.iso.rule = old.iso.rule;
    let BfsState { grq, tasks, .. } = new;
    grq.reckon(|task| tasks.get(task).map(|t| t.deadline));
});
