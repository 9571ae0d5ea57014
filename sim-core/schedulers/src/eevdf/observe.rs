//! What the stage and the reports show of EEVDF. Floating point is used only here, where nothing is decided.
#![allow(clippy::float_arithmetic)]

use super::Eevdf;
use super::mean::SCALE_BITS;
use super::state::{Ent, NONE, Queue};
use crate::linux::cgroups::limits::Limits as _;
use crate::linux::machine::select::IdleSearch;
use crate::linux::numa::Numa;
use crate::linux::shown::{
    BALANCED, BALANCING, MEMORY, column, memory_columns, real, real_signed, real_time_rows,
};
use crate::linux::signed;
use crate::linux::weight::NICE_0;
use sim_contract::cgroup::CgroupCounts;
use sim_contract::shape::{QueueDetail, QueueDetailContext, QueueShape};
use sim_contract::{Observe, QueueRow, SliceView};
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::info::ColumnEntry;
use sim_ground::time::SimTime;
use sim_machine::cost::split::product;

pub(super) const TASK_COLUMNS: &[ColumnEntry] = &[
    column("vruntimeNs", "vruntime", "ns"),
    column("lagNs", "lag (V - vruntime)", "ns"),
    column("deadlineAheadNs", "virtual deadline ahead of V", "ns"),
    column("requestNs", "left of its request (virtual)", "ns"),
    column("storedLagNs", "lag that it took along", "ns"),
    column("serviceLagNs", "CPU time that it is owed", "ns"),
    column("eligible", "eligible", "0 or 1"),
    column("protected", "protected", "0 or 1"),
    column("delayed", "delayed", "0 or 1"),
    column("sliceNs", "slice", "ns"),
    column("customSlice", "slice of its own", "0 or 1"),
    column("weight", "load weight", "load"),
    column("loadAvg", "load_avg", "load"),
    column("runnableAvg", "runnable_avg", "of 1024"),
    column("utilAvg", "util_avg", "of 1024"),
    column("utilEst", "util_est", "of 1024"),
    column("queueCpu", "queue (CPU)", "cpu"),
    column("taskGroup", "task group", "number"),
    column("buddy", "next buddy", "0 or 1"),
    MEMORY[0],
    MEMORY[1],
    column("effectiveWeight", "effective weight", "load"),
];

pub(super) const CPU_COLUMNS: &[ColumnEntry] = &[
    column("averageNs", "V (avg_vruntime)", "ns"),
    column("weight", "sum of weights", "load"),
    column("nrRunning", "nr_running, those asleep included", "threads"),
    column("nrRunnable", "h_nr_runnable", "threads"),
    column("loadAvg", "load_avg", "load"),
    column("runnableAvg", "runnable_avg", "of 1024"),
    column("utilAvg", "util_avg", "of 1024"),
    column("utilEst", "util_est", "of 1024"),
    BALANCING[0],
    BALANCING[1],
    BALANCING[2],
    column(
        "newidleRatio",
        "newidle_ratio of the innermost domain",
        "of 1024",
    ),
    column("nrIdleScan", "nr_idle_scan of its cache", "CPUs"),
    column("hasIdleCores", "has_idle_cores of its cache", "0 or 1"),
    BALANCED[0],
    BALANCED[1],
    BALANCED[2],
    BALANCED[3],
    BALANCED[4],
];

/// The first column of domains, and the number of domains that have a column.
const DOMAINS: (usize, usize) = (14, 5);

/// Virtual time as CPU time of an entity with a weight.
fn service(lag: i64, load: u64, unit: u64) -> i64 {
    let time = product(lag.unsigned_abs(), load, unit);
    i64::try_from(time).unwrap_or(i64::MAX) * lag.signum()
}

fn flag(is: bool) -> f64 {
    f64::from(u8::from(is))
}

