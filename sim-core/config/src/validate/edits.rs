//! Checks of edits.

use super::{Check, DAEMONS, KERNEL_THREADS, most};
use crate::edit::{CgroupField, Count, Edit};
use crate::{BehaviourChoice, Scenario, ThreadGroup};
use sim_ground::bounds;
use sim_ground::params::{ParamSpec, ParamValue, Params};
use sim_ground::text::quoted;
use sim_workload as workload;

impl<'a> Check<'a> {
    /// Checks an edit at a place of the list.
    pub(super) fn edit(&mut self, place: &str, edit: &Edit) {
        let field = match edit {
            Edit::Copy { .. } => "copy",
            _ => "set",
        };
        let path = &match place {
            "" => field.to_owned(),
            place => format!("{place}.{field}"),
        };
        match edit {
            Edit::SetNice { target, nice } => {
                self.target(path, target);
                self.range(path, bounds::NICE, *nice);
            }
            Edit::SetSlice { target, slice_ns } => {
                self.target(path, target);
                self.range(path, bounds::SLICE, *slice_ns);
            }
            Edit::SetWorkingSet { target, bytes } => {
                self.target(path, target);
                self.range(path, bounds::WORKING_SET, *bytes);
            }
            Edit::Pin { target, cpus: list } => {
                self.target(path, target);
                self.mask(path, list);
            }
            Edit::Unpin { target } | Edit::Pause { target } | Edit::Resume { target } => {
                self.target(path, target);
            }
            Edit::Copy { thread } => self.named_thread(path, thread),
            Edit::Kill { thread } => {
                if let Some(name) = thread {
                    self.named_thread(path, name);
                }
            }
            Edit::SetCount { group, count } => {
                let (bound, n) = match *count {
                    Count::To(n) => (bounds::COUNT, n),
                    Count::More(n) | Count::Fewer(n) => (bounds::ASKED, n),
                };
                self.range(path, bound, n);
                if let Some(name) = group {
                    self.group_name(path, name);
                }
            }
            Edit::SetTunable { lane, id, value } => self.tunable(path, *lane, id, value),
            Edit::SetProgram { lane, program } => self.later_program(path, *lane, program),
            Edit::SetCgroup { name, field, value } => {
                self.cgroup_name(path, name);
                match (field, value) {
                    (CgroupField::QuotaUs, None) => {}
                    (field, value) => self.range(path, field.bound(), value.unwrap_or(0)),
                }
            }
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

    /// Whether a thread of this name exists now or may come to exist. Such a thread is one with which its group begins,
    /// one that an edit adds, or any later one if threads of the group fork. If not: the names of the existing threads.
    pub(super) fn find_thread(&mut self, name: &str) -> Result<(), Vec<String>> {
        if self.threads.iter().any(|t| t == name) {
            return Ok(());
        }
        let (scenario, cpus) = (self.scenario, self.cpus);
        let groups = self
            .known
            .get_or_insert_with(|| known_groups(scenario, cpus));
        let is_one = |g: &Known<'_>| g.number(name).is_some_and(|n| n <= g.count || g.forks);
        if groups.iter().any(is_one) {
            return Ok(());
        }
        let there = groups.iter().filter(|g| g.count > 0);
        Err(there.map(Known::text).collect())
    }

    /// Checks the lane that an edit names. Returns whether it exists.
    pub(super) fn edit_lane(&mut self, path: &str, lane: Option<u32>) -> bool {
        let last = self.scenario.schedulers.len().saturating_sub(1);
        let is_there = lane.is_none_or(|l| l as usize <= last);
        if !is_there {
            self.error(path, format!("must be from 0 to {last}"));
        }
        is_there
    }

    /// Whether a path names a lane that there is.
    fn names_lane(&mut self, path: &str, lane: Option<u32>) -> bool {
        let lanes = self.scenario.schedulers.len();
        let is_there = lane.is_none_or(|l| (l as usize) < lanes);
        if !is_there {
            self.error(path, format!("must name a lane from 1 to {lanes}"));
        }
        is_there
    }

    /// A program that takes over during the run.
    fn later_program(&mut self, path: &str, lane: Option<u32>, program: &str) {
        if !self.names_lane(path, lane) {
            return;
        }
        let before = self.problems.told().len();
        self.text(path, bounds::PROGRAM, program, true);
        if self.problems.told().len() > before {
            return;
        }
        let schedulers = self.scenario.schedulers.iter().enumerate();
        let lanes: Vec<_> = schedulers
            .take(most(bounds::SCHEDULERS))
            .filter(|(i, _)| lane.is_none_or(|l| l as usize == *i))
            .filter_map(|(_, choice)| {
                let info = self.registry.find(&choice.id)?;
                let era = info.era(choice.era.as_deref())?;
                Some((info.check_program?.later?, era, choice.program.as_deref()))
            })
            .collect();
        if lanes.is_empty() {
            self.error(path, "no lane here runs a program of its user");
        }
        for (check, era, first) in lanes {
            if let Err(e) = check(era, first, program) {
                self.error(path, e.to_string());
            }
        }
    }

    fn tunable(&mut self, path: &str, lane: Option<u32>, id: &str, value: &ParamValue) {
        if !self.names_lane(path, lane) {
            return;
        }
        let specs = self.specs(lane, id);
        for spec in &specs {
            if !spec.live {
                self.error(path, format!("{id} is fixed once a run has begun"));
            } else if let Err(message) = spec.check(value) {
                self.error(path, message);
            }
        }
        if specs.is_empty() {
            self.no_tunable(path, id);
        }
    }

    /// Adds the error that no lane has such a tunable.
    pub(super) fn no_tunable(&mut self, path: &str, id: &str) {
        let message = format!("no scheduler here has a tunable \"{}\"", quoted(id));
        self.error(path, message);
    }

    /// The tunable of this id in a lane; without a lane, in each lane that has it.
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
    /// Number of threads with which it begins and that edits add.
    count: u32,
    /// Whether its threads start more.
    forks: bool,
}

impl Known<'_> {
    /// The number of a thread in the group, if a thread of this name can belong to it.
    fn number(&self, thread: &str) -> Option<u32> {
        let number = thread.strip_prefix(self.name)?.strip_prefix('-')?;
        let parsed = number.parse::<u32>().ok()?;
        (parsed > 0 && number == parsed.to_string()).then_some(parsed)
    }

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
    add_edited(scenario, &mut groups);
    groups
}

/// Adds the threads that edits start.
fn add_edited(scenario: &Scenario, groups: &mut [Known<'_>]) {
    let mut copies = Vec::new();
    for timed in scenario.edits.iter().take(most(bounds::EDITS)) {
        match &timed.edit {
            Edit::SetCount {
                group: Some(name),
                count: Count::To(count) | Count::More(count),
            } => {
                if let Some(known) = groups.iter_mut().find(|g| g.name == name) {
                    known.count = known.count.saturating_add(*count);
                }
            }
            Edit::Copy { thread } => {
                let at = groups.iter().position(|g| g.number(thread).is_some());
                copies.extend(at.and_then(|at| Some((at, groups[at].number(thread)?))));
            }
            _ => {}
        }
    }
    // From the lowest number on: a copy may be of an earlier copy, but not of itself.
    copies.sort_unstable();
    for (at, number) in copies {
        let known = &mut groups[at];
        if number <= known.count || known.forks {
            known.count = known.count.saturating_add(1);
        }
    }
}

/// How many threads edits start at least. Threads that end by themselves may make it more; then the run starts as many
/// as it may.
pub(super) fn added(scenario: &Scenario) -> u64 {
    let groups = scenario.groups.iter().take(most(bounds::GROUPS));
    let mut to: Vec<(&ThreadGroup, u32)> = groups.map(|g| (g, g.count)).collect();
    let mut more = 0;
    for timed in &scenario.edits {
        match &timed.edit {
            Edit::Copy { .. } => more += 1,
            Edit::SetCount {
                count: Count::More(count),
                ..
            } => more += u64::from(*count),
            Edit::SetCount {
                group: Some(name),
                count: Count::To(count),
            } => {
                if let Some((_, most)) = to.iter_mut().find(|(g, _)| g.name == *name) {
                    *most = (*count).max(*most);
                }
            }
            _ => {}
        }
    }
    more + to
        .iter()
        .map(|(g, most)| u64::from(most - g.count))
        .sum::<u64>()
}

/// Whether threads with this behaviour start others. Errors of the behaviour itself are reported elsewhere.
fn forks(behaviour: &BehaviourChoice) -> bool {
    let info = workload::registry::find(&behaviour.kind);
    let made = info.and_then(|info| {
        let params = Params::from_map(info.params, &behaviour.params).ok()?;
        (info.make)(&params).ok()
    });
    made.is_some_and(|b| b.forks())
}

#[cfg(test)]
mod tests {
    use super::super::{parse, plan_with};
    use super::*;
    use crate::edit::TimedEdit;
    use sim_schedulers::registry::ALL;

    fn scenario() -> Scenario {
        parse(include_str!(
            "../../../../scenarios/experiments/bfs-smt.json"
        ))
        .expect("shipped")
    }

    /// The errors of a scenario with these copies: paths and messages.
    fn said_of_copies(names: &[&str]) -> Vec<(String, String)> {
        let mut s = scenario();
        s.edits = names
            .iter()
            .map(|name| TimedEdit {
                at_ns: 1,
                edit: Edit::Copy {
                    thread: (*name).to_owned(),
                },
                lane: None,
            })
            .collect();
        let errors = plan_with(&s, ALL).err().unwrap_or_default();
        errors.into_iter().map(|e| (e.path, e.message)).collect()
    }

    #[test]
    fn a_copy_may_be_of_a_copy_and_of_nothing_that_never_is() {
        // The group has four threads.
        assert_eq!(said_of_copies(&["dhry-1", "dhry-4"]), []);
        assert_eq!(said_of_copies(&["dhry-6", "dhry-5", "dhry-4"]), []);
        // A copy of a thread that would be the copy itself.
        let wrong = said_of_copies(&["dhry-5"]);
        let message = "no thread is ever called that: must be one of dhry-1 to dhry-4, \
                       daemon-1 to daemon-10, kthread-1 to kthread-8, got \"dhry-5\"";
        assert_eq!(wrong, [("edits[0].copy".to_owned(), message.to_owned())]);
        // Threads of the background can be copied too.
        assert_eq!(said_of_copies(&["daemon-10", "daemon-11", "kthread-1"]), []);
        assert_eq!(said_of_copies(&["daemon-11"]).len(), 1);
        for name in ["", "dhry", "dhry-0", "dhry-01", "dhry-1 ", "nobody-1"] {
            let said = said_of_copies(&[name]);
            let at_thread = said.iter().all(|(path, _)| path == "edits[0].copy");
            assert!(!said.is_empty() && at_thread, "{name}: {said:?}");
        }
    }

    #[test]
    fn copies_count_as_threads() {
        let mut s = scenario();
        s.background = None;
        let mut more = s.groups[0].clone();
        (s.groups[0].count, more.count) = (5_000, 4_990);
        more.name = "more".to_owned();
        s.groups.push(more);
        let copy = TimedEdit {
            at_ns: 1,
            edit: Edit::Copy {
                thread: "dhry-1".to_owned(),
            },
            lane: None,
        };
        s.edits = vec![copy; 10];
        assert!(plan_with(&s, ALL).is_ok());
        s.edits.push(s.edits[0].clone());
        let errors = plan_with(&s, ALL).expect_err("too many");
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert!(errors[0].message.contains("10000"), "{errors:?}");
    }
}
