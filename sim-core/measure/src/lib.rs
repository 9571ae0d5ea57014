//! The measure language: expressions over the runs of a scenario, such as `p(latencies(1, typist), 99)`.
//!
//! One parser ([`expression`]) and one evaluator ([`mod@evaluate`]) serve lessons, the command line and Python. What an
//! expression asks of a run is gathered first ([`facts`]), so a lane runs once for all of them. [`functions`] has the
//! table of functions. [`Measures`] is the language over a scenario alone.

pub mod evaluate;
pub mod expression;
pub mod facts;
pub mod functions;
pub mod intervals;
pub mod names;
pub mod quantity;
pub mod runs;
pub mod shape;
pub mod watch;
pub mod words;

use evaluate::{Scope, evaluate};
use expression::{Expression, ExpressionError};
pub use facts::loads;
use quantity::Quantity;
use runs::Runs;
use sim_run::config::Scenario;

/// Expressions over the run of a scenario.
pub struct Measures {
    runs: Runs,
    scope: Scope,
}

impl Measures {
    /// Measures of a scenario; nothing is run yet. `from_ns` is the end of the warm-up: functions with a parameter `from`
    /// begin there if it is left out.
    #[must_use]
    pub fn new(scenario: Scenario, from_ns: u64) -> Self {
        Self {
            runs: Runs::new(Box::new(scenario)),
            scope: Scope {
                from_ns,
                ..Scope::default()
            },
        }
    }

    /// In these expressions the word `lane` means this lane, from 0.
    #[must_use]
    pub fn of_lane(mut self, lane: usize) -> Self {
        self.scope.lane = Some(lane);
        self
    }

    /// What is wrong with an expression as far as it shows without a run. What it asks of the run is noted.
    ///
    /// # Errors
    /// Functions, arguments and names that do not exist.
    pub fn check(&mut self, e: &Expression) -> Result<(), ExpressionError> {
        if let Some(wrong) = names::check(&mut self.runs, e).into_iter().next() {
            return Err(wrong);
        }
        evaluate::known(&mut self.runs, &self.scope, e).map(|_| ())
    }

    /// The values of expressions, in order. Each lane that they need runs once.
    ///
    /// # Errors
    /// The first expression that is wrong, by its position from 0.
    pub fn values(
        &mut self,
        all: &[Expression],
    ) -> Result<Vec<Quantity>, (usize, ExpressionError)> {
        for (i, e) in all.iter().enumerate() {
            self.check(e).map_err(|wrong| (i, wrong))?;
        }
        let mut values = Vec::new();
        for (i, e) in all.iter().enumerate() {
            let value = evaluate(&mut self.runs, &self.scope, e);
            values.push(value.map_err(|wrong| (i, wrong))?);
        }
        Ok(values)
    }
}
