//! The value of an expression in the learner's run, and in runs that differ from it.
//!
//! Evaluating an expression asks the runs for facts. A fact that is not known yet is noted, and counts as missing for
//! the moment. Then the needed lanes run, once for all noted facts, and the expression is evaluated again.

use super::expression::{Argument, Expression, ExpressionError, Node, Operator};
use super::functions;
use super::quantity::{self, Kind, Quantity};
use super::runs::{RunKey, Runs, Source};
use super::shape::Axes;
use sim_run::config::Scenario;
use std::cmp::Ordering;

/// The meaning of names in an expression.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// The run that the expression is about.
    pub run: RunKey,
    /// The lane that `lane` means, from 0.
    pub lane: Option<usize>,
    /// The step, from 0, whose forks the expression uses.
    pub step: Option<usize>,
    /// `said`, `truth`, `right`.
    pub variables: Vec<(&'static str, Quantity)>,
    /// The end of the warm-up in ns: where windows begin whose start is left out.
    pub from_ns: u64,
    /// Axes of the drawn line, if the question asks for one.
    pub axes: Option<Axes>,
}

/// Number of rounds in which one question may depend on the answer to another.
const ROUNDS: usize = 8;

type Result<T = Quantity> = std::result::Result<T, ExpressionError>;

/// The value of an expression; runs what it needs.
///
/// # Errors
/// A function that does not exist, arguments that do not fit, numbers of different kinds; with the place.
pub fn evaluate(runs: &mut Runs, scope: &Scope, e: &Expression) -> Result {
    for _ in 0..ROUNDS {
        runs.forget_needs();
        let found = Evaluator {
            runs,
            scope: scope.clone(),
            own: None,
        }
        .value(e);
        if found.is_err() || !runs.gather() {
            return found;
        }
    }
    Ok(Quantity::Missing)
}

/// The value of an expression from the facts that are known; those that it lacks are noted.
pub(crate) fn known(runs: &mut Runs, scope: &Scope, e: &Expression) -> Result {
    let scope = scope.clone();
    let own = None;
    Evaluator { runs, scope, own }.value(e)
}

/// Words and functions that only some expressions have, such as those over the results of a claim's runs.
pub trait Own {
    /// The value of a word; `None` if it is none of these.
    fn word(&self, word: &str) -> Option<std::result::Result<Quantity, String>>;

    /// The value of a call; `None` if it is none of these functions.
    fn call(&self, column: usize, name: &str, arguments: &[Argument]) -> Option<Result>;
}

/// An expression about no run has functions of lists and numbers only.
struct NoRun;

impl Source for NoRun {
    fn base(&self) -> &Scenario {
        unreachable!("invariant: no function of lists and numbers asks for a scenario")
    }

    fn scenario(&self, _: &RunKey) -> Option<Scenario> {
        None
    }
}

/// The value of an expression with words and functions of its own, about no run.
///
/// # Errors
/// As for [`evaluate`].
pub fn calculate(own: &dyn Own, e: &Expression) -> Result {
    let runs = &mut Runs::new(Box::new(NoRun));
    // No list is meant to be over lanes: `lane` may be a word of its own.
    let (lane, own) = (Some(0), Some(own));
    let scope = Scope {
        lane,
        ..Scope::default()
    };
    Evaluator { runs, scope, own }.value(e)
}

/// Notes the facts that an expression will need, without running anything.
pub fn foresee(runs: &mut Runs, scope: &Scope, e: &Expression) {
    // Errors are reported when the expression is evaluated.
    let _ = known(runs, scope, e);
}

/// Evaluates one expression.
pub(crate) struct Evaluator<'a> {
    pub(crate) runs: &'a mut Runs,
    pub(crate) scope: Scope,
    own: Option<&'a dyn Own>,
}

