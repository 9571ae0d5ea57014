//! What the stage and the reports show of CFS. Floating point is used only here, where nothing is decided.
#![allow(clippy::float_arithmetic)]

use super::entity::{Ent, NONE, Queue};
use super::{Cfs, QueueRow, SliceView};
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::info::ColumnEntry;

const fn column(id: &'static str, label: &'static str, unit: &'static str) -> ColumnEntry {
    ColumnEntry { id, label, unit }
}

pub(super) const TASK_COLUMNS: &[ColumnEntry] = &[
    column("vruntimeNs", "vruntime", "ns"),
    column("aheadNs", "vruntime ahead of min_vruntime", "ns"),
    column("weight", "load weight", "load"),
    column("loadAvg", "load_avg", "load"),
    column("utilAvg", "util_avg", "of 1024"),
    column("ranNs", "ran in this slice", "ns"),
    column("queueCpu", "queue (CPU)", "cpu"),
    column("taskGroup", "task group", "number"),
    column("buddy", "buddy (1 next, 2 last, 4 skip)", "bits"),
    column("treeDepth", "depth in the tree", "levels"),
    column("treeRed", "red node", "0 or 1"),
    column("treeParent", "thread above it in the tree", "thread"),
    column("numaPreferredNode", "numa_preferred_nid", "node"),
    column("numaScanPeriodMs", "numa_scan_period", "ms"),
];

pub(super) const CPU_COLUMNS: &[ColumnEntry] = &[
    column("minVruntimeNs", "min_vruntime", "ns"),
    column("nrRunning", "nr_running", "threads"),
    column("load", "load", "load"),
    column("cpuLoad1", "cpu_load[1]", "load"),
    column("cpuLoad2", "cpu_load[2]", "load"),
    column("cpuLoad3", "cpu_load[3]", "load"),
    column("cpuLoad4", "cpu_load[4]", "load"),
    column("utilAvg", "util_avg", "of 1024"),
    column("avgIdleNs", "avg_idle", "ns"),
    column("nextBalanceNs", "next_balance", "ns"),
    column(
        "nrBalanceFailed",
        "nr_balance_failed (most of its domains)",
        "times",
    ),
    column(
        "balanced0Ns",
        "last balancing of the innermost domain",
        "ns",
    ),
    column("balanced1Ns", "last balancing of the second domain", "ns"),
    column("balanced2Ns", "last balancing of the third domain", "ns"),
    column("balanced3Ns", "last balancing of the fourth domain", "ns"),
    column("balanced4Ns", "last balancing of the fifth domain", "ns"),
];

/// Number of domains of a CPU that have a column.
const DOMAINS_SHOWN: usize = 5;

#[allow(clippy::cast_precision_loss)] // display only
pub(super) fn real(x: u64) -> f64 {
    x as f64
}

#[allow(clippy::cast_precision_loss)] // display only
pub(super) fn real_signed(x: u64) -> f64 {
    x.cast_signed() as f64
}

impl Cfs {
    pub(super) fn observe_slice(&self, task: TaskId) -> SliceView {
        let t = self.st.task(task);
        if t.real_time {
            return SliceView::default();
        }
        let signed = |x: u64| i64::try_from(x).unwrap_or(i64::MAX);
        let full = signed(self.slice(t.se));
        SliceView {
            left_ns: full - signed(self.st.ent(t.se).ran()),
            full_ns: full,
        }
    }

    pub(super) fn observe_task_columns(&self, task: TaskId, out: &mut [f64]) {
        let t = self.st.task(task);
        if t.real_time {
            out[6] = f64::from(t.cpu.0);
            return;
        }
        if let Some((node, period_ms)) = self.numa.as_ref().and_then(|n| n.shown(task)) {
            out[12] = node.map_or(-1.0, |n| f64::from(n.0));
            out[13] = real(period_ms);
        }
        let ent = self.st.ent(t.se);
        let queue = self.st.queue(ent.queue);
        let mut buddy = 0;
        for (mark, who) in [(1, queue.next), (2, queue.last), (4, queue.skip)] {
            buddy += if who == t.se { mark } else { 0 };
        }
        out[0] = real_signed(ent.vruntime);
        // A vruntime that is relative to its queue is already the difference.
        out[1] = real_signed(ent.vruntime.wrapping_sub(queue.min_vruntime));
        out[2] = real(self.unscaled(ent.weight));
        out[3] = real(ent.avg.load_avg);
        out[4] = real(ent.avg.util_avg);
        out[5] = real(ent.ran());
        out[6] = f64::from(t.cpu.0);
        out[7] = f64::from(t.group);
        out[8] = f64::from(buddy);
        if ent.on_rq && queue.curr != t.se {
            let (depth, red, parent) = self.st.arena.position(t.se);
            out[9] = f64::from(depth);
            out[10] = f64::from(u8::from(red));
            out[11] = match parent {
                NONE => -1.0,
                e => match self.st.ent(e).task {
                    NONE => -2.0,
                    task => f64::from(task),
                },
            };
        }
    }

    pub(super) fn observe_cpu_columns(&self, cpu: CpuId, out: &mut [f64]) {
        let rq = self.st.rq(cpu);
        let root = self.st.root(cpu);
        out[0] = real_signed(root.min_vruntime);
        out[1] = f64::from(rq.nr_running);
        out[2] = real(self.weighted_load(cpu));
        for i in 1..5 {
            out[2 + i] = real(rq.cpu_load[i]);
        }
        out[7] = real(root.avg.util_avg);
        out[8] = real(rq.avg_idle);
        out[9] = real(rq.next_balance * self.st.tun.jiffy_ns);
        let failed = rq.domains.iter().map(|d| d.nr_balance_failed).max();
        out[10] = f64::from(failed.unwrap_or(0));
        for (value, domain) in out[11..]
            .iter_mut()
            .zip(rq.domains.iter().take(DOMAINS_SHOWN))
        {
            *value = real(domain.last_balance * self.st.tun.jiffy_ns);
        }
    }

    pub(super) fn observe_queues(&self, out: &mut Vec<QueueRow>) {
        for c in 0..self.st.rqs.len() {
            let cpu = CpuId::new(c);
            out.extend(self.st.rq(cpu).rt.iter().map(|task| QueueRow {
                queue: Some(cpu),
                task,
                key: f64::NEG_INFINITY,
                part: 0,
                place: 0,
            }));
            self.observe_tree(cpu, u32::from(cpu.0), out);
        }
    }

    /// The entities that wait in a queue and below it; those below the running entity first, because its group
    /// continues.
    fn observe_tree(&self, cpu: CpuId, q: Queue, out: &mut Vec<QueueRow>) {
        let queue = self.st.queue(q);
        let mut row = |e: Ent| {
            let ent = self.st.ent(e);
            if ent.my_queue != NONE {
                self.observe_tree(cpu, ent.my_queue, out);
            } else {
                out.push(QueueRow {
                    queue: Some(cpu),
                    task: TaskId(ent.task),
                    key: real_signed(ent.vruntime.wrapping_sub(queue.min_vruntime)),
                    part: 1,
                    place: queue.group,
                });
            }
        };
        if queue.curr != NONE && self.st.ent(queue.curr).my_queue != NONE {
            row(queue.curr);
        }
        for e in self.st.arena.iter(queue.tree) {
            row(e);
        }
    }
}
