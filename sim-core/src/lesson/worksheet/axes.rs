//! Axes to draw a line into, and a line between them.

use super::html::escape;
use crate::lesson::format::Axis;
use crate::metrics::real;
use std::fmt::Write;

/// Corners of the field inside the drawing, in px.
const LEFT: f64 = 52.0;
const RIGHT: f64 = 660.0;
const TOP: f64 = 8.0;
const BOTTOM: f64 = 178.0;

/// Axes with a guide at each handle; with values, also the line through them.
pub(super) fn axes(x: &Axis, y: &Axis, at: &[f64], values: &[f64]) -> String {
    let places = places(x, at);
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 680 212\" width=\"680\" height=\"212\" role=\"img\" aria-label=\"",
    );
    let _ = write!(svg, "{}: {}\">", escape(&x.label), escape(&y.label));
    for (place, at) in places.iter().zip(at) {
        let _ = write!(
            svg,
            "<path d=\"M{place:.1} {TOP}V{BOTTOM}\" stroke=\"#000\" stroke-width=\"0.4\" stroke-dasharray=\"2 3\"/><text x=\"{place:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            BOTTOM + 13.0,
            number(*at)
        );
    }
    for i in 0..=4_u64 {
        let part = real(i) / 4.0;
        let height = BOTTOM - part * (BOTTOM - TOP);
        let _ = write!(
            svg,
            "<path d=\"M{LEFT} {height:.1}H{RIGHT}\" stroke=\"#000\" stroke-width=\"0.3\" stroke-dasharray=\"1 4\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 4.0,
            height + 3.0,
            number(y.min + part * (y.max - y.min))
        );
    }
    let _ = write!(
        svg,
        "<path d=\"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}\" fill=\"none\" stroke=\"#000\" stroke-width=\"1.2\"/><text x=\"{RIGHT}\" y=\"208\" text-anchor=\"end\">{}</text><text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
        titled(x),
        LEFT + 6.0,
        TOP + 8.0,
        titled(y)
    );
    line(&mut svg, y, &places, values);
    svg.push_str("</svg>\n");
    svg
}

fn line(svg: &mut String, y: &Axis, places: &[f64], values: &[f64]) {
    let height = |v: f64| BOTTOM - (v - y.min) / (y.max - y.min) * (BOTTOM - TOP);
    let mut path = String::new();
    for (place, value) in places.iter().zip(values) {
        let command = if path.is_empty() { 'M' } else { 'L' };
        let _ = write!(path, "{command}{place:.1} {:.1}", height(*value));
    }
    if !path.is_empty() {
        let _ = write!(
            svg,
            "<path d=\"{path}\" fill=\"none\" stroke=\"#000\" stroke-width=\"1.8\"/>"
        );
    }
}

/// Positions of the handles. On an axis of equal factors they are evenly spaced.
fn places(x: &Axis, at: &[f64]) -> Vec<f64> {
    let last = at.len().saturating_sub(1).max(1) as u64;
    let part = |i: usize, v: f64| {
        if x.log || x.max <= x.min {
            (real(i as u64) + 0.3) / (real(last) + 0.6)
        } else {
            (v - x.min) / (x.max - x.min)
        }
    };
    let all = at.iter().enumerate();
    all.map(|(i, v)| LEFT + part(i, *v) * (RIGHT - LEFT))
        .collect()
}

fn titled(axis: &Axis) -> String {
    let unit = match axis.unit.as_str() {
        "" => return escape(&axis.label),
        "us" => "µs",
        unit => unit,
    };
    format!("{} ({})", escape(&axis.label), escape(unit))
}

/// A number of an axis: an integer, or with two decimals.
pub(super) fn number(n: f64) -> String {
    if n.fract() == 0.0 {
        format!("{n:.0}")
    } else {
        format!("{n:.2}")
    }
}
