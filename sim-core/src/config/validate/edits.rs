//! Checks of edits.

use super::{Check, clip, unknown_group};
use crate::bounds;
use crate::config::Scenario;
use crate::config::edit::Edit;
use crate::params::ParamValue;
use crate::sched::{self, SchedulerInfo};

impl Check {
    /// Checks an edit.
    pub(super) fn edit(&mut self, path: &str, edit: &Edit, scenario: &Scenario, cpus: usize) {
        match edit {
            Edit::SetNice { target, nice } => {
                self.target(path, target, scenario);
                self.range(&format!("{path}.nice"), bounds::NICE, *nice);
            }
            Edit::SetWorkingSet { target, bytes } => {
                self.target(path, target, scenario);
                self.range(&format!("{path}.bytes"), bounds::WORKING_SET, *bytes);
            }
            Edit::Pin { target, cpus: list } => {
                self.target(path, target, scenario);
                self.cpus(&format!("{path}.cpus"), list, cpus);
            }
            Edit::Unpin { target } => self.target(path, target, scenario),
            Edit::Kill { target, count } => {
                self.target(path, target, scenario);
                if let Some(count) = count {
                    self.range(&format!("{path}.count"), bounds::KILL, *count);
                }
            }
            Edit::Spawn { group, count } => {
                self.range(&format!("{path}.count"), bounds::COUNT, *count);
                if !scenario.groups.iter().any(|g| g.name == *group) {
                    self.error(format!("{path}.group"), unknown_group(group, scenario));
                }
            }
            Edit::SetTunable { lane, id, value } => self.tunable(path, *lane, id, value, scenario),
        }
    }

    /// Checks the lane that an edit names; whether it is there.
    pub(super) fn edit_lane(&mut self, path: &str, lane: Option<u32>, scenario: &Scenario) -> bool {
        let most = scenario.schedulers.len().saturating_sub(1);
        let is_there = lane.is_none_or(|l| l as usize <= most);
        if !is_there {
            self.error(path, format!("must be from 0 to {most}"));
        }
        is_there
    }

    fn tunable(
        &mut self,
        path: &str,
        lane: Option<u32>,
        id: &str,
        value: &ParamValue,
        scenario: &Scenario,
    ) {
        if !self.edit_lane(&format!("{path}.lane"), lane, scenario) {
            return;
        }
        let mut known = false;
        for (i, choice) in scenario.schedulers.iter().enumerate() {
            if lane.is_some_and(|l| l as usize != i) {
                continue;
            }
            let info: Option<&SchedulerInfo> = sched::registry::find(&choice.id);
            let spec = info
                .and_then(|info| sched::registry::era(info, choice.era.as_deref()))
                .and_then(|era| era.tunables.iter().find(|t| t.id == id));
            if let Some(spec) = spec {
                known = true;
                if !spec.live {
                    self.error(
                        format!("{path}.id"),
                        format!("{id} is fixed once a run has begun"),
                    );
                } else if let Err(message) = spec.check(value) {
                    self.error(format!("{path}.value"), message);
                }
            }
        }
        if !known {
            self.error(
                format!("{path}.id"),
                format!("no scheduler here has a tunable \"{}\"", clip(id)),
            );
        }
    }
}
