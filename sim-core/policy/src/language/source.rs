//! What is read off the text of a program before the language reads it.

use super::wrong;
use sim_contract::ProgramError;

/// Deepest nesting of brackets.
const BRACKETS: usize = 40;

/// Deepest nesting of blocks, as in Python.
const BLOCKS: usize = 20;

/// Longest statement, in bytes. What a reader of programs holds for a statement grows with its length.
const STATEMENT: usize = 1_000;

/// Most branches of one `if`.
const BRANCHES: usize = 60;

/// A line of code without comment, and with the contents of texts blotted out.
struct Line<'a> {
    number: u32,
    text: &'a str,
    code: String,
    /// Whether a statement begins in it.
    begins: bool,
    /// Where a text begins that does not end in it, though it must.
    unclosed: Option<usize>,
}

/// The lines of a program. Comments are gone, and letters in texts are blotted out, so that words found are code. Each sign
/// keeps its column.
fn lines(source: &str) -> Vec<Line<'_>> {
    let mut all = Vec::new();
    let mut quote: Option<(char, bool)> = None;
    let mut depth = 0_usize;
    let mut continued = false;
    for (number, text) in (1..).zip(source.lines()) {
        let begins = quote.is_none() && depth == 0 && !continued;
        let mut code = String::new();
        let mut begun = 0;
        let chars: Vec<char> = text.chars().collect();
        let mut i = 0;
        while let Some(&c) = chars.get(i) {
            let three = chars.get(i + 1) == Some(&c) && chars.get(i + 2) == Some(&c);
            match quote {
                Some((q, long)) if c == q && (!long || three) => {
                    if long {
                        code.push_str("__");
                        i += 2;
                    }
                    code.push(c);
                    quote = None;
                }
                Some(_) => {
                    if c == '\\' {
                        code.push('_');
                        i += 1;
                    }
                    code.push('_');
                }
                None if c == '#' => break,
                None => {
                    match c {
                        '"' | '\'' => {
                            begun = code.len();
                            if three {
                                code.push_str("__");
                                i += 2;
                            }
                            quote = Some((c, three));
                        }
                        '(' | '[' | '{' => depth += 1,
                        ')' | ']' | '}' => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    code.push(c);
                }
            }
            i += 1;
        }
        // A short text ends with its line, whether it is closed or not.
        let unclosed = quote.filter(|(_, long)| !*long).map(|_| begun);
        quote = quote.filter(|(_, long)| *long);
        continued = code.trim_end().ends_with('\\');
        all.push(Line {
            number,
            text,
            code,
            begins,
            unclosed,
        });
    }
    all
}

/// What to write instead of a word that Starlark lacks.
fn instead(word: &str) -> Option<&'static str> {
    Some(match word {
        "while" => "a program has no `while`, so that every call ends: use `for i in range(n)`",
        "class" => {
            "a program has no classes: keep numbers with `thread_state`, `cpu_state` and `state`"
        }
        "import" | "from" => "a program imports nothing: all that it needs is there",
        "try" => "a program has no `try`: a mistake stops the lane and says where",
        "raise" => "a program has no `raise`: `fail(\"why\")` stops the lane",
        "assert" => "a program has no `assert`: write `if not …: fail(\"why\")`",
        "global" | "nonlocal" => {
            "functions keep nothing: declare a variable with `state(\"turn\", 0)` and use `get` and `put`"
        }
        "with" => "a program has no `with`: there is nothing to open",
        "yield" => "a program has no `yield`: a function answers once, with `return`",
        "async" => "a program has no `async`: functions are called one after the other",
        "del" => "a program has no `del`",
        "load" => "a program loads nothing: all that it needs is there",
        _ => return None,
    })
}

