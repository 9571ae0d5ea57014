//! How long an iteration takes, and the causes of its time.

use super::mix::Mix;
use super::split::product;
use crate::rate::{Cause, ONE, Speed};

/// The conditions that stretch an iteration beyond its own [`Mix`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conditions {
    /// Computing takes this much longer because siblings compute too, in units of 2^-20.
    pub smt: u64,
    /// Waiting takes this much longer because siblings wait too, in units of 2^-20.
    pub fills: u64,
    /// Waiting for memory takes this much longer because bandwidth is short, in units of 2^-12.
    pub saturation: u64,
    /// Part of the clock that remains after heat, in units of 2^-20.
    pub heat: u64,
    /// Share of time spent in timer ticks, in units of 2^-20.
    pub tick_share: u64,
    /// The part of the shorter of computing and waiting that is hidden behind the longer, in thousandths.
    pub overlap_milli: u64,
}

/// Fractional bits of a saturation factor.
pub const SATURATION_BITS: u32 = 12;
/// The factor if memory delivers all that is wanted.
pub const UNSATURATED: u64 = 1 << SATURATION_BITS;

/// Extra time of the core's compute part for each unit of a sibling's pressure: `2/s2 − 1`, in units of 2^-20.
#[must_use]
#[inline]
pub fn sibling_extra(smt_pair_milli: u16, pressure_milli: u64) -> u64 {
    let s2 = u64::from(smt_pair_milli).max(1);
    // A busy sibling never makes a thread faster.
    (2 * ONE * 1000 / s2)
        .saturating_sub(ONE)
        .saturating_mul(pressure_milli)
        / 1000
}

/// Time of an iteration that computes for `a` and waits for `m`, with overlap.
#[must_use]
#[inline]
pub fn together(a: u64, m: u64, overlap_milli: u64) -> u64 {
    let (long, short) = if a >= m { (a, m) } else { (m, a) };
    long + product(short, 1000_u64.saturating_sub(overlap_milli), 1000)
}

/// Waiting time of a mix when bandwidth is short.
#[must_use]
#[inline]
pub fn waiting(mix: &Mix, saturation: u64) -> u64 {
    mix.waiting() + product(mix.scaled, saturation - UNSATURATED, UNSATURATED)
}

