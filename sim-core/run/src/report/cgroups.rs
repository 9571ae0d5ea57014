//! What was counted of the control groups of a run.

use crate::engine::UpToDate;
use crate::sched::cgroup::{COUNTS, Cgroup, CgroupCounts};
use serde::Serialize;
use std::collections::BTreeMap;

/// What was counted of a control group.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct CgroupReport {
    /// Name.
    pub name: String,
    /// Counts and times in ns, by id: `nrPeriods`, `nrThrottled`, `throttledTime`, `throttledTimeInherited`, `nrBursts`,
    /// `burstTime`.
    #[cfg_attr(feature = "schema", ts(type = "{ [key in string]: number }"))]
    pub counts: BTreeMap<&'static str, u64>,
}

/// What was counted of the control groups.
pub(super) fn counted(sim: UpToDate<'_>) -> Vec<CgroupReport> {
    let counted = sim.scheduler().cgroups(sim.now());
    let groups = sim.plan().cgroups.groups.iter().zip(counted);
    let report = |(group, counted): (&Cgroup, CgroupCounts)| CgroupReport {
        name: group.name.clone(),
        counts: COUNTS
            .iter()
            .map(|(id, _, _, value)| (*id, value(&counted)))
            .collect(),
    };
    groups.map(report).collect()
}
