//! The runs that expressions are about, and the known facts of each lane. A run is made only when it is needed, and only
//! once.

use super::facts::{Ask, Ended, Fact, LaneFacts};
use sim_run::config::plan::Plan;
use sim_run::config::{Scenario, validate};
use std::sync::Arc;

/// Identifies one of the runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum RunKey {
    /// That of the scenario itself; in a lesson the learner's own.
    #[default]
    Own,
    /// One with a name.
    Named(String),
    /// A point of a row of runs, from 0.
    Point(String, usize),
    /// A fork of a step, both from 0.
    Fork(usize, usize),
}

/// Where runs come from: a scenario, and what else has runs that differ from it, such as a lesson.
pub trait Source {
    /// The scenario itself.
    fn base(&self) -> &Scenario;

    /// The scenario of a run; `None` if there is no such run, or if the base has no room for the difference.
    fn scenario(&self, run: &RunKey) -> Option<Scenario>;

    /// Names of the runs that have one.
    fn named(&self) -> Vec<&str> {
        Vec::new()
    }

    /// Names of the rows of runs, with the number of their points.
    fn rows(&self) -> Vec<(&str, usize)> {
        Vec::new()
    }

    /// Of a step, from 0: the number of its forks, and the expression that compares them; `None` if it has none.
    fn forks(&self, step: usize) -> Option<(usize, &str)> {
        let _ = step;
        None
    }
}

/// A scenario alone has one run.
impl Source for Scenario {
    fn base(&self) -> &Scenario {
        self
    }

    fn scenario(&self, run: &RunKey) -> Option<Scenario> {
        (*run == RunKey::Own).then(|| self.clone())
    }
}

/// A run, and the known facts of its lanes.
struct Run {
    /// `None` if the scenario has no room for the difference.
    plan: Option<Arc<Plan>>,
    lanes: Vec<LaneFacts>,
}

/// The runs of a source.
pub struct Runs {
    source: Box<dyn Source + Send>,
    all: Vec<(RunKey, Run)>,
    /// Lanes with requested facts that are not known.
    needed: Vec<(RunKey, usize)>,
    /// The time in ns up to which runs are followed; `None`: they run to their end.
    until: Option<u64>,
}

impl Runs {
    /// The runs of a source; nothing is run yet.
    #[must_use]
    pub fn new(source: Box<dyn Source + Send>) -> Self {
        Self {
            source,
            all: Vec::new(),
            needed: Vec::new(),
            until: None,
        }
    }

    /// Where the runs come from.
    #[must_use]
    pub fn source(&self) -> &dyn Source {
        &*self.source
    }

    fn run(&mut self, key: &RunKey) -> &mut Run {
        let position = self.all.iter().position(|(known, _)| known == key);
        let position = position.unwrap_or_else(|| {
            let scenario = self.source.scenario(key);
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

    /// The plan of a run, if the scenario has room for it.
    pub fn plan(&mut self, key: &RunKey) -> Option<Arc<Plan>> {
        self.run(key).plan.clone()
    }

    /// A fact; `None` if it is not known yet: then the request is noted.
    pub fn fact(&mut self, key: &RunKey, lane: usize, ask: &Ask) -> Option<&Fact> {
        if self.run(key).lanes.get(lane)?.find(ask).is_none() {
            self.need(key, lane);
            self.run(key).lanes.get_mut(lane)?.want(ask);
            return None;
        }
        self.run(key).lanes.get(lane)?.find(ask)
    }

    /// The end of a run; `None` if it is not known yet.
    pub fn ended(&mut self, key: &RunKey, lane: usize) -> Option<&Ended> {
        if self.run(key).lanes.get(lane)?.ended.is_none() {
            self.need(key, lane);
            return None;
        }
        self.run(key).lanes.get(lane)?.ended.as_ref()
    }

    /// From now on facts are those of the part of the runs up to a time in ns, as if they ended then.
    pub fn follow(&mut self, until: u64) {
        self.until = Some(until);
        for (_, run) in &mut self.all {
            run.lanes.iter_mut().for_each(LaneFacts::forget);
        }
    }

    /// Clears the list of needed lanes, but keeps the requested facts.
    pub fn forget_needs(&mut self) {
        self.needed.clear();
    }

    /// Runs the needed lanes. Returns whether there were any.
    pub fn gather(&mut self) -> bool {
        let needed = std::mem::take(&mut self.needed);
        let until = self.until;
        for (key, lane) in &needed {
            let run = self.run(key);
            if let (Some(plan), Some(facts)) = (&run.plan, run.lanes.get_mut(*lane)) {
                match until {
                    None => facts.gather(plan, *lane),
                    Some(until) => facts.follow(plan, *lane, until),
                }
            }
        }
        !needed.is_empty()
    }
}
