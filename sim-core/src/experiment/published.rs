//! Published tables: rows of numbers.

use serde_json::Value;

/// A list of rows in a shipped file; lists within a row are laid side by side.
///
/// # Panics
/// If the file is no JSON, or has no such list; tests read them all.
#[must_use]
pub fn rows(text: &str, path: &str) -> Vec<Vec<f64>> {
    let file: Value = serde_json::from_str(text).expect("invariant: shipped data are JSON");
    let list = file.pointer(path).and_then(Value::as_array);
    let list = list.expect("invariant: shipped data have this list");
    list.iter().map(numbers).collect()
}

/// A number in a shipped file.
///
/// # Panics
/// As [`rows`].
#[must_use]
pub fn number(text: &str, path: &str) -> f64 {
    let file: Value = serde_json::from_str(text).expect("invariant: shipped data are JSON");
    let found = file.pointer(path).and_then(Value::as_f64);
    found.expect("invariant: shipped data have this number")
}

fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(list) => list.iter().flat_map(numbers).collect(),
        other => vec![other.as_f64().unwrap_or(f64::NAN)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_flat() {
        let text = r#"{"a":{"rows":[[1,[2,3]],[4,[5,6.5]]],"n":7}}"#;
        assert_eq!(rows(text, "/a/rows"), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.5]]);
        assert!((number(text, "/a/n") - 7.0).abs() < 1e-12);
    }
}
