//! Interactivity: the score from run time and voluntary sleep, and how old history is reduced.
//!
//! Run and sleep times are ticks of hz scaled by 2^10. Time in a run queue counts as neither.

/// Largest score (`SCHED_INTERACT_MAX`).
pub const MAX: u64 = 100;
/// Score of a thread that runs as long as it sleeps (`SCHED_INTERACT_HALF`).
pub const HALF: u64 = 50;

/// Recent run and sleep times of a thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct History {
    /// `ts_runtime`.
    pub run: u64,
    /// `ts_slptime`.
    pub sleep: u64,
}

/// Five seconds: longer history is reduced (`SCHED_SLP_RUN_MAX`).
#[must_use]
pub const fn cap(hz: u32) -> u64 {
    (5 * hz as u64) << 10
}

/// Half a second: largest history that a forked process inherits (`SCHED_SLP_RUN_FORK`).
#[must_use]
pub const fn fork_cap(hz: u32) -> u64 {
    (hz as u64 / 2) << 10
}

/// 0 (only sleeps) to 100 (only runs). `sched_interact_score`.
#[must_use]
pub const fn score(h: History, interact: u64) -> u64 {
    if interact <= HALF && h.run >= h.sleep {
        return HALF;
    }
    if h.run > h.sleep {
        let div = at_least_one(h.run / HALF);
        return HALF + (HALF - h.sleep / div);
    }
    if h.sleep > h.run {
        let div = at_least_one(h.sleep / HALF);
        return h.run / div;
    }
    if h.run > 0 { HALF } else { 0 }
}

const fn at_least_one(x: u64) -> u64 {
    if x == 0 { 1 } else { x }
}

impl History {
    /// Reduces history that exceeds `max`; called after every change. `sched_interact_update`.
    pub fn limit(&mut self, max: u64) {
        let sum = self.run + self.sleep;
        if sum < max {
            return;
        }
        if sum > 2 * max {
            // The excess is large after a fork or a long sleep.
            *self = if self.run > self.sleep {
                Self { run: max, sleep: 1 }
            } else {
                Self { run: 1, sleep: max }
            };
        } else if sum > max / 5 * 6 {
            self.run /= 2;
            self.sleep /= 2;
        } else {
            self.run = self.run / 5 * 4;
            self.sleep = self.sleep / 5 * 4;
        }
    }

    /// Reduces the history of the child of a fork. `sched_interact_fork`.
    pub fn inherit(&mut self, fork_max: u64) {
        let sum = self.run + self.sleep;
        if sum > fork_max {
            let ratio = sum / fork_max;
            self.run /= ratio;
            self.sleep /= ratio;
        }
    }

    /// Adds `n` ticks of `incr` each to the run time, and applies the cap after each of them.
    pub fn run_for(&mut self, mut n: u64, incr: u64, max: u64) {
        while n > 0 {
            let room = max.saturating_sub(self.run + self.sleep);
            let until_cap = room.div_ceil(incr).max(1);
            let steps = n.min(until_cap);
            self.run += steps * incr;
            self.limit(max);
            n -= steps;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_ground::rng::Rng;

    #[test]
    fn ticks_at_once_are_ticks_one_by_one() {
        let mut rng = Rng::stream(3, "interact", 0);
        for _ in 0..300 {
            let max = cap(1_000);
            let mut fast = History {
                run: rng.below_u64(max),
                sleep: rng.below_u64(max),
            };
            fast.limit(max);
            let mut slow = fast;
            let n = u64::from(rng.below(2_000));
            fast.run_for(n, 8_062, max);
            for _ in 0..n {
                slow.run += 8_062;
                slow.limit(max);
            }
            assert_eq!(fast, slow);
        }
    }
}
