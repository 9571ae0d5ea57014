//! Priority inheritance of user mode: mutexes with `PTHREAD_PRIO_INHERIT` (`umtx_pi`, `sched_lend_user_prio`).
//!
//! A waiting thread lends its priority in user mode. Threads of time sharing all lend the worst priority of their class,
//! so nothing passes between them; a thread of the real-time class lends its own, and so do interactive threads of 2007,
//! which are in that range. Until 8.x the loan takes effect when the holder next returns to user mode: a holder that waits
//! stays where it is in its queue. Since 9.0 it takes effect at once.

use super::ranges::{PRI_MAX_IDLE, PRI_MAX_TIMESHARE, Ranges};
use serde::{Deserialize, Serialize};
use sim_contract::lending::Loans;
use sim_ground::ids::TaskId;

/// What a thread borrowed, and its user priority without that (`td_lend_user_pri`, `td_base_user_pri`).
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Lent {
    /// The priority that was lent.
    pub(crate) pri: u8,
    /// Its own.
    pub(crate) base: u8,
}

/// Nothing is lent (`PRI_MAX`).
pub(crate) const NOTHING: u8 = PRI_MAX_IDLE;

/// The priority that a waiting thread lends (`UPRI`).
pub(crate) fn lent_by(ranges: &Ranges, user_pri: u8) -> u8 {
    let timeshare = ranges.min_timeshare..=PRI_MAX_TIMESHARE;
    if timeshare.contains(&user_pri) {
        PRI_MAX_TIMESHARE
    } else {
        user_pri
    }
}

/// Whether a loan takes effect at once. That changed in the release in which the ranges of priorities moved.
pub(crate) fn at_once(ranges: &Ranges) -> bool {
    *ranges != Ranges::V7
}

/// `sched_user_prio`: a thread has another user priority of its own. The answer is the one that counts, as what was lent
/// stays.
pub(crate) fn with_loan(loans: &mut Loans<Lent>, task: TaskId, own: u8) -> u8 {
    loans.get_mut(&task).map_or(own, |lent| {
        lent.base = own;
        own.min(lent.pri)
    })
}

/// A thread of this user priority of its own borrows another. The answer is the one that counts.
pub(crate) fn borrow(loans: &mut Loans<Lent>, task: TaskId, base: u8, pri: u8) -> u8 {
    if pri == NOTHING {
        loans.remove(&task);
    } else {
        loans.insert(task, Lent { pri, base });
    }
    base.min(pri)
}
