//! Checks of edits.

use super::{Check, DAEMONS, KERNEL_THREADS, most};
use crate::edit::Edit;
use crate::{BehaviourChoice, Scenario};
use sim_ground::bounds;
use sim_ground::params::{ParamSpec, ParamValue, Params};
use sim_ground::text::quoted;
use sim_workload as workload;

impl<'a> Check<'a> {
    /// Checks an edit.
    pub(super) fn edit(&mut self, path: &str, edit: &Edit) {
        match edit {
            Edit::SetNice { target, nice } => {
                self.target(path, target);
                self.range(&format!("{path}.nice"), bounds::NICE, *nice);
            }
            Edit::SetWorkingSet { target, bytes } => {
                self.target(path, target);
                self.range(&format!("{path}.bytes"), bounds::WORKING_SET, *bytes);
            }
            Edit::Pin { target, cpus: list } => {
                self.target(path, target);
                self.mask(&format!("{path}.cpus"), list);
            }
            Edit::Unpin { target } => self.target(path, target),
            Edit::Kill { target, count } => {
                self.target(path, target);
                if let Some(count) = count {
                    self.range(&format!("{path}.count"), bounds::KILL, *count);
                }
            }
            Edit::Spawn { group, count } => {
                self.range(&format!("{path}.count"), bounds::COUNT, *count);
                self.group_name(&format!("{path}.group"), group);
            }
            Edit::SetTunable { lane, id, value } => self.tunable(path, *lane, id, value),
        }
    }

    /// Checks that a thread of this name exists now or may come to exist.
    pub(super) fn thread(&mut self, path: &str, name: &str) {
        if let Err(known) = self.find_thread(name) {
            let which = if known.is_empty() {
                "there is none".to_owned()
            } else {
                format!("must be one of {}", known.join(", "))
            };
            let got = quoted(name);
            let message = format!("no thread is ever called that: {which}, got \"{got}\"");
            self.error(path, message);
        }
    }

    /// Whether a thread of this name exists now or may come to exist: one of those that its group begins with or is given
    /// by an edit, or any later one where threads of the group fork. If not, which there are.
    pub(super) fn find_thread(&mut self, name: &str) -> Result<(), Vec<String>> {
        if self.threads.iter().any(|t| t == name) {
            return Ok(());
        }
        let (scenario, cpus) = (self.scenario, self.cpus);
        let groups = self
            .known
            .get_or_insert_with(|| known_groups(scenario, cpus));
        let is_one = |g: &Known<'_>| {
            let number = name.strip_prefix(g.name).and_then(|n| n.strip_prefix('-'));
            let parsed = number.and_then(|n| n.parse::<u32>().ok());
            parsed.is_some_and(|n| {
                n > 0 && (n <= g.count || g.forks) && number == Some(n.to_string().as_str())
            })
        };
        if groups.iter().any(is_one) {
            return Ok(());
        }
        let there = groups.iter().filter(|g| g.count > 0);
        Err(there.map(Known::text).collect())
    }

    /// Checks the lane that an edit names; whether it is there.
    pub(super) fn edit_lane(&mut self, path: &str, lane: Option<u32>) -> bool {
        let last = self.scenario.schedulers.len().saturating_sub(1);
        let is_there = lane.is_none_or(|l| l as usize <= last);
        if !is_there {
            self.error(path, format!("must be from 0 to {last}"));
        }
        is_there
    }

    fn tunable(&mut self, path: &str, lane: Option<u32>, id: &str, value: &ParamValue) {
        if !self.edit_lane(&format!("{path}.lane"), lane) {
            return;
        }
        let specs = self.specs(lane, id);
        for spec in &specs {
            if !spec.live {
                self.error(
                    format!("{path}.id"),
                    format!("{id} is fixed once a run has begun"),
                );
            } else if let Err(message) = spec.check(value) {
                self.error(format!("{path}.value"), message);
            }
        }
        if specs.is_empty() {
            self.no_tunable(path, id);
        }
    }

    /// Says that no lane has such a tunable.
    pub(super) fn no_tunable(&mut self, path: &str, id: &str) {
        let message = format!("no scheduler here has a tunable \"{}\"", quoted(id));
        self.error(format!("{path}.id"), message);
    }

    /// The tunable of this id in a lane, or in each of them that has it.
    pub(super) fn specs(&self, lane: Option<u32>, id: &str) -> Vec<&'static ParamSpec> {
        let lanes = self.scenario.schedulers.iter().enumerate();
        lanes
            .take(most(bounds::SCHEDULERS))
            .filter(|(i, _)| lane.is_none_or(|l| l as usize == *i))
            .filter_map(|(_, choice)| {
                let info = self.registry.find(&choice.id)?;
                let era = info.era(choice.era.as_deref())?;
                era.tunables.iter().find(|t| t.id == id)
            })
            .collect()
    }
}

/// The threads that a group may have.
pub(super) struct Known<'a> {
    name: &'a str,
    /// Those that it begins with, and those that edits add.
    count: u32,
    /// Whether they start more.
    forks: bool,
}

impl Known<'_> {
    fn text(&self) -> String {
        let name = quoted(self.name);
        match (self.count, self.forks) {
            (n, true) => format!("{name}-1 to {name}-{n} and those that they fork"),
            (1, false) => format!("{name}-1"),
            (n, false) => format!("{name}-1 to {name}-{n}"),
        }
    }
}

/// The groups of a scenario, then those of its background.
fn known_groups(scenario: &Scenario, cpus: usize) -> Vec<Known<'_>> {
    let mut groups: Vec<Known<'_>> = scenario
        .groups
        .iter()
        .take(most(bounds::GROUPS))
        .map(|g| Known {
            name: &g.name,
            count: g.count,
            forks: forks(&g.behaviour),
        })
        .collect();
    for timed in scenario.edits.iter().take(most(bounds::EDITS)) {
        if let Edit::Spawn { group, count } = &timed.edit
            && let Some(known) = groups.iter_mut().find(|g| g.name == group)
        {
            known.count = known.count.saturating_add(*count);
        }
    }
    let background = scenario.background.as_ref();
    let daemons = background.and_then(|b| b.daemons.as_ref());
    if let Some(d) = daemons.filter(|d| d.count > 0) {
        groups.push(Known {
            name: DAEMONS,
            count: d.count,
            forks: false,
        });
    }
    let kernel_threads = background.and_then(|b| b.kernel_threads.as_ref());
    if kernel_threads.is_some_and(|k| k.wakes_per_second > 0) {
        groups.push(Known {
            name: KERNEL_THREADS,
            count: u32::try_from(cpus).unwrap_or(u32::MAX),
            forks: false,
        });
    }
    groups
}

/// Whether threads that behave so start others. What is wrong with the behaviour itself is told elsewhere.
fn forks(behaviour: &BehaviourChoice) -> bool {
    let info = workload::registry::find(&behaviour.kind);
    let made = info.and_then(|info| {
        let params = Params::from_map(info.params, &behaviour.params).ok()?;
        (info.make)(&params).ok()
    });
    made.is_some_and(|b| b.forks())
}
