//! Evaluation of claims: each value against its bound, the verdict over all values, and the result in a sentence.

use super::claim::{Claim, Demand};
use super::value::{Measure, Value};
use crate::experiment::bound::{self, Bound, Verdict};
use crate::experiment::words::short;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A value that was judged.
#[derive(Clone, Debug, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Judged {
    /// Name for people.
    pub name: String,
    /// Id of the measure.
    pub measure: String,
    /// The scheduler, machine, … that it is about; empty if there is only one.
    pub of: String,
    /// The place: what it counts, and the number.
    pub at: Option<(String, f64)>,
    /// The result of the runs; `null` if it is not a number.
    pub value: f64,
    /// Half of the 95 % confidence interval; `null` with one seed.
    pub half: Option<f64>,
    /// Seeds.
    pub seeds: usize,
    /// The number that the source gives.
    pub published: Option<f64>,
    /// Smallest value that holds; `null` without such a bound.
    pub low: f64,
    /// Largest value that holds; `null` without such a bound.
    pub high: f64,
    /// The bound as data; `null` if the claim has none for this value.
    pub bound: Option<Bound>,
    /// The bound in words.
    pub text: String,
    /// Whether it holds.
    pub verdict: Verdict,
    /// The results under other values of an assumption.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub band: Vec<Band>,
}

/// A result under another value of an assumption.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Band {
    /// The other value, in words.
    pub what: String,
    /// The result of the runs.
    pub value: f64,
    /// Whether it holds.
    pub verdict: Verdict,
}

/// A claim, judged.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The values that count as holding, in words made from the bounds.
    pub acceptance: String,
    /// Verdict over all measures.
    pub verdict: Verdict,
    /// The measures.
    pub measures: Vec<Judged>,
    /// The expected and the actual result, in a sentence.
    pub found: String,
    /// If it does not hold: the suspected mechanism. Also the input that comes from the source itself.
    pub note: String,
    /// The claim.
    pub claim: Claim,
}

/// The fields of the claim besides those of the verdict. Written by hand, because the derived form (`flatten`) has
/// another order of fields than `scenarios/verdicts.json`.
impl Serialize for Evaluation {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let claim = &self.claim;
        let mut map = to.serialize_map(None)?;
        for (key, text) in [
            ("id", &claim.id),
            ("experiment", &claim.experiment),
            ("page", &claim.page),
            ("statement", &claim.statement),
            ("source", &claim.source),
            ("acceptance", &self.acceptance),
            ("found", &self.found),
            ("note", &self.note),
        ] {
            map.serialize_entry(key, text)?;
        }
        for (key, text) in [
            ("circular", &claim.circular),
            ("suspected", &claim.suspected),
        ] {
            if let Some(text) = text {
                map.serialize_entry(key, text)?;
            }
        }
        map.serialize_entry("kind", &claim.kind)?;
        map.serialize_entry("verdict", &self.verdict)?;
        map.serialize_entry("expectedVerdict", &claim.expected_verdict)?;
        map.serialize_entry("bounds", &claim.measures)?;
        map.serialize_entry("measures", &self.measures)?;
        if let Some(control) = &claim.control {
            map.serialize_entry("control", control)?;
        }
        map.end()
    }
}

/// Judges a value.
fn judged(value: &Value, demands: &[Demand], measures: &[Measure]) -> Result<Judged, String> {
    let name = value.name(measures);
    let about: Vec<&Demand> = demands.iter().filter(|d| d.is_about(value)).collect();
    let &[demand] = about.as_slice() else {
        let n = about.len();
        return Err(format!("{n} bounds are about {name}; there must be one"));
    };
    let bound = demand.bound;
    let wrong = |e: String| format!("{name}: {e}");
    let range = bound.range(value.published).map_err(wrong)?;
    let verdict = bound.judge(&value.estimate, value.published)?;
    let mut band = Vec::new();
    let mut is_stable = true;
    for (what, estimate) in &value.band {
        let other = bound.judge(estimate, value.published)?;
        is_stable &= other == verdict;
        band.push(Band {
            what: what.clone(),
            value: estimate.mean,
            verdict: other,
        });
    }
    let at = value.at.map(|x| {
        let measure = measures.iter().find(|m| m.id == value.measure);
        let place = measure.map_or(String::new(), |m| m.at.replace('#', ""));
        let place = place.strip_prefix(' ').unwrap_or(&place);
        (place.strip_suffix(' ').unwrap_or(place).to_owned(), x)
    });
    Ok(Judged {
        measure: value.measure.to_owned(),
        of: value.of.clone(),
        at,
        value: value.estimate.mean,
        half: value.estimate.half,
        seeds: value.estimate.n,
        published: value.published,
        low: range.0,
        high: range.1,
        bound: Some(bound),
        text: bound.text(),
        verdict: if is_stable {
            verdict
        } else {
            Verdict::Undecided
        },
        band,
        name,
    })
}

