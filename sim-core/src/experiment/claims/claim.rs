//! A claim as data: the statement of a source, the values of measures for which it holds, and a change that must make
//! it fail. Each source has one file in `scenarios/claims/`.

use super::data::format::ValueSpec;
use super::experiments;
use super::value::{Measure, Value, words};
use crate::experiment::bound::{Bound, Verdict};
use crate::property::Set;
use serde::{Deserialize, Serialize};
use serde_json::Map;
use std::sync::OnceLock;

/// A claim.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Claim {
    /// Id, e.g. `W5`.
    pub id: String,
    /// The experiment to which it belongs.
    pub experiment: String,
    /// Page that shows it.
    pub page: String,
    /// The evidence that its verdict gives.
    pub kind: Kind,
    /// What the source says.
    pub statement: String,
    /// The source.
    pub source: String,
    /// The input of the model that comes from the source's own page, if any: the claim is then no independent check.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub circular: Option<String>,
    /// The values that count as holding. Every value of the experiment has exactly one demand.
    ///
    /// Written as `bounds`, because in an evaluation `measures` are the results.
    #[serde(rename(serialize = "bounds"))]
    pub measures: Vec<Demand>,
    /// If it fails: the suspected mechanism, in complete sentences.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspected: Option<String>,
    /// The values that are judged.
    #[serde(default, skip_serializing)]
    pub values: Vec<ValueSpec>,
    /// The present verdict. A test fails if the claim gives another one.
    pub expected_verdict: Verdict,
    /// A change that must make it fail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control: Option<Control>,
}

/// The evidence that a verdict gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Kind {
    /// The model is compared with measurements.
    Validation,
    /// The model is compared with numbers from which one of its inputs was taken.
    Calibration,
    /// The model is compared with results of real code that ran outside of this project, or with exact results of
    /// theory.
    Verification,
}

/// A demand of a claim on the values of a measure.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Demand {
    /// Id of the measure.
    pub measure: String,
    /// The scheduler, machine, … that it is about; all if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// The places that it is about; all if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<When>,
    /// The values that hold.
    pub bound: Bound,
    /// The reason for this bound.
    pub reason: String,
}

/// Places of a measure; both ends are included.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct When {
    /// First place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<f64>,
    /// Last place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<f64>,
    /// Only these places.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub is: Vec<f64>,
}

/// A control: a change that removes the basis of a claim and must make it fail.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Control {
    /// What is removed, in words.
    pub what: String,
    /// The properties of the claim's runs that are set for it, by their paths.
    #[serde(skip_serializing)]
    set: Map<String, serde_json::Value>,
    /// The verdict with these changes.
    pub expects: Verdict,
}

impl Control {
    /// The changes of the claim's runs.
    #[must_use]
    pub fn changes(&self) -> Vec<Set> {
        Set::all(&self.set)
    }
}

impl When {
    /// Whether a place is among these.
    #[must_use]
    pub fn covers(&self, at: f64) -> bool {
        let mut is_named = self.is.is_empty();
        for x in &self.is {
            is_named |= (x - at).abs() < 1e-9;
        }
        is_named && self.from.is_none_or(|x| at >= x) && self.to.is_none_or(|x| at <= x)
    }

    fn text(&self) -> String {
        if let [all @ .., last] = &self.is[..] {
            let all: Vec<String> = all.iter().map(f64::to_string).collect();
            return match all.is_empty() {
                true => last.to_string(),
                false => format!("{} and {last}", all.join(", ")),
            };
        }
        match (self.from, self.to) {
            (Some(from), Some(to)) if from == to => from.to_string(),
            (Some(from), Some(to)) => format!("{from} to {to}"),
            (Some(from), None) => format!("{from} and more"),
            (None, Some(to)) => format!("up to {to}"),
            (None, None) => "all".to_owned(),
        }
    }
}

