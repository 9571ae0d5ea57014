//! The trees and domains of CFS for display: groups open into their own trees.
#![allow(clippy::float_arithmetic)]

use super::Cfs;
use super::entity::{Ent, NONE, Queue};
use crate::linux::shown::{queue_shape, real, real_signed};
use sim_contract::shape::{DomainNow, PartKind, QueueDetail, QueueShape, TreeNode, TreeView};
use sim_ground::ids::CpuId;

impl Cfs {
    pub(super) fn observe_shape(&self) -> QueueShape {
        queue_shape(
            &self.topo,
            PartKind::Tree,
            "tree",
            "tree of virtual runtimes",
        )
    }

    pub(super) fn observe_detail(&self, cpu: CpuId) -> QueueDetail {
        let mut trees = Vec::new();
        self.observe_tree_view(u32::from(cpu.0), &mut trees);
        if self.cgroups.is_some() {
            for q in self.throttled_on(cpu) {
                self.observe_tree_view(q, &mut trees);
            }
        }
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
            min_vruntime_ns: real_signed(queue.min_vruntime.cast_signed()),
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
            ahead_ns: real_signed(ent.vruntime.wrapping_sub(queue.min_vruntime).cast_signed()),
            weight: real(self.unscaled(ent.weight)),
            buddies: marks
                .iter()
                .filter(|(_, who)| *who == e)
                .map(|(name, _)| *name)
                .collect(),
        }
    }
}
