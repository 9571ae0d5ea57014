//! The value of expressions at a place: with these values of the axes, and the results of runs.

use super::functions::{self, Function};
use super::readings::{OfRun, Reading};
use super::{Data, Told};
use crate::experiment::claims::Effort;
use crate::experiment::numbers::{mean, of_means, worst};
use crate::experiment::published;
use crate::experiment::results::Results;
use crate::experiment::stats::Estimate;
use crate::metrics::real;
use serde_json::{Map, Value};
use sim_measure::evaluate::{Own, calculate};
use sim_measure::expression::{Argument, ExpressionError, Node};
use sim_measure::quantity::{Kind, Quantity};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

/// The values of the axes at a place.
#[derive(Clone, Debug, Default)]
pub(super) struct Bound {
    pub(super) words: BTreeMap<String, Value>,
    /// The properties that the values of the axes set, by axis.
    pub(super) sets: BTreeMap<String, Map<String, Value>>,
}

impl Bound {
    /// The words of the effort.
    pub(super) fn new(effort: Effort) -> Self {
        let mut bound = Self::default();
        for (word, n) in [("seeds", effort.seeds), ("seconds", effort.seconds)] {
            bound.words.insert(word.to_owned(), n.into());
        }
        bound
    }

    /// Takes a value of an axis.
    pub(super) fn bind(&mut self, axis: &str, value: &Value) {
        let axis = super::word_of(axis);
        self.sets.remove(axis);
        let Value::Object(fields) = value else {
            self.words.insert(axis.to_owned(), value.clone());
            return;
        };
        for (word, value) in fields {
            match value {
                Value::Object(set) if word == "set" => {
                    self.sets.insert(axis.to_owned(), set.clone());
                }
                value => {
                    self.words.insert(word.clone(), value.clone());
                }
            }
        }
    }

    /// A word as text.
    pub(super) fn text(&self, word: &str) -> String {
        self.words.get(word).map_or_else(String::new, text)
    }
}

/// A value as part of a text.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// What is done with the runs that an expression asks for.
enum Doing<'a> {
    /// They are noted.
    Asking,
    /// Their values are read, and their means given.
    Reading(&'a Results),
    /// The same, but other means are given, in the order in which the runs are asked for.
    Given(&'a Results, Vec<f64>),
}

/// A run that an expression asks for, without its seed.
pub(super) struct Asked<'a> {
    pub(super) runs: &'a str,
    pub(super) bound: Bound,
    /// A value for each seed with a result.
    samples: Vec<Option<f64>>,
}

struct Asks<'a> {
    doing: Doing<'a>,
    asked: RefCell<Vec<Asked<'a>>>,
    /// Of the first run that is asked for, the keys that have results.
    keys: RefCell<Option<Vec<String>>>,
    next: Cell<usize>,
}

impl<'a> Asks<'a> {
    fn new(doing: Doing<'a>) -> Self {
        Self {
            doing,
            asked: RefCell::default(),
            keys: RefCell::default(),
            next: Cell::new(0),
        }
    }
}

/// An estimate, and the runs behind it.
pub(super) struct Found {
    /// Not a number for a list.
    pub(super) estimate: Estimate,
    /// The items of a list, if it gives one.
    pub(super) items: Option<Vec<f64>>,
    /// Those of the first run that the expression asks for.
    pub(super) keys: Vec<String>,
    /// Whether every run that it asks for has a result with some seed.
    pub(super) is_there: bool,
}

/// Where expressions are evaluated.
pub(super) struct Place<'a, 'b> {
    data: &'a Data,
    bound: &'b Bound,
    asks: &'b Asks<'a>,
    /// The run within `in`.
    run: Option<&'b OfRun<'b>>,
    /// Its reading within `readings`.
    reading: Option<&'b Reading>,
    depth: usize,
}

/// Most names of expressions within each other.
const DEPTH: usize = 20;

type Outcome = Result<Quantity, ExpressionError>;

