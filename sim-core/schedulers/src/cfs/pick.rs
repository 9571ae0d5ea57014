//! Which task runs next, and what happens to the outgoing one.
//!
//! | item | kernel function |
//! |---|---|
//! | `pick_entity` | `pick_next_entity` |
//! | `pick_fair` | `pick_next_task_fair` |
//! | `put_fair` | `put_prev_task_fair`, `put_prev_entity` |
//! | `wants_to_preempt` | `wakeup_preempt_entity`, `wakeup_gran`, `adaptive_gran` |

use super::entity::{Ent, NONE, Queue};
use super::era::{Buddies, ForgetBuddies};
use super::vruntime::before;
use super::{Cfs, reasons};
use crate::linux::cgroups::limits::Limits as _;
use sim_contract::decision::Reason;
use sim_ground::ids::{CpuId, TaskId};

/// How far a waiting entity is behind the running one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Behind {
    /// Not at all.
    No,
    /// Not more than the granularity.
    Little,
    /// More.
    Much,
}

/// The entity of the next task, with the choices that led to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Picked {
    /// The entity of the task, and why it was chosen in its own queue.
    pub(super) last: (Ent, Reason),
    /// The choice on the highest level that had more than one candidate: between applications, or between tasks.
    pub(super) decided: (Ent, Reason),
}

impl Cfs {
    /// `wakeup_gran`: how far `e` must be behind `curr` to preempt it.
    pub(super) fn granularity(&self, curr: Ent, e: Ent) -> u64 {
        let tun = &self.st.tun;
        let mut gran = tun.wakeup_granularity;
        let ent = self.st.ent(e);
        if tun.adaptive_gran && self.st.queue(self.st.ent(curr).queue).curr != NONE {
            let running = u64::from(self.st.queue(ent.queue).nr_running);
            let expected = 2 * ent.avg_wakeup * running;
            let ran = self.st.ent(curr).ran();
            // `adaptive_gran` asks whether it has run less, and takes 0 else.
            gran = gran.min(expected.saturating_sub(ran));
        }
        if tun.asym_gran {
            self.delta_fair(gran, e)
        } else {
            gran
        }
    }

    /// `wakeup_preempt_entity`.
    pub(super) fn behind(&self, curr: Ent, e: Ent) -> Behind {
        let d = self
            .st
            .ent(curr)
            .vruntime
            .wrapping_sub(self.st.ent(e).vruntime)
            .cast_signed();
        if d <= 0 {
            Behind::No
        } else if d.unsigned_abs() > self.granularity(curr, e) {
            Behind::Much
        } else {
            Behind::Little
        }
    }

    /// `pick_next_entity`, with the rule that decided. `curr` is the running entity if it was not put back.
    #[inline]
    fn pick_entity(&mut self, q: Queue, curr: Ent) -> (Ent, Reason) {
        let queue = self.st.queue(q);
        let mut left = queue.tree.leftmost;
        let v = |e: Ent| self.st.ent(e).vruntime;
        if left == NONE || (curr != NONE && before(v(curr), v(left))) {
            left = curr;
        }
        if queue.has_buddies() {
            self.pick_among_buddies(q, curr, left)
        } else {
            (left, reasons::LEFTMOST)
        }
    }

    /// The same with buddies. `left` has the smallest vruntime.
    #[inline(never)]
    fn pick_among_buddies(&mut self, q: Queue, curr: Ent, left: Ent) -> (Ent, Reason) {
        let queue = self.st.queue(q);
        let (next, last, skip) = (queue.next, queue.last, queue.skip);
        let v = |e: Ent| self.st.ent(e).vruntime;
        let (mut chosen, mut why) = (left, reasons::LEFTMOST);
        if skip != NONE && skip == left {
            let second = if left == curr {
                queue.tree.leftmost
            } else {
                let second = self.st.arena.next(left);
                if second == NONE || (curr != NONE && before(v(curr), v(second))) {
                    curr
                } else {
                    second
                }
            };
            if second != NONE && self.behind(second, left) < Behind::Much {
                (chosen, why) = (second, reasons::SKIP_BUDDY);
            }
        }
        let near = |e: Ent| e != NONE && self.behind(e, left) < Behind::Much;
        let order = match self.era.buddies {
            Buddies::LastWins => [(next, reasons::NEXT_BUDDY), (last, reasons::LAST_BUDDY)],
            Buddies::NextWins => [(last, reasons::LAST_BUDDY), (next, reasons::NEXT_BUDDY)],
        };
        for (buddy, reason) in order {
            if near(buddy) {
                (chosen, why) = (buddy, reason);
            }
        }
        if self.era.forgets == ForgetBuddies::AtPick {
            self.clear_buddies(chosen);
        }
        (chosen, why)
    }

    /// The entity of the next fair task of a CPU on which nothing is current at any level.
    pub(super) fn pick_fair(&mut self, cpu: CpuId, now: u64) -> Option<Picked> {
        let mut q = u32::from(cpu.0);
        if self.st.queue(q).nr_running == 0 {
            return None;
        }
        let mut decided = None;
        loop {
            let last = self.pick_entity(q, NONE);
            if self.st.queue(q).nr_running > 1 {
                decided = decided.or(Some(last));
            }
            self.set_next(q, last.0, now);
            q = self.st.ent(last.0).my_queue;
            if q == NONE {
                let decided = decided.unwrap_or(last);
                return Some(Picked { last, decided });
            }
        }
    }

