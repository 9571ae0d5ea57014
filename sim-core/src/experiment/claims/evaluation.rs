//! Claims judged: each value against its bound, the verdict over all, and what was found in a sentence.

use super::claim::{Claim, Demand};
use super::value::{Measure, Value};
use crate::experiment::bound::{self, Bound, Verdict};
use crate::experiment::stats::Estimate;
use serde::Serialize;

/// A value that was judged.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Judged {
    /// Name for people.
    pub name: String,
    /// Id of the measure.
    pub measure: String,
    /// Of whom; empty if there is nothing to tell apart.
    pub of: String,
    /// The place: what it counts, and the number.
    pub at: Option<(String, f64)>,
    /// What the runs gave; `null` if it is not a number.
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
    /// What it is under other values of a supposition.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub band: Vec<Band>,
}

/// A value under another value of a supposition.
#[derive(Clone, Debug, Serialize)]
pub struct Band {
    /// The other value, in words.
    pub what: String,
    /// What the runs gave.
    pub value: f64,
    /// Whether that holds.
    pub verdict: Verdict,
}

/// A claim, judged.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Evaluation {
    /// What counts as holding, in words that are made of the bounds.
    pub acceptance: String,
    /// Verdict over all measures.
    pub verdict: Verdict,
    /// The measures.
    pub measures: Vec<Judged>,
    /// What was expected and what was found, in a sentence.
    pub found: String,
    /// Which mechanism is suspected where it does not hold; which input comes from the source itself.
    pub note: String,
    /// The claim.
    #[serde(flatten)]
    pub claim: Claim,
}

