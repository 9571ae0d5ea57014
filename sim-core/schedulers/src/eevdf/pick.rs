//! Which task runs next, and what happens to the outgoing one.
//!
//! | item | kernel function @ 6.12.117 |
//! |---|---|
//! | `earliest` | `pick_eevdf`, `__pick_eevdf` |
//! | `pick_entity` | `pick_next_entity` |
//! | `pick_fair` | `pick_task_fair`, `pick_next_task_fair` |
//! | `set_next`, `protect` | `set_next_entity`, `set_protect_slice` |
//! | `put_fair` | `put_prev_task_fair`, `put_prev_entity` |
//! | `set_buddy`, `clear_buddy` | `set_next_buddy`, `clear_buddies` |

use super::mean::fair;
use super::queue::Leave;
use super::state::{Ent, Entity, FairQueue, NONE, Queue};
use super::{Eevdf, reasons};
use crate::linux::cgroups::limits::Limits as _;
use crate::linux::lists::TaskLists;
use crate::linux::machine::load::LoadTracking;
use sim_contract::cx::Cx;
use sim_contract::decision::Reason;
use sim_ground::ids::{CpuId, TaskId};

/// An entity that was chosen, and why.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) e: Ent,
    pub(super) why: Reason,
    /// V of its queue, if the choice needed it. A switch within the queue does not change it.
    pub(super) mean: Option<i64>,
}

impl Choice {
    /// A real-time task, which is no entity.
    pub(super) fn real_time() -> Self {
        Self {
            e: NONE,
            why: reasons::REAL_TIME_FIRST,
            mean: None,
        }
    }
}

/// The next task of a CPU, with the choices that led to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Picked {
    pub(super) task: TaskId,
    /// The choice on the highest level that had more than one candidate: between applications, or between tasks.
    pub(super) decided: Choice,
    /// The choice of the task in its own queue.
    pub(super) last: Choice,
    /// The numbers of both choices when they were made, where the switch may change them: in one queue a task that is put
    /// on the CPU gets another effective weight, and a group that is put back may be throttled.
    pub(super) told: Option<[[i64; 4]; 2]>,
}

impl Picked {
    pub(super) fn real_time(task: TaskId) -> Self {
        let choice = Choice::real_time();
        Self {
            task,
            decided: choice,
            last: choice,
            told: None,
        }
    }
}

impl Eevdf {
    /// `pick_eevdf`, with the rule that decided: the eligible entity with the earliest deadline, or the running one if it
    /// is protected and `protects`.
    #[inline]
    pub(super) fn earliest(&self, q: Queue, protects: bool) -> Choice {
        let queue = self.st.queue(q);
        let curr = self.curr_of(queue);
        if queue.nr == 1 {
            let e = match curr {
                Some(_) => queue.curr,
                None => queue.tree.leftmost,
            };
            return Choice {
                e,
                why: reasons::ONLY_ONE,
                mean: None,
            };
        }
        let mean = queue.mean(curr);
        let choice = |e: Ent, why: Reason| Choice {
            e,
            why,
            mean: Some(mean),
        };
        let curr = curr.filter(|curr| curr.v <= mean);
        let tun = &self.st.tun;
        let protects = protects && (tun.run_to_parity || tun.later().protect_by_vruntime);
        if protects && curr.is_some_and(|curr| curr.is_protected(tun)) {
            let why = if tun.later().protect_by_vruntime {
                reasons::STILL_PROTECTED
            } else {
                reasons::PROTECTED
            };
            return choice(queue.curr, why);
        }
        let left = self.st.entities.get(queue.tree.leftmost as usize);
        let (best, e) = match left.filter(|left| left.v <= mean) {
            Some(left) => (Some(left), queue.tree.leftmost),
            None => self.search(queue, mean),
        };
        match (best, curr) {
            (None, Some(_)) => choice(queue.curr, reasons::NO_OTHER_ELIGIBLE),
            (None, None) => choice(NONE, reasons::NO_OTHER_ELIGIBLE),
            (Some(best), Some(curr)) if curr.deadline < best.deadline => {
                choice(queue.curr, reasons::GOES_ON)
            }
            (Some(_), _) => choice(e, reasons::EARLIEST_DEADLINE),
        }
    }

