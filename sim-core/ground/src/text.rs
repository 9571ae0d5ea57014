//! Texts of unknown origin: which characters a name may have, and how a message quotes a text.

/// Largest number of characters of a user's text that a message repeats.
const QUOTED: usize = 40;

/// Whether a character changes how others are shown, or has no place in a line of text. These are controls, line and
/// paragraph separators, overrides and isolates of the writing direction, and the two that XML forbids.
///
/// Names may not contain them, because names are shown in terminals, tables and pictures.
#[must_use]
pub fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}'
        )
}

/// The error message for a text with such a character. In a text of several lines, line ends and tabs are allowed.
#[must_use]
pub fn refused(text: &str, has_lines: bool) -> Option<String> {
    let is_refused = |c: &char| is_unseen(*c) && !(has_lines && matches!(c, '\n' | '\r' | '\t'));
    let (at, c) = text.chars().enumerate().find(|(_, c)| is_refused(c))?;
    Some(format!(
        "must not hold control characters or marks that turn the writing direction around, has {} as character {}",
        c.escape_unicode(),
        at + 1
    ))
}

/// A text with such characters written as escapes, for example `\u{202e}`.
#[must_use]
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unseen(c) {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// A user's text as a message repeats it: its beginning, with such characters written as escapes.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut begin = String::new();
    for (i, c) in text.chars().enumerate() {
        if i == QUOTED {
            return visible(&begin) + "…";
        }
        begin.push(c);
    }
    visible(text)
}

/// Largest length of a quotation from an unreadable text, in characters, including the words around it.
const UNREADABLE: usize = 100;

/// Why a text is no JSON of the right shape, as serde says it, but short enough to be shown: the original may quote a key of
/// a megabyte. Without its place.
#[must_use]
pub fn unreadable(why: &str) -> String {
    let what = why.rsplit_once(" at line ").map_or(why, |(what, _)| what);
    // The list of expected words is our own text, and comes last.
    let (got, expected) = what.split_at(what.rfind(", expected ").unwrap_or(what.len()));
    let ends = got.char_indices().nth(UNREADABLE);
    let end = ends.map_or(got.len(), |(i, _)| i);
    let more = if end < got.len() { "…" } else { "" };
    format!("{}{more}{}", visible(&got[..end]), visible(expected))
}

/// Most bytes of a thread's name under Linux (`TASK_COMM_LEN` without the terminating zero).
const COMM: usize = 15;

/// A thread's name as Linux stores it: short. Characters that would break a line of a trace into other fields are replaced.
#[must_use]
pub fn comm(name: &str) -> String {
    let clean: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || "-_./:+".contains(c) {
                c
            } else {
                '_'
            }
        })
        .collect();
    if clean.len() <= COMM {
        return clean;
    }
    // The number at the end distinguishes threads of a group.
    let number = clean.rfind('-').map_or("", |i| &clean[i..]);
    let kept = COMM.saturating_sub(number.len());
    let cut = format!("{}{number}", &clean[..kept]);
    cut[..COMM.min(cut.len())].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_threads_keep_their_number() {
        assert_eq!(comm("typist-1"), "typist-1");
        assert_eq!(comm("ein sehr langer-Name-17"), "ein_sehr_lan-17");
        assert_eq!(comm("a-sehr_langer_name_ohne_zahl").len(), COMM);
    }

    #[test]
    fn what_turns_a_line_around_is_written_out() {
        assert_eq!(visible("a\u{202e}b\u{1b}[2Jc"), "a\\u{202e}b\\u{1b}[2Jc");
        assert_eq!(visible("größe 大きさ ‏עברית"), "größe 大きさ ‏עברית");
    }

    #[test]
    fn what_is_refused_is_named_with_its_place() {
        assert_eq!(refused("größe\n", true), None);
        let said = refused("ab\u{202e}c", false).expect("an override");
        assert!(said.ends_with("has \\u{202e} as character 3"), "{said}");
        assert!(refused("a\nb", false).is_some());
    }

    #[test]
    fn a_long_text_is_cut() {
        assert_eq!(quoted("abc"), "abc");
        assert_eq!(quoted(&"ü".repeat(41)), format!("{}…", "ü".repeat(40)));
    }
}
