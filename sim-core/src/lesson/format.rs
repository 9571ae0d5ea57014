//! The format of lessons: `scenarios/lessons/<id>.json`, with translations of its texts beside it (`<id>.de.json`).
//!
//! In texts, `{expression}` or `{expression:unit}` is replaced by its value in the learner's run. Everything is counted
//! from 1: lanes, options, steps, the nth decision.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Version of the format that this core reads.
pub const LESSON_FORMAT: u32 = 1;

/// A lesson.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Lesson {
    /// Format version; 1.
    pub format: u32,
    /// Id, which is the name of its file.
    pub id: String,
    /// Name for people.
    pub title: String,
    /// Rung of the ladder: 1 one CPU, 2 several CPUs and siblings, 3 many cores and caches, 4 flaws.
    pub level: u8,
    /// Duration in minutes.
    pub minutes: u8,
    /// What the learner can do afterwards.
    pub goal: String,
    /// A common misconception about the subject.
    pub misconception: String,
    /// Id of its scenario: a file of `scenarios/lessons/scenarios/`.
    pub scenario: String,
    /// Whether it needs own policies. Pages and programs without them leave it out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", ts(optional, as = "Option<bool>"))]
    pub own_policies: bool,
    /// Names of the lanes that hide their schedulers, e.g. `A` to `D`.
    #[serde(default)]
    pub lane_labels: Vec<String>,
    /// From this step on lanes have the names of their schedulers; never if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub lane_labels_until: Option<u32>,
    /// Runs that differ from the learner's own, by name: for `in(name, …)`.
    #[serde(default)]
    pub runs: BTreeMap<String, Difference>,
    /// Rows of runs, by name: for `sweep(name, …)` and drawn curves.
    #[serde(default)]
    pub sweeps: BTreeMap<String, Row>,
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// The last question: the same idea in another situation.
    pub transfer: Transfer,
    /// Texts for the teacher only.
    pub teacher: Teacher,
}

/// How a run differs from the learner's own.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Difference {
    /// New values, by the paths of properties: `groups.hog.count`, `background` (null: none), or of one lane
    /// `lanes.1.stealThresh` and `lanes.4.era`.
    #[cfg_attr(feature = "schema", ts(type = "{ [key in string]: unknown }"))]
    pub set: BTreeMap<String, Value>,
}

/// A row of runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Row {
    /// The runs, by ascending `at`.
    pub points: Vec<RowPoint>,
}

/// A run of a row.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase")]
pub struct RowPoint {
    /// Position on the axis.
    pub at: f64,
    /// How it differs from the learner's run.
    #[serde(flatten)]
    pub is: Difference,
}

/// A step: one prompt at a time.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
pub enum Step {
    /// The situation, in one or two sentences; the run is at time 0.
    Situation {
        /// Text, at most 60 words.
        text: String,
    },
    /// A question whose answer is committed before the run.
    Predict {
        /// Name of the question, in answers and tables.
        id: String,
        /// The question.
        ask: String,
        /// Kind of answer.
        answer: Question,
        /// Expression for the truth in the learner's run. For a choice: the option from 1; for an order: the items
        /// from 1 in their true order; for a curve: the values at its handles.
        truth: String,
        /// The truth of this build in the shipped run, in the form of the question.
        #[cfg_attr(feature = "schema", ts(type = "number | Array<number>"))]
        expected: Value,
        /// Feedback to an answer; the first that fits is shown.
        feedback: Vec<Feedback>,
    },
    /// The run goes on.
    Run {
        /// Text, if any.
        #[serde(default)]
        text: String,
        /// Where it stops; at the end if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", ts(optional))]
        stop: Option<Point>,
        /// Shown if the run has no such moment.
        #[serde(default)]
        otherwise: String,
    },
    /// Asks what the learner saw, before any explanation.
    Observe {
        /// Name of the question, in answers and tables.
        id: String,
        /// The question.
        ask: String,
        /// Options; without any the learner writes a line.
        #[serde(default)]
        options: Vec<String>,
        /// Expression: the option (from 1) that the run shows; not marked if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", ts(optional))]
        truth: Option<String>,
        /// Where to look.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", ts(optional))]
        point: Option<Point>,
        /// Shown if the run has no such moment.
        #[serde(default)]
        otherwise: String,
    },
    /// The explanation, with the card of a decision open.
    Explain {
        /// Text, at most 60 words.
        text: String,
        /// Where to look.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", ts(optional))]
        point: Option<Point>,
        /// Shown instead of the text if the run has no such moment.
        #[serde(default)]
        otherwise: String,
    },
    /// Changes one thing and compares both futures.
    Change {
        /// Text, at most 60 words.
        text: String,
        /// The changed runs. One that sets only tunables and the era of one lane is shown beside that lane; any other
        /// replaces all lanes.
        forks: Vec<Fork>,
        /// The comparison.
        compare: Compare,
        /// The values of this build: the learner's run first, then each fork.
        expected: Vec<f64>,
        /// Shown when both are known, at most 60 words.
        then: String,
    },
}

