//! Checks of control groups, and their order.

use super::{Check, most};
use crate::plan::GroupPlan;
use sim_contract::cgroup::{Cgroup, Cgroups};
use sim_ground::bounds;
use sim_ground::ids::GroupId;
use sim_ground::text::quoted;

impl Check<'_> {
    /// The control groups, parents before their children.
    pub(super) fn cgroups(&mut self) -> Vec<Cgroup> {
        let all = &self.scenario.cgroups;
        self.range("cgroups", bounds::CGROUPS, all.len());
        for (name, group) in all.iter().take(most(bounds::CGROUPS)) {
            let path = format!("cgroups.{}", quoted(name));
            self.line(&path, bounds::NAME, name);
            for (field, bound, value) in [
                ("weight", bounds::WEIGHT, group.weight),
                (
                    "requestMilliCpus",
                    bounds::REQUEST,
                    group.request_milli_cpus,
                ),
                ("quotaUs", bounds::QUOTA, group.quota_us),
                ("periodUs", bounds::PERIOD, Some(group.period_us)),
                ("burstUs", bounds::BURST, Some(group.burst_us)),
                ("phaseUs", bounds::PHASE, group.phase_us),
            ] {
                if let Some(value) = value {
                    self.range(&format!("{path}.{field}"), bound, value);
                }
            }
            if let Some(nice) = group.weight_nice {
                self.range(&format!("{path}.weightNice"), bounds::WEIGHT_NICE, nice);
            }
            if group.weights() > 1 {
                self.error(
                    &path,
                    "has one weight: either weight, weightNice, requestMilliCpus or idle",
                );
            }
            let burst = group.burst_us;
            match group.quota_us {
                None if burst > 0 => self.error(
                    format!("{path}.burstUs"),
                    format!("must be 0 without a quota, got {burst}"),
                ),
                Some(quota) if burst > quota => self.error(
                    format!("{path}.burstUs"),
                    format!("must be at most the quota, {quota} µs, got {burst}"),
                ),
                _ => {}
            }
        }
        for (i, group) in self
            .scenario
            .groups
            .iter()
            .enumerate()
            .take(most(bounds::GROUPS))
        {
            if let Some(name) = &group.cgroup {
                self.cgroup_name(&format!("groups[{i}].cgroup"), name);
            }
        }
        self.in_order()
    }

    /// Puts parents before their children; what lies in itself is an error.
    fn in_order(&mut self) -> Vec<Cgroup> {
        let mut ordered: Vec<Cgroup> = Vec::new();
        let mut left: Vec<_> = self
            .scenario
            .cgroups
            .iter()
            .take(most(bounds::CGROUPS))
            .collect();
        for depth in 0.. {
            let place = |name: &String| ordered.iter().position(|g| g.name == *name);
            let is_ready = |(_, group): &(&String, &crate::cgroups::ControlGroup)| {
                group
                    .parent
                    .as_ref()
                    .is_none_or(|parent| place(parent).is_some())
            };
            let (ready, later): (Vec<_>, Vec<_>) = left.into_iter().partition(is_ready);
            let planned = ready.iter().map(|(name, group)| {
                let parent = group.parent.as_ref().and_then(place);
                group.plan(name, parent.and_then(|p| u32::try_from(p).ok()))
            });
            let planned: Vec<Cgroup> = planned.collect();
            if !planned.is_empty() {
                self.range("cgroups", bounds::CGROUP_DEPTH, depth);
            }
            ordered.extend(planned);
            left = later;
            if ready.is_empty() {
                break;
            }
        }
        for (name, group) in left {
            let path = format!("cgroups.{}.parent", quoted(name));
            match &group.parent {
                Some(parent) if self.scenario.cgroups.contains_key(parent) => {
                    self.error(
                        path,
                        "lies in itself: the groups above it must end at the root",
                    );
                }
                Some(parent) => self.cgroup_name(&path, parent),
                None => {}
            }
        }
        ordered
    }

    /// Checks that there is a control group of this name.
    pub(super) fn cgroup_name(&mut self, path: &str, name: &str) {
        let all = &self.scenario.cgroups;
        if all.contains_key(name) {
            return;
        }
        let got = quoted(name);
        let known: Vec<String> = all.keys().map(|name| quoted(name)).collect();
        let message = match known.is_empty() {
            true => format!("there are no control groups, got \"{got}\""),
            false => format!("must be one of {}, got \"{got}\"", known.join(", ")),
        };
        self.error(path, message);
    }

    /// The tree with the groups of threads in it. A parent is where its children are; background threads are in the root.
    pub(super) fn joined(&self, groups: Vec<Cgroup>, threads: &[GroupPlan]) -> Cgroups {
        if groups.is_empty() {
            return Cgroups::default();
        }
        let own = |id: GroupId| {
            let name = self.scenario.groups.get(id.index())?.cgroup.as_ref()?;
            let at = groups.iter().position(|g| g.name == *name)?;
            u32::try_from(at).ok()
        };
        let of = threads.iter().map(|g| own(g.parent_of.unwrap_or(g.id)));
        let of = of.collect();
        Cgroups { groups, of }
    }
}
