//! Tasks begin, wake and change: the hooks about a single task.
//!
//! | item | kernel function |
//! |---|---|
//! | `fork` | `sched_fork`, `task_fork_fair` |
//! | `before_wakeup` | `try_to_wake_up`, `task_waking_fair` |
//! | `choose_cpu` | `select_task_rq` |
//! | `choose_at_exec` | `sched_exec` |
//! | `activate` | `activate_task`, `wake_up_new_task`, `migrate_task_rq_fair` |
//! | `deactivate` | `deactivate_task` |
//! | `gives_up` | `yield_task_fair`, `yield_task_rt` |
//! | `renice` | `set_user_nice` |

use super::entity::{Entity, NONE, Task};
use super::era::{LoadMetric, PutPrevOrder, RelativeVruntime, ReniceRule, Yields};
use super::queue::{Entry, Leave};
use super::vruntime::before;
use super::{Cfs, reasons};
use crate::linux::class::FairClass;
use crate::linux::clock::RqClock;
use crate::linux::lending::Lending;
use crate::linux::lists::Links;
use crate::linux::machine::Machine;
use crate::linux::machine::select::Selects;
use crate::linux::rt::{RealTime, is_real_time};
use crate::linux::signed;
use crate::linux::stopper::StopWork;
use crate::linux::wakees::{Wakees, average};
use crate::linux::weight;
use sim_contract::cx::Cx;
use sim_contract::decision::DecisionId;
use sim_contract::flags::{DequeueFlags, EnqueueFlags, Policy};
use sim_ground::ids::{CpuId, TaskId};

impl Cfs {
    pub(super) fn fork(&mut self, cx: &mut Cx<'_>, task: TaskId, parent: Option<TaskId>) {
        let now = cx.now.0;
        let info = cx.task(task).clone();
        let from = info.last_cpu;
        let group = self.group_of(&info, now);
        let mut entity = Entity::new(u32::from(from.0));
        entity.task = task.0;
        entity.avg_wakeup = self.st.tun.wakeup_granularity;
        let se = self.st.add_entity(entity);
        let real_time = is_real_time(info.policy);
        let row = Task {
            se,
            cpu: from,
            group,
            real_time,
            links: Links::NONE,
            wakees: Wakees::NONE,
            migrated: false,
            why_here: reasons::FORK_PLACEMENT,
            moves: 0,
            rr_left: self.rr_ticks(),
        };
        self.st.add_task(task, row);
        self.add_row(task, from, info.policy == Policy::Idle);
        self.weigh(task, info.nice, info.policy);
        self.init_avg(se);
        self.attach_to(task, from);
        if !real_time {
            self.place_child(cx, task, parent, from);
        }
    }

    /// `task_fork_fair`, on the parent's queue.
    fn place_child(&mut self, cx: &mut Cx<'_>, task: TaskId, parent: Option<TaskId>, from: CpuId) {
        let now = cx.now.0;
        let se = self.st.task(task).se;
        let q = self.st.ent(se).queue;
        self.update_curr(q, now);
        let mut curr = self.st.queue(q).curr;
        if parent.is_none() {
            curr = NONE;
        }
        self.st.ent_mut(se).vruntime = match curr {
            NONE => self.st.queue(q).min_vruntime,
            e => self.st.ent(e).vruntime,
        };
        self.place(q, se, true, Policy::Normal, now);
        if self.st.tun.child_runs_first
            && curr != NONE
            && before(self.st.ent(curr).vruntime, self.st.ent(se).vruntime)
        {
            let (a, b) = (self.st.ent(curr).vruntime, self.st.ent(se).vruntime);
            self.st.ent_mut(curr).vruntime = b;
            self.st.ent_mut(se).vruntime = a;
            let why = cx.explain(Some(from), Some(task), reasons::CHILD_RUNS_FIRST, [0; 4]);
            self.resched(cx, from, Some(why));
        }
        let min = self.st.queue(q).min_vruntime;
        let ent = self.st.ent_mut(se);
        ent.vruntime = ent.vruntime.wrapping_sub(min);
    }

    /// `set_load_weight`.
    fn weigh(&mut self, task: TaskId, nice: i8, policy: Policy) {
        let (weight, inverse) = weight::of_task(nice, policy);
        let bits = self.era.division.scale_bits();
        let e = self.st.task(task).se;
        self.load_is_taken(e);
        let ent = self.st.ent_mut(e);
        (ent.weight, ent.inverse) = (weight << bits, inverse);
        self.load_is_given(e);
    }

