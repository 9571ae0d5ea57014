//! A group's shares: what its queues report to it, and the part that each of them has.

use serde::{Deserialize, Serialize};
use sim_machine::cost::split::product;

/// Smallest weight of a group's entity; group weights have 10 more bits (`MIN_SHARES`).
const MIN_SHARES: u64 = 2;

/// The load that a queue has reported to its group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ReportedLoad {
    /// The part of its average load that is included in the group's total.
    pub(crate) load: u64,
    /// Time of the last report in ns; 0 if there was none.
    at: u64,
}

impl ReportedLoad {
    /// Nothing yet.
    pub(crate) const NONE: Self = Self { load: 0, at: 0 };

    /// Whether a load differs so much from the reported one that it must be reported.
    #[inline]
    fn is_far(self, load: u64) -> bool {
        load.abs_diff(self.load) > self.load / 64
    }

    /// The loads that need no report ([`Self::is_far`]): from the first up to below the second.
    #[inline]
    pub(crate) fn near(self) -> (u64, u64) {
        let margin = self.load / 64;
        (self.load - margin, self.load + margin + 1)
    }

    /// `update_tg_load_avg`: changes of more than a 64th reach the group's total, but no sooner than `least` ns after
    /// the last report.
    #[inline]
    pub(crate) fn tell(&mut self, total: &mut u64, load: u64, now: u64, least: u64) {
        self.tell_if(total, load, self.is_far(load), now, least);
    }

    /// The same where something else is told with it, which may have changed (`also`). Returns whether both are told.
    #[inline]
    pub(crate) fn tell_with(
        &mut self,
        total: &mut u64,
        load: u64,
        also: bool,
        [now, least]: [u64; 2],
    ) -> bool {
        let far = also || self.is_far(load);
        self.tell_if(total, load, far, now, least)
    }

    #[inline]
    fn tell_if(&mut self, total: &mut u64, load: u64, far: bool, now: u64, least: u64) -> bool {
        // At time 0 the stamp is 1, because 0 means that there is none.
        let early = now.saturating_sub(self.at) < least && self.at > 0;
        let tells = far && !early;
        if tells {
            // The total contains what the queue has told it.
            *total = (*total + load).saturating_sub(self.load);
            (self.load, self.at) = (load, now.max(1));
        }
        tells
    }
}

/// The part of a group's shares that a queue with this load has (`calc_group_shares`). The total is that of all queues.
/// Mostly the part is the same as before.
#[inline]
pub(crate) fn part_of_shares(shares: u64, load: u64, total: u64, had: u64) -> u64 {
    if had > MIN_SHARES && had < shares && (shares | total) >> 32 == 0 {
        // Both products have 64 bits at most: the load is part of the total.
        let rest = (shares * load).checked_sub(had * total);
        if rest.is_some_and(|rest| rest < total) {
            return had;
        }
    }
    let part = product(shares, load, total.max(1));
    part.clamp(MIN_SHARES.min(shares), shares)
}
