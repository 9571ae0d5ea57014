//! Views of a lesson for the page: the card, and a step with the values of the learner's run.

use super::format::Lesson;
use crate::config::Scenario;
use serde::Serialize;
use serde_json::Value;

/// The entry of a lesson in lists; it never contains a result.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct LessonEntry {
    /// Number, from 1: its place in the registry, and in links (`#l1.5`).
    pub number: u32,
    /// Id.
    pub id: String,
    /// Name.
    pub title: String,
    /// Rung of the ladder.
    pub level: u8,
    /// Duration in minutes.
    pub minutes: u8,
    /// The text of its first step.
    pub situation: String,
    /// Number of steps, including the transfer.
    pub steps: u32,
    /// Whether it needs own policies.
    pub own_policies: bool,
    /// Its scenario with every default filled in.
    pub scenario: Scenario,
}

/// A complete lesson, with its number.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct LessonText {
    /// Number, from 1.
    pub number: u32,
    /// Language of the texts, e.g. `en`.
    pub language: String,
    /// The lesson; expressions in texts are not filled in.
    pub lesson: Lesson,
}

/// A step with the values of the learner's run. The transfer is the step after the last.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct StepView {
    /// Its text or question, filled in; `otherwise` where the run has no such moment.
    pub text: String,
    /// The place that it shows; `null` if there is none, or if the run has no such moment.
    pub point: Option<PointView>,
    /// Whether the step names a moment that the run lacks.
    pub missing: bool,
    /// The truth in the form of the question: option from 1, number in its unit, items from 1 in order, values at the
    /// handles. `null` if there is no truth or no answer was given.
    #[cfg_attr(feature = "schema", ts(type = "number | Array<number> | null"))]
    pub truth: Value,
    /// For a choice between values (`nearest(x, […])`): x itself; `null` for all others and without an answer.
    pub measured: Option<Measured>,
    /// Whether the answer is right; `null` if none was given or the question is not marked.
    pub right: Option<bool>,
    /// Feedback to the answer; empty without one.
    pub say: String,
    /// For a change: the learner's run first, then each fork.
    pub futures: Vec<Future>,
    /// For a change: the text when both are known. For the transfer: its answer.
    pub then: String,
}

/// A number of the learner's run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Measured {
    /// In its unit.
    pub value: f64,
    /// That of the options' values; else `s`, `%` or nothing.
    pub unit: String,
}

/// A run that is compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Future {
    /// Its name; empty for the learner's own.
    pub label: String,
    /// The compared value, in the unit of the comparison; `null` where it is not defined.
    pub value: Option<f64>,
    /// The learner's lane (0-based) that it changes, if only tunables and era of one differ.
    pub of: Option<u32>,
    /// Position (0-based) of the changed copy of that lane in the scenario.
    pub lane: Option<u32>,
    /// The scenario, with every default filled in.
    pub scenario: Scenario,
}

/// A place in the learner's run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct PointView {
    /// Lane, 0-based.
    pub lane: u32,
    /// When; `null` if the step only selects.
    #[cfg_attr(feature = "schema", ts(type = "number | null"))]
    pub at_ns: Option<u64>,
    /// Number of the decision.
    #[cfg_attr(feature = "schema", ts(type = "number | null"))]
    pub decision: Option<u64>,
    /// The thread that it is about.
    pub thread: Option<String>,
    /// The CPU that it is about.
    pub cpu: Option<u16>,
    /// The tab of the timelines.
    pub tab: Option<crate::config::guide::Tab>,
}
