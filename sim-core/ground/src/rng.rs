//! Seeded randomness with one named stream per consumer.
//!
//! A stream depends only on the seed, its name and its index, so a new consumer never shifts the numbers of the others.
//! The generator uses only integers and is the same on every platform.

use serde::{Deserialize, Serialize};

/// A random stream: PCG-XSH-RR with 64 bits of state (O'Neill 2014).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rng {
    state: u64,
    inc: u64,
}

const MULTIPLIER: u64 = 6_364_136_223_846_793_005;

impl Rng {
    /// The stream called `name` (with an index where there are several) of a run's seed.
    #[must_use]
    pub fn stream(seed: u64, name: &str, index: u64) -> Self {
        let mut h = 0xcbf2_9ce4_8422_2325_u64;
        let bytes = name.bytes().chain(index.to_le_bytes());
        for b in bytes.chain(seed.to_le_bytes()) {
            h = (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3);
        }
        let mut rng = Self {
            state: mix(h),
            inc: mix(h ^ seed) | 1,
        };
        rng.next_u32();
        rng
    }

    /// A separate stream for each index, derived from the present state of this one.
    #[must_use]
    pub fn fork(&self, index: u64) -> Self {
        let mut rng = Self {
            state: mix(self.state ^ mix(index)),
            inc: self.inc,
        };
        rng.next_u32();
        rng
    }

    /// The next 32 random bits.
    pub fn next_u32(&mut self) -> u32 {
        let old = self.state;
        self.state = old.wrapping_mul(MULTIPLIER).wrapping_add(self.inc);
        let xorshifted = low(((old >> 18) ^ old) >> 27);
        xorshifted.rotate_right(high(old) >> 27)
    }

    /// A uniform integer in `0..n`, without bias; 0 if `n` is 0.
    pub fn below(&mut self, n: u32) -> u32 {
        if n == 0 {
            return 0;
        }
        let threshold = n.wrapping_neg() % n;
        loop {
            let product = u64::from(self.next_u32()) * u64::from(n);
            if low(product) >= threshold {
                return high(product);
            }
        }
    }

    /// True with a probability of `percent` / 100.
    pub fn percent(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// A uniform integer in `0..n` for large `n` (granularity n / 2^32).
    pub fn below_u64(&mut self, n: u64) -> u64 {
        scale(n, u64::from(self.next_u32()))
    }

    /// An exponentially distributed integer with the given mean.
    ///
    /// Von Neumann's method: it only compares uniform numbers, so the result is exact and the same on every platform.
    pub fn exponential(&mut self, mean: u64) -> u64 {
        let mut whole = 0_u64;
        loop {
            let first = self.next_u32();
            let mut previous = first;
            let mut odd = true;
            loop {
                let next = self.next_u32();
                if next >= previous {
                    break;
                }
                previous = next;
                odd = !odd;
            }
            if odd {
                return scale(mean, u64::from(first)) + mean.saturating_mul(whole);
            }
            whole += 1;
        }
    }
}

/// `n × fraction / 2^32`, rounded down.
fn scale(n: u64, fraction: u64) -> u64 {
    (n >> 32) * fraction + (((n & 0xffff_ffff) * fraction) >> 32)
}

fn low(x: u64) -> u32 {
    (x & 0xffff_ffff) as u32
}

fn high(x: u64) -> u32 {
    (x >> 32) as u32
}

/// The finaliser of SplitMix64.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_of_different_names_differ_and_repeat() {
        let a = Rng::stream(1, "daemon", 0).next_u32();
        assert_eq!(a, Rng::stream(1, "daemon", 0).next_u32());
        assert_ne!(a, Rng::stream(1, "daemon", 1).next_u32());
        assert_ne!(a, Rng::stream(2, "daemon", 0).next_u32());
    }

    #[test]
    fn the_exponential_has_its_mean_and_its_tail() {
        let mut rng = Rng::stream(7, "test", 0);
        let n = 200_000;
        let draws: Vec<u64> = (0..n).map(|_| rng.exponential(1_000_000)).collect();
        let mean = draws.iter().sum::<u64>() / n;
        assert!((990_000..1_010_000).contains(&mean), "mean {mean}");
        // P(X > 2 mean) = exp(-2) = 0.1353
        let tail = draws.iter().filter(|d| **d > 2_000_000).count();
        assert!((26_400..27_700).contains(&tail), "tail {tail}");
    }

    #[test]
    fn below_is_uniform() {
        let mut rng = Rng::stream(3, "test", 0);
        let mut seen = [0_u32; 7];
        for _ in 0..70_000 {
            seen[rng.below(7) as usize] += 1;
        }
        assert!(seen.iter().all(|s| (9_600..10_400).contains(s)), "{seen:?}");
    }
}
