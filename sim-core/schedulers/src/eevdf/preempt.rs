//! Whether the running task must leave for a task that was just enqueued.
//!
//! | item | kernel function @ 6.12.117 |
//! |---|---|
//! | `fair_preempts` | `check_preempt_wakeup_fair` |
//! | `preempts_short` | `do_preempt_short` |
//! | `picks_woken` | `wakeup_preempt_fair` @ 6.18.45 |
//! | `prefers_short` | the same @ 7.3.4 |

use super::pick::Choice;
use super::state::{Ent, NONE, Queue};
use super::{Eevdf, reasons};
use crate::linux::cgroups::limits::Limits as _;
use sim_contract::Answer;
use sim_contract::cx::Cx;
use sim_contract::decision::Reason;
use sim_contract::flags::Policy;
use sim_ground::ids::{CpuId, TaskId};

impl Eevdf {
    /// Whether a fair task that was just enqueued on a CPU preempts the fair task that runs there.
    pub(super) fn fair_preempts(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        [task, curr]: [TaskId; 2],
        fork: bool,
    ) -> Answer<bool> {
        let (se, pse) = (self.st.task(curr).se, self.st.task(task).se);
        if self.cgroups.is_some() && self.is_below_throttled(self.st.ent(pse).queue) {
            let why = cx.explain(Some(cpu), Some(task), reasons::CGROUP_IS_THROTTLED, [0; 4]);
            return Answer::new(false, why);
        }
        let buddy_first = !self.st.tun.later().short_needs_pick;
        if buddy_first && self.st.tun.next_buddy && !fork && !self.st.ent(pse).delayed {
            self.set_buddy(pse);
        }
        // A lazy request for a reschedule, as that of accounting, stops no check.
        let lazy = self.st.tun.timed().check_while_pending;
        let flagged =
            cx.flagged.contains(cpu) || self.pending.contains(cpu) || self.ticks.has_asked(cpu);
        let pending = flagged && !lazy;
        if pending || !self.st.tun.wakeup_preemption {
            let reason = if pending {
                reasons::RESCHED_PENDING
            } else {
                reasons::WAKEUP_PREEMPTION_OFF
            };
            let why = cx.explain(Some(cpu), Some(task), reason, [0; 4]);
            return Answer::new(false, why);
        }
        let own = [se, pse];
        let (se, pse) = self.matching(se, pse);
        let [of_curr, of_new] = if self.st.tun.timed().idle_by_policy_only {
            own
        } else {
            [se, pse]
        };
        let (idle_runs, idle_comes) = (self.is_idle_entity(of_curr), self.is_idle_entity(of_new));
        if idle_runs && !idle_comes {
            self.end_protection(se);
            let reason = if self.st.ent(of_curr).is_task() {
                reasons::IDLE_POLICY_RUNS
            } else {
                reasons::IDLE_GROUP_RUNS
            };
            return self.wake_answer(cx, cpu, task, [se, pse], reason);
        }
        if self.st.tun.timed().short_always_preempts {
            let normal = idle_runs == idle_comes && cx.task(task).policy == Policy::Normal;
            let reason = self.prefers_short(cx, [se, pse], normal, fork);
            return self.wake_answer(cx, cpu, task, [se, pse], reason);
        }
        if idle_runs != idle_comes || cx.task(task).policy != Policy::Normal {
            let why = cx.explain(Some(cpu), Some(task), reasons::BATCH_OR_IDLE_POLICY, [0; 4]);
            return Answer::new(false, why);
        }
        let now = cx.now.0;
        let q = self.st.line(se);
        self.account_curr(q, now);
        if self.st.tun.later().short_needs_pick {
            let reason = self.picks_woken(cx, q, [se, pse], fork);
            return self.wake_answer(cx, cpu, task, [se, pse], reason);
        }
        let short = self.preempts_short(se, pse);
        if short && self.st.ent(se).is_protected(&self.st.tun) {
            self.end_protection(se);
        }
        let eligible = self.eligible(se);
        let chosen = self.earliest(q, true);
        let reason = self.of_pick(chosen, pse, short, eligible);
        self.wake_answer(cx, cpu, task, [se, pse], reason)
    }

    /// The reason of a wake-up check whose pick chose an entity.
    fn of_pick(&self, chosen: Choice, pse: Ent, short: bool, eligible: bool) -> Reason {
        match (chosen.e == pse, chosen.why) {
            (true, reasons::NEXT_BUDDY) => reasons::WOKEN_BUDDY,
            (true, _) if short && self.st.tun.later().short_needs_pick => {
                reasons::SHORTER_SLICE_PICKED
            }
            (true, _) if short => reasons::SHORT_SLICE,
            (true, _) if eligible => reasons::EARLIER_DEADLINE,
            (true, _) => reasons::CURRENT_NOT_ELIGIBLE,
            (false, reasons::PROTECTED) => reasons::CURRENT_PROTECTED,
            (false, reasons::STILL_PROTECTED) => reasons::CURRENT_STILL_PROTECTED,
            (false, _) if !self.eligible(pse) => reasons::NOT_ELIGIBLE,
            (false, _) => reasons::LATER_DEADLINE,
        }
    }

