//! Functions of one run: its columns, at the end and at each reading.

use super::functions::{self, Function};
use super::place::{Place, number_at, plain, word};
use crate::experiment::results::Seen;
use sim_measure::expression::{Argument, ExpressionError};
use sim_measure::quantity::Quantity;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

/// The result of a run, and what the names of the file mean for it.
pub(super) struct OfRun<'a> {
    seen: &'a Seen,
    known: RefCell<BTreeMap<String, Quantity>>,
}

/// A reading of a run.
pub(super) struct Reading {
    /// Its position, from 0.
    at: usize,
    /// Whether something depended on it.
    is_used: Cell<bool>,
}

type Outcome = Result<Quantity, ExpressionError>;

impl<'a> OfRun<'a> {
    pub(super) fn new(seen: &'a Seen) -> Self {
        let known = RefCell::default();
        Self { seen, known }
    }

    /// The same run, in which names may mean something else.
    pub(super) fn again(&self) -> Self {
        Self::new(self.seen)
    }

    /// The value of a name. It is computed once for all readings if it depends on none of them.
    pub(super) fn known(
        &self,
        name: &str,
        reading: Option<&Reading>,
        compute: impl FnOnce() -> Result<Quantity, String>,
    ) -> Result<Quantity, String> {
        if let Some(value) = self.known.borrow().get(name) {
            return Ok(value.clone());
        }
        let was_used = reading.is_some_and(|r| r.is_used.replace(false));
        let value = compute()?;
        match reading {
            Some(reading) if reading.is_used.get() => {}
            _ => {
                let mut known = self.known.borrow_mut();
                known.insert(name.to_owned(), value.clone());
            }
        }
        if let (Some(reading), true) = (reading, was_used) {
            reading.is_used.set(true);
        }
        Ok(value)
    }
}

/// The positions of the columns of a name, in which `*` stands for any text.
fn positions(columns: &[String], name: &str) -> Vec<usize> {
    let all = columns.iter().enumerate();
    let Some((start, end)) = name.split_once('*') else {
        return all.filter(|(_, c)| *c == name).map(|(i, _)| i).collect();
    };
    let fits = |column: &str| {
        let rest = column.strip_prefix(start);
        rest.is_some_and(|rest| rest.ends_with(end))
    };
    all.filter(|(_, c)| fits(c)).map(|(i, _)| i).collect()
}

impl Place<'_, '_> {
    pub(super) fn of_run(
        &self,
        run: &OfRun<'_>,
        column: usize,
        f: &Function,
        arguments: &[Argument],
    ) -> Outcome {
        let seen = run.seen;
        let last = seen.looked().checked_sub(1);
        match f.name {
            "end" => self.column(seen, &arguments[0], |place| match last {
                Some(last) => seen.at(last, place),
                None => f64::NAN,
            }),
            "grown" => self.column(seen, &arguments[0], |place| match last {
                Some(last) => seen.at(last, place) - seen.at(0, place),
                None => f64::NAN,
            }),
            "readings" | "reading" | "firstReading" | "lastReading" => {
                self.at_readings(seen, f.name, arguments)
            }
            "now" | "before" => {
                let Some(reading) = self.reading() else {
                    let message = format!("{} stands within readings(…)", f.usage);
                    return Err(ExpressionError::new(column, message));
                };
                reading.is_used.set(true);
                let back = match (f.name, arguments.get(1)) {
                    ("now", _) => 0,
                    (_, None) => 1,
                    (_, Some(n)) => self.count(n)?,
                };
                let at = reading.at.checked_sub(back);
                self.column(seen, &arguments[0], |place| {
                    at.map_or(0.0, |at| seen.at(at, place))
                })
            }
            _ => {
                let [owed, ahead] = functions::lags(seen, &self.numbers(&arguments[0])?);
                Ok(plain(if f.name == "owed" { owed } else { ahead }))
            }
        }
    }

    /// The value of a column, or of all columns of a name with `*`.
    fn column(&self, seen: &Seen, argument: &Argument, of: impl Fn(usize) -> f64) -> Outcome {
        let named = word(argument).unwrap_or_default();
        // A word of an axis may name the column.
        let name = self.text_of(named).unwrap_or(named);
        let places = positions(&seen.columns, name);
        if places.is_empty() {
            let known = seen.columns.iter().map(String::as_str);
            let message = super::one_of("the column", known, name);
            return Err(ExpressionError::new(argument.value.column, message));
        }
        let mut values = places.into_iter().map(|place| plain(of(place)));
        Ok(match name.contains('*') {
            true => Quantity::List(values.collect()),
            false => values.next().unwrap_or(Quantity::Missing),
        })
    }

    fn at_readings(&self, seen: &Seen, name: &str, arguments: &[Argument]) -> Outcome {
        let n = seen.looked();
        let at = |at: usize, x: &Argument| {
            let is_used = Cell::new(false);
            let reading = Reading { at, is_used };
            self.at_reading(&reading).value(x)
        };
        let is_true = |i: &usize| match at(*i, &arguments[0]) {
            Ok(Quantity::Flag(is)) => Ok(is),
            Ok(Quantity::Missing) => Ok(false),
            Ok(other) => {
                let message = format!("expected true or false, found {}", other.name());
                Err(ExpressionError::new(arguments[0].value.column, message))
            }
            Err(e) => Err(e),
        };
        // The first one that is true, or that cannot be computed.
        let is_found = |i: &usize| is_true(i).unwrap_or(true);
        let found = match name {
            "reading" => {
                let at_n = self.count(&arguments[0])?.checked_sub(1);
                return match at_n.filter(|i| *i < n) {
                    Some(i) => at(i, &arguments[1]),
                    None => Ok(Quantity::Missing),
                };
            }
            "readings" => return self.all_readings(n, arguments, at),
            "firstReading" => (0..n).find(is_found),
            _ => (0..n).rev().find(is_found),
        };
        let Some(found) = found else {
            return Ok(Quantity::Missing);
        };
        is_true(&found)?;
        Ok(Quantity::count(found as u64 + 1))
    }

    fn all_readings(
        &self,
        n: usize,
        arguments: &[Argument],
        at: impl Fn(usize, &Argument) -> Outcome,
    ) -> Outcome {
        let mut ends = [1, n];
        for (end, argument) in ends.iter_mut().zip(&arguments[1..]) {
            if number_at(argument, &self.value(argument)?)?.is_nan() {
                return Ok(Quantity::Missing);
            }
            *end = self.count(argument)?;
        }
        let [from, to] = ends;
        let all = (from.max(1)..=to.min(n)).map(|i| at(i - 1, &arguments[0]));
        Ok(Quantity::List(all.collect::<Result<_, _>>()?))
    }
}
