//! Expressions over a run: `exit(1, last)`, `100% - share(3, front)`, `said == 2 and not right`.
//!
//! Numbers have units (`11.3s`, `4ms`, `0.8us`, `90%`). Words without quotes are names (`idle_core`, `batch`); names
//! with other characters are written in quotes (`"job-9"`). Times are ns inside. An error gives its place.

mod parse;
mod tokens;

pub use parse::parse;

use super::quantity::Kind;
use std::fmt;

/// An error in an expression, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpressionError {
    /// Column, from 1, counted in characters.
    pub column: usize,
    /// The error, with what was expected.
    pub message: String,
}

impl ExpressionError {
    /// An error at a column, from 1.
    #[must_use]
    pub fn new(column: usize, message: impl Into<String>) -> Self {
        Self {
            column,
            message: message.into(),
        }
    }
}

impl fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.message)
    }
}

impl std::error::Error for ExpressionError {}

/// An expression and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// Column, from 1.
    pub column: usize,
    /// Its content.
    pub is: Node,
}

/// The content of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A number; times in ns, `90%` is 0.9.
    Number(f64, Kind),
    /// A word in quotes.
    Text(String),
    /// A word: a variable, or a name.
    Word(String),
    /// `[a, b]`.
    List(Vec<Expression>),
    /// `-a`.
    Minus(Box<Expression>),
    /// `not a`.
    Not(Box<Expression>),
    /// `a + b` and similar; the column is the operator's.
    Binary(Operator, Box<Expression>, Box<Expression>),
    /// `name(a, b, key=c)`.
    Call(String, Vec<Argument>),
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// `key` of `key=value`.
    pub key: Option<String>,
    /// The value.
    pub value: Expression,
}

/// An operator between two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `or`
    Or,
    /// `and`
    And,
    /// `==`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
}

impl Expression {
    /// The same expression with its columns shifted to its place in a text.
    #[must_use]
    pub fn shifted(mut self, by: usize) -> Self {
        self.shift(by);
        self
    }

    fn shift(&mut self, by: usize) {
        self.column += by;
        match &mut self.is {
            Node::Number(..) | Node::Text(_) | Node::Word(_) => {}
            Node::List(all) => all.iter_mut().for_each(|e| e.shift(by)),
            Node::Minus(a) | Node::Not(a) => a.shift(by),
            Node::Binary(_, a, b) => {
                a.shift(by);
                b.shift(by);
            }
            Node::Call(_, arguments) => arguments.iter_mut().for_each(|a| a.value.shift(by)),
        }
    }

    /// Whether a word occurs in it as a variable. In `each`, `lane` is its own.
    #[must_use]
    pub fn mentions(&self, word: &str) -> bool {
        match &self.is {
            Node::Number(..) | Node::Text(_) => false,
            Node::Word(w) => w == word,
            Node::List(all) => all.iter().any(|e| e.mentions(word)),
            Node::Minus(a) | Node::Not(a) => a.mentions(word),
            Node::Binary(_, a, b) => a.mentions(word) || b.mentions(word),
            Node::Call(name, _) if name == "each" && word == "lane" => false,
            Node::Call(_, arguments) => arguments.iter().any(|a| a.value.mentions(word)),
        }
    }
}
