//! Tasks begin, wake, sleep, yield and change: the hooks about a single task.
//!
//! | item | kernel function @ 6.12.117 |
//! |---|---|
//! | `fork` | `sched_fork`, `__sched_fork` |
//! | `activate` | `wake_up_new_task`, `ttwu_runnable`, `ttwu_do_activate`, `migrate_task_rq_fair` |
//! | `deactivate` | `block_task`, `dequeue_task` |
//! | `ends` | `task_dead_fair` |
//! | `gives_up` | `yield_task_fair`, `yield_task_rt` |
//! | `renice`, `new_slice` | `set_user_nice`, `__setparam_fair` |

use super::mean::SCALE_BITS;
use super::queue::{Entry, Leave};
use super::state::{Entity, Task};
use super::{Eevdf, reasons};
use crate::linux::class::FairClass;
use crate::linux::clock::RqClock;
use crate::linux::lending::Lending;
use crate::linux::lists::Links;
use crate::linux::machine::balance::GroupBalancing;
use crate::linux::machine::load::LoadTracking;
use crate::linux::rt::{RealTime, is_real_time};
use crate::linux::signed;
use crate::linux::wakees::Wakees;
use crate::linux::weight;
use sim_contract::cx::{Cx, TaskInfo};
use sim_contract::flags::{DequeueFlags, EnqueueFlags, Policy};
use sim_ground::ids::{CpuId, TaskId};

/// Range of a requested slice, in ns (`__setparam_fair`).
const SLICES: std::ops::RangeInclusive<u64> = 100_000..=100_000_000;

/// The slice that the kernel grants for a requested one; `None` if 0 was requested, which means no own slice.
fn granted(asked: u64) -> Option<u64> {
    (asked > 0).then(|| asked.clamp(*SLICES.start(), *SLICES.end()))
}

impl Eevdf {
    pub(super) fn fork(&mut self, cx: &mut Cx<'_>, task: TaskId, parent: Option<TaskId>) {
        let now = cx.now.0;
        let info = cx.task(task).clone();
        let from = info.last_cpu;
        let group = self.group_of(&info, now);
        let mut entity = Entity::new(u32::from(from.0));
        entity.task = task.0;
        entity.slice = self.st.tun.base_slice;
        if !self.st.tun.fork_clears_rel_deadline
            && let Some(parent) = parent
        {
            let of = self.st.se(parent);
            (entity.relative, entity.deadline) = (of.relative, of.deadline);
        }
        let se = self.st.add_entity(entity);
        let row = Task {
            se,
            cpu: from,
            group,
            real_time: is_real_time(info.policy),
            idle_policy: info.policy == Policy::Idle,
            links: Links::NONE,
            util_est: 0,
            util_changed: true,
            rr_left: self.rr_ticks(),
            wakees: Wakees::NONE,
            recent_cpu: from,
            why_here: reasons::FORK_PLACEMENT,
            moves: 0,
        };
        self.st.add_task(task, row);
        self.weigh(task, &info);
        self.take_asked_slice(task, &info);
        self.init_avg(se);
        self.attach_to(task, from);
        self.joins_caches(cx, task, &info);
    }

    /// A task is one of its process for the caches. With the second one, ticks begin to look at the process.
    fn joins_caches(&mut self, cx: &mut Cx<'_>, task: TaskId, info: &TaskInfo) {
        let caches = self.caches.as_mut();
        let process = (!info.kernel_thread).then_some(info.process);
        if caches.is_some_and(|c| c.begin(task, process, cx.now.0)) {
            for cpu in cx.machine.cpu_ids() {
                cx.requery(cpu);
            }
        }
    }

    /// `set_load_weight`.
    fn weigh(&mut self, task: TaskId, info: &TaskInfo) {
        let (weight, inverse) = weight::of_task(info.nice, info.policy);
        let e = self.st.task(task).se;
        self.set_load(e, weight << SCALE_BITS, inverse);
    }

    /// Sets the requested slice, or the base slice.
    fn take_asked_slice(&mut self, task: TaskId, info: &TaskInfo) {
        if !self.st.tun.custom_slices() {
            return;
        }
        let e = self.st.task(task).se;
        let own = granted(info.slice_ns);
        self.set_slice_of(e, own.unwrap_or(self.st.tun.base_slice));
        self.st.ent_mut(e).custom_slice = own.is_some();
    }

