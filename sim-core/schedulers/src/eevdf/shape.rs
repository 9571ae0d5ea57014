//! The lines of virtual time and the domains for display: groups open into their own lines.
#![allow(clippy::float_arithmetic)]

use super::Eevdf;
use super::state::{Ent, NONE, Queue};
use crate::linux::shown::{queue_shape, real, real_signed};
use sim_contract::shape::{LineEntity, LineView, PartKind, QueueDetail, QueueShape};
use sim_ground::ids::CpuId;

impl Eevdf {
    pub(super) fn observe_shape(&self) -> QueueShape {
        queue_shape(
            &self.topo,
            PartKind::VirtualTime,
            "line",
            "line of virtual time",
        )
    }

    pub(super) fn observe_detail(&self, cpu: CpuId) -> QueueDetail {
        let mut lines = Vec::new();
        self.observe_line_view(u32::from(cpu.0), &mut lines);
        if self.cgroups.is_some() && !self.st.tun.one_queue() {
            for q in self.throttled_on(cpu) {
                self.observe_line_view(q, &mut lines);
            }
        }
        QueueDetail {
            lines,
            ..QueueDetail::default()
        }
    }

    fn observe_line_view(&self, q: Queue, out: &mut Vec<LineView>) {
        let queue = self.st.queue(q);
        let running = self.curr_of(queue).map(|_| queue.curr);
        let all = || running.into_iter().chain(self.st.arena.iter(queue.tree));
        let next = if queue.nr == 0 {
            NONE
        } else {
            self.buddy(q).unwrap_or_else(|| self.earliest(q, true)).e
        };
        out.push(LineView {
            line: q,
            group: queue.group,
            average_ns: real_signed(self.mean(q)),
            weight: real_signed(self.total_load(q)) / self.scale(),
            entities: all().map(|e| self.observe_entity(q, e, next)).collect(),
        });
        for e in all() {
            let below = self.st.ent(e).my_queue;
            if below != NONE {
                self.observe_line_view(below, out);
            }
        }
    }

    fn observe_entity(&self, q: Queue, e: Ent, next: Ent) -> LineEntity {
        let queue = self.st.queue(q);
        let ent = self.st.ent(e);
        let mean = self.mean(q);
        let some = |n: u32| (n != NONE).then_some(n);
        LineEntity {
            entity: e,
            task: some(ent.task),
            opens: some(ent.my_queue),
            running: queue.curr == e,
            ahead_ns: real_signed(ent.v - mean),
            deadline_ns: real_signed(ent.deadline - mean),
            weight: real(ent.load) / self.scale(),
            slice_ns: real(ent.slice),
            eligible: ent.v <= mean,
            delayed: ent.delayed,
            protected: queue.curr == e && ent.is_protected(&self.st.tun),
            next: next == e,
            buddy: queue.next == e,
        }
    }
}
