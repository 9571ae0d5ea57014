//! Functions of lists of numbers and of the runs of all seeds, for the experiments.
//!
//! Nothing here or in the experiments is generic, and few iterators are chained. Each chain of closures becomes a
//! separate function in the package that the page loads; a loop over a slice does not.

use super::results::{Results, Seen};
use super::stats::Estimate;
use crate::metrics::real;
use std::ops::Range;

/// The largest of numbers that are not negative.
pub(super) fn largest(values: &[f64]) -> f64 {
    let mut most = 0.0_f64;
    for value in values {
        most = most.max(*value);
    }
    most
}

/// The smallest number; infinite for an empty list.
pub(super) fn smallest(values: &[f64]) -> f64 {
    let mut least = f64::INFINITY;
    for value in values {
        least = least.min(*value);
    }
    least
}

/// Combines all values with `pick`, which takes the smaller or the larger of two. Unlike `f64::min` and `max`, NaN is
/// not lost.
pub(super) fn worst(values: &[f64], pick: fn(f64, f64) -> f64) -> f64 {
    let mut worst = values.first().copied().unwrap_or(f64::NAN);
    for value in values {
        worst = if worst.is_nan() || value.is_nan() {
            f64::NAN
        } else {
            pick(worst, *value)
        };
    }
    worst
}

/// The sum.
pub(super) fn sum(values: &[f64]) -> f64 {
    values.iter().sum()
}

/// The mean.
pub(super) fn mean(values: &[f64]) -> f64 {
    sum(values) / count(values.len())
}

/// Sorts a few numbers.
pub(super) fn ascending(values: &mut [f64]) {
    for from in 1..values.len() {
        let mut i = from;
        while i > 0 && values[i - 1] > values[i] {
            values.swap(i - 1, i);
            i -= 1;
        }
    }
}

/// A number of items as a float.
pub(super) fn count(n: usize) -> f64 {
    real(n as u64)
}

/// Whether two counts are the same.
pub(super) fn same(a: f64, b: f64) -> bool {
    (a - b).abs() < 0.5
}

/// The seeds of runs.
pub(super) fn all_seeds(seeds: u64) -> Range<u64> {
    1..seeds + 1
}

/// The key of a run: `runs` are the words that its key has with all seeds.
#[inline(never)]
pub(super) fn key(runs: &str, seed: u64) -> String {
    format!("{runs}/{seed}")
}

/// A value of each of these runs that was made, in the order of the seeds.
#[inline(never)]
pub(super) fn samples(
    results: &Results,
    runs: &str,
    seeds: u64,
    value: &dyn Fn(&Seen) -> f64,
) -> Vec<f64> {
    let mut all = Vec::new();
    for seed in all_seeds(seeds) {
        if let Some(seen) = results.find(&key(runs, seed)) {
            all.push(value(seen));
        }
    }
    all
}

/// The mean of [`samples`].
#[inline(never)]
pub(super) fn mean_of(
    results: &Results,
    runs: &str,
    seeds: u64,
    value: &dyn Fn(&Seen) -> f64,
) -> Estimate {
    Estimate::mean(&samples(results, runs, seeds, value))
}

/// The keys of these runs that were made.
#[inline(never)]
pub(super) fn keys(results: &Results, runs: &str, seeds: u64) -> Vec<String> {
    let mut all = Vec::new();
    for seed in all_seeds(seeds) {
        let key = key(runs, seed);
        if results.find(&key).is_some() {
            all.push(key);
        }
    }
    all
}

/// A function of the means of several samples, with its error.
#[inline(never)]
pub(super) fn of_means(samples: &[Vec<f64>], f: &dyn Fn(&[f64]) -> f64) -> Estimate {
    let mut all: Vec<&[f64]> = Vec::new();
    for sample in samples {
        all.push(sample);
    }
    Estimate::of_means(&all, f)
}
