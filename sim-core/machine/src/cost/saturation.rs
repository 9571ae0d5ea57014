//! By how much all stretch if together they want more than memory delivers.

use super::split::product;
use super::time::{SATURATION_BITS, UNSATURATED, together};

/// Threads that are alike, as a memory domain sees them. Times in fs, siblings included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    /// Computing of an iteration.
    pub compute: u64,
    /// Waiting of an iteration while bandwidth suffices.
    pub waiting: u64,
    /// The part of it that grows when bandwidth runs out.
    pub scaled: u64,
    /// Bytes of traffic of an iteration, in units of 2^-20.
    pub traffic: u64,
    /// How many there are.
    pub count: u64,
}

/// The largest factor: far beyond what any machine that passes validation can need.
const MOST: u64 = UNSATURATED << 24;

/// Traffic of all streams at a factor, in units of 2^-20 MB/s.
fn traffic(streams: &[Stream], factor: u64, overlap_milli: u64) -> u64 {
    streams
        .iter()
        .map(|s| {
            let m = s.waiting + product(s.scaled, factor - UNSATURATED, UNSATURATED);
            let t = together(s.compute, m, overlap_milli).max(1);
            // One byte in a fs is 10^9 MB/s.
            // Beyond any limit is far enough; the sum of all CPUs stays within 64 bits.
            product(s.traffic, 1_000_000_000, t).min(1 << 52) * s.count
        })
        .sum()
}

/// The smallest factor, in units of 2^-12, by which waiting for memory has to stretch so that the traffic does not
/// exceed the bandwidth; [`UNSATURATED`] if it does not anyway.
#[must_use]
pub fn factor(streams: &[Stream], mb_per_s: u32, overlap_milli: u64) -> u64 {
    let limit = u64::from(mb_per_s) << 20;
    if traffic(streams, UNSATURATED, overlap_milli) <= limit {
        return UNSATURATED;
    }
    let (mut low, mut high) = (UNSATURATED, UNSATURATED * 2);
    while high < MOST && traffic(streams, high, overlap_milli) > limit {
        low = high;
        high *= 2;
    }
    while high - low > 1 {
        let middle = low.midpoint(high);
        if traffic(streams, middle, overlap_milli) > limit {
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

    /// A 32 MiB sweep on the Sun Fire V890: 11.33 ns of computing, 25 ns of memory, no overlap.
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
            assert_eq!(factor(&v890(n), 4400, 0), UNSATURATED, "{n}");
        }
        // t = 16 × 16 B / 4.4 GB/s = 58.2 ns.
        let x = factor(&v890(16), 4400, 0);
        let t = 11_333_333 + 25_000_000 * x / UNSATURATED;
        assert!(t.abs_diff(58_181_818) < 20_000, "{t}");
    }

    #[test]
    fn the_traffic_meets_the_limit_from_below() {
        for n in [12, 16, 40, 1000] {
            let x = factor(&v890(n), 4400, 0);
            assert!(traffic(&v890(n), x, 0) <= 4400 << 20);
            assert!(traffic(&v890(n), x - 1, 0) > 4400 << 20);
        }
    }
}
