//! What the stage and the reports show of 4BSD. Floating point is used only here, where nothing is decided.
#![allow(clippy::float_arithmetic)]

use super::{FourBsd, GLOBAL, QueueRow, queue_of};
use crate::freebsd::ranges::PRI_MAX_TIMESHARE;
use sim_contract::shape::{Beat, PartKind, QueuePart, QueueShape};
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::info::ColumnEntry;

const fn column(id: &'static str, label: &'static str, unit: &'static str) -> ColumnEntry {
    ColumnEntry { id, label, unit }
}

pub(super) const TASK_COLUMNS: &[ColumnEntry] = &[
    column("estcpu", "estcpu", "ticks"),
    column("priority", "priority", "level"),
    column("userPriority", "user priority", "level"),
    column("pctcpu", "%CPU", "ratio"),
    column("slptime", "asleep", "s"),
    column("list", "list", "index"),
];

pub(super) const CPU_COLUMNS: &[ColumnEntry] = &[
    column("priority", "priority of what runs", "level"),
    column("waiting", "waiting in its own queue", "threads"),
    column("load1", "load average of 1 minute (all CPUs)", "threads"),
];

impl FourBsd {
    pub(super) fn observe_task_columns(&self, task: TaskId, out: &mut [f64]) {
        let Some(t) = self.st.threads.get(task.index()) else {
            return;
        };
        out[0] = f64::from(t.estcpu);
        out[1] = f64::from(t.priority);
        out[2] = f64::from(t.user_priority);
        out[3] = f64::from(t.pctcpu) / 2_048.0;
        out[4] = f64::from(t.slptime);
        out[5] = f64::from(t.priority / self.era.per_list);
    }

    #[allow(clippy::cast_precision_loss)] // display only
    pub(super) fn observe_cpu_columns(&self, cpu: CpuId, out: &mut [f64]) {
        out[0] = match self.st.cpus[cpu.index()].curr {
            Some(_) => f64::from(self.priority_on(cpu)),
            None => f64::NAN,
        };
        out[1] = self.st.queues.len(queue_of(cpu)) as f64;
        out[2] = f64::from(self.st.load_averages[0]) / 2_048.0;
    }

    pub(super) fn observe_queues(&self, out: &mut Vec<QueueRow>) {
        for queue in 0..=self.st.cpus.len() {
            let cpu = (queue != GLOBAL).then(|| CpuId::new(queue - 1));
            let levels = self.st.queues.levels();
            out.extend(self.st.queues.iter(queue, 0, levels).map(|task| {
                QueueRow {
                    queue: cpu,
                    task,
                    key: f64::from(self.thread(task).priority),
                    part: 0,
                    place: self
                        .st
                        .queues
                        .place(task)
                        .map_or(0, |p| u32::try_from(p.level).unwrap_or(0)),
                }
            }));
        }
    }

    /// One ladder for all CPUs. The ladders of the CPUs hold only threads that are limited to some CPUs.
    pub(super) fn observe_shape(&self) -> QueueShape {
        let ladder = |label| QueuePart {
            id: "ladder",
            label,
            kind: PartKind::Levels,
            places: u32::try_from(self.st.queues.levels()).unwrap_or(0),
            per_place: u32::from(self.era.per_list),
            first: 0,
            focus: Some([
                u32::from(self.era.ranges.min_timeshare / self.era.per_list),
                u32::from(PRI_MAX_TIMESHARE / self.era.per_list),
            ]),
        };
        QueueShape {
            global: vec![ladder("one queue for all CPUs, by priority")],
            per_cpu: vec![ladder("limited to some CPUs")],
            beat: Some(Beat {
                label: "estcpu decays",
                period_ns: super::passes::SECOND,
            }),
            ..QueueShape::default()
        }
    }

    pub(super) fn observe_counters(&self) -> Vec<(&'static str, u64)> {
        let c = &self.st.counters;
        let [one, five, fifteen] = self.st.load_averages.map(u64::from);
        vec![
            ("ipiwakeupRequested", c.requested),
            ("ipiwakeupDelivered", c.delivered),
            ("ipiwakeupSignals", c.signals),
            ("yields", c.yields),
            ("dispatches", c.dispatches),
            ("lockAcquisitions", c.lock_acquisitions),
            (
                "quantumUs",
                self.st.settings.quantum_us(self.era, self.rates),
            ),
            ("loadAverage1", one),
            ("loadAverage5", five),
            ("loadAverage15", fifteen),
        ]
    }
}
