//! Load weights, and the division-free products of time and weight.
//!
//! | item | kernel @ release |
//! |---|---|
//! | [`weight_of_nice`] | `prio_to_weight` @ 2.6.34, `sched_prio_to_weight` @ 4.9 |
//! | [`inverse_of_nice`] | `prio_to_wmult`, `sched_prio_to_wmult` |
//! | [`Division::Rounded`] | `calc_delta_mine` @ 2.6.34 |
//! | [`Division::Shifted`] | `__calc_delta`, `__update_inv_weight` @ 4.9 |
//!
//! Deviation: products are formed in 128 bits. The kernels' words suffice for the few ms between two ticks, but here an
//! interval without events may last for hours.

use sim_contract::flags::Policy;
pub(crate) use sim_contract::weight::weight_of_nice;

/// Weight of nice 0 before scaling (`NICE_0_LOAD` @ 2.6.34, `SCHED_LOAD_SCALE`).
pub(crate) const NICE_0: u64 = 1_024;
/// Weight and inverse of the `SCHED_IDLE` policy (`WEIGHT_IDLEPRIO`, `WMULT_IDLEPRIO`).
const IDLE_POLICY: (u64, u64) = (3, 1_431_655_765);

/// `2^32 / weight` of a nice value, rounded, as in the kernels' table; nice 13, 14, 16 and 17 are one less there.
pub(crate) fn inverse_of_nice(nice: i8) -> u64 {
    let weight = weight_of_nice(nice);
    let rounded = ((1_u64 << 32) + weight / 2) / weight;
    rounded - u64::from(matches!(nice, 13 | 14 | 16 | 17))
}

/// Weight (unscaled) and inverse of a task.
pub(crate) fn of_task(nice: i8, policy: Policy) -> (u64, u64) {
    match policy {
        Policy::Idle => IDLE_POLICY,
        _ => (weight_of_nice(nice), inverse_of_nice(nice)),
    }
}

/// How `delta × weight / weight of a queue` is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Division {
    /// Rounded twice, with an inverse that is a little too small (2.6.34).
    Rounded,
    /// Truncation after a shift that fits the factor into 32 bits (4.9); weights carry 10 more bits.
    Shifted,
}

impl Division {
    /// Bits by which weights are scaled up (`SCHED_LOAD_RESOLUTION`).
    pub(crate) const fn scale_bits(self) -> u32 {
        match self {
            Self::Rounded => 0,
            Self::Shifted => 10,
        }
    }

    /// The inverse of a (scaled) weight that is in no table.
    pub(crate) fn inverse(self, weight: u64) -> u64 {
        match self {
            Self::Rounded => 1 + ((1_u64 << 32) - (weight / 2).min(1 << 32)) / (weight + 1),
            Self::Shifted => match weight >> 10 {
                0 => u64::from(u32::MAX),
                w => (u64::from(u32::MAX) / w).max(1),
            },
        }
    }

    /// `delta × weight`, divided by the number that `inverse` belongs to.
    pub(crate) fn delta(self, delta: u64, weight: u64, inverse: u64) -> u64 {
        self.product(delta, weight, inverse)
    }

    /// The same for a weight of nice 0: time as vruntime (`calc_delta_fair`).
    #[inline]
    pub(crate) fn fair(self, delta: u64, inverse: u64) -> u64 {
        self.product(delta, NICE_0 << self.scale_bits(), inverse)
    }

    #[inline(always)]
    fn product(self, delta: u64, weight: u64, inverse: u64) -> u64 {
        match self {
            Self::Rounded => {
                let t = u128::from(delta) * u128::from(weight);
                if t > 1 << 32 {
                    narrow(round(round(t, 16) * u128::from(inverse), 16))
                } else {
                    narrow(round(t * u128::from(inverse), 32))
                }
            }
            Self::Shifted => {
                let mut shift = 32;
                let fit = |x: u64, shift: &mut u32| {
                    // 0 if it has 32 bits at most.
                    let over = 32_u32.saturating_sub(x.leading_zeros());
                    *shift -= over;
                    x >> over
                };
                let factor = fit(weight >> 10, &mut shift);
                let factor = fit(factor * inverse, &mut shift);
                if delta.leading_zeros() + factor.leading_zeros() >= 64 {
                    (delta * factor) >> shift
                } else {
                    narrow((u128::from(delta) * u128::from(factor)) >> shift)
                }
            }
        }
    }
}

fn round(x: u128, bits: u32) -> u128 {
    (x + (1 << (bits - 1))) >> bits
}

fn narrow(x: u128) -> u64 {
    u64::try_from(x).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_task_gets_a_little_less_than_its_period_at_2_6_34() {
        let division = Division::Rounded;
        let slice = division.delta(20_000_000, 1_024, division.inverse(1_024));
        assert_eq!(slice, 19_980_488);
    }

    #[test]
    fn a_millisecond_of_runtime_by_nice_value() {
        let expected = [
            (-20, 11_536),
            (-10, 107_247),
            (-5, 328_099),
            (5, 3_056_716),
            (10, 9_309_090),
            (19, 68_266_666),
        ];
        for (nice, vruntime) in expected {
            let inverse = inverse_of_nice(nice);
            let new = Division::Shifted.delta(1_000_000, NICE_0 << 10, inverse);
            assert_eq!(new, vruntime, "nice {nice} @ 4.9");
            let old = Division::Rounded.delta(1_000_000, NICE_0, inverse);
            assert!(old.abs_diff(vruntime) <= 1, "nice {nice} @ 2.6.34: {old}");
        }
    }

    #[test]
    fn four_entries_of_the_table_of_inverses_are_one_too_small() {
        assert_eq!(inverse_of_nice(0), 4_194_304);
        assert_eq!(inverse_of_nice(5), 12_820_798);
        assert_eq!(inverse_of_nice(13), 76_695_844);
        assert_eq!(inverse_of_nice(19), 286_331_153);
    }
}
