//! What a scheduler answers: a value and the decision that led to it.

use super::decision::{DecisionId, Reason};
use sim_ground::ids::TaskId;

/// An answer with its decision. The engine obeys the value and writes the decision into its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer<T> {
    /// What shall happen.
    pub value: T,
    /// Why; `None` where nothing was decided.
    pub why: Option<DecisionId>,
}

impl<T> Answer<T> {
    /// An answer that was decided.
    #[must_use]
    pub fn new(value: T, why: impl Into<Option<DecisionId>>) -> Self {
        Self {
            value,
            why: why.into(),
        }
    }

    /// An answer to which nothing had to be decided.
    #[must_use]
    pub fn undecided(value: T) -> Self {
        Self { value, why: None }
    }
}

/// Who runs next: the value of [`Scheduler::pick_next`](super::Scheduler::pick_next).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pick {
    /// Runs next.
    pub task: TaskId,
    /// What moves it, if it last ran elsewhere, as one of the reasons of kind `migrate`; where a scheduler has none of
    /// these, `None`: then a migration has the reason of the decision behind it.
    pub cause: Option<Reason>,
}
