//! The shape of a drawn line, which is compared before any distance.
//!
//! `p` is the progress of a handle from the first value (0) to the last (1). `q` is its position to the right (by the
//! numbers of the axis, or by handles on an axis of equal factors). The first rule that fits gives the name:
//!
//! | name | rule |
//! |---|---|
//! | `level` | highest and lowest differ by at most a tenth of the axis |
//! | `peak` | the highest handle stands inside, a third of the difference or more above both ends |
//! | `valley` | the lowest handle in the same way below |
//! | `step` | one stretch makes 60 % of the way or more, with at least two handles on each side of it |
//! | `stairs` | two stretches or more of at least 15 % with one of at most 3 % between them |
//! | `line` | `p` lies within 0.13 of `q` everywhere |
//! | `saturation` | `p` runs ahead of `q`, by 0.2 or more somewhere |
//! | `growth` | `p` stays behind `q`, in the same way |
//! | `other` | none of them |
//!
//! Falling and rising lines have the same names.

/// Names of shapes.
pub const SHAPES: [&str; 9] = [
    "level",
    "line",
    "step",
    "stairs",
    "peak",
    "valley",
    "saturation",
    "growth",
    "other",
];

/// The axes of a drawn line.
#[derive(Clone, Debug, PartialEq)]
pub struct Axes {
    /// Positions of the handles, ascending.
    pub at: Vec<f64>,
    /// Whether equal distances to the right are equal factors.
    pub log: bool,
    /// Height of the picture, in the unit of the values.
    pub height: f64,
}

/// The shape of a line through values at the handles; `other` with fewer than three of them.
#[must_use]
pub fn shape(values: &[f64], axes: &Axes) -> &'static str {
    let n = values.len().min(axes.at.len());
    if n < 3 {
        return "other";
    }
    let values = &values[..n];
    let (first, last) = (values[0], values[n - 1]);
    let (low, high) = values
        .iter()
        .fold((first, first), |(l, h), v| (l.min(*v), h.max(*v)));
    if high - low <= axes.height / 10.0 {
        return "level";
    }
    let third = (high - low) / 3.0;
    if high - first.max(last) >= third {
        return "peak";
    }
    if first.min(last) - low >= third {
        return "valley";
    }
    let way = last - first;
    let p: Vec<f64> = values.iter().map(|v| (v - first) / way).collect();
    let stretches: Vec<f64> = p.windows(2).map(|w| (w[1] - w[0]).abs()).collect();
    let mut jumps = stretches.iter().enumerate();
    if jumps.any(|(i, d)| *d >= 0.6 && i >= 1 && i + 3 <= n) {
        return "step";
    }
    if is_stairs(&stretches) {
        return "stairs";
    }
    let q = along(&axes.at[..n], axes.log);
    let ahead: Vec<f64> = p.iter().zip(&q).map(|(p, q)| p - q).collect();
    let most = ahead.iter().fold(0.0_f64, |a, d| a.max(*d));
    let least = ahead.iter().fold(0.0_f64, |a, d| a.min(*d));
    if most <= 0.13 && least >= -0.13 {
        "line"
    } else if most >= 0.2 && least >= -0.1 {
        "saturation"
    } else if least <= -0.2 && most <= 0.1 {
        "growth"
    } else {
        "other"
    }
}

fn is_stairs(stretches: &[f64]) -> bool {
    let large = |d: &f64| *d >= 0.15;
    let first = stretches.iter().position(large);
    let last = stretches.iter().rposition(large);
    match (first, last) {
        (Some(a), Some(b)) if b > a + 1 => stretches[a + 1..b].iter().any(|d| *d <= 0.03),
        _ => false,
    }
}

/// The position of each handle to the right, from 0 to 1. On an axis of equal factors handles are evenly spaced.
fn along(at: &[f64], log: bool) -> Vec<f64> {
    let last = at.len() - 1;
    let whole = at[last] - at[0];
    let even = |i: usize| sim_run::metrics::real(i as u64) / sim_run::metrics::real(last as u64);
    (0..at.len())
        .map(|i| {
            if log || whole <= 0.0 {
                even(i)
            } else {
                (at[i] - at[0]) / whole
            }
        })
        .collect()
}

/// The mean distance of two lines, as a part of the height.
#[must_use]
pub fn distance(a: &[f64], b: &[f64], axes: &Axes) -> f64 {
    let n = a.len().min(b.len()).max(1);
    let sum: f64 = a.iter().zip(b).map(|(x, y)| (x - y).abs()).sum();
    sum / sim_run::metrics::real(n as u64) / axes.height
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(values: &[f64], log: bool) -> &'static str {
        let n = u32::try_from(values.len()).expect("few");
        let axes = Axes {
            at: (0..n).map(f64::from).collect(),
            log,
            height: 4.0,
        };
        shape(values, &axes)
    }

    #[test]
    fn lines_have_the_shapes_that_people_see() {
        for (values, name) in [
            (&[1.0, 1.1, 1.2, 1.2, 1.1][..], "level"),
            (&[0.56, 0.8, 0.8, 0.8, 2.55, 2.58, 2.6], "step"),
            (
                &[1.0, 1.0, 1.12, 1.12, 1.61, 1.61, 2.98, 3.49, 3.92],
                "stairs",
            ),
            (&[0.0, 1.0, 2.0, 3.0, 4.0], "line"),
            (&[4.0, 3.1, 2.0, 0.9, 0.0], "line"),
            (&[4.0, 1.5, 0.6, 0.2, 0.0], "saturation"),
            (&[0.0, 0.2, 0.6, 1.5, 4.0], "growth"),
            (&[0.0, 3.0, 1.0, 0.5, 0.0], "peak"),
            (&[4.0, 1.0, 0.5, 2.0, 4.0], "valley"),
            (&[0.0, 4.0], "other"),
        ] {
            assert_eq!(named(values, false), name, "{values:?}");
        }
    }
}
