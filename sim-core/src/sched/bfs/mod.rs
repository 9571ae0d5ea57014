//! BFS (Con Kolivas), the generation of 0.318: one global queue, earliest virtual deadline first.
//!
//! | hook | kernel function @ 0.318 (Linux 2.6.33, 2.6.34) | deviation |
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
//!
//! Rules, in brief:
//! 1. All tasks get the same slice. A refill also sets the virtual deadline: now + an offset that grows by
//!    a tenth with each nice level. Sleeping, waking and being preempted change neither.
//! 2. A CPU that enters `schedule()` puts its task back and takes, in one critical section, the waiting task
//!    with the earliest deadline; if deadlines have passed, the first in the queue of these.
//! 3. A woken task goes into the queue, and one CPU is signalled: the best idle one, SMT-aware; else the one
//!    that runs the latest deadline, if that is later. Whichever CPU comes first takes it.
//! 4. Nothing balances running tasks.
//!
//! Two quirks of the code matter for placement and are kept. **Q1**: after a switch the first accounting
//! charges the time since the task last ran (at most a jiffy). **Q2**: a task that is picked again keeps the
//! CPU's exhausted copies of slice and deadline, so that it is rescheduled at every tick until something
//! else runs there.
#![deny(clippy::float_arithmetic)]

mod deadline;
mod idle_choice;
mod iso;
mod observe;
mod pick;
mod preempt;
mod queue;
mod reasons;
mod slice;
#[cfg(test)]
mod tests;
mod tunables;

use super::cx::Cx;
use super::flags::{
    ClockId, ClockSpec, DequeueFlags, EnqueueFlags, LockScope, Placement, Policy, SwitchReason,
};
use super::shape::{QueueDetail, QueueShape, Surroundings};
use super::{EraInfo, Pick, QueueRow, Scheduler, SchedulerInfo, Setup, SliceView};
use crate::ids::{CpuId, CpuMask, TaskId};
use crate::params::Params;
use crate::time::SimTime;
use deadline::DeadlineMath;
use iso::IsoState;
use queue::GlobalQueue;
use serde::{Deserialize, Serialize};
use tunables::PRIO_IDLE_CPU;

/// The registry's entry.
pub static INFO: SchedulerInfo = SchedulerInfo {
    id: "bfs",
    name: "BFS",
    summary: "One global queue; the earliest virtual deadline runs next.",
    family: "linux",
    nice_max: 19,
    queue_shape: "deadlineAxis",
    eras: &[EraInfo {
        id: "0.318",
        name: "0.318 · Linux 2.6.34",
        summary: "Deadlines in jiffies; SMT-aware choice of idle CPUs; no balancing.",
        year: 2010,
        tunables: tunables::V0318,
    }],
    reasons: reasons::TABLE,
    task_columns: observe::TASK_COLUMNS,
    cpu_columns: observe::CPU_COLUMNS,
    make: |setup| Box::new(Bfs::new(setup)),
};

/// What BFS keeps of a task.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct BfsTask {
    /// `time_slice` in µs.
    slice_us: i64,
    /// `deadline` in jiffies.
    deadline: u64,
    /// `last_ran` in ns.
    last_ran: u64,
    /// `prio`: the list that it belongs on.
    prio: u8,
    /// In the slice that it was forked with.
    first_time_slice: bool,
    /// The idle CPU that its wake-up signalled, to tell a wake-up placement from a chance pick.
    signalled: Option<CpuId>,
}

/// What BFS keeps of a CPU: copies of the running task's values, loaded when it is switched in.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct BfsCpu {
    curr: Option<TaskId>,
    rq_time_slice: i64,
    rq_deadline: u64,
    rq_last_ran: u64,
    rq_policy: Policy,
    rq_prio: u8,
    /// Q2: the running task was picked again after its slice, so the copies are exhausted.
    exhausted: bool,
    /// Between `put_prev` and `pick_next`: the task that was given back and still wants to run.
    returned: Option<TaskId>,
}

