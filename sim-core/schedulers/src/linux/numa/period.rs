//! How often memory is marked: the scan period.

use super::Rules;
use serde::{Deserialize, Serialize};

/// Faults since the last placement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    /// On pages of the CPU's node.
    pub local: u64,
    /// On pages of other nodes.
    pub remote: u64,
    /// On pages on which this thread faulted before, or no thread.
    pub private: u64,
    /// On pages on which another thread faulted before.
    pub shared: u64,
    /// On pages that could not be moved.
    pub failed: u64,
}

/// Number of parts of a period (`NUMA_PERIOD_SLOTS`).
const SLOTS: u64 = 10;
/// From this many local faults in ten on, scans become rarer (`NUMA_PERIOD_THRESHOLD`).
const THRESHOLD: u64 = 7;

/// The period after a placement, in ms, and whether there was nothing to learn from (`update_task_scan_period`).
/// `bounds` are the shortest and the longest period.
#[must_use]
pub fn next_period(
    rules: &Rules,
    period_ms: u64,
    counted: &Counted,
    bounds: (u64, u64),
) -> (u64, bool) {
    let Counted {
        local,
        remote,
        private,
        shared,
        failed,
    } = *counted;
    let seen = if rules.remote_is_nothing {
        local + shared
    } else {
        local + remote
    };
    if seen == 0 || failed > 0 {
        return ((period_ms * 2).min(bounds.1), true);
    }
    let slot = period_ms.div_ceil(SLOTS);
    let by_place = local * SLOTS / (local + remote).max(1);
    let longer = |share: u64| period_ms + (share - THRESHOLD).max(1) * slot;
    // The kernel's sum is signed; both end at the lower bound.
    let shorter = |n: u64| period_ms.saturating_sub(n);
    let next = if rules.private_is_settled {
        let by_owner = private * SLOTS / (private + shared).max(1);
        if by_owner >= THRESHOLD {
            longer(by_owner)
        } else if by_place >= THRESHOLD {
            longer(by_place)
        } else {
            shorter((THRESHOLD - by_place.max(by_owner)) * slot)
        }
    } else if by_place >= THRESHOLD {
        longer(by_place)
    } else {
        let owned = (private * SLOTS).div_ceil(private + shared + 1);
        shorter((THRESHOLD - by_place) * slot * owned / SLOTS)
    };
    (next.clamp(bounds.0, bounds.1.max(bounds.0)), false)
}
