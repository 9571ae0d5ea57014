//! Whether the running task must leave for a task that was just enqueued.
//!
//! | item | kernel function @ 6.12.117 |
//! |---|---|
//! | `fair_preempts` | `check_preempt_wakeup_fair` |
//! | `preempts_short` | `do_preempt_short` |

use super::state::{Ent, NONE};
use super::{Eevdf, reasons};
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
        if self.st.tun.next_buddy && !fork && !self.st.ent(pse).delayed {
            self.set_buddy(pse);
        }
        let pending =
            cx.flagged.contains(cpu) || self.pending.contains(cpu) || self.tick_asked == Some(cpu);
        if pending || !self.st.tun.wakeup_preemption {
            let reason = if pending {
                reasons::RESCHED_PENDING
            } else {
                reasons::WAKEUP_PREEMPTION_OFF
            };
            let why = cx.explain(Some(cpu), Some(task), reason, [0; 4]);
            return Answer::new(false, why);
        }
        let (se, pse) = self.matching(se, pse);
        let (idle_runs, idle_comes) = (self.is_idle_entity(se), self.is_idle_entity(pse));
        if idle_runs && !idle_comes {
            self.end_protection(se);
            return self.wake_answer(cx, cpu, task, [se, pse], reasons::IDLE_POLICY_RUNS);
        }
        if idle_runs != idle_comes || cx.task(task).policy != Policy::Normal {
            let why = cx.explain(Some(cpu), Some(task), reasons::NOT_NORMAL, [0; 4]);
            return Answer::new(false, why);
        }
        let now = cx.now.0;
        let q = self.st.ent(se).queue;
        self.account_curr(q, now);
        let short = self.preempts_short(se, pse);
        if short && self.st.ent(se).is_protected() {
            self.end_protection(se);
        }
        let eligible = self.eligible(se);
        let chosen = self.earliest(q);
        let reason = match (chosen.e == pse, chosen.why) {
            (true, _) if short => reasons::SHORT_SLICE,
            (true, _) if eligible => reasons::EARLIER_DEADLINE,
            (true, _) => reasons::CURRENT_NOT_ELIGIBLE,
            (false, reasons::PROTECTED) => reasons::CURRENT_PROTECTED,
            (false, _) if !self.eligible(pse) => reasons::NOT_ELIGIBLE,
            (false, _) => reasons::LATER_DEADLINE,
        };
        self.wake_answer(cx, cpu, task, [se, pse], reason)
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
        let preempts = matches!(
            reason,
            reasons::IDLE_POLICY_RUNS
                | reasons::SHORT_SLICE
                | reasons::EARLIER_DEADLINE
                | reasons::CURRENT_NOT_ELIGIBLE
        );
        let mean = self.mean(self.st.ent(se).queue);
        let (a, b) = (self.st.ent(pse), self.st.ent(se));
        let operands = [mean - a.v, a.deadline - mean, mean - b.v, b.deadline - mean];
        let why = cx.explain(Some(cpu), Some(task), reason, operands);
        Answer::new(preempts, why)
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
        let ent = self.st.ent_mut(e);
        ent.mark = ent.deadline.wrapping_add(1);
    }

    /// `find_matching_se`: the ancestors of two entities that wait in the same queue.
    fn matching(&self, a: Ent, b: Ent) -> (Ent, Ent) {
        let (mut a, mut b) = (a, b);
        while self.st.ent(a).queue != self.st.ent(b).queue {
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
