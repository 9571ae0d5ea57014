//! Newtype indices and the set of CPUs.
//!
//! Everything in the core is addressed by small integers, without pointers, strings or hash maps. A run is therefore a
//! plain function of its inputs, and a snapshot is a list of numbers.

use serde::{Deserialize, Serialize};

/// Declares an index type over a fixed-width integer.
macro_rules! index {
    ($(#[$doc:meta])* $name:ident, $int:ty) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize,
        )]
        pub struct $name(pub $int);

        impl $name {
            /// Makes the index of the `i`-th element.
            ///
            /// # Panics
            /// If `i` does not fit; configurations are bounded far below that.
            #[must_use]
            #[inline]
            pub fn new(i: usize) -> Self {
                Self(<$int>::try_from(i).expect("invariant: indices are bounded by the configuration"))
            }

            /// The position in a vector that is indexed by this type.
            #[must_use]
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index!(
    /// A schedulable entity (kernel: task, thread), numbered in order of creation from 0.
    TaskId,
    u32
);
index!(
    /// An SMT context (kernel: CPU), numbered as the modelled operating system numbers it.
    CpuId,
    u16
);
index!(
    /// A physical core.
    CoreId,
    u16
);
index!(
    /// A group of cores that share their last-level cache.
    LlcId,
    u16
);
index!(
    /// A NUMA node.
    NodeId,
    u16
);
index!(
    /// A cluster: a few cores that may share a cache inside a last-level-cache group.
    ClusterId,
    u16
);
index!(
    /// A physical package (socket).
    PackageId,
    u16
);
index!(
    /// A thread group of the scenario, in the order of the file; background groups come last.
    GroupId,
    u16
);

/// The largest number of CPUs of a machine.
pub const MAX_CPUS: usize = 1024;

const WORDS: usize = MAX_CPUS / 64;

/// A set of CPUs (kernel: cpumask, cpuset).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CpuMask([u64; WORDS]);

impl CpuMask {
    /// The empty set.
    pub const EMPTY: Self = Self([0; WORDS]);

    /// The set of the CPUs `0..n`.
    #[must_use]
    pub fn first(n: usize) -> Self {
        let mut mask = Self::EMPTY;
        for i in 0..n.min(MAX_CPUS) {
            mask.0[i / 64] |= 1 << (i % 64);
        }
        mask
    }

    /// The set of one CPU.
    #[must_use]
    pub fn only(cpu: CpuId) -> Self {
        let mut mask = Self::EMPTY;
        mask.insert(cpu);
        mask
    }

    /// Whether `cpu` is in the set.
    #[must_use]
    #[inline]
    pub fn contains(&self, cpu: CpuId) -> bool {
        let i = cpu.index();
        i < MAX_CPUS && self.0[i / 64] >> (i % 64) & 1 == 1
    }

    /// Adds `cpu`.
    #[inline]
    pub fn insert(&mut self, cpu: CpuId) {
        let i = cpu.index();
        self.0[i / 64] |= 1 << (i % 64);
    }

    /// Removes `cpu`.
    #[inline]
    pub fn remove(&mut self, cpu: CpuId) {
        let i = cpu.index();
        self.0[i / 64] &= !(1 << (i % 64));
    }

    /// Whether no CPU is in the set.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        // Combines all words at once, without a branch for each.
        self.0.iter().fold(0, |any, w| any | w) == 0
    }

    /// Number of CPUs in the set.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|w| w.count_ones()).sum()
    }

    /// Whether the two sets have a CPU in common.
    #[must_use]
    pub fn intersects(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// Whether every CPU of this set is in the other.
    #[must_use]
    pub fn is_subset_of(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    /// The CPUs that are in both sets.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let mut out = *self;
        for (a, b) in out.0.iter_mut().zip(&other.0) {
            *a &= b;
        }
        out
    }

    /// The CPUs of this set that are not in the other.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        let mut out = *self;
        for (a, b) in out.0.iter_mut().zip(&other.0) {
            *a &= !b;
        }
        out
    }

    /// The CPUs of the set in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = CpuId> + '_ {
        Self::of_words(&self.0)
    }

    /// The CPUs of the set on a machine with `cpus` CPUs. Faster than `iter` for small machines, for callers at each
    /// event.
    #[inline]
    pub fn among(&self, cpus: usize) -> impl Iterator<Item = CpuId> + '_ {
        Self::of_words(&self.0[..cpus.div_ceil(64).min(WORDS)])
    }

    /// Whether none of the first `cpus` CPUs is in the set.
    #[must_use]
    #[inline]
    pub fn has_none_among(&self, cpus: usize) -> bool {
        self.0[..cpus.div_ceil(64).min(WORDS)]
            .iter()
            .all(|word| *word == 0)
    }

    /// Whether all of the first `cpus` CPUs are in the set.
    #[must_use]
    #[inline]
    pub fn has_all_among(&self, cpus: usize) -> bool {
        let (whole, rest) = (cpus / 64, cpus % 64);
        self.0[..whole].iter().all(|word| *word == u64::MAX)
            && (rest == 0 || self.0[whole] | u64::MAX << rest == u64::MAX)
    }

    #[inline]
    fn of_words(words: &[u64]) -> impl Iterator<Item = CpuId> + '_ {
        let mut words = words.iter();
        let (mut next, mut rest) = (0, 0_u64);
        std::iter::from_fn(move || {
            while rest == 0 {
                rest = *words.next()?;
                next += 64;
            }
            let bit = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            Some(CpuId::new(next - 64 + bit))
        })
    }

    /// Whether two sets are the same on a machine with `cpus` CPUs.
    #[must_use]
    #[inline]
    pub fn is_same_among(&self, other: &Self, cpus: usize) -> bool {
        let words = cpus.div_ceil(64).min(WORDS);
        let mut pairs = self.0[..words].iter().zip(&other.0[..words]);
        pairs.all(|(a, b)| a == b)
    }

    /// The lowest-numbered CPU of the set.
    #[must_use]
    pub fn lowest(&self) -> Option<CpuId> {
        self.iter().next()
    }
}

