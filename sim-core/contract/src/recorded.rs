//! What a scheduler says of a choice that was made elsewhere: by the kernel of a recorded run.

use crate::shape::QueueDetail;
use sim_ground::ids::TaskId;

/// The choice of the rules, beside one that was given.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// Whom the rules choose.
    pub own: TaskId,
    /// How far the numbers of the rules are from the given choice, in ns of virtual time: if each comparison that speaks
    /// against it had come out differently by this much, they would allow it. 0 if they choose it themselves.
    pub against_ns: u64,
    /// The queue when it was asked: all is charged, and nobody has been taken.
    pub queue: QueueDetail,
}
