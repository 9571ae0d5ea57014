//! What can be written of a control group.

use crate::cgroups::shares_of_weight;
use serde::Deserialize;
use sim_contract::cgroup::CgroupChange;
use sim_ground::bounds;
use sim_ground::info::BoundEntry;

/// What can change of a control group during a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CgroupField {
    /// `cpu.weight`.
    Weight,
    /// The quota of `cpu.max`.
    QuotaUs,
    /// The period of `cpu.max`.
    PeriodUs,
    /// `cpu.max.burst`.
    BurstUs,
}

impl CgroupField {
    pub(super) const ALL: [(&str, Self); 4] = [
        ("weight", Self::Weight),
        ("quotaUs", Self::QuotaUs),
        ("periodUs", Self::PeriodUs),
        ("burstUs", Self::BurstUs),
    ];

    /// Its name in a path.
    #[must_use]
    pub fn name(self) -> &'static str {
        let row = Self::ALL.iter().find(|(_, field)| *field == self);
        row.map_or("", |(name, _)| name)
    }

    /// The range of its values.
    #[must_use]
    pub fn bound(self) -> BoundEntry {
        match self {
            Self::Weight => bounds::WEIGHT,
            Self::QuotaUs => bounds::QUOTA,
            Self::PeriodUs => bounds::PERIOD,
            Self::BurstUs => bounds::BURST,
        }
    }

    /// What a scheduler is told of a new value; `None` for no value.
    #[must_use]
    pub fn change(self, value: Option<u64>) -> CgroupChange {
        let ns = value.map(|us| us.saturating_mul(1_000));
        match self {
            Self::Weight => CgroupChange::Shares(shares_of_weight(value.unwrap_or(0))),
            Self::QuotaUs => CgroupChange::Quota(ns),
            Self::PeriodUs => CgroupChange::Period(ns.unwrap_or(0)),
            Self::BurstUs => CgroupChange::Burst(ns.unwrap_or(0)),
        }
    }
}
