//! How many other tasks a task wakes, and running averages with a weight of one eighth.
//!
//! | item | kernel function @ 4.9 and later |
//! |---|---|
//! | [`Wakees::record`] | `record_wakee` |
//! | [`wakes_wide`] | `wake_wide` |
//! | [`average`] | `update_avg` |

use super::tree::NONE;
use serde::{Deserialize, Serialize};
use sim_ground::ids::TaskId;

/// The tasks that a task has woken.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Wakees {
    /// The task that it woke last.
    last: u32,
    /// How often it woke another task than the time before. The count is halved after a second.
    pub(crate) flips: u64,
    decayed_at: u64,
}

impl Wakees {
    /// It has woken no task.
    pub(crate) const NONE: Self = Self {
        last: NONE,
        flips: 0,
        decayed_at: 0,
    };

    /// Counts a wake-up at a jiffy; a second has `hz` jiffies.
    pub(crate) fn record(&mut self, wakee: TaskId, jiffies: u64, hz: u64) {
        if jiffies > self.decayed_at + hz {
            self.flips >>= 1;
            self.decayed_at = jiffies;
        }
        if self.last != wakee.0 {
            self.last = wakee.0;
            self.flips += 1;
        }
    }
}

/// `wake_wide`: whether the tasks have so many partners that pulling them to the waker would crowd it. Uses the flips
/// of both tasks and the number of CPUs that share a cache.
pub(crate) fn wakes_wide(a: u64, b: u64, llc: u64) -> bool {
    let (more, less) = (a.max(b), a.min(b));
    less >= llc && more >= less * llc
}

/// `update_avg`: moves an average an eighth of the way to a sample.
pub(crate) fn average(old: u64, sample: u64) -> u64 {
    let step = sample.wrapping_sub(old).cast_signed() >> 3;
    old.wrapping_add_signed(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_many_partners_wakes_wide() {
        assert!(!wakes_wide(20, 3, 8), "3 < 8");
        assert!(wakes_wide(64, 8, 8));
        assert!(wakes_wide(8, 64, 8));
        assert!(!wakes_wide(63, 8, 8));
    }

    #[test]
    fn averages_move_an_eighth_of_the_way() {
        assert_eq!(average(0, 800), 100);
        assert_eq!(average(800, 0), 700);
        assert_eq!(average(100, 100), 100);
    }
}
