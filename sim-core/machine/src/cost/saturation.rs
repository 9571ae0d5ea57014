//! By how much waiting stretches if all threads together want more than memory delivers.

use super::split::product;
use super::time::{SATURATION_BITS, UNSATURATED, together};

/// Threads with equal demands on a memory domain. Times are in fs and include the effect of siblings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    /// Computing time of an iteration.
    pub compute: u64,
    /// Waiting time of an iteration while bandwidth suffices.
    pub waiting: u64,
    /// The part of the waiting that grows when bandwidth is short.
    pub scaled: u64,
    /// Bytes of traffic of an iteration, in units of 2^-20.
    pub traffic: u64,
    /// Number of such threads.
    pub count: u64,
}

/// The largest factor; no machine that passes validation needs one near it.
const MOST: u64 = UNSATURATED << 24;

/// Traffic of all streams at a factor, in units of 2^-20 MB/s.
fn traffic(streams: &[Stream], factor: u64, overlap_milli: u64) -> u64 {
    streams
        .iter()
        .map(|s| {
            let m = s.waiting + product(s.scaled, factor - UNSATURATED, UNSATURATED);
            let t = together(s.compute, m, overlap_milli).max(1);
            // One byte in a fs is 10^9 MB/s. The cap is beyond any limit; the sum of all CPUs stays within 64 bits.
            product(s.traffic, 1_000_000_000, t).min(1 << 52) * s.count
        })
        .sum()
}

/// The smallest factor, in units of 2^-12, by which waiting for memory must stretch so that the traffic does not exceed
/// the bandwidth. It is [`UNSATURATED`] if bandwidth suffices.
///
/// The search begins at `near`, for instance at the last answer. The result does not depend on `near`, because traffic
/// never grows with the factor.
#[must_use]
#[inline]
pub fn factor(streams: &[Stream], mb_per_s: u32, overlap_milli: u64, near: u64) -> u64 {
    let limit = u64::from(mb_per_s) << 20;
    let exceeds = |factor| traffic(streams, factor, overlap_milli) > limit;
    let near = near.clamp(UNSATURATED, MOST);
    // The search moves away from there in growing steps, until the answer lies between two factors.
    let (mut low, mut high, mut step) = (near, near, 1);
    if exceeds(near) {
        loop {
            if high == MOST {
                return MOST;
            }
            low = high;
            high = (high + step).min(MOST);
            if !exceeds(high) {
                break;
            }
            step *= 4;
        }
    } else {
        loop {
            if low == UNSATURATED {
                return UNSATURATED;
            }
            high = low;
            low = low.saturating_sub(step).max(UNSATURATED);
            if exceeds(low) {
                break;
            }
            step *= 4;
        }
    }
    while high - low > 1 {
        let middle = low.midpoint(high);
        if exceeds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

const _: () = assert!(SATURATION_BITS == 12, "the documentation names the unit");

#[cfg(test)]
mod tests {
    use super::*;

    /// A 32 MiB sweep on the Sun Fire V890: 11.33 ns of computing, 25 ns of waiting for memory, no overlap.
    fn v890(count: u64) -> [Stream; 1] {
        [Stream {
            compute: 11_333_333,
            waiting: 25_000_000,
            scaled: 25_000_000,
            traffic: 16 << 20,
            count,
        }]
    }

    #[test]
    fn up_to_ten_large_sweeps_do_not_fill_the_bus_of_a_v890_and_sixteen_do() {
        for n in 1..=9 {
            assert_eq!(factor(&v890(n), 4400, 0, UNSATURATED), UNSATURATED, "{n}");
        }
        // t = 16 × 16 B / 4.4 GB/s = 58.2 ns.
        let x = factor(&v890(16), 4400, 0, UNSATURATED);
        let t = 11_333_333 + 25_000_000 * x / UNSATURATED;
        assert!(t.abs_diff(58_181_818) < 20_000, "{t}");
    }

    #[test]
    fn the_traffic_meets_the_limit_from_below() {
        for n in [12, 16, 40, 1000] {
            let x = factor(&v890(n), 4400, 0, UNSATURATED);
            assert!(traffic(&v890(n), x, 0) <= 4400 << 20);
            assert!(traffic(&v890(n), x - 1, 0) > 4400 << 20);
        }
    }

    #[test]
    fn where_the_search_begins_changes_nothing() {
        for n in [1, 9, 10, 12, 16, 40, 1000, 1 << 20] {
            let streams = v890(n);
            let answer = factor(&streams, 4400, 0, UNSATURATED);
            for near in [
                0,
                1,
                answer - 1,
                answer,
                answer + 1,
                answer * 3,
                MOST,
                u64::MAX,
            ] {
                assert_eq!(factor(&streams, 4400, 0, near), answer, "{n}, {near}");
            }
        }
        assert_eq!(factor(&v890(16), 0, 0, UNSATURATED), MOST, "no bandwidth");
    }
}
