//! What a program adds to a run: its columns, and its calls line by line.

use crate::engine::Sim;
use crate::info::ColumnEntry;
use serde::Serialize;

/// The columns that a scheduler keeps of threads and CPUs, as frames and samples have them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct LaneColumns {
    /// Of threads.
    pub task: Vec<ColumnEntry>,
    /// Of CPUs.
    pub cpu: Vec<ColumnEntry>,
}

/// The columns of a lane: those of its scheduler, or of its program.
#[must_use]
pub fn lane_columns(sim: &Sim) -> LaneColumns {
    let info = sim.plan().lanes[sim.lane()].info;
    LaneColumns {
        task: info.task_columns.to_vec(),
        cpu: info.cpu_columns.to_vec(),
    }
}

/// A function of a program that was called.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct CallView {
    /// The call as it is written: `pick(cpu 3)`.
    pub call: String,
    /// What it answered; nothing where it ended with an error.
    pub answer: Option<String>,
    /// The lines in the order in which they were executed.
    pub steps: Vec<ExecutedLine>,
}

/// A line of a program that was executed.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct ExecutedLine {
    /// The line, from 1.
    pub line: u32,
    /// Names that it set, or found changed, with their values.
    pub values: Vec<(String, String)>,
}
