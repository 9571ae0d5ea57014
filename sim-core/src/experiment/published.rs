//! Published tables: rows of numbers.

use super::shipped;
use serde_json::Value;

/// A list of rows in a file of `scenarios/published/`, e.g. `s3-nice`; lists within a row are concatenated.
///
/// # Errors
/// That there is no such file, or no such list.
pub fn rows(file: &str, path: &str) -> Result<Vec<Vec<f64>>, String> {
    let list = find(file, path)?.as_array();
    let list = list.ok_or_else(|| format!("\"{path}\" in published/{file} is no list"))?;
    let mut rows = Vec::new();
    for row in list {
        let mut flat = Vec::new();
        lay_out(row, &mut flat);
        rows.push(flat);
    }
    Ok(rows)
}

/// What stands at a path, if there is something.
///
/// # Errors
/// That there is no such file, or nothing at this path.
pub fn find(file: &str, path: &str) -> Result<&'static Value, String> {
    let mut at = shipped::file(&format!("published/{file}"));
    for key in path.split('/') {
        at = match (at, key) {
            (at, "") => at,
            (Some(Value::Array(list)), key) => list.get(key.parse().unwrap_or(usize::MAX)),
            (Some(Value::Object(map)), key) => map.get(key),
            _ => None,
        };
    }
    at.ok_or_else(|| format!("there is no \"{path}\" in published/{file}"))
}

fn lay_out(value: &Value, out: &mut Vec<f64>) {
    match value {
        Value::Array(list) => {
            for part in list {
                lay_out(part, out);
            }
        }
        other => out.push(other.as_f64().unwrap_or(f64::NAN)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_flat() {
        let mut flat = Vec::new();
        lay_out(&serde_json::json!([1, [2, 6.5]]), &mut flat);
        assert_eq!(flat, [1.0, 2.0, 6.5]);
        assert_eq!(rows("s4-smt", "/rows").expect("a list")[0].len(), 4);
        let seconds = find("s2-battle", "/requests/seconds/0");
        assert!(seconds.is_ok_and(|n| n.as_f64() > Some(0.0)));
    }
}
