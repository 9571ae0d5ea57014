//! Sentences about programs in a teacher's words, whatever language they are written in.

use crate::hook::Hook;
use crate::moment::{Column, Declared};
use crate::world::{OF_CPUS, OF_THREADS};

/// Python's words that cannot be names of attributes.
const RESERVED: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "load", "nonlocal", "not", "or", "pass", "raise", "return", "try",
    "while", "with", "yield",
];

/// Whether a name is a word of Python.
pub(crate) fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name)
}

/// A kind of value, with its article.
#[must_use]
pub fn kind(of: &str) -> &str {
    match of {
        "thread" => "a thread",
        "cpu" => "a cpu",
        "everyone" => "EVERYONE",
        "int" => "a number",
        "float" => "a number with a point",
        "bool" => "True or False",
        "string" | "str" => "a text",
        "list" => "a list",
        "tuple" => "a tuple",
        "dict" => "a dictionary",
        "range" => "a range",
        "function" | "native_function" | "builtin_function_or_method" => "a function",
        "NoneType" => "None",
        other => other,
    }
}

/// Names in a sentence.
pub(crate) fn list(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => "nothing".to_owned(),
    }
}

/// Number of letters in which two names differ.
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let cost = before + usize::from(x != *y);
            before = row[j + 1];
            row[j + 1] = cost.min(before + 1).min(row[j] + 1);
        }
    }
    row.last().copied().unwrap_or_default()
}

/// The name that is closest, if one is close.
pub(crate) fn closest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let near = known.iter().map(|k| {
        let begins = name.len() > 1 && k.split('_').any(|part| part.starts_with(name));
        (if begins { 1 } else { distance(name, k) }, *k)
    });
    let best = near.min_by_key(|(d, _)| *d)?;
    (best.0 <= 1 + name.len() / 3).then_some(best.1)
}

/// What is told of an attribute that a value of a kind does not have.
#[must_use]
pub fn no_attribute(of: &str, name: &str, declared: &Declared) -> String {
    let (fixed, own): (&[&str], &[Column]) = match of {
        "thread" => (OF_THREADS, &declared.thread),
        "cpu" => (OF_CPUS, &declared.cpu),
        "NoneType" => return format!("None has no `{name}`: look whether there is one first"),
        "everyone" => {
            return format!("EVERYONE is the list of all CPUs and has no `{name}`");
        }
        other => return format!("{} has no `{name}`", kind(other)),
    };
    let what = kind(of);
    let mut known: Vec<&str> = own.iter().map(|c| c.name.as_str()).collect();
    known.extend(fixed);
    match closest(name, &known) {
        Some(close) => format!("{what} has no `{name}`; it has `{close}`"),
        None => format!("{what} has no `{name}`; it has {}", list(&known)),
    }
}

/// What is told of a number that no column holds.
#[must_use]
pub fn too_large(name: &str, value: &str) -> String {
    format!("`{name}` holds 64 bits, and {value} has more")
}

/// Line and column of the first place of a word in a program; its beginning if the word is not there.
#[must_use]
pub fn place_of(program: &str, word: &str) -> (u32, u32) {
    let number = |n: usize| u32::try_from(n + 1).unwrap_or(u32::MAX);
    let lines = program.lines().enumerate();
    let mut places = lines.filter_map(|(line, text)| Some((line, text.find(word)?)));
    places
        .next()
        .map_or((1, 1), |(line, at)| (number(line), number(at)))
}

/// What is told where a column gets something else than a whole number.
#[must_use]
pub fn not_whole(name: &str, of: &str) -> String {
    format!("`{name}` holds a whole number, not {}", kind(of))
}

/// What is told where a name of a function is something else.
#[must_use]
pub fn no_function(name: &str) -> String {
    format!("`{name}` is a function of a policy: write def {name}(…)")
}

/// What is told of a function with other parameters.
#[must_use]
pub fn called_as(name: &str, parameters: &[&str]) -> String {
    format!("`{name}` is called as {name}({})", parameters.join(", "))
}

/// What is told of a program without `pick`, and the name among its own that may have been meant.
pub fn no_pick<'a>(names: impl IntoIterator<Item = &'a str>) -> (String, Option<&'a str>) {
    let close = names.into_iter().find(|n| distance(n, "pick") <= 2);
    let hint = close.map_or_else(String::new, |n| format!("; `{n}` is close"));
    (
        format!("a policy needs a function `pick(cpu)`{hint}"),
        close,
    )
}

/// Numbers that a program may set by a name: range, unit, and the function that is called by them.
pub const CONSTANTS: [(&str, i64, i64, &str, Hook); 2] = [
    ("HZ", 1, 10_000, "ticks a second", Hook::Tick),
    (
        "BALANCE_EVERY",
        100_000,
        3_600_000_000_000,
        "ns",
        Hook::Balance,
    ),
];

/// What is told of such a number outside of its range; `got` is it in words.
#[must_use]
pub fn outside(name: &str, least: i64, most: i64, unit: &str, got: &str) -> String {
    format!("`{name}` is from {least} to {most} {unit}, not {got}")
}

/// What is told of such a number without its function.
#[must_use]
pub fn without(name: &str, function: Hook) -> String {
    let wanted = function.name();
    format!("`{name}` does nothing without a function `{wanted}`")
}
