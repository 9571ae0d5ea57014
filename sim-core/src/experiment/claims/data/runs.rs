//! The runs of a place: their keys, and their scenarios with all texts filled in.

use super::format::{RunSet, Times};
use super::place::{Asked, Bound, as_json, text};
use super::{Data, Told};
use crate::experiment::numbers::key;
use crate::experiment::run::{Run, RunScheduler};
use crate::property::Set;
use serde_json::Value;

impl Data {
    /// A text or a larger value with all expressions in it replaced.
    pub(super) fn filled(&self, bound: &Bound, value: &Value) -> Told<Value> {
        Ok(match value {
            Value::String(text) => self.text(bound, text)?,
            Value::Array(all) => {
                let all = all.iter().map(|value| self.filled(bound, value));
                Value::Array(all.collect::<Told<_>>()?)
            }
            Value::Object(map) => {
                let all = map.iter();
                let all = all.map(|(key, value)| Ok((key.clone(), self.filled(bound, value)?)));
                Value::Object(all.collect::<Told<_>>()?)
            }
            other => other.clone(),
        })
    }

    fn text(&self, bound: &Bound, whole: &str) -> Told<Value> {
        let parts = super::parts(whole);
        if let [(_, true)] = parts[..] {
            return self.json(bound, parts[0].0);
        }
        let mut out = String::new();
        for (part, is_expression) in parts {
            if is_expression {
                out += &text(&self.json(bound, part)?);
            } else {
                out += part;
            }
        }
        Ok(out.into())
    }

    /// A word of an axis as it stands there, or the value of an expression.
    fn json(&self, bound: &Bound, text: &str) -> Told<Value> {
        match bound.words.get(text) {
            Some(value) => Ok(value.clone()),
            None => as_json(&self.plain(bound, text)?).map_err(|e| format!("{text}: {e}")),
        }
    }

    /// The key of a run, without its seed.
    fn key(&self, set: &RunSet, bound: &Bound) -> Told<String> {
        Ok(text(&self.text(bound, &set.key)?))
    }

    /// Number of seeds; `None` if there is one run with the seed of the scenario.
    fn seeds(&self, set: &RunSet, bound: &Bound) -> Told<Option<u64>> {
        let seeds = set.seeds.as_ref();
        seeds.map(|text| self.whole(bound, text)).transpose()
    }

    /// The keys of runs, each with its seed.
    pub(super) fn keys(&self, set: &RunSet, bound: &Bound) -> Told<Vec<(String, Option<u64>)>> {
        let words = self.key(set, bound)?;
        Ok(match self.seeds(set, bound)? {
            None => vec![(words, None)],
            Some(n) => (1..=n)
                .map(|seed| (key(&words, seed), Some(seed)))
                .collect(),
        })
    }

    /// The runs that were asked for, one for each seed.
    pub(super) fn runs_of(&'static self, asked: &Asked<'_>) -> Told<Vec<Run>> {
        let (set, bound) = (self.run_set(asked.runs)?, &asked.bound);
        let scenario = text(&self.text(bound, &set.scenario)?);
        let lane = self.filled(bound, &set.lane)?;
        let lane: RunScheduler =
            serde_json::from_value(lane).map_err(|e| format!("runs.{}.lane: {e}", asked.runs))?;
        let columns = self.columns(asked.runs);
        let mut runs = Vec::new();
        for (key, seed) in self.keys(set, bound)? {
            let mut bound = bound.clone();
            if let Some(seed) = seed {
                bound.bind("seed", &seed.into());
            }
            let mut run = Run::new(key, scenario.as_str(), lane.clone(), columns);
            run.changes = self.changes(set, &bound)?;
            run.at = self.times(set, &bound)?;
            if let Some(seed) = seed {
                run.set("seed", seed);
            }
            runs.push(run);
        }
        Ok(runs)
    }

    fn changes(&self, set: &RunSet, bound: &Bound) -> Told<Vec<Set>> {
        let mut changes = Vec::new();
        for map in bound.sets.values().chain([&set.set]) {
            for (path, value) in map {
                changes.push(Set::new(path.as_str(), self.filled(bound, value)?));
            }
        }
        changes.sort_by_key(Set::turn);
        Ok(changes)
    }

    /// The times at which a run is read.
    fn times(&self, set: &RunSet, bound: &Bound) -> Told<Vec<u64>> {
        let mut at = Vec::new();
        for times in &set.at {
            match times {
                Times::One(time) => at.push(self.whole(bound, time)?),
                Times::Many(many) => {
                    let of = |text: &str| self.whole(bound, text);
                    let (step, from, to) = (of(&many.every)?, of(&many.from)?, of(&many.to)?);
                    let all = (0..).map(|i| from + i * step.max(1));
                    at.extend(all.take_while(|at| *at <= to));
                }
            }
        }
        Ok(at)
    }
}