impl FromIterator<CpuId> for CpuMask {
    fn from_iter<I: IntoIterator<Item = CpuId>>(iter: I) -> Self {
        let mut mask = Self::EMPTY;
        for cpu in iter {
            mask.insert(cpu);
        }
        mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_lists_its_cpus_in_ascending_order_across_words() {
        let mask: CpuMask = [CpuId(700), CpuId(3), CpuId(64)].into_iter().collect();
        assert_eq!(
            mask.iter().collect::<Vec<_>>(),
            [CpuId(3), CpuId(64), CpuId(700)]
        );
        assert_eq!(mask.count(), 3);
        assert_eq!(mask.lowest(), Some(CpuId(3)));
        assert_eq!(mask.among(70).collect::<Vec<_>>(), [CpuId(3), CpuId(64)]);
        assert_eq!(mask.among(64).count(), 1);
        assert!(!mask.has_none_among(64));
        assert!(CpuMask::only(CpuId(700)).has_none_among(64));
        assert!(!mask.contains(CpuId(4)));
        let low = CpuMask::first(70);
        assert!(low.has_all_among(70) && low.has_all_among(64) && low.has_all_among(3));
        assert!(!low.has_all_among(71) && !low.has_all_among(128));
        assert!(CpuMask::first(MAX_CPUS).has_all_among(MAX_CPUS));
    }

    #[test]
    fn set_operations_work_word_by_word() {
        let low = CpuMask::first(70);
        let one = CpuMask::only(CpuId(69));
        assert!(low.intersects(&one));
        assert!(!low.without(&one).contains(CpuId(69)));
        assert_eq!(low.and(&one), one);
        assert!(low.is_same_among(&CpuMask::first(100), 64));
        assert!(!low.is_same_among(&CpuMask::first(100), 100));
    }
}
