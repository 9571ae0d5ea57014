//! Locks that lend priority: who waits for one lends its priority to the holder (`PTHREAD_PRIO_INHERIT`).

use super::cx::Cx;
use super::decision::{DecisionId, Reason};
use super::state_bytes::{load_state, save_state};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::params::{ParamSpec, Params};
use std::collections::BTreeMap;

/// What a task may borrow: the priority of the first that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loan {
    /// Who waits.
    pub by: TaskId,
    /// The number of the lock for which it waits.
    pub lock: u32,
}

/// Records that a task has another priority, which is smaller the better: by a loan, or because one went back. The reasons
/// are those for the one and the other; the priorities are the new one and the old one.
pub fn explain(
    cx: &mut Cx<'_>,
    cpu: Option<CpuId>,
    task: TaskId,
    loan: Option<Loan>,
    [lent, returned]: [Reason; 2],
    priorities: [u8; 2],
) -> DecisionId {
    let [new, old] = priorities.map(i64::from);
    match loan {
        Some(Loan { by, lock }) => {
            let operands = [i64::from(by.0), i64::from(lock), new, old];
            cx.explain(cpu, Some(task), lent, operands)
        }
        None => cx.explain(cpu, Some(task), returned, [new, old, 0, 0]),
    }
}

/// The tunable of the systems that have it. Where a lane has no such tunable, or it is off, locks lend nothing.
pub const INHERITANCE: ParamSpec = ParamSpec::flag("priorityInheritance", true)
    .label("inheritance")
    .summary("Who holds a lock that is taken with inherit gets the priority of the first that waits. Off: such locks are like all others.")
    .assumed("Linux: CONFIG_FUTEX_PI, which distributions switch on. FreeBSD has no such switch; off shows what it is for");

/// Whether the locks of a lane lend priority.
#[must_use]
pub fn lends(params: &Params) -> bool {
    params.specs().iter().any(|s| s.id == INHERITANCE.id) && params.flag(INHERITANCE.id)
}

/// The loan of each task that has one. Schedulers keep it beside their states, so that runs without such locks have none
/// of it.
pub type Loans<T> = BTreeMap<TaskId, T>;

/// Appends loans to the bytes of a state, if there are any.
pub fn append<T: Serialize>(bytes: &mut Vec<u8>, loans: &Loans<T>) {
    if !loans.is_empty() {
        bytes.extend(save_state(loans));
    }
}

/// The loans that the last bytes of a state hold.
#[must_use]
pub fn take<T: DeserializeOwned>(rest: &[u8]) -> Option<Loans<T>> {
    if rest.is_empty() {
        return Some(Loans::new());
    }
    load_state(rest)
}

/// Declares that two fields are the state of a scheduler: the state proper, and its loans. An optional function receives
/// the old and the new state on restore, to carry over fields that are not saved.
#[macro_export]
macro_rules! keeps_state_and_loans {
    ($scheduler:ty, $state:ident, $loans:ident, $keep:expr) => {
        impl $crate::Persist for $scheduler {
            fn save(&self) -> Vec<u8> {
                let mut bytes = $crate::state_bytes::save_state(&self.$state);
                $crate::lending::append(&mut bytes, &self.$loans);
                bytes
            }

            fn load(&mut self, bytes: &[u8]) -> bool {
                let Some((mut state, rest)) = $crate::state_bytes::take_state(bytes) else {
                    return false;
                };
                let Some(loans) = $crate::lending::take(rest) else {
                    return false;
                };
                let keep: fn(&_, &mut _) = $keep;
                keep(&self.$state, &mut state);
                (self.$state, self.$loans) = (state, loans);
                true
            }
        }
    };
}
