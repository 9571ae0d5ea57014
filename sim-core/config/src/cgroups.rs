//! Control groups as a scenario writes them: weights in the units of people, limits in µs as the kernel's files have them.

use serde::{Deserialize, Serialize};
use sim_contract::cgroup::{Cgroup, Limit};
use sim_contract::weight::weight_of_nice;

sim_ground::constants! {
    /// Shares of a control group for which nothing is said.
    SHARES: u64 = 1_024, "", Published, "NICE_0_LOAD in init_tg_cfs_entry, ROOT_TASK_GROUP_LOAD @ Linux 6.12.";
    /// `cpu.weight` of such a group.
    WEIGHT: u64 = 100, "", Published, "CGROUP_WEIGHT_DFL @ Linux 6.12.";
    /// Shares of an idle control group.
    IDLE_SHARES: u64 = 3, "", Published, "WEIGHT_IDLEPRIO @ Linux 6.12.";
    /// Smallest `cpu.shares`.
    MIN_SHARES: u64 = 2, "", Published, "MIN_SHARES @ Linux 6.12; KEP-2254 for requests of containers.";
    /// Largest `cpu.shares`.
    MAX_SHARES: u64 = 262_144, "", Published, "MAX_SHARES @ Linux 6.12; KEP-2254 for requests of containers.";
    /// Length of a period of a limit for which nothing is said.
    PERIOD_US: u64 = 100_000, "µs", Published, "default_cfs_period @ Linux 6.12.";
}

/// A control group (cgroup v2, controller `cpu`): a share of the CPUs while others want them, and perhaps a limit.
/// Linux 4.9 and later know them; other schedulers ignore the tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ControlGroup {
    /// Name of the group that it lies in; the root if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub parent: Option<String>,
    /// `cpu.weight`, 1 to 10000; 100 if neither it nor another way to say a weight is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(type = "number", optional))]
    pub weight: Option<u64>,
    /// Instead of `weight`: `cpu.weight.nice`, the weight of a thread with this nice value, -20 to 19.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub weight_nice: Option<i8>,
    /// Instead of `weight`: the CPU request of a container in thousandths of a CPU, as Kubernetes turns it into a weight.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(type = "number", optional))]
    pub request_milli_cpus: Option<u64>,
    /// Instead of a weight: `cpu.idle`, the group runs on what nobody else wants.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", ts(optional, as = "Option<bool>"))]
    pub idle: bool,
    /// CPU time in each period, in µs (`cpu.max`), 1000 or more; no limit if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(type = "number", optional))]
    pub quota_us: Option<u64>,
    /// Length of a period, in µs, 1000 to 1000000.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub period_us: u64,
    /// How much unused time may be saved for a later period, in µs (`cpu.max.burst`), at most the quota. Since 5.14.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub burst_us: u64,
    /// Where the periods begin, in µs from the start of the run. If left out, they begin with it up to 6.1, and since then
    /// at a random time for each group.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(type = "number", optional))]
    pub phase_us: Option<u64>,
}

impl Default for ControlGroup {
    fn default() -> Self {
        Self {
            parent: None,
            weight: None,
            weight_nice: None,
            request_milli_cpus: None,
            idle: false,
            quota_us: None,
            period_us: PERIOD_US,
            burst_us: 0,
            phase_us: None,
        }
    }
}

/// The shares of a `cpu.weight` (`sched_weight_from_cgroup`), rounded to the nearest.
#[must_use]
pub fn shares_of_weight(weight: u64) -> u64 {
    (weight.saturating_mul(SHARES) / WEIGHT).saturating_add(u64::from(
        weight.saturating_mul(SHARES) % WEIGHT >= WEIGHT / 2,
    ))
}

/// The shares of a container's request: first `cpu.shares`, then their place in the range of `cpu.weight` (KEP-2254).
fn shares_of_request(milli_cpus: u64) -> u64 {
    let shares = (milli_cpus.saturating_mul(SHARES) / 1_000).clamp(MIN_SHARES, MAX_SHARES);
    let weight = 1 + (shares - MIN_SHARES) * 9_999 / (MAX_SHARES - MIN_SHARES);
    shares_of_weight(weight)
}

impl ControlGroup {
    /// How many ways of saying a weight it uses.
    pub(crate) fn weights(&self) -> usize {
        usize::from(self.weight.is_some())
            + usize::from(self.weight_nice.is_some())
            + usize::from(self.request_milli_cpus.is_some())
            + usize::from(self.idle)
    }

    fn shares(&self) -> u64 {
        let said = [
            self.weight.map(shares_of_weight),
            self.weight_nice.map(weight_of_nice),
            self.request_milli_cpus.map(shares_of_request),
            self.idle.then_some(IDLE_SHARES),
        ];
        said.into_iter().flatten().next().unwrap_or(SHARES)
    }

    /// The same for a scheduler. Numbers may be out of range: errors are found beside it.
    pub(crate) fn plan(&self, name: &str, parent: Option<u32>) -> Cgroup {
        Cgroup {
            name: name.to_owned(),
            parent,
            shares: self.shares(),
            idle: self.idle,
            limit: Limit {
                quota_ns: self.quota_us.map(|us| us.saturating_mul(1_000)),
                period_ns: self.period_us.saturating_mul(1_000),
                burst_ns: self.burst_us.saturating_mul(1_000),
                phase_ns: self.phase_us.map(|us| us.saturating_mul(1_000)),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of `cpu.weight` and of requests, from the kernel's and Kubernetes' formulas.
    #[test]
    fn weights_become_shares_as_the_kernel_rounds_them() {
        let of_weight = [1, 39, 50, 100, 200, 10_000].map(shares_of_weight);
        assert_eq!(of_weight, [10, 399, 512, 1_024, 2_048, 102_400]);
        let weight = |milli| {
            let shares = shares_of_request(milli);
            (1..=10_000).find(|w| shares_of_weight(*w) == shares)
        };
        assert_eq!([100, 1_000, 4_000].map(weight), [4, 39, 157].map(Some));
        let nice = |weight_nice| ControlGroup {
            weight_nice: Some(weight_nice),
            ..ControlGroup::default()
        };
        assert_eq!([-20, 0, 19].map(|n| nice(n).shares()), [88_761, 1_024, 15]);
    }
}
