//! Student's t, by which an interval of a mean is as wide as its few values ask for.

use sim_run::metrics::real;

/// Two-sided 95 % quantiles of Student's t by degrees of freedom: for one interval, and for three and four intervals
/// that hold together (Bonferroni: 1 - 0.05/3 and 1 - 0.05/4). Computed with the distribution's formula, four digits.
const STUDENT: [(usize, [f64; 3]); 25] = [
    (1, [12.7062, 38.1885, 50.9230]),
    (2, [4.3027, 7.6488, 8.8602]),
    (3, [3.1824, 4.8567, 5.3919]),
    (4, [2.7764, 3.9608, 4.3147]),
    (5, [2.5706, 3.5341, 3.8100]),
    (6, [2.4469, 3.2875, 3.5212]),
    (7, [2.3646, 3.1276, 3.3353]),
    (8, [2.3060, 3.0158, 3.2060]),
    (9, [2.2622, 2.9333, 3.1109]),
    (10, [2.2281, 2.8701, 3.0382]),
    (11, [2.2010, 2.8200, 2.9809]),
    (12, [2.1788, 2.7795, 2.9345]),
    (13, [2.1604, 2.7459, 2.8961]),
    (14, [2.1448, 2.7178, 2.8640]),
    (15, [2.1314, 2.6937, 2.8366]),
    (16, [2.1199, 2.6730, 2.8131]),
    (17, [2.1098, 2.6550, 2.7925]),
    (18, [2.1009, 2.6391, 2.7745]),
    (19, [2.0930, 2.6251, 2.7586]),
    (20, [2.0860, 2.6126, 2.7444]),
    (25, [2.0595, 2.5660, 2.6916]),
    (30, [2.0423, 2.5357, 2.6574]),
    (40, [2.0211, 2.4989, 2.6157]),
    (60, [2.0003, 2.4630, 2.5752]),
    (120, [1.9799, 2.4280, 2.5359]),
];

/// The quantiles for degrees of freedom. Between two entries of the table the lower entry counts, which gives the wider
/// interval.
#[must_use]
pub fn quantiles(freedom: usize) -> [f64; 3] {
    let lower = STUDENT.iter().rfind(|(known, _)| *known <= freedom);
    lower.map_or([f64::NAN; 3], |(_, t)| *t)
}

/// The mean of values, and half of its 95 % confidence interval, as if the values did not depend on each other; nothing with
/// fewer than two values.
#[must_use]
pub fn interval(values: &[f64]) -> Option<(f64, f64)> {
    let freedom = values.len().checked_sub(1).filter(|freedom| *freedom > 0)?;
    let n = real(values.len() as u64);
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|x| (x - mean) * (x - mean)).sum();
    let [t, ..] = quantiles(freedom);
    // A square root is exact to the last bit on every platform.
    Some((mean, t * (squares / (n - 1.0) / n).sqrt()))
}
