//! Bounds: which values of a measure hold. They are data in `scenarios/claims/`; their words are made here.

use super::stats::Estimate;
use serde::{Deserialize, Serialize};

/// The values that hold. One of the forms `{from}`, `{to}`, `{from, to}`, `{about, within}`, `{about, withinPercent}`,
/// `{about, withinFactor}`; both ends are included. Or `{covers: "theory", withinPercent}`: the interval contains the
/// number that theory gives exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Bound {
    /// Smallest value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<f64>,
    /// Largest value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<f64>,
    /// The middle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<BoundCentre>,
    /// Distance from the middle, in the unit of the measure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<f64>,
    /// Distance from the middle, in percent of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within_percent: Option<f64>,
    /// Factor: values hold from the middle divided by it to the middle times it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within_factor: Option<f64>,
    /// The number that the 95 % interval must contain. An interval that extends farther to one side than
    /// `withinPercent` of the number decides nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub covers: Option<Covered>,
    /// Number of intervals that must contain their numbers together, with 95 % (1, 3 or 4): several intervals of 95 %
    /// each would miss too often. 1 if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub together: Option<usize>,
}

/// The number that an interval contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Covered {
    /// The number that a formula gives; it takes the place of a published number.
    Theory,
}

/// The middle of a bound.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum BoundCentre {
    /// A number.
    Number(f64),
    /// The published number of each value.
    Published(Published),
}

/// The word `published`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Published {
    /// The only one.
    Published,
}

/// Whether a claim or a part of it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    /// Every part of it holds.
    Holds,
    /// Some part of it does not hold.
    Fails,
    /// Chance or an assumption decides: the 95 % interval is wider than the bound, or the verdict changes within the
    /// band of an assumption.
    Undecided,
    /// It cannot be evaluated.
    Unavailable,
}

impl Bound {
    /// Smallest and largest value that hold; infinite where there is no such bound.
    ///
    /// # Errors
    /// If it has none of the forms, or lacks the published number that it needs.
    pub fn range(&self, published: Option<f64>) -> Result<(f64, f64), String> {
        if self.covers.is_some() {
            return self.covered(published);
        }
        if self.together.is_some() {
            return Err("only a bound with covers has together".to_owned());
        }
        let middle = match self.about {
            None => None,
            Some(BoundCentre::Number(x)) => Some(x),
            Some(BoundCentre::Published(_)) => {
                Some(published.ok_or("the bound is about a published number; the value has none")?)
            }
        };
        let (low, high) = match (
            self.from,
            self.to,
            middle,
            self.within,
            self.within_percent,
            self.within_factor,
        ) {
            (Some(from), None, None, None, None, None) => (from, f64::INFINITY),
            (None, Some(to), None, None, None, None) => (f64::NEG_INFINITY, to),
            (Some(from), Some(to), None, None, None, None) => (from, to),
            (None, None, Some(x), Some(by), None, None) => (x - by, x + by),
            (None, None, Some(x), None, Some(percent), None) => {
                let by = x.abs() * percent / 100.0;
                (x - by, x + by)
            }
            (None, None, Some(x), None, None, Some(factor)) => (x / factor, x * factor),
            _ => {
                return Err(
                    "a bound has from, to, or both; or about with within, withinPercent or withinFactor".to_owned(),
                );
            }
        };
        if low > high {
            return Err(format!(
                "a bound must not end below its beginning: {low} to {high}"
            ));
        }
        Ok((low, high))
    }

    /// How far the ends of an interval may lie from the number that it must contain.
    fn covered(&self, theory: Option<f64>) -> Result<(f64, f64), String> {
        let theory = theory.ok_or("the bound covers theory; the value has none")?;
        let is_alone = self.about.is_none()
            && self.from.is_none()
            && self.to.is_none()
            && self.within.is_none()
            && self.within_factor.is_none();
        let counts = matches!(self.together, None | Some(1 | 3 | 4));
        match self.within_percent {
            Some(percent) if is_alone && counts => {
                let by = theory.abs() * percent / 100.0;
                Ok((theory - by, theory + by))
            }
            _ => Err(
                "a bound with covers has withinPercent, and together of 1, 3 or 4, and nothing else"
                    .to_owned(),
            ),
        }
    }

