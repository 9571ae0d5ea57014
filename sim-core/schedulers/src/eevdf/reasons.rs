//! The reasons of EEVDF's decisions, in the kernel's terms: `reasons.json`. Lags are V - v, in virtual time; an entity is
//! eligible if its lag is not negative.

use sim_contract::decision::Reason;

sim_contract::reasons!("eevdf");

/// The word for a decision between groups of applications, for a decision between tasks.
pub(super) fn of_group(reason: Reason) -> Reason {
    match reason {
        PROTECTED => GROUP_PROTECTED,
        STILL_PROTECTED => GROUP_STILL_PROTECTED,
        EARLIEST_DEADLINE => GROUP_EARLIEST_DEADLINE,
        GOES_ON => GROUP_GOES_ON,
        NO_OTHER_ELIGIBLE => GROUP_NO_OTHER_ELIGIBLE,
        NEXT_BUDDY => GROUP_NEXT_BUDDY,
        REQUEST_USED => GROUP_REQUEST_USED,
        UNPROTECTED_AND_AHEAD => GROUP_UNPROTECTED_AND_AHEAD,
        UNPROTECTED => GROUP_UNPROTECTED,
        same => same,
    }
}