/// The speed under given conditions, with the share of each cause.
///
/// Causes are added one after the other, in the order of [`Cause`]. The share of each is the time that it adds to an
/// iteration. Heat and ticks take their part of the whole time.
#[must_use]
#[inline]
pub fn speed(mix: &Mix, c: &Conditions) -> Speed {
    let user = ONE - c.tick_share.min(ONE);
    let clocked = product(user, c.heat.min(ONE), ONE);
    let mut share = [0; crate::rate::CAUSES];
    share[Cause::Tick as usize] = ONE - user;
    share[Cause::Frequency as usize] = user - clocked;
    if mix.compute == mix.at_clock && mix.waiting() == 0 {
        // In this case only a sibling can slow the thread.
        let t = product(mix.compute, c.smt, ONE).max(1);
        let compute = product(clocked, mix.compute, t);
        share[Cause::Compute as usize] = compute;
        share[Cause::Sibling as usize] = clocked - compute;
        return Speed {
            share,
            rate: compute,
        };
    }
    let useful = mix.compute.min(mix.at_clock);
    // Time of the iteration after each cause was added.
    let mut steps = [(Cause::Compute, useful); 9];
    steps[1] = (Cause::Frequency, mix.at_clock);
    let mut m = 0;
    let parts = [
        (Cause::L2, mix.l2),
        (Cause::L3, mix.l3),
        (Cause::Memory, mix.memory),
        (Cause::Remote, mix.remote),
        (Cause::WarmUp, mix.warm_up),
        (
            Cause::Saturation,
            waiting(mix, c.saturation) - mix.waiting(),
        ),
    ];
    let mut so_far = mix.at_clock;
    for (i, (cause, part)) in parts.into_iter().enumerate() {
        // Most threads have few causes.
        if part > 0 {
            m += part;
            so_far = together(mix.at_clock, m, c.overlap_milli);
        }
        steps[2 + i] = (cause, so_far);
    }
    let a = product(mix.at_clock, c.smt, ONE);
    let stretched = if m == 0 { 0 } else { product(m, c.fills, ONE) };
    let t = together(a, stretched, c.overlap_milli).max(1);
    steps[8] = (Cause::Sibling, t);
    // Useful work is rounded down, like the rate; the remainder of rounding goes to the largest loss.
    let compute = product(clocked, useful, t);
    let mut left = clocked - compute;
    let mut largest = (Cause::Sibling, 0);
    for pair in steps.windows(2) {
        let (cause, added) = (pair[1].0, pair[1].1.saturating_sub(pair[0].1));
        if added == 0 {
            continue;
        }
        let part = product(clocked, added, t).min(left);
        left -= part;
        share[cause as usize] += part;
        if added > largest.1 {
            largest = (cause, added);
        }
    }
    if largest.1 == 0 {
        share[Cause::Compute as usize] = compute + left;
    } else {
        share[Cause::Compute as usize] = compute;
        share[largest.0 as usize] += left;
    }
    let rate = if mix.compute > useful {
        product(clocked, mix.compute, t).min(8 * ONE)
    } else {
        share[Cause::Compute as usize]
    };
    Speed { share, rate }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALONE: Conditions = Conditions {
        smt: ONE,
        fills: ONE,
        saturation: UNSATURATED,
        heat: ONE,
        tick_share: 0,
        overlap_milli: 800,
    };

    fn hog() -> Mix {
        Mix {
            compute: ONE,
            at_clock: ONE,
            ..Mix::default()
        }
    }

    #[test]
    fn two_dhrystones_on_a_core_do_four_percent_less_than_one() {
        // Wong 2011: pair effect -4 %.
        let smt = ONE + sibling_extra(960, 1000);
        let pair = 2 * speed(&hog(), &Conditions { smt, ..ALONE }).rate();
        assert!((960 * ONE / 1000).abs_diff(pair) <= 2, "{pair}");
    }

    #[test]
    fn alone_at_nominal_clock_is_full_speed() {
        assert_eq!(speed(&hog(), &ALONE).rate(), ONE);
    }

    #[test]
    fn shares_add_up_exactly_whatever_the_conditions() {
        for l2 in [0, 17, 90_000] {
            for memory in [0, 3, 4_000_000] {
                for warm_up in [0, 1_000_000] {
                    let mix = Mix {
                        compute: 303_030,
                        at_clock: 400_000,
                        l2,
                        memory,
                        remote: memory / 3,
                        warm_up,
                        scaled: memory + memory / 3,
                        ..Mix::default()
                    };
                    for (smt, heat, tick_share) in [
                        (ONE, ONE, 0),
                        (2 * ONE, ONE / 3, 17),
                        (ONE + 1, 1, ONE / 2),
                        (ONE, ONE, ONE),
                    ] {
                        for saturation in [UNSATURATED, UNSATURATED * 5 + 7] {
                            let s = speed(
                                &mix,
                                &Conditions {
                                    smt,
                                    fills: smt,
                                    saturation,
                                    heat,
                                    tick_share,
                                    overlap_milli: 600,
                                },
                            );
                            assert_eq!(s.share.iter().sum::<u64>(), ONE);
                            assert!(s.is_whole());
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_clock_above_nominal_does_more_work_in_the_same_time() {
        let mix = Mix {
            at_clock: ONE * 4 / 5,
            ..hog()
        };
        let s = speed(&mix, &ALONE);
        assert_eq!(s.share[Cause::Compute as usize], ONE);
        assert!(s.rate().abs_diff(ONE * 5 / 4) <= 2);
        assert!(s.is_whole());
    }

    #[test]
    fn a_busier_sibling_never_speeds_a_thread_up() {
        let mut last = u64::MAX;
        for pressure in 0..3000 {
            let smt = ONE + sibling_extra(960, pressure);
            let now = speed(&hog(), &Conditions { smt, ..ALONE }).rate();
            assert!(now <= last);
            last = now;
        }
    }
}