    /// Whether an estimate holds, given its published number or the number that theory gives.
    ///
    /// # Errors
    /// As [`Self::range`].
    pub fn judge(&self, estimate: &Estimate, published: Option<f64>) -> Result<Verdict, String> {
        let (low, high) = self.range(published)?;
        if self.covers.is_none() {
            return Ok(judge(estimate, (low, high)));
        }
        let middle = f64::midpoint(low, high);
        let half = estimate.half_of(self.together.unwrap_or(1));
        Ok(match half {
            _ if estimate.mean.is_nan() => Verdict::Fails,
            None => Verdict::Undecided,
            Some(half) if (estimate.mean - middle).abs() > half => Verdict::Fails,
            // The width is that of one interval, as it is shown.
            _ if estimate.half.is_none_or(|h| h > high - middle) => Verdict::Undecided,
            Some(_) => Verdict::Holds,
        })
    }

    /// The bound in words, e.g. `published ± 0.08`.
    #[must_use]
    pub fn text(&self) -> String {
        if self.covers.is_some() {
            let percent = self.within_percent.unwrap_or(f64::NAN);
            let together = match self.together {
                Some(n) if n != 1 => format!(", {n} of them together"),
                _ => String::new(),
            };
            return format!(
                "the 95 % interval holds theory{together}, and is ± {percent} % at most"
            );
        }
        let middle = match self.about {
            Some(BoundCentre::Number(x)) => x.to_string(),
            _ => "published".to_owned(),
        };
        if let Some(by) = self.within {
            if by == 0.0 {
                middle
            } else {
                format!("{middle} ± {by}")
            }
        } else if let Some(percent) = self.within_percent {
            format!("{middle} ± {percent} %")
        } else if let Some(factor) = self.within_factor {
            format!("{middle} within a factor of {factor}")
        } else {
            match (self.from, self.to) {
                (Some(from), Some(to)) if from == to => from.to_string(),
                (Some(from), Some(to)) => format!("{from} to {to}"),
                (Some(from), None) => format!("at least {from}"),
                (None, to) => format!("at most {}", to.unwrap_or(f64::NAN)),
            }
        }
    }
}

/// Whether an estimate lies in a range. It fails if its whole interval is outside. If the interval is wider than the
/// range, chance decides; otherwise the estimate does.
#[must_use]
pub fn judge(estimate: &Estimate, (low, high): (f64, f64)) -> Verdict {
    let (from, to) = estimate.interval();
    if estimate.mean.is_nan() || to < low || from > high {
        Verdict::Fails
    } else if to - from > high - low {
        Verdict::Undecided
    } else if (low..=high).contains(&estimate.mean) {
        Verdict::Holds
    } else {
        Verdict::Fails
    }
}

