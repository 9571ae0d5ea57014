//! Locks that lend priority: who waits for one lends its priority to the holder (`PTHREAD_PRIO_INHERIT`).

use sim_ground::ids::TaskId;
use sim_ground::params::{ParamSpec, Params};

/// What a task may borrow: the priority of the first that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loan {
    /// Who waits.
    pub by: TaskId,
    /// The number of the lock for which it waits.
    pub lock: u32,
}

/// The tunable of the systems that have it. Where a lane has no such tunable, or it is off, locks lend nothing.
pub const INHERITANCE: ParamSpec = ParamSpec::flag("priorityInheritance", true)
    .label("priority inheritance")
    .summary("Who holds a lock that is taken with inherit gets the priority of the first that waits. Off: such locks are like all others.")
    .assumed("Linux: CONFIG_FUTEX_PI, which distributions switch on. FreeBSD has no such switch; off shows what it is for");

/// Whether the locks of a lane lend priority.
#[must_use]
pub fn lends(params: &Params) -> bool {
    params.specs().iter().any(|s| s.id == INHERITANCE.id) && params.flag(INHERITANCE.id)
}