impl Observe for Eevdf {
    fn queues(&self, out: &mut Vec<QueueRow>) {
        for c in 0..self.st.rqs.len() {
            let cpu = CpuId::new(c);
            real_time_rows(&self.st, cpu, out);
            self.observe_line(cpu, u32::from(cpu.0), out);
            if self.cgroups.is_some() {
                self.observe_throttled(cpu, out);
            }
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
        let ent = self.st.ent(t.se);
        let left = if ent.relative {
            ent.deadline
        } else {
            ent.deadline - ent.v
        };
        SliceView {
            left_ns: service(left, ent.load, self.st.tun.unit()),
            full_ns: signed(ent.slice),
        }
    }

    fn observe_task(&self, task: TaskId, out: &mut [f64]) {
        let t = self.st.task(task);
        out[16] = f64::from(t.cpu.0);
        if t.real_time {
            return;
        }
        let ent = self.st.ent(t.se);
        let line = self.st.line_of(ent);
        let queue = self.st.queue(line);
        let mean = self.mean(line);
        let lag = if ent.on_rq { mean - ent.v } else { ent.lag };
        let request = if ent.relative {
            ent.deadline
        } else {
            ent.deadline - ent.v
        };
        memory_columns(self.numa.as_ref(), task, &mut out[19..]);
        out[0] = real_signed(ent.v);
        out[1] = real_signed(lag);
        out[2] = real_signed(request - lag);
        out[3] = real_signed(request);
        out[4] = real_signed(ent.lag);
        out[5] = real_signed(service(lag, ent.load, self.st.tun.unit()));
        out[6] = flag(ent.on_rq && self.eligible(t.se));
        out[7] = flag(queue.curr == t.se && ent.on_rq && ent.is_protected(&self.st.tun));
        out[8] = flag(ent.delayed);
        out[9] = real(ent.slice);
        out[10] = flag(ent.custom_slice);
        out[11] = real(ent.own_load());
        out[12] = real(ent.avg.load_avg);
        out[13] = real(ent.avg.runnable_avg);
        out[14] = real(ent.avg.util_avg);
        out[15] = real(t.util_est);
        out[17] = f64::from(t.group);
        out[18] = flag(queue.next == t.se);
        out[21] = self.shown_weight(t.se);
    }

    fn observe_cpu(&self, cpu: CpuId, out: &mut [f64]) {
        let q = u32::from(cpu.0);
        let root = self.st.root(cpu);
        out[0] = real_signed(self.mean(q));
        out[1] = real_signed(self.total_load(q));
        out[2] = f64::from(self.st.rq(cpu).nr_running);
        out[3] = f64::from(root.h_runnable);
        out[4] = real(root.loads.avg.load_avg);
        out[5] = real(root.loads.avg.runnable_avg);
        out[6] = real(root.loads.avg.util_avg);
        out[7] = real(root.loads.util_est);
        let (side, jiffy) = (&self.st.rq(cpu).side, self.st.tun.jiffy_ns);
        out[8] = real(side.avg_idle);
        out[9] = real(side.next_balance * jiffy);
        let failed = side.domains.iter().map(|d| d.nr_balance_failed).max();
        out[10] = failed.map_or(0.0, f64::from);
        let innermost = side.domains.first();
        out[11] = innermost.map_or(0.0, |d| f64::from(d.newidle.ratio));
        let cache = self.cache_of(cpu);
        out[12] = real(cache.nr_idle_scan);
        out[13] = flag(cache.has_idle_cores);
        let (first, most) = DOMAINS;
        for (level, domain) in side.domains.iter().take(most).enumerate() {
            out[first + level] = real(domain.last_balance * jiffy);
        }
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        let mut all = vec![
            ("schedules", self.st.schedules),
            ("sleepsDelayed", self.st.sleeps_delayed),
        ];
        all.extend(self.st.machine.counters.all());
        all.extend(self.numa.iter().flat_map(Numa::counters));
        all
    }
}

impl Eevdf {
    /// By how much a weight in virtual time is larger than a load weight.
    pub(super) fn scale(&self) -> f64 {
        real(self.st.tun.unit() / NICE_0)
    }

    /// What the groups leave of a task's weight: what it stands with in the one queue of its CPU, or what this would be.
    fn shown_weight(&self, e: Ent) -> f64 {
        let (ent, fine) = (self.st.ent(e), real(1 << SCALE_BITS));
        match (self.st.tun.one_queue(), ent.on_rq) {
            (true, _) => real(ent.load) / fine,
            (false, true) => real(self.effective_weight(e)) / fine,
            (false, false) => real(ent.own_load()),
        }
    }

    /// The queues of a CPU that are in no other, because a limit throttles them.
    pub(super) fn throttled_on(&self, cpu: CpuId) -> impl Iterator<Item = Queue> + '_ {
        let groups = u32::try_from(self.st.groups.len()).unwrap_or(0);
        let queues = (1..groups).map(move |group| self.st.group_on(group, cpu).0);
        queues.filter(move |q| self.st.queue(*q).nr > 0 && !self.st.ent(self.st.owner(*q)).on_rq)
    }

    /// The tasks that wait until their control group has time again.
    fn observe_throttled(&self, cpu: CpuId, out: &mut Vec<QueueRow>) {
        if self.st.tun.one_queue() {
            return;
        }
        for q in self.throttled_on(cpu) {
            self.observe_line(cpu, q, out);
        }
    }

    /// The entities that wait in a queue and below it, by deadline. Those below the running entity come first, because
    /// its group continues. Delayed entities are left out: they sleep.
    fn observe_line(&self, cpu: CpuId, q: Queue, out: &mut Vec<QueueRow>) {
        let queue = self.st.queue(q);
        let mean = self.mean(q);
        let mut row = |e: Ent| {
            let ent = self.st.ent(e);
            if !ent.is_task() {
                self.observe_line(cpu, ent.my_queue, out);
            } else if !ent.delayed {
                out.push(QueueRow {
                    queue: Some(cpu),
                    task: TaskId(ent.task),
                    key: real_signed(ent.v - mean),
                    part: 1,
                    place: u32::from(ent.v <= mean),
                });
            }
        };
        if queue.curr != NONE && !self.st.ent(queue.curr).is_task() {
            row(queue.curr);
        }
        for e in self.st.arena.iter(queue.tree) {
            row(e);
        }
    }
}