impl Data {
    /// Evaluates an expression.
    fn calculate<'a>(&'a self, bound: &Bound, asks: &Asks<'a>, text: &str) -> Told<Quantity> {
        let place = Place {
            data: self,
            bound,
            asks,
            run: None,
            reading: None,
            depth: 0,
        };
        calculate(&place, self.parsed(text)?).map_err(|e| format!("{text}: {e}"))
    }

    /// An expression without runs: a place, a time, a published number.
    pub(super) fn plain(&self, bound: &Bound, text: &str) -> Told<Quantity> {
        self.calculate(bound, &Asks::new(Doing::Asking), text)
    }

    /// Its number; NaN if there is none.
    pub(super) fn number(&self, bound: &Bound, text: &str) -> Told<f64> {
        as_number(&self.plain(bound, text)?).map_err(|e| format!("{text}: {e}"))
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates; times are far smaller
    pub(super) fn whole(&self, bound: &Bound, text: &str) -> Told<u64> {
        Ok(self.number(bound, text)?.round() as u64)
    }

    /// The runs that an expression asks for.
    pub(super) fn asked(&self, bound: &Bound, text: &str) -> Told<Vec<Asked<'_>>> {
        let asks = Asks::new(Doing::Asking);
        self.calculate(bound, &asks, text)?;
        Ok(asks.asked.into_inner())
    }

    /// An expression over the results so far, with its error over the seeds.
    pub(super) fn estimate(
        &self,
        bound: &Bound,
        results: &Results,
        expression: &str,
        times: &[String],
    ) -> Told<Found> {
        let asks = Asks::new(Doing::Reading(results));
        let (value, items) = match self.calculate(bound, &asks, expression)? {
            Quantity::List(all) => {
                let items = all.iter().map(as_number);
                (f64::NAN, Some(items.collect::<Told<_>>()?))
            }
            other => (as_number(&other)?, None),
        };
        let asked = asks.asked.into_inner();
        let samples = paired(&asked);
        let mut estimate = if samples.is_empty() {
            Estimate::exact(value)
        } else {
            of_means(&samples, |means| {
                let asks = Asks::new(Doing::Given(results, means.to_vec()));
                let value = self.calculate(bound, &asks, expression);
                value.and_then(|q| as_number(&q)).unwrap_or(f64::NAN)
            })
        };
        for factor in times {
            estimate = estimate.times(self.number(bound, factor)?);
        }
        Ok(Found {
            estimate,
            items,
            is_there: samples.iter().all(|s| !s.is_empty()),
            keys: asks.keys.into_inner().unwrap_or_default(),
        })
    }

    /// An expression over the results so far that may give a list, and the keys of the first run that it asks for.
    pub(super) fn listed(
        &self,
        bound: &Bound,
        results: &Results,
        expression: &str,
    ) -> Told<(Quantity, Vec<String>)> {
        let asks = Asks::new(Doing::Reading(results));
        let value = self.calculate(bound, &asks, expression)?;
        Ok((value, asks.keys.into_inner().unwrap_or_default()))
    }
}

/// The samples of runs: where several have as many seeds, the seeds that all of them have.
fn paired(asked: &[Asked<'_>]) -> Vec<Vec<f64>> {
    let most = asked.iter().map(|a| a.samples.len()).max().unwrap_or(0);
    let whole = |seed: usize| {
        let mut beside = asked.iter().filter(|a| a.samples.len() == most);
        beside.all(|a| a.samples[seed].is_some())
    };
    let kept = |a: &Asked<'_>| {
        let all = a.samples.iter().enumerate();
        let all = all.filter(|(seed, _)| a.samples.len() != most || whole(*seed));
        all.filter_map(|(_, value)| *value).collect()
    };
    asked.iter().map(kept).collect()
}

