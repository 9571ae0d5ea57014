//! What a page draws of its runs: series of estimates with what is published beside them.

use super::stats::Estimate;
use serde::Serialize;

/// A chart.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Figure {
    /// Word that tells it from the others of its page.
    pub id: String,
    /// Heading.
    pub title: String,
    /// What is on the y axis, in a sentence.
    pub definition: String,
    /// How it is drawn.
    pub kind: Kind,
    /// Across.
    pub x: Axis,
    /// Up.
    pub y: Axis,
    /// The lines.
    pub series: Vec<Series>,
    /// Where its x lies in the runs behind it, to open them there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moment: Option<Moment>,
    /// For a table: its rows; the x of a point is the number of the row, from 0 on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub row_labels: Vec<RowLabel>,
    /// For a heat map: the value that every row has if all is even.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fair: Option<f64>,
}

/// What is known of a figure before there are results.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Word that tells it from the others of its page.
    pub id: &'static str,
    /// Heading.
    pub title: &'static str,
    /// What is on the y axis, in a sentence.
    pub definition: &'static str,
    /// How it is drawn.
    pub kind: Kind,
    /// Across.
    pub x: Scale,
    /// Up.
    pub y: Scale,
    /// Where its x lies in the runs behind it.
    pub moment: Option<Moment>,
}

/// An axis in a [`Frame`].
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// What it shows.
    pub label: &'static str,
    /// Unit; empty for a plain number.
    pub unit: &'static str,
    /// Whether it is logarithmic.
    pub log: bool,
}

/// When in a run something is: `originNs + x * perXNs`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Moment {
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

/// A place that is pointed out in a heat map.
#[derive(Clone, Debug, Serialize)]
pub struct Mark {
    /// Where.
    pub x: f64,
    /// What the source says of it.
    pub label: String,
}

/// What a line would be under other values of a supposition.
#[derive(Clone, Debug, Serialize)]
pub struct Range {
    /// The supposition and its values, in words.
    pub label: String,
    /// x, smallest and largest value.
    pub points: Vec<(f64, f64, f64)>,
}

/// How a figure is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
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
#[derive(Clone, Debug, Default, Serialize)]
pub struct Axis {
    /// What it shows.
    pub label: String,
    /// Unit; empty for a plain number.
    pub unit: String,
    /// Whether it is logarithmic.
    pub log: bool,
}

/// A line: estimates of one thing.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Series {
    /// Word that tells it from the others of its figure.
    pub id: String,
    /// Name for people.
    pub label: String,
    /// Id of the scheduler, for its colour; empty if it is of none.
    pub scheduler: String,
    /// Unit; empty for a plain number.
    pub unit: String,
    /// What the runs gave, as far as they are done.
    pub points: Vec<Point>,
    /// What is published: x and y.
    pub published: Vec<(f64, f64)>,
    /// How the published numbers came about; empty without any.
    pub provenance: &'static str,
    /// For a heat map: a row of values for each point of time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<Vec<f64>>,
    /// For a heat map: a place that is pointed out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
    /// What it would be under other values of a supposition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub band: Option<Range>,
}

/// A place on a line.
#[derive(Clone, Debug, Serialize)]
pub struct Point {
    /// Across.
    pub x: f64,
    /// Up.
    pub estimate: Estimate,
    /// Keys of the runs behind it; over time only the first point of a line has them, for all of it.
    pub keys: Vec<String>,
}

impl Scale {
    /// No axis: that of a table.
    pub const NONE: Self = Self::new("", "");

    /// A plain scale.
    #[must_use]
    pub const fn new(label: &'static str, unit: &'static str) -> Self {
        Self {
            label,
            unit,
            log: false,
        }
    }

    /// A logarithmic one.
    #[must_use]
    pub const fn log(label: &'static str, unit: &'static str) -> Self {
        Self {
            label,
            unit,
            log: true,
        }
    }

    fn axis(&self) -> Axis {
        Axis {
            log: self.log,
            ..Axis::new(self.label, self.unit)
        }
    }
}

impl Figure {
    /// A figure without lines.
    #[must_use]
    #[inline(never)] // one copy in the page's package
    pub fn new(frame: &Frame) -> Self {
        Self {
            id: text(frame.id),
            title: text(frame.title),
            definition: text(frame.definition),
            kind: frame.kind,
            x: frame.x.axis(),
            y: frame.y.axis(),
            moment: frame.moment,
            ..Self::default()
        }
    }
}

impl Series {
    /// A line without points.
    #[must_use]
    #[inline(never)]
    pub fn new(id: &str, label: &str, scheduler: &str, unit: &str) -> Self {
        Self {
            id: text(id),
            label: text(label),
            scheduler: text(scheduler),
            unit: text(unit),
            ..Self::default()
        }
    }

    /// One more point.
    #[inline(never)]
    pub fn add(&mut self, x: f64, estimate: Estimate, keys: Vec<String>) {
        self.points.push(Point { x, estimate, keys });
    }
}

impl RowLabel {
    /// A row.
    #[must_use]
    pub fn new(label: &str, unit: &str) -> Self {
        Self {
            label: text(label),
            unit: text(unit),
        }
    }
}

impl Axis {
    /// An axis of a plain scale.
    #[must_use]
    pub fn new(label: &str, unit: &str) -> Self {
        Self {
            label: text(label),
            unit: text(unit),
            log: false,
        }
    }

    /// A logarithmic one.
    #[must_use]
    pub fn log(label: &str, unit: &str) -> Self {
        Self {
            log: true,
            ..Self::new(label, unit)
        }
    }
}

#[inline(never)]
fn text(text: &str) -> String {
    text.to_owned()
}