    /// Queues a runnable task on a CPU.
    pub(super) fn activate(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        task: TaskId,
        flags: EnqueueFlags,
    ) {
        let now = cx.now.0;
        if flags != EnqueueFlags::New && !self.st.tun.timed().idle_until_switch {
            self.st.rq_mut(cpu).side.end_idleness(now);
        }
        let t = self.st.task(task);
        let (se, from, real_time) = (t.se, t.cpu, t.real_time);
        if cpu != from {
            let cause = if flags == EnqueueFlags::New {
                reasons::FORK_PLACEMENT
            } else {
                reasons::WAKE_PLACEMENT
            };
            let t = self.st.task_mut(task);
            (t.why_here, t.moves) = (cause, t.moves + 1);
            self.st.machine.counters.placed += 1;
        }
        if real_time {
            self.st.task_mut(task).cpu = cpu;
            self.rt_activate(cx, cpu, task);
            self.note_arrival(cpu);
            return;
        }
        if self.st.ent(se).delayed {
            self.util_est_enqueue(task);
            let kept = self.requeue_delayed(se, now);
            self.explain_return(cx, task, kept);
            return;
        }
        if flags == EnqueueFlags::New {
            self.attach_to(task, cpu);
            self.join_avg(se);
            self.enqueue_task(task, Entry::New, now);
        } else {
            if cpu != from {
                self.remove_avg(se, now);
                self.st.ent_mut(se).exec_start = 0;
            }
            self.attach_to(task, cpu);
            self.enqueue_task(task, Entry::Other, now);
        }
        self.explain_place(cx, task, flags == EnqueueFlags::New);
    }

    /// Records where a task that joins a queue was placed.
    fn explain_place(&self, cx: &mut Cx<'_>, task: TaskId, new: bool) {
        let t = self.st.task(task);
        let ent = self.st.ent(t.se);
        let line = self.st.line_of(ent);
        let queue = self.st.queue(line);
        if queue.nr == 1 {
            return;
        }
        let ahead = self.mean(line) - ent.v;
        let (reason, operands) = if new {
            let request = ent.deadline - ent.v;
            (
                reasons::PLACED_NEW,
                [ahead, request, i64::from(queue.nr), 0],
            )
        } else {
            let request = ent.deadline - ent.v;
            (
                reasons::PLACED_WITH_LAG,
                [ahead, request, i64::from(queue.nr), ent.lag],
            )
        };
        cx.explain(Some(t.cpu), Some(task), reason, operands);
    }

    /// Records that a delayed task wakes: it has kept its place, or starts again at V.
    fn explain_return(&self, cx: &mut Cx<'_>, task: TaskId, kept: bool) {
        let t = self.st.task(task);
        let ent = self.st.ent(t.se);
        let reason = if kept {
            reasons::WOKEN_WHILE_DELAYED
        } else {
            reasons::WOKEN_WHILE_DELAYED_AT_V
        };
        let lag = self.mean(self.st.line_of(ent)) - ent.v;
        let operands = [lag, ent.deadline - ent.v, 0, 0];
        cx.explain(Some(t.cpu), Some(task), reason, operands);
    }

    pub(super) fn deactivate(&mut self, cx: &mut Cx<'_>, task: TaskId, flags: DequeueFlags) {
        let now = cx.now.0;
        let t = self.st.task(task);
        let (cpu, se, real_time) = (t.cpu, t.se, t.real_time);
        if real_time {
            self.rt_deactivate(cx, cpu, task);
            return;
        }
        let runs = self.st.rq(cpu).curr == Some(task);
        let leave = match flags {
            DequeueFlags::Sleep if runs => Leave::Sleep,
            DequeueFlags::Sleep | DequeueFlags::Stop | DequeueFlags::Exit => Leave::Ends,
        };
        let left = self.dequeue_task(task, leave, now);
        if runs {
            // The CPU enters the scheduler now.
            self.wanted.clear();
        }
        let ent = self.st.ent(se);
        let line = self.st.line_of(ent);
        let n = i64::from(self.st.queue(line).nr);
        if !left {
            let lag = self.mean(line) - ent.v;
            let operands = [lag, ent.deadline - ent.v, n, 0];
            cx.explain(Some(cpu), Some(task), reasons::SLEEP_DELAYED, operands);
        } else if flags != DequeueFlags::Exit && n > 0 {
            let operands = [ent.lag, n, 0, 0];
            cx.explain(Some(cpu), Some(task), reasons::SLEEP_LAG_STORED, operands);
        }
    }

