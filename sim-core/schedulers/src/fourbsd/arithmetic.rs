//! The arithmetic of 4BSD, as functions of numbers: estcpu, load averages, %CPU, priorities.
//!
//! Fixed point has 11 bits ([`FSCALE`]). `fixpt_t` has 32 bits and no sign, so products wrap. This happens in practice:
//! the load average wraps from 1024 runnable threads on, and the decay at high loads on many CPUs.

use super::era;
use crate::freebsd::ranges::PRI_MAX_TIMESHARE;

/// Bits behind the point (`FSHIFT`).
pub const FSHIFT: u32 = 11;
/// One, in fixed point.
pub const FSCALE: u32 = 1 << FSHIFT;
/// Priority steps of estcpu and nice start here: the best nice value has 0 (`PRIO_MIN`).
const PRIO_MIN: i32 = -20;
/// `INVERSE_ESTCPU_WEIGHT` for each CPU: this much estcpu makes a priority worse by one.
const WEIGHT: u32 = 8;
/// Decay of the load averages of 1, 5 and 15 minutes in five seconds: e^(-1/12), e^(-1/60), e^(-1/180).
const CEXP: [u32; 3] = [1_884, 2_014, 2_036];
/// Decay of %CPU in a second: e^(-1/20).
const CCPU: u32 = 1_948;

/// The scale of estcpu, which depends on the number of CPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// Estcpu per step of priority (`INVERSE_ESTCPU_WEIGHT`).
    pub weight: u32,
    /// Largest estcpu (`ESTCPULIM`).
    pub limit: u32,
    /// Best priority of time sharing (`PRI_MIN_TIMESHARE`).
    pub best: u8,
}

impl Scale {
    /// The scale of an era of the registry.
    ///
    /// # Panics
    /// If there is no such era.
    #[must_use]
    pub fn new(era: &str, cpus: u32) -> Self {
        let era = era::find(era);
        let weight = WEIGHT * cpus.max(1);
        Self {
            weight,
            limit: weight * era.estcpu_steps + weight - 1,
            best: era.ranges.min_timeshare,
        }
    }

    /// User priority (`resetpriority`).
    #[must_use]
    pub fn user_priority(&self, estcpu: u32, nice: i8) -> u8 {
        let steps = u64::from(estcpu / self.weight)
            + u64::from((i32::from(nice) - PRIO_MIN).unsigned_abs());
        let priority = u64::from(self.best) + steps;
        u8::try_from(priority.min(u64::from(PRI_MAX_TIMESHARE))).unwrap_or(PRI_MAX_TIMESHARE)
    }

    /// Estcpu after `ticks` ticks of the statistics clock (`sched_clock`).
    #[must_use]
    pub fn charged(&self, estcpu: u32, ticks: u64) -> u32 {
        let more = u32::try_from(ticks).unwrap_or(u32::MAX);
        estcpu.saturating_add(more).min(self.limit)
    }

    /// Ticks until `sched_clock` computes the priority again, which happens at multiples of the weight; `None` if
    /// estcpu reaches its limit before.
    #[must_use]
    pub fn ticks_to_step(&self, estcpu: u32) -> Option<u64> {
        let ticks = self.weight - estcpu % self.weight;
        (estcpu < self.limit && estcpu + ticks <= self.limit).then_some(u64::from(ticks))
    }

    /// Estcpu of a parent after the exit of its child (`sched_exit`).
    #[must_use]
    pub fn inherited(&self, parent: u32, child: u32) -> u32 {
        parent.saturating_add(child).min(self.limit)
    }
}

/// Estcpu after one pass of `schedcpu` (`decay_cpu`); `load` is the load average of one minute, raw.
#[must_use]
pub fn decayed(estcpu: u32, load: u32) -> u32 {
    let factor = load.wrapping_mul(2);
    match factor.wrapping_add(FSCALE) {
        0 => 0,
        divisor => factor.wrapping_mul(estcpu) / divisor,
    }
}

/// Estcpu after a sleep of more than one pass (`updatepri`). It decays once less than passes were missed, because the
/// code counts down twice. `slept` is `ts_slptime`.
#[must_use]
pub fn after_sleep(estcpu: u32, slept: u32, load: u32) -> u32 {
    let factor = load.wrapping_mul(2);
    if slept > factor.wrapping_mul(5) {
        return 0;
    }
    let mut left = estcpu;
    for _ in 2..slept {
        if left == 0 {
            break;
        }
        left = decayed(left, load);
    }
    left
}

/// The load averages of 1, 5 and 15 minutes after one sample (`loadav`), raw.
#[must_use]
pub fn load_averages(before: [u32; 3], runnable: u32) -> [u32; 3] {
    let mut after = before;
    for (value, cexp) in after.iter_mut().zip(CEXP) {
        let old = cexp.wrapping_mul(*value);
        let new = runnable.wrapping_mul(FSCALE).wrapping_mul(FSCALE - cexp);
        *value = old.wrapping_add(new) >> FSHIFT;
    }
    after
}

/// %CPU after one pass of `schedcpu`, raw (2048 is all of a CPU), for `ticks` ticks charged in the second before.
#[must_use]
pub fn percent_cpu(before: u32, ticks: u32, stathz: u32) -> u32 {
    let kept = (before * CCPU) >> FSHIFT;
    match stathz {
        100 => kept + ticks,
        hz => kept + 100 * ticks / hz.max(1),
    }
}

/// `sched_rr_get_interval` from 2012 on, in ticks of hz: the slice that user code reads.
#[must_use]
pub const fn rr_interval(slice: u32, hz: u32, stathz: u32) -> u32 {
    slices_in_ticks(1, slice, hz, stathz)
}

/// `hogticks` from 2012 on: ticks of hz after which a loop in the kernel should yield (`should_yield`), two slices.
#[must_use]
pub const fn hog_ticks(slice: u32, hz: u32, stathz: u32) -> u32 {
    slices_in_ticks(2, slice, hz, stathz)
}

const fn slices_in_ticks(n: u32, slice: u32, hz: u32, stathz: u32) -> u32 {
    let ticks = (n * slice * hz + stathz / 2) / stathz;
    if ticks == 0 { 1 } else { ticks }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_to_the_next_step_lead_to_it() {
        let scale = Scale::new("2013-06", 1);
        for estcpu in 0..=scale.limit {
            match scale.ticks_to_step(estcpu) {
                Some(ticks) => {
                    assert_eq!(scale.charged(estcpu, ticks) % scale.weight, 0);
                    assert!((1..=8).contains(&ticks));
                }
                None => assert!(estcpu >= scale.limit - scale.limit % scale.weight),
            }
        }
        assert_eq!(scale.charged(scale.limit, 1), scale.limit);
    }

    #[test]
    fn priorities_end_with_time_sharing() {
        let scale = Scale::new("2007-10", 1);
        assert_eq!(scale.user_priority(u32::MAX, 20), PRI_MAX_TIMESHARE);
        assert_eq!(scale.user_priority(0, -20), 160);
    }

    #[test]
    fn nothing_is_left_of_estcpu_without_load() {
        assert_eq!(decayed(295, 0), 0);
        assert_eq!(after_sleep(295, 2, 0), 0);
    }
}
