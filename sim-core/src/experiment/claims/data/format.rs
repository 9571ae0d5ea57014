//! The format of a file of claims: `scenarios/claims/<source>.json`.
//!
//! Where an *expression* stands, it is one of the measure language, with the [functions](super::functions) that read
//! results. Where a *text* stands, `{expression}` in it is replaced by its value; a text that is nothing but one
//! `{expression}` becomes that value, also where it is a number, a list or an object.

use crate::experiment::claims::claim::Claim;
use crate::experiment::figure::{Axis, Kind, TimeOfX};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Everything about one source: what is run, what is measured, what is claimed, and what its pages show.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct File {
    /// The name that the claims of the source use.
    pub experiment: String,
    /// What the source does not say, and what was chosen in its place.
    #[serde(default)]
    pub notes: Vec<String>,
    /// File of `scenarios/published/` with the numbers of the source, for `published`.
    #[serde(default)]
    pub published: Option<String>,
    /// What varies, by name: the values that `over` goes through. `nice` and `nice/few` both give the word `nice`. A
    /// value that is an object gives words for expressions; its field with the name of the axis is what it is chosen by.
    /// Its `set` are properties of the scenarios of all runs with this value.
    #[serde(default)]
    pub axes: BTreeMap<String, Vec<Value>>,
    /// Names of expressions.
    #[serde(default, rename = "let")]
    pub names: BTreeMap<String, String>,
    /// The runs, by name: for `in`. A run is made if a value or a figure asks for it.
    pub runs: BTreeMap<String, RunSet>,
    /// What is measured.
    pub measures: Vec<MeasureSpec>,
    /// The pages of the gallery.
    pub pages: Vec<PageSpec>,
    /// The claims, in the order of lists.
    pub claims: Vec<Claim>,
}

/// Runs of one scenario that differ in the values of axes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RunSet {
    /// Text that distinguishes a run from all others: words between `/`, the experiment first. The seed is added.
    pub key: String,
    /// Text for the id of the shipped scenario.
    pub scenario: String,
    /// The only scheduler, as a scenario writes it, with texts.
    pub lane: Value,
    /// Id of the probe that reads columns.
    #[serde(default)]
    pub probe: Option<String>,
    /// In place of a probe: names of columns, and expressions over the run, in which the only lane is 1.
    #[serde(default)]
    pub read: BTreeMap<String, String>,
    /// Expression for the number of seeds, from seed 1; the word `seeds` is that of the effort. If left out, there is
    /// one run with the seed of the scenario. In `set` and `at` the word `seed` is that of the run.
    #[serde(default)]
    pub seeds: Option<String>,
    /// Properties that are set, by their paths, with texts.
    #[serde(default)]
    pub set: Map<String, Value>,
    /// Times at which the probe reads besides the end, ascending. For `read`, the end of the warm-up.
    #[serde(default)]
    pub at: Vec<Times>,
}

/// Times of readings.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Times {
    /// Expression for a time, such as `5s`.
    One(String),
    /// Times at equal intervals.
    Many(Many),
}

/// Times at equal intervals; both ends are included.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Many {
    /// Expression for the interval.
    pub every: String,
    /// Expression for the first time.
    pub from: String,
    /// Expression for the time that none exceeds.
    pub to: String,
}

/// A measure: its words, and how it is computed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MeasureSpec {
    /// Word by which bounds name it.
    pub id: String,
    /// Name for people, with the unit if there is one.
    pub label: String,
    /// The words for a place, with `#` for the number, e.g. `# processes`.
    #[serde(default)]
    pub at: String,
    /// How it is computed, unless the claim says so.
    #[serde(flatten)]
    pub how: How,
}

/// How values are computed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct How {
    /// Text for the scheduler, machine, … that the value is about.
    pub of: Option<String>,
    /// Expression for the place.
    pub place: Option<String>,
    /// Expression for the value. Its interval over the seeds is found from the means that `in` gives. If it is a list,
    /// there is a value for each item, whose place is its number, from 1.
    pub value: Option<String>,
    /// Expressions for factors by which value and interval are multiplied, one after the other: units.
    pub times: Vec<String>,
    /// Expression for the number that the source gives.
    pub published: Option<String>,
    /// Axis of other assumptions, each with words in the field `what`: the value under each of them is a band.
    pub under: Option<String>,
}

/// Values that a claim judges.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ValueSpec {
    /// Id of the measure.
    pub measure: String,
    /// Axes, the first varies slowest: `nice` for all its values, `nice=-5,0..5` for some. There is a value for each
    /// combination.
    #[serde(default)]
    pub over: Vec<String>,
    /// What differs from the measure.
    #[serde(flatten)]
    pub how: How,
}

