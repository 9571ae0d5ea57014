//! What the host shows, and the kernel that the engine sees around it.

use crate::hook::Hook;
use crate::host::Own;
use sim_contract::flags::{ClockSpec, LockScope};
use sim_contract::prelude::*;
use sim_contract::shape::{PartKind, QueuePart, QueueShape};
use sim_ground::time::SimTime;
use std::collections::VecDeque;

impl Own {
    /// The threads of a list: in the order of arrival, or by the column by which the program chooses.
    #[allow(clippy::cast_precision_loss)] // display
    fn list(&self, queue: Option<CpuId>, tasks: &VecDeque<TaskId>, out: &mut Vec<QueueRow>) {
        let begin = out.len();
        out.extend((0_u32..).zip(tasks).map(|(position, task)| QueueRow {
            queue,
            task: *task,
            key: self.order().map_or(f64::from(position), |(at, _)| {
                let columns = &self.st.thread(*task).columns;
                columns.get(at).map_or(f64::NAN, |value| *value as f64)
            }),
            part: 0,
            place: 0,
        }));
        out[begin..].sort_by(|a, b| a.key.total_cmp(&b.key));
    }
}

// Ticks call the program or do nothing.
impl QuietTicks for Own {
    fn quiet_until(&self, _: &Cx<'_>, cpu: CpuId, _: ClockId, next: SimTime, _: u64) -> SimTime {
        let called = self.known().has(Hook::Tick) && self.st.cpu(cpu).running.is_some();
        if called { next } else { SimTime::NEVER }
    }
}

impl Kernel for Own {
    fn clocks(&self) -> Vec<ClockSpec> {
        let hz = self.known().hz();
        vec![ClockSpec {
            name: "tick",
            hz: u32::try_from(hz).unwrap_or(1_000),
            ..ClockSpec::default()
        }]
    }

    fn locks(&self) -> LockScope {
        if self.known().shares_a_list {
            LockScope::Global
        } else {
            LockScope::PerCpu
        }
    }
}

impl Observe for Own {
    fn queues(&self, out: &mut Vec<QueueRow>) {
        for (i, cpu) in self.st.cpus.iter().enumerate() {
            self.list(Some(CpuId::new(i)), &cpu.waiting, out);
        }
        self.list(None, &self.st.shared, out);
    }

    fn count_waiting(&self, by_cpu: &mut [u64]) {
        for (count, cpu) in by_cpu.iter_mut().zip(&self.st.cpus) {
            *count += cpu.waiting.len() as u64;
        }
    }

    fn shape(&self) -> QueueShape {
        let mut shape = QueueShape::lists();
        if self.known().shares_a_list {
            shape.global = vec![QueuePart::list("everyone", "waiting for any CPU")];
        }
        if let Some((_, entry)) = self.order() {
            for part in shape.per_cpu.iter_mut().chain(&mut shape.global) {
                part.kind = PartKind::Column;
                part.label = entry.label;
            }
        }
        shape
    }

    #[allow(clippy::cast_precision_loss)] // display
    fn numbers(&self) -> Vec<(String, f64)> {
        let names = self.known().declared.lane.iter().map(|c| c.name.clone());
        let values = self.st.variables.iter().map(|value| *value as f64);
        names.zip(values).collect()
    }

    fn observe_task(&self, task: TaskId, out: &mut [f64]) {
        if let Some(t) = self.st.threads.get(task.index()) {
            fill(out, &self.places.threads, &t.columns);
        }
    }

    fn observe_cpu(&self, cpu: CpuId, out: &mut [f64]) {
        fill(out, &self.places.cpus, &self.st.cpu(cpu).columns);
    }
}

/// Puts the numbers of a program in the places that they have in the lane.
#[allow(clippy::cast_precision_loss)] // display
fn fill(out: &mut [f64], places: &[usize], values: &[i64]) {
    for (place, value) in places.iter().zip(values) {
        if let Some(cell) = out.get_mut(*place) {
            *cell = *value as f64;
        }
    }
}