/// Judges a claim by its values.
///
/// # Errors
/// If a value does not have exactly one bound, if a bound is about no value, has none of the forms, or lacks its
/// published number.
pub fn evaluation(
    claim: &Claim,
    values: &[Value],
    measures: &[Measure],
) -> Result<Evaluation, String> {
    for demand in &claim.measures {
        if !values.iter().any(|v| demand.is_about(v)) {
            let (id, text) = (&claim.id, demand.text(measures));
            return Err(format!("{id}: no value is meant by the bound \"{text}\""));
        }
    }
    let all = values.iter().map(|v| judged(v, &claim.measures, measures));
    let all: Result<Vec<_>, _> = all.collect();
    let all = all.map_err(|e| format!("{}: {e}", claim.id))?;
    Ok(conclude(claim, all, measures))
}

/// The verdict over judged values.
pub(super) fn conclude(claim: &Claim, measures: Vec<Judged>, of: &[Measure]) -> Evaluation {
    let verdicts = measures.iter().map(|m| m.verdict);
    let verdict = verdicts.fold(Verdict::Unavailable, bound::both);
    Evaluation {
        acceptance: claim.acceptance(of),
        verdict,
        found: found(&measures),
        note: note(claim, verdict),
        measures,
        claim: claim.clone(),
    }
}

fn note(claim: &Claim, verdict: Verdict) -> String {
    let suspected = match (verdict, &claim.suspected) {
        (Verdict::Fails | Verdict::Undecided, Some(why)) => Some(format!("Suspected: {why}")),
        _ => None,
    };
    let circular = claim.circular.as_ref();
    let circular = circular.map(|input| format!("Not an independent check. {input}"));
    let parts: Vec<String> = suspected.into_iter().chain(circular).collect();
    parts.join(" ")
}

/// The expected and the actual result, in a sentence. It is about the worst of the values that do not hold; if all
/// hold, about the value closest to its bound.
fn found(measures: &[Judged]) -> String {
    let all = measures.len();
    let number = |verdict| measures.iter().filter(|m| m.verdict == verdict).count();
    let (fail, open) = (number(Verdict::Fails), number(Verdict::Undecided));
    let Some(told) = least_close(measures, fail, open) else {
        return String::new();
    };
    let mut text = String::new();
    if fail > 0 {
        let word = if fail == 1 { "fails" } else { "fail" };
        text = format!("{fail} of {all} values {word}");
    }
    if open > 0 {
        let word = if open == 1 { "is" } else { "are" };
        text = if fail > 0 {
            format!("{text} and {open} {word} undecided")
        } else {
            format!("{open} of {all} values {word} undecided")
        };
    }
    if text.is_empty() {
        text = format!("All {all} values are as expected; closest to its bound");
    } else if fail + open > 1 {
        text += "; furthest off";
    }
    let (name, expected) = (&told.name, expected(told));
    let (value, interval) = (short(told.value), interval(told));
    let name = format!("{name}: expected {expected}, found {value}{interval}.");
    if all == 1 {
        return name;
    }
    format!("{text}: {name}")
}

/// The worst value among those with the worst verdict.
fn least_close(measures: &[Judged], fail: usize, open: usize) -> Option<&Judged> {
    let wanted = match (fail, open) {
        (0, 0) => Verdict::Holds,
        (0, _) => Verdict::Undecided,
        _ => Verdict::Fails,
    };
    let all = measures.iter().filter(|m| m.verdict == wanted);
    all.min_by(|a, b| closeness(a).total_cmp(&closeness(b)))
}

/// Half of the interval, if it is large enough to be shown beside the value.
fn interval(m: &Judged) -> String {
    const VISIBLE: f64 = 0.005;
    match m.half {
        Some(half) if half >= VISIBLE * m.value.abs() => format!(" ± {}", short(half)),
        _ => String::new(),
    }
}

/// The expected value, in numbers.
fn expected(m: &Judged) -> String {
    let published = m.published.map_or(String::new(), short);
    if m.bound.is_some_and(|b| b.covers.is_some()) {
        return format!("{published} by theory");
    }
    let range = match (m.low.is_finite(), m.high.is_finite()) {
        (true, true) if m.low == m.high => short(m.low),
        (true, true) => format!("{} to {}", short(m.low), short(m.high)),
        (true, false) => format!("at least {}", short(m.low)),
        _ => format!("at most {}", short(m.high)),
    };
    if published.is_empty() {
        return range;
    }
    format!("{range} (published {published})")
}