    /// 4.9: the same while `prev` is still current. Entities where the two paths differ are put back and set.
    pub(super) fn pick_after(&mut self, cpu: CpuId, prev: TaskId, now: u64) -> Option<Picked> {
        let mut q = u32::from(cpu.0);
        if self.st.queue(q).nr_running == 0 {
            self.put_fair(prev, now);
            return None;
        }
        let mut decided = None;
        let last = loop {
            let runs = self.st.queue(q).curr != NONE;
            if runs && self.cgroups.is_some() {
                self.update_curr(q, now);
                if self.check_limit(q, now) {
                    self.put_fair(prev, now);
                    return self.pick_fair(cpu, now);
                }
            }
            let mut curr = self.st.queue(q).curr;
            if curr != NONE {
                let ent = self.st.ent(curr);
                if !ent.on_rq {
                    curr = NONE;
                } else if ent.exec_start < now {
                    self.update_curr(q, now);
                }
            }
            let choice = self.pick_entity(q, curr);
            if self.st.queue(q).nr_running > 1 {
                decided = decided.or(Some(choice));
            }
            let below = self.st.ent(choice.0).my_queue;
            if below == NONE {
                break choice;
            }
            q = below;
        };
        let (mut se, mut pse) = (last.0, self.st.task(prev).se);
        if se != pse {
            while self.st.ent(se).queue != self.st.ent(pse).queue {
                let (depth, prev_depth) = (self.depth(se), self.depth(pse));
                if depth <= prev_depth {
                    self.put_entity(pse, now);
                    pse = self.st.ent(pse).parent;
                }
                if depth >= prev_depth {
                    self.set_next(self.st.ent(se).queue, se, now);
                    se = self.st.ent(se).parent;
                }
            }
            self.put_entity(pse, now);
            self.set_next(self.st.ent(se).queue, se, now);
        }
        let decided = decided.unwrap_or(last);
        Some(Picked { last, decided })
    }

    fn depth(&self, e: Ent) -> u32 {
        let mut depth = 0;
        let mut up = self.st.ent(e).parent;
        while up != NONE {
            depth += 1;
            up = self.st.ent(up).parent;
        }
        depth
    }

    /// `set_next_entity`.
    pub(super) fn set_next(&mut self, q: Queue, e: Ent, now: u64) {
        if self.era.forgets == ForgetBuddies::AtSwitch {
            self.clear_buddies(e);
        }
        if self.st.ent(e).on_rq && self.st.queue(q).curr != e {
            let st = &mut self.st;
            st.arena.remove(&mut st.queues[q as usize].tree, e);
            self.update_avg(e, now, true);
        }
        let ent = self.st.ent_mut(e);
        ent.exec_start = now;
        ent.prev_sum_exec = ent.sum_exec;
        self.st.queue_mut(q).curr = e;
    }

    /// `put_prev_task_fair`.
    pub(super) fn put_fair(&mut self, prev: TaskId, now: u64) {
        // No fair task may follow, and then ticks count differently.
        self.settle_averages(self.st.task(prev).cpu);
        let mut e = self.st.task(prev).se;
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
            let key = self.st.ent(e).vruntime;
            let st = &mut self.st;
            st.arena.insert(&mut st.queues[q as usize].tree, e, key);
            self.update_avg(e, now, false);
        }
        self.st.queue_mut(q).curr = NONE;
    }

    /// `clear_buddies`.
    #[inline(always)]
    pub(super) fn clear_buddies(&mut self, e: Ent) {
        let queue = self.st.queue(self.st.ent(e).queue);
        if !queue.has_buddies() || (queue.last != e && queue.next != e && queue.skip != e) {
            return;
        }
        let marks: [fn(&mut super::entity::CfsQueue) -> &mut Ent; 3] =
            [|q| &mut q.last, |q| &mut q.next, |q| &mut q.skip];
        for mark in marks {
            let mut up = e;
            while up != NONE {
                let ent = self.st.ent(up);
                let (q, parent) = (ent.queue, ent.parent);
                let slot = mark(self.st.queue_mut(q));
                if *slot != up {
                    break;
                }
                *slot = NONE;
                up = parent;
            }
        }
    }

    /// `set_next_buddy`.
    pub(super) fn set_next_buddy(&mut self, e: Ent) {
        let mut up = e;
        while up != NONE {
            let ent = self.st.ent(up);
            let (q, parent) = (ent.queue, ent.parent);
            self.st.queue_mut(q).next = up;
            up = parent;
        }
    }

    /// `set_last_buddy`.
    pub(super) fn set_last_buddy(&mut self, e: Ent) {
        let mut up = e;
        while up != NONE {
            let ent = self.st.ent(up);
            let (q, parent) = (ent.queue, ent.parent);
            self.st.queue_mut(q).last = up;
            up = parent;
        }
    }

    /// `set_skip_buddy`.
    pub(super) fn set_skip_buddy(&mut self, e: Ent) {
        let mut up = e;
        while up != NONE {
            let ent = self.st.ent(up);
            let (q, parent) = (ent.queue, ent.parent);
            self.st.queue_mut(q).skip = up;
            up = parent;
        }
    }
}