pub(super) fn as_number(quantity: &Quantity) -> Told<f64> {
    match quantity {
        Quantity::Number(x, _) => Ok(*x),
        Quantity::Missing => Ok(f64::NAN),
        Quantity::Flag(is) => Ok(f64::from(u8::from(*is))),
        other => Err(format!("must give a number, gives {}", other.name())),
    }
}

#[allow(clippy::cast_possible_truncation)] // a whole number below 2^53
pub(super) fn as_json(quantity: &Quantity) -> Told<Value> {
    Ok(match quantity {
        Quantity::Number(x, _) if x.fract() == 0.0 && x.abs() < 9e15 => Value::from(*x as i64),
        Quantity::Missing => return Err("has no value".to_owned()),
        other => other.json(),
    })
}

fn quantity(value: &Value) -> Quantity {
    match value {
        Value::Number(x) => Quantity::Number(x.as_f64().unwrap_or(f64::NAN), Kind::Number),
        Value::String(word) => Quantity::Word(word.clone()),
        Value::Bool(is) => Quantity::Flag(*is),
        Value::Array(all) => Quantity::List(all.iter().map(quantity).collect()),
        Value::Null | Value::Object(_) => Quantity::Missing,
    }
}

impl Own for Place<'_, '_> {
    fn word(&self, word: &str) -> Option<Result<Quantity, String>> {
        if let Some(value) = self.bound.words.get(word) {
            return Some(Ok(quantity(value)));
        }
        let text = self.data.file.names.get(word)?;
        if self.depth == DEPTH {
            return Some(Err(format!("\"{word}\" is made of itself")));
        }
        let depth = self.depth + 1;
        let of_name = || {
            let e = self.data.parsed(text)?;
            calculate(&Place { depth, ..*self }, e).map_err(|e| format!("let.{word}: {e}"))
        };
        Some(match self.run {
            Some(run) => run.known(word, self.reading, of_name),
            None => of_name(),
        })
    }

    fn call(&self, column: usize, name: &str, arguments: &[Argument]) -> Option<Outcome> {
        let function = functions::named(name)?;
        Some(self.called(column, function, arguments))
    }
}

