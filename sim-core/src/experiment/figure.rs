//! Figures of a page: series of estimates with published numbers beside them.

use super::stats::Estimate;
use serde::{Deserialize, Serialize};

/// A chart.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Figure {
    /// Word that distinguishes it from the other figures of its page.
    pub id: String,
    /// Heading.
    pub title: String,
    /// The quantity on the y axis, in a sentence.
    pub definition: String,
    /// How it is drawn.
    pub kind: Kind,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The lines.
    pub series: Vec<Series>,
    /// How its x maps to a time in its runs, to open them there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moment: Option<TimeOfX>,
    /// For a table: its rows. The x of a point is the number of its row, from 0.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub row_labels: Vec<RowLabel>,
    /// For a heat map: the value of every row if all rows are even.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fair: Option<f64>,
}

/// The time in a run that belongs to an x: `originNs + x * perXNs`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TimeOfX {
    /// Time of the run at x = 0 in ns.
    pub origin_ns: f64,
    /// Time for each unit of x in ns.
    pub per_x_ns: f64,
}

/// A row of a table.
#[derive(Clone, Debug, Serialize)]
pub struct RowLabel {
    /// Name for people.
    pub label: String,
    /// Unit; empty for a plain number.
    pub unit: String,
}

/// A marked place in a heat map.
#[derive(Clone, Debug, Serialize)]
pub struct Mark {
    /// Its x.
    pub x: f64,
    /// What the source says about it.
    pub label: String,
}

/// The range of a line under other values of an assumption.
#[derive(Clone, Debug, Serialize)]
pub struct Range {
    /// The assumption and its values, in words.
    pub label: String,
    /// x, smallest and largest value.
    pub points: Vec<(f64, f64, f64)>,
}

/// How a figure is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "FigureKind"))]
#[serde(rename_all = "camelCase")]
pub enum Kind {
    /// Points joined by lines.
    #[default]
    Curves,
    /// Over time: a value stays until the next.
    OverTime,
    /// A row for each x, a column for each series.
    Table,
    /// A shade for each x (time) and each row (`y` counts them); a map for each series.
    Heat,
}

/// An axis.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// The quantity that it shows.
    pub label: String,
    /// Unit; empty for a plain number.
    #[serde(default)]
    pub unit: String,
    /// Whether it is logarithmic.
    #[serde(default)]
    pub log: bool,
}

/// A line: estimates of one quantity.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Series {
    /// Word that distinguishes it from the other lines of its figure.
    pub id: String,
    /// Name for people.
    pub label: String,
    /// Id of the scheduler, for its colour; empty if it belongs to none.
    pub scheduler: String,
    /// Unit; empty for a plain number.
    pub unit: String,
    /// The results of the runs that are done.
    pub points: Vec<Point>,
    /// The published points: x and y.
    pub published: Vec<(f64, f64)>,
    /// How the published numbers were obtained; empty if there are none.
    pub provenance: &'static str,
    /// For a heat map: a row of values for each point of time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<Vec<f64>>,
    /// For a heat map: the marked place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
    /// Its range under other values of an assumption.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub band: Option<Range>,
}

/// A point of a line.
#[derive(Clone, Debug, Serialize)]
pub struct Point {
    /// Its x.
    pub x: f64,
    /// Its y.
    pub estimate: Estimate,
    /// Keys of its runs. Over time only the first point of a line has them, for the whole line.
    pub keys: Vec<String>,
}

impl Series {
    /// A line without points.
    #[must_use]
    pub fn new(id: &str, label: &str, scheduler: &str, unit: &str) -> Self {
        Self {
            id: id.to_owned(),
            label: label.to_owned(),
            scheduler: scheduler.to_owned(),
            unit: unit.to_owned(),
            ..Self::default()
        }
    }

    /// Adds a point.
    pub fn add(&mut self, x: f64, estimate: Estimate, keys: Vec<String>) {
        self.points.push(Point { x, estimate, keys });
    }
}
