//! What the host shows, and the kernel that the engine sees around it.

use crate::hook::Hook;
use crate::host::Own;
use sim_contract::flags::{ClockSpec, LockScope};
use sim_contract::prelude::*;
use sim_contract::shape::{QueuePart, QueueShape};
use sim_ground::time::SimTime;

/// Ticks of a second if the program does not say.
const HZ: i64 = 1_000;

// Ticks call the program or do nothing.
impl QuietTicks for Own {
    fn quiet_until(&self, _: &Cx<'_>, cpu: CpuId, _: ClockId, next: SimTime, _: u64) -> SimTime {
        let called = self.program().has(Hook::Tick) && self.st.cpu(cpu).running.is_some();
        if called { next } else { SimTime::NEVER }
    }
}

impl Kernel for Own {
    fn clocks(&self) -> Vec<ClockSpec> {
        let hz = self.program().constant("HZ").unwrap_or(HZ);
        vec![ClockSpec {
            name: "tick",
            hz: u32::try_from(hz).unwrap_or(1_000),
            ..ClockSpec::default()
        }]
    }

    fn locks(&self) -> LockScope {
        if self.program().shares_a_list() {
            LockScope::Global
        } else {
            LockScope::PerCpu
        }
    }
}

impl Observe for Own {
    fn queues(&self, out: &mut Vec<QueueRow>) {
        for (i, cpu) in self.st.cpus.iter().enumerate() {
            out.extend(QueueRow::list(CpuId::new(i), &cpu.waiting));
        }
        let shared = (0_u32..).zip(&self.st.shared);
        out.extend(shared.map(|(position, task)| QueueRow {
            queue: None,
            task: *task,
            key: f64::from(position),
            part: 0,
            place: 0,
        }));
    }

    fn count_waiting(&self, by_cpu: &mut [u64]) {
        for (count, cpu) in by_cpu.iter_mut().zip(&self.st.cpus) {
            *count += cpu.waiting.len() as u64;
        }
    }

    fn shape(&self) -> QueueShape {
        let mut shape = QueueShape::lists();
        if self.program().shares_a_list() {
            shape.global = vec![QueuePart::list("everyone", "waiting for any CPU")];
        }
        shape
    }

    #[allow(clippy::cast_precision_loss)] // display
    fn observe_task(&self, task: TaskId, out: &mut [f64]) {
        if let Some(t) = self.st.threads.get(task.index()) {
            for (place, value) in out.iter_mut().zip(&t.columns) {
                *place = *value as f64;
            }
        }
    }

    #[allow(clippy::cast_precision_loss)] // display
    fn observe_cpu(&self, cpu: CpuId, out: &mut [f64]) {
        for (place, value) in out.iter_mut().zip(&self.st.cpu(cpu).columns) {
            *place = *value as f64;
        }
    }
}