/// A number with four digits that count.
#[must_use]
pub fn short(x: f64) -> String {
    if x.is_nan() {
        return "nothing".to_owned();
    }
    let size = x.abs();
    let digits = match size {
        s if s >= 1000.0 || s < 1e-9 => 0,
        s if s >= 100.0 => 1,
        s if s >= 10.0 => 2,
        s if s >= 0.1 => 3,
        s if s >= 0.01 => 4,
        _ => 7,
    };
    let text = format!("{x:.digits$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// Judges a value.
fn judged(value: &Value, demands: &[Demand], measures: &[Measure]) -> Result<Judged, String> {
    let name = value.name(measures);
    let mut about = demands.iter().filter(|d| d.is_about(value));
    let (first, second) = (about.next(), about.next());
    if second.is_some() {
        return Err(format!("two bounds are about {name}"));
    }
    let bound = first.map(|d| d.bound);
    let range = match bound {
        None => (f64::NEG_INFINITY, f64::INFINITY),
        Some(bound) => {
            let range = bound.range(value.published);
            range.map_err(|e| format!("{name}: {e}"))?
        }
    };
    // Its range has just been made: it is complete.
    let of = |e: &Estimate| match bound {
        None => Verdict::Unavailable,
        Some(b) => b.judge(e, value.published).unwrap_or(Verdict::Unavailable),
    };
    let band = value.band.iter().map(|(what, e)| Band {
        what: what.clone(),
        value: e.mean,
        verdict: of(e),
    });
    let band: Vec<Band> = band.collect();
    let verdict = of(&value.estimate);
    let is_stable = band.iter().all(|b| b.verdict == verdict);
    let measure = measures.iter().find(|m| m.id == value.measure);
    Ok(Judged {
        measure: value.measure.to_owned(),
        of: value.of.clone(),
        at: value.at.map(|x| {
            let place = measure.map_or("", |m| m.at);
            (place.replace('#', "").trim().to_owned(), x)
        }),
        value: value.estimate.mean,
        half: value.estimate.half,
        seeds: value.estimate.n,
        published: value.published,
        low: range.0,
        high: range.1,
        bound,
        text: bound.map_or(String::new(), |b| b.text()),
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
/// If two bounds are about a value, a bound has no form, or lacks the published number that it needs.
pub fn evaluation(
    claim: &Claim,
    values: &[Value],
    measures: &[Measure],
) -> Result<Evaluation, String> {
    let of_claim = |e: String| format!("{}: {e}", claim.id);
    let all: Result<Vec<Judged>, String> = values
        .iter()
        .map(|v| judged(v, &claim.measures, measures))
        .collect();
    Ok(conclude(claim, all.map_err(of_claim)?, measures))
}

/// The verdict over judged values.
pub(super) fn conclude(claim: &Claim, measures: Vec<Judged>, of: &[Measure]) -> Evaluation {
    let verdict = bound::overall(measures.iter().map(|m| m.verdict));
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
    let mut sentences = Vec::new();
    if let (Verdict::Fails | Verdict::Undecided, Some(why)) = (verdict, &claim.suspected) {
        sentences.push(format!("Suspected: {why}"));
    }
    if let Some(input) = &claim.circular {
        sentences.push(format!("Not an independent check. {input}"));
    }
    sentences.join(" ")
}

/// How many measures a sentence tells.
const TOLD: usize = 3;

/// What was expected and what was found.
fn found(measures: &[Judged]) -> String {
    let of = |v: Verdict| -> Vec<&Judged> { measures.iter().filter(|m| m.verdict == v).collect() };
    let (fail, open) = (of(Verdict::Fails), of(Verdict::Undecided));
    let (bad, all) = (!fail.is_empty() || !open.is_empty(), measures.len());
    if !bad {
        let one =
            |m: &Judged| format!("{} is {}, expected {}", m.name, short(m.value), expected(m));
        return match measures {
            [] => String::new(),
            [m] => format!("{}.", one(m)),
            _ => {
                let edge = |m: &&Judged| closeness(m);
                let close = measures
                    .iter()
                    .min_by(|a, b| edge(a).total_cmp(&edge(b)))
                    .map_or(String::new(), one);
                format!("All {all} values are as expected; closest to its bound: {close}.")
            }
        };
    }
    let tell = |list: &[&Judged]| {
        let told = list.iter().take(TOLD).map(|m| {
            let half = m.half.map_or(String::new(), |h| format!(" ± {}", short(h)));
            format!(
                "{} expected {}, found {}{half}",
                m.name,
                expected(m),
                short(m.value)
            )
        });
        let told: Vec<String> = told.collect();
        match list.len().saturating_sub(TOLD) {
            0 => told.join("; "),
            more => format!("{}; and {more} more", told.join("; ")),
        }
    };
    let part = |list: &[&Judged], word: &str| {
        if list.is_empty() {
            String::new()
        } else {
            format!("{} of {all} values {word}: {}", list.len(), tell(list))
        }
    };
    let parts = [part(&fail, "fail"), part(&open, "are undecided")];
    let parts: Vec<String> = parts.into_iter().filter(|p| !p.is_empty()).collect();
    format!("{}.", parts.join(". "))
}

/// What is expected of a value, in numbers.
fn expected(m: &Judged) -> String {
    if m.bound.is_some_and(|b| b.covers.is_some()) {
        return format!("{} by theory", m.published.map_or(String::new(), short));
    }
    let published = m
        .published
        .map_or(String::new(), |p| format!(" (published {})", short(p)));
    let range = match (m.low.is_finite(), m.high.is_finite()) {
        (true, true) if m.low == m.high => short(m.low),
        (true, true) => format!("{} to {}", short(m.low), short(m.high)),
        (true, false) => format!("at least {}", short(m.low)),
        _ => format!("at most {}", short(m.high)),
    };
    format!("{range}{published}")
}

/// How far a value is from the nearer end of its bound, relative to the width (or to the end, if there is one only).
fn closeness(m: &Judged) -> f64 {
    let scale = match (m.low.is_finite(), m.high.is_finite()) {
        (true, true) => m.high - m.low,
        (true, false) => m.low.abs(),
        _ => m.high.abs(),
    };
    (m.value - m.low).min(m.high - m.value) / scale.max(1e-12)
}
