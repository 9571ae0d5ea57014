//! A measure of somebody's own, followed as a run goes on: what the page shows of it.

use crate::lesson::words::words;
use serde::Serialize;
use sim_measure::follow::Following;
use sim_measure::quantity::{Format, Quantity};
use sim_measure::words::Words;

/// The value of an expression in a lane, or of all lanes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
pub struct OwnValue {
    /// The number in its base unit: times in ns, shares as parts of one; `null` for anything else.
    pub number: Option<f64>,
    /// The unit: `ns`, `share`, `count`, or nothing.
    pub unit: &'static str,
    /// How the command line prints it, in the language that was asked for.
    pub text: String,
}

impl OwnValue {
    /// A value, with numbers as a language writes them.
    #[must_use]
    pub fn of(value: &Quantity, words: &Words) -> Self {
        Self {
            number: match value {
                Quantity::Number(x, _) => Some(*x),
                _ => None,
            },
            unit: value.unit(),
            // Only a unit that somebody asks for can be wrong.
            text: Format::default().print(value, words).unwrap_or_default(),
        }
    }
}

/// What is wrong with an expression.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
pub struct OwnMistake {
    /// Its column, from 1, counted in characters.
    pub column: usize,
    /// What is wrong there.
    pub message: String,
}

/// An expression over the part of a run that is over.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct OwnMeasure {
    /// One value for each lane; a single one where the expression is not about one lane after the other.
    pub values: Vec<OwnValue>,
    /// Whether there is one for each lane.
    pub by_lane: bool,
    /// What is wrong; then there are no values.
    pub mistake: Option<OwnMistake>,
}

/// The values of an expression up to a time in ns, in a language (`en`, `de`).
pub fn now(of: &mut Following, text: &str, until_ns: u64, language: &str) -> OwnMeasure {
    let told = |value: &Quantity| OwnValue::of(value, &words(language).values);
    match of.values(text, until_ns) {
        Ok(now) => OwnMeasure {
            values: now.values.iter().map(told).collect(),
            by_lane: now.by_lane,
            mistake: None,
        },
        Err(wrong) => OwnMeasure {
            values: Vec::new(),
            by_lane: false,
            mistake: Some(OwnMistake {
                column: wrong.column,
                message: wrong.message,
            }),
        },
    }
}