/// The kinds of answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
pub enum Question {
    /// One of two to five options, whose order is fixed.
    Choice {
        /// The texts.
        options: Vec<String>,
        /// Unit of the values, as of [`Question::Number`].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", ts(optional))]
        unit: Option<String>,
        /// The value that each option names, in the unit: `null` for one that names none. Left out where no option does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", ts(optional))]
        values: Option<Vec<Option<f64>>>,
    },
    /// A number.
    Number {
        /// Unit: `s`, `ms`, `us`, `%`, `x` or nothing. Bounds, answer and truth are in this unit.
        #[serde(default)]
        unit: String,
        /// Least.
        min: f64,
        /// Most.
        max: f64,
        /// How far from the truth an answer counts as right: in the unit, or as `5%` of the truth.
        tolerance: Tolerance,
    },
    /// Two to six items in an order.
    Order {
        /// The texts.
        items: Vec<String>,
    },
    /// A drawn line of five to nine handles.
    Curve {
        /// The horizontal axis; handles are at `at`.
        x: Axis,
        /// Up.
        y: Axis,
        /// Positions of the handles, ascending.
        at: Vec<f64>,
    },
}

impl Question {
    /// A choice between texts that name no values.
    pub(super) fn choice(options: &[String]) -> Self {
        Self::Choice {
            options: options.to_vec(),
            unit: None,
            values: None,
        }
    }
}

/// How far an answer may lie from the truth.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(untagged)]
pub enum Tolerance {
    /// In the unit of the answer.
    Absolute(f64),
    /// Part of the truth, e.g. `5%`.
    Part(String),
}

/// An axis of a drawn line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Axis {
    /// What it says.
    pub label: String,
    /// Unit of its numbers, as of [`Question::Number`].
    #[serde(default)]
    pub unit: String,
    /// Whether equal distances are equal factors.
    #[serde(default)]
    pub log: bool,
    /// Least.
    pub min: f64,
    /// Most.
    pub max: f64,
}

/// Feedback to an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Feedback {
    /// Expression over `said`, `truth` and `right`, e.g. `said == 2`, `right`, `first(said) == 4`,
    /// `shape(said) == "line"`.
    pub when: String,
    /// At most 40 words; `{said}` and `{truth}` are replaced by both numbers.
    pub say: String,
}

/// The place that a step shows. If the run has no match, this is no error: the step shows its `otherwise`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Point {
    /// Lane, from 1; the first if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub lane: Option<u32>,
    /// A time, as an expression: `4s`, `exit(1, last)`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub at: Option<String>,
    /// A decision by its reason; the step's card, if it explains.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub reason: Option<String>,
    /// Which of these decisions, from 1; the first if left out; -1 is the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub nth: Option<i32>,
    /// Only about this thread; with neither time nor reason it is selected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub thread: Option<String>,
    /// Only about this CPU; with neither time nor reason it is selected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub cpu: Option<u16>,
    /// Only after this time, as an expression.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub after: Option<String>,
    /// The tab of the timelines that is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub tab: Option<crate::config::guide::Tab>,
}

/// A changed run beside the learner's own.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase")]
pub struct Fork {
    /// What it is called.
    pub label: String,
    /// How it differs.
    #[serde(flatten)]
    pub is: Difference,
}

/// The comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Compare {
    /// What it is called, e.g. `last exit`.
    pub label: String,
    /// Expression, evaluated in the learner's run and in each fork.
    pub value: String,
    /// Unit, as of [`Question::Number`].
    #[serde(default)]
    pub unit: String,
}

/// The same idea in another situation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Transfer {
    /// The question.
    pub ask: String,
    /// The answer; may contain expressions, with `in(transfer, …)` for its own run.
    pub answer: String,
    /// How its run differs from the learner's; the run is called `transfer`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub run: Option<Difference>,
}

/// Texts for the teacher only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Teacher {
    /// A question for the class.
    pub ask: String,
    /// The surprising point.
    pub surprise: String,
    /// A plan for the time.
    pub time: String,
}