    pub(super) fn before_wakeup(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        let t = self.st.task(task);
        if t.real_time {
            return;
        }
        let (se, cpu) = (t.se, t.cpu);
        let waker = cx.cpu.and_then(|c| self.st.rq(c).curr);
        let waker = waker.filter(|w| *w != task && !self.st.task(*w).real_time);
        match self.era.relative {
            RelativeVruntime::AtWakeup => {
                if let Some(waker) = waker.filter(|_| !cx.interrupt) {
                    self.update_rq_clock(self.st.task(waker).cpu, cx.now.0);
                    let w = self.st.task(waker).se;
                    self.update_path(w, cx.now.0);
                    self.note_waker(waker);
                }
                self.update_rq_clock(cpu, cx.now.0);
                let min = self.st.queue(self.st.ent(se).queue).min_vruntime;
                let ent = self.st.ent_mut(se);
                ent.vruntime = ent.vruntime.wrapping_sub(min);
                ent.start_runtime = ent.sum_exec;
            }
            RelativeVruntime::AtMigration => {
                // The shared machine counts partners when it chooses the CPU.
                if let Some(waker) = waker.filter(|_| !self.is_shared()) {
                    self.record_wakee(waker, task, cx.now.0);
                }
            }
        }
    }

    pub(super) fn choose_cpu(
        &mut self,
        cx: &mut Cx<'_>,
        task: TaskId,
        flags: EnqueueFlags,
    ) -> (CpuId, DecisionId) {
        let own = self.st.task(task).cpu;
        if self.st.task(task).real_time {
            return self.rt_select(cx, task);
        }
        if self.is_shared() {
            return Selects::choose_cpu(self, cx, task, flags);
        }
        match flags {
            EnqueueFlags::New => {
                let reasons = [reasons::FORK_LOCAL, reasons::IDLEST_CPU];
                self.select_idlest(cx, task, own, reasons)
            }
            EnqueueFlags::Wakeup | EnqueueFlags::Change => {
                self.select_wake(cx, task, cx.cpu.unwrap_or(own), false)
            }
            EnqueueFlags::SyncWakeup => self.select_wake(cx, task, cx.cpu.unwrap_or(own), true),
        }
    }

    /// `sched_exec`: the task has no data in caches, so it can move without loss. Real-time tasks stay.
    pub(super) fn choose_at_exec(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId) {
        if self.st.task(task).real_time {
            return;
        }
        if self.is_shared() {
            Selects::choose_at_exec(self, cx, cpu, task);
            return;
        }
        let reasons = [reasons::EXEC_LOCAL, reasons::EXEC_IDLEST];
        let (dst, why) = self.select_idlest(cx, task, cpu, reasons);
        if dst != cpu {
            let work = StopWork::Exec(task, dst, why);
            self.st.rq_mut(cpu).stop.push(work);
            cx.kick(cpu, why);
        }
    }

    pub(super) fn activate(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        task: TaskId,
        flags: EnqueueFlags,
    ) {
        let now = cx.now.0;
        let (se, from) = (self.st.task(task).se, self.st.task(task).cpu);
        if cpu != from {
            let t = self.st.task_mut(task);
            t.moves += 1;
            t.why_here = if flags == EnqueueFlags::New {
                reasons::FORK_PLACEMENT
            } else {
                reasons::WAKE_PLACEMENT
            };
            self.counters_mut().placed += 1;
        }
        if flags != EnqueueFlags::New {
            self.end_idleness(cpu, now);
        }
        if self.st.task(task).real_time {
            self.st.task_mut(task).cpu = cpu;
            self.rt_activate(cx, cpu, task);
            self.task_arrived(cpu);
            return;
        }
        let policy = cx.task(task).policy;
        if flags == EnqueueFlags::New {
            self.attach_to(task, cpu);
            self.join_avg(se, now);
            self.enqueue_task(task, Entry::Other, policy, now);
            return;
        }
        if cpu != from && self.era.relative == RelativeVruntime::AtMigration {
            let min = self.st.queue(self.st.ent(se).queue).min_vruntime;
            self.remove_avg(se, now);
            let keeps_start = self.era.long_sleeper.is_some();
            let ent = self.st.ent_mut(se);
            ent.vruntime = ent.vruntime.wrapping_sub(min);
            if !keeps_start {
                ent.exec_start = 0;
            }
            self.st.task_mut(task).migrated = true;
        }
        self.attach_to(task, cpu);
        let moved = self.st.task(task).migrated;
        self.enqueue_task(task, Entry::Wakeup, policy, now);
        if moved {
            // It was kept until the task has been placed.
            self.st.ent_mut(se).exec_start = 0;
        }
    }

    /// Records how long a CPU was idle, when a task wakes there (`ttwu_do_wakeup`).
    fn end_idleness(&mut self, cpu: CpuId, now: u64) {
        if self.is_shared() {
            self.side_mut(cpu).end_idleness(now);
            return;
        }
        let cap = self.st.tun.avg_idle_cap();
        let pelt = self.era.load == LoadMetric::Pelt;
        let rq = self.st.rq_mut(cpu);
        if rq.idle_stamp == 0 {
            return;
        }
        // At time 0 the stamp is 1, because 0 means that there is none.
        let span = now.saturating_sub(rq.idle_stamp);
        rq.avg_idle = if !pelt && span > cap {
            cap
        } else {
            average(rq.avg_idle, span).min(cap)
        };
        rq.idle_stamp = 0;
    }