impl Demand {
    /// Whether it is about a value.
    #[must_use]
    pub fn is_about(&self, value: &Value) -> bool {
        self.measure == value.measure
            && self.of.as_ref().is_none_or(|of| *of == value.of)
            && match (&self.when, value.at) {
                (None, _) => true,
                (Some(when), Some(at)) => when.covers(at),
                (Some(_), None) => false,
            }
    }

    /// The demand in words, e.g. `ULE / 4BSD: published ± 0.08 for 1 to 1000 processes`.
    #[must_use]
    pub fn text(&self, measures: &[Measure]) -> String {
        let (label, place) = words(measures, &self.measure);
        let of = self
            .of
            .as_ref()
            .map_or(String::new(), |of| format!("{of}, "));
        let when = self.when.as_ref().map_or(String::new(), |when| {
            format!(" for {}", place.replace('#', &when.text()))
        });
        format!("{of}{label}: {}{when}", self.bound.text())
    }
}

impl Claim {
    /// The values that count as holding, in words.
    #[must_use]
    pub fn acceptance(&self, measures: &[Measure]) -> String {
        let all: Vec<String> = self.measures.iter().map(|d| d.text(measures)).collect();
        all.join("; ")
    }
}

/// All claims, in the order of the experiments.
///
/// # Panics
/// If a shipped file is not valid; a test reads them.
#[must_use]
pub fn claims() -> Vec<Claim> {
    all().to_vec()
}

/// All claims; read only once.
pub(super) fn all() -> &'static [Claim] {
    static ALL: OnceLock<Vec<Claim>> = OnceLock::new();
    let claims = experiments().iter().map(|e| e.file.claims.as_slice());
    ALL.get_or_init(|| claims.collect::<Vec<_>>().concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::stats::Estimate;

    #[test]
    fn the_words_for_a_demand_are_made_of_its_data() {
        let measures = [
            Measure::at("ratio", "ULE / 4BSD", "# processes"),
            Measure::at("share", "share, %", "nice #"),
            Measure::new("mean", "mean"),
        ];
        for (json, text) in [
            (
                r#"{"measure":"ratio","when":{"from":1,"to":1000},"bound":{"about":"published","within":0.08},"reason":""}"#,
                "ULE / 4BSD: published ± 0.08 for 1 to 1000 processes",
            ),
            (
                r#"{"measure":"share","when":{"to":-13},"of":"before","bound":{"to":66.9},"reason":""}"#,
                "before, share, %: at most 66.9 for nice up to -13",
            ),
            (
                r#"{"measure":"ratio","when":{"is":[6,8,9]},"bound":{"from":1},"reason":""}"#,
                "ULE / 4BSD: at least 1 for 6, 8 and 9 processes",
            ),
            (
                r#"{"measure":"mean","bound":{"to":1},"reason":""}"#,
                "mean: at most 1",
            ),
        ] {
            let demand: Demand = serde_json::from_str(json).expect(json);
            assert_eq!(demand.text(&measures), text);
        }
    }

    #[test]
    fn a_demand_is_about_the_values_that_it_names() {
        let json = r#"{"measure":"m","of":"ULE","when":{"from":2},"bound":{"from":1},"reason":""}"#;
        let demand: Demand = serde_json::from_str(json).expect("valid");
        let value = |measure, of: &str, at| Value {
            at,
            ..Value::new(measure, Estimate::exact(1.0)).of(of)
        };
        assert!(demand.is_about(&value("m", "ULE", Some(2.0))));
        assert!(!demand.is_about(&value("m", "ULE", Some(1.0))));
        assert!(!demand.is_about(&value("m", "ULE", None)));
        assert!(!demand.is_about(&value("m", "4BSD", Some(2.0))));
        assert!(!demand.is_about(&value("n", "ULE", Some(2.0))));
    }

    #[test]
    fn shipped_claims_have_controls_that_change_something() {
        for control in all().iter().filter_map(|c| c.control.as_ref()) {
            assert!(!control.changes().is_empty());
        }
    }
}
