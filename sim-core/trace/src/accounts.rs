//! Running totals that the engine keeps for each task and CPU: plain numbers for metrics and reports.

use serde::{Deserialize, Serialize};
use sim_machine::rate::CAUSES;

/// Totals of a task. Times in ns.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskAccount {
    /// Time on a CPU.
    pub run_ns: u64,
    /// Time for which it was runnable but waited.
    pub wait_ns: u64,
    /// Time asleep.
    pub sleep_ns: u64,
    /// CPU time by cause in units of 2^-20 ns; the sum is `run_ns`.
    pub by_cause: [u64; CAUSES],
    /// Work done, in units of 2^-20 ns at full speed: the first cause, or more above the nominal clock.
    pub work: u64,
    /// Times it was switched in.
    pub switches: u64,
    /// Times it left the CPU against its will (kernel: `nivcsw`).
    pub involuntary: u64,
    /// Times it ran on a CPU other than its last one.
    pub migrations: u64,
    /// Whether its fork placed it on another CPU than its forker's: 0 or 1. This is not a migration, because it had not
    /// run.
    pub placements: u64,
    /// Hinting faults: uses of pages that the kernel had marked.
    pub hinting_faults: u64,
    /// Pages that were moved to another node.
    pub pages_moved: u64,
    /// Times that it was sent to another node because of its memory.
    pub to_memory: u64,
    /// CPU time times the part of its memory that lay on other nodes than the CPU's, in units of 2^-20 ns.
    pub remote_ns: u64,
    /// Longest wait that has ended, from becoming runnable to running, without the wait before its first run.
    pub longest_wait_ns: u64,
    /// The wait before its first run, if it has ended.
    pub longest_first_wait_ns: u64,
    /// Points of time until which it wanted to sleep, and those of them for which it came too late.
    pub deadlines: u64,
    /// See there.
    pub deadlines_missed: u64,
    /// When it ended, if it did.
    pub exited_at_ns: Option<u64>,
    /// When it started.
    pub started_at_ns: Option<u64>,
}

/// Totals of a CPU. Times in ns.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CpuAccount {
    /// Time with a task.
    pub busy_ns: u64,
    /// Time without a task.
    pub idle_ns: u64,
    /// Part of the busy time that was spent on switching, refilling caches after it, and waiting for scheduler locks.
    pub switch_ns: u64,
}

/// Totals of the jobs that arrive at a group by themselves. Times in ns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobsAccount {
    /// Jobs that have arrived.
    pub arrived: u64,
    /// Jobs that a CPU has begun.
    pub started: u64,
    /// Jobs that are done.
    pub finished: u64,
    /// Jobs that were turned away because too many waited for a thread, and jobs that were lost when their thread
    /// ended.
    pub lost: u64,
    /// From arrival to start, summed over the jobs that have been started.
    pub wait_ns: u64,
    /// From arrival to end, summed over the jobs that are done.
    pub response_ns: u64,
    /// Work at full speed of the jobs that are done.
    pub work_ns: u64,
    /// Time integral of the number of jobs that have arrived and are not done.
    pub in_system_ns: u64,
}

impl JobsAccount {
    /// The sum of two.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        self.with(other, u64::saturating_add)
    }

    /// The totals since `then`.
    #[must_use]
    pub fn since(self, then: Self) -> Self {
        self.with(then, u64::saturating_sub)
    }

    fn with(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self {
            arrived: f(self.arrived, other.arrived),
            started: f(self.started, other.started),
            finished: f(self.finished, other.finished),
            lost: f(self.lost, other.lost),
            wait_ns: f(self.wait_ns, other.wait_ns),
            response_ns: f(self.response_ns, other.response_ns),
            work_ns: f(self.work_ns, other.work_ns),
            in_system_ns: f(self.in_system_ns, other.in_system_ns),
        }
    }
}

/// A histogram of times. A time of up to 255 ns has a bucket of its own. Above, each power of two has 128 buckets, so a
/// bucket's upper bound is less than 0.8 % above each time in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Histogram {
    buckets: Buckets,
    /// Number of values.
    pub count: u64,
    /// Sum of the values in ns.
    pub sum_ns: u64,
    /// Largest value in ns.
    pub max_ns: u64,
}

/// How many times each bucket holds, by its number up to the last one that holds any. Every run delay is added here, so
/// a bucket is found without a search. Snapshots have only the buckets with a time: number and times, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<(u16, u64)>", into = "Vec<(u16, u64)>")]
struct Buckets(Vec<u64>);

impl Buckets {
    #[inline]
    fn add(&mut self, number: u16) {
        match self.0.get_mut(usize::from(number)) {
            Some(times) => *times += 1,
            None => self.make(number),
        }
    }

    /// The first time of a bucket beyond those that are there.
    #[cold]
    fn make(&mut self, number: u16) {
        self.0.resize(usize::from(number), 0);
        self.0.push(1);
    }

