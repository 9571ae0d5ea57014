//! Turns tokens into an expression: recursive descent, with one function for each rank of operators.

use super::tokens::{Token, tokens};
use super::{Argument, Expression, ExpressionError, Node, Operator};

/// Largest depth of nested brackets.
const DEPTH: usize = 40;

/// Operators by rank, the loosest first.
const RANKS: [&[(&str, Operator)]; 5] = [
    &[("or", Operator::Or)],
    &[("and", Operator::And)],
    &[
        ("==", Operator::Equal),
        ("!=", Operator::Unequal),
        ("<=", Operator::AtMost),
        (">=", Operator::AtLeast),
        ("<", Operator::Less),
        (">", Operator::More),
    ],
    &[("+", Operator::Add), ("-", Operator::Subtract)],
    &[("*", Operator::Multiply), ("/", Operator::Divide)],
];

/// Reads an expression.
///
/// # Errors
/// The first error, with its column and what was expected there.
pub fn parse(text: &str) -> Result<Expression, ExpressionError> {
    let mut parser = Parser {
        tokens: tokens(text)?,
        at: 0,
        depth: 0,
    };
    let found = parser.ranked(0)?;
    if *parser.next() == Token::End {
        return Ok(found);
    }
    Err(parser.expected("an operator or the end"))
}

struct Parser {
    tokens: Vec<(usize, Token)>,
    at: usize,
    depth: usize,
}

impl Parser {
    fn next(&self) -> &Token {
        &self.tokens[self.at].1
    }

    fn column(&self) -> usize {
        self.tokens[self.at].0
    }

    /// Takes the next token, but never goes past the end.
    fn take(&mut self) -> Token {
        let token = self.next().clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn takes(&mut self, sign: &str) -> bool {
        let is_it = match self.next() {
            Token::Sign(s) => *s == sign,
            Token::Word(w) => w == sign,
            _ => false,
        };
        if is_it {
            self.take();
        }
        is_it
    }

    fn expected(&self, what: &str) -> ExpressionError {
        let message = format!("expected {what}, found {}", self.next().name());
        ExpressionError::new(self.column(), message)
    }

    fn ranked(&mut self, rank: usize) -> Result<Expression, ExpressionError> {
        let Some(operators) = RANKS.get(rank) else {
            return self.single();
        };
        if rank == 2 && self.takes("not") {
            let column = self.column();
            let inner = self.deeper(|p| p.ranked(rank))?;
            return Ok(Expression {
                column,
                is: Node::Not(Box::new(inner)),
            });
        }
        let mut left = self.ranked(rank + 1)?;
        loop {
            let column = self.column();
            let found = operators.iter().find(|(sign, _)| self.takes(sign));
            let Some((_, operator)) = found else {
                return Ok(left);
            };
            let right = self.ranked(rank + 1)?;
            left = Expression {
                column,
                is: Node::Binary(*operator, Box::new(left), Box::new(right)),
            };
        }
    }

    fn deeper<T>(
        &mut self,
        inner: impl FnOnce(&mut Self) -> Result<T, ExpressionError>,
    ) -> Result<T, ExpressionError> {
        if self.depth == DEPTH {
            let message = format!("more than {DEPTH} brackets within each other");
            return Err(ExpressionError::new(self.column(), message));
        }
        self.depth += 1;
        let found = inner(self);
        self.depth -= 1;
        found
    }

    fn single(&mut self) -> Result<Expression, ExpressionError> {
        let column = self.column();
        let is = match self.next().clone() {
            Token::Number(value, kind) => {
                self.take();
                Node::Number(value, kind)
            }
            Token::Text(text) => {
                self.take();
                Node::Text(text)
            }
            Token::Sign("-") => {
                self.take();
                Node::Minus(Box::new(self.deeper(Self::single)?))
            }
            Token::Sign("(") => {
                self.take();
                let inner = self.deeper(|p| p.ranked(0))?;
                self.close(")")?;
                return Ok(inner);
            }
            Token::Sign("[") => {
                self.take();
                let all = self.deeper(|p| p.listed("]", |p| p.ranked(0)))?;
                Node::List(all)
            }
            Token::Word(word) => {
                self.take();
                if self.takes("(") {
                    Node::Call(word, self.deeper(|p| p.listed(")", Self::argument))?)
                } else {
                    Node::Word(word)
                }
            }
            _ => return Err(self.expected("a number, a name, a function, ( or [")),
        };
        Ok(Expression { column, is })
    }

    /// The items between commas, up to a closing bracket.
    fn listed<T>(
        &mut self,
        close: &str,
        one: impl Fn(&mut Self) -> Result<T, ExpressionError>,
    ) -> Result<Vec<T>, ExpressionError> {
        let mut all = Vec::new();
        if self.takes(close) {
            return Ok(all);
        }
        loop {
            all.push(one(self)?);
            if !self.takes(",") {
                self.close(close)?;
                return Ok(all);
            }
        }
    }

    fn close(&mut self, bracket: &str) -> Result<(), ExpressionError> {
        if self.takes(bracket) {
            return Ok(());
        }
        Err(self.expected(&format!("an operator, a comma or {bracket}")))
    }

    fn argument(&mut self) -> Result<Argument, ExpressionError> {
        let key = match (self.next(), self.tokens.get(self.at + 1)) {
            (Token::Word(key), Some((_, Token::Sign("=")))) => Some(key.clone()),
            _ => None,
        };
        if key.is_some() {
            self.take();
            self.take();
        }
        let value = self.ranked(0)?;
        Ok(Argument { key, value })
    }
}
