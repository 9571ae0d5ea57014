//! The runs of a lesson: the learner's own, and those that differ from it.

use super::difference;
use super::format::{Difference, Lesson, Step};
use crate::config::Scenario;
use sim_measure::runs::{RunKey, Source};
use std::sync::Arc;

/// A lesson with the scenario of a learner.
pub(super) struct LessonSource {
    pub(super) lesson: Arc<Lesson>,
    pub(super) base: Scenario,
}

impl LessonSource {
    /// How a run differs from the learner's; `None` if there is no such run.
    fn difference(&self, run: &RunKey) -> Option<&Difference> {
        let lesson = &self.lesson;
        match run {
            RunKey::Own => None,
            RunKey::Named(name) => match lesson.runs.get(name) {
                None if name == "transfer" => lesson.transfer.run.as_ref(),
                found => found,
            },
            RunKey::Point(name, i) => Some(&lesson.sweeps.get(name)?.points.get(*i)?.is),
            RunKey::Fork(step, i) => match lesson.steps.get(*step)? {
                Step::Change { forks, .. } => Some(&forks.get(*i)?.is),
                _ => None,
            },
        }
    }
}

impl Source for LessonSource {
    fn base(&self) -> &Scenario {
        &self.base
    }

    fn scenario(&self, run: &RunKey) -> Option<Scenario> {
        if *run == RunKey::Own {
            return Some(self.base.clone());
        }
        difference::changed(&self.base, self.difference(run)?).ok()
    }

    fn named(&self) -> Vec<&str> {
        let transfer = self.lesson.transfer.run.as_ref().map(|_| "transfer");
        let runs = self.lesson.runs.keys().map(String::as_str);
        runs.chain(transfer).collect()
    }

    fn rows(&self) -> Vec<(&str, usize)> {
        let rows = self.lesson.sweeps.iter();
        rows.map(|(name, row)| (name.as_str(), row.points.len()))
            .collect()
    }

    fn forks(&self, step: usize) -> Option<(usize, &str)> {
        match self.lesson.steps.get(step)? {
            Step::Change { forks, compare, .. } => Some((forks.len(), &compare.value)),
            _ => None,
        }
    }
}