/// The verdict over two parts: a part that fails decides, then an undecided part. An unavailable part counts only if
/// the other one is unavailable too.
#[must_use]
pub fn both(a: Verdict, b: Verdict) -> Verdict {
    for decides in [Verdict::Fails, Verdict::Undecided, Verdict::Holds] {
        if a == decides || b == decides {
            return decides;
        }
    }
    Verdict::Unavailable
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Bound {
        serde_json::from_str(json).expect(json)
    }

    #[test]
    fn each_form_has_a_range_and_words() {
        for (json, range, text) in [
            (r#"{"from":2}"#, (2.0, f64::INFINITY), "at least 2"),
            (r#"{"to":1.03}"#, (f64::NEG_INFINITY, 1.03), "at most 1.03"),
            (r#"{"from":1,"to":5}"#, (1.0, 5.0), "1 to 5"),
            (r#"{"about":4,"within":0.5}"#, (3.5, 4.5), "4 ± 0.5"),
            (r#"{"about":0,"within":0}"#, (0.0, 0.0), "0"),
            (
                r#"{"about":"published","within":2}"#,
                (6.0, 10.0),
                "published ± 2",
            ),
            (
                r#"{"about":"published","withinPercent":50}"#,
                (4.0, 12.0),
                "published ± 50 %",
            ),
            (
                r#"{"about":8,"withinFactor":2}"#,
                (4.0, 16.0),
                "8 within a factor of 2",
            ),
        ] {
            let bound = read(json);
            assert_eq!(bound.range(Some(8.0)), Ok(range), "{json}");
            assert_eq!(bound.text(), text);
            let written = serde_json::to_string(&bound).expect("plain");
            assert_eq!(read(&written), bound);
        }
    }

    #[test]
    fn a_bound_of_no_form_is_refused() {
        for json in [
            "{}",
            r#"{"about":1}"#,
            r#"{"from":2,"within":1}"#,
            r#"{"within":1}"#,
            r#"{"from":3,"to":2}"#,
        ] {
            assert!(read(json).range(None).is_err(), "{json}");
        }
        assert!(
            read(r#"{"about":"published","within":1}"#)
                .range(None)
                .is_err()
        );
        assert!(serde_json::from_str::<Bound>(r#"{"around":1}"#).is_err());
    }

    #[test]
    fn chance_decides_where_the_interval_is_wider_than_the_bound() {
        let estimate = |mean, half| Estimate { mean, half, n: 5 };
        let range = (0.9, 1.1);
        assert_eq!(judge(&estimate(1.0, None), range), Verdict::Holds);
        assert_eq!(judge(&estimate(1.0, Some(0.05)), range), Verdict::Holds);
        assert_eq!(judge(&estimate(1.12, Some(0.05)), range), Verdict::Fails);
        assert_eq!(judge(&estimate(1.0, Some(0.3)), range), Verdict::Undecided);
        // A wide interval, but completely outside.
        assert_eq!(judge(&estimate(2.0, Some(0.3)), range), Verdict::Fails);
        assert_eq!(judge(&estimate(f64::NAN, None), range), Verdict::Fails);
        assert_eq!(
            judge(&estimate(5.0, Some(9.0)), (1.0, f64::INFINITY)),
            Verdict::Holds
        );
    }

    #[test]
    fn an_interval_that_covers_theory_holds_if_it_is_narrow() {
        let bound = read(r#"{"covers":"theory","withinPercent":10,"together":3}"#);
        let judge = |mean, half| {
            let e = Estimate { mean, half, n: 20 };
            bound.judge(&e, Some(20.0)).expect("complete")
        };
        assert_eq!(judge(20.5, Some(1.0)), Verdict::Holds);
        // The number is outside the interval of one, but three together have wider intervals.
        assert_eq!(judge(21.2, Some(1.0)), Verdict::Holds);
        assert_eq!(judge(21.3, Some(1.0)), Verdict::Fails);
        assert_eq!(judge(20.5, Some(2.1)), Verdict::Undecided);
        assert_eq!(judge(30.0, Some(2.1)), Verdict::Fails);
        assert_eq!(judge(20.0, None), Verdict::Undecided);
        assert_eq!(judge(f64::NAN, Some(1.0)), Verdict::Fails);
        assert_eq!(bound.range(Some(20.0)), Ok((18.0, 22.0)));
        assert!(bound.text().contains("3 of them together"));
        for json in [
            r#"{"covers":"theory"}"#,
            r#"{"covers":"theory","withinPercent":1,"from":2}"#,
            r#"{"covers":"theory","withinPercent":1,"together":2}"#,
            r#"{"from":1,"together":3}"#,
        ] {
            assert!(read(json).range(Some(1.0)).is_err(), "{json}");
        }
    }

    #[test]
    fn a_part_that_fails_decides() {
        use Verdict::{Fails, Holds, Unavailable, Undecided};
        assert_eq!(both(Holds, Unavailable), Holds);
        assert_eq!(both(Holds, Undecided), Undecided);
        assert_eq!(both(Fails, Undecided), Fails);
        assert_eq!(both(Unavailable, Unavailable), Unavailable);
    }
}
