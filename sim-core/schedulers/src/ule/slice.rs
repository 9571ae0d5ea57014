//! Lengths of time slices, in ticks of the statistics clock.

use super::eras::{Era, SliceRule};

/// Default length: a tenth of a second (`sched_initticks`).
#[must_use]
pub const fn default_slice(stathz: u32) -> u32 {
    if stathz < 10 { 1 } else { stathz / 10 }
}

/// Shortest length, where many threads share a CPU: a sixth of a slice (`SCHED_SLICE_MIN_DIVISOR`).
#[must_use]
pub const fn least(slice: u32) -> u32 {
    if slice < 6 { 1 } else { slice / 6 }
}

/// The length of a slice on a CPU with this load (`tdq_slice`).
#[must_use]
pub fn length(era: &Era, slice: u32, sysload: u32) -> u32 {
    if era.slice != SliceRule::Up {
        return slice;
    }
    let others = sysload.saturating_sub(1);
    if others >= 6 {
        least(slice)
    } else if others <= 1 {
        slice
    } else {
        (slice / others).max(1)
    }
}

/// `sched_rr_interval` in ticks of hz.
#[must_use]
pub fn rr_interval(era: &Era, slice: u32, hz: u32, stathz: u32) -> u32 {
    match era.slice {
        SliceRule::Up => ((slice * hz + stathz / 2) / stathz).max(1),
        SliceRule::Down | SliceRule::DownTimeshare => hz / (stathz / slice).max(1),
    }
}
