//! The columns of a sweep's rows, in their order: point, lane, key, the axes, the run, its outcome, the measures. Also
//! rows as columns of Apache Arrow.

use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray, UInt64Array,
};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use serde_json::{Number, Value};
use sha2::{Digest, Sha256};
use sim_core::experiment::sweep::{Row, Space};
use std::sync::Arc;

/// Type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A text, or a value written as JSON.
    Text,
    /// A whole number, not negative.
    Whole,
    /// A whole number with a sign.
    Signed,
    /// A number.
    Real,
    /// `true` or `false`.
    Switch,
}

/// A column.
#[derive(Debug)]
pub struct Column {
    /// Its name.
    pub heading: String,
    /// What it holds.
    pub kind: Kind,
    /// Whether the table in a terminal shows it.
    pub in_table: bool,
}

/// All columns.
#[derive(Debug)]
pub struct Columns(pub Vec<Column>);

impl Columns {
    /// The columns of a sweep.
    #[must_use]
    pub fn of(space: &Space) -> Self {
        let fixed = |heading: &str, kind, in_table| Column {
            heading: heading.to_owned(),
            kind,
            in_table,
        };
        let mut all = vec![
            fixed("point", Kind::Whole, false),
            fixed("lane", Kind::Whole, false),
            fixed("key", Kind::Text, false),
        ];
        all.extend(space.headings().iter().enumerate().map(|(i, heading)| {
            let kind = kind(space.values(i));
            fixed(heading, kind, true)
        }));
        all.extend([
            fixed("machine", Kind::Text, false),
            fixed("scheduler", Kind::Text, true),
            fixed("era", Kind::Text, true),
            fixed("run_seed", Kind::Whole, false),
            fixed("status", Kind::Text, true),
            fixed("message", Kind::Text, true),
            fixed("events", Kind::Whole, false),
            fixed("digest", Kind::Text, true),
        ]);
        let measures = space.measures().iter();
        all.extend(measures.map(|id| fixed(id, Kind::Real, true)));
        Self(all)
    }

    /// The cells of a row; null where there is no value.
    #[must_use]
    pub fn cells(&self, row: &Row, key: &str) -> Vec<Value> {
        let text = |text: &str| match text {
            "" => Value::Null,
            text => Value::String(text.to_owned()),
        };
        let whole = |n: Option<u64>| n.map_or(Value::Null, Value::from);
        let mut cells = vec![row.point.into(), row.lane.into(), text(key)];
        let fixed = 3 + 8 + row.values.len();
        let axes = self.0.len() - fixed;
        cells.extend((0..axes).map(|i| row.at.get(i).map_or(Value::Null, |(_, v)| v.clone())));
        cells.extend([
            text(&row.machine),
            text(&row.scheduler),
            text(&row.era),
            whole(row.run_seed),
            text(row.status.word()),
            text(&row.message),
            whole(row.events),
            text(&row.digest),
        ]);
        let number = |v: &Option<f64>| {
            v.and_then(Number::from_f64)
                .map_or(Value::Null, Value::from)
        };
        cells.extend(row.values.iter().map(number));
        cells
    }
}

impl Kind {
    fn data_type(self) -> DataType {
        match self {
            Self::Text => DataType::Utf8,
            Self::Whole => DataType::UInt64,
            Self::Signed => DataType::Int64,
            Self::Real => DataType::Float64,
            Self::Switch => DataType::Boolean,
        }
    }
}

/// The columns in Arrow's description; every column may be empty in a row.
#[must_use]
pub fn schema(columns: &[Column]) -> SchemaRef {
    let field = |c: &Column| Field::new(&c.heading, c.kind.data_type(), true);
    Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()))
}

/// Converts rows of cells to columns.
///
/// # Errors
/// If a row does not have a cell for each column.
pub fn batch(columns: &[Column], rows: &[Vec<Value>]) -> Result<RecordBatch, ArrowError> {
    if let Some(row) = rows.iter().find(|row| row.len() != columns.len()) {
        let (cells, wanted) = (row.len(), columns.len());
        let message = format!("{cells} cells in a row of {wanted} columns");
        return Err(ArrowError::InvalidArgumentError(message));
    }
    let arrays = columns.iter().enumerate().map(|(i, column)| {
        let values = rows.iter().map(|row| &row[i]);
        array(column.kind, values)
    });
    RecordBatch::try_new(schema(columns), arrays.collect())
}

fn array<'v>(kind: Kind, values: impl Iterator<Item = &'v Value>) -> ArrayRef {
    let text = |v: &Value| match v {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    match kind {
        Kind::Text => Arc::new(values.map(text).collect::<StringArray>()),
        Kind::Whole => Arc::new(values.map(Value::as_u64).collect::<UInt64Array>()),
        Kind::Signed => Arc::new(values.map(Value::as_i64).collect::<Int64Array>()),
        Kind::Real => Arc::new(values.map(Value::as_f64).collect::<Float64Array>()),
        Kind::Switch => Arc::new(values.map(Value::as_bool).collect::<BooleanArray>()),
    }
}

/// The narrowest type that holds all values of an axis.
fn kind(values: &[Value]) -> Kind {
    if values.iter().all(Value::is_i64) {
        Kind::Signed
    } else if values.iter().all(Value::is_number) {
        Kind::Real
    } else if values.iter().all(Value::is_boolean) {
        Kind::Switch
    } else {
        Kind::Text
    }
}

/// A key for a run: 128 bits of the inputs that determine it, as 32 hexadecimal digits. Equal runs have equal keys.
#[must_use]
pub fn key(identity: &str) -> String {
    let hash = Sha256::digest(identity.as_bytes());
    hash.iter().take(16).map(|b| format!("{b:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_the_first_half_of_the_hash() {
        assert_eq!(key("abc"), "ba7816bf8f01cfea414140de5dae2223");
    }

    #[test]
    fn a_column_is_as_narrow_as_its_values() {
        let kind = |text: &str| {
            let values: Vec<Value> = serde_json::from_str(text).expect("JSON");
            super::kind(&values)
        };
        assert_eq!(kind("[1, -2]"), Kind::Signed);
        assert_eq!(kind("[1, 2.5]"), Kind::Real);
        assert_eq!(kind("[true, false]"), Kind::Switch);
        assert_eq!(kind("[\"a\", 1]"), Kind::Text);
        assert_eq!(kind("[true, 1]"), Kind::Text);
    }
}
