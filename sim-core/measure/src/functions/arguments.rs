//! Arguments of a call, by the names of the parameters.

use super::Function;
use crate::evaluate::Evaluator;
use crate::expression::{Argument, Expression, ExpressionError};
use crate::quantity::{Kind, Quantity};

type Result<T> = std::result::Result<T, ExpressionError>;

/// The arguments of a call, assigned to the parameters.
pub(super) struct Bound<'a> {
    column: usize,
    function: &'static str,
    by_name: Vec<(&'static str, &'a Argument)>,
}

impl<'a> Bound<'a> {
    pub(super) fn new(
        column: usize,
        function: &'static Function,
        arguments: &'a [Argument],
    ) -> Result<Self> {
        let Function {
            parameters, needs, ..
        } = *function;
        let mut by_name: Vec<(&'static str, &Argument)> = Vec::new();
        let usage = || function.usage();
        let mut free = parameters.iter();
        for argument in arguments {
            let at = argument.value.column;
            let name = match &argument.key {
                None => free.next(),
                Some(key) => parameters.iter().find(|p| *p == key),
            };
            let Some(name) = name else {
                let message = match &argument.key {
                    None => format!("one argument too many; it is {}", usage()),
                    Some(key) => format!("no parameter \"{key}\"; it is {}", usage()),
                };
                return Err(ExpressionError::new(at, message));
            };
            if by_name.iter().any(|(n, _)| n == name) {
                let message = format!("{name} is given twice; it is {}", usage());
                return Err(ExpressionError::new(at, message));
            }
            by_name.push((name, argument));
        }
        let given = |p: &&&str| by_name.iter().any(|(n, _)| n == *p);
        if let Some(lacks) = parameters[..needs].iter().find(|p| !given(p)) {
            let message = format!("lacks {lacks}; it is {}", usage());
            return Err(ExpressionError::new(column, message));
        }
        Ok(Self {
            column,
            function: function.name,
            by_name,
        })
    }

    pub(super) fn find(&self, name: &str) -> Option<&'a Argument> {
        let found = self.by_name.iter().find(|(n, _)| *n == name)?;
        Some(found.1)
    }

    /// A required argument.
    pub(super) fn given(&self, name: &str) -> &'a Argument {
        self.find(name)
            .expect("invariant: needed arguments were looked for")
    }

    pub(super) fn wrong(&self, name: &str, message: impl AsRef<str>) -> ExpressionError {
        let column = self.find(name).map_or(self.column, |a| a.value.column);
        let message = format!("argument {name} of {}: {}", self.function, message.as_ref());
        ExpressionError::new(column, message)
    }

    fn refused(&self, name: &str, expected: &str, found: &Quantity) -> ExpressionError {
        self.wrong(name, format!("expected {expected}, found {}", found.name()))
    }

    /// The value of an argument, if it is given.
    pub(super) fn value(&self, e: &mut Evaluator<'_>, name: &str) -> Result<Option<Quantity>> {
        self.find(name).map(|a| e.value(&a.value)).transpose()
    }

    pub(super) fn expression(&self, name: &str) -> &'a Expression {
        &self.given(name).value
    }

    /// A name: a word, in quotes or without.
    pub(super) fn word(&self, e: &mut Evaluator<'_>, name: &str) -> Result<String> {
        match e.value(self.expression(name))? {
            Quantity::Word(word) => Ok(word),
            other => Err(self.refused(name, "a name", &other)),
        }
    }

    /// The same for an argument that may be left out.
    pub(super) fn word_if(&self, e: &mut Evaluator<'_>, name: &str) -> Result<Option<String>> {
        self.find(name).map(|_| self.word(e, name)).transpose()
    }

    /// A whole number, if it is given and known.
    pub(super) fn whole(&self, e: &mut Evaluator<'_>, name: &str) -> Result<Option<i64>> {
        match self.value(e, name)? {
            None | Some(Quantity::Missing) => Ok(None),
            Some(Quantity::Number(x, kind)) if kind != Kind::Time && x.fract() == 0.0 => {
                Ok(Some(whole(x)))
            }
            Some(other) => Err(self.refused(name, "a whole number", &other)),
        }
    }

    /// A CPU by its number, if it is given.
    pub(super) fn cpu(&self, e: &mut Evaluator<'_>, name: &str) -> Result<Option<u16>> {
        let Some(n) = self.whole(e, name)? else {
            return Ok(None);
        };
        let cpu = u16::try_from(n).ok();
        cpu.map(Some)
            .ok_or_else(|| self.wrong(name, format!("{n} is no CPU")))
    }

    /// Position of a lane; `None` if the run has no such lane.
    pub(super) fn lane(&self, e: &mut Evaluator<'_>) -> Result<Option<usize>> {
        let found = self.whole(e, "lane").map_err(|wrong| {
            let message = format!(
                "{}; lane stands for a lane in rank and the like",
                wrong.message
            );
            ExpressionError::new(wrong.column, message)
        })?;
        let Some(n) = found else { return Ok(None) };
        if n < 1 {
            return Err(self.wrong("lane", format!("lanes count from 1, got {n}")));
        }
        let run = e.scope.run.clone();
        let lanes = e.runs.plan(&run).map_or(0, |p| p.lanes.len());
        let position = usize::try_from(n - 1).ok();
        Ok(position.filter(|p| *p < lanes))
    }

    /// A time in ns; `end` is later than all others; `None` if it is missing.
    pub(super) fn time(
        &self,
        e: &mut Evaluator<'_>,
        name: &str,
        otherwise: u64,
    ) -> Result<Option<u64>> {
        let found = self.value(e, name)?;
        let Some(found) = found else {
            return Ok(Some(otherwise));
        };
        self.as_time(name, &found)
    }

    pub(super) fn as_time(&self, name: &str, found: &Quantity) -> Result<Option<u64>> {
        match found {
            Quantity::Missing => Ok(None),
            Quantity::Word(w) if w == "end" => Ok(Some(u64::MAX)),
            Quantity::Number(ns, kind) if *kind == Kind::Time || *ns == 0.0 => {
                if *ns < 0.0 {
                    return Err(self.wrong(name, "is before the start"));
                }
                Ok(Some(whole(*ns).unsigned_abs()))
            }
            other => Err(self.refused(name, "a time such as 4s", other)),
        }
    }

    pub(super) fn list(&self, e: &mut Evaluator<'_>, name: &str) -> Result<Vec<Quantity>> {
        e.list(self.given(name))
    }
}

/// The nearest integer.
#[allow(clippy::cast_possible_truncation)] // saturates, and a lesson's numbers are far smaller
pub(super) fn whole(x: f64) -> i64 {
    x.round() as i64
}
