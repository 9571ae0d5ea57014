//! The fault of a scheduler whose answer cannot be carried out.

use serde::{Deserialize, Serialize};

/// A wrong answer of a scheduler: the lane goes no further.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct SchedulerFault {
    /// When, in ns.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub at_ns: u64,
    /// The hook that answered: `select_cpu`, `pick_next`, …
    pub hook: String,
    /// The task that it was about, by number.
    pub task: Option<u32>,
    /// The CPU that it was about.
    pub cpu: Option<u16>,
    /// What is wrong, in a sentence that names hook, task and CPU.
    pub message: String,
}
