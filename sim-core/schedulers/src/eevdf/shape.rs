//! The lines of virtual time and the domains for display: groups open into their own lines.
#![allow(clippy::float_arithmetic)]

use super::Eevdf;
use super::observe::{real, real_signed};
use super::state::{Ent, NONE, Queue};
use sim_contract::shape::{
    DomainShape, LineEntity, LineView, PartKind, QueueDetail, QueuePart, QueueShape,
};
use sim_ground::ids::CpuId;
use sim_ground::order;

impl Eevdf {
    pub(super) fn observe_shape(&self) -> QueueShape {
        let mut domains: Vec<DomainShape> = Vec::new();
        for of in &self.topo.of {
            for (level, domain) in of.iter().enumerate() {
                let shape = DomainShape {
                    name: domain.name.to_owned(),
                    level: u32::try_from(level).unwrap_or(u32::MAX),
                    cpus: domain.list.iter().map(|c| c.0).collect(),
                };
                if !domains.contains(&shape) {
                    domains.push(shape);
                }
            }
        }
        order::by(&mut domains, |d| u64::from(d.level));
        QueueShape {
            per_cpu: vec![
                QueuePart::list("realtime", "real time"),
                QueuePart {
                    kind: PartKind::VirtualTime,
                    ..QueuePart::list("line", "line of virtual time")
                },
            ],
            domains,
            ..QueueShape::default()
        }
    }

    pub(super) fn observe_detail(&self, cpu: CpuId) -> QueueDetail {
        let mut lines = Vec::new();
        self.observe_line_view(u32::from(cpu.0), &mut lines);
        QueueDetail {
            lines,
            ..QueueDetail::default()
        }
    }

    fn observe_line_view(&self, q: Queue, out: &mut Vec<LineView>) {
        let queue = self.st.queue(q);
        let running = self.curr_queued(q).then_some(queue.curr);
        let all = || running.into_iter().chain(self.st.arena.iter(queue.tree));
        let next = if queue.nr == 0 {
            NONE
        } else if queue.next != NONE && self.st.tun.pick_buddy && self.eligible(queue.next) {
            queue.next
        } else {
            self.earliest(q).0
        };
        out.push(LineView {
            line: q,
            group: queue.group,
            average_ns: real_signed(self.mean(q)),
            weight: real_signed(self.total_load(q)),
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
            weight: real(ent.load),
            slice_ns: real(ent.slice),
            eligible: ent.v <= mean,
            delayed: ent.delayed,
            protected: queue.curr == e && ent.is_protected(),
            next: next == e,
            buddy: queue.next == e,
        }
    }
}
