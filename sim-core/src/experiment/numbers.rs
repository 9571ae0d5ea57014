//! Functions of lists of numbers and of the runs of all seeds, for the experiments.

use super::stats::Estimate;
use crate::metrics::real;

/// The largest of numbers that are not negative.
pub(super) fn largest(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}

/// Combines all values with `pick`, which takes the smaller or the larger of two. Unlike `f64::min` and `max`, NaN is
/// not lost.
pub(super) fn worst(values: &[f64], pick: fn(f64, f64) -> f64) -> f64 {
    let worse = |a: f64, b: f64| {
        if a.is_nan() || b.is_nan() {
            f64::NAN
        } else {
            pick(a, b)
        }
    };
    values.iter().copied().reduce(worse).unwrap_or(f64::NAN)
}

/// The sum.
pub(super) fn sum(values: &[f64]) -> f64 {
    values.iter().sum()
}

/// The mean.
pub(super) fn mean(values: &[f64]) -> f64 {
    sum(values) / count(values.len())
}

/// A number of items as a float.
pub(super) fn count(n: usize) -> f64 {
    real(n as u64)
}

/// The key of a run: `runs` are the words that its key has with all seeds.
pub(super) fn key(runs: &str, seed: u64) -> String {
    format!("{runs}/{seed}")
}

/// A function of the means of several samples, with its error.
pub(super) fn of_means(samples: &[Vec<f64>], f: impl Fn(&[f64]) -> f64) -> Estimate {
    let all: Vec<&[f64]> = samples.iter().map(Vec::as_slice).collect();
    Estimate::of_means(&all, f)
}
