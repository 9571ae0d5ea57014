//! The hands of the timeshare calendar: where a thread is inserted, and from where the next thread is taken.
//!
//! The calendar is a ring of slots. A priority is an offset from the insert hand (`idx`); the remove hand (`ridx`)
//! follows it. Both turn with the statistics clock and wait while the slot under the remove hand is not empty. The
//! remove hand therefore reaches every thread of the ring sooner or later.

use super::eras::{CalendarPace, Era};
use super::runqs::Insert;
use serde::{Deserialize, Serialize};

/// The two hands of the calendar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hands {
    /// Insert hand (`tdq_idx`, `tdq_ts_off`).
    pub idx: u8,
    /// Remove hand (`tdq_ridx`, `tdq_ts_deq_off`).
    pub ridx: u8,
    /// Ticks since the last short step, where seven slots are four ticks (`tdq_ts_ticks`).
    pub rest: u8,
}

/// Slot of a batch priority relative to the insert hand (`tdq_runq_add`).
#[must_use]
pub fn offset(era: &Era, pri: u8) -> u8 {
    // A priority better than the batch range does not occur here: such threads wait in the real-time queue.
    let level = u32::from(pri.saturating_sub(era.min_batch));
    let levels = 224 - u32::from(era.min_batch);
    let slots = u32::from(era.slots);
    u8::try_from(level * slots / levels).unwrap_or(0)
}

impl Hands {
    /// Slot in which a thread of a priority is inserted. While the hands are apart, the slot under the remove hand is
    /// reserved, because its threads are taken next.
    #[must_use]
    pub fn slot(&self, era: &Era, pri: u8) -> u8 {
        let slot = around(u32::from(offset(era, pri)) + u32::from(self.idx), era.slots);
        if self.idx != self.ridx && slot == self.ridx {
            around(u32::from(slot) + u32::from(era.slots) - 1, era.slots)
        } else {
            slot
        }
    }

    /// Slot in which a thread of a priority is inserted in that way.
    #[must_use]
    pub(super) fn slot_for(&self, era: &Era, pri: u8, how: Insert) -> u8 {
        match how {
            Insert::Normal => self.slot(era, pri),
            Insert::Preempted | Insert::Borrowing => self.ridx,
        }
    }

    /// A thread left a slot. `first` finds the first slot that is not empty, beginning at its argument and going round
    /// the ring.
    pub fn removed(&mut self, era: &Era, slot: u8, first: impl Fn(u8) -> Option<u8>) {
        if self.idx == self.ridx || slot != self.ridx || first(slot) == Some(slot) {
            return;
        }
        match era.turn {
            CalendarPace::OneSlot => self.ridx = around(u32::from(slot) + 1, era.slots),
            CalendarPace::SevenQuarters => self.follow(era, first(slot)),
        }
    }

    /// Moves the remove hand to the first slot that is not empty, but not past the insert hand.
    fn follow(&mut self, era: &Era, first: Option<u8>) {
        let away = |slot: u8| {
            let slots = u32::from(era.slots);
            (u32::from(slot) + slots - u32::from(self.ridx)) % slots
        };
        self.ridx = match first {
            Some(slot) if away(slot) < away(self.idx) => slot,
            _ => self.idx,
        };
    }

    /// `n` ticks of the statistics clock, in calls of `cnt` ticks each. `first` as above.
    pub fn tick(&mut self, era: &Era, n: u64, cnt: u64, first: impl Fn(u8) -> Option<u8>) {
        if self.idx != self.ridx || n == 0 {
            return;
        }
        // The slots do not change meanwhile: the hands turn until they reach a thread.
        let found = first(self.ridx);
        match era.turn {
            CalendarPace::OneSlot => self.turn_one_by_one(era, n, found),
            CalendarPace::SevenQuarters => self.turn_by_seven_quarters(era, n, cnt, found),
        }
    }

    fn turn_one_by_one(&mut self, era: &Era, n: u64, found: Option<u8>) {
        let slots = u64::from(era.slots);
        let free = found.map_or(u64::MAX, |slot| {
            (u64::from(slot) + slots - u64::from(self.ridx)) % slots
        });
        let advance = |from: u8, by: u64| {
            let slot = (u64::from(from) + by % slots) % slots;
            u8::try_from(slot).unwrap_or(0)
        };
        let both = n.min(free);
        self.ridx = advance(self.ridx, both);
        self.idx = self.ridx;
        if n > free {
            self.idx = advance(self.idx, 1);
        }
    }

    fn turn_by_seven_quarters(&mut self, era: &Era, n: u64, cnt: u64, found: Option<u8>) {
        let mut left = n;
        if found.is_none() && cnt == 1 {
            // An empty ring turns seven slots in four ticks.
            let rounds = left / 4;
            let slots = u64::from(era.slots);
            let idx = (u64::from(self.idx) + 7 * (rounds % slots)) % slots;
            self.idx = u8::try_from(idx).unwrap_or(0);
            self.ridx = self.idx;
            left -= rounds * 4;
        }
        while left > 0 && self.idx == self.ridx {
            let rest = u64::from(self.rest) + cnt;
            let step = 2 * cnt - rest / 4;
            self.rest = u8::try_from(rest % 4).unwrap_or(0);
            let slots = u64::from(era.slots);
            self.idx = u8::try_from((u64::from(self.idx) + step) % slots).unwrap_or(0);
            self.follow(era, found);
            left -= cnt.min(left);
        }
    }
}

fn around(slot: u32, slots: u8) -> u8 {
    u8::try_from(slot % u32::from(slots)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::eras::{E17, E25};
    use super::*;
    use sim_ground::rng::Rng;

    fn first(full: &[u8], slots: u8) -> impl Fn(u8) -> Option<u8> + '_ {
        move |from| {
            (0..slots)
                .map(|i| (from + i) % slots)
                .find(|s| full.contains(s))
        }
    }

    #[test]
    fn ticks_at_once_are_ticks_one_by_one() {
        let mut rng = Rng::stream(2, "calendar", 0);
        for round in 0..2_000 {
            let era = [&E17, &E25][round % 2];
            let full: Vec<u8> = (0..rng.below(4))
                .map(|_| u8::try_from(rng.below(u32::from(era.slots))).expect("small"))
                .collect();
            let at = u8::try_from(rng.below(u32::from(era.slots))).expect("small");
            let mut fast = Hands {
                idx: at,
                ridx: at,
                rest: u8::try_from(rng.below(4)).expect("small"),
            };
            if era.turn == CalendarPace::OneSlot {
                fast.rest = 0;
            }
            let mut slow = fast;
            let n = u64::from(rng.below(300));
            fast.tick(era, n, 1, first(&full, era.slots));
            for _ in 0..n {
                slow.tick(era, 1, 1, first(&full, era.slots));
            }
            assert_eq!(fast, slow, "{n} ticks, {full:?}");
        }
    }

    #[test]
    fn the_hands_meet_again_when_the_slot_has_drained() {
        let mut hands = Hands {
            idx: 8,
            ridx: 7,
            rest: 0,
        };
        hands.removed(&E17, 7, first(&[7], 64));
        assert_eq!(hands.ridx, 7, "somebody is left");
        hands.removed(&E17, 7, first(&[], 64));
        assert_eq!(hands.ridx, 8);
        let mut hands = Hands {
            idx: 9,
            ridx: 7,
            rest: 0,
        };
        hands.removed(&E25, 7, first(&[8], 109));
        assert_eq!(hands.ridx, 8, "the next slot that is not empty");
        hands.removed(&E25, 8, first(&[50], 109));
        assert_eq!(hands.ridx, 9, "not past the insert hand");
    }
}
