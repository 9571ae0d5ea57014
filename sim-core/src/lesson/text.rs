//! Texts with placeholders: `{exit(1, last):s}` is replaced by its value in the learner's run.

use super::words::Words;
use sim_measure::evaluate::{Scope, evaluate};
use sim_measure::expression::{Expression, ExpressionError, parse};
use sim_measure::quantity::Format;
use sim_measure::runs::Runs;

/// A piece of a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Piece {
    Plain(String),
    Value(Expression, Format),
}

/// The pieces of a text. Columns of errors are those of the text.
pub(super) fn pieces(text: &str) -> Result<Vec<Piece>, ExpressionError> {
    let chars: Vec<char> = text.chars().collect();
    let mut all = Vec::new();
    let mut plain = String::new();
    let mut at = 0;
    while at < chars.len() {
        if chars[at] == '}' {
            let message = "} without {";
            return Err(ExpressionError::new(at + 1, message));
        }
        if chars[at] != '{' {
            plain.push(chars[at]);
            at += 1;
            continue;
        }
        let inner = &chars[at + 1..];
        let Some(length) = outside_quotes(inner)
            .find(|(_, c)| *c == '}')
            .map(|(i, _)| i)
        else {
            return Err(ExpressionError::new(at + 1, "{ is never closed"));
        };
        if !plain.is_empty() {
            all.push(Piece::Plain(std::mem::take(&mut plain)));
        }
        all.push(value(&inner[..length], at + 1)?);
        at += length + 2;
    }
    if !plain.is_empty() {
        all.push(Piece::Plain(plain));
    }
    Ok(all)
}

/// Characters outside quotation marks.
fn outside_quotes(chars: &[char]) -> impl Iterator<Item = (usize, char)> + '_ {
    let mut quote = None;
    chars.iter().enumerate().filter_map(move |(i, c)| {
        match quote {
            Some(q) if q == *c => quote = None,
            Some(_) => {}
            None if *c == '"' || *c == '\'' => quote = Some(*c),
            None => return Some((i, *c)),
        }
        None
    })
}

/// A placeholder: an expression, and after the last colon the format.
fn value(inner: &[char], offset: usize) -> Result<Piece, ExpressionError> {
    let colon = outside_quotes(inner).filter(|(_, c)| *c == ':').last();
    let (expression, format) = match colon {
        Some((i, _)) => (&inner[..i], &inner[i + 1..]),
        None => (inner, &inner[..0]),
    };
    let text: String = expression.iter().collect();
    let told: String = format.iter().collect();
    let parsed = parse(&text).map_err(|e| ExpressionError::new(e.column + offset, e.message))?;
    let format = Format::parse(told.trim())
        .map_err(|message| ExpressionError::new(offset + expression.len() + 2, message))?;
    Ok(Piece::Value(parsed.shifted(offset), format))
}

/// A text with all values filled in; `named` are placeholders with a given text.
pub(super) fn fill(
    runs: &mut Runs,
    scope: &Scope,
    text: &str,
    named: &[(&str, String)],
    words: &Words,
) -> Result<String, ExpressionError> {
    let mut out = String::new();
    for piece in pieces(text)? {
        match piece {
            Piece::Plain(plain) => out.push_str(&plain),
            Piece::Value(e, format) => {
                let name = match &e.is {
                    sim_measure::expression::Node::Word(w) => w.as_str(),
                    _ => "",
                };
                let own = named.iter().find(|(n, _)| *n == name);
                if let Some((_, told)) = own.filter(|_| format == Format::default()) {
                    out.push_str(told);
                    continue;
                }
                let value = evaluate(runs, scope, &e)?;
                let told = format.print(&value, &words.values);
                out.push_str(&told.map_err(|m| ExpressionError::new(e.column, m))?);
            }
        }
    }
    Ok(out)
}

/// The expressions of a text; none if it is wrong.
pub(super) fn expressions(text: &str) -> Vec<Expression> {
    let pieces = pieces(text).unwrap_or_default();
    let values = pieces.into_iter().filter_map(|p| match p {
        Piece::Value(e, _) => Some(e),
        Piece::Plain(_) => None,
    });
    values.collect()
}
