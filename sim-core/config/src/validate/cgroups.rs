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

#[cfg(test)]
mod tests {
    use crate::Scenario;
    use crate::plan::Plan;
    use crate::validate::{parse, plan_with};
    use sim_ground::error::ConfigError;
    use sim_ground::ids::GroupId;
    use sim_schedulers::registry::ALL;

    fn scenario() -> Scenario {
        let text = include_str!("../../../../scenarios/experiments/bfs-smt.json");
        parse(text).expect("shipped")
    }

    fn with_cgroups(cgroups: &serde_json::Value) -> Result<Plan, Vec<String>> {
        let mut s = scenario();
        s.cgroups = serde_json::from_value(cgroups.clone()).expect("of the right shape");
        s.groups[0].cgroup = Some("web".to_owned());
        let told = |e: &ConfigError| format!("{}: {}", e.path, e.message);
        plan_with(&s, ALL).map_err(|errors| errors.iter().map(told).collect())
    }

    #[test]
    fn control_groups_are_checked_with_field_and_range() {
        for (cgroups, expected) in [
            (
                serde_json::json!({ "web": { "quotaUs": 999 } }),
                "cgroups.web.quotaUs: must be from 1000 to 1024000000 µs, got 999",
            ),
            (
                serde_json::json!({ "web": { "quotaUs": 2000, "burstUs": 2001 } }),
                "cgroups.web.burstUs: must be at most the quota, 2000 µs, got 2001",
            ),
            (
                serde_json::json!({ "web": { "weight": 5, "idle": true } }),
                "cgroups.web: has one weight: either weight, weightNice, requestMilliCpus or idle",
            ),
            (
                serde_json::json!({ "web": { "parent": "pod" } }),
                "cgroups.web.parent: must be one of web, got \"pod\"",
            ),
            (
                serde_json::json!({ "web": { "parent": "pod" }, "pod": { "parent": "web" } }),
                "cgroups.pod.parent: lies in itself: the groups above it must end at the root",
            ),
            (
                serde_json::json!({}),
                "groups[0].cgroup: there are no control groups, got \"web\"",
            ),
        ] {
            let errors = with_cgroups(&cgroups).expect_err(expected);
            assert_eq!(errors[0], expected);
        }
    }

    #[test]
    fn parents_come_before_their_control_groups() {
        let tree = serde_json::json!({
            "a": { "parent": "b" }, "b": { "parent": "web" }, "web": { "weightNice": -1 },
        });
        let plan = with_cgroups(&tree).expect("valid");
        let groups = plan.cgroups.groups.iter();
        let found: Vec<_> = groups.map(|g| (g.name.as_str(), g.parent)).collect();
        assert_eq!(found, [("web", None), ("b", Some(0)), ("a", Some(1))]);
        assert_eq!(plan.cgroups.groups[0].shares, 1_277);
        assert_eq!(plan.cgroups.of_threads(GroupId(0)), Some(0));
    }

    #[test]
    fn a_lane_that_ignores_control_groups_is_told() {
        let mut s = scenario();
        s.controls.clear();
        s.cgroups = serde_json::from_value(serde_json::json!({ "web": { "quotaUs": 5000 } }))
            .expect("of the right shape");
        for (id, era, expected) in [
            ("bfs", "0.318", "has no control groups"),
            ("cfs", "2.6.34", "has no control groups"),
            ("eevdf", "7.3", "has no limits of control groups"),
            ("eevdf", "6.12", ""),
        ] {
            s.schedulers.truncate(1);
            s.schedulers[0].id = id.to_owned();
            s.schedulers[0].era = Some(era.to_owned());
            s.schedulers[0].tunables.clear();
            let plan = plan_with(&s, ALL).expect("valid");
            let all = crate::notices::notices(&plan);
            let told = all.iter().find(|n| n.path == "schedulers[0]");
            let message = told.map_or("", |n| n.message.as_str());
            assert!(message.contains(expected) && (expected.is_empty() == message.is_empty()));
        }
    }
}
