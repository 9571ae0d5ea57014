//! The reasons of CFS's decisions, in the kernel's terms: `reasons.json`.

use sim_contract::decision::Reason;

sim_contract::reasons!("cfs");

/// The word for a choice between groups of applications, for a choice between tasks.
pub(super) fn of_group(reason: Reason) -> Reason {
    match reason {
        LEFTMOST => GROUP_LEFTMOST,
        NEXT_BUDDY => GROUP_NEXT_BUDDY,
        LAST_BUDDY => GROUP_LAST_BUDDY,
        SKIP_BUDDY => GROUP_SKIP_BUDDY,
        same => same,
    }
}
