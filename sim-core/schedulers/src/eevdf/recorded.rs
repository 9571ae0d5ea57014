//! Following a recorded run: its kernel chose, and the rules only say whom they would have chosen.

use super::Eevdf;
use super::pick::Choice;
use super::state::{Ent, Entity, NONE};
use sim_contract::Asked;
use sim_contract::cx::Cx;
use sim_contract::decision::DecisionId;
use sim_ground::ids::{CpuId, TaskId};

impl Eevdf {
    /// As `pick`, but the CPU gets `given`. `None` if `given` does not wait on this CPU, or runs there asleep.
    pub(super) fn follow(
        &mut self,
        cx: &mut Cx<'_>,
        cpu: CpuId,
        given: TaskId,
    ) -> Option<(Asked, DecisionId)> {
        let t = self.st.task(given);
        let ent = self.st.ent(t.se);
        let waits = t.cpu == cpu && !t.real_time && ent.on_rq && !ent.delayed;
        if !waits || !self.st.rq(cpu).rt.is_empty() {
            return None;
        }
        let e = t.se;
        let prev = self.st.rq_mut(cpu).prev.take();
        self.picking = Some(cpu);
        let chosen = self.choose_fair(cx, cpu);
        self.picking = None;
        self.wanted.retain(|(c, _)| *c != cpu);
        let [_, last] = chosen?;
        let asked = Asked {
            own: TaskId(self.st.ent(last.e).task),
            against_ns: self.against(e, last),
            queue: self.observe_detail(cpu),
        };
        let why = self.explain_pick(cx, cpu, asked.own, last, None);
        self.switch_fair(cpu, prev, given, cx.now.0);
        self.st.rq_mut(cpu).curr = Some(given);
        Some((asked, why))
    }

    /// How far the rules are from a given choice: each comparison that speaks against it turns if the numbers move by
    /// this much.
    fn against(&self, given: Ent, chosen: Choice) -> u64 {
        let q = self.st.line(given);
        if chosen.e == given {
            return 0;
        }
        if self.st.line(chosen.e) != q {
            return u64::MAX;
        }
        let (queue, mean, g) = (self.st.queue(q), self.mean(q), self.st.ent(given));
        let until_ineligible = |ent: &Entity| mean - ent.v + 1;
        let mut most = g.v - mean;
        let curr = self.curr_of(queue).map(|_| queue.curr);
        for e in curr.into_iter().chain(self.st.arena.iter(queue.tree)) {
            let ent = self.st.ent(e);
            if e == given || ent.v > mean {
                continue;
            }
            let mut turns = (g.deadline - ent.deadline).max(0);
            if queue.curr == e && ent.is_protected(&self.st.tun) {
                turns = if self.st.tun.later().protect_by_vruntime {
                    turns.max(ent.mark - ent.v)
                } else {
                    i64::MAX
                };
            }
            if queue.next == e && queue.next != NONE {
                turns = i64::MAX;
            }
            most = most.max(turns.min(until_ineligible(ent)));
        }
        most.max(1).unsigned_abs()
    }
}
