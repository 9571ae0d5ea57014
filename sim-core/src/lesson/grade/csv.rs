//! Tables as text (RFC 4180): fields with commas, quotation marks or line ends are enclosed in quotation marks.

use crate::error::ConfigError;

/// Longest table, in bytes.
pub(super) const MOST_BYTES: usize = 4 << 20;
/// Largest number of rows, including the head.
pub(super) const MOST_ROWS: usize = 10_000;
/// Largest number of fields in a row: more than any of our tables has, but few enough to report.
const MOST_FIELDS: usize = 64;

/// The rows of a table. Empty lines are left out, but counted.
///
/// # Errors
/// If it is too large, or the place of a misplaced quotation mark.
pub(super) fn rows(text: &str) -> Result<Vec<(usize, Vec<String>)>, ConfigError> {
    let wrong = |row: usize, message: String| ConfigError::new(format!("row {row}"), message);
    if text.len() > MOST_BYTES {
        let message = format!("must be at most {MOST_BYTES} bytes, got {}", text.len());
        return Err(ConfigError::new("", message));
    }
    // Spreadsheets begin files with a byte order mark.
    let mut rest = text
        .strip_prefix('\u{feff}')
        .unwrap_or(text)
        .chars()
        .peekable();
    let mut all = Vec::new();
    let mut number = 0;
    while rest.peek().is_some() {
        number += 1;
        if number > MOST_ROWS {
            return Err(wrong(
                number,
                format!("a table has at most {MOST_ROWS} rows"),
            ));
        }
        let row = row(&mut rest).map_err(|message| wrong(number, message))?;
        if row.iter().any(|field| !field.is_empty()) {
            all.push((number, row));
        }
    }
    Ok(all)
}

type Chars<'a> = std::iter::Peekable<std::str::Chars<'a>>;

fn row(rest: &mut Chars<'_>) -> Result<Vec<String>, String> {
    let mut fields = Vec::new();
    loop {
        fields.push(field(rest)?);
        if fields.len() > MOST_FIELDS {
            return Err(format!("has more than {MOST_FIELDS} columns"));
        }
        match rest.next() {
            Some(',') => {}
            Some('\r') => {
                rest.next_if_eq(&'\n');
                return Ok(fields);
            }
            _ => return Ok(fields),
        }
    }
}

/// A field, up to the character that ends it.
fn field(rest: &mut Chars<'_>) -> Result<String, String> {
    let mut text = String::new();
    if rest.next_if_eq(&'"').is_none() {
        while let Some(c) = rest.next_if(|c| !matches!(c, ',' | '\r' | '\n')) {
            text.push(c);
        }
        return Ok(text);
    }
    loop {
        match rest.next() {
            None => return Err("a quotation mark is never closed".to_owned()),
            Some('"') if rest.next_if_eq(&'"').is_some() => text.push('"'),
            Some('"') => break,
            Some(c) => text.push(c),
        }
    }
    match rest.peek() {
        None | Some(',' | '\r' | '\n') => Ok(text),
        Some(c) => Err(format!(
            "expected a comma or the end of the row after a closing quotation mark, found {}",
            crate::text::quoted(&c.to_string())
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str) -> Vec<Vec<String>> {
        let rows = rows(text).expect("a table");
        rows.into_iter().map(|(_, fields)| fields).collect()
    }

    #[test]
    fn fields_keep_what_stands_in_quotation_marks() {
        let text = "\u{feff}a,b\r\n\"1,5\",\"say \"\"so\"\"\"\n\n\"two\r\nlines\",";
        let expected = [["a", "b"], ["1,5", "say \"so\""], ["two\r\nlines", ""]];
        assert_eq!(fields(text), expected);
        let numbers: Vec<usize> = rows(text).expect("a table").iter().map(|r| r.0).collect();
        assert_eq!(numbers, [1, 2, 4]);
    }

    #[test]
    fn what_is_no_table_is_refused() {
        for text in [
            "a,\"b",
            "\"a\"b",
            &",".repeat(MOST_FIELDS),
            &"\n".repeat(MOST_ROWS + 1),
        ] {
            let error = rows(text).expect_err("no table");
            assert!(error.path.starts_with("row "), "{error}");
        }
        assert!(rows(&" ".repeat(MOST_BYTES + 1)).is_err());
    }
}
