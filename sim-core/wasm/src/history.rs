//! What timelines and charts show, as flat arrays.

use super::{Lane, double, time};
use js_sys::{Float64Array, Uint16Array};
use sim_core::ids::{CpuId, TaskId};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Lane {
    /// Who ran where in a window, in rows of CPU, begin, end, thread (-1: idle), why the one before left, number of the
    /// decision why it runs, what it begins with for locks, the switch and caches, and number of the decision that brought
    /// it there (-2: its begin is not known); `undefined` where that is more than `most` rows or takes long.
    #[must_use]
    pub fn slices(&self, from_ns: f64, to_ns: f64, most: u32) -> Option<Float64Array> {
        let rows = self
            .replay
            .slices(time(from_ns), time(to_ns), most as usize)?;
        Some(Float64Array::from(rows.as_slice()))
    }

    /// The slice that a CPU is in at a time, in the same numbers, however long ago it began; `undefined` if it was idle
    /// from the start, or if that would take too long to find.
    #[must_use]
    pub fn slice(&self, cpu: u32, at_ns: f64) -> Option<Float64Array> {
        let cpus = self.replay.sim().plan().machine.cpu_count();
        let cpu = usize::try_from(cpu).ok().filter(|c| *c < cpus)?;
        let row = self.replay.slice_at(CpuId::new(cpu), time(at_ns))?;
        Some(Float64Array::from(row.as_slice()))
    }

    /// The same in at most `columns` stretches of equal length, each with 6 numbers for each CPU: thread that had most
    /// of it and its share, group and share, busy, overhead (shares in 65535ths; 65535: nobody). `span` gets the begin
    /// of the first and their length.
    pub fn stretches(
        &mut self,
        from_ns: f64,
        to_ns: f64,
        columns: u32,
        span: &mut [f64],
    ) -> Uint16Array {
        let (begin, length, words) =
            self.replay
                .stretches(time(from_ns), time(to_ns), columns as usize);
        if let [first, second, ..] = span {
            (*first, *second) = (double(begin.0), double(length));
        }
        Uint16Array::from(words.as_slice())
    }

    /// States over a window in about `most` rows; the first number is the length of a row. A row: time, CPU time of the
    /// workload by cause, of each group, waiting threads of the global queue and of each CPU, then of each of `tasks`
    /// its CPU time, work, CPU time by cause, switches and migrations so far, and the scheduler's columns.
    pub fn samples(&mut self, from_ns: f64, to_ns: f64, tasks: &[u32], most: u32) -> Float64Array {
        let tasks: Vec<_> = tasks.iter().map(|t| TaskId(*t)).collect();
        let (length, mut rows) =
            self.replay
                .samples(time(from_ns), time(to_ns), &tasks, most as usize);
        rows.insert(0, double(length as u64));
        Float64Array::from(rows.as_slice())
    }
}
