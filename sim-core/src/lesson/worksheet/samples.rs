//! Sample answers to a question, to print the lesson's feedback to each.

use crate::lesson::format::Question;
use crate::metrics::real;
use serde_json::Value;

/// Number of values of a range that are tried.
const STEPS: u64 = 60;
/// Largest number of orders that are tried.
const ORDERS: usize = 120;

/// Answers of all kinds: every option, numbers over the whole range, orders, lines of many shapes.
pub(super) fn answers(question: &Question) -> Vec<Value> {
    match question {
        Question::Choice { options, .. } => (1..=options.len()).map(Value::from).collect(),
        Question::Number { min, max, .. } => {
            let at = |i| min + (max - min) * real(i) / real(STEPS);
            (0..=STEPS).map(|i| Value::from(at(i))).collect()
        }
        Question::Order { items } => orders(items.len()),
        Question::Curve { y, at, .. } => lines(at.len(), y.min, y.max),
    }
}

/// Orders of n items, counted from 1.
fn orders(n: usize) -> Vec<Value> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..n {
        let longer = all.iter().flat_map(|order| {
            let free = (1..=n).filter(|i| !order.contains(i));
            free.map(|i| [order.as_slice(), &[i]].concat())
        });
        all = longer.take(ORDERS).collect();
    }
    all.into_iter().map(Value::from).collect()
}

/// Rising and falling lines: straight, bent, with a step, level.
fn lines(n: usize, min: f64, max: f64) -> Vec<Value> {
    let part = |i: usize| real(i as u64) / real(n.saturating_sub(1).max(1) as u64);
    let half = |i: usize| f64::from(u8::from(i * 2 >= n));
    let shapes: [&dyn Fn(usize) -> f64; 6] = [
        &|i| part(i),
        &|i| part(i) * part(i) * part(i),
        &|i| 1.0 - (1.0 - part(i)) * (1.0 - part(i)) * (1.0 - part(i)),
        &half,
        &|i| f64::from(u8::from(i >= n / 3)) * 0.5 + f64::from(u8::from(i >= n * 2 / 3)) * 0.5,
        &|_| 0.3,
    ];
    let mut all = Vec::new();
    for falls in [false, true] {
        for shape in shapes {
            let at = |i| {
                let p = if falls { 1.0 - shape(i) } else { shape(i) };
                Value::from(min + p * (max - min))
            };
            all.push(Value::Array((0..n).map(at).collect()));
        }
    }
    all
}