impl Evaluator<'_> {
    pub(crate) fn value(&mut self, e: &Expression) -> Result {
        match &e.is {
            Node::Number(value, kind) => Ok(Quantity::Number(*value, *kind)),
            Node::Text(text) => Ok(Quantity::Word(text.clone())),
            Node::Word(word) => match self.own.and_then(|own| own.word(word)) {
                Some(found) => found.map_err(|message| ExpressionError::new(e.column, message)),
                None => Ok(self.word(word)),
            },
            Node::List(all) => {
                let all: Result<Vec<Quantity>> = all.iter().map(|e| self.value(e)).collect();
                Ok(Quantity::List(all?))
            }
            Node::Minus(inner) => {
                let value = self.value(inner)?;
                let nothing = Quantity::Number(0.0, Kind::Number);
                quantity::sum(&nothing, &value, -1.0)
                    .map_err(|message| ExpressionError::new(e.column, message))
            }
            Node::Not(inner) => Ok(match self.flag(inner)? {
                Some(is) => Quantity::Flag(!is),
                None => Quantity::Missing,
            }),
            Node::Binary(operator, a, b) => self.binary(e.column, *operator, a, b),
            Node::Call(name, arguments) => {
                let own = self.own.and_then(|own| own.call(e.column, name, arguments));
                own.unwrap_or_else(|| functions::call(self, e.column, name, arguments))
            }
        }
    }

    fn word(&self, word: &str) -> Quantity {
        let mut own = self.scope.variables.iter();
        if let Some((_, value)) = own.find(|(name, _)| *name == word) {
            return value.clone();
        }
        match (word, self.scope.lane) {
            ("true", _) => Quantity::Flag(true),
            ("false", _) => Quantity::Flag(false),
            ("lane", Some(lane)) => Quantity::count(lane as u64 + 1),
            _ => Quantity::Word(word.to_owned()),
        }
    }

    /// The truth value of an expression; `None` if it is not known.
    pub(crate) fn flag(&mut self, e: &Expression) -> Result<Option<bool>> {
        match self.value(e)? {
            Quantity::Flag(is) => Ok(Some(is)),
            Quantity::Missing => Ok(None),
            other => {
                let message = format!("expected true or false, found {}", other.name());
                Err(ExpressionError::new(e.column, message))
            }
        }
    }

    fn binary(
        &mut self,
        column: usize,
        operator: Operator,
        a: &Expression,
        b: &Expression,
    ) -> Result {
        let wrong = |message: String| ExpressionError::new(column, message);
        if matches!(operator, Operator::And | Operator::Or) {
            let (x, y) = (self.flag(a)?, self.flag(b)?);
            let decides = operator == Operator::Or;
            return Ok(if x == Some(decides) || y == Some(decides) {
                Quantity::Flag(decides)
            } else if x.is_none() || y.is_none() {
                Quantity::Missing
            } else {
                Quantity::Flag(!decides)
            });
        }
        let (x, y) = (self.value(a)?, self.value(b)?);
        let number = match operator {
            Operator::Add => quantity::sum(&x, &y, 1.0),
            Operator::Subtract => quantity::sum(&x, &y, -1.0),
            Operator::Multiply => quantity::product(&x, &y),
            Operator::Divide => quantity::quotient(&x, &y),
            _ => {
                let order = quantity::compare(&x, &y).map_err(wrong)?;
                return Ok(order.map_or(Quantity::Missing, |o| Quantity::Flag(fits(operator, o))));
            }
        };
        number.map_err(wrong)
    }

    /// The value of an expression in another run.
    pub(crate) fn within(&mut self, run: RunKey, e: &Expression) -> Result {
        let before = std::mem::replace(&mut self.scope.run, run);
        let found = self.value(e);
        self.scope.run = before;
        found
    }

    /// The values of an expression in every lane.
    pub(crate) fn in_each_lane(&mut self, e: &Expression) -> Result<Vec<Quantity>> {
        let run = self.scope.run.clone();
        let lanes = self.runs.plan(&run).map_or(0, |p| p.lanes.len());
        let before = self.scope.lane;
        let mut all = Vec::new();
        for lane in 0..lanes {
            self.scope.lane = Some(lane);
            let found = self.value(e);
            self.scope.lane = before;
            all.push(found?);
        }
        Ok(all)
    }

    /// A list: one that is written or given, or the values of an expression with `lane` in every lane.
    pub(crate) fn list(&mut self, argument: &Argument) -> Result<Vec<Quantity>> {
        let e = &argument.value;
        if self.scope.lane.is_none() && e.mentions("lane") {
            return self.in_each_lane(e);
        }
        match self.value(e)? {
            Quantity::List(all) => Ok(all),
            Quantity::Missing => Ok(Vec::new()),
            other => {
                let message = format!(
                    "expected a list, or an expression with lane; found {}",
                    other.name()
                );
                Err(ExpressionError::new(e.column, message))
            }
        }
    }
}

fn fits(operator: Operator, order: Ordering) -> bool {
    match operator {
        Operator::Equal => order.is_eq(),
        Operator::Unequal => order.is_ne(),
        Operator::Less => order.is_lt(),
        Operator::AtMost => order.is_le(),
        Operator::More => order.is_gt(),
        _ => order.is_ge(),
    }
}