    /// The wake-up check since 6.17: whoever a pick would choose now. A shorter request is picked without the protection
    /// of what runs. If something else is picked, the protection is shortened.
    fn picks_woken(
        &mut self,
        cx: &mut Cx<'_>,
        q: Queue,
        [se, pse]: [Ent; 2],
        fork: bool,
    ) -> Reason {
        let (curr, new) = (self.st.ent(se), self.st.ent(pse));
        let short = self.st.tun.preempt_short && new.slice < curr.slice;
        if !short && self.st.tun.later().wakeup_without_forks && (fork || new.delayed) {
            return reasons::NEW_WAITS;
        }
        self.buddy_at_wakeup(q, pse, !short && !fork);
        let chosen = self.pick_at_wakeup(cx, q, short);
        // Sleepers that the pick met have left, and V is another.
        let eligible = self.eligible(se);
        if chosen.e != pse {
            if self.st.tun.run_to_parity {
                self.shorten_protection(se);
            }
        } else if short {
            self.end_protection(se);
        }
        self.of_pick(chosen, pse, short, eligible)
    }

    /// What a pick would choose at a wake-up; for a shorter slice without the protection of what runs.
    fn pick_at_wakeup(&mut self, cx: &mut Cx<'_>, q: Queue, short: bool) -> Choice {
        loop {
            let chosen = match self.buddy(q).filter(|_| !short) {
                Some(buddy) => buddy,
                None => self.earliest(q, !short),
            };
            if !self.st.tun.later().wakeup_dequeues_delayed || !self.st.ent(chosen.e).delayed {
                return chosen;
            }
            self.complete_delayed(cx, chosen.e);
        }
    }

    /// The wake-up check since 7.3: an eligible one with a shorter slice preempts, whoever else has an earlier deadline.
    /// In all other cases the protection of what runs is shortened.
    fn prefers_short(
        &mut self,
        cx: &mut Cx<'_>,
        [se, pse]: [Ent; 2],
        normal: bool,
        fork: bool,
    ) -> Reason {
        let q = self.st.line(se);
        self.account_curr(q, cx.now.0);
        let (curr, new) = (self.st.ent(se), self.st.ent(pse));
        let short = self.st.tun.preempt_short && new.slice < curr.slice;
        let compares = normal && !new.delayed && (short || !fork);
        let reason = if compares {
            self.buddy_at_wakeup(q, pse, !short);
            let chosen = self.pick_at_wakeup(cx, q, short);
            let eligible = self.eligible(se);
            if short && chosen.e != pse && self.eligible(pse) {
                reasons::SHORTER_SLICE_FIRST
            } else {
                self.of_pick(chosen, pse, short, eligible)
            }
        } else if normal {
            reasons::NEW_WAITS
        } else {
            reasons::BATCH_OR_IDLE_POLICY
        };
        if !preempts(reason) {
            if self.st.tun.run_to_parity {
                self.shorten_protection(se);
            }
            return reason;
        }
        self.end_protection(se);
        if short && self.st.tun.timed().short_is_buddy {
            let present = self.st.entities.get(self.st.queue(q).next as usize);
            if present.is_none_or(|present| present.slice >= self.st.ent(pse).slice) {
                self.set_buddy(pse);
            }
        }
        reason
    }

    /// With `NEXT_BUDDY` the woken one becomes the buddy, unless the present one has an earlier deadline.
    fn buddy_at_wakeup(&mut self, q: Queue, pse: Ent, applies: bool) {
        let present = self.st.entities.get(self.st.queue(q).next as usize);
        let deadline = self.st.ent(pse).deadline;
        if applies
            && self.st.tun.next_buddy
            && present.is_none_or(|present| present.deadline >= deadline)
        {
            self.set_buddy(pse);
        }
    }

    /// The answer of a comparison of the running task with the new one, with the numbers of both.
    fn wake_answer(
        &self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        task: TaskId,
        [se, pse]: [Ent; 2],
        reason: Reason,
    ) -> Answer<bool> {
        let mean = self.mean(self.st.line(se));
        let (a, b) = (self.st.ent(pse), self.st.ent(se));
        let operands = [mean - a.v, a.deadline - mean, mean - b.v, b.deadline - mean];
        let why = cx.explain(Some(cpu), Some(task), reason, operands);
        Answer::new(preempts(reason), why)
    }

    /// `do_preempt_short`: a shorter request may cut the running task's request short.
    fn preempts_short(&self, se: Ent, pse: Ent) -> bool {
        let (curr, new) = (self.st.ent(se), self.st.ent(pse));
        self.st.tun.preempt_short
            && new.slice < curr.slice
            && self.eligible(pse)
            && (new.deadline < curr.deadline || !self.eligible(se))
    }

    fn end_protection(&mut self, e: Ent) {
        let by_vruntime = self.st.tun.later().protect_by_vruntime;
        let ent = self.st.ent_mut(e);
        ent.mark = if by_vruntime {
            ent.mark.min(ent.v)
        } else {
            ent.deadline.wrapping_add(1)
        };
    }

    /// `find_matching_se`: the ancestors of two entities that wait in the same queue. In one queue they are themselves.
    fn matching(&self, a: Ent, b: Ent) -> (Ent, Ent) {
        let (mut a, mut b) = (a, b);
        while self.st.line(a) != self.st.line(b) {
            let (x, y) = (self.depth(a), self.depth(b));
            if x >= y {
                a = self.st.ent(a).parent;
            }
            if y >= x {
                b = self.st.ent(b).parent;
            }
            debug_assert!(a != NONE && b != NONE, "all paths lead to the root");
        }
        (a, b)
    }
}

/// Whether the reason of a wake-up check is one to preempt.
fn preempts(reason: Reason) -> bool {
    matches!(
        reason,
        reasons::IDLE_POLICY_RUNS
            | reasons::IDLE_GROUP_RUNS
            | reasons::SHORT_SLICE
            | reasons::EARLIER_DEADLINE
            | reasons::CURRENT_NOT_ELIGIBLE
            | reasons::SHORTER_SLICE_PICKED
            | reasons::SHORTER_SLICE_FIRST
            | reasons::WOKEN_BUDDY
    )
}