/// The distance of a value from the nearer end of its bound, relative to the width (or to the end, if there is only
/// one).
fn closeness(m: &Judged) -> f64 {
    if m.value.is_nan() {
        return f64::NEG_INFINITY;
    }
    let scale = match (m.low.is_finite(), m.high.is_finite()) {
        (true, true) => m.high - m.low,
        (true, false) => m.low.abs(),
        _ => m.high.abs(),
    };
    (m.value - m.low).min(m.high - m.value) / scale.max(1e-12)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::stats::Estimate;

    const MEASURES: &[Measure] = &[
        Measure::at("ratio", "ULE / 4BSD", "# processes"),
        Measure::new("peak", "peak"),
    ];

    fn claim(measures: &str) -> Claim {
        let json = format!(
            r#"{{"id":"X1","experiment":"S1","page":"s1","kind":"validation","statement":"","source":"",
                "suspected":"The cache.","expectedVerdict":"holds","measures":{measures}}}"#
        );
        serde_json::from_str(&json).expect("valid")
    }

    const BOTH: &str = r#"[
        {"measure":"ratio","when":{"to":10},"bound":{"about":"published","within":0.1},"reason":""},
        {"measure":"ratio","when":{"from":11},"bound":{"about":1,"within":0.5},"reason":""},
        {"measure":"peak","bound":{"from":3},"reason":""}]"#;

    fn values(at_ten: Estimate) -> [Value; 3] {
        [
            Value::new("ratio", at_ten).at(10).published(1.0),
            Value::exact("ratio", 1.2).at(100),
            Value::exact("peak", 4.0),
        ]
    }

    fn verdict(values: &[Value]) -> Evaluation {
        evaluation(&claim(BOTH), values, MEASURES).expect("fits")
    }

    #[test]
    fn each_value_is_held_against_its_own_bound() {
        let e = verdict(&values(Estimate::exact(1.05)));
        assert_eq!(e.verdict, Verdict::Holds);
        assert_eq!(e.note, "");
        assert_eq!(
            e.acceptance,
            "ULE / 4BSD: published ± 0.1 for up to 10 processes; ULE / 4BSD: 1 ± 0.5 for 11 and more processes; \
             peak: at least 3"
        );
        let e = verdict(&values(Estimate::exact(1.15)));
        assert_eq!(e.verdict, Verdict::Fails);
        assert_eq!(e.note, "Suspected: The cache.");
        assert_eq!(
            e.found,
            "1 of 3 values fails: ULE / 4BSD, 10 processes: expected 0.9 to 1.1 (published 1), found 1.15."
        );
    }

    #[test]
    fn of_several_that_fail_what_is_furthest_off_is_told() {
        let mut all = values(Estimate::exact(1.15));
        all[1] = Value::exact("ratio", 4.0).at(100);
        assert_eq!(
            verdict(&all).found,
            "2 of 3 values fail; furthest off: ULE / 4BSD, 100 processes: expected 0.5 to 1.5, found 4."
        );
        all[1] = Value::exact("ratio", 1.2).at(100);
        all[0] = Value::new("ratio", Estimate::exact(f64::NAN))
            .at(10)
            .published(1.0);
        assert!(verdict(&all).found.ends_with("found nothing."));
    }

    #[test]
    fn an_interval_wider_than_the_bound_leaves_it_open() {
        let wide = Estimate {
            mean: 1.0,
            half: Some(0.2),
            n: 5,
        };
        let e = verdict(&values(wide));
        assert_eq!(e.verdict, Verdict::Undecided);
        assert_eq!(
            e.found,
            "1 of 3 values is undecided: ULE / 4BSD, 10 processes: expected 0.9 to 1.1 (published 1), found 1 ± 0.2."
        );
    }

    #[test]
    fn a_supposition_that_decides_leaves_it_open() {
        let mut all = values(Estimate::exact(1.0));
        all[2] = Value::exact("peak", 4.0)
            .under("memory of 80 ns", Estimate::exact(2.0))
            .under("memory of 120 ns", Estimate::exact(5.0));
        assert_eq!(verdict(&all).verdict, Verdict::Undecided);
    }

    #[test]
    fn a_value_without_a_bound_or_with_two_and_a_bound_without_a_value_are_errors() {
        let error = |measures: &str| {
            evaluation(&claim(measures), &values(Estimate::exact(1.0)), MEASURES)
                .expect_err("wrong")
        };
        let peak = r#"{"measure":"peak","bound":{"from":3},"reason":""}"#;
        let ratio = r#"{"measure":"ratio","bound":{"from":0},"reason":""}"#;
        assert!(error(&format!("[{peak}]")).contains("0 bounds are about ULE / 4BSD, 10"));
        assert!(error(&format!("[{ratio},{peak},{peak}]")).contains("2 bounds are about peak"));
        let idle = r#"{"measure":"fall","bound":{"from":3},"reason":""}"#;
        let text = error(&format!("[{ratio},{peak},{idle}]"));
        assert!(
            text.contains("X1: no value is meant by the bound \"fall: at least 3\""),
            "{text}"
        );
    }
}