impl<'a> Place<'a, '_> {
    fn called(&self, column: usize, f: &Function, arguments: &[Argument]) -> Outcome {
        let wrong = |message: String| ExpressionError::new(column, message);
        let [least, most] = f.takes;
        if !(least..=most).contains(&arguments.len()) {
            let n = arguments.len();
            return Err(wrong(format!("has {n} arguments; it is {}", f.usage)));
        }
        match f.name {
            "in" => return self.mean(column, arguments),
            "samples" => return self.samples(column, arguments),
            "over" => return self.over(arguments),
            _ => {}
        }
        if f.of_run {
            let Some(run) = self.run else {
                return Err(wrong(format!("{} stands within in(runs, …)", f.usage)));
            };
            return self.of_run(run, column, f, arguments);
        }
        let missing = Quantity::Missing;
        Ok(match f.name {
            "published" => self.published(arguments).map_err(wrong)?,
            "steps" => {
                let list = self.numbers(&arguments[0])?;
                let all = functions::steps(&list).into_iter();
                Quantity::List(all.map(plain).collect())
            }
            "every" | "thinned" => return self.shortened(f.name, arguments),
            "peaks" => {
                let list = self.numbers(&arguments[0])?;
                let n = self.count(&arguments[1])?;
                let all = functions::peaks(&list, n).into_iter();
                Quantity::List(all.map(plain).collect())
            }
            "sorted" => {
                let mut list = self.numbers(&arguments[0])?;
                list.sort_unstable_by(f64::total_cmp);
                Quantity::List(list.into_iter().map(plain).collect())
            }
            "least" | "most" => {
                let pick = [f64::min, f64::max][usize::from(f.name == "most")];
                plain(worst(&self.numbers(&arguments[0])?, pick))
            }
            "riseFromPeak" => {
                let places = self.numbers(&arguments[0])?;
                let list = self.numbers(&arguments[1])?;
                let last = self.value(&arguments[2])?;
                let last = number_at(&arguments[2], &last)?;
                plain(functions::rise_from_peak(&places, &list, last))
            }
            "erlangC" => {
                let of = |i: usize| {
                    self.value(&arguments[i])
                        .and_then(|q| number_at(&arguments[i], &q))
                };
                plain(functions::erlang_c(of(0)?, of(1)?))
            }
            _ => missing,
        })
    }

    /// The same place at a reading of its run.
    pub(super) fn at_reading<'c>(&'c self, reading: &'c Reading) -> Place<'a, 'c> {
        Place {
            reading: Some(reading),
            ..*self
        }
    }

    /// The reading, within `readings`.
    pub(super) fn reading(&self) -> Option<&Reading> {
        self.reading
    }

    pub(super) fn value(&self, argument: &Argument) -> Outcome {
        calculate(self, &argument.value)
    }

    /// A whole number; 0 if it is missing or negative.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates
    pub(super) fn count(&self, argument: &Argument) -> Result<usize, ExpressionError> {
        Ok(number_at(argument, &self.value(argument)?)? as usize)
    }

    /// Some items of a list, whatever they are.
    fn shortened(&self, name: &str, arguments: &[Argument]) -> Outcome {
        let of = &arguments[usize::from(name == "thinned")];
        let Quantity::List(list) = self.value(of)? else {
            return Ok(Quantity::Missing);
        };
        Ok(Quantity::List(if name == "every" {
            functions::every(&list, self.count(&arguments[1])?)
        } else {
            let kept = functions::thinned(&self.numbers(&arguments[0])?).into_iter();
            kept.filter_map(|i| list.get(i).cloned()).collect()
        }))
    }

    /// A list of numbers, NaN where one is missing; empty if the list is.
    pub(super) fn numbers(&self, argument: &Argument) -> Result<Vec<f64>, ExpressionError> {
        match self.value(argument)? {
            Quantity::List(all) => all.iter().map(|q| number_at(argument, q)).collect(),
            Quantity::Missing => Ok(Vec::new()),
            other => {
                let message = format!("expected a list, found {}", other.name());
                Err(ExpressionError::new(argument.value.column, message))
            }
        }
    }

    /// The mean of an expression over the seeds of a run.
    fn mean(&self, column: usize, arguments: &[Argument]) -> Outcome {
        if let Doing::Given(_, means) = &self.asks.doing {
            let next = self.asks.next.get();
            self.asks.next.set(next + 1);
            return Ok(plain(means.get(next).copied().unwrap_or(f64::NAN)));
        }
        let mut asked = self.asked(column, arguments)?;
        if let Doing::Reading(results) = self.asks.doing {
            for value in self.read(&asked, results, &arguments[1])? {
                let number = value.map(|value| number_at(&arguments[1], &value));
                asked.samples.push(number.transpose()?);
            }
        }
        let known: Vec<f64> = asked.samples.iter().flatten().copied().collect();
        self.asks.asked.borrow_mut().push(asked);
        Ok(plain(mean(&known)))
    }

    /// The values of an expression for the seeds of a run. They have no part in the interval of a value.
    fn samples(&self, column: usize, arguments: &[Argument]) -> Outcome {
        let asked = self.asked(column, arguments)?;
        match self.asks.doing {
            Doing::Asking => self.asks.asked.borrow_mut().push(asked),
            Doing::Reading(results) | Doing::Given(results, _) => {
                let all = self.read(&asked, results, &arguments[1])?;
                return Ok(Quantity::List(all.into_iter().flatten().collect()));
            }
        }
        Ok(Quantity::List(Vec::new()))
    }

    /// The run that a call names.
    fn asked(&self, column: usize, arguments: &[Argument]) -> Result<Asked<'a>, ExpressionError> {
        let wrong = |message: String| ExpressionError::new(column, message);
        if self.run.is_some() {
            return Err(wrong("a run cannot stand within another".to_owned()));
        }
        let named = self
            .data
            .run_set_of(word(&arguments[0]).unwrap_or_default());
        let (runs, _) = named.map_err(wrong)?;
        let mut bound = self.bound.clone();
        for argument in &arguments[2..] {
            let Some(axis) = &argument.key else {
                let message = "what comes after x must look like axis=value".to_owned();
                return Err(ExpressionError::new(argument.value.column, message));
            };
            let value = as_json(&self.value(argument)?).map_err(wrong)?;
            self.data.rebind(&mut bound, axis, &value).map_err(wrong)?;
        }
        Ok(Asked {
            runs,
            bound,
            samples: Vec::new(),
        })
    }

    /// The value of an expression for each seed that has a result.
    fn read(
        &self,
        asked: &Asked<'a>,
        results: &Results,
        x: &Argument,
    ) -> Result<Vec<Option<Quantity>>, ExpressionError> {
        let wrong = |message: String| ExpressionError::new(x.value.column, message);
        let set = self.data.run_set(asked.runs).map_err(wrong)?;
        let (mut all, mut keys) = (Vec::new(), Vec::new());
        for (key, _) in self.data.keys(set, &asked.bound).map_err(wrong)? {
            let Some(seen) = results.find(&key) else {
                all.push(None);
                continue;
            };
            let run = OfRun::new(seen);
            let place = Place {
                bound: &asked.bound,
                run: Some(&run),
                ..*self
            };
            all.push(Some(place.value(x)?));
            keys.push(key);
        }
        self.asks.keys.borrow_mut().get_or_insert(keys);
        Ok(all)
    }

    fn over(&self, arguments: &[Argument]) -> Outcome {
        let chosen = self.data.chosen(word(&arguments[0]).unwrap_or_default());
        let at = arguments[0].value.column;
        let (axis, values) = chosen.map_err(|m| ExpressionError::new(at, m))?;
        let mut all = Vec::new();
        for value in values {
            let mut bound = self.bound.clone();
            bound.bind(axis, value);
            // What names mean may depend on the axis.
            let run = self.run.map(OfRun::again);
            let place = Place {
                bound: &bound,
                run: run.as_ref(),
                ..*self
            };
            all.push(place.value(&arguments[1])?);
        }
        Ok(Quantity::List(all))
    }

    /// A word of an axis as text.
    pub(super) fn text_of(&self, word: &str) -> Option<&str> {
        match self.bound.words.get(word) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        }
    }

    fn published(&self, arguments: &[Argument]) -> Told<Quantity> {
        let file = self.data.file.published.as_deref();
        let file = file.ok_or("the file of claims names no published file")?;
        let path = word(&arguments[0]).ok_or("the path must be a word in quotes")?;
        let told = |e: ExpressionError| e.message;
        let [_, x, n] = arguments else {
            return published::find(file, path).map(quantity);
        };
        let of =
            |argument: &Argument| -> Told<f64> { as_number(&self.value(argument).map_err(told)?) };
        let (x, n) = (of(x)?, of(n)?);
        let rows = published::rows(file, path)?;
        let row = rows.iter().find(|row| row.first() == Some(&x));
        let item = row.and_then(|row| {
            (1..row.len())
                .find(|i| real(*i as u64) == n)
                .map(|i| row[i])
        });
        Ok(item.map_or(Quantity::Missing, plain))
    }
}

pub(super) fn plain(x: f64) -> Quantity {
    Quantity::number(x, Kind::Number)
}

pub(super) fn number_at(argument: &Argument, quantity: &Quantity) -> Result<f64, ExpressionError> {
    as_number(quantity).map_err(|message| ExpressionError::new(argument.value.column, message))
}

/// An argument that is a name.
pub(super) fn word(argument: &Argument) -> Option<&str> {
    match &argument.value.is {
        Node::Word(word) | Node::Text(word) => Some(word),
        _ => None,
    }
}
