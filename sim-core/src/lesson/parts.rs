//! The expressions, texts and points of a step.

use super::format::{Point, Step};

/// The expressions, and the texts with placeholders.
pub(super) fn of(step: &Step) -> (Vec<&str>, Vec<&str>) {
    let (mut expressions, mut texts) = (Vec::new(), Vec::new());
    match step {
        Step::Situation { text } => texts.push(text.as_str()),
        Step::Predict {
            ask,
            truth,
            feedback,
            ..
        } => {
            expressions.push(truth.as_str());
            texts.push(ask.as_str());
            texts.extend(feedback.iter().map(|f| f.say.as_str()));
        }
        Step::Run {
            text, otherwise, ..
        }
        | Step::Explain {
            text, otherwise, ..
        } => texts.extend([text.as_str(), otherwise]),
        Step::Observe {
            ask,
            truth,
            otherwise,
            ..
        } => {
            expressions.extend(truth.as_deref());
            texts.extend([ask.as_str(), otherwise]);
        }
        Step::Change {
            text,
            compare,
            then,
            ..
        } => {
            expressions.push(compare.value.as_str());
            texts.extend([text.as_str(), then]);
        }
    }
    if let Some(p) = point(step) {
        expressions.extend(p.at.as_deref().into_iter().chain(p.after.as_deref()));
    }
    (expressions, texts)
}

/// The point that a step shows or stops at.
pub(super) fn point(step: &Step) -> Option<&Point> {
    match step {
        Step::Run { stop, .. } => stop.as_ref(),
        Step::Observe { point, .. } | Step::Explain { point, .. } => point.as_ref(),
        _ => None,
    }
}
