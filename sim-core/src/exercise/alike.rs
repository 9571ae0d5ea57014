//! Programs that are equal but for names, spaces and comments.

use std::collections::BTreeMap;

/// A program with its names replaced by their order of appearance, without spaces and comments. Two programs that differ in
/// nothing else have the same.
#[must_use]
pub fn form(program: &str) -> String {
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    let mut form = String::new();
    let mut rest = program;
    let mut is_new_line = true;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '"' | '\'' => quoted(rest, c),
            _ if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            _ => c.len_utf8(),
        };
        let (piece, after) = rest.split_at(length);
        rest = after;
        match c {
            '\n' => is_new_line = true,
            '#' => {}
            c if c.is_whitespace() => {}
            c => {
                if is_new_line {
                    form.push('\n');
                    is_new_line = false;
                }
                if is_word(c) && !c.is_ascii_digit() {
                    let n = names.len();
                    let n = *names.entry(piece).or_insert(n);
                    form.push_str(&format!("${n} "));
                } else {
                    form.push_str(piece);
                }
            }
        }
    }
    form
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The length of a text in quotation marks, to the end of the line if it has no end.
fn quoted(rest: &str, mark: char) -> usize {
    let mut escaped = false;
    for (i, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return i,
            c if c == mark && !escaped => return i + c.len_utf8(),
            _ => escaped = c == '\\' && !escaped,
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::form;

    #[test]
    fn names_spaces_and_comments_make_no_difference() {
        let one = "# A.\nTURN = 10 * ms\n\ndef pick(cpu):\n    return cpu.waiting[0]\n";
        let other = "LONG=10*ms   # B.\ndef pick(c):\n  return c.waiting[ 0 ]";
        assert_eq!(form(one), form(other));
        for different in [
            "TURN = 20 * ms\ndef pick(cpu):\n    return cpu.waiting[0]\n",
            "TURN = 10 * ms\ndef pick(cpu):\n    return cpu.waiting[-1]\n",
            "TURN = 10 * ms\ndef pick(cpu):\n    return TURN.waiting[0]\n",
        ] {
            assert_ne!(form(one), form(different));
        }
    }
}
