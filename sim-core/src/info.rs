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
    /// Unit for display: `ns`, `ratio`, `count`, `perSecond`.
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
    /// Kind of decision: `selectCpu`, `pickNext`, `preempt`, `noPreempt`, `sliceEnd`, `migrate`, `refuse`.
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
