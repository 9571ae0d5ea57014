//! Turns text into tokens.

use super::ExpressionError;
use crate::quantity::Kind;

/// A token of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Number(f64, Kind),
    Text(String),
    Word(String),
    /// An operator, a bracket or a comma.
    Sign(&'static str),
    /// The end of the text.
    End,
}

impl Token {
    /// Its name in messages.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Number(..) => "a number".to_owned(),
            Self::Text(_) => "a word in quotes".to_owned(),
            Self::Word(w) => format!("\"{w}\""),
            Self::Sign(s) => format!("\"{s}\""),
            Self::End => "the end".to_owned(),
        }
    }
}

/// The longer signs come first.
const SIGNS: [&str; 17] = [
    "==", "!=", "<=", ">=", "<", ">", "=", "+", "-", "*", "/", "(", ")", "[", "]", ",", "×",
];

/// Units of numbers, their factors, and the kind of number.
const UNITS: [(&str, f64, Kind); 7] = [
    ("ns", 1.0, Kind::Time),
    ("us", 1e3, Kind::Time),
    ("µs", 1e3, Kind::Time),
    ("ms", 1e6, Kind::Time),
    ("s", 1e9, Kind::Time),
    ("%", 0.01, Kind::Share),
    ("x", 1.0, Kind::Number),
];

/// Longest expression, in characters.
const MOST: usize = 2_000;

/// The tokens of a text with their columns; the last one is the end.
pub(super) fn tokens(text: &str) -> Result<Vec<(usize, Token)>, ExpressionError> {
    let chars: Vec<char> = text.chars().collect();
    if chars.len() > MOST {
        let message = format!("is longer than {MOST} characters");
        return Err(ExpressionError::new(1, message));
    }
    let mut found = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let from = at;
        let c = chars[at];
        let token = if c.is_whitespace() {
            at += 1;
            continue;
        } else if c.is_ascii_digit() {
            number(&chars, &mut at)?
        } else if c == '"' || c == '\'' {
            quoted(&chars, &mut at)?
        } else if c.is_alphabetic() || c == '_' {
            Token::Word(run_of(&chars, &mut at, |c| c.is_alphanumeric() || c == '_'))
        } else {
            sign(&chars, &mut at)?
        };
        found.push((from + 1, token));
    }
    found.push((chars.len() + 1, Token::End));
    Ok(found)
}

/// The characters from here on that fit.
fn run_of(chars: &[char], at: &mut usize, fits: impl Fn(char) -> bool) -> String {
    let from = *at;
    while chars.get(*at).is_some_and(|c| fits(*c)) {
        *at += 1;
    }
    chars[from..*at].iter().collect()
}

fn number(chars: &[char], at: &mut usize) -> Result<Token, ExpressionError> {
    let from = *at;
    let digits = run_of(chars, at, |c| c.is_ascii_digit() || c == '.');
    let wrong = |message: String| ExpressionError::new(from + 1, message);
    let value: f64 = digits
        .parse()
        .map_err(|_| wrong(format!("\"{digits}\" is no number")))?;
    let before = *at;
    let unit = run_of(chars, at, |c| c.is_alphabetic() || c == '%');
    if unit.is_empty() {
        return Ok(Token::Number(value, Kind::Number));
    }
    let known = UNITS.iter().find(|u| u.0 == unit);
    let Some((_, factor, kind)) = known else {
        let message = format!("\"{unit}\" is no unit; units are s, ms, us, ns, %, x");
        return Err(ExpressionError::new(before + 1, message));
    };
    // Dividing rounds once; a product with 0.01 would round twice.
    let value = if *kind == Kind::Share {
        value / 100.0
    } else {
        value * factor
    };
    Ok(Token::Number(value, *kind))
}

fn quoted(chars: &[char], at: &mut usize) -> Result<Token, ExpressionError> {
    let (from, quote) = (*at, chars[*at]);
    *at += 1;
    let text = run_of(chars, at, |c| c != quote);
    if *at == chars.len() {
        let message = "the quotation mark is never closed";
        return Err(ExpressionError::new(from + 1, message));
    }
    *at += 1;
    Ok(Token::Text(text))
}

fn sign(chars: &[char], at: &mut usize) -> Result<Token, ExpressionError> {
    let starts = |s: &str| {
        s.chars()
            .enumerate()
            .all(|(i, c)| chars.get(*at + i) == Some(&c))
    };
    let Some(found) = SIGNS.iter().find(|s| starts(s)) else {
        let message = format!("\"{}\" has no meaning here", chars[*at]);
        return Err(ExpressionError::new(*at + 1, message));
    };
    *at += found.chars().count();
    Ok(Token::Sign(if *found == "×" { "*" } else { found }))
}
