//! Results of runs, read by the names of columns.

use crate::text::quoted;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// The number of seeds and seconds of the runs behind claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effort {
    /// Number of seeds, from seed 1.
    pub seeds: u64,
    /// Number of simulated seconds that are measured in each run.
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

/// The result of a run: a row of values for each reading.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seen {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// The rows, one after the other. They are written as a text: a JSON reader may change the last digit of a number,
    /// and JSON cannot express values that are not numbers.
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
    /// Whether there is at least one row, and each row has a value for each column.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        let (n, m) = (self.values.len(), self.columns.len());
        n > 0 && m > 0 && n % m == 0
    }

    /// The value of a column at the end of the run.
    ///
    /// # Panics
    /// If the probe has no such column: the caller knows which probe was used.
    #[must_use]
    pub fn column(&self, name: &str) -> f64 {
        let place = self.place(name);
        match self.looked() {
            0 => f64::NAN,
            n => self.at(n - 1, place),
        }
    }

    /// The values of a column at each reading, including the one at the end.
    ///
    /// # Panics
    /// As [`Self::column`].
    #[must_use]
    pub fn looks(&self, name: &str) -> Vec<f64> {
        let place = self.place(name);
        (0..self.looked())
            .map(|look| self.at(look, place))
            .collect()
    }

    /// Number of readings.
    pub(super) fn looked(&self) -> usize {
        self.values.len() / self.columns.len().max(1)
    }

    /// A value of a reading; NaN if there was no such reading.
    pub(super) fn at(&self, look: usize, place: usize) -> f64 {
        let value = self.values.get(look * self.columns.len() + place);
        value.copied().unwrap_or(f64::NAN)
    }

    fn place(&self, name: &str) -> usize {
        let mut columns = self.columns.iter();
        columns
            .position(|column| column == name)
            .unwrap_or_else(|| panic!("invariant: no column {name}"))
    }
}

/// Results of runs, by their keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Results {
    effort: Effort,
    seen: BTreeMap<String, Seen>,
}

impl Results {
    /// No results.
    #[must_use]
    pub fn new(effort: Effort) -> Self {
        let seen = BTreeMap::new();
        Self { effort, seen }
    }

    /// The keys of results in which a row does not have a value for each column.
    #[must_use]
    pub fn ragged(&self) -> Vec<&str> {
        let all = self.seen.iter();
        all.filter(|(_, seen)| !seen.is_whole())
            .map(|(key, _)| key.as_str())
            .collect()
    }

    /// Adds the result of a run.
    pub fn add(&mut self, key: impl Into<String>, seen: Seen) {
        self.seen.insert(key.into(), seen);
    }

    /// The effort with which the runs are made.
    #[must_use]
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// The result of a run, if the run was made.
    #[must_use]
    pub fn find(&self, key: &str) -> Option<&Seen> {
        self.seen.get(key)
    }
}
