//! The columns of a sweep's rows, in their order: point, lane, key, the axes, what the run was, what became of it, the
//! measures.

use serde_json::{Number, Value};
use sha2::{Digest, Sha256};
use sim_core::experiment::sweep::{Row, Space};

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Whole,
    Signed,
    Real,
    Switch,
}

/// A column.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) heading: String,
    pub(super) kind: Kind,
    /// Whether a person wants to see it in a terminal.
    pub(super) in_table: bool,
}

/// All columns.
#[derive(Debug)]
pub(super) struct Columns(pub(super) Vec<Column>);

impl Columns {
    pub(super) fn of(space: &Space) -> Self {
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

    /// The cells of a row; null where there is nothing.
    pub(super) fn cells(&self, row: &Row, key: &str) -> Vec<Value> {
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

/// The narrowest kind that holds all values of an axis.
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

/// 128 bits of what a run follows from, as 32 hexadecimal digits: equal for equal runs.
pub(super) fn key(identity: &str) -> String {
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