    /// A task has ended; a task that is still delayed leaves its queue.
    pub(super) fn ends(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        let t = self.st.task(task);
        let (se, cpu) = (t.se, t.cpu);
        if self.st.ent(se).delayed {
            self.complete_delayed(cx, se);
            cx.requery(cpu);
        }
        self.remove_avg(se, cx.now.0);
    }

    pub(super) fn gives_up(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId) {
        let now = cx.now.0;
        if self.st.task(task).real_time {
            self.st.rq_mut(cpu).rt.gives_way = true;
            return;
        }
        if self.st.rq(cpu).nr_running == 1 {
            return;
        }
        let se = self.st.task(task).se;
        let q = self.st.line(se);
        self.clear_buddy(se);
        self.update_curr(q, now);
        let lag = self.mean(q) - self.st.ent(se).v;
        let n = i64::from(self.st.queue(q).nr);
        let request = self.delta_fair(self.st.ent(se).slice, se);
        let forfeits = self.st.tun.yield_forfeits;
        let eligible = self.eligible(se);
        let ent = self.st.ent_mut(se);
        if forfeits && eligible {
            ent.v = ent.deadline;
        }
        let (reason, given) = if eligible || !forfeits {
            ent.deadline += request;
            (reasons::YIELD_FORFEITS, request)
        } else {
            (reasons::YIELD_NOT_ELIGIBLE, 0)
        };
        cx.explain(Some(cpu), Some(task), reason, [lag, given, n, 0]);
    }

    pub(super) fn renice(&mut self, cx: &mut Cx<'_>, task: TaskId, old: i8) {
        let info = cx.task(task).clone();
        let t = self.st.task(task);
        let (cpu, se, real_time) = (t.cpu, t.se, t.real_time);
        self.forget_fair_loan(task);
        if real_time {
            if !is_real_time(info.policy) {
                // The weight is for the time when it is fair again.
                self.weigh(task, &info);
            }
            return;
        }
        let [weight, before] = [info.nice, old].map(|n| signed(weight::of_task(n, info.policy).0));
        let operands = [i64::from(info.nice), i64::from(old), weight, before];
        cx.explain(Some(cpu), Some(task), reasons::REWEIGHED, operands);
        self.update_rq_clock(cpu, cx.now.0);
        cx.requery(cpu);
        let runs = self.st.rq(cpu).curr == Some(task);
        self.change(cx, task, |s| {
            let (weight, inverse) = weight::of_task(info.nice, info.policy);
            s.reweight_off(se, weight << SCALE_BITS, inverse);
        });
        if !self.st.ent(se).on_rq || self.st.root(cpu).nr == 1 {
            return;
        }
        if runs {
            if info.nice > old {
                let operands = [i64::from(info.nice), i64::from(old), 0, 0];
                let why = cx.explain(Some(cpu), Some(task), reasons::NICE_LOWERED, operands);
                self.resched(cx, cpu, Some(why));
            }
        } else {
            self.may_preempt(cx, cpu, task);
        }
    }

    /// Another slice was requested: it counts from the next request on, but for preemption at once.
    pub(super) fn new_slice(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        let info = cx.task(task).clone();
        let t = self.st.task(task);
        let (cpu, se) = (t.cpu, t.se);
        // What is asked for is compared with the slice that the task has: 0 (no slice of its own) always differs.
        let same = info.slice_ns == self.st.ent(se).slice;
        if t.real_time || !self.st.tun.custom_slices() || same {
            return;
        }
        self.update_rq_clock(cpu, cx.now.0);
        cx.requery(cpu);
        let before = signed(self.st.ent(se).slice);
        self.change(cx, task, |s| s.take_asked_slice(task, &info));
        let operands = [signed(self.st.ent(se).slice), before, 0, 0];
        cx.explain(Some(cpu), Some(task), reasons::SLICE_SET, operands);
    }

    /// Takes a queued task off its queue, changes something, and puts it back. A running task is set as current again.
    pub(super) fn change(&mut self, cx: &Cx<'_>, task: TaskId, what: impl FnOnce(&mut Self)) {
        let now = cx.now.0;
        let t = self.st.task(task);
        let (cpu, se) = (t.cpu, t.se);
        if !self.st.ent(se).on_rq {
            what(self);
            return;
        }
        let runs = self.st.rq(cpu).curr == Some(task);
        self.dequeue_task(task, Leave::Changes, now);
        if runs {
            self.put_fair(task, now);
        }
        what(self);
        self.enqueue_task(task, Entry::Other, now);
        if runs {
            let protects = !self.st.tun.later().protect_at_pick_only;
            self.set_path_again(se, now, protects);
        }
    }
}
