//! Self-descriptions that modules keep beside their code and the catalog collects.

use serde::Serialize;

/// A column that a scheduler adds to the frame.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct ColumnEntry {
    /// Id.
    pub id: &'static str,
    /// Label.
    pub label: &'static str,
    /// Unit (`ns`, `` …).
    pub unit: &'static str,
}

/// A measure.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct MetricEntry {
    /// Id.
    pub id: &'static str,
    /// Label.
    pub name: &'static str,
    /// Unit for display: `ns`, `ratio`, `share` (a part of one), `count`, `perSecond`.
    pub unit: &'static str,
    /// Definition, in a sentence.
    pub summary: &'static str,
    /// `higher`, `lower` or `none`: which way is better.
    pub better: &'static str,
}

/// A reason code.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct ReasonEntry {
    /// The kernel's word for it, e.g. `earliest_deadline`.
    pub id: &'static str,
    /// Kind of decision: `selectCpu`, `pickNext`, `preempt`, `noPreempt`, `sliceEnd`, `requeue`, `priority`,
    /// `inherit`, `steal`, `balance`, `refuse`, `migrate`.
    pub kind: &'static str,
    /// The kernel function and release that it models.
    pub kernel: &'static str,
    /// Names of the four operands; empty where unused.
    pub operands: [&'static str; 4],
    /// Units of the four operands.
    pub units: [&'static str; 4],
}

/// A cause that takes part of a thread's CPU time.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct CauseEntry {
    /// Id, e.g. `sibling`.
    pub id: &'static str,
    /// Label.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub summary: &'static str,
}

/// The columns of a frame. A frame is one `f64` array: header, CPU columns (column-major), task columns
/// (column-major), queue rows (row-major).
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct FrameLayout {
    /// Names of the header fields.
    pub header: Vec<&'static str>,
    /// Names of the fixed CPU columns; the scheduler's own follow.
    pub cpu: Vec<&'static str>,
    /// Names of the fixed task columns; one column per cause follows, then the scheduler's own.
    pub task: Vec<&'static str>,
    /// Names of the fields of a queue row.
    pub queue: Vec<&'static str>,
    /// Names of the fields of a trace row.
    pub trace: Vec<&'static str>,
}

/// Range of a number in scenarios.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct BoundEntry {
    /// Field, e.g. `groups.count`.
    pub field: &'static str,
    /// Smallest value.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub min: i64,
    /// Largest value.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub max: i64,
    /// Unit.
    pub unit: &'static str,
}
