//! What the fair schedulers keep beside their states, so that runs which have none of it are as they were: capacities of
//! CPUs, control groups, what tasks borrowed by locks, and what is kept for fair tasks. Snapshots have it behind the state.

use super::cgroups::Cgroups;
use super::machine::capacity::Capacities;
use super::reserve::Reserve;
use serde::de::DeserializeOwned;
use sim_contract::lending::{self, Loans};
use sim_contract::state_bytes::{save_state, take_state};

/// Appends it to the bytes of a state.
pub(crate) fn append(
    bytes: &mut Vec<u8>,
    capacities: Option<&Capacities>,
    groups: Option<&Cgroups>,
    loans: &Loans<u8>,
    reserve: &Reserve,
) {
    if let Some(capacities) = capacities {
        bytes.extend(save_state(capacities));
    }
    if let Some(groups) = groups {
        bytes.extend(save_state(&groups.st));
    }
    if reserve.is_used() {
        bytes.extend(save_state(loans));
        reserve.append(bytes);
    } else {
        lending::append(bytes, loans);
    }
}

/// Restores a part that a run has from the bytes that follow, if there is one; `None` if they are no such part.
pub(crate) fn restore<'a, P, S: DeserializeOwned>(
    part: Option<&mut P>,
    rest: &'a [u8],
    restore: fn(&mut P, S) -> bool,
) -> Option<&'a [u8]> {
    let Some(part) = part else {
        return Some(rest);
    };
    let (saved, rest) = take_state(rest)?;
    restore(part, saved).then_some(rest)
}

/// Restores capacities, control groups and what is kept for fair tasks from the last bytes of a snapshot, and gives the
/// loans.
pub(crate) fn take(
    rest: &[u8],
    capacities: Option<&mut Capacities>,
    groups: Option<&mut Cgroups>,
    reserve: &mut Reserve,
) -> Option<Loans<u8>> {
    let rest = restore(capacities, rest, Capacities::restore)?;
    let rest = restore(groups, rest, Cgroups::restore)?;
    let (loans, rest) = match rest {
        [] => (Loans::new(), rest),
        _ => take_state(rest)?,
    };
    reserve.take(rest).then_some(loans)
}