/// A page of the gallery.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PageSpec {
    /// Word in the link.
    pub id: String,
    /// The trials that it offers.
    #[serde(default)]
    pub what_ifs: Vec<Trial>,
    /// Its figures.
    pub figures: Vec<FigureSpec>,
}

/// A trial: properties that are set in all runs of the page.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Trial {
    /// Word in the link.
    pub id: String,
    /// Name for people.
    pub label: String,
    /// Properties by their paths.
    pub set: Map<String, Value>,
}

/// Figures.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FigureSpec {
    /// Axes as in the values of a claim: a figure for each combination.
    #[serde(default)]
    pub over: Vec<String>,
    /// Text for the word that distinguishes it from the other figures of its page.
    pub id: String,
    /// Text for the heading.
    pub title: String,
    /// Text for the quantity on the y axis, in a sentence.
    pub definition: String,
    /// How it is drawn.
    #[serde(default)]
    pub kind: Kind,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// How its x maps to a time in its runs.
    #[serde(default)]
    pub moment: Option<TimeOfX>,
    /// In place of `moment`: expression for the time in ns at which every point opens its runs.
    #[serde(default)]
    pub opens: Option<String>,
    /// For a table: its rows.
    #[serde(default)]
    pub rows: Option<Rows>,
    /// For a heat map: the value of every row if all rows are even.
    #[serde(default)]
    pub fair: Option<f64>,
    /// The lines; columns of a table, maps.
    pub series: Vec<SeriesSpec>,
}

/// The rows of a table. The x of a point is the number of its row, from 0.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Rows {
    /// Axes as in the values of a claim: a row for each combination.
    pub over: Vec<String>,
    /// Text for the name for people.
    pub label: String,
    /// Text for the unit; empty for a plain number.
    #[serde(default)]
    pub unit: String,
}

/// Lines of a figure.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SeriesSpec {
    /// Axes as in the values of a claim: a line for each combination.
    #[serde(default)]
    pub over: Vec<String>,
    /// Text for the word that distinguishes a line from the others of its figure.
    pub id: String,
    /// Text for its name for people.
    pub label: String,
    /// Text for the id of its scheduler, for its colour.
    #[serde(default)]
    pub scheduler: String,
    /// Unit.
    #[serde(default)]
    pub unit: String,
    /// Its points; the runs of a point are those of the first `in`.
    #[serde(default)]
    pub points: Option<Points>,
    /// In place of `points`: points that are the items of lists.
    #[serde(default)]
    pub lists: Option<Lists>,
    /// For a heat map: the marked place.
    #[serde(default)]
    pub mark: Option<MarkSpec>,
    /// Its published points.
    #[serde(default)]
    pub published: Option<Points>,
    /// How the published numbers were obtained, where there are some.
    #[serde(default)]
    pub provenance: String,
    /// Its range under other assumptions.
    #[serde(default)]
    pub band: Option<Band>,
}

/// Points of a line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Points {
    /// Axes as in the values of a claim: a point for each combination.
    pub over: Vec<String>,
    /// Expression for its x.
    pub x: String,
    /// Expression for its y. A published point without one is left out.
    pub y: String,
    /// Factors of y, as in a measure.
    #[serde(default)]
    pub times: Vec<String>,
}

/// Points that are the items of lists. A list of lists, such as `samples` gives, has one for each seed: a point is then
/// the mean over the seeds, as far as all of them have it. Its runs are those of the first `samples`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Lists {
    /// Expression for the x of all points; of a list of lists the first. If left out: 1, 2, 3, …
    #[serde(default)]
    pub x: Option<String>,
    /// Expression for the y of all points.
    pub y: String,
    /// For a heat map: expression for a list of rows for each point, in the first of which are those of the first seed.
    #[serde(default)]
    pub rows: Option<String>,
}

/// A marked place.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MarkSpec {
    /// Expression for its x.
    pub x: String,
    /// Text for what the source says about it.
    pub label: String,
}

/// The range of a line under other assumptions.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Band {
    /// The assumptions, in words.
    pub label: String,
    /// Axis of the assumptions.
    pub under: String,
}

impl How {
    /// What is given here, and the rest from a measure.
    pub(super) fn or(&self, measure: &Self) -> Self {
        let or = |own: &Option<String>, other: &Option<String>| own.clone().or(other.clone());
        Self {
            of: or(&self.of, &measure.of),
            place: or(&self.place, &measure.place),
            value: or(&self.value, &measure.value),
            times: if self.times.is_empty() {
                measure.times.clone()
            } else {
                self.times.clone()
            },
            published: or(&self.published, &measure.published),
            under: or(&self.under, &measure.under),
        }
    }
}
