//! What the stage and the reports show of ULE. Floating point is used only here, where nothing is decided.
#![allow(clippy::float_arithmetic)]

use super::runqs::Part;
use super::{QueueRow, Ule};
use crate::freebsd::ranges::Class;
use sim_contract::SliceView;
use sim_contract::shape::{Gauge, PartKind, QueuePart, QueueShape};
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::info::ColumnEntry;

const fn column(id: &'static str, label: &'static str, unit: &'static str) -> ColumnEntry {
    ColumnEntry { id, label, unit }
}

pub(super) const TASK_COLUMNS: &[ColumnEntry] = &[
    column("score", "interactivity score", "points"),
    column("pri", "priority", "priority"),
    column("userPri", "user priority", "priority"),
    column("pctCpu", "%CPU of the last ten seconds", "%"),
    column("runtimeMs", "run time remembered", "ms"),
    column("slptimeMs", "sleep remembered", "ms"),
    column("sliceTicks", "slice used (left, until 2012)", "ticks"),
    column("slot", "slot of the calendar", "slot"),
    column(
        "scoreNice",
        "score and nice, compared with the threshold",
        "points",
    ),
];

pub(super) const CPU_COLUMNS: &[ColumnEntry] = &[
    column("load", "load", "threads"),
    column("sysload", "load without interrupt threads", "threads"),
    column("transferable", "waiting threads that may move", "threads"),
    column("lowpri", "best priority", "priority"),
    column("idx", "insert hand", "slot"),
    column("ridx", "remove hand", "slot"),
    column("slots", "slots of the calendar", "slots"),
    column(
        "switchcnt",
        "switches of this and the last tick",
        "switches",
    ),
    column("balanceTicks", "ticks to the balancer's next run", "ticks"),
];

#[allow(clippy::cast_precision_loss)] // display only, far below 2^53
fn f(x: u64) -> f64 {
    x as f64
}

impl Ule {
    pub(super) fn observe_task_columns(&self, task: TaskId, out: &mut [f64]) {
        let Some(t) = self.st.threads.get(task.index()) else {
            out.fill(f64::NAN);
            return;
        };
        let hz = self.st.tune.hz;
        let ms = |scaled: u64| f(scaled) * 1_000.0 / (1_024.0 * f64::from(hz));
        let slot = self.st.queues.slot(task);
        let timeshare = t.class == Class::Timeshare;
        let of_timeshare = |points: u8| {
            if timeshare {
                f64::from(points)
            } else {
                f64::NAN
            }
        };
        out[0] = of_timeshare(t.points);
        out[1] = f64::from(t.pri);
        out[2] = f64::from(t.user_pri);
        out[3] = f(t.window.milli(i64::from(hz))) / 10.0;
        out[4] = ms(t.history.run);
        out[5] = ms(t.history.sleep);
        out[6] = f64::from(t.slice);
        out[7] = slot.map_or(f64::NAN, f64::from);
        out[8] = of_timeshare(t.score);
    }

    pub(super) fn observe_cpu_columns(&self, cpu: CpuId, out: &mut [f64]) {
        let tdq = &self.st.tdqs[cpu.index()];
        let values = [
            f64::from(tdq.load),
            f64::from(tdq.sysload),
            f64::from(tdq.transferable),
            f64::from(tdq.lowpri),
            f64::from(tdq.hands.idx),
            f64::from(tdq.hands.ridx),
            f64::from(self.era.slots),
            f64::from(tdq.switchcnt + tdq.oldswitchcnt),
            if self.counts_balance(cpu) {
                f64::from(self.st.balance_ticks)
            } else {
                f64::NAN
            },
        ];
        out.copy_from_slice(&values);
    }

    /// The waiting threads. Their keys are priorities in the real-time and idle parts, and 256 + the distance from the
    /// remove hand in the calendar.
    pub(super) fn observe_queues(&self, out: &mut Vec<QueueRow>) {
        for (i, tdq) in self.st.tdqs.iter().enumerate() {
            let cpu = CpuId::new(i);
            for task in self.st.queues.all(&tdq.hands, cpu) {
                let t = &self.st.threads[task.index()];
                let key = match self.st.queues.slot(task) {
                    Some(slot) => {
                        let slots = u32::from(self.era.slots);
                        let ahead = u32::from(slot) + slots - u32::from(tdq.hands.ridx);
                        f64::from(256 + ahead % slots)
                    }
                    None if self.st.queues.part(t.pri) == Part::Idle => f64::from(t.pri) + 512.0,
                    None => f64::from(t.pri),
                };
                let (part, place) = self.st.queues.stands(task);
                out.push(QueueRow {
                    queue: Some(cpu),
                    task,
                    key,
                    part,
                    place,
                });
            }
        }
    }

    /// The real-time ladder, the calendar and the idle ladder of each CPU.
    pub(super) fn observe_shape(&self) -> QueueShape {
        let ladder = |id, label, part| {
            let (first, places, per_place) = self.st.queues.ladder(part);
            QueuePart {
                id,
                label,
                kind: PartKind::Levels,
                places,
                per_place,
                first,
                focus: (part == Part::Realtime).then(|| {
                    let list = |pri: u8| u32::from(pri) / per_place;
                    [list(self.era.min_interact), list(self.era.min_batch - 1)]
                }),
            }
        };
        QueueShape {
            per_cpu: vec![
                ladder("realtime", "real time and interactive", Part::Realtime),
                QueuePart {
                    id: "calendar",
                    label: "calendar of batch threads",
                    kind: PartKind::Ring,
                    places: u32::from(self.era.slots),
                    per_place: 1,
                    first: u32::from(self.era.min_batch),
                    focus: None,
                },
                ladder("idle", "idle class", Part::Idle),
            ],
            gauge: Some(Gauge {
                column: "scoreNice",
                label: "interactivity score and nice",
                max: if self.era.nice_in_score { 120 } else { 100 },
                threshold: u32::try_from(self.st.tune.interact).unwrap_or(0),
                below: "interactive",
                above: "batch",
            }),
            ..QueueShape::default()
        }
    }

    pub(super) fn slice_view(&self, task: TaskId, running_on: Option<CpuId>) -> SliceView {
        let Some(t) = self.st.threads.get(task.index()) else {
            return SliceView::default();
        };
        let cpu = running_on.unwrap_or(t.cpu);
        let period = i64::try_from(self.st.tune.rates().stat_period()).unwrap_or(0);
        let full = match self.slice_left(cpu, task) {
            None => return SliceView::default(),
            Some(_) => i64::from(self.slice_length(cpu)),
        };
        let left = match self.era.slice {
            super::eras::SliceRule::Up => full - i64::from(t.slice),
            _ => i64::from(t.slice),
        };
        SliceView {
            left_ns: left * period,
            full_ns: full * period,
        }
    }
}
