//! Functions of lists and numbers.

use super::Result;
use super::arguments::{Bound, whole};
use crate::evaluate::Evaluator;
use crate::expression::{Argument, ExpressionError};
use crate::quantity::{self, Kind, Quantity};
use crate::student;
use sim_run::metrics::real;
use std::cmp::Ordering;

pub(super) fn call(e: &mut Evaluator<'_>, name: &str, bound: &Bound<'_>) -> Result {
    let list = bound.list(e, "list")?;
    let wrong = |message: String| bound.wrong("list", message);
    let item = |i: usize| Quantity::count(i as u64 + 1);
    Ok(match name {
        "nearest" => {
            let x = bound.value(e, "x")?.unwrap_or(Quantity::Missing);
            nearest(&x, &list)
                .map_err(wrong)?
                .map_or(Quantity::Missing, item)
        }
        "rank" => Quantity::List(rank(&list).map_err(wrong)?.into_iter().map(item).collect()),
        "argmin" => best(&list, Ordering::Less)
            .map_err(wrong)?
            .map_or(Quantity::Missing, item),
        "argmax" => best(&list, Ordering::Greater)
            .map_err(wrong)?
            .map_or(Quantity::Missing, item),
        "missing" => {
            let is_none = |q: &Quantity| match q {
                Quantity::Missing | Quantity::Flag(false) => true,
                Quantity::Number(x, _) => *x == 0.0,
                _ => false,
            };
            list.iter()
                .position(is_none)
                .map_or(Quantity::Missing, item)
        }
        "p" => {
            let percent = match bound.value(e, "percent")? {
                Some(Quantity::Number(x, Kind::Share)) => x * 100.0,
                Some(Quantity::Number(x, kind)) if kind != Kind::Time => x,
                _ => return Err(bound.wrong("percent", "must be a number from 0 to 100")),
            };
            if !(0.0..=100.0).contains(&percent) {
                return Err(bound.wrong("percent", "must be a number from 0 to 100"));
            }
            percentile(&list, percent).map_err(wrong)?
        }
        "cdf" => {
            let x = bound.value(e, "x")?.unwrap_or(Quantity::Missing);
            let mut below = 0_u64;
            for item in &list {
                let order = quantity::compare(item, &x).map_err(wrong)?;
                below += u64::from(order.is_some_and(Ordering::is_le));
            }
            Quantity::number(real(below) / real(list.len() as u64), Kind::Share)
        }
        "histogram" => {
            let parts = bound.whole(e, "n")?.and_then(|n| usize::try_from(n).ok());
            let parts = parts.filter(|n| (1..=MOST_PARTS).contains(n));
            let Some(parts) = parts else {
                let message = format!("must be a whole number from 1 to {MOST_PARTS}");
                return Err(bound.wrong("n", message));
            };
            histogram(&list, parts).map_err(wrong)?
        }
        "ci" => interval(&list).map_err(wrong)?,
        "length" => Quantity::count(list.len() as u64),
        "first" => list.into_iter().next().unwrap_or(Quantity::Missing),
        "last" => list.into_iter().next_back().unwrap_or(Quantity::Missing),
        _ => {
            let n = bound.whole(e, "n")?.and_then(|n| usize::try_from(n).ok());
            let found = n.and_then(|n| list.get(n.checked_sub(1)?));
            found.cloned().unwrap_or(Quantity::Missing)
        }
    })
}

/// Position of the item nearest to a number.
fn nearest(x: &Quantity, list: &[Quantity]) -> std::result::Result<Option<usize>, String> {
    let mut found: Option<(f64, usize)> = None;
    for (i, item) in list.iter().enumerate() {
        let Quantity::Number(d, _) = quantity::sum(x, item, -1.0)? else {
            continue;
        };
        if found.is_none_or(|(least, _)| d.abs() < least) {
            found = Some((d.abs(), i));
        }
    }
    Ok(found.map(|(_, i)| i))
}

/// Positions of the items in ascending order. Missing items come last; equal items keep their order.
fn rank(list: &[Quantity]) -> std::result::Result<Vec<usize>, String> {
    let mut order: Vec<usize> = (0..list.len()).collect();
    let mut wrong = None;
    order.sort_by(|a, b| {
        let (a, b) = (&list[*a], &list[*b]);
        match quantity::compare(a, b) {
            Ok(Some(order)) => order,
            Ok(None) => (*a == Quantity::Missing).cmp(&(*b == Quantity::Missing)),
            Err(message) => {
                wrong.get_or_insert(message);
                Ordering::Equal
            }
        }
    });
    wrong.map_or(Ok(order), Err)
}

/// The nearest-rank percentile: the smallest item that so many per cent of the items do not exceed.
fn percentile(list: &[Quantity], percent: f64) -> std::result::Result<Quantity, String> {
    let order = rank(list)?;
    let n = order.len();
    // Rounded up: of three items, 50 % are two.
    let most = (real(n as u64) * percent / 100.0).ceil();
    let place = (1..=n).find(|k| real(*k as u64) >= most);
    Ok(place.map_or(Quantity::Missing, |k| list[order[k - 1]].clone()))
}

/// Most parts of a histogram.
const MOST_PARTS: usize = 1_000;

