//! Whether the running task must leave: at a tick, and at a wake-up.
//!
//! | item | kernel function |
//! |---|---|
//! | `check_ticks`, `check_tick` | `entity_tick`, `check_preempt_tick` |
//! | `fair_preempts` | `check_preempt_wakeup` |

use super::entity::{CfsQueue, Ent, Entity, NONE};
use super::era::Buddies;
use super::pick::Behind;
use super::{Cfs, reasons};
use crate::linux::cgroups::limits::Limits as _;
use crate::linux::signed;
use crate::linux::weight::NICE_0;
use sim_contract::Answer;
use sim_contract::cx::Cx;
use sim_contract::flags::Policy;
use sim_ground::ids::{CpuId, TaskId};
use sim_machine::cost::split::product;

impl Cfs {
    /// The fair part of a tick, after the running task was charged. Returns whether it must leave.
    pub(super) fn check_ticks(&mut self, cx: &mut Cx<'_>, cpu: CpuId, e: Ent) -> bool {
        let task = TaskId(self.st.ent(e).task);
        let mut e = e;
        let mut need = false;
        while e != NONE {
            let ent = self.st.ent(e);
            let parent = ent.parent;
            if self.st.queue(ent.queue).nr_running > 1 {
                need |= self.check_tick(cx, cpu, task, e, need);
            }
            e = parent;
        }
        need
    }

    fn check_tick(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        task: TaskId,
        e: Ent,
        told: bool,
    ) -> bool {
        let ent = self.st.ent(e);
        let queue = self.st.queue(ent.queue);
        let ideal = self.slice_in(queue, ent);
        let (ran, v) = (ent.ran(), ent.vruntime);
        let (n, leftmost) = (i64::from(queue.nr_running), queue.tree.leftmost);
        let mut explain = |reason, operands| {
            if !told {
                cx.explain(Some(cpu), Some(task), reason, operands);
            }
        };
        if ran > ideal {
            explain(reasons::SLICE_EXPIRED, [signed(ran), signed(ideal), n, 0]);
            self.clear_buddies(e);
            return true;
        }
        if ran < self.st.tun.min_granularity {
            return false;
        }
        if leftmost == NONE {
            return false;
        }
        let delta = v.wrapping_sub(self.st.ent(leftmost).vruntime).cast_signed();
        if delta < 0 {
            if self.st.tun.tick_quirk {
                explain(
                    reasons::MISSED_WAKEUP_QUIRK,
                    [delta, signed(ideal), signed(ran), n],
                );
            }
            return self.st.tun.tick_quirk;
        }
        if delta > signed(ideal) {
            explain(
                reasons::LEFTMOST_FAR_BEHIND,
                [delta, signed(ideal), signed(ran), n],
            );
            return true;
        }
        false
    }

    /// Whether a running entity has used its slice. Most ticks that matter do so for this reason, so it is tested first
    /// and fast.
    pub(super) fn slice_is_over(&self, e: Ent, now: u64) -> bool {
        let ent = self.st.ent(e);
        let queue = self.st.queue(ent.queue);
        queue.nr_running > 1
            // A slice that is used up is due at once.
            && ent.exec_start + (self.slice_in(queue, ent) + 1).saturating_sub(ent.ran()) <= now
    }

    /// The earliest time at which a tick may ask the running task to leave; `u64::MAX` if never in the present state.
    #[inline]
    pub(super) fn tick_deadline(&self, task: TaskId) -> u64 {
        let mut e = self.st.task(task).se;
        let mut earliest = u64::MAX;
        if self.cgroups.is_some() && self.is_deep(e) {
            return 0;
        }
        while e != NONE {
            let ent = self.st.ent(e);
            let queue = self.st.queue(ent.queue);
            if queue.nr_running > 1 {
                earliest = earliest.min(self.deadline_in(queue, ent));
            }
            e = ent.parent;
        }
        earliest
    }

    /// The same for an entity that competes with others in its queue.
    #[inline(never)]
    fn deadline_in(&self, queue: &CfsQueue, ent: &Entity) -> u64 {
        if ent.my_queue != NONE && (self.tracks() || self.is_shared()) && self.st.rqs.len() > 1 {
            // If a group competes with others, its part of the shares is updated at each tick.
            return 0;
        }
        let ideal = self.slice_in(queue, ent);
        // Rounding and a margin: a tick that comes too early only tests again.
        // The same; these are predictions, and no numbers of the kernel.
        let mut run = (ideal + 1).saturating_sub(ent.ran());
        let leftmost = queue.tree.leftmost;
        if leftmost != NONE {
            let other = self.st.ent(leftmost).vruntime;
            let gap = ent.vruntime.wrapping_sub(other).cast_signed();
            let minimum = self.st.tun.min_granularity.saturating_sub(ent.ran());
            let by_gap = if gap < 0 && self.st.tun.tick_quirk {
                0
            } else {
                let room = u64::try_from(signed(ideal).saturating_sub(gap)).unwrap_or(0);
                let weight = ent.weight >> self.era.division.scale_bits();
                let time = if weight == NICE_0 {
                    room
                } else {
                    product(room, weight.max(1), NICE_0)
                };
                time - time / 256 - time.min(2)
            };
            run = run.min(minimum.max(by_gap));
        }
        ent.exec_start + run
    }

