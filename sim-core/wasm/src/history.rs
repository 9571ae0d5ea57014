//! The data of timelines and charts, as flat arrays.

use super::{Lane, double, time};
use js_sys::{Float64Array, Uint16Array};
use sim_core::ids::{CpuId, TaskId};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Lane {
    /// The slices of a window, in rows of ten numbers:
    /// - CPU, start, end, thread (-1: idle);
    /// - why the previous one left;
    /// - number of the decision why it runs;
    /// - the times at its start for locks, the switch and caches;
    /// - number of the decision that brought it there (-2: its start is not known).
    ///
    /// `undefined` if there are more than `most` rows, or if finding them takes long.
    #[must_use]
    pub fn slices(&self, from_ns: f64, to_ns: f64, most: u32) -> Option<Float64Array> {
        let rows = self
            .replay
            .slices(time(from_ns), time(to_ns), most as usize)?;
        Some(Float64Array::from(rows.as_slice()))
    }

    /// The slice of a CPU at a time, in the same numbers, however long ago it began. `undefined` if the CPU was idle
    /// from the start, or if finding it would take too long.
    #[must_use]
    pub fn slice(&self, cpu: u32, at_ns: f64) -> Option<Float64Array> {
        let cpus = self.replay.sim().plan().machine.cpu_count();
        let cpu = usize::try_from(cpu).ok().filter(|c| *c < cpus)?;
        let row = self.replay.slice_at(CpuId::new(cpu), time(at_ns))?;
        Some(Float64Array::from(row.as_slice()))
    }

    /// The same window in at most `columns` stretches of equal length, each with 6 numbers for each CPU: the thread
    /// that had most of it and its share, the group and its share, busy, overhead. Shares are in 65535ths; 65535 as a
    /// thread or group means none. `span` receives the start of the first stretch and their length.
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

    /// States over a window in about `most` rows; the first number is the length of a row. A row has: time, CPU time of
    /// the workload by cause, CPU time of each group, waiting threads of the global queue and of each CPU. For each of
    /// `tasks` follow its CPU time, work, CPU time by cause, switches and migrations so far, and the scheduler's
    /// columns.
    pub fn samples(&mut self, from_ns: f64, to_ns: f64, tasks: &[u32], most: u32) -> Float64Array {
        let tasks: Vec<_> = tasks.iter().map(|t| TaskId(*t)).collect();
        let (length, mut rows) =
            self.replay
                .samples(time(from_ns), time(to_ns), &tasks, most as usize);
        rows.insert(0, double(length as u64));
        Float64Array::from(rows.as_slice())
    }
}
