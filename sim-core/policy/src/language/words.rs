//! Errors of the language in a teacher's words.

use super::written_out::Origin;
use super::wrong;
use crate::moment::Shared;
use crate::words::{kind, no_attribute};
use sim_contract::ProgramError;
use sim_ground::text::visible;
use starlark::ErrorKind;
use starlark::codemap::{FileSpan, Pos, Span};

/// What a call may spend, and how large its values may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    Steps,
    Memory,
    Text,
    List,
    Number,
    Range,
    Step,
    Percent,
    Constants,
}

impl Limit {
    /// What is told of a call that goes beyond it.
    pub(super) fn sentence(self) -> &'static str {
        match self {
            Self::Steps => "the call took more steps than it may: a loop in it is too long",
            Self::Memory => "the call used more memory than 4 MB",
            Self::Text => "a text has at most 4,096 bytes",
            Self::List => "a list has at most 16,384 items",
            Self::Number => {
                "`*` and `<<` take numbers of at most 64 bits, and `<<` shifts by at most 1,024"
            }
            Self::Range => "a `range` has at most 32,768 numbers",
            Self::Step => "the third number of `range` is not 0",
            Self::Constants => {
                "what stands outside of functions holds at most 100,000 values, and lists in lists 32 deep"
            }
            Self::Percent => "`%` does not go with a text: `because` takes several values",
        }
    }
}

/// The parts of a message between backquotes.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// An error of the language with its place. What has none (a limit that was reached) has that of `begin`.
pub(super) fn told(
    error: &starlark::Error,
    origin: &Origin,
    moment: &Shared,
    begin: (u32, u32),
) -> ProgramError {
    let number = |n: usize| u32::try_from(n + 1).unwrap_or(u32::MAX);
    let (line, column) = error.span().map_or(begin, |place| {
        let begin = origin.begin_of(&at_whole_signs(place));
        (number(begin.line), number(begin.column))
    });
    // Texts of the program may be in it, whatever signs they hold.
    wrong(line, column, visible(&sentence(error, moment)))
}

/// The place with both ends before the signs that they stand in: the language may give one within a sign of several bytes.
fn at_whole_signs(place: &FileSpan) -> FileSpan {
    let before = |at: Pos| {
        let source = place.file.source();
        let mut at_or_before = (0..=at.get()).rev();
        Pos::new(
            at_or_before
                .find(|b| source.is_char_boundary(*b as usize))
                .unwrap_or(0),
        )
    };
    FileSpan {
        file: place.file.clone(),
        span: Span::new(before(place.span.begin()), before(place.span.end())),
    }
}

fn sentence(error: &starlark::Error, moment: &Shared) -> String {
    let whole = error.without_diagnostic().to_string();
    let text = whole.strip_prefix("fail:").unwrap_or(&whole).trim();
    match error.kind() {
        ErrorKind::Fail(_) => return format!("the program says: {text}"),
        // What our own functions say, unless the language's own had something to say.
        ErrorKind::Native(_) => {
            let known = exact(text, &quoted(text));
            return known.unwrap_or_else(|| text.to_owned());
        }
        ErrorKind::StackOverflow(_) => {
            return "functions call each other more than 32 deep".to_owned();
        }
        _ => {}
    }
    let words = quoted(text);
    let one = |n: usize| words.get(n).copied().unwrap_or_default();
    if text.contains("has no attribute") {
        return no_attribute(one(0), one(1), &moment.declared());
    }
    if text.starts_with("Variable `") && text.contains("not found") {
        return no_name(one(0), words.get(1).copied());
    }
    if let Some(rest) = text.strip_prefix("Parse error: ") {
        return parse(rest);
    }
    if text.starts_with("duplicated parameter") {
        return "two parameters have the same name".to_owned();
    }
    if text.starts_with("type annotations") {
        return "a program has no types: leave the colon and the type out".to_owned();
    }
    if text.contains("ticks has been exceeded") {
        return Limit::Steps.sentence().to_owned();
    }
    if text.contains("Heap memory limit") {
        return Limit::Memory.sentence().to_owned();
    }
    if text.starts_with("Operation `") {
        return operation(&words);
    }
    if let Some(known) = exact(text, &words) {
        return known;
    }
    // A message of the language that nobody has put into other words yet.
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_lowercase().to_string());
    first.unwrap_or_default() + chars.as_str().lines().next().unwrap_or_default()
}

