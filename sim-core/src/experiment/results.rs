//! What runs gave, read by the names of columns.

use super::stats::Estimate;
use crate::text::quoted;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// How the runs behind claims are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effort {
    /// Seeds 1 to this.
    pub seeds: u64,
    /// Simulated seconds that are measured in each run.
    pub seconds: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            seeds: 5,
            seconds: 60,
        }
    }
}

/// What a run gave: a row of values for each look.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seen {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// The rows, one after the other. Written as a text: what JSON's reader makes of a number may differ in its last digit,
    /// and JSON has no word for what is not a number.
    #[serde(serialize_with = "as_text", deserialize_with = "from_text")]
    pub values: Vec<f64>,
}

fn as_text<S: Serializer>(values: &[f64], to: S) -> Result<S::Ok, S::Error> {
    let words: Vec<String> = values.iter().map(f64::to_string).collect();
    to.serialize_str(&words.join(" "))
}

fn from_text<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<f64>, D::Error> {
    let text = String::deserialize(from)?;
    let numbers = text.split_whitespace().map(|word| {
        let wrong = |_| D::Error::custom(format!("{} is no number", quoted(word)));
        word.parse::<f64>().map_err(wrong)
    });
    numbers.collect()
}

impl Seen {
    /// Whether there is a value for each column in each row, and a row.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        let (n, m) = (self.values.len(), self.columns.len());
        n > 0 && m > 0 && n % m == 0
    }

    /// What was seen in a column at the end of the run.
    ///
    /// # Panics
    /// If the probe has no such column: whoever reads knows which probe was used.
    #[must_use]
    pub fn column(&self, name: &str) -> f64 {
        let at = self.place(name);
        self.rows().last().map_or(f64::NAN, |row| row[at])
    }

    /// What was seen in a column at each look, the one at the end included.
    ///
    /// # Panics
    /// As [`Self::column`].
    #[must_use]
    pub fn looks(&self, name: &str) -> Vec<f64> {
        let at = self.place(name);
        self.rows().map(|row| row[at]).collect()
    }

    /// How much a column grew from the first look to the last.
    #[must_use]
    pub fn grown(&self, name: &str) -> f64 {
        let at = self.place(name);
        let first = self.rows().next().map_or(f64::NAN, |row| row[at]);
        self.column(name) - first
    }

    fn rows(&self) -> impl DoubleEndedIterator<Item = &[f64]> {
        self.values.chunks_exact(self.columns.len().max(1))
    }

    fn place(&self, name: &str) -> usize {
        let found = self.columns.iter().position(|c| c == name);
        found.unwrap_or_else(|| {
            panic!(
                "invariant: no column {name}; there are {}",
                self.columns.join(", ")
            )
        })
    }
}

/// What runs gave, by their keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Results {
    effort: Effort,
    seen: BTreeMap<String, Seen>,
}

impl Results {
    /// Nothing yet.
    #[must_use]
    pub fn new(effort: Effort) -> Self {
        let seen = BTreeMap::new();
        Self { effort, seen }
    }

    /// Which results do not have a value for each column in each row, by their keys.
    #[must_use]
    pub fn ragged(&self) -> Vec<&str> {
        let all = self.seen.iter();
        all.filter(|(_, seen)| !seen.is_whole())
            .map(|(key, _)| key.as_str())
            .collect()
    }

    /// Takes what a run gave.
    pub fn add(&mut self, key: impl Into<String>, seen: Seen) {
        self.seen.insert(key.into(), seen);
    }

    /// How the runs are made.
    #[must_use]
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// The seeds of the runs.
    #[must_use]
    pub fn seeds(&self) -> RangeInclusive<u64> {
        1..=self.effort.seeds
    }

    /// What a run gave, if it was made.
    #[must_use]
    pub fn find(&self, key: &str) -> Option<&Seen> {
        self.seen.get(key)
    }

    /// What a run gave.
    ///
    /// # Panics
    /// If it was not made: claims are evaluated only when all their runs are there.
    #[must_use]
    pub fn get(&self, key: &str) -> &Seen {
        self.find(key)
            .unwrap_or_else(|| panic!("invariant: no results of {key}"))
    }

    /// Of each seed of which there is a result, a value; in the order of the seeds.
    pub fn samples(&self, key: impl Fn(u64) -> String, value: impl Fn(&Seen) -> f64) -> Vec<f64> {
        self.sampled(&key, &value)
    }

    /// Once for all functions: the page loads this.
    fn sampled(&self, key: &dyn Fn(u64) -> String, value: &dyn Fn(&Seen) -> f64) -> Vec<f64> {
        let found = self.seeds().filter_map(|seed| self.find(&key(seed)));
        found.map(value).collect()
    }

    /// Values of two runs, of each seed of which there are both.
    pub fn paired(
        &self,
        first: impl Fn(u64) -> String,
        second: impl Fn(u64) -> String,
        value: impl Fn(&Seen) -> f64,
    ) -> (Vec<f64>, Vec<f64>) {
        let mut all = (Vec::new(), Vec::new());
        for seed in self.seeds() {
            if let (Some(a), Some(b)) = (self.find(&first(seed)), self.find(&second(seed))) {
                all.0.push(value(a));
                all.1.push(value(b));
            }
        }
        all
    }

    /// The mean of a value over the seeds.
    pub fn mean(&self, key: impl Fn(u64) -> String, value: impl Fn(&Seen) -> f64) -> Estimate {
        Estimate::mean(&self.samples(key, value))
    }

    /// Those keys of which there are results.
    pub fn known(&self, keys: impl Iterator<Item = String>) -> Vec<String> {
        keys.filter(|k| self.seen.contains_key(k)).collect()
    }
}
