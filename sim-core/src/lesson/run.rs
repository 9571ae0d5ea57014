//! A lesson in progress: each step with the values of the learner's run.

use super::format::{Lesson, Step};
use super::source::LessonSource;
use super::step::{StepFiller, asked};
use super::text;
use super::view::StepView;
use super::words::{Words, words};
use crate::config::{Scenario, validate};
use crate::error::ConfigError;
use crate::own_measure::OwnValue;
use serde_json::Value;
use sim_measure::evaluate::{Scope, evaluate, foresee};
use sim_measure::expression::{ExpressionError, parse};
use sim_measure::runs::{RunKey, Runs};
use std::sync::Arc;

type Errors = Vec<ConfigError>;

/// A lesson with the scenario of a learner. The runs of a step are made when the step is first requested, and kept.
pub struct LessonRun {
    lesson: Arc<Lesson>,
    words: &'static Words,
    pub(super) runs: Runs,
}

impl LessonRun {
    /// Begins a lesson; nothing is run yet.
    ///
    /// # Errors
    /// All errors of the scenario.
    pub fn new(lesson: Lesson, language: &str, scenario: &Scenario) -> Result<Self, Errors> {
        validate::plan(scenario)?;
        let lesson = Arc::new(lesson);
        let mut runs = Runs::new(Box::new(LessonSource {
            lesson: lesson.clone(),
            base: scenario.clone(),
        }));
        foresee_all(&mut runs, &lesson);
        Ok(Self {
            lesson,
            words: words(language),
            runs,
        })
    }

    /// The lesson.
    #[must_use]
    pub fn lesson(&self) -> &Lesson {
        &self.lesson
    }

    /// A text of the lesson that belongs to no step, with values filled in.
    ///
    /// # Errors
    /// If an expression in it is wrong; `path` names the text.
    pub fn fill(&mut self, path: &str, text: &str) -> Result<String, Errors> {
        text::fill(&mut self.runs, &Scope::default(), text, &[], self.words)
            .map_err(|e| vec![ConfigError::new(path, e.to_string())])
    }

    /// The value of an expression that belongs to no step, in the learner's run.
    ///
    /// # Errors
    /// If the expression is wrong.
    pub fn value(&mut self, expression: &str) -> Result<OwnValue, Errors> {
        let wrong = |e: ExpressionError| vec![ConfigError::new("value", e.to_string())];
        let parsed = parse(expression).map_err(wrong)?;
        let value = evaluate(&mut self.runs, &Scope::default(), &parsed).map_err(wrong)?;
        Ok(OwnValue::of(&value, &self.words.values))
    }

    /// Digests of all lanes of the learner's run at its end, joined by `-`.
    pub fn digest(&mut self) -> String {
        let lanes = self.runs.plan(&RunKey::Own).map_or(0, |p| p.lanes.len());
        let all: Vec<String> = (0..lanes).map(|lane| self.digest_of(lane)).collect();
        all.join("-")
    }

    fn digest_of(&mut self, lane: usize) -> String {
        for _ in 0..2 {
            if let Some(end) = self.runs.ended(&RunKey::Own, lane) {
                return end.digest.clone();
            }
            self.runs.gather();
        }
        String::new()
    }

    /// A step (from 1; the one after the last is the transfer) with the learner's answer, if there is one.
    ///
    /// # Errors
    /// If there is no such step, if the answer does not fit, or if an expression of the lesson is wrong.
    pub fn step(&mut self, number: usize, answer: Option<&Value>) -> Result<StepView, Errors> {
        let lesson = self.lesson.clone();
        let last = lesson.steps.len() + 1;
        if !(1..=last).contains(&number) {
            let message = format!("must be from 1 to {last}, got {number}");
            return Err(vec![ConfigError::new("step", message)]);
        }
        let i = number - 1;
        let mut at = self.at(i);
        let Some(step) = lesson.steps.get(i) else {
            "transfer".clone_into(&mut at.path);
            return Ok(StepView {
                text: at.fill("ask", &lesson.transfer.ask)?,
                then: at.fill("answer", &lesson.transfer.answer)?,
                ..StepView::default()
            });
        };
        match step {
            Step::Situation { text } => Ok(StepView {
                text: at.fill("text", text)?,
                ..StepView::default()
            }),
            Step::Predict { ask, .. } => {
                let view = StepView {
                    text: at.fill("ask", ask)?,
                    ..StepView::default()
                };
                at.marked(step, view, answer)
            }
            Step::Run {
                text,
                stop,
                otherwise,
            } => at.looking("text", text, stop.as_ref(), otherwise),
            Step::Explain {
                text,
                point,
                otherwise,
            } => at.looking("text", text, point.as_ref(), otherwise),
            Step::Observe {
                ask,
                point,
                otherwise,
                ..
            } => {
                let view = at.looking("ask", ask, point.as_ref(), otherwise)?;
                at.observed(step, view, answer)
            }
            Step::Change {
                text,
                forks,
                compare,
                then,
                ..
            } => Ok(StepView {
                text: at.fill("text", text)?,
                futures: at.futures(i, forks, compare)?,
                then: at.fill("then", then)?,
                ..StepView::default()
            }),
        }
    }
}

impl LessonRun {
    /// The feedback (from 0) to an answer; `None` for the neutral sentence, or without an answer.
    pub(super) fn feedback_of(&mut self, number: usize, answer: &Value) -> Option<usize> {
        let lesson = self.lesson.clone();
        let step = lesson.steps.get(number.checked_sub(1)?)?;
        let Step::Predict { feedback, .. } = step else {
            return None;
        };
        let mut at = self.at(number - 1);
        at.marked(step, StepView::default(), Some(answer)).ok()?;
        let found = at.feedback(feedback).ok()??;
        feedback.iter().position(|f| std::ptr::eq(f, found))
    }

    fn at(&mut self, i: usize) -> StepFiller<'_> {
        StepFiller {
            runs: &mut self.runs,
            words: self.words,
            path: format!("steps[{i}]"),
            scope: Scope {
                step: Some(i),
                ..Scope::default()
            },
        }
    }
}

/// Notes all facts that the lesson will need, so that each lane is run once.
fn foresee_all(runs: &mut Runs, lesson: &Lesson) {
    for (i, step) in lesson.steps.iter().enumerate() {
        let scope = Scope {
            step: Some(i),
            ..Scope::default()
        };
        let (expressions, texts) = super::parts::of(step);
        let texts = texts.into_iter().flat_map(text::expressions);
        let all = expressions.into_iter().filter_map(|e| parse(e).ok());
        for e in all.chain(texts) {
            foresee(runs, &scope, &e);
        }
        if let Some(point) = super::parts::point(step) {
            let lane = point.lane.unwrap_or(1).max(1) - 1;
            if point.reason.is_some() && point.after.is_none() {
                let lane = usize::try_from(lane).unwrap_or(usize::MAX);
                runs.fact(&RunKey::Own, lane, &asked(point, None));
            }
        }
        if let Step::Change { forks, compare, .. } = step {
            let compare = parse(&compare.value).ok();
            for run in (0..forks.len()).map(|n| RunKey::Fork(i, n)) {
                let scope = Scope {
                    run,
                    ..scope.clone()
                };
                compare.iter().for_each(|e| foresee(runs, &scope, e));
            }
        }
    }
    for e in text::expressions(&lesson.transfer.answer) {
        foresee(runs, &Scope::default(), &e);
    }
    runs.forget_needs();
}
