//! The state of the channels: tokens and blocked tasks. How threads block and wake is in [`super::channels`].

use serde::{Deserialize, Serialize};
use sim_ground::ids::TaskId;
use std::collections::BTreeMap;

/// Address of a channel: the group, or [`PORTS`] plus a port; and its number there.
pub(super) type Key = (u32, u32);

/// Owners from this number on are ports, which groups share.
pub(super) const PORTS: u32 = 1 << 16;
/// The owner of the lines at which threads wait for their children.
pub(super) const CHILDREN: u32 = 1 << 17;
/// The channel at which the threads of a group meet.
pub(super) const MEETING: u32 = u32::MAX;

/// What a thread waits for, from the time it blocks until it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Wait {
    pub(super) key: Key,
    /// Largest number of tokens that it takes. Who waits for a lock takes none; [`LENDS`] says that it lends its priority
    /// to the holder.
    pub(super) most: u32,
}

/// What a [`Wait`] for a lock says if the thread lends its priority.
pub(super) const LENDS: u32 = 1;

/// Tokens that no task has taken, and the blocked tasks, in order of arrival.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Line {
    pub(super) tokens: u64,
    pub(super) blocked: Vec<TaskId>,
    /// Who holds it, if it is a lock that is held.
    pub(super) holder: Option<TaskId>,
    /// When it will have served its requests, if it is a device.
    pub(super) busy_until_ns: u64,
}

/// All channels that were ever used.
pub(super) type Channels = BTreeMap<Key, Line>;
