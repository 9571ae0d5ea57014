//! For experiments that are not ported: measures that bring their bounds with them, literally. To be removed with the last
//! of them; nothing new may use it.

use super::Results;
use super::claim::Claim;
use super::evaluation::{Evaluation, Judged, conclude};
use crate::experiment::bound::{self, Bound, Verdict};
use crate::experiment::results::Seen;
use crate::experiment::stats::Estimate;

/// The measures of a claim, from what its runs gave.
pub(super) type Judge = fn(claim: &str, results: &Results) -> Vec<Old>;

/// A value with its bounds.
#[derive(Clone, Debug)]
pub(super) struct Old {
    name: String,
    value: f64,
    low: f64,
    high: f64,
}

impl Old {
    pub(super) fn within(
        name: impl Into<String>,
        value: f64,
        _expected: f64,
        low: f64,
        high: f64,
    ) -> Self {
        Self {
            name: name.into(),
            value,
            low,
            high,
        }
    }

    pub(super) fn about(name: impl Into<String>, value: f64, middle: f64, by: f64) -> Self {
        Self::within(name, value, middle, middle - by, middle + by)
    }

    fn judged(&self) -> Judged {
        let bound = Bound {
            from: Some(self.low).filter(|x| x.is_finite()),
            to: Some(self.high).filter(|x| x.is_finite()),
            ..Bound::default()
        };
        Judged {
            name: self.name.clone(),
            measure: String::new(),
            of: String::new(),
            at: None,
            value: self.value,
            half: None,
            seeds: 1,
            published: None,
            low: self.low,
            high: self.high,
            bound: Some(bound),
            text: bound.text(),
            verdict: match bound::judge(&Estimate::exact(self.value), (self.low, self.high)) {
                Verdict::Holds => Verdict::Holds,
                _ => Verdict::Fails,
            },
            band: Vec::new(),
        }
    }
}

pub(super) fn evaluation(claim: &Claim, values: &[Old]) -> Evaluation {
    conclude(claim, values.iter().map(Old::judged).collect(), &[])
}

/// What a run gave, by number.
pub(super) fn raw<'a>(results: &'a Results, key: &str) -> &'a [f64] {
    results.find(key).map_or(&[], |s: &Seen| &s.values)
}
