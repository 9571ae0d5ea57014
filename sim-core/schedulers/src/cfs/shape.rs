//! The trees and domains of CFS for display: groups open into their own trees.
#![allow(clippy::float_arithmetic)]

use super::Cfs;
use super::entity::{Ent, NONE, Queue};
use super::observe::{real, real_signed};
use sim_contract::shape::{
    DomainNow, DomainShape, PartKind, QueueDetail, QueuePart, QueueShape, TreeNode, TreeView,
};
use sim_ground::ids::CpuId;
use sim_ground::order;

impl Cfs {
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
                    kind: PartKind::Tree,
                    ..QueuePart::list("tree", "tree of virtual runtimes")
                },
            ],
            domains,
            ..QueueShape::default()
        }
    }

    pub(super) fn observe_detail(&self, cpu: CpuId) -> QueueDetail {
        let mut trees = Vec::new();
        self.observe_tree_view(u32::from(cpu.0), &mut trees);
        let state = &self.st.rq(cpu).domains;
        let domains = self.topo.of[cpu.index()].iter().zip(state);
        QueueDetail {
            trees,
            domains: domains
                .map(|(domain, now)| DomainNow {
                    name: domain.name.to_owned(),
                    cpus: u32::try_from(domain.list.len()).unwrap_or(u32::MAX),
                    interval_ns: real(now.interval * 1_000_000),
                    last_ns: real(now.last_balance * self.st.tun.jiffy_ns),
                    failed: now.nr_balance_failed,
                    imbalance_pct: u32::try_from(domain.imbalance_pct).unwrap_or(u32::MAX),
                })
                .collect(),
            ..QueueDetail::default()
        }
    }

    fn observe_tree_view(&self, q: Queue, out: &mut Vec<TreeView>) {
        let queue = self.st.queue(q);
        let running = (queue.curr != NONE).then_some(queue.curr);
        let all = || running.into_iter().chain(self.st.arena.iter(queue.tree));
        out.push(TreeView {
            tree: q,
            group: queue.group,
            min_vruntime_ns: real_signed(queue.min_vruntime),
            nodes: all().map(|e| self.observe_node(q, e)).collect(),
        });
        for e in all() {
            let below = self.st.ent(e).my_queue;
            if below != NONE {
                self.observe_tree_view(below, out);
            }
        }
    }

    fn observe_node(&self, q: Queue, e: Ent) -> TreeNode {
        let queue = self.st.queue(q);
        let ent = self.st.ent(e);
        let runs = queue.curr == e;
        let (_, red, parent) = if runs {
            (0, false, NONE)
        } else {
            self.st.arena.position(e)
        };
        let some = |n: u32| (n != NONE).then_some(n);
        let marks = [
            ("next", queue.next),
            ("last", queue.last),
            ("skip", queue.skip),
        ];
        TreeNode {
            entity: e,
            parent: some(parent),
            red,
            running: runs,
            task: some(ent.task),
            opens: some(ent.my_queue),
            ahead_ns: real_signed(ent.vruntime.wrapping_sub(queue.min_vruntime)),
            weight: real(self.unscaled(ent.weight)),
            buddies: marks
                .iter()
                .filter(|(_, who)| *who == e)
                .map(|(name, _)| *name)
                .collect(),
        }
    }
}
