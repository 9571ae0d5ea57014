//! The sysctls of NUMA balancing with their sources, and their values.

use serde::{Deserialize, Serialize};
use sim_ground::params::{ParamSpec, Params};
use sim_machine::cost::pages::{HUGE_PAGES, PAGE};

/// `kernel.numa_balancing`.
pub(crate) const BALANCING: ParamSpec = ParamSpec::flag("numaBalancing", true)
    .label("numa_balancing")
    .summary("Memory follows its thread: pages are marked, and the faults on them tell where they should be. It does nothing on machines of one node.")
    .published("CONFIG_NUMA_BALANCING_DEFAULT_ENABLED, set_numabalancing_state");

/// `numa_balancing_scan_delay_ms`.
pub(crate) const SCAN_DELAY: ParamSpec = ParamSpec::int("numaScanDelayMs", 0, 60_000, 1_000)
    .label("numa_balancing_scan_delay_ms")
    .unit("ms")
    .summary("How long a program runs before its memory is marked for the first time.")
    .published("sysctl_numa_balancing_scan_delay; the range is chosen");

/// `numa_balancing_scan_period_min_ms`.
pub(crate) const PERIOD_MIN: ParamSpec = ParamSpec::int("numaScanPeriodMinMs", 1, 60_000, 1_000)
    .label("numa_balancing_scan_period_min_ms")
    .unit("ms")
    .summary("Shortest time in which all memory of a thread is marked once.")
    .published("sysctl_numa_balancing_scan_period_min; the range is chosen")
    .log();

/// `numa_balancing_scan_period_max_ms`.
pub(crate) const PERIOD_MAX: ParamSpec = ParamSpec::int("numaScanPeriodMaxMs", 1, 600_000, 60_000)
    .label("numa_balancing_scan_period_max_ms")
    .unit("ms")
    .summary("Longest time in which all memory of a thread is marked once.")
    .published("sysctl_numa_balancing_scan_period_max; the range is chosen")
    .log();

/// `numa_balancing_scan_size_mb`.
pub(crate) const SCAN_SIZE: ParamSpec = ParamSpec::int("numaScanSizeMib", 1, 65_536, 256)
    .label("numa_balancing_scan_size_mb")
    .unit("MiB")
    .summary("How much memory is marked at a time.")
    .published("sysctl_numa_balancing_scan_size; the range is chosen")
    .log();

/// `transparent_hugepage/enabled`.
pub(crate) const HUGE: ParamSpec = ParamSpec::flag("transparentHugepages", false)
    .label("transparent_hugepage")
    .summary("Memory lies in pages of 2 MiB: a hinting fault counts and moves 512 pages at once.")
    .assumed(
        "distributions differ (always, madvise); single pages are what the costs are known for",
    );

/// Values of the tunables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// Whether NUMA balancing is on.
    pub(super) on: bool,
    pub(super) scan_delay_ms: u64,
    pub(super) period_min_ms: u64,
    pub(super) period_max_ms: u64,
    pub(super) scan_mib: u64,
    pub(super) huge: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            on: true,
            scan_delay_ms: 1_000,
            period_min_ms: 1_000,
            period_max_ms: 60_000,
            scan_mib: 256,
            huge: false,
        }
    }
}

/// Largest number of MiB that are marked in a second (`MAX_SCAN_WINDOW`).
const MAX_SCAN_MIB: u64 = 2_560;

impl Settings {
    pub(crate) fn new(params: &Params) -> Self {
        Self {
            on: params.flag(BALANCING.id),
            scan_delay_ms: params.get_u64(SCAN_DELAY.id),
            period_min_ms: params.get_u64(PERIOD_MIN.id),
            period_max_ms: params.get_u64(PERIOD_MAX.id),
            scan_mib: params.get_u64(SCAN_SIZE.id),
            huge: params.flag(HUGE.id),
        }
    }

    /// Pages that one scan marks.
    pub(super) fn scan_pages(&self) -> u64 {
        self.scan_mib * (1 << 20) / PAGE
    }

    /// Number of pages that share a fault.
    pub(super) fn per_fault(&self) -> u64 {
        if self.huge { HUGE_PAGES } else { 1 }
    }

    /// The shortest and the longest period of a thread whose process has `pages` pages, in ms (`task_scan_min`,
    /// `task_scan_max`).
    #[must_use]
    pub fn periods(&self, pages: u64) -> (u64, u64) {
        let windows = pages.div_ceil(self.scan_pages().max(1)).max(1);
        let floor = 1_000 / (MAX_SCAN_MIB / self.scan_mib.max(1)).max(1);
        let least = floor.max(self.period_min_ms / windows);
        (least, least.max(self.period_max_ms / windows))
    }
}
