//! What the stage and the reports show of BFS. Floating point is used only here, where nothing is decided.
#![allow(clippy::float_arithmetic)]

use super::{Bfs, QueueRow};
use sim_contract::shape::{
    PartKind, QueueDetail, QueueDetailContext, QueuePart, QueueShape, Weighed,
};
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::info::ColumnEntry;

pub(super) const TASK_COLUMNS: &[ColumnEntry] = &[ColumnEntry {
    id: "deadlineNs",
    label: "virtual deadline",
    unit: "ns",
}];

pub(super) const CPU_COLUMNS: &[ColumnEntry] = &[ColumnEntry {
    id: "rqDeadlineNs",
    label: "deadline of what runs (the CPU's copy)",
    unit: "ns",
}];

impl Bfs {
    #[allow(clippy::cast_precision_loss)] // display only, far below 2^53
    fn deadline_ns(&self, deadline: u64) -> f64 {
        self.st.shown(deadline) as f64
    }

    pub(super) fn observe_task_columns(&self, task: TaskId, out: &mut [f64]) {
        out[0] = self.deadline_ns(self.st.tasks[task.index()].deadline);
    }

    pub(super) fn observe_cpu_columns(&self, cpu: CpuId, out: &mut [f64]) {
        let c = &self.st.cpus[cpu.index()];
        out[0] = if c.curr.is_some() {
            self.deadline_ns(c.rq_deadline)
        } else {
            f64::NAN
        };
    }

    pub(super) fn observe_queue(&self, out: &mut Vec<QueueRow>) {
        out.extend(self.st.grq.iter().map(|task| QueueRow {
            queue: None,
            task,
            key: self.deadline_ns(self.st.tasks[task.index()].deadline),
            part: 0,
            place: u32::from(self.st.tasks[task.index()].prio),
        }));
    }

    pub(super) fn observe_shape() -> QueueShape {
        QueueShape {
            global: vec![QueuePart {
                kind: PartKind::Deadlines,
                ..QueuePart::list("queue", "one queue, by virtual deadline")
            }],
            ..QueueShape::default()
        }
    }

    /// Each waiting thread, with the distance that a CPU adds to its deadline. It is added for all threads (0.318), for
    /// sticky ones (0.447), or for those that last ran elsewhere unless deadlines alone decide (0.512).
    pub(super) fn observe_detail(
        &self,
        around: &QueueDetailContext<'_>,
        cpu: CpuId,
    ) -> QueueDetail {
        let weighed = |task: TaskId| {
            let info = &around.tasks[task.index()];
            let offset = self.st.offset_on(around.machine, task, info.nice, cpu);
            Weighed {
                task: task.0,
                offset_ns: self.deadline_ns(offset),
                allowed: info.allowed.contains(cpu),
            }
        };
        QueueDetail {
            weighed: self.st.grq.iter().map(weighed).collect(),
            ..QueueDetail::default()
        }
    }
}
