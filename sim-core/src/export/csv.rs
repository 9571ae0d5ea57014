//! Cells of CSV (RFC 4180) that no spreadsheet takes for a formula, whichever of comma, semicolon and tab it separates
//! columns by. Numbers are written as they are; texts come here.

/// Where a reader may begin a new cell.
fn ends_cell(c: char) -> bool {
    matches!(c, ',' | ';' | '\t' | '\r' | '\n')
}

/// What a formula begins with.
fn begins_formula(c: char) -> bool {
    matches!(c, '=' | '+' | '-' | '@')
}

/// Writes a text as a cell. Where it, or what another reader makes a cell of, begins like a formula, an apostrophe stands
/// before that, which spreadsheets read as "this is text".
pub fn text(text: &str, out: &mut String) {
    let is_quoted = text.contains(|c| c == '"' || ends_cell(c));
    if is_quoted {
        out.push('"');
    }
    if text.starts_with(['\t', '\r']) {
        out.push('\'');
    }
    let mut is_first = true;
    for c in text.chars() {
        if is_first && begins_formula(c) {
            out.push('\'');
        }
        // Spaces and quotes before a formula are passed over by some.
        is_first = ends_cell(c) || (is_first && matches!(c, ' ' | '"'));
        if c == '"' {
            out.push('"');
        }
        out.push(c);
    }
    if is_quoted {
        out.push('"');
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn texts_are_written_as_the_page_writes_them() {
        let cases = include_str!("../../cli/tests/data/csv.json");
        let cases: Vec<[String; 2]> = serde_json::from_str(cases).expect("pairs of texts");
        for [text, wanted] in cases {
            let mut cell = String::new();
            super::text(&text, &mut cell);
            assert_eq!(cell, wanted, "{text:?}");
        }
    }
}
