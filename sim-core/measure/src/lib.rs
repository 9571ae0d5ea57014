//! The measure language: expressions over the runs of a scenario, such as `p(latencies(1, typist), 99)`.
//!
//! One parser ([`expression`]) and one evaluator ([`mod@evaluate`]) serve lessons, the command line and Python. What an
//! expression asks of a run is gathered first ([`facts`]), so a lane runs once for all of them. [`functions`] has the
//! table of functions. [`Measures`] is the language over a scenario alone.

mod depths;
pub mod evaluate;
pub mod expression;
pub mod facts;
pub mod follow;
pub mod functions;
pub mod intervals;
pub mod names;
pub mod quantity;
pub mod runs;
pub mod shape;
pub mod student;
pub mod watch;
pub mod words;

use evaluate::{Scope, evaluate};
use expression::{Expression, ExpressionError, parse};
pub use facts::loads;
use quantity::Quantity;
use runs::{RunKey, Runs};
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

    /// What is wrong with an expression as far as it shows without a run.
    ///
    /// # Errors
    /// What cannot be read, and functions, arguments and names that do not exist.
    pub fn check(&mut self, text: &str) -> Result<(), ExpressionError> {
        self.foresee(text).map(|_| ())
    }

    /// Reads and checks an expression, and notes what it asks of the run.
    fn foresee(&mut self, text: &str) -> Result<Expression, ExpressionError> {
        let e = parse(text)?;
        match names::check(&mut self.runs, &e).into_iter().next() {
            Some(wrong) => Err(wrong),
            None => evaluate::known(&mut self.runs, &self.scope, &e).map(|_| e),
        }
    }

    /// The sentence with which a lane, from 0, was stopped by its scheduler, if it was. The lane runs, unless it did.
    pub fn fault(&mut self, lane: usize) -> Option<String> {
        let run = &RunKey::Own;
        if self.runs.ended(run, lane).is_none() {
            self.runs.gather();
        }
        self.runs.ended(run, lane)?.fault.clone()
    }

    /// The values of expressions, in order. Each lane that they need runs once.
    ///
    /// # Errors
    /// What is wrong with the first that is, after its text.
    pub fn values(&mut self, texts: &[impl AsRef<str>]) -> Result<Vec<Quantity>, String> {
        let told = |text: &str, e: ExpressionError| format!("{text}: {e}");
        let mut all = Vec::new();
        for text in texts.iter().map(AsRef::as_ref) {
            all.push((text, self.foresee(text).map_err(|e| told(text, e))?));
        }
        let values = all.iter().map(|(text, e)| {
            evaluate(&mut self.runs, &self.scope, e).map_err(|wrong| told(text, wrong))
        });
        values.collect()
    }
}