/// Whether a character goes on with a name.
fn is_word(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Checks what would be told badly, or would need much memory to read.
pub(super) fn check(source: &str) -> Result<(), ProgramError> {
    let mut open: Vec<(u32, u32)> = Vec::new();
    let mut length = 0;
    let mut branches = 0;
    let mut blocks: Vec<usize> = vec![0];
    for line in lines(source) {
        let Line { number, code, .. } = &line;
        let column = |at: usize| u32::try_from(at + 1).unwrap_or(1);
        let indent = code.len() - code.trim_start().len();
        if let Some(at) = line.text.find('\t').filter(|at| *at < indent) {
            let message = "a line is indented with spaces, not with a tab";
            return Err(wrong(*number, column(at), message));
        }
        if let Some(at) = line.unclosed {
            let message = "this text has no closing quotation mark";
            return Err(wrong(*number, column(at), message));
        }
        let is_blank = code.trim().is_empty();
        if line.begins && !is_blank {
            length = 0;
            let before = blocks.len();
            while blocks.last().is_some_and(|b| *b > indent) {
                blocks.pop();
            }
            if blocks.last().is_some_and(|b| *b < indent) {
                if blocks.len() < before {
                    let message =
                        "the line is indented neither as the one before nor as a block around it";
                    return Err(wrong(*number, column(indent), message));
                }
                blocks.push(indent);
            }
            if blocks.len() > BLOCKS {
                let message = format!("blocks are nested more than {BLOCKS} deep");
                return Err(wrong(*number, column(indent), message));
            }
            let word = code.trim_start();
            let end = word.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let first = &word[..end.unwrap_or(word.len())];
            if let Some(instead) = instead(first) {
                // `load = 3` and `from(x)` would be names in Python, too, but not here.
                return Err(wrong(*number, column(indent), instead));
            }
            if let Some((at, message)) = of_other_languages(code, first) {
                return Err(wrong(*number, column(at), message));
            }
            match first {
                "elif" => branches += 1,
                "if" => branches = 0,
                _ => {}
            }
            if branches > BRANCHES {
                let message = format!("an `if` has more than {BRANCHES} branches");
                return Err(wrong(*number, column(indent), message));
            }
        }
        if let Some(at) = code
            .find(".load")
            .filter(|at| !is_word(code[at + 5..].chars().next()))
        {
            let message = "a cpu has no `load`; it has `nr_running`";
            return Err(wrong(*number, column(at + 1), message));
        }
        length += code.len();
        if length > STATEMENT {
            let message = format!("a statement is longer than {STATEMENT} characters");
            return Err(wrong(*number, 1, message));
        }
        for (at, c) in code.char_indices() {
            match c {
                '(' | '[' | '{' => open.push((*number, column(at))),
                ')' | ']' | '}' if open.pop().is_none() => {
                    let message = format!("`{c}` closes no bracket");
                    return Err(wrong(*number, column(at), message));
                }
                _ => {}
            }
            if open.len() > BRACKETS {
                let message = format!("brackets are nested more than {BRACKETS} deep");
                return Err(wrong(*number, column(at), message));
            }
        }
    }
    match open.last() {
        Some((line, column)) => Err(wrong(*line, *column, "this bracket is not closed")),
        None => Ok(()),
    }
}

/// Habits of other languages in a line that begins with a word: where, and what to write instead.
fn of_other_languages(code: &str, first: &str) -> Option<(usize, &'static str)> {
    let end = code.trim_end();
    let is_whole = code.matches(['(', '[', '{']).count() <= code.matches([')', ']', '}']).count();
    if let Some(at) = code.find("else if ") {
        return Some((at, "Python writes `elif`"));
    }
    if let Some(at) = code.find("&&") {
        return Some((at, "Python writes `and`"));
    }
    if let Some(at) = code.find("||") {
        return Some((at, "Python writes `or`"));
    }
    if end.ends_with("++") || end.ends_with("--") {
        return Some((end.len() - 2, "Python writes `+= 1` and `-= 1`"));
    }
    let opens = matches!(first, "def" | "if" | "elif" | "else" | "for");
    (opens && is_whole && !has_colon(code) && !end.ends_with('\\'))
        .then_some((end.len(), "a colon is missing here"))
}

/// Whether a colon stands outside of brackets.
fn has_colon(code: &str) -> bool {
    let mut depth = 0_usize;
    code.chars().any(|c| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ':' && depth == 0
    })
}

/// Whether a name stands in the code.
pub(super) fn speaks_of(source: &str, name: &str) -> bool {
    lines(source).iter().any(|line| {
        let is_part = |c: char| !c.is_ascii_alphanumeric() && c != '_';
        line.code.split(is_part).any(|word| word == name)
    })
}

/// The name of the number by which a function chooses the least: `min(cpu.waiting, key=lambda t: t.level)`.
pub(super) fn chooses_by(source: &str, function: &str) -> Option<String> {
    let (begin, _) = definition(source, function);
    let all = lines(source);
    let body = all.iter().filter(|line| line.number > begin);
    let body = body.take_while(|line| line.code.starts_with(' ') || line.code.trim().is_empty());
    let found = body.filter_map(|line| {
        let (_, rest) = line.code.split_once("min(cpu.waiting, key=lambda ")?;
        let (of, rest) = rest.split_once(": ")?;
        let rest = rest.strip_prefix(of)?.strip_prefix('.')?;
        let (name, _) = rest.split_once(')')?;
        (!name.is_empty() && name.chars().all(|c| is_word(Some(c)))).then(|| name.to_owned())
    });
    found.last()
}

/// Where a name is defined: line and column.
pub(super) fn definition(source: &str, name: &str) -> (u32, u32) {
    for line in lines(source) {
        let code = line.code.trim_end();
        let rest = code.strip_prefix("def ").map(str::trim_start);
        let (at, rest) = match rest {
            Some(rest) => (code.len() - rest.len(), rest),
            None => (0, code),
        };
        let ends =
            |after: &str| !after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        if rest.strip_prefix(name).is_some_and(ends) {
            return (line.number, u32::try_from(at + 1).unwrap_or(1));
        }
    }
    (1, 1)
}