    /// Whether a fair task that was just enqueued on a CPU preempts the fair task that runs there.
    pub(super) fn fair_preempts(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        [task, curr]: [TaskId; 2],
        fork: bool,
    ) -> Answer<bool> {
        let now = cx.now.0;
        if self.cgroups.is_some() && self.is_below_throttled(self.st.se(task).queue) {
            let why = cx.explain(Some(cpu), Some(task), reasons::CGROUP_IS_THROTTLED, [0; 4]);
            return Answer::new(false, why);
        }
        let scale = {
            let q = self.st.se(curr).queue;
            u64::from(self.st.queue(q).nr_running) >= self.st.tun.nr_latency
        };
        let (policy, curr_policy) = (cx.task(task).policy, cx.task(curr).policy);
        let pse_task = self.st.task(task).se;
        let mut marked = false;
        if self.st.tun.next_buddy && scale && !fork && policy != Policy::Idle {
            self.set_next_buddy(pse_task);
            marked = true;
        }
        if cx.flagged.contains(cpu) || self.ticks.has_asked(cpu) {
            let why = cx.explain(Some(cpu), Some(task), reasons::RESCHED_PENDING, [0; 4]);
            return Answer::new(false, why);
        }
        let second_class = matches!(policy, Policy::Batch | Policy::Idle);
        let idle_runs = curr_policy == Policy::Idle;
        let (stop_first, preempt_first) = match self.era.buddies {
            Buddies::LastWins => (second_class, idle_runs),
            Buddies::NextWins => (
                second_class && !(idle_runs && policy != Policy::Idle),
                idle_runs && policy != Policy::Idle,
            ),
        };
        if stop_first {
            let why = cx.explain(Some(cpu), Some(task), reasons::BATCH_OR_IDLE_POLICY, [0; 4]);
            return Answer::new(false, why);
        }
        let mut preempts = preempt_first;
        let mut reason = if preempts {
            reasons::IDLE_POLICY_RUNS
        } else {
            reasons::WAKEUP_PREEMPT
        };
        let (se, pse) = self.matching(self.st.task(curr).se, pse_task);
        if self.cgroups.is_some() && !preempts {
            // Groups may be idle, whatever the policies of their tasks.
            let idle = [se, pse].map(|e| self.is_idle_entity(e));
            if idle == [false, true] {
                let why = cx.explain(Some(cpu), Some(task), reasons::BATCH_OR_IDLE_POLICY, [0; 4]);
                return Answer::new(false, why);
            }
            if idle == [true, false] {
                (preempts, reason) = (true, reasons::IDLE_GROUP_RUNS);
            }
        }
        if !preempts {
            if !self.st.tun.wakeup_preemption {
                let reason = reasons::WAKEUP_PREEMPTION_OFF;
                let why = cx.explain(Some(cpu), Some(task), reason, [0; 4]);
                return Answer::new(false, why);
            }
            let q = self.st.ent(se).queue;
            self.update_curr(q, now);
            preempts = self.behind(se, pse) == Behind::Much;
        }
        let d = self
            .st
            .ent(se)
            .vruntime
            .wrapping_sub(self.st.ent(pse).vruntime)
            .cast_signed();
        let gran = signed(self.granularity(se, pse));
        let n = i64::from(self.st.queue(self.st.ent(se).queue).nr_running);
        if !preempts {
            let reason = reasons::WITHIN_GRANULARITY;
            let why = cx.explain(Some(cpu), Some(task), reason, [d, gran, n, 0]);
            return Answer::new(false, why);
        }
        let why = cx.explain(Some(cpu), Some(task), reason, [d, gran, n, 0]);
        if self.era.buddies == Buddies::NextWins
            && !marked
            && !preempt_first
            && policy != Policy::Idle
        {
            self.set_next_buddy(pse);
        }
        let curr_se = self.st.task(curr).se;
        if self.st.tun.last_buddy
            && scale
            && self.st.ent(se).my_queue == NONE
            && self.st.ent(curr_se).on_rq
            && curr_policy != Policy::Idle
        {
            self.set_last_buddy(se);
        }
        Answer::new(true, why)
    }

    /// `find_matching_se`: the ancestors of two entities that wait in the same queue.
    fn matching(&self, a: Ent, b: Ent) -> (Ent, Ent) {
        let (mut a, mut b) = (a, b);
        let depth = |e: Ent| {
            let (mut n, mut up) = (0, self.st.ent(e).parent);
            while up != NONE {
                n += 1;
                up = self.st.ent(up).parent;
            }
            n
        };
        while self.st.ent(a).queue != self.st.ent(b).queue {
            let (x, y) = (depth(a), depth(b));
            if x >= y {
                a = self.st.ent(a).parent;
            }
            if y >= x {
                b = self.st.ent(b).parent;
            }
        }
        (a, b)
    }
}