/// Counts that the kernel does not keep but whose values are known from running it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Counters {
    schedules: u64,
    lock_acquisitions: u64,
    picks: u64,
    entries_looked_at: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct State {
    math: DeadlineMath,
    grq: GlobalQueue,
    cpu_idle_map: CpuMask,
    /// CPUs in the state of quirk Q2.
    exhausted: CpuMask,
    tasks: Vec<BfsTask>,
    cpus: Vec<BfsCpu>,
    iso: IsoState,
    counters: Counters,
    /// Packages farther than this many nodes count as distant (`cpu_locality`: a scheduling domain of
    /// the node level spans up to 16 nodes).
    distant: bool,
}

/// The scheduler.
struct Bfs {
    st: State,
}

impl Bfs {
    fn new(setup: &Setup) -> Self {
        let math = DeadlineMath::new(
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
            exhausted: false,
            returned: None,
        };
        Self {
            st: State {
                iso: IsoState::new(math.hz, setup.cpus, setup.params.get_u64("isoCpu")),
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

/// Whole µs of a length in ns.
fn us(ns: u64) -> i64 {
    clamp(ns / 1_000)
}

fn clamp(x: u64) -> i64 {
    i64::try_from(x).unwrap_or(i64::MAX)
}

impl Scheduler for Bfs {
    fn locks(&self) -> LockScope {
        LockScope::Global
    }

    fn clocks(&self) -> Vec<ClockSpec> {
        vec![ClockSpec {
            name: "tick",
            hz: u32::try_from(self.st.math.hz).unwrap_or(u32::MAX),
        }]
    }

    fn task_new(&mut self, cx: &mut Cx<'_>, task: TaskId, parent: Option<TaskId>) {
        let st = &mut self.st;
        st.grq.make_room(task);
        let info = cx.task(task);
        let new = BfsTask {
            slice_us: st.math.slice_us(),
            deadline: st.math.jiffies(cx.now.0) + st.math.offset(info.nice),
            last_ran: 0,
            prio: st.effective_prio(info.policy, info.rt_priority),
            first_time_slice: false,
            signalled: None,
        };
        // Tasks start in any order: those with lower numbers may not have been seen yet.
        if st.tasks.len() <= task.index() {
            st.tasks.resize(task.index() + 1, new.clone());
        }
        st.tasks[task.index()] = new;
        if let Some(parent) = parent {
            st.fork(cx, task, parent);
        }
    }

    fn task_exit(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        self.st.give_back_slice(cx, task);
    }

    fn select_cpu(&mut self, _: &mut Cx<'_>, _: TaskId, _: EnqueueFlags) -> Placement {
        Placement::Shared
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
    ) -> Option<CpuId> {
        let st = &mut self.st;
        let target = match flags {
            EnqueueFlags::SyncWakeup if !st.suitable_idle_cpus(cx, task) => {
                cx.explain(None, Some(task), reasons::SYNC_WAKEUP, [0; 4]);
                None
            }
            EnqueueFlags::New => st.preempt_for_child(cx, task),
            _ => st.try_preempt(cx, task),
        };
        let chosen_idle = target.filter(|cpu| st.cpu_idle_map.contains(*cpu));
        st.tasks[task.index()].signalled = chosen_idle;
        target
    }

    fn dequeue(&mut self, _cx: &mut Cx<'_>, task: TaskId, _: DequeueFlags) {
        // A running task is on no list; schedule() only leaves it off.
        if self.st.grq.contains(task) {
            self.st.grq.remove(task);
        }
    }

    fn put_prev(&mut self, cx: &mut Cx<'_>, cpu: CpuId, prev: Option<TaskId>, why: SwitchReason) {
        let st = &mut self.st;
        st.counters.schedules += 1;
        st.counters.lock_acquisitions += 1;
        st.account(cpu, cx.now.0);
        st.cpus[cpu.index()].returned = None;
        let Some(prev) = prev else { return };
        let runnable = matches!(why, SwitchReason::Resched | SwitchReason::Yield);
        let (slice_left, quiet) = {
            let c = &st.cpus[cpu.index()];
            let t = &mut st.tasks[prev.index()];
            t.slice_us = c.rq_time_slice;
            t.deadline = c.rq_deadline;
            // Q2 with an empty queue: nothing but arithmetic happens, and nothing is told.
            (t.slice_us, c.exhausted && st.grq.nr == 0 && runnable)
        };
        let info = cx.task(prev);
        let (nice, allowed_here) = (info.nice, info.allowed.contains(cpu));
        if slice_left <= 0 {
            st.refill(prev, nice, cx.now.0);
            if !quiet {
                let t = &st.tasks[prev.index()];
                let reason = if runnable && st.grq.nr == 0 {
                    reasons::ALONE_ON_CPU
                } else {
                    reasons::SLICE_EXPIRED
                };
                let operands = [
                    slice_left,
                    t.slice_us,
                    clamp(t.deadline),
                    clamp(st.math.jiffies(cx.now.0)),
                ];
                cx.explain(Some(cpu), Some(prev), reason, operands);
            }
        } else if why == SwitchReason::Yield {
            cx.explain(
                Some(cpu),
                Some(prev),
                reasons::YIELDED,
                [slice_left, 0, 0, 0],
            );
        }
        if runnable {
            st.queue_task(cx, prev);
            st.cpus[cpu.index()].returned = Some(prev);
            if !allowed_here && let Some(target) = st.best_idle(cx, prev) {
                cx.kick(target);
            }
        }
    }

    fn pick_next(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> Option<Pick> {
        let st = &mut self.st;
        let now = cx.now.0;
        let waiting = i64::from(st.grq.nr);
        let returned = st.cpus[cpu.index()].returned;
        let prev = st.cpus[cpu.index()].curr;
        let mut picked = None;
        if st.grq.nr > 0 {
            let (found, looked) = st.earliest_deadline_task(cx, cpu);
            st.counters.picks += 1;
            st.counters.entries_looked_at += looked;
            let jiffies = clamp(st.math.jiffies(now));
            match found {
                None => cx.explain(
                    Some(cpu),
                    None,
                    reasons::NOTHING_ALLOWED,
                    [waiting, 0, 0, 0],
                ),
                Some((task, reason, key)) => {
                    st.grq.remove(task);
                    picked = Some(task);
                    let alone = waiting == 1 && returned == Some(task);
                    let reason = if alone { reasons::ONLY_TASK } else { reason };
                    if !(alone && st.cpus[cpu.index()].exhausted) {
                        let operands = [clamp(key), jiffies, waiting, clamp(looked)];
                        cx.explain(Some(cpu), Some(task), reason, operands);
                    }
                }
            }
        }
        if picked.is_some() {
            st.cpu_idle_map.remove(cpu);
        } else {
            st.cpu_idle_map.insert(cpu);
        }
        if let Some(prev) = prev {
            st.tasks[prev.index()].last_ran = now;
        }
        if picked != prev || picked.is_none() {
            st.load_copies(cx, cpu, picked);
        }
        let c = &mut st.cpus[cpu.index()];
        c.returned = None;
        c.exhausted = picked.is_some() && c.rq_time_slice <= 0 && c.rq_policy != Policy::Fifo;
        if c.exhausted {
            st.exhausted.insert(cpu);
        } else {
            st.exhausted.remove(cpu);
        }
        picked.map(|task| {
            let signalled = st.tasks[task.index()].signalled.take() == Some(cpu);
            Pick {
                task,
                migrate_reason: if signalled {
                    reasons::WAKE_PLACEMENT
                } else {
                    reasons::GLOBAL_PICK
                },
            }
        })
    }

    fn tick(&mut self, cx: &mut Cx<'_>, cpu: CpuId, _: ClockId) -> bool {
        let st = &mut self.st;
        st.account(cpu, cx.now.0);
        st.iso_tick(cx, cpu);
        let c = &st.cpus[cpu.index()];
        if c.curr.is_none() || c.rq_time_slice > 0 || c.rq_policy == Policy::Fifo {
            return false;
        }
        st.counters.lock_acquisitions += 1;
        true
    }

    fn set_nice(&mut self, cx: &mut Cx<'_>, task: TaskId, old: i8, queued: bool) {
        self.st.change_nice(cx, task, old, queued);
    }

    fn set_allowed(&mut self, cx: &mut Cx<'_>, task: TaskId, queued: bool) {
        let info = cx.task(task);
        let (cpu, allowed) = (info.last_cpu, info.allowed);
        if queued {
            if let Some(target) = self.st.try_preempt(cx, task) {
                cx.kick(target);
            }
        } else if cx.curr[cpu.index()] == Some(task) && !allowed.contains(cpu) {
            cx.kick(cpu);
        }
    }

    fn set_params(&mut self, cx: &mut Cx<'_>, params: &Params) {
        let st = &mut self.st;
        st.math = DeadlineMath::new(st.math.hz, params.get_u64("rrIntervalMs"), st.cpus.len());
        st.iso.set_limit(params.get_u64("isoCpu"));
        for cpu in cx.machine.cpu_ids() {
            cx.requery(cpu);
        }
    }

    fn quiet_until(
        &self,
        _cx: &Cx<'_>,
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
        if c.curr.is_none() {
            return SimTime::NEVER;
        }
        if c.rq_time_slice <= 0 {
            // Q2: with nobody waiting the reschedule at each tick only renews the deadline.
            return if c.exhausted && st.grq.nr == 0 {
                SimTime::NEVER
            } else {
                next
            };
        }
        let first = us(next.0.saturating_sub(c.rq_last_ran).min(period));
        let left = c.rq_time_slice - first;
        let more = if left <= 0 {
            0
        } else {
            let each = us(period).max(1);
            (left + each - 1) / each
        };
        SimTime(next.0 + more.unsigned_abs() * period)
    }

    fn quiet_reschedules(&self) -> Option<&CpuMask> {
        Some(&self.st.exhausted)
    }

    fn skip_ticks(&mut self, cx: &mut Cx<'_>, cpu: CpuId, _: ClockId, n: u64, last: SimTime) {
        let st = &mut self.st;
        let period = st.math.period_ns;
        let c = &mut st.cpus[cpu.index()];
        let Some(curr) = c.curr else { return };
        let first = last.0 - (n - 1) * period;
        let dt = first.saturating_sub(c.rq_last_ran).min(period);
        c.rq_time_slice -= us(dt) + us(period) * clamp(n - 1);
        c.rq_last_ran = last.0;
        if c.exhausted {
            // Q2, n times: refilled, put back, picked again.
            let nice = cx.task(curr).nice;
            st.refill(curr, nice, last.0);
            st.tasks[curr.index()].last_ran = last.0;
            st.counters.schedules += n;
            st.counters.lock_acquisitions += 2 * n;
            st.counters.picks += n;
            st.counters.entries_looked_at += n;
        }
    }

    fn queues(&self, out: &mut Vec<QueueRow>) {
        self.observe_queue(out);
    }

    fn shape(&self) -> QueueShape {
        Self::observe_shape()
    }

    fn queue_detail(&self, around: &Surroundings<'_>, cpu: CpuId) -> QueueDetail {
        self.observe_detail(around, cpu)
    }

    fn slice(&self, task: TaskId, running_on: Option<CpuId>) -> SliceView {
        let left_us = match running_on {
            Some(cpu) => self.st.cpus[cpu.index()].rq_time_slice,
            None => self.st.tasks[task.index()].slice_us,
        };
        SliceView {
            left_ns: left_us * 1_000,
            full_ns: self.st.math.slice_us() * 1_000,
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

    fn save(&self) -> Vec<u8> {
        postcard::to_stdvec(&self.st).expect("invariant: plain data is serialisable")
    }

    fn load(&mut self, bytes: &[u8]) -> bool {
        match postcard::from_bytes(bytes) {
            Ok(st) => {
                self.st = st;
                true
            }
            Err(_) => false,
        }
    }
}
