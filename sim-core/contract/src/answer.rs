//! What a scheduler answers: a value and the decision that led to it.

use super::decision::{DecisionId, Reason};
use sim_ground::ids::TaskId;

/// An answer with its decision. The engine obeys the value and writes the decision into its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer<T> {
    /// What the engine must do.
    pub value: T,
    /// The decision behind it; `None` where nothing was decided.
    pub why: Option<DecisionId>,
}

impl<T> Answer<T> {
    /// An answer that follows from a decision.
    #[must_use]
    pub fn new(value: T, why: impl Into<Option<DecisionId>>) -> Self {
        Self {
            value,
            why: why.into(),
        }
    }

    /// An answer that needed no decision.
    #[must_use]
    pub fn undecided(value: T) -> Self {
        Self { value, why: None }
    }
}

/// The task that runs next: the value of [`Scheduler::pick_next`](super::Scheduler::pick_next).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pick {
    /// The task that runs next.
    pub task: TaskId,
    /// The reason of kind `migrate` that moves the task, if it last ran on another CPU. `None` if the scheduler has no
    /// such reason: the migration then has the reason of the decision behind it.
    pub cause: Option<Reason>,
}
