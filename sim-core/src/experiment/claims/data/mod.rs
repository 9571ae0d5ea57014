//! Experiments as data: a file of `scenarios/claims/` that says what is run, what is measured, and what its pages show.
//!
//! A value is an expression of the measure language. `in(runs, x)` in it is the mean of x over the seeds of a run; the
//! interval of the value comes from the same expression over the means without each seed in turn. What is run follows
//! from the values and figures: a run is made if one of them asks for it.

mod check;
mod figures;
pub mod format;
pub mod functions;
mod place;
mod readings;
mod runs;
#[cfg(test)]
mod tests;

use super::claim::Claim;
use super::{Effort, Measure, Value, WhatIf};
use crate::error::ConfigError;
use crate::experiment::figure::Figure;
use crate::experiment::numbers::count;
use crate::experiment::results::Results;
use crate::experiment::run::Run;
use crate::experiment::stats::Estimate;
use crate::hash;
use crate::property::Set;
use crate::text::quoted;
use format::{File, How, PageSpec, RunSet, ValueSpec};
use place::{Asked, Bound, text};
use serde::Deserialize;
use serde_json::Value as Json;
use sim_measure::expression::Expression;
use std::collections::BTreeMap;

/// A file that was read and checked.
#[derive(Debug)]
pub(super) struct Data {
    pub(super) file: File,
    /// Its expressions.
    parsed: BTreeMap<String, Expression>,
    /// The columns of each set of runs: the id of a probe, or a line for each expression.
    columns: BTreeMap<String, String>,
}

type Told<T> = Result<T, String>;

/// The parts of a text, and whether each is an expression, which stands in `{}` there.
fn parts(text: &str) -> Vec<(&str, bool)> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((inner, left)) = after.split_once('}') else {
            break;
        };
        if !before.is_empty() {
            all.push((before, false));
        }
        all.push((inner, true));
        rest = left;
    }
    if !rest.is_empty() {
        all.push((rest, false));
    }
    all
}

/// The word that an axis binds: `nice` of `nice` and of `nice/few`.
fn word_of(axis: &str) -> &str {
    axis.split_once('/').map_or(axis, |(word, _)| word)
}

/// Whether a value is meant by `5` or, if it is a number, by `1..9`.
fn is_meant(id: &str, wanted: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    let range = wanted.split_once("..");
    match range.and_then(|(from, to)| Some((number(from)?, number(to)?, number(id)?))) {
        Some((from, to, x)) => (from..=to).contains(&x),
        None => id == wanted,
    }
}

fn one_of<'a>(what: &str, known: impl Iterator<Item = &'a str>, got: &str) -> String {
    let known: Vec<&str> = known.collect();
    let (known, got) = (known.join(", "), quoted(got));
    format!("{what} must be one of {known}; got \"{got}\"")
}

impl Data {
    /// Reads a file, and checks all that shows without results.
    ///
    /// # Errors
    /// What is wrong, with its place in the file.
    pub(super) fn read(name: &str, json: &Json) -> Result<Self, ConfigError> {
        let at = |path: &str| match path {
            "" => format!("claims/{name}"),
            path => format!("claims/{name}: {path}"),
        };
        let file = File::deserialize(json);
        let file = file.map_err(|e| ConfigError::new(at(""), e.to_string()))?;
        let mut data = Self {
            file,
            parsed: BTreeMap::new(),
            columns: BTreeMap::new(),
        };
        let checked = data.check();
        checked.map_err(|(path, message)| ConfigError::new(at(&path), message))?;
        Ok(data)
    }

    /// An expression of the file.
    fn parsed(&self, text: &str) -> Told<&Expression> {
        let known = self.parsed.get(text);
        known.ok_or_else(|| format!("\"{}\" is no expression of the file", quoted(text)))
    }

    fn run_set(&self, name: &str) -> Told<&RunSet> {
        self.run_set_of(name).map(|(_, set)| set)
    }

    fn run_set_of(&self, name: &str) -> Told<(&str, &RunSet)> {
        let found = self.file.runs.get_key_value(name);
        let known = || self.file.runs.keys().map(String::as_str);
        let found = found.map(|(name, set)| (name.as_str(), set));
        found.ok_or_else(|| one_of("the runs", known(), name))
    }

