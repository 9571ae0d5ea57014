//! Things that a scenario may have but that its author may not have meant.

use super::plan::{GroupPlan, LanePlan, Plan};
use super::slices;
use sim_contract::cgroup::CgroupSupport;
use sim_contract::lending::INHERITANCE;
use sim_ground::error::ConfigError;

/// All notices about a scenario, in the order of the file: the place, and the consequence. None of them is an error.
#[must_use]
pub fn notices(plan: &Plan) -> Vec<ConfigError> {
    let mut all = no_cgroups(plan);
    all.extend(lends_nothing(plan));
    all.extend(slices_in_vain(plan));
    all.extend(starts_too_close(plan));
    all
}

/// A lane whose scheduler has no control groups runs as if there were none.
fn no_cgroups(plan: &Plan) -> Vec<ConfigError> {
    let groups = &plan.cgroups.groups;
    let limited = groups.iter().any(|g| g.limit.quota_ns.is_some());
    let ignored = |lane: &LanePlan| match lane.cgroup_support() {
        _ if groups.is_empty() => None,
        None => Some("has no control groups here: this lane ignores their weights and limits"),
        Some(CgroupSupport::Weights) if limited => {
            Some("has no limits of control groups here: this lane ignores them")
        }
        Some(_) => None,
    };
    let notice = |(i, lane): (usize, &LanePlan)| {
        let (name, era) = (lane.info.name, lane.era.name);
        let message = format!("{name} ({era}) {}", ignored(lane)?);
        Some(ConfigError::new(format!("schedulers[{i}]"), message))
    };
    plan.lanes.iter().enumerate().filter_map(notice).collect()
}

/// A lane whose scheduler has no priorities to lend hands such locks over as all others.
fn lends_nothing(plan: &Plan) -> Vec<ConfigError> {
    let asks = |group: &&GroupPlan| {
        let behaviour = (group.behaviour.make)(&group.params);
        behaviour.is_ok_and(|behaviour| behaviour.lends())
    };
    let Some(group) = plan.groups.iter().find(asks) else {
        return Vec::new();
    };
    let knows = |lane: &LanePlan| lane.era.tunables.iter().any(|t| t.id == INHERITANCE.id);
    let lanes = plan.lanes.iter().filter(|lane| !knows(lane));
    let names: Vec<&str> = lanes.map(|lane| lane.info.name).collect();
    if names.is_empty() {
        return Vec::new();
    }
    let path = format!("groups[{}].behaviour.params.program", group.id.index());
    let message = format!(
        "locks are taken with inherit, but no priority is lent here under: {}",
        names.join(", ")
    );
    vec![ConfigError::new(path, message)]
}

/// A slice that changes nothing in a lane, or less than one might think.
fn slices_in_vain(plan: &Plan) -> Vec<ConfigError> {
    let hints = (0..plan.lanes.len()).flat_map(|lane| slices::of_plan(plan, lane));
    let notice = |hint: slices::SliceHint| {
        let group = plan.groups.iter().position(|g| g.name == hint.group);
        let path = format!("groups[{}].sliceNs", group.unwrap_or_default());
        ConfigError::new(path, hint.text)
    };
    hints.map(notice).collect()
}

/// Whether a lane's scheduler offers every thread that becomes runnable the best CPU among those that have not yet left
/// idleness.
fn forgets_signals(lane: &LanePlan) -> bool {
    lane.info.id == "bfs" && lane.era.id == "0.318"
}

/// BFS 0.318 counts a signalled CPU as idle until it has rescheduled. A thread that starts before that is offered the
/// same CPU, and no other CPU is signalled for it. Nothing searches for a CPU later, so threads pile up for ever.
fn starts_too_close(plan: &Plan) -> Vec<ConfigError> {
    let delay = plan.delays.longest_exit_ns();
    if !plan.lanes.iter().any(forgets_signals) || delay == 0 {
        return Vec::new();
    }
    let mut found = Vec::new();
    let tell = |path: String, distance: u64| {
        ConfigError::new(
            path,
            format!(
                "threads that start {distance} ns apart, closer than the idle-exit delay of {delay} ns, are all offered the same idle CPU by BFS 0.318 and pile up for ever; 1 ms is safe"
            ),
        )
    };
    let groups: Vec<&GroupPlan> = plan.groups.iter().filter(|g| may_spread(g)).collect();
    for group in &groups {
        let i = group.id.index();
        if group.count > 1 && group.start_spacing_ns < delay {
            let path = format!("groups[{i}].startSpacingNs");
            found.push(tell(path, group.start_spacing_ns));
            continue;
        }
        let before = groups.iter().filter(|g| g.id.index() < i);
        if let Some(distance) = before
            .map(|g| distance(g, group))
            .min()
            .filter(|d| *d < delay)
        {
            found.push(tell(format!("groups[{i}].startNs"), distance));
        }
    }
    found
}

/// Whether this is a group of the workload whose threads may use more than one CPU.
fn may_spread(group: &GroupPlan) -> bool {
    !group.background && !group.forked && group.count > 0 && group.allowed.count() > 1
}

/// Shortest time between the starts of threads of two groups, in ns.
fn distance(a: &GroupPlan, b: &GroupPlan) -> u64 {
    let starts = |g: &GroupPlan| -> Vec<u64> {
        let (start, spacing) = (g.start_ns, g.start_spacing_ns);
        (0..u64::from(g.count))
            .map(|i| start + i * spacing)
            .collect()
    };
    let (a, b) = (starts(a), starts(b));
    let nearest = |at: &u64| {
        let i = b.partition_point(|x| x < at);
        let around = [i.checked_sub(1), Some(i)];
        let around = around.into_iter().flatten().filter_map(|i| b.get(i));
        around.map(|x| x.abs_diff(*at)).min()
    };
    a.iter().filter_map(nearest).min().unwrap_or(u64::MAX)
}
