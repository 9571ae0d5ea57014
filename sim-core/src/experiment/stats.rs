//! Averages over seeds: means and ratios of means, with their 95 % confidence intervals.

use crate::metrics::real;
use serde::Serialize;
use sim_measure::student::quantiles;

/// The quantile of one interval.
fn student(freedom: usize) -> f64 {
    quantiles(freedom)[0]
}

/// A number estimated from runs with different seeds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The estimate.
    pub mean: f64,
    /// Half of the 95 % confidence interval; `None` with one seed.
    pub half: Option<f64>,
    /// Seeds.
    pub n: usize,
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / count(values.len())
}

fn count(n: usize) -> f64 {
    real(n as u64)
}

/// The variance of a function of means by the jackknife; `of` are the samples that lose a seed.
fn spread(samples: &[&[f64]], means: &[f64], of: &[usize], f: impl Fn(&[f64]) -> f64) -> f64 {
    let m = samples[of[0]].len();
    let mut again = Vec::new();
    for seed in 0..m {
        let mut left = means.to_vec();
        for k in of {
            // Computed from the remaining values, not by subtraction: equal values must give exactly their mean.
            let mut rest = samples[*k].to_vec();
            if seed < rest.len() {
                rest.remove(seed);
            }
            left[*k] = mean(&rest);
        }
        again.push(f(&left));
    }
    let middle = mean(&again);
    let squares: f64 = again.iter().map(|a| (a - middle) * (a - middle)).sum();
    squares * count(m - 1) / count(m)
}

impl Estimate {
    /// A number that does not depend on the seed.
    #[must_use]
    pub fn exact(value: f64) -> Self {
        Self {
            mean: value,
            half: None,
            n: 1,
        }
    }

    /// The mean over the seeds; NaN without values.
    #[must_use]
    pub fn mean(values: &[f64]) -> Self {
        Self::of_means(&[values], |means| means[0])
    }

    /// The ratio of two means.
    #[must_use]
    pub fn ratio(above: &[f64], below: &[f64]) -> Self {
        Self::of_means(&[above, below], |means| means[0] / means[1])
    }

    /// A function of several means, with its error by the jackknife: the function again without each seed in turn.
    /// Samples of equal length belong together, seed by seed. Other samples vary independently; a sample with a single
    /// value does not vary.
    #[must_use]
    pub fn of_means(samples: &[&[f64]], f: impl Fn(&[f64]) -> f64) -> Self {
        let (mut means, mut varying) = (Vec::new(), Vec::new());
        let (mut n, mut least, mut is_paired) = (0, 0, true);
        for (k, s) in samples.iter().enumerate() {
            means.push(mean(s));
            n = n.max(s.len());
            if s.len() > 1 {
                is_paired &= varying.is_empty() || s.len() == least;
                least = if varying.is_empty() {
                    s.len()
                } else {
                    least.min(s.len())
                };
                varying.push(k);
            }
        }
        let value = f(&means);
        if varying.is_empty() {
            return Self {
                mean: value,
                half: None,
                n,
            };
        }
        let variance = if is_paired {
            spread(samples, &means, &varying, f)
        } else {
            let each = varying.iter();
            each.map(|k| spread(samples, &means, &[*k], &f)).sum()
        };
        Self {
            mean: value,
            half: Some(student(least - 1) * variance.sqrt()),
            n,
        }
    }

    /// Half of the interval if several intervals hold together with 95 %: 1, 3 or 4 of them. `None` with one seed.
    #[must_use]
    pub fn half_of(&self, together: usize) -> Option<f64> {
        let [one, three, four] = quantiles(self.n.checked_sub(1)?);
        let wider = match together {
            1 => one,
            3 => three,
            4 => four,
            _ => f64::NAN,
        };
        self.half.map(|half| half * wider / one)
    }

    /// The estimate in another unit.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self {
            mean: self.mean * factor,
            half: self.half.map(|h| (h * factor).abs()),
            n: self.n,
        }
    }

    /// Ends of the interval; the estimate itself with one seed.
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        let half = self.half.unwrap_or(0.0);
        (self.mean - half, self.mean + half)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-3 * b.abs().max(1.0), "{a} {b}");
    }

    #[test]
    fn the_interval_of_a_mean_is_that_of_the_textbook() {
        // 1 to 5: mean 3, standard deviation sqrt(2.5), standard error 0.70711; times 2.7764.
        let e = Estimate::mean(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        close(e.mean, 3.0);
        close(e.half.expect("several"), 1.96321);
        // Two values: 12.7062 x (difference / 2).
        close(Estimate::mean(&[1.0, 2.0]).half.expect("two"), 6.3531);
    }

    #[test]
    fn one_seed_has_no_interval_and_equal_seeds_a_width_of_nothing() {
        let one = Estimate::mean(&[7.0]);
        assert_eq!((one.mean, one.half, one.n), (7.0, None, 1));
        assert_eq!(Estimate::mean(&[0.1; 5]).half, Some(0.0));
        assert!(Estimate::mean(&[]).mean.is_nan());
    }

    #[test]
    fn the_quantile_is_that_of_the_degrees_of_freedom() {
        close(student(1), 12.7062);
        close(student(19), 2.0930);
        // Between two entries the wider interval counts.
        close(student(24), 2.0860);
        close(student(1_000), 1.9799);
    }

    #[test]
    fn intervals_that_hold_together_are_wider() {
        let e = Estimate {
            mean: 1.0,
            half: Some(2.0930),
            n: 20,
        };
        close(e.half_of(1).expect("several"), 2.0930);
        close(e.half_of(3).expect("several"), 2.6251);
        close(e.half_of(4).expect("several"), 2.7586);
        assert_eq!(Estimate::exact(1.0).half_of(3), None);
    }

    #[test]
    fn a_ratio_of_means_has_the_error_of_the_jackknife() {
        // Ratios without each seed: 7/11, 6/9.5, 5/8 ... computed by hand from a = 2 3 4, b = 4 5 7.
        let e = Estimate::ratio(&[2.0, 3.0, 4.0], &[4.0, 5.0, 7.0]);
        close(e.mean, 9.0 / 16.0);
        let again: [f64; 3] = [7.0 / 12.0, 6.0 / 11.0, 5.0 / 9.0];
        let middle = again.iter().sum::<f64>() / 3.0;
        let squares: f64 = again.iter().map(|a| (a - middle) * (a - middle)).sum();
        close(
            e.half.expect("several"),
            4.3027 * (squares * 2.0 / 3.0).sqrt(),
        );
        // Proportional numbers have no error.
        let same = Estimate::ratio(&[1.0, 2.0, 5.0], &[2.0, 4.0, 10.0]);
        assert_eq!((same.mean, same.half), (0.5, Some(0.0)));
    }

    #[test]
    fn a_single_run_beside_many_does_not_vary() {
        let e = Estimate::ratio(&[1.0, 2.0, 3.0], &[2.0]);
        let alone = Estimate::mean(&[0.5, 1.0, 1.5]);
        close(e.mean, alone.mean);
        close(e.half.expect("several"), alone.half.expect("several"));
    }
}