    fn columns(&self, runs: &str) -> &str {
        self.columns.get(runs).map_or("", String::as_str)
    }

    fn axis(&self, name: &str) -> Told<&[Json]> {
        let found = self.file.axes.get(name).map(Vec::as_slice);
        let known = || self.file.axes.keys().map(String::as_str);
        found.ok_or_else(|| one_of("the axis", known(), name))
    }

    /// What a value of an axis is chosen by.
    fn chosen_by(axis: &str, value: &Json) -> String {
        match value {
            Json::Object(fields) => fields.get(word_of(axis)).map_or_else(String::new, text),
            other => text(other),
        }
    }

    /// The values of an axis that are chosen: all of `nice`, some of `nice=-5,0..5`.
    fn chosen<'a>(&'a self, entry: &'a str) -> Told<(&'a str, Vec<&'a Json>)> {
        let Some((axis, wanted)) = entry.split_once('=') else {
            return Ok((entry, self.axis(entry)?.iter().collect()));
        };
        let values = self.axis(axis)?;
        let mut chosen = Vec::new();
        for wanted in wanted.split(',') {
            let before = chosen.len();
            let all = values.iter();
            chosen.extend(all.filter(|value| is_meant(&Self::chosen_by(axis, value), wanted)));
            if chosen.len() == before {
                let known: Vec<String> = values.iter().map(|v| Self::chosen_by(axis, v)).collect();
                return Err(one_of(axis, known.iter().map(String::as_str), wanted));
            }
        }
        Ok((axis, chosen))
    }

    /// Binds another value: the whole value of an axis, or a single word.
    fn rebind(&self, bound: &mut Bound, axis: &str, value: &Json) -> Told<()> {
        if !self.file.axes.contains_key(axis) {
            bound.bind(axis, value);
            return Ok(());
        }
        let entry = format!("{axis}={}", text(value));
        let (_, chosen) = self.chosen(&entry)?;
        bound.bind(axis, chosen[0]);
        Ok(())
    }

    /// A place for each combination of values of axes, the first axis slowest.
    fn places(&self, bound: &Bound, over: &[String]) -> Told<Vec<Bound>> {
        let mut all = vec![bound.clone()];
        for entry in over {
            let (axis, chosen) = self.chosen(entry)?;
            let with = |place: &Bound| {
                let chosen = chosen.iter();
                let with = chosen.map(|value| {
                    let mut place = place.clone();
                    place.bind(axis, value);
                    place
                });
                with.collect::<Vec<_>>()
            };
            all = all.iter().flat_map(with).collect();
        }
        Ok(all)
    }

    /// The other assumptions of a place, each with its words.
    fn others(&self, place: &Bound, under: Option<&String>) -> Told<Vec<(String, Bound)>> {
        let Some(axis) = under else {
            return Ok(Vec::new());
        };
        let mut all = Vec::new();
        for value in self.axis(axis)? {
            let mut other = place.clone();
            other.bind(axis, value);
            // An assumption may choose the value of another axis.
            for (word, value) in value.as_object().into_iter().flatten() {
                if word != axis && self.file.axes.contains_key(word) {
                    self.rebind(&mut other, word, value)?;
                }
            }
            all.push((other.text("what"), other));
        }
        Ok(all)
    }

    /// The measures.
    pub(super) fn measures(&'static self) -> Vec<Measure> {
        let all = self.file.measures.iter();
        all.map(|m| Measure::at(&m.id, &m.label, &m.at)).collect()
    }

    fn how(&self, spec: &ValueSpec) -> Told<(&str, How)> {
        let mut all = self.file.measures.iter();
        let Some(measure) = all.find(|m| m.id == spec.measure) else {
            let known = self.file.measures.iter().map(|m| m.id.as_str());
            return Err(one_of("the measure", known, &spec.measure));
        };
        Ok((&measure.id, spec.how.or(&measure.how)))
    }

    /// The runs of what was asked for, each once.
    fn runs_of_all(&'static self, asked: &[Asked<'_>]) -> Told<Vec<Run>> {
        let mut all = Vec::new();
        for asked in asked {
            all.append(&mut self.runs_of(asked)?);
        }
        Ok(super::once(all))
    }

    /// The runs that the values of a claim ask for.
    pub(super) fn runs(&'static self, claim: &Claim, effort: Effort) -> Told<Vec<Run>> {
        self.runs_of_all(&self.asked_for(claim, effort)?)
    }

    /// The keys of these runs.
    pub(super) fn keys_of(&self, claim: &Claim, effort: Effort) -> Told<Vec<String>> {
        let mut keys = Vec::new();
        for asked in self.asked_for(claim, effort)? {
            let all = self.keys(self.run_set(asked.runs)?, &asked.bound)?;
            keys.extend(all.into_iter().map(|(key, _)| key));
        }
        Ok(keys)
    }

    fn asked_for(&self, claim: &Claim, effort: Effort) -> Told<Vec<Asked<'_>>> {
        let mut asked = Vec::new();
        for spec in &claim.values {
            let (_, how) = self.how(spec)?;
            let value = how.value.as_deref().unwrap_or_default();
            for place in self.places(&Bound::new(effort), &spec.over)? {
                asked.append(&mut self.asked(&place, value)?);
                for (_, other) in self.others(&place, how.under.as_ref())? {
                    asked.append(&mut self.asked(&other, value)?);
                }
            }
        }
        Ok(asked)
    }

    /// The values of a claim from the results of its runs, which are complete.
    pub(super) fn values(&'static self, claim: &Claim, results: &Results) -> Told<Vec<Value>> {
        let mut values = Vec::new();
        for spec in &claim.values {
            let (measure, how) = self.how(spec)?;
            let value = how.value.as_deref().unwrap_or_default();
            for place in self.places(&Bound::new(results.effort()), &spec.over)? {
                let of =
                    |place: &Bound| -> Told<_> { self.estimate(place, results, value, &how.times) };
                let found = of(&place)?;
                let mut new = Value::new(measure, found.estimate);
                if let Some(about) = &how.of {
                    new.of = text(&self.filled(&place, &about.as_str().into())?);
                }
                if let Some(there) = &how.published {
                    new.published = Some(self.number(&place, there)?).filter(|x| !x.is_nan());
                }
                if let Some(items) = found.items {
                    let each = items.into_iter().enumerate().map(|(i, item)| Value {
                        estimate: Estimate::exact(item),
                        at: Some(count(i + 1)),
                        ..new.clone()
                    });
                    values.extend(each);
                    continue;
                }
                if let Some(at) = &how.place {
                    new.at = Some(self.number(&place, at)?);
                }
                for (what, other) in self.others(&place, how.under.as_ref())? {
                    new.band.push((what, of(&other)?.estimate));
                }
                values.push(new);
            }
        }
        Ok(values)
    }

    pub(super) fn page(&self, page: &str) -> Option<&PageSpec> {
        self.file.pages.iter().find(|known| known.id == page)
    }

    /// The runs that the figures of a page ask for.
    pub(super) fn more(&'static self, page: &str, effort: Effort) -> Told<Vec<Run>> {
        match self.page(page) {
            Some(page) => self.runs_of_all(&self.asked_by(page, effort)?),
            None => Ok(Vec::new()),
        }
    }

    /// The figures of a page with the results so far.
    pub(super) fn figures(&'static self, page: &str, results: &Results) -> Told<Vec<Figure>> {
        match self.page(page) {
            Some(page) => self.drawn(page, results),
            None => Ok(Vec::new()),
        }
    }

    /// The trials of a page.
    pub(super) fn what_ifs(&'static self, page: &str) -> Vec<WhatIf> {
        let trials = self.page(page).map_or(&[][..], |page| &page.what_ifs);
        let trials = trials.iter().map(|trial| WhatIf {
            id: &trial.id,
            label: &trial.label,
            changes: Set::all(&trial.set),
        });
        trials.collect()
    }

    /// A hash of what its values are made of.
    pub(super) fn hash(&self, sum: u64) -> u64 {
        let File {
            published,
            axes,
            names,
            runs,
            measures,
            ..
        } = &self.file;
        let made_of = serde_json::json!([published, axes, names, runs, measures]);
        hash::bytes(sum, made_of.to_string().as_bytes())
    }
}