    pub(super) fn deactivate(&mut self, cx: &mut Cx<'_>, task: TaskId, flags: DequeueFlags) {
        let now = cx.now.0;
        let t = self.st.task(task);
        let (cpu, se, real_time) = (t.cpu, t.se, t.real_time);
        if real_time {
            self.rt_deactivate(cx, cpu, task);
            return;
        }
        if self.st.rq(cpu).curr == Some(task) {
            self.update_path(se, now);
        }
        if flags != DequeueFlags::Exit && self.era.relative == RelativeVruntime::AtWakeup {
            self.note_sleeper(task);
        }
        self.dequeue_task(task, Leave::Sleep, now);
        if self.st.rq(cpu).curr == Some(task) {
            // The CPU enters the scheduler now.
            self.drops_out_of_time(cpu);
        }
    }

    pub(super) fn gives_up(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId) {
        let now = cx.now.0;
        if self.st.task(task).real_time {
            self.st.rq_mut(cpu).rt.gives_way = true;
            return;
        }
        let se = self.st.task(task).se;
        let q = self.st.ent(se).queue;
        let n = i64::from(self.st.queue(q).nr_running);
        let policy = cx.task(task).policy;
        let alone = match self.era.yields {
            Yields::Charge => n == 1,
            Yields::Skip => self.st.rq(cpu).nr_running == 1,
        };
        if alone {
            return;
        }
        cx.explain(Some(cpu), Some(task), reasons::YIELDED, [n, 0, 0, 0]);
        self.clear_buddies(se);
        match self.era.yields {
            Yields::Charge if !self.st.tun.compat_yield && policy != Policy::Batch => {
                self.update_curr(q, now);
            }
            Yields::Charge => {
                self.update_curr(q, now);
                let right = self.st.arena.last(self.st.queue(q).tree);
                if right != NONE {
                    let v = self.st.ent(right).vruntime;
                    if !before(v, self.st.ent(se).vruntime) {
                        self.st.ent_mut(se).vruntime = v.wrapping_add(1);
                    }
                }
            }
            Yields::Skip => {
                if policy != Policy::Batch {
                    self.update_curr(q, now);
                }
                self.set_skip_buddy(se);
            }
        }
    }

    pub(super) fn renice(&mut self, cx: &mut Cx<'_>, task: TaskId, old: i8, queued: bool) {
        let now = cx.now.0;
        let info = cx.task(task);
        let (nice, policy) = (info.nice, info.policy);
        let t = self.st.task(task);
        let (cpu, real_time) = (t.cpu, t.real_time);
        self.forget_fair_loan(task);
        if real_time {
            if !is_real_time(policy) {
                // The weight is for the time when it is fair again.
                self.weigh(task, nice, policy);
            }
            return;
        }
        let [weight, before] = [nice, old].map(|n| signed(weight::of_task(n, policy).0));
        let operands = [i64::from(nice), i64::from(old), weight, before];
        cx.explain(Some(cpu), Some(task), reasons::REWEIGHED, operands);
        self.update_rq_clock(cpu, now);
        cx.requery(cpu);
        let runs = self.st.rq(cpu).curr == Some(task);
        if !queued && !runs {
            self.weigh(task, nice, policy);
            return;
        }
        self.change(cx, task, |s| s.weigh(task, nice, policy));
        if self.era.renices == ReniceRule::Weaker {
            self.after_renice(cx, task, [nice, old]);
            return;
        }
        if nice < old || runs {
            let why = (nice < old).then(|| {
                let operands = [i64::from(nice), i64::from(old), 0, 0];
                cx.explain(Some(cpu), Some(task), reasons::NICE_IMPROVED, operands)
            });
            self.resched(cx, cpu, why);
        }
    }

    /// Takes a queued task off its queue, changes something, and puts it back. A running task is set as current again.
    pub(super) fn change(&mut self, cx: &Cx<'_>, task: TaskId, what: impl FnOnce(&mut Self)) {
        let now = cx.now.0;
        let policy = cx.task(task).policy;
        let runs = self.st.rq(self.st.task(task).cpu).curr == Some(task);
        self.dequeue_task(task, Leave::Changes, now);
        let set_aside = runs && self.era.put == PutPrevOrder::AfterPick;
        if set_aside {
            self.put_fair(task, now);
        }
        what(self);
        self.enqueue_task(task, Entry::Other, policy, now);
        if set_aside {
            let mut e = self.st.task(task).se;
            while e != NONE {
                self.set_next(self.st.ent(e).queue, e, now);
                e = self.st.ent(e).parent;
            }
        }
    }

    /// 6.1: a task that runs and got less weight lets its CPU pick again. One that waits may preempt, whatever changed.
    fn after_renice(&mut self, cx: &mut Cx<'_>, task: TaskId, [nice, old]: [i8; 2]) {
        let cpu = self.st.task(task).cpu;
        if self.st.root(cpu).nr_running == 1 {
            return;
        }
        if self.st.rq(cpu).curr != Some(task) {
            self.may_preempt(cx, cpu, task);
        } else if nice > old {
            let operands = [i64::from(nice), i64::from(old), 0, 0];
            let why = cx.explain(Some(cpu), Some(task), reasons::NICE_LOWERED, operands);
            self.resched(cx, cpu, Some(why));
        }
    }
}
