//! An expression over the part of a run that is over, again and again as the run goes on.

use crate::Measures;
use crate::evaluate::evaluate;
use crate::expression::ExpressionError;
use crate::quantity::Quantity;
use sim_run::config::Scenario;

/// The values of an expression at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct Now {
    /// One for each lane, or a single one.
    pub values: Vec<Quantity>,
    /// Whether there is one for each lane.
    pub by_lane: bool,
}

/// The value of an expression now: one for each lane if it says `lane`, else a single one.
pub struct Following {
    measures: Measures,
    lanes: usize,
}

impl Following {
    /// Follows the run of a scenario, with its edits; nothing is run yet.
    #[must_use]
    pub fn new(scenario: Scenario) -> Self {
        let lanes = scenario.schedulers.len();
        let measures = Measures::new(scenario, 0);
        Self { measures, lanes }
    }

    /// The values up to a time in ns: those that a run has which ends then. The word `lane` means each lane in turn; an
    /// expression that compares lanes, such as `rank(exit(lane, last))`, has a single value.
    ///
    /// # Errors
    /// What is wrong with the expression, and where.
    pub fn values(&mut self, text: &str, until_ns: u64) -> Result<Now, ExpressionError> {
        self.measures.scope.lane = None;
        let e = self.measures.foresee(text);
        // Said of a lane, some functions have one where they look for a list.
        let by_lane = e.as_ref().map_or(true, |e| e.mentions("lane"));
        self.measures.runs.follow(until_ns);
        let mut refused = None;
        if by_lane {
            match self.in_lanes(text) {
                Ok(values) => {
                    return Ok(Now {
                        values,
                        by_lane: true,
                    });
                }
                Err(wrong) => refused = Some(wrong),
            }
        }
        self.measures.scope.lane = None;
        let Measures { runs, scope } = &mut self.measures;
        let single = e.and_then(|e| evaluate(runs, scope, &e));
        // What is wrong in a lane is what was asked.
        single
            .map(|value| Now {
                values: vec![value],
                by_lane: false,
            })
            .map_err(|wrong| refused.unwrap_or(wrong))
    }

    fn in_lanes(&mut self, text: &str) -> Result<Vec<Quantity>, ExpressionError> {
        let mut all = Vec::new();
        for lane in 0..self.lanes {
            self.measures.scope.lane = Some(lane);
            let e = self.measures.foresee(text)?;
            let Measures { runs, scope } = &mut self.measures;
            all.push(evaluate(runs, scope, &e)?);
        }
        Ok(all)
    }
}