/// The numbers of a list, without those that are missing, and their kind; `None` without numbers.
fn numbers(list: &[Quantity]) -> std::result::Result<Option<(Vec<f64>, Kind)>, String> {
    let mut all = Vec::new();
    let mut of = None;
    for item in list {
        match item {
            Quantity::Missing => {}
            Quantity::Number(x, kind) => {
                if *of.get_or_insert(*kind) != *kind {
                    return Err("has numbers of different kinds".to_owned());
                }
                all.push(*x);
            }
            other => return Err(format!("calculates with {}", other.name())),
        }
    }
    Ok(of.map(|kind| (all, kind)))
}

/// Number of items in each of some equal parts between the smallest and the largest; the last part has its upper end.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // from 0 to the number of parts
fn histogram(list: &[Quantity], parts: usize) -> std::result::Result<Quantity, String> {
    let Some((all, _)) = numbers(list)? else {
        return Ok(Quantity::Missing);
    };
    let low = all.iter().copied().fold(f64::INFINITY, f64::min);
    let high = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut counts = vec![0_u64; parts];
    for x in all {
        let along = (x - low) / (high - low) * real(parts as u64);
        // Not a number where all items are equal: then they are in the first part.
        counts[(along as usize).min(parts - 1)] += 1;
    }
    Ok(Quantity::List(
        counts.into_iter().map(Quantity::count).collect(),
    ))
}

/// The ends of the 95 % confidence interval of the mean; nothing with fewer than two items.
fn interval(list: &[Quantity]) -> std::result::Result<Quantity, String> {
    let Some((all, kind)) = numbers(list)? else {
        return Ok(Quantity::Missing);
    };
    let Some((mean, half)) = student::interval(&all) else {
        return Ok(Quantity::Missing);
    };
    let ends = [mean - half, mean + half];
    Ok(Quantity::List(
        ends.map(|x| Quantity::number(x, kind)).to_vec(),
    ))
}

/// Position of the first item that is less (or greater) than all others.
fn best(list: &[Quantity], wanted: Ordering) -> std::result::Result<Option<usize>, String> {
    let mut found: Option<usize> = None;
    for (i, item) in list.iter().enumerate() {
        let is_better = match found {
            None => *item != Quantity::Missing,
            Some(b) => quantity::compare(item, &list[b])? == Some(wanted),
        };
        if is_better {
            found = Some(i);
        }
    }
    Ok(found)
}

pub(super) fn of_many(
    e: &mut Evaluator<'_>,
    column: usize,
    name: &str,
    arguments: &[Argument],
) -> Result {
    let list = match arguments {
        [one] => e.list(one)?,
        all => {
            let all: Result<Vec<Quantity>> = all.iter().map(|a| e.value(&a.value)).collect();
            all?
        }
    };
    let wrong = |message: String| ExpressionError::new(column, message);
    let at = |i: Option<usize>| i.map_or(Quantity::Missing, |i| list[i].clone());
    match name {
        "min" => Ok(at(best(&list, Ordering::Less).map_err(wrong)?)),
        "max" => Ok(at(best(&list, Ordering::Greater).map_err(wrong)?)),
        _ => {
            let mut all = list.iter();
            let Some(first) = all.next() else {
                return Ok(Quantity::Missing);
            };
            let sum = all.try_fold(first.clone(), |sum, q| quantity::sum(&sum, q, 1.0));
            let sum = sum.map_err(wrong)?;
            if name == "sum" {
                return Ok(sum);
            }
            let n = Quantity::Number(real(list.len() as u64), Kind::Number);
            quantity::quotient(&sum, &n).map_err(wrong)
        }
    }
}

pub(super) fn of_one(e: &mut Evaluator<'_>, name: &str, bound: &Bound<'_>) -> Result {
    match name {
        "if" => {
            let is = e.flag(bound.expression("condition"))?;
            // Both are evaluated, so that the facts that both need are gathered in the same pass.
            let a = e.value(bound.expression("a"))?;
            let b = e.value(bound.expression("b"))?;
            Ok(match is {
                Some(true) => a,
                Some(false) => b,
                None => Quantity::Missing,
            })
        }
        "exists" => {
            let x = e.value(bound.expression("x"))?;
            Ok(Quantity::Flag(x != Quantity::Missing))
        }
        _ => number(e, name, bound),
    }
}

#[allow(clippy::cast_precision_loss)] // whole numbers of a lesson are exact in a double
fn number(e: &mut Evaluator<'_>, name: &str, bound: &Bound<'_>) -> Result {
    let (x, kind) = match e.value(bound.expression("x"))? {
        Quantity::Missing => return Ok(Quantity::Missing),
        Quantity::Number(x, kind) => (x, kind),
        other => return Err(bound.wrong("x", format!("expected a number, found {}", other.name()))),
    };
    if name == "abs" {
        return Ok(Quantity::Number(x.abs(), kind));
    }
    let step = match bound.value(e, "step")? {
        Some(Quantity::Number(step, of)) if (of == Kind::Time) == (kind == Kind::Time) => step,
        None if kind != Kind::Time => 1.0,
        _ => return Err(bound.wrong("step", "must be a number of the same kind, such as 1ms")),
    };
    if step <= 0.0 {
        return Err(bound.wrong("step", "must be more than 0"));
    }
    Ok(Quantity::number(whole(x / step) as f64 * step, kind))
}
