//! Filling in a step: texts, places, answers, futures.

use super::answer;
use super::difference;
use super::format::{Compare, Feedback, Fork, Point, Question, Step};
use super::text;
use super::view::{Future, Measured, PointView, StepView};
use super::words::Words;
use crate::error::ConfigError;
use serde_json::Value;
use sim_measure::evaluate::{Scope, evaluate};
use sim_measure::expression::{Node, parse};
use sim_measure::facts::{Ask, Decisions, Fact};
use sim_measure::quantity::{Kind, Quantity, in_unit};
use sim_measure::runs::{RunKey, Runs};

type Errors = Vec<ConfigError>;

/// A step while it is filled.
pub(super) struct StepFiller<'a> {
    pub(super) runs: &'a mut Runs,
    pub(super) words: &'static Words,
    pub(super) path: String,
    pub(super) scope: Scope,
}

impl StepFiller<'_> {
    fn wrong(&self, field: &str, message: impl ToString) -> Errors {
        let path = format!("{}.{field}", self.path);
        vec![ConfigError::new(path, message.to_string())]
    }

    pub(super) fn fill(&mut self, field: &str, text: &str) -> Result<String, Errors> {
        text::fill(self.runs, &self.scope, text, &[], self.words).map_err(|e| self.wrong(field, e))
    }

    fn value(&mut self, field: &str, expression: &str) -> Result<Quantity, Errors> {
        let parsed = parse(expression).map_err(|e| self.wrong(field, e))?;
        evaluate(self.runs, &self.scope, &parsed).map_err(|e| self.wrong(field, e))
    }

    /// Fills in a step that shows a place.
    pub(super) fn looking(
        &mut self,
        field: &str,
        text: &str,
        point: Option<&Point>,
        otherwise: &str,
    ) -> Result<StepView, Errors> {
        let Some(point) = point else {
            return Ok(StepView {
                text: self.fill(field, text)?,
                ..StepView::default()
            });
        };
        let found = self.point(point)?;
        let missing = found.is_none();
        let text = match (missing, otherwise) {
            (false, _) => self.fill(field, text)?,
            (true, "") => self.words.otherwise.to_owned(),
            (true, otherwise) => self.fill("otherwise", otherwise)?,
        };
        Ok(StepView {
            text,
            point: found,
            missing,
            ..StepView::default()
        })
    }

    /// The place of a point in the learner's run; `None` if the run has no such moment.
    fn point(&mut self, point: &Point) -> Result<Option<PointView>, Errors> {
        let number = point.lane.unwrap_or(1);
        let plan = self.runs.plan(&RunKey::Own);
        let lanes = plan.map_or(0, |p| p.lanes.len());
        let lane = usize::try_from(number)
            .unwrap_or(usize::MAX)
            .wrapping_sub(1);
        if lane >= lanes {
            return Ok(None);
        }
        let mut view = PointView {
            lane: number - 1,
            at_ns: None,
            decision: None,
            thread: point.thread.clone(),
            cpu: point.cpu,
            tab: point.tab,
        };
        if point.reason.is_some() {
            return self.decision(point, lane, view);
        }
        if let Some(at) = &point.at {
            let Some(at) = self.time("at", at)? else {
                return Ok(None);
            };
            view.at_ns = Some(at);
        }
        let known = match &point.thread {
            None => true,
            Some(name) => self.has_thread(lane, name),
        };
        Ok(known.then_some(view))
    }

    fn has_thread(&mut self, lane: usize, name: &str) -> bool {
        for _ in 0..2 {
            if let Some(end) = self.runs.ended(&RunKey::Own, lane) {
                return end.threads.iter().any(|t| t.name == name);
            }
            self.runs.gather();
        }
        false
    }

    fn decision(
        &mut self,
        point: &Point,
        lane: usize,
        mut view: PointView,
    ) -> Result<Option<PointView>, Errors> {
        let Some(ask) = self.ask(point)? else {
            return Ok(None);
        };
        for _ in 0..2 {
            if let Some(Fact::Decision(found)) = self.runs.fact(&RunKey::Own, lane, &ask) {
                let Some(found) = found.clone() else {
                    return Ok(None);
                };
                view.at_ns = Some(found.at_ns);
                view.decision = Some(found.id);
                view.thread = found.thread.or(view.thread);
                view.cpu = found.cpu.or(view.cpu);
                return Ok(Some(view));
            }
            self.runs.gather();
        }
        Ok(None)
    }

    /// The question that a point asks about a run; `None` if its start time is missing.
    fn ask(&mut self, point: &Point) -> Result<Option<Ask>, Errors> {
        let after = match &point.after {
            None => None,
            Some(after) => match self.time("after", after)? {
                None => return Ok(None),
                found => found,
            },
        };
        Ok(Some(asked(point, after)))
    }

    fn time(&mut self, field: &str, expression: &str) -> Result<Option<u64>, Errors> {
        match self.value(field, expression)? {
            Quantity::Missing => Ok(None),
            Quantity::Number(ns, kind) if ns >= 0.0 && (kind == Kind::Time || ns == 0.0) => {
                Ok(Some(nanoseconds(ns)))
            }
            other => Err(self.wrong(field, format!("must be a time, is {}", other.name()))),
        }
    }

    /// Marks a question with an answer: the truth, whether the answer is right, and the feedback.
    pub(super) fn marked(
        &mut self,
        step: &Step,
        mut view: StepView,
        answer: Option<&Value>,
    ) -> Result<StepView, Errors> {
        let Step::Predict {
            answer: question,
            truth,
            feedback,
            ..
        } = step
        else {
            return Ok(view);
        };
        let Some(answer) = answer else {
            return Ok(view);
        };
        let said = answer::said(question, answer)?;
        view.measured = self.measured(question, truth)?;
        let truth = self.value("truth", truth)?;
        // A changed run may no longer fit the question; then there is no truth.
        view.truth = answer::counted(question, &truth).unwrap_or_default();
        view.right = answer::is_right(question, answer, &view.truth);
        let told = [
            ("said", answer::told(question, answer, self.words)),
            ("truth", answer::told(question, &view.truth, self.words)),
        ];
        self.scope.axes = answer::axes(question);
        let right = view.right.map_or(Quantity::Missing, Quantity::Flag);
        let lines = [("said", said), ("truth", truth), ("right", right)];
        self.scope.variables.extend(with_units_of(question, lines));
        let found = self.feedback(feedback)?;
        let is_line = matches!(question, Question::Curve { .. });
        let neutral = if is_line && told[0].1 == told[1].1 {
            self.words.elsewhere
        } else {
            self.words.neutral
        };
        let say = found.map_or(neutral, |f| f.say.as_str());
        view.say = text::fill(self.runs, &self.scope, say, &told, self.words)
            .map_err(|e| self.wrong("feedback.say", e))?;
        Ok(view)
    }

    /// The value behind a choice between values: the x of `nearest(x, […])`.
    fn measured(&mut self, question: &Question, truth: &str) -> Result<Option<Measured>, Errors> {
        let parsed = parse(truth).map_err(|e| self.wrong("truth", e))?;
        let (Question::Choice { unit, .. }, Node::Call(name, arguments)) = (question, &parsed.is)
        else {
            return Ok(None);
        };
        let Some(first) = arguments.first().filter(|_| name == "nearest") else {
            return Ok(None);
        };
        let found = evaluate(self.runs, &self.scope, &first.value);
        let Quantity::Number(value, kind) = found.map_err(|e| self.wrong("truth", e))? else {
            return Ok(None);
        };
        let unit = match (unit.as_deref(), kind) {
            (Some(unit), _) => unit,
            (None, Kind::Time) => "s",
            (None, Kind::Share) => "%",
            (None, Kind::Number | Kind::Count) => "",
        };
        let value = in_unit(value, kind, unit).map_err(|e| self.wrong("truth", e))?;
        let unit = unit.to_owned();
        Ok(Some(Measured { value, unit }))
    }

    /// The first feedback that fits.
    pub(super) fn feedback<'f>(
        &mut self,
        all: &'f [Feedback],
    ) -> Result<Option<&'f Feedback>, Errors> {
        for (i, feedback) in all.iter().enumerate() {
            let field = format!("feedback[{i}].when");
            match self.value(&field, &feedback.when)? {
                Quantity::Flag(true) => return Ok(Some(feedback)),
                Quantity::Flag(false) | Quantity::Missing => {}
                other => {
                    let message = format!("must be true or false, is {}", other.name());
                    return Err(self.wrong(&field, message));
                }
            }
        }
        Ok(None)
    }

    pub(super) fn observed(
        &mut self,
        step: &Step,
        mut view: StepView,
        answer: Option<&Value>,
    ) -> Result<StepView, Errors> {
        let (Step::Observe { options, truth, .. }, Some(answer)) = (step, answer) else {
            return Ok(view);
        };
        if options.is_empty() {
            return Ok(view);
        }
        let question = Question::choice(options);
        answer::said(&question, answer)?;
        if let Some(truth) = truth {
            let truth = self.value("truth", truth)?;
            view.truth = answer::counted(&question, &truth).unwrap_or_default();
            view.right = answer::is_right(&question, answer, &view.truth);
        }
        Ok(view)
    }

    /// The learner's run, then each fork for which the learner's scenario has room.
    pub(super) fn futures(
        &mut self,
        i: usize,
        all: &[Fork],
        compare: &Compare,
    ) -> Result<Vec<Future>, Errors> {
        let mut futures = vec![Future {
            label: String::new(),
            value: self.compared(RunKey::Own, compare)?,
            of: None,
            lane: None,
            scenario: self.runs.source().base().clone(),
        }];
        for (n, fork) in all.iter().enumerate() {
            let base = self.runs.source().base();
            let Ok((scenario, lane)) = difference::beside(base, &fork.is) else {
                continue;
            };
            let of = difference::only_lane(&fork.is, base.schedulers.len());
            futures.push(Future {
                label: fork.label.clone(),
                value: self.compared(RunKey::Fork(i, n), compare)?,
                of: of.and_then(|lane| u32::try_from(lane).ok()),
                lane,
                scenario,
            });
        }
        Ok(futures)
    }

    fn compared(&mut self, run: RunKey, compare: &Compare) -> Result<Option<f64>, Errors> {
        self.scope.run = run;
        let value = self.value("compare.value", &compare.value);
        self.scope.run = RunKey::Own;
        match value? {
            Quantity::Number(n, kind) => in_unit(n, kind, &compare.unit)
                .map(Some)
                .map_err(|m| self.wrong("compare.unit", m)),
            Quantity::Missing => Ok(None),
            other => {
                let message = format!("must be a number, is {}", other.name());
                Err(self.wrong("compare.value", message))
            }
        }
    }
}

/// Drawn lines as plain numbers of their axis, so that both can be compared.
fn with_units_of<const N: usize>(
    question: &Question,
    variables: [(&'static str, Quantity); N],
) -> [(&'static str, Quantity); N] {
    let Question::Curve { y, .. } = question else {
        return variables;
    };
    variables.map(|(name, value)| {
        let Quantity::List(all) = value else {
            return (name, value);
        };
        let plain = all.into_iter().map(|q| match q {
            Quantity::Number(n, kind) => in_unit(n, kind, &y.unit)
                .map_or(Quantity::Missing, |n| Quantity::Number(n, Kind::Number)),
            other => other,
        });
        (name, Quantity::List(plain.collect()))
    })
}

/// The question that a point asks about a run.
pub(super) fn asked(point: &Point, after: Option<u64>) -> Ask {
    Ask::Decision {
        of: Decisions {
            reason: point.reason.clone().unwrap_or_default(),
            thread: point.thread.clone(),
            cpu: point.cpu,
        },
        nth: point.nth.unwrap_or(1),
        after,
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates
fn nanoseconds(ns: f64) -> u64 {
    ns.round() as u64
}