    /// The buckets that hold a time, ascending.
    fn filled(&self) -> impl Iterator<Item = (u16, u64)> + '_ {
        let all = (0..).zip(self.0.iter().copied());
        all.filter(|(_, times)| *times > 0)
    }
}

impl TryFrom<Vec<(u16, u64)>> for Buckets {
    type Error = &'static str;

    /// Refuses what no histogram has.
    fn try_from(filled: Vec<(u16, u64)>) -> Result<Self, Self::Error> {
        let last = filled.last().map_or(0, |(number, _)| *number);
        let ascends = filled.is_sorted_by(|a, b| a.0 < b.0);
        if last > bucket(u64::MAX) || !ascends || filled.iter().any(|(_, times)| *times == 0) {
            return Err("no histogram has these buckets");
        }
        let mut buckets = Self::default();
        for (number, times) in filled {
            buckets.0.resize(usize::from(number), 0);
            buckets.0.push(times);
        }
        Ok(buckets)
    }
}

impl From<Buckets> for Vec<(u16, u64)> {
    fn from(buckets: Buckets) -> Self {
        buckets.filled().collect()
    }
}

impl Histogram {
    /// Adds a value.
    #[inline]
    pub fn add(&mut self, ns: u64) {
        self.buckets.add(bucket(ns));
        self.count += 1;
        self.sum_ns = self.sum_ns.saturating_add(ns);
        self.max_ns = self.max_ns.max(ns);
    }

    /// The smallest bucket bound that at least `percent` of the values do not exceed, at most the largest value; `None` if
    /// empty.
    #[must_use]
    pub fn percentile_ns(&self, percent: u64) -> Option<u64> {
        let wanted = (self.count * percent).div_ceil(100).max(1);
        let mut seen = 0;
        for (bound, n) in self.rows() {
            seen += n;
            if seen >= wanted {
                return Some(bound.min(self.max_ns));
            }
        }
        None
    }

    /// Whether the sum of its buckets equals its count.
    pub fn is_whole(&self) -> bool {
        let mut times = self.buckets.0.iter();
        let counted = times.try_fold(0_u64, |n, times| n.checked_add(*times));
        counted == Some(self.count)
    }

    /// Non-empty buckets as (upper bound in ns, count), in ascending order.
    pub fn rows(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let filled = self.buckets.filled();
        filled.map(|(number, times)| (upper_bound(number), times))
    }
}

/// Buckets of one power of two, as a power of two.
const PARTS: u32 = 7;

/// The number of the bucket of a time.
#[allow(clippy::cast_possible_truncation)] // at most 7,423
fn bucket(ns: u64) -> u16 {
    // Digits that do not count: all but the first eight.
    let dropped = ns.checked_ilog2().unwrap_or(0).saturating_sub(PARTS);
    ((u64::from(dropped) << PARTS) + (ns >> dropped)) as u16
}

/// The largest time of a bucket, in ns.
fn upper_bound(bucket: u16) -> u64 {
    let dropped = u32::from(bucket >> PARTS).saturating_sub(1);
    let first = u64::from(bucket) - (u64::from(dropped) << PARTS);
    (first << dropped) | ((1 << dropped) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_lies_in_its_bucket() {
        let mut previous = 0;
        for ns in (0..10_000).chain([1 << 40, (1 << 40) + 12_345, u64::MAX / 3, u64::MAX]) {
            let b = bucket(ns);
            assert!(ns <= upper_bound(b), "{ns}");
            assert!(
                u128::from(upper_bound(b) - ns) * 128 <= u128::from(ns),
                "{ns}"
            );
            assert!(b == 0 || ns > upper_bound(b - 1), "{ns} in {b}");
            assert!(b >= previous);
            previous = b;
        }
    }

    #[test]
    fn only_buckets_of_a_histogram_come_back_from_a_snapshot() {
        let mut h = Histogram::default();
        [3, 900, 900, u64::MAX].into_iter().for_each(|ns| h.add(ns));
        let saved: Vec<(u16, u64)> = h.buckets.clone().into();
        assert_eq!(saved, [(3, 1), (bucket(900), 2), (bucket(u64::MAX), 1)]);
        assert_eq!(Buckets::try_from(saved), Ok(h.buckets));
        let beyond = bucket(u64::MAX) + 1;
        for wrong in [vec![(beyond, 1)], vec![(2, 1), (2, 1)], vec![(2, 0)]] {
            assert!(Buckets::try_from(wrong).is_err());
        }
    }

    #[test]
    fn percentiles_follow_the_counts() {
        let mut h = Histogram::default();
        (1..=100).for_each(|ms| h.add(ms * 1_000_000));
        let p50 = h.percentile_ns(50).expect("not empty");
        assert!((50_000_000..50_400_000).contains(&p50), "{p50}");
        assert_eq!(h.percentile_ns(100), Some(100_000_000));
        assert_eq!(Histogram::default().percentile_ns(50), None);
    }
}