fn exact(text: &str, words: &[&str]) -> Option<String> {
    let one = |n: usize| words.get(n).copied().unwrap_or_default();
    let begins = |start: &str| text.starts_with(start);
    Some(
        if begins("Cannot divide by zero") || text.contains("by zero") {
            "something is divided by 0".to_owned()
        } else if begins("Index `") {
            format!("there is no item {}: the list is shorter", one(0))
        } else if begins("Key `") {
            format!("the dictionary has no {}", one(0))
        } else if begins("Local variable `") {
            format!("`{}` is read before it has a value", one(0))
        } else if text == "Immutable" {
            "what stands outside of functions cannot change during the run: use `state`, `get` and `put`"
            .to_owned()
        } else if begins("Missing required parameter") || begins("Missing positional") {
            format!("a call lacks `{}`", one(0))
        } else if begins("Found ") && text.contains("extra positional") {
            "a call has too many arguments".to_owned()
        } else if begins("Too many positional") || begins("Wrong number of positional") {
            "a call has another number of arguments than the function".to_owned()
        } else if begins("This operation mutates") {
            "a list is changed while a loop goes through it".to_owned()
        } else if text.contains("Max") && text.contains("empty") {
            "there is nothing to choose from: the list is empty".to_owned()
        } else if begins("Argument is an empty iterable") || text.contains("empty iterable") {
            "`min` and `max` choose among several: the list is empty".to_owned()
        } else if begins("Type of parameter") || begins("Type of parameters") {
            format!(
                "a call has an argument of the wrong kind: {}",
                kind(words.last()?)
            )
        } else {
            return None;
        },
    )
}

fn no_name(name: &str, close: Option<&str>) -> String {
    match (name, close) {
        ("True" | "true", _) | ("False" | "false", _) => {
            format!("there is no `{name}`; Python writes True and False")
        }
        ("sleep" | "time", _) => format!("there is no `{name}`: `now()` is the simulated time"),
        (_, Some(close)) => format!("there is no `{name}`; there is `{close}`"),
        (_, None) => format!("there is no `{name}`"),
    }
}

fn operation(words: &[&str]) -> String {
    match words {
        [op, left, right] => {
            format!("`{op}` does not go with {} and {}", kind(left), kind(right))
        }
        [op, of] if op.starts_with('.') && op.ends_with('=') => {
            format!(
                "{} has no `{}` that could be set",
                kind(of),
                op.trim_matches(['.', '='])
            )
        }
        ["[]", of] => format!("{} has no items", kind(of)),
        ["(iter)", of] => format!("a loop cannot go through {}", kind(of)),
        ["call()", of] => format!("{} is no function", kind(of)),
        [op, of] => format!("`{op}` does not go with {}", kind(of)),
        _ => "this operation does not go with these values".to_owned(),
    }
}

fn parse(rest: &str) -> String {
    if rest.starts_with("unexpected end of file") {
        "the program ends in the middle of a statement".to_owned()
    } else if rest.contains("expected new indentation block") {
        "the block after a colon is indented, and this line is not".to_owned()
    } else if rest.starts_with("incorrect indentation") {
        "the line is indented neither as the one before nor as a block around it".to_owned()
    } else if rest.starts_with("unfinished string") {
        "a text has no closing quotation mark".to_owned()
    } else if let Some(word) = rest.strip_prefix("cannot use reserved keyword ") {
        format!("{word} is a word of Python that programs do not have")
    } else if rest.starts_with("tabs") {
        "a line is indented with spaces, not with a tab".to_owned()
    } else if let Some(what) = rest.strip_prefix("invalid input ") {
        format!("{what} means nothing here")
    } else if rest.starts_with("unexpected new line") || rest.starts_with("unexpected newline") {
        "the line ends too early: something is missing at its end".to_owned()
    } else {
        let what = rest.strip_prefix("unexpected ").unwrap_or(rest);
        let what = what.split(" here").next().unwrap_or(what);
        if what.starts_with("symbol '='") || what.starts_with("'='") {
            return "`=` sets a name; Python compares with `==`".to_owned();
        }
        let (what, expected) = what
            .split_once(", expected ")
            .map_or((what, ""), |(a, b)| (a, b));
        let what = what
            .trim_start_matches("symbol ")
            .trim_start_matches("keyword ");
        if expected.is_empty() || expected.len() > 60 {
            format!("{what} does not fit here")
        } else {
            format!("{what} does not fit here; expected is {expected}")
        }
    }
}
