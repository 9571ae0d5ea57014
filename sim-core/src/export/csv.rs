//! Cells of CSV (RFC 4180) that no spreadsheet reads as a formula, whether it separates columns by comma, semicolon or
//! tab. Numbers are written unchanged; only texts are treated here.

/// Whether a reader may begin a new cell after this character.
fn ends_cell(c: char) -> bool {
    matches!(c, ',' | ';' | '\t' | '\r' | '\n')
}

/// Whether a formula may begin with this character. Some readers take the full-width signs of East Asian keyboards
/// for the plain ones.
fn begins_formula(c: char) -> bool {
    matches!(c, '=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠')
}

/// Writes a text as a cell. If the text, or a part that another reader takes for a cell, begins like a formula, an
/// apostrophe comes before it, which spreadsheets read as "this is text".
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
        // Some readers skip spaces and quotes before a formula.
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
