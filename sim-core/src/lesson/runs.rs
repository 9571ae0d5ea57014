//! The runs of a lesson: the learner's own, those that differ from it, and the known facts of each lane. A run is made
//! only when it is needed, and only once.

use super::difference;
use super::facts::{Ask, Ended, Fact, LaneFacts};
use super::format::{Difference, Lesson, Step};
use crate::config::plan::Plan;
use crate::config::{Scenario, validate};
use std::sync::Arc;

/// Identifies one of the runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum RunKey {
    /// The learner's own.
    #[default]
    Own,
    /// One of the lesson's `runs`, or `transfer`.
    Named(String),
    /// A point of one of its `sweeps`, from 0.
    Point(String, usize),
    /// A fork of a step, both from 0.
    Fork(usize, usize),
}

/// A run, and the known facts of its lanes.
#[derive(Debug)]
struct Run {
    /// `None` if the learner's scenario has no room for the difference.
    plan: Option<Arc<Plan>>,
    lanes: Vec<LaneFacts>,
}

/// All runs of a lesson.
#[derive(Debug)]
pub(super) struct Runs {
    pub(super) lesson: Arc<Lesson>,
    base: Scenario,
    all: Vec<(RunKey, Run)>,
    /// Lanes with requested facts that are not known.
    needed: Vec<(RunKey, usize)>,
}

impl Runs {
    pub(super) fn new(lesson: Arc<Lesson>, base: Scenario) -> Self {
        Self {
            lesson,
            base,
            all: Vec::new(),
            needed: Vec::new(),
        }
    }

    /// The learner's scenario.
    pub(super) fn base(&self) -> &Scenario {
        &self.base
    }

    /// How a run differs from the learner's; `None` if there is no such run.
    pub(super) fn difference(&self, key: &RunKey) -> Option<Difference> {
        let lesson = &self.lesson;
        match key {
            RunKey::Own => Some(Difference::default()),
            RunKey::Named(name) => match lesson.runs.get(name) {
                Some(found) => Some(found.clone()),
                None if name == "transfer" => lesson.transfer.run.clone(),
                None => None,
            },
            RunKey::Point(name, i) => Some(lesson.sweeps.get(name)?.points.get(*i)?.is.clone()),
            RunKey::Fork(step, i) => match lesson.steps.get(*step)? {
                Step::Change { forks, .. } => Some(forks.get(*i)?.is.clone()),
                _ => None,
            },
        }
    }

    fn run(&mut self, key: &RunKey) -> &mut Run {
        let position = self.all.iter().position(|(known, _)| known == key);
        let position = position.unwrap_or_else(|| {
            let scenario = match key {
                RunKey::Own => Some(self.base.clone()),
                _ => self
                    .difference(key)
                    .and_then(|d| difference::changed(&self.base, &d).ok()),
            };
            let plan = scenario.and_then(|s| validate::plan(&s).ok()).map(Arc::new);
            let lanes = plan.as_ref().map_or(0, |p| p.lanes.len());
            let lanes = (0..lanes).map(|_| LaneFacts::default()).collect();
            self.all.push((key.clone(), Run { plan, lanes }));
            self.all.len() - 1
        });
        &mut self.all[position].1
    }

    fn need(&mut self, key: &RunKey, lane: usize) {
        let wanted = (key.clone(), lane);
        if !self.needed.contains(&wanted) {
            self.needed.push(wanted);
        }
    }

    /// The plan of a run, if the learner's scenario has room for it.
    pub(super) fn plan(&mut self, key: &RunKey) -> Option<Arc<Plan>> {
        self.run(key).plan.clone()
    }

    /// A fact; `None` if it is not known yet: then the request is noted.
    pub(super) fn fact(&mut self, key: &RunKey, lane: usize, ask: &Ask) -> Option<&Fact> {
        if self.run(key).lanes.get(lane)?.find(ask).is_none() {
            self.need(key, lane);
            self.run(key).lanes.get_mut(lane)?.want(ask);
            return None;
        }
        self.run(key).lanes.get(lane)?.find(ask)
    }

    /// The end of a run; `None` if it is not known yet.
    pub(super) fn ended(&mut self, key: &RunKey, lane: usize) -> Option<&Ended> {
        if self.run(key).lanes.get(lane)?.ended.is_none() {
            self.need(key, lane);
            return None;
        }
        self.run(key).lanes.get(lane)?.ended.as_ref()
    }

    /// Clears the list of needed lanes, but keeps the requested facts.
    pub(super) fn forget_needs(&mut self) {
        self.needed.clear();
    }

    /// Runs the needed lanes. Returns whether there were any.
    pub(super) fn gather(&mut self) -> bool {
        let needed = std::mem::take(&mut self.needed);
        for (key, lane) in &needed {
            let run = self.run(key);
            if let (Some(plan), Some(facts)) = (&run.plan, run.lanes.get_mut(*lane)) {
                facts.gather(plan, *lane);
            }
        }
        !needed.is_empty()
    }
}
