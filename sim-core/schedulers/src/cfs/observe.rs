//! What the stage and the reports show of CFS. Floating point is used only here, where nothing is decided.
#![allow(clippy::float_arithmetic)]

use super::Cfs;
use super::entity::{Ent, NONE, Queue};
use crate::linux::cgroups::limits::Limits as _;
use crate::linux::machine::Machine;
use crate::linux::machine::load::LoadTracking;
use crate::linux::numa::Numa;
use crate::linux::rt::RealTime as _;
use crate::linux::shown::{
    BALANCED, BALANCING, MEMORY, column, memory_columns, real, real_signed, real_time_rows,
};
use crate::linux::signed;
use sim_contract::cgroup::CgroupCounts;
use sim_contract::shape::{QueueDetail, QueueDetailContext, QueueShape};
use sim_contract::{Observe, QueueRow, SliceView};
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::info::ColumnEntry;
use sim_ground::time::SimTime;

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
    MEMORY[0],
    MEMORY[1],
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
    BALANCING[0],
    BALANCING[1],
    BALANCING[2],
    BALANCED[0],
    BALANCED[1],
    BALANCED[2],
    BALANCED[3],
    BALANCED[4],
];

/// Number of domains of a CPU that have a column.
const DOMAINS_SHOWN: usize = 5;

impl Observe for Cfs {
    fn queues(&self, out: &mut Vec<QueueRow>) {
        for c in 0..self.st.rqs.len() {
            let cpu = CpuId::new(c);
            real_time_rows(&self.st, cpu, out);
            self.observe_tree(cpu, u32::from(cpu.0), out);
            if self.cgroups.is_some() {
                for q in self.throttled_on(cpu) {
                    self.observe_tree(cpu, q, out);
                }
            }
        }
    }

    fn count_waiting(&self, by_cpu: &mut [u64]) {
        for ((count, rq), cpu) in by_cpu.iter_mut().zip(&self.st.rqs).zip(0..) {
            // Those that stand still are not among the running ones.
            let standing = if self.reserve.stops_real_time(CpuId(cpu)) {
                self.real_time_tasks(CpuId(cpu))
            } else {
                0
            };
            let all = u64::from(rq.nr_running) + standing as u64;
            *count += all - u64::from(rq.curr.is_some());
        }
        if self.cgroups.is_none() {
            return;
        }
        for (count, cpu) in by_cpu.iter_mut().zip(0..) {
            let throttled = self.throttled_on(CpuId(cpu));
            let mut rows = Vec::new();
            throttled.for_each(|q| self.observe_tree(CpuId(cpu), q, &mut rows));
            *count += rows.len() as u64;
        }
    }

    fn is_throttled(&self, task: TaskId) -> bool {
        let t = self.st.task(task);
        if t.real_time {
            return self.reserve.stops_real_time(t.cpu);
        }
        let ent = self.st.ent(t.se);
        self.cgroups.is_some() && ent.on_rq && self.is_below_throttled(ent.queue)
    }

    fn cgroups(&self, now: SimTime) -> Vec<CgroupCounts> {
        self.cgroups
            .as_ref()
            .map_or(Vec::new(), |g| g.counts(now.0))
    }

    fn shape(&self) -> QueueShape {
        self.observe_shape()
    }

    fn queue_detail(&self, _: &QueueDetailContext<'_>, cpu: CpuId) -> QueueDetail {
        self.observe_detail(cpu)
    }

    fn slice(&self, task: TaskId, _: Option<CpuId>) -> SliceView {
        let t = self.st.task(task);
        if t.real_time {
            return SliceView::default();
        }
        let full = signed(self.slice(t.se));
        SliceView {
            left_ns: full - signed(self.st.ent(t.se).ran()),
            full_ns: full,
        }
    }

    fn observe_task(&self, task: TaskId, out: &mut [f64]) {
        let t = self.st.task(task);
        if t.real_time {
            out[6] = f64::from(t.cpu.0);
            return;
        }
        memory_columns(self.numa.as_ref(), task, &mut out[12..]);
        let ent = self.st.ent(t.se);
        let queue = self.st.queue(ent.queue);
        let mut buddy = 0;
        for (mark, who) in [(1, queue.next), (2, queue.last), (4, queue.skip)] {
            buddy += if who == t.se { mark } else { 0 };
        }
        out[0] = real_signed(ent.vruntime.cast_signed());
        // A vruntime that is relative to its queue is already the difference.
        out[1] = real_signed(ent.vruntime.wrapping_sub(queue.min_vruntime).cast_signed());
        out[2] = real(self.unscaled(ent.weight));
        let averages = match self.is_shared() {
            true => (self.avg(t.se).load_avg, self.avg(t.se).util_avg),
            false => (ent.avg.load_avg, ent.avg.util_avg),
        };
        out[3] = real(averages.0);
        out[4] = real(averages.1);
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

    fn observe_cpu(&self, cpu: CpuId, out: &mut [f64]) {
        let rq = self.st.rq(cpu);
        let (root, cpu_load) = self.settled_copy(cpu);
        out[0] = real_signed(root.min_vruntime.cast_signed());
        out[1] = f64::from(rq.nr_running);
        out[2] = real(self.load_of(&root));
        for i in 1..5 {
            out[2 + i] = real(cpu_load[i]);
        }
        if self.is_shared() {
            self.observe_shared(cpu, out);
            return;
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

    fn counters(&self) -> Vec<(&'static str, u64)> {
        let mut all = vec![("schedules", self.st.schedules)];
        all.extend(self.all_counters().all());
        all.extend(self.numa.iter().flat_map(Numa::counters));
        all
    }
}

impl Cfs {
    /// The columns of the shared machine.
    fn observe_shared(&self, cpu: CpuId, out: &mut [f64]) {
        let side = self.side(cpu);
        out[7] = real(self.root_loads(cpu).avg.util_avg);
        out[8] = real(side.avg_idle);
        out[9] = real(side.next_balance * self.st.tun.jiffy_ns);
        let failed = side.domains.iter().map(|d| d.nr_balance_failed).max();
        out[10] = f64::from(failed.unwrap_or(0));
        let domains = side.domains.iter().take(DOMAINS_SHOWN);
        for (value, domain) in out[11..].iter_mut().zip(domains) {
            *value = real(domain.last_balance * self.st.tun.jiffy_ns);
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
                    key: real_signed(ent.vruntime.wrapping_sub(queue.min_vruntime).cast_signed()),
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
