//! The schedulers: one line each. The order is that of the picker.

use super::decision::entry;
use super::{EraInfo, SchedulerInfo, bfs, cfs, fourbsd, manual, random, ule};
use crate::info::ReasonEntry;

/// All schedulers.
pub const SCHEDULERS: &[&SchedulerInfo] = &[
    &bfs::INFO,
    &manual::INFO,
    &random::INFO,
    &fourbsd::INFO,
    &cfs::INFO,
    &ule::INFO,
];

/// Reasons of the engine itself; they come first in the catalog.
pub const ENGINE_REASONS: &[ReasonEntry] =
    &[entry("forced_by_edit", "migrate", "the user's edit", &[])];

/// Position of `forced_by_edit` in the catalog.
pub const FORCED_BY_EDIT: u16 = 0;

/// The scheduler of an id.
#[must_use]
pub fn find(id: &str) -> Option<&'static SchedulerInfo> {
    SCHEDULERS.iter().copied().find(|s| s.id == id)
}

/// The era of a scheduler; the first if none is named.
#[must_use]
pub fn era(info: &'static SchedulerInfo, id: Option<&str>) -> Option<&'static EraInfo> {
    match id {
        None => info.eras.first(),
        Some(id) => info.eras.iter().find(|e| e.id == id),
    }
}

/// All reasons, in the order of their codes.
#[must_use]
pub fn reasons() -> Vec<ReasonEntry> {
    let own = SCHEDULERS.iter().flat_map(|s| s.reasons.iter());
    ENGINE_REASONS.iter().chain(own).copied().collect()
}

/// The code of a scheduler's first reason.
///
/// # Panics
/// If there are more than 65,535 reasons.
#[must_use]
pub fn reason_base(info: &SchedulerInfo) -> u16 {
    let before: usize = SCHEDULERS
        .iter()
        .take_while(|s| s.id != info.id)
        .map(|s| s.reasons.len())
        .sum();
    u16::try_from(ENGINE_REASONS.len() + before).expect("invariant: few reasons")
}
