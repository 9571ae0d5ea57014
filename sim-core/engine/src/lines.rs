//! What is kept of the channels: tokens, and who is blocked. How threads come and go is in [`super::channels`].

use serde::{Deserialize, Serialize};
use sim_ground::ids::TaskId;
use std::collections::BTreeMap;

/// A channel's address: the group, or [`PORTS`] and a port; and its number there.
pub(super) type Key = (u32, u32);

/// Owners from here on are ports, which groups share.
pub(super) const PORTS: u32 = 1 << 16;
/// Where the threads of a group meet.
pub(super) const MEETING: u32 = u32::MAX;

/// What a thread waits for, from when it blocks until it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Wait {
    pub(super) key: Key,
    /// Most tokens that it takes.
    pub(super) most: u32,
}

/// Tokens that nobody has taken, and who is blocked, in order of arrival.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Line {
    pub(super) tokens: u64,
    pub(super) blocked: Vec<TaskId>,
}

/// All channels that were ever used.
pub(super) type Channels = BTreeMap<Key, Line>;