    /// Searches the tree for the earliest of the entities with this virtual runtime at most.
    #[inline(never)]
    fn search(&self, queue: &FairQueue, limit: i64) -> (Option<&Entity>, Ent) {
        let found = self
            .st
            .arena
            .first(queue.tree, |s| s.least <= limit, |s| s.own <= limit);
        (self.st.entities.get(found as usize), found)
    }

    /// The buddy of a queue, if it is eligible.
    #[inline]
    pub(super) fn buddy(&self, q: Queue) -> Option<Choice> {
        let e = self.st.queue(q).next;
        let is_buddy = e != NONE && self.st.tun.pick_buddy && self.eligible(e);
        is_buddy.then_some(Choice {
            e,
            why: reasons::NEXT_BUDDY,
            mean: None,
        })
    }

    /// `pick_next_entity`; `None` if a delayed entity was chosen, which has now left.
    #[inline]
    fn pick_entity(&mut self, cx: &mut Cx<'_>, q: Queue) -> Option<Choice> {
        if let Some(buddy) = self.buddy(q) {
            return Some(buddy);
        }
        let choice = self.earliest(q, true);
        if !self.st.ent(choice.e).delayed {
            return Some(choice);
        }
        self.complete_delayed(cx, choice.e);
        None
    }

    /// A delayed entity leaves the queue and counts no longer.
    pub(super) fn complete_delayed(&mut self, cx: &mut Cx<'_>, e: Ent) {
        let now = cx.now.0;
        let q = self.st.line(e);
        self.dequeue_levels(e, Leave::Delayed, now);
        let ent = self.st.ent(e);
        if ent.is_task() {
            let cpu = self.st.queue(q).cpu;
            let n = i64::from(self.st.queue(q).nr);
            let operands = [ent.lag, n, 0, 0];
            let task = TaskId(ent.task);
            cx.explain(
                Some(cpu),
                Some(task),
                reasons::DELAYED_DEQUEUE_COMPLETED,
                operands,
            );
        }
    }

    /// The next fair task of a CPU. `prev` ran there and is still current if it is queued. Entities where the two paths
    /// differ are put back and set.
    pub(super) fn pick_fair(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        prev: Option<TaskId>,
    ) -> Option<Picked> {
        let now = cx.now.0;
        let Some([decided, last]) = self.choose_fair(cx, cpu) else {
            if let Some(prev) = prev {
                self.put_fair(prev, now);
            }
            return None;
        };
        let task = TaskId(self.st.ent(last.e).task);
        let moves = self.st.tun.one_queue() || self.cgroups.is_some();
        let told = moves.then(|| [self.numbers(decided), self.numbers(last)]);
        self.switch_fair(cpu, prev, task, now);
        Some(Picked {
            task,
            decided,
            last,
            told,
        })
    }

    /// The choice of the highest level of a CPU that had more than one candidate, and that of the task in its own queue.
    /// Nobody is put back or set. `None` if nothing is queued.
    #[inline]
    pub(super) fn choose_fair(&mut self, cx: &mut Cx<'_>, cpu: CpuId) -> Option<[Choice; 2]> {
        let now = cx.now.0;
        let root = u32::from(cpu.0);
        'again: loop {
            if self.st.queue(root).nr == 0 {
                return None;
            }
            let mut q = root;
            let mut decided = None;
            loop {
                if self.curr_of(self.st.queue(q)).is_some() {
                    // The flag is cleared after the pick, so a reschedule that this asks for is already done.
                    self.update_curr(q, now);
                }
                if self.check_limit(q, now) {
                    continue 'again;
                }
                let Some(choice) = self.pick_entity(cx, q) else {
                    continue 'again;
                };
                if decided.is_none() && self.st.queue(q).nr > 1 {
                    decided = Some(choice);
                }
                match self.st.ent(choice.e).my_queue {
                    NONE => return Some([decided.unwrap_or(choice), choice]),
                    below => q = below,
                }
            }
        }
    }

    /// Puts back `prev`, which ran, and sets another task, if it is another.
    #[inline]
    pub(super) fn switch_fair(&mut self, cpu: CpuId, prev: Option<TaskId>, task: TaskId, now: u64) {
        let e = self.st.task(task).se;
        match prev {
            Some(prev) if prev == task => return,
            Some(prev) => self.switch_path(e, self.st.task(prev).se, now),
            None => self.set_path(e, now),
        }
        self.set_task(cpu, task);
        self.time_request(cpu, e, now);
    }

    /// `__set_next_task_fair`: the task goes to the head of its CPU's list.
    fn set_task(&mut self, cpu: CpuId, task: TaskId) {
        if self.st.rq(cpu).tasks.head != task.0 {
            self.st.list_remove(cpu, task);
            self.st.list_add(cpu, task);
        }
    }

    /// Puts back and sets the levels at which two tasks differ; levels that both share stay as they are.
    fn switch_path(&mut self, next: Ent, prev: Ent, now: u64) {
        if self.st.tun.one_queue() {
            return self.switch_line(next, prev, now);
        }
        let (mut se, mut pse) = (next, prev);
        while self.st.ent(se).queue != self.st.ent(pse).queue {
            let (depth, prev_depth) = (self.depth(se), self.depth(pse));
            if depth <= prev_depth {
                self.put_entity(pse, now);
                pse = self.st.ent(pse).parent;
            }
            if depth >= prev_depth {
                self.set_next(se, now, true);
                se = self.st.ent(se).parent;
            }
        }
        if !self.swap(se, pse, now) {
            self.put_entity(pse, now);
            self.set_next(se, now, true);
        }
    }

    /// Puts back the current entity of a queue and sets another, if nothing else is to be done: all has been charged and
    /// averaged at this instant, as in a tick that ends a request. Returns whether it did.
    #[inline]
    pub(super) fn swap(&mut self, next: Ent, prev: Ent, now: u64) -> bool {
        let (ent, pent) = (self.st.ent(next), self.st.ent(prev));
        let (q, queue) = (pent.queue, self.st.queue(pent.queue));
        let at = self.clock_of(q, now);
        let plain = |ent: &Entity| ent.on_rq && ent.my_queue == NONE;
        if !(plain(ent) && plain(pent))
            || (queue.curr, queue.next) != (prev, NONE)
            || pent.exec_start != now
            || pent.avg.is_behind(at)
            || !queue.loads.is_averaged(at)
        {
            return false;
        }
        let waited = ent.avg.is_behind(at) && ent.avg.last_update != 0;
        self.tree_add(q, prev);
        self.tree_remove(q, next);
        if waited {
            self.advance_entity(q, next, now);
        }
        self.protect(next);
        self.st.ent_mut(next).exec_start = now;
        self.st.queue_mut(q).curr = next;
        true
    }

    pub(super) fn depth(&self, e: Ent) -> u32 {
        let mut depth = 0;
        let mut up = self.st.ent(e).parent;
        while up != NONE {
            depth += 1;
            up = self.st.ent(up).parent;
        }
        depth
    }

    /// Makes an entity and all entities above it current, after a pick.
    pub(super) fn set_path(&mut self, e: Ent, now: u64) {
        self.set_path_again(e, now, true);
    }

    /// The same after a change of the running task, which renews its protection or not.
    pub(super) fn set_path_again(&mut self, e: Ent, now: u64, protects: bool) {
        if self.st.tun.one_queue() {
            return self.set_line(e, false, now, protects);
        }
        let mut e = e;
        while e != NONE {
            self.set_next(e, now, protects);
            e = self.st.ent(e).parent;
        }
    }

    /// `set_next_entity`: from now on the entity is protected.
    fn set_next(&mut self, e: Ent, now: u64, protects: bool) {
        self.clear_buddy(e);
        let ent = self.st.ent(e);
        let (q, on_rq) = (ent.queue, ent.on_rq);
        if on_rq && self.st.queue(q).curr != e {
            self.tree_remove(q, e);
            self.update_avg(e, now, true);
            if protects {
                self.protect(e);
            }
        }
        self.st.ent_mut(e).exec_start = now;
        self.st.queue_mut(q).curr = e;
    }

    /// Protects the entity that becomes current: as long as its deadline stays, or, since 6.17, for the shortest request
    /// of its queue (`set_protect_slice`).
    #[inline]
    pub(super) fn protect(&mut self, e: Ent) {
        let ent = self.st.ent(e);
        let until = if self.st.tun.later().protect_by_vruntime {
            self.protected_until(ent)
        } else {
            ent.deadline
        };
        self.st.ent_mut(e).mark = until;
    }

    /// The virtual runtime up to which an entity is protected that becomes current.
    fn protected_until(&self, ent: &Entity) -> i64 {
        let tun = &self.st.tun;
        let queue = self.st.queue(self.st.line_of(ent));
        let time = match queue.slices.least() {
            _ if !tun.run_to_parity => tun.later().unscaled_slice,
            Some(least) if tun.later().protect_shortest => least,
            _ => ent.slice,
        };
        if time >= ent.slice {
            return ent.deadline;
        }
        let until = if tun.timed().protect_to_parity && tun.preempt_short {
            self.ineligible_from(queue)
        } else {
            ent.v + fair(tun, time, ent)
        };
        ent.deadline.min(until)
    }

    /// The first virtual runtime at which the entity that becomes current is ahead of V: that of all others.
    fn ineligible_from(&self, queue: &FairQueue) -> i64 {
        queue.mean(None) + 1
    }

    /// `update_protect_slice`: what runs is protected no longer than for the shortest request of its queue from now on.
    pub(super) fn shorten_protection(&mut self, e: Ent) {
        let ent = self.st.ent(e);
        let line = self.st.line_of(ent);
        let least = self.st.queue(line).slices.least();
        let from = if self.st.tun.timed().shorten_from_v {
            ent.v.min(self.mean(line))
        } else {
            ent.v
        };
        let until = from + fair(&self.st.tun, least.unwrap_or(0), ent);
        let ent = self.st.ent_mut(e);
        ent.mark = ent.mark.min(until);
    }

    /// `put_prev_task_fair`.
    pub(super) fn put_fair(&mut self, prev: TaskId, now: u64) {
        let mut e = self.st.task(prev).se;
        if self.st.tun.one_queue() {
            return self.put_line(e, false, now);
        }
        while e != NONE {
            self.put_entity(e, now);
            e = self.st.ent(e).parent;
        }
    }

    /// `put_prev_entity`.
    fn put_entity(&mut self, e: Ent, now: u64) {
        let ent = self.st.ent(e);
        let (q, on_rq) = (ent.queue, ent.on_rq);
        if on_rq {
            self.update_curr(q, now);
        }
        self.check_limit(q, now);
        if on_rq {
            self.tree_add(q, e);
            self.update_avg(e, now, false);
        }
        self.st.queue_mut(q).curr = NONE;
    }

    /// The entity above another that stands in virtual time, too.
    #[inline]
    pub(super) fn parent_in_time(&self, ent: &Entity) -> Ent {
        if self.st.tun.one_queue() {
            NONE
        } else {
            ent.parent
        }
    }

    /// `set_next_buddy`: at each level, unless it has the policy `SCHED_IDLE`.
    pub(super) fn set_buddy(&mut self, e: Ent) {
        let mut up = e;
        while up != NONE {
            let ent = self.st.ent(up);
            let (q, parent) = (self.st.line_of(ent), self.parent_in_time(ent));
            if !ent.on_rq || self.is_idle_entity(up) {
                return;
            }
            self.st.queue_mut(q).next = up;
            up = parent;
        }
    }

    /// `clear_buddies`.
    #[inline]
    pub(super) fn clear_buddy(&mut self, e: Ent) {
        let mut up = e;
        while up != NONE {
            let ent = self.st.ent(up);
            let (q, parent) = (self.st.line_of(ent), self.parent_in_time(ent));
            let queue = self.st.queue_mut(q);
            if queue.next != up {
                return;
            }
            queue.next = NONE;
            up = parent;
        }
    }

    /// `se_is_idle`: a task of the policy `SCHED_IDLE`, or an idle group.
    pub(super) fn is_idle_entity(&self, e: Ent) -> bool {
        let ent = self.st.ent(e);
        if ent.is_task() {
            self.st.task(TaskId(ent.task)).idle_policy
        } else {
            self.is_idle_queue(ent.my_queue)
        }
    }
}
